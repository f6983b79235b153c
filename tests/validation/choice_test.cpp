// What `auto` spends, counted in sweeps and factorisations, beside the solvers it chooses from.
#include <gtest/gtest.h>

#include "saltus/contact/group_solver.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::choice_test {
namespace {

struct Kept {
  VelocityProblem<2> problem;
  std::vector<BodyVelocity<2>> start;
};

// Disks that settle in a box, every twenty steps.
std::vector<Kept> problems_of_settling_disks() {
  Simulation<2> simulation(std::get<Scene<2>>(parse_scene(R"(
dimension = 2
gravity = [0, -9.81]
[scheme]
h = 5e-3
[solver]
name = "nlgs"
tolerance = 1e-3
max_iterations = 400
[law]
friction = 0.5
[[generate]]
kind = "walls"
from = [-0.7, 0]
to = [0.7, 100]
[[generate]]
kind = "sample"
radii = [0.09, 0.11]
count = 60
layout = "lattice"
from = [-0.7, 0]
to = [0.7, 100]
seed = 5
)",
                                                          "scene.toml")
                                                  .scene));
  std::vector<Kept> kept;
  for (int step = 0; step < 360; ++step) {
    simulation.step();
    if (step < 100 || step % 20 != 19) continue;
    Kept& one = kept.emplace_back();
    one.problem = simulation.build_velocity_problem();
    const BodySet<2>& bodies = simulation.bodies();
    one.start.resize(bodies.slots());
    for (int s = 0; s < bodies.slots(); ++s) {
      if (!bodies.alive(s)) continue;
      Eigen::Map<Vec<2>>(one.start[s].v) = bodies.velocity[s];
      Eigen::Map<Spin<2>>(one.start[s].w) = bodies.spin[s];
    }
  }
  return kept;
}

GroupSolution solve(const Kept& kept, SolverKind solver, double tolerance) {
  GroupSolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance * 9.81 * 5e-3;
  options.max_iterations = 5000;
  VelocityProblem<2> problem = kept.problem;
  return GroupSolver<2>().solve(options, kept.start, problem);
}

TEST(Choice, sweeps_go_on_as_though_no_other_solver_had_been_asked) {
  int asked_in_vain = 0;
  for (const Kept& kept : problems_of_settling_disks())
    for (const double tolerance : {1e-4, 1e-6}) {
      const GroupSolution automatic = solve(kept, SolverKind::automatic, tolerance);
      const std::vector<SolveStage>& stages = automatic.stages;
      if (stages.size() < 2 || !automatic.converged || stages.back().solver != "nlgs") continue;
      ++asked_in_vain;
      std::int64_t sweeps = 0;
      for (const SolveStage& stage : stages) sweeps += stage.solver == "nlgs" ? stage.iterations : 0;
      const GroupSolution alone = solve(kept, SolverKind::nlgs, tolerance);
      EXPECT_TRUE(alone.converged);
      EXPECT_EQ(sweeps, alone.iterations) << tolerance;
    }
  EXPECT_GT(asked_in_vain, 1);
}

}  // namespace
}  // namespace saltus::choice_test
