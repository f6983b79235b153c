// What tests of trajectories share: the stock HDF5 tools, child processes.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "temporary_folder.hpp"

namespace saltus::testing {

struct CommandResult {
  int status = -1;
  std::string output;  // standard output and standard error
};

inline CommandResult run_command(const std::string& command) {
  CommandResult result;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    result.output.append(buffer.data(), size);
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

inline bool has_h5dump() { return run_command("h5dump --version").status == 0; }

// The stock tool reads every dataset of the file.
inline ::testing::AssertionResult h5dump_opens(const std::string& path) {
  const CommandResult dump = run_command("h5dump -o /dev/null '" + path + "'");
  if (dump.status == 0 && dump.output.find("error") == std::string::npos)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << path << ": h5dump gave " << dump.status << ": " << dump.output.substr(0, 2000);
}

inline std::string read_all(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Runs `work` in a child process; it ends with the value work returns, or by what kills it.
template <class Work>
pid_t start_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  return child;
}

inline int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace saltus::testing
