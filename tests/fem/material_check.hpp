// Tangents of materials against central differences, and steps of one point.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "saltus/fem/material_registry.hpp"
#include "saltus/fem/voigt.hpp"

namespace saltus::testing {

// One point of a material that is taken through steps.
class TestPoint {
 public:
  TestPoint(std::shared_ptr<const Material> material, StrainMeasure measure)
      : material_(std::move(material)), before(material_->internal_count(measure) + 1), after(before) {
    material_->start(measure, before.data());
  }
  SmallResponse small(const Vector6& strain, double duration) {
    SmallResponse r;
    EXPECT_TRUE(material_->respond_small(strain, {duration, before.data(), after.data(), true}, r));
    return r;
  }
  FiniteResponse finite(const Eigen::Matrix3d& F, double duration) {
    FiniteResponse r;
    EXPECT_TRUE(material_->respond_finite(F, {duration, before.data(), after.data(), true}, r));
    return r;
  }
  void accept() { before = after; }

  // Largest difference of the tangent from central differences, over its largest entry.
  double tangent_error(const Vector6& strain, double duration, double h = 1e-6) {
    const Matrix6 exact = small(strain, duration).tangent;
    Matrix6 found;
    for (int j = 0; j < 6; ++j) {
      const Vector6 step = h * Vector6::Unit(j);
      found.col(j) =
          (small(strain + step, duration).stress - small(strain - step, duration).stress) / (2 * h);
    }
    return (exact - found).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
  }
  double tangent_error(const Eigen::Matrix3d& F, double duration, double h = 1e-6) {
    const Matrix9 exact = finite(F, duration).tangent;
    Matrix9 found;
    for (int j = 0; j < 9; ++j) {
      Eigen::Matrix3d step = Eigen::Matrix3d::Zero();
      step(j % 3, j / 3) = h;
      const Eigen::Matrix3d d =
          (finite(F + step, duration).stress - finite(F - step, duration).stress) / (2 * h);
      found.col(j) = Eigen::Map<const Vector9>(d.data());
    }
    return (exact - found).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
  }
  // The stress is the derivative of the energy: largest difference over the largest entry.
  double potential_error(const Eigen::Matrix3d& F, double h = 1e-6) {
    const Eigen::Matrix3d exact = finite(F, 0).stress;
    Eigen::Matrix3d found;
    for (int j = 0; j < 9; ++j) {
      Eigen::Matrix3d step = Eigen::Matrix3d::Zero();
      step(j % 3, j / 3) = h;
      found(j % 3, j / 3) =
          (finite(F + step, 0).energy.elastic - finite(F - step, 0).energy.elastic) / (2 * h);
    }
    return (exact - found).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
  }

  std::shared_ptr<const Material> material_;
  std::vector<double> before, after;
};

// Central differences of a smooth function of size 1 with steps of 1e-6: 1e-12 of truncation, 1e-10 of round-off, times
// what curvature and cancellation make of them.
inline constexpr double kDifferenceError = 1e-8;

inline Eigen::Matrix3d some_gradient() {
  Eigen::Matrix3d F;
  F << 1.2, 0.3, -0.1, 0.05, 0.9, 0.2, -0.15, 0.1, 1.1;
  return F;
}
inline Eigen::Matrix3d some_rotation() {
  return (Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, -1).normalized())).toRotationMatrix();
}

// Lateral stretch without lateral stress under the stretch `axial` in x: Newton by the tangent.
inline Eigen::Matrix3d free_sides(TestPoint& point, double axial, double duration) {
  double side = 1;
  for (int i = 0; i < 50; ++i) {
    const Eigen::Matrix3d F = Eigen::Vector3d(axial, side, side).asDiagonal();
    const FiniteResponse r = point.finite(F, duration);
    const double step = r.stress(1, 1) / (r.tangent(4, 4) + r.tangent(4, 8));
    side -= step;
    if (std::abs(step) < 1e-15) break;
  }
  return Eigen::Vector3d(axial, side, side).asDiagonal();
}

}  // namespace saltus::testing
