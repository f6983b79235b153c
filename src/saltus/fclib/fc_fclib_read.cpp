// The HDF5 layout of FCLib (fclib 3; V. Acary et al., "On solving contact problems with
// Coulomb friction: formulations and numerical comparisons", 2018).
//
// A matrix is a group of m, n, nz, p, i, x: nz = -1 compressed columns, nz = -2 compressed
// rows, nz >= 0 triplets. fclib.h calls p the rows of triplets; files have the rows in i.
#include "saltus/fclib/fc_fclib_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/fclib/fc_entries.hpp"
#include "saltus/fclib/fc_equalities.hpp"

namespace saltus {

namespace {

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
constexpr std::int64_t kColumns = -1, kRows = -2;

void check_indices(const Hdf5Reader& reader, const std::string& path, const std::vector<std::int64_t>& index,
                   std::int64_t limit) {
  for (std::size_t k = 0; k < index.size(); ++k)
    if (index[k] < 0 || index[k] >= limit)
      reader.fail(fmt::format("{}[{}]", path, k), fmt::format("{}", index[k]),
                  fmt::format("an index from 0 to {}", limit - 1));
}

void check_pointers(const Hdf5Reader& reader, const std::string& path,
                    const std::vector<std::int64_t>& pointer, std::int64_t entries) {
  for (std::size_t k = 0; k < pointer.size(); ++k) {
    const std::int64_t lowest = k == 0 ? 0 : pointer[k - 1];
    if (pointer[k] < lowest || pointer[k] > (k == 0 ? 0 : entries))
      reader.fail(fmt::format("{}[{}]", path, k), fmt::format("{}", pointer[k]),
                  fmt::format("a pointer from {} to {}", lowest, k == 0 ? 0 : entries));
  }
}

// `rows` and `cols` are confirmed by vectors of the file, so that an array of that size is fair.
FcEntries read_matrix(const Hdf5Reader& reader, const std::string& path, std::int64_t rows,
                      std::int64_t cols) {
  FcEntries matrix;
  matrix.rows = reader.integer(path + "/m", 0, kMaxInt);
  matrix.cols = reader.integer(path + "/n", 0, kMaxInt);
  if (matrix.rows != rows || matrix.cols != cols)
    reader.fail(path + " has the wrong size", fmt::format("{} x {}", matrix.rows, matrix.cols),
                fmt::format("{} x {}", rows, cols));
  const std::int64_t nz = reader.integer(path + "/nz", kRows, kMaxInt);
  const bool triplets = nz >= 0, by_rows = nz == kRows;
  const std::int64_t outer = by_rows ? rows : cols;
  const auto p = reader.integers(path + "/p", triplets ? -1 : outer + 1);
  auto i = reader.integers(path + "/i");
  const std::int64_t stored = static_cast<std::int64_t>(i.size());
  const Eigen::VectorXd x = reader.reals(path + "/x", stored);
  if (!triplets) check_pointers(reader, path + "/p", p, stored);
  const std::int64_t count = triplets ? nz : p.back();
  for (const auto& [name, length] :
       {std::pair("/p", static_cast<std::int64_t>(p.size())), std::pair("/i", stored)})
    if (triplets && length < count)
      reader.fail(path + name + " is too short", fmt::format("{}", length), fmt::format("{} or more", count));
  i.resize(static_cast<std::size_t>(count));
  check_indices(reader, path + "/i", i, by_rows ? cols : rows);
  matrix.entries.reserve(static_cast<std::size_t>(count));
  if (triplets) {
    check_indices(reader, path + "/p", {p.begin(), p.begin() + count}, cols);
    for (std::int64_t k = 0; k < count; ++k) matrix.add(i[k], p[k], x[k]);
    return matrix;
  }
  for (std::int64_t j = 0; j < outer; ++j)
    for (std::int64_t k = p[j]; k < p[j + 1]; ++k)
      by_rows ? matrix.add(j, i[k], x[k]) : matrix.add(i[k], j, x[k]);
  return matrix;
}

struct Group {
  std::string path;
  bool global, rolling;
};

Group find_group(const Hdf5Reader& reader, const FcReadOptions& options) {
  static const Group kKnown[] = {{"/fclib_local", false, false},
                                 {"/fclib_global", true, false},
                                 {"/fclib_local_rolling", false, true},
                                 {"/fclib_global_rolling", true, true}};
  const Group* other = nullptr;
  for (const Group& group : kKnown) {
    if (!reader.has_group(group.path)) continue;
    if (!options.global || *options.global == group.global) return group;
    other = &group;
  }
  if (other)
    reader.fail("form of the problem", other->path,
                *options.global ? "a global problem, as asked" : "a local problem, as asked");
  reader.fail("no problem of FCLib in this HDF5 file", {},
              "a group /fclib_local, /fclib_global, /fclib_local_rolling or /fclib_global_rolling");
}

ConeKind read_cone(const Hdf5Reader& reader, const Group& group, const FcReadOptions& options) {
  const std::int64_t block = reader.integer(group.path + "/spacedim", 2, 5);
  const bool rolling = group.rolling || block == 5 || reader.has(group.path + "/vectors/mu_r");
  if (options.rolling && *options.rolling != rolling)
    reader.fail("rolling friction", group.path,
                *options.rolling ? "a rolling problem, as asked" : "a problem without rolling, as asked");
  const auto cone = find_cone(block, rolling);
  if (!cone) reader.fail(group.path + "/spacedim", fmt::format("{}", block), rolling ? "3 or 5" : "2 or 3");
  return *cone;
}

// Contacts, from a size of W or H. Every size is confirmed by the length of a vector that is
// really stored before memory is given to it.
std::int64_t read_contacts(const Hdf5Reader& reader, const std::string& path, ConeKind cone) {
  const std::int64_t size = reader.integer(path, 0, kMaxInt), block = block_size(cone);
  if (size % block != 0) reader.fail(path, fmt::format("{}", size), fmt::format("a multiple of {}", block));
  return size / block;
}

template <class Problem>
void read_friction(const Hdf5Reader& reader, const Group& group, std::int64_t contacts, Problem& problem) {
  problem.mu = reader.friction(group.path + "/vectors/mu", contacts);
  if (is_rolling(problem.cone)) problem.mu_r = reader.friction(group.path + "/vectors/mu_r", contacts);
}

void read_local(const Hdf5Reader& reader, const Group& group, FcProblemFile& file) {
  ContactProblem problem;
  problem.cone = read_cone(reader, group, {});
  reader.require_group(group.path + "/W");
  const std::int64_t contacts = read_contacts(reader, group.path + "/W/m", problem.cone);
  const std::int64_t size = contacts * block_size(problem.cone);
  problem.b = reader.reals(group.path + "/vectors/q", size);
  read_friction(reader, group, contacts, problem);
  FcEntries W = read_matrix(reader, group.path + "/W", size, size);
  if (reader.has_group(group.path + "/V")) {
    const Eigen::VectorXd s = reader.reals(group.path + "/vectors/s");
    const FcEntries V = read_matrix(reader, group.path + "/V", size, s.size());
    reader.require_group(group.path + "/R");
    const FcEntries R = read_matrix(reader, group.path + "/R", s.size(), s.size());
    eliminate_equalities(V, R, s, reader, W, problem.b, file.warnings);
  }
  problem.W = build_block_matrix(W, block_size(problem.cone));
  file.problem = std::move(problem);
}

void read_global(const Hdf5Reader& reader, const Group& group, FcProblemFile& file) {
  GlobalProblem problem;
  problem.cone = read_cone(reader, group, {});
  reader.require_group(group.path + "/M");
  reader.require_group(group.path + "/H");
  const std::int64_t contacts = read_contacts(reader, group.path + "/H/n", problem.cone);
  const std::int64_t size = contacts * block_size(problem.cone);
  const std::int64_t dof = reader.integer(group.path + "/M/m", 0, kMaxInt);
  problem.f = reader.reals(group.path + "/vectors/f", dof);
  problem.w = reader.reals(group.path + "/vectors/w", size);
  read_friction(reader, group, contacts, problem);
  problem.M = build_sparse(read_matrix(reader, group.path + "/M", dof, dof));
  problem.H = build_sparse(read_matrix(reader, group.path + "/H", dof, size));
  problem.G.resize(dof, 0);
  if (reader.has_group(group.path + "/G")) {
    problem.c = reader.reals(group.path + "/vectors/b");
    problem.G = build_sparse(read_matrix(reader, group.path + "/G", dof, problem.c.size()));
  }
  file.problem = std::move(problem);
}

// r and u; v and l as far as they are there. Nothing when r or u was never written: Siconos
// makes the datasets before it solves.
std::optional<FcSolution> read_solution(const Hdf5Reader& reader, const std::string& path,
                                        const FcProblemFile& file) {
  const auto* global = std::get_if<GlobalProblem>(&file.problem);
  const std::int64_t size = global ? global->w.size() : std::get<ContactProblem>(file.problem).b.size();
  if (size > 0 && !(reader.is_written(path + "/r") && reader.is_written(path + "/u"))) return {};
  FcSolution solution;
  solution.r = reader.reals(path + "/r", size);
  solution.u = reader.reals(path + "/u", size);
  if (!global) return solution;
  if (reader.is_written(path + "/v")) solution.v = reader.reals(path + "/v", global->degrees_of_freedom());
  if (reader.is_written(path + "/l")) solution.l = reader.reals(path + "/l", global->bilateral());
  return solution;
}

void read_guesses(const Hdf5Reader& reader, FcProblemFile& file) {
  if (!reader.has("/guesses/number_of_guesses")) return;
  const std::int64_t guesses = reader.integer("/guesses/number_of_guesses", 0, kMaxInt);
  for (std::int64_t k = 1; k <= guesses; ++k) {
    const std::string path = fmt::format("/guesses/{}", k);
    if (!reader.has_group(path))
      reader.fail("/guesses/number_of_guesses", fmt::format("{}", guesses),
                  fmt::format("{}, the groups there are", k - 1));
    if (auto guess = read_solution(reader, path, file)) file.guesses.push_back(std::move(*guess));
  }
}

}  // namespace

FcProblemFile read_fclib(const Hdf5Reader& reader, const std::string& where, const FcReadOptions& options) {
  FcProblemFile file;
  const Group group = find_group(reader, options);
  read_cone(reader, group, options);
  group.global ? read_global(reader, group, file) : read_local(reader, group, file);
  file.title = reader.text(group.path + "/info/title");
  file.description = reader.text(group.path + "/info/description");
  file.math_info = reader.text(group.path + "/info/math_info");
  if (reader.has_group("/solution")) file.solution = read_solution(reader, "/solution", file);
  read_guesses(reader, file);
  warn_if_asymmetric(where, file);
  return file;
}

FcProblemFile read_fclib_image(std::string_view bytes, const std::string& where,
                               const FcReadOptions& options) {
  return read_fclib(Hdf5Reader::open_image(bytes, where), where, options);
}

}  // namespace saltus
