// Values of Python as the tree of a scene.
#pragma once

#include <toml++/toml.h>

#include "bindings.hpp"

namespace saltus::bindings {

// Dictionaries become tables; lists, tuples and arrays of NumPy arrays; numbers, texts and truth values themselves; paths
// texts. A key whose value is None is left out. Anything else is an InputError that names the key.
toml::table to_table(const py::dict& dict);

}  // namespace saltus::bindings
