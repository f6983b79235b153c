// Parameters of a material as a user wrote them: named numbers and tables, each with its place.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace saltus {

struct MaterialParameter {
  std::string name;
  double value = 0;
  std::vector<std::array<double, 2>> table = {};  // of a parameter that is a table
  std::string where = {};                         // empty: that of the material
};

struct MaterialParameters {
  std::string where;
  std::vector<MaterialParameter> given;

  const MaterialParameter* find(std::string_view name) const;
  const std::string& place_of(std::string_view name) const;

  // Throw InputError: missing, not finite, out of range.
  double positive(std::string_view name) const;
  double not_negative(std::string_view name, double otherwise) const;
  double poisson(std::string_view name) const;  // above -1, below 0.5

  // Throws InputError for a parameter that is not among these, or is there twice.
  void check_names(std::string_view material, std::initializer_list<std::string_view> known) const;
};

}  // namespace saltus
