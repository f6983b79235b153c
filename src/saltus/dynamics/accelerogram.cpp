#include "saltus/dynamics/accelerogram.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

constexpr int kHeaderLines = 10;

// The number after NAME and an optional "=" in a line; none when it is not there.
std::optional<double> number_after(const std::string& line, const std::string& name) {
  std::string upper = line;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::size_t at = upper.find(name);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = upper.find_first_not_of(" =\t", at + name.size());
  if (begin == std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(upper.c_str() + begin, &end);
  return end == upper.c_str() + begin ? std::nullopt : std::optional<double>(value);
}

}  // namespace

std::optional<TimeFunction> load_peer_record(const std::string& path, double scale) {
  std::ifstream file(path);
  std::string line;
  std::optional<double> count, spacing;
  int number = 1;
  for (; number <= kHeaderLines && !spacing && std::getline(file, line); ++number) {
    count = number_after(line, "NPTS");
    if (count) spacing = number_after(line, "DT");
  }
  if (!count || !spacing || !(*spacing > 0)) return std::nullopt;
  std::vector<double> times, values;
  for (; std::getline(file, line); ++number) {
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      char* end = nullptr;
      const double value = std::strtod(word.c_str(), &end);
      if (*end != '\0' || !std::isfinite(scale * value))
        throw InputError(path + ":" + std::to_string(number), "not a finite number", word);
      times.push_back(*spacing * static_cast<double>(times.size()));
      values.push_back(scale * value);
    }
  }
  if (static_cast<double>(values.size()) != *count)
    throw InputError(path, "values in the record", std::to_string(values.size()),
                     "NPTS = " + std::to_string(static_cast<long long>(*count)));
  return TimeFunction::table(std::move(times), std::move(values));
}

}  // namespace saltus
