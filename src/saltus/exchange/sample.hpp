// Samples of other programs: balls with their places, sizes and speeds, read from text files.
//
// Everything that is read is checked; what cannot be read is an InputError at file:line.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/geometry/vec.hpp"

namespace saltus {

struct SampleBall {
  Vec<3> position = Vec<3>::Zero(), velocity = Vec<3>::Zero(), spin = Vec<3>::Zero();
  double radius = 0;
  double density = 0;  // kg/m3, in the plane kg/m2; 0: not given
  double mass = 0;     // kg; 0: not given
  int material = 0;    // in Sample::materials
  std::size_t line = 0;
};

struct Sample {
  int dimension = 3;
  std::vector<SampleBall> balls;
  std::vector<std::string> materials;  // as the file calls them; one at least
  bool has_velocities = false, has_spins = false;
  struct Box {
    Vec<3> low, high;
    std::array<bool, 3> is_periodic{};
  };
  std::optional<Box> box;
  std::vector<std::string> notes;  // what was in the file and is not in the sample
};

struct SampleOptions {
  std::string columns;                   // of a text of particles: "x y z r vx"; empty: as the file tells
  std::optional<int> dimension;          // 2 or 3; none: as the file tells
  std::optional<double> radius;          // m, where a file has none
  std::string style;                     // of LAMMPS data: "sphere"...; empty: as the file tells
  std::optional<std::int64_t> timestep;  // of a LAMMPS dump; none: the last one
};

// Lines of numbers, as YADE (export.text, textExt) and LMGC90 scripts (numpy.savetxt) write them: x y r in the plane,
// x y z r in space, or columns named by a first line, by YADE's "#format x_y_z_r_matId", or by the options. Names: x y z, r or
// radius, d or diameter, vx vy vz, wx wy wz, density, mass, material (or matId, type), and id and - for what is not read.
Sample parse_particle_text(std::string_view text, const std::string& where, const SampleOptions& options);

// A data file of LAMMPS or LIGGGHTS (read_data): sections Atoms (styles sphere, atomic, charge, molecular, bond,
// angle, full), Velocities, Masses.
Sample parse_lammps_data(std::string_view text, const std::string& where, const SampleOptions& options);

// A dump of LAMMPS or LIGGGHTS (dump custom), one of its timesteps.
Sample parse_lammps_dump(std::string_view text, const std::string& where, const SampleOptions& options);

enum class SampleFormat { text, lammps_data, lammps_dump };
SampleFormat guess_sample_format(std::string_view text);

// Throws InputError (file:line of the ball) for radii that are not above 0, numbers beyond 1e9 and masses below 0; gives
// balls without a material name the first one. Called by the parsers.
void check_sample(const std::string& where, Sample& sample);

}  // namespace saltus
