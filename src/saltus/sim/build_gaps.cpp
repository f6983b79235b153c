// Linear and Lagrangian systems of a scene made into those of a simulation: their gaps and constraints are checked here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/schemes/schatzman_paoli.hpp"
#include "saltus/sim/followers.hpp"
#include "saltus/sim/system_gaps.hpp"
#include "saltus/systems/lagrangian_system.hpp"
#include "saltus/systems/linear_system.hpp"
#include "saltus/systems/trapezoidal_system.hpp"

namespace saltus {

namespace {

void gather_dofs(SystemGap& gap) {
  for (const auto& row : gap.rows) gap.dofs.insert(gap.dofs.end(), row->dofs().begin(), row->dofs().end());
  std::sort(gap.dofs.begin(), gap.dofs.end());
  gap.dofs.erase(std::unique(gap.dofs.begin(), gap.dofs.end()), gap.dofs.end());
}

// What a gap or a constraint is off at the start over what scenes are written with, six digits of coordinates of order one.
bool is_off(double value, const Eigen::VectorXd& gradient, const Eigen::VectorXd& q) {
  constexpr double kWritten = 1e-6;
  return std::abs(value) > kWritten * gradient.norm() * std::max(1.0, q.lpNorm<Eigen::Infinity>());
}

template <int Dim>
void add_gap(SystemGap gap, const Eigen::VectorXd& q, double t, CoupledModel<Dim>& model,
             CoupledState<Dim>& state) {
  gather_dofs(gap);
  const CoordinateFunction& f = *gap.rows[0];
  Eigen::VectorXd gradient(static_cast<Eigen::Index>(f.dofs().size()));
  double rate = 0;
  const double value = f.evaluate(q, t, gradient, rate);
  if (!gap.is_constraint && value < 0 && is_off(value, gradient, q)) gap.overlap = -value;
  model.gaps.push_back(std::move(gap));
  state.gaps.emplace_back();
}

// Rows at the start: finite, and of some coordinate.
void check_rows(const SystemGap& gap, const std::vector<const SceneFormula*>& formulas,
                const Eigen::VectorXd& q, double t) {
  for (int r = 0; r < gap.size(); ++r) {
    const CoordinateFunction& f = *gap.rows[r];
    const std::string &where = formulas[r]->where.empty() ? gap.where : formulas[r]->where, text = f.text();
    if (f.dofs().empty())
      throw InputError(where, "a gap, constraint or tangent without a coordinate", '"' + text + '"',
                       "a formula that names a coordinate of the system");
    Eigen::VectorXd gradient(static_cast<Eigen::Index>(f.dofs().size()));
    double rate = 0;
    const double value = f.evaluate(q, t, gradient, rate);
    if (!std::isfinite(value) || !gradient.allFinite() || !std::isfinite(rate))
      throw InputError(where, fmt::format("\"{}\" at the start", text), fmt::format("{}", value),
                       "a finite value with finite derivatives");
  }
}

// A constraint must hold at the start, and be one that some motion could break.
void check_held(const SceneConstraint& from, const SystemGap& gap, const Eigen::VectorXd& q, double t) {
  const CoordinateFunction& f = *gap.rows[0];
  const std::string& where = from.formula.where.empty() ? from.where : from.formula.where;
  Eigen::VectorXd gradient(static_cast<Eigen::Index>(f.dofs().size()));
  double rate = 0;
  const double value = f.evaluate(q, t, gradient, rate);
  if (gradient.isZero(0))
    throw InputError(where, fmt::format("derivatives of constraint \"{}\" at the start", f.text()), "all 0",
                     "a formula that changes with a coordinate: no force could hold this one");
  if (!from.may_be_off && is_off(value, gradient, q))
    throw InputError(where, fmt::format("constraint \"{}\" does not hold at the start: it is", f.text()),
                     fmt::format("{:.6g}", value),
                     "0: other q, or may_be_off = true, which takes back what it is off");
}

void check_gap_law(const PairLaw& law, double theta, const std::string& where) {
  check_law(law, theta, where);
  if (law.cohesion > 0 || law.viscosity > 0 || law.rolling > 0 || law.function || is_layer(law.kind))
    throw InputError(
        where,
        "a gap of a system has neither cohesion, viscosity, rolling friction, a friction function "
        "nor an elastic layer");
}

template <int Dim>
SystemGap make_gap(const SceneSystemGap& from, const SystemNames& names, int system, double theta) {
  SystemGap gap;
  gap.system = system;
  gap.name = from.name, gap.where = from.where;
  gap.rows.push_back(build_function(from.gap, names));
  for (const SceneFormula& tangent : from.tangents) gap.rows.push_back(build_function(tangent, names));
  gap.law = from.law;
  gap.active_below = from.active_below;
  gap.release_above = from.release_above;
  check_gap_law(gap.law, theta, from.where);
  const bool rubs = gap.law.friction > 0;
  if (rubs ? gap.size() != Dim : gap.size() != 1 && gap.size() != Dim)
    throw InputError(from.where, "number of tangents of a gap", fmt::format("{}", gap.size() - 1),
                     fmt::format("{}{} with friction in {}D", rubs ? "" : "none, or ", Dim - 1, Dim));
  return gap;
}

// Formulas below the diagonal are those above, at the start at least; only the upper ones are used.
template <int Dim>
void check_symmetry(const SceneLagrangianSystem<Dim>& from, const Eigen::VectorXd& q) {
  for (std::size_t i = 0; i < from.mass.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (from.mass[i][j].text == from.mass[j][i].text) continue;
      const double lower = build_function(from.mass[i][j], from.names)->value(q, 0);
      const double upper = build_function(from.mass[j][i], from.names)->value(q, 0);
      if (!(std::abs(lower - upper) <= 1e-12 * (std::abs(lower) + std::abs(upper))))
        throw InputError(from.mass[i][j].where,
                         fmt::format("mass[{}][{}], beside mass[{}][{}] = {}", i, j, j, i, upper),
                         fmt::format("{}", lower), "the same: a mass is symmetric");
    }
}

// Under laws on positions: M (q_(k+1) - 2 q_k + q_(k-1)) is an impulse over h only where M is constant.
template <int Dim>
void check_positions_law(const SceneLagrangianSystem<Dim>& from) {
  if (!build_lagrangian<Dim>(from)->has_constant_mass())
    throw InputError(from.where, "a mass that depends on coordinates, under the scheme", "schatzman-paoli",
                     "a constant one (coordinates in which it is), or moreau-jean");
  if (from.trapezoidal)
    throw InputError(from.where, "integration = \"trapezoidal\" under the scheme", "schatzman-paoli", "none");
  for (const SceneSystemGap& gap : from.gaps) check_schatzman_paoli(gap.law, gap.where);
}

SystemGap make_constraint(const SceneConstraint& from, const SystemNames& names, int system) {
  SystemGap gap;
  gap.system = system;
  gap.name = from.name, gap.where = from.where;
  gap.is_constraint = true;
  gap.stabilisation_time = from.stabilisation_time;
  gap.rows.push_back(build_function(from.formula, names));
  return gap;
}

}  // namespace

template <int Dim>
void add_linear_system(const SceneLinearSystem& from, SimulationModel<Dim>& model, CoupledState<Dim>& state) {
  LinearModel own = build_model(from);
  const int system = static_cast<int>(state.systems.size());
  for (const SceneGap& gap : from.gaps) {
    if (model.scene.scheme.kind == SchemeKind::schatzman_paoli) check_schatzman_paoli(gap.law, gap.where);
    if (gap.law.friction > 0 || gap.law.cohesion > 0 || gap.law.viscosity > 0)
      throw InputError(gap.where, "a gap of a system has neither friction, cohesion nor viscosity");
    for (const auto& [dof, coefficient] : gap.row)
      if (dof < 0 || dof >= own.q.size())
        throw InputError(gap.where, "degree of freedom of a gap", fmt::format("{}", dof),
                         fmt::format("0 to {}", own.q.size() - 1));
    SystemGap made;
    made.system = system;
    made.where = gap.where;
    made.rows.push_back(std::make_shared<LinearFunction>(gap.row, gap.offset));
    made.law = gap.law;
    made.active_below = gap.active_below;
    add_gap<Dim>(std::move(made), own.q, model.scene.start_time, model.parts, state);
  }
  state.systems.push_back(std::make_unique<LinearSystem>(std::move(own)));
}

template <int Dim>
void add_lagrangian_system(const SceneLagrangianSystem<Dim>& from, SimulationModel<Dim>& model,
                           CoupledState<Dim>& state) {
  const SchemeOptions& scheme = model.scene.scheme;
  const int system = static_cast<int>(state.systems.size());
  const auto vector = [](const std::vector<double>& x) {
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
  };
  std::unique_ptr<System> made;
  if (from.trapezoidal) {
    if (is_alpha(model.scene.scheme.kind))
      throw InputError(from.where,
                       fmt::format("integration of a system under scheme {}", name(model.scene.scheme.kind)),
                       "trapezoidal", "none: this scheme brings its own rule, and derives what M(q) brings");
    if (from.damping.size > 0 || from.stiffness.size > 0)
      throw InputError(from.where, "damping or stiffness of a system with integration", "trapezoidal",
                       "forces that hold them: \"-k*x - c*dx\"");
    made = std::make_unique<TrapezoidalSystem>(build_lagrangian<Dim>(from), vector(from.q), vector(from.v),
                                               from.newton_tolerance, from.where);
  } else {
    made = std::make_unique<LagrangianSystem>(
        build_lagrangian<Dim>(from),
        LagrangianSystem::Start{vector(from.q), vector(from.v), build_dense(from.damping),
                                build_dense(from.stiffness), model.scene.start_time, from.name, from.where});
  }
  check_symmetry(from, made->coordinates());
  if (scheme.kind == SchemeKind::schatzman_paoli) check_positions_law(from);
  const auto add = [&](SystemGap gap, const std::vector<const SceneFormula*>& formulas) {
    check_rows(gap, formulas, made->coordinates(), model.scene.start_time);
    add_gap<Dim>(std::move(gap), made->coordinates(), model.scene.start_time, model.parts, state);
  };
  for (const SceneSystemGap& gap : from.gaps) {
    std::vector<const SceneFormula*> formulas = {&gap.gap};
    for (const SceneFormula& tangent : gap.tangents) formulas.push_back(&tangent);
    add(make_gap<Dim>(gap, from.names, system, scheme.theta), formulas);
  }
  for (const SceneConstraint& constraint : from.constraints) {
    add(make_constraint(constraint, from.names, system), {&constraint.formula});
    check_held(constraint, model.parts.gaps.back(), made->coordinates(), model.scene.start_time);
  }
  add_points<Dim>(from, *made, system, model.scene, model.parts.followers);
  state.systems.push_back(std::move(made));
}

template void add_linear_system<2>(const SceneLinearSystem&, SimulationModel<2>&, CoupledState<2>&);
template void add_linear_system<3>(const SceneLinearSystem&, SimulationModel<3>&, CoupledState<3>&);
template void add_lagrangian_system<2>(const SceneLagrangianSystem<2>&, SimulationModel<2>&,
                                       CoupledState<2>&);
template void add_lagrangian_system<3>(const SceneLagrangianSystem<3>&, SimulationModel<3>&,
                                       CoupledState<3>&);

}  // namespace saltus
