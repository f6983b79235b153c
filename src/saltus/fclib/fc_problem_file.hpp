// Files that hold one frictional contact problem: FCLib HDF5 and Siconos text.
//
// Reading decides the format by content (the HDF5 signature), never by the name. The text
// format does not say whether a problem is local or global, nor whether it rolls: options
// settle it, else the name of the file (gfc..., grfc...: global, rfc2d...: rolling), else
// whichever form fits the content, with a warning when that is not the one the name tells.
//
// Every defect of a file is an InputError that names the file (and the line, or the HDF5
// object), what was found and what is allowed. What a solver can live with (W not
// symmetric, equality constraints eliminated on the way) is a warning in the result.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "saltus/solvers/problem.hpp"

namespace saltus {

// v and l belong to the global form and are empty with a local problem.
struct FcSolution {
  Eigen::VectorXd r, u, v, l;
};

struct FcProblemFile {
  std::variant<ContactProblem, GlobalProblem> problem;
  std::string title, description, math_info;
  std::optional<FcSolution> solution;
  std::vector<FcSolution> guesses;
  std::vector<std::string> warnings;  // each a full sentence with the name of the file

  bool is_global() const { return std::holds_alternative<GlobalProblem>(problem); }
};

struct FcReadOptions {
  std::optional<bool> global;   // unset: what the file, its name or its content tells
  std::optional<bool> rolling;  // unset: what the file tells, else blocks of 5 roll
};

FcProblemFile read_fc_problem(const std::string& path, const FcReadOptions& options = {});

// The same from memory. `where` stands for the file in messages and its last component is
// taken for the name that tells the form.
FcProblemFile read_siconos_text(std::string_view text, const std::string& where,
                                const FcReadOptions& options = {});
FcProblemFile read_fclib_image(std::string_view bytes, const std::string& where,
                               const FcReadOptions& options = {});

// Writes the problem, with solution and guesses where there are any, in the layout of FCLib
// (local: compressed rows; global: triplets in Siconos' order; rolling problems in groups
// whose names end in _rolling). Of a mixed problem, blocks of the whole space are written as the rows of G
// (global) or of V and R (local), half lines as contacts without friction; balls are an InputError, as FCLib
// has no place for them. The file appears complete or not at all: it is written
// beside its place and then renamed. Throws InputError when the place cannot be written.
void write_fclib(const std::string& path, const FcProblemFile& file);

}  // namespace saltus
