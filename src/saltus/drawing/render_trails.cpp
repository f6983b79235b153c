#include "saltus/drawing/render_trails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/render_chosen.hpp"

namespace saltus {

namespace {
constexpr std::size_t kMostTrails = 1000;
}

template <int Dim>
Trails<Dim>::Trails(const TrajectoryReader<Dim>& reader, double length, const std::vector<std::string>& names)
    : reader_(reader), length_(length) {
  for (const std::string& name : names)
    wanted_.push_back(find_named_body(name, reader.header().body_names, "--trails-of"));
}

template <int Dim>
bool Trails<Dim>::is_wanted(const FrameBody<Dim>& body) const {
  if (!body.pose.position.allFinite()) return false;
  if (wanted_.empty()) return !body.is_held() && !body.follows;
  return std::find(wanted_.begin(), wanted_.end(), body.scene_index) != wanted_.end();
}

template <int Dim>
const std::map<BodyId, Vec<Dim>>& Trails<Dim>::places(std::int64_t frame) {
  const auto known = places_.find(frame);
  if (known != places_.end()) return known->second;
  std::map<BodyId, Vec<Dim>>& found = places_[frame];
  for (const FrameBody<Dim>& body : reader_.frame(frame).bodies)
    if (is_wanted(body)) found[body.id] = body.pose.position;
  if (wanted_.empty() && found.size() > kMostTrails)
    throw InputError("--trails", "paths of all bodies hide each other",
                     fmt::format("{} bodies", found.size()),
                     fmt::format("up to {}, or --trails-of NAME...", kMostTrails));
  return found;
}

template <int Dim>
std::vector<std::vector<typename Trails<Dim>::Point>> Trails<Dim>::paths(std::int64_t frame) {
  std::vector<std::vector<Point>> all;
  std::map<BodyId, std::size_t> place;
  const std::vector<double>& period = reader_.header().period;
  const double now = reader_.time(frame), oldest = std::isfinite(length_) ? length_ : now - reader_.time(0);
  for (const auto& [id, x] : places(frame)) {
    place[id] = all.size();
    all.push_back({{x, 0}});
  }
  for (std::int64_t i = frame - 1; i >= 0 && now - reader_.time(i) <= length_; --i)
    for (const auto& [id, x] : places(i)) {
      const auto own = place.find(id);
      if (own == place.end()) continue;
      std::vector<Point>& path = all[own->second];
      bool jumps = false;
      for (int k = 0; k < Dim; ++k) {
        const double side = period[static_cast<std::size_t>(k)];
        jumps = jumps || (side > 0 && std::abs(x[k] - path.back().place[k]) > side / 2);
      }
      if (jumps)
        place.erase(own);
      else
        path.push_back({x, oldest > 0 ? (now - reader_.time(i)) / oldest : 0});
    }
  // What is too old is not needed by later pictures.
  places_.erase(places_.begin(),
                places_.lower_bound(std::isfinite(length_) ? reader_.nearest_frame(now - length_) - 1 : 0));
  return all;
}

template <int Dim>
std::string Trails<Dim>::legend() const {
  return std::isfinite(length_) ? fmt::format("paths of {:g} s", length_) : "paths";
}

template class Trails<2>;
template class Trails<3>;

}  // namespace saltus
