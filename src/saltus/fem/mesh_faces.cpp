#include "saltus/fem/mesh_faces.hpp"

#include <algorithm>
#include <tuple>

namespace saltus {

FaceKey::FaceKey(std::span<const int> given) {
  const int count = static_cast<int>(given.size());
  const int low = static_cast<int>(std::min_element(given.begin(), given.end()) - given.begin());
  const auto at = [&](int k) { return given[static_cast<std::size_t>((low + k + count) % count)]; };
  // A side of the plane has two corners and no way round: the order itself tells.
  reversed = count == 2 ? low == 1 : at(-1) < at(1);
  for (int k = 0; k < count; ++k) corners[k] = at(reversed && count > 2 ? -k : k);
}

template <int Dim>
MeshFaces::MeshFaces(const SolidMesh<Dim>& mesh) : first_(mesh.nodes.size() + 1, 0) {
  std::vector<MeshFace> all;
  std::array<int, 4> corners{};
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const auto& element = mesh.elements[e];
    const auto nodes = mesh.nodes_of(element);
    const int count = face_corner_count(element.kind);
    for (int f = 0; f < face_count(element.kind); ++f) {
      const auto local = face_nodes(element.kind, f);
      for (int k = 0; k < count; ++k) corners[k] = nodes[local[k]];
      const FaceKey key({corners.data(), static_cast<std::size_t>(count)});
      all.push_back({key.corners, static_cast<int>(e), static_cast<signed char>(f), key.reversed});
      ++first_[key.corners[0] + 1];
    }
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  faces_.resize(all.size());
  std::vector<std::size_t> place(first_.begin(), first_.end() - 1);
  for (const MeshFace& face : all) faces_[place[face.corners[0]]++] = face;
  for (std::size_t i = 0; i + 1 < first_.size(); ++i)
    std::sort(faces_.begin() + first_[i], faces_.begin() + first_[i + 1],
              [](const MeshFace& a, const MeshFace& b) {
                return std::tie(a.corners, a.element, a.face) < std::tie(b.corners, b.element, b.face);
              });
}

std::span<const MeshFace> MeshFaces::find(std::span<const int> corners) const {
  const FaceKey key(corners);
  const auto begin = faces_.begin() + first_[key.corners[0]],
             end = faces_.begin() + first_[key.corners[0] + 1];
  struct ByCorners {
    bool operator()(const MeshFace& a, const FaceKey& b) const { return a.corners < b.corners; }
    bool operator()(const FaceKey& a, const MeshFace& b) const { return a.corners < b.corners; }
  };
  const auto [low, high] = std::equal_range(begin, end, key, ByCorners());
  return std::span(faces_).subspan(low - faces_.begin(), high - low);
}

template MeshFaces::MeshFaces(const SolidMesh<2>&);
template MeshFaces::MeshFaces(const SolidMesh<3>&);

}  // namespace saltus
