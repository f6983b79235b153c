#include "saltus/apps/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_names.hpp"

namespace saltus {

namespace {

// "nlsg (did you mean nlgs?)"
std::string with_hint(const std::string& word, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(word, names);
  return nearest.empty() ? word : fmt::format("{} (did you mean {}?)", word, nearest);
}

// Long options that the command does not have.
void check_options(const CLI::App& command, int count, char** words) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (int i = 0; i < count; ++i) {
    const std::string word(words[i]);
    if (word == "--") return;
    if (word.rfind("--", 0) != 0) continue;
    const std::string name = word.substr(0, word.find('='));
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError("", "unknown option", with_hint(name, names),
                       fmt::format("{}", fmt::join(names, ", ")));
    // An empty name is no output to a command: what a shell makes of a variable that is not set must not go unnoticed.
    const bool is_empty = word == name + "=" || (word == name && i + 1 < count && *words[i + 1] == '\0');
    const char* const outputs[] = {"--out", "--movie", "--csv",     "--vtk",        "--html",
                                   "--stl", "--obj",   "--summary", "--final-scene"};
    if (is_empty && std::find(std::begin(outputs), std::end(outputs), name) != std::end(outputs))
      throw InputError(name, "an output without a name", "\"\"", "the name of a file");
  }
}

}  // namespace

void exit_with(ExitCode code) { throw CLI::RuntimeError(code); }

CLI::Validator positive() {
  const auto check = [](const std::string& word) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(word, value) && value > 0 && std::isfinite(value)) return {};
    return fmt::format("got {}, allowed: a number above 0", word);
  };
  return CLI::Validator(check, "POSITIVE");
}

CLI::Validator whole_number() {
  const auto check = [](std::string& word) -> std::string {
    double value = -1;
    constexpr double kMost = 1e15;
    if (!CLI::detail::lexical_cast(word, value) || !(value >= 0 && value <= kMost) ||
        value != std::floor(value))
      return fmt::format("got {}, allowed: a whole number, 0 or more", word);
    word = fmt::format("{:.0f}", value);  // as CLI11 reads it
    return {};
  };
  return CLI::Validator(check, "COUNT");
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
  int i = 1;
  for (; i < argc && argv[i][0] != '-'; ++i) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* candidate : command->get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(candidate->get_name());
      if (candidate->check_name(argv[i])) next = candidate;
    }
    if (names.empty()) break;  // what follows are arguments
    if (next == nullptr)
      throw InputError("", "unknown command", with_hint(argv[i], names),
                       fmt::format("{}", fmt::join(names, ", ")));
    command = next;
  }
  check_options(*command, argc - i, argv + i);
}

namespace {

std::vector<std::string>& words_of_call() {
  static std::vector<std::string> words;
  return words;
}

// As a shell reads it back.
std::string shell_word(const std::string& word) {
  const char* const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

void remember_words(int argc, char** argv) { words_of_call().assign(argv, argv + argc); }

std::string format_words(const std::vector<std::string>& left_out, const std::vector<std::string>& added) {
  std::string text = "saltus";
  for (std::size_t i = 1; i < words_of_call().size(); ++i)
    if (std::find(left_out.begin(), left_out.end(), words_of_call()[i]) == left_out.end())
      text += ' ' + shell_word(words_of_call()[i]);
  for (const std::string& word : added) text += ' ' + shell_word(word);
  return text;
}

void add_force(CLI::App& command, bool& force) {
  command.add_flag("--force", force, "Overwrite files that are there already");
}

void add_examples(CLI::App& command, const std::vector<std::string>& lines) {
  command.footer(fmt::format("Examples:\n  {}", fmt::join(lines, "\n  ")));
}

}  // namespace saltus
