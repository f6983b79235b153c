#include "saltus/trajectories/trajectory_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/trajectories/trajectory_meshes.hpp"
#include "saltus/trajectories/trajectory_shapes.hpp"

namespace saltus {

namespace {

template <int N>
Vec<N> vector_at(const std::vector<double>& numbers, std::size_t row, std::size_t width,
                 std::size_t offset = 0) {
  Vec<N> v = Vec<N>::Zero();
  const std::size_t begin = row * width + offset;
  if (begin + N <= numbers.size())
    for (int i = 0; i < N; ++i) v[i] = numbers[begin + static_cast<std::size_t>(i)];
  return v;
}

void set_pose(const std::vector<double>& numbers, std::size_t row, Pose<2>& pose) {
  pose = Pose<2>(vector_at<2>(numbers, row, 3), numbers[3 * row + 2]);
}

void set_pose(const std::vector<double>& numbers, std::size_t row, Pose<3>& pose) {
  const Vec<4> q = vector_at<4>(numbers, row, 7, 3);
  // The last frame of a run that broke down may hold anything.
  const bool usable = q.allFinite() && q.norm() > 0;
  pose = Pose<3>(vector_at<3>(numbers, row, 7),
                 usable ? Eigen::Quaterniond(q[0], q[1], q[2], q[3]) : Eigen::Quaterniond::Identity());
}

}  // namespace

int trajectory_dimension(const std::string& path) {
  return TrajectoryFile::open(path, TrajectoryFile::Mode::read).dimension();
}

template <int Dim>
TrajectoryReader<Dim>::TrajectoryReader(const std::string& path)
    : file_(TrajectoryFile::open(path, TrajectoryFile::Mode::read)), header_(file_.read_header()) {
  if (file_.dimension() != Dim)
    throw InputError(path, "dimension", fmt::format("{}", file_.dimension()), fmt::format("{}", Dim));
  file_.read(Rows::frame, 0, file_.frames(), index_);
  read_models();
}

template <int Dim>
void TrajectoryReader<Dim>::read_models() {
  TrajectoryData data;
  for (const Rows rows :
       {Rows::model, Rows::shape, Rows::number, Rows::system, Rows::node, Rows::element, Rows::joint_model,
        Rows::cell, Rows::cell_node, Rows::side})
    file_.read(rows, 0, file_.rows(rows), data);
  read_systems(data);
  read_meshes(data);
  for (std::int64_t row = 0; row < static_cast<std::int64_t>(data.shape_kind.size()); ++row)
    shapes_.push_back(decode_shape<Dim>(shape_at(data, row, file_.path()), file_.path()));
  for (std::size_t i = 0; i < data.body_id.size(); ++i) {
    const std::size_t shape = static_cast<std::size_t>(data.body_shape[i]);
    if (data.body_id[i] < 0) throw InputError(file_.path(), "a body has a negative id (damaged file?)");
    if (shape >= shapes_.size())
      throw InputError(file_.path(), "a body has a shape that is not there (damaged file?)");
    const bool fixed = data.body_fixed[i] != 0;
    const bool prescribed = data.body_prescribed.empty() ? fixed : data.body_prescribed[i] != 0;
    const std::int64_t system = data.body_system.empty() ? -1 : data.body_system[i];
    const bool follows = system >= 0 && system < static_cast<std::int64_t>(systems_.size()) &&
                         !systems_[static_cast<std::size_t>(system)].mesh.nodes.empty();
    // The place of a number in a list, -1 where it has none.
    const auto place = [&](const std::vector<std::int64_t>& column, std::size_t size) {
      return i < column.size() && column[i] >= 0 && column[i] < static_cast<std::int64_t>(size)
                 ? static_cast<int>(column[i])
                 : -1;
    };
    models_[data.body_id[i]] = {shape,
                                fixed,
                                prescribed,
                                follows,
                                data.body_mass[i],
                                place(data.body_scene_index, header_.body_names.size()),
                                place(data.body_material, header_.materials.size()),
                                place(data.body_system, systems_.size())};
  }
}

template <int Dim>
void TrajectoryReader<Dim>::read_systems(const TrajectoryData& data) {
  const auto fail = [&](const char* what) {
    throw InputError(file_.path(), std::string(what) + " (damaged file?)");
  };
  constexpr std::int64_t kCorners = Dim + 1;
  const auto fits = [](std::int64_t begin, std::int64_t count, std::int64_t all) {
    return begin >= 0 && count >= 0 && begin <= all && count <= all - begin;
  };
  const std::int64_t nodes = static_cast<std::int64_t>(data.node.size()) / Dim;
  const std::int64_t elements = static_cast<std::int64_t>(data.element.size()) / kCorners;
  for (std::size_t i = 0; i < data.system_coordinates.size(); ++i) {
    System system;
    system.coordinates = data.system_coordinates[i];
    const std::int64_t count = data.system_node_count[i], first = data.system_node_begin[i];
    const std::int64_t from = data.system_element_begin[i], number = data.system_element_count[i];
    if (!fits(first, count, nodes) || !fits(from, number, elements))
      fail("a system has nodes or elements that are not there");
    if (system.coordinates < 0 || (count > 0 && system.coordinates != Dim * count))
      fail("a mesh does not have the coordinates of its nodes");
    for (std::int64_t node = first; node < first + count; ++node)
      system.mesh.nodes.push_back(vector_at<Dim>(data.node, static_cast<std::size_t>(node), Dim));
    for (std::int64_t e = from; e < from + number; ++e) {
      auto& element = system.mesh.elements.emplace_back();
      for (std::int64_t k = 0; k < kCorners; ++k) {
        const std::int64_t node = data.element[static_cast<std::size_t>(kCorners * e + k)];
        if (node < 0 || node >= count) fail("an element has a node that is not there");
        element[static_cast<std::size_t>(k)] = static_cast<int>(node);
      }
    }
    systems_.push_back(std::move(system));
  }
  joint_a_ = data.joint_a, joint_b_ = data.joint_b;
  if (file_.frames() > 0 &&
      (header_.system_names.size() != systems_.size() || header_.joint_names.size() != joint_a_.size()))
    fail("its header names other systems or joints than it has");
}

// Cells and surfaces; files of older programs have none.
template <int Dim>
void TrajectoryReader<Dim>::read_meshes(const TrajectoryData& data) {
  std::vector<SystemMesh<Dim>*> meshes;
  for (System& system : systems_) meshes.push_back(&system.mesh);
  if (!data.cell_type.empty()) read_cells<Dim>(data, file_.path(), meshes);
  read_surfaces<Dim>(data, header_.surface_names, file_.path(), meshes);
}

template <int Dim>
std::int64_t TrajectoryReader<Dim>::nearest_frame(double time) const {
  const auto after = std::lower_bound(index_.time.begin(), index_.time.end(), time);
  const std::int64_t next = after - index_.time.begin();
  if (next == 0) return 0;
  if (next == frames()) return next - 1;
  return time - this->time(next - 1) <= this->time(next) - time ? next - 1 : next;
}

template <int Dim>
bool TrajectoryReader<Dim>::has_bodies() const {
  const auto& all = trajectory_columns();
  return std::any_of(all.begin(), all.end(), [&](const TrajectoryColumn& column) {
    return std::string(column.field) == "positions" && file_.has(column);
  });
}

template <int Dim>
Frame<Dim> TrajectoryReader<Dim>::frame(std::int64_t number) const {
  const std::size_t at = static_cast<std::size_t>(number);
  TrajectoryData data;
  file_.read(Rows::body, index_.body_begin[at], index_.body_count[at], data);
  file_.read(Rows::contact, index_.contact_begin[at], index_.contact_count[at], data);
  constexpr std::size_t kPositions = Dim == 2 ? 3 : 7, kVelocities = Dim == 2 ? 3 : 6;
  if (data.position.size() != kPositions * data.id.size())
    throw InputError(file_.path(),
                     "was written without the field positions: there is nothing to show (store it with "
                     "output.fields)");

  Frame<Dim> frame;
  frame.step = index_.step[at];
  frame.time = index_.time[at];
  std::unordered_map<BodyId, int> place;
  for (std::size_t i = 0; i < data.id.size(); ++i) {
    const auto model = models_.find(data.id[i]);
    if (model == models_.end())
      throw InputError(file_.path(), fmt::format("body {} is not in /models (damaged file?)", data.id[i]));
    FrameBody<Dim> body;
    body.id = data.id[i];
    body.shape = &shapes_[model->second.shape];
    body.fixed = model->second.fixed;
    body.prescribed = model->second.prescribed;
    body.follows = model->second.follows;
    body.mass = model->second.mass;
    body.scene_index = model->second.scene_index, body.material = model->second.material;
    body.system = model->second.system;
    set_pose(data.position, i, body.pose);
    body.velocity = vector_at<Dim>(data.velocity, i, kVelocities);
    body.spin = vector_at<kSpins<Dim>>(data.velocity, i, kVelocities, Dim);
    place[body.id] = static_cast<int>(frame.bodies.size());
    frame.bodies.push_back(body);
  }
  fill_contacts(data, place, frame);
  fill_parts(at, place, frame);
  if (!index_.node_begin.empty() && index_.node_count[at] > 0) {
    file_.read(Rows::node_value, index_.node_begin[at], index_.node_count[at], data);
    file_.read(Rows::cell_value, index_.cell_begin[at], index_.cell_count[at], data);
    fill_fields(data, file_.path(), frame);
  }
  return frame;
}

template <int Dim>
void TrajectoryReader<Dim>::fill_parts(std::size_t at, const std::unordered_map<BodyId, int>& place,
                                       Frame<Dim>& frame) const {
  if (index_.coordinate_begin.empty()) return;  // a file of version 1
  TrajectoryData data;
  file_.read(Rows::coordinate, index_.coordinate_begin[at], index_.coordinate_count[at], data);
  file_.read(Rows::joint, index_.joint_begin[at], index_.joint_count[at], data);
  std::int64_t begin = 0;
  for (const System& model : systems_) {
    FrameSystem<Dim> system;
    if (model.coordinates > static_cast<std::int64_t>(data.coordinate.size()) - begin)
      throw InputError(file_.path(), "a frame lacks coordinates of a system (damaged file?)");
    const auto take = [&](const std::vector<double>& column) -> Eigen::VectorXd {
      if (column.empty()) return {};
      return Eigen::Map<const Eigen::VectorXd>(column.data() + begin, model.coordinates);
    };
    system.coordinates = take(data.coordinate);
    system.velocity = take(data.coordinate_velocity);
    system.nodes = model.mesh.nodes;
    for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i)
      system.nodes[i] += system.coordinates.template segment<Dim>(static_cast<Eigen::Index>(Dim * i));
    system.elements = &model.mesh.elements;
    system.mesh = &model.mesh;
    frame.systems.push_back(std::move(system));
    begin += model.coordinates;
  }
  if (data.joint_gap.size() != data.joint.size()) return;  // not stored
  if (data.joint.size() != joint_a_.size())
    throw InputError(file_.path(), "a frame lacks joints (damaged file?)");
  const auto find = [&](std::int64_t id) {
    const auto found = place.find(id);
    return found == place.end() ? -1 : found->second;
  };
  for (std::size_t i = 0; i < data.joint.size(); ++i) {
    const auto which = static_cast<std::size_t>(data.joint[i]);
    if (which >= joint_a_.size()) throw InputError(file_.path(), "names a joint it has not (damaged file?)");
    FrameJoint<Dim> joint;
    joint.a = find(joint_a_[which]), joint.b = find(joint_b_[which]);
    joint.point = vector_at<Dim>(data.joint_point, i, Dim);
    joint.point_b = vector_at<Dim>(data.joint_point_b, i, Dim);
    joint.value = vector_at<3>(data.joint_value, i, 3);
    joint.rate = vector_at<3>(data.joint_rate, i, 3);
    joint.effort = vector_at<3>(data.joint_effort, i, 3);
    joint.gap = data.joint_gap[i], joint.row = data.joint_row[i], joint.motor_work = data.joint_motor_work[i];
    joint.impulse = vector_at<Dim>(data.joint_impulse, i, Dim);
    joint.moment = vector_at<kSpins<Dim>>(data.joint_moment, i, kSpins<Dim>);
    frame.joints.push_back(joint);
  }
}

template <int Dim>
void TrajectoryReader<Dim>::fill_contacts(const TrajectoryData& data,
                                          const std::unordered_map<BodyId, int>& place,
                                          Frame<Dim>& frame) const {
  for (std::size_t i = 0; i < data.a.size(); ++i) {
    const auto a = place.find(data.a[i]), b = place.find(data.b[i]);
    if (a == place.end() || b == place.end()) continue;  // removed at the end of the step
    FrameContact<Dim> contact;
    contact.a = a->second, contact.b = b->second;
    contact.point = vector_at<Dim>(data.point, i, Dim);
    for (int axis = 0; axis < Dim; ++axis)
      contact.axes.col(axis) = vector_at<Dim>(data.axes, i, Dim * Dim, static_cast<std::size_t>(Dim * axis));
    contact.impulse = vector_at<Dim>(data.impulse, i, Dim);
    contact.velocity = vector_at<Dim>(data.relative_velocity, i, Dim);
    contact.gap = vector_at<1>(data.gap, i, 1)[0];
    contact.residual = vector_at<1>(data.contact_residual, i, 1)[0];
    contact.status = static_cast<ContactStatus>(
        std::clamp<std::int64_t>(data.status[i], 0, static_cast<std::int64_t>(ContactStatus::slide)));
    frame.contacts.push_back(contact);
  }
}

template class TrajectoryReader<2>;
template class TrajectoryReader<3>;

}  // namespace saltus
