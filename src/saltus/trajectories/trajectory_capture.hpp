// Turns the state of a simulation into frames of a trajectory.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "saltus/sim/simulation.hpp"
#include "saltus/trajectories/trajectory_file.hpp"
#include "saltus/trajectories/trajectory_shapes.hpp"

namespace saltus {

// Figures of the steps since the last frame: sums and worst ones.
struct FrameFigures {
  std::int64_t steps = 0, iterations = 0, contact_updates = 0, unconverged_steps = 0;
  StepStatus status = StepStatus::converged;
  double tolerance = 0, residual_rms = 0, residual_max = 0, residual_rms_gh = 0, residual_max_gh = 0;
  double momentum = 0, energy_defect = 0, penetration = 0, penetration_solver = 0, penetration_relative = 0;
  double inertia_ratio = 0;

  void add(const StepReport& report);
};

template <int Dim>
TrajectoryHeader build_header(const Simulation<Dim>& simulation, const std::string& scene_text,
                              const std::string& program);

template <int Dim>
class TrajectoryCapture {
 public:
  // Parts have `rows_of_part` rows of bodies and contacts: a few MB.
  explicit TrajectoryCapture(const std::vector<std::string>& fields, std::size_t rows_of_part = 1 << 14);
  // Goes on after the frames of a file, of a scene with that many bodies.
  void load(const TrajectoryFile& file, std::int64_t bodies);

  // The present state as one frame, in parts when it is large: the sink gets rows of bodies and contacts as
  // they are made, and with the last of them the row of the frame. It may take the memory of a part.
  using Sink = std::function<void(TrajectoryData&&)>;
  void capture(const Simulation<Dim>& simulation, const FrameFigures& figures, const Sink& sink);

 private:
  void count_rows();
  void give_part(const Sink& sink);  // if there is enough for one
  void capture_bodies(const Simulation<Dim>& simulation, const Sink& sink);
  void capture_model(const Simulation<Dim>& simulation, int slot);
  bool is_new(BodyId id);  // and not the next time
  void capture_contacts(const Simulation<Dim>& simulation, const Sink& sink);
  void capture_parts(const Simulation<Dim>& simulation);  // systems and joints as they are now
  void capture_part_models(const Simulation<Dim>& simulation);
  void capture_mesh(const SystemMesh<Dim>& mesh, int system);
  void capture_fields(const Simulation<Dim>& simulation);  // of the elements of meshes
  void capture_energies(const Simulation<Dim>& simulation);
  void capture_figures(const FrameFigures& figures);

  bool with_contacts_, with_fields_;
  std::size_t rows_of_part_;
  TrajectoryData frame_;  // or a part of it
  ShapeTable shapes_;
  std::vector<std::string> materials_;             // as in the header
  std::vector<bool> known_;                        // by id
  bool parts_known_ = false;                       // models of systems and joints are given
  std::int64_t body_rows_ = 0, contact_rows_ = 0;  // given so far
  std::int64_t coordinate_rows_ = 0, joint_rows_ = 0, node_rows_ = 0, cell_rows_ = 0;
  std::vector<std::string> surfaces_;  // as in the header
};

extern template class TrajectoryCapture<2>;
extern template class TrajectoryCapture<3>;

}  // namespace saltus
