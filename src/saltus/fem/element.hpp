// One element: its internal force and tangent at given displacements. Degrees of freedom by component, a + N i for node a and
// direction i, so that loops run along nodes.
//
//     force = sum over points of w Gamma^T P,  tangent = sum of w Gamma^T A Gamma        Gamma q = vec(H), H = grad u
//
// with P and A of point_response.hpp, in small and in finite strain alike. In axial symmetry H_zz = u_x/r.
//
// Mean dilatation (q4, h8): P and A are those of a gradient whose change of volume is the mean of the element,
//
//     small    H + (mean tr H - tr H)/3 I                            B-bar (Hughes)
//     finite   F (theta/J)^(1/3), theta = mean of J                  (Nagtegaal, Parks and Rice; Simo, Taylor and Pister)
//
// and the force is the derivative of the energy so computed, so that it has a potential where the material has one and the
// tangent is symmetric where A is.
#pragma once

#include "saltus/fem/continuum_options.hpp"
#include "saltus/fem/element_shape.hpp"
#include "saltus/fem/point_response.hpp"
#include "saltus/fem/quadrature.hpp"

namespace saltus {

// The same for all elements of a body.
struct BodyLaw {
  Kinematics kinematics = Kinematics::small;
  PlaneKind plane = PlaneKind::strain;
  double thickness = 1;

  bool axisymmetric() const { return plane == PlaneKind::axisymmetric; }
  PointLaw point_law() const {
    return {kinematics == Kinematics::finite ? StrainMeasure::finite : StrainMeasure::small,
            plane == PlaneKind::stress};
  }
};

// The same for all elements of one material in a body.
struct ElementLaw {
  const Material* material = nullptr;
  bool linear = false;        // closed formulas instead of the material
  ElasticModuli moduli = {};  // where linear; in plane stress lambda is that of the plane
  bool mean_dilatation = false;
  int internal_count = 0;  // per point
};

template <ElementKind K>
struct ElementTypes {
  using Shape = ElementShape<K>;
  static constexpr int kDim = Shape::kDim, kNodes = Shape::kNodes, kDofs = kDim * kNodes;
  static constexpr int kPoints = stiffness_points(K);
  static constexpr bool kMeanDilatation = K == ElementKind::q4 || K == ElementKind::h8;
  using Nodal = Eigen::Matrix<double, kNodes, kDim>;  // a row per node
  using Scalars = Eigen::Matrix<double, kNodes, 1>;
  using Vector = Eigen::Matrix<double, kDofs, 1>;
  using Square = Eigen::Matrix<double, kDofs, kDofs>;
};

// Shape functions at points of the reference cell.
template <ElementKind K>
struct ElementTable {
  using T = ElementTypes<K>;
  struct Row {
    typename T::Scalars values;
    typename T::Nodal gradients;
    double weight;
  };
  std::vector<Row> rows;

  static const ElementTable& stiffness();
  static const ElementTable& mass();

 private:
  explicit ElementTable(const Quadrature<T::kDim>& rule);
};

// Shape functions in the body, where it was at the start.
template <ElementKind K>
struct ElementPoint {
  typename ElementTypes<K>::Nodal gradients;  // dN/dX
  typename ElementTypes<K>::Scalars hoop;     // N/r; only in axial symmetry
  double volume = 0;                          // weight times Jacobian, thickness or 2 pi r: m3
  double radius = 0;
};

// False: the element is turned inside out at the point, or left of the axis.
template <ElementKind K>
bool place_point(const BodyLaw& body, const typename ElementTable<K>::Row& row,
                 const typename ElementTypes<K>::Nodal& X, ElementPoint<K>& point);

// grad u in space.
template <ElementKind K>
Eigen::Matrix3d gradient_at(const BodyLaw& body, const ElementPoint<K>& point,
                            const typename ElementTypes<K>::Nodal& u);

enum class ElementTrouble : unsigned char { none, inside_out, no_answer };

template <ElementKind K>
struct ElementResult {
  using T = ElementTypes<K>;
  typename T::Nodal force;
  typename T::Square tangent;  // only where asked for
  MaterialEnergies energy;     // J
  ElementTrouble trouble = ElementTrouble::none;
};

// `step`: internal variables of the first point, those of the others follow.
template <ElementKind K>
void evaluate_element(const BodyLaw& body, const ElementLaw& law, const typename ElementTypes<K>::Nodal& X,
                      const typename ElementTypes<K>::Nodal& u, const MaterialStep& step,
                      ElementResult<K>& out);

}  // namespace saltus
