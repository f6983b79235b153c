#include "saltus/geometry/thickness.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

namespace saltus {

namespace {

template <int Dim>
double thickness(const Ball<Dim>& s) {
  return 2 * s.radius;
}
template <int Dim>
double thickness(const Capsule<Dim>& s) {
  return 2 * s.radius;
}
double thickness(const Cylinder& s) { return 2 * std::min(s.radius, s.half_length); }

double thickness(const Ellipsoid& s) { return 2 * s.semi_axes.minCoeff(); }

double thickness(const ConvexPolygon& s) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < s.vertices.size(); ++i) {
    const Vec<2>& corner = s.vertices[i];
    const Vec<2> inwards = quarter_turn(s.vertices[(i + 1) % s.vertices.size()] - corner).normalized();
    double farthest = 0;
    for (const Vec<2>& x : s.vertices) farthest = std::max(farthest, inwards.dot(x - corner));
    least = std::min(least, farthest);
  }
  return least;
}

// Numbers of neighbours of each of `count` things, by the two that each edge joins.
template <class Ends>
std::vector<std::vector<int>> build_neighbours(std::size_t count, const ConvexPolyhedron& s,
                                               const Ends& ends) {
  std::vector<std::vector<int>> neighbours(count);
  for (const auto& edge : s.edges) {
    const auto& [a, b] = ends(edge);
    neighbours[static_cast<std::size_t>(a)].push_back(b);
    neighbours[static_cast<std::size_t>(b)].push_back(a);
  }
  return neighbours;
}

// All corners against all faces of a stone of 1e5 corners take 20 s: the farthest corner of a face is near that of its neighbour, and on a convex
// body who climbs along edges gets to it.
double thickness_by_climbing(const ConvexPolyhedron& s) {
  const auto faces = build_neighbours(static_cast<std::size_t>(s.faces()), s,
                                      [](const auto& edge) -> const int(&)[2] { return edge.face; });
  const auto corners =
      build_neighbours(s.vertices.size(), s, [](const auto& edge) -> const int(&)[2] { return edge.v; });
  const auto climb = [&](int f, int corner) {
    const auto depth = [&](int v) {
      return s.offset[static_cast<std::size_t>(f)] -
             s.normal[static_cast<std::size_t>(f)].dot(s.vertices[static_cast<std::size_t>(v)]);
    };
    for (bool higher = true; higher;) {
      higher = false;
      for (const int next : corners[static_cast<std::size_t>(corner)])
        if (depth(next) > depth(corner)) {
          corner = next, higher = true;
          break;
        }
    }
    return std::pair(corner, depth(corner));
  };
  std::vector<int> farthest(faces.size(), -1), front = {0};
  double least = 0;
  std::tie(farthest[0], least) = climb(0, 0);
  while (!front.empty()) {
    const int face = front.back();
    front.pop_back();
    for (const int next : faces[static_cast<std::size_t>(face)]) {
      int& own = farthest[static_cast<std::size_t>(next)];
      if (own >= 0) continue;
      double depth = 0;
      std::tie(own, depth) = climb(next, farthest[static_cast<std::size_t>(face)]);
      least = std::min(least, depth);
      front.push_back(next);
    }
  }
  return least;
}

double thickness(const ConvexPolyhedron& s) {
  constexpr double kMany = 1e7;
  if (static_cast<double>(s.faces()) * static_cast<double>(s.vertices.size()) > kMany)
    return thickness_by_climbing(s);
  double least = std::numeric_limits<double>::infinity();
  for (int f = 0; f < s.faces(); ++f) {
    double farthest = 0;
    for (const Vec<3>& x : s.vertices) farthest = std::max(farthest, s.offset[f] - s.normal[f].dot(x));
    least = std::min(least, farthest);
  }
  return least;
}

}  // namespace

template <int Dim>
double compute_thickness(const Shape<Dim>& shape) {
  const auto of_part = [](const auto& s) -> double {
    if constexpr (requires { thickness(s); })
      return thickness(s);
    else
      return 0;
  };
  if (const auto* compound = std::get_if<Compound<Dim>>(&shape)) {
    double most = 0;
    for (const auto& part : compound->parts) most = std::max(most, std::visit(of_part, part.shape));
    return most;
  }
  return std::visit(of_part, shape);
}

template double compute_thickness<2>(const Shape<2>&);
template double compute_thickness<3>(const Shape<3>&);

}  // namespace saltus
