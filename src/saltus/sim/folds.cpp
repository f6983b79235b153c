#include "saltus/sim/folds.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "saltus/math/small_solve.hpp"
#include "saltus/sim/deformable_parts.hpp"

namespace saltus {

namespace {

constexpr double kSkin = 0.1;

template <int Dim>
class FoldSearch {
 public:
  using Point = Eigen::Matrix<double, Dim, 1>;

  FoldSearch(const SolidMesh<Dim>& mesh, const Eigen::VectorXd& q) : mesh_(mesh), q_(q) {
    std::vector<int> element_of;
    const auto simplices = cut_into_simplices(mesh, element_of);
    for (std::size_t i = 0; i < simplices.size(); ++i) pieces_.push_back(place(simplices[i], element_of[i]));
    std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
      return std::pair(a.least[0], a.element) < std::pair(b.least[0], b.element);
    });
    for (const Piece& piece : pieces_) widest_ = std::max(widest_, piece.largest[0] - piece.least[0]);
  }

  Point place_of(int node) const { return mesh_.nodes[node] + q_.template segment<Dim>(Dim * node); }

  // An element that the node is deep in and does not belong to, or -1.
  int element_round(int node) const {
    const Point x = place_of(node);
    auto at = std::upper_bound(pieces_.begin(), pieces_.end(), x[0],
                               [](double value, const Piece& piece) { return value < piece.least[0]; });
    while (at != pieces_.begin() && (--at)->least[0] >= x[0] - widest_)
      if ((at->least.array() <= x.array()).all() && (x.array() <= at->largest.array()).all() &&
          !belongs(node, at->element) && is_deep(x, *at))
        return at->element;
    return -1;
  }

 private:
  struct Piece {
    std::array<Point, Dim + 1> corners;
    Point middle, least, largest;  // of its element; of itself
    int element;
  };

  Piece place(const std::array<int, Dim + 1>& nodes, int element) const {
    Piece piece;
    piece.element = element;
    for (int k = 0; k <= Dim; ++k) piece.corners[k] = place_of(nodes[k]);
    piece.least = piece.largest = piece.corners[0];
    for (const Point& x : piece.corners)
      piece.least = piece.least.cwiseMin(x), piece.largest = piece.largest.cwiseMax(x);
    const auto own = mesh_.nodes_of(mesh_.elements[element]);
    const int corners = corner_count(mesh_.elements[element].kind);
    piece.middle.setZero();
    for (int k = 0; k < corners; ++k) piece.middle += place_of(own[k]) / corners;
    return piece;
  }

  bool belongs(int node, int element) const {
    const auto own = mesh_.nodes_of(mesh_.elements[element]);
    return std::find(own.begin(), own.end(), node) != own.end();
  }

  // Whether it is still in the element when its distance from the middle has grown by the skin: then it is no contact.
  static bool is_deep(const Point& x, const Piece& piece) {
    const Point out = piece.middle + (x - piece.middle) / (1 - kSkin);
    SmallMatrix<Dim> edges;
    for (int k = 0; k < Dim; ++k) edges.col(k) = piece.corners[k + 1] - piece.corners[0];
    const Point share = solve_small<Dim>(edges, out - piece.corners[0]);
    return share.allFinite() && share.minCoeff() >= 0 && share.sum() <= 1;
  }

  const SolidMesh<Dim>& mesh_;
  const Eigen::VectorXd& q_;
  std::vector<Piece> pieces_;
  double widest_ = 0;
};

}  // namespace

template <int Dim>
Folds find_folds(const SolidMesh<Dim>& mesh, const ContactSurface<Dim>& surface, const Eigen::VectorXd& q) {
  const FoldSearch<Dim> search(mesh, q);
  Folds folds;
  for (const SurfacePoint& point : surface.points) {
    if (point.nodes.size() != 1) continue;
    const int element = search.element_round(point.nodes[0]);
    if (element < 0) continue;
    if (++folds.nodes == 1) folds.node = point.nodes[0], folds.element = element;
  }
  return folds;
}

template Folds find_folds<2>(const SolidMesh<2>&, const ContactSurface<2>&, const Eigen::VectorXd&);
template Folds find_folds<3>(const SolidMesh<3>&, const ContactSurface<3>&, const Eigen::VectorXd&);

}  // namespace saltus
