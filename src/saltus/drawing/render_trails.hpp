// Paths of bodies behind them: where their centres were in the frames before.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "saltus/drawing/render_canvas.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

inline constexpr Colour kTrail{0.80, 0.47, 0.10};

template <int Dim>
class Trails {
 public:
  // `length` in s; `names`: of bodies, none: all that are not held, at most 1000. Throws InputError.
  Trails(const TrajectoryReader<Dim>& reader, double length, const std::vector<std::string>& names);

  struct Point {
    Vec<Dim> place;
    double age = 0;  // 0: now, 1: as old as a trail gets
  };
  // Of each body the path that ends at this frame, newest first. A path ends where a body jumps over a period.
  std::vector<std::vector<Point>> paths(std::int64_t frame);

  std::string legend() const;

 private:
  const std::map<BodyId, Vec<Dim>>& places(std::int64_t frame);
  bool is_wanted(const FrameBody<Dim>& body) const;

  const TrajectoryReader<Dim>& reader_;
  double length_;
  std::vector<int> wanted_;                                    // indices in the scene; empty: all
  std::map<std::int64_t, std::map<BodyId, Vec<Dim>>> places_;  // of the frames that were needed
};

extern template class Trails<2>;
extern template class Trails<3>;

}  // namespace saltus
