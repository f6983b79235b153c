#include "saltus/running/run_failure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "saltus/dynamics/largest_number.hpp"
#include "saltus/scenes/scene_body_reader.hpp"

namespace saltus {

namespace {

std::string describe(const TimeFunction& f) {
  switch (f.kind) {
    case TimeFunction::Kind::expression: return fmt::format(" = \"{}\"", f.formula.text());
    case TimeFunction::Kind::constant: return fmt::format(" = {}", f.value);
    case TimeFunction::Kind::table:
    case TimeFunction::Kind::sine: break;
  }
  return "";
}

const char* say(double value) {
  return std::isnan(value) ? "not a number" : value > 0 ? "infinite" : "minus infinity";
}

// Where a step from t0 to t1 may look at a function: both ends and between; a position also at its slope.
class Suspects {
 public:
  Suspects(double t0, double t1) : times_{t0, 0.5 * (t0 + t1), t1} {}

  void look_at(const std::string& key, const TimeFunction& f, bool needs_slope = false) {
    for (const double t : times_) {
      if (!found_.empty()) return;
      const double value = f.at(t), slope = needs_slope ? f.slope_before(t) : 0;
      if (!std::isfinite(value))
        found_ = fmt::format("{}{} is {} at t = {:g} s", key, describe(f), say(value), t);
      else if (std::abs(value) > kLargestNumber)
        found_ = fmt::format("{}{} is {:g} at t = {:g} s, beyond {:g} in size", key, describe(f), value, t,
                             kLargestNumber);
      else if (!std::isfinite(slope))
        found_ = fmt::format("the velocity of {}{} is {} at t = {:g} s", key, describe(f), say(slope), t);
    }
  }
  const std::string& found() const { return found_; }

 private:
  double times_[3];
  std::string found_;
};

const char* name_of(Drive::Kind kind) {
  if (kind == Drive::Kind::velocity) return "velocity";
  return kind == Drive::Kind::position ? "position" : "acceleration";
}

template <int Dim>
void look_at_body(const SceneBody<Dim>& body, Suspects& suspects) {
  for (int dof = 0; dof < kDofs<Dim>; ++dof) {
    const std::string& axis = dof_names<Dim>()[static_cast<std::size_t>(dof)];
    const Drive& drive = body.drive[static_cast<std::size_t>(dof)];
    suspects.look_at("force." + axis, body.force[static_cast<std::size_t>(dof)]);
    if (!drive.is_free() && drive.kind != Drive::Kind::locked)
      suspects.look_at(fmt::format("drive.{}.{}", axis, name_of(drive.kind)), drive.function,
                       drive.kind == Drive::Kind::position);
  }
}

template <int Dim>
void look_at_scene(const Scene<Dim>& scene, Suspects& suspects) {
  suspects.look_at("the angle of tilt", scene.tilt.angle);
  for (const Membrane& membrane : scene.membranes)
    suspects.look_at("the pressure of a membrane", membrane.pressure);
  for (const Servo& servo : scene.servos)
    suspects.look_at(fmt::format("the load on the wall {}", servo.wall), servo.load);
}

// When no function is to blame: the numbers that may be too large for each other.
template <int Dim>
std::string describe_sizes(const Scene<Dim>& scene) {
  return fmt::format(
      "no force or drive is to blame by itself; numbers that are too large for one another are (h = {:g} s, "
      "gravity {:g} m/s2, masses, stiffness or cohesion of the laws, velocities at the start), or a step "
      "that "
      "is too long for them",
      scene.scheme.h, scene.gravity.norm());
}

}  // namespace

template <int Dim>
std::string explain_failure(const Simulation<Dim>& simulation, const StepReport& report) {
  // A system that made no step tells why itself.
  if (report.first_not_finite < 0 && !report.reason.empty()) return report.reason;
  const Scene<Dim>& scene = simulation.scene();
  const double t1 = simulation.time();
  Suspects suspects(t1 - scene.scheme.h, t1);
  std::string who = "the state";
  if (report.first_not_finite >= 0) {
    const SceneBody<Dim>& body = scene.bodies[static_cast<std::size_t>(report.first_not_finite)];
    who =
        fmt::format("body {}{}{}", report.first_not_finite, body.name.empty() ? "" : " \"" + body.name + "\"",
                    body.where.empty() ? "" : " (" + body.where.str() + ")");
    look_at_body(body, suspects);
  }
  look_at_scene(scene, suspects);
  // What one body got from another by contact: the first key that fails explains it too.
  for (std::size_t i = 0; i < scene.bodies.size() && suspects.found().empty(); ++i) {
    look_at_body(scene.bodies[i], suspects);
    if (!suspects.found().empty() && !scene.bodies[i].name.empty())
      return fmt::format("{} is not finite at t = {:g} s: of body \"{}\", {}", who, t1, scene.bodies[i].name,
                         suspects.found());
  }
  return fmt::format("{} is not finite at t = {:g} s: {}", who, t1,
                     suspects.found().empty() ? describe_sizes(scene) : suspects.found());
}

template std::string explain_failure<2>(const Simulation<2>&, const StepReport&);
template std::string explain_failure<3>(const Simulation<3>&, const StepReport&);

}  // namespace saltus
