// Bodies do not overlap: what a step leaves of overlap is taken back on positions, after its velocities and poses are known.
//
// A law on velocities keeps the overlaps it finds, and a step can make new ones: a corner that comes in by rotation is not among
// the points that were listed before the step. Contacts are therefore looked for again at the new poses, and those deeper
// than their slop are opened by the smallest displacement in the metric of M (contact/position_problem.hpp), to half of it, as is
// what else their bodies touch deeper than that; again, eight times as a rule, as a displacement is right to first order only, and
// more often where overlaps that can be seen are left and change. Velocities stay: in the plane and for balls the spin in world axes, for
// other bodies of space that in their own axes, so that the kinetic energy is the same to the last bit.
//
// Taken back are overlaps deeper than the law of the contact leaves (slop); contacts under gap-signorini, which takes them back itself, only
// get no deeper by it, those with a layer, cohesion or the pressure of a membrane are not looked at. Bodies of joints move as their joints allow
// (joints/joint_positions.hpp); points of systems stand, and their contacts are not looked at.
//
// Only bodies that may overlap are looked at (may_overlap): a listed contact of theirs ended the step deeper than its slop, they
// turned, not being balls, by so much that a feature that is not listed could have come in, or moved further than was
// foreseen. Later passes look at those that were moved or are still too deep.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "saltus/collision/detector.hpp"
#include "saltus/contact/contact_set.hpp"
#include "saltus/contact/position_problem.hpp"
#include "saltus/dynamics/body_set.hpp"
#include "saltus/joints/joint_set.hpp"
#include "saltus/laws/law_table.hpp"
#include "saltus/schemes/moreau_jean.hpp"

namespace saltus {

// Parts of the thickness of the thinner body.
inline constexpr double kSlop = 1e-3;          // overlaps up to this stay: what rests is not moved
inline constexpr double kForecastSlop = 5e-3;  // the same under laws that act where a contact is forecast
inline constexpr double kKept = 0.5 * kSlop;   // left of a deeper one, so that the contact remains one
inline constexpr double kFarthest = 0.25;      // no point of a body moves further in a pass

// An overlap is part of the law.
inline bool is_soft(const PairLaw& law) {
  return is_layer(law.kind) || law.kind == LawKind::pressure || law.cohesion > 0;
}

// Whether overlaps under the law are taken back. gap-signorini does so itself.
inline bool is_separated(const PairLaw& law) { return !is_soft(law) && law.kind != LawKind::gap_signorini; }

// Overlap that stays, m, of a contact whose thinner body has this thickness. Quasi-inelastic shocks keep hold of what is lifted a little.
// Laws that act where a contact is forecast let go of it: it falls for a step or two and lands as deep as bodies fall in that time. So these
// leave more, and never less than `fall`, or what stood would be lifted and fall for ever.
inline double slop(const PairLaw& law, double thickness, double fall) {
  if (law.kind == LawKind::quasi_inelastic) return kSlop * thickness;
  return std::max(kForecastSlop * thickness, fall);
}

// What a step tells.
template <int Dim>
struct SeparationInput {
  const LawTable& laws;
  std::span<const double> thickness;  // of bodies by id, m; 0: a wall or ground
  std::span<const double>
      turning;        // of bodies by id, m: how far features lie from the centre; 0: a ball, or unbounded
  double finest = 0;  // m, the smallest thickness
  double h = 0, mean = 0.5, alert = 0;
  Vec<Dim> period = Vec<Dim>::Zero(), gravity = Vec<Dim>::Zero();
  const FreeMotion<Dim>& motion;
  std::span<const SweepBody<Dim>> solved;  // velocities at the end of the step, per slot
  std::span<const char> ignored;           // per slot: a point of a system; empty: there is none
  const JointSet<Dim>* joints = nullptr;
  std::span<const int> slot_of;  // of each scene body, where there are joints

  // How far bodies fall in two steps, m.
  double fall() const { return 2 * h * h * gravity.norm(); }
};

template <int Dim>
class Separator {
 public:
  struct Overlap {
    double depth = 0;     // m, deepest
    double relative = 0;  // of the thinner body, deepest, and its slots
    int a = -1, b = -1;
  };
  // Of the last step.
  struct Result {
    bool looked = false;  // overlaps were looked for at the end of the step; else none can be
    int passes = 0;       // that moved bodies
    std::int64_t sweeps = 0;
    bool left = false;  // an overlap to be taken back is deeper than its slop after the last pass
    Overlap worst;      // in the end, under laws that are separated
    double gravity = 0, forces = 0, elastic = 0;  // J: their work on the displacements
  };

  // Finds the bodies to look at; whether there are any. `travel`: foreseen by detection in the step, per slot.
  bool may_overlap(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies,
                   std::span<const Contact<Dim>> contacts, std::span<const double> travel);
  // Looks for overlaps of these bodies and takes them back.
  const Result& run(const SeparationInput<Dim>& in, Detector<Dim>& detector, BodySet<Dim>& bodies);
  void skip() { result_ = {}; }
  // Whether the overlaps of two slots were found again at the end of the step.
  bool has_looked(int slot_a, int slot_b) const {
    return result_.looked && (looked_[slot_a] || looked_[slot_b]);
  }
  // Elastic layers follow the bodies that were moved: their gaps at the end of the step, and the work they did.
  void follow_layers(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies,
                     std::span<Contact<Dim>> contacts);

  // What springs gave, J.
  void add_elastic(double work) { result_.elastic += work; }

  const Result& result() const { return result_; }

 private:
  void measure(const ContactPoint<Dim>& p, double unit, double allowed);
  bool look(const SeparationInput<Dim>& in, Detector<Dim>& detector, const BodySet<Dim>& bodies);
  bool collect(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies,
               std::span<const ContactPoint<Dim>> points);
  void tie(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies);
  void move(const SeparationInput<Dim>& in, BodySet<Dim>& bodies);
  bool open_round(const SeparationInput<Dim>& in, Detector<Dim>& detector, const BodySet<Dim>& bodies);
  void find_thinnest(const SeparationInput<Dim>& in, const BodySet<Dim>& bodies,
                     std::span<const Contact<Dim>> contacts);
  void note_thickness(double thickness, int a, int b);

  Result result_;
  PositionProblem<Dim> problem_;
  std::vector<double> near_;               // surfaces within this take part, per slot, m
  std::vector<char> looked_;               // slots looked at in the first pass
  std::vector<char> watched_;              // and in the next
  double least_ = 0;                       // of the thinner body: shallower overlaps stay, in later rounds
  std::vector<double> depth_;              // per slot: its deepest in this pass, of the thinner body
  std::vector<double> depth_before_;       // and before the round
  Overlap deep_;                           // of the pass at hand, deeper than their slop
  Overlap shallow_;                        // of all passes, up to it
  std::vector<BodyVelocity<Dim>> moved_;   // displacements of all passes
  std::vector<double> thinnest_;           // per slot, m: of what it touches
  std::vector<double> tolerance_;          // per slot, m
  std::vector<char> given_up_;             // per slot: nothing moves it out, joints or neighbours hold it
  std::vector<std::pair<int, int>> ties_;  // slots that joints tie
};

extern template class Separator<2>;
extern template class Separator<3>;

}  // namespace saltus
