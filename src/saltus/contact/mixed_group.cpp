#include "saltus/contact/mixed_group.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

// Columns: (v, w) that a unit of each row of u asks for; + for the second body, - for the first.
template <int Dim, int Rows>
Eigen::Matrix<double, Dim + kSpins<Dim>, Rows> jacobian_of(const SweepContact<Dim>& c, bool second) {
  Eigen::Matrix<double, Dim + kSpins<Dim>, Rows> J;
  J.setZero();
  const Mat<Dim> axes = c.axes();
  for (int i = 0; i < Dim; ++i) {
    const Vec<Dim> direction = axes.col(i);
    J.col(i).template head<Dim>() = direction;
    J.col(i).template tail<kSpins<Dim>>() = moment(second ? c.arm_b : c.arm_a, direction);
  }
  if constexpr (Rows > Dim) J.template bottomRightCorner<kSpins<Dim>, Dim - 1>() = rolling_axes(axes);
  if (!second) J = -J;
  return J;
}

template <int Dim>
void append_inverse_mass(const SweepBody<Dim>& body, std::vector<double>& inverse) {
  constexpr int kDofs = Dim + kSpins<Dim>;
  const std::size_t first = inverse.size();
  inverse.resize(first + kDofs * kDofs, 0.0);
  double* m = inverse.data() + first;
  for (int i = 0; i < Dim; ++i) m[i * kDofs + i] = body.inverse_mass[i];
  int at = 0;
  for (int i = 0; i < kSpins<Dim>; ++i)
    for (int j = i; j < kSpins<Dim>; ++j, ++at)
      m[(Dim + i) * kDofs + Dim + j] = m[(Dim + j) * kDofs + Dim + i] = body.inverse_inertia[at];
}

}  // namespace

template <int Dim>
void MixedGroup<Dim>::clear(const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling) {
  system_.clear();
  packed_.bodies.clear();
  packed_.contacts.clear();
  packed_.rolling = false;
  limits_.clear();
  held_contacts_.clear();
  held_tied_.clear();
  taken_off_.clear();
  for (const int slot : touched_slots_) slot_part_[slot] = slot_packed_[slot] = -1;
  touched_slots_.clear();
  if (slot_part_.size() < problem.bodies.size()) {
    slot_part_.resize(problem.bodies.size(), -1);
    slot_packed_.resize(problem.bodies.size(), -1);
  }
  for (const int system : part_system_)
    if (system >= 0) system_part_[system] = -1;
  system_part_.resize(std::max(system_part_.size(), coupling.systems.size()), -1);
  for (std::vector<int>* list :
       {&tied_, &contacts_, &packed_contact_, &packed_place_, &part_slot_, &part_system_, &packed_slot_})
    list->clear();
  turns_.clear();
}

template <int Dim>
int MixedGroup<Dim>::part_of_slot(int slot, const VelocityProblem<Dim>& problem) {
  if (slot_part_[slot] >= 0) return slot_part_[slot];
  const Body& body = problem.bodies[slot];
  slot_part_[slot] = static_cast<int>(system_.parts.size());
  touched_slots_.push_back(slot);
  system_.parts.push_back({kDofs, system_.free.size(), system_.inverse.size(), slot_packed_[slot]});
  system_.free.insert(system_.free.end(), std::begin(body.v), std::end(body.v));
  system_.free.insert(system_.free.end(), std::begin(body.w), std::end(body.w));
  append_inverse_mass<Dim>(body, system_.inverse);
  part_slot_.push_back(slot);
  part_system_.push_back(-1);
  return slot_part_[slot];
}

template <int Dim>
int MixedGroup<Dim>::part_of_system(int system, const Coupling<Dim>& coupling) {
  if (system_part_[system] >= 0) return system_part_[system];
  const SystemPart& from = coupling.systems[system];
  system_part_[system] = static_cast<int>(system_.parts.size());
  system_.parts.push_back(
      {static_cast<int>(from.velocity.size()), system_.free.size(), system_.inverse.size(), -1});
  system_.free.insert(system_.free.end(), from.velocity.begin(), from.velocity.end());
  system_.inverse.insert(system_.inverse.end(), from.inverse.data(),
                         from.inverse.data() + from.inverse.size());
  part_slot_.push_back(-1);
  part_system_.push_back(system);
  return system_part_[system];
}

template <int Dim>
template <class Jacobian>
void MixedGroup<Dim>::add_system_end(int system, std::span<const int> dofs, const Jacobian& jacobian,
                                     const Coupling<Dim>& coupling) {
  system_.ends.push_back({part_of_system(system, coupling), static_cast<int>(jacobian.rows()),
                          dofs.empty() ? -1 : static_cast<int>(system_.dofs.size()),
                          system_.jacobian.size()});
  system_.dofs.insert(system_.dofs.end(), dofs.begin(), dofs.end());
  for (Eigen::Index k = 0; k < jacobian.cols(); ++k)
    for (Eigen::Index i = 0; i < jacobian.rows(); ++i) system_.jacobian.push_back(jacobian(i, k));
}

// A follower's impulse goes to its system; what cannot move only adds its velocity. `arm`: of the point where the block acts.
template <int Dim>
template <class Jacobian>
void MixedGroup<Dim>::add_body_end(int slot, const Jacobian& jacobian, const Vec<Dim>& arm,
                                   const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling) {
  const int follower = coupling.follower_of.empty() ? -1 : coupling.follower_of[slot];
  if (follower >= 0) {
    const Follower<Dim>& point = coupling.followers[follower];
    const auto dofs = static_cast<int>(point.dofs.size());
    system_.ends.push_back({part_of_system(point.system, coupling), dofs,
                            static_cast<int>(system_.dofs.size()), system_.jacobian.size()});
    system_.dofs.insert(system_.dofs.end(), point.dofs.begin(), point.dofs.end());
    const std::size_t first = system_.jacobian.size();
    system_.jacobian.resize(first + static_cast<std::size_t>(jacobian.cols()) * point.dofs.size());
    double* out = system_.jacobian.data() + first;
    for (Eigen::Index k = 0; k < jacobian.cols(); ++k)
      for (int i = 0; i < dofs; ++i) *out++ = point.share_of(i, jacobian.col(k), arm);
    return;
  }
  const Body& body = problem.bodies[slot];
  if (is_immovable<Dim>(body)) {
    const std::size_t row = system_.ground.size() - static_cast<std::size_t>(jacobian.cols());
    for (Eigen::Index k = 0; k < jacobian.cols(); ++k)
      for (int i = 0; i < kDofs; ++i)
        system_.ground[row + k] += jacobian(i, k) * (i < Dim ? body.v[i] : body.w[i - Dim]);
    return;
  }
  system_.ends.push_back({part_of_slot(slot, problem), kDofs, -1, system_.jacobian.size()});
  for (Eigen::Index k = 0; k < jacobian.cols(); ++k)
    for (int i = 0; i < kDofs; ++i) system_.jacobian.push_back(jacobian(i, k));
}

template <int Dim>
BlockSystem::Block& MixedGroup<Dim>::open_block(const BlockSet& set) {
  BlockSystem::Block& block = system_.blocks.emplace_back();
  block.set = set;
  block.first_end = static_cast<int>(system_.ends.size());
  block.first_row = static_cast<int>(system_.r.size());
  const std::size_t rows = system_.r.size() + static_cast<std::size_t>(set.size);
  for (std::vector<double>* values :
       {&system_.ground, &system_.shift, &system_.compliance, &system_.unit, &system_.r})
    values->resize(rows, 0.0);
  turns_.resize(rows, 0);
  return block;
}

template <int Dim>
void MixedGroup<Dim>::add_tied(int tied, const VelocityProblem<Dim>& problem, const Coupling<Dim>& coupling) {
  const TiedBlock& from = coupling.blocks[tied];
  BlockSystem::Block& block = open_block(from.set);
  block.mu = from.mu;
  for (const TiedEnd& end : from.ends) {
    if (end.slot >= 0) add_body_end(end.slot, end.jacobian, Vec<Dim>::Zero(), problem, coupling);
    if (end.system >= 0) add_system_end(end.system, end.dofs, end.jacobian, coupling);
  }
  close_block(block);
  for (int k = 0; k < from.set.size; ++k) {
    const int row = block.first_row + k;
    system_.shift[row] = from.shift[k];
    system_.compliance[row] = from.compliance[k];
    system_.r[row] = from.r[k];
    turns_[row] = from.turns[k];
  }
  block_of_tied_[tied] = static_cast<int>(tied_.size());
  tied_.push_back(tied);
}

template <int Dim>
bool MixedGroup<Dim>::is_core(int slot, const Coupling<Dim>& coupling) const {
  return slot_part_[slot] >= 0 || (!coupling.follower_of.empty() && coupling.follower_of[slot] >= 0);
}

template <int Dim>
void MixedGroup<Dim>::pack_contacts(std::span<const int> contacts, const VelocityProblem<Dim>& problem,
                                    const Coupling<Dim>& coupling) {
  const auto place_of = [&](int slot) {
    int& place = slot_packed_[slot];
    if (place >= 0) return place;
    place = static_cast<int>(packed_.bodies.size());
    touched_slots_.push_back(slot);
    packed_.bodies.push_back(problem.bodies[slot]);
    packed_slot_.push_back(slot);
    return place;
  };
  for (std::size_t place = 0; place < contacts.size(); ++place) {
    const int i = contacts[place];
    const SweepContact<Dim>& from = problem.contacts[i];
    if (is_core(from.a, coupling) || is_core(from.b, coupling)) {
      contacts_.push_back(i);
      continue;
    }
    SweepContact<Dim>& c = packed_.contacts.emplace_back(from);
    c.a = place_of(from.a);
    c.b = place_of(from.b);
    packed_.rolling |= c.mu_r > 0;
    packed_contact_.push_back(i);
    packed_place_.push_back(static_cast<int>(place));
  }
}

template <int Dim>
void MixedGroup<Dim>::add_contact(int contact, const VelocityProblem<Dim>& problem,
                                  const Coupling<Dim>& coupling) {
  const SweepContact<Dim>& row = problem.contacts[contact];
  const int rows = row.mu_r > 0 ? 2 * Dim - 1 : Dim;
  BlockSystem::Block& block = open_block({SetKind::coulomb, rows, 0});
  block.mu = row.mu;
  block.mu_r = row.mu_r;
  if (rows == Dim) {
    add_body_end(row.a, jacobian_of<Dim, Dim>(row, false), row.arm_a, problem, coupling);
    add_body_end(row.b, jacobian_of<Dim, Dim>(row, true), row.arm_b, problem, coupling);
  } else {
    add_body_end(row.a, jacobian_of<Dim, 2 * Dim - 1>(row, false), row.arm_a, problem, coupling);
    add_body_end(row.b, jacobian_of<Dim, 2 * Dim - 1>(row, true), row.arm_b, problem, coupling);
  }
  close_block(block);
  const int first = block.first_row;
  for (int k = 0; k < Dim; ++k) {
    system_.shift[first + k] = row.shift[k];
    system_.compliance[first + k] = k == 0 ? row.compliance_normal : row.compliance_tangent;
    system_.r[first + k] = row.r[k];
  }
  for (int k = Dim; k < rows; ++k) {
    system_.shift[first + k] = row.shift_spin[k - Dim];
    system_.r[first + k] = row.moment[k - Dim];
    turns_[first + k] = 1;
  }
}

// Mean mass of the rigid bodies that move, and mean of their radii of gyration; without any, the mass that the
// first rows feel, and a metre.
template <int Dim>
void MixedGroup<Dim>::set_units() {
  double mass = 0, length = 0;
  int moving = 0, turning = 0;
  const auto add = [&](double inverse, double trace) {
    if (!(inverse > 0)) return;
    mass += 1 / inverse;
    ++moving;
    if (!(trace > 0)) return;
    length += std::sqrt(kSpins<Dim> * inverse / trace);
    ++turning;
  };
  for (std::size_t p = 0; p < system_.parts.size(); ++p) {
    if (part_slot_[p] < 0 || system_.parts[p].body >= 0) continue;
    double inverse = 0, trace = 0;
    for (int i = 0; i < Dim; ++i) inverse = std::max(inverse, system_.inverse_at(system_.parts[p], i, i));
    for (int i = Dim; i < kDofs; ++i) trace += system_.inverse_at(system_.parts[p], i, i);
    add(inverse, trace);
  }
  for (const Body& body : packed_.bodies) {
    const double* J = body.inverse_inertia;
    add(*std::max_element(std::begin(body.inverse_mass), std::end(body.inverse_mass)),
        Dim == 2 ? J[0] : J[0] + J[3] + J[5]);
  }
  if (moving == 0)
    for (const BlockSystem::Block& block : system_.blocks) {
      double mobility = 0;
      for (const BlockSystem::End& end : system_.ends_of(block))
        for (int i = 0; i < end.dofs; ++i) {
          const int dof = system_.dof(end, i);
          mobility += std::pow(system_.jacobian[end.jacobian + i], 2) *
                      system_.inverse_at(system_.parts[end.part], dof, dof);
        }
      if (mobility > 0) mass += 1 / mobility, ++moving;
    }
  system_.mass = packed_.mass = moving > 0 ? mass / moving : 1;
  system_.length = packed_.length = turning > 0 ? length / turning : 1;
  for (std::size_t row = 0; row < turns_.size(); ++row) system_.unit[row] = turns_[row] ? system_.length : 1;
}

// Blocks keep their numbers from step to step unless a stop opens or closes: then it is analysed again. The problems of one step
// (of positions, of velocities) may hold different rows of the same mechanism.
template <int Dim>
void MixedGroup<Dim>::choose_elimination(const Coupling<Dim>& coupling) {
  const bool is_tied = !tied_.empty() && coupling.blocks[tied_[0]].set.kind == SetKind::space;
  const std::size_t place = is_tied ? static_cast<std::size_t>(tied_[0]) + 1 : 0;
  if (eliminations_.size() <= place) eliminations_.resize(std::max(place, coupling.blocks.size()) + 1);
  constexpr std::size_t kKept = 3;  // a step of the alpha schemes has so many problems
  std::vector<std::unique_ptr<Elimination>>& kept = eliminations_[place];
  auto found =
      std::find_if(kept.begin(), kept.end(), [&](const auto& one) { return one->is_analysed(system_); });
  if (found == kept.end() && kept.size() == kKept) --found;
  if (found == kept.end()) found = kept.insert(found, std::make_unique<Elimination>());
  std::rotate(kept.begin(), found, found + 1);
  elimination_ = kept.front().get();
}

template <int Dim>
bool MixedGroup<Dim>::gather(int group, const ContactGroups<Dim>& groups, const VelocityProblem<Dim>& problem,
                             const Coupling<Dim>& coupling) {
  clear(problem, coupling);
  block_of_tied_.resize(coupling.blocks.size());
  // Bilateral blocks come first: what is known of them is kept as long as they stay the same.
  for (const bool bilateral : {true, false})
    for (const int tied : groups.blocks(group)) {
      block_of_tied_[tied] = bilateral ? -1 : block_of_tied_[tied];
      if ((coupling.blocks[tied].set.kind == SetKind::space) == bilateral) add_tied(tied, problem, coupling);
    }
  choose_elimination(coupling);
  pack_contacts(groups.contacts(group), problem, coupling);
  for (const int contact : contacts_) {
    if (problem.contacts[contact].viscous > 0) return false;
    add_contact(contact, problem, coupling);
  }
  set_units();
  general_blocks_ = 0;
  for (const BlockSystem::Block& block : system_.blocks) general_blocks_ += block.set.kind != SetKind::space;
  for (std::size_t i = 0; i < tied_.size(); ++i) {
    const TiedBlock& tied = coupling.blocks[tied_[i]];
    if (tied.limit_of >= 0)
      limits_.add(static_cast<int>(i), block_of_tied_[tied.limit_of], tied.limit_factor, tied.limit_offset,
                  coupling.blocks[tied.limit_of].r.norm());
  }
  return true;
}

template <int Dim>
void MixedGroup<Dim>::write_back(VelocityProblem<Dim>& problem, Coupling<Dim>& coupling) const {
  write_impulses(problem, coupling);
  for (std::size_t i = 0; i < packed_slot_.size(); ++i) {
    if (is_immovable<Dim>(packed_.bodies[i])) continue;
    static_cast<BodyVelocity<Dim>&>(problem.bodies[packed_slot_[i]]) = packed_.bodies[i];
  }
  for (std::size_t p = 0; p < system_.parts.size(); ++p) {
    const double* v = velocity_.data() + system_.parts[p].velocity;
    if (part_slot_[p] >= 0 && system_.parts[p].body < 0) {
      Body& body = problem.bodies[part_slot_[p]];
      std::copy_n(v, Dim, body.v);
      std::copy_n(v + Dim, kSpins<Dim>, body.w);
    }
    if (part_system_[p] >= 0)
      std::copy_n(v, system_.parts[p].size, coupling.systems[part_system_[p]].velocity.data());
  }
  for (const BlockSystem::Block& block : system_.blocks)
    for (const BlockSystem::End& end : system_.ends_of(block)) {
      if (part_system_[end.part] < 0) continue;
      Eigen::VectorXd& total = coupling.systems[part_system_[end.part]].impulse;
      const double* column = system_.jacobian.data() + end.jacobian;
      for (int k = 0; k < block.rows(); ++k, column += end.dofs)
        for (int i = 0; i < end.dofs; ++i)
          total[system_.dof(end, i)] += column[i] * system_.r[block.first_row + k];
    }
  for (std::size_t i = 0; i < tied_.size(); ++i) {
    const BlockSystem::Block& block = system_.blocks[i];
    TiedBlock& tied = coupling.blocks[tied_[i]];
    tied.set.radius = block.set.radius;
    tied.u.resize(block.rows());
    for (int k = 0; k < block.rows(); ++k) tied.u[k] = u_[block.first_row + k];
  }
}

template <int Dim>
void MixedGroup<Dim>::write_impulses(VelocityProblem<Dim>& problem, Coupling<Dim>& coupling) const {
  for (std::size_t i = 0; i < packed_contact_.size(); ++i) {
    SweepContact<Dim>& row = problem.contacts[packed_contact_[i]];
    row.r = packed_.contacts[i].r;
    row.p = packed_.contacts[i].p;
    row.moment = packed_.contacts[i].moment;
    row.residual = packed_.contacts[i].residual;
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BlockSystem::Block& block = system_.blocks[tied_.size() + i];
    SweepContact<Dim>& row = problem.contacts[contacts_[i]];
    for (int k = 0; k < Dim; ++k) row.r[k] = row.p[k] = system_.r[block.first_row + k];
    row.moment.setZero();
    for (int k = Dim; k < block.rows(); ++k) row.moment[k - Dim] = system_.r[block.first_row + k];
    row.residual = block.left_out ? 0 : static_cast<float>(std::sqrt(residual_square(block)));
  }
  for (std::size_t i = 0; i < tied_.size(); ++i) {
    const BlockSystem::Block& block = system_.blocks[i];
    TiedBlock& tied = coupling.blocks[tied_[i]];
    for (int k = 0; k < block.rows(); ++k) tied.r[k] = system_.r[block.first_row + k];
  }
}

template class MixedGroup<2>;
template class MixedGroup<3>;

}  // namespace saltus
