// An elastic body of the plane: a mesh of linear triangles, as a linear system whose coordinates are the
// displacements of its nodes, q[2 node + direction].
//
// Small displacements: strains are linear in q and nothing turns with the body. A rotation by an angle a makes a
// strain of a^2/2 that is not there (0.4 % at 5 degrees): `largest_rotation` tells how far a run may be
// trusted.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "saltus/dynamics/drive.hpp"
#include "saltus/fem/assembly.hpp"
#include "saltus/geometry/vec.hpp"
#include "saltus/systems/linear_system.hpp"

namespace saltus {

struct ElasticModel {
  struct NodeDrive {
    int node = 0, direction = 0;
    Drive drive;  // of the displacement
  };

  PlaneMesh mesh;  // where it is without stress, and where it starts
  Elasticity elasticity;
  double density = 1000;  // kg/m3
  double thickness = 1;   // m, out of the plane
  MassKind mass = MassKind::consistent;
  double damping_mass = 0,
         damping_stiffness = 0;      // Rayleigh: C = damping_mass M + damping_stiffness K, 1/s and s
  Vec<2> velocity = Vec<2>::Zero();  // at the start: of the centre of mass
  double spin = 0;                   // and about it, rad/s
  std::vector<NodeDrive> driven;     // locked ones among them, which start at rest
  std::string where;                 // place in the input, opens error messages
};

// Throws InputError: a mesh that is none, a number out of range.
LinearModel build_model(const ElasticModel& model);

class ElasticBody : public LinearSystem {
 public:
  explicit ElasticBody(ElasticModel model);

  const PlaneMesh& mesh() const { return model_.mesh; }
  const ElasticModel& elastic_model() const { return model_; }
  // Edges have the body on their left (fem/mesh.hpp).
  const std::vector<std::array<int, 2>>& surface_edges() const { return edges_; }
  const std::vector<int>& surface_nodes() const { return nodes_; }

  Vec<2> position(int node) const { return model_.mesh.nodes[node] + coordinates().segment<2>(2 * node); }
  Vec<2> node_velocity(int node) const { return velocity().segment<2>(2 * node); }
  Eigen::Vector3d stress(int triangle) const;  // (xx, yy, xy), Pa
  // Of an element, rad: the rotation in the polar decomposition of I + grad u.
  double largest_rotation() const;

 private:
  ElasticModel model_;
  std::vector<std::array<int, 2>> edges_;
  std::vector<int> nodes_;
};

}  // namespace saltus
