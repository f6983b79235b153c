// Bodies that pass a line or plane, or a piece of it. A body passes where its centre does; between two
// snapshots it moves on a straight line (an error of the second order in their distance in time).
#include <cmath>
#include <map>

#include "saltus/base/input_error.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/sim/no_number.hpp"

namespace saltus {

namespace {

template <int Dim>
class Gate {
 public:
  explicit Gate(const GateSpec<Dim>& spec) : spec_(spec), normal_(spec.normal.normalized()) {
    const Vec<Dim> along = spec.along - normal_.dot(spec.along) * normal_;
    along_ = along.norm() > 0 ? Vec<Dim>(along.normalized()) : Vec<Dim>::Zero();
  }

  // 1 or -1 when the way from `start` passes along or against the normal, else 0. A place on the plane is in
  // front of it, so that no way is counted twice. Across periodic borders the image nearest to the gate
  // moves.
  int passes(Vec<Dim> start, Vec<Dim> way, const Vec<Dim>& period) const {
    start -= spec_.point;
    for (int i = 0; i < Dim; ++i)
      if (period[i] > 0) {
        start[i] -= period[i] * std::round(start[i] / period[i]);
        way[i] -= period[i] * std::round(way[i] / period[i]);
      }
    const double before = normal_.dot(start), after = normal_.dot(start + way);
    if ((before < 0) == (after < 0)) return 0;
    const Vec<Dim> at = start + before / (before - after) * way;
    return holds(at - normal_.dot(at) * normal_) ? (after < 0 ? -1 : 1) : 0;
  }

 private:
  bool holds(const Vec<Dim>& off) const {
    switch (spec_.kind) {
      case GateSpec<Dim>::Kind::unbounded: return true;
      case GateSpec<Dim>::Kind::disc: return off.norm() <= spec_.radius;
      case GateSpec<Dim>::Kind::rectangle: break;
    }
    const double along = along_.dot(off), across = (off - along * along_).norm();
    return std::abs(along) <= spec_.sides[0] / 2 && across <= spec_.sides[1] / 2;
  }

  GateSpec<Dim> spec_;
  Vec<Dim> normal_, along_;
};

template <int Dim>
class Flux final : public Measure<Dim> {
 public:
  explicit Flux(const MeasureContext<Dim>& context) : choice_(context), gate_(context.spec.gate) {
    remember(context.first);
  }
  std::vector<std::string> parts() const override {
    return {"net", "forward", "backward", "mass", "rate", "mass_rate"};
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const double since = snapshot.time - time_;
    double passed = 0, carried = 0;
    for (const SnapshotBody<Dim>& body : snapshot.bodies) {
      const auto last = places_.find(body.id);
      if (last == places_.end()) continue;
      const int sign = gate_.passes(last->second, body.pose.position - last->second, snapshot.period);
      forward_ += sign > 0, backward_ += sign < 0;
      passed += sign, carried += sign * body.mass;
    }
    mass_ += carried;
    remember(snapshot);
    row.insert(row.end(), {forward_ - backward_, forward_, backward_, mass_,
                           since > 0 ? passed / since : kNoNumber, since > 0 ? carried / since : kNoNumber});
  }

  bool remembers() const override { return true; }
  void save(std::vector<double>& memory) const override {
    memory.insert(memory.end(), {time_, forward_, backward_, mass_, static_cast<double>(places_.size())});
    for (const auto& [id, place] : places_) {
      memory.push_back(static_cast<double>(id));
      memory.insert(memory.end(), place.data(), place.data() + Dim);
    }
  }
  void restore(std::span<const double>& memory) override {
    const auto take = [&] {
      if (memory.empty()) throw InputError("", "the memory of measures is cut short");
      const double value = memory.front();
      memory = memory.subspan(1);
      return value;
    };
    time_ = take(), forward_ = take(), backward_ = take(), mass_ = take();
    places_.clear();
    for (double left = take(); left > 0; --left) {
      const auto id = static_cast<BodyId>(take());
      Vec<Dim>& place = places_[id];
      for (int i = 0; i < Dim; ++i) place[i] = take();
    }
  }

 private:
  void remember(const Snapshot<Dim>& snapshot) {
    time_ = snapshot.time;
    places_.clear();
    for (const SnapshotBody<Dim>& body : snapshot.bodies)
      if (body.is_grain && choice_.contains(body.id)) places_[body.id] = body.pose.position;
  }

  BodyChoice<Dim> choice_;
  Gate<Dim> gate_;
  double time_ = 0, forward_ = 0, backward_ = 0, mass_ = 0;
  std::map<BodyId, Vec<Dim>> places_;  // at the last snapshot
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_flux(const MeasureContext<Dim>& context) {
  if (context.spec.kind != MeasureKind::flux) return nullptr;
  return std::make_unique<Flux<Dim>>(context);
}

template std::unique_ptr<Measure<2>> make_flux<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_flux<3>(const MeasureContext<3>&);

}  // namespace saltus
