#include "saltus/sim/joint_places.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

// Of a joint that is off at the start, over the size of its bodies: beyond what people round in coordinates.
constexpr double kClosed = 1e-4;

}  // namespace

template <int Dim>
JointPlaces<Dim>::JointPlaces(const SimulationModel<Dim>& model) : model_(model) {
  for (std::size_t i = 0; i < model.scene.bodies.size(); ++i)
    if (const SceneBody<Dim>& body = model.scene.bodies[i];
        body.part == SurfacePart::none && !body.name.empty())
      bodies_.try_emplace(body.name, i);
}

template <int Dim>
void JointPlaces<Dim>::move(const BodySet<Dim>& bodies, double time) {
  moving_ = &bodies;
  time_ = time;
}

// Where a body is, or will be when it appears.
template <int Dim>
Pose<Dim> JointPlaces<Dim>::pose_of(BodyId id) const {
  const int slot = moving_ ? moving_->find(id) : -1;
  return slot >= 0 ? moving_->pose[slot] : model_.initial_pose(static_cast<int>(id));
}

// One of its bodies appears later: whether it closes is seen then.
template <int Dim>
bool JointPlaces<Dim>::waits(const Joint<Dim>& joint) const {
  const double start = model_.scene.start_time + 1e-6 * model_.scene.scheme.h;
  for (const BodyId id : {joint.pair.a, joint.pair.b})
    if (!moving_ && id >= 0 && model_.scene.bodies[id].added_at > start) return true;
  return false;
}

// In the course of a run bodies are off by what a run leaves.
template <int Dim>
double JointPlaces<Dim>::closed() const {
  return !moving_ ? kClosed : kLeftAlone;
}
template <int Dim>
std::string JointPlaces<Dim>::moment() const {
  return !moving_ ? "at the start" : fmt::format("when it begins, at t = {:.6g} s,", time_);
}

template <int Dim>
BodyId JointPlaces<Dim>::find_body(const std::string& name, const SceneJoint<Dim>& joint) const {
  const auto found = bodies_.find(name);
  if (found != bodies_.end()) return static_cast<BodyId>(found->second);
  std::string some;
  int listed = 0;
  for (const SceneDeformable<Dim>& body : model_.scene.deformable)
    if (!body.name.empty() && listed++ < 8) some += (some.empty() ? "" : ", ") + body.name;
  for (const SceneBody<Dim>& body : model_.scene.bodies)
    if (body.part == SurfacePart::none && !body.name.empty() && listed++ < 8)
      some += (some.empty() ? "" : ", ") + body.name;
  throw InputError(joint.where, "a joint names a body that is not there", name,
                   some.empty() ? "the name of a body: none has one, give it name = \"...\""
                                : "the name of a body, as " + some);
}

template <int Dim>
bool JointPlaces<Dim>::is_prescribed(BodyId id) const {
  if (id < 0) return true;
  const SceneBody<Dim>& body = model_.scene.bodies[id];
  if (body.follows >= 0) return false;
  return body.fixed ||
         std::none_of(body.drive.begin(), body.drive.end(), [](const Drive& d) { return d.is_free(); });
}

// The longest of its arms to the centres of its bodies; where there are none, the size of the bodies.
template <int Dim>
double JointPlaces<Dim>::size_of(const Joint<Dim>& joint) const {
  double size = joint.length;
  if (joint.pair.a >= 0) size = std::max(size, joint.pair.frame_a.point.norm());
  size = std::max(size, joint.pair.frame_b.point.norm());
  if (!(size > 0)) size = model_.bounding_radius[joint.pair.b];
  return size > 0 ? size : 1;
}

// In the frame of the centre of mass, from the world or from the frame of the shape.
template <int Dim>
Vec<Dim> JointPlaces<Dim>::joint_point(BodyId id, const Vec<Dim>& point, const SceneJoint<Dim>& joint) const {
  if (id < 0) return point;
  const Vec<Dim> arm = joint.local ? point : pose_of(id).to_local(point);
  if (body(id).part != SurfacePart::none) {
    if (arm.norm() <= closed() * model_.thickness[id]) return Vec<Dim>::Zero();
    const Vec<Dim> node = pose_of(id).position;
    throw InputError(joint.where,
                     fmt::format("the point of a joint is off \"{}\", which has no arms, by", body(id).name),
                     fmt::format("{:.6g} m", arm.norm()),
                     joint.local ? "0"
                                 : fmt::format("the place of the node, ({:.6g})",
                                               fmt::join(node.data(), node.data() + Dim, ", ")));
  }
  if (!joint.local) return arm;
  const auto centre = model_.centre.find(static_cast<int>(id));
  return centre == model_.centre.end() ? point : Vec<Dim>(point - centre->second);
}

template <int Dim>
Mat<Dim> JointPlaces<Dim>::turned_back(BodyId id, const Mat<Dim>& axes) const {
  return id < 0 ? axes : Mat<Dim>(pose_of(id).rotation().transpose() * axes);
}
template <int Dim>
Vec<3> JointPlaces<Dim>::in_world(BodyId id, const Vec<3>& local) const {
  Vec<3> world = local;
  if (id >= 0) world.template head<Dim>() = pose_of(id).rotated(Vec<Dim>(local.template head<Dim>()));
  return world;
}

template <int Dim>
PlacedFrames<Dim> JointPlaces<Dim>::placed(const FramePair<Dim>& pair) const {
  const Pose<Dim> a = pair.a < 0 ? Pose<Dim>() : pose_of(pair.a),
                  b = pair.b < 0 ? Pose<Dim>() : pose_of(pair.b);
  return place_frames<Dim>(pair.frame_a, pair.a < 0 ? nullptr : &a, pair.frame_b, pair.b < 0 ? nullptr : &b);
}

template class JointPlaces<2>;
template class JointPlaces<3>;

}  // namespace saltus
