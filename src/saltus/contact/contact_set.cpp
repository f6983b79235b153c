#include "saltus/contact/contact_set.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace saltus {

namespace {

template <int Dim>
Eigen::Vector3d padded(const Vec<Dim>& v) {
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  result.template head<Dim>() = v;
  return result;
}

// W_nn of a contact; zero between bodies that cannot move along its normal.
template <int Dim>
double normal_mobility(const SweepBody<Dim>& body, const Vec<Dim>& normal, const Vec<Dim>& arm) {
  SweepBody<Dim> pushed = body;
  std::fill(std::begin(pushed.v), std::end(pushed.v), 0.0);
  std::fill(std::begin(pushed.w), std::end(pushed.w), 0.0);
  add_impulse(pushed, normal, moment(arm, normal));
  return normal.dot(point_velocity<Dim>(pushed, arm));
}

template <int Dim>
bool is_immovable(const SweepBody<Dim>& body) {
  const auto zero = [](double x) { return x == 0; };
  return std::all_of(std::begin(body.inverse_mass), std::end(body.inverse_mass), zero) &&
         std::all_of(std::begin(body.inverse_inertia), std::end(body.inverse_inertia), zero);
}

// Where the impulse acts: midway between the surfaces, so that angular momentum is kept; but on the surface
// of the moving body when the other cannot move, so that a ball rolls on its radius whatever the gap.
template <int Dim>
Vec<Dim> anchor(const Contact<Dim>& c, double gap, const SweepBody<Dim>& a, const SweepBody<Dim>& b) {
  if (is_immovable(a)) return c.point + 0.5 * gap * c.frame.col(0);
  if (is_immovable(b)) return c.point - 0.5 * gap * c.frame.col(0);
  return c.point;
}

template <int Dim>
auto key(const Contact<Dim>& c) {
  return std::tie(c.a, c.b, c.feature);
}

// The rolling part of an impulse is kept in world axes: one number in the plane.
Eigen::Vector3d world_moment(const Mat<2>&, const Eigen::Matrix<double, 1, 1>& m) { return {0, 0, m[0]}; }
Eigen::Vector3d world_moment(const Mat<3>& frame, const Eigen::Vector2d& m) {
  return frame.rightCols<2>() * m;
}
Eigen::Matrix<double, 1, 1> local_moment(const Mat<2>&, const Eigen::Vector3d& m) {
  return Eigen::Matrix<double, 1, 1>(m.z());
}
Eigen::Vector2d local_moment(const Mat<3>& frame, const Eigen::Vector3d& m) {
  return frame.rightCols<2>().transpose() * m;
}
Spin<2> to_spin(const Eigen::Vector3d& m, Spin<2>) { return Spin<2>(m.z()); }
Spin<3> to_spin(const Eigen::Vector3d& m, Spin<3>) { return m; }

template <int Dim>
double detected_gap(const Contact<Dim>& c, const ContactStep& step) {
  return step.detected_at_start ? c.input.gap : c.input.gap_consistent;
}

// The bodies, frame and lever arms of a contact, at the poses where it was detected.
template <int Dim>
SweepContact<Dim> place_row(const Contact<Dim>& c, const ContactStep& step, const Vec<Dim>& period,
                            const BodyViews<Dim>& views) {
  SweepContact<Dim> row;
  row.a = c.a;
  row.b = c.b;
  row.frame = c.frame;
  const Vec<Dim> point = anchor<Dim>(c, detected_gap(c, step), views.free[c.a], views.free[c.b]);
  row.arm_a = point - views.pose[c.a].position;
  row.arm_b = point - views.pose[c.b].position - c.shift.template cast<double>().cwiseProduct(period);
  return row;
}

template <int Dim>
void predict_arms(const ContactStep& step, const BodyViews<Dim>& views, SweepContact<Dim>& row) {
  if (!step.predicted_arms) return;
  row.arm_a -= step.h * Eigen::Map<const Vec<Dim>>(views.start[row.a].v);
  row.arm_b -= step.h * Eigen::Map<const Vec<Dim>>(views.start[row.b].v);
}

// u of a contact that is not in the problem, with the velocities the problem ends with.
template <int Dim>
Vec<Dim> passive_velocity(const Contact<Dim>& c, const ContactStep& step, const Vec<Dim>& period,
                          const BodyViews<Dim>& views, const VelocityProblem<Dim>& problem) {
  SweepContact<Dim> row = place_row(c, step, period, views);
  predict_arms(step, views, row);
  return relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], row);
}

template <int Dim>
void fill_input(const ContactStep& step, double detected, const Vec<Dim>& u, const Vec<Dim>& u_free,
                Contact<Dim>& c) {
  const double drift = (1 - step.theta) * step.h * u[0];
  LawInput& in = c.input;
  in.gap = step.detected_at_start ? detected : detected - drift;
  in.gap_consistent = step.detected_at_start ? detected + drift : detected;
  in.u = padded<Dim>(u);
  in.u_free = padded<Dim>(u_free);
  in.slip = padded<Dim>(c.frame.transpose() * c.history.slip.template head<Dim>());
  in.slip[0] = 0;
  in.h = step.h;
  in.theta = step.theta;
  in.velocity_tolerance = step.velocity_tolerance;
  in.activation = step.activation;
  if (step.activation == Activation::implicit && !step.forecast_known)
    in.forecast = in.gap + in.h * in.u_free[0] <= 0;
}

template <int Dim>
void fill_row(const Contact<Dim>& c, SweepContact<Dim>& row) {
  row.shift = c.terms.shift.template head<Dim>();
  row.r = c.frame.transpose() * c.history.impulse.template head<Dim>();
  row.moment = local_moment(c.frame, c.history.moment);
  row.mu = c.terms.mu;
  row.mu_r = c.terms.mu_r;
  row.compliance_normal = c.terms.compliance_normal;
  row.compliance_tangent = c.terms.compliance_tangent;
  row.viscous = c.terms.viscous;
}

}  // namespace

template <int Dim>
const Contact<Dim>* ContactSet<Dim>::find_last(const ContactPoint<Dim>& point, std::size_t& cursor) const {
  const auto wanted = std::tie(point.a, point.b, point.feature);
  while (cursor < last_.size() && key(last_[cursor]) < wanted) ++cursor;
  for (std::size_t i = cursor; i < last_.size() && key(last_[i]) == wanted; ++i)
    if (last_[i].shift == point.shift) return &last_[i];
  return nullptr;
}

template <int Dim>
void ContactSet<Dim>::match(std::span<const ContactPoint<Dim>> points, const BodySet<Dim>& bodies,
                            const LawTable& laws, bool initial) {
  std::swap(now_, last_);
  now_.clear();
  now_.reserve(points.size());
  std::size_t cursor = 0;
  for (const ContactPoint<Dim>& p : points) {
    const Contact<Dim>* before = find_last(p, cursor);
    Contact<Dim>& c = now_.emplace_back();
    c.a = p.a;
    c.b = p.b;
    c.feature = p.feature;
    c.shift = p.shift;
    c.point = p.point;
    c.frame = contact_frame(p.normal);
    c.law = &laws.require(bodies.model[p.a].material, bodies.model[p.b].material);
    c.input.gap = c.input.gap_consistent = p.gap;
    c.history = before ? before->history : new_history(*c.law, p.gap, initial);
  }
}

template <int Dim>
void ContactSet<Dim>::build_problem(const ContactStep& step, const Vec<Dim>& period,
                                    const BodyViews<Dim>& views, VelocityProblem<Dim>& problem) {
  problem.bodies.assign(views.free.begin(), views.free.end());
  problem.contacts.clear();
  for (Contact<Dim>& c : now_) {
    SweepContact<Dim> row = place_row(c, step, period, views);
    const Vec<Dim> u = relative_velocity<Dim>(views.start[c.a], views.start[c.b], row);
    predict_arms(step, views, row);
    fill_input<Dim>(step, detected_gap(c, step), u,
                    relative_velocity<Dim>(views.free[c.a], views.free[c.b], row), c);
    c.terms = compute_terms(*c.law, c.input, c.history);
    const Vec<Dim> normal = c.frame.col(0);
    if (!(normal_mobility<Dim>(views.free[c.a], normal, row.arm_a) +
              normal_mobility<Dim>(views.free[c.b], normal, row.arm_b) >
          0))
      c.terms.active = false;
    c.row = -1;
    if (!c.terms.active) continue;
    fill_row(c, row);
    if (c.terms.pull > 0) {
      const Vec<Dim> pull = c.terms.pull * normal;
      add_impulse(problem.bodies[c.a], pull, moment(row.arm_a, pull));
      add_impulse(problem.bodies[c.b], Vec<Dim>(-pull), moment(row.arm_b, Vec<Dim>(-pull)));
    }
    c.row = static_cast<int>(problem.contacts.size());
    problem.contacts.push_back(row);
  }
}

template <int Dim>
bool ContactSet<Dim>::update_forecast(const ContactStep& step, const Vec<Dim>& period,
                                      const BodyViews<Dim>& views, const VelocityProblem<Dim>& problem,
                                      bool only_add) {
  bool changed = false;
  for (Contact<Dim>& c : now_) {
    double normal = 0;
    if (c.row >= 0) {
      const SweepContact<Dim>& row = problem.contacts[c.row];
      c.history.impulse = padded<Dim>(c.frame * row.r);
      c.history.moment = world_moment(c.frame, row.moment);
      SweepBody<Dim> a = problem.bodies[c.a], b = problem.bodies[c.b];
      const Vec<Dim> p = c.frame * row.p;
      add_impulse(a, p, moment(row.arm_a, p));
      add_impulse(b, Vec<Dim>(-p), moment(row.arm_b, Vec<Dim>(-p)));
      normal = relative_velocity<Dim>(a, b, row)[0];
    } else {
      normal = passive_velocity(c, step, period, views, problem)[0];
    }
    if (!needs_forecast(c.law->kind)) continue;
    const double predicted = c.input.gap + step.h * normal;
    const bool stays = only_add || predicted <= step.h * step.velocity_tolerance;
    const bool forecast = c.input.forecast ? stays : predicted <= 0;
    changed |= forecast != c.input.forecast;
    c.input.forecast = forecast;
  }
  return changed;
}

template <int Dim>
void ContactSet<Dim>::update(const ContactStep& step, const Vec<Dim>& period, const BodyViews<Dim>& views,
                             const VelocityProblem<Dim>& problem) {
  for (Contact<Dim>& c : now_) {
    LawResult result;
    c.impulse.setZero();
    c.moment.setZero();
    if (c.row >= 0) {
      const SweepContact<Dim>& row = problem.contacts[c.row];
      c.velocity = relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], row);
      c.impulse = row.p;
      c.impulse[0] -= c.terms.pull;
      result.r = padded<Dim>(row.r);
      Vec<Dim> u_hat = c.velocity + row.shift;
      u_hat[0] += row.compliance_normal * row.r[0];
      u_hat.template tail<Dim - 1>() += row.compliance_tangent * row.r.template tail<Dim - 1>();
      result.u_hat = padded<Dim>(u_hat);
      c.history.moment = problem.rolling ? world_moment(c.frame, row.moment) : Eigen::Vector3d::Zero();
      c.moment = to_spin(c.history.moment, Spin<Dim>());
      c.history.impulse = padded<Dim>(c.frame * row.r);
    } else {
      c.velocity = passive_velocity(c, step, period, views, problem);
      c.history.impulse.setZero();
      c.history.moment.setZero();
    }
    c.gap_end = c.input.gap_consistent + step.theta * step.h * c.velocity[0];
    result.gap_end = c.gap_end;
    const Eigen::Vector3d slip = update_history(*c.law, c.input, c.terms, result, c.history);
    c.history.slip = padded<Dim>(c.frame * slip.template head<Dim>());
  }
}

template <int Dim>
void ContactSet<Dim>::forget_body(int slot) {
  std::erase_if(now_, [slot](const Contact<Dim>& c) { return c.a == slot || c.b == slot; });
}

template class ContactSet<2>;
template class ContactSet<3>;

}  // namespace saltus
