#include "saltus/drawing/render_outline.hpp"

#include "saltus/drawing/render_chosen.hpp"

namespace saltus {

namespace {

class PageExtent {
 public:
  explicit PageExtent(const Projection& camera) : camera_(camera) {
    Mat<3> axes;
    axes << camera.right, camera.up, -camera.forward;
    frame_ = Pose<3>(camera.eye, Eigen::Quaterniond(axes));
  }

  void add(const Vec<3>& place) { add(place, page_); }
  void add(const Bounds<3>& box) { add(box, Pose<3>(), page_); }
  // What is both within its box along the axes of the camera (near for balls) and within that along its own (near for boxes).
  void add(const FrameBody<3>& body) {
    if (!body.pose.position.allFinite() || body.follows || is_unbounded<3>(*body.shape)) return;
    Bounds<2> there, own;
    add(compute_bounds<3>(*body.shape, frame_.inverse() * body.pose), frame_, there);
    add(compute_bounds<3>(*body.shape, Pose<3>()), body.pose, own);
    page_.add(Bounds<2>{there.low.cwiseMax(own.low), there.high.cwiseMin(own.high)});
  }

  bool is_empty() const { return !(page_.low.array() < page_.high.array()).all(); }
  const Bounds<2>& page() const { return page_; }

 private:
  void add(const Vec<3>& place, Bounds<2>& page) const {
    if (place.allFinite() && camera_.sees(place)) page.add(Vec<2>(camera_.project(place).head<2>()));
  }
  void add(const Bounds<3>& box, const Pose<3>& frame, Bounds<2>& page) const {
    for (int k = 0; k < 8; ++k)
      add(frame.to_world({k & 1 ? box.high.x() : box.low.x(), k & 2 ? box.high.y() : box.low.y(),
                          k & 4 ? box.high.z() : box.low.z()}),
          page);
  }

  const Projection& camera_;
  Pose<3> frame_;  // of the camera
  Bounds<2> page_;
};

}  // namespace

Bounds<2> compute_outline(const TrajectoryReader<3>& reader, const std::vector<std::int64_t>& shown,
                          const ViewChoice& choice, const RenderScale<3>& scale, const Projection& camera) {
  PageExtent outline(camera);
  if (choice.region.empty()) {
    const Chosen chosen = find_chosen(choice.only, reader.header());
    for (const Vec<3>& place : scale.held) outline.add(place);
    const std::size_t stride = 1 + shown.size() / kScaleFrames;
    for (std::size_t i = 0; i < shown.size(); i += stride) {
      const Frame<3> frame = reader.frame(shown[i]);
      for (const FrameBody<3>& body : frame.bodies)
        if (chosen.holds_body(body.scene_index)) outline.add(body);
      for (std::size_t s = 0; s < frame.systems.size(); ++s)
        if (chosen.holds_system(static_cast<int>(s)))
          for (const Vec<3>& node : magnified_nodes(frame.systems[s], choice.magnify)) outline.add(node);
    }
  }
  if (outline.is_empty()) outline.add(scale.view);
  return outline.page();
}

}  // namespace saltus
