#include "saltus/drawing/mesh_skin.hpp"

#include <algorithm>

namespace saltus {

std::vector<std::array<int, 3>> build_skin(const std::vector<std::array<int, 4>>& elements) {
  // Each face with its corners in order, to find its twin, beside the face as it is.
  std::vector<std::pair<std::array<int, 3>, std::array<int, 3>>> faces;
  for (const std::array<int, 4>& e : elements)
    for (const std::array<int, 3>& face : {std::array{e[0], e[2], e[1]}, std::array{e[0], e[1], e[3]},
                                           std::array{e[1], e[2], e[3]}, std::array{e[2], e[0], e[3]}}) {
      std::array<int, 3> sorted = face;
      std::sort(sorted.begin(), sorted.end());
      faces.emplace_back(sorted, face);
    }
  std::sort(faces.begin(), faces.end());
  std::vector<std::array<int, 3>> skin;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const bool twin = (i > 0 && faces[i - 1].first == faces[i].first) ||
                      (i + 1 < faces.size() && faces[i + 1].first == faces[i].first);
    if (!twin) skin.push_back(faces[i].second);
  }
  return skin;
}

}  // namespace saltus
