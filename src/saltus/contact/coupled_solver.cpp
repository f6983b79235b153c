#include "saltus/contact/coupled_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/contact/canonical.hpp"
#include "saltus/math/block_matrix.hpp"
#include "saltus/solvers/direct/newton.hpp"
#include "saltus/solvers/residual.hpp"
#include "saltus/solvers/sticking.hpp"

namespace saltus {

namespace {

template <int Dim>
Eigen::VectorXd velocity_of(const SweepBody<Dim>& body) {
  Eigen::VectorXd v(kDofs<Dim>);
  for (int i = 0; i < Dim; ++i) v[i] = body.v[i];
  for (int i = 0; i < kSpins<Dim>; ++i) v[Dim + i] = body.w[i];
  return v;
}

template <int Dim>
void set_velocity(const Eigen::VectorXd& v, SweepBody<Dim>& body) {
  for (int i = 0; i < Dim; ++i) body.v[i] = v[i];
  for (int i = 0; i < kSpins<Dim>; ++i) body.w[i] = v[Dim + i];
}

// Newton from where sweeps were, with a regularisation whose error the tolerance allows: quadratic when they know what sticks and
// slides. Contacts that hold one point twice (two links at a joint, on a floor) part by 1e-9 m/s of velocity: a larger one
// hides which of them opens (chains of 10 to 1000 links folded on a floor, a chain over a drum: bench/mechanisms).
SolveReport polish(const ContactProblem& canonical, SolveOptions options, Eigen::VectorXd& r,
                   Eigen::VectorXd& u) {
  constexpr int kFactorisations = 100;
  constexpr double kAllowed = 0.1, kLeastAlpha = 1e-12, kMostAlpha = 1e-6;
  options.max_iterations = kFactorisations;
  PreparedProblem prepared(canonical);
  const double alpha =
      std::clamp(kAllowed * options.tolerance / std::max(r.norm(), 1e-300), kLeastAlpha, kMostAlpha);
  NewtonState state{{}, alpha, kWarmPace};
  return solve_newton(canonical, prepared, options, state, r, u);
}

}  // namespace

template <int Dim>
int CoupledSolver<Dim>::part_of_slot(int slot, const VelocityProblem<Dim>& problem) {
  if (slot_part_[slot] >= 0) return slot_part_[slot];
  slot_part_[slot] = static_cast<int>(coupled_.parts.size());
  coupled_.parts.push_back(
      {inverse_mass_matrix<Dim>(problem.bodies[slot]), velocity_of(problem.bodies[slot])});
  part_slot_.push_back(slot);
  part_system_.push_back(-1);
  return slot_part_[slot];
}

template <int Dim>
int CoupledSolver<Dim>::part_of_system(int system, const Coupling<Dim>& coupling) {
  if (system_part_[system] >= 0) return system_part_[system];
  system_part_[system] = static_cast<int>(coupled_.parts.size());
  coupled_.parts.push_back({coupling.systems[system].inverse, coupling.systems[system].velocity});
  part_slot_.push_back(-1);
  part_system_.push_back(system);
  return system_part_[system];
}

// A follower's impulse goes to its system. `arm`: of the point where the block acts.
template <int Dim>
CoupledEnd CoupledSolver<Dim>::end_at_slot(int slot, const Eigen::MatrixXd& jacobian, const Vec<Dim>& arm,
                                           const VelocityProblem<Dim>& problem,
                                           const Coupling<Dim>& coupling) {
  const int follower = coupling.follower_of.empty() ? -1 : coupling.follower_of[slot];
  if (follower < 0) return {part_of_slot(slot, problem), {}, jacobian};
  const Follower<Dim>& point = coupling.followers[follower];
  Eigen::MatrixXd own(point.placement.cols(), jacobian.cols());
  for (Eigen::Index k = 0; k < own.cols(); ++k)
    for (Eigen::Index i = 0; i < own.rows(); ++i)
      own(i, k) = point.share_of(static_cast<int>(i), jacobian.col(k), arm);
  return {part_of_system(point.system, coupling), point.dofs, std::move(own)};
}

template <int Dim>
void CoupledSolver<Dim>::add_contact(int contact, const VelocityProblem<Dim>& problem,
                                     const Coupling<Dim>& coupling) {
  const SweepContact<Dim>& row = problem.contacts[contact];
  const int rows = row.mu_r > 0 ? 2 * Dim - 1 : Dim;
  CoupledBlock block;
  block.set = {SetKind::coulomb, rows, 0};
  block.mu = row.mu;
  block.mu_r = row.mu_r;
  block.ends.push_back(
      end_at_slot(row.a, contact_jacobian<Dim>(row, false, rows), row.arm_a, problem, coupling));
  block.ends.push_back(
      end_at_slot(row.b, contact_jacobian<Dim>(row, true, rows), row.arm_b, problem, coupling));
  block.shift = block.compliance = block.r = Eigen::VectorXd::Zero(rows);
  block.shift.head<Dim>() = row.shift;
  block.r.head<Dim>() = row.r;
  if (rows > Dim) {
    block.shift.tail<Dim - 1>() = row.shift_spin;
    block.r.tail<Dim - 1>() = row.moment;
  }
  block.compliance[0] = row.compliance_normal;
  block.compliance.segment<Dim - 1>(1).setConstant(row.compliance_tangent);
  block.viscous = row.viscous;
  if (row.viscous > 0) {
    const Vec<Dim> shift = row.viscous_shift();
    block.viscous_shift = Eigen::VectorXd::Zero(Dim);
    for (int k = 0; k < Dim; ++k) block.viscous_shift[k] = shift[k];
  }
  std::vector<char> turns(rows, 0);
  std::fill(turns.begin() + Dim, turns.end(), 1);
  turns_.push_back(turns);
  contacts_.push_back(contact);
  coupled_.blocks.push_back(std::move(block));
}

template <int Dim>
void CoupledSolver<Dim>::add_block(const TiedBlock& tied, const VelocityProblem<Dim>& problem,
                                   const Coupling<Dim>& coupling) {
  CoupledBlock block;
  block.set = tied.set;
  block.mu = tied.mu;
  for (const TiedEnd& end : tied.ends) {
    if (end.slot >= 0)
      block.ends.push_back(end_at_slot(end.slot, end.jacobian, Vec<Dim>::Zero(), problem, coupling));
    if (end.system >= 0) block.ends.push_back({part_of_system(end.system, coupling), end.dofs, end.jacobian});
  }
  block.shift = tied.shift;
  block.compliance = tied.compliance;
  block.r = tied.r;
  turns_.push_back(tied.turns);
  coupled_.blocks.push_back(std::move(block));
}

// Mean mass of the rigid bodies that move, and mean of their radii of gyration; without any, the mass that the
// first rows feel, and a metre.
template <int Dim>
void CoupledSolver<Dim>::set_units() {
  double mass = 0, length = 0;
  int moving = 0, turning = 0;
  for (std::size_t i = 0; i < coupled_.parts.size(); ++i) {
    if (part_slot_[i] < 0) continue;
    const auto diagonal = coupled_.parts[i].inverse.diagonal();
    const double inverse = diagonal.template head<Dim>().maxCoeff();
    const double trace = diagonal.template tail<kSpins<Dim>>().sum();
    if (!(inverse > 0)) continue;
    mass += 1 / inverse;
    ++moving;
    if (!(trace > 0)) continue;
    length += std::sqrt(kSpins<Dim> * inverse / trace);
    ++turning;
  }
  if (moving == 0)
    for (const CoupledBlock& block : coupled_.blocks) {
      double mobility = 0;
      for (const CoupledEnd& end : block.ends)
        for (Eigen::Index i = 0; i < end.jacobian.rows(); ++i) {
          const Eigen::Index dof = end.dofs.empty() ? i : end.dofs[i];
          mobility += end.jacobian(i, 0) * end.jacobian(i, 0) * coupled_.parts[end.part].inverse(dof, dof);
        }
      if (mobility > 0) mass += 1 / mobility, ++moving;
    }
  coupled_.mass = moving > 0 ? mass / moving : 1;
  const double unit = turning > 0 ? length / turning : 1;
  for (std::size_t b = 0; b < coupled_.blocks.size(); ++b) {
    CoupledBlock& block = coupled_.blocks[b];
    block.unit = Eigen::VectorXd::Ones(block.rows());
    for (int i = 0; i < block.rows(); ++i)
      if (turns_[b][i]) block.unit[i] = unit;
  }
}

template <int Dim>
void CoupledSolver<Dim>::clear(const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling) {
  coupled_.parts.clear();
  coupled_.blocks.clear();
  contacts_.clear();
  tied_.clear();
  turns_.clear();
  part_slot_.clear();
  part_system_.clear();
  slot_part_.assign(problem.bodies.size(), -1);
  system_part_.assign(coupling.systems.size(), -1);
}

template <int Dim>
const CoupledProblem& CoupledSolver<Dim>::build_all(const VelocityProblem<Dim>& problem,
                                                    const Coupling<Dim>& coupling) {
  clear(problem, coupling);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    add_contact(static_cast<int>(i), problem, coupling);
  for (const TiedBlock& block : coupling.blocks) add_block(block, problem, coupling);
  set_units();
  return coupled_;
}

template <int Dim>
const CoupledProblem& CoupledSolver<Dim>::build(int group, const ContactGroups<Dim>& groups,
                                                const VelocityProblem<Dim>& problem,
                                                const Coupling<Dim>& coupling) {
  clear(problem, coupling);
  const auto is_held = [](std::span<const int> held, int index) {
    return std::find(held.begin(), held.end(), index) != held.end();
  };
  for (const int contact : groups.contacts(group))
    if (!is_held(mixed_.held_contacts(), contact)) add_contact(contact, problem, coupling);
  for (const auto& taken : mixed_.taken_off()) {
    const auto at = std::find(contacts_.begin(), contacts_.end(), taken.contact) - contacts_.begin();
    coupled_.blocks[at].shift.template head<Dim>() += taken.shift;
  }
  for (const int tied : groups.blocks(group)) {
    if (is_held(mixed_.held_tied(), tied)) continue;
    tied_.push_back(tied);
    add_block(coupling.blocks[tied], problem, coupling);
  }
  set_units();
  return coupled_;
}

template <int Dim>
void CoupledSolver<Dim>::write_back(VelocityProblem<Dim>& problem, Coupling<Dim>& coupling) {
  for (std::size_t i = 0; i < coupled_.parts.size(); ++i) {
    if (part_slot_[i] >= 0) set_velocity<Dim>(coupled_.parts[i].velocity, problem.bodies[part_slot_[i]]);
    if (part_system_[i] >= 0) coupling.systems[part_system_[i]].velocity = coupled_.parts[i].velocity;
  }
  for (const CoupledBlock& block : coupled_.blocks)
    for (const CoupledEnd& end : block.ends) {
      if (part_system_[end.part] < 0) continue;
      Eigen::VectorXd& total = coupling.systems[part_system_[end.part]].impulse;
      const Eigen::VectorXd impulse = end.jacobian * block.p;
      for (Eigen::Index k = 0; k < impulse.size(); ++k)
        total[end.dofs.empty() ? k : end.dofs[k]] += impulse[k];
    }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    SweepContact<Dim>& row = problem.contacts[contacts_[i]];
    const CoupledBlock& block = coupled_.blocks[i];
    row.r = block.r.head<Dim>();
    row.p = block.p.head<Dim>();
    row.moment.setZero();
    if (block.rows() > Dim) row.moment = block.r.tail<Dim - 1>();
    row.residual = static_cast<float>(block.residual);
  }
  for (std::size_t i = 0; i < tied_.size(); ++i) {
    const CoupledBlock& block = coupled_.blocks[contacts_.size() + i];
    coupling.blocks[tied_[i]].set.radius = block.set.radius;
    coupling.blocks[tied_[i]].r = block.r;
    coupling.blocks[tied_[i]].u = block.u;
  }
}

template <int Dim>
void CoupledSolver<Dim>::find_limits(const Coupling<Dim>& coupling) {
  limits_.clear();
  for (std::size_t i = 0; i < tied_.size(); ++i) {
    const TiedBlock& tied = coupling.blocks[tied_[i]];
    if (tied.limit_of < 0) continue;
    const auto of = std::find(tied_.begin(), tied_.end(), tied.limit_of) - tied_.begin();
    limits_.add(static_cast<int>(contacts_.size() + i),
                static_cast<int>(contacts_.size()) + static_cast<int>(of), tied.limit_factor,
                tied.limit_offset, coupling.blocks[tied.limit_of].r.norm());
  }
}

// Solves again until radii that follow a load agree with it: the residual is that of the radii asked for.
template <int Dim>
SolveReport CoupledSolver<Dim>::solve_with_limits(SolverKind solver, bool polishes, const SolveOptions& asked,
                                                  ContactProblem& canonical, Eigen::VectorXd& r,
                                                  Eigen::VectorXd& u) {
  const int width = canonical.W.block;
  const auto set_radius = [&](int block, double radius) {
    coupled_.blocks[block].set.radius = radius;
    canonical.sets[block].radius = radius / (coupled_.mass * coupled_.blocks[block].unit[0]);
  };
  SolveOptions inner = asked;
  if (!limits_.empty()) inner.tolerance *= 0.5;
  for (int solves = 1;; ++solves) {
    for (const LoadLimits::Limit& limit : limits_.all()) set_radius(limit.block, limit.radius);
    SolveReport report = polishes && solves == 1 ? polish(canonical, inner, r, u)
                                                 : saltus::solve(solver, canonical, inner, r, u);
    // Sweeps have been tried, on a better problem than this one: first what factorises, mechanisms have little fill.
    for (const SolverKind next : {SolverKind::ipm, solver})
      if (report.status != SolveStatus::converged && polishes && solves == 1)
        report = saltus::solve(next, canonical, inner, r, u);
    if (limits_.empty()) return report;
    for (LoadLimits::Limit& limit : limits_.all()) {
      const CoupledBlock& of = coupled_.blocks[limit.of];
      const Eigen::VectorXd load =
          coupled_.mass * r.segment(limit.of * width, of.rows()).cwiseProduct(of.unit);
      set_radius(limit.block, LoadLimits::update(load.norm(), limit));
    }
    const bool solved = report.status == SolveStatus::converged;
    report.residuals = compute_residuals(canonical, r, u);
    if (report.residuals.of(asked.residual) <= asked.tolerance) {
      report.status = SolveStatus::converged;
      return report;
    }
    if (solved && solves < LoadLimits::kMostSolves) continue;
    if (solved) report.reason = kUnsettledLimit;
    report.status = SolveStatus::stalled;
    return report;
  }
}

template <int Dim>
PartSolution CoupledSolver<Dim>::solve_canonically(const GroupSolverOptions& options, bool polishes) {
  ContactProblem canonical = build_canonical(coupled_);
  const double count = static_cast<double>(coupled_.blocks.size());
  PartSolution solution;
  solution.tolerance = options.tolerance;
  solution.mass = coupled_.mass;
  if (options.of_free_velocity)
    solution.tolerance = std::max(options.tolerance * canonical.b.norm() / std::sqrt(count), 1e-300);
  SolveOptions asked;
  asked.residual = ResidualKind::natural;
  const double tolerance = asked.tolerance = solution.tolerance * std::sqrt(count);
  // The interior point method nears all equations alike and ends short of each, at the same side in every step: what it left
  // of joints would brake a mechanism by a tolerance per step. The next iteration brings digits, not the last.
  constexpr double kOfJoints = 1e-3;
  const bool is_joined =
      std::any_of(coupled_.blocks.begin(), coupled_.blocks.end(),
                  [](const CoupledBlock& block) { return block.set.kind == SetKind::space; });
  if (options.solver == SolverKind::ipm && is_joined) {
    const double round_off = 1e3 * std::numeric_limits<double>::epsilon() * canonical.b.norm();
    asked.tolerance = std::min(tolerance, std::max(kOfJoints * tolerance, round_off));
  }
  asked.max_iterations = options.max_iterations;
  asked.threads = options.threads;
  asked.local = options.local;
  asked.time_limit = options.time_limit;
  Eigen::VectorXd r = read_impulses(coupled_, canonical), u;
  const SolveReport report = solve_with_limits(options.solver, polishes, asked, canonical, r, u);
  write_impulses(r, canonical, coupled_);
  solution.converged =
      report.status == SolveStatus::converged || report.residuals.of(ResidualKind::natural) <= tolerance;
  if (!solution.converged) solution.reason = name(options.solver) + (": " + report.reason);
  solution.residual.rms = report.residuals.of(ResidualKind::natural) / std::sqrt(count);
  const Eigen::VectorXd each = compute_block_residuals(canonical, r, u);
  for (int i = 0; i < each.size(); ++i) coupled_.blocks[i].residual = each[i];
  int worst = -1;
  if (each.size() > 0) solution.residual.max = each.maxCoeff(&worst);
  if (worst < static_cast<int>(contacts_.size())) solution.residual.worst = worst;
  solution.iterations = report.iterations;
  solution.contact_updates = report.contact_updates;
  solution.stages = report.stages;
  return solution;
}

template <int Dim>
void CoupledSolver<Dim>::clear_held(VelocityProblem<Dim>& problem, Coupling<Dim>& coupling) const {
  for (const int contact : mixed_.held_contacts()) {
    SweepContact<Dim>& row = problem.contacts[contact];
    row.r.setZero(), row.p.setZero(), row.moment.setZero();
    row.residual = 0;
  }
  for (const int tied : mixed_.held_tied()) {
    TiedBlock& block = coupling.blocks[tied];
    block.r.setZero();
    block.u.setZero(block.set.size);
  }
}

template <int Dim>
void CoupledSolver<Dim>::tell_held(PartSolution& solution) const {
  if (!mixed_.is_held_told()) return;
  solution.held = static_cast<int>(mixed_.held_contacts().size() + mixed_.held_tied().size());
  if (!mixed_.held_contacts().empty()) solution.held_contact = mixed_.held_contacts()[0];
}

template <int Dim>
PartSolution CoupledSolver<Dim>::solve(const GroupSolverOptions& options, int group,
                                       const ContactGroups<Dim>& groups, VelocitySweeps<Dim>& velocity_sweeps,
                                       VelocityProblem<Dim>& problem, Coupling<Dim>& coupling) {
  const bool sweeps =
      options.solver == SolverKind::automatic || options.solver == SolverKind::nlgs || options.margins;
  PartSolution swept;
  const bool is_prepared =
      mixed_.gather(group, groups, problem, coupling) && mixed_.prepare(options, problem, coupling);
  const bool has_swept = sweeps && is_prepared;
  if (has_swept) {
    swept = mixed_.solve(options, velocity_sweeps);
    tell_held(swept);
    const bool is_last = options.solver == SolverKind::nlgs || options.margins || !mixed_.may_factorise();
    if (swept.converged || is_last) {
      mixed_.write_back(problem, coupling);
      return swept;
    }
  }
  if (has_swept) mixed_.write_impulses(problem, coupling);
  clear_held(problem, coupling);
  build(group, groups, problem, coupling);
  find_limits(coupling);
  PartSolution solution = solve_canonically(options, has_swept);
  solution.iterations += swept.iterations;
  solution.contact_updates += swept.contact_updates;
  tell_held(solution);
  if (has_swept && swept.residual.rms <= solution.residual.rms && !solution.converged) {
    mixed_.write_back(problem, coupling);
    return swept;
  }
  write_back(problem, coupling);
  return solution;
}

template <int Dim>
bool CoupledSolver<Dim>::stick(int group, const ContactGroups<Dim>& groups, const std::vector<char>& sticks,
                               VelocityProblem<Dim>& problem, Coupling<Dim>& coupling,
                               PartSolution& solution) {
  build(group, groups, problem, coupling);
  const ContactProblem canonical = build_canonical(coupled_);
  const int width = canonical.W.block;
  Eigen::VectorXd r = read_impulses(coupled_, canonical), given = Eigen::VectorXd::Zero(r.size()), u;
  std::vector<char> holds;  // of what is not left out
  const std::span<const int> all = groups.contacts(group);
  for (std::size_t i = 0, at = 0; i < all.size() && at < contacts_.size(); ++i) {
    if (contacts_[at] != all[i]) continue;
    holds.push_back(sticks[i]);
    ++at;
  }
  for (std::size_t b = contacts_.size(); b < coupled_.blocks.size(); ++b) {
    const BlockSet& set = coupled_.blocks[b].set;
    const double size = coupled_.blocks[b].r.norm();
    constexpr double kReached = 1 - 1e-6;
    const bool reached = set.kind == SetKind::ball && size >= kReached * set.radius;
    holds.push_back(set.kind == SetKind::half_line ? coupled_.blocks[b].r[0] > 0 : !reached);
    if (!reached) continue;
    const auto at = static_cast<Eigen::Index>(b) * width;
    given.segment(at, width) = r.segment(at, width);
    r.segment(at, width).setZero();
  }
  ContactProblem held = canonical;
  multiply(canonical.W, given, u);
  held.b += u;
  constexpr double kPart = 0.1;  // of the tolerance: the rest is for round-off
  const double count = std::sqrt(static_cast<double>(coupled_.blocks.size()));
  if (!solve_sticking(held, holds, kPart * solution.tolerance * count, r)) return false;
  r += given;
  multiply(canonical.W, r, u);
  u += canonical.b;
  const double residual = compute_residuals(canonical, r, u).of(ResidualKind::natural);
  if (!(residual <= solution.tolerance * count)) return false;
  write_impulses(r, canonical, coupled_);
  clear_held(problem, coupling);
  write_back(problem, coupling);
  solution.residual.rms = solution.residual.max = residual / count;
  return true;
}

template class CoupledSolver<2>;
template class CoupledSolver<3>;

}  // namespace saltus
