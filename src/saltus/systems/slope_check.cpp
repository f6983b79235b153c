#include "saltus/systems/slope_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/math/dense_factor.hpp"

namespace saltus {

namespace {

double step_of(double x) { return 1e-6 * std::max(1.0, std::abs(x)); }

// f(x + d) - f(x - d) over 2 d, with x restored.
template <class F>
auto centred(double& x, F&& f) {
  const double at = x, d = step_of(x);
  x = at + d;
  auto high = f();
  x = at - d;
  auto low = f();
  x = at;
  return decltype(high)((high - low) / (2 * d));
}

class Findings {
 public:
  void compare(const std::string& what, const std::string& by, double slope, double difference,
               double value) {
    constexpr double kTolerance = 1e-5;
    const double size = std::abs(slope) + std::abs(difference) + std::abs(value);
    if (std::isfinite(slope) && std::abs(slope - difference) <= kTolerance * size) return;
    list.push_back(fmt::format("the derivative of {} in {} is {:.8g}, differences give {:.8g}", what, by,
                               slope, difference));
  }
  std::vector<std::string> list;
};

std::string entry_name(const std::string& what, const std::string& formula) {
  return formula.empty() ? what : what + " = \"" + formula + '"';
}

void check_mass(const LagrangianModel& model, Eigen::VectorXd q, Findings& found) {
  const int n = model.size();
  Eigen::MatrixXd mass(n, n);
  const auto at = [&] {
    model.fill_mass(q, mass);
    return mass;
  };
  const Eigen::MatrixXd here = at();
  if (!here.allFinite()) {
    found.list.emplace_back("the mass is not finite");
    return;
  }
  if ((here - here.transpose()).cwiseAbs().maxCoeff() > 1e-12 * here.cwiseAbs().maxCoeff())
    found.list.emplace_back("the mass is not symmetric");
  if (!DenseCholesky(here).is_definite())
    found.list.emplace_back("the mass is not positive definite");
  std::vector<Eigen::MatrixXd> slopes(n, Eigen::MatrixXd::Zero(n, n));
  if (!model.has_constant_mass()) model.fill_mass_slopes(q, slopes);
  for (int k = 0; k < n; ++k) {
    const Eigen::MatrixXd difference = centred(q[k], at);
    for (int i = 0; i < n; ++i)
      for (int j = i; j < n; ++j)
        found.compare(entry_name(fmt::format("mass[{}][{}]", i, j), model.mass_text(i, j)),
                      model.coordinate_name(k), slopes[k](i, j), difference(i, j), here(i, j));
  }
}

}  // namespace

std::vector<std::string> find_wrong_slopes(const LagrangianModel& model, double t,
                                           const Eigen::VectorXd& at_q, const Eigen::VectorXd& at_v) {
  const int n = model.size();
  Findings found;
  check_mass(model, at_q, found);
  Eigen::VectorXd q = at_q, v = at_v, force(n);
  const auto at = [&] {
    model.fill_force(t, q, v, force);
    return force;
  };
  const Eigen::VectorXd here = at();
  Eigen::MatrixXd by_q(n, n), by_v(n, n);
  model.fill_force_slopes(t, q, v, by_q, by_v);
  for (int k = 0; k < n; ++k) {
    const Eigen::VectorXd in_q = centred(q[k], at), in_v = centred(v[k], at);
    for (int i = 0; i < n; ++i) {
      const std::string what = entry_name(fmt::format("force[{}]", i), model.force_text(i));
      found.compare(what, model.coordinate_name(k), by_q(i, k), in_q[i], here[i]);
      found.compare(what, "the velocity of " + model.coordinate_name(k), by_v(i, k), in_v[i], here[i]);
    }
  }
  return found.list;
}

std::vector<std::string> find_wrong_slopes(const CoordinateFunction& f, const std::string& what,
                                           const LagrangianModel& model, double at_t,
                                           const Eigen::VectorXd& at_q) {
  Findings found;
  Eigen::VectorXd q = at_q, gradient(static_cast<Eigen::Index>(f.dofs().size()));
  double t = at_t, rate = 0;
  const double here = f.evaluate(q, t, gradient, rate);
  const std::string name = entry_name(what, f.text());
  const auto at = [&] { return f.value(q, t); };
  std::size_t next = 0;
  for (int k = 0; k < q.size(); ++k) {
    const bool used = next < f.dofs().size() && f.dofs()[next] == k;
    const double slope = used ? gradient[static_cast<Eigen::Index>(next++)] : 0.0;
    found.compare(name, model.coordinate_name(k), slope, centred(q[k], at), here);
  }
  found.compare(name, "t", rate, centred(t, at), here);
  return found.list;
}

}  // namespace saltus
