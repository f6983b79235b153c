// How many bodies are in a region, by their centres, and how much of them.
#include "saltus/measure/measure.hpp"

namespace saltus {

namespace {

template <int Dim>
class Count final : public Measure<Dim> {
 public:
  explicit Count(const MeasureContext<Dim>& context) : choice_(context), region_(context) {}
  std::vector<std::string> parts() const override { return {"number", "mass", "density", "mass_inside"}; }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const Region<Dim> region = region_.at(snapshot);
    double number = 0, mass = 0, inside = 0;
    for (const SnapshotBody<Dim>& body : snapshot.bodies) {
      if (!body.is_grain || !choice_.contains(body.id)) continue;
      inside += body.mass * region.overlap(body) / body.volume;
      const int images = region.count(body.pose.position);
      number += images;
      mass += images * body.mass;
    }
    const double volume = region.volume();
    const double density = volume > 0 ? number / volume : std::numeric_limits<double>::quiet_NaN();
    row.insert(row.end(), {number, mass, density, inside});
  }

 private:
  BodyChoice<Dim> choice_;
  MovingRegion<Dim> region_;
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_count(const MeasureContext<Dim>& context) {
  if (context.spec.kind != MeasureKind::count) return nullptr;
  return std::make_unique<Count<Dim>>(context);
}

template std::unique_ptr<Measure<2>> make_count<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_count<3>(const MeasureContext<3>&);

}  // namespace saltus
