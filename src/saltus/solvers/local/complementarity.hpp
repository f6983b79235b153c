// Functions of one contact whose zeros are the contact law, with their derivatives. They are
// what semi-smooth Newton iterates on. With rho > 0, y = r - rho u:
//
//   Alart-Curnier   F_n = r_n - [y_n]_+,   F_t = r_t - P_D(y_t),   D = disc of radius mu [y_n]_+
//   Jean-Moreau     the same with a disc of radius mu [r_n]_+
//   natural map     F = r - P_K(r - rho u~)
//
// Rolling components are treated like tangential ones with mu_r. Blocks of a mixed problem that are not
// Coulomb's have the natural map with their own set, whichever function is asked for. Sources: P. Alart and
// A. Curnier, CMAME 92 (1991); M. Jean and J. J. Moreau, Contact Mechanics Int. Symp. (1992).
#pragma once

#include <type_traits>

#include "saltus/solvers/block_law.hpp"

namespace saltus {

enum class Complementarity { alart_curnier, jean_moreau, natural_map };

template <class C>
struct Linearised {
  typename C::Vector value;
  typename C::Matrix by_r, by_u;  // an element of the generalised Jacobian
};

template <class C>
typename C::Vector complementarity(Complementarity kind, const typename C::Vector& r,
                                   const typename C::Vector& u, double mu, double mu_r, double rho);

template <class C>
Linearised<C> linearise(Complementarity kind, const typename C::Vector& r, const typename C::Vector& u,
                        double mu, double mu_r, double rho);

// The same for blocks of any kind B, by their law.
template <class B>
typename B::Vector complementarity(Complementarity kind, const typename B::Vector& r,
                                   const typename B::Vector& u, const typename LawOf<B>::Type& law,
                                   double rho) {
  using C = typename B::Plain;
  if constexpr (std::is_same_v<B, C>) {
    return complementarity<C>(kind, r, u, law.mu, law.mu_r, rho);
  } else {
    if (law.has_cone()) return complementarity<C>(kind, r, u, law.cone.mu, law.cone.mu_r, rho);
    return r - law.project(r - rho * u);
  }
}

template <class B>
Linearised<typename B::Plain> linearise(Complementarity kind, const typename B::Vector& r,
                                        const typename B::Vector& u, const typename LawOf<B>::Type& law,
                                        double rho) {
  using C = typename B::Plain;
  if constexpr (std::is_same_v<B, C>) {
    return linearise<C>(kind, r, u, law.mu, law.mu_r, rho);
  } else {
    if (law.has_cone()) return linearise<C>(kind, r, u, law.cone.mu, law.cone.mu_r, rho);
    const typename C::Vector y = r - rho * u;
    const typename C::Matrix slope = law.projection_jacobian(y);
    return {r - law.project(y), C::Matrix::Identity() - slope, rho * slope};
  }
}

}  // namespace saltus
