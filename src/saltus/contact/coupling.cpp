#include "saltus/contact/coupling.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace saltus {

namespace {

// What was in use joins the spare ones, the first of it last: taken first again.
template <class T>
void put_aside(std::vector<T>& used, std::size_t& most, std::vector<T>& spare) {
  most = std::max(most, used.size());
  for (; !used.empty(); used.pop_back()) spare.push_back(std::move(used.back()));
  if (spare.size() > most) spare.erase(spare.begin(), spare.end() - static_cast<std::ptrdiff_t>(most));
}

template <class T>
T& take_spare(std::vector<T>& spare, std::vector<T>& used) {
  if (spare.empty()) return used.emplace_back();
  used.push_back(std::move(spare.back()));
  spare.pop_back();
  return used.back();
}

}  // namespace

template <int Dim>
void Coupling<Dim>::clear_blocks() {
  put_aside(blocks, most_, spare_);
}

template <int Dim>
void Coupling<Dim>::clear_followers() {
  put_aside(followers, most_followers_, spare_followers_);
}

template <int Dim>
Follower<Dim>& Coupling<Dim>::add_follower() {
  Follower<Dim>& follower = take_spare(spare_followers_, followers);
  follower.dofs.clear();
  return follower;
}

template <int Dim>
TiedBlock& Coupling<Dim>::add_block() {
  TiedBlock& block = take_spare(spare_, blocks);
  for (TiedEnd& end : block.ends) {
    end.slot = end.system = -1;
    end.dofs.clear();
  }
  block.limit_of = -1;
  block.origin = -1;
  block.row = 0;
  block.mu = 0;
  block.corrects = false;
  block.rate.setZero();
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
