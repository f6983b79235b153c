#include <fmt/format.h>

#include <optional>

#include "saltus/apps/command.hpp"
#include "saltus/apps/fc_command.hpp"
#include "saltus/apps/fc_run.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"

namespace saltus {

namespace {

void print(const char* key, const std::string& value) { fmt::print("  {:<18} {}\n", key, value); }

std::string format_range(const Eigen::VectorXd& values) {
  if (values.size() == 0) return "none";
  const double least = values.minCoeff(), most = values.maxCoeff();
  return least == most ? fmt::format("{:g}", least) : fmt::format("{:g} to {:g}", least, most);
}

std::string format_solutions(const FcProblemFile& file) {
  std::string text = file.solution ? "a solution" : "no solution";
  if (file.guesses.empty()) return text;
  return text + fmt::format(", {} guess{}", file.guesses.size(), file.guesses.size() == 1 ? "" : "es");
}

void print_global(const GlobalProblem& problem) {
  print("nonzeros",
        fmt::format("M {}, H {}, G {}", problem.M.nonZeros(), problem.H.nonZeros(), problem.G.nonZeros()));
  print("bilateral rows", fmt::format("{}", problem.bilateral()));
  if (problem.degrees_of_freedom() > 0)
    print("hyperstaticity", fmt::format("c = {:.3g} (contact unknowns per degree of freedom)",
                                        double(problem.H.cols()) / problem.degrees_of_freedom()));
}

void print_local(const ContactProblem& problem) {
  print("W", fmt::format("{} blocks of {} x {} ({:.1f} per contact)", problem.W.blocks(), problem.W.block,
                         problem.W.block,
                         problem.contacts() ? double(problem.W.blocks()) / problem.contacts() : 0.0));
  print("asymmetry of W", fmt::format("{:.1e} of its largest entry", compute_asymmetry(problem.W)));
  print("|b|", fmt::format("{:.6g}", problem.b.norm()));
}

void print_info(const std::string& path, const FcProblemFile& file) {
  const auto* global = std::get_if<GlobalProblem>(&file.problem);
  std::optional<ContactProblem> condensed;
  if (global) condensed = condense(*global);  // fails before anything is printed
  fmt::print("{}\n", path);
  if (!file.title.empty()) print("title", file.title);
  print("form", file.is_global() ? "global: M v = H r + f, u = H^T v + w" : "local: u = W r + b");
  print("dimension", fmt::format("{} ({}, blocks of {})", space_dimension(cone(file)), name(cone(file)),
                                 block_size(cone(file))));
  print("contacts", fmt::format("{}", contacts(file)));
  print("degrees of freedom", fmt::format("{}", degrees_of_freedom(file)));
  std::visit(
      [](const auto& problem) {
        print("friction", format_range(problem.mu));
        if (is_rolling(problem.cone)) print("rolling friction", format_range(problem.mu_r));
      },
      file.problem);
  if (global) print_global(*global);
  print_local(global ? *condensed : std::get<ContactProblem>(file.problem));
  print("carries", format_solutions(file));
}

void show_info(const std::vector<std::string>& paths, const FcReadOptions& options) {
  bool any_bad = false;
  for (const std::string& path : paths) {
    try {
      print_info(path, read_with_warnings(path, options));
    } catch (const InputError& error) {
      log_error("{}", error.what());
      any_bad = true;
    }
    std::fflush(stdout);
  }
  if (any_bad) exit_with(kBadInput);
}

}  // namespace

void add_fc_info_command(CLI::App& fc) {
  struct Options {
    std::vector<std::string> paths;
    FcFormOptions form;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = fc.add_subcommand("info", "Sizes, friction, symmetry and condition of problems");
  command->add_option("FILE", options->paths, "Problems: FCLib HDF5 or Siconos text")->required();
  options->form.add_to(*command);
  add_examples(*command, {"saltus fc info problem.hdf5",
                          "saltus fc info data/*.dat --form local     whatever the names say"});
  command->callback([options] { show_info(options->paths, options->form.read_options()); });
}

}  // namespace saltus
