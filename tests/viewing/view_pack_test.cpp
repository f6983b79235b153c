#include "saltus/viewing/view_pack.hpp"

#include "saltus/viewing/base64.hpp"
#include "viewing/unpacked_view.hpp"

namespace saltus::view_pack_test {
namespace {

TEST(ViewPack, arrays_come_back_as_they_were_given_whatever_their_kinds_and_sizes) {
  const std::string bytes =
      pack_view("{\"a\":1}", {{"bytes", 1, std::vector<std::uint8_t>{1, 2, 255}},
                              {"singles", 3, std::vector<float>{0.5F, -1, 3e30F, 1, 2, 3}},
                              {"none", 3, std::vector<float>{}},
                              {"integers", 1, std::vector<std::int32_t>{-7, 2147483647}},
                              {"doubles", 1, std::vector<double>{0.1}}});
  const UnpackedView pack(bytes);
  EXPECT_EQ(pack.about["a"], 1);
  EXPECT_EQ(pack.at("bytes"), (std::vector<double>{1, 2, 255}));
  EXPECT_EQ(pack.at("singles"), (std::vector<double>{0.5, -1, 3e30F, 1, 2, 3}));
  EXPECT_TRUE(pack.at("none").empty());
  EXPECT_EQ(pack.at("integers"), (std::vector<double>{-7, 2147483647}));
  EXPECT_EQ(pack.at("doubles"), std::vector<double>{0.1});
}

// RFC 4648, section 10.
TEST(Base64, words_of_the_standard_are_coded_as_it_says) {
  EXPECT_EQ(encode_base64(""), "");
  EXPECT_EQ(encode_base64("f"), "Zg==");
  EXPECT_EQ(encode_base64("fo"), "Zm8=");
  EXPECT_EQ(encode_base64("foo"), "Zm9v");
  EXPECT_EQ(encode_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encode_base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace saltus::view_pack_test
