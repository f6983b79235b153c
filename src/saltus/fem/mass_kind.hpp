// How the mass of an element is given to its nodes.
#pragma once

namespace saltus {

// consistent: integral of rho N_i N_j. lumped: diagonal, the consistent one's diagonal scaled to the whole mass.
enum class MassKind { consistent, lumped };

}  // namespace saltus
