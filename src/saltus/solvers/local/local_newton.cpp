#include "saltus/solvers/local/local_newton.hpp"

#include "saltus/math/small_solve.hpp"
#include "saltus/solvers/local/local_error.hpp"

namespace saltus {

namespace {

template <class C>
class AlartCurnier {
 public:
  using Vector = typename C::Vector;
  using Matrix = typename C::Matrix;

  AlartCurnier(const Matrix& W, const Vector& b, double mu, double mu_r)
      : W_(W), b_(b), mu_(mu), mu_r_(mu_r) {
    set_rho<1>(0);
    set_rho<C::kTangents>(1);
    if constexpr (C::kRollings > 0) set_rho<C::kRollings>(1 + C::kTangents);
  }

  Vector value(const Vector& r) const {
    const Vector y = r - rho_.cwiseProduct(W_ * r + b_);
    const double n = std::max(y[0], 0.0);
    Vector result = r;
    result[0] -= n;
    subtract_disc<C::kTangents>(y, mu_ * n, 1, result);
    if constexpr (C::kRollings > 0) subtract_disc<C::kRollings>(y, mu_r_ * n, 1 + C::kTangents, result);
    return result;
  }

  Matrix jacobian(const Vector& r) const {
    const Vector y = r - rho_.cwiseProduct(W_ * r + b_);
    const Matrix dy = Matrix::Identity() - rho_.asDiagonal() * W_;
    Matrix result = Matrix::Identity();
    if (y[0] > 0) result.row(0) -= dy.row(0);
    fill_disc<C::kTangents>(y, dy, mu_, 1, result);
    if constexpr (C::kRollings > 0) fill_disc<C::kRollings>(y, dy, mu_r_, 1 + C::kTangents, result);
    return result;
  }

  double size() const { return rho_.cwiseProduct(b_).norm(); }

 private:
  template <int Part>
  void set_rho(int first) {
    const double trace = W_.diagonal().template segment<Part>(first).sum();
    rho_.template segment<Part>(first).setConstant(trace > 0 ? 1 / trace : 1);
  }

  template <int Part>
  static void subtract_disc(const Vector& y, double radius, int first, Vector& result) {
    const auto part = y.template segment<Part>(first);
    const double length = part.norm();
    result.template segment<Part>(first) -= length > radius ? (radius / length * part).eval() : part.eval();
  }

  template <int Part>
  static void fill_disc(const Vector& y, const Matrix& dy, double ratio, int first, Matrix& result) {
    using Square = Eigen::Matrix<double, Part, Part>;
    const Eigen::Matrix<double, Part, 1> part = y.template segment<Part>(first);
    const double radius = ratio * std::max(y[0], 0.0), length = part.norm();
    auto rows = result.template middleRows<Part>(first);
    if (length <= radius) {
      rows -= dy.template middleRows<Part>(first);
      return;
    }
    const Eigen::Matrix<double, Part, 1> d = part / length;
    if (y[0] > 0) rows -= ratio * d * dy.row(0);
    const Square across = radius / length * (Square::Identity() - d * d.transpose());
    rows -= across * dy.template middleRows<Part>(first);
  }

  const Matrix& W_;
  const Vector& b_;
  double mu_, mu_r_;
  Vector rho_;
};

}  // namespace

template <class C>
bool solve_newton(const typename C::Matrix& W, const typename C::Vector& b, double mu, double mu_r,
                  typename C::Vector& r) {
  constexpr int kMaxSteps = 40, kMaxHalvings = 8;
  using Vector = typename C::Vector;
  const LocalUnits<C> units(W);
  Vector scale = Vector::Ones();
  scale.template tail<C::kRollings>().setConstant(units.length);
  const typename C::Matrix W1 = scale.asDiagonal() * W * scale.asDiagonal() / units.w;
  const Vector b1 = units.velocity(b);
  const AlartCurnier<C> function(W1, b1, mu, mu_r / units.length);
  Vector x = units.impulse(r);
  Vector value = function.value(x);
  for (int i = 0; i < kMaxSteps; ++i) {
    if (value.norm() <= 1e-14 * (function.size() + x.norm())) break;
    const Vector step = solve_small<C::kSize>(function.jacobian(x), value);
    if (!step.allFinite()) break;
    double length = 1;
    Vector trial = x - step, trial_value = function.value(trial);
    for (int k = 0; k < kMaxHalvings && !(trial_value.norm() < value.norm()); ++k) {
      length *= 0.5;
      trial = x - length * step;
      trial_value = function.value(trial);
    }
    if (trial_value.norm() >= value.norm() && i > 0 && value.norm() <= 1e-12 * (function.size() + x.norm()))
      break;
    x = trial;
    value = trial_value;
  }
  Vector answer = scale.cwiseProduct(x) / units.w;
  answer = project<C>(answer, mu, mu_r);
  if (!(compute_local_error<C>(W, b, mu, mu_r, answer) <= kLocalTolerance)) return false;
  r = answer;
  return true;
}

template <class C>
void update_projection(const typename C::Matrix& W, const typename C::Vector& b, double mu, double mu_r,
                       typename C::Vector& r) {
  const LocalUnits<C> units(W);
  const double ratio = mu_r / units.length;
  const typename C::Vector u = units.velocity(W * r + b);
  const double trace = units.velocity(units.velocity(W.diagonal())).sum();
  const double rho = trace > 0 ? units.w / trace : 1;
  typename C::Vector x = units.impulse(r) - rho * de_saxce<C>(u, mu, ratio);
  x = project<C>(x, mu, ratio) / units.w;
  x.template tail<C::kRollings>() *= units.length;
  r = x;
}

template bool solve_newton<Coulomb2>(const Coulomb2::Matrix&, const Coulomb2::Vector&, double, double,
                                     Coulomb2::Vector&);
template bool solve_newton<Coulomb3>(const Coulomb3::Matrix&, const Coulomb3::Vector&, double, double,
                                     Coulomb3::Vector&);
template bool solve_newton<Rolling2>(const Rolling2::Matrix&, const Rolling2::Vector&, double, double,
                                     Rolling2::Vector&);
template bool solve_newton<Rolling3>(const Rolling3::Matrix&, const Rolling3::Vector&, double, double,
                                     Rolling3::Vector&);
template void update_projection<Coulomb2>(const Coulomb2::Matrix&, const Coulomb2::Vector&, double, double,
                                          Coulomb2::Vector&);
template void update_projection<Coulomb3>(const Coulomb3::Matrix&, const Coulomb3::Vector&, double, double,
                                          Coulomb3::Vector&);
template void update_projection<Rolling2>(const Rolling2::Matrix&, const Rolling2::Vector&, double, double,
                                          Rolling2::Vector&);
template void update_projection<Rolling3>(const Rolling3::Matrix&, const Rolling3::Vector&, double, double,
                                          Rolling3::Vector&);

}  // namespace saltus
