// The contact problems along the path of a scene, solved once more from their warm starts by sweeps alone.
//
//     path SCENE FIRST LAST EVERY [KEY=VALUE...]
//
// Whole runs are chaotic: the mean number of sweeps of one says little about a change to the sweeps. Here the
// problems stay the same: those of every EVERY-th step from FIRST to LAST, kept in a file and solved by the
// program as it was and as it is.
//
//     path --save FILE SCENE ...   keeps the problems     path --load FILE   solves those
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <vector>

#include "saltus/base/input_error.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/solvers/sweeps/velocity_sweeps.hpp"

namespace saltus {
namespace {

constexpr double kTolerance = 1e-3 * 9.81 * 5e-3;  // m/s: 1e-3 g h at h = 5 ms
constexpr int kMaxSweeps = 3000;

template <int Dim>
using Problems = std::vector<VelocityProblem<Dim>>;

template <int Dim>
Problems<Dim> collect(const Scene<Dim>& scene, int first, int last, int every) {
  Problems<Dim> problems;
  Simulation<Dim> simulation(scene);
  while (simulation.steps() < last) {
    if (simulation.steps() >= first && (simulation.steps() - first) % every == 0)
      problems.push_back(simulation.build_velocity_problem());
    simulation.step();
  }
  return problems;
}

template <class T>
void put(const T* data, std::size_t count, std::ofstream& out) {
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(count * sizeof(T)));
}
template <class T>
bool get(T* data, std::size_t count, std::ifstream& in) {
  return static_cast<bool>(
      in.read(reinterpret_cast<char*>(data), static_cast<std::streamsize>(count * sizeof(T))));
}

template <int Dim>
void save(const Problems<Dim>& problems, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  const int dimension = Dim;
  put(&dimension, 1, out);
  for (const VelocityProblem<Dim>& p : problems) {
    const std::size_t sizes[2] = {p.bodies.size(), p.contacts.size()};
    const double units[2] = {p.mass, p.length};
    put(sizes, 2, out);
    put(units, 2, out);
    put(p.bodies.data(), p.bodies.size(), out);
    put(p.contacts.data(), p.contacts.size(), out);
  }
}

template <int Dim>
Problems<Dim> load(std::ifstream& in) {
  Problems<Dim> problems;
  std::size_t sizes[2];
  while (get(sizes, 2, in)) {
    VelocityProblem<Dim>& p = problems.emplace_back();
    double units[2] = {1, 1};
    get(units, 2, in);
    p.mass = units[0];
    p.length = units[1];
    p.bodies.resize(sizes[0]);
    p.contacts.resize(sizes[1]);
    get(p.bodies.data(), sizes[0], in);
    if (!get(p.contacts.data(), sizes[1], in))
      throw InputError("arguments", "the file of problems is cut short");
  }
  return problems;
}

template <int Dim>
void measure(const Problems<Dim>& problems) {
  if (problems.empty()) throw InputError("arguments", "no step from FIRST to LAST");
  VelocitySweeps<Dim> solver;
  VelocitySweepOptions options;
  options.tolerance = kTolerance;
  options.max_sweeps = kMaxSweeps;
  std::vector<std::int64_t> sweeps;  // of each problem
  double sum = 0, updates = 0, worst = 0;
  int missed = 0;
  const Stopwatch cpu(Clock::process_cpu);
  for (VelocityProblem<Dim> problem : problems) {
    const VelocityReport report = solver.solve(options, problem);
    sweeps.push_back(report.sweeps);
    sum += static_cast<double>(report.sweeps);
    updates += static_cast<double>(report.contact_updates);
    worst = std::max(worst, report.residual.rms);
    missed += report.status != SolveStatus::converged;
  }
  const double seconds = cpu.seconds(), count = static_cast<double>(sweeps.size());
  std::sort(sweeps.begin(), sweeps.end());
  fmt::print(
      "{} problems to 1e-3 g h: sweeps mean {:.0f}, median {}, p90 {}, most {}; missed {}, worst rms {:.1e} "
      "g h; "
      "{:.1f} ms CPU each, {:.1f} M contact updates/s\n",
      sweeps.size(), sum / count, sweeps[sweeps.size() / 2], sweeps[sweeps.size() * 9 / 10], sweeps.back(),
      missed, 1e-3 * worst / kTolerance, 1e3 * seconds / count, updates / seconds / 1e6);
}

int number(const std::string& text) {
  int value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  if (value < 0) throw InputError("arguments", "number", text, "0 or more");
  return value;
}

void load_and_measure(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  int dimension = 0;
  if (!in || !get(&dimension, 1, in)) throw InputError(path, "cannot be read");
  dimension == 2 ? measure(load<2>(in)) : measure(load<3>(in));
}

void run(std::vector<std::string> words) {
  std::string file;
  if (words.size() > 1 && words[0].rfind("--", 0) == 0) {
    file = words[1];
    if (words[0] == "--load") return load_and_measure(file);
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.size() < 4)
    throw InputError("arguments", "usage: path [--save FILE] SCENE FIRST LAST EVERY [KEY=VALUE...]");
  const std::vector<std::string> overrides(words.begin() + 4, words.end());
  const AnyScene any = read_scene(words[0], overrides).scene;
  std::visit(
      [&]<int Dim>(const Scene<Dim>& scene) {
        const Problems<Dim> problems =
            collect<Dim>(scene, number(words[1]), number(words[2]), std::max(1, number(words[3])));
        if (!file.empty()) save<Dim>(problems, file);
        measure<Dim>(problems);
      },
      any);
}

}  // namespace
}  // namespace saltus

int main(int argc, char** argv) {
  try {
    saltus::run({argv + 1, argv + argc});
  } catch (const saltus::InputError& error) {
    fmt::print(stderr, "path: {}\n", error.what());
    return 2;
  }
  return 0;
}
