#include <cmath>

#include "saltus/generate/generate_blocks.hpp"
#include "saltus/generate/generate_masonry.hpp"

namespace saltus {

namespace {

template <int Dim>
Shape<Dim> drum_shape(const Portico& portico);

template <>
Shape<2> drum_shape<2>(const Portico& portico) {
  return build_rectangle(portico.diameter, portico.drum_height);
}

template <>
Shape<3> drum_shape<3>(const Portico& portico) {
  if (portico.sides < 3) return Cylinder{portico.diameter / 2, portico.drum_height / 2};
  std::vector<Vec<3>> corners;
  for (int i = 0; i < portico.sides; ++i) {
    const double a = 2 * M_PI * (i + 0.5) / portico.sides;
    for (const double z : {-0.5, 0.5})
      corners.emplace_back(portico.diameter / 2 * std::cos(a), portico.diameter / 2 * std::sin(a),
                           z * portico.drum_height);
  }
  return build_convex_polyhedron(corners);
}

template <int Dim>
Vec<Dim> place(double along, double across, double up) {
  if constexpr (Dim == 2)
    return {along, up};
  else
    return {along, across, up};
}

// The beam over bay i, from axis to axis; the end ones reach to the outer face of their column.
struct Beam {
  double length, middle;
};
Beam beam_of_bay(const Portico& portico, int i) {
  const double first = -0.5 * (portico.columns - 1) * portico.spacing, overhang = portico.diameter / 2;
  const double from = first + i * portico.spacing - (i == 0 ? overhang : 0);
  const double to = first + (i + 1) * portico.spacing + (i + 2 == portico.columns ? overhang : 0);
  return {to - from, 0.5 * (from + to)};
}

}  // namespace

template <int Dim>
int count_blocks(const Portico& portico) {
  const int rows = Dim == 2 ? 1 : portico.rows;
  const int roof = Dim == 3 && portico.roof > 0 ? portico.columns - 1 : 0;
  return rows * (portico.columns * portico.drums + portico.columns - 1) + roof;
}

template <int Dim>
std::vector<SceneBody<Dim>> build_portico(const Portico& portico, const Structure<Dim>& structure) {
  BlockList<Dim> blocks(structure, "block");
  const int rows = Dim == 2 ? 1 : portico.rows;
  const double top = portico.drums * portico.drum_height;
  const Shape<Dim> drum = drum_shape<Dim>(portico);
  for (int row = 0; row < rows; ++row) {
    const double across = (row - 0.5 * (rows - 1)) * portico.row_spacing;
    for (int c = 0; c < portico.columns; ++c)
      for (int d = 0; d < portico.drums; ++d)
        blocks.add(drum, place<Dim>((c - 0.5 * (portico.columns - 1)) * portico.spacing, across,
                                    (d + 0.5) * portico.drum_height));
    for (int i = 0; i + 1 < portico.columns; ++i) {
      const Beam beam = beam_of_bay(portico, i);
      blocks.add_box(place<Dim>(beam.length, portico.diameter, portico.architrave_height),
                     place<Dim>(beam.middle, across, top + portico.architrave_height / 2));
    }
  }
  for (int i = 0; Dim == 3 && portico.roof > 0 && i + 1 < portico.columns; ++i) {
    const Beam beam = beam_of_bay(portico, i);
    const double span = (rows - 1) * portico.row_spacing + portico.diameter;
    blocks.add_box(place<Dim>(beam.length, span, portico.roof),
                   place<Dim>(beam.middle, 0, top + portico.architrave_height + portico.roof / 2));
  }
  return blocks.take();
}

template int count_blocks<2>(const Portico&);
template int count_blocks<3>(const Portico&);
template std::vector<SceneBody<2>> build_portico(const Portico&, const Structure<2>&);
template std::vector<SceneBody<3>> build_portico(const Portico&, const Structure<3>&);

}  // namespace saltus
