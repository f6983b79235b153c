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

// What round-off can make of a velocity of a contact: a part of those of its two bodies, which bonds may have pulled; of its shift, in
// which the bond of a soft layer is a large number that the impulse takes back; and of the gap in the shift of a layer, which is as
// uncertain as the coordinates are and asks for a velocity of `gap_rate` times as much.
template <int Dim>
double round_off(const VelocityProblem<Dim>& problem, double gap_rate) {
  constexpr double kRoundings = 4096;  // as of gaps (laws/pair_law.hpp)
  constexpr double kFew = 16;          // of numbers that no sums over steps went into
  double sum = 0, few = 0;
  for (const SweepContact<Dim>& c : problem.contacts) {
    sum += point_velocity<Dim>(problem.bodies[c.a], c.arm_a).squaredNorm() +
           point_velocity<Dim>(problem.bodies[c.b], c.arm_b).squaredNorm();
    few += c.shift.squaredNorm();
    if (c.compliance_normal > 0) few += gap_rate * gap_rate * c.point.squaredNorm();
  }
  const double count = std::max(1.0, static_cast<double>(problem.contacts.size()));
  return std::numeric_limits<double>::epsilon() *
         std::max(kRoundings * std::sqrt(sum / count), kFew * std::sqrt(few / count));
}

// Whether a contact is at rest when the step begins, or open.
template <int Dim>
bool rests(const BodyVelocity<Dim>& a, const BodyVelocity<Dim>& b, double slow, double length,
           const SweepContact<Dim>& c) {
  if (c.shift[0] > slow) return true;
  const double turn = c.mu_r > 0 ? length * relative_spin<Dim>(a, b).norm() : 0.0;
  return relative_velocity<Dim>(a, b, c).norm() <= slow && turn <= slow && c.shift.norm() <= slow;
}

// Which contacts would stick in a group at rest: those that are not open. False: the group is not at rest.
template <int Dim>
bool find_resting(std::span<const BodyVelocity<Dim>> start, double slow, const VelocityProblem<Dim>& problem,
                  std::vector<char>& sticks) {
  sticks.clear();
  for (const SweepContact<Dim>& c : problem.contacts) {
    sticks.push_back(!(c.shift[0] > slow));
    if (!rests<Dim>(start[c.a], start[c.b], slow, problem.length, c)) return false;
  }
  return true;
}

// Nanoseconds of solve_sticking (solvers/sticking.hpp), measured as those of sweeps: rows times the square of the freedoms of the
// bodies, or where there are no more rows than these, the cube of the rows.
template <int Dim>
double cost_of_sticking(const VelocityProblem<Dim>& problem) {
  constexpr double kPrice = 0.4, kIndependentPrice = 0.04;
  const double rows = static_cast<double>(problem.contacts.size()) * (Dim + (problem.rolling ? Dim - 1 : 0));
  double freedoms = 0;
  for (const SweepBody<Dim>& body : problem.bodies)
    if (!is_immovable<Dim>(body)) freedoms += kDofs<Dim>;
  return rows <= freedoms ? kIndependentPrice * rows * rows * rows : kPrice * rows * freedoms * freedoms;
}

// Whether a contact that might stick does not: by the velocity of its law, which in a layer is not that of the bodies.
template <int Dim>
bool moves(const VelocityProblem<Dim>& problem, const SweepContact<Dim>& c, double slow) {
  Vec<Dim> u = relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], c);
  if (c.compliance_normal > 0) u[0] += c.shift[0] + c.compliance_normal * c.r[0];
  if (c.compliance_tangent > 0)
    u.template tail<Dim - 1>() +=
        c.shift.template tail<Dim - 1>() + c.compliance_tangent * c.r.template tail<Dim - 1>();
  return !(u.norm() <= slow);
}
template <int Dim>
bool moves(const VelocityProblem<Dim>& problem, const std::vector<char>& sticks, double slow) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    if (sticks[i] && moves(problem, problem.contacts[i], slow)) return true;
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
  // Of a group with joints, before it is solved.
  struct TiedSolution {
    Eigen::VectorXd r, u;
    double radius = 0;
  };
  std::vector<SweepBody<Dim>> tied_bodies;
  std::vector<TiedSolution> tied_blocks;
  std::vector<PartSolution> solved, before;  // of each group: of this solve and of the last
  std::vector<int> was_in;       // of each node that is kept: its group in the last solve; else -1
  std::vector<int> kept_as;      // of each group: its number in the last solve; -1: to be solved
  std::vector<double> least_of;  // of each group: as in the options; empty: nothing

  void build_groups(std::span<const char> kept, const VelocityProblem<Dim>& problem, const GroupTies& ties);
  void find_least(std::span<const double> of_node);
  double tolerance_of(const GroupSolverOptions& options, int group) const;
  void gather(int group, Velocities start, const VelocityProblem<Dim>& problem);
  void scatter(int group, VelocityProblem<Dim>& problem) const;
  PartSolution solve_group(const GroupSolverOptions& options, int group, Velocities start,
                           std::span<const double> pulls, VelocityProblem<Dim>& problem);
  bool may_stick(const GroupSolverOptions& options, int group, const Coupling<Dim>& coupling,
                 const VelocityProblem<Dim>& problem) const;
  void keep_tied(int group, const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling);
  void exchange(int group, VelocityProblem<Dim>& problem, Coupling<Dim>& coupling);
  PartSolution solve_coupled_or_else(const GroupSolverOptions& options, int group,
                                     VelocityProblem<Dim>& problem, Coupling<Dim>& coupling);
  PartSolution solve_coupled(const GroupSolverOptions& options, int group, Velocities start,
                             VelocityProblem<Dim>& problem, Coupling<Dim>& coupling);
  double tolerance_of_motion(const GroupSolverOptions& options, int group, std::span<const double> pulls);
  PartSolution solve_part(const GroupSolverOptions& options, Velocities start, VelocityProblem<Dim>& problem);
  bool stick(const GroupSolverOptions& options);
  bool sweep_to_rest(const GroupSolverOptions& options, double zero, VelocityProblem<Dim>& problem,
                     PartSolution& solution);
  PartSolution solve_by_name(const GroupSolverOptions& options, VelocityProblem<Dim>& problem);
  PartSolution solve_canonically_or_else(const GroupSolverOptions& options, VelocityProblem<Dim>& problem);
};

template <int Dim>
void GroupSolver<Dim>::Workspace::build_groups(std::span<const char> kept,
                                               const VelocityProblem<Dim>& problem, const GroupTies& ties) {
  was_in.assign(kept.size(), -1);
  for (std::size_t node = 0; node < kept.size(); ++node)
    if (kept[node]) was_in[node] = groups.group_of_node(static_cast<int>(node));
  groups.build(problem, ties);
  kept_as.assign(groups.count(), -1);
  for (std::size_t node = 0; node < kept.size(); ++node)
    if (const int group = groups.group_of_node(static_cast<int>(node)); group >= 0 && was_in[node] >= 0)
      kept_as[group] = was_in[node];
  std::swap(solved, before);
  solved.resize(groups.count());
}

template <int Dim>
void GroupSolver<Dim>::Workspace::find_least(std::span<const double> of_node) {
  least_of.assign(of_node.empty() ? 0 : groups.count(), 0.0);
  for (std::size_t node = 0; node < of_node.size(); ++node)
    if (const int group = groups.group_of_node(static_cast<int>(node)); group >= 0)
      least_of[group] = std::max(least_of[group], of_node[node]);
}

template <int Dim>
double GroupSolver<Dim>::Workspace::tolerance_of(const GroupSolverOptions& options, int group) const {
  return options.least.empty() ? options.tolerance
                               : std::min(std::max(options.tolerance, least_of[group]), options.most);
}

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
    c.residual = part.contacts[i].residual;
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

// Whether a few more sweeps leave none moving of the contacts that might stick: the group goes on resting. `sticking` holds its
// free velocities. Sweeps that end within the tolerance, a root mean square, may leave single contacts worse; they may cost half
// of what the search for impulses that hold all of them would.
template <int Dim>
bool GroupSolver<Dim>::Workspace::sweep_to_rest(const GroupSolverOptions& options, double zero,
                                                VelocityProblem<Dim>& problem, PartSolution& solution) {
  constexpr double kPart = 0.5;
  if (!solution.converged || !(options.solver == SolverKind::nlgs || options.solver == SolverKind::automatic))
    return false;
  other = problem;
  other.bodies = sticking.bodies;
  VelocitySweepOptions sweeps;
  const double count = static_cast<double>(problem.contacts.size());
  sweeps.tolerance = options.tolerance * std::min(1.0, kMoves / std::sqrt(count));
  sweeps.max_sweeps =
      static_cast<std::int64_t>(kPart * cost_of_sticking<Dim>(problem) / sweep_cost<Dim>(problem));
  if (sweeps.max_sweeps < 1) return false;
  const VelocityReport report = velocity_sweeps.solve(sweeps, other);
  solution.iterations += report.sweeps;
  solution.contact_updates += report.contact_updates;
  if (!(report.residual.rms <= options.tolerance) || moves(other, sticks, kMoves * zero)) return false;
  std::swap(problem.bodies, other.bodies);
  std::swap(problem.contacts, other.contacts);
  solution.residual = report.residual;
  return true;
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
  if (!rests || !moves(problem, sticks, kMoves * zero) || sweep_to_rest(options, zero, problem, solution) ||
      !stick(options))
    return solution;
  solution.several = solution.converged && moves(problem, sticks, slow);
  solution.converged = true;
  solution.reason.clear();
  std::swap(problem.bodies, sticking.bodies);
  std::swap(problem.contacts, sticking.contacts);
  solution.residual = update_residuals<Dim>(problem);
  return solution;
}

// Of the group that is gathered, m/s, without gravity.
template <int Dim>
double GroupSolver<Dim>::Workspace::tolerance_of_motion(const GroupSolverOptions& options, int group,
                                                        std::span<const double> pulls) {
  const double asked = options.tolerance;
  const double least = std::max(round_off<Dim>(part, options.gap_rate), std::numeric_limits<double>::min());
  if (pulls.empty()) return std::max(asked * rms_of_free_velocity<Dim>(part), least);
  sticking = part;
  const std::span<const int> contacts = groups.contacts(group);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    SweepContact<Dim>& c = sticking.contacts[i];
    take_off_pull<Dim>(pulls[contacts[i]], c, sticking.bodies[c.a], sticking.bodies[c.b]);
  }
  return std::max(asked * rms_of_free_velocity<Dim>(sticking), least);
}

// Bodies and joints: points of systems have their velocities elsewhere.
template <int Dim>
bool GroupSolver<Dim>::Workspace::may_stick(const GroupSolverOptions& options, int group,
                                            const Coupling<Dim>& coupling,
                                            const VelocityProblem<Dim>& problem) const {
  const std::span<const int> contacts = groups.contacts(group), blocks = groups.blocks(group);
  if (!options.sticks || options.margins || contacts.empty() || contacts.size() > kSticking ||
      blocks.size() > kSticking)
    return false;
  const auto follows = [&](int slot) { return !coupling.follows.empty() && coupling.follows[slot] >= 0; };
  for (const int i : contacts)
    if (follows(problem.contacts[i].a) || follows(problem.contacts[i].b)) return false;
  for (const int i : blocks)
    for (const TiedEnd& end : coupling.blocks[i].ends)
      if (end.system >= 0 || (end.slot >= 0 && follows(end.slot))) return false;
  return true;
}

// Swaps what a solve changes of a group of bodies and joints with what was kept of it.
template <int Dim>
void GroupSolver<Dim>::Workspace::exchange(int group, VelocityProblem<Dim>& problem,
                                           Coupling<Dim>& coupling) {
  const std::span<const int> contacts = groups.contacts(group), bodies = groups.bodies(group),
                             blocks = groups.blocks(group);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    SweepContact<Dim>&now = problem.contacts[contacts[i]], &kept = part.contacts[i];
    std::swap(now.r, kept.r), std::swap(now.p, kept.p), std::swap(now.moment, kept.moment);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) std::swap(problem.bodies[bodies[i]], tied_bodies[i]);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    TiedBlock& block = coupling.blocks[blocks[i]];
    std::swap(block.r, tied_blocks[i].r), std::swap(block.u, tied_blocks[i].u);
    std::swap(block.set.radius, tied_blocks[i].radius);
  }
}

// As solve_canonically_or_else.
template <int Dim>
PartSolution GroupSolver<Dim>::Workspace::solve_coupled_or_else(const GroupSolverOptions& options, int group,
                                                                VelocityProblem<Dim>& problem,
                                                                Coupling<Dim>& coupling) {
  PartSolution solution = coupled.solve(options, group, groups, velocity_sweeps, problem, coupling);
  if (solution.converged || options.solver == SolverKind::automatic || options.solver == SolverKind::nlgs)
    return solution;
  exchange(group, problem, coupling);
  const std::vector<SweepBody<Dim>> bodies_missed = tied_bodies;
  const std::vector<TiedSolution> blocks_missed = tied_blocks;
  const std::vector<SweepContact<Dim>> contacts_missed = part.contacts;
  keep_tied(group, problem, coupling);
  GroupSolverOptions automatic = options;
  automatic.solver = SolverKind::automatic;
  PartSolution second = coupled.solve(automatic, group, groups, velocity_sweeps, problem, coupling);
  if (second.residual.rms < solution.residual.rms) {
    second.reason = solution.reason + "; auto's impulses were taken";
    second.converged = false;
    return second;
  }
  // What was missed by less, and the entry where it is looked for.
  exchange(group, problem, coupling);
  tied_bodies = bodies_missed, tied_blocks = blocks_missed, part.contacts = contacts_missed;
  exchange(group, problem, coupling);
  return solution;
}

template <int Dim>
void GroupSolver<Dim>::Workspace::keep_tied(int group, const VelocityProblem<Dim>& problem,
                                            const Coupling<Dim>& coupling) {
  const std::span<const int> contacts = groups.contacts(group);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const SweepContact<Dim>& now = problem.contacts[contacts[i]];
    part.contacts[i].r = now.r, part.contacts[i].p = now.p, part.contacts[i].moment = now.moment;
  }
  tied_bodies.clear();
  for (const int body : groups.bodies(group)) tied_bodies.push_back(problem.bodies[body]);
  const std::span<const int> blocks = groups.blocks(group);
  tied_blocks.resize(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const TiedBlock& block = coupling.blocks[blocks[i]];
    tied_blocks[i].r = block.r, tied_blocks[i].u = block.u, tied_blocks[i].radius = block.set.radius;
  }
}

// As solve_part: what rests and can stick sticks.
template <int Dim>
PartSolution GroupSolver<Dim>::Workspace::solve_coupled(const GroupSolverOptions& options, int group,
                                                        Velocities start, VelocityProblem<Dim>& problem,
                                                        Coupling<Dim>& coupling) {
  if (!may_stick(options, group, coupling, problem))
    return coupled.solve(options, group, groups, velocity_sweeps, problem, coupling);
  gather(group, start, problem);
  keep_tied(group, problem, coupling);
  PartSolution solution = solve_coupled_or_else(options, group, problem, coupling);
  set_units<Dim>(part);
  constexpr double kRoundOff = 1e-9;  // of the velocities without contact, as in solve_part
  const double zero = std::max(solution.tolerance, kRoundOff * rms_of_free_velocity<Dim>(part));
  if (!find_resting<Dim>(part_start, kRest * zero, part, sticks)) return solution;
  const std::span<const int> contacts = groups.contacts(group);
  const auto is_moving = [&](double slow) {
    for (std::size_t i = 0; i < contacts.size(); ++i)
      if (sticks[i] && moves(problem, problem.contacts[contacts[i]], slow)) return true;
    return false;
  };
  if (!is_moving(kMoves * zero)) return solution;
  const bool several = solution.converged && is_moving(kRest * zero);
  // Bounds of joints stay as they were solved.
  exchange(group, problem, coupling);
  const std::span<const int> blocks = groups.blocks(group);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    coupling.blocks[blocks[i]].r = tied_blocks[i].r;
    coupling.blocks[blocks[i]].set.radius = tied_blocks[i].radius;
  }
  if (!coupled.stick(group, groups, sticks, problem, coupling, solution)) {
    exchange(group, problem, coupling);
    return solution;
  }
  solution.several = several;
  solution.converged = true;
  solution.reason.clear();
  return solution;
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
  // The force of a layer is that of its gap, bonded or not.
  own.bonded = !pulls.empty() && std::any_of(contacts.begin(), contacts.end(), [&](int i) {
    return pulls[i] > 0 && problem.contacts[i].compliance_normal == 0;
  });
  if (options.of_free_velocity) own.tolerance = tolerance_of_motion(options, group, pulls);
  PartSolution solution = solve_part(own, part_start, part);
  solution.tolerance = own.tolerance;
  solution.mass = part.mass;
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
                                      Coupling<Dim>* coupling, std::span<const double> pulls,
                                      std::span<const char> kept) {
  Workspace& w = *workspace_;
  w.build_groups(kept, problem, coupling ? coupling->ties() : GroupTies());
  w.find_least(options.least);
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
    PartSolution& solution = w.solved[group];
    if (w.kept_as[group] >= 0) {
      solution = w.before[w.kept_as[group]];
      solution.iterations = solution.contact_updates = 0;
    } else {
      GroupSolverOptions own = options;
      own.tolerance = w.tolerance_of(options, group);
      solution = coupled ? w.solve_coupled(own, group, start, problem, *coupling)
                         : w.solve_group(own, group, start, pulls, problem);
    }
    const std::size_t count = contacts.size() + w.groups.blocks(group).size();
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
      all.stages = solution.stages;
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

template <int Dim>
const ContactGroups<Dim>& GroupSolver<Dim>::groups() const {
  return workspace_->groups;
}
template <int Dim>
double GroupSolver<Dim>::tolerance_of(int group) const {
  return workspace_->solved[group].tolerance;
}
template <int Dim>
double GroupSolver<Dim>::mass_of(int group) const {
  return workspace_->solved[group].mass;
}

template class GroupSolver<2>;
template class GroupSolver<3>;

}  // namespace saltus
