// A joint as TOML text: one table of [[joints]].
#pragma once

#include "saltus/scenes/scene_text.hpp"
#include "saltus/sim/scene_joint.hpp"

namespace saltus {

template <int Dim>
void write_joint(const SceneJoint<Dim>& joint, TextWriter& out);

}  // namespace saltus
