// Small versions of the experiments in examples/experiments, run by the program as a user runs them.
#include <cmath>

#include "apps/program.hpp"

namespace saltus {
namespace {

const std::string kExperiments = std::string(SALTUS_SOURCE) + "/examples/experiments/";

class Experiments : public ProgramTest {
 protected:
  // Of the last row of a CSV, by the name of the column.
  double last(const std::string& csv, const std::string& column) const { return rows(csv, column).back(); }
  std::vector<double> rows(const std::string& csv, const std::string& column) const {
    std::istringstream lines(read_text(folder_ / csv));
    std::string line, cell;
    std::getline(lines, line);
    std::istringstream names(line);
    int at = 0;
    for (; std::getline(names, cell, ','); ++at)
      if (cell == column) break;
    std::vector<double> values;
    while (std::getline(lines, line)) {
      std::istringstream cells(line);
      for (int i = 0; i <= at; ++i) std::getline(cells, cell, ',');
      values.push_back(cell.empty() ? std::nan("") : std::stod(cell));
    }
    return values;
  }
};

double mean_of_second_half(const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t i = values.size() / 2; i < values.size(); ++i) sum += values[i];
  return sum / static_cast<double>(values.size() - values.size() / 2);
}

TEST_F(Experiments, friction_between_disks_makes_a_sample_stronger_and_dilatant) {
  ASSERT_EQ(run("run " + kExperiments +
                "biaxial-sample.toml --final-scene sample.toml --csv s.csv --quiet --out s.h5")
                .exit_code,
            0);
  // Dense: without friction disks of mixed sizes pack to 0.80 to 0.84.
  EXPECT_GT(last("s.csv", "packing.solid_fraction"), 0.80);
  EXPECT_LT(last("s.csv", "packing.solid_fraction"), 0.85);
  std::filesystem::copy(kExperiments + "biaxial.toml", folder_ / "biaxial.toml");
  double phi[2], volume[2];
  for (int i = 0; i < 2; ++i) {
    const std::string name = i ? "rough" : "smooth";
    const Outcome outcome = run("run biaxial.toml --set laws.0.friction=" + std::string(i ? "0.5" : "0.03") +
                                " --set 'run.stop=[{when=\"strain.x\",above=0.03}]' --quiet --out " + name +
                                ".h5 --csv " + name + ".csv --summary " + name + ".json");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_GT(last(name + ".csv", "strain.x"), 0.03);
    phi[i] = std::asin(mean_of_second_half(rows(name + ".csv", "stress.sin_phi")));
    volume[i] = last(name + ".csv", "strain.volume");
    // The margin of the paper: 1 % of the smallest radius.
    EXPECT_LT(nlohmann::json::parse(read_text(folder_ / (name + ".json")))["penetration_max"].get<double>(),
              6.5e-6);
    // Love-Weber's stress over the box is the force of the wall over its height: the moments of the grains
    // add up to what the walls do, but for the inertia of grains and the overlap of contacts (below 1 % of a
    // radius).
    const std::vector<double> inside = rows(name + ".csv", "stress.xx"),
                              wall = rows(name + ".csv", "right.stress");
    EXPECT_NEAR(mean_of_second_half(inside) / mean_of_second_half(wall), 1, 0.01);
  }
  EXPECT_GT(phi[1], phi[0] + 5 * M_PI / 180);
  EXPECT_GT(volume[1], volume[0]);
  EXPECT_GT(volume[1], 0);
}

}  // namespace
}  // namespace saltus
