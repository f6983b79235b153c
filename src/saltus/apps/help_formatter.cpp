#include "saltus/apps/help_formatter.hpp"

#include <sstream>

namespace saltus {

namespace {
constexpr std::size_t kTerminal = 80;  // of the usual terminal, and of the pages that show --help
}

std::string wrap_text(const std::string& text, std::size_t width) {
  std::string wrapped;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!wrapped.empty()) wrapped += '\n';
    std::istringstream words(line);
    std::size_t used = 0;
    for (std::string word; words >> word; used += word.size()) {
      const bool begins = used == 0, fits = used + 1 + word.size() <= width;
      if (!begins) wrapped += fits ? ' ' : '\n';
      used = begins || !fits ? 0 : used + 1;
      wrapped += word;
    }
  }
  return wrapped;
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  const std::string text = CLI::Formatter::make_description(app);
  return wrap_text(text, kTerminal) + '\n';
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  std::stringstream out;
  CLI::detail::format_help(out, command->get_display_name(true),
                           wrap_text(command->get_description(), kTerminal - get_column_width()),
                           get_column_width());
  return out.str();
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  return wrap_text(CLI::Formatter::make_option_desc(option), kTerminal - get_column_width());
}

}  // namespace saltus
