// Joints of a scene become joints of a simulation: names are looked up, frames put on the bodies where they are, and what
// does not close is refused. A joint begins when all its bodies are there: at the start, or when the last of them appears,
// where it is then made anew, with points and axes of that moment.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

#include "saltus/base/input_error.hpp"
#include "saltus/sim/joint_places.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

std::string label(const std::string& name, std::size_t index) {
  return name.empty() ? fmt::format("joint {}", index) : fmt::format("joint \"{}\"", name);
}

Vec<3> any_across(const Vec<3>& axis) {
  return axis.cross(std::abs(axis.x()) < 0.6 ? Vec<3>(Vec<3>::UnitX()) : Vec<3>(Vec<3>::UnitY()))
      .normalized();
}

template <int Dim>
class JointBuilder {
 public:
  JointBuilder(const SimulationModel<Dim>& model, JointSet<Dim>& joints)
      : model_(model), set_(joints), places_(model) {
    for (std::size_t i = 0; i < model.scene.joints.size(); ++i)
      if (const std::string& name = model.scene.joints[i].name; !name.empty())
        if (!joints_.try_emplace(name, i).second)
          throw InputError(model.scene.joints[i].where, "a second joint of this name", name, "another name");
  }

  void build() {
    const std::vector<SceneJoint<Dim>>& joints = model_.scene.joints;
    built_.resize(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i)
      if (joints[i].kind != JointKind::gear) built_[i] = build_joint(joints[i], i);
    for (std::size_t i = 0; i < joints.size(); ++i)
      if (joints[i].kind == JointKind::gear) built_[i] = build_gear(joints[i]);
    for (Joint<Dim>& joint : built_) set_.add(std::move(joint));
  }

  // Joints whose bodies have come together now: `begun`, numbers in increasing order. Their points, axes, lengths and values
  // are those of this moment; of the joints that a gear couples, those that run keep their values.
  void begin(std::span<const int> begun, const BodySet<Dim>& bodies, double time) {
    places_.move(bodies, time);
    for (int i = 0; i < set_.count(); ++i) {
      built_.push_back(set_.joint(i));
      for (std::size_t d = 0; d < built_.back().free.size(); ++d)
        built_.back().free[d].start = set_.states()[i].value[d];
    }
    for (const bool gears : {false, true})
      for (const int i : begun) {
        const SceneJoint<Dim>& from = model_.scene.joints[i];
        if ((from.kind == JointKind::gear) != gears) continue;
        built_[i] = gears ? build_gear(from) : build_joint(from, static_cast<std::size_t>(i));
        set_.begin(i, built_[i]);
      }
  }

 private:
  Joint<Dim> build_joint(const SceneJoint<Dim>& from, std::size_t index) {
    Joint<Dim> joint;
    set_kind<Dim>(from.kind, joint);
    set_bodies(from, index, joint.pair);
    if (!from.points[0].allFinite() || !from.points[1].allFinite())
      throw InputError(from.where, "the point of a joint is not finite");
    set_time(from, joint);
    if (from.kind == JointKind::pulley) {
      set_pulley(from, joint);
      return joint;
    }
    set_frames(from, joint);
    set_directions(from, joint);
    set_lengths(from, joint);
    if (!from.stabilisation_time) {
      joint.left_alone = kLeftAlone * places_.size_of(joint);
      joint.left_turned = kLeftAlone;
    } else {
      joint.left_alone = from.left_alone;
    }
    if (from.kind == JointKind::screw) set_screw(from, joint);
    check_joint(from, label(from.name, index), joint, set_, places_);
    return joint;
  }

  void set_bodies(const SceneJoint<Dim>& from, std::size_t index, FramePair<Dim>& pair) const {
    if (from.b.empty()) throw InputError(from.where, "a joint needs a body", "\"\"", "the name of a body");
    const auto& ends = model_.parts.joint_ends;
    const auto find = [&](int end, const std::string& name) {
      return !ends.empty() && ends[index][end] >= 0 ? static_cast<BodyId>(ends[index][end])
                                                    : places_.find_body(name, from);
    };
    if (!from.a.empty()) pair.a = find(0, from.a);
    pair.b = find(1, from.b);
    if (pair.a == pair.b)
      throw InputError(from.where, "a joint between a body and itself", from.b,
                       "two bodies, or one and the world");
    if (places_.is_prescribed(pair.a) && places_.is_prescribed(pair.b))
      throw InputError(from.where, "a joint between bodies that are fixed or driven",
                       from.a.empty() ? "the world and " + from.b : from.a + " and " + from.b,
                       "one of them free to move");
    for (const BodyId id : {pair.a, pair.b})
      if (id >= 0 && places_.body(id).follows >= 0 && !places_.body(id).turns &&
          !holds_points_only(from.kind))
        throw InputError(
            from.where, "a joint that holds rotations, at a point of a system or of an elastic body",
            name(from.kind), Dim == 2 ? "revolute, rod, rope, spring" : "spherical, rod, rope, spring");
  }

  static bool holds_points_only(JointKind kind) {
    return kind == JointKind::rod || kind == JointKind::rope || kind == JointKind::spring ||
           kind == JointKind::pulley || kind == (Dim == 2 ? JointKind::revolute : JointKind::spherical);
  }

  void set_time(const SceneJoint<Dim>& from, Joint<Dim>& joint) const {
    const double h = model_.scene.scheme.h;
    joint.stabilisation_time = from.stabilisation_time.value_or(10 * h);
    // Half of a step of slack: a time of one step may be written with fewer digits.
    if (joint.stabilisation_time != 0 && !(joint.stabilisation_time >= 0.5 * h))
      throw InputError(from.where, "stabilisation_time", fmt::format("{} s", joint.stabilisation_time),
                       fmt::format("0: off, or the step h = {} s and more", h));
  }

  static double start_of(const SceneJoint<Dim>& from, const Joint<Dim>& joint, Coordinate wanted) {
    for (std::size_t i = 0; i < joint.free.size() && i < from.starts.size(); ++i)
      if (joint.free[i].coordinate == wanted && !joint.free[i].rotation) return from.starts[i].value_or(0);
    return 0;
  }

  Mat<Dim> world_axes(const SceneJoint<Dim>& from, const FramePair<Dim>& pair) const {
    Vec<3> axis = from.local ? places_.in_world(pair.a, from.axis) : from.axis;
    Vec<3> axis2 = from.local ? places_.in_world(pair.a, from.axis2) : from.axis2;
    if (!axis.allFinite() || !axis2.allFinite())
      throw InputError(from.where, "the axis of a joint is not finite");
    if constexpr (Dim == 2) {
      Mat<2> axes;
      const Vec<2> x = axis.norm() > 0 ? Vec<2>(axis.head<2>().normalized()) : Vec<2>(1, 0);
      axes << x, quarter_turn(x);
      return axes;
    } else {
      axis = axis.norm() > 0 ? Vec<3>(axis.normalized()) : Vec<3>(Vec<3>::UnitZ());
      if (!(axis2.norm() > 0)) {
        axis2 = any_across(axis);
      } else {
        axis2.normalize();
        const double off = axis2.dot(axis);
        if (from.kind == JointKind::universal && std::abs(off) > 1e-3)
          throw InputError(
              from.where, "the axes of a universal joint",
              fmt::format("{:.4g} degrees apart", std::acos(std::clamp(off, -1.0, 1.0)) * 180 / M_PI),
              "axis and axis2 at right angles");
        axis2 -= off * axis;
        if (!(axis2.norm() > 1e-6))
          throw InputError(from.where, "axis2 is along axis", "", "another direction");
        axis2.normalize();
      }
      Mat<3> axes;
      if (from.kind == JointKind::universal)
        axes << axis, axis2, axis.cross(axis2);
      else
        axes << axis2, axis.cross(axis2), axis;
      return axes;
    }
  }

  void set_frames(const SceneJoint<Dim>& from, Joint<Dim>& joint) const {
    FramePair<Dim>& pair = joint.pair;
    const Mat<Dim> axes = world_axes(from, pair);
    const bool universal = joint.kind == JointKind::universal;
    Mat<Dim> turn = Mat<Dim>::Identity();
    if (from.axis_b && !places_.waits(joint))
      check_aligned<Dim>(from, axes.col(Dim == 2 || universal ? 0 : Dim - 1), pair, places_);
    if constexpr (Dim == 2) {
      turn = Eigen::Rotation2Dd(start_of(from, joint, Coordinate::turn_z)).toRotationMatrix();
    } else {
      turn = Eigen::AngleAxisd(start_of(from, joint, Coordinate::turn_z), Vec<3>::UnitZ()) *
             Eigen::AngleAxisd(start_of(from, joint, Coordinate::fork), Vec<3>::UnitX()) *
             Eigen::AngleAxisd(start_of(from, joint, Coordinate::spider), Vec<3>::UnitY()).toRotationMatrix();
      if (from.kind == JointKind::spherical)
        turn = from.rotation_start ? rotation_of(*from.rotation_start)
                                   : rotation_of(Vec<3>(0, 0, start_of(from, joint, Coordinate::twist)));
    }
    pair.frame_a.axes = places_.turned_back(pair.a, axes);
    pair.frame_b.axes = places_.turned_back(pair.b, Mat<Dim>(axes * turn));
    pair.frame_a.point = places_.joint_point(pair.a, from.points[0], from);
    pair.frame_b.point = places_.joint_point(pair.b, from.points[1], from);
    // Slides are counted from where the input says they start.
    const Coordinate slides[3] = {Coordinate::x, Coordinate::y, Coordinate::z};
    for (int i = 0; i < Dim; ++i)
      pair.frame_a.point -= start_of(from, joint, slides[i]) * pair.frame_a.axes.col(i);
  }

  void set_directions(const SceneJoint<Dim>& from, Joint<Dim>& joint) const {
    const PlacedFrames<Dim> frames = places_.placed(joint.pair);
    for (std::size_t i = 0; i < joint.free.size(); ++i) {
      FreeDirection& free = joint.free[i];
      if (i < from.free.size()) {
        const Coordinate coordinate = free.coordinate;
        const bool rotation = free.rotation;
        free = from.free[i];
        free.coordinate = coordinate;
        free.rotation = rotation;
      }
      if (!free.rotation) {
        const double near = i < from.starts.size() ? from.starts[i].value_or(0) : 0;
        free.start = evaluate<Dim>(free.coordinate, frames, near).value;
      }
    }
  }

  void set_lengths(const SceneJoint<Dim>& from, Joint<Dim>& joint) const {
    if (from.kind != JointKind::rod && from.kind != JointKind::rope && from.kind != JointKind::spring) return;
    const double apart = evaluate<Dim>(Coordinate::distance, places_.placed(joint.pair)).value;
    joint.length = from.length.value_or(apart);
    if (from.kind == JointKind::rod && !(joint.length > 0))
      throw InputError(from.where, "a rod of no length", "0 m",
                       Dim == 2 ? "points apart, or a revolute joint" : "points apart, or a spherical joint");
    if (from.kind != JointKind::rope) return;
    if (!joint.free[0].limits) joint.free[0].limits = JointLimits{};
    joint.free[0].limits->upper = joint.length;
    if (!from.may_be_off && !places_.waits(joint) && apart > joint.length * (1 + places_.closed()))
      throw InputError(from.where, "the points of a rope " + places_.moment(),
                       fmt::format("{:.6g} m apart", apart),
                       fmt::format("its length {:.6g} m or less", joint.length));
  }

  void set_screw(const SceneJoint<Dim>& from, Joint<Dim>& joint) const {
    const double lead = from.lead / (2 * M_PI);
    joint.combined = {{joint.pair, Coordinate::z, 1, joint.free[1].start},
                      {joint.pair, Coordinate::turn_z, -lead, joint.free[0].start}};
    joint.total = joint.free[1].start - lead * joint.free[0].start;
  }

  void set_pulley(const SceneJoint<Dim>& from, Joint<Dim>& joint) const {
    const BodyId bodies[2] = {joint.pair.a, joint.pair.b};
    double total = 0;
    for (int i = 0; i < 2; ++i) {
      CombinedTerm<Dim> term;
      term.coordinate = Coordinate::distance;
      term.factor = i == 0 ? 1 : from.ratio;
      term.pair.b = bodies[i];
      term.pair.frame_a.point = from.supports[i];
      term.pair.frame_b.point = places_.joint_point(bodies[i], from.points[i], from);
      term.start = evaluate<Dim>(term.coordinate, places_.placed(term.pair)).value;
      if (!(term.start > 0))
        throw InputError(from.where, "a pulley at the point that its rope holds: its distance is", "0 m",
                         "supports away from the points of the bodies");
      total += term.factor * term.start;
      joint.combined.push_back(term);
    }
    joint.slack = from.slack;
    joint.total = from.total.value_or(total);
    if (from.may_be_off || places_.waits(joint)) return;
    if (from.slack ? total > joint.total * (1 + places_.closed())
                   : std::abs(total - joint.total) > places_.closed() * total)
      throw InputError(from.where, "the rope of a pulley does not fit: " + places_.moment() + " it measures",
                       fmt::format("{:.6g} m", total), fmt::format("total = {:.6g} m", joint.total));
  }

  Joint<Dim> build_gear(const SceneJoint<Dim>& from) const {
    Joint<Dim> joint;
    set_kind<Dim>(JointKind::gear, joint);
    set_time(from, joint);
    double total = 0;
    for (int i = 0; i < 2; ++i) {
      const auto found = joints_.find(from.joints[i]);
      if (found == joints_.end() || built_[found->second].free.empty())
        throw InputError(from.where, "a gear between joints", from.joints[i],
                         "names of two joints with a free direction");
      const Joint<Dim>& other = built_[found->second];
      const std::vector<std::string> names = direction_names<Dim>(other.kind);
      const std::string& wanted = from.directions[i];
      const auto at = wanted.empty() ? names.begin() : std::find(names.begin(), names.end(), wanted);
      if (at == names.end() || other.free[at - names.begin()].rotation)
        throw InputError(from.where, "a direction of joint " + from.joints[i], wanted,
                         fmt::format("{}", fmt::join(names, ", ")));
      const FreeDirection& free = other.free[at - names.begin()];
      joint.combined.push_back({other.pair, free.coordinate, i == 0 ? 1 : -from.ratio, free.start});
      total += joint.combined.back().factor * free.start;
    }
    if (from.joints[0] == from.joints[1] && joint.combined[0].coordinate == joint.combined[1].coordinate)
      throw InputError(from.where, "a gear between a direction and itself", from.joints[0], "two directions");
    joint.total = from.total.value_or(total);
    if (const double size = std::max({1.0, std::abs(total), std::abs(joint.total)});
        !from.may_be_off && !gear_waits(from) && std::abs(total - joint.total) > places_.closed() * size)
      throw InputError(from.where,
                       "a gear does not close: " + places_.moment() + " first - ratio x second is",
                       fmt::format("{:.6g}", total), fmt::format("total = {:.6g}", joint.total));
    return joint;
  }

  bool gear_waits(const SceneJoint<Dim>& from) const {
    return places_.waits(built_[joints_.at(from.joints[0])]) ||
           places_.waits(built_[joints_.at(from.joints[1])]);
  }

  const SimulationModel<Dim>& model_;
  JointSet<Dim>& set_;
  JointPlaces<Dim> places_;
  std::unordered_map<std::string, std::size_t> joints_;  // by name
  std::vector<Joint<Dim>> built_;
};

}  // namespace

template <int Dim>
void build_joints(const SimulationModel<Dim>& model, JointSet<Dim>& joints) {
  if (model.scene.joints.empty()) return;
  if (model.scene.scheme.kind == SchemeKind::schatzman_paoli)
    throw InputError(model.scene.joints[0].where, "a joint under the scheme", "schatzman-paoli",
                     "moreau-jean");
  JointBuilder<Dim>(model, joints).build();
}

// The first look is at what the scene was built with; a joint that begins later begins where its bodies are then.
template <int Dim>
void Simulation<Dim>::Engine::begin_joints() {
  JointSet<Dim>& joints = state.parts.joints;
  std::vector<int> begun;
  for (int i = 0; i < joints.count(); ++i) {
    JointState& joint = joints.states()[i];
    if (joint.begun || !joints.is_there(i, work.parts.slot_of)) continue;
    joint.begun = true;
    begun.push_back(i);
  }
  if (begun.empty()) return;
  if (!is_start()) JointBuilder<Dim>(model, joints).begin(begun, state.bodies, time());
  follow_joints();
}

template void Simulation<2>::Engine::begin_joints();
template void Simulation<3>::Engine::begin_joints();
template void build_joints<2>(const SimulationModel<2>&, JointSet<2>&);
template void build_joints<3>(const SimulationModel<3>&, JointSet<3>&);

}  // namespace saltus
