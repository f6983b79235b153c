#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "saltus/base/input_error.hpp"
#include "saltus/exchange/ball_columns.hpp"
#include "saltus/exchange/word_lines.hpp"
#include "saltus/scenes/scene_names.hpp"

namespace saltus {

namespace {

// Columns of the section Atoms, after those that LAMMPS's manual gives for each atom_style (read_data).
const std::vector<std::pair<std::string, std::vector<std::string>>>& atom_styles() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> styles = {
      {"sphere", {"id", "type", "diameter", "density", "x", "y", "z"}},
      {"granular", {"id", "type", "diameter", "density", "x", "y", "z"}},  // LIGGGHTS' word for it
      {"atomic", {"id", "type", "x", "y", "z"}},
      {"charge", {"id", "type", "-", "x", "y", "z"}},
      {"molecular", {"id", "-", "type", "x", "y", "z"}},
      {"bond", {"id", "-", "type", "x", "y", "z"}},
      {"angle", {"id", "-", "type", "x", "y", "z"}},
      {"full", {"id", "-", "type", "-", "x", "y", "z"}}};
  return styles;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

// The letters begin a section of a data file: "Atoms", "Pair Coeffs".
bool is_section(const WordLines& lines) {
  const std::string_view word = lines.words()[0];
  return !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
}

class LammpsData {
 public:
  LammpsData(std::string_view text, const std::string& where, const SampleOptions& options)
      : text_(text), where_(where), options_(options), lines_(text, where) {}

  Sample parse() {
    skip_title();
    read_header();
    do {
      if (lines_.words().empty()) break;
      if (!is_section(lines_))
        lines_.fail("a line of no section", fmt::format("'{}'", lines_.words()[0].substr(0, 40)));
      const std::string section(lines_.words()[0]);
      const std::string said = lines_.comments().empty() ? "" : trimmed(lines_.comments().back());
      if (section == "Atoms")
        read_atoms(said);
      else if (section == "Velocities")
        read_velocities();
      else if (section == "Masses")
        read_masses();
      else
        pass_section(section);
    } while (!lines_.words().empty());
    if (sample_.balls.empty()) throw InputError(where_, "has no section Atoms with atoms in it");
    apply_masses();
    check_sample(where_, sample_);
    return std::move(sample_);
  }

 private:
  // The first line is a title whatever it says.
  void skip_title() {
    const std::size_t end = text_.find('\n');
    lines_ = WordLines(end == std::string_view::npos ? std::string_view() : text_.substr(end + 1), where_, 1);
  }

  void read_header() {
    Sample::Box box{Vec<3>::Constant(-0.5), Vec<3>::Constant(0.5), {}};
    bool has_box = false;
    while (lines_.next() && !is_section(lines_)) {
      const auto& words = lines_.words();
      const auto is = [&](std::size_t at, const char* word) {
        return words.size() > at && words[at] == word;
      };
      if (is(1, "atoms")) {
        atoms_ = lines_.integer(0, "number of atoms");
        if (atoms_ < 0 || atoms_ > static_cast<std::int64_t>(text_.size()))
          lines_.fail("number of atoms", fmt::format("{}", atoms_), "as many as there are lines");
      }
      for (int k = 0; k < 3; ++k)
        if (words.size() > 3 && words[2] == fmt::format("{}lo", "xyz"[k])) {
          box.low[k] = lines_.real(0, "side of the box"), box.high[k] = lines_.real(1, "side of the box");
          has_box = true;
          if (!(box.low[k] < box.high[k]))
            lines_.fail("sides of the box", fmt::format("{} to {}", box.low[k], box.high[k]));
        }
      if (is(3, "xy")) {
        for (std::size_t k = 0; k < 3; ++k)
          if (lines_.real(k, "tilt of the box") != 0)
            lines_.fail("a tilted box", {}, "tilts of 0: a cell of saltus has right angles");
      }
    }
    if (atoms_ < 0)
      throw InputError(where_, "its head does not tell how many atoms there are", {},
                       "a line like '100 atoms'");
    if (has_box) sample_.box = box;
  }

  const std::vector<std::string>& columns_of_style(const std::string& said) {
    std::string style = options_.style.empty() ? said : options_.style;
    if (style.empty()) {
      style = "sphere";
      sample_.notes.push_back(
          "the section Atoms does not tell its style (Atoms # sphere): read as sphere; --style tells "
          "another");
    }
    std::vector<std::string> names;
    for (const auto& [name, columns] : atom_styles()) {
      if (name == style) return columns;
      names.push_back(name);
    }
    lines_.fail("atom style", fmt::format("'{}'", style.substr(0, 40)), join_names(names));
  }

  void read_atoms(const std::string& said) {
    if (!sample_.balls.empty()) lines_.fail("a second section Atoms");
    const std::vector<std::string>& names = columns_of_style(said);
    const BallColumns columns(names, options_, lines_.place());
    std::map<std::string, int> materials;
    for (std::int64_t i = 0; i < atoms_; ++i) {
      next_of("Atoms", i, atoms_);
      if (lines_.words().size() != names.size() && lines_.words().size() != names.size() + 3)
        lines_.fail("numbers of an atom", fmt::format("{}", lines_.words().size()),
                    fmt::format("{} ({}), or three more (images)", names.size(), fmt::join(names, " ")));
      sample_.balls.push_back(columns.read(lines_, materials));
      const std::int64_t id = lines_.integer(0, "id of an atom");
      if (!place_.emplace(id, sample_.balls.size() - 1).second)
        lines_.fail("an id twice", fmt::format("{}", id));
    }
    columns.finish(materials, sample_);
    lines_.next();
  }

  void read_velocities() {
    for (std::int64_t i = 0; i < atoms_; ++i) {
      next_of("Velocities", i, atoms_);
      const std::int64_t id = lines_.integer(0, "id of an atom");
      const auto place = place_.find(id);
      if (place == place_.end())
        lines_.fail("id of an atom", fmt::format("{}", id), "one of the section Atoms, which comes first");
      SampleBall& ball = sample_.balls[place->second];
      for (int k = 0; k < 3; ++k) ball.velocity[k] = lines_.real(1 + static_cast<std::size_t>(k), "velocity");
      sample_.has_velocities = true;
      if (lines_.words().size() < 7) continue;
      for (int k = 0; k < 3; ++k)
        ball.spin[k] = lines_.real(4 + static_cast<std::size_t>(k), "angular velocity");
      sample_.has_spins = true;
    }
    lines_.next();
  }

  void read_masses() {
    while (lines_.next() && !is_section(lines_))
      masses_[std::string(lines_.words()[0])] = lines_.real(1, "mass of a type");
  }

  void apply_masses() {
    for (SampleBall& ball : sample_.balls) {
      if (ball.density > 0 || sample_.materials.empty()) continue;
      const auto mass = masses_.find(sample_.materials[static_cast<std::size_t>(ball.material)]);
      if (mass != masses_.end()) ball.mass = mass->second;
    }
  }

  void pass_section(const std::string& section) {
    const std::size_t at = lines_.line();
    std::size_t count = 0;
    while (lines_.next() && !is_section(lines_)) ++count;
    if (count > 0)
      sample_.notes.push_back(
          fmt::format("{}:{}: section {} ({} lines) is not read", where_, at, section, count));
  }

  void next_of(const char* section, std::int64_t i, std::int64_t count) {
    if (!lines_.next() || is_section(lines_))
      lines_.fail(fmt::format("the section {} ends early", section), fmt::format("{} lines", i),
                  fmt::format("{}", count));
  }

  std::string_view text_;
  std::string where_;
  const SampleOptions& options_;
  WordLines lines_;
  Sample sample_;
  std::int64_t atoms_ = -1;
  std::unordered_map<std::int64_t, std::size_t> place_;  // of an atom, by id
  std::map<std::string, double> masses_;                 // by type
};

// Names of a dump's columns in the words of BallColumns; what a ball has no place for is not read.
std::string ball_word(const std::string& name) {
  static const std::map<std::string, std::string> words = {{"xu", "x"},  {"yu", "y"},  {"zu", "z"},
                                                           {"xs", "x"},  {"ys", "y"},  {"zs", "z"},
                                                           {"xsu", "x"}, {"ysu", "y"}, {"zsu", "z"}};
  const auto other = words.find(name);
  if (other != words.end()) return other->second;
  return find_ball_column(name) == BallColumn::none ? "-" : name;
}

class LammpsDump {
 public:
  LammpsDump(std::string_view text, const std::string& where, const SampleOptions& options)
      : where_(where), options_(options), lines_(text, where) {}

  Sample parse() {
    std::optional<Sample> found;
    std::vector<std::int64_t> steps;
    while (lines_.next()) {
      expect_item("TIMESTEP");
      need_line("the timestep");
      const std::int64_t step = lines_.integer(0, "timestep");
      steps.push_back(step);
      const bool wanted = !options_.timestep || *options_.timestep == step;
      Sample sample = read_step(wanted);
      if (wanted) found = std::move(sample);
    }
    if (!found)
      throw InputError(where_, "no such timestep",
                       options_.timestep ? fmt::format("{}", *options_.timestep) : "none", list_steps(steps));
    check_sample(where_, *found);
    return std::move(*found);
  }

 private:
  // All of few, the ends of many.
  static std::string list_steps(const std::vector<std::int64_t>& steps) {
    constexpr std::size_t kMost = 12, kEnds = 3;
    if (steps.size() <= kMost) return fmt::format("{}", fmt::join(steps, ", "));
    return fmt::format("{}, ... {} ({} of them)", fmt::join(steps.begin(), steps.begin() + kEnds, ", "),
                       fmt::join(steps.end() - kEnds, steps.end(), ", "), steps.size());
  }
  void need_line(const char* what) {
    if (!lines_.next()) lines_.fail(fmt::format("the file ends before {}", what));
  }
  bool is_item(const char* name) const {
    return lines_.words().size() > 1 && lines_.words()[0] == "ITEM:" && lines_.words()[1] == name;
  }
  void expect_item(const char* name) const {
    if (!is_item(name))
      lines_.fail("this line of a dump", fmt::format("'{}'", lines_.words()[0].substr(0, 40)),
                  fmt::format("ITEM: {}", name));
  }

  Sample read_step(bool wanted) {
    Sample sample;
    std::int64_t atoms = -1;
    while (true) {
      need_line("its atoms");
      if (is_item("NUMBER")) {
        need_line("the number of atoms");
        atoms = lines_.integer(0, "number of atoms");
        if (atoms < 0 || atoms > static_cast<std::int64_t>(lines_.left()))
          lines_.fail("number of atoms", fmt::format("{}", atoms), "as many as there are lines");
      } else if (is_item("BOX")) {
        sample.box = read_box();
      } else if (is_item("ATOMS")) {
        if (atoms < 0) lines_.fail("atoms before their number", {}, "ITEM: NUMBER OF ATOMS first");
        read_atoms(atoms, wanted, sample);
        return sample;
      } else if (lines_.words()[0] == "ITEM:") {
        need_line("the line of this item");  // TIME, UNITS
      } else {
        expect_item("ATOMS");
      }
    }
  }

  Sample::Box read_box() {
    Sample::Box box{Vec<3>::Zero(), Vec<3>::Zero(), {}};
    const std::vector<std::string> head(lines_.words().begin(), lines_.words().end());
    if (head.size() > 3 && head[3] == "xy")
      lines_.fail("a tilted box", {}, "a box with right angles: a cell of saltus has no other");
    for (std::size_t k = 0; k < 3; ++k) {
      need_line("the sides of the box");
      box.low[static_cast<int>(k)] = lines_.real(0, "side of the box");
      box.high[static_cast<int>(k)] = lines_.real(1, "side of the box");
      if (head.size() > 3 + k) box.is_periodic[k] = head[3 + k] == "pp";
    }
    return box;
  }

  void read_atoms(std::int64_t atoms, bool wanted, Sample& sample) {
    std::vector<std::string> said, names;
    for (std::size_t i = 2; i < lines_.words().size(); ++i) {
      said.emplace_back(lines_.words()[i]);
      names.push_back(ball_word(said.back()));
    }
    // Of two spellings of one thing the first is read.
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (names[i] != "-" && find_ball_column(names[i]) != BallColumn::unread &&
            find_ball_column(names[i]) == find_ball_column(names[j]))
          names[i] = "-";
    const BallColumns columns(names, options_, lines_.place());
    const auto scaled = [&](int k) {
      const std::string axis(1, "xyz"[k]);
      return std::any_of(said.begin(), said.end(),
                         [&](const std::string& s) { return s == axis + "s" || s == axis + "su"; }) &&
             std::find(said.begin(), said.end(), axis) == said.end();
    };
    std::map<std::string, int> materials;
    for (std::int64_t i = 0; i < atoms; ++i) {
      if (!lines_.next() || lines_.words()[0] == "ITEM:")
        lines_.fail("the atoms end early", fmt::format("{} lines", i), fmt::format("{}", atoms));
      if (!wanted) continue;
      if (lines_.words().size() < names.size())
        lines_.fail("numbers of an atom", fmt::format("{}", lines_.words().size()),
                    fmt::format("{}", names.size()));
      sample.balls.push_back(columns.read(lines_, materials));
      for (int k = 0; k < 3; ++k)
        if (scaled(k)) {
          if (!sample.box) lines_.fail("places relative to a box", {}, "ITEM: BOX BOUNDS before the atoms");
          double& x = sample.balls.back().position[k];
          x = sample.box->low[k] + x * (sample.box->high[k] - sample.box->low[k]);
        }
    }
    columns.finish(materials, sample);
  }

  std::string where_;
  const SampleOptions& options_;
  WordLines lines_;
};

}  // namespace

Sample parse_lammps_data(std::string_view text, const std::string& where, const SampleOptions& options) {
  return LammpsData(text, where, options).parse();
}

Sample parse_lammps_dump(std::string_view text, const std::string& where, const SampleOptions& options) {
  return LammpsDump(text, where, options).parse();
}

SampleFormat guess_sample_format(std::string_view text) {
  WordLines lines(text, "");
  if (lines.next() && lines.words()[0] == "ITEM:") return SampleFormat::lammps_dump;
  // "N atoms" stands in the first lines of a data file, behind its title.
  for (int i = 0; i < 30; ++i) {
    if (lines.words().size() >= 2 && lines.words()[1] == "atoms") return SampleFormat::lammps_data;
    if (!lines.next()) break;
  }
  return SampleFormat::text;
}

}  // namespace saltus
