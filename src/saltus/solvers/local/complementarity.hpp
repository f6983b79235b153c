// Functions of one contact whose zeros are the contact law, with their derivatives. They are
// what semi-smooth Newton iterates on. With rho > 0, y = r - rho u:
//
//   Alart-Curnier   F_n = r_n - [y_n]_+,   F_t = r_t - P_D(y_t),   D = disc of radius mu [y_n]_+
//   Jean-Moreau     the same with a disc of radius mu [r_n]_+
//   natural map     F = r - P_K(r - rho u~)
//
// Rolling components are treated like tangential ones with mu_r. Sources: P. Alart and
// A. Curnier, CMAME 92 (1991); M. Jean and J. J. Moreau, Contact Mechanics Int. Symp. (1992).
#pragma once

#include "saltus/solvers/cone.hpp"

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

}  // namespace saltus
