// The contacts of a step: matched with those of the last one, turned into a velocity problem by their
// laws, and read back after the solve.
//
// A contact is the same as one of the last step when bodies, features and periodic image agree: it
// inherits the impulse (the warm start) and the history of its law. The order is the detector's.
//
// Names of features can change where nothing else does: corners of flat faces that lie on each other pass for corners
// of the one, of the other, or for crossings, by the last digits. A contact without a namesake is therefore the same as
// one of the same two bodies whose name is gone and which was there, within a hundredth of the smaller body, when it is
// carried along by body a: bond, slip and status go on. A bond whose contact is gone is passed on to one there that has
// none. Otherwise a contact without a namesake starts from the impulse of the nearest of these,
// which is a guess for the solver and no more.
//
// Slots of one family are pieces of one surface (facets of a deformable body). What slides from one of them to the next takes
// its contact along: one that it had with the family, has no more, and that was where it carried the point to.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "saltus/collision/contact_point.hpp"
#include "saltus/dynamics/body_set.hpp"
#include "saltus/laws/law_table.hpp"
#include "saltus/solvers/velocity_problem.hpp"

namespace saltus {

// What a contact keeps of the input of its law and of what the law made of it: the rest is the same for all
// contacts of a step, or is in the problem.
template <int Dim>
struct ContactInput {
  double gap = 0;                 // g, m, at the start of the step
  double gap_consistent = 0;      // g~
  Vec<Dim> u = Vec<Dim>::Zero();  // u-: (n, t, s)
  Vec<Dim> before =
      Vec<Dim>::Zero();   // u at the end of the last step, world axes, of a contact that carried an impulse
  bool carried = false;   // it did
  bool forecast = false;  // implicit activation, and landing
  bool initial = false;   // of the first step of a run
};
struct ContactTerms {
  double pull = 0;  // h C: the true normal impulse is r_n - pull
};

template <int Dim>
struct Contact {
  int a = -1, b = -1;  // slots
  std::uint64_t feature = 0;
  IntVec<Dim> image = IntVec<Dim>::Zero();
  int row = -1;        // index in the problem; -1: not active
  float residual = 0;  // after the solve, m/s: of its law, as the solver judged it; 0 where it is not active
  const PairLaw* law = nullptr;
  Vec<Dim> point = Vec<Dim>::Zero();
  Vec<Dim> normal = Vec<Dim>::Unit(0);
  ContactInput<Dim> input;
  ContactTerms terms;
  ContactHistory history;

  // After the solve.
  Vec<Dim> impulse = Vec<Dim>::Zero();   // true, on b, in the frame: pull and viscous part included
  Vec<Dim> velocity = Vec<Dim>::Zero();  // u at the end of the step (before the solve: without impulses)
  double gap_end = 0;                    // g + h u_theta,n

  Mat<Dim> axes() const { return contact_axes(normal); }
  Spin<Dim> moment() const { return history.moment.template tail<kSpins<Dim>>(); }  // rolling, world axes
};

// What the laws of a step depend on, and where H is taken.
struct ContactStep {
  double h = 0;
  double mean = 0.5;  // weight of the end of the step in the velocity that displaces
  Activation activation = Activation::consistent;
  double activation_gamma = 0;
  double velocity_tolerance = 0;  // m/s, asked of the solver: what slides, and (implicit) what rests
  std::span<const double>
      velocity_tolerances;         // the same of each row of the problem; none: of all the one above
  double left_open = 0;            // m: gaps that the tolerance of the solver may leave at contacts that act
  bool detected_at_start = false;  // gaps are g (otherwise g~)
  bool on_positions = false;       // laws hold on gaps (Schatzman and Paoli)
  bool predicted_arms = false;     // lever arms from the centres at q + h v
  bool forecast_known = false;     // implicit activation: keep what update_forecast found
  std::span<const LawPoint> points;  // per contact, for laws that are not linear; none: their own guess
  // Per slot: its group is solved and stays as it is, rows, impulses, velocities and points of laws; none: there is no such group.
  std::span<const char> kept;

  double tolerance_of(int row) const {
    return velocity_tolerances.empty() || row < 0 ? velocity_tolerance : velocity_tolerances[row];
  }
};

// Per slot: where bodies were when contacts were detected, and their velocities at the start of the
// step and without contact.
template <int Dim>
struct BodyViews {
  std::span<const Pose<Dim>> pose;
  std::span<const BodyVelocity<Dim>> start;
  std::span<const SweepBody<Dim>> free;
  std::span<const BodyModel<Dim>> model;  // their sizes, read where a law has cohesion
  // What facets of deformable bodies stretch by, 1/s: a point of slot s goes with v + w x arm + stretch[s] arm. At the start of
  // the step; and as the bodies of the problem do, free before the solve and solved after it. Empty: all are rigid.
  std::span<const Mat<Dim>> stretch_start = {}, stretch = {};
};

// Bonds of a step: those it started with, and what became of them.
struct BondCount {
  int before = 0, formed = 0, broken = 0;
  int after() const { return before + formed - broken; }
};

template <int Dim>
class ContactSet {
 public:
  // Takes the contacts of a new step of length h and their histories from the last one; `initial` is true at the
  // first step of a run, where bonds are made. Throws InputError for a pair of materials without a law.
  // `family`: of each slot, -1: none; empty: of none.
  void match(std::span<const ContactPoint<Dim>> points, const BodySet<Dim>& bodies, const LawTable& laws,
             double h, bool initial, std::span<const int> family = {});

  // Fills the problem with the active contacts; bodies are the slots. May be called again in the same step, with the problem of
  // the last call: groups that are kept are as they were there.
  void build_problem(const ContactStep& step, const Vec<Dim>& period, const BodyViews<Dim>& views,
                     VelocityProblem<Dim>& problem);

  // h C of the rows of the problem, N s, which is in the velocities of its bodies; empty: none has a bond.
  std::vector<double> pulls() const;

  // Implicit activation: which contacts the solution of the problem forecasts, and its impulses as the next
  // warm start. Lists those that changed: then build_problem, with forecast_known, makes the problem to
  // solve next. A contact at rest stays as it is (within the velocity tolerance); with `only_add` none is
  // left out.
  void update_forecast(const ContactStep& step, const Vec<Dim>& period, const BodyViews<Dim>& views,
                       const VelocityProblem<Dim>& problem, bool only_add, std::vector<int>& changed);

  // Activation by landing: takes in the contacts that the solution of the problem would leave overlapping, and lists
  // them: then build_problem, with forecast_known.
  void take_in(const ContactStep& step, const Vec<Dim>& period, const BodyViews<Dim>& views,
               const VelocityProblem<Dim>& problem, std::vector<int>& taken);

  // Laws that are not linear in the velocity: moves the points of their contacts to where the solution of the
  // problem stands, with its impulses as the next warm start. The problem was built with `points`, or with
  // their own guess when there are none. `errors`, per row: those of the laws as they were linearised, N s.
  void update_points(const ContactStep& step, const Vec<Dim>& period, const BodyViews<Dim>& views,
                     const VelocityProblem<Dim>& problem, std::vector<LawPoint>& points,
                     std::vector<double>& errors);

  // Reads impulses and velocities back and lets the laws remember.
  BondCount update(const ContactStep& step, const Vec<Dim>& period, const BodyViews<Dim>& views,
                   const VelocityProblem<Dim>& problem);

  // Histories of contacts with a body that is gone.
  void forget_body(int slot);

  std::vector<Contact<Dim>>& contacts() { return now_; }
  const std::vector<Contact<Dim>>& contacts() const { return now_; }

 private:
  // A contact of the last step: its identity and what it remembers.
  struct Memory {
    int a, b;
    std::uint64_t feature;
    IntVec<Dim> image;
    Vec<Dim> point;
    Vec<Dim> velocity;  // at the end of the last step, world axes
    ContactHistory history;
    bool passed_on;  // to a contact of this step

    auto key() const { return contact_order(a, b, image, feature); }
    auto pair() const { return contact_order(a, b, image, kNoFeature); }
  };
  static constexpr std::uint64_t kNoFeature = 0;

  std::size_t match_pair(std::span<const ContactPoint<Dim>> points, const BodySet<Dim>& bodies, double h,
                         std::size_t first, std::size_t& cursor);
  void adopt_histories(std::span<Contact<Dim>> contacts, const BodySet<Dim>& bodies, double h,
                       std::span<Memory> memories);
  void adopt_bonds(std::span<Contact<Dim>> contacts, const BodySet<Dim>& bodies, double h,
                   std::span<Memory> memories);
  void adopt_impulses(std::span<Contact<Dim>> contacts, std::span<Memory> memories);
  void adopt_from_family(std::span<const int> family, const BodySet<Dim>& bodies, double h);

  std::vector<Contact<Dim>> now_;
  std::vector<SweepContact<Dim>> rows_before_;  // of the problem that is built again
  std::vector<Memory> last_;
  // Of `adopt_from_family`: contacts that ended, by who touched which family.
  struct Ended {
    int partner, family, memory;
  };
  std::vector<Ended> ended_;
};

extern template class ContactSet<2>;
extern template class ContactSet<3>;

}  // namespace saltus
