#include "saltus/fclib/fc_equalities.hpp"

#include <fmt/format.h>

#include <optional>

#include "saltus/math/dense_factor.hpp"
#include "saltus/math/general_factor.hpp"

namespace saltus {

namespace {

// R x = v where equations say the same twice (joints that hold a body more often than it needs): the smallest x. Contacts and s
// then have nothing outside the range of R; if they do, the equations contradict each other.
class DependentFactor {
 public:
  static constexpr Eigen::Index kMost = 3000;  // equations: dense, some minutes

  explicit DependentFactor(const Eigen::MatrixXd& R) : R_(R) {
    constexpr double kRank = 1e-10;  // of the largest pivot: what is left of dependent rows is round-off
    factor_.compute(R, kRank);
  }
  Eigen::VectorXd solve(const Eigen::VectorXd& v, bool& is_consistent) const {
    constexpr double kRoundOff = 1e-8;
    const Eigen::VectorXd x = factor_.solved(v);
    is_consistent = is_consistent && (R_ * x - v).norm() <= kRoundOff * v.norm();
    return x;
  }
  Eigen::Index rank() const { return factor_.rank(); }

 private:
  const Eigen::MatrixXd& R_;
  DenseLeastNorm factor_;
};

}  // namespace

void eliminate_equalities(const FcEntries& V, const FcEntries& R, const Eigen::VectorXd& s,
                          const Hdf5Reader& reader, FcEntries& W, Eigen::VectorXd& q,
                          std::vector<std::string>& warnings) {
  if (s.size() == 0) return;
  GeneralFactor factor;
  const bool is_regular = factor.compute(build_sparse(R));
  const Eigen::SparseMatrix<double> v = build_sparse(V);
  if (!is_regular && s.size() > DependentFactor::kMost)
    reader.fail(
        "R is singular: the equality constraints cannot be eliminated. Exported with --form global they are "
        "solved by "
        "fc solve --keep-bilateral");
  const Eigen::MatrixXd dense = is_regular ? Eigen::MatrixXd() : Eigen::MatrixXd(build_sparse(R));
  std::optional<DependentFactor> dependent;
  if (!is_regular) dependent.emplace(dense);
  bool is_consistent = true;
  const auto solve = [&](const Eigen::VectorXd& right) {
    return dependent ? dependent->solve(right, is_consistent) : Eigen::VectorXd(factor.solve(right));
  };
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_contact = v;
  for (int j = 0; j < by_contact.outerSize(); ++j) {
    if (by_contact.outerIndexPtr()[j] == by_contact.outerIndexPtr()[j + 1]) continue;
    const Eigen::VectorXd multiplier = solve(Eigen::VectorXd(by_contact.row(j).transpose()));
    const Eigen::VectorXd column = v * multiplier;
    for (Eigen::Index i = 0; i < column.size(); ++i)
      if (column[i] != 0) W.add(i, j, -column[i]);
  }
  q -= v * solve(s);
  if (!is_consistent) reader.fail("R is singular, and the equality constraints contradict each other");
  const std::string implied =
      dependent ? fmt::format(" ({} of them implied by others)", s.size() - dependent->rank())
                : std::string();
  warnings.push_back(reader.where() +
                     fmt::format(": {} equality constraints{} eliminated into W and q", s.size(), implied));
}

}  // namespace saltus
