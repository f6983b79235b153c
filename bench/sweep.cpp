// One step's contact problem of a settled sample, solved by the sweeps of the rigid engine.
//
//     sweep [--threads N] [--rate] [SAMPLE...]
//
// Samples: spheres-1000 spheres-10000 spheres-100000 deposit-100000 disks-10000, and of general contacts
// hulls-512 cubes-512 polygons-1024 wall-205.
//
// For each sample: contact updates per second of plain sweeping (of CPU on one thread, of time on several:
// other work on the machine spoils only the latter), then, without --rate, sweeps and CPU time from zero
// impulses to the residuals asked for, and to 1e-3 g h from the impulses of the last step. Residuals are
// those evaluated on the answer, in units of g h; the hash is that of its impulses.
//
// Samples are settled once, at a loose tolerance, and kept in build/bench; a file that no longer fits the
// program is made again.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "saltus/base/hash.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/solvers/sweeps/velocity_sweeps.hpp"

namespace saltus {
namespace {

constexpr double kGravityStep = 9.81 * 5e-3;  // m/s
constexpr int kSweepsOfRate = 60;

struct Sample {
  std::string name, scene;  // the scene as text, or a name of the library
  int steps;                // to rest
  std::vector<double> residuals;
};

const char* const kDisks = R"(
dimension = 2
gravity = [0, -9.81]
[scheme]
h = 5e-3
[law]
friction = 0.5
[[generate]]
kind = "walls"
from = [-8.5, 0]
to = [8.5, 20]
[[generate]]
kind = "sample"
distribution = "uniform"
radii = [0.05, 0.1]
count = 10000
layout = "lattice"
from = [-8.5, 0]
to = [8.5, 40]
seed = 42
density = 1000
)";

// Grains put down one by one touch their neighbours from the start.
const char* const kDeposit = R"(
dimension = 3
gravity = [0, 0, -9.81]
[scheme]
h = 5e-3
[law]
friction = 0.5
[[generate]]
kind = "walls"
from = [0, 0, 0]
to = [11.14, 11.14, 1]
[[generate]]
kind = "sample"
radii = [0.09, 0.11]
count = 100000
layout = "deposit"
from = [0, 0, 0]
to = [11.14, 11.14, 11.14]
)";

// Convex hulls of 12 points at random on ellipsoids; polygons likewise.
const char* const kHulls = R"(
dimension = 3
gravity = [0, 0, -9.81]
[scheme]
h = 5e-3
[law]
friction = 0.5
[[generate]]
kind = "walls"
from = [-1, -1, 0]
to = [1, 1, 2]
[[generate]]
kind = "sample"
grain = { kind = "polyhedron", corners = 12, elongation = [1, 1.5], flatness = [1, 1.5], angularity = 1 }
radii = [0.07, 0.12]
count = 512
from = [-1, -1, 0]
to = [1, 1, 2]
)";

const char* const kPolygons = R"(
dimension = 2
gravity = [0, -9.81]
[scheme]
h = 5e-3
[law]
friction = 0.5
[[generate]]
kind = "walls"
from = [-4, 0]
to = [4, 8]
[[generate]]
kind = "sample"
grain = { kind = "polygon", corners = [3, 8], elongation = [1, 1.5], angularity = 0.7 }
radii = [0.07, 0.12]
count = 1024
from = [-4, 0]
to = [4, 8]
)";

// 8 x 8 x 8 cubes of 12 cm, each turned by an angle and about an axis of its own.
std::string cubes() {
  std::string text = R"(
dimension = 3
gravity = [0, 0, -9.81]
[scheme]
h = 5e-3
[law]
friction = 0.5
[[generate]]
kind = "walls"
from = [-0.88, -0.88, 0]
to = [0.88, 0.88, 1]
)";
  for (int i = 0; i < 512; ++i)
    text += fmt::format(
        "[[bodies]]\nshape = {{ kind = \"box\", size = [0.12, 0.12, 0.12] }}\nposition = [{}, {}, {}]\n"
        "rotation = [{}, {}, {}]\n",
        0.22 * (i % 8) - 0.77, 0.22 * (i / 8 % 8) - 0.77, 0.22 * (i / 64) + 0.11, 0.37 * (i % 17),
        0.53 * (i % 13), 0.71 * (i % 11));
  return text;
}

std::vector<Sample> samples() {
  return {{"spheres-1000", "spheres-1000", 500, {2e-2, 7e-3, 3e-3, 7e-4}},
          {"spheres-10000", "spheres-10000", 1500, {2.7e-2, 1e-2, 1e-3}},
          {"spheres-100000", "spheres-100000", 700, {2.7e-2, 1e-2}},
          {"deposit-100000", kDeposit, 5, {5e-2}},
          {"disks-10000", kDisks, 900, {2.7e-2, 7e-3, 1e-3}},
          {"hulls-512", kHulls, 300, {1e-2, 1e-3}},
          {"cubes-512", cubes(), 300, {1e-2, 1e-3}},
          {"polygons-1024", kPolygons, 400, {1e-2, 1e-3}},
          {"wall-205", "wall-205", 20, {1e-2, 1e-3}}};
}

AnyScene read(const Sample& sample) {
  const std::vector<std::string> overrides = {"solver.tolerance=0.05", "solver.max_iterations=60"};
  if (sample.scene.find('\n') == std::string::npos) return read_scene(sample.scene, overrides).scene;
  return parse_scene(sample.scene, sample.name + ".toml", overrides).scene;
}

template <int Dim>
bool restore(const std::string& path, Simulation<Dim>& simulation) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    simulation.restore(std::as_bytes(std::span(text)));
  } catch (const InputError&) {
    return false;
  }
  return true;
}

template <int Dim>
void settle(const Sample& sample, Simulation<Dim>& simulation) {
  const std::string folder = "build/bench", path = folder + "/" + sample.name + ".state";
  if (restore(path, simulation)) return;
  fmt::print(stderr, "settling {} ({} steps)\n", sample.name, sample.steps);
  while (simulation.steps() < sample.steps) simulation.step();
  std::filesystem::create_directories(folder);
  const std::vector<std::byte> state = simulation.save();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(state.data()), static_cast<std::streamsize>(state.size()));
}

template <int Dim>
std::string hash_of(const VelocityProblem<Dim>& problem) {
  StateHash hash;
  for (const SweepContact<Dim>& c : problem.contacts) hash.add(std::span<const double>(c.r.data(), Dim));
  return hash.hex();
}

template <int Dim>
class Bench {
 public:
  Bench(const Sample& sample, const VelocityProblem<Dim>& warm) : sample_(sample), warm_(warm), cold_(warm) {
    for (SweepContact<Dim>& c : cold_.contacts) c.r.setZero();
  }

  void run(bool rate_only) {
    measure_rate();
    if (rate_only) return;
    for (const double residual : sample_.residuals) measure("cold", residual, cold_);
    measure("warm", 1e-3, warm_);
  }

 private:
  struct Solved {
    VelocityReport report;
    double cpu, wall;
    std::string hash;
  };

  Solved solve(const VelocitySweepOptions& options, const VelocityProblem<Dim>& start) {
    problem_ = start;
    const Stopwatch cpu(Clock::process_cpu), wall;
    const VelocityReport report = nlgs_.solve(options, problem_);
    return {report, cpu.seconds(), wall.seconds(), hash_of(problem_)};
  }

  // Between two lengths of one iteration: what is done once per solve is not counted.
  void measure_rate() {
    VelocitySweepOptions options;
    options.tolerance = 0;
    double best = 0;
    std::string hash;
    for (int repeat = 0; repeat < 5; ++repeat) {
      options.max_sweeps = kSweepsOfRate;
      const Solved few = solve(options, warm_);
      options.max_sweeps = 3 * kSweepsOfRate;
      const Solved many = solve(options, warm_);
      const double seconds = thread_count() > 1 ? many.wall - few.wall : many.cpu - few.cpu;
      hash = many.hash;
      best = std::max(best, double(many.report.contact_updates - few.report.contact_updates) / seconds);
    }
    const VelocityResidual reached = compute_residual<Dim>(problem_);
    fmt::print(
        "{:<15} {:>7} {:>7} contacts  {:.2f} M contact updates/s, {} sweeps, rms {:.2e} max {:.2e} {}\n",
        sample_.name, warm_.bodies.size(), warm_.contacts.size(), best / 1e6, 3 * kSweepsOfRate,
        reached.rms / kGravityStep, reached.max / kGravityStep, hash);
  }

  void measure(const char* start, double residual, const VelocityProblem<Dim>& problem) {
    VelocitySweepOptions options;
    options.tolerance = residual * kGravityStep;
    options.max_sweeps = 20000;
    const Solved solved = solve(options, problem);
    const VelocityResidual reached = compute_residual<Dim>(problem_);
    fmt::print(
        "{:<15} {} to {:7.1e}: {:6} sweeps {:8.4f} s CPU {:8.4f} s wall  rms {:.2e} max {:.2e}  {} {}\n",
        sample_.name, start, residual, solved.report.sweeps, solved.cpu, solved.wall,
        reached.rms / kGravityStep, reached.max / kGravityStep, name(solved.report.status), solved.hash);
    std::fflush(stdout);
  }

  const Sample& sample_;
  const VelocityProblem<Dim>& warm_;
  VelocityProblem<Dim> cold_, problem_;
  VelocitySweeps<Dim> nlgs_;
};

template <int Dim>
void run(const Sample& sample, const Scene<Dim>& scene, bool rate_only) {
  Simulation<Dim> simulation(scene);
  settle(sample, simulation);
  const VelocityProblem<Dim> problem = simulation.build_velocity_problem();
  Bench<Dim>(sample, problem).run(rate_only);
}

}  // namespace
}  // namespace saltus

int main(int argc, char** argv) {
  using namespace saltus;
  std::vector<std::string> wanted(argv + 1, argv + argc);
  int threads = 1;
  if (wanted.size() > 1 && wanted[0] == "--threads") {
    std::from_chars(wanted[1].data(), wanted[1].data() + wanted[1].size(), threads);
    wanted.erase(wanted.begin(), wanted.begin() + 2);
  }
  const bool rate_only = !wanted.empty() && wanted[0] == "--rate";
  if (rate_only) wanted.erase(wanted.begin());
  if (wanted.empty()) wanted = {"spheres-1000", "spheres-10000", "disks-10000"};
  try {
    const ThreadScope scope(threads);
    for (const std::string& name : wanted)
      for (const Sample& sample : samples())
        if (sample.name == name)
          std::visit([&](const auto& scene) { run(sample, scene, rate_only); }, read(sample));
  } catch (const InputError& error) {
    fmt::print(stderr, "sweep: {}\n", error.what());
    return 2;
  }
  return 0;
}
