// What loads the bodies beside their own forces: gravity that tilts, membranes, walls driven by a load.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/wall_face.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

Vec<2> turned(const Vec<2>& v, const Vec<3>&, double angle) {
  return Pose<2>(Vec<2>::Zero(), angle).rotated(v);
}
Vec<3> turned(const Vec<3>& v, const Vec<3>& axis, double angle) {
  return exponential_map(angle * axis.normalized()) * v;
}

template <int Dim>
int find_wall(const Scene<Dim>& scene, const Servo& servo, const std::string& name) {
  const auto has_name = [&](const SceneBody<Dim>& body) { return body.name == name; };
  const auto at = std::find_if(scene.bodies.begin(), scene.bodies.end(), has_name);
  if (at == scene.bodies.end())
    throw InputError(servo.where, "a servo names a wall", name, "the name of a body");
  if (std::any_of(at + 1, scene.bodies.end(), has_name))
    throw InputError(servo.where, "a servo names a wall", name,
                     "a name that one body has: several have this one");
  if (wall_face<Dim>(at->shape, at->pose).axis < 0)
    throw InputError(servo.where, "a servo names a wall", name, "a half-plane or plane along an axis");
  return static_cast<int>(at - scene.bodies.begin());
}

// Pairs of walls that face each other, one for each direction across the servo's own.
template <int Dim>
std::vector<std::pair<int, int>> find_pairs(const Scene<Dim>& scene, const Servo& servo, int own_axis) {
  const std::string wanted = Dim == 2
                                 ? "two walls that face each other across the wall of the servo"
                                 : "two pairs of walls that face each other across the wall of the servo";
  std::vector<std::pair<int, int>> pairs;
  for (int axis = 0; axis < Dim; ++axis) {
    if (axis == own_axis) continue;
    std::pair<int, int> pair{-1, -1};
    for (const std::string& name : servo.between) {
      const int wall = find_wall(scene, servo, name);
      const WallFace face = wall_face<Dim>(scene.bodies[wall].shape, scene.bodies[wall].pose);
      if (face.axis == axis) (face.sign > 0 ? pair.first : pair.second) = wall;
    }
    if (pair.first < 0 || pair.second < 0)
      throw InputError(servo.where, "between", fmt::format("{}", fmt::join(servo.between, ", ")), wanted);
    pairs.push_back(pair);
  }
  if (servo.between.size() != 2 * pairs.size())
    throw InputError(servo.where, "between", fmt::format("{}", fmt::join(servo.between, ", ")), wanted);
  return pairs;
}

// The largest load that the run asks for, from a hundred of its moments.
template <int Dim>
double largest_load(const Scene<Dim>& scene, const Servo& servo) {
  constexpr int kMoments = 100;
  double largest = 0;
  for (int i = 0; i <= kMoments; ++i)
    largest = std::max(largest, std::abs(servo.load.at(scene.start_time +
                                                       i * (scene.end_time - scene.start_time) / kMoments)));
  return largest;
}

template <int Dim>
double first_area(const Scene<Dim>& scene, const Servo& servo, const ServoWall& wall) {
  if (!servo.is_stress) return 1;
  if (servo.area > 0) return servo.area;
  double area = 1;
  for (const auto& [low, high] : wall.between)
    area *= wall_face<Dim>(scene.bodies[high].shape, scene.bodies[high].pose).place -
            wall_face<Dim>(scene.bodies[low].shape, scene.bodies[low].pose).place;
  return area;
}

// Below this mass the load alone passes the limit within a step, and a wall at rest would not get all of it.
template <int Dim>
void check_mass(const Scene<Dim>& scene, const Servo& servo, const ServoWall& wall, double mass) {
  if (!std::isfinite(servo.speed)) return;
  const double least =
      2 * scene.scheme.h * largest_load(scene, servo) * first_area(scene, servo, wall) / servo.speed;
  if (mass < least)
    throw InputError(servo.where, "the mass of wall \"" + servo.wall + "\" is too small for its speed limit",
                     fmt::format("{:g} kg", mass),
                     fmt::format("{:g} kg or more (2 h load / speed), or a smaller step", least));
}

}  // namespace

template <int Dim>
void build_servos(SimulationModel<Dim>& model) {
  const Scene<Dim>& scene = model.scene;
  for (const Servo& servo : scene.servos) {
    ServoWall wall;
    wall.body = find_wall(scene, servo, servo.wall);
    const SceneBody<Dim>& body = scene.bodies[wall.body];
    const WallFace face = wall_face<Dim>(body.shape, body.pose);
    wall.axis = face.axis;
    wall.sign = face.sign;
    if (body.fixed || !body.drive[face.axis].is_free())
      throw InputError(servo.where, "the wall of a servo", servo.wall,
                       "a wall that is free to move along its normal, neither fixed nor driven that way");
    for (int dof = Dim; dof < kDofs<Dim>; ++dof)
      if (body.drive[dof].is_free())
        throw InputError(servo.where, "the wall of a servo", servo.wall, "a wall whose rotations are locked");
    if (servo.is_stress && servo.area == 0) wall.between = find_pairs(scene, servo, face.axis);
    model.servos.push_back(wall);
    check_mass(scene, servo, wall, model.build_body(wall.body).mass);
  }
}

template <int Dim>
Vec<Dim> SimulationModel<Dim>::gravity_at(double t) const {
  if (scene.tilt.is_zero()) return scene.gravity;
  return turned(scene.gravity, scene.tilt.axis, scene.tilt.angle.at(t));
}

template <int Dim>
void Simulation<Dim>::Engine::compute_loads() {
  const double theta = work.scheme.theta;
  work.gravity = model.scene.gravity;
  if (!model.scene.tilt.is_zero())
    work.gravity = theta * model.gravity_at(time() + work.scheme.h) + (1 - theta) * model.gravity_at(time());
  work.extra.clear();
  work.lost_membranes = 0;
  work.pushes.clear();
  if (model.scene.membranes.empty() && model.scene.servos.empty()) return;
  work.extra.assign(state.bodies.slots(), Vec<Dim>::Zero());
  press_membranes();
  push_servos();
}

template <int Dim>
void Simulation<Dim>::Engine::press_membranes() {
  if constexpr (Dim == 2) {
    for (int number = 0; number < static_cast<int>(model.scene.membranes.size()); ++number) {
      const Membrane& membrane = model.scene.membranes[static_cast<std::size_t>(number)];
      auto& [slots, points, force, finder] = work.pressed;
      slots.clear();
      points.clear();
      double size = 0;
      for (int slot = 0; slot < state.bodies.slots(); ++slot) {
        if (!state.bodies.is_moving(slot) ||
            !(model.scene.bodies[state.bodies.id[slot]].group & membrane.group))
          continue;
        slots.push_back(slot);
        points.push_back(state.bodies.pose[slot].position);
        size += state.bodies.model[slot].size;
      }
      if (points.empty()) {
        work.lost_membranes += membrane.pressure.at(time()) != 0;
        continue;
      }
      const double longest =
          membrane.longest_side > 0 ? membrane.longest_side : 4 * size / static_cast<double>(points.size());
      force.assign(points.size(), Vec<2>::Zero());
      const double theta = work.scheme.theta, h = work.scheme.h;
      const double pressure =
          theta * membrane.pressure.at(time() + h) + (1 - theta) * membrane.pressure.at(time());
      const std::span<const int> contour = finder.compute(points, longest);
      if (contour.size() < 3 && pressure != 0) ++work.lost_membranes;
      add_pressure(points, contour, pressure, force);
      const int wall = model.rough[static_cast<std::size_t>(number)].body;
      const bool is_rough = wall >= 0 && pressure > 0 && state.bodies.find(wall) >= 0;
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if (!is_rough)
          work.extra[slots[i]] += force[i];
        else if (force[i].squaredNorm() > 0)
          work.pushes.push_back({slots[i], number, force[i]});
      }
    }
  }
}

// Walls that are not there yet, or no more, leave nothing to load.
template <int Dim>
double Simulation<Dim>::Engine::servo_area(const Servo& servo, const ServoWall& wall) const {
  if (!servo.is_stress) return 1;
  if (servo.area > 0) return servo.area;
  const auto place = [&](int body) {
    const int slot = state.bodies.find(body);
    return slot < 0 ? std::numeric_limits<double>::quiet_NaN()
                    : wall_face<Dim>(model.shape_about_mass(body), state.bodies.pose[slot]).place;
  };
  double area = 1;
  for (const auto& [low, high] : wall.between) {
    const double length = place(high) - place(low);
    area *= length > 0 ? length : 0;
  }
  return area;
}

template <int Dim>
void Simulation<Dim>::Engine::push_servos() {
  const double theta = work.scheme.theta, h = work.scheme.h;
  for (std::size_t i = 0; i < model.servos.size(); ++i) {
    const Servo& servo = model.scene.servos[i];
    const ServoWall& wall = model.servos[i];
    const int slot = state.bodies.find(wall.body);
    if (slot < 0) continue;
    const double load = theta * servo.load.at(time() + h) + (1 - theta) * servo.load.at(time());
    double force = wall.sign * load * servo_area(servo, wall);
    const double mass = state.bodies.model[slot].mass, v = state.bodies.velocity[slot][wall.axis];
    if (std::isfinite(servo.speed))
      force = std::clamp(force, std::min(0.0, mass * (-servo.speed - v) / h),
                         std::max(0.0, mass * (servo.speed - v) / h));
    work.extra[slot][wall.axis] += force;
  }
}

template void build_servos<2>(SimulationModel<2>&);
template void build_servos<3>(SimulationModel<3>&);
template Vec<2> SimulationModel<2>::gravity_at(double) const;
template Vec<3> SimulationModel<3>::gravity_at(double) const;
template void Simulation<2>::Engine::compute_loads();
template void Simulation<3>::Engine::compute_loads();

}  // namespace saltus
