#include "saltus/trajectories/trajectory_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
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
  for (const Rows rows : {Rows::model, Rows::shape, Rows::number})
    file_.read(rows, 0, file_.rows(rows), data);
  for (std::int64_t row = 0; row < static_cast<std::int64_t>(data.shape_kind.size()); ++row)
    shapes_.push_back(decode_shape<Dim>(shape_at(data, row, file_.path()), file_.path()));
  for (std::size_t i = 0; i < data.body_id.size(); ++i) {
    const std::size_t shape = static_cast<std::size_t>(data.body_shape[i]);
    if (data.body_id[i] < 0) throw InputError(file_.path(), "a body has a negative id (damaged file?)");
    if (shape >= shapes_.size())
      throw InputError(file_.path(), "a body has a shape that is not there (damaged file?)");
    const bool fixed = data.body_fixed[i] != 0;
    const bool prescribed = data.body_prescribed.empty() ? fixed : data.body_prescribed[i] != 0;
    models_[data.body_id[i]] = {shape, fixed, prescribed, data.body_mass[i]};
  }
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
    body.mass = model->second.mass;
    set_pose(data.position, i, body.pose);
    body.velocity = vector_at<Dim>(data.velocity, i, kVelocities);
    body.spin = vector_at<kSpins<Dim>>(data.velocity, i, kVelocities, Dim);
    place[body.id] = static_cast<int>(frame.bodies.size());
    frame.bodies.push_back(body);
  }
  fill_contacts(data, place, frame);
  return frame;
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
      contact.axes.col(axis) = vector_at<Dim>(data.frame, i, Dim * Dim, static_cast<std::size_t>(Dim * axis));
    contact.impulse = vector_at<Dim>(data.impulse, i, Dim);
    contact.velocity = vector_at<Dim>(data.relative_velocity, i, Dim);
    contact.gap = vector_at<1>(data.gap, i, 1)[0];
    contact.status = static_cast<ContactStatus>(
        std::clamp<std::int64_t>(data.status[i], 0, static_cast<std::int64_t>(ContactStatus::slide)));
    frame.contacts.push_back(contact);
  }
}

template class TrajectoryReader<2>;
template class TrajectoryReader<3>;

}  // namespace saltus
