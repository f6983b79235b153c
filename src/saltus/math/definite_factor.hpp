// Factor of a sparse symmetric positive definite matrix, ordered once for a pattern.
//
// Small matrices: L D L^T of Eigen, entry by entry. Large ones: L L^T of CHOLMOD, by supernodes with BLAS, ordered by minimum degree or
// nested dissection, whichever fills in less. A body in space of 10^5 degrees of freedom is out of reach of the first.
//
// Same input, same bits: BLAS is held to one thread, and a column that is solved with others comes out as it does by itself.
#pragma once

#include <Eigen/SparseCore>
#include <cstddef>
#include <memory>

namespace saltus {

class DefiniteFactor {
 public:
  using Sparse = Eigen::SparseMatrix<double>;
  enum class Kind { by_size, simplicial, supernodal };
  // From so many rows on supernodes are faster, ordering and all.
  static constexpr Eigen::Index kLarge = 4000;

  explicit DefiniteFactor(Kind kind = Kind::by_size);
  ~DefiniteFactor();
  DefiniteFactor(DefiniteFactor&&) noexcept;
  DefiniteFactor& operator=(DefiniteFactor&&) noexcept;

  // Orders the rows; of the matrix the lower triangle is read, here and below.
  void analyse(const Sparse& matrix);
  // A matrix with the pattern that was analysed. False: not positive definite, or a pivot (of L D L^T) is no more than `least` of
  // the largest; there is nothing to solve with then.
  bool factor(const Sparse& matrix, double least = 0);
  bool compute(const Sparse& matrix, double least = 0) {
    analyse(matrix);
    return factor(matrix, least);
  }

  // x := A^-1 x, of a vector, and of each column, to the same bits with any others beside it.
  void solve(Eigen::VectorXd& x) const;
  void solve(Eigen::MatrixXd& x) const;

  Eigen::Index rows() const { return rows_; }  // that were analysed
  bool is_supernodal() const;
  std::size_t entries() const;  // of L, of which each is a number held

  struct Method;  // one of the two

 private:
  Kind kind_;
  Eigen::Index rows_ = 0;
  std::unique_ptr<Method> method_;
};

}  // namespace saltus
