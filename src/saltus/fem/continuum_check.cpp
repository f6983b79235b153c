// What a body is made of is checked when it is made.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/continuum.hpp"

namespace saltus {

namespace {

const char* name_of(Kinematics kinematics) {
  switch (kinematics) {
    case Kinematics::small: return "small";
    case Kinematics::corotational: return "corotational";
    default: return "finite";
  }
}

void check_fit(const ContinuumMaterial& m, const std::string& group, const ContinuumOptions& options) {
  const std::string what = group.empty() ? "material" : fmt::format("material of `{}`", group);
  if (m.material == nullptr) throw InputError(options.where, fmt::format("{} is missing", what));
  if (!(m.density > 0) || !std::isfinite(m.density))
    throw InputError(options.where, fmt::format("density of the {}", what), fmt::format("{}", m.density),
                     "a number above 0, kg/m3");
  const bool fits = options.kinematics == Kinematics::small    ? m.material->takes(StrainMeasure::small)
                    : options.kinematics == Kinematics::finite ? m.material->takes(StrainMeasure::finite)
                                                               : m.material->is_linear_elastic();
  if (!fits)
    throw InputError(options.where,
                     fmt::format("{}, {}, does not fit the kinematics", what, m.material->name()),
                     name_of(options.kinematics),
                     m.material->takes(StrainMeasure::finite) ? "finite" : "small or corotational");
}

}  // namespace

template <int Dim>
void Continuum<Dim>::build_laws() {
  const ContinuumOptions& o = options_;
  if (materials_.size() != mesh_.materials.size())
    throw InputError(o.where, "materials of a mesh", fmt::format("{}", materials_.size()),
                     fmt::format("one for each of its {} groups: {}", mesh_.materials.size(),
                                 fmt::join(mesh_.materials, ", ")));
  if (!(o.thickness > 0) || !std::isfinite(o.thickness))
    throw InputError(o.where, "thickness", fmt::format("{}", o.thickness), "a number above 0, m");
  const bool plane_stress = o.plane == PlaneKind::stress;
  if (o.plane == PlaneKind::axisymmetric && o.kinematics == Kinematics::corotational)
    throw InputError(o.where, "nothing turns in axial symmetry: kinematics", "corotational",
                     "small or finite");
  if (plane_stress && o.mean_dilatation.value_or(false))
    throw InputError(o.where, "mean dilatation in plane stress, where nothing locks", "true", "false");
  linear_ = o.kinematics == Kinematics::small;
  for (std::size_t i = 0; i < materials_.size(); ++i) {
    check_fit(materials_[i], mesh_.materials[i], o);
    const Material& material = *materials_[i].material;
    ElementLaw law;
    law.material = &material;
    law.moduli = material.moduli();
    const bool locks = !plane_stress && (material.is_plastic() || law.moduli.poisson() > 0.4);
    law.mean_dilatation = o.mean_dilatation.value_or(locks);
    law.linear = material.is_linear_elastic();
    if (!law.linear) law.internal_count = body_.point_law().internal_count(material);
    if (plane_stress) law.moduli.lambda *= 2 * law.moduli.mu / law.moduli.longitudinal();
    linear_ = linear_ && law.linear;
    symmetric_ = symmetric_ && material.has_symmetric_tangent(body_.point_law().measure());
    laws_.push_back(law);
  }
}

template <int Dim>
void Continuum<Dim>::check_mesh() const {
  const std::string& where = options_.where;
  if (mesh_.elements.empty()) throw InputError(where, "a mesh without elements");
  for (std::size_t i = 0; i < mesh_.nodes.size(); ++i)
    if (!mesh_.nodes[i].allFinite())
      throw InputError(where, fmt::format("node {} has a coordinate that is not finite", i));
  const int nodes = static_cast<int>(mesh_.nodes.size());
  std::vector<char> used(mesh_.nodes.size(), 0);
  const ElementBatch<Dim> all = batch();
  for (std::size_t e = 0; e < mesh_.elements.size(); ++e) {
    const auto& element = mesh_.elements[e];
    const std::string what = fmt::format("element {} ({})", e, name(element.kind));
    if (dimension_of(element.kind) != Dim)
      throw InputError(where, fmt::format("dimension of {}", what),
                       fmt::format("{}", dimension_of(element.kind)), fmt::format("{}", Dim));
    if (element.material < 0 || element.material >= static_cast<int>(laws_.size()))
      throw InputError(where, fmt::format("group of {}", what), fmt::format("{}", element.material),
                       fmt::format("0 to {}", laws_.size() - 1));
    if (element.first < 0 ||
        static_cast<std::size_t>(element.first) + node_count(element.kind) > mesh_.connectivity.size())
      throw InputError(where, fmt::format("{} has too few nodes", what));
    for (const int node : mesh_.nodes_of(element)) {
      if (node < 0 || node >= nodes)
        throw InputError(where, fmt::format("node of {}", what), fmt::format("{}", node),
                         fmt::format("0 to {}", nodes - 1));
      used[node] = 1;
    }
    double smallest = 0;
    const std::string own = fmt::format("nodes {}", fmt::join(mesh_.nodes_of(element), " "));
    if (!element_ops<Dim>(element.kind).check(all, static_cast<int>(e), smallest))
      throw InputError(where, fmt::format("{} is turned inside out, degenerate or left of the axis", what),
                       own, "corners in VTK's order, a volume above 0, in axial symmetry x >= 0");
    // Thinner than this the digits of its gradients are gone.
    if (smallest < 1e-12)
      throw InputError(
          where, fmt::format("{} is degenerate: its Jacobian is {:.1e} for a size of 1", what, smallest), own,
          "above 1e-12");
  }
  for (int i = 0; i < nodes; ++i)
    if (used[i] == 0) throw InputError(where, fmt::format("node {} belongs to no element", i));
}

template void Continuum<2>::build_laws();
template void Continuum<3>::build_laws();
template void Continuum<2>::check_mesh() const;
template void Continuum<3>::check_mesh() const;

}  // namespace saltus
