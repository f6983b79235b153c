// Moreau and Jean's scheme with positions projected on the constraints (V. Acary, Projected event-capturing time-stepping
// schemes for nonsmooth mechanical systems with unilateral contact and Coulomb's friction, Comput. Methods Appl. Mech. Eng.
// 256, 2013): the stabilised formulation of index two, in which constraints hold on velocities and on positions.
//
//     M (v_(k+1) - v_k) = h F + H p,    laws of Moreau-Jean between p and the velocities
//     q_(k+1) = q_k + h (theta v_(k+1) + (1-theta) v_k) + N^-1 G tau
//     0 = c(q_(k+1)),    0 <= g(q_(k+1)) complementary to tau >= 0
//
// c are what joints and systems hold, g the gaps of contacts, systems and limits of joints, G their gradients where the
// bodies end up, N the metric: M, or the identity. The second problem moves bodies and no velocity. It is solved by
// Newton's method on the constraints, linearised again (contacts found again) at every pass, until what is left is within
// a tolerance.
//
//   direct    the velocity problem is that of moreau-jean, with its rule of activation
//   combined  laws on velocities act on the contacts that the step without them would leave overlapping, found by turns
//             from the free motion on and only ever added to; contacts that then carry an impulse end the step closed
//             (c, not g): one that rebounds starts from the surface. Where such contacts contradict each other, as four
//             corners of a warped face, they are treated as g.
//
// Contacts with an elastic layer or cohesion have their place by their force: they are not projected. Motors of joints
// are not either.
#pragma once

namespace saltus {

enum class ProjectionKind { direct, combined };
const char* name(ProjectionKind kind);

enum class ProjectionMetric { mass, identity };
const char* name(ProjectionMetric metric);

struct ProjectionOptions {
  ProjectionKind kind = ProjectionKind::combined;
  ProjectionMetric metric = ProjectionMetric::mass;
  double tolerance = 1e-12;  // m or rad, of each constraint
  int passes = 20;           // at most
};

}  // namespace saltus
