#include "saltus/measure/measure_stress.hpp"

#include "saltus/math/small_eigen.hpp"

namespace saltus {

template <int Dim>
std::vector<Mat<Dim>> compute_moments(const Snapshot<Dim>& snapshot) {
  std::vector<Mat<Dim>> moments(snapshot.bodies.size(), Mat<Dim>::Zero());
  for (const SnapshotContact<Dim>& c : snapshot.contacts) {
    const Vec<Dim> force = c.axes * c.force;  // on b
    const auto add = [&](int body, const Vec<Dim>& on_body) {
      if (snapshot.bodies[static_cast<std::size_t>(body)].is_grain)
        moments[static_cast<std::size_t>(body)] -= on_body * snapshot.arm(body, c.point).transpose();
    };
    add(c.a, -force);
    add(c.b, force);
  }
  return moments;
}

template <int Dim>
Mat<Dim> compute_stress(const Snapshot<Dim>& snapshot, const std::vector<Mat<Dim>>& moments,
                        const Region<Dim>& region) {
  Mat<Dim> sum = Mat<Dim>::Zero();
  for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) {
    const SnapshotBody<Dim>& body = snapshot.bodies[i];
    if (body.is_grain) sum += region.overlap(body) / body.volume * moments[i];
  }
  const double volume = region.volume();
  return volume > 0 ? Mat<Dim>(sum / volume) : Mat<Dim>::Zero();
}

template <int Dim>
Vec<Dim> principal_values(const Mat<Dim>& tensor) {
  return symmetric_eigenvalues<Dim>(0.5 * (tensor + tensor.transpose())).reverse();
}

template <int Dim>
Mat<Dim> compute_fabric(const Snapshot<Dim>& snapshot, const Region<Dim>& region) {
  Mat<Dim> sum = Mat<Dim>::Zero();
  for (const SnapshotContact<Dim>& c : snapshot.contacts) {
    if (snapshot.bodies[static_cast<std::size_t>(c.a)].is_grain &&
        snapshot.bodies[static_cast<std::size_t>(c.b)].is_grain)
      sum += region.count(c.point) * c.axes.col(0) * c.axes.col(0).transpose();
  }
  return sum.trace() > 0 ? Mat<Dim>(sum / sum.trace()) : sum;
}

template std::vector<Mat<2>> compute_moments<2>(const Snapshot<2>&);
template std::vector<Mat<3>> compute_moments<3>(const Snapshot<3>&);
template Mat<2> compute_stress<2>(const Snapshot<2>&, const std::vector<Mat<2>>&, const Region<2>&);
template Mat<3> compute_stress<3>(const Snapshot<3>&, const std::vector<Mat<3>>&, const Region<3>&);
template Vec<2> principal_values<2>(const Mat<2>&);
template Vec<3> principal_values<3>(const Mat<3>&);
template Mat<2> compute_fabric<2>(const Snapshot<2>&, const Region<2>&);
template Mat<3> compute_fabric<3>(const Snapshot<3>&, const Region<3>&);

}  // namespace saltus
