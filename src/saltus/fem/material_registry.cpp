#include "saltus/fem/material_registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/materials/j2_plasticity.hpp"
#include "saltus/fem/materials/kelvin_voigt.hpp"
#include "saltus/fem/materials/linear_elastic.hpp"
#include "saltus/fem/materials/maxwell.hpp"
#include "saltus/fem/materials/neo_hookean.hpp"
#include "saltus/fem/materials/st_venant_kirchhoff.hpp"

namespace saltus {

namespace {

template <class M>
std::shared_ptr<const Material> make(const MaterialParameters& parameters) {
  return std::make_shared<const M>(parameters);
}

struct MaterialRow {
  const char* name;
  std::shared_ptr<const Material> (*make)(const MaterialParameters&);
};
constexpr MaterialRow kMaterials[] = {
    {LinearElastic::kName, make<LinearElastic>}, {StVenantKirchhoff::kName, make<StVenantKirchhoff>},
    {NeoHookean::kName, make<NeoHookean>},       {J2Plasticity::kName, make<J2Plasticity>},
    {KelvinVoigt::kName, make<KelvinVoigt>},     {Maxwell::kName, make<Maxwell>},
};

}  // namespace

std::shared_ptr<const Material> make_material(std::string_view name, const MaterialParameters& parameters) {
  for (const MaterialRow& row : kMaterials)
    if (name == row.name) return row.make(parameters);
  throw InputError(parameters.where, "unknown material", std::string(name),
                   fmt::format("{}", fmt::join(material_names(), ", ")));
}

std::vector<std::string> material_names() {
  std::vector<std::string> names;
  for (const MaterialRow& row : kMaterials) names.emplace_back(row.name);
  return names;
}

}  // namespace saltus
