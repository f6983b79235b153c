// Bytes packed by zlib.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace saltus {

// Level 1: for numbers the higher ones cost much and gain little.
std::string compress_bytes(std::string_view bytes);

// None unless the packed bytes give `size` bytes exactly. Memory is asked for only when so few bytes can hold so many
// (deflate packs 1032 to 1 at best).
std::optional<std::string> decompress_bytes(std::string_view packed, std::size_t size);

}  // namespace saltus
