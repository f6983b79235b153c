#include "saltus/fem/material_parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

const MaterialParameter& needed(const MaterialParameters& parameters, std::string_view name) {
  if (const MaterialParameter* found = parameters.find(name)) return *found;
  throw InputError(parameters.where, fmt::format("material needs `{}`", name));
}

double checked(const MaterialParameters& parameters, const MaterialParameter& p, bool fits,
               const char* allowed) {
  if (fits && std::isfinite(p.value) && p.table.empty()) return p.value;
  throw InputError(parameters.place_of(p.name), p.name,
                   p.table.empty() ? fmt::format("{}", p.value) : "a table", allowed);
}

}  // namespace

const MaterialParameter* MaterialParameters::find(std::string_view name) const {
  for (const MaterialParameter& p : given)
    if (p.name == name) return &p;
  return nullptr;
}

const std::string& MaterialParameters::place_of(std::string_view name) const {
  const MaterialParameter* p = find(name);
  return p != nullptr && !p->where.empty() ? p->where : where;
}

double MaterialParameters::positive(std::string_view name) const {
  const MaterialParameter& p = needed(*this, name);
  return checked(*this, p, p.value > 0, "a number above 0");
}

double MaterialParameters::not_negative(std::string_view name, double otherwise) const {
  const MaterialParameter* p = find(name);
  return p == nullptr ? otherwise : checked(*this, *p, p->value >= 0, "a number, 0 or more");
}

double MaterialParameters::poisson(std::string_view name) const {
  const MaterialParameter& p = needed(*this, name);
  return checked(*this, p, p.value > -1 && p.value < 0.5, "a number above -1, below 0.5");
}

void MaterialParameters::check_names(std::string_view material,
                                     std::initializer_list<std::string_view> known) const {
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (std::find(known.begin(), known.end(), given[i].name) == known.end())
      throw InputError(place_of(given[i].name), fmt::format("material {} has no such parameter", material),
                       given[i].name, fmt::format("{}", fmt::join(known, ", ")));
    for (std::size_t j = 0; j < i; ++j)
      if (given[j].name == given[i].name)
        throw InputError(place_of(given[i].name), "parameter given twice", given[i].name);
  }
}

}  // namespace saltus
