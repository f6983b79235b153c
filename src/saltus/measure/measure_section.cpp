// Forces on a cut through a deformable body: sum of stress times area over the cells that a plane cuts.
//
// The plane is one of the body without deformation and goes with its matter; force and moment are those of the side that the
// normal points to on the other, the moment about the given point. Nodes on the plane count to the side of the
// normal, so that a plane along sides of elements cuts those behind it, once. Areas are those that the elements have forces on:
//
//     small          without deformation, and so are the arms of moments
//     corotational   without deformation, turned with the element
//     finite         as they are now; in plane stress the thickness is h exp(strain_zz), in axial symmetry 2 pi r of now
#include <array>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/spectral.hpp"
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
  std::vector<Crossing> corners;
  double depth = 1;                                      // m, across the plane (2D), without deformation
  Vec<Dim> area = Vec<Dim>::Zero();                      // m2, without deformation, along the normal
  Vec<Dim> middle = Vec<Dim>::Zero();                    // of the cut, without deformation
  std::vector<std::array<int, Dim + 1>> simplices = {};  // of the cell
};

// Corners of the cut in an order that goes round.
template <int Dim>
std::vector<Crossing> cut_simplex(const std::array<int, Dim + 1>& simplex,
                                  const std::vector<double>& height) {
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
struct CutShape {
  Vec<Dim> area = Vec<Dim>::Zero();  // per metre of depth (2D)
  Vec<Dim> middle = Vec<Dim>::Zero();
};

template <int Dim>
class Section final : public Measure<Dim> {
 public:
  explicit Section(const MeasureContext<Dim>& context)
      : system_(find_solid<Dim>(context, context.spec.part)), normal_(context.spec.gate.normal.normalized()) {
    const SystemMesh<Dim>& mesh = *context.first.meshes[system_].mesh;
    std::vector<double> height;
    for (const Vec<Dim>& x : mesh.nodes) height.push_back(normal_.dot(x - context.spec.gate.point));
    kinematics_ = require_kinematics(mesh, context.spec.where);
    std::vector<double> areas(mesh.cells.size(), 0);
    std::vector<std::vector<std::array<int, Dim + 1>>> simplices(mesh.cells.size());
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      const auto cell = static_cast<std::size_t>(mesh.element_cell[e]);
      if constexpr (Dim == 2) areas[cell] += area_of(mesh, mesh.elements[e]);
      simplices[cell].push_back(mesh.elements[e]);
    }
    const auto rest = [&](int node) -> const Vec<Dim>& { return mesh.nodes[static_cast<std::size_t>(node)]; };
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      std::vector<Crossing> corners = cut_simplex<Dim>(mesh.elements[e], height);
      if (corners.size() < Dim) continue;
      const auto cell = static_cast<std::size_t>(mesh.element_cell[e]);
      CutCell<Dim> cut{cell, std::move(corners)};
      const CutShape<Dim> shape = shape_of(cut, rest);
      cut.middle = shape.middle;
      if (Dim == 2)
        cut.depth = is_ring(mesh) ? 2 * M_PI * shape.middle[0] : mesh.cell_volume[cell] / areas[cell];
      cut.area = cut.depth * shape.area;
      if (kinematics_ == Kinematics::corotational) cut.simplices = simplices[cell];
      cuts_.push_back(std::move(cut));
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
    for (const CutCell<Dim>& cut : cuts_) {
      Vec<Dim> area = cut.area, middle = cut.middle;
      if (kinematics_ != Kinematics::small) {
        const CutShape<Dim> now = shape_of(cut, place);
        middle = now.middle;
        area = kinematics_ == Kinematics::finite ? Vec<Dim>(depth_now(own, cut, middle) * now.area)
                                                 : Vec<Dim>(turn_of(*own.mesh, cut, place) * cut.area);
      }
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

  template <class PlaceOf>
  static CutShape<Dim> shape_of(const CutCell<Dim>& cut, const PlaceOf& place) {
    std::vector<Vec<Dim>> x;
    CutShape<Dim> shape;
    for (const Crossing& c : cut.corners) {
      x.push_back(place(c.behind) + c.share * (place(c.before) - place(c.behind)));
      shape.middle += x.back() / static_cast<double>(cut.corners.size());
    }
    shape.area = area_vector(x);
    if (shape.area.dot(place(cut.corners[0].before) - place(cut.corners[0].behind)) < 0)
      shape.area = -shape.area;
    return shape;
  }
  static double depth_now(const SnapshotMesh<Dim>& own, const CutCell<Dim>& cut, const Vec<Dim>& middle) {
    if (is_ring(*own.mesh)) return 2 * M_PI * middle[0];
    return cut.depth * thickness_ratio<Dim>(own, cut.cell);
  }
  // R of the mean deformation of its cell.
  template <class PlaceOf>
  static Mat<Dim> turn_of(const SystemMesh<Dim>& mesh, const CutCell<Dim>& cut, const PlaceOf& place) {
    const auto rest = [&](int node) -> const Vec<Dim>& { return mesh.nodes[static_cast<std::size_t>(node)]; };
    Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
    F.topLeftCorner<Dim, Dim>().setZero();
    double volume = 0;
    for (const auto& simplex : cut.simplices) {
      const Mat<Dim> before = edges_of<Dim>(simplex, rest);
      const double own = before.determinant();
      F.topLeftCorner<Dim, Dim>() += own * edges_of<Dim>(simplex, place) * before.inverse();
      volume += own;
    }
    F.topLeftCorner<Dim, Dim>() /= volume;
    return rotation_of(F).template topLeftCorner<Dim, Dim>();
  }

  std::size_t system_;
  Kinematics kinematics_ = Kinematics::small;
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
