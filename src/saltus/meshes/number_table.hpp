// From the numbers that a file gives its nodes or elements to their places in our arrays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace saltus {

// Numbers that lie close together are looked up in a table, others by bisection; memory is linear in their count.
class NumberTable {
 public:
  // numbers[i] belongs to i. Returns a number that occurs twice, if there is one: the first place is then kept.
  std::optional<std::int64_t> build(const std::vector<std::int64_t>& numbers) {
    sorted_.clear();
    table_.clear();
    std::optional<std::int64_t> twice;
    if (numbers.empty()) return twice;
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    low_ = *low;
    // Unsigned, as the difference of two numbers may be too large for them.
    const std::uint64_t extent = static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low);
    if (extent < 4 * numbers.size() + 1000) {
      table_.assign(extent + 1, -1);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        int& place = table_[static_cast<std::size_t>(numbers[i] - low_)];
        if (place < 0)
          place = static_cast<int>(i);
        else if (!twice)
          twice = numbers[i];
      }
      return twice;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) sorted_.emplace_back(numbers[i], static_cast<int>(i));
    std::sort(sorted_.begin(), sorted_.end());
    for (std::size_t i = 1; i < sorted_.size() && !twice; ++i)
      if (sorted_[i].first == sorted_[i - 1].first) twice = sorted_[i].first;
    return twice;
  }

  int find(std::int64_t number) const {  // -1: there is none
    if (!table_.empty()) {
      const std::uint64_t place = static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(low_);
      return number < low_ || place >= table_.size() ? -1 : table_[static_cast<std::size_t>(place)];
    }
    const auto place = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(number, -1));
    return place == sorted_.end() || place->first != number ? -1 : place->second;
  }

 private:
  std::int64_t low_ = 0;
  std::vector<int> table_;
  std::vector<std::pair<std::int64_t, int>> sorted_;
};

}  // namespace saltus
