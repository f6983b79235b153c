// Texts as other programs save them: some write a mark before UTF-8, some do not write UTF-8 at all.
#pragma once

#include <string>
#include <string_view>

namespace saltus {

// The text behind the mark of UTF-8, if there is one. InputError at `where` when the mark is that of UTF-16.
std::string_view without_byte_order_mark(std::string_view text, const std::string& where);

}  // namespace saltus
