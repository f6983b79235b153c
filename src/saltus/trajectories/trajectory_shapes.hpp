// Shapes as a kind and a list of numbers: how a trajectory holds them (docs/trajectory.md), so that a
// picture needs nothing but the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "saltus/geometry/shapes.hpp"
#include "saltus/trajectories/trajectory_data.hpp"

namespace saltus {

// In the order of the values in the file; never reordered, only added to.
const std::vector<std::string>& shape_kind_names();

struct EncodedShape {
  int kind = 0;  // index in shape_kind_names()
  std::vector<double> numbers;

  auto operator<=>(const EncodedShape&) const = default;
};

template <int Dim>
EncodedShape encode_shape(const Shape<Dim>& shape);

// Faces of polyhedra come back with their normals, without what contact detection adds (edges,
// neighbours). Throws InputError with `where` when the numbers are no such shape.
template <int Dim>
Shape<Dim> decode_shape(const EncodedShape& shape, const std::string& where);

EncodedShape shape_at(const TrajectoryData& data, std::int64_t row, const std::string& where);

// Gives equal shapes one row.
class ShapeTable {
 public:
  // The rows of a file that is continued.
  void load(const TrajectoryData& data, const std::string& where);
  // Row of the shape; a new one is added to `data` too.
  std::int64_t insert(const EncodedShape& shape, TrajectoryData& data);

 private:
  std::map<EncodedShape, std::int64_t> rows_;
  std::int64_t numbers_ = 0;
};

}  // namespace saltus
