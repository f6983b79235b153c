// Columns of the inverse of a matrix, each kept once blocks have asked for it: they come back at the same degrees of freedom.
//
// Of a large body blocks ask for degrees of freedom on its surface: of their columns the rows on the surface are kept, nothing of the
// inside. Columns of others (a joint inside) are kept whole; the inverse is symmetric, so one of two columns has every entry.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "saltus/math/definite_factor.hpp"

namespace saltus {

class KeptColumns {
 public:
  // Of `size` degrees of freedom; `surface`: those that are asked for as a rule; empty: no such thing is known.
  void reset(std::size_t size, std::span<const int> surface);
  // The inverse between these. `free_dofs`: the unknowns of the factor; entries of others are zero.
  void fill(const DefiniteFactor& factor, std::span<const int> free_dofs, std::span<const int> dofs,
            Eigen::MatrixXd& inverse);
  std::size_t numbers() const;  // that are kept

 private:
  void add(const DefiniteFactor& factor, std::span<const int> free_dofs, std::span<const int> dofs);

  std::vector<int> row_;                      // of a degree of freedom in columns of the surface; -1: inside
  std::size_t surface_ = 0;                   // rows of these
  std::vector<std::vector<double>> columns_;  // by degree of freedom; empty: nobody has asked
};

}  // namespace saltus
