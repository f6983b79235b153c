#include "saltus/schemes/event_driven.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/log.hpp"
#include "saltus/math/dense_factor.hpp"
#include "saltus/math/small_solve.hpp"

namespace saltus {

namespace {

constexpr double kTouch = 1e-10;   // m: gaps up to this are closed
constexpr double kRest = 1e-9;     // m/s
constexpr int kSamples = 8;        // of a step, where events are looked for
constexpr int kMostTouching = 6;   // contacts whose modes are tried together: 4^6 at most
constexpr int kManySteps = 10000;  // of the integration in one call: told

double sign(double x) { return x < 0 ? -1 : 1; }

}  // namespace

EventDriven::EventDriven(EventModel model, EventOptions options)
    : model_(std::move(model)), options_(options) {
  const int n = model_.size;
  modes_.assign(count(), ContactMode::open);
  slips_.assign(count(), 0);
  offsets_.assign(count(), 0);
  impulses_.assign(count(), Eigen::Vector2d::Zero());
  forces_ = impulses_;
  normal_.resize(count());
  tangent_.resize(count());
  for (std::vector<Row>* rows : {&normal_, &tangent_})
    for (Row& row : *rows) row.gradient.setZero(n);
  mass_.setZero(n, n);
  inverse_.setZero(n, n);
  force_.setZero(n);
  right_.setZero(n);
  acceleration_.setZero(n);
  q_ = Eigen::VectorXd::Zero(n);
  if (!model_.inertia) invert_mass();
  right_side_ = [this](double t, const Eigen::VectorXd& y, Eigen::VectorXd& slope) {
    fill_slope(t, y, slope);
  };
}

// At q_.
void EventDriven::invert_mass() {
  model_.mass(q_, mass_);
  DenseCholesky(mass_).fill_inverse(inverse_);
}

double EventDriven::rate_at(const CoordinateFunction& f, double t, double ahead, const Eigen::VectorXd& y,
                            double* moved) const {
  q_ = place(y) + ahead * speed(y);
  gradient_.resize(static_cast<Eigen::Index>(f.dofs().size()));
  double rate = 0;
  f.evaluate(q_, t + ahead, gradient_, rate);
  if (moved) *moved = rate;
  for (std::size_t i = 0; i < f.dofs().size(); ++i)
    rate += gradient_[static_cast<Eigen::Index>(i)] * speed(y)[f.dofs()[i]];
  return rate;
}

void EventDriven::evaluate(const CoordinateFunction& f, double t, const Eigen::VectorXd& y, bool bends,
                           Row& row) const {
  row.rate = rate_at(f, t, 0, y, &row.moved);
  row.value = f.value(q_, t);
  row.gradient.setZero();
  for (std::size_t i = 0; i < f.dofs().size(); ++i)
    row.gradient[f.dofs()[i]] = gradient_[static_cast<Eigen::Index>(i)];
  row.bend = 0;
  if (!bends) return;
  // d/ds of the rate along the motion, by differences of fourth order over a thousandth of a unit of length or angle:
  // their error and that of rounding are about 1e-12.
  const double s = 1e-3 / (1 + speed(y).lpNorm<Eigen::Infinity>());
  row.bend = (8 * (rate_at(f, t, s, y) - rate_at(f, t, -s, y)) -
              (rate_at(f, t, 2 * s, y) - rate_at(f, t, -2 * s, y))) /
             (12 * s);
}

void EventDriven::solve_forces(double t, const Eigen::VectorXd& y) {
  q_ = place(y);
  if (model_.inertia) invert_mass();
  model_.force(t, place(y), speed(y), force_);
  right_ = force_;
  if (model_.inertia) model_.inertia(q_, speed(y), right_);
  acceleration_ = inverse_ * right_;
  // Rows g'' = 0 and u_t' = 0; columns: what a unit of each unknown force does.
  std::vector<Eigen::VectorXd> rows, columns;
  std::vector<double> right;
  for (int c = 0; c < count(); ++c) {
    forces_[c].setZero();
    const EventContact& contact = model_.contacts[c];
    if (modes_[c] == ContactMode::open) continue;
    evaluate(*contact.gap, t, y, true, normal_[c]);
    if (rubs(c)) evaluate(*contact.tangent, t, y, true, tangent_[c]);
    Eigen::VectorXd push = normal_[c].gradient;
    if (rubs(c) && modes_[c] == ContactMode::slides)
      push -= contact.friction * slips_[c] * tangent_[c].gradient;
    rows.push_back(normal_[c].gradient), columns.push_back(push);
    right.push_back(-normal_[c].bend - normal_[c].gradient.dot(acceleration_));
    if (rubs(c) && modes_[c] == ContactMode::sticks) {
      rows.push_back(tangent_[c].gradient), columns.push_back(tangent_[c].gradient);
      right.push_back(-tangent_[c].bend - tangent_[c].gradient.dot(acceleration_));
    }
  }
  if (rows.empty()) return;
  const auto size = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd W(size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j) W(i, j) = rows[i].dot(inverse_ * columns[j]);
  DenseLeastNorm factor;
  factor.compute(W);
  const Eigen::VectorXd found = factor.solved(Eigen::Map<const Eigen::VectorXd>(right.data(), size));
  Eigen::Index at = 0;
  for (int c = 0; c < count(); ++c) {
    if (modes_[c] == ContactMode::open) continue;
    acceleration_ += inverse_ * columns[at] * found[at];
    forces_[c][0] = found[at++];
    if (!rubs(c)) continue;
    if (modes_[c] == ContactMode::slides) {
      forces_[c][1] = -model_.contacts[c].friction * slips_[c] * forces_[c][0];
    } else {
      acceleration_ += inverse_ * columns[at] * found[at];
      forces_[c][1] = found[at++];
    }
  }
}

// y: q, v, works of forces, friction and drives, and the impulses of each contact.
void EventDriven::fill_slope(double t, const Eigen::VectorXd& y, Eigen::VectorXd& slope) {
  const int n = model_.size;
  solve_forces(t, y);
  slope.head(n) = speed(y);
  slope.segment(n, n) = acceleration_;
  double friction = 0, drives = 0;
  for (int c = 0; c < count(); ++c) {
    slope.segment<2>(impulse_of(c)) = forces_[c];
    if (modes_[c] == ContactMode::open) continue;
    drives -= forces_[c][0] * normal_[c].moved;
    if (!rubs(c)) continue;
    friction += forces_[c][1] * tangent_[c].rate;
    drives -= forces_[c][1] * tangent_[c].moved;
  }
  slope.segment<3>(works()) << force_.dot(speed(y)), friction, drives;
}

double EventDriven::event_value(int c, double t, const Eigen::VectorXd& y, bool& falls) {
  const EventContact& contact = model_.contacts[c];
  falls = true;
  if (modes_[c] == ContactMode::open) {
    falls = rate_at(*contact.gap, t, 0, y) < 0;
    return contact.gap->value(q_, t) - offsets_[c];
  }
  solve_forces(t, y);
  const double normal = forces_[c][0];
  if (!rubs(c)) return normal;
  if (modes_[c] == ContactMode::sticks)
    return std::min(normal, contact.friction * normal - std::abs(forces_[c][1]));
  return std::min(normal, slips_[c] * tangent_[c].rate);
}

// On the dense output, by halves: from `low`, where nothing has happened, to `high`.
double EventDriven::narrow(int c, double low, double high) {
  bool falls = false;
  for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
    const double middle = 0.5 * (low + high);
    step_.interpolate(middle, sample_);
    const double value = event_value(c, step_.start() + middle * step_.size(), sample_, falls);
    (value < 0 && falls ? high : low) = middle;
  }
  return high;
}

// The first event of the step that was taken. An open contact that turns round between two samples is looked at there.
EventDriven::Found EventDriven::find_event() {
  Found first;
  const auto at = [&](double part) { return step_.start() + part * step_.size(); };
  for (int c = 0; c < count(); ++c) {
    double low = 0, rate = 0;
    bool falls = false;
    for (int i = 1; i <= kSamples; ++i) {
      double part = static_cast<double>(i) / kSamples;
      if (low >= first.part) break;
      step_.interpolate(part, sample_);
      double value = event_value(c, at(part), sample_, falls);
      if (modes_[c] == ContactMode::open) {
        const CoordinateFunction& gap = *model_.contacts[c].gap;
        const double now = rate_at(gap, at(part), 0, sample_);
        if (value >= 0 && rate < 0 && now > 0) {
          double left = low, right = part;
          for (int k = 0; k < 40; ++k) {
            const double middle = 0.5 * (left + right);
            step_.interpolate(middle, sample_);
            (rate_at(gap, at(middle), 0, sample_) < 0 ? left : right) = middle;
          }
          step_.interpolate(left, sample_);
          value = event_value(c, at(left), sample_, falls);
          part = left;
        }
        rate = now;
      }
      if (value < 0 && falls) {
        const double found = narrow(c, low, part);
        if (found < first.part) first = {c, found};
        break;
      }
      low = static_cast<double>(i) / kSamples;
    }
  }
  return first;
}

// The same event on steps of the method itself, which are more accurate than its dense output: by secants.
double EventDriven::refine(int c, double t, const Eigen::VectorXd& y, double part) {
  const double whole = step_.size();
  double size = part * whole, last = 0, last_value = 0;
  bool falls = false;
  for (int i = 0; i < 12; ++i) {
    step_.take(right_side_, t, y, size);
    const double value = event_value(c, t + size, step_.end(), falls);
    if (value == 0) break;
    const double guess = i == 0 ? size * (1 + 1e-6) : size - value * (size - last) / (value - last_value);
    if (!std::isfinite(guess) || guess <= 0 || guess > 1.01 * whole ||
        (i > 1 && std::abs(value) >= std::abs(last_value)))
      break;
    last = size, last_value = value;
    size = guess;
  }
  if (step_.size() != size) step_.take(right_side_, t, y, size);
  return size;
}

bool EventDriven::is_touching(int c, double t, const Eigen::VectorXd& y) const {
  q_ = place(y);
  return model_.contacts[c].gap->value(q_, t) - offsets_[c] <= kTouch;
}

void EventDriven::clean(double t, Eigen::VectorXd& y) {
  const int n = model_.size;
  for (int turn = 0; turn < 2; ++turn)
    for (int c = 0; c < count(); ++c) {
      if (modes_[c] == ContactMode::open) continue;
      q_ = place(y);
      model_.mass(q_, mass_);
      const DenseCholesky solver(mass_);
      const auto correct = [&](const CoordinateFunction& f, bool places, Row& row) {
        evaluate(f, t, y, false, row);
        const Eigen::VectorXd d = solver.solved(row.gradient);
        const double mobility = row.gradient.dot(d);
        if (!(mobility > 0)) return;
        y.segment(n, n) -= row.rate / mobility * d;
        if (places) y.head(n) -= (row.value - offsets_[c]) / mobility * d;
      };
      correct(*model_.contacts[c].gap, true, normal_[c]);
      if (rubs(c) && modes_[c] == ContactMode::sticks)
        correct(*model_.contacts[c].tangent, false, tangent_[c]);
    }
}

// Newton's law with Coulomb's cone on the contacts that touch, by sweeps with the exact answer of each contact.
void EventDriven::impact(double t, Eigen::VectorXd& y, EventReport& report) {
  const int n = model_.size;
  q_ = place(y);
  model_.mass(q_, mass_);
  const DenseCholesky solver(mass_);
  std::vector<int> touching;
  for (int c = 0; c < count(); ++c) {
    if (!is_touching(c, t, y)) continue;
    touching.push_back(c);
    evaluate(*model_.contacts[c].gap, t, y, false, normal_[c]);
    if (rubs(c)) evaluate(*model_.contacts[c].tangent, t, y, false, tangent_[c]);
  }
  std::vector<Eigen::Vector2d> p(touching.size(), Eigen::Vector2d::Zero());
  Eigen::VectorXd v = speed(y);
  const auto velocity = [&](int c) {
    const Eigen::VectorXd change = v - speed(y);
    return Eigen::Vector2d(normal_[c].rate + normal_[c].gradient.dot(change),
                           rubs(c) ? tangent_[c].rate + tangent_[c].gradient.dot(change) : 0.0);
  };
  constexpr int kSweeps = 100000;
  double moved = 1, size = 1;
  for (int sweep = 0; sweep < kSweeps && moved > 1e-16 * size; ++sweep) {
    moved = size = 0;
    for (std::size_t i = 0; i < touching.size(); ++i) {
      const int c = touching[i];
      const EventContact& contact = model_.contacts[c];
      const Eigen::VectorXd dn = solver.solved(normal_[c].gradient),
                            dt = rubs(c) ? solver.solved(tangent_[c].gradient) : Eigen::VectorXd::Zero(n);
      const Eigen::Vector2d old = p[i];
      v -= dn * old[0] + dt * old[1];
      Eigen::Vector2d b = velocity(c);
      b[0] += contact.restitution * std::min(0.0, normal_[c].rate);
      Eigen::Matrix2d W = Eigen::Matrix2d::Identity();
      W(0, 0) = normal_[c].gradient.dot(dn);
      if (rubs(c))
        W << W(0, 0), normal_[c].gradient.dot(dt), tangent_[c].gradient.dot(dn), tangent_[c].gradient.dot(dt);
      p[i].setZero();
      if (b[0] < 0 && W(0, 0) > 0) {
        if (!rubs(c)) {
          p[i][0] = -b[0] / W(0, 0);
        } else {
          Eigen::Vector2d r = -solve_small<2>(W, b);
          if (std::abs(r[1]) > contact.friction * r[0])
            for (const double side : {1.0, -1.0}) {
              const Eigen::Vector2d along(1, side * contact.friction);
              const double push = -b[0] / W.row(0).dot(along);
              r = push * along;
              if (push >= 0 && side * (b[1] + W.row(1).dot(r)) <= 0) break;
            }
          p[i] = r;
        }
      }
      v += dn * p[i][0] + dt * p[i][1];
      moved = std::max(moved, (p[i] - old).norm());
      size = std::max(size, p[i].norm());
    }
    if (size == 0) break;
  }
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const int c = touching[i];
    const Eigen::Vector2d before(normal_[c].rate, rubs(c) ? tangent_[c].rate : 0.0);
    const Eigen::Vector2d mean = 0.5 * (velocity(c) + before);
    report.impact += p[i][0] * mean[0];
    report.friction += p[i][1] * mean[1];
    report.drives -= p[i][0] * normal_[c].moved + (rubs(c) ? p[i][1] * tangent_[c].moved : 0.0);
    y.segment<2>(impulse_of(c)) += p[i];
  }
  y.segment(n, n) = v;
  ++report.impacts;
  report.impact_times.push_back(t);
}

bool EventDriven::fits(double t, const Eigen::VectorXd& y, const std::vector<int>& touching) {
  constexpr double kSlack = 1e-9;
  solve_forces(t, y);
  const double size = 1e-300 + kSlack * (right_.norm() + static_cast<double>(forces_.size()));
  for (const int c : touching) {
    const EventContact& contact = model_.contacts[c];
    if (modes_[c] == ContactMode::open) {
      evaluate(*contact.gap, t, y, true, normal_[c]);
      if (normal_[c].bend + normal_[c].gradient.dot(acceleration_) < -kSlack * (1 + acceleration_.norm()))
        return false;
      continue;
    }
    if (forces_[c][0] < -size) return false;
    if (!rubs(c)) continue;
    if (modes_[c] == ContactMode::sticks) {
      if (std::abs(forces_[c][1]) > contact.friction * forces_[c][0] + size) return false;
    } else if (std::abs(tangent_[c].rate) <= kRest) {
      const double speeding = tangent_[c].bend + tangent_[c].gradient.dot(acceleration_);
      if (slips_[c] * speeding < -kSlack * (1 + acceleration_.norm())) return false;
    }
  }
  return true;
}

// `changed`: a contact whose present mode has just ended; it is tried last.
bool EventDriven::choose_modes(double t, const Eigen::VectorXd& y, int changed) {
  struct Choice {
    ContactMode mode;
    double slip;
  };
  std::vector<int> touching;
  std::vector<std::vector<Choice>> choices;
  for (int c = 0; c < count(); ++c) {
    if (!is_touching(c, t, y) || rate_at(*model_.contacts[c].gap, t, 0, y) > kRest) {
      modes_[c] = ContactMode::open;
      continue;
    }
    touching.push_back(c);
    std::vector<Choice>& list = choices.emplace_back();
    const double slip = rubs(c) ? rate_at(*model_.contacts[c].tangent, t, 0, y) : 0;
    if (!rubs(c)) {
      list = {{ContactMode::slides, 0}};
    } else if (std::abs(slip) > kRest) {
      list = {{ContactMode::slides, sign(slip)}};
    } else {
      list = {{ContactMode::sticks, 0}, {ContactMode::slides, 1}, {ContactMode::slides, -1}};
    }
    list.push_back({ContactMode::open, 0});
    if (c == changed) {
      const auto same = [&](const Choice& x) {
        return x.mode == modes_[c] && (x.mode != ContactMode::slides || x.slip == slips_[c]);
      };
      std::stable_partition(list.begin(), list.end(), [&](const Choice& x) { return !same(x); });
    }
  }
  if (static_cast<int>(touching.size()) > kMostTouching) return false;
  std::vector<std::size_t> at(touching.size(), 0);
  for (;;) {
    for (std::size_t i = 0; i < touching.size(); ++i) {
      modes_[touching[i]] = choices[i][at[i]].mode;
      slips_[touching[i]] = choices[i][at[i]].slip;
    }
    if (fits(t, y, touching)) return true;
    std::size_t i = 0;
    while (i < touching.size() && ++at[i] == choices[i].size()) at[i++] = 0;
    if (i == touching.size()) return touching.empty();
  }
}

bool EventDriven::handle(int contact, double t, Eigen::VectorXd& y, EventReport& report) {
  const bool hits = contact >= 0 && modes_[contact] == ContactMode::open;
  bool approaches = false;
  for (int c = 0; c < count(); ++c)
    approaches |= is_touching(c, t, y) && rate_at(*model_.contacts[c].gap, t, 0, y) < -kRest;
  if (approaches) impact(t, y, report);
  if (choose_modes(t, y, hits ? -1 : contact)) {
    clean(t, y);
    return true;
  }
  report.stopped = true;
  report.reason = fmt::format(
      "no state of the contacts that touch at t = {:.9g} s satisfies Signorini's and Coulomb's law, or more "
      "than {} touch",
      t, kMostTouching);
  return false;
}

void EventDriven::tell_slow(double from, double t, double until) {
  if (told_slow_) return;
  told_slow_ = true;
  const double done = t - from;
  log_warning(
      "event-driven: {} steps of the integration took the motion from t = {:.9g} s to {:.9g} s, {:.2g} s "
      "each; "
      "until the end of this h, {:.9g} s, it would take {:.2g}. The motion is stiff for an explicit method: "
      "a "
      "larger event_tolerance (now {:g}) helps where its fast part is of no interest, else an implicit "
      "scheme "
      "(generalized-alpha, moreau-jean)",
      kManySteps, from, t, done / kManySteps, until, kManySteps * (until - t) / done, options_.tolerance);
}

EventReport EventDriven::advance(double t, double until, Eigen::VectorXd& q, Eigen::VectorXd& v) {
  const int n = model_.size;
  EventReport report;
  Eigen::VectorXd y = Eigen::VectorXd::Zero(impulse_of(count()));
  y.head(n) = q;
  y.segment(n, n) = v;
  sample_ = y;
  const double span = until - t;
  size_ = 0.1 * span;
  for (int c = 0; c < count(); ++c) {
    modes_[c] = ContactMode::open;
    offsets_[c] = std::min(0.0, model_.contacts[c].gap->value(q, t));
  }
  if (!handle(-1, t, y, report)) return report;
  const double from = t;
  int steps = 0;
  while (until - t > 1e-14 * (std::abs(until) + span)) {
    const double size = std::min(size_, until - t);
    step_.take(right_side_, t, y, size);
    if (++steps == kManySteps) tell_slow(from, t, until);
    const double error = step_.error(options_.tolerance);
    if (!(error <= 1)) {
      size_ = next_step_size(size, error);
      if (size_ > 1e-13 * span) continue;
      report.stopped = true;
      report.reason = fmt::format("the integration cannot keep its tolerance at t = {:.9g} s", t);
      break;
    }
    const Found event = find_event();
    if (event.contact < 0) {
      y = step_.end();
      t += size;
      clean(t, y);
      if (size == size_ || error > 0.5) size_ = next_step_size(size, error);
      continue;
    }
    const double passed = refine(event.contact, t, y, event.part);
    y = step_.end();
    t += passed;
    if (++report.events > options_.most_events) {
      report.stopped = true;
      report.reason =
          fmt::format("more than {} events up to t = {:.9g} s: impacts accumulate", options_.most_events, t);
      break;
    }
    if (!handle(event.contact, t, y, report)) break;
  }
  if (report.stopped) return report;
  q = y.head(n);
  v = y.segment(n, n);
  report.forces = y[works()];
  report.friction += y[works() + 1];
  report.drives += y[works() + 2];
  for (int c = 0; c < count(); ++c) impulses_[c] = y.segment<2>(impulse_of(c));
  return report;
}

}  // namespace saltus
