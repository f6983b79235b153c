// A tie of a scene, as plain data: what holds a boundary of a deformable body to a rigid body or to a boundary of another one.
#pragma once

#include <optional>
#include <string>

namespace saltus {

struct SceneTie {
  std::string name;
  std::string where;  // place in the input, opens error messages
  // Every node of the group `on[0]` of bodies[0], a deformable body, is held: to the rigid body bodies[1] (on[1] empty), or to
  // the sides on[1] of bodies[1], in the mean where on[0] is a group of sides as well.
  std::string bodies[2], on[2];
  std::optional<double>
      tolerance;  // m, that a node may be away; none: 1e-4 of the smallest extent of its body
};

}  // namespace saltus
