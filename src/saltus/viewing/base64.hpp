// Bytes as text (RFC 4648): how a page holds data.
#pragma once

#include <string>
#include <string_view>

namespace saltus {

std::string encode_base64(std::string_view bytes);

}  // namespace saltus
