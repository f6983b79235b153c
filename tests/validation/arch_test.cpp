// The thinnest semicircular arch, from scene files.
//
// Radial joints that cannot slide; mean radius 1 m. By n voussoirs the smallest thickness at which a line of
// thrust fits inside is 0.0963 (7), 0.1021 (9), 0.1051 (12), 0.1072 (16); blocks between chords, as here,
// need less than 0.6 % less, since their centres are lower than those of sectors.
#include <algorithm>

#include "validation/library_run.hpp"

namespace saltus::arch_test {
namespace {

struct Thinnest {
  int voussoirs;
  double thickness;
};

struct Outcome {
  double moved = 0;     // m, the voussoir that moved most
  double speed = 0;     // m/s, the fastest at the end
  double residual = 0;  // m/s, the worst of the run
  std::int64_t unconverged = 0;
};

template <int Dim>
Outcome run_arch(const std::string& name, int voussoirs, double thickness) {
  Simulation<Dim> simulation =
      test::open_scene<Dim>(name, {"generate.0.voussoirs=" + std::to_string(voussoirs),
                                   test::set("generate.0.thickness", thickness), "run.until=0.6"});
  const std::vector<Pose<Dim>> start = simulation.bodies().pose;
  while (!simulation.finished()) simulation.step();
  Outcome result;
  for (std::size_t i = 0; i < start.size(); ++i) {
    result.moved = std::max(result.moved, (simulation.bodies().pose[i].position - start[i].position).norm());
    result.speed = std::max(result.speed, simulation.bodies().velocity[i].norm());
  }
  result.residual = simulation.summary().residual_max.worst();
  result.unconverged = simulation.summary().unconverged_steps;
  return result;
}

// Standing, a joint creeps by the residual of the solver at most, and a thin joint turns it into a lean
// radius/thickness = 10 times as large, which every joint adds to. Falling, the arch leaves its place by a
// power of e every 0.1 s: the bound is a centimetre after 0.6 s, and a speed that goes on growing.
template <int Dim>
void check_arch(const std::string& name, const Thinnest& thinnest) {
  const auto [n, t] = thinnest;
  const Outcome above = run_arch<Dim>(name, n, 1.02 * t), below = run_arch<Dim>(name, n, 0.98 * t);
  const std::string label = name + ", " + std::to_string(n) + " voussoirs, ";
  test::show(label + "2 % above: moved, m", above.moved);
  test::show(label + "2 % above: creep allowed, m", 10 * n * above.residual * 0.6);
  test::show(label + "2 % below: moved, m", below.moved);
  test::show(label + "2 % below: speed, m/s", below.speed);
  EXPECT_EQ(above.unconverged, 0);
  EXPECT_LT(above.moved, 10 * n * above.residual * 0.6);
  EXPECT_LT(above.moved, 1e-3);
  EXPECT_GT(below.moved, 1e-2);
  EXPECT_GT(below.speed, 0.1);
}

TEST(Arch, stands_two_percent_above_the_thinnest_and_falls_two_percent_below) {
  for (const Thinnest& thinnest : {Thinnest{7, 0.0963}, {9, 0.1021}, {12, 0.1051}, {16, 0.1072}})
    check_arch<2>("arch", thinnest);
}
TEST(Arch, so_does_a_vault) { check_arch<3>("arch-3d", {9, 0.1021}); }

}  // namespace
}  // namespace saltus::arch_test
