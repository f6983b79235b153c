#include "saltus/solvers/sweeps/sweep_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "saltus/base/large_buffer.hpp"

namespace saltus {

namespace {

constexpr int kColours = 64, kPacks = 64;  // bits of a word

// The low bits of x, Dim - 1 zeros between each and the next.
std::uint64_t spread(std::uint64_t x, int dimension) {
  if (dimension == 2) {
    x &= 0xffffffff;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
  }
  x &= 0x1fffff;
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

}  // namespace

template <int Dim>
void SweepOrder::find_open(const VelocityProblem<Dim>& problem) {
  speed_.assign(problem.bodies.size(), 0);
  const auto speed = [&](int body, const Vec<Dim>& arm) {
    const SweepBody<Dim>& b = problem.bodies[body];
    return Eigen::Map<const Vec<Dim>>(b.v).norm() + Eigen::Map<const Spin<Dim>>(b.w).norm() * arm.norm();
  };
  for (const SweepContact<Dim>& c : problem.contacts) {
    speed_[c.a] = std::max(speed_[c.a], speed(c.a, c.arm_a));
    speed_[c.b] = std::max(speed_[c.b], speed(c.b, c.arm_b));
  }
  speed_around_ = speed_;
  for (const SweepContact<Dim>& c : problem.contacts) {
    speed_around_[c.a] = std::max(speed_around_[c.a], speed_[c.b]);
    speed_around_[c.b] = std::max(speed_around_[c.b], speed_[c.a]);
  }
  for (int i = 0; i < static_cast<int>(problem.contacts.size()); ++i) {
    const SweepContact<Dim>& c = problem.contacts[i];
    const bool is_idle = c.r.isZero(0) && c.moment.isZero(0) && c.viscous == 0;
    if (is_idle && c.shift[0] > speed_around_[c.a] + speed_around_[c.b]) open_.push_back(i);
  }
}

template <int Dim>
void SweepOrder::sort_contacts(const VelocityProblem<Dim>& problem) {
  constexpr double kCells = Dim == 2 ? 4294967295.0 : 2097151.0;
  Vec<Dim> low = Vec<Dim>::Zero(), high = low;
  if (!problem.contacts.empty()) low = high = problem.contacts[0].point;
  for (const SweepContact<Dim>& c : problem.contacts) {
    low = low.cwiseMin(c.point);
    high = high.cwiseMax(c.point);
  }
  const double extent = (high - low).maxCoeff();
  const double scale = extent > 0 && std::isfinite(extent) ? kCells / extent : 0;
  keys_.clear();
  auto next_open = open_.begin();
  for (int i = 0; i < static_cast<int>(problem.contacts.size()); ++i) {
    if (next_open != open_.end() && *next_open == i) {
      ++next_open;
      continue;
    }
    std::uint64_t key = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      const double cell = scale * (problem.contacts[i].point[axis] - low[axis]);
      key |= spread(cell > 0 ? static_cast<std::uint64_t>(cell) : 0, Dim) << axis;
    }
    keys_.emplace_back(key, i);
  }
  std::sort(keys_.begin(), keys_.end());
}

template <int Dim>
void SweepOrder::colour_blocks(const VelocityProblem<Dim>& problem) {
  met_.assign(problem.bodies.size(), 0);
  colour_.clear();
  int extra = kColours;
  const int count = static_cast<int>(keys_.size());
  for (int begin = 0; begin < count; begin += kContactsPerBlock) {
    const int end = std::min(count, begin + kContactsPerBlock);
    const auto each_body = [&](auto&& visit) {
      for (int i = begin; i < end; ++i) {
        const SweepContact<Dim>& c = problem.contacts[keys_[i].second];
        for (const int body : {c.a, c.b})
          if (place_of_body_[body] != kGround) visit(met_[body]);
      }
    };
    std::uint64_t taken = 0;
    each_body([&](std::uint64_t& met) { taken |= met; });
    const int free = std::countr_one(taken);
    colour_.push_back(free < kColours ? free : extra++);
    if (free < kColours) each_body([&](std::uint64_t& met) { met |= std::uint64_t{1} << free; });
  }
}

// Each contact takes the first pack with room where none of its bodies is. Beyond kPacks, which only
// bodies with as many contacts need, each has a pack of its own.
template <int Dim>
void SweepOrder::add_packs(const VelocityProblem<Dim>& problem, int begin, int end, int lanes) {
  const auto bodies_of = [&](int i) {
    const SweepContact<Dim>& c = problem.contacts[keys_[i].second];
    return std::array<int, 2>{c.a, c.b};
  };
  for (int i = begin; i < end; ++i)
    for (const int body : bodies_of(i)) met_[body] = 0;
  filled_.clear();
  std::uint64_t full = 0;
  const std::size_t first = contact_.size();
  for (int i = begin; i < end; ++i) {
    std::uint64_t taken = full;
    for (const int body : bodies_of(i)) taken |= met_[body];
    const int packs = static_cast<int>(filled_.size()), free = std::countr_one(taken);
    const int pack = free < kPacks ? std::min(free, packs) : packs;
    if (pack == packs) {
      filled_.push_back(0);
      contact_.resize(contact_.size() + lanes, kNone);
    }
    contact_[first + lanes * pack + filled_[pack]++] = keys_[i].second;
    if (pack >= kPacks) continue;
    const std::uint64_t bit = std::uint64_t{1} << pack;
    if (filled_[pack] == lanes) full |= bit;
    for (const int body : bodies_of(i))
      if (place_of_body_[body] != kGround) met_[body] |= bit;
  }
}

template <int Dim>
void SweepOrder::build(const VelocityProblem<Dim>& problem, Open open, int lanes) {
  open_.clear();
  if (open == Open::leave_out) find_open(problem);
  make_room(problem.contacts.size(), keys_);
  make_room(problem.contacts.size() * (lanes > 1 ? 5 : 4) / 4, contact_);
  sort_contacts(problem);
  place_of_body_.resize(problem.bodies.size());
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    place_of_body_[i] = is_immovable<Dim>(problem.bodies[i]) ? kGround : 0;
  colour_blocks(problem);

  const int count = static_cast<int>(keys_.size());
  contact_.clear();
  block_begin_.clear();
  colour_begin_.assign(1, 0);
  const int colours = colour_.empty() ? 0 : *std::max_element(colour_.begin(), colour_.end()) + 1;
  next_.assign(colours + 1, 0);
  for (const int colour : colour_) ++next_[colour + 1];
  for (int colour = 0; colour < colours; ++colour) next_[colour + 1] += next_[colour];
  body_.assign(colour_.size(), 0);  // blocks by colour, for a moment
  for (int block = 0; block < static_cast<int>(colour_.size()); ++block)
    body_[next_[colour_[block]]++] = block;
  for (int i = 0; i < static_cast<int>(body_.size()); ++i) {
    const int begin = body_[i] * kContactsPerBlock;
    if (i > 0 && colour_[body_[i]] != colour_[body_[i - 1]]) colour_begin_.push_back(i);
    block_begin_.push_back(static_cast<int>(contact_.size()));
    add_packs(problem, begin, std::min(count, begin + kContactsPerBlock), lanes);
  }
  block_begin_.push_back(places());
  if (!colour_.empty()) colour_begin_.push_back(static_cast<int>(colour_.size()));

  body_.clear();
  met_.assign(problem.bodies.size(), 0);
  for (const auto& [key, i] : keys_)
    for (const int body : {problem.contacts[i].a, problem.contacts[i].b})
      if (place_of_body_[body] != kGround && !std::exchange(met_[body], 1)) {
        place_of_body_[body] = static_cast<int>(body_.size());
        body_.push_back(body);
      }
}

template void SweepOrder::build<2>(const VelocityProblem<2>&, Open, int);
template void SweepOrder::build<3>(const VelocityProblem<3>&, Open, int);

}  // namespace saltus
