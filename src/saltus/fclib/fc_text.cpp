// The Siconos text format (specification: the writers and readers of Siconos numerics).
//
//   local:   block contacts W q mu [mu_r]
//   global:  block contacts M H q b mu [mu_r]
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/fclib/fc_text_matrix.hpp"

namespace saltus {

namespace {

struct Form {
  bool global = false;
  std::optional<bool> rolling;  // unset: blocks of 5 roll, others do not
};

struct Parsed {
  FcProblemFile file;
  std::size_t trailing = 0;  // tokens after the end of the problem; a writer may leave one
};

void check_matrix(std::string_view name, const FcEntries& matrix, std::int64_t rows, std::int64_t cols,
                  const TextScanner& scanner) {
  if (matrix.rows != rows || matrix.cols != cols)
    scanner.fail(fmt::format("size of {}", name), fmt::format("{} x {}", matrix.rows, matrix.cols),
                 fmt::format("{} x {}", rows, cols));
}

void read_local(std::int64_t size, std::int64_t contacts, TextScanner& scanner, ContactProblem& problem) {
  const FcEntries W = read_text_matrix("W", scanner);
  check_matrix("W", W, size, size, scanner);
  problem.b = scanner.reals("q", size);
  problem.mu = scanner.friction("mu", contacts);
  if (is_rolling(problem.cone)) problem.mu_r = scanner.friction("mu_r", contacts);
  problem.W = build_block_matrix(W, block_size(problem.cone));
}

void read_global(std::int64_t size, std::int64_t contacts, TextScanner& scanner, GlobalProblem& problem) {
  const FcEntries M = read_text_matrix("M", scanner);
  check_matrix("M", M, M.rows, M.rows, scanner);
  const FcEntries H = read_text_matrix("H", scanner);
  check_matrix("H", H, M.rows, size, scanner);
  problem.f = scanner.reals("q", M.rows);
  problem.w = scanner.reals("b", size);
  problem.mu = scanner.friction("mu", contacts);
  if (is_rolling(problem.cone)) problem.mu_r = scanner.friction("mu_r", contacts);
  problem.M = build_sparse(M);
  problem.H = build_sparse(H);
  problem.G.resize(M.rows, 0);
}

Parsed parse(const Form& form, TextScanner& scanner) {
  const std::int64_t block = scanner.integer("components per contact", 2, 5);
  const std::optional<ConeKind> cone = find_cone(block, form.rolling.value_or(block == 5));
  if (!cone && form.rolling)
    scanner.fail(
        fmt::format("components per contact {} rolling friction", *form.rolling ? "with" : "without"),
        fmt::format("{}", block), *form.rolling ? "3 or 5" : "2 or 3");
  if (!cone) scanner.fail("components per contact", fmt::format("{}", block), "2, 3 or 5");
  const std::int64_t contacts =
      scanner.integer("number of contacts", 0, std::numeric_limits<int>::max() / block);
  scanner.require("mu", contacts);
  Parsed result;
  if (form.global) {
    GlobalProblem problem;
    problem.cone = *cone;
    read_global(block * contacts, contacts, scanner, problem);
    result.file.problem = std::move(problem);
  } else {
    ContactProblem problem;
    problem.cone = *cone;
    read_local(block * contacts, contacts, scanner, problem);
    result.file.problem = std::move(problem);
  }
  result.trailing = scanner.count_remaining_tokens();
  return result;
}

struct Attempt {
  std::optional<Parsed> parsed;
  std::optional<InputError> error;
  std::size_t reached = 0;  // characters read
};

Attempt attempt(std::string_view text, const std::string& where, const Form& form) {
  TextScanner scanner(text, where);
  Attempt result;
  try {
    result.parsed = parse(form, scanner);
  } catch (const InputError& error) {
    result.error = error;
  }
  result.reached = scanner.offset();
  return result;
}

bool starts_with(const std::string& text, std::string_view head) {
  return text.compare(0, head.size(), head) == 0;
}

// What the name of a file tells, by the habits of the collections of Siconos.
Form guess_form(const std::string& where) {
  std::string name = where.substr(where.find_last_of('/') + 1);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  Form form;
  form.global =
      (starts_with(name, "gfc") || starts_with(name, "grfc")) && name.find("condensed") == std::string::npos;
  if (starts_with(name, "rfc2d") || starts_with(name, "grfc2d")) form.rolling = true;
  return form;
}

const char* name_form(const Form& form) { return form.global ? "global" : "local"; }

// The form that was guessed, unless only the other one fits the whole text. When none does, the
// complaint to show is that of the form that came furthest.
Parsed parse_guessed(std::string_view text, const std::string& where, const Form& form) {
  const Form other{!form.global, form.rolling};
  Attempt first = attempt(text, where, form);
  if (first.parsed && first.parsed->trailing <= 1) return std::move(*first.parsed);
  Attempt second = attempt(text, where, other);
  if (second.parsed && (second.parsed->trailing <= 1 || !first.parsed)) {
    second.parsed->file.warnings.push_back(
        fmt::format("{}: read as a {} problem: its content does not fit the {} form", where, name_form(other),
                    name_form(form)));
    return std::move(*second.parsed);
  }
  if (first.parsed) return std::move(*first.parsed);
  throw second.reached > first.reached ? *second.error : *first.error;
}

}  // namespace

FcProblemFile read_siconos_text(std::string_view text, const std::string& where,
                                const FcReadOptions& options) {
  Form form = guess_form(where);
  if (options.rolling) form.rolling = options.rolling;
  if (options.global) form.global = *options.global;
  TextScanner scanner(text, where);
  Parsed parsed = options.global ? parse(form, scanner) : parse_guessed(text, where, form);
  FcProblemFile& file = parsed.file;
  if (parsed.trailing > 1)
    file.warnings.push_back(
        fmt::format("{}: {} words after the problem are ignored (local or global form, or "
                    "rolling friction, may have to be given)",
                    where, parsed.trailing));
  warn_if_asymmetric(where, file);
  return std::move(file);
}

}  // namespace saltus
