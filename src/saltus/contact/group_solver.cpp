#include "saltus/contact/group_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/large_buffer.hpp"
#include "saltus/contact/canonical.hpp"
#include "saltus/contact/coupled_solver.hpp"
#include "saltus/contact/velocity_auto.hpp"
#include "saltus/solvers/contact_groups.hpp"
#include "saltus/solvers/sticking.hpp"

namespace saltus {

namespace {

template <int Dim>
double trace_of_inverse_inertia(const SweepBody<Dim>& body) {
  const double* J = body.inverse_inertia;
  if constexpr (Dim == 2) return J[0];
  return J[0] + J[3] + J[5];
}

// Mean mass of the moving bodies and mean of their radii of gyration: the units of the group's residual.
// Bodies that can only turn have no mass to count; if there are no others, the units stay as they are.
template <int Dim>
void set_units(VelocityProblem<Dim>& problem) {
  double mass = 0, length = 0;
  int moving = 0, turning = 0;
  for (const SweepBody<Dim>& body : problem.bodies) {
    const double inverse = *std::max_element(std::begin(body.inverse_mass), std::end(body.inverse_mass));
    if (!(inverse > 0)) continue;
    mass += 1 / inverse;
    ++moving;
    if (const double trace = trace_of_inverse_inertia(body); trace > 0) {
      length += std::sqrt(kSpins<Dim> * inverse / trace);
      ++turning;
    }
  }
  if (moving > 0) problem.mass = mass / moving;
  if (turning > 0) problem.length = length / turning;
}

// What a contact's law sees of the velocities of its bodies, impulses left out.
template <int Dim>
double rms_of_free_velocity(const VelocityProblem<Dim>& problem) {
  double sum = 0;
  for (const SweepContact<Dim>& c : problem.contacts)
    sum += (relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], c) + c.shift).squaredNorm();
  return std::sqrt(sum / std::max(1.0, static_cast<double>(problem.contacts.size())));
}

// A bond without force in place of its pull.
template <int Dim>
void take_off_pull(double pull, SweepContact<Dim>& c, SweepBody<Dim>& a, SweepBody<Dim>& b) {
  const Vec<Dim> p = pull * c.normal;
  add_impulse(a, Vec<Dim>(-p), moment(c.arm_a, Vec<Dim>(-p)));
  add_impulse(b, p, moment(c.arm_b, p));
  c.shift[0] += c.compliance_normal * pull;
}

// What round-off can make of a velocity of a contact: a part of those of its two bodies, which bonds may have pulled.
template <int Dim>
double round_off(const VelocityProblem<Dim>& problem) {
  constexpr double kRoundings = 4096;  // as of gaps (laws/pair_law.hpp)
  double sum = 0;
  for (const SweepContact<Dim>& c : problem.contacts)
    sum += point_velocity<Dim>(problem.bodies[c.a], c.arm_a).squaredNorm() +
           point_velocity<Dim>(problem.bodies[c.b], c.arm_b).squaredNorm();
  return kRoundings * std::numeric_limits<double>::epsilon() *
         std::sqrt(sum / std::max(1.0, static_cast<double>(problem.contacts.size())));
}

// Which contacts would stick in a group at rest: those that are not open. False: the group is not at rest.
template <int Dim>
bool find_resting(std::span<const BodyVelocity<Dim>> start, double slow, const VelocityProblem<Dim>& problem,
                  std::vector<char>& sticks) {
  sticks.clear();
  for (const SweepContact<Dim>& c : problem.contacts) {
    const bool open = c.shift[0] > slow;
    sticks.push_back(!open);
    if (open) continue;
    const double turn = c.mu_r > 0 ? problem.length * relative_spin<Dim>(start[c.a], start[c.b]).norm() : 0.0;
    const double speed = relative_velocity<Dim>(start[c.a], start[c.b], c).norm();
    if (!(speed <= slow && turn <= slow && c.shift.norm() <= slow)) return false;
  }
  return true;
}

// Whether a contact that might stick does not: by the velocity of its law, which in a layer is not that of the bodies.
template <int Dim>
bool moves(const VelocityProblem<Dim>& problem, const std::vector<char>& sticks, double slow) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (!sticks[i]) continue;
    const SweepContact<Dim>& c = problem.contacts[i];
    Vec<Dim> u = relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], c);
    if (c.compliance_normal > 0) u[0] += c.shift[0] + c.compliance_normal * c.r[0];
    if (c.compliance_tangent > 0)
      u.template tail<Dim - 1>() +=
          c.shift.template tail<Dim - 1>() + c.compliance_tangent * c.r.template tail<Dim - 1>();
    if (!(u.norm() <= slow)) return true;
  }
  return false;
}

}  // namespace

template <int Dim>
struct GroupSolver<Dim>::Workspace {
  using Velocities = std::span<const BodyVelocity<Dim>>;

  ContactGroups<Dim> groups;
  VelocitySweeps<Dim> velocity_sweeps;
  CoupledSolver<Dim> coupled;
  VelocityProblem<Dim> part, sticking, other;
  std::vector<BodyVelocity<Dim>> part_start;
  std::vector<int> place, place_in;  // place of a body in the part of group place_in
  EntryState<Dim> entry;
  std::vector<char> sticks;

  void gather(int group, Velocities start, const VelocityProblem<Dim>& problem);
  void scatter(int group, VelocityProblem<Dim>& problem) const;
  PartSolution solve_group(const GroupSolverOptions& options, int group, Velocities start,
                           std::span<const double> pulls, VelocityProblem<Dim>& problem);
  double tolerance_of_motion(double asked, int group, std::span<const double> pulls);
  PartSolution solve_part(const GroupSolverOptions& options, Velocities start, VelocityProblem<Dim>& problem);
  bool stick(const GroupSolverOptions& options);
  PartSolution solve_by_name(const GroupSolverOptions& options, VelocityProblem<Dim>& problem);
  PartSolution solve_canonically_or_else(const GroupSolverOptions& options, VelocityProblem<Dim>& problem);
};

// The contacts of a group and their bodies, fixed ones included, numbered as they are met.
template <int Dim>
void GroupSolver<Dim>::Workspace::gather(int group, Velocities start, const VelocityProblem<Dim>& problem) {
  part.bodies.clear();
  part.contacts.clear();
  part_start.clear();
  part.rolling = false;
  part.mass = problem.mass;
  part.length = problem.length;
  const auto place_of = [&](int body) {
    if (place_in[body] == group) return place[body];
    place_in[body] = group;
    place[body] = static_cast<int>(part.bodies.size());
    part.bodies.push_back(problem.bodies[body]);
    part_start.push_back(start[body]);
    return place[body];
  };
  for (const int i : groups.contacts(group)) {
    SweepContact<Dim>& c = part.contacts.emplace_back(problem.contacts[i]);
    c.a = place_of(c.a);
    c.b = place_of(c.b);
    part.rolling |= c.mu_r > 0;
  }
}

template <int Dim>
void GroupSolver<Dim>::Workspace::scatter(int group, VelocityProblem<Dim>& problem) const {
  const std::span<const int> contacts = groups.contacts(group);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    SweepContact<Dim>& c = problem.contacts[contacts[i]];
    c.r = part.contacts[i].r;
    c.p = part.contacts[i].p;
    c.moment = part.contacts[i].moment;
  }
  for (const int body : groups.bodies(group)) problem.bodies[body] = part.bodies[place[body]];
}

// Whether the group, as it was before the solve, can stick; `sticking` is then how.
template <int Dim>
bool GroupSolver<Dim>::Workspace::stick(const GroupSolverOptions& options) {
  constexpr double kPart = 0.1;  // of the tolerance: the rest is for round-off
  const double count = static_cast<double>(sticking.contacts.size());
  Eigen::VectorXd r = read_impulses<Dim>(sticking, ProblemUnits::scaled);
  if (!solve_sticking(build_contact_problem<Dim>(sticking, ProblemUnits::scaled), sticks,
                      kPart * options.tolerance * std::sqrt(count), r))
    return false;
  write_impulses<Dim>(r, ProblemUnits::scaled, sticking);
  return compute_residual<Dim>(sticking).rms <= options.tolerance;
}

template <int Dim>
PartSolution GroupSolver<Dim>::Workspace::solve_by_name(const GroupSolverOptions& options,
                                                        VelocityProblem<Dim>& problem) {
  const bool sweeps = options.solver == SolverKind::nlgs || options.margins || is_too_dense<Dim>(problem);
  if (sweeps) return solve_by_sweeps<Dim>(options, velocity_sweeps, problem);
  if (options.solver == SolverKind::automatic)
    return solve_automatically<Dim>(options, velocity_sweeps, entry, problem);
  return solve_canonically_or_else(options, problem);
}

// What a small group's solver misses may be what holds it: a step that is missed lets it go, and from then on it does not rest.
// The step is `auto`'s then; that the solver asked for missed it is told all the same.
template <int Dim>
PartSolution GroupSolver<Dim>::Workspace::solve_canonically_or_else(const GroupSolverOptions& options,
                                                                    VelocityProblem<Dim>& problem) {
  const bool is_small = problem.contacts.size() <= kSticking;
  if (is_small) other = problem;
  PartSolution solution = solve_canonically<Dim>(options, problem);
  if (solution.converged || !is_small) return solution;
  GroupSolverOptions automatic = options;
  automatic.solver = SolverKind::automatic;
  PartSolution second = solve_automatically<Dim>(automatic, velocity_sweeps, entry, other);
  if (!(second.residual.rms < solution.residual.rms)) return solution;
  std::swap(problem.bodies, other.bodies);
  std::swap(problem.contacts, other.contacts);
  second.reason = solution.reason + "; auto's impulses were taken";
  second.converged = false;
  return second;
}

template <int Dim>
PartSolution GroupSolver<Dim>::Workspace::solve_part(const GroupSolverOptions& options, Velocities start,
                                                     VelocityProblem<Dim>& problem) {
  // Tolerances near round-off would make motion of it.
  constexpr double kRoundOff = 1e-9;  // of the velocities without contact
  const double zero = std::max(options.tolerance, kRoundOff * rms_of_free_velocity<Dim>(problem));
  const double slow = kRest * zero;
  const bool rests = options.sticks && !options.margins && problem.contacts.size() <= kSticking &&
                     find_resting<Dim>(start, slow, problem, sticks);
  if (rests) sticking = problem;
  PartSolution solution = solve_by_name(options, problem);
  if (!rests || !moves(problem, sticks, kMoves * zero) || !stick(options)) return solution;
  solution.several = solution.converged && moves(problem, sticks, slow);
  solution.converged = true;
  solution.reason.clear();
  std::swap(problem.bodies, sticking.bodies);
  std::swap(problem.contacts, sticking.contacts);
  solution.residual = compute_residual<Dim>(problem);
  return solution;
}

// Of the group that is gathered, m/s, without gravity.
template <int Dim>
double GroupSolver<Dim>::Workspace::tolerance_of_motion(double asked, int group,
                                                        std::span<const double> pulls) {
  const double least = std::max(round_off<Dim>(part), std::numeric_limits<double>::min());
  if (pulls.empty()) return std::max(asked * rms_of_free_velocity<Dim>(part), least);
  sticking = part;
  const std::span<const int> contacts = groups.contacts(group);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    SweepContact<Dim>& c = sticking.contacts[i];
    take_off_pull<Dim>(pulls[contacts[i]], c, sticking.bodies[c.a], sticking.bodies[c.b]);
  }
  return std::max(asked * rms_of_free_velocity<Dim>(sticking), least);
}

// A group by itself, in its own units: its bits depend on nothing beside it, so it is gathered even if it is
// all there is.
template <int Dim>
PartSolution GroupSolver<Dim>::Workspace::solve_group(const GroupSolverOptions& options, int group,
                                                      Velocities start, std::span<const double> pulls,
                                                      VelocityProblem<Dim>& problem) {
  gather(group, start, problem);
  set_units<Dim>(part);
  GroupSolverOptions own = options;
  const std::span<const int> contacts = groups.contacts(group);
  own.bonded =
      !pulls.empty() && std::any_of(contacts.begin(), contacts.end(), [&](int i) { return pulls[i] > 0; });
  if (options.of_free_velocity) own.tolerance = tolerance_of_motion(options.tolerance, group, pulls);
  PartSolution solution = solve_part(own, part_start, part);
  solution.tolerance = own.tolerance;
  scatter(group, problem);
  return solution;
}

template <int Dim>
GroupSolver<Dim>::GroupSolver() : workspace_(std::make_unique<Workspace>()) {}
template <int Dim>
GroupSolver<Dim>::~GroupSolver() = default;
template <int Dim>
GroupSolver<Dim>::GroupSolver(GroupSolver&&) noexcept = default;
template <int Dim>
GroupSolver<Dim>& GroupSolver<Dim>::operator=(GroupSolver&&) noexcept = default;

template <int Dim>
GroupSolution GroupSolver<Dim>::solve(const GroupSolverOptions& options,
                                      std::span<const BodyVelocity<Dim>> start, VelocityProblem<Dim>& problem,
                                      Coupling<Dim>* coupling, std::span<const double> pulls) {
  Workspace& w = *workspace_;
  w.groups.build(problem, coupling ? coupling->ties() : GroupTies());
  GroupSolution all;
  all.groups = w.groups.count();
  if (!options.of_free_velocity) all.tolerance = options.tolerance;
  w.place.resize(problem.bodies.size());
  w.place_in.assign(problem.bodies.size(), -1);
  double squares = 0;
  std::size_t largest = 0, blocks = 0;
  for (int group = 0; group < all.groups; ++group) {
    const std::span<const int> contacts = w.groups.contacts(group);
    const bool coupled = w.groups.is_coupled(group);
    PartSolution solution =
        coupled ? w.coupled.solve(options, group, w.groups, w.velocity_sweeps, problem, *coupling)
                : w.solve_group(options, group, start, pulls, problem);
    const std::size_t count = coupled ? w.coupled.blocks() : contacts.size();
    blocks += count;
    all.tolerance = std::max(all.tolerance, solution.tolerance);
    if (!solution.converged && all.converged) {
      all.converged = false;
      all.reason = solution.reason;
    }
    squares += solution.residual.rms * solution.residual.rms * static_cast<double>(count);
    if (!(solution.residual.max <= all.residual.max) || all.residual.worst < 0) {
      all.residual.max = solution.residual.max;
      all.residual.worst = solution.residual.worst >= 0 ? contacts[solution.residual.worst] : -1;
    }
    all.iterations = std::max(all.iterations, solution.iterations);
    all.contact_updates += solution.contact_updates;
    all.unsolved += solution.unsolved;
    all.held += solution.held;
    if (all.held_contact < 0) all.held_contact = solution.held_contact;
    if (solution.several && all.several++ == 0) all.several_contact = contacts[0];
    if (count > largest && !solution.stages.empty()) {
      largest = count;
      all.stages = std::move(solution.stages);
    }
  }
  if (blocks > 0) all.residual.rms = std::sqrt(squares / static_cast<double>(blocks));
  release_if_large(w.part.contacts);
  release_if_large(w.part.bodies);
  release_if_large(w.entry.bodies);
  release_if_large(w.entry.r);
  release_if_large(w.entry.moment);
  return all;
}

template class GroupSolver<2>;
template class GroupSolver<3>;

}  // namespace saltus
