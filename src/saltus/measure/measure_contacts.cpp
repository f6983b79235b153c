// Measures of contacts: coordination, fabric, distributions of forces, slip and rolling.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/measure/measure.hpp"
#include "saltus/measure/measure_stress.hpp"
#include "saltus/sim/no_number.hpp"

namespace saltus {

namespace {

// Coordination: bodies that touch one of the grains, on average. A rattler has fewer than two neighbours
// in the plane, fewer than three in space: it carries nothing. `backbone` leaves them out.
template <int Dim>
class Coordination final : public Measure<Dim> {
 public:
  std::vector<std::string> parts() const override { return {"mean", "backbone", "rattlers", "contacts"}; }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    std::vector<std::pair<int, int>> pairs;
    for (const auto& c : snapshot.contacts) pairs.emplace_back(std::min(c.a, c.b), std::max(c.a, c.b));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<int> neighbours(snapshot.bodies.size(), 0);
    for (const auto& [a, b] : pairs)
      ++neighbours[static_cast<std::size_t>(a)], ++neighbours[static_cast<std::size_t>(b)];
    double grains = 0, sum = 0, rattlers = 0, carried = 0;
    for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) {
      if (!snapshot.bodies[i].is_grain) continue;
      ++grains;
      sum += neighbours[i];
      const bool rattles = neighbours[i] < Dim;
      rattlers += rattles;
      carried += rattles ? 0 : neighbours[i];
    }
    row.insert(row.end(), {grains > 0 ? sum / grains : kNoNumber,
                           grains > rattlers ? carried / (grains - rattlers) : kNoNumber,
                           grains > 0 ? rattlers / grains : kNoNumber, static_cast<double>(pairs.size())});
  }
};

// Fabric tensor <n n^T> and its anisotropy: in the plane 2 (F1 - F2), the a of a density of directions
// (1 + a cos 2(t - t0))/(2 pi); in space the difference of the extreme principal values.
template <int Dim>
class Fabric final : public Measure<Dim> {
 public:
  explicit Fabric(const MeasureContext<Dim>& context) : region_(context) {}
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts = tensor_parts<Dim>("");
    parts.insert(parts.end(), {"anisotropy"});
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const Mat<Dim> fabric = compute_fabric<Dim>(snapshot, region_.at(snapshot));
    const Vec<Dim> principal = principal_values<Dim>(fabric);
    for (int i = 0; i < Dim; ++i)
      for (int j = 0; j < Dim; ++j) row.push_back(fabric(i, j));
    row.push_back((Dim == 2 ? 2 : 1) * (principal[0] - principal[Dim - 1]));
  }

 private:
  MovingRegion<Dim> region_;
};

// Probability densities of f_n/<f_n> and |f_t|/<|f_t|> over bins of [0, range], and the means in N. What is
// beyond the range counts in the density of none.
template <int Dim>
class Forces final : public Measure<Dim> {
 public:
  explicit Forces(const MeasureContext<Dim>& context)
      : bins_(context.spec.bins), range_(context.spec.range) {}
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts = {"mean_normal", "mean_tangential", "largest"};
    for (const char* kind : {"normal", "tangential"})
      for (int i = 0; i < bins_; ++i)
        parts.push_back(fmt::format("{}@{:.6g}", kind, (i + 0.5) * range_ / bins_));
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    std::vector<double> normal, tangential;
    for (const auto& c : snapshot.contacts) {
      normal.push_back(c.force[0]);
      tangential.push_back(c.force.template tail<Dim - 1>().norm());
    }
    const double largest = normal.empty() ? kNoNumber : *std::max_element(normal.begin(), normal.end());
    row.insert(row.end(), {mean(normal), mean(tangential), largest});
    put_density(normal, row);
    put_density(tangential, row);
  }

 private:
  static double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? kNoNumber : sum / static_cast<double>(values.size());
  }
  void put_density(const std::vector<double>& values, std::vector<double>& row) const {
    const double scale = mean(values), width = range_ / bins_;
    std::vector<double> density(static_cast<std::size_t>(bins_), 0);
    if (scale > 0)
      for (const double v : values) {
        const double at = v / scale / width;
        if (at >= 0 && at < bins_)
          density[static_cast<std::size_t>(at)] += 1 / (static_cast<double>(values.size()) * width);
      }
    row.insert(row.end(), density.begin(), density.end());
  }
  int bins_;
  double range_;
};

// Slip |u_t| and rolling (relative spin) at contacts that carry a force, and how much friction is mobilised.
template <int Dim>
class Slip final : public Measure<Dim> {
 public:
  std::vector<std::string> parts() const override {
    return {"sliding", "mean", "largest", "relative_spin", "mobilised"};
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    double sliding = 0, sum = 0, largest = 0, spin = 0, tangential = 0, normal = 0;
    for (const auto& c : snapshot.contacts) {
      const double slip = c.velocity.template tail<Dim - 1>().norm();
      sliding += c.slides;
      sum += slip;
      largest = std::max(largest, slip);
      spin += (snapshot.bodies[static_cast<std::size_t>(c.b)].spin -
               snapshot.bodies[static_cast<std::size_t>(c.a)].spin)
                  .norm();
      tangential += c.force.template tail<Dim - 1>().norm();
      normal += c.force[0];
    }
    const double count = static_cast<double>(snapshot.contacts.size());
    const bool any = count > 0;
    row.insert(row.end(),
               {any ? sliding / count : kNoNumber, any ? sum / count : kNoNumber, any ? largest : kNoNumber,
                any ? spin / count : kNoNumber, normal > 0 ? tangential / normal : kNoNumber});
  }
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_contact_measure(const MeasureContext<Dim>& context) {
  switch (context.spec.kind) {
    case MeasureKind::coordination: return std::make_unique<Coordination<Dim>>();
    case MeasureKind::fabric: return std::make_unique<Fabric<Dim>>(context);
    case MeasureKind::forces: return std::make_unique<Forces<Dim>>(context);
    case MeasureKind::slip: return std::make_unique<Slip<Dim>>();
    default: return nullptr;
  }
}

template std::unique_ptr<Measure<2>> make_contact_measure<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_contact_measure<3>(const MeasureContext<3>&);

}  // namespace saltus
