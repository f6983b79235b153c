// Pairs of bodies that may come into contact, kept as long as bodies stay near where they were.
//
// Boxes of bodies are made wider than asked for (`kSkin` of their size): while every body stays in its wide
// box the list of pairs stays good, and scenes at rest pay nothing for the broad phase. Walls have no
// box: a wall that does not move is paired with the bodies whose wide box comes near it, one that moves with
// all bodies. In space facets of two deformable bodies are pairs too, for their edges.
#pragma once

#include <span>
#include <vector>

#include "saltus/collision/broad_phase.hpp"
#include "saltus/collision/narrow_phase.hpp"
#include "saltus/collision/pair_filter.hpp"

namespace saltus {

template <int Dim>
class Candidates {
 public:
  struct Body {
    Collider<Dim> collider;
    BodyFlags flags;
    bool present = false;
  };

  // Body i may touch what is within reach[i] of it, on its side of a pair. In a periodic cell no body looks
  // further than a period. Throws InputError when a body is as wide as the period, std::domain_error when a
  // position is not finite.
  const std::vector<BodyPair<Dim>>& update(std::span<const Body> bodies, std::span<const Pose<Dim>> poses,
                                           std::span<const double> reach, const Vec<Dim>& period,
                                           const PairFilter& filter);

  // Whether the boxes of two bodies, each with its reach, are apart now: they do not touch. Balls are not
  // asked: their distance is no more work.
  bool are_apart(const BodyPair<Dim>& pair, const Vec<Dim>& period) const;

  // Call when bodies, flags, the filter or the period have changed.
  void invalidate() { valid_ = false; }
  long rebuilds() const { return rebuilds_; }

 private:
  bool still_good(std::span<const Body> bodies, std::span<const Pose<Dim>> poses,
                  std::span<const double> reach, const Vec<Dim>& period);
  void rebuild(std::span<const Body> bodies, std::span<const Pose<Dim>> poses, std::span<const double> reach,
               const Vec<Dim>& period, const PairFilter& filter);
  void add_wall_pairs(std::span<const Body> bodies, std::span<const Pose<Dim>> poses);
  void sort_pairs(std::size_t bodies);

  struct WallState {
    int body;
    bool moves;
    Pose<Dim> pose;
  };
  bool valid_ = false;
  long rebuilds_ = 0;
  BroadPhase<Dim> broad_phase_;
  std::vector<Bounds<Dim>> boxes_;  // wide ones
  std::vector<Bounds<Dim>> close_;  // as of the last update, reach included; none where all bodies are balls
  std::vector<int> bounded_;
  std::vector<WallState> walls_, old_walls_;
  std::vector<double> wall_reach_;
  std::vector<BodyPair<Dim>> pairs_, sorted_;
  std::vector<int> first_;
};

}  // namespace saltus
