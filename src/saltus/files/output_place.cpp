#include "saltus/files/output_place.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>

#include "saltus/base/input_error.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/files/trajectory_files.hpp"

namespace saltus {

namespace fs = std::filesystem;

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

// None for the name of an open stream: links of /proc name open files in words of their own, which only the
// system can follow.
std::optional<std::string> follow(const std::string& path) {
  constexpr int kMostLinks = 40;  // as Linux
  std::error_code error;
  fs::path place(path);
  for (int link = 0; link < kMostLinks; ++link) {
    if (place.string().rfind("/proc/", 0) == 0) return std::nullopt;
    if (!fs::is_symlink(fs::symlink_status(place, error))) return place.string();
    const fs::path target = fs::read_symlink(place, error);
    if (error) throw OutputError(path, error.message());
    place = place.parent_path() / target;  // the target alone when it is absolute
  }
  throw OutputError(path, reason(ELOOP));
}

}  // namespace

std::string follow_links(const std::string& path) { return follow(path).value_or(path); }

bool is_standard_output(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

bool is_special(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::is_other(status) || (fs::exists(status) && !follow(path));
}

// Two names are, or would be, one file when they share one of these.
std::vector<OutputClaims::Identity> OutputClaims::identities(const std::string& path) {
  std::vector<Identity> all;
  struct ::stat status {};
  if (::stat(path.c_str(), &status) == 0)
    all.push_back({static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino), {}});
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  const fs::path folder = fs::canonical(whole.parent_path(), error);
  all.push_back(
      {0, 0, ((error ? whole.parent_path().lexically_normal() : folder) / whole.filename()).string()});
  return all;
}

void OutputClaims::protect(const std::string& input) {
  if (input.empty()) return;
  for (Identity& identity : identities(input)) inputs_.insert(std::move(identity));
}

std::string OutputClaims::claim(const std::string& option, const std::string& path, OutputKind kind,
                                const IsOwn& is_own) {
  if (path.empty()) return path;
  const bool stream = kind == OutputKind::stream;
  if (path == "-" && !stream)
    throw InputError(option, "cannot go to standard output", path, "the name of a file");
  const std::string place = is_standard_output(path) && stream ? "-" : follow_links(path);
  // Several outputs may go down one pipe or device.
  const bool may_share = place != "-" && is_special(place);
  for (const Identity& identity : identities(place)) {
    if (inputs_.count(identity)) throw InputError(option, "would overwrite an input", path, "another name");
    const auto [other, is_new] = claims_.emplace(identity, option);
    if (!is_new && !may_share)
      throw InputError(option, "is the output of " + other->second + " too", path, "another name");
  }
  if (place == "-") return place;
  if (is_special(place) && !stream)
    throw InputError(option, "not a regular file, and this kind of output needs one", path,
                     "the name of a file");
  std::error_code error;
  if (fs::is_regular_file(place, error) && !force_ && !(is_own && is_own(place)))
    throw InputError(path, "is there already: --force overwrites it");
  check_writable(place);
  return place;
}

void write_output(const std::string& path, std::string_view content) {
  if (!is_standard_output(path))
    return replace_file(path, [&](const ByteSink& sink) { sink(std::as_bytes(std::span(content))); });
  if (std::fwrite(content.data(), 1, content.size(), stdout) != content.size() || std::fflush(stdout) != 0)
    throw OutputError("standard output", reason(errno));
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw OutputError(path, error.message());
  if (!fs::is_directory(path, error)) throw OutputError(path, reason(ENOTDIR));
}

}  // namespace saltus
