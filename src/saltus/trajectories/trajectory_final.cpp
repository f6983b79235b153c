#include "saltus/trajectories/trajectory_final.hpp"

#include <algorithm>
#include <utility>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

// Where joints are now, and how much of their angles is left.
template <int Dim>
void continue_joints(const Simulation<Dim>& simulation, Scene<Dim>& scene) {
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const auto now = simulation.joint_place(static_cast<int>(i));
    scene.joints[i].point = now.point;
    scene.joints[i].axis = now.axis;
    scene.joints[i].lower -= now.angle;
    scene.joints[i].upper -= now.angle;
  }
}

template <int Dim>
void continue_systems(const Simulation<Dim>& simulation, Scene<Dim>& scene) {
  if (!scene.elastic.empty())
    throw InputError(
        "",
        "the final scene of a run with elastic bodies cannot be written: a scene has no place for "
        "their deformation; a checkpoint (--resume) has");
  for (std::size_t i = 0; i < scene.systems.size(); ++i) {
    const Eigen::VectorXd &q = simulation.system_coordinates(static_cast<int>(i)),
                          &v = simulation.system_velocity(static_cast<int>(i));
    scene.systems[i].q.assign(q.data(), q.data() + q.size());
    scene.systems[i].v.assign(v.data(), v.data() + v.size());
  }
  for (std::size_t i = 0; i < scene.lagrangian.size(); ++i) {
    const int system = static_cast<int>(scene.systems.size() + scene.elastic.size() + i);
    const Eigen::VectorXd &q = simulation.system_coordinates(system), &v = simulation.system_velocity(system);
    scene.lagrangian[i].q.assign(q.data(), q.data() + q.size());
    scene.lagrangian[i].v.assign(v.data(), v.data() + v.size());
  }
}

}  // namespace

template <int Dim>
Scene<Dim> build_final_scene(const Simulation<Dim>& simulation) {
  const BodySet<Dim>& bodies = simulation.bodies();
  Scene<Dim> scene = simulation.scene();
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
    } else if (body.added_at <= simulation.time()) {
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
