// What a trajectory stores of the nodes and cells of meshes, by name: whoever shows fields lists them and needs to know none.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

struct NamedField {
  std::string name;
  std::vector<std::string> components;  // of one number a single empty name
  const std::vector<double>* values =
      nullptr;  // of one node or cell after the other; lives as long as the frame

  std::size_t width() const { return components.size(); }
};

// Beside displacement and velocity, which follow from the coordinates.
template <int Dim>
std::vector<NamedField> node_fields_of(const FrameSystem<Dim>& system) {
  std::vector<NamedField> fields;
  for (const FrameField& field : system.node_fields)
    fields.push_back({field.name, field.components, &field.values});
  return fields;
}

template <int Dim>
std::vector<NamedField> cell_fields_of(const FrameSystem<Dim>& system) {
  std::vector<NamedField> fields;
  for (const FrameField& field : system.cell_fields)
    fields.push_back({field.name, field.components, &field.values});
  return fields;
}

// Von Mises' stress of one row xx, yy, zz, xy (, yz, zx).
inline double compute_mises(const double* s, std::size_t width) {
  const double yz = width > 4 ? s[4] : 0, zx = width > 5 ? s[5] : 0;
  const double normal =
      (s[0] - s[1]) * (s[0] - s[1]) + (s[1] - s[2]) * (s[1] - s[2]) + (s[2] - s[0]) * (s[2] - s[0]);
  return std::sqrt(normal / 2 + 3 * (s[3] * s[3] + yz * yz + zx * zx));
}

// Names for pictures: "stress.xx", "plastic_strain", "strain.deviator", and "stress.mises", "stress.pressure"; the size of a vector
// by its name alone.
template <int Dim>
std::vector<std::string> list_node_fields(const Frame<Dim>& frame) {
  std::vector<std::string> names;
  for (const FrameSystem<Dim>& system : frame.systems) {
    for (const NamedField& field : node_fields_of(system)) {
      if (field.width() <= 3) names.push_back(field.name);
      for (const std::string& part : field.components)
        if (!part.empty()) names.push_back(field.name + '.' + part);
      if (field.name == "stress" && field.width() >= 4)
        names.insert(names.end(), {"stress.mises", "stress.pressure"});
      if (field.width() >= 4) names.push_back(field.name + ".deviator");
    }
    if (!names.empty()) break;
  }
  return names;
}

// One number per node; empty where the system has no such field.
template <int Dim>
std::vector<double> read_node_field(const FrameSystem<Dim>& system, const std::string& name) {
  std::vector<double> values;
  const std::size_t dot = name.find('.');
  const std::string base = name.substr(0, dot), part = dot == std::string::npos ? "" : name.substr(dot + 1);
  for (const NamedField& field : node_fields_of(system)) {
    if (field.name != base || field.values->size() != field.width() * system.nodes.size()) continue;
    for (std::size_t k = 0; k < system.nodes.size(); ++k) {
      const double* row = field.values->data() + k * field.width();
      double value = 0;
      if (part == "mises") {
        value = compute_mises(row, field.width());
      } else if (part == "deviator") {  // sqrt(s:s/2): root of the second invariant
        value = compute_mises(row, field.width()) / std::sqrt(3.0);
      } else if (part == "pressure") {
        value = -(row[0] + row[1] + row[2]) / 3;
      } else if (part.empty()) {
        for (std::size_t c = 0; c < field.width(); ++c) value += row[c] * row[c];
        value = field.width() == 1 ? row[0] : std::sqrt(value);
      } else {
        for (std::size_t c = 0; c < field.width(); ++c)
          if (field.components[c] == part) value = row[c];
      }
      values.push_back(value);
    }
  }
  return values;
}

}  // namespace saltus
