#include "saltus/sim/held_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "saltus/base/disjoint_sets.hpp"
#include "saltus/joints/joint_coordinates.hpp"
#include "saltus/sim/system_gaps.hpp"

namespace saltus {

namespace {

// Of the length of a row, after what others imply of it is taken away: below it is implied by them. Joints are given with
// coordinates of six digits and more.
constexpr double kImplied = 1e-6;
// A system of more degrees of freedom is a mesh.
constexpr int kMostCoordinates = 100;

template <int Dim>
class Gatherer {
 public:
  using Engine = typename Simulation<Dim>::Engine;

  Gatherer(Engine& engine, const HeldPlaces<Dim>& places) : engine_(engine), places_(places) {}

  std::vector<HeldRow> gather() {
    for (int i = 0; i < joints().count(); ++i) add_held(i);
    add_constraints();
    for (int i = 0; i < joints().count(); ++i) add_motors(i);
    return std::move(rows_);
  }

 private:
  const JointSet<Dim>& joints() const { return engine_.state.parts.joints; }

  HeldRow start_row(int joint) const {
    const SceneJoint<Dim>& from = engine_.model.scene.joints[joint];
    HeldRow row;
    row.joint = joint;
    row.label = from.name.empty() ? fmt::format("joint {}", joint) : fmt::format("joint \"{}\"", from.name);
    row.where = from.where;
    return row;
  }

  bool place(const FramePair<Dim>& pair, PlacedFrames<Dim>& frames) const {
    return place_pair<Dim>(pair, engine_.work.parts.slot_of, places_.poses, frames);
  }

  // The part of a body: of what moves by its system, the part of that; of what is driven, what it takes from `asked`. False: it is
  // a point of a mesh.
  bool add_end(BodyId id, const BodyRow<Dim>& jacobian, HeldRow& row) const {
    if (id < 0) return true;
    const int slot = engine_.work.parts.slot_of[id], follower = follower_of(id);
    if (follower >= 0) {
      const FollowerModel<Dim>& of = engine_.model.parts.followers[follower];
      const System& system = *engine_.state.parts.systems[of.system];
      if (system.degrees_of_freedom() > kMostCoordinates) return false;
      const FollowerPlace<Dim> at =
          place_follower<Dim>(of, places_.coordinates[of.system], system.velocity(), 0);
      Eigen::VectorXd gradient = Eigen::VectorXd::Zero(system.degrees_of_freedom());
      const Eigen::VectorXd part = at.placement.transpose() * jacobian;
      for (std::size_t i = 0; i < of.dofs.size(); ++i)
        gradient[of.dofs[i]] += part[static_cast<Eigen::Index>(i)];
      add(engine_.system_node(of.system), gradient, row);
      return true;
    }
    const BodyModel<Dim>& body = engine_.state.bodies.model[slot];
    Eigen::VectorXd gradient = jacobian;
    for (int i = 0; i < kDofs<Dim>; ++i)
      if (!body.drive[i].is_free()) {
        gradient[i] = 0;
        take_drive(id, body.drive[i], jacobian[i], row);
      }
    add(slot, gradient, row);
    return true;
  }

  int follower_of(BodyId id) const {
    return engine_.model.parts.followers.empty() ? -1 : engine_.model.parts.follower_of[id];
  }

  static void add(int node, const Eigen::VectorXd& gradient, HeldRow& row) {
    for (auto& [other, sum] : row.ends)
      if (other == node) {
        sum += gradient;
        return;
      }
    row.ends.emplace_back(node, gradient);
  }

  void take_drive(BodyId id, const Drive& drive, double factor, HeldRow& row) const {
    const bool turns = drive.kind == Drive::Kind::position;
    if (factor == 0 || (drive.kind != Drive::Kind::velocity && !turns)) return;
    row.drives.push_back("the drive of body " + engine_.model.label(id));
    row.asked = [before = row.asked, function = drive.function, factor, turns](double t) {
      return (before ? before(t) : 0.0) - factor * (turns ? function.slope_before(t) : function.at(t));
    };
  }

  void add_held(int index) {
    const Joint<Dim>& joint = joints().joint(index);
    PlacedFrames<Dim> frames;
    for (const auto* held : {&joint.held_points, &joint.held_turns})
      for (const Coordinate coordinate : *held) {
        if (!place(joint.pair, frames)) continue;
        const CoordinateRow<Dim> at = evaluate<Dim>(coordinate, frames);
        HeldRow row = start_row(index);
        if (add_end(joint.pair.a, at.a, row) && add_end(joint.pair.b, at.b, row))
          rows_.push_back(std::move(row));
      }
    if (joint.combined.empty() || joint.slack) return;
    HeldRow row = start_row(index);
    for (const CombinedTerm<Dim>& term : joint.combined) {
      if (!place(term.pair, frames)) return;
      const CoordinateRow<Dim> at = evaluate<Dim>(term.coordinate, frames, term.start);
      if (!add_end(term.pair.a, term.factor * at.a, row) || !add_end(term.pair.b, term.factor * at.b, row))
        return;
    }
    rows_.push_back(std::move(row));
  }

  // Constraints are of systems given by formulas, which come after these.
  const std::string& system_name(int system) const {
    const Scene<Dim>& scene = engine_.model.scene;
    const std::size_t others = scene.systems.size() + scene.elastic.size() + scene.deformable.size();
    return scene.lagrangian[static_cast<std::size_t>(system) - others].name;
  }

  void add_constraints() {
    for (const SystemGap& gap : engine_.model.parts.gaps) {
      if (!gap.is_constraint) continue;
      HeldRow row;
      row.label = describe_gap(gap);
      if (const std::string& name = system_name(gap.system); !name.empty())
        row.label += " of system \"" + name + '"';
      row.where = gap.where;
      const Eigen::VectorXd& q = places_.coordinates[gap.system];
      Eigen::MatrixXd jacobian;
      evaluate_rows(gap, q, engine_.model.scene.start_time, jacobian);
      Eigen::VectorXd gradient = Eigen::VectorXd::Zero(q.size());
      for (std::size_t i = 0; i < gap.dofs.size(); ++i)
        gradient[gap.dofs[i]] = jacobian(static_cast<Eigen::Index>(i), 0);
      row.ends.emplace_back(engine_.system_node(gap.system), gradient);
      row.asked = [&gap, q](double t) {
        Eigen::MatrixXd unused;
        return -evaluate_rows(gap, q, t, unused).rate[0];
      };
      rows_.push_back(std::move(row));
    }
  }

  void add_motors(int index) {
    const Joint<Dim>& joint = joints().joint(index);
    const std::vector<std::string> names = direction_names<Dim>(engine_.model.scene.joints[index].kind);
    for (std::size_t d = 0; d < joint.free.size(); ++d) {
      const std::optional<JointMotor>& motor = joint.free[d].motor;
      if (!motor || motor->limit || motor->kind == JointMotor::Kind::force) continue;
      PlacedFrames<Dim> frames;
      if (!place(joint.pair, frames)) continue;
      const JointRows<Dim> at = build_rows<Dim>(joint.free[d], frames, joint.free[d].start);
      for (int i = 0; i < at.count; ++i) {
        HeldRow row = start_row(index);
        row.label = fmt::format("the motor along {} of {}", names[d], row.label);
        row.is_motor = true;
        row.asked = [free = joint.free[d], i](double t) { return compute_motor_rates(free, t)[i]; };
        if (add_end(joint.pair.a, at.a.col(i), row) && add_end(joint.pair.b, at.b.col(i), row))
          rows_.push_back(std::move(row));
      }
    }
  }

  Engine& engine_;
  const HeldPlaces<Dim>& places_;
  std::vector<HeldRow> rows_;
};

}  // namespace

template <int Dim>
std::vector<HeldRow> build_held_rows(typename Simulation<Dim>::Engine& engine,
                                     const HeldPlaces<Dim>& places) {
  return Gatherer<Dim>(engine, places).gather();
}

template <int Dim>
std::vector<Mechanism> find_mechanisms(const typename Simulation<Dim>::Engine& engine,
                                       const std::vector<HeldRow>& rows) {
  const BodySet<Dim>& bodies = engine.state.bodies;
  const int slots = bodies.slots();
  const auto moves = [&](int node) { return node >= slots || bodies.is_moving(node); };
  DisjointSets sets;
  sets.reset(slots + static_cast<int>(engine.state.parts.systems.size()));
  for (const HeldRow& row : rows)
    for (const auto& [node, gradient] : row.ends)
      for (const auto& [other, unused] : row.ends)
        if (moves(node) && moves(other)) sets.join(node, other);
  struct Made {
    Mechanism mechanism;
    std::map<int, Eigen::Index> place;  // of each node, its first velocity
    Eigen::Index size = 0;
  };
  std::map<int, Made> made;
  for (const HeldRow& row : rows) {
    // What prescribed bodies alone take part in is a mechanism of its own.
    int root = -1;
    for (const auto& [node, gradient] : row.ends)
      if (moves(node)) root = sets.find(node);
    Made& own = made[root];
    own.mechanism.rows.push_back(&row);
    for (const auto& [node, gradient] : row.ends)
      if (moves(node) && own.place.emplace(node, own.size).second) {
        own.size += gradient.size();
        ++(node < slots ? own.mechanism.bodies : own.mechanism.systems);
      }
  }
  std::vector<Mechanism> result;
  for (auto& [root, own] : made) {
    if (own.mechanism.rows.size() <= kMostHeldRows)
      for (const HeldRow* row : own.mechanism.rows) {
        Eigen::VectorXd vector = Eigen::VectorXd::Zero(own.size);
        for (const auto& [node, gradient] : row->ends) {
          if (!moves(node)) continue;
          auto part = vector.segment(own.place.at(node), gradient.size());
          part = gradient;
          if (node >= slots) continue;
          const BodyModel<Dim>& model = bodies.model[node];
          part.head(Dim) /= std::sqrt(model.mass);
          part.tail(kSpins<Dim>) /= std::sqrt(model.inertia.trace() / kSpins<Dim>);
        }
        own.mechanism.vectors.push_back(std::move(vector));
      }
    result.push_back(std::move(own.mechanism));
  }
  return result;
}

// By orthogonal vectors, each with its factors of the rows.
std::vector<Dependency> find_dependencies(const std::vector<Eigen::VectorXd>& rows) {
  const Eigen::Index count = static_cast<Eigen::Index>(rows.size());
  std::vector<Eigen::VectorXd> basis, factors;
  std::vector<Dependency> result;
  for (Eigen::Index i = 0; i < count; ++i) {
    Eigen::VectorXd v = rows[i], factor = Eigen::VectorXd::Unit(count, i);
    const double length = v.norm();
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t b = 0; b < basis.size(); ++b) {
        const double along = basis[b].dot(v);
        v -= along * basis[b];
        factor -= along * factors[b];
      }
    if (v.norm() > kImplied * length && length > 0) {
      factors.push_back(factor / v.norm());
      basis.push_back(v.normalized());
    } else {
      result.push_back({static_cast<int>(i), std::move(factor)});
    }
  }
  return result;
}

template std::vector<HeldRow> build_held_rows<2>(Simulation<2>::Engine&, const HeldPlaces<2>&);
template std::vector<HeldRow> build_held_rows<3>(Simulation<3>::Engine&, const HeldPlaces<3>&);
template std::vector<Mechanism> find_mechanisms<2>(const Simulation<2>::Engine&, const std::vector<HeldRow>&);
template std::vector<Mechanism> find_mechanisms<3>(const Simulation<3>::Engine&, const std::vector<HeldRow>&);

}  // namespace saltus
