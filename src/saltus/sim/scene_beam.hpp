// Bars, strings or beams of a scene, as plain data: a mesh of lines with sections, supports and loads. SI units.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "saltus/base/shared_text.hpp"
#include "saltus/dynamics/drive.hpp"
#include "saltus/fem/beam_element.hpp"
#include "saltus/fem/line_mesh.hpp"
#include "saltus/fem/mass_kind.hpp"
#include "saltus/geometry/pose.hpp"

namespace saltus {

template <int Dim>
class Beams;
struct LinearModel;
enum class NewtonMatrix;

template <int Dim>
struct SceneBeam {
  struct Section {
    std::string group = {};  // of elements of the mesh; empty: all that no other names
    BeamSection section;
    std::string where = {};
  };
  // One coordinate of the nodes of a group: x, y (z), then, of beams, rotations.
  struct Support {
    std::string on;
    int dof = 0;
    Drive drive;
    std::string where = {};
  };
  struct Load {
    enum class Kind {
      force,   // N along a direction, in all, shared by the nodes of a group
      moment,  // N m about an axis of space (2D: z), at each node of a group
      line     // N/m along a direction, per length without deformation, on a group of elements
    };
    Kind kind = Kind::force;
    std::string on;  // line: empty: all elements
    int direction = 0;
    TimeFunction value;
    std::string where = {};
  };
  enum class Contact { length, nodes, none };

  std::string name;
  std::string where;                            // place in the input, opens error messages
  SharedText material = SharedText("default");  // of contacts, as bodies have one
  std::shared_ptr<const LineMesh<Dim>> mesh;    // in its place, at rest
  std::string mesh_text;                        // the table that a scene file makes it from, in its own frame
  Pose<Dim> place;                              // of that frame
  LineKind kind = LineKind::beam;
  bool large = false;           // rotations
  Vec<3> up = Vec<3>::UnitZ();  // axis 2 of sections, 3D
  std::vector<Section> sections;
  MassKind mass = MassKind::consistent;
  bool redistribute = false;  // mass of contact nodes goes to the others (systems/mass_redistribution.hpp)
  double damping_mass = 0, damping_stiffness = 0;  // C = 1/s M + s K
  NewtonMatrix newton = {};
  Vec<Dim> velocity = Vec<Dim>::Zero();  // of the centre of mass
  Spin<Dim> spin = Spin<Dim>::Zero();    // rad/s, about it
  std::vector<double> q, v;              // coordinates and velocities at the start; empty: 0 and those above
  std::vector<Support> supports;
  std::vector<Load> loads;
  Contact contact = Contact::length;
  std::optional<double> radius = {};       // m, of what touches; none: that of the section
  std::vector<std::string> massless = {};  // redistribute: groups of nodes whose mass goes; none named: all
  std::uint32_t group = 1, mask = ~0u;     // collision groups (collision/detector.hpp)

  int stride() const { return kind == LineKind::beam ? kDofs<Dim> : Dim; }  // coordinates of a node
};

// Elements, and M, C, K, forces, supports and start. Throws InputError: groups that the mesh has not, elements without a section,
// a coordinate held twice, numbers out of range; small: a tension that nothing balances.
template <int Dim>
std::shared_ptr<Beams<Dim>> build_beams(const SceneBeam<Dim>& body);
template <int Dim>
LinearModel build_model(const SceneBeam<Dim>& body, Beams<Dim>& beams);

}  // namespace saltus
