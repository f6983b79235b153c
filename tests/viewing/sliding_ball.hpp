// A ball that slides over a floor, as a trajectory: 0.01 s in steps of 1 ms, 11 frames.
#pragma once

#include <string>

#include "saltus/running/trajectory_run.hpp"
#include "temporary_folder.hpp"

namespace saltus {

template <int Dim>
std::string run_sliding_ball(const TemporaryFolder& folder) {
  Scene<Dim> scene;
  scene.name = "ball";
  scene.gravity[Dim - 1] = -10;
  scene.end_time = 0.01;
  PairLaw law;
  law.friction = 0.3;
  scene.default_law = law;
  SceneBody<Dim> floor, ball;
  floor.shape = HalfSpace<Dim>{}, floor.fixed = true;
  ball.shape = Ball<Dim>{0.5};
  ball.name = "the ball";
  ball.material = "stone";
  ball.pose.position[Dim - 1] = 0.5;
  ball.pose.position[0] = 100;
  ball.velocity[0] = 1;
  scene.bodies = {floor, ball};
  RunOptions options;
  options.output = folder.path("a.h5");
  options.show_progress = false;
  run_to_file(scene, options);
  return options.output;
}

}  // namespace saltus
