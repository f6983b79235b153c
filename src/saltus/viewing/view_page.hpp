// The viewer and a trajectory as one HTML file that opens from disk, without a server and without a network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "saltus/viewing/view_source.hpp"

namespace saltus {

struct ViewPage {
  std::string html;
  std::vector<std::int64_t> frames;  // that it holds
  std::int64_t asked = 0;            // frames that it was to hold
};

// Frames hold contacts, velocities and these fields. Where all of them would make the page larger than `most_bytes`, every
// second, third... is left out; the first and the last stay. Throws InputError when not even two fit.
ViewPage build_view_page(ViewSource& source, const std::vector<std::int64_t>& frames,
                         const std::vector<std::string>& fields, std::size_t most_bytes);

// What a page holds unless told otherwise: sizes of vectors, categories, and everything stored of nodes.
std::vector<std::string> page_fields(const ViewSource& source);

// Every `stride`-th, and the last.
std::vector<std::int64_t> thin_frames(const std::vector<std::int64_t>& frames, std::size_t stride);

}  // namespace saltus
