#include "saltus/running/summary.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace saltus {

namespace {

using Json = nlohmann::ordered_json;

Json describe(const Statistic& statistic) {
  return {{"worst", statistic.worst()},
          {"worst_time", statistic.worst_time()},
          {"p95", statistic.p95()},
          {"mean", statistic.mean()}};
}

// Work done by contacts and dampers is theirs to lose: dissipation is its negative.
Json describe_dissipation(const EnergyBalance& energy) {
  const auto lost = [](double work) { return 0.0 - work; };  // no work is 0, not -0
  return {{"impact", lost(energy.impact)},   {"friction", lost(energy.friction)},
          {"elastic", lost(energy.elastic)}, {"cohesion", lost(energy.cohesion)},
          {"damping", lost(energy.damping)}, {"plastic", lost(energy.plastic)},
          {"viscous", lost(energy.viscous)}, {"joints", lost(energy.joints)},
          {"scheme", lost(energy.scheme)}};
}

Json describe_energy(const EnergyBalance& energy) {
  return {{"kinetic", energy.kinetic},
          {"potential", energy.potential},
          {"elastic_stored", energy.elastic_stored},
          {"hardening_stored", energy.hardening_stored},
          {"gravity_work", energy.gravity},
          {"force_work", energy.forces},
          {"drive_work", energy.drives},
          {"gyroscopic", energy.gyroscopic},
          {"projection", energy.projection},
          {"defect", energy.defect}};
}

Json describe_cpu(const PhaseTimes& cpu, double output) {
  const double update = cpu.free_motion + cpu.update + cpu.audit;
  return {{"detection", cpu.detection},
          {"problem", cpu.problem},
          {"solve", cpu.solve},
          {"update", update},
          {"separation", cpu.separation},
          {"output", output},
          {"total", cpu.detection + cpu.problem + cpu.solve + update + cpu.separation + output}};
}

}  // namespace

std::string format_memory(std::int64_t bytes, int bodies) {
  constexpr int kMany = 10'000;
  const double size = static_cast<double>(bytes);
  std::string text = fmt::format("{:.0f} MB", size / 1e6);
  if (bodies >= kMany) text += fmt::format(", {:.1f} kB per body", size / 1e3 / bodies);
  return text;
}

std::string describe_bonds(const std::string& summary) {
  const Json json = Json::parse(summary, nullptr, false);
  if (!json.is_object() || !json.contains("bonds")) return {};
  const auto count = [&](const char* key) { return json["bonds"].value(key, std::int64_t{0}); };
  if (count("start") == 0 && count("formed") == 0) return {};
  const std::string formed =
      count("formed") > 0 ? fmt::format("{} formed later, ", count("formed")) : std::string();
  return fmt::format("{} at the start, {}{} broke", count("start"), formed, count("broken"));
}

std::string describe_step_control(const std::string& summary) {
  const Json json = Json::parse(summary, nullptr, false);
  if (!json.is_object() || !json.contains("step_control")) return {};
  const Json& control = json["step_control"];
  return fmt::format("{} taken, {} halved, the shortest {:g} s", control.value("steps", std::int64_t{0}),
                     control.value("halved", std::int64_t{0}), control.value("shortest", 0.0));
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  constexpr std::int64_t kUnit = 1024;  // Linux counts kibibytes
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss * kUnit : 0;
}

template <int Dim>
std::string format_summary(const Simulation<Dim>& simulation, const SummaryContext& context) {
  const RunSummary& run = simulation.summary();
  const Scene<Dim>& scene = simulation.scene();
  Json json;
  json["program"] = context.program;
  json["scene"] = scene.name;
  json["dimension"] = Dim;
  json["outcome"] = context.outcome;
  json["stopped_by"] = context.stopped;
  if (!context.rested.empty()) json["rested"] = context.rested;
  json["failure"] = context.failure;
  json["output"] = context.output;
  json["frames"] = context.frames;
  json["steps"] = simulation.steps();
  json["time"] = simulation.time();
  json["h"] = scene.scheme.h;
  if (scene.scheme.control.on || run.halved_steps > 0)
    json["step_control"] = {
        {"steps", run.steps}, {"halved", run.halved_steps}, {"shortest", run.shortest_step}};
  json["scheme"] = name(scene.scheme.kind);
  double critical = std::numeric_limits<double>::infinity();
  for (int i = 0; i < simulation.system_count(); ++i)
    critical = std::min(critical, simulation.system(i).critical_step());
  if (std::isfinite(critical)) json["critical_step"] = critical;
  json["theta"] = scene.scheme.theta;
  json["solver"] = name(scene.solver.kind);
  json["threads"] = scene.solver.threads;
  json["bodies"] = run.steps > 0 ? run.bodies : simulation.bodies().count();
  json["contact_updates"] = run.contact_updates;
  json["contacts_mean"] = run.contacts_mean();
  json["contacts_max"] = run.contacts_max;
  json["bonds"] = {{"start", run.bonds_start}, {"formed", run.bonds_formed}, {"broken", run.bonds_broken}};
  json["iterations_mean"] = run.iterations_mean();
  json["residual_rms"] = describe(run.residual_rms);
  json["residual_max"] = describe(run.residual_max);
  json["residual_rms_gh"] = describe(run.residual_rms_gh);
  json["residual_max_gh"] = describe(run.residual_max_gh);
  if (is_alpha(scene.scheme.kind)) json["newton"] = describe(run.newton);
  if (!scene.deformable.empty()) json["inertia_ratio"] = describe(run.inertia_ratio);
  json["unconverged_steps"] = run.unconverged_steps;
  if (run.unconverged_steps > 0)
    json["first_unconverged"] = {{"time", run.missed_time},
                                 {"reason", std::string(run.missed.begin(), run.missed.end())}};
  json["penetration_max"] = run.penetration.worst();
  json["penetration"] = describe(run.penetration);
  json["penetration_solver"] = describe(run.penetration_solver);
  json["penetration_relative"] = describe(run.penetration_relative);
  json["penetration_relative"]["bodies"] = {run.penetration_a, run.penetration_b};
  if (std::isfinite(scene.penetration_limit)) json["penetration_limit"] = scene.penetration_limit;
  json["overlap_steps"] = run.overlap_steps;
  json["position_correction"] = {{"on", scene.scheme.corrects_positions()},
                                 {"steps", run.separated_steps},
                                 {"passes", run.separation_passes},
                                 {"sweeps", run.separation_sweeps},
                                 {"left_steps", run.left_steps}};
  json["layer_compression"] = describe(run.compression);
  json["energy_balance_worst"] = run.energy_defect.worst();
  json["energy_balance"] = describe(run.energy_defect);
  json["energy_gain"] = describe(run.energy_gain);
  json["energy_gain_steps"] = run.gain_steps;
  json["energy_gain_groups"] = run.gain_groups;
  json["momentum_balance_worst"] = run.momentum.worst();
  json["momentum_balance"] = describe(run.momentum);
  json["dissipation"] = describe_dissipation(run.energy);
  json["energy"] = describe_energy(run.energy);
  json["cpu_seconds"] = describe_cpu(run.cpu, context.output_seconds);
  json["wall_seconds"] = context.wall_seconds;
  json["peak_memory_bytes"] = peak_memory_bytes();
  json["fast_steps"] = run.fast_steps;
  json["ambiguous_steps"] = run.ambiguous_steps;
  json["several_solutions_steps"] = run.several_steps;
  json["held_contacts_steps"] = run.held_steps;
  json["warnings"] = simulation.warnings();
  json["state_hash"] = fmt::format("{:016x}", simulation.state_hash());
  // Names come from files: bytes that are not UTF-8 must not stop a run at its end.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

template std::string format_summary<2>(const Simulation<2>&, const SummaryContext&);
template std::string format_summary<3>(const Simulation<3>&, const SummaryContext&);

}  // namespace saltus
