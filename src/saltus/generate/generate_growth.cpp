#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "saltus/base/input_error.hpp"
#include "saltus/generate/generate_sample.hpp"

namespace saltus {

namespace {

constexpr double kTolerance = 1e-4;  // overlap left by a stage, as a fraction of the sum of radii

template <int Dim>
class Growth {
 public:
  Growth(const std::vector<double>& radii, const SampleBox<Dim>& box, SplitMix64& random)
      : radii_(radii), box_(box), largest_(*std::max_element(radii.begin(), radii.end())) {
    for (std::size_t i = 0; i < radii.size(); ++i) {
      Vec<Dim> x;
      for (int d = 0; d < Dim; ++d) x[d] = random.uniform(box.low[d], box.high[d]);
      position_.push_back(x);
    }
    // A dilute start: 0.2 of the box.
    double volume = 0;
    for (const double r : radii) volume += (Dim == 2 ? M_PI : 4 * M_PI / 3) * std::pow(r, Dim);
    scale_ = std::pow(0.2 * (box.high - box.low).prod() / volume, 1.0 / Dim);
  }

  std::vector<Grain<Dim>> run() {
    start();
    double growth = 0.05, good_scale = scale_;
    std::vector<Vec<Dim>> good = position_;
    while (growth > 5e-4) {
      scale_ = good_scale * (1 + growth);
      if (relax()) {
        good = position_;
        good_scale = scale_;
      } else {
        growth /= 2;
        position_ = good;
      }
    }
    position_ = good;
    return finish(good_scale);
  }

 private:
  // A first state without overlaps, at a smaller scale if need be: a box may be narrow for its largest grain.
  void start() {
    constexpr int kHalvings = 40;
    for (int i = 0; i < kHalvings; ++i) {
      if (relax()) return;
      scale_ /= 2;
    }
    throw InputError(box_.where, "no place found for the grains of a sample", {},
                     "a box with more even sides");
  }

  // Moves overlapping pairs apart, sweep after sweep; true when nothing overlaps by more than the tolerance.
  // Grains keep part of their last move: pressure then spreads like a wave, and not like heat.
  bool relax() {
    constexpr int kRounds = 40, kSweeps = 10;
    constexpr double kInertia = 0.9;
    if (2 * scale_ * largest_ > (box_.high - box_.low).minCoeff()) return false;
    std::vector<Vec<Dim>> last = position_;
    for (int round = 0; round < kRounds; ++round) {
      list_pairs();
      for (int sweep = 0; sweep < kSweeps; ++sweep) {
        for (std::size_t i = 0; i < radii_.size(); ++i) {
          const Vec<Dim> move = position_[i] - last[i];
          last[i] = position_[i];
          position_[i] += kInertia * move;
        }
        if (relax_once() < kTolerance) return list_pairs(), relax_once() < 2 * kTolerance;
      }
    }
    return false;
  }

  // Pairs that may come to touch within a few sweeps.
  void list_pairs() {
    constexpr double kNear = 1.15;
    GrainGrid<Dim> grid(box_.low, box_.high, 2 * kNear * scale_ * largest_, radii_.size());
    pairs_.clear();
    for (std::size_t i = 0; i < radii_.size(); ++i) {
      grid.visit_near(position_[i], kNear * scale_ * (radii_[i] + largest_), [&](int j) {
        const double touching = kNear * scale_ * (radii_[i] + radii_[j]);
        if ((position_[i] - position_[j]).squaredNorm() < touching * touching)
          pairs_.emplace_back(static_cast<int>(i), j);
      });
      grid.add(static_cast<int>(i), position_[i]);
    }
  }

  // Returns the worst overlap met, relative.
  double relax_once() {
    double worst = 0;
    for (const auto& [i, j] : pairs_) {
      const double touching = scale_ * (radii_[i] + radii_[j]);
      Vec<Dim> apart = position_[j] - position_[i];
      const double distance = apart.norm();
      if (distance >= touching) continue;
      if (distance < 1e-12 * touching) apart = Vec<Dim>::Unit(0) * touching * 1e-12;
      worst = std::max(worst, 1 - distance / touching);
      const Vec<Dim> push = (touching - distance) * apart.normalized();
      // The smaller one gives way more.
      const double share = radii_[j] / (radii_[i] + radii_[j]);
      position_[i] -= share * push;
      position_[j] += (1 - share) * push;
    }
    for (std::size_t i = 0; i < radii_.size(); ++i) {
      const Vec<Dim> inset = Vec<Dim>::Constant(scale_ * radii_[i]);
      const Vec<Dim> inside = position_[i].cwiseMax(box_.low + inset).cwiseMin(box_.high - inset);
      worst = std::max(worst, (inside - position_[i]).norm() / (scale_ * radii_[i]));
      position_[i] = inside;
    }
    return worst;
  }

  // The overlaps left are taken away by the factor that makes the tightest pair just touch.
  std::vector<Grain<Dim>> finish(double scale) {
    std::vector<Grain<Dim>> grains;
    scale_ = scale;
    list_pairs();
    double factor = scale;
    for (const auto& [i, j] : pairs_)
      factor = std::min(factor, (position_[i] - position_[j]).norm() / (radii_[i] + radii_[j]));
    for (std::size_t i = 0; i < radii_.size(); ++i) {
      const Vec<Dim> room = (position_[i] - box_.low).cwiseMin(box_.high - position_[i]);
      factor = std::min(factor, room.minCoeff() / radii_[i]);
    }
    factor *= 1 - 1e-12;
    for (std::size_t i = 0; i < radii_.size(); ++i) grains.push_back({position_[i], factor * radii_[i]});
    return grains;
  }

  const std::vector<double>& radii_;
  const SampleBox<Dim>& box_;
  double largest_ = 0, scale_ = 1;
  std::vector<Vec<Dim>> position_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace

template <int Dim>
std::vector<Grain<Dim>> place_by_growth(const std::vector<double>& radii, const SampleBox<Dim>& box,
                                        SplitMix64& random) {
  for (int d = 0; d < Dim; ++d)
    if (!(box.high[d] > box.low[d]))
      throw InputError(box.where, "side of the box of a sample", fmt::format("{}", box.high[d] - box.low[d]),
                       "a number above 0");
  return Growth<Dim>(radii, box, random).run();
}

template std::vector<Grain<2>> place_by_growth(const std::vector<double>&, const SampleBox<2>&, SplitMix64&);
template std::vector<Grain<3>> place_by_growth(const std::vector<double>&, const SampleBox<3>&, SplitMix64&);

}  // namespace saltus
