// How far, and by which local problem, the next sweep goes: Nesterov's extrapolation with a limit, in stages.
//
// The coefficient is k/(k+3) up to the limit of the stage, k counted from the last time a sweep turned
// against its push (O'Donoghue and Candes 2015, gradient restart). Exact sweeps come first, the first few
// without a push: far from the solution they are ahead of the convex ones by a third. Problems of few
// contacts keep to the exact stages as long as these help: they are cheap, and where impulses are not unique
// (a disk that just fits between two walls) exact sweeps add no squeeze, which the late term of the convex
// problem can.
//
// Contacts of spheres stay with Coulomb's law but go half of each normal step, later a quarter: the bounds of
// friction follow more slowly than the impulses below them, and the pushed iteration does not run away. Where
// piles collapse it ends a third below the convex one, and a sweep costs less, as it needs no frozen
// velocities. Windows of these stages are four times as long.
//
// The limit of 0.87 is measured: on settling piles of 1000 spheres (mu 0.5) limits of 0.8 to 0.9 need a third
// of the sweeps of restarts alone, and 0.93 or more cycles instead of converging, because De Saxce's term is
// not part of the potential. The stronger the friction, the more of that term: with mu 1.2 a limit of 0.7
// ends two to three times below plain sweeps on lattices of balls, and 0.87 above them; likewise 0.5 and 0.8
// for the exact sweeps that come first. Where a window of sweeps gains too little, the next stage gets its
// turn, and after all of them windows are twice as long. Plain sweeps are one of the stages; one lets De
// Saxce's term follow by a fifth of the way per sweep: it is slower, but solves problems on which all others
// cycle (one step in 300 of the same piles).
#pragma once

#include <algorithm>
#include <limits>

namespace saltus {

class Extrapolation {
 public:
  // Whether the kernel solves the convex problem, and whether it can go a part of a normal step.
  Extrapolation(bool has_convex, bool has_normal_part, int contacts, double largest_mu)
      : first_(!has_convex       ? kFirstExact
               : has_normal_part ? 0
                                 : kFirstConvex),
        opening_{true, largest_mu < kStrongFriction ? 0.8 : 0.5, 1, 1},
        stage_(!has_convex || contacts < kManyContacts ? kFirstExact
               : largest_mu < kStrongFriction          ? first_
                                                       : kFirstConvex + 1) {}

  double coefficient() const {
    if (sweeps_ < kPlainSweeps) return 0;
    return std::min(stage().limit, since_restart_ / (since_restart_ + 3.0));
  }
  bool exact() const { return stage().exact; }
  double follow() const { return stage().follow; }
  double normal() const { return stage().normal; }

  // After a sweep: along is its product with the push before it, residual that of the iterate it started
  // from.
  void update(double along, double residual) {
    ++sweeps_;
    since_restart_ = along >= 0 ? since_restart_ + 1 : 0;
    best_ = std::min(best_, residual);
    if (sweeps_ <= kOpeningSweeps || ++in_window_ < window()) return;
    if (best_ > kGain * best_before_) next_stage();
    best_before_ = best_;
    in_window_ = 0;
  }

 private:
  struct Stage {
    bool exact;
    double limit, follow, normal;
  };
  static constexpr Stage kStages[] = {{true, 0.87, 1, 0.5}, {true, 0.9, 1, 0.25},  {false, 0.87, 1, 1},
                                      {false, 0.7, 1, 1},   {false, 0.84, 0.2, 1}, {true, 1, 1, 1},
                                      {true, 0, 1, 1}};
  static constexpr int kAllStages = 7, kFirstConvex = 2, kFirstExact = 5;
  static constexpr int kPlainSweeps = 6, kOpeningSweeps = 40, kManyContacts = 200, kFirstWindow = 192;
  static constexpr double kStrongFriction = 1;
  static constexpr double kGain = 0.75;  // a window must bring the best residual below this part of it

  const Stage& stage() const {
    return sweeps_ < kOpeningSweeps && stage_ < kFirstExact ? opening_ : kStages[stage_];
  }
  int window() const { return stage_ < kFirstConvex ? 4 * window_ : window_; }
  void next_stage() {
    since_restart_ = 0;
    if (++turns_ % (kAllStages - first_) == 0) window_ *= 2;
    if (++stage_ == kAllStages) stage_ = first_;
  }

  int first_;  // of the stages that this kernel has
  Stage opening_;
  int stage_, turns_ = 0;
  int sweeps_ = 0, since_restart_ = 0, in_window_ = 0, window_ = kFirstWindow;
  double best_ = std::numeric_limits<double>::infinity(), best_before_ = best_;
};

}  // namespace saltus
