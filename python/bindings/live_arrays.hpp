// Arrays that show the bodies of a simulation as they are now: made when first asked for, filled again after every call
// that moves bodies. Row i is body i of the scene; nan where it is not there.
//
// The memory is NumPy's own, not that of the simulation, whose stores may grow, move and be replaced: so a view can
// outlive the simulation, is never torn by a step on another thread, and always is of the body it was asked for.
#pragma once

#include <array>

#include "bindings.hpp"
#include "saltus/sim/simulation.hpp"

namespace saltus::bindings {

enum class LiveKind { positions, orientations, velocities, spins, forces, torques };
inline constexpr int kLiveKinds = 6;

template <int Dim>
class LiveArrays {
 public:
  // Read-only, and the same object every time.
  py::array get(LiveKind kind, const Simulation<Dim>& simulation);
  void refresh(const Simulation<Dim>& simulation);

 private:
  void fill(LiveKind kind, const Simulation<Dim>& simulation);
  void fill_loads(const Simulation<Dim>& simulation);

  struct Live {
    py::object array;  // none: nobody asked yet
    double* data = nullptr;
    py::ssize_t rows = 0;
    int width = 1;
  };
  std::array<Live, kLiveKinds> arrays_;
};

}  // namespace saltus::bindings
