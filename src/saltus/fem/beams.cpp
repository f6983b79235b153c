#include "saltus/fem/beams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/rotation.hpp"
#include "saltus/math/dense_factor.hpp"

namespace saltus {

namespace {

Eigen::Vector3d in_three(const Eigen::Vector2d& x) { return {x[0], x[1], 0}; }
Eigen::Vector3d in_three(const Eigen::Vector3d& x) { return x; }

}  // namespace

template <int Dim>
Beams<Dim>::Beams(LineMesh<Dim> mesh, std::vector<BeamSection> sections, BeamOptions options)
    : mesh_(std::move(mesh)), sections_(std::move(sections)), options_(std::move(options)) {
  check_line_mesh(mesh_, options_.where);
  if (sections_.size() != mesh_.groups.size())
    throw InputError(options_.where, "sections of a mesh of lines", fmt::format("{}", sections_.size()),
                     fmt::format("{}, one for each group", mesh_.groups.size()));
  for (const BeamSection& section : sections_) check_section(section, turns(), Dim, options_.where);
  for (const auto& element : mesh_.elements) {
    const Eigen::Vector3d from = in_three(mesh_.nodes[element.nodes[0]]),
                          to = in_three(mesh_.nodes[element.nodes[1]]);
    const Eigen::Vector3d up = Dim == 2 ? Eigen::Vector3d::UnitZ().cross(to - from) : options_.up;
    elements_.push_back(build_beam_element(options_.kind, sections_[element.group], from, to, up));
  }
  force_ = tried_ = accepted_ = Eigen::VectorXd::Zero(degrees_of_freedom());
  build_pattern();
  if (!assemble(tried_, true)) throw InputError(options_.where, trouble_);
}

template <int Dim>
typename Beams<Dim>::Dofs Beams<Dim>::dofs_of(int element) const {
  Dofs dofs;
  dofs.fill(-1);
  for (int k = 0; k < 2; ++k) {
    const Eigen::Index first = static_cast<Eigen::Index>(stride()) * mesh_.elements[element].nodes[k];
    for (int i = 0; i < Dim; ++i) dofs[6 * k + i] = first + i;
    if (!turns()) continue;
    for (int i = 0; i < kTurns; ++i) dofs[6 * k + (Dim == 2 ? 5 : 3 + i)] = first + Dim + i;
  }
  return dofs;
}

template <int Dim>
void Beams<Dim>::build_pattern() {
  std::vector<Eigen::Triplet<double>> entries;
  for (int e = 0; e < static_cast<int>(elements_.size()); ++e) {
    const Dofs dofs = dofs_of(e);
    for (const Eigen::Index i : dofs)
      for (const Eigen::Index j : dofs)
        if (i >= 0 && j >= 0) entries.emplace_back(i, j, 0.0);
  }
  tangent_.resize(degrees_of_freedom(), degrees_of_freedom());
  tangent_.setFromTriplets(entries.begin(), entries.end());
  tangent_.makeCompressed();
  for (int e = 0; e < static_cast<int>(elements_.size()); ++e) {
    const Dofs dofs = dofs_of(e);
    for (const Eigen::Index j : dofs)
      for (const Eigen::Index i : dofs) {
        if (i < 0 || j < 0) continue;
        const int* first = tangent_.innerIndexPtr() + tangent_.outerIndexPtr()[j];
        const int* last = tangent_.innerIndexPtr() + tangent_.outerIndexPtr()[j + 1];
        place_.push_back(
            static_cast<int>(std::lower_bound(first, last, static_cast<int>(i)) - tangent_.innerIndexPtr()));
      }
  }
}

// Rotation of a node at q, and the part of it that is of this step.
template <int Dim>
Eigen::Quaterniond Beams<Dim>::turn_of(int node, const Eigen::VectorXd& q, Eigen::Vector3d& step) const {
  step.setZero();
  if (!turns()) return Eigen::Quaterniond::Identity();
  const Eigen::Index first = static_cast<Eigen::Index>(stride()) * node + Dim;
  if constexpr (Dim == 2) {
    return turn_by(Eigen::Vector3d(0, 0, q[first]));
  } else {
    const Eigen::Vector3d before = accepted_.segment<3>(first);
    step = q.segment<3>(first) - before;
    return turn_by(step) * turn_by(before);
  }
}

template <int Dim>
bool Beams<Dim>::evaluate_element(int e, const Eigen::VectorXd& q, bool with_tangent, BeamForces& forces,
                                  Eigen::Matrix<double, 12, 1>& force, Block& tangent) const {
  const auto& nodes = mesh_.elements[e].nodes;
  Eigen::Vector3d s = elements_[e].length * elements_[e].axes.col(0), step[2];
  for (int i = 0; i < Dim; ++i)
    s[i] += q[static_cast<Eigen::Index>(stride()) * nodes[1] + i] -
            q[static_cast<Eigen::Index>(stride()) * nodes[0] + i];
  const Eigen::Quaterniond first = turn_of(nodes[0], q, step[0]), second = turn_of(nodes[1], q, step[1]);
  if (!evaluate_beam(elements_[e], s, first, second, with_tangent, forces)) return false;
  force << -forces.force, forces.m1, forces.force, forces.m2;
  if (!with_tangent) return true;
  Eigen::Matrix<double, 9, 9> own = forces.tangent;
  for (int k = 0; k < 2; ++k)
    if (!step[k].isZero(0))
      own.middleCols<3>(3 + 3 * k) = (own.middleCols<3>(3 + 3 * k) * turn_rate(step[k])).eval();
  // s = x2 - x1.
  Eigen::Matrix<double, 9, 12> wide;
  wide << -own.leftCols<3>(), own.middleCols<3>(3), own.leftCols<3>(), own.rightCols<3>();
  tangent.topRows<3>() = -wide.topRows<3>();
  tangent.middleRows<3>(3) = wide.middleRows<3>(3);
  tangent.middleRows<3>(6) = wide.topRows<3>();
  tangent.bottomRows<3>() = wide.bottomRows<3>();
  return true;
}

template <int Dim>
bool Beams<Dim>::assemble(const Eigen::VectorXd& q, bool with_tangent) {
  force_.setZero();
  stored_ = 0;
  double* values = tangent_.valuePtr();
  if (with_tangent) std::fill(values, values + tangent_.nonZeros(), 0.0);
  BeamForces forces;
  Eigen::Matrix<double, 12, 1> own;
  Block block;
  std::size_t place = 0;
  for (int e = 0; e < static_cast<int>(elements_.size()); ++e) {
    if (!evaluate_element(e, q, with_tangent, forces, own, block)) {
      trouble_ = fmt::format(
          "element {} is shrunk to a point, or its ends are turned against each other by half a turn", e);
      return false;
    }
    stored_ += forces.stored;
    const Dofs dofs = dofs_of(e);
    for (int i = 0; i < 12; ++i)
      if (dofs[i] >= 0) force_[dofs[i]] += own[i];
    if (!with_tangent) continue;
    for (int j = 0; j < 12; ++j)
      for (int i = 0; i < 12; ++i)
        if (dofs[i] >= 0 && dofs[j] >= 0) values[place_[place++]] += block(i, j);
  }
  return true;
}

template <int Dim>
bool Beams<Dim>::evaluate(const Eigen::VectorXd& q, double, Want want) {
  tried_ = q;
  if (options_.large) return assemble(q, want.tangent);
  force_.setZero();  // the tangent is that of rest, made once
  for (int k = 0; k < tangent_.outerSize(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator it(tangent_, k); it; ++it)
      force_[it.row()] += it.value() * q[k];
  stored_ = 0.5 * q.dot(force_);
  return true;
}

// Strains are what is left of numbers of order 1 (axes, places over the length, angles), each of which round-off knows to an epsilon:
// stiffness makes forces of it, of EA epsilon in a beam that bends under much less.
template <int Dim>
double Beams<Dim>::round_off() const {
  constexpr double kRounded =
      10 * std::numeric_limits<double>::epsilon();  // operations from coordinates to strains
  double sum = 0;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    double moved = 0, turned = 0;
    for (const int node : mesh_.elements[e].nodes) {
      const auto own = tried_.segment(static_cast<Eigen::Index>(stride()) * node, stride());
      moved = std::max(moved, own.template head<Dim>().norm());
      if (turns()) turned = std::max(turned, own.template tail<kTurns>().norm());
    }
    const BeamElement& element = elements_[e];
    const double stiffness = element.normal_stiffness.maxCoeff() + std::abs(element.tension);
    const double pull = stiffness * (1 + turned + moved / element.length);
    const double moment =
        turns() ? element.length * pull + element.bending_stiffness.maxCoeff() / element.length * (1 + turned)
                : 0.0;
    sum += 2 * (pull * pull + moment * moment);
  }
  return kRounded * std::sqrt(sum);
}

template <int Dim>
void Beams<Dim>::accept() {
  if (Dim == 3 && turns() && options_.large) {
    Eigen::Vector3d step;
    for (int node = 0; node < static_cast<int>(mesh_.nodes.size()); ++node) {
      const Eigen::Vector3d turn = rotation_vector(turn_of(node, tried_, step));
      for (int k = 0; k < kTurns; ++k) tried_[static_cast<Eigen::Index>(stride()) * node + Dim + k] = turn[k];
    }
  }
  accepted_ = tried_;
}

template <int Dim>
void Beams<Dim>::name_accepted(Eigen::VectorXd& q) const {
  if (Dim == 2 || !turns() || !options_.large) return;
  for (Eigen::Index first = Dim; first < q.size(); first += stride())
    q.segment(first, kTurns) = accepted_.segment(first, kTurns);
}

template <int Dim>
std::span<const double> Beams<Dim>::internal_state() const {
  return {accepted_.data(), static_cast<std::size_t>(accepted_.size())};
}

template <int Dim>
void Beams<Dim>::set_internal_state(std::span<const double> state) {
  if (static_cast<Eigen::Index>(state.size()) != accepted_.size())
    throw InputError(options_.where, "size of the saved state of beams", fmt::format("{}", state.size()),
                     fmt::format("{}", accepted_.size()));
  std::copy(state.begin(), state.end(), accepted_.data());
}

template <int Dim>
Eigen::VectorXd Beams<Dim>::force_at_rest() const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(degrees_of_freedom());
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Eigen::Vector3d pull = elements_[e].tension * elements_[e].axes.col(0);
    for (int i = 0; i < Dim; ++i) {
      result[static_cast<Eigen::Index>(stride()) * mesh_.elements[e].nodes[0] + i] -= pull[i];
      result[static_cast<Eigen::Index>(stride()) * mesh_.elements[e].nodes[1] + i] += pull[i];
    }
  }
  return result;
}

template <int Dim>
BeamForces Beams<Dim>::section_forces(int e, const Eigen::VectorXd& q) const {
  BeamForces forces;
  Eigen::Matrix<double, 12, 1> force;
  Block tangent;
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(q.size());
  if (options_.large) {
    evaluate_element(e, q, false, forces, force, tangent);
    return forces;
  }
  evaluate_element(e, rest, true, forces, force, tangent);
  const Dofs dofs = dofs_of(e);
  Eigen::Matrix<double, 12, 1> own = Eigen::Matrix<double, 12, 1>::Zero();
  for (int i = 0; i < 12; ++i)
    if (dofs[i] >= 0) own[i] = q[dofs[i]];
  const Eigen::Matrix<double, 12, 1> change = tangent * own;
  forces.force += change.segment<3>(6);
  forces.m1 += change.segment<3>(3), forces.m2 += change.tail<3>();
  forces.stored = 0.5 * own.dot(change);
  forces.section_force = elements_[e].axes.transpose() * forces.force;
  forces.section_moment = elements_[e].axes.transpose() * (0.5 * (forces.m2 - forces.m1));
  forces.moment_change = elements_[e].axes.transpose() * (forces.m1 + forces.m2);
  return forces;
}

template <int Dim>
double Beams<Dim>::largest_rotation(const Eigen::VectorXd& q) const {
  double largest = 0;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const auto& nodes = mesh_.elements[e].nodes;
    Eigen::Vector3d s = elements_[e].length * elements_[e].axes.col(0);
    for (int i = 0; i < Dim; ++i)
      s[i] += q[Eigen::Index(stride()) * nodes[1] + i] - q[Eigen::Index(stride()) * nodes[0] + i];
    const Eigen::Vector3d local = elements_[e].axes.transpose() * s;
    largest = std::max(largest, std::atan2(std::hypot(local[1], local[2]), local[0]));
  }
  return largest;
}

template <int Dim>
double Beams<Dim>::critical_step(const Eigen::VectorXd& q, double) const {
  double fastest = 0;
  BeamForces forces;
  Eigen::Matrix<double, 12, 1> force;
  Block tangent;
  for (int e = 0; e < static_cast<int>(elements_.size()); ++e) {
    if (!evaluate_element(e, options_.large ? q : Eigen::VectorXd::Zero(q.size()).eval(), true, forces, force,
                          tangent))
      return 0;
    const Dofs dofs = dofs_of(e);
    const Block mass = element_mass(e, MassKind::lumped);
    std::vector<int> own;
    for (int i = 0; i < 12; ++i)
      if (dofs[i] >= 0) own.push_back(i);
    const auto size = static_cast<Eigen::Index>(own.size());
    Eigen::MatrixXd K(size, size), M(size, size);
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j < size; ++j)
        K(i, j) = 0.5 * (tangent(own[i], own[j]) + tangent(own[j], own[i])), M(i, j) = mass(own[i], own[j]);
    const Eigen::VectorXd modes = symmetric_eigenvalues(K, M);
    if (modes.size() != size) return 0;
    fastest = std::max(fastest, modes.maxCoeff());
  }
  return fastest > 0 ? 2 / std::sqrt(fastest) : 0;
}

template class Beams<2>;
template class Beams<3>;

}  // namespace saltus
