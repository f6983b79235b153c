// CHOLMOD, seen by DefiniteFactor alone.
#include <cholmod.h>
#include <dlfcn.h>

#include <algorithm>
#include <new>

#include "saltus/math/definite_factor_method.hpp"

namespace saltus {

namespace {

using Sparse = DefiniteFactor::Sparse;

// OpenBLAS with threads sums in an order that depends on their number; a BLAS of one thread has nothing to set.
class OneBlasThread {
 public:
  OneBlasThread() {
    static const auto get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
    static const auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    if (!get || !set) return;
    set_ = set;
    before_ = get();
    set_(1);
  }
  ~OneBlasThread() {
    if (set_) set_(before_);
  }
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  void (*set_)(int) = nullptr;
  int before_ = 1;
};

// A view; CHOLMOD writes to none of it.
cholmod_sparse view(const Sparse& lower) {
  cholmod_sparse matrix{};
  matrix.nrow = matrix.ncol = static_cast<std::size_t>(lower.rows());
  matrix.nzmax = static_cast<std::size_t>(lower.nonZeros());
  matrix.p = const_cast<int*>(lower.outerIndexPtr());
  matrix.i = const_cast<int*>(lower.innerIndexPtr());
  matrix.x = const_cast<double*>(lower.valuePtr());
  matrix.stype = -1;
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = CHOLMOD_REAL;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = matrix.packed = 1;
  return matrix;
}

cholmod_dense view(double* values, Eigen::Index rows, Eigen::Index columns) {
  cholmod_dense matrix{};
  matrix.nrow = matrix.d = static_cast<std::size_t>(rows);
  matrix.ncol = static_cast<std::size_t>(columns);
  matrix.nzmax = matrix.nrow * matrix.ncol;
  matrix.x = values;
  matrix.xtype = CHOLMOD_REAL;
  matrix.dtype = CHOLMOD_DOUBLE;
  return matrix;
}

class SupernodalFactor final : public DefiniteFactor::Method {
 public:
  SupernodalFactor() {
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.print = 0;
  }
  ~SupernodalFactor() override {
    for (cholmod_dense** work : {&x_, &y_, &e_}) cholmod_free_dense(work, &common_);
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }
  SupernodalFactor(const SupernodalFactor&) = delete;
  SupernodalFactor& operator=(const SupernodalFactor&) = delete;

  void analyse(const Sparse& matrix) override {
    take_lower(matrix);
    cholmod_sparse a = view(lower_);
    cholmod_free_factor(&factor_, &common_);
    factor_ = cholmod_analyze(&a, &common_);
    check_memory();
  }

  bool factor(const Sparse& matrix, double least) override {
    const OneBlasThread one;
    take_lower(matrix);
    cholmod_sparse a = view(lower_);
    cholmod_factorize(&a, factor_, &common_);
    check_memory();
    lower_ = {};
    // The ratio of the smallest to the largest diagonal entry of L, squared: that of the pivots.
    return common_.status == CHOLMOD_OK && factor_->minor == factor_->n &&
           cholmod_rcond(factor_, &common_) > least;
  }

  void solve(Eigen::VectorXd& x) override { solve_batch(x.data(), x.size(), 1); }

  // BLAS takes its sums in an order that depends on the number of columns: always as many, zero where there are none left.
  void solve(Eigen::MatrixXd& x) override {
    constexpr Eigen::Index kBatch = 32;
    for (Eigen::Index first = 0; first < x.cols(); first += kBatch) {
      const Eigen::Index count = std::min(kBatch, x.cols() - first);
      batch_.setZero(x.rows(), kBatch);
      batch_.leftCols(count) = x.middleCols(first, count);
      solve_batch(batch_.data(), x.rows(), kBatch);
      x.middleCols(first, count) = batch_.leftCols(count);
    }
  }

  std::size_t entries() const override { return factor_ ? factor_->xsize : 0; }
  bool is_supernodal() const override { return true; }

 private:
  void take_lower(const Sparse& matrix) {
    lower_ = matrix.triangularView<Eigen::Lower>();
    lower_.makeCompressed();
  }
  void solve_batch(double* values, Eigen::Index rows, Eigen::Index columns) {
    const OneBlasThread one;
    cholmod_dense b = view(values, rows, columns);
    cholmod_solve2(CHOLMOD_A, factor_, &b, nullptr, &x_, nullptr, &y_, &e_, &common_);
    check_memory();
    std::copy_n(static_cast<const double*>(x_->x), rows * columns, values);
  }
  void check_memory() const {
    if (common_.status == CHOLMOD_OUT_OF_MEMORY || common_.status == CHOLMOD_TOO_LARGE)
      throw std::bad_alloc();
  }

  cholmod_common common_;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *x_ = nullptr, *y_ = nullptr, *e_ = nullptr;  // kept from solve to solve
  Sparse lower_;
  Eigen::MatrixXd batch_;
};

}  // namespace

std::unique_ptr<DefiniteFactor::Method> build_supernodal_factor() {
  return std::make_unique<SupernodalFactor>();
}

}  // namespace saltus
