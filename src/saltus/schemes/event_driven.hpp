// Event-driven integration of a system with a few contacts: M(q) dv/dt = F(t, q, v) + sum of contact forces is integrated by
// an adaptive Runge-Kutta method between events (math/runge_kutta.hpp), and events are located on its steps: our own
// reference solution.
//
//   mode of a contact   what holds                            ends when
//   open                no force                              g reaches zero: impact
//   slides              g'' = 0, r_t = -mu r_n sign(u_t)      r_n reaches zero: opens; u_t reaches zero
//   sticks              g'' = 0, u_t' = 0                     r_n reaches zero; |r_t| reaches mu r_n
//
// (pushes, of a contact without friction, is `slides` with mu = 0.) At an impact all contacts that are closed take part:
// 0 <= p_n complementary to u_n+ + e u_n- >= 0, |p_t| <= mu p_n opposing u_t+ (Newton's law with Coulomb's cone; sweeps to
// round-off). After an event the modes are those for which forces and accelerations of the closed contacts satisfy
// Signorini's and Coulomb's law, found by trying all, those that stick first; where none fits (Painleve's paradox) the
// integration stops and says so. Approaches slower than kRest = 1e-9 end without a rebound.
//
// Impacts that accumulate in finite time (a ball that comes to rest) are infinitely many: after `most_events` in one call
// it stops too. What stops is taken over by time stepping.
//
// Works are integrated with the motion: the balance of energy closes to the tolerance.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "saltus/math/runge_kutta.hpp"
#include "saltus/schemes/event_driven_options.hpp"
#include "saltus/systems/coordinate_function.hpp"

namespace saltus {

struct EventContact {
  std::shared_ptr<const CoordinateFunction> gap;
  std::shared_ptr<const CoordinateFunction> tangent;  // position along the surface; null: no friction
  double restitution = 0, friction = 0;
};

// What moves: n coordinates, the forces on them, and what M(q) brings to the right side, -(dM/dt v) + 1/2 grad (v.M v), which
// is no force: its power is that of M changing under v. `inertia` is added to its argument; null: M is constant.
struct EventModel {
  int size = 0;
  std::function<void(const Eigen::VectorXd& q, Eigen::MatrixXd& mass)> mass;
  std::function<void(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& force)>
      force;
  std::function<void(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& right)> inertia;
  std::vector<EventContact> contacts;
};

enum class ContactMode { open, slides, sticks };

// What a call did. Works in J, on the system: `friction` and `impact` on the velocities of the gaps and tangents, `drives` of
// what moves these in time, -r df/dt.
struct EventReport {
  bool stopped = false;
  std::string reason;  // where it stopped
  int events = 0, impacts = 0;
  double forces = 0, friction = 0, impact = 0, drives = 0;
  std::vector<double> impact_times;
};

class EventDriven {
 public:
  EventDriven(EventModel model, EventOptions options);

  // Moves (q, v) from t to `until`. Where it stops, the state is that of the start of the call, and `report` says why. Nothing
  // is remembered between calls: the same state gives the same bits.
  EventReport advance(double t, double until, Eigen::VectorXd& q, Eigen::VectorXd& v);

  // Impulses of the last call, (n, t) of each contact: of impacts, and of forces over time.
  const std::vector<Eigen::Vector2d>& impulses() const { return impulses_; }
  const std::vector<ContactMode>& modes() const { return modes_; }
  const EventModel& model() const { return model_; }

 private:
  // f of a contact at a state: value, rate, df/dt at rest, f'' - grad f . dv/dt, and grad f over all coordinates.
  struct Row {
    double value = 0, rate = 0, moved = 0, bend = 0;
    Eigen::VectorXd gradient;
  };
  // The event of a contact: which, and what part of the step at hand has passed.
  struct Found {
    int contact = -1;
    double part = 2;
  };

  int count() const { return static_cast<int>(model_.contacts.size()); }
  bool rubs(int c) const { return model_.contacts[c].tangent && model_.contacts[c].friction > 0; }
  auto place(const Eigen::VectorXd& y) const { return y.head(model_.size); }
  auto speed(const Eigen::VectorXd& y) const { return y.segment(model_.size, model_.size); }
  // Place in y of the works of forces, friction and drives, and of the impulses of a contact.
  int works() const { return 2 * model_.size; }
  int impulse_of(int c) const { return 2 * model_.size + 3 + 2 * c; }

  void evaluate(const CoordinateFunction& f, double t, const Eigen::VectorXd& y, bool bends, Row& row) const;
  double rate_at(const CoordinateFunction& f, double t, double ahead, const Eigen::VectorXd& y,
                 double* moved = nullptr) const;
  void invert_mass();
  // Accelerations and forces of the contacts under the modes.
  void solve_forces(double t, const Eigen::VectorXd& y);
  void fill_slope(double t, const Eigen::VectorXd& y, Eigen::VectorXd& slope);
  // What becomes negative at the event of a contact; `falls`: whether it does so there.
  double event_value(int c, double t, const Eigen::VectorXd& y, bool& falls);
  Found find_event();
  double narrow(int c, double low, double high);
  double refine(int c, double t, const Eigen::VectorXd& y, double part);
  // Velocities and places of closed contacts, off by the tolerance of the integration.
  void clean(double t, Eigen::VectorXd& y);
  bool is_touching(int c, double t, const Eigen::VectorXd& y) const;
  void impact(double t, Eigen::VectorXd& y, EventReport& report);
  // Modes of the contacts that touch and do not part; false: none fit.
  bool choose_modes(double t, const Eigen::VectorXd& y, int changed);
  bool fits(double t, const Eigen::VectorXd& y, const std::vector<int>& touching);
  void tell_slow(double from, double t, double until);
  bool handle(int contact, double t, Eigen::VectorXd& y, EventReport& report);

  EventModel model_;
  EventOptions options_;
  std::vector<ContactMode> modes_;
  std::vector<double> slips_;    // sign of u_t of those that slide
  std::vector<double> offsets_;  // m, not positive: a gap that a contact was found with; its surface is there
  std::vector<Eigen::Vector2d> impulses_;

  RungeKuttaStep step_;
  double size_ = 0;         // s, of the next step
  bool told_slow_ = false;  // a call took very many steps
  RightSide right_side_;
  // Of the state that was evaluated last.
  std::vector<Row> normal_, tangent_;
  Eigen::MatrixXd mass_, inverse_;
  Eigen::VectorXd force_, right_, acceleration_;
  std::vector<Eigen::Vector2d> forces_;
  mutable Eigen::VectorXd q_, gradient_, sample_;
};

}  // namespace saltus
