#include "saltus/collision/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "saltus/base/input_error.hpp"
#include "saltus/base/large_buffer.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/collision/walls.hpp"

namespace saltus {

namespace {

// Added on each side of a box, relative to its width: wide boxes cost candidates, narrow ones rebuilds.
constexpr double kSkin = 1.0 / 12;
// Bodies narrower than this, of the widest, are points: of surfaces of deformable bodies, which move with facets beside them. A skin of
// their own size would be torn in every step.
constexpr double kPoint = 1e-5;

template <int Dim>
double width_of(const Bounds<Dim>& box) {
  return (box.high - box.low).maxCoeff();
}

template <int Dim>
bool same(const Pose<Dim>& p, const Pose<Dim>& q) {
  return p.position == q.position && p.rotation() == q.rotation();
}

template <int Dim>
auto order(const BodyPair<Dim>& p) {
  std::array<int, 2 + Dim> key{p.a, p.b};
  for (int k = 0; k < Dim; ++k) key[2 + k] = p.image(k);
  return key;
}

// In a cell a body may be so fast that it could meet any other by way of many images: one period is as far as
// it looks. Such a body crosses more than its size in the step, and whoever steps tells that contacts may be
// missed.
template <int Dim>
double limited_reach(double reach, const Vec<Dim>& period) {
  for (int k = 0; k < Dim; ++k)
    if (period(k) > 0) reach = std::min(reach, period(k));
  return reach;
}

// In space the edges of facets of two deformable bodies may cross: asked as of a point of one and a facet of the other.
template <int Dim>
bool may_cross(const PairFilter& filter, int a, const BodyFlags& flags_a, int b, BodyFlags flags_b) {
  if (Dim == 2 || flags_a.part != SurfacePart::facet || flags_b.part != SurfacePart::facet) return false;
  flags_b.part = SurfacePart::point;
  return flags_a.owner != flags_b.owner && filter.may_touch(a, flags_a, b, flags_b);
}

}  // namespace

template <int Dim>
bool Candidates<Dim>::still_good(std::span<const Body> bodies, std::span<const Pose<Dim>> poses,
                                 std::span<const double> reach, const Vec<Dim>& period) {
  bool good = valid_;
  for (WallState& wall : walls_) {
    if (!valid_) continue;
    // The rebuild tells of a wall that is lost.
    if (!poses[wall.body].position.allFinite()) good = false;
    if (wall.moves) continue;
    // Once a wall has moved it is taken to go on: its pairs are all bodies from now on.
    if (same(wall.pose, poses[wall.body]) && reach[wall.body] <= wall_reach_[wall.body]) continue;
    wall.moves = true;
    good = false;
  }
  if (!good) return false;
  constexpr std::int64_t kGrain = 1024;
  return parallel_reduce(
      static_cast<std::int64_t>(bounded_.size()), kGrain, true,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k) {
          const int body = bounded_[k];
          Bounds<Dim> box = bodies[body].collider.bounds(poses[body]);
          box.inflate(limited_reach<Dim>(reach[body], period));
          if (!boxes_[body].contains(box)) return false;
          if (!close_.empty()) close_[body] = box;
        }
        return true;
      },
      [](bool p, bool q) { return p && q; });
}

template <int Dim>
bool Candidates<Dim>::are_apart(const BodyPair<Dim>& pair, const Vec<Dim>& period) const {
  // A wall's box is that of no point, which overlaps nothing.
  const auto is_wall = [](const Bounds<Dim>& box) { return box.low[0] > box.high[0]; };
  if (close_.empty() || is_wall(close_[pair.a]) || is_wall(close_[pair.b])) return false;
  Bounds<Dim> b = close_[pair.b];
  const Vec<Dim> offset = pair.image.template cast<double>().cwiseProduct(period);
  b.low += offset, b.high += offset;
  return !close_[pair.a].overlaps(b);
}

template <int Dim>
void Candidates<Dim>::add_wall_pairs(std::span<const Body> bodies, std::span<const Pose<Dim>> poses) {
  for (const WallState& wall : walls_) {
    for (const int body : bounded_) {
      const Vec<Dim> centre = (boxes_[body].low + boxes_[body].high) / 2;
      const double radius = (boxes_[body].high - boxes_[body].low).norm() / 2;
      const auto& shape = bodies[wall.body].collider.wall;
      const double clearance = wall_clearance<Dim>(shape, poses[wall.body], centre, radius);
      if (!wall.moves && clearance > wall_reach_[wall.body]) continue;
      pairs_.push_back({std::min(wall.body, body), std::max(wall.body, body), IntVec<Dim>::Zero()});
    }
  }
}

// By a with a counting sort, then the few pairs of each a among themselves.
template <int Dim>
void Candidates<Dim>::sort_pairs(std::size_t bodies) {
  first_.assign(bodies + 2, 0);
  for (const auto& p : pairs_) ++first_[p.a + 2];
  for (std::size_t k = 2; k < first_.size(); ++k) first_[k] += first_[k - 1];
  sorted_.resize(pairs_.size());
  for (const auto& p : pairs_) sorted_[first_[p.a + 1]++] = p;
  for (std::size_t a = 0; a < bodies; ++a) {
    std::sort(sorted_.begin() + first_[a], sorted_.begin() + first_[a + 1],
              [](const auto& p, const auto& q) { return order(p) < order(q); });
  }
  std::swap(pairs_, sorted_);
  release_if_large(sorted_);
}

template <int Dim>
void Candidates<Dim>::rebuild(std::span<const Body> bodies, std::span<const Pose<Dim>> poses,
                              std::span<const double> reach, const Vec<Dim>& period,
                              const PairFilter& filter) {
  ++rebuilds_;
  boxes_.resize(bodies.size());
  const auto is_ball = [](const Body& body) { return body.collider.is_ball || body.collider.unbounded; };
  close_.assign(std::all_of(bodies.begin(), bodies.end(), is_ball) ? 0 : bodies.size(), {});
  bounded_.clear();
  pairs_.clear();
  std::swap(walls_, old_walls_);
  walls_.clear();
  double widest = 0;
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    if (!bodies[i].present) continue;
    if (!poses[i].position.allFinite()) {
      throw std::domain_error(fmt::format("the position of body {} is not finite", i));
    }
    if (bodies[i].collider.unbounded) {
      const auto old =
          std::find_if(old_walls_.begin(), old_walls_.end(), [&](const auto& w) { return w.body == i; });
      walls_.push_back({i, old != old_walls_.end() && old->moves, poses[i]});
      continue;
    }
    boxes_[i] = bodies[i].collider.bounds(poses[i]);
    // It would meet its own image.
    for (int k = 0; k < Dim; ++k) {
      const double own = boxes_[i].high(k) - boxes_[i].low(k);
      if (!(period(k) > 0) || own < period(k)) continue;
      throw InputError({}, fmt::format("body {} is too wide for the period along axis {}", i, k),
                       fmt::format("{}", own), fmt::format("below {}", period(k)));
    }
    widest = std::max(widest, width_of(boxes_[i]));
    bounded_.push_back(i);
  }
  double narrowest = widest;  // of those that are no points
  for (const int i : bounded_)
    if (const double width = width_of(boxes_[i]); width > kPoint * widest)
      narrowest = std::min(narrowest, width);
  for (const int i : bounded_) {
    const double width = width_of(boxes_[i]);
    boxes_[i].inflate(limited_reach<Dim>(reach[i], period));
    if (!close_.empty()) close_[i] = boxes_[i];
    boxes_[i].inflate(kSkin * (width > kPoint * widest ? width : narrowest));
  }
  wall_reach_.assign(reach.begin(), reach.end());
  broad_phase_.find_pairs(boxes_, bounded_, period, pairs_);
  add_wall_pairs(bodies, poses);
  std::erase_if(pairs_, [&](const auto& p) {
    const BodyFlags &a = bodies[p.a].flags, &b = bodies[p.b].flags;
    return !filter.may_touch(p.a, a, p.b, b) && !may_cross<Dim>(filter, p.a, a, p.b, b);
  });
  sort_pairs(bodies.size());
  valid_ = true;
}

template <int Dim>
const std::vector<BodyPair<Dim>>& Candidates<Dim>::update(std::span<const Body> bodies,
                                                          std::span<const Pose<Dim>> poses,
                                                          std::span<const double> reach,
                                                          const Vec<Dim>& period, const PairFilter& filter) {
  if (!still_good(bodies, poses, reach, period)) rebuild(bodies, poses, reach, period, filter);
  return pairs_;
}

template class Candidates<2>;
template class Candidates<3>;

}  // namespace saltus
