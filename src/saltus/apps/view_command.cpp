#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <memory>
#include <thread>

#include "saltus/apps/command.hpp"
#include "saltus/viewing/view_server.hpp"

extern char** environ;

namespace saltus {

namespace {

struct ViewCommand {
  std::string file;
  bool no_open = false;
};

bool has_display() { return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr; }

// True when there is a program that opens addresses and it took this one.
bool open_in_browser(const std::string& address) {
  if (!has_display()) return false;
  std::string program = "xdg-open", argument = address;
  char* words[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ) != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Ctrl-C is taken by a thread that waits for it: what it does then needs no care for signals.
void serve_until_interrupted(ViewServer& server) {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, signal);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // in the threads of the server too
  std::thread serving([&] { server.serve(); });
  int signal = 0;
  sigwait(&ends, &signal);
  server.stop();
  serving.join();
}

void execute_view(const ViewCommand& command) {
  ViewServer server(command.file);
  fmt::print("{}\n", server.address());
  const bool opened = !command.no_open && open_in_browser(server.address());
  fmt::print("{} (Ctrl-C ends it)\n",
             opened ? "opened in the browser" : "open this address in a browser on this machine");
  std::fflush(stdout);
  serve_until_interrupted(server);
}

}  // namespace

void add_view_command(CLI::App& app) {
  auto command = std::make_shared<ViewCommand>();
  CLI::App* sub = app.add_subcommand(
      "view", "Look at a trajectory in the browser: play, turn, colour, pick; follows a run that goes on");
  sub->add_option("FILE", command->file, "A trajectory written by `saltus run`, finished or not")->required();
  sub->add_flag("--no-open", command->no_open, "Only print the address, start no browser");
  add_examples(*sub,
               {"saltus view heap.h5", "saltus view heap.h5 --no-open         prints the address to open",
                "saltus export heap.h5 --html heap.html   the same as a file"});
  sub->callback([command] { execute_view(*command); });
}

}  // namespace saltus
