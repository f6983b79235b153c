// Named arrays of numbers behind a text, in one buffer: what the viewer in the browser reads (docs/viewer-format.md).
//
//     bytes 0..3   "SVP1"
//     bytes 4..7   length n of the text, unsigned, little-endian
//     n bytes      JSON {"about": OBJECT, "arrays": [{"name", "type", "width", "count", "at"}]}
//     zeros        up to a multiple of 8
//     arrays       each from its `at` on (counted from here) and filled up to a multiple of 8
//
// `type` is f32, f64, i32 or u8, little-endian; `count` rows of `width` numbers. A browser lays typed arrays over the buffer
// and copies nothing.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace saltus {

struct ViewArray {
  std::string name;
  int width = 1;
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>, std::vector<std::uint8_t>>
      numbers;
};

// `about` is the text of a JSON object.
std::string pack_view(const std::string& about, const std::vector<ViewArray>& arrays);

}  // namespace saltus
