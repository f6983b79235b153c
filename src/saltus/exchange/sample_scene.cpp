#include "saltus/exchange/sample_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "saltus/base/input_error.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/scenes/scene_names.hpp"

namespace saltus {

namespace {

constexpr std::size_t kMostInline = 100;

// Text between quotes of TOML.
std::string quoted_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + '"';
}

// Letters, digits, - and _, as a bare key.
std::string key_of(const std::string& name) {
  std::string key;
  for (const char c : name)
    key += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '-';
  return key.empty() ? "grains" : key;
}

std::string numbers_of(const Vec<3>& v, int dimension) {
  return dimension == 2 ? fmt::format("[{}, {}]", v.x(), v.y())
                        : fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
}

// 1, 2 or 5 times a power of ten, not above.
double round_down(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  for (const double digit : {5.0, 2.0})
    if (digit * power <= x * (1 + 1e-12)) return digit * power;
  return power;
}

// A step is a fiftieth of the time in which the smallest body falls over its own size; 1000 of them or so, 100 frames.
std::string format_head(const SceneTextOptions& options, int dimension, double smallest,
                        const std::string& more) {
  const double h = std::clamp(round_down(0.02 * std::sqrt(2 * smallest / 9.81)), 1e-6, 1e-2),
               until = 1000 * h;
  return fmt::format(
      "# Imported by saltus from {}. Read docs/scene.md for every key.\n"
      "title = {}\ndimension = {}\ngravity = [{}-9.81]\n{}\n"
      "[scheme]\nh = {}          # s\n\n[run]\nuntil = {}      # s\n\n[output]\nevery = {}     # s between "
      "frames\n\n"
      "[law]              # between all that touch: choose your own\nfriction = 0.5\n\n",
      options.source, quoted_text("Imported from " + options.source), dimension,
      dimension == 2 ? "0, " : "0, 0, ", more, h, round_down(until), round_down(until) / 100);
}

double density_of(const SampleBall& ball, const SceneTextOptions& options, int dimension) {
  const double r = ball.radius * options.scale;
  if (ball.density > 0) return ball.density;
  if (ball.mass > 0)
    return ball.mass / (dimension == 2 ? std::numbers::pi * r * r : 4 * std::numbers::pi / 3 * r * r * r);
  return options.density;
}

std::string material_name(const Sample& sample, int material) {
  const std::string& name = sample.materials[static_cast<std::size_t>(material)];
  return sample.materials.size() == 1 ? "default" : "material-" + key_of(name);
}

std::string format_ball(const Sample& sample, const SampleBall& ball, const SceneTextOptions& options) {
  const int d = sample.dimension;
  std::string text =
      fmt::format("[[bodies]]\nshape = {{ kind = \"{}\", radius = {} }}\nposition = {}\ndensity = {}\n",
                  d == 2 ? "disk" : "sphere", ball.radius * options.scale,
                  numbers_of(ball.position * options.scale, d), density_of(ball, options, d));
  if (sample.has_velocities)
    text += fmt::format("velocity = {}\n", numbers_of(ball.velocity * options.scale, d));
  if (sample.has_spins)
    text += d == 2 ? fmt::format("spin = {}\n", ball.spin.z())
                   : fmt::format("spin = {}\n", numbers_of(ball.spin, 3));
  if (sample.materials.size() > 1)
    text += fmt::format("material = \"{}\"\n", material_name(sample, ball.material));
  return text + '\n';
}

std::string format_table(const Sample& sample, int material, const SceneTextOptions& options) {
  const int d = sample.dimension;
  std::string csv = d == 2 ? "x,y,r,density" : "x,y,z,r,density";
  if (sample.has_velocities) csv += d == 2 ? ",vx,vy" : ",vx,vy,vz";
  if (sample.has_spins) csv += d == 2 ? ",w" : ",wx,wy,wz";
  csv += '\n';
  auto out = std::back_inserter(csv);
  for (const SampleBall& ball : sample.balls) {
    if (ball.material != material) continue;
    const double s = options.scale;
    for (int k = 0; k < d; ++k) fmt::format_to(out, "{},", ball.position[k] * s);
    fmt::format_to(out, "{},{}", ball.radius * s, density_of(ball, options, d));
    if (sample.has_velocities)
      for (int k = 0; k < d; ++k) fmt::format_to(out, ",{}", ball.velocity[k] * s);
    if (sample.has_spins)
      for (int k = d == 2 ? 2 : 0; k < 3; ++k) fmt::format_to(out, ",{}", ball.spin[k]);
    csv += '\n';
  }
  return csv;
}

// At the box of the file, unless balls are beyond it; open at the top, none along periodic directions.
std::string format_walls(const Sample& sample, const SceneTextOptions& options) {
  const int d = sample.dimension;
  Bounds<3> box;
  for (const SampleBall& ball : sample.balls) {
    box.add(Vec<3>(ball.position.array() - ball.radius));
    box.add(Vec<3>(ball.position.array() + ball.radius));
  }
  if (sample.box) box.add(sample.box->low), box.add(sample.box->high);
  std::vector<std::string> sides;
  for (int k = 0; k < d; ++k) {
    if (sample.box && sample.box->is_periodic[static_cast<std::size_t>(k)]) continue;
    sides.push_back(fmt::format("\"{}-\"", "xyz"[k]));
    if (k + 1 < d) sides.push_back(fmt::format("\"{}+\"", "xyz"[k]));
  }
  return fmt::format(
      "[[generate]]       # a box, open at the top\nkind = \"walls\"\nfrom = {}\nto = {}\nsides = [{}]\n\n",
      numbers_of(box.low * options.scale, d), numbers_of(box.high * options.scale, d),
      fmt::join(sides, ", "));
}

std::string format_period(const Sample& sample, const SceneTextOptions& options) {
  if (!sample.box) return "";
  const auto& periodic = sample.box->is_periodic;
  Vec<3> period = Vec<3>::Zero();
  for (int k = 0; k < sample.dimension; ++k)
    if (periodic[static_cast<std::size_t>(k)])
      period[k] = (sample.box->high[k] - sample.box->low[k]) * options.scale;
  return period.isZero(0) ? "" : fmt::format("period = {}\n", numbers_of(period, sample.dimension));
}

}  // namespace

SceneText format_sample_scene(const Sample& sample, const SceneTextOptions& options) {
  double smallest = 1e300;
  for (const SampleBall& ball : sample.balls) smallest = std::min(smallest, 2 * ball.radius * options.scale);
  SceneText text;
  text.toml = format_head(options, sample.dimension, smallest, format_period(sample, options));
  if (sample.materials.size() > 1) {
    for (int m = 0; m < static_cast<int>(sample.materials.size()); ++m)
      text.toml += fmt::format("[materials.{}]    # {} in the file\n", material_name(sample, m),
                               key_of(sample.materials[static_cast<std::size_t>(m)]));
    text.toml += '\n';
  }
  if (options.walls) text.toml += format_walls(sample, options);
  if (sample.balls.size() <= kMostInline) {
    for (const SampleBall& ball : sample.balls) text.toml += format_ball(sample, ball, options);
    return text;
  }
  for (int m = 0; m < static_cast<int>(sample.materials.size()); ++m) {
    const std::string part = sample.materials.size() == 1 ? "grains" : material_name(sample, m);
    const std::string file = fmt::format("{}-{}.csv", options.name, part);
    text.toml += fmt::format("[[generate]]\nkind = \"particles\"\nfile = {}\n", quoted_text(file));
    if (sample.materials.size() > 1)
      text.toml += fmt::format("material = \"{}\"\n", material_name(sample, m));
    text.toml += '\n';
    text.tables.push_back({file, format_table(sample, m, options)});
  }
  return text;
}

namespace {

std::string format_points(const std::vector<Vec<3>>& points) {
  std::string text = "[";
  for (const Vec<3>& x : points) text += (text.size() > 1 ? ", " : "") + numbers_of(x, 3);
  return text + ']';
}

std::string format_part(const AssemblyPart& part, bool fixed, const SceneTextOptions& options) {
  std::string text = fmt::format("[[bodies]]\nname = {}\n", quoted_text(part.name));
  const bool as_surface = part.is_open || (fixed && !part.is_convex);
  if (as_surface) {
    std::string triangles;
    for (const auto& t : part.surface.triangles)
      triangles += fmt::format("{}[{}, {}, {}]", triangles.empty() ? "" : ", ", t[0], t[1], t[2]);
    text += fmt::format("shape = {{ kind = \"mesh\", vertices = {}, triangles = [{}] }}\n",
                        format_points(part.surface.vertices), triangles);
  } else {
    text += fmt::format("shape = {{ kind = \"polyhedron\", points = {} }}\ndensity = {}\n",
                        format_points(part.hull.vertices), options.density);
  }
  return text + (fixed || part.is_open ? "fixed = true\n\n" : "\n");
}

}  // namespace

SceneText format_assembly_scene(const std::vector<AssemblyPart>& parts, const SceneTextOptions& options) {
  std::vector<std::string> names;
  for (const AssemblyPart& part : parts) names.push_back(part.name);
  for (const std::string& name : options.fixed)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError("--fixed", "no such part", name, join_names(names));
  const auto is_fixed = [&](const AssemblyPart& part) {
    return std::find(options.fixed.begin(), options.fixed.end(), part.name) != options.fixed.end();
  };
  double smallest = 1e300;
  Bounds<3> box;
  for (const AssemblyPart& part : parts) {
    Bounds<3> own;
    for (const Vec<3>& x : part.surface.vertices) own.add(x);
    box.add(own);
    if (part.is_open || is_fixed(part)) continue;
    smallest = std::min(smallest, (own.high - own.low).minCoeff());
    if (!part.is_convex && !options.hulls)
      throw InputError(
          part.name, "is not convex: its convex hull is larger",
          fmt::format("by {:.2g} %", 100 * (part.hull_volume / part.volume - 1)),
          "--hulls to take hulls, --fixed " + part.name + " where it does not move, or a compound by hand");
  }
  SceneText text;
  text.toml = format_head(options, 3, smallest < 1e300 ? smallest : (box.high - box.low).maxCoeff(), "");
  if (options.walls)
    text.toml += fmt::format(
        "[[bodies]]\nname = \"floor\"\nshape = {{ kind = \"plane\", offset = {} }}\nfixed = true\n\n",
        box.low.z());
  for (const AssemblyPart& part : parts) text.toml += format_part(part, is_fixed(part), options);
  return text;
}

}  // namespace saltus
