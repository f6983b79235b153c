#include "saltus/sim/fingerprint.hpp"

#include <type_traits>

#include "saltus/base/hash.hpp"

namespace saltus {

namespace {

// Adds what it is called with, part by part.
class Print {
 public:
  template <class... Values>
  void all(const Values&... values) {
    (add(values), ...);
  }

  template <class T>
  requires std::is_arithmetic_v<T>
  void add(T value) { hash_.add(value); }
  template <class T>
  requires std::is_enum_v<T>
  void add(T value) { hash_.add(static_cast<int>(value)); }
  void add(const std::string& text) { hash_.add(std::string_view(text)); }
  void add(const SharedText& text) { add(text.str()); }
  template <class T>
  void add(const std::vector<T>& list) {
    hash_.add(list.size());
    for (const T& item : list) add(item);
  }
  template <class T, std::size_t N>
  void add(const std::array<T, N>& list) {
    for (const T& item : list) add(item);
  }
  template <class T, std::size_t N>
  void add(const SparseArray<T, N>& list) {
    for (std::size_t i = 0; i < N; ++i) add(list[i]);
  }
  template <class A, class B>
  void add(const std::pair<A, B>& pair) {
    all(pair.first, pair.second);
  }
  template <class T>
  void add(const Seldom<T>& value) {
    add(static_cast<bool>(value));
    if (value) add(*value);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <class... T>
  void add(const std::variant<T...>& one) {
    hash_.add(one.index());
    std::visit([&](const auto& value) { add(value); }, one);
  }
  template <class Derived>
  void add(const Eigen::MatrixBase<Derived>& matrix) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) hash_.add(matrix(i, j));
  }

  void add(const Pose<2>& pose) { all(pose.position, pose.angle()); }
  void add(const Pose<3>& pose) { all(pose.position, pose.orientation().coeffs()); }
  template <int Dim>
  void add(const Ball<Dim>& s) {
    add(s.radius);
  }
  template <int Dim>
  void add(const Capsule<Dim>& s) {
    all(s.start, s.end, s.radius);
  }
  template <int Dim>
  void add(const HalfSpace<Dim>& s) {
    all(s.normal, s.offset);
  }
  template <int Dim>
  void add(const Hollow<Dim>& s) {
    add(s.radius);
  }
  void add(const ConvexPolygon& s) { add(s.vertices); }
  void add(const Cylinder& s) { all(s.radius, s.half_length); }
  void add(const Ellipsoid& s) { add(s.semi_axes); }
  void add(const HollowCylinder& s) { add(s.radius); }
  void add(const Polyline& s) { all(s.points, s.closed, s.depth); }
  void add(const TriangleMesh& s) { all(s.vertices, s.triangles, s.depth); }
  void add(const ConvexPolyhedron& s) { all(s.vertices, s.face_begin, s.face_vertex); }
  template <int Dim>
  void add(const Compound<Dim>& s) {
    hash_.add(s.parts.size());
    for (const auto& part : s.parts) all(part.shape, part.pose);
  }

  void add(const TimeFunction& f) {
    all(f.kind, f.value, f.amplitude, f.frequency, f.phase, f.times, f.values, f.formula.text());
  }
  void add(const Drive& drive) { all(drive.kind, drive.function); }
  // A new member of a law stops the compiler here: it belongs into the list.
  void add(const PairLaw& law) {
    const auto& [kind, friction, friction_dynamic, restitution, restitution_tangent, dissipation,
                 stiffness_normal, stiffness_tangent, cohesion, rupture_gap, bonding, viscosity, function,
                 regularisation, rolling] = law;
    all(kind, friction, friction_dynamic, restitution, restitution_tangent, dissipation, stiffness_normal,
        stiffness_tangent, cohesion, rupture_gap, bonding, viscosity, regularisation, rolling);
    all(function != nullptr);
    if (function) all(function->formula(), function->speeds(), function->forces());
  }
  void add(const SceneLaw& law) { all(law.material_a, law.material_b, law.law); }
  void add(const Membrane& m) { all(m.pressure, m.group, m.longest_side, m.body); }
  void add(const Servo& s) { all(s.wall, s.load, s.is_stress, s.between, s.area, s.speed); }
  void add(const JointLimits& l) { all(l.lower, l.upper, l.restitution); }
  void add(const JointSpring& s) { all(s.stiffness, s.damping, s.rest, s.preload, s.rest_rotation); }
  void add(const JointFriction& f) { all(f.constant, f.coefficient, f.radius); }
  void add(const JointMotor& m) {
    all(m.kind, m.target, m.limit, m.rotation[0], m.rotation[1], m.rotation[2]);
  }
  void add(const FreeDirection& d) { all(d.limits, d.spring, d.friction, d.motor); }
  template <int Dim>
  void add(const SceneJoint<Dim>& j) {
    all(j.kind, j.a, j.b, j.points[0], j.points[1], j.local, j.axis, j.axis2, j.axis_b, j.free, j.starts,
        j.length, j.lead, j.ratio, j.joints[0], j.joints[1], j.directions[0], j.directions[1], j.supports[0],
        j.supports[1], j.total, j.slack, j.stabilisation_time, j.collide, j.rotation_start, j.may_be_off);
    if (!j.nodes[0].empty() || !j.nodes[1].empty()) all(j.nodes[0], j.nodes[1]);
    if (j.tie >= 0) all(j.tie, j.left_alone);
  }
  void add(const SceneMatrix::Entry& e) { all(e.row, e.column, e.value); }
  void add(const SceneMatrix& m) { all(m.size, m.entries); }
  void add(const SceneGap& g) { all(g.row, g.offset, g.law, g.active_below); }
  void add(const SceneLinearSystem& s) {
    all(s.mass, s.damping, s.stiffness, s.q, s.v, s.forces, s.driven, s.gaps);
  }
  void add(const SceneFormula& f) { all(f.text, f.function != nullptr); }
  void add(const SceneSystemGap& g) { all(g.gap, g.tangents, g.law, g.active_below, g.release_above); }
  void add(const SceneConstraint& c) { all(c.formula, c.stabilisation_time, c.may_be_off); }
  template <int Dim>
  void add(const SceneSystemPoint<Dim>& p) {
    all(p.material, p.shape, p.position, p.turn, p.group, p.mask);
  }
  template <int Dim>
  void add(const SceneLagrangianSystem<Dim>& s) {
    all(s.names.coordinates, s.names.velocities, s.names.parameters, s.mass, s.forces, s.model != nullptr,
        s.damping, s.stiffness, s.q, s.v, s.gaps, s.constraints, s.points, s.trapezoidal, s.newton_tolerance);
  }
  void add(const SceneElasticBody& e) {
    all(e.material, e.centre, e.size, e.divisions[0], e.divisions[1], e.angle, e.elasticity.young,
        e.elasticity.poisson, e.elasticity.plane, e.density, e.thickness, e.damping_mass, e.damping_stiffness,
        e.velocity, e.spin, e.clamped, e.group, e.mask);
  }
  void add(const MaterialParameter& p) {
    all(p.name, p.value);
    for (const auto& row : p.table) all(row[0], row[1]);
  }
  template <int Dim>
  void add(const SceneDeformable<Dim>& d) {
    all(d.material, d.mesh->nodes, d.mesh->connectivity, d.kinematics, d.plane, d.thickness,
        d.mean_dilatation.has_value(), d.mean_dilatation.value_or(false), d.mass.has_value(),
        d.mass.value_or(MassKind::consistent), d.lithostatic.has_value(), d.lithostatic.value_or(0),
        d.redistribute, d.damping_mass, d.damping_stiffness, d.newton, d.velocity, d.spin, d.q, d.v,
        d.touches, d.surfaces, d.points, d.corners_touch, d.touches_itself, d.group, d.mask);
    for (const auto& solid : d.solids) all(solid.group, solid.kind, solid.parameters.given, solid.density);
    for (const auto& support : d.supports) all(support.on, support.direction, support.drive);
    for (const auto& load : d.loads) all(load.kind, load.on, load.direction, load.value);
  }
  void add(const BeamSection& s) {
    all(s.area, s.inertia, s.inertia_side, s.torsion, s.radius, s.shear_factor, s.young, s.poisson, s.density,
        s.tension);
  }
  template <int Dim>
  void add(const SceneBeam<Dim>& b) {
    all(b.material, b.mesh->nodes, b.kind, b.large, b.up, b.mass, b.redistribute, b.damping_mass,
        b.damping_stiffness, b.newton, b.velocity, b.spin, b.q, b.v, b.contact, b.radius.value_or(-1),
        b.massless, b.group, b.mask);
    for (const auto& element : b.mesh->elements) all(element.nodes[0], element.nodes[1], element.group);
    for (const auto& own : b.sections) all(own.group, own.section);
    for (const auto& support : b.supports) all(support.on, support.dof, support.drive);
    for (const auto& load : b.loads) all(load.kind, load.on, load.direction, load.value);
  }
  template <int Dim>
  void add(const SceneBody<Dim>& b) {
    all(b.material, b.shape, b.pose, b.velocity, b.spin, b.density, b.mass, b.inertia, b.centre, b.fixed,
        b.drive, b.force, b.damping, b.damping_rotation, b.group, b.mask, b.added_at, b.removed_at);
  }

  std::uint64_t value() const { return hash_.value(); }

 private:
  StateHash hash_;
};

}  // namespace

template <int Dim>
std::uint64_t compute_fingerprint(const Scene<Dim>& scene) {
  Print print;
  print.all(Dim, scene.bodies, scene.laws, scene.default_law, scene.excluded_groups, scene.membranes,
            scene.servos);
  if (!scene.joints.empty() || !scene.systems.empty() || !scene.elastic.empty())
    print.all(scene.joints, scene.systems, scene.elastic);
  if (!scene.lagrangian.empty()) print.add(scene.lagrangian);
  if (!scene.deformable.empty()) print.add(scene.deformable);
  if (!scene.beams.empty()) print.add(scene.beams);
  if (scene.scheme.activation == Activation::gamma) print.add(scene.scheme.activation_gamma);
  if (const AlphaOptions& alpha = scene.scheme.alpha; is_alpha(scene.scheme.kind))
    print.all(alpha.alpha_m, alpha.alpha_f, alpha.beta, alpha.gamma, alpha.tolerance, alpha.iterations,
              alpha.direct_gaps);
  print.all(scene.scheme.kind, scene.scheme.h, scene.scheme.theta, scene.scheme.activation,
            scene.scheme.jacobian_at, scene.scheme.corrects_positions(), scene.start_time);
  if (const ProjectionOptions& p = scene.scheme.projection;
      scene.scheme.kind == SchemeKind::moreau_jean_projected)
    print.all(p.kind, p.metric, p.tolerance, p.passes);
  if (const StepControl& control = scene.scheme.control; control.on)
    print.all(control.halvings, control.overlap);
  if (scene.scheme.kind == SchemeKind::event_driven)
    print.all(scene.scheme.events.tolerance, scene.scheme.events.most_events);
  print.all(scene.gravity, scene.tilt.angle, scene.tilt.axis, scene.damping, scene.damping_rotation,
            scene.period, scene.alert, scene.relax_overlaps);
  return print.value();
}

template std::uint64_t compute_fingerprint<2>(const Scene<2>&);
template std::uint64_t compute_fingerprint<3>(const Scene<3>&);

}  // namespace saltus
