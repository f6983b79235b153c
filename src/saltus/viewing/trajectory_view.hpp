// A trajectory file behind ViewSource.
#pragma once

#include <array>
#include <unordered_map>

#include "saltus/drawing/fields.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"
#include "saltus/viewing/view_pack.hpp"
#include "saltus/viewing/view_shapes.hpp"
#include "saltus/viewing/view_source.hpp"

namespace saltus {

template <int Dim>
class TrajectoryView : public ViewSource {
 public:
  explicit TrajectoryView(const std::string& path);

  std::int64_t frames() const override { return reader_.frames(); }
  double time(std::int64_t frame) const override { return reader_.time(frame); }
  bool is_finished() const override { return reader_.file().is_finished(); }
  std::vector<std::string> fields() const override { return field_names_; }

  std::string model() override;
  std::string series(const std::vector<std::int64_t>& chosen) override;
  std::string frame(std::int64_t number, const FrameWish& wish) override;

 private:
  using Data = TrajectoryData;

  Data read_frame(std::int64_t number, bool contacts) const;
  // The box that the first and the last frame fill. Places count from the middle of the first, to fit single precision.
  struct Extremes {
    std::array<std::vector<double>, Dim> low, high;  // of bodies and nodes, one direction after the other
  };
  void find_view();
  void add_extremes(const Frame<Dim>& frame, Extremes& extremes);
  void set_box(Extremes& extremes);
  void list_all_fields();
  const std::vector<std::string>& measure_units();

  std::string describe_model(const std::vector<ViewShape>& shapes) const;  // JSON
  std::string describe_fields() const;                                     // JSON
  void add_shapes(ViewShapes& shapes, std::vector<std::int32_t>& shape_of_row) const;
  void add_bodies(std::vector<ViewArray>& arrays) const;
  void add_meshes(std::vector<ViewArray>& arrays) const;

  void pack_bodies(const Data& data, bool motion, std::vector<ViewArray>& arrays) const;
  void pack_contacts(const Data& data, std::vector<ViewArray>& arrays) const;
  void pack_joints(const Data& data, std::vector<ViewArray>& arrays) const;
  void pack_meshes(const Data& data, std::vector<ViewArray>& arrays) const;
  void pack_fields(std::int64_t number, const std::vector<std::string>& names,
                   std::vector<ViewArray>& arrays);
  int row_of(std::int64_t id) const;

  // A place in the numbers of the viewer: from the origin, with z = 0 in the plane.
  void put_place(const double* x, std::vector<float>& out) const;
  static void put_vector(const double* x, std::vector<float>& out);

  TrajectoryReader<Dim> reader_;
  FieldReader<Dim> field_reader_;
  Data models_;                                 // columns of models, shapes, systems, nodes and elements
  std::unordered_map<std::int64_t, int> rows_;  // of ids in models_
  bool ids_are_rows_ = true;                    // as in most files: no need to look them up
  std::vector<std::string> field_names_;
  std::vector<std::string> node_fields_;
  std::vector<std::string> measure_units_;  // empty until they are asked for
  Vec<Dim> origin_ = Vec<Dim>::Zero(), low_ = Vec<Dim>::Constant(-1), high_ = Vec<Dim>::Constant(1);
  std::unordered_map<std::int64_t, Pose<Dim>> places_;  // of endless bodies, by id
};

extern template class TrajectoryView<2>;
extern template class TrajectoryView<3>;

}  // namespace saltus
