#include "saltus/generate/generate_wall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/input_error.hpp"
#include "saltus/generate/generate_blocks.hpp"
#include "saltus/generate/generate_random.hpp"

namespace saltus {

namespace {

// A block of a course, along the wall.
struct Piece {
  double middle = 0, length = 0;
  bool through = false;  // a header: as deep as the wall
  double low() const { return middle - length / 2; }
  double high() const { return middle + length / 2; }
  static Piece between(double low, double high, bool through) {
    return {0.5 * (low + high), high - low, through};
  }
};
using Course = std::vector<Piece>;

struct Interval {
  double low, high;
};

template <int Dim>
bool has_headers(const BrickWall<Dim>& wall) {
  return wall.bond == Bond::header || wall.bond == Bond::english || wall.bond == Bond::flemish;
}

template <int Dim>
double header_length(const BrickWall<Dim>& wall) {
  return Dim == 2 ? (wall.brick[0] - wall.head_joint) / 2 : wall.brick[1];
}

// Bricks of one length, symmetric: whole ones, or halves at the ends.
template <int Dim>
Course stretcher_course(const BrickWall<Dim>& wall, bool halved) {
  const double length = wall.brick[0], pitch = length + wall.head_joint, end = 0.5 * wall.length();
  const double half = (length - wall.head_joint) / 2;
  Course course;
  if (halved) course.push_back({-end + half / 2, half});
  const int whole = halved ? wall.bricks - 1 : wall.bricks;
  for (int i = 0; i < whole; ++i) course.push_back({(i - 0.5 * (whole - 1)) * pitch, length});
  if (halved) course.push_back({end - half / 2, half});
  return course;
}

// Pieces shorter than this part of their neighbour become part of it.
constexpr double kShortest = 0.25;

// Takes a stretch out of a course; pieces beside it are cut flush, short rests join the piece before.
void cut_out(const Interval& hole, double joint, Course& course) {
  Course kept;
  for (const Piece& piece : course) {
    if (piece.high() <= hole.low || piece.low() >= hole.high) {
      kept.push_back(piece);
      continue;
    }
    const double left = hole.low - piece.low(), right = piece.high() - hole.high;
    const double shortest = kShortest * piece.length;
    const bool has_before =
        !kept.empty() && std::abs(piece.low() - kept.back().high() - joint) <= 1e-9 * piece.length;
    if (left >= shortest || (left > 1e-9 * piece.length && !has_before))
      kept.push_back(Piece::between(piece.low(), hole.low, piece.through));
    else if (left > 0 && has_before)
      kept.back() = Piece::between(kept.back().low(), hole.low, kept.back().through);
    if (right > 1e-9 * piece.length) kept.push_back(Piece::between(hole.high, piece.high(), piece.through));
  }
  // A short rest after the hole joins the piece behind it.
  for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
    const bool is_rest = kept[i].low() == hole.high || std::abs(kept[i].low() - hole.high) < 1e-9;
    const bool touches = std::abs(kept[i + 1].low() - kept[i].high() - joint) <= 1e-9 * kept[i + 1].length;
    if (!is_rest || !touches || kept[i].length >= kShortest * kept[i + 1].length) continue;
    kept[i + 1] = Piece::between(kept[i].low(), kept[i + 1].high(), kept[i + 1].through);
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  course = std::move(kept);
}

// Lengths in turn, from `start` on (at or before the end of the wall), cut at both ends.
template <int Dim>
Course pattern_course(const BrickWall<Dim>& wall, const std::vector<Piece>& pattern, double start) {
  const double end = 0.5 * wall.length();
  Course course;
  double at = start;
  for (std::size_t i = 0; at < end - 1e-9 * wall.brick[0]; ++i) {
    const Piece& piece = pattern[i % pattern.size()];
    course.push_back(Piece::between(at, at + piece.length, piece.through));
    at += piece.length + wall.head_joint;
  }
  cut_out({-std::numeric_limits<double>::infinity(), -end}, wall.head_joint, course);
  cut_out({end, std::numeric_limits<double>::infinity()}, wall.head_joint, course);
  return course;
}

// Random lengths, with joints that keep away from those of the course below where some draws allow it.
template <int Dim>
Course rubble_course(const BrickWall<Dim>& wall, const Course& below, SplitMix64& random) {
  constexpr int kDraws = 20;
  const double end = 0.5 * wall.length(), shortest = (1 - wall.length_spread) * wall.brick[0];
  Course course;
  for (double at = -end; at < end - 1e-9 * shortest;) {
    double length = 0, best = -1;
    for (int draw = 0; draw < kDraws && best < kShortest * wall.brick[0]; ++draw) {
      const double drawn = wall.brick[0] * random.uniform(1 - wall.length_spread, 1 + wall.length_spread);
      double clear = wall.brick[0];
      for (const Piece& piece : below) clear = std::min(clear, std::abs(piece.high() - at - drawn));
      if (clear > best) best = clear, length = drawn;
    }
    course.push_back(Piece::between(at, at + length, false));
    at += length + wall.head_joint;
  }
  cut_out({end, std::numeric_limits<double>::infinity()}, wall.head_joint, course);
  return course;
}

template <int Dim>
Course regular_course(const BrickWall<Dim>& wall, int number) {
  const bool odd = number % 2 == 1;
  const double end = 0.5 * wall.length(), joint = wall.head_joint, head = header_length(wall);
  const Piece stretcher{0, wall.brick[0], false}, header{0, head, true};
  switch (wall.bond) {
    case Bond::running: return stretcher_course(wall, odd);
    case Bond::header: return pattern_course(wall, {header}, -end - (odd ? (head + joint) / 2 : 0));
    case Bond::english:
      if (!odd) return stretcher_course(wall, false);
      return pattern_course(wall, {header}, -end - (head + joint) / 2);
    case Bond::flemish:
      return pattern_course(wall, {stretcher, header}, -end - (odd ? (wall.brick[0] + head) / 2 + joint : 0));
    case Bond::stack:
    case Bond::rubble: break;
  }
  return stretcher_course(wall, false);
}

// What the openings take out of a course; the lintel of an opening with a joint on either side.
template <int Dim>
std::vector<Interval> holes_of(const BrickWall<Dim>& wall, int course) {
  std::vector<Interval> holes;
  for (const WallOpening& o : wall.openings) {
    if (course >= o.first && course < o.last) holes.push_back({o.low, o.high});
    if (course == o.last && o.bearing > 0)
      holes.push_back({o.low - o.bearing - wall.head_joint, o.high + o.bearing + wall.head_joint});
  }
  return holes;
}

// Calls place(middle, size) for each block, lintel(opening, middle, size) for each lintel, from below. In the
// plane the depth is 1 and unused.
template <int Dim, class Place, class Lintel>
void lay_out(const BrickWall<Dim>& wall, const Place& place, const Lintel& lintel) {
  SplitMix64 random(wall.seed);
  const double depth = Dim == 2 ? 1 : wall.brick[1];
  const int rows = has_headers(wall) ? 2 : wall.leaves;
  const double thickness = Dim == 2            ? depth
                           : has_headers(wall) ? wall.brick[0]
                                               : rows * depth + (rows - 1) * wall.collar_joint;
  std::vector<Course> below(static_cast<std::size_t>(rows));
  double base = 0;
  for (int number = 0; number < wall.courses; ++number) {
    double height = wall.brick[Dim - 1];
    if (wall.bond == Bond::rubble) height *= random.uniform(1 - wall.height_spread, 1 + wall.height_spread);
    // Written as for courses of one height, of which every bit is known.
    const double up =
        wall.bond == Bond::rubble ? base + 0.5 * height : 0.5 * height + number * (height + wall.bed_joint);
    for (int row = 0; row < (Dim == 2 ? 1 : rows); ++row) {
      const double across =
          rows == 1 || Dim == 2 ? 0 : (thickness - depth) * (static_cast<double>(row) / (rows - 1) - 0.5);
      Course course = wall.bond == Bond::rubble
                          ? rubble_course(wall, below[static_cast<std::size_t>(row)], random)
                          : regular_course(wall, number);
      below[static_cast<std::size_t>(row)] = course;
      for (const Interval& hole : holes_of(wall, number)) cut_out(hole, wall.head_joint, course);
      for (const Piece& piece : course) {
        if (piece.through && row > 0) continue;
        place(Vec<3>(piece.middle, piece.through ? 0 : across, up),
              Vec<3>(piece.length, piece.through ? thickness : depth, height));
      }
    }
    for (std::size_t i = 0; i < wall.openings.size(); ++i) {
      const WallOpening& o = wall.openings[i];
      if (number != o.last || !(o.bearing > 0)) continue;
      lintel(i, Vec<3>(0.5 * (o.low + o.high), 0, up),
             Vec<3>(o.high - o.low + 2 * o.bearing, thickness, height));
    }
    base += height + wall.bed_joint;
  }
}

template <int Dim>
Vec<Dim> in_plane(const Vec<3>& x) {
  if constexpr (Dim == 2)
    return {x[0], x[2]};
  else
    return x;
}

}  // namespace

const std::vector<std::string>& bond_names() {
  static const std::vector<std::string> names = {"running", "stack",   "header",
                                                 "english", "flemish", "rubble"};
  return names;
}

template <int Dim>
void check(const BrickWall<Dim>& wall, const std::string& where) {
  const double end = 0.5 * wall.length();
  if (Dim == 3 && has_headers(wall) && 2 * wall.brick[1] > wall.brick[0] * (1 + 1e-12))
    throw InputError(where, "depth of the bricks of a bond with headers", fmt::format("{}", wall.brick[1]),
                     fmt::format("up to half of their length, {}", wall.brick[0] / 2));
  for (const WallOpening& o : wall.openings) {
    if (!(o.low > -end) || !(o.high < end) || !(o.low < o.high))
      throw InputError(
          o.where, "an opening from and to", fmt::format("{}, {}", o.low, o.high),
          fmt::format("increasing places inside of the wall, between {:.6g} and {:.6g}", -end, end));
    if (o.first < 0 || o.last <= o.first || o.last > wall.courses)
      throw InputError(o.where, "courses of an opening", fmt::format("[{}, {}]", o.first, o.last),
                       fmt::format("increasing numbers from 0 to {}", wall.courses));
    if (o.bearing > 0 && o.last == wall.courses)
      throw InputError(o.where, "a lintel needs a course above its opening", fmt::format("{}", o.last),
                       fmt::format("an opening that ends below course {}", wall.courses));
    if (o.bearing > 0 && (o.low - o.bearing < -end || o.high + o.bearing > end))
      throw InputError(o.where, "bearing of a lintel", fmt::format("{}", o.bearing),
                       "one that ends on the wall");
  }
  for (int course = 0; course < wall.courses && !wall.openings.empty(); ++course) {
    std::vector<Interval> holes = holes_of(wall, course);
    std::sort(holes.begin(), holes.end(), [](const Interval& a, const Interval& b) { return a.low < b.low; });
    for (std::size_t i = 1; i < holes.size(); ++i)
      if (holes[i].low < holes[i - 1].high)
        throw InputError(wall.openings.front().where, "openings and lintels of a wall meet in course",
                         fmt::format("{}", course), "such that are apart");
  }
}

template <int Dim>
std::int64_t count_blocks(const BrickWall<Dim>& wall) {
  std::int64_t count = 0;
  lay_out(
      wall, [&](const Vec<3>&, const Vec<3>&) { ++count; },
      [&](std::size_t, const Vec<3>&, const Vec<3>&) { ++count; });
  return count;
}

template <int Dim>
std::vector<SceneBody<Dim>> build_brick_wall(const BrickWall<Dim>& wall, const Structure<Dim>& structure) {
  BlockList<Dim> blocks(structure, "brick");
  lay_out(
      wall,
      [&](const Vec<3>& middle, const Vec<3>& size) {
        blocks.add_box(in_plane<Dim>(size), in_plane<Dim>(middle));
      },
      [&](std::size_t opening, const Vec<3>& middle, const Vec<3>& size) {
        blocks.add_box(in_plane<Dim>(size), in_plane<Dim>(middle));
        blocks.rename_last(fmt::format("lintel-{}", opening));
      });
  return blocks.take();
}

template void check(const BrickWall<2>&, const std::string&);
template void check(const BrickWall<3>&, const std::string&);
template std::int64_t count_blocks(const BrickWall<2>&);
template std::int64_t count_blocks(const BrickWall<3>&);
template std::vector<SceneBody<2>> build_brick_wall(const BrickWall<2>&, const Structure<2>&);
template std::vector<SceneBody<3>> build_brick_wall(const BrickWall<3>&, const Structure<3>&);

}  // namespace saltus
