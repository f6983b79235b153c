// Overrides of single keys of a scene, as `--set key.path=value` gives them.
#pragma once

#include <toml++/toml.h>

#include <string>

namespace saltus {

// Sets one key of the tree. Tables on the way are made when they are not there; elements of arrays are
// numbered from 0 and must be there, or be the one after the last. The value is TOML; a bare word counts as
// text. Mistakes are InputErrors that open with the option.
void apply_override(const std::string& option, toml::table& tree);

}  // namespace saltus
