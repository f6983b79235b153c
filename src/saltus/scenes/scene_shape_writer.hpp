// Shapes as TOML.
#pragma once

#include <string>

#include "saltus/geometry/shapes.hpp"

namespace saltus {

// An inline table that read_shape understands: "{ kind = "disk", radius = 1 }".
template <int Dim>
std::string format_shape(const Shape<Dim>& shape);

// The kind alone: "disk".
template <int Dim>
std::string shape_kind(const Shape<Dim>& shape);

}  // namespace saltus
