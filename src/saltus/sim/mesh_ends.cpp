#include "saltus/sim/mesh_ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <unordered_map>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/mesh_nodes.hpp"
#include "saltus/fem/mesh_surface.hpp"
#include "saltus/fem/side_point.hpp"
#include "saltus/fem/tied_means.hpp"
#include "saltus/sim/deformable_parts.hpp"

namespace saltus {

namespace {

// What people round in coordinates, of the smallest extent of a body.
constexpr double kNear = 1e-4;

template <int Dim>
std::string show(const Vec<Dim>& x) {
  return fmt::format("({:.6g})", fmt::join(x.data(), x.data() + Dim, ", "));
}

// Distance of a place from a shape, m; 0 inside. Infinity: farther than `farthest`.
template <int Dim>
double distance_to(const SceneBody<Dim>& body, const Vec<Dim>& place, double least, double farthest) {
  for (double reach = least; reach <= 10 * farthest; reach *= 10) {
    Detector<Dim> detector;
    detector.add(body.shape);
    detector.add(Ball<Dim>{0.01 * least});
    const std::vector<Pose<Dim>> poses = {body.pose, Pose<Dim>(place)};
    double gap = std::numeric_limits<double>::infinity();
    for (const ContactPoint<Dim>& c : detector.update(poses, {}, reach)) gap = std::min(gap, c.gap);
    if (std::isfinite(gap)) return std::max(0.0, gap);
  }
  return std::numeric_limits<double>::infinity();
}

template <int Dim>
class MeshEnds {
 public:
  MeshEnds(SimulationModel<Dim>& model, const CoupledState<Dim>& state)
      : model_(model), scene_(model.scene), state_(state), solids_(deformables(model.scene)) {
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
      if (const SceneBody<Dim>& body = scene_.bodies[i]; body.part == SurfacePart::none && !body.name.empty())
        bodies_.try_emplace(body.name, static_cast<int>(i));
  }

  void add() {
    model_.parts.joint_ends.assign(scene_.joints.size(), {-1, -1});
    for (std::size_t i = 0; i < scene_.joints.size(); ++i)
      add_joint(scene_.joints[i], model_.parts.joint_ends[i]);
    for (std::size_t i = 0; i < scene_.ties.size(); ++i) add_tie(scene_.ties[i], static_cast<int>(i));
  }

 private:
  using Nodes = std::vector<int>;

  int system_of(int solid) const { return static_cast<int>(scene_.systems.size()) + solid; }
  const SolidMesh<Dim>& mesh_of(int solid) const { return *solids_[solid].mesh; }
  const Eigen::VectorXd& q_of(int solid) const { return state_.systems[system_of(solid)]->coordinates(); }
  Vec<Dim> place_of(int solid, const SurfacePoint& point) const {
    Vec<Dim> place = Vec<Dim>::Zero();
    for (std::size_t k = 0; k < point.nodes.size(); ++k)
      place += point.weights[k] * (mesh_of(solid).nodes[point.nodes[k]] +
                                   q_of(solid).template segment<Dim>(Dim * point.nodes[k]));
    return place;
  }
  Vec<Dim> place_of(int solid, int node) const { return place_of(solid, SurfacePoint{{node}, {1.0}}); }

  // A rigid body goes before: -1 where there is one of this name, or none at all.
  int find_solid(const std::string& name) const {
    if (name.empty() || find_body(name) >= 0) return -1;
    for (std::size_t i = 0; i < solids_.size(); ++i)
      if (solids_[i].name == name) return static_cast<int>(i);
    return -1;
  }
  int find_body(const std::string& name) const {
    const auto found = bodies_.find(name);
    return found == bodies_.end() ? -1 : found->second;
  }

  // The follower of a point, made once for a node.
  int add_end(int solid, const SurfacePoint& point, const std::string& name) {
    return add_surface_point<Dim>(solids_[solid], point, name, q_of(solid), system_of(solid), scene_,
                                  model_.parts.followers);
  }
  int node_end(int solid, int node) {
    const auto [at, is_new] = node_ends_.try_emplace({solid, node}, -1);
    if (is_new)
      at->second = add_end(solid, {{node}, {1.0}}, fmt::format("{} node {}", solids_[solid].name, node));
    return at->second;
  }

  // The surface of a body about these nodes: points and facets that have a share of one.
  Nodes followers_at(int solid, const Nodes& nodes) const {
    Nodes found;
    for (std::size_t i = 0; i < model_.parts.followers.size(); ++i) {
      const FollowerModel<Dim>& follower = model_.parts.followers[i];
      if (follower.system != system_of(solid) || !follower.is_on_surface()) continue;
      for (std::size_t k = 0; k < follower.dofs.size(); k += Dim)
        if (std::binary_search(nodes.begin(), nodes.end(), follower.dofs[k] / Dim)) {
          found.push_back(static_cast<int>(i));
          break;
        }
    }
    return found;
  }
  void keep_apart(int a, int b) { model_.parts.neighbours.emplace_back(a, b); }
  int body_of(int follower) const { return model_.parts.followers[follower].body; }

  // Nodes of joints.

  // A group of one node, else a number.
  int find_named_node(int solid, const std::string& wanted, const SceneJoint<Dim>& joint) const {
    const SolidMesh<Dim>& mesh = mesh_of(solid);
    for (const auto& group : mesh.node_groups)
      if (group.name == wanted) {
        if (group.nodes.size() == 1) return group.nodes[0];
        throw InputError(joint.where, "a joint at a group of nodes",
                         fmt::format("\"{}\", of {} nodes", wanted, group.nodes.size()),
                         "a group of one node; [[ties]] hold many");
      }
    int node = -1;
    const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), node);
    if (error == std::errc() && end == wanted.data() + wanted.size() && node >= 0 &&
        node < static_cast<int>(mesh.nodes.size()))
      return node;
    throw InputError(joint.where, fmt::format("a joint at a node of \"{}\"", solids_[solid].name), wanted,
                     fmt::format("a group of one node, or a number from 0 to {}", mesh.nodes.size() - 1));
  }

  int find_node_at(int solid, const Vec<Dim>& point, const SceneJoint<Dim>& joint) const {
    if (joint.local)
      throw InputError(joint.where, "points_local of a joint at a deformable body", solids_[solid].name,
                       "nodes = [...], which names its node, with 0 for the point; or point, points");
    int best = 0;
    double distance = std::numeric_limits<double>::infinity();
    for (int node = 0; node < static_cast<int>(mesh_of(solid).nodes.size()); ++node)
      if (const double own = (place_of(solid, node) - point).norm(); own < distance)
        best = node, distance = own;
    if (distance <= kNear * smallest_extent(mesh_of(solid))) return best;
    throw InputError(
        joint.where,
        fmt::format("no node of \"{}\" at the point of a joint: the nearest is", solids_[solid].name),
        fmt::format("{:.6g} m away", distance),
        fmt::format("the place of a node, as {} of node {}", show<Dim>(place_of(solid, best)), best));
  }

  void add_joint(const SceneJoint<Dim>& joint, std::array<int, 2>& ends) {
    if (joint.kind == JointKind::gear) return;
    const std::string* names[2] = {&joint.a, &joint.b};
    int solid[2], node[2] = {-1, -1};
    for (const int e : {0, 1}) {
      solid[e] = find_solid(*names[e]);
      if (solid[e] < 0 && !joint.nodes[e].empty())
        throw InputError(joint.where, "nodes of a joint at what is no deformable body",
                         names[e]->empty() ? "the world" : *names[e], "an empty text there");
      if (solid[e] < 0) continue;
      node[e] = joint.nodes[e].empty() ? find_node_at(solid[e], joint.points[e], joint)
                                       : find_named_node(solid[e], joint.nodes[e], joint);
      ends[e] = node_end(solid[e], node[e]);
    }
    if (joint.collide || joint.a.empty()) return;
    for (const int e : {0, 1}) {
      if (solid[e] < 0) continue;
      const int other = solid[1 - e] < 0 ? find_body(*names[1 - e]) : -1;
      for (const int follower : followers_at(solid[e], {node[e]})) {
        if (other >= 0) keep_apart(body_of(follower), other);
        if (solid[1 - e] >= 0)
          for (const int own : followers_at(solid[1 - e], {node[1 - e]}))
            keep_apart(body_of(follower), body_of(own));
      }
    }
  }

  // Ties.

  void add_tie(const SceneTie& tie, int index) {
    const int solid = find_solid(tie.bodies[0]);
    if (solid < 0) fail_body(tie, 0, "a deformable body, whose nodes are held");
    const int other = find_solid(tie.bodies[1]);
    if (other == solid) throw InputError(tie.where, "a tie of a body to itself", tie.bodies[0], "two bodies");
    const Nodes nodes = compute_group_nodes(mesh_of(solid), tie.on[0], tie.where);
    const double near = tie.tolerance.value_or(kNear * smallest_extent(mesh_of(solid)));
    if (other >= 0)
      tie_to_sides(tie, index, solid, nodes, other, near);
    else
      tie_to_body(tie, index, solid, nodes, near);
  }

  [[noreturn]] void fail_body(const SceneTie& tie, int which, const char* wanted) const {
    std::string names;
    for (const SceneDeformable<Dim>& own : solids_)
      if (!own.name.empty()) names += (names.empty() ? "" : ", ") + own.name;
    throw InputError(
        tie.where, fmt::format("the {} body of a tie", which == 0 ? "first" : "second"), tie.bodies[which],
        fmt::format("{}; deformable are {}", wanted, names.empty() ? "none that has a name" : names));
  }

  [[noreturn]] void fail_far(const SceneTie& tie, int solid, int node, double distance, double near) const {
    throw InputError(tie.where,
                     fmt::format("node {} of \"{}\" at {} has nothing near to be tied to", node,
                                 solids_[solid].name, show<Dim>(mesh_of(solid).nodes[node])),
                     std::isfinite(distance) ? fmt::format("\"{}\" is {:.6g} m away", tie.bodies[1], distance)
                                             : fmt::format("\"{}\" is nowhere near", tie.bodies[1]),
                     fmt::format("{:.3g} m at most, or another tolerance", near));
  }

  SceneJoint<Dim> joint_of(const SceneTie& tie, int index, int node) const {
    SceneJoint<Dim> joint;
    joint.name = fmt::format("{} node {}", tie.name.empty() ? fmt::format("tie {}", index) : tie.name, node);
    joint.where = tie.where;
    joint.kind = Dim == 2 ? JointKind::revolute : JointKind::spherical;
    joint.a = tie.bodies[1];
    joint.b = tie.bodies[0];
    joint.may_be_off = true;
    joint.stabilisation_time = scene_.scheme.h;
    joint.tie = index;
    return joint;
  }
  void add_tied(SceneJoint<Dim>&& joint, int a, int b) {
    scene_.joints.push_back(std::move(joint));
    model_.parts.joint_ends.push_back({a, b});
  }

  void tie_to_body(const SceneTie& tie, int index, int solid, const Nodes& nodes, double near) {
    const int id = find_body(tie.bodies[1]);
    if (id < 0) fail_body(tie, 1, "the name of a body");
    if (!tie.on[1].empty())
      throw InputError(tie.where, "a side of a rigid body in a tie", tie.on[1],
                       "on = [\"...\"], of the deformable body alone");
    const SceneBody<Dim> body = scene_.bodies[id];  // what is added may move it
    if (body.added_at > scene_.start_time)
      throw InputError(tie.where, "a tie to a body that appears later", tie.bodies[1],
                       "one that is there from the start");
    const double size = compute_extent(mesh_of(solid));
    for (const int node : nodes) {
      const Vec<Dim> place = place_of(solid, node);
      if (const double distance = distance_to<Dim>(body, place, near, 1e3 * size); distance > near)
        fail_far(tie, solid, node, distance, near);
      SceneJoint<Dim> joint = joint_of(tie, index, node);
      joint.points[0] = joint.points[1] = place;
      add_tied(std::move(joint), id, node_end(solid, node));
    }
    for (const int follower : followers_at(solid, nodes)) keep_apart(body_of(follower), id);
  }

  // Sides in the mean, nodes of a group each to its point. Where both are without deformation.
  void tie_to_sides(const SceneTie& tie, int index, int solid, const Nodes& nodes, int other, double near) {
    if (tie.on[1].empty())
      throw InputError(tie.where, "a tie to a deformable body needs the name of its sides", tie.bodies[1],
                       "on = [\"...\", \"...\"]");
    const std::vector<MeshSide>& sides = find_sides(mesh_of(other), tie.on[1], tie.where);
    std::map<int, TiedMeans> means;
    for (TiedMeans& own :
         compute_tied_means<Dim>(mesh_of(solid), sides_of(solid, tie.on[0]), mesh_of(other), sides, near))
      means.try_emplace(own.node, std::move(own));
    for (const int node : nodes) {
      const SidePoint<Dim> nearest = find_nearest<Dim>(mesh_of(other), sides, mesh_of(solid).nodes[node]);
      if (nearest.distance > near) fail_far(tie, solid, node, nearest.distance, near);
      const auto mean = means.find(node);
      if (mean == means.end())
        hold(joint_of(tie, index, node), other, nearest.shares, solid, {{node}, {1.0}});
      else
        hold(joint_of(tie, index, node), other, mean->second.other, solid, mean->second.own);
    }
    keep_sides_apart(followers_at(solid, nodes),
                     followers_at(other, compute_side_nodes(mesh_of(other), sides)));
  }

  // Of a group of sides; none where nodes are told.
  std::span<const MeshSide> sides_of(int solid, const std::string& name) const {
    const auto is_of_name = [&](const auto& group) { return group.name == name; };
    const SolidMesh<Dim>& mesh = mesh_of(solid);
    if (std::any_of(mesh.node_groups.begin(), mesh.node_groups.end(), is_of_name)) return {};
    const auto found = std::find_if(mesh.side_groups.begin(), mesh.side_groups.end(), is_of_name);
    return found == mesh.side_groups.end() ? std::span<const MeshSide>() : found->sides;
  }

  void hold(SceneJoint<Dim>&& joint, int solid_a, const SurfacePoint& a, int solid_b, const SurfacePoint& b) {
    const auto unmoved = [&](int solid, const SurfacePoint& point) {
      Vec<Dim> place = Vec<Dim>::Zero();
      for (std::size_t k = 0; k < point.nodes.size(); ++k)
        place += point.weights[k] * mesh_of(solid).nodes[point.nodes[k]];
      return place;
    };
    joint.points[0] = place_of(solid_a, a);
    joint.points[1] = place_of(solid_b, b);
    joint.left_alone = (unmoved(solid_a, a) - unmoved(solid_b, b)).norm();
    const int end_a = add_end(solid_a, a, joint.name);
    const int end_b = b.nodes.size() == 1 ? node_end(solid_b, b.nodes[0]) : add_end(solid_b, b, joint.name);
    add_tied(std::move(joint), end_a, end_b);
  }

  // Of points and facets, and in space of facets (their edges), those that are near each other without deformation.
  void keep_sides_apart(const Nodes& some, const Nodes& others) {
    constexpr double kReach = 1.5;
    const auto middle_of = [](const FollowerModel<Dim>& follower) {
      Vec<Dim> middle = Vec<Dim>::Zero();
      for (const Vec<Dim>& x : follower.corners) middle += x / static_cast<double>(follower.corners.size());
      return middle;
    };
    const auto size_of = [&](const FollowerModel<Dim>& follower) {
      const Vec<Dim> middle = middle_of(follower);
      double size = 0;
      for (const Vec<Dim>& x : follower.corners) size = std::max(size, (x - middle).norm());
      return size;
    };
    for (const int a : some)
      for (const int b : others) {
        const FollowerModel<Dim>&one = model_.parts.followers[a], &two = model_.parts.followers[b];
        if (one.is_facet() == two.is_facet() && (Dim == 2 || !one.is_facet())) continue;
        const double size = std::max(size_of(one), size_of(two));
        if ((middle_of(one) - middle_of(two)).norm() <= kReach * size) keep_apart(one.body, two.body);
      }
  }

  SimulationModel<Dim>& model_;
  Scene<Dim>& scene_;
  const CoupledState<Dim>& state_;
  std::vector<SceneDeformable<Dim>> solids_;
  std::unordered_map<std::string, int> bodies_;  // by name
  std::map<std::pair<int, int>, int> node_ends_;
};

}  // namespace

template <int Dim>
void forget_ties(Scene<Dim>& scene) {
  std::erase_if(scene.joints, [](const SceneJoint<Dim>& joint) { return joint.tie >= 0; });
}

template <int Dim>
void add_mesh_ends(SimulationModel<Dim>& model, const CoupledState<Dim>& state) {
  const Scene<Dim>& scene = model.scene;
  const bool has_nodes = std::any_of(
      scene.joints.begin(), scene.joints.end(),
      [](const SceneJoint<Dim>& joint) { return !joint.nodes[0].empty() || !joint.nodes[1].empty(); });
  const bool has_meshes = !state.solids.empty() && !scene.joints.empty();
  if (has_meshes || has_nodes || !scene.ties.empty()) MeshEnds<Dim>(model, state).add();
}

template void forget_ties<2>(Scene<2>&);
template void forget_ties<3>(Scene<3>&);
template void add_mesh_ends<2>(SimulationModel<2>&, const CoupledState<2>&);
template void add_mesh_ends<3>(SimulationModel<3>&, const CoupledState<3>&);

}  // namespace saltus
