// How --help looks: words about commands and options end at the width of a terminal and go on below where they began.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace saltus {

// Breaks between words, so that no line is wider (but a longer word); line ends of the text stay.
std::string wrap_text(const std::string& text, std::size_t width);

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace saltus
