// Arrays of VTK files, filled row by row.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "saltus/exchange/vtk_file.hpp"

namespace saltus {

template <class Number>
class VtkColumn {
 public:
  VtkColumn(std::string name, int components) : array_{std::move(name), components, std::vector<Number>()} {}

  template <class Value>
  void add(Value value) {
    std::get<std::vector<Number>>(array_.values).push_back(static_cast<Number>(value));
  }
  template <int Dim>
  void add_vector(const Vec<Dim>& v) {  // three numbers, also in the plane
    for (int k = 0; k < 3; ++k) add(k < Dim ? v[k] : 0.0);
  }
  VtkArray take() { return std::move(array_); }

 private:
  VtkArray array_;
};

using VtkReals = VtkColumn<float>;
using VtkIntegers = VtkColumn<std::int32_t>;

template <class... Columns>
std::vector<VtkArray> gather_arrays(Columns&... columns) {
  std::vector<VtkArray> arrays;
  (arrays.push_back(columns.take()), ...);
  return arrays;
}

}  // namespace saltus
