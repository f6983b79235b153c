#include "saltus/generate/generate_bodies.hpp"

#include <fmt/format.h>

#include "saltus/generate/generate_blocks.hpp"
#include "saltus/generate/generate_random.hpp"

namespace saltus {

namespace {

Shape<2> hull_of(const ConvexCell<2>& cell, const Vec<2>& centre, const std::string& where) {
  std::vector<Vec<2>> corners;
  for (const Vec<2>& x : cell.corners()) corners.push_back(x - centre);
  return build_convex_polygon(corners, where);
}
Shape<3> hull_of(const ConvexCell<3>& cell, const Vec<3>& centre, const std::string& where) {
  std::vector<Vec<3>> corners;
  for (const Vec<3>& x : cell.corners()) corners.push_back(x - centre);
  return build_convex_polyhedron(corners, where);
}

}  // namespace

template <int Dim>
std::vector<SceneBody<Dim>> build_grains(const std::vector<Grain<Dim>>& grains,
                                         const Structure<Dim>& structure) {
  std::vector<SceneBody<Dim>> bodies;
  bodies.reserve(grains.size());
  const std::string name = structure.model.name.empty() ? "grain" : structure.model.name;
  for (const Grain<Dim>& grain : grains) {
    SceneBody<Dim> body = structure.model;
    body.name = fmt::format("{}-{}", name, bodies.size());
    body.shape = Ball<Dim>{grain.radius};
    body.pose = structure.place * Pose<Dim>(grain.position);
    bodies.push_back(std::move(body));
  }
  return bodies;
}

template <int Dim>
std::vector<SceneBody<Dim>> build_grains(const std::vector<Grain<Dim>>& grains, const GrainShape& shape,
                                         SplitMix64& random, const Structure<Dim>& structure) {
  std::vector<SceneBody<Dim>> bodies = build_grains(grains, structure);
  if (shape.kind == GrainShape::Kind::ball) return bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies[i].shape = draw_shape<Dim>(shape, grains[i].radius, random);
  return bodies;
}

template <int Dim>
std::vector<SceneBody<Dim>> build_cells(const std::vector<ConvexCell<Dim>>& cells,
                                        const Structure<Dim>& structure) {
  BlockList<Dim> blocks(structure, "cell");
  for (const ConvexCell<Dim>& cell : cells) {
    const Vec<Dim> centre = cell.centre();
    blocks.add(hull_of(cell, centre, structure.model.where), centre);
  }
  return blocks.take();
}

template <int Dim>
const std::vector<std::string>& side_names() {
  static const std::vector<std::string> names = {"x-", "x+", "y-", "y+", "z-", "z+"};
  static const std::vector<std::string> chosen(names.begin(), names.begin() + 2 * Dim);
  return chosen;
}

template <int Dim>
std::vector<SceneBody<Dim>> build_walls(const Vec<Dim>& low, const Vec<Dim>& high,
                                        const std::vector<int>& sides, const Structure<Dim>& structure) {
  std::vector<SceneBody<Dim>> bodies;
  const std::string name = structure.model.name.empty() ? "wall" : structure.model.name;
  for (const int side : sides) {
    const int d = side / 2;
    const bool is_high = side % 2 == 1;
    Vec<Dim> place = 0.5 * (low + high);
    place[d] = is_high ? high[d] : low[d];
    SceneBody<Dim> body = structure.model;
    body.name = fmt::format("{}-{}", name, side_names<Dim>()[side]);
    body.shape = HalfSpace<Dim>{(is_high ? -1.0 : 1.0) * Vec<Dim>::Unit(d), 0};
    body.pose = structure.place * Pose<Dim>(place);
    body.fixed = true;
    bodies.push_back(std::move(body));
  }
  return bodies;
}

std::vector<Grain<3>> build_jittered_lattice(const IntVec<3>& sites, std::int64_t count, std::uint64_t seed) {
  constexpr double kPitch = 0.24;
  SplitMix64 random(seed);
  std::vector<Grain<3>> grains;
  grains.reserve(count);
  const double half_x = 0.5 * (sites[0] * kPitch), half_y = 0.5 * (sites[1] * kPitch);
  for (int k = 0; k < sites[2]; ++k) {
    for (int j = 0; j < sites[1]; ++j) {
      for (int i = 0; i < sites[0]; ++i) {
        if (static_cast<std::int64_t>(grains.size()) == count) return grains;
        Grain<3> grain;
        grain.radius = 0.1 * (0.9 + 0.2 * random.uniform());
        const double jx = 0.01 * (2 * random.uniform() - 1), jy = 0.01 * (2 * random.uniform() - 1),
                     jz = 0.01 * (2 * random.uniform() - 1);
        grain.position = {(i + 0.5) * kPitch - half_x + jx, (j + 0.5) * kPitch - half_y + jy,
                          (k + 0.5) * kPitch + jz};
        grains.push_back(grain);
      }
    }
  }
  return grains;
}

template std::vector<SceneBody<2>> build_grains(const std::vector<Grain<2>>&, const Structure<2>&);
template std::vector<SceneBody<3>> build_grains(const std::vector<Grain<3>>&, const Structure<3>&);
template std::vector<SceneBody<2>> build_grains(const std::vector<Grain<2>>&, const GrainShape&, SplitMix64&,
                                                const Structure<2>&);
template std::vector<SceneBody<3>> build_grains(const std::vector<Grain<3>>&, const GrainShape&, SplitMix64&,
                                                const Structure<3>&);
template std::vector<SceneBody<2>> build_cells(const std::vector<ConvexCell<2>>&, const Structure<2>&);
template std::vector<SceneBody<3>> build_cells(const std::vector<ConvexCell<3>>&, const Structure<3>&);
template const std::vector<std::string>& side_names<2>();
template const std::vector<std::string>& side_names<3>();
template std::vector<SceneBody<2>> build_walls(const Vec<2>&, const Vec<2>&, const std::vector<int>&,
                                               const Structure<2>&);
template std::vector<SceneBody<3>> build_walls(const Vec<3>&, const Vec<3>&, const std::vector<int>&,
                                               const Structure<3>&);

}  // namespace saltus
