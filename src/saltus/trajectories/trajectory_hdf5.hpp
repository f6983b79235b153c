// Small objects of an HDF5 file: attributes, texts, named values. Everything returns success or, when
// reading, nothing if the object is absent or of another kind; the caller knows the file and the words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "saltus/base/byte_sink.hpp"
#include "saltus/files/hdf5_handle.hpp"

namespace saltus {

// Attributes of the root group (or another object).
bool write_attribute(hid_t object, const char* name, std::int64_t value);
bool write_attribute(hid_t file, const char* name, const std::vector<double>& values);
std::optional<std::int64_t> read_integer_attribute(hid_t file, const char* name);
std::optional<std::vector<double>> read_reals_attribute(hid_t file, const char* name);

// A dataset of strings, replaced when it is there already, with a hash by which damage is seen. One string is
// a scalar.
bool write_text_dataset(hid_t file, const std::string& path, const std::string& text);
bool write_texts_dataset(hid_t file, const std::string& path, const std::vector<std::string>& texts);
std::optional<std::vector<std::string>> read_texts_dataset(hid_t file, const std::string& path);

// No error when there is none.
bool remove_dataset(hid_t file, const char* path);

// A new dataset of bytes, compressed, with checksums; `save` gives them part by part.
bool write_bytes_dataset(hid_t file, const char* path, const std::function<void(const ByteSink&)>& save);
std::optional<std::vector<std::byte>> read_bytes_dataset(hid_t file, const char* path);

// False when a dataset announces more numbers than the bytes stored for it can hold: memory is then not to be
// given for them.
bool is_stored(hid_t dataset);

// False when a chunk of a dataset is not in its index, or says that its checksum is to be skipped: the
// library would read zeros, or damage, without a word. The index itself has no checksum.
bool has_all_chunks(hid_t dataset);

// A byte that h5dump prints as one of `names` (values 0, 1, 2...).
Hdf5Handle build_enumeration(const std::vector<std::string>& names);

}  // namespace saltus
