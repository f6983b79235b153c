// Measures of single bodies: walls, named bodies, the stress in every body.
#include <fmt/format.h>

#include <cmath>

#include "saltus/measure/measure.hpp"
#include "saltus/measure/measure_stress.hpp"
#include "saltus/sim/no_number.hpp"

namespace saltus {

namespace {

template <class Vector>
void put(const Vector& v, std::vector<double>& row) {
  for (int i = 0; i < v.size(); ++i) row.push_back(v[i]);
}

template <int Dim>
std::vector<std::string> spin_parts(const std::string& prefix) {
  return Dim == 2 ? std::vector<std::string>{prefix + "z"} : vector_parts<3>(prefix);
}

// Force and moment (about its place) of the contacts on a body, and the normal stress on a wall along an
// axis: the force into its matter over the cross-section of the region.
template <int Dim>
class Wall final : public Measure<Dim> {
 public:
  explicit Wall(const MeasureContext<Dim>& context)
      : region_(context), id_(find_body(context.spec.body, context.body_names, context.spec.where)) {}
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts = vector_parts<Dim>("force_");
    for (const std::string& part : spin_parts<Dim>("moment_")) parts.push_back(part);
    parts.push_back("stress");
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const int at = snapshot.find(id_);
    Vec<Dim> force = Vec<Dim>::Zero();
    Spin<Dim> turn = Spin<Dim>::Zero();
    for (const auto& c : snapshot.contacts) {
      if (c.a != at && c.b != at) continue;
      const Vec<Dim> on_wall = (c.b == at ? 1.0 : -1.0) * (c.axes * c.force);
      force += on_wall;
      turn += moment(snapshot.arm(at, c.point), on_wall);
    }
    put(force, row);
    put(turn, row);
    const WallFace face = at >= 0 ? wall_face(snapshot.bodies[static_cast<std::size_t>(at)]) : WallFace{};
    if (face.axis < 0) return row.push_back(kNoNumber);
    const Bounds<Dim> box = region_.at(snapshot).box;
    double area = 1;
    for (int i = 0; i < Dim; ++i)
      if (i != face.axis) area *= box.high[i] - box.low[i];
    row.push_back(area > 0 ? -face.sign * force[face.axis] / area : kNoNumber);
  }

 private:
  MovingRegion<Dim> region_;
  BodyId id_;
};

double angle_of(const Pose<2>& pose) { return pose.angle(); }
// Of the body's z axis from the vertical.
double angle_of(const Pose<3>& pose) { return std::acos(std::clamp(pose.rotation()(2, 2), -1.0, 1.0)); }

template <int Dim>
class OneBody final : public Measure<Dim> {
 public:
  explicit OneBody(const MeasureContext<Dim>& context)
      : id_(find_body(context.spec.body, context.body_names, context.spec.where)) {}
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts = vector_parts<Dim>("");
    parts.push_back("angle");
    for (const std::string& part : vector_parts<Dim>("velocity_")) parts.push_back(part);
    for (const std::string& part : spin_parts<Dim>("spin_")) parts.push_back(part);
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const int at = snapshot.find(id_);
    if (at < 0) {
      row.insert(row.end(), parts().size(), kNoNumber);
      return;
    }
    const auto& body = snapshot.bodies[static_cast<std::size_t>(at)];
    put(body.pose.position, row);
    row.push_back(angle_of(body.pose));
    put(body.velocity, row);
    put(body.spin, row);
  }

 private:
  BodyId id_;
};

// The moment tensor of every grain over its volume; the place of a column is the number of the body.
template <int Dim>
class BodyStress final : public Measure<Dim> {
 public:
  explicit BodyStress(const MeasureContext<Dim>& context) : count_(context.body_names.size()) {}
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts;
    for (const std::string& part : tensor_parts<Dim>(""))
      for (std::size_t i = 0; i < count_; ++i) parts.push_back(fmt::format("{}@{}", part, i));
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const std::vector<Mat<Dim>> moments = compute_moments<Dim>(snapshot);
    const std::size_t begin = row.size();
    row.resize(begin + Dim * Dim * count_, kNoNumber);
    for (std::size_t k = 0; k < snapshot.bodies.size(); ++k) {
      const auto& body = snapshot.bodies[k];
      if (!body.is_grain) continue;
      for (int i = 0; i < Dim; ++i)
        for (int j = 0; j < Dim; ++j)
          row[begin + static_cast<std::size_t>(Dim * i + j) * count_ + static_cast<std::size_t>(body.id)] =
              moments[k](i, j) / body.volume;
    }
  }

 private:
  std::size_t count_;
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_body_measure(const MeasureContext<Dim>& context) {
  switch (context.spec.kind) {
    case MeasureKind::wall: return std::make_unique<Wall<Dim>>(context);
    case MeasureKind::body: return std::make_unique<OneBody<Dim>>(context);
    case MeasureKind::body_stress: return std::make_unique<BodyStress<Dim>>(context);
    default: return nullptr;
  }
}

template std::unique_ptr<Measure<2>> make_body_measure<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_body_measure<3>(const MeasureContext<3>&);

}  // namespace saltus
