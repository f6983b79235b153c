// Runs the built program as a user would, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "paths.hpp"
#include "temporary_folder.hpp"

namespace saltus {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct Outcome {
  int exit_code = -1;
  std::string out, err;
};

class ProgramTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    temporary_.write(name, text);
    return name;
  }

  // `arguments` as typed in a shell whose current folder is folder_; `environment` stands before the program.
  Outcome run(const std::string& arguments, const std::string& environment = "") const {
    const std::string command = "cd '" + folder_.string() + "' && " + environment + " '" SALTUS_PROGRAM "' " +
                                arguments + " >.out 2>.err </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder_ / ".out"),
            read_text(folder_ / ".err")};
  }

  static std::vector<nlohmann::json> lines_of_json(const std::string& text) {
    std::vector<nlohmann::json> objects;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) objects.push_back(nlohmann::json::parse(line));
    return objects;
  }

  const TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
};

// One contact that sticks or slides, W symmetric and positive definite.
inline const std::string kOneContact = "3 1  0 3 3  3 3  15 -1 -2  -1 14 1  -2 1 16   -1 2 3   0.1\n";

// M = 2 I, H = I, f = (-2, 0, 0), w = 0: W = I / 2 and b = (-1, 0, 0). The answer is r = (2, 0, 0).
inline const std::string kGlobalContact =
    "3 1  0 3 3  3 3  2 0 0 0 2 0 0 0 2   0 3 3  3 3  1 0 0 0 1 0 0 0 1   -2 0 0   0 0 0   0.5\n";

inline const std::string kNoContact = "3 0  0 0 0  0 0\n";

// Five blocks on the floor, ten contacts: more than one sweep away from any tolerance below 1e-3.
inline const std::string kStack = "'" SALTUS_SOURCE "/examples/stack.dat'";

}  // namespace saltus
