#include "saltus/contact/contact_set.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "saltus/base/large_buffer.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/solvers/mobility.hpp"

namespace saltus {

namespace {

constexpr std::int64_t kContactsPerChunk = 512;

template <int Dim>
Eigen::Vector3d padded(const Vec<Dim>& v) {
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  result.template head<Dim>() = v;
  return result;
}

// Where the impulse acts: midway between the surfaces, so that angular momentum is kept; but on the surface
// of the moving body when the other cannot move, so that a ball rolls on its radius whatever the gap.
template <int Dim>
Vec<Dim> anchor(const Contact<Dim>& c, double gap, const SweepBody<Dim>& a, const SweepBody<Dim>& b) {
  if (is_immovable(a)) return c.point + 0.5 * gap * c.normal;
  if (is_immovable(b)) return c.point - 0.5 * gap * c.normal;
  return c.point;
}

// The rolling part of an impulse is kept in world axes: one number in the plane.
Eigen::Vector3d world_moment(const Mat<2>&, const Eigen::Matrix<double, 1, 1>& m) { return {0, 0, m[0]}; }
Eigen::Vector3d world_moment(const Mat<3>& axes, const Eigen::Vector2d& m) { return axes.rightCols<2>() * m; }
Eigen::Matrix<double, 1, 1> local_moment(const Mat<2>&, const Eigen::Vector3d& m) {
  return Eigen::Matrix<double, 1, 1>(m.z());
}
Eigen::Vector2d local_moment(const Mat<3>& axes, const Eigen::Vector3d& m) {
  return axes.rightCols<2>().transpose() * m;
}

// The warm start of a row: what the contact bore in the last step, counted from this step's pull. Where that is
// tension and no bond is left to bear it, the start is zero.
template <int Dim>
Vec<Dim> canonical_impulse(const ContactHistory& history, double pull, const Mat<Dim>& axes) {
  Vec<Dim> r = axes.transpose() * history.impulse.template head<Dim>();
  r[0] += pull;
  if (r[0] < 0) r.setZero();
  return r;
}

template <int Dim>
void remember_impulse(const SweepContact<Dim>& row, Contact<Dim>& c) {
  Vec<Dim> r = row.r;
  r[0] -= c.terms.pull;
  c.history.impulse = padded<Dim>(row.axes() * r);
}

template <int Dim>
double detected_gap(const Contact<Dim>& c, const ContactStep& step) {
  return step.detected_at_start ? c.input.gap : c.input.gap_consistent;
}

// What is fixed is of no group, and not kept.
template <int Dim>
bool is_kept(const ContactStep& step, const Contact<Dim>& c) {
  return !step.kept.empty() && (step.kept[c.a] || step.kept[c.b]);
}

// The bodies, frame and lever arms of a contact, at the poses where it was detected.
template <int Dim>
SweepContact<Dim> place_row(const Contact<Dim>& c, const ContactStep& step, const Vec<Dim>& period,
                            const BodyViews<Dim>& views) {
  SweepContact<Dim> row;
  row.a = c.a;
  row.b = c.b;
  row.normal = c.normal;
  row.point = c.point;
  const Vec<Dim> point = anchor<Dim>(c, detected_gap(c, step), views.free[c.a], views.free[c.b]);
  row.arm_a = point - views.pose[c.a].position;
  row.arm_b = point - views.pose[c.b].position - c.image.template cast<double>().cwiseProduct(period);
  return row;
}

template <int Dim>
void predict_arms(const ContactStep& step, const BodyViews<Dim>& views, SweepContact<Dim>& row) {
  if (!step.predicted_arms) return;
  row.arm_a -= step.h * Eigen::Map<const Vec<Dim>>(views.start[row.a].v);
  row.arm_b -= step.h * Eigen::Map<const Vec<Dim>>(views.start[row.b].v);
}

// What stretching facets add to u.
template <int Dim>
Vec<Dim> stretch_velocity(const SweepContact<Dim>& row, std::span<const Mat<Dim>> stretch) {
  if (stretch.empty()) return Vec<Dim>::Zero();
  return row.axes().transpose() * (stretch[row.b] * row.arm_b - stretch[row.a] * row.arm_a);
}

// u of a contact that is not in the problem, with the velocities the problem ends with.
template <int Dim>
Vec<Dim> passive_velocity(const Contact<Dim>& c, const ContactStep& step, const Vec<Dim>& period,
                          const BodyViews<Dim>& views, const VelocityProblem<Dim>& problem) {
  SweepContact<Dim> row = place_row(c, step, period, views);
  predict_arms(step, views, row);
  return relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], row) +
         stretch_velocity<Dim>(row, views.stretch);
}

// Of the gap of a contact, m: by the coordinates it was computed from. Arms are differences of these.
template <int Dim>
double round_off(const BodyViews<Dim>& views, const Contact<Dim>& c) {
  const Vec<Dim>&a = views.pose[c.a].position, &b = views.pose[c.b].position;
  return gap_round_off(a.cwiseAbs().cwiseMax(b.cwiseAbs()).cwiseMax(c.point.cwiseAbs()).maxCoeff());
}

template <int Dim>
void fill_input(const ContactStep& step, const BodyViews<Dim>& views, const Vec<Dim>& u,
                const Vec<Dim>& u_free, Contact<Dim>& c) {
  const double detected = detected_gap(c, step), drift = (1 - step.mean) * step.h * u[0];
  c.input.gap = step.detected_at_start ? detected : detected - drift;
  c.input.gap_consistent = step.detected_at_start ? detected + drift : detected;
  c.input.u = u;
  c.velocity = u_free;
  if (step.activation == Activation::implicit && !step.forecast_known)
    c.input.forecast = c.input.gap + step.h * u_free[0] <= round_off(views, c);
  if (step.activation == Activation::landing && !step.forecast_known)
    c.input.forecast = c.input.gap_consistent + step.mean * step.h * u_free[0] <= round_off(views, c);
}

// The part of u- that comes from the contact moving along the surfaces, and not from approach or slip. No impulse acts between the end
// of the last step and the start of this one: what u has changed by is H's alone, h dH/dt v, and 1 - theta of it lies between the start of
// the step and where H is taken now. The law does without it, and a shift of (1-theta)/theta times it makes its mean
// over the step zero, so that it does no work (docs/schemes-table.md). Never more than u- has of it: then no law gains by it.
template <int Dim>
Vec<Dim> rolled_velocity(const ContactStep& step, const Contact<Dim>& c) {
  if (!c.input.carried || step.detected_at_start || is_layer(c.law->kind) || c.law->kind == LawKind::pressure)
    return Vec<Dim>::Zero();
  const Vec<Dim>& u = c.input.u;
  Vec<Dim> rolled = (1 - step.mean) * (u - c.axes().transpose() * c.input.before);
  rolled[0] = std::clamp(rolled[0], std::min(0.0, u[0]), std::max(0.0, u[0]));
  const auto slip = u.template tail<Dim - 1>();
  const double square = slip.squaredNorm();
  const double part = square > 0 ? rolled.template tail<Dim - 1>().dot(slip) / square : 0.0;
  rolled.template tail<Dim - 1>() = std::clamp(part, 0.0, 1.0) * slip;
  return rolled;
}

// The input of the law, from the contact before the solve or, but for u_free, after it.
template <int Dim>
LawInput law_input(const ContactStep& step, const BodyViews<Dim>& views, const Contact<Dim>& c) {
  LawInput in;
  in.gap = c.input.gap;
  in.gap_consistent = c.input.gap_consistent;
  in.u = padded<Dim>(c.input.u - rolled_velocity(step, c));
  in.u_free = padded<Dim>(c.velocity);
  if (!c.history.slip.isZero(0)) {
    in.slip = padded<Dim>(c.axes().transpose() * c.history.slip.template head<Dim>());
    in.slip[0] = 0;
  }
  in.duration = step.h;
  in.mean = step.mean;
  if (c.law->cohesion > 0) in.touch_gap = touch_gap(views.model[c.a].size, views.model[c.b].size);
  in.round_off = round_off(views, c);
  in.left_open = step.left_open;
  in.activation = step.activation;
  in.activation_gamma = step.activation_gamma;
  in.on_positions = step.on_positions;
  in.forecast = c.input.forecast;
  return in;
}

// Fills the row of a contact; false: it is not active.
template <int Dim>
bool fill_row(const ContactStep& step, const Vec<Dim>& period, const BodyViews<Dim>& views,
              const LawPoint* linearised, Contact<Dim>& c, SweepContact<Dim>& row) {
  row = place_row(c, step, period, views);
  const Vec<Dim> u = relative_velocity<Dim>(views.start[c.a], views.start[c.b], row) +
                     stretch_velocity<Dim>(row, views.stretch_start);
  predict_arms(step, views, row);
  const Vec<Dim> u_free = relative_velocity<Dim>(views.free[c.a], views.free[c.b], row) +
                          stretch_velocity<Dim>(row, views.stretch);
  fill_input<Dim>(step, views, u, u_free, c);
  LawInput input = law_input(step, views, c);
  input.point = linearised;
  if (c.input.initial) c.history.bonded = is_bonded_at_start(*c.law, input.gap, input.touch_gap);
  const LawTerms terms = compute_terms(*c.law, input, c.history);
  c.terms.pull = terms.pull;
  if (!terms.active || !is_movable(row, views.free[c.a], views.free[c.b])) return false;
  row.shift = terms.shift.template head<Dim>() + (1 - step.mean) / step.mean * rolled_velocity(step, c);
  const Mat<Dim> axes = row.axes();
  row.r = canonical_impulse<Dim>(c.history, terms.pull, axes);
  row.moment = local_moment(axes, c.history.moment);
  row.mu = terms.mu;
  row.mu_r = terms.mu_r;
  row.compliance_normal = terms.compliance_normal;
  row.compliance_tangent = terms.compliance_tangent;
  row.viscous = terms.viscous;
  row.viscous_shifted = terms.carry > 0;
  if (terms.carry > 0 && terms.mu_r > 0)
    row.shift_spin = terms.carry * rolling_velocity<Dim>(views.start[c.a], views.start[c.b], axes);
  return true;
}

// What the solve made of a contact, and what its law remembers.
template <int Dim>
void read_back(const ContactStep& step, const Vec<Dim>& period, const BodyViews<Dim>& views,
               const VelocityProblem<Dim>& problem, Contact<Dim>& c) {
  const LawInput input = law_input(step, views, c);
  LawTerms terms;
  LawResult result;
  result.velocity_tolerance = step.tolerance_of(c.row);
  c.impulse.setZero();
  c.residual = 0;
  if (c.row >= 0) {
    const SweepContact<Dim>& row = problem.contacts[c.row];
    c.residual = row.residual;
    terms.active = true;
    terms.mu = row.mu;
    c.velocity = relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], row) +
                 stretch_velocity<Dim>(row, views.stretch);
    c.impulse = row.p;
    c.impulse[0] -= c.terms.pull;
    result.r = padded<Dim>(row.r);
    Vec<Dim> u_hat = c.velocity + row.shift;
    u_hat[0] += row.compliance_normal * row.r[0];
    u_hat.template tail<Dim - 1>() += row.compliance_tangent * row.r.template tail<Dim - 1>();
    result.u_hat = padded<Dim>(u_hat);
    const Mat<Dim> axes = row.axes();
    c.history.moment = problem.rolling ? world_moment(axes, row.moment) : Eigen::Vector3d::Zero();
    remember_impulse(row, c);
  } else {
    c.velocity = passive_velocity(c, step, period, views, problem);
    c.history.impulse.setZero();
    c.history.moment.setZero();
  }
  c.gap_end = c.input.gap_consistent + step.mean * step.h * c.velocity[0];
  result.gap_end = c.gap_end;
  const Eigen::Vector3d slip = update_history(*c.law, input, terms, result, c.history);
  c.history.slip.setZero();
  if (!slip.isZero(0)) c.history.slip = padded<Dim>(c.axes() * slip.template head<Dim>());
}

}  // namespace

template <int Dim>
void ContactSet<Dim>::build_problem(const ContactStep& step, const Vec<Dim>& period,
                                    const BodyViews<Dim>& views, VelocityProblem<Dim>& problem) {
  if (step.kept.empty()) problem.bodies.assign(views.free.begin(), views.free.end());
  for (std::size_t slot = 0; slot < step.kept.size() && slot < problem.bodies.size(); ++slot)
    if (!step.kept[slot]) problem.bodies[slot] = views.free[slot];
  if (!step.kept.empty()) std::swap(rows_before_, problem.contacts);
  make_room(now_.size(), problem.contacts);
  problem.contacts.resize(now_.size());
  parallel_for(
      static_cast<std::int64_t>(now_.size()), kContactsPerChunk, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          if (is_kept(step, now_[i])) {
            if (now_[i].row >= 0) problem.contacts[i] = rows_before_[now_[i].row];
            continue;
          }
          const LawPoint* point = step.points.empty() ? nullptr : &step.points[i];
          now_[i].row = fill_row<Dim>(step, period, views, point, now_[i], problem.contacts[i]) ? 0 : -1;
        }
      });
  // Rows of active contacts move up; their pulls are added in order, so that the sums are always the same.
  int rows = 0;
  for (std::size_t i = 0; i < now_.size(); ++i) {
    Contact<Dim>& c = now_[i];
    if (c.row < 0) continue;
    c.row = rows++;
    SweepContact<Dim>& row = problem.contacts[c.row];
    if (static_cast<std::size_t>(c.row) != i) row = problem.contacts[i];
    if (c.terms.pull > 0 && !is_kept(step, c)) {
      const Vec<Dim> pull = c.terms.pull * c.normal;
      add_impulse(problem.bodies[c.a], pull, moment(row.arm_a, pull));
      add_impulse(problem.bodies[c.b], Vec<Dim>(-pull), moment(row.arm_b, Vec<Dim>(-pull)));
    }
  }
  problem.contacts.resize(rows);
  release_if_large(rows_before_);
}

template <int Dim>
void ContactSet<Dim>::update_forecast(const ContactStep& step, const Vec<Dim>& period,
                                      const BodyViews<Dim>& views, const VelocityProblem<Dim>& problem,
                                      bool only_add, std::vector<int>& changed) {
  changed.clear();
  for (std::size_t i = 0; i < now_.size(); ++i) {
    Contact<Dim>& c = now_[i];
    double normal = 0;
    if (c.row >= 0) {
      const SweepContact<Dim>& row = problem.contacts[c.row];
      const Mat<Dim> axes = row.axes();
      remember_impulse(row, c);
      c.history.moment = world_moment(axes, row.moment);
      SweepBody<Dim> a = problem.bodies[c.a], b = problem.bodies[c.b];
      const Vec<Dim> p = axes * row.p;
      add_impulse(a, p, moment(row.arm_a, p));
      add_impulse(b, Vec<Dim>(-p), moment(row.arm_b, Vec<Dim>(-p)));
      normal = relative_velocity<Dim>(a, b, row)[0];
    } else {
      normal = passive_velocity(c, step, period, views, problem)[0];
    }
    if (!needs_forecast(c.law->kind)) continue;
    const double predicted = c.input.gap + step.h * normal;
    const bool stays = only_add || predicted <= step.h * step.tolerance_of(c.row);
    const bool forecast = c.input.forecast ? stays : predicted <= round_off(views, c);
    if (forecast != c.input.forecast) changed.push_back(static_cast<int>(i));
    c.input.forecast = forecast;
  }
}

template <int Dim>
void ContactSet<Dim>::take_in(const ContactStep& step, const Vec<Dim>& period, const BodyViews<Dim>& views,
                              const VelocityProblem<Dim>& problem, std::vector<int>& taken) {
  taken.clear();
  for (std::size_t i = 0; i < now_.size(); ++i) {
    Contact<Dim>& c = now_[i];
    if (c.row >= 0) {
      const SweepContact<Dim>& row = problem.contacts[c.row];
      remember_impulse(row, c);
      continue;
    }
    if (c.input.forecast || !needs_forecast(c.law->kind)) continue;
    const double normal = passive_velocity(c, step, period, views, problem)[0];
    if (c.input.gap_consistent + step.mean * step.h * normal > round_off(views, c)) continue;
    c.input.forecast = true;
    taken.push_back(static_cast<int>(i));
  }
}

template <int Dim>
void ContactSet<Dim>::update_points(const ContactStep& step, const Vec<Dim>& period,
                                    const BodyViews<Dim>& views, const VelocityProblem<Dim>& problem,
                                    std::vector<LawPoint>& points, std::vector<double>& errors) {
  const bool first = points.empty();
  points.resize(now_.size());
  errors.assign(problem.contacts.size(), 0.0);
  for (std::size_t i = 0; i < now_.size(); ++i) {
    Contact<Dim>& c = now_[i];
    if (is_kept(step, c)) continue;
    Vec<Dim> u = Vec<Dim>::Zero(), r = Vec<Dim>::Zero();
    bool viscous = false;
    if (c.row >= 0) {
      const SweepContact<Dim>& row = problem.contacts[c.row];
      const Mat<Dim> axes = row.axes();
      u = relative_velocity<Dim>(problem.bodies[c.a], problem.bodies[c.b], row) +
          stretch_velocity<Dim>(row, views.stretch);
      r = row.r;
      viscous = row.viscous > 0;
      remember_impulse(row, c);
      c.history.moment = problem.rolling ? world_moment(axes, row.moment) : Eigen::Vector3d::Zero();
    } else if (!is_linear(*c.law)) {
      u = passive_velocity(c, step, period, views, problem);
    }
    if (is_linear(*c.law)) continue;
    const LawInput input = law_input(step, views, c);
    if (first) points[i] = start_point(*c.law, input);
    const LawPoint there = solution_point(*c.law, input, padded<Dim>(u));
    if (c.row >= 0)
      errors[c.row] = linearisation_error(*c.law, input, points[i], viscous, padded<Dim>(u), padded<Dim>(r));
    move_point(there, points[i]);
  }
}

template <int Dim>
BondCount ContactSet<Dim>::update(const ContactStep& step, const Vec<Dim>& period,
                                  const BodyViews<Dim>& views, const VelocityProblem<Dim>& problem) {
  return parallel_reduce(
      static_cast<std::int64_t>(now_.size()), kContactsPerChunk, BondCount(),
      [&](std::int64_t begin, std::int64_t end) {
        BondCount bonds;
        for (std::int64_t i = begin; i < end; ++i) {
          const bool was = now_[i].history.bonded;
          read_back(step, period, views, problem, now_[i]);
          bonds.before += was;
          bonds.formed += !was && now_[i].history.bonded;
          bonds.broken += was && !now_[i].history.bonded;
        }
        return bonds;
      },
      [](BondCount sum, const BondCount& part) {
        sum.before += part.before, sum.formed += part.formed, sum.broken += part.broken;
        return sum;
      });
}

template <int Dim>
std::vector<double> ContactSet<Dim>::pulls() const {
  std::vector<double> pulls;
  int rows = 0;
  for (const Contact<Dim>& c : now_) {
    rows = std::max(rows, c.row + 1);
    if (c.row < 0 || !(c.terms.pull > 0)) continue;
    pulls.resize(rows, 0.0);
    pulls[c.row] = c.terms.pull;
  }
  if (!pulls.empty()) pulls.resize(rows, 0.0);
  return pulls;
}

template <int Dim>
void ContactSet<Dim>::forget_body(int slot) {
  std::erase_if(now_, [slot](const Contact<Dim>& c) { return c.a == slot || c.b == slot; });
}

template class ContactSet<2>;
template class ContactSet<3>;

}  // namespace saltus
