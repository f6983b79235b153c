#include "saltus/viewing/view_pack.hpp"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

namespace saltus {

namespace {

static_assert(std::endian::native == std::endian::little, "packs are written as they are in memory");

constexpr const char* kArrayTypes[] = {"f32", "f64", "i32", "u8"};

std::size_t rounded_up(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

std::string pack_view(const std::string& about, const std::vector<ViewArray>& arrays) {
  nlohmann::json list = nlohmann::json::array();
  std::size_t at = 0;
  for (const ViewArray& array : arrays)
    std::visit(
        [&](const auto& numbers) {
          list.push_back({{"name", array.name},
                          {"type", kArrayTypes[array.numbers.index()]},
                          {"width", array.width},
                          {"count", numbers.size() / static_cast<std::size_t>(array.width)},
                          {"at", at}});
          at = rounded_up(at + numbers.size() * sizeof(numbers[0]));
        },
        array.numbers);
  const std::string text = "{\"about\":" + about + ",\"arrays\":" + list.dump() + "}";
  const std::size_t begin = rounded_up(8 + text.size());
  std::string bytes(begin + at, '\0');
  std::memcpy(bytes.data(), "SVP1", 4);
  const auto length = static_cast<std::uint32_t>(text.size());
  std::memcpy(bytes.data() + 4, &length, sizeof length);
  std::memcpy(bytes.data() + 8, text.data(), text.size());
  at = begin;
  for (const ViewArray& array : arrays)
    std::visit(
        [&](const auto& numbers) {
          const std::size_t size = numbers.size() * sizeof(numbers[0]);
          if (size > 0) std::memcpy(bytes.data() + at, numbers.data(), size);
          at = rounded_up(at + size);
        },
        array.numbers);
  return bytes;
}

}  // namespace saltus
