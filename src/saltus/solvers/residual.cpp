#include "saltus/solvers/residual.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace saltus {

namespace {

constexpr std::array kKinds = {ResidualKind::natural, ResidualKind::relative_b, ResidualKind::siconos,
                               ResidualKind::scaled};

// Factors that make impulses and velocities of one problem dimensionless.
template <class C>
struct Units {
  typename C::Vector impulse, velocity;
  double rolling_ratio = 1;  // mu_r is a length: multiplied by this it is a number
};

// |b| with angular velocities made linear by the length 1 / rolling_ratio; 1 when b = 0.
template <class C>
double compute_speed(const ContactProblem& problem, double rolling_ratio) {
  if constexpr (C::kRollings == 0) {
    const double norm = problem.b.norm();
    return norm > 0 ? norm : 1.0;
  }
  double square = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const typename C::Vector b = problem.b.segment<C::kSize>(c * C::kSize);
    square += b.template head<1 + C::kTangents>().squaredNorm() +
              b.template tail<C::kRollings>().squaredNorm() / (rolling_ratio * rolling_ratio);
  }
  return square > 0 ? std::sqrt(square) : 1.0;
}

template <class C>
Units<C> compute_units(const ContactProblem& problem) {
  double w = 0, w_r = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const Eigen::Map<const typename C::Matrix> block(problem.W.block_at(problem.W.diagonal[c]));
    w += block.diagonal().template head<1 + C::kTangents>().sum();
    w_r += block.diagonal().template tail<C::kRollings>().sum();
  }
  w /= std::max(1, problem.contacts() * (1 + C::kTangents));
  w_r /= std::max(1, problem.contacts() * C::kRollings);
  if (!(w > 0)) w = 1;
  if (!(w_r > 0)) w_r = w;
  Units<C> units;
  units.rolling_ratio = std::sqrt(w_r / w);
  const double speed = compute_speed<C>(problem, units.rolling_ratio);
  units.impulse.setConstant(w / speed);
  units.velocity.setConstant(1 / speed);
  units.impulse.template tail<C::kRollings>().setConstant(std::sqrt(w * w_r) / speed);
  units.velocity.template tail<C::kRollings>().setConstant(1 / (units.rolling_ratio * speed));
  return units;
}

// |r - P_K(r - u~)|^2. Written out for Coulomb's cone: solvers evaluate it often enough for the
// general projection to cost as much as several sweeps.
template <class C>
double natural_map_square(const typename C::Vector& r, const typename C::Vector& u, double mu, double mu_r) {
  if constexpr (C::kRollings > 0) {
    return (r - project<C>(r - de_saxce<C>(u, mu, mu_r), mu, mu_r)).squaredNorm();
  } else {
    const auto r_t = r.template tail<C::kTangents>(), u_t = u.template tail<C::kTangents>();
    const double square_t = u_t.squaredNorm();
    const double u_n = u[0] + mu * std::sqrt(square_t), z_n = r[0] - u_n;
    const Eigen::Matrix<double, C::kTangents, 1> z_t = r_t - u_t;
    const double length = std::sqrt(z_t.squaredNorm());
    if (z_n >= 0 && length <= mu * z_n) return u_n * u_n + square_t;
    if (mu * length <= -z_n) return r.squaredNorm();
    const double n = (z_n + mu * length) / (1 + mu * mu);
    return (r[0] - n) * (r[0] - n) + (r_t - (mu * n / length) * z_t).squaredNorm();
  }
}

template <class C>
Residuals compute(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& u) {
  const double norm_b = problem.b.norm();
  const double speed = norm_b > 0 ? norm_b : 1.0;
  const Units<C> units = compute_units<C>(problem);
  double plain = 0, scaled = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const typename C::Vector rc = r.segment<C::kSize>(c * C::kSize);
    const typename C::Vector uc = u.segment<C::kSize>(c * C::kSize);
    plain += natural_map_square<C>(rc, uc, problem.mu[c], problem.rolling(c));
    scaled += natural_map_square<C>(rc.cwiseProduct(units.impulse), uc.cwiseProduct(units.velocity),
                                    problem.mu[c], problem.rolling(c) * units.rolling_ratio);
  }
  Residuals result;
  result.absolute = std::sqrt(plain);
  result.relative_b = result.absolute / speed;
  const double largest = std::max({norm_b, r.norm(), u.norm()});
  result.siconos = largest > 2.2e-16 ? result.absolute / largest : result.absolute;
  result.scaled = std::sqrt(scaled);
  return result;
}

}  // namespace

std::optional<ResidualKind> parse_residual_kind(const std::string& text) {
  for (const ResidualKind kind : kKinds)
    if (text == name(kind)) return kind;
  return std::nullopt;
}

const char* name(ResidualKind kind) {
  switch (kind) {
    case ResidualKind::natural: return "natural";
    case ResidualKind::relative_b: return "relative-b";
    case ResidualKind::siconos: return "siconos";
    case ResidualKind::scaled: break;
  }
  return "scaled";
}

double Residuals::of(ResidualKind kind) const {
  switch (kind) {
    case ResidualKind::natural: return absolute;
    case ResidualKind::relative_b: return relative_b;
    case ResidualKind::siconos: return siconos;
    case ResidualKind::scaled: break;
  }
  return scaled;
}

Residuals compute_residuals(const ContactProblem& problem, const Eigen::VectorXd& r,
                            const Eigen::VectorXd& u) {
  return with_cone(problem.cone, [&](auto cone) { return compute<decltype(cone)>(problem, r, u); });
}

}  // namespace saltus
