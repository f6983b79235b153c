#include "saltus/measure/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/base/input_error.hpp"

namespace saltus {

template <int Dim>
double Region<Dim>::volume() const {
  if (slab) return compute_volume<Dim>(box, *slab);
  if (!is_ring()) return std::max(0.0, (box.high - box.low).prod());
  const double area = std::numbers::pi * (r1 * r1 - r0 * r0);
  return Dim == 2 ? area : area * (box.high[Dim - 1] - box.low[Dim - 1]);
}

template <int Dim>
std::vector<Vec<Dim>> Region<Dim>::find_images(const Bounds<Dim>& bounds) const {
  std::vector<Vec<Dim>> moves;
  int first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
  for (int i = 0; i < Dim; ++i) {
    if (!(period[i] > 0)) continue;
    first[i] = static_cast<int>(std::ceil((box.low[i] - bounds.high[i]) / period[i]));
    last[i] = static_cast<int>(std::floor((box.high[i] - bounds.low[i]) / period[i]));
  }
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x) {
        Vec<Dim> move = period;
        move[0] *= x, move[1] *= y;
        if constexpr (Dim == 3) move[2] *= z;
        if (Bounds<Dim>{bounds.low + move, bounds.high + move}.overlaps(box)) moves.push_back(move);
      }
  return moves;
}

template <int Dim>
std::vector<Vec<Dim>> Region<Dim>::find_images(const SnapshotBody<Dim>& body) const {
  if (is_ring() || is_cut<Dim>(*body.shape)) return find_images(compute_bounds<Dim>(*body.shape, body.pose));
  const Vec<Dim> image = find_image(body.pose.position);
  if (!contains(image)) return {};
  return {image - body.pose.position};
}

template <int Dim>
double Region<Dim>::overlap(const SnapshotBody<Dim>& body) const {
  if (everything) return body.volume;
  double sum = 0;
  for (const Vec<Dim>& move : find_images(body)) sum += overlap(body, move);
  return sum;
}

template <int Dim>
double Region<Dim>::overlap(const SnapshotBody<Dim>& body, const Vec<Dim>& move) const {
  if (!is_ring() && !is_cut<Dim>(*body.shape)) return body.volume;
  Pose<Dim> pose = body.pose;
  pose.position += move;
  const double inside = is_ring() ? compute_overlap<Dim>(*body.shape, pose, centre,
                                                         Ring{r0, r1, box.low[Dim - 1], box.high[Dim - 1]})
                        : slab    ? compute_overlap<Dim>(*body.shape, pose, box, *slab)
                                  : compute_overlap<Dim>(*body.shape, pose, box);
  // A sum of terms (sectors, triangles to the corners of the region) of up to 1e4 times the size of the body, each with
  // round-off of 1e-16 of it: what is left of them is no matter, and may be negative.
  constexpr double kRoundOff = 1e-12;
  return inside > kRoundOff * body.volume ? inside : 0;
}

template <int Dim>
int Region<Dim>::count(const Vec<Dim>& x) const {
  if (everything) return 1;
  if (is_ring()) {
    int images = 0;
    for (const Vec<Dim>& move : find_images({x, x})) images += contains(x + move);
    return images;
  }
  return contains(find_image(x));
}

template <int Dim>
Vec<Dim> Region<Dim>::find_image(const Vec<Dim>& x) const {
  Vec<Dim> image = x;
  for (int i = 0; i < Dim; ++i) {
    if (!(period[i] > 0)) continue;
    image[i] -= period[i] * std::floor((x[i] - box.low[i]) / period[i]);
    // Round-off must not put x between the two ends of a box that is the whole cell.
    if (box.high[i] - box.low[i] >= period[i] && !(image[i] >= box.low[i] && image[i] < box.high[i]))
      image[i] = box.low[i];
  }
  return image;
}

template <int Dim>
bool Region<Dim>::contains(const Vec<Dim>& x) const {
  if (is_ring()) {
    const double distance = (x - centre).template head<2>().norm();
    const bool level = Dim == 2 || (x[Dim - 1] >= box.low[Dim - 1] && x[Dim - 1] < box.high[Dim - 1]);
    return level && distance >= r0 && distance < r1;
  }
  if (slab && !(slab->normal.dot(x) >= slab->low && slab->normal.dot(x) < slab->high)) return false;
  return (x.array() >= box.low.array()).all() && (x.array() < box.high.array()).all();
}

template <int Dim>
Region<Dim> Region<Dim>::slice(int axis, int number, int count) const {
  Region part = *this;
  part.everything = false;
  const double from = static_cast<double>(number) / count, to = static_cast<double>(number + 1) / count;
  if (axis < 0) {
    part.r0 = r0 + from * (r1 - r0), part.r1 = r0 + to * (r1 - r0);
  } else {
    const double length = box.high[axis] - box.low[axis];
    part.box.low[axis] = box.low[axis] + from * length;
    part.box.high[axis] = box.low[axis] + to * length;
  }
  return part;
}

template <int Dim>
double Region<Dim>::middle(int axis, int number, int count) const {
  const double part = (number + 0.5) / count;
  return axis < 0 ? r0 + part * (r1 - r0) : box.low[axis] + part * (box.high[axis] - box.low[axis]);
}

template <int Dim>
Region<Dim> Region<Dim>::slice(const Vec<Dim>& direction, int number, int count) const {
  Region part = *this;
  part.everything = false;
  const double middle_place = direction.dot(box.low + box.high) / 2;
  const double half = direction.cwiseAbs().dot(box.high - box.low) / 2;
  const auto place = [&](int i) { return middle_place + half * (2.0 * i / count - 1); };
  part.slab = Slab<Dim>{direction, place(number), place(number + 1)};
  return part;
}

template <int Dim>
double Region<Dim>::middle(const Vec<Dim>& direction, int number, int count) const {
  const Slab<Dim> slab_there = *slice(direction, number, count).slab;
  return (slab_there.low + slab_there.high) / 2;
}

BodyId find_body(const std::string& name, const std::vector<std::string>& body_names,
                 const std::string& where) {
  const auto at = std::find(body_names.begin(), body_names.end(), name);
  if (at == body_names.end()) throw InputError(where, "a measure names a body", name, "a name of a body");
  if (std::find(at + 1, body_names.end(), name) != body_names.end())
    throw InputError(where, "a measure names a body", name,
                     "a name that one body has: several have this one");
  return static_cast<BodyId>(at - body_names.begin());
}

template <int Dim>
std::vector<BodyId> find_walls(const std::vector<std::string>& names,
                               const std::vector<std::string>& body_names, const Snapshot<Dim>& snapshot,
                               const std::string& where) {
  std::vector<BodyId> walls;
  for (const std::string& name : names) {
    const BodyId id = find_body(name, body_names, where);
    const int at = snapshot.find(id);
    if (at >= 0 && wall_face(snapshot.bodies[static_cast<std::size_t>(at)]).axis < 0)
      throw InputError(where, "a wall of a region", name, "a half-plane or plane along an axis");
    walls.push_back(id);
  }
  return walls;
}

template <int Dim>
Region<Dim> build_region(const RegionSpec<Dim>& spec, const std::vector<BodyId>& walls,
                         const Snapshot<Dim>& snapshot) {
  using Kind = typename RegionSpec<Dim>::Kind;
  Region<Dim> region;
  region.period = snapshot.period;
  const auto keep_to_cell = [&] {
    for (int i = 0; i < Dim; ++i)
      if (region.period[i] > 0)
        region.box.high[i] = std::min(region.box.high[i], region.box.low[i] + region.period[i]);
  };
  if (spec.kind == Kind::ring) {
    region.centre = spec.centre, region.r0 = spec.r0, region.r1 = spec.r1;
    region.box.low = spec.centre.array() - spec.r1, region.box.high = spec.centre.array() + spec.r1;
    if constexpr (Dim == 3) region.box.low[2] = spec.low[2], region.box.high[2] = spec.high[2];
    return region;
  }
  if (spec.kind == Kind::box) {
    region.box = {spec.low, spec.high};
    keep_to_cell();
    return region;
  }
  region.everything = true;
  for (const SnapshotBody<Dim>& body : snapshot.bodies)
    if (body.is_grain) region.box.add(compute_bounds<Dim>(*body.shape, body.pose));
  for (int i = 0; i < Dim; ++i) {
    if (region.box.high[i] < region.box.low[i]) region.box.low[i] = region.box.high[i] = 0;
    if (snapshot.period[i] > 0) region.box.low[i] = 0, region.box.high[i] = snapshot.period[i];
  }
  for (const BodyId id : walls) {
    const int at = snapshot.find(id);
    if (at < 0) continue;
    const WallFace face = wall_face(snapshot.bodies[static_cast<std::size_t>(at)]);
    if (face.axis < 0) continue;
    (face.sign > 0 ? region.box.low : region.box.high)[face.axis] = face.place;
  }
  keep_to_cell();
  return region;
}

template struct Region<2>;
template struct Region<3>;
template std::vector<BodyId> find_walls<2>(const std::vector<std::string>&, const std::vector<std::string>&,
                                           const Snapshot<2>&, const std::string&);
template std::vector<BodyId> find_walls<3>(const std::vector<std::string>&, const std::vector<std::string>&,
                                           const Snapshot<3>&, const std::string&);
template Region<2> build_region<2>(const RegionSpec<2>&, const std::vector<BodyId>&, const Snapshot<2>&);
template Region<3> build_region<3>(const RegionSpec<3>&, const std::vector<BodyId>&, const Snapshot<3>&);

}  // namespace saltus
