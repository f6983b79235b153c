#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>

#include "saltus/apps/command.hpp"
#include "saltus/apps/help_formatter.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/large_buffer.hpp"
#include "saltus/base/log.hpp"
#include "saltus/files/output_error.hpp"

namespace {

int run(int argc, char** argv) {
  using namespace saltus;
  CLI::App app{
      "Nonsmooth contact dynamics with a certificate.\n\n"
      "A scene (a TOML file, or a name that `saltus scenes` lists) is run into a trajectory, which is then "
      "looked at, measured and drawn. "
      "Every run ends with its certificate: how well the contact laws were met, how far bodies overlap, "
      "whether momentum and energy balance.",
      "saltus"};
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", "saltus " SALTUS_VERSION);
  app.require_subcommand(1);
  add_run_command(app);
  add_info_command(app);
  add_render_command(app);
  add_view_command(app);
  add_measure_command(app);
  add_plot_command(app);
  add_export_command(app);
  add_import_command(app);
  add_study_command(app);
  add_check_command(app);
  add_scenes_command(app);
  add_schema_command(app);
  add_completion_command(app);
  add_fc_command(app);
  add_examples(app,
               {"saltus scenes                             what there is to begin with",
                "saltus check arch                         what would run, and what is wrong with it",
                "saltus run arch                           run it, write arch.h5",
                "saltus render arch.h5 --out arch.png      a picture of its last frame",
                "saltus view arch.h5                       look at it in the browser",
                "saltus plot arch.h5 energy --out e.svg    where its energy went",
                "saltus run arch --set law.friction=0.2 --out slippery.h5",
                "saltus info arch.h5 --scene > mine.toml   a scene to change and run: saltus run mine.toml",
                "saltus fc solve problem.hdf5              solve a frictional contact problem", "",
                "saltus COMMAND --help has the options and examples of one command; docs/start.md and "
                "docs/tutorials lead on."});
  try {
    remember_words(argc, argv);
    check_command_words(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::RuntimeError& result) {
    return result.get_exit_code();
  } catch (const CLI::ParseError& error) {
    log_error("{}", error.what());
    std::fputs("Run saltus --help, or --help after a command, for its options and examples.\n", stderr);
    return kBadInput;
  } catch (const InputError& error) {
    log_error("{}", error.what());
    return kBadInput;
  } catch (const OutputError& error) {
    log_error("{}", error.what());
    return kCannotWrite;
  }
  return kSuccess;
}

int refuse_size() {
  saltus::log_error("not enough memory for this input");
  return saltus::kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  saltus::return_large_buffers();
  try {
    const int exit_code = run(argc, argv);
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return exit_code;
    saltus::log_error("the results could not be written to standard output (is the disk full?)");
    return saltus::kCannotWrite;
  } catch (const std::bad_alloc&) {
    return refuse_size();
  } catch (const std::length_error&) {
    return refuse_size();
  } catch (const std::exception& error) {
    saltus::log_error("{} (this is a fault of the program, not of its input)", error.what());
    return saltus::kOurFault;
  }
}
