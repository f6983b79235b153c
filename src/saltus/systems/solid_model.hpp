// A deformable body: elements (fem/continuum.hpp) with supports, loads and a start. Coordinates of its system are the
// displacements of its nodes, q[Dim node + direction].
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "saltus/dynamics/drive.hpp"
#include "saltus/fem/continuum.hpp"
#include "saltus/geometry/vec.hpp"
#include "saltus/systems/linear_system.hpp"

namespace saltus {

// How a step corrects its guess of a body that is not linear (Jean 1999, section 9.2).
enum class NewtonMatrix {
  tangent,  // made anew in every turn
  kept,     // that of the start of the step, as long as it is good: made anew where turns gain little
  mass      // M alone: no factor in a step, many turns, and steps as short as waves ask for
};

template <int Dim>
struct SolidModel {
  struct NodeDrive {
    int node = 0, direction = 0;
    Drive drive;  // of the displacement
  };
  // A pressure follows the surface as it turns and stretches.
  struct Pressure {
    std::vector<MeshSide> sides;
    TimeFunction value;  // Pa, inwards
  };

  std::shared_ptr<const SolidMesh<Dim>> mesh;  // where it is without stress
  std::vector<ContinuumMaterial> materials;    // as those of the mesh
  ContinuumOptions options;
  MassKind mass = MassKind::consistent;
  std::vector<int> massless = {};  // nodes whose mass goes to the others (systems/mass_redistribution.hpp)
  double damping_mass = 0,
         damping_stiffness = 0;  // Rayleigh: C = damping_mass M + damping_stiffness K, 1/s and s
  NewtonMatrix newton = NewtonMatrix::kept;
  Vec<Dim> velocity = Vec<Dim>::Zero();  // at the start: of the centre of mass
  Spin<Dim> spin = Spin<Dim>::Zero();    // and about it, rad/s
  Eigen::VectorXd start_q = {},
                  start_v = {};  // displacements and velocities at the start, in place of these; empty: none
  std::vector<NodeDrive> driven;
  std::vector<SharedForce> forces;
  std::vector<Pressure> pressures;
  std::string name, where;  // place in the input, opens error messages

  bool is_linear(const Continuum<Dim>& continuum) const { return continuum.is_linear() && pressures.empty(); }
};

// M, C, K, forces and start. K is that of the elements where the body is without stress: all there is of a linear one.
// Throws InputError: a number out of range, a drive of a node that is not there, a body without mass.
template <int Dim>
LinearModel build_linear_model(const SolidModel<Dim>& model, Continuum<Dim>& continuum);

}  // namespace saltus
