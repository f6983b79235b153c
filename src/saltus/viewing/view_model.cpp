// The pack `model`: what stays the same from frame to frame. docs/viewer-format.md lists it.
#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "saltus/drawing/element_sides.hpp"
#include "saltus/drawing/mesh_skin.hpp"
#include "saltus/drawing/plot_units.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/trajectories/trajectory_shapes.hpp"
#include "saltus/viewing/scene_friction.hpp"
#include "saltus/viewing/trajectory_view.hpp"

namespace saltus {

namespace {

enum BodyFlag : std::uint8_t { kHeld = 1, kEndless = 2, kFollows = 4 };

Vec<3> view_point(const Vec<2>& x) { return {x.x(), x.y(), 0}; }
Vec<3> view_point(const Vec<3>& x) { return x; }

template <class Vector>
nlohmann::json to_json(const Vector& v) {
  return std::vector<double>(v.data(), v.data() + v.size());
}

}  // namespace

template <int Dim>
void TrajectoryView<Dim>::add_shapes(ViewShapes& shapes, std::vector<std::int32_t>& shape_of_row) const {
  const std::string& path = reader_.file().path();
  const double extent = 0.75 * std::max((high_ - low_).norm(), 1e-9);
  std::map<std::int64_t, int> known;  // rows of bounded shapes; endless ones are cut for each body
  for (std::size_t i = 0; i < models_.body_id.size(); ++i) {
    const std::int64_t number = models_.body_shape[i];
    if (const auto found = known.find(number); found != known.end()) {
      shape_of_row.push_back(found->second);
      continue;
    }
    const Shape<Dim> shape = decode_shape<Dim>(shape_at(models_, number, path), path);
    if (!is_unbounded<Dim>(shape)) {
      shape_of_row.push_back(known[number] = shapes.add<Dim>(shape, extent, Vec<3>::Zero()));
      continue;
    }
    const auto place = places_.find(models_.body_id[i]);
    const Vec<Dim> middle = place == places_.end() ? origin_ : place->second.to_local(origin_);
    shape_of_row.push_back(shapes.add<Dim>(shape, extent, view_point(middle)));
  }
}

template <int Dim>
void TrajectoryView<Dim>::add_bodies(std::vector<ViewArray>& arrays) const {
  const std::size_t count = models_.body_id.size();
  std::vector<std::int32_t> id, material, of_system;
  std::vector<std::uint8_t> flags;
  std::vector<float> mass;
  const std::string& path = reader_.file().path();
  std::map<std::int64_t, bool> endless;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t number = models_.body_shape[i];
    if (!endless.count(number))
      endless[number] = is_unbounded<Dim>(decode_shape<Dim>(shape_at(models_, number, path), path));
    const std::int64_t system = models_.body_system.empty() ? -1 : models_.body_system[i];
    const bool follows = system >= 0 &&
                         system < static_cast<std::int64_t>(models_.system_element_count.size()) &&
                         models_.system_element_count[static_cast<std::size_t>(system)] > 0;
    // A body at a point of a system without a mesh moves as that does, and is held by no one.
    const bool point_of_system = system >= 0 && !follows;
    const bool held =
        !point_of_system &&
        (models_.body_fixed[i] != 0 || (!models_.body_prescribed.empty() && models_.body_prescribed[i] != 0));
    id.push_back(static_cast<std::int32_t>(models_.body_id[i]));
    // What its shape would weigh is none of the masses of the system.
    mass.push_back(point_of_system ? std::numeric_limits<float>::quiet_NaN()
                                   : static_cast<float>(models_.body_mass[i]));
    material.push_back(models_.body_material.empty() ? -1
                                                     : static_cast<std::int32_t>(models_.body_material[i]));
    of_system.push_back(follows ? static_cast<std::int32_t>(system) : -1);
    flags.push_back(static_cast<std::uint8_t>((held ? kHeld : 0) | (endless[number] ? kEndless : 0) |
                                              (follows ? kFollows : 0)));
  }
  arrays.push_back({"body.id", 1, std::move(id)});
  arrays.push_back({"body.mass", 1, std::move(mass)});
  arrays.push_back({"body.material", 1, std::move(material)});
  arrays.push_back({"body.system", 1, std::move(of_system)});
  arrays.push_back({"body.flags", 1, std::move(flags)});
}

template <int Dim>
void TrajectoryView<Dim>::add_meshes(std::vector<ViewArray>& arrays) const {
  std::vector<float> rest;
  std::vector<std::int32_t> triangles, edges, system_of_node;
  for (std::size_t s = 0; s < models_.system_node_count.size(); ++s) {
    const auto first = static_cast<std::int32_t>(rest.size() / 3);
    const std::int64_t begin = models_.system_node_begin[s], count = models_.system_node_count[s];
    for (std::int64_t node = begin; node < begin + count; ++node) {
      put_place(models_.node.data() + Dim * node, rest);
      system_of_node.push_back(static_cast<std::int32_t>(s));
    }
    std::vector<std::array<int, Dim + 1>> elements(static_cast<std::size_t>(models_.system_element_count[s]));
    const std::int64_t* number = models_.element.data() + (Dim + 1) * models_.system_element_begin[s];
    for (auto& element : elements)
      for (int& node : element) node = static_cast<int>(*number++);
    const ElementSides of_elements(reader_.mesh(s));
    std::set<std::pair<int, int>> sides;
    for (const std::array<int, 3>& t : build_skin(elements))
      for (std::size_t k = 0; k < 3; ++k) {
        triangles.push_back(first + t[k]);
        if (of_elements.contains(t[k], t[(k + 1) % 3]) &&
            sides.insert(std::minmax(t[k], t[(k + 1) % 3])).second)
          edges.push_back(first + t[k]), edges.push_back(first + t[(k + 1) % 3]);
      }
  }
  if (rest.empty()) return;
  arrays.push_back({"node.rest", 3, std::move(rest)});
  arrays.push_back({"node.system", 1, std::move(system_of_node)});
  arrays.push_back({"mesh.triangles", 3, std::move(triangles)});
  arrays.push_back({"mesh.edges", 2, std::move(edges)});
}

template <int Dim>
std::string TrajectoryView<Dim>::describe_fields() const {
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& name : field_names_) {
    const Field field = find_field(name, reader_.header(), node_fields_, reader_.file().path());
    list.push_back({{"name", name},
                    {"unit", field.unit},
                    {"signed", field.is_signed},
                    {"category", field.is_category},
                    {"categories", field.categories},
                    {"nodes_only", field.is_of_nodes}});
  }
  return list.dump();
}

template <int Dim>
std::string TrajectoryView<Dim>::describe_model(const std::vector<ViewShape>& shapes) const {
  const TrajectoryHeader& header = reader_.header();
  nlohmann::json list = nlohmann::json::array(), names = nlohmann::json::array();
  for (const ViewShape& s : shapes) {
    nlohmann::json row = nlohmann::json::object();
    if (s.radius != 0) {
      row["radius"] = s.radius;
    } else {
      row["points"] = nlohmann::json::array({s.point_begin, s.point_count});
      row["triangles"] = nlohmann::json::array({s.triangle_begin, s.triangle_count});
      row["edges"] = nlohmann::json::array({s.edge_begin, s.edge_count});
    }
    list.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < models_.body_scene_index.size(); ++i) {
    const auto index = static_cast<std::size_t>(models_.body_scene_index[i]);
    if (index < header.body_names.size() && !header.body_names[index].empty())
      names.push_back({i, header.body_names[index]});
  }
  nlohmann::json friction = nlohmann::json::array();
  for (const MaterialFriction& pair : read_friction(header.scene_text, header.materials))
    friction.push_back({pair.a, pair.b, pair.coefficient, pair.cohesive});
  return nlohmann::json({{"dimension", Dim},
                         {"name", header.name},
                         {"title", header.title},
                         {"program", header.program},
                         {"h", header.h},
                         {"gravity", header.gravity},
                         {"period", header.period},
                         {"origin", to_json(origin_)},
                         {"low", to_json(Vec<Dim>(low_ - origin_))},
                         {"high", to_json(Vec<Dim>(high_ - origin_))},
                         {"shapes", std::move(list)},
                         {"body_names", std::move(names)},
                         {"materials", header.materials},
                         {"friction", std::move(friction)},
                         {"joints", header.joint_names},
                         {"joint_turns", read_joint_turns(header.scene_text, header.joint_names, Dim)},
                         {"systems", header.system_names},
                         {"fields", nlohmann::json::parse(describe_fields())}})
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <int Dim>
std::string TrajectoryView<Dim>::model() {
  ViewShapes shapes;
  std::vector<std::int32_t> shape_of_row;
  add_shapes(shapes, shape_of_row);
  std::vector<ViewArray> arrays;
  arrays.push_back({"body.shape", 1, std::move(shape_of_row)});
  add_bodies(arrays);
  add_meshes(arrays);
  arrays.push_back({"shape.points", 3, shapes.points()});
  arrays.push_back({"shape.triangles", 3, shapes.triangles()});
  arrays.push_back({"shape.edges", 2, shapes.edges()});
  return pack_view(describe_model(shapes.shapes()), arrays);
}

template class TrajectoryView<2>;
template class TrajectoryView<3>;

}  // namespace saltus
