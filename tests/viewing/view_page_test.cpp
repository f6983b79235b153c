#include "saltus/viewing/view_page.hpp"

#include <regex>

#include "saltus/base/input_error.hpp"
#include "saltus/files/zlib_bytes.hpp"
#include "saltus/viewing/viewer_bundle.hpp"
#include "viewing/sliding_ball.hpp"
#include "viewing/unpacked_view.hpp"

namespace saltus::view_page_test {
namespace {

std::string decode_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t held = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    held = held << 6 | static_cast<std::uint32_t>(digits.find(c));
    bits += 6;
    if (bits >= 8) bytes += static_cast<char>(held >> (bits -= 8) & 255);
  }
  return bytes;
}

// The pack in the script of that name.
std::string pack_in(const std::string& html, const std::string& id) {
  const std::string mark = "id=\"" + id + "\" data-size=\"";
  std::size_t at = html.find(mark);
  if (at == std::string::npos) return {};
  at += mark.size();
  const std::size_t size = std::stoul(html.substr(at));
  const std::size_t begin = html.find('>', at) + 1, end = html.find('<', begin);
  return decompress_bytes(decode_base64(html.substr(begin, end - begin)), size).value_or("");
}

TEST(ViewPage, a_page_holds_every_frame_and_asks_for_nothing_else) {
  const TemporaryFolder folder;
  const auto source = open_view(run_sliding_ball<3>(folder));
  const ViewPage page = build_view_page(*source, all_frames(*source), {"velocity"}, 100'000'000);
  EXPECT_EQ(page.frames.size(), 11u);
  EXPECT_EQ(UnpackedView(pack_in(page.html, "saltus-model")).about["name"], "ball");
  EXPECT_EQ(UnpackedView(pack_in(page.html, "saltus-series")).at("time").size(), 11u);
  const std::string last = pack_in(page.html, "saltus-frame-10");
  FrameWish wish;
  wish.motion = wish.contacts = true, wish.fields = {"velocity"};
  EXPECT_EQ(last, source->frame(10, wish));
  EXPECT_EQ(page.html.find("saltus-frame-11"), std::string::npos);
  // Nothing of it is loaded from elsewhere.
  EXPECT_FALSE(
      std::regex_search(page.html, std::regex("<(script|link|img)[^>]+(src|href)=\"(http|//|\\.|/)")));
}

TEST(ViewPage, a_page_that_would_be_too_large_keeps_every_nth_frame_and_the_last) {
  const TemporaryFolder folder;
  const auto source = open_view(run_sliding_ball<3>(folder));
  const std::size_t whole =
      build_view_page(*source, all_frames(*source), {"velocity"}, 100'000'000).html.size();
  const std::size_t frames_alone =
      whole - build_view_page(*source, {0}, {"velocity"}, 100'000'000).html.size();
  const std::size_t limit = whole - frames_alone / 3;
  const ViewPage page = build_view_page(*source, all_frames(*source), {"velocity"}, limit);
  EXPECT_LE(page.html.size(), limit);
  EXPECT_EQ(page.asked, 11);
  EXPECT_EQ(page.frames, (std::vector<std::int64_t>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(UnpackedView(pack_in(page.html, "saltus-series")).at("step"),
            (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(UnpackedView(pack_in(page.html, "saltus-frame-1")).about["step"], 2);
  EXPECT_THROW(build_view_page(*source, all_frames(*source), {"velocity"}, 1000), InputError);
}

TEST(ViewPage, thinned_frames_keep_both_ends) {
  EXPECT_EQ(thin_frames({3, 4, 5, 6, 7, 8}, 2), (std::vector<std::int64_t>{3, 5, 7, 8}));
  EXPECT_EQ(thin_frames({3, 4, 5}, 7), (std::vector<std::int64_t>{3, 5}));
  EXPECT_EQ(thin_frames({3}, 2), std::vector<std::int64_t>{3});
}

TEST(ViewPage, components_of_vectors_are_left_out_unless_asked_for) {
  const TemporaryFolder folder;
  const std::vector<std::string> fields = page_fields(*open_view(run_sliding_ball<3>(folder)));
  EXPECT_EQ(std::count(fields.begin(), fields.end(), "velocity"), 1);
  EXPECT_EQ(std::count(fields.begin(), fields.end(), "velocity.x"), 0);
  EXPECT_EQ(std::count(fields.begin(), fields.end(), "status"), 1);
}

}  // namespace
}  // namespace saltus::view_page_test
