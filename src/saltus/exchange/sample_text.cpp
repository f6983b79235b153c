#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "saltus/base/input_error.hpp"
#include "saltus/exchange/ball_columns.hpp"
#include "saltus/exchange/word_lines.hpp"

namespace saltus {

namespace {

// "x_y_z_r_matId", "x y z r", "x,y,z,r"
std::vector<std::string> split_column_names(const std::string& text, bool at_underscores) {
  std::vector<std::string> names(1);
  for (const char c : text) {
    const bool ends =
        std::isspace(static_cast<unsigned char>(c)) || c == ',' || c == ';' || (at_underscores && c == '_');
    if (!ends)
      names.back() += c;
    else if (!names.back().empty())
      names.emplace_back();
  }
  if (names.back().empty()) names.pop_back();
  return names;
}

bool is_number(std::string_view word) {
  return !word.empty() &&
         (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-' || word[0] == '+' ||
          word[0] == '.') &&
         word != "-";
}

// A comment or a first line that names columns, rather than says something.
bool names_columns(const std::vector<std::string>& words) {
  const auto has = [&](const char* name) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& w) { return find_ball_column(w) == find_ball_column(name); });
  };
  return has("x") && has("y") && (has("r") || has("d"));
}

std::vector<std::string> default_columns(const WordLines& lines, const SampleOptions& options) {
  const std::size_t count = lines.words().size();
  if (options.radius && count == 2) return {"x", "y"};
  if (options.radius && count == 3) return {"x", "y", "z"};
  if (count == 3 && options.dimension != 3) return {"x", "y", "r"};
  if (count == 4 && options.dimension != 2) return {"x", "y", "z", "r"};
  lines.fail("columns that nothing names", fmt::format("{} of them", count),
             "3 (x y r), 4 (x y z r), a first line with their names, or --columns");
}

}  // namespace

Sample parse_particle_text(std::string_view text, const std::string& where, const SampleOptions& options) {
  WordLines lines(text, where);
  Sample sample;
  std::vector<std::string> names = split_column_names(options.columns, false);
  std::optional<BallColumns> columns;
  std::map<std::string, int> materials;
  std::size_t width = 0;  // words in a line
  while (lines.next()) {
    if (!columns) {
      for (const std::string& comment : lines.comments()) {
        if (!names.empty()) break;
        const std::size_t format = comment.find("format ");
        std::vector<std::string> said = format == std::string::npos
                                            ? split_column_names(comment, false)
                                            : split_column_names(comment.substr(format + 7), true);
        if (names_columns(said)) names = std::move(said);
      }
      const bool is_header = !is_number(lines.words()[0]);
      if (is_header && names.empty())
        for (const std::string_view word : lines.words()) names.emplace_back(word);
      if (names.empty()) names = default_columns(lines, options);
      columns = BallColumns(names, options, lines.place());
      sample.dimension = columns->dimension();
      if (is_header) continue;
    }
    if (lines.words().size() < names.size())
      lines.fail("numbers in a line", fmt::format("{}", lines.words().size()),
                 fmt::format("{}: {}", names.size(), fmt::join(names, " ")));
    // YADE's textExt may add attributes behind the columns it names: of every particle as many.
    if (sample.balls.empty()) width = lines.words().size();
    if (lines.words().size() != width)
      lines.fail("numbers in a line", fmt::format("{}", lines.words().size()),
                 fmt::format("{}, as in the first", width));
    sample.balls.push_back(columns->read(lines, materials));
  }
  if (!columns)
    throw InputError(where, "holds no particle", fmt::format("{} bytes", text.size()), "lines of numbers");
  columns->finish(materials, sample);
  check_sample(where, sample);
  return sample;
}

}  // namespace saltus
