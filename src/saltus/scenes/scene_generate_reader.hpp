// [[generate]] tables of a scene: many bodies from a few keys.
#pragma once

#include <vector>

#include "saltus/scenes/scene_context.hpp"

namespace saltus {

// The bodies of one table. `room` is how many more the scene may have; asking for more is an InputError.
template <int Dim>
std::vector<SceneBody<Dim>> read_generator(TableReader& table, SceneContext& context, std::int64_t room);

}  // namespace saltus
