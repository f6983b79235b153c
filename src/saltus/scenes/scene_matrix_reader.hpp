// Square matrices in a scene:
//
//     [[2, -1], [-1, 2]]                                                       rows
//     { diagonal = [1, 2, 3] }
//     { tridiagonal = { size = 100, diagonal = 2, off = -1, ends = 1 } }       symmetric; ends: of the diagonal
//     { size = 100, entries = [[0, 0, 1.5], [0, 3, 2]] }                       row, column (from 0), value
//     { file = "K.mtx" }                                                       Matrix Market, coordinate text
#pragma once

#include "saltus/scenes/scene_context.hpp"

namespace saltus {

SceneMatrix read_matrix(TableReader& table, std::string_view key, SceneContext& context);

// The text of a Matrix Market file: `matrix coordinate`, real or integer, general or symmetric. `where` opens
// messages; `largest`: most rows.
SceneMatrix parse_matrix_market(std::string_view text, const std::string& where, std::int64_t largest);

}  // namespace saltus
