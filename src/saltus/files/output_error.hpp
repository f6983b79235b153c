// Output that cannot be written: disk full, folder missing or read-only. Not a mistake in the input and not
// a fault of the program, so it has a type (and an exit status) of its own. The message names the file.
#pragma once

#include <stdexcept>
#include <string>

namespace saltus {

class OutputError : public std::runtime_error {
 public:
  OutputError(const std::string& path, const std::string& what)
      : std::runtime_error(path + ": cannot be written: " + what) {}
};

}  // namespace saltus
