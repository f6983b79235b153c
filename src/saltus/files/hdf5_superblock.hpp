// The first bytes of an HDF5 file, looked at before the library is let near it.
#pragma once

#include <string>
#include <string_view>

namespace saltus {

bool has_hdf5_signature(std::string_view bytes);

// Throws InputError when the bytes are fewer than the superblock says the file has, or when
// there is no whole superblock.
void check_hdf5_length(std::string_view bytes, const std::string& where);

}  // namespace saltus
