// Where `saltus fc solve --out` puts its files.
#pragma once

#include <string>
#include <vector>

namespace saltus {

// One path per input: `out` itself for a single input, unless it is a directory; else
// out/STEM.hdf5, the directory made if only it is missing. Throws InputError when a folder is
// missing, when two inputs would share a file, or when an input would be overwritten, or any other file
// without `force`.
std::vector<std::string> plan_outputs(const std::string& out, const std::vector<std::string>& inputs,
                                      bool force = false);

}  // namespace saltus
