#include "saltus/viewing/trajectory_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/mesh_fields.hpp"
#include "saltus/geometry/bounds.hpp"
#include "saltus/trajectories/stored_fields.hpp"

namespace saltus {

template <int Dim>
TrajectoryView<Dim>::TrajectoryView(const std::string& path) : reader_(path), field_reader_(reader_) {
  if (reader_.frames() > 0 && !reader_.has_bodies())
    throw InputError(path,
                     "was written without the field positions: there is nothing to show (store it with "
                     "output.fields)");
  const TrajectoryFile& file = reader_.file();
  for (const Rows rows : {Rows::model, Rows::shape, Rows::number, Rows::system, Rows::node, Rows::element})
    file.read(rows, 0, file.rows(rows), models_);
  for (std::size_t i = 0; i < models_.body_id.size(); ++i) {
    rows_[models_.body_id[i]] = static_cast<int>(i);
    ids_are_rows_ &= models_.body_id[i] == static_cast<std::int64_t>(i);
  }
  if (reader_.frames() > 0) find_view();
  list_all_fields();
}

template <int Dim>
int TrajectoryView<Dim>::row_of(std::int64_t id) const {
  if (ids_are_rows_ && id >= 0 && id < static_cast<std::int64_t>(models_.body_id.size()))
    return static_cast<int>(id);
  const auto found = rows_.find(id);
  return found == rows_.end() ? -1 : found->second;
}

template <int Dim>
void TrajectoryView<Dim>::find_view() {
  Extremes extremes;
  add_extremes(reader_.frame(0), extremes);
  set_box(extremes);
  origin_ = (low_ + high_) / 2;  // of the first frame alone: it stays when a run goes on
  add_extremes(reader_.frame(reader_.frames() - 1), extremes);
  set_box(extremes);
}

template <int Dim>
void TrajectoryView<Dim>::add_extremes(const Frame<Dim>& frame, Extremes& extremes) {
  const auto add = [&](const Vec<Dim>& low, const Vec<Dim>& high) {
    for (std::size_t k = 0; k < Dim; ++k)
      extremes.low[k].push_back(low[static_cast<int>(k)]),
          extremes.high[k].push_back(high[static_cast<int>(k)]);
  };
  for (const FrameBody<Dim>& body : frame.bodies) {
    const bool endless = is_unbounded<Dim>(*body.shape);
    if (endless) places_.emplace(body.id, body.pose);
    if (endless || body.follows || !body.pose.position.allFinite()) continue;
    const Bounds<Dim> box = compute_bounds<Dim>(*body.shape, body.pose);
    add(box.low, box.high);
  }
  for (const FrameSystem<Dim>& system : frame.systems)
    for (const Vec<Dim>& node : system.nodes)
      if (node.allFinite()) add(node, node);
}

template <int Dim>
void TrajectoryView<Dim>::set_box(Extremes& extremes) {
  // A few strays out of many do not set the view.
  const std::size_t count = extremes.low[0].size(), left_out = count / 200;
  if (count == 0) return;
  for (std::size_t k = 0; k < Dim; ++k) {
    std::vector<double>&low = extremes.low[k], &high = extremes.high[k];
    const auto nth = [](std::vector<double>& numbers, std::size_t n) {
      std::nth_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n), numbers.end());
      return numbers[n];
    };
    low_[static_cast<int>(k)] = nth(low, left_out),
    high_[static_cast<int>(k)] = nth(high, count - 1 - left_out);
  }
}

template <int Dim>
void TrajectoryView<Dim>::list_all_fields() {
  if (reader_.frames() > 0) node_fields_ = list_node_fields(reader_.frame(reader_.frames() - 1));
  for (const std::string& name : list_body_fields(Dim))
    if (name != "material" || !reader_.header().materials.empty()) {
      const Field field = find_field(name, reader_.header(), node_fields_, reader_.file().path());
      if (describe_missing(reader_.file(), stored_fields_of(field)).empty()) field_names_.push_back(name);
    }
  field_names_.insert(field_names_.end(), node_fields_.begin(), node_fields_.end());
}

template <int Dim>
void TrajectoryView<Dim>::put_place(const double* x, std::vector<float>& out) const {
  for (int k = 0; k < 3; ++k) out.push_back(k < Dim ? static_cast<float>(x[k] - origin_[k]) : 0.0F);
}

template <int Dim>
void TrajectoryView<Dim>::put_vector(const double* x, std::vector<float>& out) {
  for (int k = 0; k < 3; ++k) out.push_back(k < Dim ? static_cast<float>(x[k]) : 0.0F);
}

template <int Dim>
typename TrajectoryView<Dim>::Data TrajectoryView<Dim>::read_frame(std::int64_t number, bool contacts) const {
  const auto at = static_cast<std::size_t>(number);
  const TrajectoryData& index = reader_.index();
  const TrajectoryFile& file = reader_.file();
  Data data;
  file.read(Rows::body, index.body_begin[at], index.body_count[at], data);
  if (contacts) file.read(Rows::contact, index.contact_begin[at], index.contact_count[at], data);
  if (!index.coordinate_begin.empty()) {
    file.read(Rows::coordinate, index.coordinate_begin[at], index.coordinate_count[at], data);
    file.read(Rows::joint, index.joint_begin[at], index.joint_count[at], data);
  }
  return data;
}

template <int Dim>
std::string TrajectoryView<Dim>::frame(std::int64_t number, const FrameWish& wish) {
  if (number < 0 || number >= frames())
    throw InputError(reader_.file().path(), "no such frame", fmt::format("{}", number),
                     fmt::format("0 to {}", frames() - 1));
  const Data data = read_frame(number, wish.contacts);
  std::vector<ViewArray> arrays;
  pack_bodies(data, wish.motion, arrays);
  if (wish.contacts) pack_contacts(data, arrays);
  pack_joints(data, arrays);
  pack_meshes(data, arrays);
  pack_fields(number, wish.fields, arrays);
  return pack_view(fmt::format("{{\"frame\":{},\"step\":{},\"time\":{}}}", number,
                               reader_.index().step[static_cast<std::size_t>(number)], reader_.time(number)),
                   arrays);
}

std::unique_ptr<ViewSource> open_view(const std::string& path) {
  if (trajectory_dimension(path) == 2) return std::make_unique<TrajectoryView<2>>(path);
  return std::make_unique<TrajectoryView<3>>(path);
}

std::vector<std::int64_t> all_frames(const ViewSource& source) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(source.frames()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
  return numbers;
}

template class TrajectoryView<2>;
template class TrajectoryView<3>;

}  // namespace saltus
