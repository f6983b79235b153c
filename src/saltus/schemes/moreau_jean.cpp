#include "saltus/schemes/moreau_jean.hpp"

#include <Eigen/LU>

#include "saltus/base/parallel.hpp"

namespace saltus {

namespace {

constexpr std::int64_t kBodiesPerChunk = 512;

// Calls f(slot) for the bodies there are, on all threads: f may write what belongs to its slot.
template <int Dim, class F>
void for_each_body(const BodySet<Dim>& bodies, F&& f) {
  parallel_for(bodies.slots(), kBodiesPerChunk, [&](std::int64_t begin, std::int64_t end) {
    for (int s = static_cast<int>(begin); s < end; ++s)
      if (bodies.alive(s)) f(s);
  });
}

Mat<3> cross_matrix(const Vec<3>& v) {
  Mat<3> m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

template <int Dim>
bool is_spin_free(const BodyModel<Dim>& model) {
  for (int i = 0; i < kSpins<Dim>; ++i)
    if (!model.drive[Dim + i].is_free()) return false;
  return true;
}

template <int Dim>
bool keeps_body_axes(const BodyModel<Dim>& model) {
  return Dim == 3 && !model.spherical && is_spin_free(model);
}

Inertia<2> world_inertia(const Pose<2>&, const Inertia<2>& inertia) { return inertia; }
Inertia<3> world_inertia(const Pose<3>& pose, const Inertia<3>& inertia) {
  const Mat<3> turn = pose.rotation();
  return turn * inertia * turn.transpose();
}

// S (S^T I S)^-1 S^T, S the free axes: the inverse that a moment sees when the other axes cannot turn.
template <int Dim>
Inertia<Dim> constrained_inverse(const BodyModel<Dim>& model, Inertia<Dim> inertia) {
  if (is_spin_free(model)) return inertia.inverse();
  for (int i = 0; i < kSpins<Dim>; ++i)
    if (!model.drive[Dim + i].is_free()) {
      inertia.row(i).setZero();
      inertia.col(i).setZero();
      inertia(i, i) = 1;
    }
  Inertia<Dim> inverse = inertia.inverse();
  for (int i = 0; i < kSpins<Dim>; ++i)
    if (!model.drive[Dim + i].is_free()) inverse(i, i) = 0;
  return inverse;
}

void store_inverse(const Inertia<2>& inverse, double* packed) { packed[0] = inverse(0, 0); }
void store_inverse(const Inertia<3>& inverse, double* packed) {
  packed[0] = inverse(0, 0), packed[1] = inverse(0, 1), packed[2] = inverse(0, 2);
  packed[3] = inverse(1, 1), packed[4] = inverse(1, 2), packed[5] = inverse(2, 2);
}

template <int Dim>
void fill_forces(const BodyModel<Dim>& model, double t, const SchemeOptions& options, Vec<Dim>& force,
                 Spin<Dim>& torque) {
  force.setZero();
  torque.setZero();
  if (!model.has_force) return;
  const auto impulse = [&](const TimeFunction& f) {
    return options.h * (options.theta * f.at(t + options.h) + (1 - options.theta) * f.at(t));
  };
  for (int i = 0; i < Dim; ++i) force[i] = impulse(model.force[i]);
  for (int i = 0; i < kSpins<Dim>; ++i) torque[i] = impulse(model.force[Dim + i]);
}

// Prescribed velocities at the end of the step, and displacements over it.
template <int Dim>
void fill_driven(const BodyModel<Dim>& model, const BodyVelocity<Dim>& start, double t,
                 const SchemeOptions& options, SweepBody<Dim>& free, StepLoad<Dim>& load) {
  for (int i = 0; i < kDofs<Dim>; ++i) {
    if (model.drive[i].is_free()) continue;
    const double v0 = i < Dim ? start.v[i] : start.w[i - Dim];
    const DrivenStep step = compute_driven_step(model.drive[i], v0, t, t + options.h, options.mean());
    (i < Dim ? free.v[i] : free.w[i - Dim]) = step.velocity;
    (i < Dim ? load.displacement[i] : load.turn[i - Dim]) = step.displacement;
  }
}

template <int Dim>
void free_translation(const BodyModel<Dim>& model, const Vec<Dim>& impulse, double h, double theta,
                      const BodyVelocity<Dim>& start, SweepBody<Dim>& free) {
  const double inverse = 1 / (model.mass * (1 + h * theta * model.damping));
  for (int i = 0; i < Dim; ++i) {
    free.inverse_mass[i] = model.drive[i].is_free() ? inverse : 0;
    if (model.drive[i].is_free())
      free.v[i] = start.v[i] + inverse * (impulse[i] - h * model.damping * model.mass * start.v[i]);
  }
}

// Some axes turn as prescribed, in world axes. `gyroscopic` is what the others feel beyond torque and damping
// of their own: h w_m x I w_m and the inertia of the prescribed axes.
void constrained_rotation(const BodyModel<3>& model, const Mat<3>& inertia, const Vec<3>& w0,
                          const Vec<3>& torque, double c, double h, double theta, SweepBody<3>& free,
                          Vec<3>& gyroscopic) {
  std::array<bool, 3> turns;
  for (int i = 0; i < 3; ++i) turns[i] = model.drive[3 + i].is_free();
  if (!turns[0] && !turns[1] && !turns[2]) return;
  Eigen::Map<Vec<3>> w(free.w);
  w = compute_gyroscopic_step(inertia, w0, torque, c, h, theta, turns, w).spin;
  Vec<3> change = w - w0, mean = w0 + theta * change;
  for (int i = 0; i < 3; ++i)
    if (!turns[i]) change[i] = mean[i] = 0;
  const Vec<3> moment = inertia * (change + h * c * mean) - torque;
  for (int i = 0; i < 3; ++i)
    if (turns[i]) gyroscopic[i] = moment[i];
}

template <int Dim>
void free_rotation(const BodyModel<Dim>& model, const Pose<Dim>& at, const Spin<Dim>& torque, double h,
                   double theta, const BodyVelocity<Dim>& start, const Spin<Dim>& expected,
                   SweepBody<Dim>& free, Spin<Dim>& gyroscopic) {
  const Inertia<Dim> inertia = world_inertia(at, model.inertia);
  const double c = model.damping_rotation;
  const Inertia<Dim> inverse = constrained_inverse(model, inertia) / (1 + h * theta * c);
  store_inverse(inverse, free.inverse_inertia);
  const Spin<Dim> w0 = Eigen::Map<const Spin<Dim>>(start.w);
  gyroscopic.setZero();
  if constexpr (Dim == 3) {
    if (keeps_body_axes(model)) {
      const GyroscopicStep step =
          compute_gyroscopic_step(model.inertia, at.unrotated(w0), at.unrotated(torque), c, h, theta,
                                  {true, true, true}, Vec<3>::Zero(), at.unrotated(expected));
      Eigen::Map<Spin<Dim>>(free.w) = at.rotated(step.spin);
      gyroscopic = -h * at.rotated(step.midpoint.cross(model.inertia * step.midpoint));
      return;
    }
  }
  if constexpr (Dim == 3) {
    if (!is_spin_free(model)) {
      constrained_rotation(model, inertia, w0, torque, c, h, theta, free, gyroscopic);
      return;
    }
  }
  if (is_spin_free(model)) Eigen::Map<Spin<Dim>>(free.w) += inverse * (torque - h * c * (inertia * w0));
}

}  // namespace

GyroscopicStep compute_gyroscopic_step(const Mat<3>& inertia, const Vec<3>& w0, const Vec<3>& torque,
                                       double c, double h, double theta, const std::array<bool, 3>& turns,
                                       const Vec<3>& prescribed, const Vec<3>& expected) {
  const Mat<3> mass = (1 + h * theta * c) * inertia;
  Vec<3> momentum = mass * w0 + torque - h * c * (inertia * w0);
  const bool expects = !expected.isZero(0);
  if (expects) momentum += expected;
  Vec<3> w = w0;
  for (int i = 0; i < 3; ++i)
    if (!turns[i]) w[i] = prescribed[i];
  // Newton from the old spin; quadratic, and a contraction while h |w| is below about 1. The limit on
  // iterations only matters beyond that, where the body turns by radians in a step.
  for (int k = 0; k < 50; ++k) {
    const Vec<3> middle = 0.5 * (w0 + w);
    Vec<3> defect = mass * w + h * middle.cross(inertia * middle) - momentum;
    Mat<3> jacobian = mass + 0.5 * h * (cross_matrix(middle) * inertia - cross_matrix(inertia * middle));
    for (int i = 0; i < 3; ++i)
      if (!turns[i]) {
        defect[i] = 0;
        jacobian.row(i) = Vec<3>::Unit(i).transpose();
      }
    const Vec<3> dw = jacobian.inverse() * defect;
    w -= dw;
    if (!(dw.norm() > 1e-15 * w.norm())) break;
  }
  const Vec<3> middle = 0.5 * (w0 + w);
  if (expects) w -= mass.inverse() * expected;
  return {w, middle};
}

StepWeights moreau_jean_weights(const SchemeOptions& options) {
  const double h = options.h, theta = options.theta;
  return {h, theta, h * theta, h * h * theta * theta, h * theta, h * theta, h * (1 - theta)};
}

template <int Dim>
void FreeMotion<Dim>::resize(int slots) {
  detection.resize(slots);
  start.resize(slots);
  free.resize(slots);
  load_place.resize(slots);
}

namespace {

// Held in all directions, whatever acts on it.
template <int Dim>
bool is_held(const BodyModel<Dim>& model) {
  if (!model.all_prescribed || model.has_force) return false;
  for (int i = 0; i < kDofs<Dim>; ++i)
    if (model.drive[i].kind != Drive::Kind::locked) return false;
  return true;
}

template <int Dim>
void hold(SweepBody<Dim>& free) {
  static_cast<BodyVelocity<Dim>&>(free) = {};
  std::fill(std::begin(free.inverse_mass), std::end(free.inverse_mass), 0.0);
  std::fill(std::begin(free.inverse_inertia), std::end(free.inverse_inertia), 0.0);
}

template <int Dim>
void place_loads(const BodySet<Dim>& bodies, bool all, FreeMotion<Dim>& motion) {
  int loads = 0;
  for (int s = 0; s < bodies.slots(); ++s) {
    const BodyModel<Dim>& model = bodies.model[s];
    const bool has = all || model.has_force || !model.all_free || !model.spherical;
    motion.load_place[s] = bodies.alive(s) && has ? loads++ : -1;
  }
  motion.loads.resize(loads);
}

}  // namespace

template <int Dim>
void compute_free_motion(const BodySet<Dim>& bodies, const Vec<Dim>& gravity, ExtraForces<Dim> extra,
                         const SchemeOptions& options, double t, FreeMotion<Dim>& motion,
                         ExpectedMoments<Dim> expected) {
  const double h = options.h, theta = options.theta;
  const double advance = options.jacobian_at == JacobianAt::detection ? (1 - options.mean()) * h : 0.0;
  motion.resize(bodies.slots());
  place_loads(bodies, !extra.empty(), motion);
  for_each_body(bodies, [&](int s) {
    const BodyModel<Dim>& model = bodies.model[s];
    BodyVelocity<Dim>& start = motion.start[s];
    StepLoad<Dim> load;
    const Spin<Dim> spin = bodies.spin_world(s);
    Eigen::Map<Vec<Dim>>(start.v) = bodies.velocity[s];
    Eigen::Map<Spin<Dim>>(start.w) = spin;
    motion.detection[s] = bodies.pose[s];
    motion.detection[s].position += advance * bodies.velocity[s];
    if (advance != 0 && !spin.isZero(0)) motion.detection[s].rotate(Spin<Dim>(advance * spin));
    if (extra.empty() && is_held(model)) {
      hold(motion.free[s]);
      if (motion.load_place[s] >= 0) motion.loads[motion.load_place[s]] = load;
      return;
    }

    static_cast<BodyVelocity<Dim>&>(motion.free[s]) = start;
    fill_forces(model, t, options, load.force, load.torque);
    if (!extra.empty()) load.force += h * extra[s];
    fill_driven(model, start, t, options, motion.free[s], load);
    const Vec<Dim> impulse = load.force + h * model.mass * gravity;
    free_translation<Dim>(model, impulse, h, theta, start, motion.free[s]);
    const Spin<Dim> due = expected.empty() ? Spin<Dim>(Spin<Dim>::Zero()) : expected[s];
    free_rotation<Dim>(model, motion.detection[s], load.torque, h, theta, start, due, motion.free[s],
                       load.gyroscopic);
    if (motion.load_place[s] >= 0) motion.loads[motion.load_place[s]] = load;
  });
}

template <int Dim>
void update_bodies(const FreeMotion<Dim>& motion, std::span<const SweepBody<Dim>> solved,
                   const SchemeOptions& options, BodySet<Dim>& bodies) {
  const double h = options.h, theta = options.mean();
  for_each_body(bodies, [&](int s) {
    const BodyModel<Dim>& model = bodies.model[s];
    const Eigen::Map<const Vec<Dim>> v0(motion.start[s].v), v1(solved[s].v);
    const Eigen::Map<const Spin<Dim>> w0(motion.start[s].w), w1(solved[s].w);
    if (is_held(model)) {
      bodies.velocity[s] = v1;
      bodies.set_spin_world(s, w1);
      return;
    }
    Vec<Dim> displacement = h * (theta * v1 + (1 - theta) * v0);
    Spin<Dim> turn = h * (theta * w1 + (1 - theta) * w0);
    for (int i = 0; i < Dim; ++i)
      if (!model.drive[i].is_free()) displacement[i] = motion.load(s).displacement[i];
    for (int i = 0; i < kSpins<Dim>; ++i)
      if (!model.drive[Dim + i].is_free()) turn[i] = motion.load(s).turn[i];
    bodies.velocity[s] = v1;
    if constexpr (Dim == 3) {
      if (keeps_body_axes(model)) {
        const Vec<3> before = bodies.spin[s];
        bodies.spin[s] = motion.detection[s].unrotated(w1);
        turn = bodies.pose[s].rotated(Vec<3>(h * (theta * bodies.spin[s] + (1 - theta) * before)));
      }
    }
    bodies.pose[s].position += displacement;
    if (!turn.isZero(0)) bodies.pose[s].rotate(turn);
    if (!keeps_body_axes(model)) bodies.set_spin_world(s, w1);
  });
}

template struct FreeMotion<2>;
template struct FreeMotion<3>;
template void compute_free_motion<2>(const BodySet<2>&, const Vec<2>&, ExtraForces<2>, const SchemeOptions&,
                                     double, FreeMotion<2>&, ExpectedMoments<2>);
template void compute_free_motion<3>(const BodySet<3>&, const Vec<3>&, ExtraForces<3>, const SchemeOptions&,
                                     double, FreeMotion<3>&, ExpectedMoments<3>);
template void update_bodies<2>(const FreeMotion<2>&, std::span<const SweepBody<2>>, const SchemeOptions&,
                               BodySet<2>&);
template void update_bodies<3>(const FreeMotion<3>&, std::span<const SweepBody<3>>, const SchemeOptions&,
                               BodySet<3>&);

}  // namespace saltus
