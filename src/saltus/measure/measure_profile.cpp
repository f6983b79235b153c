// Profiles: quantities in slices of a region along an axis or a radius. A body counts in a slice by the part
// of its volume inside (geometry/overlap.hpp), with the velocity of its centre; a contact that carries a force
// counts where its point is.
#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/measure/measure_stress.hpp"
#include "saltus/sim/no_number.hpp"

namespace saltus {

namespace {

// Sums over the bodies of a slice, weighted by volume inside.
template <int Dim>
struct SliceSums {
  double solid = 0, volume = 0;
  Vec<Dim> velocity = Vec<Dim>::Zero();
  double radial = 0, tangential = 0;
  Spin<Dim> spin = Spin<Dim>::Zero();
  Mat<Dim> moment = Mat<Dim>::Zero();
  Vec<Dim> along = Vec<Dim>::Zero();  // direction of the slices; radial ones have none
  double slip = 0, contacts = 0;      // not weighted
};

template <int Dim>
using Quantity = double (*)(const SliceSums<Dim>&);

template <int Dim>
double per_solid(double sum, const SliceSums<Dim>& s) {
  return s.solid > 0 ? sum / s.solid : kNoNumber;
}

template <int Dim>
std::vector<std::pair<std::string, Quantity<Dim>>> quantities() {
  using S = SliceSums<Dim>;
  std::vector<std::pair<std::string, Quantity<Dim>>> list = {
      {"solid_fraction", [](const S& s) { return s.solid / s.volume; }},
      {"void_ratio", [](const S& s) { return s.solid > 0 ? s.volume / s.solid - 1 : kNoNumber; }},
      {"velocity.x", [](const S& s) { return per_solid(s.velocity[0], s); }},
      {"velocity.y", [](const S& s) { return per_solid(s.velocity[1], s); }},
      {"velocity.radial", [](const S& s) { return per_solid(s.radial, s); }},
      {"velocity.tangential", [](const S& s) { return per_solid(s.tangential, s); }},
      {"velocity.along", [](const S& s) { return per_solid(s.along.dot(s.velocity), s); }},
      {"spin", [](const S& s) { return per_solid(s.spin[kSpins<Dim> - 1], s); }},
      {"slip", [](const S& s) { return s.contacts > 0 ? s.slip / s.contacts : kNoNumber; }},
      {"stress.xx", [](const S& s) { return s.moment(0, 0) / s.volume; }},
      {"stress.xy", [](const S& s) { return s.moment(0, 1) / s.volume; }},
      {"stress.yx", [](const S& s) { return s.moment(1, 0) / s.volume; }},
      {"stress.yy", [](const S& s) { return s.moment(1, 1) / s.volume; }},
      {"stress.along", [](const S& s) { return s.along.dot(s.moment * s.along) / s.volume; }},
      {"stress.p", [](const S& s) { return s.moment.trace() / (Dim * s.volume); }}};
  if constexpr (Dim == 3) {
    list.emplace_back("velocity.z", [](const S& s) { return per_solid(s.velocity[2], s); });
    list.emplace_back("stress.zz", [](const S& s) { return s.moment(2, 2) / s.volume; });
  }
  return list;
}

template <int Dim>
class Profile final : public Measure<Dim> {
 public:
  explicit Profile(const MeasureContext<Dim>& context)
      : region_(context),
        of_(context.spec.of),
        along_(context.spec.along),
        axis_(context.spec.axis),
        bins_(context.spec.bins) {
    for (const std::string& name : of_) {
      const auto list = quantities<Dim>();
      const auto at = std::find_if(list.begin(), list.end(), [&](const auto& q) { return q.first == name; });
      if (at == list.end())
        throw InputError(context.spec.where, "quantity of a profile", name,
                         fmt::format("{}", fmt::join(profile_quantities<Dim>(), ", ")));
      if (axis_ < 0 && name.find(".along") != std::string::npos)
        throw InputError(context.spec.where, "quantity of a radial profile", name,
                         "velocity.radial, velocity.tangential and others without a direction");
      quantities_.push_back(at->second);
    }
    const Region<Dim> first = region_.at(context.first);
    if (axis_ < 0 && !first.is_ring())
      throw InputError(context.spec.where, "a radial profile needs a region with centre and radii");
    if (is_oblique() && first.is_ring())
      throw InputError(context.spec.where, "a profile along a direction needs a region that is a box");
    for (int bin = 0; bin < bins_; ++bin)
      places_.push_back(is_oblique() ? first.middle(along_, bin, bins_) : first.middle(axis_, bin, bins_));
  }
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts;
    for (const std::string& name : of_)
      for (const double place : places_) parts.push_back(fmt::format("{}@{:.6g}", name, place));
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const Region<Dim> region = region_.at(snapshot);
    const std::vector<Mat<Dim>> moments = compute_moments<Dim>(snapshot);
    std::vector<SliceSums<Dim>> sums(static_cast<std::size_t>(bins_));
    for (int bin = 0; bin < bins_; ++bin)
      sums[static_cast<std::size_t>(bin)] =
          sum_slice(snapshot, moments,
                    is_oblique() ? region.slice(along_, bin, bins_) : region.slice(axis_, bin, bins_));
    for (const Quantity<Dim> quantity : quantities_)
      for (const SliceSums<Dim>& s : sums) row.push_back(quantity(s));
  }

 private:
  bool is_oblique() const { return !along_.isZero(0); }

  SliceSums<Dim> sum_slice(const Snapshot<Dim>& snapshot, const std::vector<Mat<Dim>>& moments,
                           const Region<Dim>& slice) const {
    SliceSums<Dim> s;
    s.volume = slice.volume();
    if (is_oblique())
      s.along = along_;
    else if (axis_ >= 0)
      s.along = Vec<Dim>::Unit(axis_);
    for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) {
      const SnapshotBody<Dim>& body = snapshot.bodies[i];
      if (!body.is_grain) continue;
      for (const Vec<Dim>& move : slice.find_images(body)) {
        const double inside = slice.overlap(body, move);
        const Vec<2> arm = (body.pose.position + move - slice.centre).template head<2>();
        const Vec<2> outwards = arm.norm() > 0 ? Vec<2>(arm / arm.norm()) : Vec<2>::UnitX();
        const Vec<2> plane = body.velocity.template head<2>();
        s.solid += inside;
        s.velocity += inside * body.velocity;
        s.radial += inside * outwards.dot(plane);
        s.tangential += inside * cross2(outwards, plane);
        s.spin += inside * body.spin;
        s.moment += inside / body.volume * moments[i];
      }
    }
    for (const auto& contact : snapshot.contacts) {
      const int images = slice.count(contact.point);
      s.slip += images * contact.velocity.template tail<Dim - 1>().norm();
      s.contacts += images;
    }
    return s;
  }

  MovingRegion<Dim> region_;
  std::vector<std::string> of_;
  std::vector<Quantity<Dim>> quantities_;
  std::vector<double> places_;
  Vec<Dim> along_;
  int axis_, bins_;
};

}  // namespace

template <int Dim>
std::vector<std::string> profile_quantities() {
  std::vector<std::string> names;
  for (const auto& [name, quantity] : quantities<Dim>()) names.push_back(name);
  return names;
}

template <int Dim>
std::unique_ptr<Measure<Dim>> make_profile(const MeasureContext<Dim>& context) {
  if (context.spec.kind != MeasureKind::profile) return nullptr;
  return std::make_unique<Profile<Dim>>(context);
}

template std::vector<std::string> profile_quantities<2>();
template std::vector<std::string> profile_quantities<3>();
template std::unique_ptr<Measure<2>> make_profile<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_profile<3>(const MeasureContext<3>&);

}  // namespace saltus
