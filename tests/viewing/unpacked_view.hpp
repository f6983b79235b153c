// Reads packs back (docs/viewer-format.md), by the page and not by the code that writes them.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace saltus {

class UnpackedView {
 public:
  explicit UnpackedView(const std::string& bytes) {
    std::uint32_t length = 0;
    if (bytes.size() < 8 || bytes.compare(0, 4, "SVP1") != 0) throw std::runtime_error("no pack");
    std::memcpy(&length, bytes.data() + 4, 4);
    const nlohmann::json text = nlohmann::json::parse(bytes.substr(8, length));
    about = text["about"];
    const std::size_t begin = (8 + length + 7) / 8 * 8;
    for (const nlohmann::json& array : text["arrays"]) {
      const std::size_t count = array["count"].get<std::size_t>() * array["width"].get<std::size_t>();
      const char* from = bytes.data() + begin + array["at"].get<std::size_t>();
      EXPECT_EQ((from - bytes.data()) % 8, 0) << array["name"];
      const std::string type = array["type"];
      std::vector<double>& numbers = arrays_[array["name"]];
      if (type == "f32") take<float>(from, count, numbers);
      if (type == "f64") take<double>(from, count, numbers);
      if (type == "i32") take<std::int32_t>(from, count, numbers);
      if (type == "u8") take<std::uint8_t>(from, count, numbers);
      EXPECT_LE(from + numbers.size() * (type == "f64"  ? 8
                                         : type == "u8" ? 1
                                                        : 4),
                bytes.data() + bytes.size());
    }
  }

  bool has(const std::string& name) const { return arrays_.count(name) > 0; }
  const std::vector<double>& at(const std::string& name) const { return arrays_.at(name); }

  nlohmann::json about;

 private:
  template <class Number>
  static void take(const char* from, std::size_t count, std::vector<double>& numbers) {
    for (std::size_t i = 0; i < count; ++i) {
      Number number;
      std::memcpy(&number, from + i * sizeof number, sizeof number);
      numbers.push_back(static_cast<double>(number));
    }
  }

  std::map<std::string, std::vector<double>> arrays_;
};

}  // namespace saltus
