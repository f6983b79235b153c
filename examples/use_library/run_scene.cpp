// A scene of the library, changed by a few keys, and a scene built here: both stepped, looked at and
// certified.
#include <cstdio>
#include <saltus/base/input_error.hpp>
#include <saltus/running/trajectory_run.hpp>
#include <saltus/scenes/scene_reader.hpp>
#include <saltus/sim/simulation.hpp>

// Three balls fall on each other and on a floor.
saltus::Scene<3> build_stack() {
  saltus::Scene<3> scene;
  scene.gravity = {0, 0, -9.81};
  scene.scheme.h = 2e-3;
  scene.end_time = 1;
  scene.default_law = saltus::PairLaw{.kind = saltus::LawKind::newton, .friction = 0.4, .restitution = 0.2};
  saltus::SceneBody<3> floor, ball;
  floor.shape = saltus::HalfSpace<3>{};
  floor.fixed = true;
  ball.shape = saltus::Ball<3>{0.1};
  ball.density = 2500;
  scene.bodies = {floor};
  for (int i = 0; i < 3; ++i) {
    ball.pose = saltus::Pose<3>(saltus::Vec<3>(0.001 * i, 0, 0.15 + 0.25 * i));
    scene.bodies.push_back(ball);
  }
  return scene;
}

// Steps a scene to its end; true if every step met its tolerance.
template <int Dim>
bool run(const saltus::Scene<Dim>& scene) {
  saltus::Simulation<Dim> simulation(scene);
  while (!simulation.finished()) {
    const saltus::StepReport step = simulation.step();
    if (step.status != saltus::StepStatus::converged)
      std::printf("step %ld: %s\n", static_cast<long>(step.step), step.reason.c_str());
  }
  const saltus::BodySet<Dim>& bodies = simulation.bodies();
  for (int s = 0; s < bodies.slots(); ++s)
    if (bodies.is_moving(s))
      std::printf("body %ld: height %.4f m, speed %.2g m/s\n", static_cast<long>(bodies.id[s]),
                  bodies.pose[s].position[Dim - 1], bodies.velocity[s].norm());
  double support = 0;  // N, on what bodies 0 are the ground: normal forces of its contacts
  for (const saltus::ContactState<Dim>& contact : simulation.contacts())
    if (contact.a == 0) support += contact.impulse[0] / scene.scheme.h;
  const saltus::RunSummary& run = simulation.summary();
  std::printf("ground carries %.3f N; residual %.1e m/s, energy balance %.1e, penetration %.1e m\n", support,
              run.residual_rms.worst(), run.energy_defect.worst(), run.penetration.worst());
  for (const std::string& warning : simulation.warnings()) std::printf("warning: %s\n", warning.c_str());
  return run.unconverged_steps == 0;
}

int main() try {
  bool converged = run(build_stack());

  const saltus::SceneFile file = saltus::read_scene("rolling-disk", {"scheme.h=2e-3", "run.until=0.5"});
  converged &= run(std::get<saltus::Scene<2>>(file.scene));

  // The same as `saltus run`: a trajectory that `saltus info` and `saltus render` read.
  saltus::RunOptions options;
  options.output = "stack.h5";
  options.force = true;
  options.show_progress = false;
  const saltus::RunResult result = saltus::run_to_file(build_stack(), options);
  std::printf("%s: %ld frames in stack.h5\n", name(result.outcome), static_cast<long>(result.frames));
  return converged ? 0 : 3;
} catch (const saltus::InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
