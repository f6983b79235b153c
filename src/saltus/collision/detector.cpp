#include "saltus/collision/detector.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace saltus {

template <int Dim>
struct Detector<Dim>::State {
  std::vector<std::optional<Shape<Dim>>> shapes;
  std::vector<BodyFlags> flags;
  std::vector<ContactPoint<Dim>> contacts;
  Vec<Dim> period = Vec<Dim>::Zero();
};

namespace {

template <int Dim>
std::optional<ContactPoint<Dim>> touch(const Ball<Dim>& a, const Pose<Dim>& pa, const Ball<Dim>& b,
                                       const Pose<Dim>& pb) {
  const Vec<Dim> arm = pb.position - pa.position;
  const double distance = arm.norm();
  ContactPoint<Dim> c;
  c.normal = distance > 0 ? Vec<Dim>(arm / distance) : Vec<Dim>(Vec<Dim>::Unit(Dim - 1));
  c.gap = distance - a.radius - b.radius;
  c.point = pa.position + (a.radius + c.gap / 2) * c.normal;
  return c;
}

template <int Dim>
std::optional<ContactPoint<Dim>> touch(const HalfSpace<Dim>& a, const Pose<Dim>& pa, const Ball<Dim>& b,
                                       const Pose<Dim>& pb) {
  ContactPoint<Dim> c;
  c.normal = pa.rotated(a.normal);
  c.gap = c.normal.dot(pb.position - pa.position) - a.offset - b.radius;
  c.point = pb.position - (b.radius + c.gap / 2) * c.normal;
  return c;
}

template <int Dim>
std::optional<ContactPoint<Dim>> touch(const Ball<Dim>& a, const Pose<Dim>& pa, const HalfSpace<Dim>& b,
                                       const Pose<Dim>& pb) {
  auto c = touch(b, pb, a, pa);
  c->normal = -c->normal;
  return c;
}

template <int Dim, class A, class B>
std::optional<ContactPoint<Dim>> touch(const A&, const Pose<Dim>&, const B&, const Pose<Dim>&) {
  return std::nullopt;
}

}  // namespace

template <int Dim>
Detector<Dim>::Detector() : state_(std::make_unique<State>()) {}
template <int Dim>
Detector<Dim>::~Detector() = default;
template <int Dim>
Detector<Dim>::Detector(Detector&&) noexcept = default;
template <int Dim>
Detector<Dim>& Detector<Dim>::operator=(Detector&&) noexcept = default;

template <int Dim>
int Detector<Dim>::add(const Shape<Dim>& shape, const BodyFlags& flags, const std::string&) {
  auto& shapes = state_->shapes;
  const auto free = std::find_if(shapes.begin(), shapes.end(), [](const auto& s) { return !s; });
  const int body = static_cast<int>(free - shapes.begin());
  if (free == shapes.end()) shapes.emplace_back(), state_->flags.emplace_back();
  shapes[body] = shape;
  state_->flags[body] = flags;
  return body;
}

template <int Dim>
void Detector<Dim>::remove(int body) {
  state_->shapes[body].reset();
}
template <int Dim>
void Detector<Dim>::set_flags(int body, const BodyFlags& flags) {
  state_->flags[body] = flags;
}
template <int Dim>
int Detector<Dim>::size() const {
  return static_cast<int>(state_->shapes.size());
}
template <int Dim>
void Detector<Dim>::exclude_groups(int, int) {}
template <int Dim>
void Detector<Dim>::exclude_pair(int, int) {}
template <int Dim>
void Detector<Dim>::set_period(const Vec<Dim>& lengths) {
  state_->period = lengths;
}
template <int Dim>
const Vec<Dim>& Detector<Dim>::period() const {
  return state_->period;
}
template <int Dim>
const std::vector<ContactPoint<Dim>>& Detector<Dim>::contacts() const {
  return state_->contacts;
}
template <int Dim>
typename Detector<Dim>::Statistics Detector<Dim>::statistics() const {
  return {};
}

template <int Dim>
const std::vector<ContactPoint<Dim>>& Detector<Dim>::update(std::span<const Pose<Dim>> poses,
                                                            std::span<const double> margin, double alert) {
  auto& contacts = state_->contacts;
  contacts.clear();
  const auto& shapes = state_->shapes;
  const auto& flags = state_->flags;
  for (int a = 0; a < size(); ++a) {
    for (int b = a + 1; b < size(); ++b) {
      if (!shapes[a] || !shapes[b] || (flags[a].fixed && flags[b].fixed)) continue;
      if (!(flags[a].group & flags[b].mask) || !(flags[b].group & flags[a].mask)) continue;
      auto c = std::visit([&](const auto& s, const auto& t) { return touch(s, poses[a], t, poses[b]); }, *shapes[a],
                          *shapes[b]);
      if (!c || c->gap > alert + (margin.empty() ? 0 : margin[a] + margin[b])) continue;
      c->a = a;
      c->b = b;
      contacts.push_back(*c);
    }
  }
  return contacts;
}

template class Detector<2>;
template class Detector<3>;

}  // namespace saltus
