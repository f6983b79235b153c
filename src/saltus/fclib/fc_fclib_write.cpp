#include <fmt/format.h>

#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/files/hdf5_writer.hpp"

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
  const std::string path = is_rolling(problem.cone) ? "/fclib_local_rolling" : "/fclib_local";
  write_law(path, problem, writer);
  write_rows(path + "/W", problem.W, writer);
  writer.reals(path + "/vectors/q", problem.b);
  return path;
}

std::string write_problem(const GlobalProblem& problem, Hdf5Writer& writer) {
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

}  // namespace

void write_fclib(const std::string& path, const FcProblemFile& file) {
  Hdf5Writer writer(path);
  const std::string group =
      std::visit([&](const auto& problem) { return write_problem(problem, writer); }, file.problem);
  writer.text(group + "/info/title", file.title);
  writer.text(group + "/info/description", file.description);
  writer.text(group + "/info/math_info", file.math_info);
  if (file.solution) write_solution("/solution", *file.solution, writer);
  if (!file.guesses.empty())
    writer.integers("/guesses/number_of_guesses", {static_cast<int>(file.guesses.size())});
  for (std::size_t k = 0; k < file.guesses.size(); ++k)
    write_solution(fmt::format("/guesses/{}", k + 1), file.guesses[k], writer);
  writer.commit();
}

}  // namespace saltus
