// Functions of time in a scene:
//
//     2.5                                                  constant
//     "0.1*sin(2*pi*t)"                                    formula of t
//     { amplitude = 0.1, frequency = 2, phase = 0, mean = 0 }
//     { times = [0, 1, 3], values = [0, 2, 2] }
//     { file = "quake.txt", spacing = 0.01, scale = 9.81 }
#pragma once

#include <string>

#include "saltus/dynamics/time_function.hpp"
#include "saltus/scenes/scene_context.hpp"

namespace saltus {

TimeFunction read_function(TableReader& table, std::string_view key, SceneContext& context);

}  // namespace saltus
