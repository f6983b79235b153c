// A = dP/dF column by column, from the change of P with each entry of F.
#pragma once

#include "saltus/fem/voigt.hpp"

namespace saltus {

// change(dF) gives dP; dF has a 1 in one place.
template <class Change>
void fill_finite_tangent(Change&& change, Matrix9& A) {
  for (int j = 0; j < 9; ++j) {
    Eigen::Matrix3d dF = Eigen::Matrix3d::Zero();
    dF(j % 3, j / 3) = 1;
    const Eigen::Matrix3d dP = change(dF);
    A.col(j) = Eigen::Map<const Vector9>(dP.data());
  }
}

}  // namespace saltus
