// Forces and moments in sections of bars, strings and beams, in the axes of the section: of what is ahead on what is behind, where
// ahead is towards the second node of an element.
//
// The force of an element is the same all along it and its moment goes in a straight line, exactly so between nodes where nothing
// else acts. Loads along a line are shared by its nodes.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/beams.hpp"
#include "saltus/measure/measure.hpp"

namespace saltus {

namespace {

struct LinePlace {
  int element = 0;
  double share = 0.5;  // of its length
};

// The place on the line, without deformation, that is nearest to the point.
template <int Dim>
LinePlace find_on_line(const LineMesh<Dim>& mesh, const Vec<Dim>& point, const std::string& where) {
  LinePlace found;
  Vec<Dim> nearest = mesh.nodes[0], low = nearest, high = nearest;
  for (const Vec<Dim>& x : mesh.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) {
    const Vec<Dim>& from = mesh.nodes[static_cast<std::size_t>(mesh.elements[e].nodes[0])];
    const Vec<Dim> along = mesh.nodes[static_cast<std::size_t>(mesh.elements[e].nodes[1])] - from;
    const double share = std::clamp(along.dot(point - from) / along.squaredNorm(), 0.0, 1.0);
    const Vec<Dim> here = from + share * along;
    if (e > 0 && !((here - point).norm() < (nearest - point).norm())) continue;
    found = {e, share};
    nearest = here;
  }
  const auto show = [](const Vec<Dim>& x) {
    return fmt::format("({})", fmt::join(x.data(), x.data() + Dim, ", "));
  };
  if (!((nearest - point).norm() <= 1e-6 * (high - low).norm()))
    throw InputError(where, "point of a section, on the line without deformation", show(point),
                     fmt::format("one on the line: the nearest is {}", show(nearest)));
  return found;
}

template <int Dim>
std::size_t find_beams(const MeasureContext<Dim>& context) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < context.first.beams.size(); ++i) {
    if (!context.first.beams[i]) continue;
    if (context.first.system_names[i] == context.spec.part) return i;
    names.push_back(context.first.system_names[i]);
  }
  return find_named(context.spec.part, names, "bar, string or beam", context.spec.where);
}

template <int Dim>
class SectionForces final : public Measure<Dim> {
 public:
  explicit SectionForces(const MeasureContext<Dim>& context)
      : system_(find_beams<Dim>(context)), beams_(*context.first.beams[system_]) {
    if (context.spec.has_point) {
      places_ = {find_on_line<Dim>(beams_.mesh(), context.spec.gate.point, context.spec.where)};
      labels_ = {""};
      return;
    }
    double along = 0;
    for (int e = 0; e < static_cast<int>(beams_.mesh().elements.size()); ++e) {
      const double length = beams_.element(e).length;
      places_.push_back({e, 0.5});
      labels_.push_back(fmt::format("@{:.6g}", along + 0.5 * length));
      along += length;
    }
  }
  std::vector<std::string> parts() const override {
    std::vector<std::string> kinds = {"axial"};
    if (beams_.turns() && Dim == 2) kinds = {"axial", "shear", "moment"};
    if (beams_.turns() && Dim == 3)
      kinds = {"axial", "shear_2", "shear_3", "torsion", "moment_2", "moment_3"};
    std::vector<std::string> parts;
    for (const std::string& label : labels_)
      for (const std::string& kind : kinds) parts.push_back(kind + label);
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const Eigen::VectorXd& q = snapshot.systems[system_].coordinates;
    beams_.set_internal_state(std::span(q.data(), static_cast<std::size_t>(q.size())));
    for (const LinePlace& place : places_) {
      const BeamForces forces = beams_.section_forces(place.element, q);
      const Eigen::Vector3d &N = forces.section_force, M = forces.moment_at(place.share);
      row.push_back(N[0]);
      if (!beams_.turns()) continue;
      // In the plane axis 2 of a section points to the left of the line, and axis 3 is z.
      if constexpr (Dim == 2)
        row.insert(row.end(), {N[1], M[2]});
      else
        row.insert(row.end(), {N[1], N[2], M[0], M[1], M[2]});
    }
  }

 private:
  std::size_t system_;
  Beams<Dim> beams_;
  std::vector<LinePlace> places_;
  std::vector<std::string> labels_;
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_beam_measure(const MeasureContext<Dim>& context) {
  if (context.spec.kind != MeasureKind::beam_forces) return nullptr;
  return std::make_unique<SectionForces<Dim>>(context);
}

template std::unique_ptr<Measure<2>> make_beam_measure<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_beam_measure<3>(const MeasureContext<3>&);

}  // namespace saltus
