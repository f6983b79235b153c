// The exact solver of one contact of each cone.
#pragma once

#include "saltus/solvers/local/local_coulomb_2d.hpp"
#include "saltus/solvers/local/local_coulomb_3d.hpp"
#include "saltus/solvers/local/local_rolling.hpp"

namespace saltus {

template <class C>
struct CascadeOf;
template <>
struct CascadeOf<Coulomb2> {
  using Type = LocalCoulomb2;
};
template <>
struct CascadeOf<Coulomb3> {
  using Type = LocalCoulomb3;
};
template <>
struct CascadeOf<Rolling2> {
  using Type = LocalRolling2;
};
template <>
struct CascadeOf<Rolling3> {
  using Type = LocalRolling3;
};

}  // namespace saltus
