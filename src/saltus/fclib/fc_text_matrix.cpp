#include "saltus/fclib/fc_text_matrix.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace saltus {

namespace {

constexpr std::int64_t kMostEntries = std::numeric_limits<int>::max();
enum Storage { kDense = 0, kSparseBlock = 1, kSparse = 2 };
enum Origin { kTriplet = 1, kCompressedColumns = 2, kCompressedRows = 3, kHalfTriplet = 4 };

void check_size(std::string_view name, std::int64_t rows, std::int64_t cols, const FcEntries& matrix,
                const TextScanner& scanner) {
  if (rows != matrix.rows || cols != matrix.cols)
    scanner.fail(fmt::format("{} is announced twice with different sizes", name),
                 fmt::format("{} x {}", rows, cols), fmt::format("{} x {}", matrix.rows, matrix.cols));
}

// Column by column, the sizes repeated first.
void read_dense(std::string_view name, TextScanner& scanner, FcEntries& matrix) {
  const std::int64_t rows = scanner.integer(fmt::format("rows of {}", name), 0, kMostEntries);
  const std::int64_t cols = scanner.integer(fmt::format("columns of {}", name), 0, kMostEntries);
  check_size(name, rows, cols, matrix, scanner);
  scanner.require(name, rows * cols);
  matrix.entries.reserve(static_cast<std::size_t>(rows * cols));
  for (std::int64_t j = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < rows; ++i) matrix.add(i, j, scanner.real(name, j * rows + i));
}

// Cumulative ends of the block rows (or columns), the last of them `size`; 0 put in front.
std::vector<int> read_ends(const std::string& name, std::int64_t count, std::int64_t size,
                           TextScanner& scanner) {
  scanner.require(name, count);
  std::vector<int> ends(1, 0);
  for (std::int64_t k = 0; k < count; ++k)
    ends.push_back(static_cast<int>(scanner.integer(name, ends.back(), size)));
  if (ends.back() != size)
    scanner.fail(name + " do not end at the size of the matrix", fmt::format("{}", ends.back()),
                 fmt::format("{}", size));
  return ends;
}

void read_blocks(std::string_view name, TextScanner& scanner, FcEntries& matrix) {
  const std::int64_t blocks = scanner.integer(fmt::format("number of blocks of {}", name), 0, kMostEntries);
  if (blocks == 0) return;
  const std::int64_t block_rows =
      scanner.integer(fmt::format("number of block rows of {}", name), 1, kMostEntries);
  const std::int64_t block_cols =
      scanner.integer(fmt::format("number of block columns of {}", name), 1, kMostEntries);
  const std::vector<int> row_end =
      read_ends(fmt::format("ends of the block rows of {}", name), block_rows, matrix.rows, scanner);
  const std::vector<int> col_end =
      read_ends(fmt::format("ends of the block columns of {}", name), block_cols, matrix.cols, scanner);
  const std::int64_t pointers =
      scanner.integer(fmt::format("number of row pointers of {}", name), 1, block_rows + 1);
  const std::int64_t indices =
      scanner.integer(fmt::format("number of column indices of {}", name), 0, blocks);
  std::vector<int> begin(1, 0);
  const std::string pointer_name = fmt::format("row pointers of {}", name);
  scanner.require(pointer_name, pointers);
  scanner.integer(pointer_name, 0, 0);
  for (std::int64_t k = 1; k < pointers; ++k)
    begin.push_back(static_cast<int>(scanner.integer(pointer_name, begin.back(), indices)));
  const std::vector<int> column =
      scanner.integers(fmt::format("column index of {}", name), indices, 0, block_cols - 1);
  const std::string block_name = fmt::format("block number of {}", name);
  for (std::size_t row = 0; row + 1 < begin.size(); ++row)
    for (int k = begin[row]; k < begin[row + 1]; ++k) {
      scanner.integer(block_name, k, k);
      for (int j = col_end[column[k]]; j < col_end[column[k] + 1]; ++j)
        for (int i = row_end[row]; i < row_end[row + 1]; ++i) matrix.add(i, j, scanner.real(name));
    }
}

// "R-by-C," of a dump.
std::pair<std::int64_t, std::int64_t> parse_sizes(std::string_view word, const TextScanner& scanner) {
  constexpr std::string_view kBy = "-by-";
  std::int64_t rows = -1, cols = -1;
  const char* end = word.data() + word.size();
  const auto first = std::from_chars(word.data(), end, rows);
  const std::string_view rest(first.ptr, static_cast<std::size_t>(end - first.ptr));
  if (first.ec == std::errc{} && rest.substr(0, kBy.size()) == kBy) {
    const auto second = std::from_chars(rest.data() + kBy.size(), end, cols);
    if (second.ec == std::errc{} &&
        std::string_view(second.ptr, static_cast<std::size_t>(end - second.ptr)) == ",")
      return {rows, cols};
  }
  scanner.fail("sizes of a sparse matrix", fmt::format("'{}'", word.substr(0, 40)), "ROWS-by-COLUMNS,");
}

// Entries "row column : value". A half triplet stores one triangle of a symmetric matrix.
void read_triplets(std::string_view name, std::int64_t count, bool half, TextScanner& scanner,
                   FcEntries& matrix) {
  const std::string row_name = fmt::format("row index of {}", name);
  const std::string col_name = fmt::format("column index of {}", name);
  bool lower = false, upper = false;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t i = scanner.integer(row_name, 0, matrix.rows - 1);
    const std::int64_t j = scanner.integer(col_name, 0, matrix.cols - 1);
    scanner.expect(":");
    matrix.add(i, j, scanner.real(name));
    if (!half || i == j) continue;
    (i > j ? lower : upper) = true;
    if (lower && upper)
      scanner.fail(fmt::format("{} is stored as one half of a symmetric matrix", name),
                   "entries of both halves", "entries of one half");
    matrix.add(j, i, matrix.entries.back().value());
  }
}

// For each column (row): "col j : locations a to b", then b - a + 1 times "i : value".
void read_compressed(std::string_view name, std::int64_t count, bool by_rows, TextScanner& scanner,
                     FcEntries& matrix) {
  const std::string index_name = fmt::format("{} index of {}", by_rows ? "column" : "row", name);
  const std::string place_name = fmt::format("locations of {}", name);
  const std::int64_t outer = by_rows ? matrix.rows : matrix.cols;
  const std::int64_t inner = by_rows ? matrix.cols : matrix.rows;
  std::int64_t place = 0;
  for (std::int64_t j = 0; j < outer; ++j) {
    scanner.expect(by_rows ? "row" : "col");
    scanner.integer(by_rows ? "row number" : "column number", j, j);
    scanner.expect(":");
    scanner.expect("locations");
    scanner.integer(place_name, place, place);
    scanner.expect("to");
    const std::int64_t end = scanner.integer(place_name, place - 1, count - 1) + 1;
    for (; place < end; ++place) {
      const std::int64_t i = scanner.integer(index_name, 0, inner - 1);
      scanner.expect(":");
      const double value = scanner.real(name);
      by_rows ? matrix.add(j, i, value) : matrix.add(i, j, value);
    }
  }
  if (place != count)
    scanner.fail(fmt::format("entries of {}", name), fmt::format("{}", place),
                 fmt::format("{}, as announced", count));
}

std::int64_t read_counted(std::string_view label, std::string_view name, TextScanner& scanner) {
  scanner.expect(label);
  std::string_view word = scanner.token();
  if (!word.empty() && word.back() == ',') word.remove_suffix(1);
  std::int64_t count = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc{} || end != word.data() + word.size() || count < 0 || count > kMostEntries)
    scanner.fail(fmt::format("{} of {}", label, name), fmt::format("'{}'", word.substr(0, 40)),
                 fmt::format("an integer from 0 to {}", kMostEntries));
  return count;
}

void read_dump(std::string_view name, TextScanner& scanner, FcEntries& matrix) {
  const std::int64_t origin =
      scanner.integer(fmt::format("sparse storage of {}", name), kTriplet, kHalfTriplet);
  scanner.rest_of_line();
  scanner.rest_of_line();  // the banner of CSparse
  std::string_view word = scanner.token();
  const bool triplet = word == "triplet:", by_rows = word == "csr:";
  if (triplet || by_rows) word = scanner.token();
  const auto [rows, cols] = parse_sizes(word, scanner);
  check_size(name, rows, cols, matrix, scanner);
  read_counted("nzmax:", name, scanner);
  const std::int64_t count = read_counted("nnz:", name, scanner);
  scanner.require(name, count);
  matrix.entries.reserve(static_cast<std::size_t>(count));
  if (triplet) return read_triplets(name, count, origin == kHalfTriplet, scanner, matrix);
  scanner.expect("1-norm:");
  scanner.token();
  read_compressed(name, count, by_rows, scanner, matrix);
}

}  // namespace

FcEntries read_text_matrix(std::string_view name, TextScanner& scanner) {
  const std::int64_t storage = scanner.integer(fmt::format("storage of {}", name), kDense, kSparse);
  FcEntries matrix;
  matrix.rows = scanner.integer(fmt::format("rows of {}", name), 0, kMostEntries);
  matrix.cols = scanner.integer(fmt::format("columns of {}", name), 0, kMostEntries);
  switch (storage) {
    case kDense: read_dense(name, scanner, matrix); break;
    case kSparseBlock: read_blocks(name, scanner, matrix); break;
    default: read_dump(name, scanner, matrix);
  }
  return matrix;
}

}  // namespace saltus
