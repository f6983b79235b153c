#include "saltus/generate/generate_masonry.hpp"

#include <cmath>

#include "saltus/generate/generate_blocks.hpp"

namespace saltus {

template <int Dim>
std::vector<SceneBody<Dim>> build_arch(const Arch& arch, const Structure<Dim>& structure) {
  BlockList<Dim> blocks(structure, "voussoir");
  const double inner = arch.radius - arch.thickness / 2, outer = arch.radius + arch.thickness / 2;
  const double first = M_PI / 2 + arch.angle / 2;  // of the left springing; joints go clockwise
  const auto joint = [&](int i) {
    const double a = first - arch.angle * i / arch.voussoirs;
    return Vec<2>(std::cos(a), std::sin(a));
  };
  if (arch.springings) {
    for (const int i : {0, arch.voussoirs}) {
      const Vec<2> out = joint(i);
      // Away from the arch, square to the joint.
      const Vec<2> back = (i == 0 ? 1 : -1) * arch.thickness * quarter_turn(out);
      blocks.add_prism({inner * out, outer * out, outer * out + back, inner * out + back}, arch.depth, true);
    }
  }
  for (int i = 0; i < arch.voussoirs; ++i)
    blocks.add_prism({inner * joint(i), outer * joint(i), outer * joint(i + 1), inner * joint(i + 1)},
                     arch.depth, false);
  return blocks.take();
}

template <>
std::vector<SceneBody<2>> build_tower<2>(const Tower<2>& tower, const Structure<2>& structure) {
  BlockList<2> blocks(structure, "block");
  const double height = tower.brick[1];
  const auto half_width = [&](int level) {
    const double part = static_cast<double>(level) / tower.courses;
    return 0.5 * (tower.brick[0] + part * (tower.top_width - tower.brick[0]));
  };
  for (int k = 0; k < tower.courses; ++k) {
    const double w0 = half_width(k), w1 = half_width(k + 1), y0 = k * height, y1 = (k + 1) * height;
    blocks.add_prism({{-w0, y0}, {w0, y0}, {w1, y1}, {-w1, y1}}, 1, false);
  }
  return blocks.take();
}

template <>
std::vector<SceneBody<3>> build_tower<3>(const Tower<3>& tower, const Structure<3>& structure) {
  BlockList<3> blocks(structure, "brick");
  const double length = tower.brick.x(), width = tower.brick.y(), height = tower.brick.z();
  const double side = tower.bricks * length + width;
  const Vec<3> turned(width, length, height);
  for (int course = 0; course < tower.courses; ++course) {
    const double mirror = course % 2 == 0 ? 1 : -1, up = (course + 0.5) * height;
    for (int i = 0; i < tower.bricks; ++i) {
      const double along = -side / 2 + (i + 0.5) * length, across = -side / 2 + width / 2;
      blocks.add_box(tower.brick, Vec<3>(mirror * along, across, up));
      blocks.add_box(turned, Vec<3>(-mirror * across, along, up));
      blocks.add_box(tower.brick, Vec<3>(-mirror * along, -across, up));
      blocks.add_box(turned, Vec<3>(mirror * across, -along, up));
    }
  }
  return blocks.take();
}

template std::vector<SceneBody<2>> build_arch(const Arch&, const Structure<2>&);
template std::vector<SceneBody<3>> build_arch(const Arch&, const Structure<3>&);

}  // namespace saltus
