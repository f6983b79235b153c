// Stress at the start.
#include <fmt/format.h>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/continuum.hpp"
#include "saltus/fem/element_shape.hpp"
#include "saltus/fem/quadrature.hpp"
#include "saltus/fem/stressed_start.hpp"

namespace saltus {

namespace {

// Where the points of an element are, in the order of stiffness_rule.
template <int Dim>
std::vector<Eigen::Matrix<double, Dim, 1>> stress_points(const SolidMesh<Dim>& mesh, int element) {
  const auto& own = mesh.elements[element];
  const auto nodes = mesh.nodes_of(own);
  return with_kind<Dim>(own.kind, [&]<ElementKind K>() {
    std::vector<Eigen::Matrix<double, Dim, 1>> points;
    for (const auto& p : stiffness_rule<Dim>(K)) {
      const auto values = ElementShape<K>::values(p.at);
      auto& point = points.emplace_back(Eigen::Matrix<double, Dim, 1>::Zero());
      for (std::size_t a = 0; a < nodes.size(); ++a)
        point += values[static_cast<Eigen::Index>(a)] * mesh.nodes[nodes[a]];
    }
    return points;
  });
}

}  // namespace

template <int Dim>
void Continuum<Dim>::start_under_weight(double level, const Eigen::Matrix<double, Dim, 1>& gravity) {
  const double g = gravity.norm();
  const StrainMeasure measure = options_.kinematics == Kinematics::finite ? StrainMeasure::finite : StrainMeasure::small;
  for (int e = 0; e < static_cast<int>(mesh_.elements.size()); ++e) {
    const ElementLaw& law = laws_[mesh_.elements[e].material];
    const double density = materials_[mesh_.elements[e].material].density;
    const auto* material = dynamic_cast<const StressedStart*>(law.material);
    if (material == nullptr)
      throw InputError(options_.where, "lithostatic: a material that remembers no stress", law.material->name(), "maxwell");
    double* internal = accepted_.data() + first_internal_[e];
    for (const auto& x : stress_points<Dim>(mesh_, e)) {
      const double depth = g > 0 ? level + x.dot(gravity) / g : 0;
      if (depth < 0)
        throw InputError(options_.where, fmt::format("lithostatic: level of the surface, with element {} above it", e),
                         fmt::format("{}", level), "the height of the free surface, along gravity");
      Vector6 stress = Vector6::Zero();
      stress.head<3>().setConstant(-density * g * depth);
      material->start_stressed(measure, stress, internal);
      internal += law.internal_count;
    }
  }
  previous_ = tried_ = accepted_;
}

template void Continuum<2>::start_under_weight(double, const Eigen::Matrix<double, 2, 1>&);
template void Continuum<3>::start_under_weight(double, const Eigen::Matrix<double, 3, 1>&);

}  // namespace saltus
