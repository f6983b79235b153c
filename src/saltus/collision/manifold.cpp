#include "saltus/collision/manifold.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

// A face counts as facing the other piece when its normal is this near to the normal of the pair: gaps
// are measured along the latter, so the choice adds points but falsifies none.
constexpr double kFacingCosine = 1 - 5e-7;  // 1e-3 rad
// Faces beside the nearest edge or corner are looked at when they are no steeper than this: beyond, a step that turns a body so
// far passes over its neighbours anyway.
constexpr double kTiltedCosine = 0.7;
// Edges count as parallel when they part by less than this over their length, relative to the size.
constexpr double kParallel = 1e-4;
// Corners this close to a side of the reference, relative to the size, count as inside: aligned stacks
// would otherwise have every corner twice.
constexpr double kOnSide = 1e-6;
// Normals closer than this are the same but for round-off.
constexpr double kSameNormal = 1e-9;

// Does x lie above or below the face?
template <int Dim>
bool projects_inside(const Feature<Dim>& face, const Vec<Dim>& x) {
  if constexpr (Dim == 3) {
    const std::size_t count = face.points.size();
    for (std::size_t k = 0; k < count; ++k) {
      const Vec<3> edge = face.points[(k + 1) % count] - face.points[k];
      if (face.normal.cross(edge).dot(x - face.points[k]) < 0) return false;
    }
  }
  return true;
}

}  // namespace

template <int Dim>
void ManifoldBuilder<Dim>::add(const Vec<Dim>& on_a, double gap, std::uint64_t name_a, std::uint64_t name_b) {
  if (std::find(idle_->begin(), idle_->end(), name_a) != idle_->end()) return;
  const std::uint64_t name = mix_labels(name_a, name_b);
  const auto is_known = [&](const ManifoldPoint<Dim>& p) { return p.feature == name; };
  if (!keeps_all_ && (gap > far_ || std::any_of(found_.begin(), found_.end(), is_known))) return;
  found_.push_back({on_a, Vec<Dim>::Zero(), gap, name});
}

template <int Dim>
typename ManifoldBuilder<Dim>::Corner ManifoldBuilder<Dim>::cross(const Feature<Dim>& reference,
                                                                  const Side& side, const Corner& from,
                                                                  const Vec<Dim>& x) const {
  Corner corner{x, {}, {}};
  if constexpr (Dim == 2) {
    corner.name.reference = reference.labels[side.index];
    return corner;
  }
  const std::uint64_t here = reference.edge_labels[side.index];
  if (from.leaving.incident) {
    corner.name = {here, from.leaving.incident};
    return corner;
  }
  const std::size_t count = reference.points.size(), k = static_cast<std::size_t>(side.index);
  const std::size_t next = (k + 1) % count, previous = (k + count - 1) % count;
  if (from.leaving.reference == reference.edge_labels[previous]) {
    corner.name.reference = reference.labels[k];
  } else if (from.leaving.reference == reference.edge_labels[next]) {
    corner.name.reference = reference.labels[next];
  } else {
    corner.name.reference = mix_labels(here, from.leaving.reference);
  }
  return corner;
}

// One step of Sutherland and Hodgman (Commun. ACM 17, 1974); two corners are an open line.
template <int Dim>
void ManifoldBuilder<Dim>::clip_side(const Feature<Dim>& reference, const Side& side) {
  clipped_.clear();
  const double slack = kOnSide * size_;
  const std::size_t count = corners_.size();
  const bool open = count <= 2;
  for (std::size_t i = 0; i < count; ++i) {
    const Corner& p = corners_[i];
    const double dp = side.inward.dot(p.x - side.start);
    if (dp >= -slack) clipped_.push_back(p);
    if (open && i + 1 == count) break;
    const Corner& q = corners_[(i + 1) % count];
    const double dq = side.inward.dot(q.x - side.start);
    const bool leaves = dp > slack && dq < -slack, enters = dp < -slack && dq > slack;
    if (leaves || enters) {
      Corner corner = cross(reference, side, p, p.x + dp / (dp - dq) * (q.x - p.x));
      corner.leaving = enters ? p.leaving : Name{reference.edge_labels[side.index], 0};
      clipped_.push_back(corner);
    } else if (dp >= -slack && dq < -slack && !open) {
      clipped_.back().leaving = {reference.edge_labels[side.index], 0};
    }
  }
  std::swap(corners_, clipped_);
}

// Clips the face of one piece by the sides of the face of the other that faces the normal; false
// when no face does.
template <int Dim>
bool ManifoldBuilder<Dim>::clip_faces(Separation<Dim>& separation) {
  Vec<Dim>& n = separation.normal;
  const double facing_a = feature_a_.normal.dot(n), facing_b = -feature_b_.normal.dot(n);
  if (std::max(facing_a, facing_b) < kFacingCosine) return false;
  const bool a_is_reference = facing_a >= facing_b - 1e-12;
  // The normal of a face has more digits than the direction between two nearest points.
  const Vec<Dim> exact = a_is_reference ? feature_a_.normal : Vec<Dim>(-feature_b_.normal);
  if ((exact - n).norm() < kSameNormal) n = exact;
  clip(n, a_is_reference);
  return true;
}

// Clips the feature of the one by the sides of the face of the other, and measures heights along n. Sides run along n where
// faces are tilted: what they cut off faces nothing.
template <int Dim>
void ManifoldBuilder<Dim>::clip(const Vec<Dim>& n, bool a_is_reference) {
  const Feature<Dim>& reference = a_is_reference ? feature_a_ : feature_b_;
  const Feature<Dim>& incident = a_is_reference ? feature_b_ : feature_a_;
  const Vec<Dim> out = a_is_reference ? n : Vec<Dim>(-n);
  corners_.clear();
  for (std::size_t k = 0; k < incident.points.size(); ++k) {
    corners_.push_back({incident.points[k], {0, incident.labels[k]}, {}});
    if (!incident.edge_labels.empty()) corners_.back().leaving.incident = incident.edge_labels[k];
  }
  const int count = static_cast<int>(reference.points.size());
  for (int k = 0; k < count && !corners_.empty(); ++k) {
    const Vec<Dim>& start = reference.points[k];
    const Vec<Dim> edge = reference.points[(k + 1) % count] - start;
    Vec<Dim> inward;
    if constexpr (Dim == 2) {
      inward = keeps_all_ ? edge.normalized() : (edge - n.dot(edge) * n).normalized();
    } else {
      inward = (keeps_all_ ? reference.normal : out).cross(edge).normalized();
    }
    clip_side(reference, {start, inward, k});
  }
  const double facing = std::abs(reference.normal.dot(n));
  for (const Corner& c : corners_) {
    const double height = reference.normal.dot(c.x - reference.points[0]) / facing;
    if (a_is_reference) {
      add(c.x - height * n, height, c.name.reference, c.name.incident);
    } else {
      add(c.x, height, c.name.incident, c.name.reference);
    }
  }
}

// The common part of two edges that run side by side, up to `parting` (m) over the length of the second. Of round ones the
// distance counts, not the height along n.
template <int Dim>
bool ManifoldBuilder<Dim>::overlap_edges(const Separation<Dim>& separation, double parting, bool round) {
  if (feature_a_.points.size() != 2 || feature_b_.points.size() != 2) return false;
  const Vec<Dim>& n = separation.normal;
  const Vec<Dim>& origin = feature_a_.points[0];
  const Vec<Dim> edge_a = feature_a_.points[1] - origin, edge_b = feature_b_.points[1] - feature_b_.points[0];
  const double length = edge_a.norm();
  const Vec<Dim> along = edge_a / length;
  const double slope = edge_b.dot(along);
  if (std::abs(slope) < 0.5 * edge_b.norm()) return false;
  const Vec<Dim> aside = edge_b - slope * along - n.dot(edge_b) * n;
  if (aside.norm() > parting) return false;
  const double t0 = along.dot(feature_b_.points[0] - origin), t1 = t0 + slope;
  const auto add_at = [&](double t, std::uint64_t name_a, std::uint64_t name_b) {
    const Vec<Dim> on_a = origin + t * along;
    const Vec<Dim> on_b = feature_b_.points[0] + (t - t0) / slope * edge_b;
    const double gap = n.dot(on_b - on_a);
    add(on_a, round && gap > 0 ? (on_b - on_a).norm() : gap, name_a, name_b);
  };
  const double low = std::max(0.0, std::min(t0, t1)), high = std::min(length, std::max(t0, t1));
  if (low >= high) return false;
  const int first_b = t0 < t1 ? 0 : 1;
  const auto& [la, lb] = std::tie(feature_a_.labels, feature_b_.labels);
  low > 0 ? add_at(low, 0, lb[first_b]) : add_at(low, la[0], 0);
  high < length ? add_at(high, 0, lb[1 - first_b]) : add_at(high, la[1], 0);
  return true;
}

// What bodies that turn may close on within a step, beside the nearest edge or corner: its faces, or the length of a segment.
// Heights are those of points that face each other along n, so what is added is true; only points within reach are.
template <int Dim>
void ManifoldBuilder<Dim>::add_tilted(const Piece<Dim>& a, const Piece<Dim>& b,
                                      const Separation<Dim>& separation, double far) {
  const Vec<Dim>& n = separation.normal;
  find_feature<Dim>(a, n, feature_a_);
  find_feature<Dim>(b, -n, feature_b_);
  keeps_all_ = false;
  far_ = far;
  const double facing_a = feature_a_.normal.dot(n), facing_b = -feature_b_.normal.dot(n);
  if (std::max(facing_a, facing_b) >= kTiltedCosine)
    clip(n, facing_a >= facing_b - 1e-12);
  else if (a.faces() == 0 && b.faces() == 0)
    overlap_edges(separation, a.radius + b.radius, true);
  keeps_all_ = true;
}

template <int Dim>
void ManifoldBuilder<Dim>::build(const Piece<Dim>& a, const Piece<Dim>& b, Separation<Dim> separation,
                                 double reach, bool inside_faces, std::vector<ManifoldPoint<Dim>>& points) {
  const Vec<Dim>& n = separation.normal;
  size_ = a.size + b.size;
  idle_ = &a.idle_labels;
  found_.clear();
  const bool single = !inside_faces && (a.size == 0 || b.size == 0 || a.smooth() || b.smooth());
  if (single && !a.one_sided) {
    // One point whatever it rolls over: one name.
    add(separation.on_a, separation.value, 0, 0);
  } else {
    find_feature<Dim>(a, n, feature_a_);
    find_feature<Dim>(b, -n, feature_b_);
    const auto by_rim = [&](const Piece<Dim>& piece, const Feature<Dim>& feature) {
      return !feature.normal.isZero(0) && touches_by_rim<Dim>(piece, n, reach);
    };
    const bool rim = by_rim(a, feature_a_) || by_rim(b, feature_b_);
    const bool faces = !rim && clip_faces(separation);
    double nearest = 1e300;
    for (const auto& p : found_) nearest = std::min(nearest, p.gap);
    if (inside_faces && b.round && nearest > separation.value + 1e-9 * size_) {
      // The fixed points of a rim miss its lowest one.
      const Vec<Dim> lowest = support<Dim>(b, -n);
      find_edge<Dim>(b, -n, 0, feature_b_);
      if (projects_inside<Dim>(feature_a_, lowest)) {
        add(lowest - separation.value * n, separation.value, 0, feature_b_.labels[0]);
      }
    }
    // The nearest pair itself, where no face met it: edges, corners, the lowest point of a rim.
    if (!inside_faces && nearest > separation.value + 1e-9 * size_) {
      find_edge<Dim>(a, n, 1e-3, feature_a_);
      find_edge<Dim>(b, -n, 1e-3, feature_b_);
      const auto name = [](const Feature<Dim>& f) {
        return f.points.size() == 2 ? f.edge_labels[0] : f.labels[0];
      };
      const bool edges = !faces && overlap_edges(separation, kParallel * size_);
      if (!edges) add(separation.on_a, separation.value, name(feature_a_), name(feature_b_));
      if (!faces && !single && !rim) add_tilted(a, b, separation, reach + a.radius + b.radius);
    }
  }
  for (const ManifoldPoint<Dim>& p : found_) {
    // Nothing is deeper than the pair itself: a corner taken as inside by the slack may seem so.
    const double gap = std::max(p.gap, separation.value) - a.radius - b.radius;
    if (gap <= reach) points.push_back({p.point + (a.radius + gap / 2) * n, n, gap, p.feature});
  }
}

template class ManifoldBuilder<2>;
template class ManifoldBuilder<3>;

}  // namespace saltus
