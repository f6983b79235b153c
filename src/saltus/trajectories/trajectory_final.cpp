#include "saltus/trajectories/trajectory_final.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/material_registry.hpp"
#include "saltus/geometry/mass_properties.hpp"

namespace saltus {

namespace {

// A joint that waits for a body stays as the scene has it, but that points in the frame of a body that is there are about its
// centre of mass now, as its shape is.
template <int Dim>
void keep_waiting(const Simulation<Dim>& simulation, int index, SceneJoint<Dim>& joint) {
  if (!joint.local) return;
  const auto [a, b] = simulation.joint_bodies(index);
  const BodyId ids[2] = {a, b};
  for (const int e : {0, 1}) {
    if (ids[e] < 0 || simulation.bodies().find(ids[e]) < 0) continue;
    const SceneBody<Dim>& body = simulation.scene().bodies[ids[e]];
    if (body.centre)
      joint.points[e] -= *body.centre;
    else if (compute_volume<Dim>(body.shape) > 0)
      joint.points[e] -= compute_mass_properties<Dim>(body.shape, body.density).centre;
  }
}

// Per joint: all its bodies are there, of a gear those of its joints.
template <int Dim>
std::vector<char> find_joints_there(const Simulation<Dim>& simulation) {
  const std::vector<SceneJoint<Dim>>& joints = simulation.scene().joints;
  std::vector<char> there(joints.size(), 1);
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto [a, b] = simulation.joint_bodies(static_cast<int>(i));
    for (const BodyId id : {a, b})
      if (id >= 0 && simulation.bodies().find(id) < 0) there[i] = 0;
    number.emplace(joints[i].name, i);
  }
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].kind == JointKind::gear)
      there[i] = there[number.at(joints[i].joints[0])] && there[number.at(joints[i].joints[1])];
  return there;
}

// Where joints are now. Those whose bodies are gone go with them.
template <int Dim>
void continue_joints(const Simulation<Dim>& simulation, Scene<Dim>& scene) {
  const std::vector<char> there_now = find_joints_there(simulation);
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    SceneJoint<Dim>& joint = scene.joints[i];
    if (!there_now[i]) {
      keep_waiting(simulation, static_cast<int>(i), joint);
      continue;
    }
    const auto now = simulation.joint_place(static_cast<int>(i));
    joint.points[0] = now.point;
    joint.points[1] = now.point_b;
    joint.local = false;
    joint.axis = now.axis;
    joint.axis2 = now.axis2;
    joint.axis_b.reset();
    joint.may_be_off = joint.kind != JointKind::spring;
    if (joint.kind == JointKind::spherical) joint.rotation_start = now.rotation;
    const auto [length, total] = simulation.joint_lengths(static_cast<int>(i));
    if (joint.kind == JointKind::rod || joint.kind == JointKind::rope) joint.length = length;
    if (joint.kind == JointKind::gear || joint.kind == JointKind::pulley) joint.total = total;
    const std::vector<std::string> names = direction_names<Dim>(joint.kind);
    joint.starts.assign(names.size(), std::nullopt);
    for (std::size_t d = 0; d < names.size(); ++d)
      if (names[d].starts_with("angle") || names[d] == "twist") joint.starts[d] = now.value[d];
  }
  std::set<std::string> there;
  for (const SceneBody<Dim>& body : scene.bodies) there.insert(body.name);
  for (const SceneDeformable<Dim>& body : scene.deformable) there.insert(body.name);
  std::erase_if(scene.joints, [](const SceneJoint<Dim>& joint) { return joint.tie >= 0; });
  const auto is_gone = [&](const std::string& name) { return !name.empty() && !there.contains(name); };
  std::erase_if(scene.joints,
                [&](const SceneJoint<Dim>& joint) { return is_gone(joint.a) || is_gone(joint.b); });
  there.clear();
  for (const SceneJoint<Dim>& joint : scene.joints) there.insert(joint.name);
  std::erase_if(scene.joints, [&](const SceneJoint<Dim>& joint) {
    return joint.kind == JointKind::gear && (is_gone(joint.joints[0]) || is_gone(joint.joints[1]));
  });
}

// Whether its materials have a history.
template <int Dim>
bool remembers(const SceneDeformable<Dim>& body) {
  const StrainMeasure measure =
      body.kinematics == Kinematics::finite ? StrainMeasure::finite : StrainMeasure::small;
  return std::any_of(body.solids.begin(), body.solids.end(), [&](const auto& solid) {
    return make_material(solid.kind, solid.parameters)->internal_count(measure) > 0;
  });
}

template <int Dim>
void continue_systems(const Simulation<Dim>& simulation, Scene<Dim>& scene) {
  if (!scene.elastic.empty())
    throw InputError(
        "",
        "the final scene of a run with [[elastic]] bodies cannot be written: they have no place for "
        "their deformation; [[deformable]] has, and a checkpoint (--resume)");
  for (std::size_t i = 0; i < scene.systems.size(); ++i) {
    const Eigen::VectorXd &q = simulation.system_coordinates(static_cast<int>(i)),
                          &v = simulation.system_velocity(static_cast<int>(i));
    scene.systems[i].q.assign(q.data(), q.data() + q.size());
    scene.systems[i].v.assign(v.data(), v.data() + v.size());
  }
  const std::size_t solids = scene.systems.size() + scene.elastic.size();
  for (std::size_t i = 0; i < scene.deformable.size(); ++i) {
    const int system = static_cast<int>(solids + i);
    if (remembers(scene.deformable[i]))
      throw InputError(
          "", "the final scene cannot be written: a scene has no place for what the materials of \"" +
                  scene.deformable[i].name + "\" remember; a checkpoint (--resume) has");
    const Eigen::VectorXd &q = simulation.system_coordinates(system), &v = simulation.system_velocity(system);
    scene.deformable[i].q.assign(q.data(), q.data() + q.size());
    scene.deformable[i].v.assign(v.data(), v.data() + v.size());
  }
  for (std::size_t i = 0; i < scene.lagrangian.size(); ++i) {
    const int system = static_cast<int>(solids + scene.deformable.size() + i);
    const Eigen::VectorXd &q = simulation.system_coordinates(system), &v = simulation.system_velocity(system);
    scene.lagrangian[i].q.assign(q.data(), q.data() + q.size());
    scene.lagrangian[i].v.assign(v.data(), v.data() + v.size());
    for (SceneConstraint& constraint : scene.lagrangian[i].constraints) constraint.may_be_off = true;
  }
  for (std::size_t i = 0; i < scene.beams.size(); ++i) {
    const int system = static_cast<int>(solids + scene.deformable.size() + scene.lagrangian.size() + i);
    const Eigen::VectorXd &q = simulation.system_coordinates(system), &v = simulation.system_velocity(system);
    scene.beams[i].q.assign(q.data(), q.data() + q.size());
    scene.beams[i].v.assign(v.data(), v.data() + v.size());
  }
}

}  // namespace

template <int Dim>
Scene<Dim> build_final_scene(const Simulation<Dim>& simulation) {
  const BodySet<Dim>& bodies = simulation.bodies();
  Scene<Dim> scene = simulation.scene();
  // Bodies appear at the start of a step: those due since the last one began are still to come.
  const double h = scene.scheme.h,
               last_look = simulation.time() - (simulation.steps() > 0 ? h : 0.0) + 1e-6 * h;
  std::vector<SceneBody<Dim>> present;
  for (std::size_t index = 0; index < scene.bodies.size(); ++index) {
    SceneBody<Dim> body = scene.bodies[index];
    const int slot = bodies.find(static_cast<BodyId>(index));
    if (slot >= 0) {
      // In the frame of the body, about its centre of mass: then the pose is that of the simulation.
      body.shape = simulation.shape(slot);
      if (body.centre) body.centre = Vec<Dim>::Zero().eval();
      body.pose = bodies.pose[slot];
      body.velocity = bodies.velocity[slot];
      body.spin = bodies.spin_world(slot);
      body.added_at = std::min(0.0, simulation.time());
    } else if (body.added_at <= last_look) {
      continue;
    }
    present.push_back(std::move(body));
  }
  scene.bodies = std::move(present);
  continue_joints(simulation, scene);
  continue_systems(simulation, scene);
  scene.end_time = simulation.time() + (scene.end_time - scene.start_time);
  scene.start_time = simulation.time();
  scene.relax_overlaps = false;
  return scene;
}

template Scene<2> build_final_scene<2>(const Simulation<2>&);
template Scene<3> build_final_scene<3>(const Simulation<3>&);

}  // namespace saltus
