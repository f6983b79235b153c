// Small vectors and matrices of the plane (Dim = 2) and of space (Dim = 3).
//
// A spin is an angular velocity or a moment: one number in the plane, a vector in space.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace saltus {

template <int Dim>
inline constexpr int kSpins = Dim == 2 ? 1 : 3;

template <int Dim>
using Vec = Eigen::Matrix<double, Dim, 1>;
template <int Dim>
using Mat = Eigen::Matrix<double, Dim, Dim>;
template <int Dim>
using IntVec = Eigen::Matrix<int, Dim, 1>;
template <int Dim>
using Spin = Eigen::Matrix<double, kSpins<Dim>, 1>;
template <int Dim>
using Inertia = Eigen::Matrix<double, kSpins<Dim>, kSpins<Dim>>;

// z component of the product of two vectors of the plane.
inline double cross2(const Vec<2>& a, const Vec<2>& b) { return a.x() * b.y() - a.y() * b.x(); }

// The direction a quarter turn counter-clockwise from v.
inline Vec<2> quarter_turn(const Vec<2>& v) { return {-v.y(), v.x()}; }

// Velocity spin x arm of the end of an arm.
inline Vec<2> spin_velocity(const Spin<2>& spin, const Vec<2>& arm) { return spin(0) * quarter_turn(arm); }
inline Vec<3> spin_velocity(const Spin<3>& spin, const Vec<3>& arm) { return spin.cross(arm); }

// Moment arm x force.
inline Spin<2> moment(const Vec<2>& arm, const Vec<2>& force) { return Spin<2>(cross2(arm, force)); }
inline Spin<3> moment(const Vec<3>& arm, const Vec<3>& force) { return arm.cross(force); }

}  // namespace saltus
