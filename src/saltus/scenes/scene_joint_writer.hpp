// A joint, a tie as TOML text: one table of [[joints]], of [[ties]].
#pragma once

#include "saltus/scenes/scene_text.hpp"
#include "saltus/sim/scene_joint.hpp"
#include "saltus/sim/scene_tie.hpp"

namespace saltus {

template <int Dim>
void write_joint(const SceneJoint<Dim>& joint, TextWriter& out);
void write_tie(const SceneTie& tie, TextWriter& out);

}  // namespace saltus
