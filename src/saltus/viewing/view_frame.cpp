// The arrays of a frame: rows of the file as the viewer takes them. docs/viewer-format.md lists them.
#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/viewing/trajectory_view.hpp"

namespace saltus {

namespace {

void put_turn(const double* angle, std::vector<float>& out, std::integral_constant<int, 2>) {
  const double half = *angle / 2;
  for (const double q : {0.0, 0.0, std::sin(half), std::cos(half)}) out.push_back(static_cast<float>(q));
}
// The file has w first, browsers' libraries have it last.
void put_turn(const double* q, std::vector<float>& out, std::integral_constant<int, 3>) {
  for (const int k : {1, 2, 3, 0}) out.push_back(static_cast<float>(q[k]));
}

void put_spin(const double* spin, std::vector<float>& out, std::integral_constant<int, 2>) {
  out.insert(out.end(), {0.0F, 0.0F, static_cast<float>(*spin)});
}
void put_spin(const double* spin, std::vector<float>& out, std::integral_constant<int, 3>) {
  for (int k = 0; k < 3; ++k) out.push_back(static_cast<float>(spin[k]));
}

std::vector<float> to_single(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

template <int Dim>
void TrajectoryView<Dim>::pack_bodies(const Data& data, bool motion, std::vector<ViewArray>& arrays) const {
  constexpr std::size_t kPlaces = Dim == 2 ? 3 : 7, kVelocities = Dim == 2 ? 3 : 6;
  constexpr std::integral_constant<int, Dim> kDimension;
  const std::size_t count = data.id.size();
  if (data.position.size() != kPlaces * count)
    throw InputError(reader_.file().path(), "a frame lacks positions (damaged file?)");
  std::vector<std::int32_t> row(count);
  std::vector<float> place, turn, velocity, spin;
  place.reserve(3 * count), turn.reserve(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    row[i] = row_of(data.id[i]);
    if (row[i] < 0) throw InputError(reader_.file().path(), "a body is not in /models (damaged file?)");
    const double* x = data.position.data() + kPlaces * i;
    put_place(x, place);
    put_turn(x + Dim, turn, kDimension);
  }
  arrays.push_back({"body.row", 1, std::move(row)});
  arrays.push_back({"body.place", 3, std::move(place)});
  arrays.push_back({"body.turn", 4, std::move(turn)});
  if (!motion || data.velocity.size() != kVelocities * count) return;
  for (std::size_t i = 0; i < count; ++i) {
    const double* v = data.velocity.data() + kVelocities * i;
    put_vector(v, velocity);
    put_spin(v + Dim, spin, kDimension);
  }
  arrays.push_back({"body.velocity", 3, std::move(velocity)});
  arrays.push_back({"body.spin", 3, std::move(spin)});
}

template <int Dim>
void TrajectoryView<Dim>::pack_contacts(const Data& data, std::vector<ViewArray>& arrays) const {
  const std::size_t count = data.a.size();
  std::vector<std::int32_t> a, b, feature;
  std::vector<float> point, normal, impulse, velocity, gap, residual;
  std::vector<std::uint8_t> status;
  // Along the axes of the contact in the file, of the world here.
  const auto put_turned = [&](const std::vector<double>& column, std::size_t i, std::vector<float>& out) {
    Vec<Dim> world = Vec<Dim>::Zero();
    for (int axis = 0; axis < Dim; ++axis)
      world +=
          column[Dim * i + static_cast<std::size_t>(axis)] *
          Eigen::Map<const Vec<Dim>>(data.axes.data() + Dim * Dim * i + static_cast<std::size_t>(Dim * axis));
    put_vector(world.data(), out);
  };
  const bool has_axes = data.axes.size() == Dim * Dim * count;
  for (std::size_t i = 0; i < count; ++i) {
    const int row_a = row_of(data.a[i]), row_b = row_of(data.b[i]);
    if (row_a < 0 || row_b < 0 || data.point.size() != Dim * count) continue;
    a.push_back(row_a), b.push_back(row_b);
    feature.push_back(
        static_cast<std::int32_t>(static_cast<std::uint32_t>(data.feature[i] ^ (data.feature[i] >> 32))));
    status.push_back(static_cast<std::uint8_t>(data.status[i]));
    put_place(data.point.data() + Dim * i, point);
    if (has_axes) put_vector(data.axes.data() + Dim * Dim * i, normal);
    if (has_axes && data.impulse.size() == Dim * count) put_turned(data.impulse, i, impulse);
    if (has_axes && data.relative_velocity.size() == Dim * count)
      put_turned(data.relative_velocity, i, velocity);
    if (data.gap.size() == count) gap.push_back(static_cast<float>(data.gap[i]));
    if (data.contact_residual.size() == count)
      residual.push_back(static_cast<float>(data.contact_residual[i]));
  }
  arrays.push_back({"contact.a", 1, std::move(a)});
  arrays.push_back({"contact.b", 1, std::move(b)});
  arrays.push_back({"contact.feature", 1, std::move(feature)});
  arrays.push_back({"contact.status", 1, std::move(status)});
  arrays.push_back({"contact.point", 3, std::move(point)});
  if (!normal.empty()) arrays.push_back({"contact.normal", 3, std::move(normal)});
  if (!impulse.empty()) arrays.push_back({"contact.impulse", 3, std::move(impulse)});
  if (!velocity.empty()) arrays.push_back({"contact.velocity", 3, std::move(velocity)});
  if (!gap.empty()) arrays.push_back({"contact.gap", 1, std::move(gap)});
  if (!residual.empty()) arrays.push_back({"contact.residual", 1, std::move(residual)});
}

template <int Dim>
void TrajectoryView<Dim>::pack_joints(const Data& data, std::vector<ViewArray>& arrays) const {
  const std::size_t count = data.joint.size();
  if (count == 0 || data.joint_gap.size() != count) return;
  std::vector<std::int32_t> which(data.joint.begin(), data.joint.end());
  std::vector<float> point, point_b, impulse, gap = to_single(data.joint_gap);
  for (std::size_t i = 0; i < count; ++i) {
    put_place(data.joint_point.data() + Dim * i, point);
    put_place(data.joint_point_b.data() + Dim * i, point_b);
    put_vector(data.joint_impulse.data() + Dim * i, impulse);
  }
  arrays.push_back({"joint.which", 1, std::move(which)});
  arrays.push_back({"joint.point", 3, std::move(point)});
  arrays.push_back({"joint.point_b", 3, std::move(point_b)});
  arrays.push_back({"joint.impulse", 3, std::move(impulse)});
  arrays.push_back({"joint.gap", 1, std::move(gap)});
  arrays.push_back({"joint.value", 3, to_single(data.joint_value)});
  arrays.push_back({"joint.rate", 3, to_single(data.joint_rate)});
  arrays.push_back({"joint.effort", 3, to_single(data.joint_effort)});
}

template <int Dim>
void TrajectoryView<Dim>::pack_meshes(const Data& data, std::vector<ViewArray>& arrays) const {
  std::vector<float> displacement;
  std::size_t begin = 0;
  for (std::size_t s = 0; s < models_.system_coordinates.size(); ++s) {
    const auto coordinates = static_cast<std::size_t>(models_.system_coordinates[s]);
    if (begin + coordinates > data.coordinate.size())
      throw InputError(reader_.file().path(), "a frame lacks coordinates of a system (damaged file?)");
    for (std::size_t node = 0; node < static_cast<std::size_t>(models_.system_node_count[s]); ++node)
      put_vector(data.coordinate.data() + begin + Dim * node, displacement);
    begin += coordinates;
  }
  if (!displacement.empty()) arrays.push_back({"node.displacement", 3, std::move(displacement)});
}

template <int Dim>
void TrajectoryView<Dim>::pack_fields(std::int64_t number, const std::vector<std::string>& names,
                                      std::vector<ViewArray>& arrays) {
  if (names.empty()) return;
  const Frame<Dim> frame = reader_.frame(number);
  for (const std::string& name : names) {
    const Field field = find_field(name, reader_.header(), node_fields_, reader_.file().path());
    const FieldValues values = field_reader_.compute(field, frame, number);
    arrays.push_back({"field." + name, 1, to_single(values.bodies)});
    std::vector<float> nodes;
    for (std::size_t s = 0; s < frame.systems.size(); ++s) {
      const std::vector<double>* own = s < values.nodes.size() ? &values.nodes[s] : nullptr;
      for (std::size_t k = 0; k < frame.systems[s].nodes.size(); ++k)
        nodes.push_back(own && k < own->size() ? static_cast<float>((*own)[k]) : std::nanf(""));
    }
    if (!nodes.empty()) arrays.push_back({"nodes." + name, 1, std::move(nodes)});
  }
}

template class TrajectoryView<2>;
template class TrajectoryView<3>;

}  // namespace saltus
