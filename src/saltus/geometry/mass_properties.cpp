#include "saltus/geometry/mass_properties.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/math/small_eigen.hpp"

namespace saltus {

namespace {

constexpr double kPi = 3.14159265358979323846;

// Volume, centre and the integral of (x - centre)(x - centre)^T. Kept about the centre, so that
// shapes far from their origin lose no digits.
template <int Dim>
struct Moments {
  double volume = 0;
  Vec<Dim> centre = Vec<Dim>::Zero();
  Mat<Dim> second = Mat<Dim>::Zero();

  Moments& operator+=(const Moments& other) {
    if (!(other.volume > 0)) return *this;
    const double sum = volume + other.volume;
    const Vec<Dim> arm = other.centre - centre;
    second += other.second + volume * other.volume / sum * arm * arm.transpose();
    centre += other.volume / sum * arm;
    volume = sum;
    return *this;
  }
};

template <int Dim>
Moments<Dim> centred(double volume, const Mat<Dim>& second) {
  return {volume, Vec<Dim>::Zero(), second};
}

// Corners 0 and v_k: second = V / ((d+1)(d+2)) (sum v_k v_k^T + s s^T) - V c c^T, with s the
// sum of the corners and c = s / (d+1).
template <int Dim>
Moments<Dim> simplex(const std::array<Vec<Dim>, Dim>& v) {
  Mat<Dim> corners;
  for (int k = 0; k < Dim; ++k) corners.col(k) = v[k];
  const double volume = corners.determinant() / (Dim == 2 ? 2 : 6);
  const Vec<Dim> sum = corners.rowwise().sum();
  const Mat<Dim> squares = corners * corners.transpose() - sum * sum.transpose() / (Dim + 1);
  return {volume, sum / (Dim + 1), volume / ((Dim + 1) * (Dim + 2)) * squares};
}

template <int Dim>
Moments<Dim> moments(const Ball<Dim>& s) {
  const double r = s.radius;
  const double volume = Dim == 2 ? kPi * r * r : 4 * kPi / 3 * r * r * r;
  return centred<Dim>(volume, volume * r * r / (Dim + 2) * Mat<Dim>::Identity());
}

// A straight middle of length l and two half balls; c is how far the centre of a half ball
// lies from its flat side.
template <int Dim>
Moments<Dim> moments(const Capsule<Dim>& s) {
  const double r = s.radius;
  const double l = (s.end - s.start).norm();
  const Vec<Dim> axis = (s.end - s.start) / l;
  const Mat<Dim> along = axis * axis.transpose();
  const Mat<Dim> across = Mat<Dim>::Identity() - along;
  const double middle = l * (Dim == 2 ? 2 * r : kPi * r * r);
  const double ball = moments(Ball<Dim>{r}).volume;
  const double c = Dim == 2 ? 4 * r / (3 * kPi) : 3 * r / 8;
  const Mat<Dim> second = (middle * l * l / 12 + ball * (l * l / 4 + l * c + r * r / (Dim + 2))) * along +
                          (middle * r * r / (Dim + 1) + ball * r * r / (Dim + 2)) * across;
  return {middle + ball, (s.start + s.end) / 2, second};
}

Moments<3> moments(const Cylinder& s) {
  const double r2 = s.radius * s.radius, h = s.half_length;
  const double volume = 2 * kPi * r2 * h;
  return centred<3>(volume, volume * Vec<3>(r2 / 4, r2 / 4, h * h / 3).asDiagonal().toDenseMatrix());
}

Moments<3> moments(const Ellipsoid& s) {
  const double volume = 4 * kPi / 3 * s.semi_axes.prod();
  return centred<3>(volume, (volume / 5 * s.semi_axes.cwiseAbs2()).asDiagonal().toDenseMatrix());
}

Moments<2> moments(const ConvexPolygon& s) {
  Moments<2> sum;
  const Vec<2> base = s.vertices[0];
  for (std::size_t i = 1; i + 1 < s.vertices.size(); ++i) {
    sum += simplex<2>({s.vertices[i] - base, s.vertices[i + 1] - base});
  }
  sum.centre += base;
  return sum;
}

Moments<3> moments(const ConvexPolyhedron& s) {
  Moments<3> sum;
  const Vec<3> base = s.vertices[0];
  for (int f = 0; f < s.faces(); ++f) {
    const int* v = s.face_vertex.data() + s.face_begin[f];
    for (int k = 1; k + 1 < s.corners(f); ++k) {
      sum += simplex<3>({s.vertices[v[0]] - base, s.vertices[v[k]] - base, s.vertices[v[k + 1]] - base});
    }
  }
  sum.centre += base;
  return sum;
}

template <int Dim>
Moments<Dim> moments(const Compound<Dim>& s) {
  Moments<Dim> sum;
  for (const auto& part : s.parts) {
    const Moments<Dim> m = std::visit([](const auto& shape) { return moments(shape); }, part.shape);
    const Mat<Dim> turn = part.pose.rotation();
    sum += Moments<Dim>{m.volume, part.pose.to_world(m.centre), turn * m.second * turn.transpose()};
  }
  return sum;
}

template <int Dim>
Moments<Dim> moments_of(const Shape<Dim>& shape) {
  return std::visit(
      [](const auto& s) -> Moments<Dim> {
        if constexpr (requires { moments(s); }) {
          return moments(s);
        } else {
          return {};
        }
      },
      shape);
}

Inertia<2> inertia_from(const Mat<2>& second) { return Inertia<2>(second.trace()); }
Inertia<3> inertia_from(const Mat<3>& second) { return second.trace() * Mat<3>::Identity() - second; }

}  // namespace

template <int Dim>
double compute_volume(const Shape<Dim>& shape) {
  return moments_of<Dim>(shape).volume;
}

template <int Dim>
MassProperties<Dim> compute_mass_properties(const Shape<Dim>& shape, double density,
                                            const std::string& where) {
  if (!(density > 0) || !std::isfinite(density)) {
    throw InputError(where, "density", fmt::format("{}", density), "a finite number above 0");
  }
  const Moments<Dim> m = moments_of<Dim>(shape);
  if (!(m.volume > 0)) {
    throw InputError(where, "a shape without volume has no mass by density", {},
                     "a mass and inertia, or a fixed body");
  }
  MassProperties<Dim> result;
  result.mass = density * m.volume;
  result.centre = m.centre;
  result.inertia = density * inertia_from(m.second);
  return result;
}

template <int Dim>
void check_inertia(double mass, const Inertia<Dim>& inertia, const std::string& where) {
  if (!(mass > 0) || !std::isfinite(mass)) {
    throw InputError(where, "mass", fmt::format("{}", mass), "a finite number above 0");
  }
  if (!inertia.allFinite()) throw InputError(where, "inertia", "nan or inf", "finite numbers");
  // Numbers typed with a few digits must pass: a round-off of 1e-9 of the largest moment.
  const double slack = 1e-9 * inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > slack) {
    throw InputError(where, "inertia is not symmetric");
  }
  const SmallVector<kSpins<Dim>> moments = symmetric_eigenvalues<kSpins<Dim>>(inertia);
  if (!(moments(0) > 0)) {
    throw InputError(where, "smallest principal moment of inertia", fmt::format("{}", moments(0)), "above 0");
  }
  if constexpr (Dim == 3) {
    if (moments(2) > moments(0) + moments(1) + slack) {
      throw InputError(where, "principal moments of inertia",
                       fmt::format("{}, {}, {}", moments(0), moments(1), moments(2)),
                       "the largest at most the sum of the two others");
    }
  }
}

template double compute_volume<2>(const Shape<2>&);
template double compute_volume<3>(const Shape<3>&);
template MassProperties<2> compute_mass_properties<2>(const Shape<2>&, double, const std::string&);
template MassProperties<3> compute_mass_properties<3>(const Shape<3>&, double, const std::string&);
template void check_inertia<2>(double, const Inertia<2>&, const std::string&);
template void check_inertia<3>(double, const Inertia<3>&, const std::string&);

}  // namespace saltus
