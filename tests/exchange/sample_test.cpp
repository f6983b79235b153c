#include "saltus/exchange/sample.hpp"

#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"

namespace saltus::sample_test {
namespace {

template <class Parse>
std::string message_of(Parse parse, const std::string& text, const SampleOptions& options = {}) {
  try {
    parse(text, "f", options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SampleText, three_columns_are_disks_and_four_are_spheres) {
  const Sample disks = parse_particle_text("0 1 0.5\n2,3,0.25\n", "f", {});
  EXPECT_EQ(disks.dimension, 2);
  ASSERT_EQ(disks.balls.size(), 2u);
  EXPECT_EQ(disks.balls[1].position, Vec<3>(2, 3, 0));
  EXPECT_EQ(disks.balls[1].radius, 0.25);
  const Sample spheres = parse_particle_text("# a comment\n1e-1 2 3 0.5\n", "f", {});
  EXPECT_EQ(spheres.dimension, 3);
  EXPECT_EQ(spheres.balls[0].position, Vec<3>(0.1, 2, 3));
}

TEST(SampleText, columns_are_named_by_yades_format_by_a_first_line_or_by_options) {
  const Sample yade = parse_particle_text("#format x_y_z_r_matId\n1 2 3 0.5 0\n4 5 6 0.5 2\n", "f", {});
  EXPECT_EQ(yade.materials, (std::vector<std::string>{"0", "2"}));
  EXPECT_EQ(yade.balls[1].material, 1);
  const Sample named =
      parse_particle_text("id\tx\ty\tz\tvx\tvy\tvz\td\tdensity\n7\t1\t2\t3\t4\t5\t6\t1\t2700\n", "f", {});
  EXPECT_EQ(named.balls[0].velocity, Vec<3>(4, 5, 6));
  EXPECT_EQ(named.balls[0].radius, 0.5);
  EXPECT_EQ(named.balls[0].density, 2700);
  SampleOptions options;
  options.columns = "r x y";
  EXPECT_EQ(parse_particle_text("0.5 1 2\n", "f", options).balls[0].position, Vec<3>(1, 2, 0));
  options = {};
  options.radius = 0.1;
  EXPECT_EQ(parse_particle_text("1 2 3\n", "f", options).dimension, 3);
}

TEST(SampleText, what_cannot_be_read_is_told_with_its_line) {
  EXPECT_EQ(message_of(parse_particle_text, "0 1 2 1\n0 1 2\n"),
            "f:2: numbers in a line: got 3, allowed: 4: x y z r");
  EXPECT_EQ(message_of(parse_particle_text, "0 1 2\n0 1 2 3 4 5 6 7\n"),
            "f:2: numbers in a line: got 8, allowed: 3, as in the first");
  EXPECT_EQ(message_of(parse_particle_text, "0 1 2 1\n\n0 1 zwei 1\n"),
            "f:3: z: got 'zwei', allowed: a finite number");
  EXPECT_EQ(message_of(parse_particle_text, "0 1 nan 1\n"), "f:1: z: got 'nan', allowed: a finite number");
  EXPECT_EQ(message_of(parse_particle_text, "0 1 2 -1\n"),
            "f:1: radius: got -1, allowed: above 0, below 1e9");
  EXPECT_EQ(message_of(parse_particle_text, "x y z\n0 1 2\n"),
            "f:1: no column with a size: got x, y, z, allowed: r or d, or --radius R for all of them");
  EXPECT_NE(message_of(parse_particle_text, "1 2 3 4 5\n").find("f:1: columns that nothing names: got 5"),
            std::string::npos);
  EXPECT_NE(message_of(parse_particle_text, "x y z radios\n0 1 2 1\n").find("did you mean radius?"),
            std::string::npos);
  EXPECT_NE(message_of(parse_particle_text, "# nothing\n").find("holds no particle"), std::string::npos);
}

const std::string kData =
    "LAMMPS data file of a test\n\n3 atoms\n2 atom types\n\n0 10 xlo xhi\n0 10 ylo yhi\n-1 5 zlo zhi\n\n"
    "Atoms # sphere\n\n1 1 1.0 2500 1 2 3\n2 2 0.5 2600 4 5 6 0 0 0\n3 1 1.0 2500 7 8 4\n\n"
    "Velocities\n\n1 0.1 0.2 0.3 1 2 3\n2 0 0 0 0 0 0\n3 0 0 -1 0 0 0\n";

TEST(SampleLammps, a_data_file_of_spheres_gives_places_sizes_speeds_and_types) {
  const Sample sample = parse_lammps_data(kData, "f", {});
  ASSERT_EQ(sample.balls.size(), 3u);
  EXPECT_EQ(sample.balls[1].position, Vec<3>(4, 5, 6));
  EXPECT_EQ(sample.balls[1].radius, 0.25);
  EXPECT_EQ(sample.balls[1].density, 2600);
  EXPECT_EQ(sample.materials, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(sample.balls[0].velocity, Vec<3>(0.1, 0.2, 0.3));
  EXPECT_EQ(sample.balls[0].spin, Vec<3>(1, 2, 3));
  EXPECT_TRUE(sample.has_velocities && sample.has_spins);
  ASSERT_TRUE(sample.box);
  EXPECT_EQ(sample.box->high, Vec<3>(10, 10, 5));
  EXPECT_EQ(guess_sample_format(kData), SampleFormat::lammps_data);
}

TEST(SampleLammps, styles_without_a_size_need_one_and_take_the_mass_of_their_type) {
  const std::string atomic =
      "title\n1 atoms\n0 1 xlo xhi\n\nMasses\n\n1 12.5\n\nAtoms # atomic\n\n1 1 0.1 0.2 0.3\n";
  EXPECT_NE(message_of(parse_lammps_data, atomic).find("f:9: no column with a size"), std::string::npos);
  SampleOptions options;
  options.radius = 0.5;
  const Sample sample = parse_lammps_data(atomic, "f", options);
  EXPECT_EQ(sample.balls[0].mass, 12.5);
  EXPECT_EQ(sample.balls[0].radius, 0.5);
}

TEST(SampleLammps, damaged_data_files_are_told_with_their_line) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kData;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(message_of(parse_lammps_data, changed("3 atoms", "4 atoms")),
            "f:16: the section Atoms ends early: got 3 lines, allowed: 4");
  EXPECT_EQ(message_of(parse_lammps_data, changed("4 5 6 0", "4 five 6 0")),
            "f:13: y: got 'five', allowed: a finite number");
  EXPECT_EQ(message_of(parse_lammps_data, changed("3 1 1.0 2500 7", "1 1 1.0 2500 7")),
            "f:14: an id twice: got 1");
  EXPECT_NE(message_of(parse_lammps_data, changed("# sphere", "# peri")).find("f:10: atom style: got 'peri'"),
            std::string::npos);
  EXPECT_NE(message_of(parse_lammps_data, changed("-1 5 zlo zhi", "-1 5 zlo zhi\n1 0 0 xy xz yz"))
                .find("a tilted box"),
            std::string::npos);
  EXPECT_NE(message_of(parse_lammps_data, changed("3 atoms", "3000000000 atoms")).find("number of atoms"),
            std::string::npos);
}

const std::string kDump =
    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n0 2\n0 2\n0 4\n"
    "ITEM: ATOMS id type xs ys zs radius omegax omegay omegaz c_strange\n1 1 0.5 0.25 0.5 0.1 1 2 3 9\n"
    "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n0 2\n0 2\n0 4\n"
    "ITEM: ATOMS id type xs ys zs radius omegax omegay omegaz c_strange\n1 1 0.5 0.25 0.25 0.1 1 2 3 9\n";

TEST(SampleLammps, a_dump_gives_its_last_step_or_the_one_asked_for_with_its_period) {
  const Sample last = parse_lammps_dump(kDump, "f", {});
  ASSERT_EQ(last.balls.size(), 1u);
  EXPECT_EQ(last.balls[0].position, Vec<3>(1, 0.5, 1));
  EXPECT_EQ(last.balls[0].spin, Vec<3>(1, 2, 3));
  EXPECT_EQ(last.box->is_periodic, (std::array<bool, 3>{true, true, false}));
  SampleOptions options;
  options.timestep = 0;
  EXPECT_EQ(parse_lammps_dump(kDump, "f", options).balls[0].position.z(), 2);
  options.timestep = 7;
  EXPECT_EQ(message_of(parse_lammps_dump, kDump, options), "f: no such timestep: got 7, allowed: 0, 100");
  EXPECT_EQ(guess_sample_format(kDump), SampleFormat::lammps_dump);
  for (std::size_t size = 1; size + 25 < kDump.size();
       size += 3) {  // cut anywhere: told or read up to a whole step
    try {
      parse_lammps_dump(kDump.substr(0, size), "f", {});
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace saltus::sample_test
