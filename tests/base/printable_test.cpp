// What files and users wrote, on the way to a screen.
#include <gtest/gtest.h>

#include "saltus/base/byte_order_mark.hpp"
#include "saltus/base/console.hpp"
#include "saltus/base/input_error.hpp"

namespace saltus::printable_test {
namespace {

using namespace std::string_literals;

TEST(Printable, words_of_any_language_stay_as_they_are) {
  for (const std::string& text : {"a b\tc\n", "Frémond", "\u00a0", "日本語", "\U0001f600"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, control_characters_of_both_sets_are_escaped) {
  EXPECT_EQ(printable("\x1b[31m\x07\x7f\r"), "\\x1b[31m\\x07\\x7f\\x0d");
  EXPECT_EQ(printable("a\0b"s), "a\\x00b");
  // U+009B does what ESC [ does.
  EXPECT_EQ(printable("\u009b31m"), "\\xc2\\x9b31m");
}

TEST(Printable, bytes_that_are_no_UTF8_are_escaped) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("w\xe4r"), "w\\xe4r");       // Latin-1
  EXPECT_EQ(printable("\xe6\x97"), "\\xe6\\x97");  // cut
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
}

TEST(Printable, a_message_does_not_end_at_a_zero_byte) {
  EXPECT_STREQ(InputError("a.csv:2", "column r", "\"1\0\""s, "a number").what(),
               "a.csv:2: column r: got \"1\\x00\", allowed: a number");
}

TEST(ByteOrderMark, that_of_UTF8_is_passed_over_and_UTF16_is_named) {
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBFx,y", "a.csv"), "x,y");
  EXPECT_EQ(without_byte_order_mark("x,y", "a.csv"), "x,y");
  for (const std::string& text : {"\xff\xfex\0"s, "\xfe\xff\0x"s}) {
    try {
      without_byte_order_mark(text, "a.csv");
      FAIL();
    } catch (const InputError& error) {
      EXPECT_EQ(error.where(), "a.csv");
      EXPECT_EQ(error.value(), "UTF-16");
    }
  }
}

}  // namespace
}  // namespace saltus::printable_test
