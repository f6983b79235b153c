#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/contact/mixed_group.hpp"
#include "saltus/solvers/sweeps/sweep_budget.hpp"

namespace saltus {

namespace {

// Pivots of rows that others imply are round-off, 1e-16 and some digits of the mechanism's condition; of rows that they
// nearly imply (joints that have drifted) it is better to leave them out as well, unless they are then not met.
constexpr double kImplied = 1e-8, kRoundOff = 1e-13;
// Tight joints (general_blocks.hpp) while they hold no more numbers than this and take no more operations than loose
// ones would in so many sweeps, and some.
constexpr double kMostNumbers = 4e6, kLooseSweeps = 30, kSmall = 2e5;
// Nanoseconds of a visit and of an operation of it; of Newton's method on the canonical problem, all of it, per block
// (chains of 100 and 1000 links on a floor), whose blocks meet kNeighbours others or fewer. Factors cost the square of that number:
// those of a wall of elastic blocks (29 neighbours) 70 to 80 microseconds per contact.
constexpr double kVisit = 150, kOperation = 0.5, kDirectBlock = 10'000, kNeighbours = 10;

// How many blocks act on the parts of a block, in the mean, itself counted at each of its ends.
double mean_neighbours(const BlockSystem& system, std::vector<int>& ends_of_part) {
  ends_of_part.assign(system.parts.size(), 0);
  for (const BlockSystem::End& end : system.ends) ++ends_of_part[end.part];
  double squares = 0;
  for (const int ends : ends_of_part) squares += static_cast<double>(ends) * ends;
  return squares / std::max<double>(1, static_cast<double>(system.blocks.size()));
}

}  // namespace

template <int Dim>
double MixedGroup<Dim>::rms_of_free_velocity() const {
  double sum = 0;
  for (const SweepContact<Dim>& c : packed_.contacts)
    sum += (relative_velocity<Dim>(packed_.bodies[c.a], packed_.bodies[c.b], c) + c.shift).squaredNorm();
  for (const BlockSystem::Block& block : system_.blocks) {
    double u[BlockSystem::kMostRows];
    for (int k = 0; k < block.rows(); ++k)
      u[k] = system_.ground[block.first_row + k] + system_.shift[block.first_row + k];
    for (const BlockSystem::End& end : system_.ends_of(block))
      system_.add_velocity(end, block.rows(), system_.free.data() + system_.parts[end.part].velocity, u);
    for (int k = 0; k < block.rows(); ++k) sum += std::pow(system_.unit[block.first_row + k] * u[k], 2);
  }
  return std::sqrt(sum / std::max(1, blocks()));
}

// The rms of what rounding leaves of the velocities that blocks see, each a sum whose terms may cancel.
template <int Dim>
double MixedGroup<Dim>::round_off_of_free_velocity() const {
  double sum = 0;
  for (const BlockSystem::Block& block : system_.blocks)
    for (int k = 0; k < block.rows(); ++k) {
      const int row = block.first_row + k;
      double size = std::abs(system_.ground[row]) + std::abs(system_.shift[row]);
      for (const BlockSystem::End& end : system_.ends_of(block)) {
        const double* column = system_.jacobian.data() + end.jacobian + k * end.dofs;
        const double* v = system_.free.data() + system_.parts[end.part].velocity;
        for (int i = 0; i < end.dofs; ++i) size += std::abs(column[i] * v[system_.dof(end, i)]);
      }
      sum += std::pow(system_.unit[row] * size, 2);
    }
  constexpr double kRoundings = 16 * std::numeric_limits<double>::epsilon();
  return kRoundings * std::sqrt(sum / std::max(1, blocks()));
}

// Velocities without the other blocks, into reduced_. False where the bilateral rows cannot all hold.
template <int Dim>
bool MixedGroup<Dim>::eliminate(double tolerance) {
  const double allowed = tolerance * tolerance * std::max<double>(1, blocks());
  elimination_->build(system_);
  for (const double dependent : {kImplied, kRoundOff}) {
    elimination_->factor(system_, dependent);
    reduced_ = system_.free;
    if (elimination_->enforce(system_, 1e-12 * allowed, reduced_, system_.r) <= 0.01 * allowed) return true;
    if (!elimination_->has_dependent()) break;
  }
  return false;
}

template <int Dim>
double MixedGroup<Dim>::load_of(int block) const {
  const BlockSystem::Block& of = system_.blocks[block];
  double square = 0;
  for (int k = 0; k < of.rows(); ++k) square += std::pow(system_.r[of.first_row + k], 2);
  return std::sqrt(square);
}

// Velocities and multipliers from the impulses. u_ is H^T v of all blocks. Returns the squares of the residuals:
// bilateral blocks, and others.
template <int Dim>
typename MixedGroup<Dim>::Squares MixedGroup<Dim>::finish(double enough) {
  velocity_ = system_.free;
  impulse_.assign(system_.free.size(), 0.0);
  const auto push = [&](const BlockSystem::Part& part, int dof, double p) {
    const double* inverse = system_.inverse.data() + part.inverse + static_cast<std::size_t>(dof) * part.size;
    double* v = velocity_.data() + part.velocity;
    for (int j = 0; j < part.size; ++j) v[j] += inverse[j] * p;
  };
  // Impulses on a system are summed first: many blocks may act on its degrees of freedom, which are many too.
  for (const BlockSystem::Block& block : system_.blocks) {
    if (!block.is_swept()) continue;
    for (const BlockSystem::End& end : system_.ends_of(block)) {
      const BlockSystem::Part& part = system_.parts[end.part];
      const double* column = system_.jacobian.data() + end.jacobian;
      for (int k = 0; k < block.rows(); ++k, column += end.dofs)
        for (int i = 0; i < end.dofs; ++i) {
          const double p = column[i] * system_.r[block.first_row + k];
          if (part_system_[end.part] >= 0)
            impulse_[part.velocity + system_.dof(end, i)] += p;
          else
            push(part, system_.dof(end, i), p);
        }
    }
  }
  for (const BlockSystem::Part& part : system_.parts)
    for (int i = 0; i < part.size; ++i)
      if (const double p = impulse_[part.velocity + i]; p != 0) push(part, i, p);
  Squares squares;
  squares.bilateral = elimination_->enforce(system_, enough, velocity_, system_.r);
  for (const BlockSystem::Part& part : system_.parts)
    if (part.body >= 0) {
      std::copy_n(packed_.bodies[part.body].v, Dim, velocity_.data() + part.velocity);
      std::copy_n(packed_.bodies[part.body].w, kSpins<Dim>, velocity_.data() + part.velocity + Dim);
    }
  u_.resize(system_.r.size());
  for (const BlockSystem::Block& block : system_.blocks) {
    double* u = u_.data() + block.first_row;
    std::copy_n(system_.ground.begin() + block.first_row, block.rows(), u);
    for (const BlockSystem::End& end : system_.ends_of(block))
      system_.add_velocity(end, block.rows(), velocity_.data() + system_.parts[end.part].velocity, u);
  }
  squares.others = others_square();
  return squares;
}

template <int Dim>
double MixedGroup<Dim>::residual_square(const BlockSystem::Block& block) const {
  double u[BlockSystem::kMostRows];
  for (int k = 0; k < block.rows(); ++k) {
    const int row = block.first_row + k;
    u[k] = u_[row] + system_.shift[row] + system_.compliance[row] * system_.r[row];
  }
  return natural_map_square(system_, block, system_.r.data() + block.first_row, u);
}

template <int Dim>
double MixedGroup<Dim>::others_square() const {
  double sum = 0;
  for (const BlockSystem::Block& block : system_.blocks)
    if (block.is_swept()) sum += residual_square(block);
  return sum;
}

template <int Dim>
void MixedGroup<Dim>::sweep(const GroupSolverOptions& options, double tolerance,
                            VelocitySweeps<Dim>& velocity_sweeps, PartSolution& solution) {
  const double swept = static_cast<double>(packed_.contacts.size()) + general_blocks_;
  VelocitySweepOptions sweeps;
  sweeps.tolerance = tolerance;
  sweeps.max_sweeps = options.max_iterations;
  sweeps.margins = options.margins;
  SweepBudget budget(tolerance);
  const double cost = sweep_cost<Dim>(packed_) + kVisit * general_blocks_ + kOperation * sweep_operations_;
  // A solver that factorises builds its problem of all blocks, and iterates on it.
  const double meet = std::max(1.0, mean_neighbours(system_, ends_of_part_) / kNeighbours);
  const double worth = kDirectBlock * meet * meet * blocks() / std::max(cost, 1.0);
  if (options.solver == SolverKind::automatic && !options.margins && may_factorise())
    sweeps.give_up = [&](std::int64_t k, double residual) {
      budget.look(k, residual);
      return k >= SweepBudget::kFirst && budget.is_spent(worth);
    };
  packed_.bodies = packed_free_;
  const VelocityReport report = velocity_sweeps.solve(sweeps, packed_, &general_);
  general_.store(system_.r);
  solution.converged = report.status == SolveStatus::converged;
  if (!solution.converged) solution.reason = std::string("nlgs ended with status ") + name(report.status);
  solution.residual = report.residual;
  if (report.residual.worst >= 0) solution.residual.worst = packed_place_[report.residual.worst];
  solution.residual.rms = report.residual.rms * std::sqrt(swept / std::max(1, blocks()));
  solution.iterations += report.sweeps;
  solution.contact_updates += report.contact_updates;
  solution.unsolved = report.unsolved;
}

template <int Dim>
void MixedGroup<Dim>::choose_joints() {
  const GeneralCost tight = general_.cost(system_, *elimination_, Joints::tight);
  const GeneralCost loose = general_.cost(system_, *elimination_, Joints::loose);
  const bool is_cheap = tight.build + kLooseSweeps / 3 * tight.sweep <= kSmall + kLooseSweeps * loose.sweep;
  joints_ = is_cheap && tight.numbers <= kMostNumbers ? Joints::tight : Joints::loose;
  sweep_operations_ = joints_ == Joints::tight ? tight.sweep : loose.sweep;
}

template <int Dim>
bool MixedGroup<Dim>::prepare(const GroupSolverOptions& options, const VelocityProblem<Dim>& problem,
                              const Coupling<Dim>& coupling) {
  tolerance_ = options.tolerance;
  if (options.of_free_velocity)
    tolerance_ = std::max({options.tolerance * rms_of_free_velocity(), round_off_of_free_velocity(),
                           std::numeric_limits<double>::min()});
  if (!eliminate(tolerance_)) return false;
  free_held(options, problem, coupling);
  return true;
}

template <int Dim>
PartSolution MixedGroup<Dim>::solve(const GroupSolverOptions& options, VelocitySweeps<Dim>& velocity_sweeps) {
  PartSolution solution;
  solution.mass = system_.mass;
  const double tolerance = solution.tolerance = tolerance_, count = std::max(1, blocks());
  const bool has_others = general_blocks_ > 0 || !packed_.contacts.empty();
  if (has_others) {
    choose_joints();
    packed_free_ = packed_.bodies;
  }
  for (LoadLimits::Limit& limit : limits_.all()) system_.blocks[limit.block].set.radius = limit.radius;
  if (has_others) general_.build(system_, *elimination_, joints_, reduced_);
  for (int solves = 1;; ++solves) {
    solution.converged = true;
    solution.residual = {};
    if (has_others) sweep(options, limits_.empty() ? tolerance : 0.5 * tolerance, velocity_sweeps, solution);
    const Squares squares = finish(1e-12 * tolerance * tolerance * count);
    double sum = solution.residual.rms * solution.residual.rms * count + squares.bilateral;
    if (!limits_.empty()) {
      for (LoadLimits::Limit& limit : limits_.all())
        system_.blocks[limit.block].set.radius = LoadLimits::update(load_of(limit.of), limit);
      sum += std::max(0.0, others_square() - squares.others);
    }
    solution.residual.rms = std::sqrt(sum / count);
    solution.residual.max = std::max(solution.residual.max, std::sqrt(squares.bilateral));
    const bool holds = options.margins ? solution.converged : solution.residual.rms <= tolerance;
    solution.converged = holds;
    if (holds) solution.reason.clear();
    if (holds || limits_.empty()) break;
    if (!solution.reason.empty() && solves > 1) break;
    if (solves == LoadLimits::kMostSolves) {
      solution.reason = kUnsettledLimit;
      break;
    }
    for (LoadLimits::Limit& limit : limits_.all()) system_.blocks[limit.block].set.radius = limit.radius;
    general_.renew(system_);
  }
  return solution;
}

// Members of one file of two: the other names the class.
template double MixedGroup<2>::rms_of_free_velocity() const;
template double MixedGroup<3>::rms_of_free_velocity() const;
template double MixedGroup<2>::round_off_of_free_velocity() const;
template double MixedGroup<3>::round_off_of_free_velocity() const;
template bool MixedGroup<2>::eliminate(double);
template bool MixedGroup<3>::eliminate(double);
template void MixedGroup<2>::choose_joints();
template void MixedGroup<3>::choose_joints();
template double MixedGroup<2>::load_of(int) const;
template double MixedGroup<3>::load_of(int) const;
template MixedGroup<2>::Squares MixedGroup<2>::finish(double);
template MixedGroup<3>::Squares MixedGroup<3>::finish(double);
template double MixedGroup<2>::residual_square(const BlockSystem::Block&) const;
template double MixedGroup<3>::residual_square(const BlockSystem::Block&) const;
template double MixedGroup<2>::others_square() const;
template double MixedGroup<3>::others_square() const;
template void MixedGroup<2>::sweep(const GroupSolverOptions&, double, VelocitySweeps<2>&, PartSolution&);
template void MixedGroup<3>::sweep(const GroupSolverOptions&, double, VelocitySweeps<3>&, PartSolution&);
template bool MixedGroup<2>::prepare(const GroupSolverOptions&, const VelocityProblem<2>&,
                                     const Coupling<2>&);
template bool MixedGroup<3>::prepare(const GroupSolverOptions&, const VelocityProblem<3>&,
                                     const Coupling<3>&);
template PartSolution MixedGroup<2>::solve(const GroupSolverOptions&, VelocitySweeps<2>&);
template PartSolution MixedGroup<3>::solve(const GroupSolverOptions&, VelocitySweeps<3>&);

}  // namespace saltus
