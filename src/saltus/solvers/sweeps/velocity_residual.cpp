#include "saltus/base/parallel.hpp"
#include "saltus/solvers/sweeps/sweep_exact.hpp"

namespace saltus {

namespace {

constexpr std::int64_t kContactsPerChunk = 4096;

struct Squares {
  double sum = 0, largest = -1;
  int worst = -1;

  void add(double square, int contact) {
    sum += square;
    if (square <= largest) return;  // not a number is the largest
    largest = square;
    worst = contact;
  }
};

Squares join(Squares left, const Squares& right) {
  const double sum = left.sum + right.sum;
  if (right.worst >= 0) left.add(right.largest, right.worst);
  left.sum = sum;
  return left;
}

template <class C>
double residual_square(const VelocityProblem<kDim<C>>& problem, const SweepContact<kDim<C>>& c) {
  const typename C::Vector r = impulse_of<C>(c);
  typename C::Vector u = contact_velocity<C>(problem.bodies[c.a], problem.bodies[c.b], c);
  double lag = 0;
  if (c.viscous > 0) {
    const Vec<kDim<C>> acting = u.template head<kDim<C>>() + c.viscous_shift();
    Vec<kDim<C>> missing = c.p - c.r;
    missing.template tail<C::kTangents>() += c.viscous * acting.template tail<C::kTangents>();
    lag = (missing / problem.mass).squaredNorm();
  }
  u += shift_of<C>(c);
  u += compliance_of<C>(c).cwiseProduct(r);
  return lag + natural_map_square<C>(r, u, c.mu, c.mu_r, 1 / problem.mass, problem.length);
}

// `tell`: called with each contact's place and the square of its residual.
template <class C, class Tell>
VelocityResidual residual_of(const VelocityProblem<kDim<C>>& problem, const Tell& tell) {
  if (problem.contacts.empty()) return {};
  const Squares squares = parallel_reduce(
      static_cast<std::int64_t>(problem.contacts.size()), kContactsPerChunk, Squares(),
      [&](std::int64_t begin, std::int64_t end) {
        Squares part;
        for (std::int64_t i = begin; i < end; ++i) {
          const double square = residual_square<C>(problem, problem.contacts[i]);
          part.add(square, static_cast<int>(i));
          tell(i, square);
        }
        return part;
      },
      join);
  return {std::sqrt(squares.sum / static_cast<double>(problem.contacts.size())), std::sqrt(squares.largest),
          squares.worst};
}

template <class C>
double norm_of(const VelocityProblem<kDim<C>>& problem, std::span<const int> contacts) {
  const double sum = parallel_reduce(
      static_cast<std::int64_t>(contacts.size()), kContactsPerChunk, 0.0,
      [&](std::int64_t begin, std::int64_t end) {
        double part = 0;
        for (std::int64_t i = begin; i < end; ++i)
          part += residual_square<C>(problem, problem.contacts[contacts[i]]);
        return part;
      },
      [](double left, double right) { return left + right; });
  return std::sqrt(sum);
}

template <int Dim, class Tell>
VelocityResidual residual_of_cone(const VelocityProblem<Dim>& problem, const Tell& tell) {
  using Rolling = std::conditional_t<Dim == 2, Rolling2, Rolling3>;
  using Coulomb = std::conditional_t<Dim == 2, Coulomb2, Coulomb3>;
  return problem.rolling ? residual_of<Rolling>(problem, tell) : residual_of<Coulomb>(problem, tell);
}

}  // namespace

template <int Dim>
VelocityResidual compute_residual(const VelocityProblem<Dim>& problem) {
  return residual_of_cone<Dim>(problem, [](std::int64_t, double) {});
}

template <int Dim>
VelocityResidual update_residuals(VelocityProblem<Dim>& problem) {
  return residual_of_cone<Dim>(problem, [&](std::int64_t i, double square) {
    problem.contacts[static_cast<std::size_t>(i)].residual = static_cast<float>(std::sqrt(square));
  });
}

template VelocityResidual compute_residual<2>(const VelocityProblem<2>&);
template VelocityResidual compute_residual<3>(const VelocityProblem<3>&);
template VelocityResidual update_residuals<2>(VelocityProblem<2>&);
template VelocityResidual update_residuals<3>(VelocityProblem<3>&);

template <>
double compute_residual_norm<2>(const VelocityProblem<2>& problem, std::span<const int> contacts) {
  return problem.rolling ? norm_of<Rolling2>(problem, contacts) : norm_of<Coulomb2>(problem, contacts);
}
template <>
double compute_residual_norm<3>(const VelocityProblem<3>& problem, std::span<const int> contacts) {
  return problem.rolling ? norm_of<Rolling3>(problem, contacts) : norm_of<Coulomb3>(problem, contacts);
}

}  // namespace saltus
