#include "saltus/sim/followers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/sim/line_followers.hpp"
#include "saltus/sim/surface_followers.hpp"

namespace saltus {

namespace {

Pose<2> pose_of(const Vec<2>& position, const Spin<2>& turn) { return Pose<2>(position, turn[0]); }
Pose<3> pose_of(const Vec<3>& position, const Spin<3>& turn) {
  return Pose<3>(position, exponential_map(turn));
}

// w = rate_of_turn(turn) d(turn)/dt.
Mat<1> rate_of_turn(const Spin<2>&) { return Mat<1>::Identity(); }
Mat<3> rate_of_turn(const Spin<3>& turn) {
  const double a = turn.norm();
  Mat<3> cross;
  cross << 0, -turn.z(), turn.y(), turn.z(), 0, -turn.x(), -turn.y(), turn.x(), 0;
  constexpr double kSmall = 1e-4;  // below, the next term of the series is of the size of round-off
  const double first = a < kSmall ? 0.5 - a * a / 24 : (1 - std::cos(a)) / (a * a);
  const double second = a < kSmall ? 1.0 / 6 - a * a / 120 : (a - std::sin(a)) / (a * a * a);
  return Mat<3>::Identity() + first * cross + second * cross * cross;
}

// Value of a function, and its derivatives added to a row over `dofs`, which hold its own.
template <class Row>
double evaluate_into(const CoordinateFunction& f, const Eigen::VectorXd& q, const std::vector<int>& dofs,
                     Eigen::VectorXd& gradient, Row&& row) {
  gradient.resize(static_cast<Eigen::Index>(f.dofs().size()));
  double rate = 0;
  const double value = f.evaluate(q, 0, gradient, rate);
  for (std::size_t i = 0, k = 0; i < f.dofs().size(); ++i) {
    while (dofs[k] != f.dofs()[i]) ++k;
    row[static_cast<Eigen::Index>(k)] = gradient[static_cast<Eigen::Index>(i)];
  }
  return value;
}

template <int Dim>
void place_point(const FollowerModel<Dim>& follower, const Eigen::VectorXd& q, Eigen::VectorXd& gradient,
                 FollowerPlace<Dim>& place) {
  place.placement.setZero(kDofs<Dim>, static_cast<Eigen::Index>(follower.dofs.size()));
  Vec<Dim> position;
  Spin<Dim> turn = Spin<Dim>::Zero();
  for (int i = 0; i < Dim; ++i)
    position[i] =
        evaluate_into(*follower.point->position[i], q, follower.dofs, gradient, place.placement.row(i));
  for (int i = 0; i < kSpins<Dim>; ++i)
    if (const auto& f = follower.point->turn[i])
      turn[i] = evaluate_into(*f, q, follower.dofs, gradient, place.placement.row(Dim + i));
  const Mat<kSpins<Dim>> rate = rate_of_turn(turn);
  for (Eigen::Index k = 0; k < place.placement.cols(); ++k) {
    const Spin<Dim> column = place.placement.col(k).template tail<kSpins<Dim>>();
    place.placement.col(k).template tail<kSpins<Dim>>() = rate * column;
  }
  place.pose = pose_of(position, turn);
}

// Of a point, at the start: finite, and without time of its own (a body that is driven is there for that).
void check_place(const CoordinateFunction& f, const SceneFormula& formula, const Eigen::VectorXd& q) {
  Eigen::VectorXd gradient(static_cast<Eigen::Index>(f.dofs().size()));
  double rate = 0;
  const double value = f.evaluate(q, 0, gradient, rate);
  if (!std::isfinite(value) || !gradient.allFinite())
    throw InputError(formula.where, "the place of a point, \"" + formula.text + "\"",
                     fmt::format("{}", value), "a finite value with finite derivatives at the start");
  if (f.has_time())
    throw InputError(formula.where, "the place of a point depends on t", '"' + formula.text + '"',
                     "a formula of the coordinates; a coordinate with a moving constraint may follow t");
}

}  // namespace

template <int Dim>
void add_points(const SceneLagrangianSystem<Dim>& from, const System& made, int system, Scene<Dim>& scene,
                std::vector<FollowerModel<Dim>>& followers) {
  for (std::size_t i = 0; i < from.points.size(); ++i) {
    const SceneSystemPoint<Dim>& point = from.points[i];
    auto functions = std::make_shared<PointFunctions<Dim>>();
    FollowerModel<Dim> follower;
    const auto build = [&](const SceneFormula& formula) {
      auto f = build_function(formula, from.names);
      check_place(*f, formula, made.coordinates());
      follower.dofs.insert(follower.dofs.end(), f->dofs().begin(), f->dofs().end());
      return f;
    };
    for (int k = 0; k < Dim; ++k) functions->position[k] = build(point.position[k]);
    for (int k = 0; k < kSpins<Dim>; ++k)
      if (!point.turn[k].text.empty() || point.turn[k].function) functions->turn[k] = build(point.turn[k]);
    std::sort(follower.dofs.begin(), follower.dofs.end());
    follower.dofs.erase(std::unique(follower.dofs.begin(), follower.dofs.end()), follower.dofs.end());
    follower.point = std::move(functions);
    follower.body = static_cast<int>(scene.bodies.size());
    follower.system = system;
    SceneBody<Dim> body;
    body.name = !point.name.empty() ? point.name
                                    : fmt::format("{} point {}", from.name.empty() ? "system" : from.name, i);
    body.where = SharedText(point.where);
    body.material = point.material;
    body.shape = point.shape;
    body.centre = Vec<Dim>::Zero().eval();  // its frame is that of the point
    body.fixed = true;
    body.follows = system;
    body.group = point.group;
    body.mask = point.mask;
    body.pose = place_follower<Dim>(follower, made.coordinates(), made.velocity(), 0).pose;
    followers.push_back(std::move(follower));
    scene.bodies.push_back(std::move(body));
  }
}

template <int Dim>
void find_moves(const System& system, FollowerModel<Dim>& follower) {
  follower.moves.setZero();
  for (std::size_t k = 0; k < follower.dofs.size(); ++k) {
    if (system.is_driven(follower.dofs[k])) continue;
    if (follower.is_on_surface())
      follower.moves[static_cast<Eigen::Index>(k % Dim)] = 1;
    else
      follower.moves.setOnes();
  }
}

template <int Dim>
void place_follower(const FollowerModel<Dim>& follower, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    double advance, FollowerScratch& scratch, FollowerPlace<Dim>& place) {
  if (follower.line) {
    place_on_line(*follower.line, q, v, advance, place);
  } else if (follower.point) {
    scratch.q = q;
    if (advance != 0) scratch.q += advance * v;
    place_point<Dim>(follower, scratch.q, scratch.gradient, place);
  } else {
    place_on_surface(follower, q, v, advance, place);
  }
}

template <int Dim>
Eigen::Matrix<double, kDofs<Dim>, 1> follower_velocity(
    const FollowerModel<Dim>& follower, const Eigen::Matrix<double, kDofs<Dim>, Eigen::Dynamic>& placement,
    const Eigen::VectorXd& v) {
  Eigen::Matrix<double, kDofs<Dim>, 1> result = Eigen::Matrix<double, kDofs<Dim>, 1>::Zero();
  if (follower.corners.size() == 1) {  // a point, which does not turn
    for (Eigen::Index i = 0; i < follower.shares.cols(); ++i)
      result.template head<Dim>() += follower.shares(0, i) * v.segment<Dim>(follower.dofs[Dim * i]);
    return result;
  }
  for (std::size_t i = 0; i < follower.dofs.size(); ++i)
    result += placement.col(static_cast<Eigen::Index>(i)) * v[follower.dofs[i]];
  return result;
}

template <int Dim>
Mat<Dim> follower_stretch(const FollowerModel<Dim>& follower, const FollowerPlace<Dim>& place,
                          const Eigen::VectorXd& v) {
  Mat<Dim> result = Mat<Dim>::Zero();
  for (Eigen::Index i = 0; i < place.stretch.cols(); ++i)
    result += v[follower.dofs[static_cast<std::size_t>(i)]] *
              Eigen::Map<const Mat<Dim>>(place.stretch.col(i).data());
  return result;
}

template Mat<2> follower_stretch<2>(const FollowerModel<2>&, const FollowerPlace<2>&, const Eigen::VectorXd&);
template Mat<3> follower_stretch<3>(const FollowerModel<3>&, const FollowerPlace<3>&, const Eigen::VectorXd&);
template void find_moves<2>(const System&, FollowerModel<2>&);
template void find_moves<3>(const System&, FollowerModel<3>&);
template void add_points<2>(const SceneLagrangianSystem<2>&, const System&, int, Scene<2>&,
                            std::vector<FollowerModel<2>>&);
template void add_points<3>(const SceneLagrangianSystem<3>&, const System&, int, Scene<3>&,
                            std::vector<FollowerModel<3>>&);
template void place_follower<2>(const FollowerModel<2>&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                                double, FollowerScratch&, FollowerPlace<2>&);
template void place_follower<3>(const FollowerModel<3>&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                                double, FollowerScratch&, FollowerPlace<3>&);
template Eigen::Matrix<double, 3, 1> follower_velocity<2>(const FollowerModel<2>&,
                                                          const Eigen::Matrix<double, 3, Eigen::Dynamic>&,
                                                          const Eigen::VectorXd&);
template Eigen::Matrix<double, 6, 1> follower_velocity<3>(const FollowerModel<3>&,
                                                          const Eigen::Matrix<double, 6, Eigen::Dynamic>&,
                                                          const Eigen::VectorXd&);

}  // namespace saltus
