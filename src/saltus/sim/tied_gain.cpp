#include "saltus/sim/tied_gain.hpp"

#include <algorithm>

namespace saltus {

namespace {

bool holds_or_stops(const TiedBlock& block) {
  if (block.set.kind == SetKind::ball || block.limit_of >= 0) return false;
  return block.compliance.size() == 0 || block.compliance.cwiseAbs().maxCoeff() == 0;
}

template <int Dim>
void take_from_body(const TiedEnd& end, const Eigen::VectorXd& r, const TiedImpulses<Dim>& impulses) {
  for (int i = 0; i < Dim; ++i) impulses.force[end.slot][i] -= end.jacobian.row(i).dot(r);
  for (int i = 0; i < kSpins<Dim>; ++i) impulses.moment[end.slot][i] -= end.jacobian.row(Dim + i).dot(r);
}

// r . H^T v of one end, at the start of the step.
template <int Dim>
double start_work(const TiedEnd& end, const Eigen::VectorXd& r, const TiedImpulses<Dim>& impulses) {
  double work = 0;
  if (end.slot >= 0) {
    const BodyVelocity<Dim>& body = impulses.start[end.slot];
    for (int i = 0; i < Dim; ++i) work += end.jacobian.row(i).dot(r) * body.v[i];
    for (int i = 0; i < kSpins<Dim>; ++i) work += end.jacobian.row(Dim + i).dot(r) * body.w[i];
  } else if (end.system >= 0) {
    const Eigen::VectorXd& v = impulses.start_parts[end.system];
    for (std::size_t i = 0; i < end.dofs.size(); ++i)
      work += end.jacobian.row(static_cast<Eigen::Index>(i)).dot(r) * v[end.dofs[i]];
  }
  return work;
}

}  // namespace

template <int Dim>
int add_tied_energy(const Coupling<Dim>& coupling, std::span<const int> blocks, std::span<const int> bodies,
                    double mass, const TiedImpulses<Dim>& impulses, ContactEnergy& energy) {
  int best = -1;
  double most = energy.best;
  const auto follower_at = [&](int slot) {
    const bool is_any =
        slot < static_cast<int>(coupling.follower_of.size()) && coupling.follower_of[slot] >= 0;
    return is_any ? &coupling.followers[coupling.follower_of[slot]] : nullptr;
  };
  // Those of the group alone, some more than once: a scene of many bodies has many groups. Followers of one system come together.
  const auto each_system = [&](auto&& visit) {
    for (const int b : blocks)
      for (const TiedEnd& end : coupling.blocks[b].ends)
        if (end.system >= 0) visit(end.system);
    int last = -1;
    for (const int slot : bodies)
      if (const Follower<Dim>* follower = follower_at(slot); follower && follower->system != last)
        visit(last = follower->system);
  };
  each_system(
      [&](int s) { impulses.parts[s].setZero(static_cast<Eigen::Index>(coupling.systems[s].dofs.size())); });
  for (const int b : blocks) {
    const TiedBlock& block = coupling.blocks[b];
    if (!holds_or_stops(block)) {
      for (const TiedEnd& end : block.ends)
        if (end.slot >= 0) take_from_body<Dim>(end, block.r, impulses);
      continue;
    }
    const auto rows = std::min<Eigen::Index>(block.r.size(), 3);
    const double carried = block.r.head(rows).dot(block.rate.head(rows));
    double before = carried;
    for (const TiedEnd& end : block.ends) {
      before += start_work<Dim>(end, block.r, impulses);
      if (end.system >= 0)
        for (std::size_t i = 0; i < end.dofs.size(); ++i)
          impulses.parts[end.system][end.dofs[i]] +=
              end.jacobian.row(static_cast<Eigen::Index>(i)).dot(block.r);
    }
    // What holds does no work at the end, but for a drive or a correction, which may put energy in: not the law's doing.
    const bool holds = block.set.kind == SetKind::space;
    const double after =
        holds ? std::min(0.0, block.r.dot(block.u) + carried) : block.r.dot(block.u) + carried;
    const double size = block.r.norm();
    const double best_of_contacts = energy.best;
    const std::int64_t best_contact = energy.best_contact;
    energy.add(after, before, size + mass * (block.u + block.shift).norm(),
               size * (block.u.norm() + block.shift.norm()), -1);
    energy.best = best_of_contacts, energy.best_contact = best_contact;
    if (!holds && 0.5 * (after + before) > most) most = 0.5 * (after + before), best = b;
  }
  if (best < 0 && energy.best_contact < 0) return best;  // nothing gained: most groups end here
  for (const int slot : bodies) {                        // points of systems hand theirs on
    const Follower<Dim>* at = follower_at(slot);
    if (!at) continue;
    const Follower<Dim>& follower = *at;
    Eigen::Matrix<double, kDofs<Dim>, 1> all;
    all << impulses.force[slot], impulses.moment[slot];
    for (std::size_t i = 0; i < follower.dofs.size(); ++i)
      impulses.parts[follower.system][follower.dofs[i]] +=
          follower.placement.col(static_cast<Eigen::Index>(i)).dot(all);
    for (Eigen::Index i = 0; i < follower.stretch.cols(); ++i)
      impulses.parts[follower.system][follower.dofs[static_cast<std::size_t>(i)]] +=
          Eigen::Map<const Mat<Dim>>(follower.stretch.col(i).data())
              .cwiseProduct(impulses.dipole[slot])
              .sum();
  }
  each_system([&](int s) {
    Eigen::VectorXd& p = impulses.parts[s];
    for (Eigen::Index i = 0; i < p.size(); ++i)
      if (p[i] != 0) energy.self += p[i] * coupling.systems[s].inverse.col(i).dot(p);
    p.setZero();  // counted once
  });
  return best;
}

template int add_tied_energy<2>(const Coupling<2>&, std::span<const int>, std::span<const int>, double,
                                const TiedImpulses<2>&, ContactEnergy&);
template int add_tied_energy<3>(const Coupling<3>&, std::span<const int>, std::span<const int>, double,
                                const TiedImpulses<3>&, ContactEnergy&);

}  // namespace saltus
