#include "saltus/measure/solid_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

template <int Dim>
double distance_to(const Vec<Dim>& x, const Vec<Dim>& a, const Vec<Dim>& b) {
  const Vec<Dim> edge = b - a;
  const double along = std::clamp((x - a).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
  return (x - a - along * edge).norm();
}

struct SideView {
  double distance = 0, length = 0, facing = 0;
};

SideView view_side(const std::array<Vec<2>, 2>& corners, int, const Vec<2>& x, const Vec<2>& outward) {
  const Vec<2> edge = corners[1] - corners[0];
  // The body is on the left of its sides.
  return {distance_to<2>(x, corners[0], corners[1]), edge.norm(),
          Vec<2>(edge.y(), -edge.x()).normalized().dot(outward)};
}

// A face as flat: its mean plane where x lies inside its edges, else the nearest edge.
SideView view_side(const std::array<Vec<3>, 4>& corners, int count, const Vec<3>& x, const Vec<3>& outward) {
  Vec<3> middle = Vec<3>::Zero(), normal = Vec<3>::Zero();
  for (int k = 0; k < count; ++k) middle += corners[k] / count;
  for (int k = 0; k < count; ++k) normal += (corners[k] - middle).cross(corners[(k + 1) % count] - middle);
  SideView view{std::numeric_limits<double>::infinity(), 0, 0};
  normal.normalize();
  bool inside = true;
  for (int k = 0; k < count; ++k) {
    const Vec<3>&a = corners[k], &b = corners[(k + 1) % count];
    inside = inside && normal.dot((b - a).cross(x - a)) >= 0;
    view.distance = std::min(view.distance, distance_to<3>(x, a, b));
    view.length = std::max(view.length, (b - a).norm());
  }
  // Corners of a bent face are off its mean plane.
  if (inside) view.distance = std::min(view.distance, std::abs(normal.dot(x - middle)));
  view.facing = normal.dot(outward);
  return view;
}

}  // namespace

template <int Dim>
std::size_t find_solid(const MeasureContext<Dim>& context, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < context.first.meshes.size(); ++i) {
    if (!context.first.meshes[i].mesh) continue;
    if (context.first.system_names[i] == name && !name.empty()) return i;
    names.push_back(context.first.system_names[i]);
  }
  find_named(name, names, "deformable body", context.spec.where);
  throw InputError(context.spec.where, "a measure names a deformable body", name, "a name that is not empty");
}

template <int Dim>
MeshPlace<Dim> find_in_mesh(const SystemMesh<Dim>& mesh, const Vec<Dim>& point, const std::string& where) {
  const auto place = [&](int node) -> const Vec<Dim>& { return mesh.nodes[static_cast<std::size_t>(node)]; };
  double best = -std::numeric_limits<double>::infinity();
  MeshPlace<Dim> found;
  for (const auto& simplex : mesh.elements) {
    const Vec<Dim> shares = edges_of<Dim>(simplex, place).inverse() * (point - place(simplex[0]));
    const double least = std::min(shares.minCoeff(), 1 - shares.sum());
    if (!(least > best)) continue;
    best = least;
    found.nodes = simplex;
    found.weights[0] = 1 - shares.sum();
    for (int k = 0; k < Dim; ++k) found.weights[k + 1] = shares[k];
  }
  if (best >= -1e-9) return found;
  Vec<Dim> low = mesh.nodes[0], high = low;
  for (const Vec<Dim>& x : mesh.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  const auto show = [](const Vec<Dim>& x) {
    return fmt::format("({})", fmt::join(x.data(), x.data() + Dim, ", "));
  };
  throw InputError(where, "point of a measure, in the body without deformation", show(point),
                   fmt::format("inside the body, whose box goes from {} to {}", show(low), show(high)));
}

template <int Dim>
Vec<Dim> centre_of(const SnapshotMesh<Dim>& own, const SnapshotSystem& system) {
  const auto place = [&](int node) { return own.place(system, node); };
  Vec<Dim> sum = Vec<Dim>::Zero();
  double volume = 0;
  for (const auto& simplex : own.mesh->elements) {
    Vec<Dim> middle = Vec<Dim>::Zero();
    for (const int node : simplex) middle += place(node) / (Dim + 1);
    const double part = edges_of<Dim>(simplex, place).determinant() * (is_ring(*own.mesh) ? middle[0] : 1);
    sum += part * middle;
    volume += part;
  }
  return sum / volume;
}

template <int Dim>
Mat<Dim> tensor_at(const std::vector<double>& rows, std::size_t row) {
  const double* s = rows.data() + static_cast<std::size_t>(tensor_width(Dim)) * row;
  Mat<Dim> tensor;
  if constexpr (Dim == 2)
    tensor << s[0], s[3], s[3], s[1];
  else
    tensor << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return tensor;
}

template <int Dim>
Mat<Dim> mean_stress(const SnapshotMesh<Dim>& own, const std::vector<double>& volumes) {
  Mat<Dim> sum = Mat<Dim>::Zero();
  double volume = 0;
  for (std::size_t cell = 0; cell < volumes.size(); ++cell) {
    sum += volumes[cell] * tensor_at<Dim>(own.fields.cell_stress, cell);
    volume += volumes[cell];
  }
  return sum / volume;
}

template <int Dim>
Kinematics require_kinematics(const SystemMesh<Dim>& mesh, const std::string& where) {
  if (mesh.kinematics) return *mesh.kinematics;
  throw InputError(where,
                   "areas and volumes of a deformable body in a trajectory that does not tell its kinematics",
                   "written by an earlier program", "one of a run of this program");
}

template <int Dim>
double thickness_ratio(const SnapshotMesh<Dim>& own, std::size_t cell) {
  if (Dim == 3 || own.mesh->plane != PlaneKind::stress || own.mesh->kinematics != Kinematics::finite)
    return 1;
  return std::exp(
      own.fields.cell_strain[static_cast<std::size_t>(tensor_width(Dim)) * cell + 2]);  // Hencky's
}

template <int Dim>
std::vector<double> cell_volumes(const Snapshot<Dim>& snapshot, std::size_t system) {
  const SnapshotMesh<Dim>& own = snapshot.meshes[system];
  const SystemMesh<Dim>& mesh = *own.mesh;
  if (mesh.kinematics != Kinematics::finite) return mesh.cell_volume;
  // Of the simplices, which may leave out what curved sides enclose: so the ratio.
  std::vector<double> before(mesh.cells.size(), 0), now(mesh.cells.size(), 0);
  const auto add = [&](const auto& place, std::vector<double>& volumes) {
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      double part = edges_of<Dim>(mesh.elements[e], place).determinant();
      if (is_ring(mesh)) {
        double radius = 0;
        for (const int node : mesh.elements[e]) radius += place(node)[0] / (Dim + 1);
        part *= radius;
      }
      volumes[static_cast<std::size_t>(mesh.element_cell[e])] += part;
    }
  };
  add([&](int node) { return mesh.nodes[static_cast<std::size_t>(node)]; }, before);
  add([&](int node) { return own.place(snapshot.systems[system], node); }, now);
  for (std::size_t cell = 0; cell < now.size(); ++cell)
    now[cell] *= thickness_ratio<Dim>(own, cell) * mesh.cell_volume[cell] / before[cell];
  return now;
}

template <int Dim>
bool lies_on(const Snapshot<Dim>& snapshot, std::size_t system, std::size_t surface, const Vec<Dim>& x) {
  constexpr double kOn = 1e-2;  // sides bend
  const SnapshotMesh<Dim>& own = snapshot.meshes[system];
  for (const auto& side : own.mesh->surfaces[surface].sides) {
    std::array<Vec<Dim>, Dim == 2 ? 2 : 4> corners;
    const int count = SystemMesh<Dim>::corner_count_of(side);
    for (int k = 0; k < count; ++k) corners[k] = own.place(snapshot.systems[system], side[k]);
    // Middle nodes are off the straight line between corners.
    const SideView view = view_side(corners, count, x, Vec<Dim>(Vec<Dim>::UnitX()));
    if (view.distance <= kOn * view.length) return true;
    for (std::size_t k = count; k < side.size(); ++k)
      if (side[k] >= 0 && (own.place(snapshot.systems[system], side[k]) - x).norm() <= kOn * view.length)
        return true;
  }
  return false;
}

template <int Dim>
int find_surface(const Snapshot<Dim>& snapshot, std::size_t system, const Vec<Dim>& x,
                 const Vec<Dim>& outward) {
  constexpr double kNear = 0.1, kSame = 1e-3;
  const SnapshotMesh<Dim>& own = snapshot.meshes[system];
  SideView best{std::numeric_limits<double>::infinity(), 0, 0};
  int found = -1;
  for (std::size_t s = 0; s < own.mesh->surfaces.size(); ++s)
    for (const auto& side : own.mesh->surfaces[s].sides) {
      std::array<Vec<Dim>, Dim == 2 ? 2 : 4> corners;
      const int count = SystemMesh<Dim>::corner_count_of(side);
      for (int k = 0; k < count; ++k) corners[k] = own.place(snapshot.systems[system], side[k]);
      const SideView view = view_side(corners, count, x, outward);
      const double same = kSame * view.length;
      if (view.distance > kNear * view.length || view.distance > best.distance + same) continue;
      if (view.distance > best.distance - same && view.facing <= best.facing) continue;
      best = view;
      found = static_cast<int>(s);
    }
  return found;
}

template std::size_t find_solid<2>(const MeasureContext<2>&, const std::string&);
template std::size_t find_solid<3>(const MeasureContext<3>&, const std::string&);
template MeshPlace<2> find_in_mesh<2>(const SystemMesh<2>&, const Vec<2>&, const std::string&);
template MeshPlace<3> find_in_mesh<3>(const SystemMesh<3>&, const Vec<3>&, const std::string&);
template Vec<2> centre_of<2>(const SnapshotMesh<2>&, const SnapshotSystem&);
template Vec<3> centre_of<3>(const SnapshotMesh<3>&, const SnapshotSystem&);
template Mat<2> mean_stress<2>(const SnapshotMesh<2>&, const std::vector<double>&);
template Mat<3> mean_stress<3>(const SnapshotMesh<3>&, const std::vector<double>&);
template Kinematics require_kinematics<2>(const SystemMesh<2>&, const std::string&);
template Kinematics require_kinematics<3>(const SystemMesh<3>&, const std::string&);
template double thickness_ratio<2>(const SnapshotMesh<2>&, std::size_t);
template double thickness_ratio<3>(const SnapshotMesh<3>&, std::size_t);
template std::vector<double> cell_volumes<2>(const Snapshot<2>&, std::size_t);
template std::vector<double> cell_volumes<3>(const Snapshot<3>&, std::size_t);
template bool lies_on<2>(const Snapshot<2>&, std::size_t, std::size_t, const Vec<2>&);
template bool lies_on<3>(const Snapshot<3>&, std::size_t, std::size_t, const Vec<3>&);
template Mat<2> tensor_at<2>(const std::vector<double>&, std::size_t);
template Mat<3> tensor_at<3>(const std::vector<double>&, std::size_t);
template int find_surface<2>(const Snapshot<2>&, std::size_t, const Vec<2>&, const Vec<2>&);
template int find_surface<3>(const Snapshot<3>&, std::size_t, const Vec<3>&, const Vec<3>&);

}  // namespace saltus
