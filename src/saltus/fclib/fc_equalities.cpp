#include "saltus/fclib/fc_equalities.hpp"

#include <fmt/format.h>

#include "saltus/math/general_factor.hpp"

namespace saltus {

void eliminate_equalities(const FcEntries& V, const FcEntries& R, const Eigen::VectorXd& s,
                          const Hdf5Reader& reader, FcEntries& W, Eigen::VectorXd& q,
                          std::vector<std::string>& warnings) {
  if (s.size() == 0) return;
  GeneralFactor factor;
  const bool is_regular = factor.compute(build_sparse(R));
  const Eigen::SparseMatrix<double> v = build_sparse(V);
  if (!is_regular) reader.fail("R is singular: the equality constraints cannot be eliminated");
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_contact = v;
  for (int j = 0; j < by_contact.outerSize(); ++j) {
    if (by_contact.outerIndexPtr()[j] == by_contact.outerIndexPtr()[j + 1]) continue;
    const Eigen::VectorXd multiplier = factor.solve(Eigen::VectorXd(by_contact.row(j).transpose()));
    const Eigen::VectorXd column = v * multiplier;
    for (Eigen::Index i = 0; i < column.size(); ++i)
      if (column[i] != 0) W.add(i, j, -column[i]);
  }
  q -= v * factor.solve(s);
  warnings.push_back(reader.where() +
                     fmt::format(": {} equality constraints eliminated into W and q", s.size()));
}

}  // namespace saltus
