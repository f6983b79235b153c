#include "saltus/fem/material_registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"

namespace saltus::material_registry_test {
namespace {

void expect_refused(const std::string& name, std::vector<MaterialParameter> given, const std::string& where,
                    const std::string& part) {
  try {
    make_material(name, {"scene.toml:7", std::move(given)});
    ADD_FAILURE() << "accepted: " << part;
  } catch (const InputError& e) {
    EXPECT_EQ(e.where(), where);
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(MaterialRegistry, EveryMaterialIsMadeByItsName) {
  for (const std::string& name : material_names()) {
    std::vector<MaterialParameter> p = {{"young", 20}, {"poisson", 0.3}};
    if (name == "j2-plasticity") p.push_back({"yield", 1});
    if (name == "maxwell" || name == "kelvin-voigt") p.push_back({"viscosity", 1});
    const auto material = make_material(name, {"", p});
    EXPECT_EQ(material->name(), name);
    EXPECT_NEAR(material->moduli().poisson(), 0.3, 1e-15);
    EXPECT_TRUE(material->takes(StrainMeasure::small) || material->takes(StrainMeasure::finite));
  }
}

TEST(MaterialRegistry, MistakesAreToldWithPlaceValueAndWhatIsAllowed) {
  expect_refused("rubber", {}, "scene.toml:7", "unknown material: got rubber, allowed: linear-elastic");
  for (const std::string& name : material_names()) {
    expect_refused(name, {{"poisson", 0.3}}, "scene.toml:7", "`young`");
    expect_refused(name, {{"young", -3, {}, "scene.toml:8:1"}, {"poisson", 0.3}}, "scene.toml:8:1",
                   "young: got -3, allowed: a number above 0");
    expect_refused(name, {{"young", std::numeric_limits<double>::infinity()}, {"poisson", 0.3}},
                   "scene.toml:7", "inf");
    expect_refused(name, {{"young", std::nan("")}, {"poisson", 0.3}}, "scene.toml:7", "nan");
    expect_refused(name, {{"young", 1}, {"poisson", 0.5}}, "scene.toml:7", "below 0.5");
    expect_refused(name, {{"young", 0, {{1, 2}}}, {"poisson", 0.3}}, "scene.toml:7", "a table");
  }
  expect_refused("maxwell", {{"young", 1}, {"poisson", 0.3}}, "scene.toml:7", "`viscosity`");
  expect_refused("linear-elastic", {{"young", 1}, {"poisson", 0.3}, {"density", 3, {}, "scene.toml:9:1"}},
                 "scene.toml:9:1", "no such parameter: got density, allowed: young, poisson");
  expect_refused("linear-elastic", {{"young", 1}, {"poisson", 0.3}, {"young", 2}}, "scene.toml:7",
                 "given twice");
}

}  // namespace
}  // namespace saltus::material_registry_test
