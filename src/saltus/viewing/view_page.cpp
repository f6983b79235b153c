#include "saltus/viewing/view_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/files/zlib_bytes.hpp"
#include "saltus/viewing/base64.hpp"
#include "saltus/viewing/viewer_bundle.hpp"

namespace saltus {

namespace {

constexpr std::string_view kPlaceOfData = "<!--saltus-data-->";

std::string script(const std::string& id, const std::string& pack) {
  return fmt::format("<script type=\"application/saltus\" id=\"{}\" data-size=\"{}\">{}</script>\n", id,
                     pack.size(), encode_base64(compress_bytes(pack)));
}

// The scripts of these frames; nothing when they take more than `room` bytes.
std::string frame_scripts(ViewSource& source, const std::vector<std::int64_t>& frames, const FrameWish& wish,
                          std::size_t room) {
  std::string scripts;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    scripts += script(fmt::format("saltus-frame-{}", i), source.frame(frames[i], wish));
    if (scripts.size() > room) return {};
  }
  return scripts;
}

}  // namespace

std::vector<std::int64_t> thin_frames(const std::vector<std::int64_t>& frames, std::size_t stride) {
  std::vector<std::int64_t> kept;
  for (std::size_t i = 0; i < frames.size(); i += stride) kept.push_back(frames[i]);
  if (!frames.empty() && kept.back() != frames.back()) kept.push_back(frames.back());
  return kept;
}

std::vector<std::string> page_fields(const ViewSource& source) {
  std::vector<std::string> fields;
  for (const std::string& name : source.fields()) {
    const std::string base = name.substr(0, name.find('.'));
    const bool is_component =
        base != name && (base == "velocity" || base == "displacement" || base == "spin");
    if (!is_component) fields.push_back(name);
  }
  return fields;
}

ViewPage build_view_page(ViewSource& source, const std::vector<std::int64_t>& frames,
                         const std::vector<std::string>& fields, std::size_t most_bytes) {
  const std::string_view bundle = viewer_bundle();
  const std::size_t place = bundle.find(kPlaceOfData);
  if (place == std::string_view::npos) throw std::logic_error("the page of the viewer has no place for data");
  FrameWish wish;
  wish.motion = wish.contacts = true;
  wish.fields = fields;
  const std::string model = script("saltus-model", source.model());
  std::size_t stride = 1;
  for (std::vector<std::int64_t> kept = frames;; kept = thin_frames(frames, stride)) {
    const std::string series = script("saltus-series", source.series(kept));
    const std::size_t own = bundle.size() + model.size() + series.size();
    const std::size_t room = most_bytes > own ? most_bytes - own : 0;
    // What a few of them take tells how many will fit.
    const std::size_t few = std::min<std::size_t>(kept.size(), 5);
    std::size_t sampled = 0;
    for (std::size_t i = 0; i < few; ++i)
      sampled += script("saltus-frame-000000",
                        source.frame(kept[i * (kept.size() - 1) / std::max<std::size_t>(few - 1, 1)], wish))
                     .size();
    const double expected =
        static_cast<double>(sampled) / static_cast<double>(few) * static_cast<double>(kept.size());
    const std::string scripts =
        expected < 1.1 * static_cast<double>(room) ? frame_scripts(source, kept, wish, room) : std::string();
    if (!scripts.empty()) {
      std::string html(bundle.substr(0, place));
      html += model + series + scripts;
      html += bundle.substr(place + kPlaceOfData.size());
      return {std::move(html), kept, static_cast<std::int64_t>(frames.size())};
    }
    if (kept.size() <= 2)
      throw InputError("--max-size", "a page of two frames is larger",
                       fmt::format("{:.3g} MB", static_cast<double>(most_bytes) / 1e6),
                       fmt::format("{:.3g} MB or more; or look at the file itself with saltus view",
                                   std::ceil(1.1 * (static_cast<double>(own) + expected) / 1e6)));
    const double ratio = room > 0 ? expected / static_cast<double>(room) : 2;
    stride = std::max(
        stride + 1,
        std::min(frames.size(), static_cast<std::size_t>(std::ceil(static_cast<double>(stride) * ratio))));
  }
}

}  // namespace saltus
