#include "saltus/solvers/sweeps/matrix_sweeps.hpp"

#include <cmath>
#include <vector>

#include "saltus/solvers/local/cascade.hpp"
#include "saltus/solvers/local/local_mixed.hpp"
#include "saltus/solvers/local/local_newton.hpp"
#include "saltus/solvers/sweeps/matrix_kernel.hpp"

namespace saltus {

class MatrixSweeps::Sweeper {
 public:
  virtual ~Sweeper() = default;
  virtual double sweep(Eigen::VectorXd& r, SweepDirection direction) = 0;
  std::int64_t updates = 0;
  int unsolved = 0, ambiguous = 0;
};

namespace {

// Newton first, the cascade when it fails: what `newton` asks for.
template <class C>
class NewtonContact {
 public:
  NewtonContact(const typename C::Matrix& W, double mu, double mu_r)
      : cascade_(W, mu, mu_r), mu_(mu), mu_r_(mu_r) {}
  bool solve(const double* W, const typename C::Vector& b, typename C::Vector& r) {
    return solve_newton<C>(Eigen::Map<const typename C::Matrix>(W), b, mu_, mu_r_, r) ||
           cascade_.solve(W, b, r);
  }
  double normal_compliance() const { return cascade_.normal_compliance(); }
  bool ambiguous() const { return cascade_.ambiguous(); }

 private:
  typename CascadeOf<C>::Type cascade_;
  double mu_, mu_r_;
};

template <class C>
class ProjectionContact {
 public:
  ProjectionContact(const typename C::Matrix& W, double mu, double mu_r)
      : cascade_(W, mu, mu_r), mu_(mu), mu_r_(mu_r) {}
  bool solve(const double* W, const typename C::Vector& b, typename C::Vector& r) {
    update_projection<C>(Eigen::Map<const typename C::Matrix>(W), b, mu_, mu_r_, r);
    return true;
  }
  double normal_compliance() const { return cascade_.normal_compliance(); }
  bool ambiguous() const { return cascade_.ambiguous(); }

 private:
  typename CascadeOf<C>::Type cascade_;
  double mu_, mu_r_;
};

template <class Contact, class C>
Contact build_contact(const typename C::Matrix& W, const ConeLaw<C>& law) {
  return Contact(W, law.mu, law.mu_r);
}
template <class Contact, class C>
Contact build_contact(const typename C::Matrix& W, const MixedLaw<C>& law) {
  return Contact(W, law);
}

template <class C, class Contact>
class BlockSweeper final : public MatrixSweeps::Sweeper {
 public:
  explicit BlockSweeper(const ContactProblem& problem) : problem_(problem) {
    contacts_.reserve(problem.contacts());
    for (int c = 0; c < problem.contacts(); ++c) {
      const Eigen::Map<const typename C::Matrix> W(problem.W.block_at(problem.W.diagonal[c]));
      contacts_.push_back(build_contact<Contact>(W, law_of<C>(problem, c)));
      ambiguous += contacts_.back().ambiguous();
    }
  }

  double sweep(Eigen::VectorXd& r, SweepDirection direction) override {
    using Vector = typename C::Vector;
    const BlockMatrix& W = problem_.W;
    double* impulse = r.data();
    const double* b = problem_.b.data();
    double change = 0;
    int failures = 0;
    const int step = direction == SweepDirection::forward ? 1 : -1;
    int c = direction == SweepDirection::forward ? 0 : W.rows - 1;
    for (int i = 0; i < W.rows; ++i, c += step) {
      const Vector free = kernel::sum_neighbours<C>(W, c, impulse, b);
      Eigen::Map<Vector> own(impulse + std::ptrdiff_t(c) * C::kSize);
      const Vector before = own;
      Vector after = before;
      failures += !contacts_[c].solve(W.block_at(W.diagonal[c]), free, after);
      own = after;
      const double weight = contacts_[c].normal_compliance();
      change += weight * weight * (after - before).squaredNorm();
    }
    updates += W.rows;
    unsolved = failures;
    return std::sqrt(change);
  }

 private:
  const ContactProblem& problem_;
  std::vector<Contact> contacts_;
};

template <class B, class Contact>
struct ContactIn {
  using Type = Contact;
};
template <class C, class Contact>
struct ContactIn<Mixed<C>, Contact> {
  using Type = LocalMixed<C, Contact>;
};

template <class B, class Contact>
std::unique_ptr<MatrixSweeps::Sweeper> build_sweeper(const ContactProblem& problem) {
  return std::make_unique<BlockSweeper<B, typename ContactIn<B, Contact>::Type>>(problem);
}

}  // namespace

MatrixSweeps::MatrixSweeps(const ContactProblem& problem, LocalSolverKind local) {
  with_blocks(problem, [&](auto block) {
    using B = decltype(block);
    using C = typename B::Plain;
    switch (local) {
      case LocalSolverKind::newton: sweeper_ = build_sweeper<B, NewtonContact<C>>(problem); break;
      case LocalSolverKind::projection: sweeper_ = build_sweeper<B, ProjectionContact<C>>(problem); break;
      case LocalSolverKind::cascade: sweeper_ = build_sweeper<B, typename CascadeOf<C>::Type>(problem);
    }
  });
}

MatrixSweeps::~MatrixSweeps() = default;
MatrixSweeps::MatrixSweeps(MatrixSweeps&&) noexcept = default;
MatrixSweeps& MatrixSweeps::operator=(MatrixSweeps&&) noexcept = default;

double MatrixSweeps::sweep(Eigen::VectorXd& r, SweepDirection direction) {
  ++sweeps_;
  return sweeper_->sweep(r, direction);
}

std::int64_t MatrixSweeps::contact_updates() const { return sweeper_->updates; }
int MatrixSweeps::unsolved() const { return sweeper_->unsolved; }
int MatrixSweeps::ambiguous() const { return sweeper_->ambiguous; }

}  // namespace saltus
