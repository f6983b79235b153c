// Forces on a cut through a deformable body: sum of stress times area over the cells that a plane cuts.
//
// The plane is one of the body without deformation and goes with its matter; force and moment are those of the side that the
// normal points to on the other, the moment about the given point. Nodes on the plane count to the side of the
// normal, so that a plane along sides of elements cuts those behind it, once.
#include <array>

#include "saltus/base/input_error.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/measure/solid_parts.hpp"

namespace saltus {

namespace {

// Where the plane crosses edges of a simplex: between nodes `behind` and `before`, at this share of the way.
struct Crossing {
  int behind = 0, before = 0;
  double share = 0;
};

template <int Dim>
struct CutCell {
  std::size_t cell = 0;
  double depth = 1;  // m, across the plane (2D)
  std::vector<Crossing> corners;
};

// Corners of the cut in an order that goes round.
template <int Dim>
std::vector<Crossing> cut_simplex(const std::array<int, Dim + 1>& simplex, const std::vector<double>& height) {
  std::vector<int> behind, before;
  for (const int node : simplex)
    (height[static_cast<std::size_t>(node)] < 0 ? behind : before).push_back(node);
  std::vector<Crossing> corners;
  for (std::size_t i = 0; i < behind.size(); ++i)
    for (std::size_t k = 0; k < before.size(); ++k) {
      // Two and two: there and back, so that neighbours share an edge's face.
      const int from = behind[i], to = before[i % 2 == 1 ? before.size() - 1 - k : k];
      const double low = height[static_cast<std::size_t>(from)], high = height[static_cast<std::size_t>(to)];
      corners.push_back({from, to, low / (low - high)});
    }
  return corners;
}

Vec<2> area_vector(const std::vector<Vec<2>>& x) { return {x[1].y() - x[0].y(), x[0].x() - x[1].x()}; }
Vec<3> area_vector(const std::vector<Vec<3>>& x) {
  Vec<3> area = Vec<3>::Zero();
  for (std::size_t k = 1; k + 1 < x.size(); ++k) area += 0.5 * (x[k] - x[0]).cross(x[k + 1] - x[0]);
  return area;
}

template <int Dim>
class Section final : public Measure<Dim> {
 public:
  explicit Section(const MeasureContext<Dim>& context)
      : system_(find_solid<Dim>(context, context.spec.part)), normal_(context.spec.gate.normal.normalized()) {
    const SystemMesh<Dim>& mesh = *context.first.meshes[system_].mesh;
    std::vector<double> height;
    for (const Vec<Dim>& x : mesh.nodes) height.push_back(normal_.dot(x - context.spec.gate.point));
    std::vector<double> areas(mesh.cells.size(), 0);
    if constexpr (Dim == 2)
      for (std::size_t e = 0; e < mesh.elements.size(); ++e)
        areas[static_cast<std::size_t>(mesh.element_cell[e])] += area_of(mesh, mesh.elements[e]);
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      std::vector<Crossing> corners = cut_simplex<Dim>(mesh.elements[e], height);
      if (corners.size() < Dim) continue;
      const auto cell = static_cast<std::size_t>(mesh.element_cell[e]);
      cuts_.push_back({cell, Dim == 2 ? mesh.cell_volume[cell] / areas[cell] : 1, std::move(corners)});
    }
    if (cuts_.empty())
      throw InputError(context.spec.where, "plane of a section", "beside the body",
                       "one that goes through it (point and normal, without deformation)");
    point_ = context.spec.gate.point;
  }
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts = vector_parts<Dim>("force_");
    for (const std::string& part :
         Dim == 2 ? std::vector<std::string>{"moment_z"} : vector_parts<3>("moment_"))
      parts.push_back(part);
    parts.insert(parts.end(), {"normal", "shear", "area"});
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const SnapshotMesh<Dim>& own = snapshot.meshes[system_];
    const auto place = [&](int node) { return own.place(snapshot.systems[system_], node); };
    Vec<Dim> force = Vec<Dim>::Zero(), whole = Vec<Dim>::Zero();
    Spin<Dim> turn = Spin<Dim>::Zero();
    std::vector<Vec<Dim>> x;
    for (const CutCell<Dim>& cut : cuts_) {
      x.clear();
      Vec<Dim> middle = Vec<Dim>::Zero();
      for (const Crossing& c : cut.corners) {
        x.push_back(place(c.behind) + c.share * (place(c.before) - place(c.behind)));
        middle += x.back() / static_cast<double>(cut.corners.size());
      }
      Vec<Dim> area = cut.depth * area_vector(x);
      if (area.dot(place(cut.corners[0].before) - place(cut.corners[0].behind)) < 0) area = -area;
      const Vec<Dim> part = tensor_at<Dim>(own.fields.cell_stress, cut.cell) * area;
      force += part;
      turn += moment(Vec<Dim>(middle - point_), part);
      whole += area;
    }
    const Vec<Dim> direction = whole.normalized();
    const double along = direction.dot(force);
    row.insert(row.end(), force.data(), force.data() + Dim);
    row.insert(row.end(), turn.data(), turn.data() + turn.size());
    row.insert(row.end(), {along, (force - along * direction).norm(), whole.norm()});
  }

 private:
  static double area_of(const SystemMesh<2>& mesh, const std::array<int, 3>& t) {
    const Vec<2> a = mesh.nodes[t[1]] - mesh.nodes[t[0]], b = mesh.nodes[t[2]] - mesh.nodes[t[0]];
    return 0.5 * (a.x() * b.y() - a.y() * b.x());
  }

  std::size_t system_;
  Vec<Dim> normal_, point_;
  std::vector<CutCell<Dim>> cuts_;
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_section(const MeasureContext<Dim>& context) {
  if (context.spec.kind != MeasureKind::section) return nullptr;
  return std::make_unique<Section<Dim>>(context);
}

template std::unique_ptr<Measure<2>> make_section<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_section<3>(const MeasureContext<3>&);

}  // namespace saltus
