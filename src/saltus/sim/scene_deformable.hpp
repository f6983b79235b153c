// A deformable body of a scene, as plain data: a mesh and what its parts are made of, held and loaded by. SI units.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "saltus/base/shared_text.hpp"
#include "saltus/dynamics/drive.hpp"
#include "saltus/fem/contact_surface.hpp"
#include "saltus/fem/continuum_options.hpp"
#include "saltus/fem/mass_kind.hpp"
#include "saltus/fem/material_parameters.hpp"
#include "saltus/fem/solid_mesh.hpp"
#include "saltus/geometry/pose.hpp"

namespace saltus {

template <int Dim>
struct SolidModel;
enum class NewtonMatrix;

template <int Dim>
struct SceneDeformable {
  // What a group of elements is made of.
  struct Solid {
    std::string group = {};  // material of the mesh; empty: all that no other names
    std::string kind;        // fem/material_registry.hpp
    MaterialParameters parameters;
    double density = 1000;  // kg/m3
  };
  // One direction of the nodes of a group.
  struct Support {
    std::string on;  // group of nodes or sides
    int direction = 0;
    Drive drive;  // of the displacement
    std::string where = {};
  };
  struct Load {
    enum class Kind {
      traction,  // Pa along a direction, on a group of sides
      pressure,  // Pa against the outward normal as it is now
      force      // N along a direction, in all, shared by the nodes of a group
    };
    Kind kind = Kind::force;
    std::string on;
    int direction = 0;
    TimeFunction value;
    std::string where = {};
  };

  std::string name;
  std::string where;                            // place in the input, opens error messages
  SharedText material = SharedText("default");  // of contacts, as bodies have one
  std::shared_ptr<const SolidMesh<Dim>> mesh;   // in its place, without stress
  std::string mesh_text;                        // the table that a scene file makes it from, in its own frame
  Pose<Dim> place;                              // of that frame
  std::vector<Solid> solids;
  Kinematics kinematics = Kinematics::small;
  PlaneKind plane = PlaneKind::strain;  // 2D
  double thickness = 1;                 // m, 2D
  std::optional<bool> mean_dilatation = {};
  std::optional<MassKind> mass = {};  // not given: lumped under explicit schemes, else consistent
  bool redistribute = false;  // mass of nodes that touch goes to the others (systems/mass_redistribution.hpp)
  double damping_mass = 0, damping_stiffness = 0;  // C = 1/s M + s K
  NewtonMatrix newton = {};
  Vec<Dim> velocity = Vec<Dim>::Zero();  // of the centre of mass
  Spin<Dim> spin = Spin<Dim>::Zero();    // rad/s, about it
  std::optional<double> lithostatic = {};  // m: level of the surface whose weight presses at the start; none: no stress
  std::vector<double> q, v;  // displacements and velocities of nodes at the start; empty: 0 and those above
  std::vector<Support> supports;
  std::vector<Load> loads;
  // Contact: the sides of these groups; none named: the whole boundary.
  bool touches = true;
  std::vector<std::string> surfaces;
  ContactPoints points = ContactPoints::nodes;
  bool corners_touch = true;  // nodes that stand out do, whatever the points (fem/contact_surface.hpp)
  bool touches_itself = false;
  std::uint32_t group = 1, mask = ~0u;  // collision groups (collision/detector.hpp)
};

// Throws InputError: groups that the mesh has not, materials that do not fit, a node driven twice.
template <int Dim>
SolidModel<Dim> build_model(const SceneDeformable<Dim>& body);

// The sides that touch.
template <int Dim>
std::vector<MeshSide> contact_sides(const SceneDeformable<Dim>& body);

}  // namespace saltus
