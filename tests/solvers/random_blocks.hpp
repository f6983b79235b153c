// Random contacts for the tests of local solvers: easy, degenerate and at the borders between
// the cases of the law.
#pragma once

#include <cmath>
#include <random>

#include "saltus/solvers/cone.hpp"

namespace saltus::testing {

template <class C>
struct RandomBlock {
  typename C::Matrix W;
  typename C::Vector b;
  double mu = 0, mu_r = 0;
  bool well_conditioned = true;
};

template <class C>
class RandomBlocks {
 public:
  using Vector = typename C::Vector;
  using Matrix = typename C::Matrix;
  explicit RandomBlocks(unsigned seed) : engine_(seed) {}

  // Positive definite up to scaling of directions, sometimes not symmetric: a solution exists.
  RandomBlock<C> next() {
    RandomBlock<C> block;
    const Matrix Q = orthogonal_matrix();
    Vector eigenvalues;
    const int shape = pick(4);
    for (int i = 0; i < C::kSize; ++i) eigenvalues[i] = std::pow(10.0, uniform(-1, 1) * shape);
    block.well_conditioned = shape < 3;
    block.W = Q * eigenvalues.asDiagonal() * Q.transpose();
    if (pick(4) == 0) {
      const Matrix skew = gaussian_matrix();
      block.W += 0.1 * eigenvalues.minCoeff() * (skew - skew.transpose());
    }
    block.mu = friction();
    block.mu_r = C::kRollings > 0 ? friction() : 0.0;
    block.b = pick(5) == 0 ? border(block) : gaussian_vector();
    if (pick(20) == 0) block.b[0] = 0;
    if (pick(3) == 0) rescale(block);
    return block;
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine_); }
  int pick(int choices) { return std::uniform_int_distribution<>(0, choices - 1)(engine_); }
  Vector gaussian_vector() {
    Vector v;
    for (double& x : v) x = gaussian_(engine_);
    return v;
  }
  // Gram-Schmidt, twice: orthogonal to round-off.
  Matrix orthogonal_matrix() {
    Matrix Q = gaussian_matrix();
    for (int i = 0; i < C::kSize; ++i) {
      for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < i; ++k) Q.col(i) -= Q.col(k).dot(Q.col(i)) * Q.col(k);
      Q.col(i).normalize();
    }
    return Q;
  }
  Matrix gaussian_matrix() {
    Matrix m;
    for (double& x : m.reshaped()) x = gaussian_(engine_);
    return m;
  }

 private:
  double friction() {
    switch (pick(6)) {
      case 0: return 0.0;
      case 1: return 1e-6;
      case 2: return std::pow(10.0, uniform(1, 5));
      default: return uniform(0.05, 1.2);
    }
  }

  // b for which an impulse on the boundary of the cone sticks exactly: between stick and slide.
  Vector border(const RandomBlock<C>& block) {
    Vector z = gaussian_vector();
    z[0] = 0.01;
    return -block.W * project<C>(z, block.mu, block.mu_r);
  }

  // Other units of impulse and velocity; of length too where the cone has one.
  void rescale(RandomBlock<C>& block) {
    const double speed = std::pow(10.0, uniform(-30, 30)), mass = std::pow(10.0, uniform(-30, 30));
    Vector scale = Vector::Ones();
    if constexpr (C::kRollings > 0) {
      const double length = std::pow(10.0, uniform(-6, 6));
      scale.template tail<C::kRollings>().setConstant(1 / length);
      block.mu_r *= length;
    }
    block.W = (scale.asDiagonal() * block.W * scale.asDiagonal() / mass).eval();
    block.b = (speed * scale.cwiseProduct(block.b)).eval();
  }

  std::mt19937_64 engine_;
  std::normal_distribution<> gaussian_;
};

}  // namespace saltus::testing
