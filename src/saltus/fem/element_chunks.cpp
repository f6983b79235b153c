#include "saltus/fem/element_chunks.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace saltus {

namespace {

// Enough work to be worth a turn of a thread, few enough that chunks of one colour are many.
constexpr int kElementsPerChunk = 64;

// Bits of a position in a cube of 2^20 cells a side, taken in turn from its coordinates: near in it is near in space.
template <int Dim>
std::uint64_t interleave(const Eigen::Matrix<double, Dim, 1>& unit) {
  std::uint64_t key = 0;
  for (int bit = 19; bit >= 0; --bit)
    for (int k = 0; k < Dim; ++k)
      key = key << 1 | (static_cast<std::uint64_t>(std::clamp(unit[k], 0.0, 1.0) * 1048575.0) >> bit & 1);
  return key;
}

template <int Dim>
std::vector<int> order_elements(const SolidMesh<Dim>& mesh) {
  using Point = Eigen::Matrix<double, Dim, 1>;
  Point low = Point::Constant(1e300), high = -low;
  for (const Point& p : mesh.nodes) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double extent = std::max((high - low).maxCoeff(), 1e-300);
  using Key = std::tuple<ElementKind, std::uint64_t, int>;
  std::vector<Key> keys;
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) {
    const auto own = mesh.nodes_of(mesh.elements[e]);
    Point centre = Point::Zero();
    for (const int node : own) centre += mesh.nodes[node];
    keys.emplace_back(mesh.elements[e].kind,
                      interleave<Dim>((centre / static_cast<double>(own.size()) - low) / extent), e);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> order;
  for (const Key& key : keys) order.push_back(std::get<2>(key));
  return order;
}

}  // namespace

template <int Dim>
ElementChunks build_chunks(const SolidMesh<Dim>& mesh) {
  ElementChunks result;
  result.order = order_elements(mesh);
  const int count = static_cast<int>(result.order.size());
  std::vector<std::pair<int, ElementChunk>> coloured;
  std::vector<std::uint64_t> taken(mesh.nodes.size(), 0);  // colours at each node, the first 64
  int colours = 0;
  for (int begin = 0; begin < count;) {
    const ElementKind kind = mesh.elements[result.order[begin]].kind;
    int end = begin;
    std::uint64_t used = 0;
    while (end < count && end - begin < kElementsPerChunk && mesh.elements[result.order[end]].kind == kind)
      for (const int node : mesh.nodes_of(mesh.elements[result.order[end++]])) used |= taken[node];
    int colour = 0;
    while (colour < 64 && (used >> colour & 1) != 0) ++colour;
    if (colour == 64) {
      colour = std::max(colours, 64);  // its own: correct, only slower
    } else {
      for (int k = begin; k < end; ++k)
        for (const int node : mesh.nodes_of(mesh.elements[result.order[k]]))
          taken[node] |= std::uint64_t{1} << colour;
    }
    colours = std::max(colours, colour + 1);
    coloured.push_back({colour, {kind, begin, end}});
    begin = end;
  }
  std::stable_sort(coloured.begin(), coloured.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [colour, chunk] : coloured) {
    if (result.chunks.empty() || coloured[result.chunks.size() - 1].first != colour)
      result.colours.push_back(static_cast<int>(result.chunks.size()));
    result.chunks.push_back(chunk);
  }
  result.colours.push_back(static_cast<int>(result.chunks.size()));
  return result;
}

template ElementChunks build_chunks(const SolidMesh<2>&);
template ElementChunks build_chunks(const SolidMesh<3>&);

}  // namespace saltus
