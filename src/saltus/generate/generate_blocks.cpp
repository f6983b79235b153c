#include "saltus/generate/generate_blocks.hpp"

#include <fmt/format.h>

namespace saltus {

namespace {

Shape<2> box_shape(const Vec<2>& size) { return build_rectangle(size.x(), size.y()); }
Shape<3> box_shape(const Vec<3>& size) { return build_box(size); }

}  // namespace

template <int Dim>
void BlockList<Dim>::add(const Shape<Dim>& shape, const Vec<Dim>& centre, bool fixed) {
  SceneBody<Dim> body = structure_.model;
  body.name = fmt::format("{}-{}", name_, bodies_.size());
  body.shape = shape;
  body.pose = structure_.place * Pose<Dim>(centre);
  body.fixed = body.fixed || fixed;
  bodies_.push_back(std::move(body));
}

template <int Dim>
void BlockList<Dim>::add_box(const Vec<Dim>& size, const Vec<Dim>& centre) {
  add(box_shape(size), centre);
}

template <>
void BlockList<2>::add_prism(const std::vector<Vec<2>>& corners, double, bool fixed) {
  Vec<2> centre = Vec<2>::Zero();
  for (const Vec<2>& x : corners) centre += x / static_cast<double>(corners.size());
  std::vector<Vec<2>> local;
  for (const Vec<2>& x : corners) local.push_back(x - centre);
  add(build_convex_polygon(local, structure_.model.where), centre, fixed);
}

template <>
void BlockList<3>::add_prism(const std::vector<Vec<2>>& corners, double depth, bool fixed) {
  Vec<2> centre = Vec<2>::Zero();
  for (const Vec<2>& x : corners) centre += x / static_cast<double>(corners.size());
  std::vector<Vec<3>> local;
  for (const double side : {-0.5, 0.5})
    for (const Vec<2>& x : corners) local.emplace_back(x.x() - centre.x(), side * depth, x.y() - centre.y());
  add(build_convex_polyhedron(local, structure_.model.where), Vec<3>(centre.x(), 0, centre.y()), fixed);
}

template class BlockList<2>;
template class BlockList<3>;

}  // namespace saltus
