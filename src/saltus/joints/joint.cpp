#include "saltus/joints/joint.hpp"

namespace saltus {

const char* name(JointKind kind) {
  switch (kind) {
    case JointKind::weld: return "weld";
    case JointKind::revolute: return "revolute";
    case JointKind::prismatic: return "prismatic";
    case JointKind::cylindrical: return "cylindrical";
    case JointKind::spherical: return "spherical";
    case JointKind::universal: return "universal";
    case JointKind::planar: return "planar";
    case JointKind::screw: return "screw";
    case JointKind::rod: return "rod";
    case JointKind::rope: return "rope";
    case JointKind::spring: return "spring";
    case JointKind::gear: return "gear";
    case JointKind::pulley: return "pulley";
  }
  return "";
}

namespace {

using C = Coordinate;

struct FreeRow {
  const char* name;
  C coordinate;
  bool rotation = false;
};

struct KindRows {
  std::vector<C> points, turns;
  std::vector<FreeRow> free;
};

KindRows rows_in_plane(JointKind kind) {
  switch (kind) {
    case JointKind::weld: return {{C::x, C::y}, {C::turn_z}, {}};
    case JointKind::prismatic: return {{C::y}, {C::turn_z}, {{"slide", C::x}}};
    case JointKind::cylindrical: return {{C::y}, {}, {{"slide", C::x}, {"angle", C::turn_z}}};
    default: return {{C::x, C::y}, {}, {{"angle", C::turn_z}}};
  }
}

KindRows rows_in_space(JointKind kind) {
  const std::vector<C> all{C::x, C::y, C::z}, across{C::x, C::y}, tilt{C::turn_x, C::turn_y},
      turns{C::about_x, C::about_y, C::about_z};
  switch (kind) {
    case JointKind::weld: return {all, turns, {}};
    case JointKind::prismatic: return {across, turns, {{"slide", C::z}}};
    case JointKind::cylindrical: return {across, tilt, {{"slide", C::z}, {"angle", C::turn_z}}};
    case JointKind::spherical:
      return {all, {}, {{"swing", C::swing}, {"rotation", C::turn_z, true}, {"twist", C::twist}}};
    case JointKind::universal: return {all, {C::cross}, {{"angle", C::fork}, {"angle2", C::spider}}};
    case JointKind::planar: return {{C::z}, tilt, {{"slide", C::x}, {"slide2", C::y}, {"angle", C::turn_z}}};
    case JointKind::screw: return {across, tilt, {{"angle", C::turn_z}, {"slide", C::z}}};
    default: return {all, tilt, {{"angle", C::turn_z}}};
  }
}

template <int Dim>
KindRows rows_of(JointKind kind) {
  switch (kind) {
    case JointKind::rod: return {{C::distance}, {}, {}};
    case JointKind::rope:
    case JointKind::spring: return {{}, {}, {{"length", C::distance}}};
    case JointKind::gear:
    case JointKind::pulley: return {};
    default: return Dim == 2 ? rows_in_plane(kind) : rows_in_space(kind);
  }
}

}  // namespace

template <int Dim>
void set_kind(JointKind kind, Joint<Dim>& joint) {
  const KindRows rows = rows_of<Dim>(kind);
  joint.kind = kind;
  joint.held_points = rows.points;
  joint.held_turns = rows.turns;
  joint.free.resize(rows.free.size());
  for (std::size_t i = 0; i < rows.free.size(); ++i) {
    joint.free[i].coordinate = rows.free[i].coordinate;
    joint.free[i].rotation = rows.free[i].rotation;
  }
}

template <int Dim>
std::vector<std::string> direction_names(JointKind kind) {
  const KindRows rows = rows_of<Dim>(kind);
  std::vector<std::string> names;
  for (const FreeRow& row : rows.free) names.emplace_back(row.name);
  return names;
}

template void set_kind<2>(JointKind, Joint<2>&);
template void set_kind<3>(JointKind, Joint<3>&);
template std::vector<std::string> direction_names<2>(JointKind);
template std::vector<std::string> direction_names<3>(JointKind);

}  // namespace saltus
