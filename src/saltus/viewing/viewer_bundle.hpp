// The page of the viewer: one HTML file made from viewer/ and kept there, part of the program.
#pragma once

#include <string_view>

namespace saltus {

// cmake/viewer_bundle.cmake makes the source of it from viewer/bundle/viewer.html.
std::string_view viewer_bundle();

}  // namespace saltus
