#include "saltus/fem/point_response.hpp"

#include <cmath>

namespace saltus {

void PointLaw::start(const Material& material, double* internal) const {
  material.start(measure_, internal);
  if (plane_stress_) internal[material.internal_count(measure_)] = 0;
}

bool PointLaw::respond_in_space(const Material& material, const Eigen::Matrix3d& H, const MaterialStep& step,
                                PointResponse& out) const {
  if (measure_ == StrainMeasure::small) {
    SmallResponse small;
    if (!material.respond_small(strain_voigt(H), step, small)) return false;
    out.stress = stress_tensor(small.stress);
    out.energy = small.energy;
    if (step.want_tangent) expand_tangent(small.tangent, out.tangent);
    return true;
  }
  FiniteResponse finite;
  if (!material.respond_finite(Eigen::Matrix3d::Identity() + H, step, finite)) return false;
  out.stress = finite.stress;
  out.energy = finite.energy;
  if (step.want_tangent) out.tangent = finite.tangent;
  return true;
}

bool PointLaw::respond(const Material& material, const Eigen::Matrix3d& H, const MaterialStep& step,
                       PointResponse& out) const {
  out.out_of_plane = H(2, 2);
  if (!plane_stress_) return respond_in_space(material, H, step, out);
  MaterialStep with_tangent = step;
  with_tangent.want_tangent = true;
  Eigen::Matrix3d whole = H;
  const int place = material.internal_count(measure_);
  whole(2, 2) = step.before[place];
  const double stiffness = material.moduli().longitudinal();
  for (int i = 0; i < 30; ++i) {
    if (!respond_in_space(material, whole, with_tangent, out)) return false;
    const double left = out.stress(2, 2), slope = out.tangent(8, 8);
    // What is left is a thousandth of what other tolerances see, and above the round-off of a strain of 1.
    if (std::abs(left) <= 1e-12 * out.stress.norm() + 4e-15 * stiffness) {
      step.after[place] = out.out_of_plane = whole(2, 2);
      const Vector9 column = out.tangent.col(8) / slope;
      const Eigen::Matrix<double, 1, 9> row = out.tangent.row(8);
      out.tangent.noalias() -= column * row;
      return true;
    }
    if (!(slope > 0)) return false;
    double next = whole(2, 2) - left / slope;
    if (measure_ == StrainMeasure::finite && next <= -1)
      next = 0.5 * (whole(2, 2) - 1);  // F_zz stays above 0
    whole(2, 2) = next;
  }
  return false;
}

}  // namespace saltus
