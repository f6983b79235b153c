// Materials by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/fem/material.hpp"
#include "saltus/fem/material_parameters.hpp"

namespace saltus {

// Throws InputError: a name that is not there, parameters that are missing, unknown or out of range.
std::shared_ptr<const Material> make_material(std::string_view name, const MaterialParameters& parameters);

std::vector<std::string> material_names();

}  // namespace saltus
