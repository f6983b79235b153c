// Where the outputs of a command go: claimed before any work begins, so that nothing is lost and a mistake is
// told at once.
//
//     OutputClaims claims(force);
//     claims.protect(scene_path);
//     summary = claims.claim("--summary", summary, OutputKind::stream);
//
// An output follows links, never takes the place of what is not a regular file, of an input of the command or
// of another of its outputs, and of an existing file only with --force.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace saltus {

// A stream can also go down a pipe, to a device or, named "-", to standard output; a file is written here and
// there (HDF5) and needs a regular one.
enum class OutputKind { stream, file };

// What a name stands for once links are followed; the file need not exist. Names of open streams
// (/dev/stdout) stay as they are. Throws OutputError for links in a circle.
std::string follow_links(const std::string& path);

// "-" or a name for it.
bool is_standard_output(const std::string& path);

// A pipe, a device: there and neither file nor folder. It is written to, never replaced.
bool is_special(const std::string& path);

class OutputClaims {
 public:
  explicit OutputClaims(bool force) : force_(force) {}

  void protect(const std::string& input);

  // `option` opens the messages about the choice. `is_own`: whether an existing file is an earlier state of
  // this very output, which may be replaced. Returns the path to write to; an empty path is no output and
  // stays empty. Throws InputError for what must not be overwritten, OutputError when the place cannot be
  // written.
  using IsOwn = std::function<bool(const std::string& path)>;
  std::string claim(const std::string& option, const std::string& path, OutputKind kind,
                    const IsOwn& is_own = {});

 private:
  // What makes two names one place: the file behind them, or where they would be.
  struct Identity {
    std::uint64_t device = 0, node = 0;  // 0: not there
    std::string spelling;
    auto operator<=>(const Identity&) const = default;
  };
  static std::vector<Identity> identities(const std::string& path);

  bool force_;
  std::set<Identity> inputs_;
  std::map<Identity, std::string> claims_;  // with the option each came from
};

// Whole or not at all, see replace_file; "-" is standard output. Throws OutputError.
void write_output(const std::string& path, std::string_view content);

// Makes the folder and those it is in. Throws OutputError.
void make_folder(const std::string& path);

}  // namespace saltus
