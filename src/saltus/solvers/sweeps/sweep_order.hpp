// The order in which a sweep visits contacts: blocks of neighbours, coloured so that blocks of one colour
// share no body that moves and can be swept by different threads.
//
// Contacts are sorted along the Z-order curve (Morton 1966) of their points, which keeps a body's contacts
// together, and cut into blocks of kContactsPerBlock. Blocks take, in turn, the first colour that none
// of their bodies has met. Kernels that visit several contacts at once (sweep_packs.hpp) get those of a block
// in packs, which share no moving body within: 0.87 of the places are taken on settled spheres. Blocks of 256
// take 0.93, but bring neighbours farther apart: piles of 1000 spheres (12 seeds, 400 steps) then need 463
// sweeps per step instead of 374. The order is a function of the problem alone: with one thread or many,
// every contact sees the same velocities, so the answer has the same bits.
//
// Contacts that stay open are left out: no impulse so far, and a gap that closes only at a speed which
// neither body nor any that touches them has, free as they are. That is a guess: whoever solves looks at all
// contacts at the end, and takes them all when one of these has closed.
//
// A body that more blocks touch than there are colours (a wide plate) puts the rest of its blocks into
// colours of their own, one after the other.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

inline constexpr int kContactsPerBlock = 128;

// Keeps its buffers: after warm-up nothing is allocated.
class SweepOrder {
 public:
  static constexpr int kGround = -1;  // instead of a body that nothing can move
  static constexpr int kNone = -1;    // instead of a contact, where a pack is not full

  // `lanes`: contacts of a pack.
  enum class Open { leave_out, take };
  template <int Dim>
  void build(const VelocityProblem<Dim>& problem, Open open = Open::take, int lanes = 1);

  // Those left out, by their number in the problem.
  const std::vector<int>& open() const { return open_; }

  int contacts() const { return static_cast<int>(keys_.size()); }
  int places() const { return static_cast<int>(contact_.size()); }  // those of no contact included
  int blocks() const { return static_cast<int>(block_begin_.size()) - 1; }
  int colours() const { return static_cast<int>(colour_begin_.size()) - 1; }
  int contact(int place) const { return contact_[place]; }          // the one visited there, or kNone
  int block_begin(int block) const { return block_begin_[block]; }  // places of a block: up to the next's
  int colour_begin(int colour) const { return colour_begin_[colour]; }

  // Bodies that move and have a contact, in the order they are met.
  int bodies() const { return static_cast<int>(body_.size()); }
  int body(int place) const { return body_[place]; }
  int place_of_body(int body) const { return place_of_body_[body]; }  // or kGround

 private:
  template <int Dim>
  void find_open(const VelocityProblem<Dim>& problem);
  template <int Dim>
  void sort_contacts(const VelocityProblem<Dim>& problem);
  template <int Dim>
  void colour_blocks(const VelocityProblem<Dim>& problem);
  template <int Dim>
  void add_packs(const VelocityProblem<Dim>& problem, int begin, int end, int lanes);

  std::vector<std::pair<std::uint64_t, int>> keys_;
  std::vector<int> open_, contact_, block_begin_, colour_begin_, body_, place_of_body_;
  std::vector<int> colour_;                   // of each block, in Z-order
  std::vector<std::uint64_t> met_;            // colours, or packs, that each body has met, one bit each
  std::vector<int> next_, filled_;            // filled_: places taken of each pack of a block
  std::vector<double> speed_, speed_around_;  // of each body and of those that touch it
};

}  // namespace saltus
