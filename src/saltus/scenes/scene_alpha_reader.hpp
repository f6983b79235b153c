// The parameters of the alpha schemes in [scheme]: rho_inf, or alpha_m, alpha_f, beta and gamma.
#pragma once

#include "saltus/scenes/scene_table.hpp"
#include "saltus/schemes/options.hpp"

namespace saltus {

// Reads nothing under another kind: the keys are then unknown to the table.
void read_alpha(TableReader& table, SchemeOptions& scheme);

}  // namespace saltus
