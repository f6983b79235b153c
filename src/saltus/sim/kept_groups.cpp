// A step that is solved again: connected groups that are settled keep their solution, so that none takes part in the turns of
// another and far bodies do not influence each other by a bit.
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

template <int Dim>
void Simulation<Dim>::Engine::open_none() {
  work.open_groups.assign(work.solver.groups().count(), 0);
}

template <int Dim>
void Simulation<Dim>::Engine::open_node(int node) {
  if (const int group = work.solver.groups().group_of_node(node); group >= 0) work.open_groups[group] = 1;
}

template <int Dim>
void Simulation<Dim>::Engine::open_slot(int slot) {
  if (slot < 0) return;
  const int follower = model.parts.followers.empty() ? -1 : model.parts.follower_of[state.bodies.id[slot]];
  open_node(follower < 0 ? slot : system_node(model.parts.followers[follower].system));
}

template <int Dim>
void Simulation<Dim>::Engine::open_contacts(std::span<const int> contacts) {
  for (const int i : contacts) {
    open_slot(state.contacts.contacts()[i].a);
    open_slot(state.contacts.contacts()[i].b);
  }
}

// What is of no group has nothing to keep.
template <int Dim>
void Simulation<Dim>::Engine::keep_others() {
  const ContactGroups<Dim>& groups = work.solver.groups();
  work.kept.assign(groups.nodes(), 0);
  for (int node = 0; node < groups.nodes(); ++node)
    if (const int group = groups.group_of_node(node); group >= 0) work.kept[node] = !work.open_groups[group];
}

template <int Dim>
void Simulation<Dim>::Engine::solve_again(StepReport& report) {
  const std::int64_t iterations = report.iterations, updates = report.contact_updates;
  report.status = StepStatus::converged;
  report.reason.clear();
  report.iterations = report.contact_updates = 0;
  start_systems();
  solve_contacts(report);
  report.iterations += iterations;
  report.contact_updates += updates;
}

// Solutions of blocks outlast that the blocks are made again.
template <int Dim>
void Simulation<Dim>::Engine::note_blocks() {
  work.parts.kept_blocks.clear();
  if (work.kept.empty()) return;
  for (const TiedBlock& block : work.parts.coupling.blocks)
    work.parts.kept_blocks.push_back({block.origin, block.row, block.set.radius, block.r, block.u});
}

template <int Dim>
void Simulation<Dim>::Engine::restore_blocks() {
  const std::vector<KeptBlock>& before = work.parts.kept_blocks;
  const auto is_kept = [&](const TiedBlock& block) {
    for (const TiedEnd& end : block.ends) {
      if (end.slot >= 0 && work.kept[end.slot]) return true;
      if (end.system >= 0 && work.kept[system_node(end.system)]) return true;
    }
    return false;
  };
  // Both in the order in which joints and gaps make them.
  auto from = before.begin();
  for (TiedBlock& block : work.parts.coupling.blocks) {
    if (work.kept.empty() || !is_kept(block)) continue;
    while (from != before.end() && (from->origin != block.origin || from->row != block.row)) ++from;
    if (from == before.end()) return;
    block.set.radius = from->radius;
    block.r = from->r;
    block.u = from->u;
  }
}

template void Simulation<2>::Engine::open_none();
template void Simulation<3>::Engine::open_none();
template void Simulation<2>::Engine::open_node(int);
template void Simulation<3>::Engine::open_node(int);
template void Simulation<2>::Engine::open_slot(int);
template void Simulation<3>::Engine::open_slot(int);
template void Simulation<2>::Engine::open_contacts(std::span<const int>);
template void Simulation<3>::Engine::open_contacts(std::span<const int>);
template void Simulation<2>::Engine::keep_others();
template void Simulation<3>::Engine::keep_others();
template void Simulation<2>::Engine::solve_again(StepReport&);
template void Simulation<3>::Engine::solve_again(StepReport&);
template void Simulation<2>::Engine::note_blocks();
template void Simulation<3>::Engine::note_blocks();
template void Simulation<2>::Engine::restore_blocks();
template void Simulation<3>::Engine::restore_blocks();

}  // namespace saltus
