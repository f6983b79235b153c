#include "saltus/base/byte_order_mark.hpp"

#include "saltus/base/input_error.hpp"

namespace saltus {

std::string_view without_byte_order_mark(std::string_view text, const std::string& where) {
  constexpr std::string_view kUtf8 = "\xEF\xBB\xBF";
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw InputError(where, "the characters of this text", "UTF-16", "UTF-8: save it again as such");
  if (text.starts_with(kUtf8)) text.remove_prefix(kUtf8.size());
  return text;
}

}  // namespace saltus
