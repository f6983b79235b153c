#include "saltus/running/measure_fields.hpp"

#include <fmt/format.h>

namespace saltus {

namespace {

using Fields = std::vector<std::string>;

// Contacts without a force are left out of every measure (drop_idle_contacts): all of them need the impulses.
const Fields kTouching = {"positions", "contacts", "impulses"};
const Fields kStress = {"positions", "contacts", "points", "frames", "impulses"};

Fields with(Fields fields, const Fields& more) {
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

Fields profile_fields(const std::vector<std::string>& of) {
  Fields fields = {"positions"};
  for (const std::string& quantity : of) {
    if (quantity.rfind("stress", 0) == 0) fields.insert(fields.end(), kStress.begin(), kStress.end());
    if (quantity == "slip")
      fields.insert(fields.end(), {"contacts", "points", "frames", "impulses", "relative_velocities"});
    if (quantity.rfind("velocity", 0) == 0 || quantity.rfind("spin", 0) == 0) fields.push_back("velocities");
  }
  return fields;
}

}  // namespace

template <int Dim>
std::vector<std::string> needed_fields(const MeasureSpec<Dim>& spec) {
  switch (spec.kind) {
    case MeasureKind::stress:
    case MeasureKind::wall:
    case MeasureKind::fabric:
    case MeasureKind::network:
    case MeasureKind::body_stress: return kStress;
    case MeasureKind::coordination:
    case MeasureKind::forces: return kTouching;
    case MeasureKind::slip:
      return {"positions", "velocities", "contacts", "frames", "impulses", "relative_velocities"};
    case MeasureKind::profile: return profile_fields(spec.of);
    case MeasureKind::motion:
    case MeasureKind::body: return {"positions", "velocities"};
    case MeasureKind::extent: return spec.connected ? kTouching : Fields{"positions"};
    case MeasureKind::strain:
    case MeasureKind::flux:
    case MeasureKind::count:
    case MeasureKind::surface:
    case MeasureKind::packing: return {"positions"};
    case MeasureKind::energy: return {"energies"};
    case MeasureKind::system: return {"positions", "velocities"};
    case MeasureKind::joint: return {"positions", "joints"};
    case MeasureKind::reaction: return with(kStress, {"reactions"});
    case MeasureKind::solid_stress: return with(kStress, {"stresses", "reactions"});
    case MeasureKind::point_stress: return {"positions", "stresses", "strains", "plastic_strains"};
    case MeasureKind::section: return {"positions", "stresses"};
    case MeasureKind::beam_forces: return {"positions"};
  }
  return kStress;
}

template <int Dim>
void require_fields(const TrajectoryFile& file, const MeasureSpec<Dim>& spec) {
  require_fields(file, needed_fields<Dim>(spec), fmt::format("the measure \"{}\"", spec.name));
}

template std::vector<std::string> needed_fields<2>(const MeasureSpec<2>&);
template std::vector<std::string> needed_fields<3>(const MeasureSpec<3>&);
template void require_fields<2>(const TrajectoryFile&, const MeasureSpec<2>&);
template void require_fields<3>(const TrajectoryFile&, const MeasureSpec<3>&);

}  // namespace saltus
