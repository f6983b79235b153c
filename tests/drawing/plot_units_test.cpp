#include "saltus/drawing/plot_units.hpp"

#include <gtest/gtest.h>

namespace saltus::plot_units_test {
namespace {

TEST(PlotUnits, columns_of_every_measure_have_theirs) {
  ColumnUnits units;
  units.dimension = 2;
  units.kinds = {{"outlet", MeasureKind::flux},       {"bin", MeasureKind::count},
                 {"slope", MeasureKind::surface},     {"hinge", MeasureKind::joint},
                 {"foot", MeasureKind::reaction},     {"block", MeasureKind::solid_stress},
                 {"here", MeasureKind::point_stress}, {"cut", MeasureKind::section},
                 {"beam", MeasureKind::beam_forces},  {"lid", MeasureKind::wall},
                 {"moves", MeasureKind::motion},      {"chains", MeasureKind::forces},
                 {"slice", MeasureKind::profile}};
  units.turns["hinge"] = {true, false};
  const std::pair<const char*, const char*> expected[] = {{"outlet.mass_rate", "kg/s"},
                                                          {"outlet.rate", "1/s"},
                                                          {"outlet.net", ""},
                                                          {"bin.density", "1/m2"},
                                                          {"bin.mass_inside", "kg"},
                                                          {"slope.top", "m"},
                                                          {"slope.angle", "rad"},
                                                          {"hinge.value1", "rad"},
                                                          {"hinge.value2", "m"},
                                                          {"hinge.rate2", "m/s"},
                                                          {"hinge.effort1", "N m"},
                                                          {"hinge.power", "W"},
                                                          {"hinge.value3", ""},
                                                          {"foot.support_x", "N"},
                                                          {"foot.moment_z", "N m"},
                                                          {"moves.mean_x", "m/s"},
                                                          {"moves.spin_max", "rad/s"},
                                                          {"chains.largest", "N"},
                                                          {"chains.mean_normal", "N"},
                                                          {"chains.normal@1", ""},
                                                          {"slice.slip", "m/s"},
                                                          {"slice.stress.xx", "N/m"},
                                                          {"block.moment_xx", "Pa"},
                                                          {"here.mises", "Pa"},
                                                          {"here.strain_xx", ""},
                                                          {"cut.area", "m2"},
                                                          {"cut.moment_z", "N m"},
                                                          {"beam.axial", "N"},
                                                          {"beam.torsion", "N m"},
                                                          {"lid.stress", "N/m"},
                                                          {"energy.kinetic", "J"},
                                                          {"solver.penetration", "m"},
                                                          {"solver.penetration_relative", ""},
                                                          {"time", "s"},
                                                          {"nothing.x", ""}};
  for (const auto& [column, unit] : expected) EXPECT_EQ(units.of(column), unit) << column;
}

TEST(PlotUnits, keys_of_a_summary_have_theirs) {
  const std::pair<const char*, const char*> expected[] = {{"cpu_seconds.total", "s"},
                                                          {"penetration_max", "m"},
                                                          {"penetration_relative.worst", ""},
                                                          {"residual_rms.worst", "m/s"},
                                                          {"residual_rms.worst_time", "s"},
                                                          {"residual_max_gh.p95", "g h"},
                                                          {"dissipation.friction", "J"},
                                                          {"energy.kinetic", "J"},
                                                          {"energy_balance_worst", ""},
                                                          {"peak_memory_bytes", "bytes"},
                                                          {"steps", ""}};
  for (const auto& [key, unit] : expected) EXPECT_EQ(unit_of_summary(key), unit) << key;
}

TEST(PlotUnits, an_axis_of_one_group_tells_the_group_and_its_unit) {
  const auto unit_of = [](const std::string& name) -> std::string { return name == "count" ? "" : "J"; };
  EXPECT_EQ(label_of({"energy.kinetic"}, unit_of), "energy.kinetic, J");
  EXPECT_EQ(label_of({"energy.kinetic", "energy.impact"}, unit_of), "energy, J");
  EXPECT_EQ(label_of({"energy.kinetic", "work.impact"}, unit_of), "J");
  EXPECT_EQ(label_of({"kinetic", "impact"}, unit_of), "J");
  EXPECT_EQ(label_of({"energy.kinetic", "count"}, unit_of), "energy.kinetic, J; count");
}

}  // namespace
}  // namespace saltus::plot_units_test
