// Measures of a region as a whole: stress, strain, packing, energy, motion, extent.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "saltus/base/input_error.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/measure/measure_stress.hpp"
#include "saltus/sim/no_number.hpp"

namespace saltus {

namespace {

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

template <class Matrix>
void put_all(const Matrix& m, std::vector<double>& row) {
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.cols(); ++j) row.push_back(m(i, j));
}

// Tensor, mean stress p, deviator q (half the difference of the extreme principal stresses, over the whole in
// sin_phi = (s1 - s3)/(s1 + s3)).
template <int Dim>
class Stress final : public Measure<Dim> {
 public:
  explicit Stress(const MeasureContext<Dim>& context) : region_(context) {}
  std::vector<std::string> parts() const override {
    return joined(tensor_parts<Dim>(""), {"p", "q", "sin_phi"});
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const Mat<Dim> stress =
        compute_stress<Dim>(snapshot, compute_moments<Dim>(snapshot), region_.at(snapshot));
    const Vec<Dim> principal = principal_values<Dim>(stress);
    const double sum = principal[0] + principal[Dim - 1], difference = principal[0] - principal[Dim - 1];
    put_all(stress, row);
    row.insert(row.end(), {stress.trace() / Dim, 0.5 * difference, sum > 0 ? difference / sum : kNoNumber});
  }

 private:
  MovingRegion<Dim> region_;
};

// (L0 - L)/L0 of the sides of the region, compression positive; volume change V/V0 - 1 (positive: dilates).
template <int Dim>
class Strain final : public Measure<Dim> {
 public:
  explicit Strain(const MeasureContext<Dim>& context)
      : region_(context), first_(region_.at(context.first).box) {}
  std::vector<std::string> parts() const override {
    return joined(joined(vector_parts<Dim>(""), {"volume"}), vector_parts<Dim>("length_"));
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const Bounds<Dim> box = region_.at(snapshot).box;
    const Vec<Dim> before = first_.high - first_.low, now = box.high - box.low;
    put_all(((before - now).array() / before.array()).matrix(), row);
    row.push_back(now.prod() / before.prod() - 1);
    put_all(now, row);
  }

 private:
  MovingRegion<Dim> region_;
  Bounds<Dim> first_;
};

template <int Dim>
class Packing final : public Measure<Dim> {
 public:
  explicit Packing(const MeasureContext<Dim>& context) : region_(context) {}
  std::vector<std::string> parts() const override {
    return {"solid_fraction", "void_ratio", "solid", "volume"};
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const Region<Dim> region = region_.at(snapshot);
    double solid = 0;
    for (const auto& body : snapshot.bodies)
      if (body.is_grain) solid += region.overlap(body);
    const double volume = region.volume();
    row.insert(row.end(), {volume > 0 ? solid / volume : kNoNumber,
                           solid > 0 ? volume / solid - 1 : kNoNumber, solid, volume});
  }

 private:
  MovingRegion<Dim> region_;
};

// Works since the start of the run, by kind; kinetic and potential energy now.
template <int Dim>
class Energy final : public Measure<Dim> {
 public:
  std::vector<std::string> parts() const override {
    return {"kinetic",    "potential", "elastic_stored", "gravity", "forces",          "drives", "damping",
            "gyroscopic", "impact",    "friction",       "elastic", "cohesion",        "joints", "projection",
            "scheme",     "defect",    "plastic",        "viscous", "hardening_stored"};
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const EnergyBalance& e = snapshot.energy;
    row.insert(row.end(), {e.kinetic, e.potential, e.elastic_stored, e.gravity, e.forces, e.drives, e.damping,
                           e.gyroscopic, e.impact, e.friction, e.elastic, e.cohesion, e.joints, e.projection,
                           e.scheme, e.defect, e.plastic, e.viscous, e.hardening_stored});
  }
};

// Largest speed of grains and of nodes of deformable bodies; the rest is of grains, by mass.
template <int Dim>
class Motion final : public Measure<Dim> {
 public:
  std::vector<std::string> parts() const override {
    return joined({"speed_max", "speed_rms", "spin_max"}, vector_parts<Dim>("mean_"));
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    double largest = kNoNumber, squares = 0, mass = 0, spin = 0;
    const auto see = [&largest](double speed) {
      largest = std::isnan(largest) ? speed : std::max(largest, speed);
    };
    Vec<Dim> momentum = Vec<Dim>::Zero();
    const auto has_mesh = [&](int system) {
      return system < static_cast<int>(snapshot.meshes.size()) && snapshot.meshes[system].mesh != nullptr;
    };
    for (std::size_t s = 0; s < snapshot.meshes.size(); ++s)
      for (Eigen::Index i = 0; has_mesh(static_cast<int>(s)) && i < snapshot.systems[s].velocity.size();
           i += Dim)
        see(snapshot.systems[s].velocity.template segment<Dim>(i).norm());
    for (const auto& body : snapshot.bodies) {
      // Nodes of lines and points of Lagrangian systems; those of meshes have been seen.
      if (body.system >= 0 && !has_mesh(body.system)) see(body.velocity.norm());
      if (!body.is_grain) continue;
      see(body.velocity.norm());
      spin = std::max(spin, body.spin.norm());
      squares += body.mass * body.velocity.squaredNorm();
      momentum += body.mass * body.velocity;
      mass += body.mass;
    }
    row.insert(row.end(),
               {largest, mass > 0 ? std::sqrt(squares / mass) : kNoNumber, mass > 0 ? spin : kNoNumber});
    put_all(mass > 0 ? Vec<Dim>(momentum / mass) : Vec<Dim>::Constant(kNoNumber), row);
  }
};

// Marks the grains of the heaviest heap: those joined by contacts that carry a force, walls apart.
template <int Dim>
std::vector<bool> find_heap(const Snapshot<Dim>& snapshot) {
  std::vector<int> parent(snapshot.bodies.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[static_cast<std::size_t>(i)] != i)
      i = parent[static_cast<std::size_t>(i)] =
          parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
    return i;
  };
  const auto grain = [&](int i) { return snapshot.bodies[static_cast<std::size_t>(i)].is_grain; };
  for (const auto& c : snapshot.contacts)
    if (grain(c.a) && grain(c.b)) parent[static_cast<std::size_t>(root(c.a))] = root(c.b);
  std::vector<double> mass(parent.size(), 0);
  for (int i = 0; i < static_cast<int>(parent.size()); ++i)
    if (grain(i))
      mass[static_cast<std::size_t>(root(i))] += snapshot.bodies[static_cast<std::size_t>(i)].mass;
  const int heaviest = static_cast<int>(std::max_element(mass.begin(), mass.end()) - mass.begin());
  std::vector<bool> inside(parent.size(), false);
  for (int i = 0; i < static_cast<int>(parent.size()); ++i)
    inside[static_cast<std::size_t>(i)] = grain(i) && root(i) == heaviest;
  return inside;
}

// Marks the grains of the heaviest part that no gap along x, wider than `gap`, splits: where a heap ends in
// grains that lie side by side and carry no force.
template <int Dim>
std::vector<bool> find_part(const Snapshot<Dim>& snapshot, double gap) {
  std::vector<std::pair<double, int>> starts;
  std::vector<double> ends(snapshot.bodies.size(), 0);
  for (int i = 0; i < static_cast<int>(snapshot.bodies.size()); ++i) {
    const auto& body = snapshot.bodies[static_cast<std::size_t>(i)];
    if (!body.is_grain) continue;
    const Bounds<Dim> bounds = compute_bounds<Dim>(*body.shape, body.pose);
    starts.emplace_back(bounds.low[0], i);
    ends[static_cast<std::size_t>(i)] = bounds.high[0];
  }
  std::sort(starts.begin(), starts.end());
  std::vector<bool> inside(snapshot.bodies.size(), false);
  double heaviest = 0;
  for (std::size_t first = 0, next = 0; first < starts.size(); first = next) {
    double mass = 0, end = starts[first].first;
    for (next = first; next < starts.size() && starts[next].first <= end + gap; ++next) {
      const auto i = static_cast<std::size_t>(starts[next].second);
      mass += snapshot.bodies[i].mass;
      end = std::max(end, ends[i]);
    }
    if (mass <= heaviest) continue;
    heaviest = mass;
    inside.assign(inside.size(), false);
    for (std::size_t k = first; k < next; ++k) inside[static_cast<std::size_t>(starts[k].second)] = true;
  }
  return inside;
}

// Box around the grains and their centre of mass.
template <int Dim>
class Extent final : public Measure<Dim> {
 public:
  explicit Extent(const MeasureContext<Dim>& context)
      : connected_(context.spec.connected), gap_(context.spec.gap) {
    // Grains that went around the cell are elsewhere than their neighbours, and a cell has no ends to split it from.
    if (gap_ > 0 && context.first.period[0] > 0)
      throw InputError(context.spec.where, "gap of an extent", fmt::format("{:g}", gap_),
                       "none in a scene that is periodic along x");
  }
  std::vector<std::string> parts() const override {
    return joined(joined(vector_parts<Dim>("low_"), vector_parts<Dim>("high_")),
                  vector_parts<Dim>("centre_"));
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const bool heap = gap_ > 0 || (connected_ && !snapshot.contacts.empty());
    const std::vector<bool> inside = gap_ > 0 ? find_part(snapshot, gap_)
                                     : heap   ? find_heap(snapshot)
                                              : std::vector<bool>();
    Bounds<Dim> box;
    Vec<Dim> centre = Vec<Dim>::Zero();
    double mass = 0;
    for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) {
      const auto& body = snapshot.bodies[i];
      if (!body.is_grain || (heap && !inside[i])) continue;
      box.add(compute_bounds<Dim>(*body.shape, body.pose));
      centre += body.mass * body.pose.position;
      mass += body.mass;
    }
    const bool any = mass > 0;
    put_all(any ? box.low : Vec<Dim>::Constant(kNoNumber).eval(), row);
    put_all(any ? box.high : Vec<Dim>::Constant(kNoNumber).eval(), row);
    put_all(any ? Vec<Dim>(centre / mass) : Vec<Dim>::Constant(kNoNumber).eval(), row);
  }

 private:
  bool connected_;
  double gap_;
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_bulk_measure(const MeasureContext<Dim>& context) {
  switch (context.spec.kind) {
    case MeasureKind::stress: return std::make_unique<Stress<Dim>>(context);
    case MeasureKind::strain: return std::make_unique<Strain<Dim>>(context);
    case MeasureKind::packing: return std::make_unique<Packing<Dim>>(context);
    case MeasureKind::energy: return std::make_unique<Energy<Dim>>();
    case MeasureKind::motion: return std::make_unique<Motion<Dim>>();
    case MeasureKind::extent: return std::make_unique<Extent<Dim>>(context);
    default: return nullptr;
  }
}

template std::unique_ptr<Measure<2>> make_bulk_measure<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_bulk_measure<3>(const MeasureContext<3>&);

}  // namespace saltus
