#include "saltus/exchange/ball_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_names.hpp"

namespace saltus {

namespace {

using Kind = BallColumn;

// Words of YADE, LMGC90 scripts, LAMMPS and LIGGGHTS.
const std::vector<std::pair<std::string, Kind>>& ball_words() {
  static const std::vector<std::pair<std::string, Kind>> words = {{"x", Kind::x},
                                                                  {"y", Kind::y},
                                                                  {"z", Kind::z},
                                                                  {"r", Kind::radius},
                                                                  {"radius", Kind::radius},
                                                                  {"rad", Kind::radius},
                                                                  {"d", Kind::diameter},
                                                                  {"diameter", Kind::diameter},
                                                                  {"vx", Kind::vx},
                                                                  {"vy", Kind::vy},
                                                                  {"vz", Kind::vz},
                                                                  {"wx", Kind::wx},
                                                                  {"wy", Kind::wy},
                                                                  {"wz", Kind::wz},
                                                                  {"omegax", Kind::wx},
                                                                  {"omegay", Kind::wy},
                                                                  {"omegaz", Kind::wz},
                                                                  {"w", Kind::wz},
                                                                  {"density", Kind::density},
                                                                  {"rho", Kind::density},
                                                                  {"mass", Kind::mass},
                                                                  {"m", Kind::mass},
                                                                  {"material", Kind::material},
                                                                  {"matId", Kind::material},
                                                                  {"mat", Kind::material},
                                                                  {"type", Kind::material},
                                                                  {"id", Kind::unread},
                                                                  {"-", Kind::unread}};
  return words;
}

}  // namespace

BallColumn find_ball_column(const std::string& name) {
  for (const auto& [word, kind] : ball_words())
    if (word == name) return kind;
  return Kind::none;
}

BallColumns::BallColumns(const std::vector<std::string>& names, const SampleOptions& options,
                         const std::string& place)
    : names_(names), radius_(options.radius.value_or(0)) {
  std::vector<std::string> known;
  for (const auto& [word, kind] : ball_words()) known.push_back(word);
  for (const std::string& name : names) {
    const Kind kind = find_ball_column(name);
    if (kind == Kind::none) {
      const std::string nearest = nearest_name(name, known);
      throw InputError(place, "name of a column",
                       fmt::format("'{}'{}", name.substr(0, 40),
                                   nearest.empty() ? "" : " (did you mean " + nearest + "?)"),
                       join_names(known) + " (- is for what is not to be read)");
    }
    if (kind != Kind::unread && has(kind)) throw InputError(place, "a column twice", '\'' + name + '\'');
    kinds_.push_back(kind);
  }
  for (const auto& [kind, name] : {std::pair(Kind::x, "x"), std::pair(Kind::y, "y")})
    if (!has(kind)) throw InputError(place, fmt::format("no column {}", name), join_names(names));
  if (!has(Kind::radius) && !has(Kind::diameter) && !options.radius)
    throw InputError(place, "no column with a size", join_names(names),
                     "r or d, or --radius R for all of them");
  dimension_ = options.dimension.value_or(has(Kind::z) ? 3 : 2);
  if (dimension_ == 3 && !has(Kind::z))
    throw InputError(place, "no column z, for 3 dimensions", join_names(names));
}

bool BallColumns::has(BallColumn kind) const {
  return std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end();
}

SampleBall BallColumns::read(const WordLines& lines, std::map<std::string, int>& materials) const {
  SampleBall ball;
  ball.line = lines.line();
  ball.radius = radius_;
  for (std::size_t c = 0; c < kinds_.size(); ++c) {
    const Kind kind = kinds_[c];
    const auto number = [&] { return lines.real(c, names_[c]); };
    const auto offset = [&](Kind first) { return static_cast<int>(kind) - static_cast<int>(first); };
    if (kind >= Kind::x && kind <= Kind::z) ball.position[offset(Kind::x)] = number();
    if (kind >= Kind::vx && kind <= Kind::vz) ball.velocity[offset(Kind::vx)] = number();
    if (kind >= Kind::wx && kind <= Kind::wz) ball.spin[offset(Kind::wx)] = number();
    if (kind == Kind::radius) ball.radius = number();
    if (kind == Kind::diameter) ball.radius = number() / 2;
    if (kind == Kind::density) ball.density = number();
    if (kind == Kind::mass) ball.mass = number();
    if (kind == Kind::material) {
      if (c >= lines.words().size()) lines.fail(names_[c] + " is missing");
      ball.material =
          materials.emplace(std::string(lines.words()[c]), static_cast<int>(materials.size())).first->second;
    }
  }
  return ball;
}

void BallColumns::finish(const std::map<std::string, int>& materials, Sample& sample) const {
  sample.materials.resize(materials.size());
  for (const auto& [name, number] : materials) sample.materials[static_cast<std::size_t>(number)] = name;
  sample.has_velocities = has(Kind::vx) || has(Kind::vy) || has(Kind::vz);
  sample.has_spins = has(Kind::wx) || has(Kind::wy) || has(Kind::wz);
  sample.dimension = dimension_;
}

void check_sample(const std::string& where, Sample& sample) {
  constexpr double kFarthest = 1e9;  // as places of a scene
  if (sample.balls.empty()) throw InputError(where, "holds no particle");
  if (sample.materials.empty()) sample.materials = {""};
  for (SampleBall& ball : sample.balls) {
    const std::string place = ball.line ? fmt::format("{}:{}", where, ball.line) : where;
    if (!(ball.radius > 0 && ball.radius < kFarthest))
      throw InputError(place, "radius", fmt::format("{}", ball.radius), "above 0, below 1e9");
    if (!(ball.position.cwiseAbs().maxCoeff() < kFarthest &&
          ball.velocity.cwiseAbs().maxCoeff() < kFarthest && ball.spin.cwiseAbs().maxCoeff() < kFarthest))
      throw InputError(place, "position, velocity or spin",
                       fmt::format("of the particle at x = {}", ball.position.x()), "below 1e9");
    if (ball.density < 0 || ball.mass < 0)
      throw InputError(place, "density or mass", fmt::format("{}", std::min(ball.density, ball.mass)),
                       "above 0");
    if (sample.dimension == 2) ball.position.z() = ball.velocity.z() = ball.spin.x() = ball.spin.y() = 0;
  }
}

}  // namespace saltus
