// What a kind of element does, behind one door: a row of functions per kind, so that a loop over a mesh asks once per chunk.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "saltus/fem/block_pattern.hpp"
#include "saltus/fem/element.hpp"
#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

// What elements of a body read and write in an evaluation.
template <int Dim>
struct ElementBatch {
  const SolidMesh<Dim>* mesh;
  BodyLaw body;
  std::span<const ElementLaw> laws;             // of each material group
  std::span<const int> order;                   // element_chunks.hpp
  std::span<const std::size_t> first_internal;  // of each element
  const double* q = nullptr;                    // displacements, m
  double duration = 0;                          // of the step, s
  const double* before = nullptr;               // internal variables of all elements
  double* after = nullptr;
  bool want_tangent = false;
  double* force = nullptr;  // added to
  double* tangent = nullptr;
  const BlockPattern* pattern = nullptr;
};

struct ChunkResult {
  MaterialEnergies energy;  // J
  int bad_element = -1;
  ElementTrouble trouble = ElementTrouble::none;
};

// At a quadrature point. Strain: eps; of corotational elements that in their axes, turned back; in finite strain Hencky's,
// ln(F F^T)/2. Components of the axes of space, shears of strain doubled.
struct PointFields {
  Vector6 stress;  // Cauchy, Pa
  Vector6 strain;
  double plastic_strain = 0;  // accumulated
  double volume = 0;          // m3, without deformation
};

template <int Dim>
struct ElementOps {
  // Adds forces and tangents of the elements order[begin, end).
  ChunkResult (*run)(const ElementBatch<Dim>& batch, int begin, int end);
  // Of one element; by component, a + N i.
  bool (*tangent)(const ElementBatch<Dim>& batch, int element, Eigen::MatrixXd& tangent);
  // False: a Jacobian that is not positive at points of stiffness or mass, a point left of the axis. `smallest`: of
  // det dX/dxi, over the size of the element to the power Dim.
  bool (*check)(const ElementBatch<Dim>& batch, int element, double& smallest);
  // integral of N_a N_b and of N_a, m3
  void (*mass)(const ElementBatch<Dim>& batch, int element, Eigen::MatrixXd& products,
               Eigen::VectorXd& weights);
  bool (*fields)(const ElementBatch<Dim>& batch, int element, std::vector<PointFields>& fields);
  double (*rotation)(const ElementBatch<Dim>& batch, int element);  // rad
};

template <ElementKind K>
const ElementOps<ElementShape<K>::kDim>& ops_of();

template <int Dim>
const ElementOps<Dim>& element_ops(ElementKind kind) {
  return with_kind<Dim>(kind, []<ElementKind K>() -> const ElementOps<Dim>& { return ops_of<K>(); });
}

}  // namespace saltus
