#include "saltus/drawing/render_scale.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr std::size_t kMostFrames = 60;

template <int Dim>
double hollow_radius(const Shape<Dim>& shape) {
  if (const auto* hollow = std::get_if<Hollow<Dim>>(&shape)) return hollow->radius;
  if constexpr (Dim == 3)
    if (const auto* drum = std::get_if<HollowCylinder>(&shape)) return drum->radius;
  return 0;
}

template <int Dim>
void add_body(const FrameBody<Dim>& body, RenderScale<Dim>& scale, double& widths, int& count) {
  if (!body.pose.position.allFinite()) return;
  if (const double radius = hollow_radius<Dim>(*body.shape)) {
    scale.view.add(Vec<Dim>(body.pose.position.array() - 1.05 * radius));
    scale.view.add(Vec<Dim>(body.pose.position.array() + 1.05 * radius));
  }
  if (is_unbounded<Dim>(*body.shape)) return;
  if (body.follows) return;  // its mesh is drawn
  const Bounds<Dim> box = compute_bounds<Dim>(*body.shape, body.pose);
  scale.view.add(box);
  if (body.fixed) return;
  widths += (box.high - box.low).mean();
  ++count;
  scale.fastest = std::max(scale.fastest, body.velocity.norm());
}

}  // namespace

template <int Dim>
RenderScale<Dim> compute_scale(const TrajectoryReader<Dim>& reader, const std::vector<std::int64_t>& shown) {
  RenderScale<Dim> scale;
  std::vector<double> maxima;
  double widths = 0;
  int count = 0;
  const std::size_t stride = 1 + shown.size() / kMostFrames;
  for (std::size_t i = 0; i < shown.size(); i += stride) {
    const Frame<Dim> frame = reader.frame(shown[i]);
    for (const FrameBody<Dim>& body : frame.bodies) add_body(body, scale, widths, count);
    for (const FrameSystem<Dim>& system : frame.systems)
      for (const Vec<Dim>& node : system.nodes)
        if (node.allFinite()) scale.view.add(node);
    double most = 0;
    for (const FrameContact<Dim>& contact : frame.contacts)
      most = std::max(most, force(contact, reader.header().h));
    maxima.push_back(most);
  }
  // One shock must not make the chains of all other frames invisible.
  std::sort(maxima.begin(), maxima.end());
  if (!maxima.empty()) scale.strongest = maxima[(maxima.size() - 1) * 9 / 10];
  if (!(scale.view.low.array() <= scale.view.high.array()).all()) {
    scale.view.low = Vec<Dim>::Constant(-1);
    scale.view.high = Vec<Dim>::Constant(1);
  }
  const double extent = (scale.view.high - scale.view.low).maxCoeff();
  scale.size = count ? widths / count : extent / 10;
  scale.view.inflate(0.04 * extent + (extent > 0 ? 0 : 1));
  return scale;
}

template <int Dim>
std::pair<Vec<Dim>, Vec<Dim>> chain_ends(const Frame<Dim>& frame, const FrameContact<Dim>& contact,
                                         const std::vector<double>& period) {
  const auto end = [&](int index) -> Vec<Dim> {
    const FrameBody<Dim>& body = frame.bodies[static_cast<std::size_t>(index)];
    if (body.fixed || is_unbounded<Dim>(*body.shape)) return contact.point;
    Vec<Dim> arm = body.pose.position - contact.point;
    for (int k = 0; k < Dim; ++k) {
      const double length = period[static_cast<std::size_t>(k)];
      if (length > 0) arm[k] -= length * std::round(arm[k] / length);
    }
    return contact.point + arm;
  };
  return {end(contact.a), end(contact.b)};
}

template RenderScale<2> compute_scale<2>(const TrajectoryReader<2>&, const std::vector<std::int64_t>&);
template RenderScale<3> compute_scale<3>(const TrajectoryReader<3>&, const std::vector<std::int64_t>&);
template std::pair<Vec<2>, Vec<2>> chain_ends<2>(const Frame<2>&, const FrameContact<2>&,
                                                 const std::vector<double>&);
template std::pair<Vec<3>, Vec<3>> chain_ends<3>(const Frame<3>&, const FrameContact<3>&,
                                                 const std::vector<double>&);

}  // namespace saltus
