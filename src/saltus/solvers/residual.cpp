#include "saltus/solvers/residual.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "saltus/solvers/natural_map.hpp"

namespace saltus {

namespace {

constexpr std::array kKinds = {ResidualKind::natural, ResidualKind::relative_b, ResidualKind::siconos,
                               ResidualKind::scaled};

// Factors that make impulses and velocities of one problem dimensionless.
template <class C>
struct Units {
  typename C::Vector impulse, velocity;
  double rolling_ratio = 1;  // mu_r is a length: multiplied by this it is a number
};

// |b| with angular velocities made linear by the length 1 / rolling_ratio; 1 when b = 0.
template <class C>
double compute_speed(const ContactProblem& problem, double rolling_ratio) {
  if constexpr (C::kRollings == 0) {
    const double norm = problem.b.norm();
    return norm > 0 ? norm : 1.0;
  }
  double square = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const typename C::Vector b = problem.b.segment<C::kSize>(c * C::kSize);
    square += b.template head<1 + C::kTangents>().squaredNorm() +
              b.template tail<C::kRollings>().squaredNorm() / (rolling_ratio * rolling_ratio);
  }
  return square > 0 ? std::sqrt(square) : 1.0;
}

template <class C>
Units<C> compute_units(const ContactProblem& problem) {
  double w = 0, w_r = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const Eigen::Map<const typename C::Matrix> block(problem.W.block_at(problem.W.diagonal[c]));
    w += block.diagonal().template head<1 + C::kTangents>().sum();
    w_r += block.diagonal().template tail<C::kRollings>().sum();
  }
  w /= std::max(1, problem.contacts() * (1 + C::kTangents));
  w_r /= std::max(1, problem.contacts() * C::kRollings);
  if (!(w > 0)) w = 1;
  if (!(w_r > 0)) w_r = w;
  Units<C> units;
  units.rolling_ratio = std::sqrt(w_r / w);
  const double speed = compute_speed<C>(problem, units.rolling_ratio);
  units.impulse.setConstant(w / speed);
  units.velocity.setConstant(1 / speed);
  units.impulse.template tail<C::kRollings>().setConstant(std::sqrt(w * w_r) / speed);
  units.velocity.template tail<C::kRollings>().setConstant(1 / (units.rolling_ratio * speed));
  return units;
}

// Sums over blocks of |e_c|^2, in the units given and without units.
struct Squares {
  double plain = 0, scaled = 0;
};

template <class C>
Squares compute_squares(C, const ContactProblem& problem, const Eigen::VectorXd& r,
                        const Eigen::VectorXd& u) {
  const Units<C> units = compute_units<C>(problem);
  Squares sum;
  for (int c = 0; c < problem.contacts(); ++c) {
    const typename C::Vector rc = r.segment<C::kSize>(c * C::kSize);
    const typename C::Vector uc = u.segment<C::kSize>(c * C::kSize);
    ConeLaw<C> law = law_of<C>(problem, c);
    sum.plain += natural_map_square<C>(law, rc, uc);
    law.mu_r *= units.rolling_ratio;
    sum.scaled += natural_map_square<C>(law, rc.cwiseProduct(units.impulse), uc.cwiseProduct(units.velocity));
  }
  return sum;
}

// Lengths that bring the components of a mixed problem to one unit. Contacts of Coulomb's give the unit, as in
// a problem of contacts alone; a component of another set may be a rotation or anything else, and is brought
// to it by its own entry of W (one for all components of a ball, which have one unit).
template <class C>
class MixedLengths {
 public:
  explicit MixedLengths(const ContactProblem& problem) : problem_(problem) {
    double w_r = 0;
    int plain = 0, rolling = 0;
    for (int c = 0; c < problem.contacts(); ++c) {
      if (problem.sets[c].kind != SetKind::coulomb) continue;
      const auto diagonal = problem.W.diagonal_view(c).diagonal();
      w += diagonal.template head<1 + C::kTangents>().sum();
      plain += 1 + C::kTangents;
      if (problem.sets[c].size == 1 + C::kTangents) continue;
      w_r += diagonal.template tail<C::kRollings>().sum();
      rolling += C::kRollings;
    }
    w = plain > 0 && w > 0 ? w / plain : 1.0;
    w_r = rolling > 0 && w_r > 0 ? w_r / rolling : w;
    rolling_ = std::sqrt(w / w_r);
  }

  double w = 0;

  // Zero for padding.
  typename C::Vector of(int c) const {
    const BlockSet& set = problem_.sets[c];
    const auto diagonal = problem_.W.diagonal_view(c).diagonal();
    typename C::Vector lengths = C::Vector::Ones();
    if (set.kind == SetKind::coulomb) lengths.template tail<C::kRollings>().setConstant(rolling_);
    if (set.kind == SetKind::half_line) lengths[0] = length(diagonal[0]);
    if (set.kind == SetKind::ball) lengths.setConstant(length(diagonal.head(set.size).mean()));
    if (set.kind == SetKind::space)
      for (int i = 0; i < set.size; ++i) lengths[i] = length(diagonal[i]);
    set_tail(set.size, 0.0, lengths);
    return lengths;
  }

 private:
  double length(double own) const { return own > 0 ? std::sqrt(w / own) : 1.0; }

  const ContactProblem& problem_;
  double rolling_ = 1;
};

template <class C>
Squares compute_squares(Mixed<C>, const ContactProblem& problem, const Eigen::VectorXd& r,
                        const Eigen::VectorXd& u) {
  using Vector = typename C::Vector;
  const MixedLengths<C> lengths(problem);
  double speed = 0;
  for (int c = 0; c < problem.contacts(); ++c)
    speed += problem.b.segment<C::kSize>(c * C::kSize).cwiseProduct(lengths.of(c)).squaredNorm();
  speed = speed > 0 ? std::sqrt(speed) : 1.0;
  Squares sum;
  for (int c = 0; c < problem.contacts(); ++c) {
    const Vector rc = r.segment<C::kSize>(c * C::kSize), length = lengths.of(c);
    const Vector uc = u.segment<C::kSize>(c * C::kSize);
    const Vector impulse = (length.array() > 0).select(lengths.w / speed / length.array(), 1.0);
    MixedLaw<C> law = law_of<Mixed<C>>(problem, c);
    sum.plain += natural_map_square<C>(law, rc, uc);
    law.cone.mu_r *= impulse[C::kSize - 1] / impulse[0];
    law.radius *= impulse[0];
    sum.scaled += natural_map_square<C>(law, rc.cwiseProduct(impulse), uc.cwiseProduct(length) / speed);
  }
  return sum;
}

Residuals compute(const Squares& squares, const ContactProblem& problem, const Eigen::VectorXd& r,
                  const Eigen::VectorXd& u) {
  const double norm_b = problem.b.norm();
  const double speed = norm_b > 0 ? norm_b : 1.0;
  Residuals result;
  result.absolute = std::sqrt(squares.plain);
  result.relative_b = result.absolute / speed;
  const double largest = std::max({norm_b, r.norm(), u.norm()});
  result.siconos = largest > 2.2e-16 ? result.absolute / largest : result.absolute;
  result.scaled = std::sqrt(squares.scaled);
  return result;
}

}  // namespace

std::optional<ResidualKind> parse_residual_kind(const std::string& text) {
  for (const ResidualKind kind : kKinds)
    if (text == name(kind)) return kind;
  return std::nullopt;
}

const char* name(ResidualKind kind) {
  switch (kind) {
    case ResidualKind::natural: return "natural";
    case ResidualKind::relative_b: return "relative-b";
    case ResidualKind::siconos: return "siconos";
    case ResidualKind::scaled: break;
  }
  return "scaled";
}

double Residuals::of(ResidualKind kind) const {
  switch (kind) {
    case ResidualKind::natural: return absolute;
    case ResidualKind::relative_b: return relative_b;
    case ResidualKind::siconos: return siconos;
    case ResidualKind::scaled: break;
  }
  return scaled;
}

Residuals compute_residuals(const ContactProblem& problem, const Eigen::VectorXd& r,
                            const Eigen::VectorXd& u) {
  return with_blocks(
      problem, [&](auto block) { return compute(compute_squares(block, problem, r, u), problem, r, u); });
}

Eigen::VectorXd compute_block_residuals(const ContactProblem& problem, const Eigen::VectorXd& r,
                                        const Eigen::VectorXd& u) {
  Eigen::VectorXd result(problem.contacts());
  with_blocks(problem, [&](auto block) {
    using B = decltype(block);
    for (int c = 0; c < problem.contacts(); ++c)
      result[c] = std::sqrt(natural_map_square<typename B::Plain>(
          law_of<B>(problem, c), r.segment<B::kSize>(c * B::kSize), u.segment<B::kSize>(c * B::kSize)));
  });
  return result;
}

}  // namespace saltus
