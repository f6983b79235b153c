#include "saltus/running/scene_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "saltus/base/timer.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/measure/stop_monitor.hpp"
#include "saltus/running/run_length.hpp"
#include "saltus/running/summary.hpp"
#include "saltus/scenes/scene_shape_writer.hpp"
#include "saltus/sim/body_label.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/sim/system_check.hpp"
#include "saltus/trajectories/trajectory_data.hpp"

namespace saltus {

namespace {

template <int Dim>
bool is_prescribed(const SceneBody<Dim>& body) {
  const auto is_free = [](const Drive& drive) { return drive.is_free(); };
  return body.fixed || std::none_of(body.drive.begin(), body.drive.end(), is_free);
}

std::string format_bytes(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
  return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string format_counts(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [name, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  return text.empty() ? "none" : text;
}

template <int Dim>
std::string describe_bodies(const Scene<Dim>& scene) {
  int fixed = 0, driven = 0, late = 0, never = 0;
  for (const auto& body : scene.bodies) {
    fixed += body.fixed;
    driven += !body.fixed && is_prescribed(body);
    late += body.added_at > scene.start_time;
    never += body.added_at > scene.end_time;
  }
  const int all = static_cast<int>(scene.bodies.size());
  std::string text =
      fmt::format("{}: {} free, {} fixed, {} driven", all, all - fixed - driven, fixed, driven);
  if (late) text += fmt::format("; {} appear later", late);
  return never ? text + fmt::format(", {} of them after the end", never) : text;
}

template <int Dim>
std::string describe_shapes(const Scene<Dim>& scene) {
  std::map<std::string, int> kinds;
  for (const auto& body : scene.bodies) ++kinds[shape_kind<Dim>(body.shape)];
  return format_counts(kinds);
}

template <int Dim>
std::string describe_meshes(const Scene<Dim>& scene) {
  std::size_t nodes = 0, elements = 0;
  for (const SceneDeformable<Dim>& body : scene.deformable) {
    nodes += body.mesh->nodes.size();
    elements += body.mesh->elements.size();
  }
  return fmt::format("{} {}: {} elements, {} nodes", scene.deformable.size(),
                     scene.deformable.size() == 1 ? "body" : "bodies", elements, nodes);
}

std::string describe_law(const PairLaw& law) {
  std::string text = fmt::format("{}, friction {:g}", name(law.kind), law.friction);
  if (law.kind == LawKind::newton || law.kind == LawKind::fremond)
    text += fmt::format(", restitution {:g}", law.restitution);
  if (law.kind == LawKind::moreau) text += fmt::format(", dissipation {:g}", law.dissipation);
  if (law.cohesion > 0) text += fmt::format(", cohesion {:g} N", law.cohesion);
  if (law.rolling > 0) text += fmt::format(", rolling {:g} m", law.rolling);
  return text;
}

template <int Dim>
void report_content(const Scene<Dim>& scene, SceneReport& report) {
  const auto add = [&](const char* subject, std::string finding) {
    report.lines.emplace_back(subject, std::move(finding));
  };
  if (!scene.title.empty()) add("title", scene.title);
  add("dimension", fmt::format("{}", Dim));
  add("bodies", describe_bodies(scene));
  add("shapes", describe_shapes(scene));
  std::map<std::string, int> materials;
  for (const auto& body : scene.bodies) ++materials[body.material];
  add("materials", format_counts(materials));
  for (const SceneLaw& law : scene.laws)
    add("law", fmt::format("{}, {}: {}", law.material_a, law.material_b, describe_law(law.law)));
  if (scene.default_law) add("law", "other pairs: " + describe_law(*scene.default_law));
  add("gravity",
      scene.gravity.isZero(0)
          ? "none"
          : fmt::format("({:g}) m/s2", fmt::join(scene.gravity.data(), scene.gravity.data() + Dim, ", ")));
  if (!scene.period.isZero(0))
    add("periodic cell", fmt::format("({:g}) m, 0: not periodic",
                                     fmt::join(scene.period.data(), scene.period.data() + Dim, ", ")));
  if (!scene.tilt.is_zero()) add("tilt", "gravity turns in time");
  if (!scene.servos.empty()) add("servos", fmt::format("{}", scene.servos.size()));
  if (!scene.membranes.empty()) add("membranes", fmt::format("{}", scene.membranes.size()));
  std::map<std::string, int> joints;
  for (const SceneJoint<Dim>& joint : scene.joints) ++joints[name(joint.kind)];
  if (!joints.empty()) add("joints", format_counts(joints));
  if (!scene.deformable.empty()) add("deformable", describe_meshes(scene));
  if (!scene.beams.empty()) add("beams", fmt::format("{}", scene.beams.size()));
}

template <int Dim>
void report_systems(const Scene<Dim>& scene, SceneReport& report) {
  if (scene.lagrangian.empty()) return;
  for (const SceneLagrangianSystem<Dim>& system : scene.lagrangian)
    report.lines.emplace_back(
        "system", fmt::format("{}{} coordinates, {} gaps, {} constraints, {} points",
                              system.name.empty() ? "" : '"' + system.name + "\": ", system.q.size(),
                              system.gaps.size(), system.constraints.size(), system.points.size()));
  const std::vector<std::string> findings = check_systems(scene);
  if (findings.empty())
    report.lines.emplace_back("formulas", "derivatives agree with differences, masses are positive definite");
  report.warnings.insert(report.warnings.end(), findings.begin(), findings.end());
}

double count_steps(double start, double end, double h) { return std::ceil((end - start) / h - 0.5); }

template <int Dim>
std::string describe_tolerance(const Scene<Dim>& scene) {
  const SolverSettings& solver = scene.solver;
  if (solver.margins)
    return fmt::format("by margins of {:g} m, {:g} m/s, {:g} N", solver.margins->gap,
                       solver.margins->velocity, solver.margins->force);
  if (solver.tolerance_velocity > 0) return fmt::format("{:g} m/s", solver.tolerance_velocity);
  return fmt::format("{:g} {}", solver.tolerance, scene.gravity.isZero(0) ? "of the rms of b" : "g h");
}

std::string describe_scheme(const SchemeOptions& scheme) {
  const AlphaOptions& alpha = scheme.alpha;
  if (is_alpha(scheme.kind))
    return fmt::format("{}, alpha_m = {:g}, alpha_f = {:g}, beta = {:g}, gamma = {:g}", name(scheme.kind),
                       alpha.alpha_m, alpha.alpha_f, alpha.beta, alpha.gamma);
  return fmt::format(
      "theta = {:g}, activation {}{}, H at {}", scheme.theta, name(scheme.activation),
      scheme.activation == Activation::gamma ? fmt::format(" {:g}", scheme.activation_gamma) : "",
      name(scheme.jacobian_at));
}

template <int Dim>
void report_time(const Scene<Dim>& scene, SceneReport& report) {
  const double h = scene.scheme.h, hint = compute_step_hint(scene);
  report.lines.emplace_back(
      "time", fmt::format("{:g} to {:g} s, h = {:g} s: {:.0f} steps", scene.start_time, scene.end_time, h,
                          count_steps(scene.start_time, scene.end_time, h)));
  if (const std::string note = check_run_length(scene); !note.empty()) report.lines.emplace_back("end", note);
  report.lines.emplace_back("scheme", describe_scheme(scene.scheme));
  report.lines.emplace_back("solver",
                            fmt::format("{}, tolerance {}, up to {} iterations", name(scene.solver.kind),
                                        describe_tolerance(scene), scene.solver.max_iterations));
  if (hint <= 0) return;
  report.lines.emplace_back(
      "step hint", fmt::format("h = {:.1e} s or less: no body crosses a tenth of the smallest one", hint));
  if (h > 10 * hint)
    report.warnings.push_back(
        fmt::format("the step of {:g} s is long: in it the fastest body may cross the smallest one", h));
}

// Bytes of one frame, before compression.
template <int Dim>
double frame_bytes(const Scene<Dim>& scene, double bodies, double contacts) {
  double bytes = 0;
  for (const TrajectoryColumn& column : trajectory_columns()) {
    if (!is_chosen(column, scene.output.fields)) continue;
    const double rows = column.rows == Rows::frame     ? 1
                        : column.rows == Rows::body    ? bodies
                        : column.rows == Rows::contact ? contacts
                                                       : 0;
    bytes += 8 * rows * column.width(Dim);
  }
  return bytes;
}

// The first steps of the run: half a second of them, or a hundred.
struct Trial {
  int steps = 0;
  double cpu = 0;  // s
  StepReport first, last;
};

template <int Dim>
Trial run_trial(Simulation<Dim>& simulation) {
  constexpr int kSteps = 100;
  constexpr double kSeconds = 0.5;
  Trial trial;
  const Stopwatch watch(Clock::process_cpu);
  do {
    trial.last = simulation.step();
    if (++trial.steps == 1) trial.first = trial.last;
    trial.cpu = watch.seconds();
  } while (trial.steps < kSteps && trial.cpu < kSeconds && !simulation.finished());
  return trial;
}

// Bodies that are going to fall, flow or be pressed together touch little at first: what steps will cost is
// only known when about as many contacts are there as bodies that move, and no longer many more in every
// step.
template <int Dim>
std::string describe_duration(const Scene<Dim>& scene, const Trial& trial) {
  const double seconds =
      trial.cpu / trial.steps * count_steps(scene.start_time, scene.end_time, scene.scheme.h);
  const auto movable = std::count_if(scene.bodies.begin(), scene.bodies.end(),
                                     [](const SceneBody<Dim>& body) { return !is_prescribed(body); });
  const bool few = movable > 1 && trial.last.contacts < movable;
  const bool growing = trial.last.contacts > 1.1 * trial.first.contacts;
  const bool late = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                [&](const SceneBody<Dim>& body) { return body.added_at > scene.start_time; });
  if (!few && !growing && !late)
    return fmt::format("about {:.2g} s CPU if steps stay as the first {}{}", seconds, trial.steps,
                       scene.stops.empty() ? "" : ", less if run.stop ends it earlier");
  return fmt::format(
      "cannot be told: {} contacts of {} bodies that move in the first steps, {}; {:.2g} s CPU if it stayed "
      "so",
      trial.last.contacts, movable, late ? "others appear later" : "more will form", seconds);
}

template <int Dim>
void report_trial_step(const Scene<Dim>& scene, Simulation<Dim>& simulation, SceneReport& report) {
  const Trial trial = run_trial(simulation);
  const StepReport& step = trial.last;
  report.lines.emplace_back(
      "trial steps", fmt::format("{}: {} contacts, {} iterations, {:.3g} ms CPU", trial.steps, step.contacts,
                                 step.iterations, 1e3 * trial.cpu / trial.steps));
  if (simulation.summary().bonds_start > 0)
    report.lines.emplace_back(
        "bonds",
        fmt::format("{} of {} contacts at the start, {} broke in the trial steps", trial.first.bonds_formed,
                    trial.first.contacts, simulation.summary().bonds_broken));
  report.lines.emplace_back("duration", describe_duration(scene, trial));
  report.lines.emplace_back("memory", format_memory(peak_memory_bytes(), step.bodies) + " at the first step");
  const double every = std::max(scene.output.every, scene.scheme.h);
  const double frames = std::floor((scene.end_time - scene.start_time) / every * (1 + 1e-12)) + 1;
  const double bytes = frames * frame_bytes(scene, static_cast<double>(scene.bodies.size()), step.contacts);
  report.lines.emplace_back("output",
                            fmt::format("{:.0f} frames, {} before compression", frames, format_bytes(bytes)));
}

template <int Dim>
void report_critical_step(const Simulation<Dim>& simulation, SceneReport& report) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < simulation.system_count(); ++i)
    least = std::min(least, simulation.system(i).critical_step());
  if (std::isfinite(least))
    report.lines.emplace_back("critical step", fmt::format("{:.4g} s, of the explicit scheme", least));
}

template <int Dim>
void report_overlaps(const Scene<Dim>& scene, const Simulation<Dim>& simulation, SceneReport& report) {
  const InitialOverlaps& overlaps = simulation.initial_overlaps();
  const auto body_name = [&](BodyId id) { return body_label(scene, id); };
  const std::string relaxed =
      overlaps.left > 0
          ? fmt::format("; pushing them apart failed: after {} passes {:.3g} m are left, of {} and {}",
                        overlaps.relaxation_passes, overlaps.left, body_name(overlaps.left_a),
                        body_name(overlaps.left_b))
      : scene.relax_overlaps ? fmt::format("; pushed apart in {} passes", overlaps.relaxation_passes)
                             : std::string("; run.relax_overlaps = true pushes them apart before the run");
  if (overlaps.count == 0) {
    report.lines.emplace_back("initial overlaps", "none");
    if (overlaps.left > 0) report.warnings.push_back("elastic layers are compressed" + relaxed);
  } else {
    const std::string finding = fmt::format("{}, the deepest {:.3g} m, of {} and {}", overlaps.count,
                                            overlaps.deepest, body_name(overlaps.a), body_name(overlaps.b));
    report.lines.emplace_back("initial overlaps", finding);
    report.warnings.push_back("bodies overlap at the start: " + finding + relaxed);
  }
  if (overlaps.layers > 0)
    report.lines.emplace_back("elastic layers", fmt::format("{} compressed at the start, by {:.3g} m at most",
                                                            overlaps.layers, overlaps.compression));
  if (overlaps.inside > 0)
    report.warnings.push_back(fmt::format(
        "{} {} inside the matter of another at the start, {} in {}: nothing holds what is beyond a surface "
        "(matter is behind the normal of a half-space, to the right of a polyline, behind the "
        "counter-clockwise "
        "faces of a mesh)",
        overlaps.inside, overlaps.inside == 1 ? "body lies" : "bodies lie", body_name(overlaps.inside_body),
        body_name(overlaps.inside_of)));
}

}  // namespace

template <int Dim>
double compute_step_hint(const Scene<Dim>& scene) {
  double size = HUGE_VAL, speed = 0;
  Bounds<Dim> places;
  for (const auto& body : scene.bodies) {
    speed = std::max(speed, body.velocity.norm());
    places.add(body.pose.position);
    if (is_prescribed(body) || is_unbounded<Dim>(body.shape)) continue;
    const Bounds<Dim> bounds = compute_bounds<Dim>(body.shape, Pose<Dim>());
    const double width = (bounds.high - bounds.low).minCoeff();
    if (width > 0) size = std::min(size, width);
  }
  const double g = scene.gravity.norm();
  if (std::isinf(size) || (g == 0 && speed == 0)) return 0;
  if (g > 0) {
    const double drop = std::abs((places.high - places.low).dot(scene.gravity.cwiseAbs())) / g;
    speed = std::max(speed, std::sqrt(2 * g * drop));
  }
  double hint = HUGE_VAL;
  if (speed > 0) hint = 0.1 * size / speed;
  if (g > 0) hint = std::min(hint, 0.1 * std::sqrt(size / g));
  return hint;
}

namespace {

// What a run refuses before its first step: measures of what is not there, conditions on columns that nothing measures.
template <int Dim>
void check_measures(const Simulation<Dim>& simulation) {
  const Scene<Dim>& scene = simulation.scene();
  std::vector<std::string> names;
  Snapshot<Dim> first;
  if (!scene.measures.empty()) {
    for (const SceneBody<Dim>& body : scene.bodies) names.push_back(body.name);
    take_snapshot(simulation, first);
  }
  const Measurer<Dim> measurer(scene.measures, names, first);
  const StopMonitor monitor(scene.stops, measurer.columns());
}

}  // namespace

template <int Dim>
SceneReport build_scene_report(const Scene<Dim>& scene) {
  SceneReport report;
  Simulation<Dim> simulation(scene);
  check_measures(simulation);
  report_content(scene, report);
  report_time(scene, report);
  for (std::string& text : simulation.scene_warnings()) report.warnings.push_back(std::move(text));
  report_systems(scene, report);
  for (const std::string& finding : simulation.joint_findings())
    report.lines.emplace_back("loops of joints", finding);
  report_critical_step(simulation, report);
  report_overlaps(scene, simulation, report);
  report_trial_step(scene, simulation, report);
  return report;
}

template double compute_step_hint<2>(const Scene<2>&);
template double compute_step_hint<3>(const Scene<3>&);
template SceneReport build_scene_report<2>(const Scene<2>&);
template SceneReport build_scene_report<3>(const Scene<3>&);

}  // namespace saltus
