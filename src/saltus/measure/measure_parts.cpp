// Measures of what is not a rigid body: coordinates of a system, angle and force of a joint.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "saltus/base/input_error.hpp"
#include "saltus/measure/measure.hpp"

namespace saltus {

std::size_t find_named(const std::string& name, const std::vector<std::string>& names, const char* what,
                      const std::string& where) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  throw InputError(where, fmt::format("a measure names a {}", what), name,
                   names.empty() ? fmt::format("nothing: the scene has no {}", what)
                                 : fmt::format("{}", fmt::join(names, ", ")));
}

namespace {

// Columns q@NUMBER, then v@NUMBER; where coordinates have names, theirs and those of their velocities.
template <int Dim>
class Coordinates final : public Measure<Dim> {
 public:
  explicit Coordinates(const MeasureContext<Dim>& context)
      : system_(find_named(context.spec.part, context.first.system_names, "system", context.spec.where)),
        chosen_(context.spec.coordinates) {
    const int count = static_cast<int>(context.first.systems[system_].coordinates.size());
    for (const int i : chosen_)
      if (i >= count)
        throw InputError(context.spec.where, "a coordinate of a system", fmt::format("{}", i),
                         fmt::format("0 to {}", count - 1));
    if (chosen_.empty()) {
      chosen_.resize(static_cast<std::size_t>(count));
      std::iota(chosen_.begin(), chosen_.end(), 0);
    }
    const SystemNames& names = context.first.systems[system_].names;
    if (names.size() == count && names.velocities.size() == names.coordinates.size()) names_ = names;
  }
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts;
    if (names_.size() > 0) {
      for (const auto* names : {&names_.coordinates, &names_.velocities})
        for (const int i : chosen_) parts.push_back((*names)[i]);
      return parts;
    }
    for (const char* part : {"q", "v"})
      for (const int i : chosen_) parts.push_back(fmt::format("{}@{}", part, i));
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const SnapshotSystem& system = snapshot.systems[system_];
    for (const int i : chosen_) row.push_back(system.coordinates[i]);
    for (const int i : chosen_) row.push_back(system.velocity[i]);
  }

 private:
  std::size_t system_;
  std::vector<int> chosen_;
  SystemNames names_;  // none: numbers
};

template <int Dim>
class JointForce final : public Measure<Dim> {
 public:
  explicit JointForce(const MeasureContext<Dim>& context)
      : joint_(find_named(context.spec.part, context.first.joint_names, "joint", context.spec.where)) {}
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts;
    for (const char* of : {"value", "rate", "effort"})
      for (const char* direction : {"1", "2", "3"}) parts.push_back(fmt::format("{}{}", of, direction));
    const auto add = [&](const std::vector<std::string>& more) {
      parts.insert(parts.end(), more.begin(), more.end());
    };
    add(vector_parts<Dim>("force_"));
    add(Dim == 2 ? std::vector<std::string>{"moment_z"} : vector_parts<3>("moment_"));
    parts.insert(parts.end(), {"row", "power", "gap"});
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const SnapshotJoint<Dim>& joint = snapshot.joints[joint_];
    for (const Vec<3>* of : {&joint.value, &joint.rate, &joint.effort})
      for (const double x : *of) row.push_back(x);
    for (const double f : joint.force) row.push_back(f);
    for (const double m : joint.moment) row.push_back(m);
    row.insert(row.end(), {joint.row, joint.power, joint.gap});
  }

 private:
  std::size_t joint_;
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_part_measure(const MeasureContext<Dim>& context) {
  switch (context.spec.kind) {
    case MeasureKind::system: return std::make_unique<Coordinates<Dim>>(context);
    case MeasureKind::joint: return std::make_unique<JointForce<Dim>>(context);
    default: return nullptr;
  }
}

template std::unique_ptr<Measure<2>> make_part_measure<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_part_measure<3>(const MeasureContext<3>&);

}  // namespace saltus
