// Balls whose radius follows the load of another block (TiedBlock::limit_of), within a step: the problem is solved
// again with other radii until each agrees with the load at the solution.
//
// radius = offset + factor |r of the other|. Each radius goes to what its load asks for, or, once two solves have
// shown how the load answers, along the secant.
#pragma once

#include <vector>

namespace saltus {

inline constexpr const char* kUnsettledLimit =
    "a bound that follows a load (friction of a joint) does not settle";

class LoadLimits {
 public:
  static constexpr int kMostSolves = 50;

  struct Limit {
    int block, of;  // in the numbering of the solver
    double factor, offset;
    double radius;  // of the next solve
    double last_radius, last_lack;
    int solves;
  };

  void clear() { limits_.clear(); }
  // `load`: |r| of block `of` in the warm start.
  void add(int block, int of, double factor, double offset, double load);
  bool empty() const { return limits_.empty(); }
  std::vector<Limit>& all() { return limits_; }

  // After a solve that has left `load`: what the radius should have been. The next one is chosen.
  static double update(double load, Limit& limit);

 private:
  std::vector<Limit> limits_;
};

}  // namespace saltus
