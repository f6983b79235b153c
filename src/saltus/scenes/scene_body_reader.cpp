#include "saltus/scenes/scene_body_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/dynamics/dof_name.hpp"
#include "saltus/scenes/scene_function_reader.hpp"
#include "saltus/scenes/scene_shape_reader.hpp"

namespace saltus {

namespace {

template <int Dim>
void read_locked(TableReader& t, SceneBody<Dim>& body) {
  const auto& names = dof_names<Dim>();
  const std::vector<std::string> locked = t.texts("locked");
  for (const std::string& word : locked) {
    const auto dof = std::find(names.begin(), names.end(), word);
    if (dof == names.end()) t.fail("locked", '"' + word + '"', join_names(names));
    body.drive[dof - names.begin()].kind = Drive::Kind::locked;
  }
}

template <int Dim>
void read_drives(TableReader& t, SceneContext& context, SceneBody<Dim>& body) {
  std::optional<TableReader> drives = t.optional_table("drive");
  if (!drives) return;
  drives->form("driven directions");
  const auto& names = dof_names<Dim>();
  for (std::size_t dof = 0; dof < names.size(); ++dof) {
    if (!drives->has(names[dof])) continue;
    if (!body.drive[dof].is_free())
      drives->fail(names[dof], "a degree that is locked too", "drive it or lock it");
    body.drive[dof] = read_drive(drives->table(names[dof]), context);
  }
  drives->finish();
}

// What is held or driven goes its way whatever pushes it.
template <int Dim>
void warn_of_idle_forces(const TableReader& t, const SceneBody<Dim>& body) {
  const auto& names = dof_names<Dim>();
  for (std::size_t dof = 0; dof < names.size(); ++dof)
    if (!body.force[dof].is_zero() && (body.fixed || !body.drive[dof].is_free()))
      log_warning("{}: {}.{} changes nothing: this direction of the body is {}", t.where("force"),
                  t.path("force"), names[dof],
                  body.fixed                                    ? "fixed"
                  : body.drive[dof].kind == Drive::Kind::locked ? "locked"
                                                                : "driven");
}

// A drive sets the velocity from the first step on. (Final scenes give driven bodies the velocity they had, which with the
// slope of a position is that of a step, not of a moment.)
template <int Dim>
void warn_of_idle_velocities(const TableReader& t, const SceneBody<Dim>& body, double start) {
  constexpr double kSame = 0.01;
  const auto& names = dof_names<Dim>();
  for (std::size_t dof = 0; dof < names.size(); ++dof) {
    const Drive& drive = body.drive[dof];
    if (drive.kind != Drive::Kind::velocity) continue;
    const int axis = static_cast<int>(dof);
    const double given = axis < Dim ? body.velocity[axis] : body.spin[axis - Dim];
    const double driven = drive.function.at(std::max(start, body.added_at));
    if (given != 0 && std::abs(given - driven) > kSame * std::max(std::abs(given), std::abs(driven)))
      log_warning("{}: {} along {} changes nothing: the drive of this direction begins with {} instead of {}",
                  t.where(axis < Dim ? "velocity" : "spin"), t.path(axis < Dim ? "velocity" : "spin"),
                  names[dof], driven, given);
  }
}

template <int Dim>
void read_forces(TableReader& t, SceneContext& context, SceneBody<Dim>& body) {
  std::optional<TableReader> forces = t.optional_table("force");
  if (!forces) return;
  forces->form("forces");
  const auto& names = dof_names<Dim>();
  for (std::size_t dof = 0; dof < names.size(); ++dof)
    if (forces->has(names[dof])) body.force[dof] = read_function(*forces, names[dof], context);
  forces->finish();
}

template <int Dim>
void read_mass(TableReader& t, SceneBody<Dim>& body) {
  if (t.has("mass")) body.mass = t.number("mass", kPositive);
  if (t.has("centre")) body.centre = t.vector<Dim>("centre");
  if (!t.has("inertia")) return;
  if (!body.mass) t.fail("inertia", "an inertia without a mass", "give the mass too");
  if constexpr (Dim == 2) {
    body.inertia = Inertia<2>(t.number("inertia", kPositive));
  } else {
    const std::vector<double> i = t.numbers("inertia");
    if (i.size() != 3 && i.size() != 6)
      t.fail("inertia", fmt::format("{} numbers", i.size()), "[xx, yy, zz] or [xx, yy, zz, xy, xz, yz]");
    Inertia<3> m = Vec<3>(i[0], i[1], i[2]).asDiagonal();
    if (i.size() == 6) m(0, 1) = m(1, 0) = i[3], m(0, 2) = m(2, 0) = i[4], m(1, 2) = m(2, 1) = i[5];
    body.inertia = m;
  }
  try {
    check_inertia<Dim>(*body.mass, *body.inertia, t.where("inertia"));
  } catch (const InputError& error) {
    if (!error.where().empty()) throw;
    throw InputError(t.where("inertia"), t.path("inertia") + ": " + error.what());
  }
}

}  // namespace

Drive read_drive(TableReader t, SceneContext& context) {
  t.form("drive");
  const std::vector<std::pair<const char*, Drive::Kind>> kinds = {
      {"velocity", Drive::Kind::velocity},
      {"position", Drive::Kind::position},
      {"acceleration", Drive::Kind::acceleration}};
  Drive drive;
  for (const auto& [key, kind] : kinds) {
    if (!t.has(key)) continue;
    if (!drive.is_free()) t.fail(key, "a second drive", "one of velocity, position, acceleration");
    drive.kind = kind;
    drive.function = read_function(t, key, context);
  }
  t.finish();
  if (drive.is_free())
    throw InputError(t.where(), t.path(), "no drive", "one of velocity, position, acceleration");
  return drive;
}

std::uint32_t read_group_bits(TableReader& t, std::string_view key, std::uint32_t fallback) {
  if (!t.has(key)) return fallback;
  std::uint32_t bits = 0;
  for (const int group : t.integers(key, 0, 31)) bits |= 1u << group;
  return bits;
}

template <int Dim>
const std::vector<std::string>& dof_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int dof = 0; dof < kDofs<Dim>; ++dof) all.emplace_back(dof_name<Dim>(dof));
    return all;
  }();
  return names;
}

template <int Dim>
SceneBody<Dim> read_body_template(TableReader& t, SceneContext& context) {
  SceneBody<Dim> body;
  body.where = t.where();
  body.material = context.material(t, "material");
  const auto material = context.materials.find(body.material);
  const bool has_density = material != context.materials.end() && material->second;
  body.density = t.number("density", has_density ? *material->second : body.density, kPositive);
  body.velocity = t.vector<Dim>("velocity", body.velocity);
  if constexpr (Dim == 2)
    body.spin[0] = t.number("spin", 0, kAnyNumber);
  else
    body.spin = t.vector<3>("spin", body.spin);

  body.fixed = t.flag("fixed", false);
  read_locked(t, body);
  read_drives(t, context, body);
  read_forces(t, context, body);
  if (body.fixed && (t.has("locked") || t.has("drive")))
    t.fail("fixed", "true for a body with locked or driven degrees of freedom",
           "one of fixed, locked and drive");
  warn_of_idle_forces(t, body);
  body.damping = t.number("damping", 0, kNotNegative);
  body.damping_rotation = t.number("damping_rotation", 0, kNotNegative);

  body.group = read_group_bits(t, "groups", body.group);
  body.mask = read_group_bits(t, "touches", body.mask);
  // There from the start, which may be before 0, unless told.
  body.added_at = t.number("added_at", std::min(body.added_at, context.start_time), kAnyNumber);
  if (t.has("removed_at"))
    body.removed_at = t.number("removed_at", Range{body.added_at, kPositive.high, true});
  warn_of_idle_velocities(t, body, context.start_time);
  return body;
}

template <int Dim>
SceneBody<Dim> read_body(TableReader& t, SceneContext& context) {
  const std::string name = t.text("name", "");
  const Shape<Dim> shape = read_shape<Dim>(t.table("shape"), context);
  SceneBody<Dim> body = read_body_template<Dim>(t, context);
  body.name = name;
  body.shape = shape;
  body.pose = read_pose<Dim>(t);
  read_mass(t, body);
  t.finish();
  return body;
}

template const std::vector<std::string>& dof_names<2>();
template const std::vector<std::string>& dof_names<3>();
template SceneBody<2> read_body<2>(TableReader&, SceneContext&);
template SceneBody<3> read_body<3>(TableReader&, SceneContext&);
template SceneBody<2> read_body_template<2>(TableReader&, SceneContext&);
template SceneBody<3> read_body_template<3>(TableReader&, SceneContext&);

}  // namespace saltus
