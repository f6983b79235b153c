#include "saltus/contact/canonical.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <vector>

namespace saltus {

namespace {

constexpr int kLargest = 5;

template <int Dim>
using Jacobian = Eigen::Matrix<double, Dim + kSpins<Dim>, Eigen::Dynamic, 0, Dim + kSpins<Dim>, kLargest>;
template <int Dim>
using Mass = Eigen::Matrix<double, Dim + kSpins<Dim>, Dim + kSpins<Dim>>;

template <int Dim>
int block_of(const VelocityProblem<Dim>& problem) {
  return block_size(problem.cone(problem.rolling));
}

// Columns: velocity of the body (v, w) that a unit of each component of u asks for; sign + for b, - for a.
template <int Dim>
Jacobian<Dim> compute_jacobian(const SweepContact<Dim>& c, bool second, int block) {
  Jacobian<Dim> J = Jacobian<Dim>::Zero(Dim + kSpins<Dim>, block);
  const Vec<Dim>& arm = second ? c.arm_b : c.arm_a;
  const Mat<Dim> axes = c.axes();
  for (int i = 0; i < Dim; ++i) {
    const Vec<Dim> direction = axes.col(i);
    J.col(i).template head<Dim>() = direction;
    J.col(i).template tail<kSpins<Dim>>() = moment(arm, direction);
  }
  if (block > Dim) J.template bottomRightCorner<kSpins<Dim>, Dim - 1>() = rolling_axes(axes);
  return second ? J : Jacobian<Dim>(-J);
}

Inertia<2> unpack(const double* p, Inertia<2>) { return Inertia<2>(p[0]); }
Inertia<3> unpack(const double* p, Inertia<3>) {
  Inertia<3> m;
  m << p[0], p[1], p[2], p[1], p[3], p[4], p[2], p[4], p[5];
  return m;
}

template <int Dim>
Mass<Dim> inverse_mass(const SweepBody<Dim>& body) {
  Mass<Dim> m = Mass<Dim>::Zero();
  for (int i = 0; i < Dim; ++i) m(i, i) = body.inverse_mass[i];
  m.template bottomRightCorner<kSpins<Dim>, kSpins<Dim>>() = unpack(body.inverse_inertia, Inertia<Dim>());
  return m;
}

// Contacts of each body that can move.
struct Touching {
  std::vector<int> begin, contact;
};

template <int Dim>
bool can_move(const SweepBody<Dim>& body) {
  return !inverse_mass<Dim>(body).isZero(0);
}

template <int Dim>
Touching build_touching(const VelocityProblem<Dim>& problem) {
  Touching touching;
  touching.begin.assign(problem.bodies.size() + 1, 0);
  const auto each = [&](auto&& visit) {
    for (int c = 0; c < static_cast<int>(problem.contacts.size()); ++c)
      for (const int body : {problem.contacts[c].a, problem.contacts[c].b})
        if (can_move<Dim>(problem.bodies[body])) visit(body, c);
  };
  each([&](int body, int) { ++touching.begin[body + 1]; });
  for (std::size_t i = 1; i < touching.begin.size(); ++i) touching.begin[i] += touching.begin[i - 1];
  touching.contact.resize(touching.begin.back());
  std::vector<int> next(touching.begin.begin(), touching.begin.end() - 1);
  each([&](int body, int c) { touching.contact[next[body]++] = c; });
  return touching;
}

template <int Dim>
BlockMatrix build_pattern(const VelocityProblem<Dim>& problem, const Touching& touching) {
  BlockMatrix W;
  W.block = block_of(problem);
  W.rows = static_cast<int>(problem.contacts.size());
  W.row_begin.push_back(0);
  std::vector<int> row;
  for (int c = 0; c < W.rows; ++c) {
    row.assign(1, c);
    for (const int body : {problem.contacts[c].a, problem.contacts[c].b})
      row.insert(row.end(), touching.contact.begin() + touching.begin[body],
                 touching.contact.begin() + touching.begin[body + 1]);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    W.diagonal.push_back(
        static_cast<int>(W.column.size() + (std::lower_bound(row.begin(), row.end(), c) - row.begin())));
    W.column.insert(W.column.end(), row.begin(), row.end());
    W.row_begin.push_back(static_cast<int>(W.column.size()));
  }
  // Four spare numbers at the end: rows are read four at a time (math/block_matrix.hpp).
  W.value.assign(W.column.size() * W.block * W.block + 4, 0.0);
  return W;
}

template <int Dim>
Eigen::VectorXd unit_factors(const VelocityProblem<Dim>& problem, ProblemUnits units, bool of_impulse) {
  Eigen::VectorXd factor = Eigen::VectorXd::Ones(block_of(problem));
  if (units == ProblemUnits::physical) return factor;
  if (of_impulse) factor.setConstant(1 / problem.mass);
  factor.tail(factor.size() - Dim) *= of_impulse ? 1 / problem.length : problem.length;
  return factor;
}

template <int Dim>
Eigen::VectorXd compute_velocity(const VelocityProblem<Dim>& problem, const SweepContact<Dim>& c, int block) {
  Eigen::VectorXd u(block);
  u.head<Dim>() = relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], c) + c.shift;
  if (block > Dim)
    u.tail<Dim - 1>() =
        rolling_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], c.axes()) + c.shift_spin;
  return u;
}

template <int Dim>
bool is_viscous(const VelocityProblem<Dim>& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const SweepContact<Dim>& c) { return c.viscous > 0; });
}

// The viscous part -V (u_t + s_t) of the impulses, u + s = H^T v + w with s the shift it acts on, moved to
// the left of M v = H r + f.
void add_viscous_part(const Eigen::SparseMatrix<double>& H, const Eigen::VectorXd& V,
                      const Eigen::VectorXd& w, GlobalProblem& problem) {
  const Eigen::VectorXd root = V.cwiseSqrt();
  const Eigen::SparseMatrix<double> half = H * root.asDiagonal();
  problem.M += Eigen::SparseMatrix<double>(half * Eigen::SparseMatrix<double>(half.transpose()));
  problem.f -= H * V.cwiseProduct(w);
}

ContactProblem scaled(ContactProblem problem, const Eigen::VectorXd& velocity_unit,
                      const Eigen::VectorXd& impulse_unit, double length) {
  const int block = problem.W.block;
  for (int k = 0; k < static_cast<int>(problem.W.column.size()); ++k) {
    Eigen::Map<Eigen::MatrixXd> W(problem.W.block_at(k), block, block);
    W = (velocity_unit.asDiagonal() * W * impulse_unit.cwiseInverse().asDiagonal()).eval();
  }
  for (int c = 0; c < problem.contacts(); ++c)
    problem.b.segment(c * block, block).array() *= velocity_unit.array();
  problem.mu_r /= length;
  return problem;
}

template <int Dim>
void fill_blocks(const VelocityProblem<Dim>& problem, const Eigen::VectorXd& velocity_unit,
                 const Eigen::VectorXd& impulse_unit, BlockMatrix& W) {
  for (int c = 0; c < W.rows; ++c) {
    const SweepContact<Dim>& row = problem.contacts[c];
    for (int k = W.row_begin[c]; k < W.row_begin[c + 1]; ++k) {
      const SweepContact<Dim>& column = problem.contacts[W.column[k]];
      Eigen::Map<Eigen::MatrixXd> block(W.block_at(k), W.block, W.block);
      for (const bool row_second : {false, true})
        for (const bool column_second : {false, true}) {
          const int body = row_second ? row.b : row.a;
          if (body != (column_second ? column.b : column.a)) continue;
          // Lazy: products of small matrices, without the machinery of large ones.
          const Jacobian<Dim> J = compute_jacobian<Dim>(column, column_second, W.block);
          const Jacobian<Dim> moved = inverse_mass<Dim>(problem.bodies[body]).lazyProduct(J);
          block += compute_jacobian<Dim>(row, row_second, W.block).transpose().lazyProduct(moved);
        }
      if (W.column[k] == c) {
        block(0, 0) += row.compliance_normal;
        for (int i = 1; i < Dim; ++i) block(i, i) += row.compliance_tangent;
      }
      block = velocity_unit.asDiagonal() * block * impulse_unit.cwiseInverse().asDiagonal();
    }
  }
}

}  // namespace

template <int Dim>
Eigen::MatrixXd contact_jacobian(const SweepContact<Dim>& contact, bool second, int rows) {
  return compute_jacobian<Dim>(contact, second, rows);
}

template <int Dim>
Eigen::MatrixXd inverse_mass_matrix(const SweepBody<Dim>& body) {
  return inverse_mass<Dim>(body);
}

template Eigen::MatrixXd contact_jacobian<2>(const SweepContact<2>&, bool, int);
template Eigen::MatrixXd contact_jacobian<3>(const SweepContact<3>&, bool, int);
template Eigen::MatrixXd inverse_mass_matrix<2>(const SweepBody<2>&);
template Eigen::MatrixXd inverse_mass_matrix<3>(const SweepBody<3>&);

template <int Dim>
bool is_too_dense(const VelocityProblem<Dim>& problem) {
  constexpr std::size_t kRows = 6000;
  return problem.contacts.size() * static_cast<std::size_t>(block_of(problem)) > kRows && is_viscous(problem);
}

template <int Dim>
ContactProblem build_contact_problem(const VelocityProblem<Dim>& problem, ProblemUnits units) {
  const Eigen::VectorXd velocity_unit = unit_factors(problem, units, false);
  const Eigen::VectorXd impulse_unit = unit_factors(problem, units, true);
  if (is_viscous(problem))
    return scaled(condense(build_global_problem<Dim>(problem)), velocity_unit, impulse_unit,
                  units == ProblemUnits::scaled ? problem.length : 1.0);
  ContactProblem result;
  result.cone = problem.cone(problem.rolling);
  result.W = build_pattern(problem, build_touching(problem));
  const int block = result.W.block, count = result.W.rows;
  fill_blocks(problem, velocity_unit, impulse_unit, result.W);
  result.b.resize(block * count);
  result.mu.resize(count);
  if (problem.rolling) result.mu_r.resize(count);
  for (int c = 0; c < count; ++c) {
    const SweepContact<Dim>& row = problem.contacts[c];
    result.b.segment(c * block, block) = velocity_unit.cwiseProduct(compute_velocity(problem, row, block));
    result.mu[c] = row.mu;
    if (problem.rolling)
      result.mu_r[c] = units == ProblemUnits::scaled ? row.mu_r / problem.length : row.mu_r;
  }
  return result;
}

template <int Dim>
GlobalProblem build_global_problem(const VelocityProblem<Dim>& problem) {
  using Triplet = Eigen::Triplet<double>;
  constexpr int kBody = Dim + kSpins<Dim>;
  const int block = block_of(problem), count = static_cast<int>(problem.contacts.size());
  std::vector<Triplet> M, H, compliant;
  std::vector<double> f;
  Eigen::VectorXd viscous = Eigen::VectorXd::Zero(block * count), viscous_w = viscous;
  std::vector<std::array<int, kBody>> dof(problem.bodies.size());
  for (std::size_t s = 0; s < problem.bodies.size(); ++s) {
    const SweepBody<Dim>& body = problem.bodies[s];
    const Mass<Dim> inverse = inverse_mass<Dim>(body);
    Mass<Dim> filled = inverse;
    for (int i = 0; i < kBody; ++i) {
      dof[s][i] = inverse(i, i) > 0 ? static_cast<int>(f.size()) : -1;
      if (dof[s][i] >= 0)
        f.push_back(0);
      else
        filled(i, i) = 1;
    }
    Mass<Dim> mass = Mass<Dim>::Zero();
    for (int i = 0; i < Dim; ++i) mass(i, i) = 1 / filled(i, i);
    mass.template bottomRightCorner<kSpins<Dim>, kSpins<Dim>>() =
        filled.template bottomRightCorner<kSpins<Dim>, kSpins<Dim>>().inverse();
    for (int i = 0; i < kBody; ++i)
      for (int j = 0; j < kBody; ++j)
        if (dof[s][i] >= 0 && dof[s][j] >= 0 && mass(i, j) != 0) {
          M.emplace_back(dof[s][i], dof[s][j], mass(i, j));
          f[dof[s][i]] += mass(i, j) * (j < Dim ? body.v[j] : body.w[j - Dim]);
        }
  }
  GlobalProblem result;
  result.cone = problem.cone(problem.rolling);
  result.w.resize(block * count);
  result.mu.resize(count);
  if (problem.rolling) result.mu_r.resize(count);
  for (int c = 0; c < count; ++c) {
    const SweepContact<Dim>& row = problem.contacts[c];
    Eigen::VectorXd w = compute_velocity(problem, row, block);
    for (const bool second : {false, true}) {
      const int s = second ? row.b : row.a;
      const Jacobian<Dim> J = compute_jacobian<Dim>(row, second, block);
      for (int i = 0; i < kBody; ++i) {
        if (dof[s][i] < 0) continue;
        const SweepBody<Dim>& body = problem.bodies[s];
        w -= J.row(i).transpose() * (i < Dim ? body.v[i] : body.w[i - Dim]);
        for (int k = 0; k < block; ++k)
          if (J(i, k) != 0) H.emplace_back(dof[s][i], c * block + k, J(i, k));
      }
    }
    for (int k = 0; k < Dim; ++k) {
      const double compliance = k == 0 ? row.compliance_normal : row.compliance_tangent;
      if (compliance == 0) continue;
      M.emplace_back(static_cast<int>(f.size()), static_cast<int>(f.size()), 1 / compliance);
      compliant.emplace_back(static_cast<int>(f.size()), c * block + k, 1.0);
      f.push_back(0);
    }
    viscous.segment<Dim - 1>(c * block + 1).setConstant(row.viscous);
    result.w.segment(c * block, block) = w;
    viscous_w.segment(c * block, block) = w;
    viscous_w.segment<Dim>(c * block) -= row.shift - row.viscous_shift();
    result.mu[c] = row.mu;
    if (problem.rolling) result.mu_r[c] = row.mu_r;
  }
  const int dofs = static_cast<int>(f.size());
  result.M.resize(dofs, dofs);
  result.M.setFromTriplets(M.begin(), M.end());
  result.H.resize(dofs, block * count);
  result.H.setFromTriplets(H.begin(), H.end());
  result.G.resize(dofs, 0);
  result.f = Eigen::Map<const Eigen::VectorXd>(f.data(), dofs);
  result.c.resize(0);
  if (is_viscous(problem)) add_viscous_part(result.H, viscous, viscous_w, result);
  if (!compliant.empty()) {
    H.insert(H.end(), compliant.begin(), compliant.end());
    result.H.setFromTriplets(H.begin(), H.end());
  }
  return result;
}

template <int Dim>
Eigen::VectorXd read_impulses(const VelocityProblem<Dim>& problem, ProblemUnits units) {
  const Eigen::VectorXd unit = unit_factors(problem, units, true);
  const int block = block_of(problem);
  Eigen::VectorXd r(block * static_cast<int>(problem.contacts.size()));
  for (int c = 0; c < static_cast<int>(problem.contacts.size()); ++c) {
    r.segment<Dim>(c * block) = problem.contacts[c].r;
    if (block > Dim) r.segment<Dim - 1>(c * block + Dim) = problem.contacts[c].moment;
    r.segment(c * block, block).array() *= unit.array();
  }
  return r;
}

namespace {

// Velocities the viscous parts act on, with r given: where some contacts are viscous all of them are coupled.
template <int Dim>
Eigen::VectorXd compute_viscous_velocities(const VelocityProblem<Dim>& problem, const Eigen::VectorXd& r) {
  const GlobalProblem global = build_global_problem<Dim>(problem);
  Eigen::VectorXd u = global.H.transpose() * compute_global_solution(global, r).v + global.w;
  const int block = block_of(problem);
  for (int c = 0; c < static_cast<int>(problem.contacts.size()); ++c) {
    const SweepContact<Dim>& row = problem.contacts[c];
    u.segment<Dim>(c * block) -= row.shift - row.viscous_shift();
    u.segment<Dim - 1>(c * block + 1) -= row.compliance_tangent * r.segment<Dim - 1>(c * block + 1);
  }
  return u;
}

}  // namespace

template <int Dim>
void write_impulses(const Eigen::VectorXd& r, ProblemUnits units, VelocityProblem<Dim>& problem) {
  const Eigen::VectorXd unit = unit_factors(problem, units, true);
  const int block = block_of(problem);
  Eigen::VectorXd u;
  if (is_viscous(problem))
    u = compute_viscous_velocities(
        problem, r.cwiseQuotient(unit.replicate(static_cast<Eigen::Index>(problem.contacts.size()), 1)));
  for (int c = 0; c < static_cast<int>(problem.contacts.size()); ++c) {
    SweepContact<Dim>& row = problem.contacts[c];
    const Eigen::VectorXd own = r.segment(c * block, block).cwiseQuotient(unit);
    row.r = row.p = own.head<Dim>();
    if (row.viscous > 0) row.p.template tail<Dim - 1>() -= row.viscous * u.segment<Dim - 1>(c * block + 1);
    const Mat<Dim> axes = row.axes();
    const Vec<Dim> p = axes * row.p;
    Spin<Dim> turn_a = moment(row.arm_a, p), turn_b = moment(row.arm_b, p);
    if (block > Dim) {
      row.moment = own.tail<Dim - 1>();
      const Spin<Dim> roll = rolling_axes(axes) * row.moment;
      turn_a += roll;
      turn_b += roll;
    }
    add_impulse(problem.bodies[row.a], Vec<Dim>(-p), Spin<Dim>(-turn_a));
    add_impulse(problem.bodies[row.b], p, turn_b);
  }
}

template bool is_too_dense<2>(const VelocityProblem<2>&);
template bool is_too_dense<3>(const VelocityProblem<3>&);
template ContactProblem build_contact_problem<2>(const VelocityProblem<2>&, ProblemUnits);
template ContactProblem build_contact_problem<3>(const VelocityProblem<3>&, ProblemUnits);
template GlobalProblem build_global_problem<2>(const VelocityProblem<2>&);
template GlobalProblem build_global_problem<3>(const VelocityProblem<3>&);
template Eigen::VectorXd read_impulses<2>(const VelocityProblem<2>&, ProblemUnits);
template Eigen::VectorXd read_impulses<3>(const VelocityProblem<3>&, ProblemUnits);
template void write_impulses<2>(const Eigen::VectorXd&, ProblemUnits, VelocityProblem<2>&);
template void write_impulses<3>(const Eigen::VectorXd&, ProblemUnits, VelocityProblem<3>&);

}  // namespace saltus
