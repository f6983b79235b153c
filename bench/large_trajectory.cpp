// large_trajectory FILE.h5 SPHERES FRAMES: a trajectory of that size without a run, to measure those who read it (docs/viewer.md).
// Spheres on a lattice that sway and turn, their numbers rounded to single precision; the last frame has contacts.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "saltus/trajectories/trajectory_shapes.hpp"
#include "saltus/trajectories/trajectory_writer.hpp"

namespace saltus {
namespace {

double rounded(double x) { return static_cast<float>(x); }

struct Lattice {
  std::int64_t count, side;

  Vec<3> place(std::int64_t i, double time) const {
    const auto x = static_cast<double>(i % side), y = static_cast<double>(i / side % side),
               z = static_cast<double>(i / side / side);
    return {rounded(x + 0.3 * std::sin(time + 0.1 * z)), rounded(y + 0.3 * std::sin(1.3 * time + 0.2 * x)),
            rounded(z + 0.5)};
  }
};

void add_models(const Lattice& lattice, TrajectoryData& data) {
  ShapeTable shapes;
  const std::int64_t ball = shapes.insert(encode_shape<3>(Shape<3>(Sphere{0.5})), data);
  const std::int64_t floor = shapes.insert(encode_shape<3>(Shape<3>(Plane{})), data);
  for (std::int64_t i = 0; i <= lattice.count; ++i) {
    const bool is_floor = i == lattice.count;
    data.body_id.push_back(i), data.body_shape.push_back(is_floor ? floor : ball),
        data.body_scene_index.push_back(-1);
    data.body_fixed.push_back(is_floor), data.body_prescribed.push_back(is_floor),
        data.body_mass.push_back(1);
    data.body_system.push_back(-1), data.body_material.push_back(0);
  }
}

void add_bodies(const Lattice& lattice, double time, TrajectoryData& data) {
  for (std::int64_t i = 0; i < lattice.count; ++i) {
    const Vec<3> x = lattice.place(i, time), later = lattice.place(i, time + 0.01);
    const double half = time * 0.1 * static_cast<double>(i % 7);
    data.id.push_back(i);
    for (const double number : {x[0], x[1], x[2], rounded(std::cos(half)), 0.0, 0.0, rounded(std::sin(half))})
      data.position.push_back(number);
    for (int k = 0; k < 3; ++k) data.velocity.push_back(rounded((later[k] - x[k]) / 0.01));
    for (const double spin : {0.0, 0.0, 0.2 * static_cast<double>(i % 7)})
      data.velocity.push_back(rounded(spin));
  }
  data.id.push_back(lattice.count);
  for (const double number : {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}) data.position.push_back(number);
  for (int k = 0; k < 6; ++k) data.velocity.push_back(0);
}

// Between each sphere and the one above it.
void add_contacts(const Lattice& lattice, double time, TrajectoryData& data) {
  const std::int64_t layer = lattice.side * lattice.side;
  for (std::int64_t i = 0; i + layer < lattice.count; ++i) {
    const Vec<3> a = lattice.place(i, time), b = lattice.place(i + layer, time);
    data.a.push_back(i), data.b.push_back(i + layer), data.feature.push_back(0), data.status.push_back(2),
        data.bonded.push_back(0);
    for (int k = 0; k < 3; ++k) data.point.push_back((a[k] + b[k]) / 2);
    for (const double number : {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0}) data.axes.push_back(number);
    for (const double number : {1e-3 * static_cast<double>((lattice.count - i) / layer), 0.0, 0.0})
      data.impulse.push_back(number);
    for (int k = 0; k < 3; ++k) data.moment.push_back(0), data.relative_velocity.push_back(0);
    data.gap.push_back(0), data.contact_residual.push_back(0);
  }
}

// One row of every column that has one per frame: zero but for time and step.
void add_frame_row(std::int64_t frame, double time, const TrajectoryData& rows, std::int64_t bodies,
                   TrajectoryData& data) {
  for (const TrajectoryColumn& column : trajectory_columns())
    if (column.rows == Rows::frame)
      std::visit([&](auto member) { (data.*member).push_back(0); }, column.data);
  data.step.back() = frame, data.time.back() = time;
  data.body_begin.back() = frame * (bodies + 1), data.body_count.back() = bodies + 1;
  data.contact_count.back() = static_cast<std::int64_t>(rows.a.size());
}

void write(const std::string& path, std::int64_t spheres, std::int64_t frames) {
  const Lattice lattice{spheres,
                        static_cast<std::int64_t>(std::ceil(std::cbrt(static_cast<double>(spheres))))};
  TrajectoryHeader header;
  header.dimension = 3, header.name = "large", header.program = "large_trajectory", header.h = 1e-3;
  header.gravity = {0, 0, -9.81}, header.period = {0, 0, 0}, header.materials = {"stone"};
  TrajectoryWriter writer = TrajectoryWriter::create(path, header);
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    TrajectoryData data;
    const double time = 0.02 * static_cast<double>(frame);
    if (frame == 0) add_models(lattice, data);
    add_bodies(lattice, time, data);
    if (frame + 1 == frames) add_contacts(lattice, time, data);
    add_frame_row(frame, time, data, spheres, data);
    writer.add(std::move(data));
    if (frame % 50 == 49) writer.flush();
  }
  TrajectoryFile::Outcome outcome;
  outcome.finished = true, outcome.summary = "{}";
  writer.finish(outcome);
}

}  // namespace
}  // namespace saltus

int main(int argc, char** argv) {
  if (argc != 4) return fmt::print(stderr, "large_trajectory FILE.h5 SPHERES FRAMES\n"), 2;
  saltus::write(argv[1], std::atoll(argv[2]), std::atoll(argv[3]));
}
