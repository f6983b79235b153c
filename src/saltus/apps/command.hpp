// What the subcommands of the program have in common.
//
// A command is one function add_NAME_command(app): it adds the subcommand, its options and
// examples, and a callback that does the work. The callback returns for success, throws
// InputError for what the user got wrong (exit 2) or OutputError for what cannot be written
// (exit 4), or calls exit_with.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace saltus {

enum ExitCode {
  kSuccess = 0,
  kOurFault = 1,
  kBadInput = 2,
  kNotConverged = 3,
  kCannotWrite = 4,
  kInterrupted = 130
};

[[noreturn]] void exit_with(ExitCode code);

// Refuses a word that is none of `names`, with the nearest one and the whole list.
CLI::Validator one_of(const std::string& what, const std::vector<std::string>& names);

// Refuses what is not a finite number above 0.
CLI::Validator positive();

// Refuses what is not a whole number of 0 or more; 1e6 is one.
CLI::Validator whole_number();

// InputError, with the nearest one and the list, when the first words of a command line are not
// commands, or a long option is none of theirs. CLI11 would only say that something was not expected.
void check_command_words(const CLI::App& app, int argc, char** argv);

// The words of this call as they can be pasted into a shell, without `left_out` and with `added` at the end.
void remember_words(int argc, char** argv);
std::string format_words(const std::vector<std::string>& left_out, const std::vector<std::string>& added);

// --force: an output may take the place of an existing file.
void add_force(CLI::App& command, bool& force);

// Examples under the help of a command: "  saltus COMMAND ..." line by line.
void add_examples(CLI::App& command, const std::vector<std::string>& lines);

void add_fc_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_render_command(CLI::App& app);
void add_run_command(CLI::App& app);
void add_plot_command(CLI::App& app);
void add_study_command(CLI::App& app);
void add_measure_command(CLI::App& app);
void add_check_command(CLI::App& app);
void add_scenes_command(CLI::App& app);
void add_view_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_import_command(CLI::App& app);
void add_schema_command(CLI::App& app);
void add_completion_command(CLI::App& app);  // and the manual page

}  // namespace saltus
