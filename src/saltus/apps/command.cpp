#include "saltus/apps/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

// Insertions, deletions and replacements of one letter that turn a into b (Levenshtein).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = corner + (a[i] != b[j]);
      corner = row[j + 1];
      row[j + 1] = std::min({replaced, corner + 1, row[j] + 1});
    }
  }
  return row.back();
}

// "nlsg (did you mean nlgs?)"
std::string with_hint(const std::string& word, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(word, names);
  return nearest.empty() ? word : fmt::format("{} (did you mean {}?)", word, nearest);
}

}  // namespace

void exit_with(ExitCode code) { throw CLI::RuntimeError(code); }

std::string nearest_name(const std::string& word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t least = word.size() / 2 + 1;  // more than half of it wrong is another word
  for (const std::string& candidate : names) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

CLI::Validator one_of(const std::string& what, const std::vector<std::string>& names) {
  const auto check = [what, names](const std::string& word) -> std::string {
    if (std::find(names.begin(), names.end(), word) != names.end()) return {};
    return fmt::format("unknown {}: got {}, allowed: {}", what, with_hint(word, names),
                       fmt::join(names, ", "));
  };
  CLI::Validator validator(check, fmt::format("{}", fmt::join(names, "|")));
  validator.name(what);
  return validator;
}

void check_command_words(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* candidate : command->get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(candidate->get_name());
      if (candidate->check_name(argv[i])) next = candidate;
    }
    if (names.empty()) return;  // what follows are arguments
    if (next == nullptr)
      throw InputError("", "unknown command", with_hint(argv[i], names),
                       fmt::format("{}", fmt::join(names, ", ")));
    command = next;
  }
}

void add_examples(CLI::App& command, const std::vector<std::string>& lines) {
  command.footer(fmt::format("Examples:\n  {}", fmt::join(lines, "\n  ")));
}

}  // namespace saltus
