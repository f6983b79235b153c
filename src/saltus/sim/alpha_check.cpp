// What of a scene the alpha schemes have no place for, said when it is built.
#include <fmt/format.h>

#include "saltus/base/input_error.hpp"
#include "saltus/sim/alpha_step.hpp"

namespace saltus {

namespace {

template <int Dim>
void check_alpha_body(const SceneBody<Dim>& body, SchemeKind kind) {
  if (Dim == 2 || body.fixed) return;
  int free = 0;
  for (int i = Dim; i < kDofs<Dim>; ++i) free += body.drive[i].is_free();
  if (free != 0 && free != kSpins<Dim>)
    throw InputError(
        body.where,
        fmt::format("a body with some rotations locked or driven, under the scheme {}", name(kind)),
        fmt::format("{} of 3 free", free),
        "all three free, or all prescribed: spins are integrated in the axes of the body; a revolute joint "
        "holds an axis");
}

template <int Dim>
void check_alpha_joint(const Joint<Dim>& joint, const SceneJoint<Dim>& from, SchemeKind kind) {
  const bool index3 = kind == SchemeKind::alpha_index3;
  const auto refuse = [&](const char* what, const char* allowed) {
    throw InputError(from.where, fmt::format("a joint under the scheme {}", name(kind)), what, allowed);
  };
  if (index3 && joint.slack) refuse("a rope", "none: the scheme has equations only; use generalized-alpha");
  for (const FreeDirection& free : joint.free) {
    if (free.friction && free.friction->coefficient > 0)
      refuse(
          "friction that follows the load",
          "friction of a constant bound: the load is partly a force and partly an impulse; use moreau-jean");
    if (free.rotation && free.motor)
      refuse(
          "a motor along `rotation`",
          "motors along `twist`: the schemes carry forces of motors along one direction; or use moreau-jean");
    if (!index3) continue;
    if (free.limits) refuse("a limit", "none: the scheme has equations only; use generalized-alpha");
    if (free.friction || (free.motor && free.motor->limit))
      refuse("a bounded force", "none: the scheme has equations only; use generalized-alpha");
    if (free.motor && free.motor->kind == JointMotor::Kind::velocity)
      refuse("a motor that holds a velocity", "a motor that holds a position, or is given a force");
  }
}

}  // namespace

template <int Dim>
void check_alpha_scene(const SimulationModel<Dim>& model, const CoupledState<Dim>& parts) {
  const Scene<Dim>& scene = model.scene;
  const SchemeKind kind = scene.scheme.kind;
  const auto refuse = [&](const std::string& where, const char* what, const char* allowed) {
    throw InputError(where, fmt::format("under the scheme {}", name(kind)), what, allowed);
  };
  if (scene.scheme.activation != Activation::consistent)
    refuse("", "activation", "none: a contact acts on velocities where it is closed on positions");
  if (scene.scheme.jacobian_at != JacobianAt::detection)
    refuse("", "jacobian_at", "none: Jacobians are those of the end of the step");
  if (scene.solver.margins) refuse("", "stopping by margins", "a tolerance");
  if (!scene.membranes.empty()) refuse("", "a membrane", "none: use moreau-jean");
  if (!scene.servos.empty()) refuse(scene.servos.front().where, "a servo", "none: use moreau-jean");
  for (const SceneBody<Dim>& body : scene.bodies)
    if (body.follows < 0) check_alpha_body(body, kind);
  for (int i = 0; i < parts.joints.count(); ++i)
    check_alpha_joint(parts.joints.joint(i), scene.joints[i], kind);
  for (const SystemGap& gap : model.parts.gaps) {
    if (gap.is_constraint) continue;
    check_alpha_law(gap.law, kind, gap.where);
    if (gap.active_below != 0)
      refuse(gap.where, "active_below", "none: a gap acts on velocities where it is closed on positions");
    if (kind == SchemeKind::alpha_index3 && !scene.scheme.alpha.direct_gaps)
      refuse(gap.where, "a gap",
             "constraints only: the scheme has equations and no impacts; use generalized-alpha");
  }
}

template void check_alpha_scene<2>(const SimulationModel<2>&, const CoupledState<2>&);
template void check_alpha_scene<3>(const SimulationModel<3>&, const CoupledState<3>&);

}  // namespace saltus
