#include <fmt/format.h>

#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/files/hdf5_writer.hpp"
#include "saltus/solvers/bilateral.hpp"

namespace saltus {

namespace {

void write_sizes(const std::string& path, int rows, int cols, int nz, int entries, Hdf5Writer& writer) {
  writer.integers(path + "/m", {rows});
  writer.integers(path + "/n", {cols});
  writer.integers(path + "/nz", {nz});
  writer.integers(path + "/nzmax", {entries});
}

// Compressed rows, what Siconos writes for W. Zeros within blocks are left out.
void write_rows(const std::string& path, const BlockMatrix& matrix, Hdf5Writer& writer) {
  const int block = matrix.block, size = matrix.size();
  std::vector<int> begin(1, 0), column;
  std::vector<double> value;
  for (int row = 0; row < size; ++row) {
    for (int k = matrix.row_begin[row / block]; k < matrix.row_begin[row / block + 1]; ++k)
      for (int j = 0; j < block; ++j) {
        const double entry = matrix.block_at(k)[row % block + block * j];
        if (entry == 0) continue;
        column.push_back(matrix.column[k] * block + j);
        value.push_back(entry);
      }
    begin.push_back(static_cast<int>(column.size()));
  }
  constexpr int kCompressedRows = -2;
  write_sizes(path, size, size, kCompressedRows, static_cast<int>(column.size()), writer);
  writer.integers(path + "/p", begin);
  writer.integers(path + "/i", column);
  writer.reals(path + "/x",
               Eigen::Map<const Eigen::VectorXd>(value.data(), static_cast<Eigen::Index>(value.size())));
}

// Triplets with rows in i and columns in p, the order of every file of the collections.
void write_triplets(const std::string& path, const Eigen::SparseMatrix<double>& matrix, Hdf5Writer& writer) {
  std::vector<int> row, column;
  Eigen::VectorXd value(matrix.nonZeros());
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) {
      value[static_cast<Eigen::Index>(row.size())] = it.value();
      row.push_back(static_cast<int>(it.row()));
      column.push_back(j);
    }
  const int count = static_cast<int>(row.size());
  write_sizes(path, static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()), count, count, writer);
  writer.integers(path + "/p", column);
  writer.integers(path + "/i", row);
  writer.reals(path + "/x", value);
}

template <class Problem>
void write_law(const std::string& path, const Problem& problem, Hdf5Writer& writer) {
  writer.integers(path + "/spacedim", {block_size(problem.cone)});
  writer.reals(path + "/vectors/mu", problem.mu);
  if (is_rolling(problem.cone)) writer.reals(path + "/vectors/mu_r", problem.mu_r);
}

std::string write_problem(const ContactProblem& problem, Hdf5Writer& writer) {
  if (problem.is_mixed()) {
    const LocalEqualities equalities = build_local_equalities(problem);
    const std::string path = write_problem(equalities.contacts, writer);
    if (equalities.s.size() == 0) return path;
    write_triplets(path + "/V", equalities.V, writer);
    write_triplets(path + "/R", equalities.R, writer);
    writer.reals(path + "/vectors/s", equalities.s);
    return path;
  }
  const std::string path = is_rolling(problem.cone) ? "/fclib_local_rolling" : "/fclib_local";
  write_law(path, problem, writer);
  write_rows(path + "/W", problem.W, writer);
  writer.reals(path + "/vectors/q", problem.b);
  return path;
}

std::string write_problem(const GlobalProblem& problem, Hdf5Writer& writer) {
  if (!problem.sets.empty()) return write_problem(build_bilateral_rows(problem), writer);
  const std::string path = is_rolling(problem.cone) ? "/fclib_global_rolling" : "/fclib_global";
  write_law(path, problem, writer);
  write_triplets(path + "/M", problem.M, writer);
  write_triplets(path + "/H", problem.H, writer);
  writer.reals(path + "/vectors/f", problem.f);
  writer.reals(path + "/vectors/w", problem.w);
  if (problem.bilateral() == 0) return path;
  write_triplets(path + "/G", problem.G, writer);
  writer.reals(path + "/vectors/b", problem.c);
  return path;
}

void write_solution(const std::string& path, const FcSolution& solution, Hdf5Writer& writer) {
  writer.reals(path + "/r", solution.r);
  writer.reals(path + "/u", solution.u);
  if (solution.v.size()) writer.reals(path + "/v", solution.v);
  if (solution.l.size()) writer.reals(path + "/l", solution.l);
}

// r and u of the contacts; impulses of equations are l, after those there are.
FcSolution split_solution(const FcSolution& solution, const BilateralSplit& split, bool is_global) {
  FcSolution parts{solution.r(split.contacts), solution.u(split.contacts), solution.v, {}};
  if (!is_global) return parts;
  parts.l.resize(solution.l.size() + static_cast<Eigen::Index>(split.equations.size()));
  parts.l << solution.l, solution.r(split.equations);
  return parts;
}

}  // namespace

void write_fclib(const std::string& path, const FcProblemFile& file) {
  Hdf5Writer writer(path);
  const std::string group =
      std::visit([&](const auto& problem) { return write_problem(problem, writer); }, file.problem);
  writer.text(group + "/info/title", file.title);
  writer.text(group + "/info/description", file.description);
  writer.text(group + "/info/math_info", file.math_info);
  const auto write_point = [&](const std::string& place, const FcSolution& point) {
    const auto& sets = std::visit(
        [](const auto& problem) -> const auto& { return problem.sets; }, file.problem);
    const int block = std::visit([](const auto& problem) { return block_size(problem.cone); }, file.problem);
    if (sets.empty()) return write_solution(place, point, writer);
    write_solution(place, split_solution(point, split_bilateral(sets, block), file.is_global()), writer);
  };
  if (file.solution) write_point("/solution", *file.solution);
  if (!file.guesses.empty())
    writer.integers("/guesses/number_of_guesses", {static_cast<int>(file.guesses.size())});
  for (std::size_t k = 0; k < file.guesses.size(); ++k)
    write_point(fmt::format("/guesses/{}", k + 1), file.guesses[k]);
  writer.commit();
}

}  // namespace saltus
