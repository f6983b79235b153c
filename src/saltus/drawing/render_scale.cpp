#include "saltus/drawing/render_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/render_chosen.hpp"

namespace saltus {

namespace {

template <int Dim>
double hollow_radius(const Shape<Dim>& shape) {
  if (const auto* hollow = std::get_if<Hollow<Dim>>(&shape)) return hollow->radius;
  if constexpr (Dim == 3)
    if (const auto* drum = std::get_if<HollowCylinder>(&shape)) return drum->radius;
  return 0;
}

template <int Dim>
Bounds<Dim> read_box(const std::vector<double>& numbers) {
  if (numbers.size() != 2 * Dim)
    throw InputError("--region", "numbers", fmt::format("{}", numbers.size()),
                     fmt::format("{}: the lower corner, then the upper one, m", 2 * Dim));
  Bounds<Dim> box;
  for (int k = 0; k < Dim; ++k) {
    box.low[k] = numbers[static_cast<std::size_t>(k)],
    box.high[k] = numbers[static_cast<std::size_t>(Dim + k)];
    if (!(box.low[k] < box.high[k]) || !std::isfinite(box.high[k] - box.low[k]))
      throw InputError("--region", fmt::format("{} of its corners", "xyz"[k]),
                       fmt::format("{} and {}", box.low[k], box.high[k]), "the first below the second");
  }
  return box;
}

template <int Dim>
void hold(const Bounds<Dim>& box, RenderScale<Dim>& scale) {
  scale.view.add(box);
  for (int k = 0; k < 1 << Dim; ++k) {
    Vec<Dim> corner = box.low;
    for (int i = 0; i < Dim; ++i)
      if (k & (1 << i)) corner[i] = box.high[i];
    scale.held.push_back(corner);
  }
}

template <int Dim>
void add_body(const FrameBody<Dim>& body, bool in_view, RenderScale<Dim>& scale, double& widths, int& count) {
  if (!body.pose.position.allFinite()) return;
  const double hollow = hollow_radius<Dim>(*body.shape);
  if (in_view && hollow > 0) {
    Bounds<Dim> inside{body.pose.position, body.pose.position};
    inside.inflate(1.05 * hollow);
    hold(inside, scale);
  }
  if (is_unbounded<Dim>(*body.shape)) return;
  if (body.follows) return;  // its mesh is drawn
  const Bounds<Dim> box = compute_bounds<Dim>(*body.shape, body.pose);
  if (in_view) scale.view.add(box);
  if (body.stands()) return;
  widths += (box.high - box.low).mean();
  ++count;
  scale.fastest = std::max(scale.fastest, body.velocity.norm());
}

template <int Dim>
void add_mesh(const std::vector<Vec<Dim>>& nodes, RenderScale<Dim>& scale, double& widths, int& count) {
  Bounds<Dim> box;
  for (const Vec<Dim>& node : nodes)
    if (node.allFinite()) box.add(node), scale.view.add(node);
  if (!(box.low.array() <= box.high.array()).all()) return;
  widths += (box.high - box.low).mean();
  ++count;
}

// A floor that bodies are over belongs to the picture, or a body in flight would be alone in it: its point under the middle of the
// box, unless it is farther than this many times the width of the box.
constexpr double kFarFloor = 10;

template <int Dim>
void add_floors(const Frame<Dim>& frame, const Chosen& chosen, const Vec<Dim>& gravity,
                RenderScale<Dim>& scale) {
  const Bounds<Dim> box = scale.view;
  const Vec<Dim> middle = (box.low + box.high) / 2;
  const double reach = kFarFloor * (box.high - box.low).maxCoeff();
  for (const FrameBody<Dim>& body : frame.bodies) {
    const auto* plane = std::get_if<HalfSpace<Dim>>(body.shape);
    if (!plane || !chosen.holds_body(body.scene_index) || !body.pose.position.allFinite()) continue;
    const Vec<Dim> normal = body.pose.rotated(plane->normal);
    if (!(-normal.dot(gravity) > 0.7 * gravity.norm())) continue;  // a wall, or a ceiling
    const double height = normal.dot(middle - body.pose.to_world(plane->offset * plane->normal));
    if (!(height > 0 && height < reach)) continue;
    scale.held.push_back(middle - height * normal);
    scale.view.add(scale.held.back());
  }
}

}  // namespace

template <int Dim>
RenderScale<Dim> compute_scale(const TrajectoryReader<Dim>& reader, const std::vector<std::int64_t>& shown,
                               const ViewChoice& choice) {
  RenderScale<Dim> scale;
  const Chosen chosen = find_chosen(choice.only, reader.header());
  std::vector<double> maxima, joint_maxima;
  double widths = 0;
  int count = 0;
  double mesh_widths = 0;
  int meshes = 0;
  const std::size_t stride = 1 + shown.size() / kScaleFrames;
  for (std::size_t i = 0; i < shown.size(); i += stride) {
    const Frame<Dim> frame = reader.frame(shown[i]);
    for (const FrameBody<Dim>& body : frame.bodies)
      add_body(body, chosen.holds_body(body.scene_index), scale, widths, count);
    for (std::size_t s = 0; s < frame.systems.size(); ++s)
      if (chosen.holds_system(static_cast<int>(s)))
        add_mesh(magnified_nodes(frame.systems[s], choice.magnify), scale, mesh_widths, meshes);
    double most = 0;
    for (const FrameContact<Dim>& contact : frame.contacts)
      most = std::max(most, force(contact, reader.header().h));
    maxima.push_back(most);
    most = 0;
    for (const FrameJoint<Dim>& joint : frame.joints) most = std::max(most, joint.impulse.norm());
    joint_maxima.push_back(reader.header().h > 0 ? most / reader.header().h : 0);
  }
  // One shock must not make the chains of all other frames invisible. Where nothing touches, joints are drawn by what they carry.
  for (std::vector<double>* largest : {&maxima, &joint_maxima}) {
    std::sort(largest->begin(), largest->end());
    if (!largest->empty() && !(scale.strongest > 0))
      scale.strongest = (*largest)[(largest->size() - 1) * 9 / 10];
  }
  if (!(scale.view.low.array() <= scale.view.high.array()).all()) {
    scale.view.low = Vec<Dim>::Constant(-1);
    scale.view.high = Vec<Dim>::Constant(1);
  }
  if (!shown.empty())
    add_floors<Dim>(reader.frame(shown.front()), chosen,
                    Eigen::Map<const Vec<Dim>>(reader.header().gravity.data()), scale);
  const double extent = (scale.view.high - scale.view.low).maxCoeff();
  scale.size = count ? widths / count : extent / 10;
  if (count == 0 && meshes > 0) scale.size = std::min(scale.size, mesh_widths / meshes);
  scale.view.inflate(0.04 * extent + (extent > 0 ? 0 : 1));
  if (choice.region.empty()) return scale;
  const Bounds<Dim> region = read_box<Dim>(choice.region);
  if (count + meshes > 0 && !region.overlaps(scale.view)) {
    const auto show = [](const Vec<Dim>& x) {
      return fmt::format("({:.4g})", fmt::join(x.data(), x.data() + Dim, ", "));
    };
    throw InputError(
        "--region", "nothing of the scene is there",
        fmt::format("{} to {}", show(region.low), show(region.high)),
        fmt::format("a part of {} to {}, where its bodies are", show(scale.view.low), show(scale.view.high)));
  }
  // A slab of space is given by numbers far beyond what there is: the picture is of what is there.
  if (Dim == 3 && region.overlaps(scale.view)) {
    scale.view.low = scale.view.low.cwiseMax(region.low),
    scale.view.high = scale.view.high.cwiseMin(region.high);
  } else {
    scale.view = region;
  }
  return scale;
}

template <int Dim>
std::vector<Vec<Dim>> magnified_nodes(const FrameSystem<Dim>& system, double magnify) {
  std::vector<Vec<Dim>> nodes = system.nodes;
  if (magnify == 1) return nodes;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    nodes[k] += (magnify - 1) * system.coordinates.template segment<Dim>(static_cast<Eigen::Index>(Dim * k));
  return nodes;
}

template <int Dim>
std::pair<Vec<Dim>, Vec<Dim>> chain_ends(const Frame<Dim>& frame, const FrameContact<Dim>& contact,
                                         const std::vector<double>& period) {
  const auto end = [&](int index) -> Vec<Dim> {
    const FrameBody<Dim>& body = frame.bodies[static_cast<std::size_t>(index)];
    if (body.stands() || body.is_held() || is_unbounded<Dim>(*body.shape)) return contact.point;
    Vec<Dim> arm = body.pose.position - contact.point;
    for (int k = 0; k < Dim; ++k) {
      const double length = period[static_cast<std::size_t>(k)];
      if (length > 0) arm[k] -= length * std::round(arm[k] / length);
    }
    return contact.point + arm;
  };
  return {end(contact.a), end(contact.b)};
}

template RenderScale<2> compute_scale<2>(const TrajectoryReader<2>&, const std::vector<std::int64_t>&,
                                         const ViewChoice&);
template RenderScale<3> compute_scale<3>(const TrajectoryReader<3>&, const std::vector<std::int64_t>&,
                                         const ViewChoice&);
template std::vector<Vec<2>> magnified_nodes<2>(const FrameSystem<2>&, double);
template std::vector<Vec<3>> magnified_nodes<3>(const FrameSystem<3>&, double);
template std::pair<Vec<2>, Vec<2>> chain_ends<2>(const Frame<2>&, const FrameContact<2>&,
                                                 const std::vector<double>&);
template std::pair<Vec<3>, Vec<3>> chain_ends<3>(const Frame<3>&, const FrameContact<3>&,
                                                 const std::vector<double>&);

}  // namespace saltus
