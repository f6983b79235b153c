#include "saltus/sim/scene_beam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/beams.hpp"
#include "saltus/systems/linear_system.hpp"
#include "saltus/systems/mass_redistribution.hpp"

namespace saltus {

namespace {

template <int Dim>
std::vector<BeamSection> gather_sections(const SceneBeam<Dim>& body) {
  const LineMesh<Dim>& mesh = *body.mesh;
  std::vector<const BeamSection*> found(mesh.groups.size(), nullptr);
  const BeamSection* rest = nullptr;
  for (const auto& own : body.sections) {
    if (own.group.empty()) {
      if (rest) throw InputError(own.where, "a second section for all groups", "section", "one, or `group`");
      rest = &own.section;
      continue;
    }
    const auto at = std::find(mesh.groups.begin(), mesh.groups.end(), own.group);
    if (at == mesh.groups.end())
      throw InputError(own.where, "a group that the mesh has not", '"' + own.group + '"',
                       fmt::format("{}", fmt::join(mesh.groups, ", ")));
    const BeamSection*& place = found[at - mesh.groups.begin()];
    if (place) throw InputError(own.where, "a second section for one group", '"' + own.group + '"', "one");
    place = &own.section;
  }
  std::vector<char> is_used(found.size(), 0);
  for (const auto& element : mesh.elements) is_used[element.group] = 1;
  std::vector<BeamSection> sections;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const BeamSection* own = found[i] ? found[i] : rest;
    if (!own && !is_used[i]) own = body.sections.empty() ? nullptr : &body.sections.front().section;
    if (!own)
      throw InputError(body.where, "elements without a section", '"' + mesh.groups[i] + '"',
                       "a section with this group, or one without a group for all");
    sections.push_back(*own);
  }
  return sections;
}

template <int Dim>
void check_numbers(const SceneBeam<Dim>& body) {
  const auto check = [&](double value, const char* what) {
    if (!(value >= 0) || !std::isfinite(value))
      throw InputError(body.where, what, fmt::format("{}", value), "a number, 0 or more");
  };
  check(body.damping_mass, "damping_mass");
  check(body.damping_stiffness, "damping_stiffness");
  if (body.damping_stiffness > 0 && body.large)
    throw InputError(body.where, "damping_stiffness of beams that may turn",
                     fmt::format("{}", body.damping_stiffness), "0: it would brake rotations too");
  const std::size_t size = body.stride() * body.mesh->nodes.size();
  for (const auto* values : {&body.q, &body.v})
    if (!values->empty() && values->size() != size)
      throw InputError(body.where, "coordinates or velocities at the start",
                       fmt::format("{} numbers", values->size()),
                       fmt::format("{}, {} of each node", size, body.stride()));
}

// Nodes move as those of a rigid body do, about the centre of mass.
template <int Dim>
void start_rigidly(const SceneBeam<Dim>& body, const Beams<Dim>& beams, LinearModel& linear) {
  const LineMesh<Dim>& mesh = beams.mesh();
  const int stride = beams.stride();
  Vec<Dim> centre = Vec<Dim>::Zero();
  double whole = 0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const double own = beams.section(static_cast<int>(e)).mass() * beams.element(static_cast<int>(e)).length;
    for (const int node : mesh.elements[e].nodes) centre += 0.5 * own * mesh.nodes[node];
    whole += own;
  }
  centre /= whole;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const Eigen::Index first = stride * static_cast<Eigen::Index>(i);
    linear.v.segment<Dim>(first) = body.velocity + spin_velocity(body.spin, Vec<Dim>(mesh.nodes[i] - centre));
    if (beams.turns()) linear.v.segment<kSpins<Dim>>(first + Dim) = body.spin;
  }
}

template <int Dim>
const char* coordinate_name(int dof) {
  constexpr const char* kPlane[] = {"x", "y", "rz"};
  constexpr const char* kSpace[] = {"x", "y", "z", "rx", "ry", "rz"};
  return Dim == 2 ? kPlane[dof] : kSpace[dof];
}

template <int Dim>
void add_supports(const SceneBeam<Dim>& body, LinearModel& linear) {
  std::set<int> held;
  for (const auto& support : body.supports) {
    if (support.dof < 0 || support.dof >= body.stride())
      throw InputError(support.where, "a rotation of bars or strings that is held",
                       fmt::format("{}", support.dof), "displacements: only beams have rotations");
    for (const int node : find_line_nodes(*body.mesh, support.on, support.where)) {
      const int dof = body.stride() * node + support.dof;
      if (!held.insert(dof).second)
        throw InputError(support.where, "a second support of one coordinate of a node",
                         fmt::format("node {}, {}", node, coordinate_name<Dim>(support.dof)), "one of them");
      if (support.drive.kind == Drive::Kind::locked) linear.v[dof] = 0;
      linear.driven.emplace_back(dof, support.drive);
    }
  }
}

// A uniform load as the forces and, of small beams, the moments at the ends of elements that do its work on Hermite's cubics.
template <int Dim>
void share_line_load(const Beams<Dim>& beams, const typename SceneBeam<Dim>::Load& load, SharedForce& force) {
  Eigen::VectorXd shares = Eigen::VectorXd::Zero(beams.degrees_of_freedom());
  const LineMesh<Dim>& mesh = beams.mesh();
  bool found = false;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (!load.on.empty() && load.on != "all" && mesh.groups[mesh.elements[e].group] != load.on) continue;
    found = true;
    const BeamElement& element = beams.element(static_cast<int>(e));
    const Eigen::Vector3d along = element.axes.col(0);
    const Eigen::Vector3d turn =
        element.length * element.length / 12 * along.cross(Eigen::Vector3d::Unit(load.direction));
    for (int k = 0; k < 2; ++k) {
      const Eigen::Index first = static_cast<Eigen::Index>(beams.stride()) * mesh.elements[e].nodes[k];
      shares[first + load.direction] += element.length / 2;
      if (!beams.turns() || !beams.is_linear()) continue;
      const double sign = k == 0 ? 1 : -1;
      if constexpr (Dim == 2)
        shares[first + 2] += sign * turn[2];
      else
        shares.segment<3>(first + 3) += sign * turn;
    }
  }
  if (!found)
    throw InputError(load.where, "a group of elements that the mesh has not", '"' + load.on + '"',
                     fmt::format("{}", fmt::join(mesh.groups, ", ")));
  for (Eigen::Index i = 0; i < shares.size(); ++i)
    if (shares[i] != 0) force.shares.emplace_back(static_cast<int>(i), shares[i]);
}

template <int Dim>
void add_loads(const SceneBeam<Dim>& body, const Beams<Dim>& beams, LinearModel& linear) {
  using Kind = typename SceneBeam<Dim>::Load::Kind;
  for (const auto& load : body.loads) {
    SharedForce force;
    force.value = load.value;
    if (load.kind == Kind::line) {
      share_line_load<Dim>(beams, load, force);
    } else {
      if (load.kind == Kind::moment && !beams.turns())
        throw InputError(load.where, "a moment on bars or strings", "moment",
                         "a force: only beams have rotations");
      const std::vector<int> nodes = find_line_nodes(*body.mesh, load.on, load.where);
      const double share = load.kind == Kind::moment ? 1.0 : 1.0 / static_cast<double>(nodes.size());
      const int offset = load.kind == Kind::moment ? (Dim == 2 ? 2 : 3 + load.direction) : load.direction;
      for (const int node : nodes) force.shares.emplace_back(body.stride() * node + offset, share);
    }
    linear.shared.push_back(std::move(force));
  }
}

// A linear body has no place for forces where it is at rest.
template <int Dim>
void check_tension(const SceneBeam<Dim>& body, const Beams<Dim>& beams, const LinearModel& linear) {
  if (body.large) return;
  Eigen::VectorXd pull = beams.force_at_rest();
  double most = 0;
  for (const auto& own : body.sections) most = std::max(most, std::abs(own.section.tension));
  for (const auto& [dof, drive] : linear.driven) pull[dof] = 0;
  Eigen::Index worst = 0;
  if (pull.size() > 0 && pull.cwiseAbs().maxCoeff(&worst) > 1e-9 * most)
    throw InputError(body.where, "a tension that nothing balances, under small kinematics",
                     fmt::format("{:.6g} N at node {}", pull[worst], worst / body.stride()),
                     "supports there along the line, or kinematics = \"large\"");
}

}  // namespace

template <int Dim>
std::shared_ptr<Beams<Dim>> build_beams(const SceneBeam<Dim>& body) {
  check_numbers(body);
  return std::make_shared<Beams<Dim>>(*body.mesh, gather_sections(body),
                                      BeamOptions{body.kind, body.large, body.up, body.where});
}

template <int Dim>
LinearModel build_model(const SceneBeam<Dim>& body, Beams<Dim>& beams) {
  LinearModel linear;
  linear.where = body.where;
  const Eigen::Index size = beams.degrees_of_freedom();
  linear.M = beams.mass(body.mass);
  if (body.redistribute) {
    if (beams.turns())
      throw InputError(body.where, "mass of contact nodes given to others, of beams", "redistributed",
                       "bars, strings or [[deformable]]: rotations of beams have no mass to spare");
    std::set<int> nodes;
    for (const std::string& group : body.massless.empty() ? std::vector<std::string>{"all"} : body.massless)
      for (const int node : find_line_nodes(*body.mesh, group, body.where)) nodes.insert(node);
    linear.M = redistribute_mass<Dim>(linear.M, body.mesh->nodes, {nodes.begin(), nodes.end()}, body.where);
  }
  linear.q = linear.v = Eigen::VectorXd::Zero(size);
  if (!beams.evaluate(linear.q, 0, {.tangent = true})) throw InputError(body.where, beams.trouble());
  linear.K = beams.tangent();
  if (body.damping_mass > 0 || body.damping_stiffness > 0)
    linear.C = body.damping_mass * linear.M + body.damping_stiffness * linear.K;
  for (Eigen::Index i = 0; i < size; ++i) {
    const int own = static_cast<int>(i) % beams.stride();
    linear.direction.push_back(own < Dim ? own : -1);
  }
  start_rigidly(body, beams, linear);
  if (!body.q.empty()) linear.q = Eigen::Map<const Eigen::VectorXd>(body.q.data(), size);
  if (!body.v.empty()) linear.v = Eigen::Map<const Eigen::VectorXd>(body.v.data(), size);
  add_supports(body, linear);
  add_loads(body, beams, linear);
  check_tension(body, beams, linear);
  return linear;
}

template std::shared_ptr<Beams<2>> build_beams<2>(const SceneBeam<2>&);
template std::shared_ptr<Beams<3>> build_beams<3>(const SceneBeam<3>&);
template LinearModel build_model<2>(const SceneBeam<2>&, Beams<2>&);
template LinearModel build_model<3>(const SceneBeam<3>&, Beams<3>&);

}  // namespace saltus
