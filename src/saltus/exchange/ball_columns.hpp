// Balls from lines of words, by the names of the columns.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "saltus/exchange/sample.hpp"
#include "saltus/exchange/word_lines.hpp"

namespace saltus {

enum class BallColumn {
  none,
  x,
  y,
  z,
  radius,
  diameter,
  vx,
  vy,
  vz,
  wx,
  wy,
  wz,
  density,
  mass,
  material,
  unread
};

// none: the name is none of those that are known, in any program.
BallColumn find_ball_column(const std::string& name);

class BallColumns {
 public:
  // Throws InputError at `place` for a name that is not known, twice, or missing (x, y, a radius).
  BallColumns(const std::vector<std::string>& names, const SampleOptions& options, const std::string& place);

  int dimension() const { return dimension_; }
  bool has(BallColumn kind) const;
  // `materials` gives each word of that column its number.
  SampleBall read(const WordLines& lines, std::map<std::string, int>& materials) const;
  // Names of materials, and what the columns hold.
  void finish(const std::map<std::string, int>& materials, Sample& sample) const;

 private:
  std::vector<BallColumn> kinds_;
  std::vector<std::string> names_;
  double radius_ = 0;  // of all, where there is no such column
  int dimension_ = 3;
};

}  // namespace saltus
