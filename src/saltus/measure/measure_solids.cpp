// Measures of deformable bodies: forces on their surfaces, mean stresses, stress at a point.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/beams.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/measure/solid_parts.hpp"
#include "saltus/sim/no_number.hpp"

namespace saltus {

namespace {

// Calls use(force on the body, contact, 1 or -1: the normal points out of the body or into it) for the contacts of a system.
template <int Dim, class Use>
void for_each_contact_of(const Snapshot<Dim>& snapshot, std::size_t system, Use&& use) {
  for (const SnapshotContact<Dim>& c : snapshot.contacts) {
    const Vec<Dim> on_b = c.axes * c.force;
    if (snapshot.bodies[static_cast<std::size_t>(c.a)].system == static_cast<int>(system))
      use(Vec<Dim>(-on_b), c, 1.0);
    if (snapshot.bodies[static_cast<std::size_t>(c.b)].system == static_cast<int>(system)) use(on_b, c, -1.0);
  }
}

// Calls use(force on the body, where) for the joints and ties that hold a system.
template <int Dim, class Use>
void for_each_joint_of(const Snapshot<Dim>& snapshot, std::size_t system, Use&& use) {
  const auto holds = [&](int body) {
    return body >= 0 && snapshot.bodies[static_cast<std::size_t>(body)].system == static_cast<int>(system);
  };
  const auto place = [&](int body) { return snapshot.bodies[static_cast<std::size_t>(body)].pose.position; };
  for (const SnapshotJoint<Dim>& j : snapshot.joints) {
    if (holds(j.a)) use(Vec<Dim>(-j.force), Vec<Dim>(place(j.a)));
    if (holds(j.b)) use(j.force, Vec<Dim>(place(j.b)));
  }
}

template <class Vector>
void put_vector(const Vector& v, std::vector<double>& row) {
  row.insert(row.end(), v.data(), v.data() + v.size());
}

// Force of contacts, of supports and of joints on a named surface. A contact belongs to the side that it lies on; at an edge between
// sides to the one that faces it.
template <int Dim>
class Reaction final : public Measure<Dim> {
 public:
  explicit Reaction(const MeasureContext<Dim>& context)
      : system_(find_solid<Dim>(context, context.spec.part)) {
    const SystemMesh<Dim>& mesh = *context.first.meshes[system_].mesh;
    std::vector<std::string> names;
    for (const auto& surface : mesh.surfaces) names.push_back(surface.name);
    if (!context.spec.body.empty())
      surface_ = static_cast<int>(
          find_named(context.spec.body, names, "surface of a deformable body", context.spec.where));
    held_.assign(mesh.nodes.size(), surface_ < 0);
    if (surface_ >= 0)
      for (const auto& side : mesh.surfaces[static_cast<std::size_t>(surface_)].sides)
        for (const int node : side)
          if (node >= 0) held_[static_cast<std::size_t>(node)] = true;
  }
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts = vector_parts<Dim>("force_");
    for (const char* of : {"contact_", "support_", "joint_"})
      for (const std::string& part : vector_parts<Dim>(of)) parts.push_back(part);
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    Vec<Dim> contact = Vec<Dim>::Zero(), support = Vec<Dim>::Zero(), joint = Vec<Dim>::Zero();
    for_each_joint_of(snapshot, system_, [&](const Vec<Dim>& force, const Vec<Dim>& x) {
      if (surface_ < 0 || lies_on<Dim>(snapshot, system_, static_cast<std::size_t>(surface_), x))
        joint += force;
    });
    for_each_contact_of(snapshot, system_,
                        [&](const Vec<Dim>& force, const SnapshotContact<Dim>& c, double outward) {
                          const Vec<Dim> out = outward * c.axes.col(0);
                          if (surface_ < 0 || find_surface<Dim>(snapshot, system_, c.point, out) == surface_)
                            contact += force;
                        });
    const std::vector<double>& reaction = snapshot.meshes[system_].fields.node_reaction;
    for (std::size_t node = 0; node < held_.size() && Dim * node < reaction.size(); ++node)
      if (held_[node])
        for (int k = 0; k < Dim; ++k) support[k] += reaction[Dim * node + static_cast<std::size_t>(k)];
    put_vector(Vec<Dim>(contact + support + joint), row);
    for (const Vec<Dim>& part : {contact, support, joint}) put_vector(part, row);
  }

 private:
  std::size_t system_;
  int surface_ = -1;  // of the mesh; -1: all
  std::vector<bool> held_;
};

// Force and moment of the supports of bars, strings and beams at the nodes of a group, and of contacts and joints on all of the body.
template <int Dim>
class BeamReaction final : public Measure<Dim> {
 public:
  BeamReaction(const MeasureContext<Dim>& context, std::size_t system)
      : system_(system), beams_(context.first.beams[system]) {
    const std::string& group = context.spec.body;
    is_all_ = group.empty();
    nodes_ = find_line_nodes(beams_->mesh(), is_all_ ? "all" : group, context.spec.where);
  }
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts = vector_parts<Dim>("support_");
    if (beams_->turns())
      for (const std::string& part :
           Dim == 2 ? std::vector<std::string>{"moment_z"} : vector_parts<3>("moment_"))
        parts.push_back(part);
    if (!is_all_) return parts;
    for (const char* of : {"contact_", "joint_"})
      for (const std::string& part : vector_parts<Dim>(of)) parts.push_back(part);
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const Eigen::VectorXd& held = snapshot.support_forces[system_];
    const int stride = beams_->stride();
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(stride);
    for (const int node : nodes_)
      if (held.size() > 0) sum += held.segment(stride * node, stride);
    put_vector(sum, row);
    if (!is_all_) return;
    Vec<Dim> contact = Vec<Dim>::Zero(), joint = Vec<Dim>::Zero();
    for_each_contact_of(snapshot, system_,
                        [&](const Vec<Dim>& force, const auto&, double) { contact += force; });
    for_each_joint_of(snapshot, system_, [&](const Vec<Dim>& force, const Vec<Dim>&) { joint += force; });
    put_vector(contact, row);
    put_vector(joint, row);
  }

 private:
  std::size_t system_;
  std::shared_ptr<const Beams<Dim>> beams_;
  bool is_all_ = true;
  std::vector<int> nodes_;
};

template <int Dim>
std::unique_ptr<Measure<Dim>> make_reaction(const MeasureContext<Dim>& context) {
  for (std::size_t i = 0; i < context.first.beams.size(); ++i)
    if (context.first.beams[i] && context.first.system_names[i] == context.spec.part &&
        !context.spec.part.empty())
      return std::make_unique<BeamReaction<Dim>>(context, i);
  return std::make_unique<Reaction<Dim>>(context);
}

// The mean of Cauchy's stress over a body, and what it is in equilibrium: the moment tensor sum x (x) f / V of the forces of
// contacts, supports and joints, x from the centre of the body, which does not see gravity (Jean 1999, section 9.3). Tension is positive.
//
// V is the volume that the stress has its mean over: now in finite strain, else without deformation; then supports are where they
// were (small), and both are the same but for the strain where contacts are. A ring in axial symmetry has a hoop stress besides, on no
// force's side: with r from the axis and z from the centre, virtual work gives
//
//     sum r f_r = V (rr + theta),  sum z f_r = V rz + 2 pi integral of theta z dA,  sum (r - r_c) f_z = V rz,  sum z f_z = V zz
//
// so that the hoop stress of the elements is taken off.
template <int Dim>
class SolidStress final : public Measure<Dim> {
 public:
  explicit SolidStress(const MeasureContext<Dim>& context) : is_one_(!context.spec.part.empty()) {
    if (is_one_) {
      systems_ = {find_solid<Dim>(context, context.spec.part)};
      require_kinematics(*context.first.meshes[systems_[0]].mesh, context.spec.where);
      return;
    }
    for (std::size_t i = 0; i < context.first.meshes.size(); ++i)
      if (context.first.meshes[i].mesh) systems_.push_back(i);
    for (const std::size_t i : systems_)
      require_kinematics(*context.first.meshes[i].mesh, context.spec.where);
    if (systems_.empty()) find_solid<Dim>(context, "");
  }
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts;
    for (const char* of : {"stress_", "moment_"})
      for (const std::string& part : tensor_parts<Dim>(of))
        for (const std::size_t i : systems_) parts.push_back(is_one_ ? part : fmt::format("{}@{}", part, i));
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    std::vector<Mat<Dim>> stresses, moments;
    for (const std::size_t i : systems_) {
      const std::vector<double> volumes = cell_volumes<Dim>(snapshot, i);
      stresses.push_back(mean_stress<Dim>(snapshot.meshes[i], volumes));
      moments.push_back(compute_moment(snapshot, i, std::accumulate(volumes.begin(), volumes.end(), 0.0)));
    }
    for (const auto* tensors : {&stresses, &moments})
      for (int i = 0; i < Dim; ++i)
        for (int j = 0; j < Dim; ++j)
          for (const Mat<Dim>& tensor : *tensors) row.push_back(tensor(i, j));
  }

 private:
  static Mat<Dim> compute_moment(const Snapshot<Dim>& snapshot, std::size_t system, double volume) {
    const SnapshotMesh<Dim>& own = snapshot.meshes[system];
    const SystemMesh<Dim>& mesh = *own.mesh;
    const bool is_small = mesh.kinematics == Kinematics::small;
    const Vec<Dim> now = centre_of<Dim>(snapshot, system);
    Vec<Dim> rest = now;
    if (is_small) {
      SnapshotSystem still = snapshot.systems[system];
      still.coordinates.setZero();
      rest = centre_of<Dim>(own, still);
    }
    Mat<Dim> moment = Mat<Dim>::Zero();
    const auto add = [&](const Vec<Dim>& x, const Vec<Dim>& centre, const Vec<Dim>& force) {
      moment += (x - centre) * force.transpose();
      if (is_ring(mesh))
        moment(0, 0) += centre[0] * force[0];  // its radius, not its distance from the centre
    };
    for_each_contact_of(snapshot, system, [&](const Vec<Dim>& force, const SnapshotContact<Dim>& c, double) {
      add(c.point, now, force);
    });
    for_each_joint_of(snapshot, system,
                      [&](const Vec<Dim>& force, const Vec<Dim>& x) { add(x, now, force); });
    const std::vector<double>& reaction = own.fields.node_reaction;
    for (std::size_t node = 0; Dim * node < reaction.size(); ++node)
      add(is_small ? mesh.nodes[node] : own.place(snapshot.systems[system], static_cast<int>(node)), rest,
          Eigen::Map<const Vec<Dim>>(reaction.data() + Dim * node));
    if constexpr (Dim == 2)
      if (is_ring(mesh)) moment.col(0) -= hoop_moment(snapshot, system, rest);
    return moment / volume;
  }

  // 2 pi integral of theta (r, z) dA, z from the centre.
  static Vec<2> hoop_moment(const Snapshot<2>& snapshot, std::size_t system, const Vec<2>& centre) {
    const SnapshotMesh<2>& own = snapshot.meshes[system];
    const auto place = [&](int node) {
      return own.mesh->kinematics == Kinematics::finite ? own.place(snapshot.systems[system], node)
                                                        : own.mesh->nodes[static_cast<std::size_t>(node)];
    };
    Vec<2> sum = Vec<2>::Zero();
    for (std::size_t e = 0; e < own.mesh->elements.size(); ++e) {
      Vec<2> middle = Vec<2>::Zero();
      for (const int node : own.mesh->elements[e]) middle += place(node) / 3;
      const auto cell = static_cast<std::size_t>(own.mesh->element_cell[e]);
      const double hoop = own.fields.cell_stress[static_cast<std::size_t>(tensor_width(2)) * cell + 2];
      sum += M_PI * edges_of<2>(own.mesh->elements[e], place).determinant() * hoop *
             Vec<2>(middle[0], middle[1] - centre[1]);
    }
    return sum;
  }

  bool is_one_;
  std::vector<std::size_t> systems_;
};

// At a place of the body without deformation, between the values at the nodes around it.
template <int Dim>
class PointStress final : public Measure<Dim> {
  static constexpr int kWidth = tensor_width(Dim);
  using Row = Eigen::Matrix<double, kWidth, 1>;

 public:
  explicit PointStress(const MeasureContext<Dim>& context)
      : system_(find_solid<Dim>(context, context.spec.part)),
        at_(find_in_mesh<Dim>(*context.first.meshes[system_].mesh, context.spec.gate.point,
                              context.spec.where)) {}
  std::vector<std::string> parts() const override {
    std::vector<std::string> names = {"xx", "yy", "zz", "xy", "yz", "zx"}, parts;
    names.resize(kWidth);
    for (const char* of : {"stress_", "strain_"})
      for (const std::string& name : names) parts.push_back(of + name);
    parts.insert(parts.end(), {"pressure", "mises", "stress_deviator", "strain_deviator", "plastic_strain"});
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const SystemFields& fields = snapshot.meshes[system_].fields;
    const Row stress = interpolate(fields.node_stress), strain = interpolate(fields.node_strain);
    put_vector(stress, row);
    put_vector(strain, row);
    const double deviator = deviator_of(stress);
    row.insert(row.end(), {-stress.template head<3>().sum() / 3, std::sqrt(3.0) * deviator, deviator,
                           deviator_of(strain)});
    double plastic = 0;
    for (int k = 0; k <= Dim; ++k)
      plastic += at_.weights[k] * fields.node_plastic_strain[static_cast<std::size_t>(at_.nodes[k])];
    row.push_back(plastic);
  }

 private:
  Row interpolate(const std::vector<double>& values) const {
    Row sum = Row::Zero();
    for (int k = 0; k <= Dim; ++k)
      sum += at_.weights[k] *
             Eigen::Map<const Row>(values.data() + kWidth * static_cast<std::size_t>(at_.nodes[k]));
    return sum;
  }
  // sqrt(s:s/2) of the deviatoric part s: root of its second invariant.
  static double deviator_of(const Row& t) {
    const double mean = t.template head<3>().sum() / 3;
    const Eigen::Vector3d normal = t.template head<3>() - Eigen::Vector3d::Constant(mean);
    return std::sqrt(0.5 * normal.squaredNorm() + t.template tail<kWidth - 3>().squaredNorm());
  }

  std::size_t system_;
  MeshPlace<Dim> at_;
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_solid_measure(const MeasureContext<Dim>& context) {
  switch (context.spec.kind) {
    case MeasureKind::reaction: return make_reaction<Dim>(context);
    case MeasureKind::solid_stress: return std::make_unique<SolidStress<Dim>>(context);
    case MeasureKind::point_stress: return std::make_unique<PointStress<Dim>>(context);
    default: return nullptr;
  }
}

template std::unique_ptr<Measure<2>> make_solid_measure<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_solid_measure<3>(const MeasureContext<3>&);

}  // namespace saltus
