#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/generate/generate_sample.hpp"

namespace saltus {

namespace {

template <int Dim>
class Deposit {
 public:
  Deposit(const std::vector<double>& radii, const SampleBox<Dim>& box)
      : box_(box),
        largest_(*std::max_element(radii.begin(), radii.end())),
        smallest_(*std::min_element(radii.begin(), radii.end())),
        grid_(box.low, expected_top(radii, box), 2 * largest_, radii.size()),
        top_(box.low[Dim - 1]) {}

  // The place where a grain of this radius, dropped at `start`, comes to rest. The grain never overlaps
  // another on its way: a move that cannot be freed of overlaps is not made.
  Vec<Dim> roll_down(Vec<Dim> x, double radius) {
    double move = smallest_;
    while (move > 1e-4 * smallest_) {
      list_near(x, radius + largest_ + 2 * move);
      Vec<Dim> lower = x - move * Vec<Dim>::Unit(Dim - 1);
      const bool is_free = push_out(radius, lower);
      const bool gains = x[Dim - 1] - lower[Dim - 1] > 0.02 * move;
      if (is_free && gains && (lower - x).norm() <= 2 * move)
        x = lower;
      else
        move /= 2;
    }
    return x;
  }

  void add(const Grain<Dim>& grain) {
    grid_.add(static_cast<int>(grains_.size()), grain.position);
    grains_.push_back(grain);
    top_ = std::max(top_, grain.position[Dim - 1] + grain.radius);
  }

  double top() const { return top_; }
  std::vector<Grain<Dim>> take() { return std::move(grains_); }

 private:
  static Vec<Dim> expected_top(const std::vector<double>& radii, const SampleBox<Dim>& box) {
    double volume = 0;
    for (const double r : radii) volume += std::pow(2 * r, Dim);
    Vec<Dim> high = box.high;
    double base = 1;
    for (int d = 0; d < Dim - 1; ++d) base *= box.high[d] - box.low[d];
    high[Dim - 1] = box.low[Dim - 1] + volume / base;
    return high;
  }

  void list_near(const Vec<Dim>& x, double distance) {
    near_.clear();
    grid_.visit_near(x, distance, [&](int i) {
      if ((grains_[i].position - x).squaredNorm() < distance * distance) near_.push_back(grains_[i]);
    });
  }

  // Moves x out of its neighbours and into the box; true when no overlap is left.
  bool push_out(double radius, Vec<Dim>& x) const {
    constexpr int kSweeps = 30;
    constexpr double kClearance = 1 + 1e-6;  // aimed at, so that the sweeps end without any overlap
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      bool is_free = true;
      for (const Grain<Dim>& other : near_) {
        const Vec<Dim> apart = x - other.position;
        const double touching = radius + other.radius, distance = apart.norm();
        if (distance >= touching) continue;
        is_free = false;
        if (!(distance > 0)) return false;
        x = other.position + apart * (touching * kClearance / distance);
      }
      for (int d = 0; d < Dim; ++d) {
        const double low = box_.low[d] + radius, high = box_.high[d] - radius;
        if (x[d] < low) x[d] = low, is_free = false;
        if (d < Dim - 1 && x[d] > high) x[d] = high, is_free = false;
      }
      if (is_free) return true;
    }
    return false;
  }

  const SampleBox<Dim>& box_;
  double largest_, smallest_;
  GrainGrid<Dim> grid_;
  double top_;
  std::vector<Grain<Dim>> grains_, near_;
};

}  // namespace

template <int Dim>
std::vector<Grain<Dim>> place_by_deposit(const std::vector<double>& radii, const SampleBox<Dim>& box,
                                         SplitMix64& random) {
  const double largest = *std::max_element(radii.begin(), radii.end());
  for (int d = 0; d < Dim - 1; ++d) {
    const double side = box.high[d] - box.low[d];
    if (!(side > 2 * largest))
      throw InputError(box.where, "side of the box of a sample", fmt::format("{}", side),
                       fmt::format("more than the largest diameter, {}", 2 * largest));
  }
  Deposit<Dim> deposit(radii, box);
  for (const double radius : radii) {
    Vec<Dim> start;
    for (int d = 0; d < Dim - 1; ++d) start[d] = random.uniform(box.low[d] + radius, box.high[d] - radius);
    start[Dim - 1] = deposit.top() + radius;
    deposit.add({deposit.roll_down(start, radius), radius});
  }
  return deposit.take();
}

template std::vector<Grain<2>> place_by_deposit(const std::vector<double>&, const SampleBox<2>&, SplitMix64&);
template std::vector<Grain<3>> place_by_deposit(const std::vector<double>&, const SampleBox<3>&, SplitMix64&);

}  // namespace saltus
