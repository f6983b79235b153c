#include "saltus/apps/fc_output.hpp"

#include <filesystem>
#include <map>
#include <system_error>

#include "saltus/base/input_error.hpp"
#include "saltus/files/output_place.hpp"

namespace saltus {

namespace fs = std::filesystem;

namespace {

void check_folder(const fs::path& folder) {
  std::error_code ignored;
  if (folder.empty() || fs::is_directory(folder, ignored)) return;
  throw InputError("--out", "there is no such folder", folder.string(), "a folder that exists");
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return;
  if (fs::exists(folder, error))
    throw InputError("--out", "several inputs need a folder, and this is a file", folder.string());
  check_folder(folder.parent_path());
  if (!fs::create_directory(folder, error))
    throw InputError("--out", "cannot make the folder (" + error.message() + ")", folder.string());
}

}  // namespace

std::vector<std::string> plan_outputs(const std::string& out, const std::vector<std::string>& inputs,
                                      bool force) {
  fs::path target(out);
  if (!target.has_filename()) target = target.parent_path();  // "results/" is "results"
  std::error_code ignored;
  std::vector<std::string> outputs;
  if (inputs.size() == 1 && !fs::is_directory(target, ignored)) {
    check_folder(target.parent_path());
    outputs.push_back(target.string());
  } else {
    make_folder(target);
    std::map<std::string, std::string> input_of;
    for (const std::string& input : inputs) {
      outputs.push_back((target / fs::path(input).stem()).string() + ".hdf5");
      const auto [first, is_new] = input_of.emplace(outputs.back(), input);
      if (!is_new)
        throw InputError("--out", "two inputs would write " + outputs.back(), first->second + " and " + input,
                         "inputs whose names differ before the extension");
    }
  }
  OutputClaims claims(force);
  for (const std::string& input : inputs) claims.protect(input);
  for (std::string& output : outputs) output = claims.claim("--out", output, OutputKind::file);
  return outputs;
}

}  // namespace saltus
