#include "saltus/solvers/sweep_exact.hpp"

namespace saltus {

namespace {

template <class C>
VelocityResidual residual_of(const VelocityProblem<kDim<C>>& problem) {
  VelocityResidual result;
  double sum = 0, largest = -1;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const SweepContact<kDim<C>>& c = problem.contacts[i];
    const typename C::Vector r = impulse_of<C>(c);
    typename C::Vector u = contact_velocity<C>(problem.bodies[c.a], problem.bodies[c.b], c);
    u.template head<kDim<C>>() += c.shift;
    u += compliance_of<C>(c).cwiseProduct(r);
    const double square = natural_map_square<C>(r, u, c.mu, c.mu_r, 1 / problem.mass, problem.length);
    sum += square;
    if (!(square <= largest)) {
      largest = square;
      result.worst = static_cast<int>(i);
    }
  }
  if (!problem.contacts.empty()) {
    result.rms = std::sqrt(sum / static_cast<double>(problem.contacts.size()));
    result.max = std::sqrt(largest);
  }
  return result;
}

}  // namespace

template <>
VelocityResidual compute_residual<2>(const VelocityProblem<2>& problem) {
  return problem.rolling ? residual_of<Rolling2>(problem) : residual_of<Coulomb2>(problem);
}
template <>
VelocityResidual compute_residual<3>(const VelocityProblem<3>& problem) {
  return problem.rolling ? residual_of<Rolling3>(problem) : residual_of<Coulomb3>(problem);
}

}  // namespace saltus
