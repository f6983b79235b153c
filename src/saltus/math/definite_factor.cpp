#include "saltus/math/definite_factor.hpp"

#include <Eigen/SparseCholesky>
#include <cassert>

#include "saltus/math/definite_factor_method.hpp"

namespace saltus {

namespace {

class SimplicialFactor final : public DefiniteFactor::Method {
 public:
  void analyse(const DefiniteFactor::Sparse& matrix) override { solver_.analyzePattern(matrix); }

  bool factor(const DefiniteFactor::Sparse& matrix, double least) override {
    solver_.factorize(matrix);
    if (solver_.info() != Eigen::Success) return false;
    diagonal_ = solver_.vectorD();
    return diagonal_.size() == 0 || diagonal_.minCoeff() > least * diagonal_.maxCoeff();
  }

  // The steps of Eigen's solve, which makes a mask for its permutation every time.
  void solve(Eigen::VectorXd& x) override {
    const auto& place = solver_.permutationP().indices();
    permuted_.resize(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) permuted_[place[i]] = x[i];
    solver_.matrixL().solveInPlace(permuted_);
    permuted_.array() /= diagonal_.array();
    solver_.matrixU().solveInPlace(permuted_);
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = permuted_[place[i]];
  }

  void solve(Eigen::MatrixXd& x) override {
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      column_ = x.col(j);
      solve(column_);
      x.col(j) = column_;
    }
  }

  std::size_t entries() const override {
    return static_cast<std::size_t>(solver_.matrixL().nestedExpression().nonZeros());
  }
  bool is_supernodal() const override { return false; }

 private:
  Eigen::SimplicialLDLT<DefiniteFactor::Sparse> solver_;
  Eigen::VectorXd diagonal_, permuted_, column_;
};

}  // namespace

std::unique_ptr<DefiniteFactor::Method> build_simplicial_factor() {
  return std::make_unique<SimplicialFactor>();
}

DefiniteFactor::DefiniteFactor(Kind kind) : kind_(kind) {}
DefiniteFactor::~DefiniteFactor() = default;
DefiniteFactor::DefiniteFactor(DefiniteFactor&&) noexcept = default;
DefiniteFactor& DefiniteFactor::operator=(DefiniteFactor&&) noexcept = default;

void DefiniteFactor::analyse(const Sparse& matrix) {
  rows_ = matrix.rows();
  const bool by_supernodes = kind_ == Kind::supernodal || (kind_ == Kind::by_size && rows_ >= kLarge);
  method_ = by_supernodes ? build_supernodal_factor() : build_simplicial_factor();
  method_->analyse(matrix);
}

bool DefiniteFactor::factor(const Sparse& matrix, double least) {
  assert(method_ && matrix.rows() == rows_);
  return method_->factor(matrix, least);
}

void DefiniteFactor::solve(Eigen::VectorXd& x) const { method_->solve(x); }
void DefiniteFactor::solve(Eigen::MatrixXd& x) const { method_->solve(x); }
bool DefiniteFactor::is_supernodal() const { return method_ && method_->is_supernodal(); }
std::size_t DefiniteFactor::entries() const { return method_ ? method_->entries() : 0; }

}  // namespace saltus
