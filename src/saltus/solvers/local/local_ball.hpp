// One block that is not a contact: given u = A r + b, find r in the whole space or in a ball.
//
// Space: u = 0. The least change of the impulse at hand that does it, r - A^+ u, so that directions which A
// does not see keep what they have.
//
// Ball of radius R: u = -l r, l >= 0, and l = 0 inside. The solution of the whole space where it fits, else
// (A + l) r = -b with |r(l)| = R: |r| falls with l, and Newton on 1/|r|, which is nearly linear (Hebden 1973),
// is kept in a bracket. A size of 1, an interval, is one cut.
#pragma once

#include "saltus/math/small_solve.hpp"

namespace saltus {

// Components beyond `size` are padding: what W has there is not read.
template <int N>
class LocalBall {
 public:
  LocalBall(const SmallMatrix<N>& W, int size, double radius);

  // Replaces r by a solution. False where there is none: A singular, b outside its range, R infinite.
  bool solve(SmallVector<N> b, SmallVector<N>& r);

  double largest_compliance() const { return A_.diagonal().maxCoeff(); }

 private:
  bool solve_free(const SmallVector<N>& b, SmallVector<N>& r) const;
  SmallVector<N> search(const SmallVector<N>& b);

  SmallMatrix<N> A_, inverse_;  // generalised inverse where A is singular
  int size_;
  double radius_, l_ = 0;  // l of the last solve
};

}  // namespace saltus
