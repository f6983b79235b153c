#include "saltus/sim/system_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "saltus/systems/slope_check.hpp"

namespace saltus {

namespace {

constexpr int kStates = 4;
constexpr std::size_t kMostFindings = 5;

// The start, then states about it: the same in every check.
Eigen::VectorXd moved(const std::vector<double>& start, int state, int seed) {
  Eigen::VectorXd x(static_cast<Eigen::Index>(start.size()));
  for (Eigen::Index i = 0; i < x.size(); ++i)
    x[i] = start[i] + (state == 0 ? 0.0
                                  : 0.1 * (1 + std::abs(start[i])) *
                                        std::sin(1.0 + 2.3 * state + 3.7 * static_cast<double>(i) + seed));
  return x;
}

bool is_finite(const LagrangianModel& model, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Eigen::MatrixXd mass(model.size(), model.size());
  Eigen::VectorXd force(model.size());
  model.fill_mass(q, mass);
  model.fill_force(t, q, v, force);
  return mass.allFinite() && force.allFinite();
}

// All functions of a system with what they are.
template <int Dim>
std::vector<std::pair<std::string, std::shared_ptr<const CoordinateFunction>>> functions_of(
    const SceneLagrangianSystem<Dim>& system) {
  std::vector<std::pair<std::string, std::shared_ptr<const CoordinateFunction>>> result;
  const auto add = [&](const std::string& what, const std::string& name, const SceneFormula& formula) {
    if (formula.text.empty() && !formula.function) return;
    result.emplace_back(name.empty() ? what : fmt::format("{} \"{}\"", what, name),
                        build_function(formula, system.names));
  };
  for (const SceneSystemGap& gap : system.gaps) {
    add("gap", gap.name, gap.gap);
    for (const SceneFormula& tangent : gap.tangents) add("a tangent of gap", gap.name, tangent);
  }
  for (const SceneConstraint& constraint : system.constraints)
    add("constraint", constraint.name, constraint.formula);
  for (const SceneSystemPoint<Dim>& point : system.points) {
    for (const SceneFormula& formula : point.position) add("a coordinate of point", point.name, formula);
    for (const SceneFormula& formula : point.turn) add("the turn of point", point.name, formula);
  }
  return result;
}

}  // namespace

template <int Dim>
std::vector<std::string> check_systems(const Scene<Dim>& scene) {
  std::vector<std::string> result;
  for (const SceneLagrangianSystem<Dim>& system : scene.lagrangian) {
    const auto model = build_lagrangian<Dim>(system);
    const auto functions = functions_of<Dim>(system);
    std::set<std::string> told;  // the same derivative at another state is not told again
    std::vector<std::string> own;
    for (int state = 0; state < kStates; ++state) {
      const Eigen::VectorXd q = moved(system.q, state, 0), v = moved(system.v, state, 1);
      const double t = scene.start_time + 0.01 * state;
      if (!is_finite(*model, t, q, v)) continue;  // outside what the formulas are for
      std::vector<std::string> found = find_wrong_slopes(*model, t, q, v);
      for (const auto& [what, f] : functions) {
        if (!std::isfinite(f->value(q, t))) continue;
        const std::vector<std::string> more = find_wrong_slopes(*f, what, *model, t, q);
        found.insert(found.end(), more.begin(), more.end());
      }
      for (const std::string& sentence : found)
        if (told.insert(sentence.substr(0, sentence.find(" is "))).second)
          own.push_back(fmt::format("system{}: {}, at t = {:g} s, q = ({:.4g})",
                                    system.name.empty() ? "" : " \"" + system.name + '"', sentence, t,
                                    fmt::join(q.data(), q.data() + q.size(), ", ")));
    }
    if (own.size() > kMostFindings) own.resize(kMostFindings);
    result.insert(result.end(), own.begin(), own.end());
  }
  return result;
}

template std::vector<std::string> check_systems<2>(const Scene<2>&);
template std::vector<std::string> check_systems<3>(const Scene<3>&);

}  // namespace saltus
