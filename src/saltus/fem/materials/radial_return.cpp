#include "saltus/fem/materials/radial_return.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/fem/materials/linear_elastic.hpp"

namespace saltus {

namespace {

// Newton's steps, halved intervals where they leave [0, q/3G]: the left side falls in a, so the root is inside.
double compute_flow(double shear, const Hardening& hardening, double q, double alpha) {
  double low = 0, high = q / (3 * shear), a = 0;
  for (int i = 0; i < 100; ++i) {
    const double over = q - 3 * shear * a - hardening.stress(alpha + a);
    if (std::abs(over) <= 1e-14 * q) break;
    (over > 0 ? low : high) = a;
    const double next = a + over / (3 * shear + hardening.slope(alpha + a));
    a = next > low && next < high ? next : 0.5 * (low + high);
    if (high - low <= 1e-16 * high) break;
  }
  return a;
}

}  // namespace

bool return_radially(const ElasticModuli& moduli, const Hardening& hardening, const Vector6& trial,
                     double alpha, bool want_tangent, RadialReturn& out) {
  const double shear = moduli.mu;
  out.stress = elastic_stress(moduli, trial);
  out.elastic_strain = trial;
  out.flow = 0;
  if (want_tangent) out.tangent = elastic_tangent(moduli);
  Vector6 s = out.stress;
  s.head<3>().array() -= out.stress.head<3>().sum() / 3;
  const double norm = std::sqrt(s.head<3>().squaredNorm() + 2 * s.tail<3>().squaredNorm());
  const double q = std::sqrt(1.5) * norm;
  if (!std::isfinite(q)) return false;
  if (q > hardening.stress(alpha)) {
    const double a = out.flow = compute_flow(shear, hardening, q, alpha);
    const double kept = 1 - 3 * shear * a / q;  // of the deviator
    const Vector6 n = s / norm;
    out.stress -= (1 - kept) * s;
    Vector6 flow = std::sqrt(1.5) * a * n;  // plastic strain of the step
    flow.tail<3>() *= 2;
    out.elastic_strain -= flow;
    if (want_tangent) {
      // K 1x1 + 2 G kept dev - 2 G (1/(1 + H/3G) - (1 - kept)) n x n
      const double lost = 2 * shear * (1 - kept);
      out.tangent.topLeftCorner<3, 3>().array() += lost / 3;
      out.tangent.diagonal().head<3>().array() -= lost;
      out.tangent.diagonal().tail<3>().array() -= lost / 2;
      const double H = hardening.slope(alpha + a);
      out.tangent -= 2 * shear * (1 / (1 + H / (3 * shear)) - (1 - kept)) * n * n.transpose();
    }
  }
  // Plastic work is the integral of the yield stress, all but the first of which is stored: what is dissipated does not depend on how
  // many steps lead there. The work of the stress at the end of the step is larger; the scheme accounts for what it takes.
  out.energy = {.elastic = 0.5 * out.stress.dot(out.elastic_strain),
                .hardening = hardening.energy(alpha + out.flow),
                .plastic = hardening.yield() * out.flow};
  return true;
}

}  // namespace saltus
