#include "saltus/contact/coupling.hpp"

namespace saltus {

template <int Dim>
void Coupling<Dim>::index(int slots) {
  follower_of.assign(followers.empty() ? 0 : slots, -1);
  follows.assign(followers.empty() ? 0 : slots, -1);
  for (std::size_t i = 0; i < followers.size(); ++i) {
    follower_of[followers[i].slot] = static_cast<int>(i);
    follows[followers[i].slot] = followers[i].system;
  }
  pairs.clear();
  for (const TiedBlock& block : blocks) {
    int nodes[2] = {-1, -1};
    for (int e = 0; e < 2; ++e) {
      const TiedEnd& end = block.ends[e];
      if (end.system >= 0) nodes[e] = slots + end.system;
      if (end.slot < 0) continue;
      nodes[e] = follows.empty() || follows[end.slot] < 0 ? end.slot : slots + follows[end.slot];
    }
    if (nodes[0] < 0) nodes[0] = nodes[1];
    if (nodes[1] < 0) nodes[1] = nodes[0];
    pairs.emplace_back(nodes[0], nodes[1]);
  }
}

template struct Coupling<2>;
template struct Coupling<3>;

}  // namespace saltus
