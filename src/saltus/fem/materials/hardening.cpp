#include "saltus/fem/materials/hardening.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

Hardening::Hardening(const MaterialParameters& parameters) {
  if (const MaterialParameter* table = parameters.find("hardening_table")) {
    const std::string& place = parameters.place_of("hardening_table");
    for (const char* other : {"yield", "hardening", "swift_strain", "swift_exponent"})
      if (parameters.find(other) != nullptr)
        throw InputError(parameters.place_of(other), "hardening is told twice", other,
                         "hardening_table alone");
    table_ = table->table;
    if (table_.empty() || table_[0][0] != 0 || !(table_[0][1] > 0))
      throw InputError(place, "hardening_table", "",
                       "pairs (plastic strain, stress), from strain 0 and a stress above 0 on");
    for (std::size_t i = 0; i < table_.size(); ++i)
      if (!std::isfinite(table_[i][0]) || !std::isfinite(table_[i][1]) ||
          (i > 0 && !(table_[i][0] > table_[i - 1][0] && table_[i][1] >= table_[i - 1][1])))
        throw InputError(place, fmt::format("hardening_table, pair {}", i + 1),
                         fmt::format("({}, {})", table_[i][0], table_[i][1]),
                         "strains that grow, stresses that do not fall");
    yield_ = table_[0][1];
    return;
  }
  yield_ = parameters.positive("yield");
  modulus_ = parameters.not_negative("hardening", 0);
  if (parameters.find("swift_strain") == nullptr && parameters.find("swift_exponent") == nullptr) return;
  strain_ = parameters.positive("swift_strain");
  exponent_ = parameters.positive("swift_exponent");
  if (exponent_ > 1)
    throw InputError(parameters.place_of("swift_exponent"), "swift_exponent", fmt::format("{}", exponent_),
                     "above 0, at most 1");
  if (modulus_ > 0)
    throw InputError(parameters.place_of("hardening"), "hardening is told twice", "hardening",
                     "swift_strain and swift_exponent alone");
}

// The last pair of the table at or before alpha.
std::size_t Hardening::piece(double alpha) const {
  std::size_t i = 0;
  while (i + 1 < table_.size() && table_[i + 1][0] <= alpha) ++i;
  return i;
}

double Hardening::slope(double alpha) const {
  if (!table_.empty()) {
    const std::size_t i = piece(alpha);
    if (i + 1 == table_.size()) return 0;
    return (table_[i + 1][1] - table_[i][1]) / (table_[i + 1][0] - table_[i][0]);
  }
  if (strain_ > 0) return yield_ * exponent_ / strain_ * std::pow(1 + alpha / strain_, exponent_ - 1);
  return modulus_;
}

double Hardening::stress(double alpha) const {
  if (!table_.empty()) {
    const std::size_t i = piece(alpha);
    return table_[i][1] + slope(alpha) * (alpha - table_[i][0]);
  }
  if (strain_ > 0) return yield_ * std::pow(1 + alpha / strain_, exponent_);
  return yield_ + modulus_ * alpha;
}

double Hardening::energy(double alpha) const {
  if (!table_.empty()) {
    double sum = 0;
    const std::size_t last = piece(alpha);
    for (std::size_t i = 0; i <= last; ++i) {
      const double end = i < last ? table_[i + 1][0] : alpha,
                   top = i < last ? table_[i + 1][1] : stress(alpha);
      sum += (0.5 * (table_[i][1] + top) - yield_) * (end - table_[i][0]);
    }
    return sum;
  }
  if (strain_ > 0)
    return yield_ * (strain_ / (exponent_ + 1) * (std::pow(1 + alpha / strain_, exponent_ + 1) - 1) - alpha);
  return 0.5 * modulus_ * alpha * alpha;
}

}  // namespace saltus
