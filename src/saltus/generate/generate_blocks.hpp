// Single blocks of the structures of generate_masonry.hpp.
#pragma once

#include <string>
#include <vector>

#include "saltus/generate/generate_masonry.hpp"

namespace saltus {

template <int Dim>
class BlockList {
 public:
  BlockList(const Structure<Dim>& structure, std::string name)
      : structure_(structure), name_(structure.model.name.empty() ? std::move(name) : structure.model.name) {}

  // A rectangle or box along the axes.
  void add_box(const Vec<Dim>& size, const Vec<Dim>& centre);
  // A polygon of the plane of the structure (along, up); in 3D a prism of that section, `depth` thick, in the
  // middle of which the plane lies. Corners in structure coordinates.
  void add_prism(const std::vector<Vec<2>>& corners, double depth, bool fixed);
  void add(const Shape<Dim>& shape, const Vec<Dim>& centre, bool fixed = false);

  // After the structure and this.
  void rename_last(const std::string& part) { bodies_.back().name = name_ + "-" + part; }

  std::vector<SceneBody<Dim>> take() { return std::move(bodies_); }

 private:
  const Structure<Dim>& structure_;
  std::string name_;
  std::vector<SceneBody<Dim>> bodies_;
};

}  // namespace saltus
