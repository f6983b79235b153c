#include "saltus/exchange/surface_mesh.hpp"

#include <cmath>
#include <numbers>

namespace saltus {

namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;
constexpr double kRim = 0.03;  // thickness of the wall of a drum in the plane, of its radius

Vec<3> in_space(const Vec<2>& x) { return {x.x(), x.y(), 0}; }
Vec<3> in_space(const Vec<3>& x) { return x; }

Vec<3> across(const Vec<3>& axis) {
  return (std::abs(axis.z()) < 0.9 ? axis.cross(Vec<3>::UnitZ()) : axis.cross(Vec<3>::UnitX())).normalized();
}

template <int Dim>
class Mesher {
 public:
  Mesher(const SurfaceOptions& options, SurfaceMesh& out) : options_(options), out_(out) {}

  void add_any(const Shape<Dim>& shape) {
    std::visit([this](const auto& s) { add(s, Pose<Dim>()); }, shape);
  }
  void add(const Ball<Dim>& s, const Pose<Dim>& pose) {
    if (options_.sides == 0) return;
    if constexpr (Dim == 2)
      ring(pose, s.radius);
    else
      ball(pose, Vec<3>::Constant(s.radius), 1);
  }
  void add(const Capsule<Dim>& s, const Pose<Dim>& pose) {
    const Vec<Dim> axis = s.end - s.start;
    if constexpr (Dim == 2) {
      const double turn = axis.norm() > 0 ? std::atan2(axis.y(), axis.x()) : 0;
      for (int k = 0; k <= sides() / 2; ++k)
        corner(pose, Vec<2>(s.end + s.radius * way(turn, k - sides() / 4.0)));
      for (int k = 0; k <= sides() / 2; ++k)
        corner(pose, Vec<2>(s.start + s.radius * way(turn, k + sides() / 4.0)));
      end();
    } else {
      capsule(s, axis, pose);
    }
  }
  void add(const Compound<Dim>& s, const Pose<Dim>& pose) {
    for (const auto& part : s.parts)
      std::visit([&](const auto& inner) { add(inner, pose * part.pose); }, part.shape);
  }
  void add(const HalfSpace<Dim>& s, const Pose<Dim>& pose) {
    const Vec<3> n = in_space(s.normal), from = options_.middle;
    const Vec<3> foot = from - n * (n.dot(from) - s.offset);
    const double a = options_.extent;
    if constexpr (Dim == 2) {
      const Vec<3> t = Vec<3>::UnitZ().cross(n);
      flat(pose, {foot - a * t, foot - a * t - 0.03 * a * n, foot + a * t - 0.03 * a * n, foot + a * t});
    } else {
      const Vec<3> t = across(n), u = n.cross(t);
      flat(pose, {foot - a * t - a * u, foot + a * t - a * u, foot + a * t + a * u, foot - a * t + a * u});
    }
  }
  void add(const Hollow<Dim>& s, const Pose<Dim>& pose) {
    if constexpr (Dim == 2) {
      for (int k = 0; k < 2 * sides(); ++k) {
        const double half = k / 2.0, next = (k + 1) / 2.0;
        const auto point = [&](double step, double r) { return in_space(Vec<2>(r * way(0, step))); };
        flat(pose, {point(half, s.radius), point(half, (1 + kRim) * s.radius),
                    point(next, (1 + kRim) * s.radius), point(next, s.radius)});
      }
    } else {
      ball(pose, Vec<3>::Constant(s.radius), -1);
    }
  }
  // Of the plane only.
  void add(const ConvexPolygon& s, const Pose<2>& pose) {
    for (const Vec<2>& x : s.vertices) corner(pose, x);
    end();
  }
  void add(const Polyline& s, const Pose<2>& pose) {
    const std::size_t count = s.points.size();
    for (std::size_t i = 0; i + (s.closed ? 0 : 1) < count; ++i) {
      corner(pose, s.points[i]), corner(pose, s.points[(i + 1) % count]);
      end();
    }
  }
  // Of space only.
  void add(const ConvexPolyhedron& s, const Pose<3>& pose) {
    const auto first = static_cast<std::int32_t>(out_.points.size());
    for (const Vec<3>& x : s.vertices) out_.points.push_back(pose.to_world(x));
    for (int face = 0; face < s.faces(); ++face) {
      for (int k = s.face_begin[face]; k < s.face_begin[face + 1]; ++k)
        out_.corners.push_back(first + s.face_vertex[k]);
      end();
    }
  }
  void add(const Cylinder& s, const Pose<3>& pose) {
    const auto first = static_cast<std::int32_t>(out_.points.size());
    tube(pose, Vec<3>::UnitZ() * -s.half_length, Vec<3>::UnitZ() * s.half_length, s.radius, 1);
    // Caps on the corners of the tube, so that the surface is closed: the lower one is seen from below.
    for (int k = sides() - 1; k >= 0; --k) out_.corners.push_back(first + k);
    end();
    for (int k = 0; k < sides(); ++k) out_.corners.push_back(first + sides() + k);
    end();
  }
  void add(const Ellipsoid& s, const Pose<3>& pose) { ball(pose, s.semi_axes, 1); }
  void add(const HollowCylinder& s, const Pose<3>& pose) {
    const double z = options_.middle.z(), a = options_.extent;
    tube(pose, Vec<3>(0, 0, z - a), Vec<3>(0, 0, z + a), s.radius, -1);
  }
  void add(const TriangleMesh& s, const Pose<3>& pose) {
    const auto first = static_cast<std::int32_t>(out_.points.size());
    for (const Vec<3>& x : s.vertices) out_.points.push_back(pose.to_world(x));
    for (const std::array<int, 3>& t : s.triangles) {
      for (const int v : t) out_.corners.push_back(first + v);
      end();
    }
  }

 private:
  int sides() const { return std::max(options_.sides, 8) / 4 * 4; }
  Vec<2> way(double turn, double step) const {
    const double angle = turn + kFullTurn * step / sides();
    return {std::cos(angle), std::sin(angle)};
  }
  void end() { out_.ends.push_back(static_cast<std::int32_t>(out_.corners.size())); }
  void corner(const Pose<Dim>& pose, const Vec<Dim>& x) {
    out_.corners.push_back(static_cast<std::int32_t>(out_.points.size()));
    out_.points.push_back(in_space(Vec<Dim>(pose.to_world(x))));
  }
  void flat(const Pose<Dim>& pose, const std::array<Vec<3>, 4>& corners) {
    for (const Vec<3>& x : corners) corner(pose, Vec<Dim>(x.template head<Dim>()));
    end();
  }
  void ring(const Pose<2>& pose, double radius) {
    for (int k = 0; k < sides(); ++k) corner(pose, Vec<2>(radius * way(0, k)));
    end();
  }
  // Circles of latitude between two poles; `side` -1: seen from inside.
  void ball(const Pose<3>& pose, const Vec<3>& axes, int side) {
    const int rows = sides() / 2, columns = sides();
    const auto first = static_cast<std::int32_t>(out_.points.size());
    const auto put = [&](double polar, double turn) {
      const Vec<3> unit(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar));
      out_.points.push_back(pose.to_world(Vec<3>(axes.cwiseProduct(unit))));
    };
    put(0, 0), put(std::numbers::pi, 0);
    for (int i = 1; i < rows; ++i)
      for (int j = 0; j < columns; ++j) put(i * std::numbers::pi / rows, j * kFullTurn / columns);
    const auto at = [&](int i, int j) -> std::int32_t {
      if (i == 0) return first;
      if (i == rows) return first + 1;
      return first + 2 + (i - 1) * columns + j % columns;
    };
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) patch(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1), side);
  }
  // A quad, or a triangle where two of its corners are one.
  void patch(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d, int side) {
    std::array<std::int32_t, 4> corners = {a, b, c, d};
    if (side < 0) corners = {d, c, b, a};
    for (std::size_t k = 0; k < 4; ++k)
      if (corners[k] != corners[(k + 1) % 4]) out_.corners.push_back(corners[k]);
    end();
  }
  void tube(const Pose<3>& pose, const Vec<3>& a, const Vec<3>& b, double radius, int side) {
    const Vec<3> axis = (b - a).normalized(), x = across(axis), y = axis.cross(x);
    const auto first = static_cast<std::int32_t>(out_.points.size());
    for (const Vec<3>& centre : {a, b})
      for (int k = 0; k < sides(); ++k) {
        const Vec<2> w = way(0, k);
        out_.points.push_back(pose.to_world(Vec<3>(centre + radius * (w.x() * x + w.y() * y))));
      }
    for (int k = 0; k < sides(); ++k)
      patch(first + k, first + (k + 1) % sides(), first + sides() + (k + 1) % sides(), first + sides() + k,
            side);
  }
  // Two half balls with a tube between them: the circles of latitude of a ball, the lower half moved along.
  void capsule(const Capsule<3>& s, const Vec<3>& axis, const Pose<3>& pose) {
    const Vec<3> z = axis.norm() > 0 ? Vec<3>(axis.normalized()) : Vec<3>::UnitZ(), x = across(z),
                 y = z.cross(x);
    const int rows = sides() / 2, columns = sides();
    const auto first = static_cast<std::int32_t>(out_.points.size());
    const auto put = [&](const Vec<3>& centre, double polar, double turn) {
      const Vec<3> unit = std::sin(polar) * (std::cos(turn) * x + std::sin(turn) * y) + std::cos(polar) * z;
      out_.points.push_back(pose.to_world(Vec<3>(centre + s.radius * unit)));
    };
    put(s.end, 0, 0), put(s.start, std::numbers::pi, 0);
    // The equator twice: of the upper half and of the lower one.
    for (int i = 1; i <= rows; ++i) {
      const bool upper = i <= rows / 2;
      for (int j = 0; j < columns; ++j)
        put(upper ? s.end : s.start, (upper ? i : i - 1) * std::numbers::pi / rows, j * kFullTurn / columns);
    }
    const auto at = [&](int i, int j) -> std::int32_t {
      if (i == 0) return first;
      if (i == rows + 1) return first + 1;
      return first + 2 + (i - 1) * columns + j % columns;
    };
    for (int i = 0; i <= rows; ++i)
      for (int j = 0; j < columns; ++j) patch(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1), 1);
  }

  const SurfaceOptions& options_;
  SurfaceMesh& out_;
};

}  // namespace

template <int Dim>
SurfaceMesh build_surface_mesh(const Shape<Dim>& shape, const SurfaceOptions& options) {
  SurfaceMesh mesh;
  Mesher<Dim>(options, mesh).add_any(shape);
  return mesh;
}

template SurfaceMesh build_surface_mesh<2>(const Shape<2>&, const SurfaceOptions&);
template SurfaceMesh build_surface_mesh<3>(const Shape<3>&, const SurfaceOptions&);

}  // namespace saltus
