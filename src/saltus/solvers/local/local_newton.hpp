// Generalised Newton on the function of Alart & Curnier (1991) for one contact of any cone:
//
//     r_n - (y_n)_+,   r_t - P_disc(mu (y_n)_+)(y_t),   r_w - P_disc(mu_r (y_n)_+)(y_w),
//
// y = r - rho u, one rho for each of n, t, w from the diagonal of W. Damped by halving while
// the norm of the function grows. From the warm start r; true, and r replaced, only if the
// natural map confirms the answer (local_error.hpp).
#pragma once

#include "saltus/solvers/cone.hpp"

namespace saltus {

template <class C>
bool solve_newton(const typename C::Matrix& W, const typename C::Vector& b, double mu, double mu_r,
                  typename C::Vector& r);

// One projected step, r <- P_K(r - rho u~): cheap, and exact only when the sweeps have ended.
template <class C>
void update_projection(const typename C::Matrix& W, const typename C::Vector& b, double mu, double mu_r,
                       typename C::Vector& r);

}  // namespace saltus
