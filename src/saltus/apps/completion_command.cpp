#include <fmt/format.h>

#include <algorithm>

#include "saltus/apps/command.hpp"

namespace saltus {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> long_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Words that an option takes, where its type lists them: auto|nlgs|newton.
std::vector<std::string> words_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t from = type.find(':') + 1;  // TEXT:a|b; npos + 1 is 0
  std::vector<std::string> words;
  if (type.find('|') == std::string::npos) return words;
  std::string word;
  for (const char c : type.substr(from) + '|') {
    if (c == '|')
      words.push_back(word), word.clear();
    else
      word += c;
  }
  return words;
}

// Cases of a shell's `case "$path" in`: for every command its subcommands and options, and the words of options. Where only words
// can stand no files are offered.
void append_cases(const CLI::App& app, const std::string& path, std::string& cases, std::string& words) {
  std::vector<std::string> next;
  for (const CLI::App* command : commands_of(app)) next.push_back(command->get_name());
  for (const std::string& option : long_options(app)) next.push_back(option);
  bool files = commands_of(app).empty();
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional())
      for (const std::string& word : words_of(*option)) next.push_back(word), files = false;
  cases += fmt::format("    '{}') next='{}'{} ;;\n", path, fmt::join(next, " "), files ? "" : " files=''");
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      if (const std::vector<std::string> list = words_of(*option); !list.empty())
        words += fmt::format("    '{} --{}') next='{}' files='' ;;\n", path, name, fmt::join(list, " "));
  for (const CLI::App* command : commands_of(app))
    append_cases(*command, path + ' ' + command->get_name(), cases, words);
}

// Words before the cursor lead from command to command.
void append_steps(const CLI::App& app, const std::string& path, std::string& steps) {
  for (const CLI::App* command : commands_of(app)) {
    const std::string own = path + ' ' + command->get_name();
    steps += fmt::format("      '{}') path='{}' ;;\n", own, own);
    append_steps(*command, own, steps);
  }
}

// One function for both shells: zsh runs it through its own emulation of bash's completion. Commands that take a scene or a study
// offer those of the library beside files.
std::string bash_completion(const CLI::App& app) {
  std::string steps, cases, words;
  append_steps(app, "saltus", steps);
  append_cases(app, "saltus", cases, words);
  constexpr const char* kText = R"bash(# Completion of saltus: source <(saltus completion bash)
_saltus() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path=saltus next='' files=1 i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$path ${{COMP_WORDS[i]}}" in
{}      *) break ;;
    esac
  done
  case "$path" in
{}  esac
  case "$path $before" in
{}    *) case "$path" in
      'saltus run' | 'saltus check' | 'saltus fc export')
        [[ $word == -* ]] || next+=" $(saltus scenes 2>/dev/null | awk '/^Studies/ {{ exit }} /^[a-z0-9]/ {{ print $1 }}')" ;;
      'saltus study')
        [[ $word == -* ]] || next+=" $(saltus scenes 2>/dev/null | awk 'studies && /^[a-z0-9]/ {{ print $1 }} /^Studies/ {{ studies = 1 }}')" ;;
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$next" -- "$word") $([[ $word == -* || -z $files ]] || compgen -f -- "$word"))
}}
complete -o filenames -F _saltus saltus
)bash";
  return fmt::format(fmt::runtime(kText), steps, cases, words);
}

// Text as troff takes it.
std::string escaped(const std::string& text) {
  std::string result;
  bool start = true;
  for (const char c : text) {
    if (start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    start = c == '\n';
  }
  return result;
}

void append_manual(const CLI::App& app, const std::string& path, std::string& page) {
  if (!commands_of(app).empty() && path != "saltus") {
    // A group of commands: what it is, then its members.
    page += fmt::format(".SS {}\n{}\n", path, escaped(app.get_description()));
  } else if (path != "saltus") {
    std::string usage = path;
    for (const CLI::Option* option : app.get_options())
      if (option->get_positional()) usage += ' ' + option->get_name(true);
    page += fmt::format(".SS {}\n{}\n", escaped(usage), escaped(app.get_description()));
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_description().empty() || option->get_name() == "--help") continue;
      page += fmt::format(".TP\n.B {}\n{}\n", escaped(option->get_name(option->get_positional())),
                          escaped(option->get_description()));
    }
    if (!app.get_footer().empty()) page += fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(app.get_footer()));
  }
  for (const CLI::App* command : commands_of(app))
    append_manual(*command, path + ' ' + command->get_name(), page);
}

std::string manual(const CLI::App& app) {
  std::string page =
      fmt::format(".TH SALTUS 1 \"\" \"saltus {}\" \"User commands\"\n.SH NAME\nsaltus \\- {}\n",
                  SALTUS_VERSION, "nonsmooth contact dynamics with a certificate");
  page += ".SH SYNOPSIS\n.B saltus\n.I command\n[options]\n.SH DESCRIPTION\n" +
          escaped(app.get_description()) + "\n.SH COMMANDS\n";
  append_manual(app, "saltus", page);
  page +=
      ".SH EXIT STATUS\n0 done, 1 a fault of the program, 2 bad input, 3 a tolerance was missed, 4 output "
      "not written, 130 interrupted.\n";
  page +=
      ".SH ENVIRONMENT\n.TP\n.B SALTUS_SCENES\nA folder of scenes that is looked through before the "
      "library.\n";
  page +=
      ".SH FILES\nScenes are TOML, trajectories and contact problems HDF5. The documentation describes "
      "both.\n";
  return page;
}

}  // namespace

void add_completion_command(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "completion", "Print what makes a shell complete commands, options and scenes, or the manual page");
  command->add_option("SHELL", *shell, "bash, zsh, or man for the manual page")
      ->required()
      ->check(one_of("shell", {"bash", "zsh", "man"}));
  add_examples(*command, {"source <(saltus completion bash)           in ~/.bashrc",
                          "source <(saltus completion zsh)            in ~/.zshrc",
                          "saltus completion man | man -l -           the manual"});
  command->callback([shell, &app] {
    if (*shell == "man") return fmt::print("{}", manual(app));
    if (*shell == "zsh")
      fmt::print(
          "#compdef saltus\nautoload -U +X compinit && compinit\nautoload -U +X bashcompinit && "
          "bashcompinit\n");
    fmt::print("{}", bash_completion(app));
  });
}

}  // namespace saltus
