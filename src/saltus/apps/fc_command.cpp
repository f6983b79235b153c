#include "saltus/apps/fc_command.hpp"

#include "saltus/apps/command.hpp"

namespace saltus {

void add_fc_command(CLI::App& app) {
  CLI::App* fc = app.add_subcommand("fc", "Frictional contact problems from files");
  fc->require_subcommand(1);
  add_fc_info_command(*fc);
  add_fc_solve_command(*fc);
  add_fc_compare_command(*fc);
  add_fc_export_command(*fc);
  add_examples(*fc, {"saltus fc info problem.hdf5", "saltus fc solve problem.hdf5 --tolerance 1e-8",
                     "saltus fc compare data --solvers auto,nlgs --tolerance 1e-4 --out results"});
}

}  // namespace saltus
