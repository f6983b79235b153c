// counted_work CASE: a small fixed piece of work, for counting its instructions (scripts/instruction_counts).
// Only what happens inside `counted` is counted: no start of the program, no reading of scenes.
#include <cstdio>
#include <cstring>

#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"
#include "saltus/solvers/solver.hpp"

namespace saltus {
namespace {

template <int Dim>
Simulation<Dim> open_scene(const char* name) {
  return Simulation<Dim>(std::get<Scene<Dim>>(read_scene(name).scene));
}

struct Work {
  virtual ~Work() = default;
  virtual void run() = 0;
};

template <int Dim>
struct Steps : Work {
  Steps(const char* scene, int before, int count) : simulation(open_scene<Dim>(scene)), steps(count) {
    for (int i = 0; i < before; ++i) simulation.step();
  }
  void run() override {
    for (int i = 0; i < steps; ++i) simulation.step();
  }
  Simulation<Dim> simulation;
  int steps;
};

// The canonical problem of one step of a wall, from zero.
struct CanonicalSolve : Work {
  CanonicalSolve() : problem(open_scene<3>("peers-wall-210").build_contact_problem()) {}
  void run() override {
    Eigen::VectorXd r, u;
    SolveOptions options;
    options.tolerance = 1e-3;
    options.max_iterations = 40;
    solve("nlgs", problem, options, r, u);
  }
  ContactProblem problem;
};

}  // namespace
}  // namespace saltus

extern "C" __attribute__((noinline)) void counted(saltus::Work& work) { work.run(); }

int main(int argc, char** argv) {
  using namespace saltus;
  std::unique_ptr<Work> work;
  const char* name = argc > 1 ? argv[1] : "";
  if (!std::strcmp(name, "fc")) work = std::make_unique<CanonicalSolve>();
  if (!std::strcmp(name, "steps-3d")) work = std::make_unique<Steps<3>>("wall-205", 1, 4);
  if (!std::strcmp(name, "steps-2d")) work = std::make_unique<Steps<2>>("peers-disks-1000", 25, 25);
  if (!work) return std::fprintf(stderr, "counted_work: fc, steps-3d or steps-2d\n"), 2;
  counted(*work);
  return 0;
}
