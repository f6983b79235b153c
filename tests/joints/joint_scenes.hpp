// Small mechanisms that tests of joints share.
#pragma once

#include "sim/sim_scenes.hpp"

namespace saltus::test {

inline Scene<2> bare_scene_2d(double h, bool gravity = true) {
  Scene<2> result = scene<2>(law(LawKind::newton), h);
  if (!gravity) result.gravity.setZero();
  return result;
}
inline Scene<3> bare_scene_3d(double h, bool gravity = true) {
  Scene<3> result = scene<3>(law(LawKind::newton), h);
  if (!gravity) result.gravity.setZero();
  return result;
}

// A body of mass 1 with a given inertia about its centre.
inline SceneBody<2> unit_body(const std::string& name, const Vec<2>& at, double inertia = 0.1,
                              double mass = 1) {
  SceneBody<2> result = body<2>(Ball<2>{0.1}, at);
  result.name = name;
  result.mass = mass;
  result.inertia = Inertia<2>(inertia);
  return result;
}
inline SceneBody<3> unit_body(const std::string& name, const Vec<3>& at,
                              const Vec<3>& inertia = Vec<3>(0.1, 0.1, 0.1), double mass = 1) {
  SceneBody<3> result = body<3>(Ball<3>{0.1}, at);
  result.name = name;
  result.mass = mass;
  result.inertia = Inertia<3>(inertia.asDiagonal());
  return result;
}

template <int Dim>
SceneJoint<Dim> joint(JointKind kind, const std::string& a, const std::string& b, const Vec<Dim>& point,
                      const Vec<3>& axis = Vec<3>::Zero()) {
  SceneJoint<Dim> result;
  result.kind = kind;
  result.a = a;
  result.b = b;
  result.points[0] = result.points[1] = point;
  result.axis = axis;
  return result;
}

template <int Dim>
SceneJoint<Dim> between_points(JointKind kind, const std::string& a, const std::string& b,
                               const Vec<Dim>& first, const Vec<Dim>& second) {
  SceneJoint<Dim> result = joint<Dim>(kind, a, b, first);
  result.points[1] = second;
  return result;
}

}  // namespace saltus::test
