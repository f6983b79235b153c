// The set of one block of a problem whose blocks are not all contacts of one kind.
//
//   kind        impulse r                   velocity u                            De Saxce's term
//   coulomb     in K(mu, mu_r) of cone.hpp  u + (mu |u_t| + mu_r |u_w|) n in K*   yes
//   half_line   r_0 >= 0                    u_0 >= 0, r_0 u_0 = 0                 none
//   space       free                        u = 0                                 none
//   ball        |r| <= radius               |u| r = -radius u                     none
//
// `size` components are meant; those beyond it, up to the block of W, are padding: their impulse is zero and
// their velocity counts nowhere. A ball of size 1 is an interval. In a rolling problem a block of Coulomb's
// that ends before the rolling components, or has mu_r = 0, does not roll.
#pragma once

#include "saltus/solvers/cone.hpp"

namespace saltus {

enum class SetKind { coulomb, half_line, space, ball };
const char* name(SetKind kind);

struct BlockSet {
  SetKind kind = SetKind::coulomb;
  int size = 0;
  double radius = 0;  // of a ball, in units of impulse; infinite: the whole space
};

// Throws InputError, naming `block` by its number, when the set does not fit blocks of `cone`.
void check_set(const BlockSet& set, ConeKind cone, int block);

}  // namespace saltus
