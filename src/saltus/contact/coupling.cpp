#include "saltus/contact/coupling.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace saltus {

template <int Dim>
void Coupling<Dim>::clear_blocks() {
  most_ = std::max(most_, blocks.size());
  for (; !blocks.empty(); blocks.pop_back()) spare_.push_back(std::move(blocks.back()));
  if (spare_.size() > most_) spare_.erase(spare_.begin(), spare_.end() - static_cast<std::ptrdiff_t>(most_));
}

template <int Dim>
TiedBlock& Coupling<Dim>::add_block() {
  if (spare_.empty()) return blocks.emplace_back();
  TiedBlock& block = blocks.emplace_back(std::move(spare_.back()));
  spare_.pop_back();
  for (TiedEnd& end : block.ends) {
    end.slot = end.system = -1;
    end.dofs.clear();
  }
  block.limit_of = -1;
  block.mu = 0;
  return block;
}

template <int Dim>
void Coupling<Dim>::index(int slots) {
  follower_of.assign(followers.empty() ? 0 : slots, -1);
  follows.assign(followers.empty() ? 0 : slots, -1);
  for (std::size_t i = 0; i < followers.size(); ++i) {
    follower_of[followers[i].slot] = static_cast<int>(i);
    follows[followers[i].slot] = followers[i].system;
  }
  nodes.clear();
  node_begin.assign(1, 0);
  for (const TiedBlock& block : blocks) {
    add_nodes(slots, block);
    if (block.limit_of >= 0) add_nodes(slots, blocks[block.limit_of]);
    node_begin.push_back(static_cast<int>(nodes.size()));
  }
}

template <int Dim>
void Coupling<Dim>::add_nodes(int slots, const TiedBlock& block) {
  for (const TiedEnd& end : block.ends) {
    if (end.system >= 0) nodes.push_back(slots + end.system);
    if (end.slot >= 0)
      nodes.push_back(follows.empty() || follows[end.slot] < 0 ? end.slot : slots + follows[end.slot]);
  }
}

template struct Coupling<2>;
template struct Coupling<3>;

}  // namespace saltus
