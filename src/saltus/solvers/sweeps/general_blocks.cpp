#include "saltus/solvers/sweeps/general_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "saltus/solvers/sweeps/sweep_order.hpp"

namespace saltus {

namespace {

// u += H^T v and v += Mhat^-1 H p of one side, by a number of rows that the compiler knows: sums stay in registers, and
// are those of a loop over rows to the bit.
template <int Rows, class View>
void add_rows(const double* jacobian, const int* places, int dofs, const View& view, double* u) {
  for (int d = 0; d < dofs; ++d) {
    const double v = view.gap == 0 ? view.v[places[d]] : view.at(places[d]);
    for (int k = 0; k < Rows; ++k) u[k] += jacobian[k * dofs + d] * v;
  }
}
// Of two velocities at once.
template <int Rows>
void add_rows_of_both(const double* __restrict jacobian, const int* __restrict places, int dofs,
                      const double* __restrict one, const double* __restrict two, double* __restrict u,
                      double* __restrict w) {
  for (int d = 0; d < dofs; ++d) {
    const int place = places[d];
    for (int k = 0; k < Rows; ++k) {
      const double factor = jacobian[k * dofs + d];
      u[k] += factor * one[place];
      w[k] += factor * two[place];
    }
  }
}
template <int Rows>
void apply_rows(const double* __restrict response, int size, const double* p, double* __restrict v) {
  for (int i = 0; i < size; ++i) {
    double sum = v[i];
    for (int k = 0; k < Rows; ++k) sum += response[static_cast<std::size_t>(k) * size + i] * p[k];
    v[i] = sum;
  }
}

// |r - P_K(r - u~)|^2 of Coulomb's cone in the plane (solvers/cone.cpp, project), in one unit.
double plane_map_square(double mu, double rn, double rt, double un, double ut) {
  const double zn = rn - (un + mu * std::abs(ut)), zt = rt - ut, slide = zn + mu * std::abs(zt);
  double n = zn, t = zt;
  if (mu * zn < std::abs(zt) || zn < 0) {
    n = std::max(0.0, slide / (1 + mu * mu));
    t = std::copysign(mu * n, zt);
  }
  return (rn - n) * (rn - n) + (rt - t) * (rt - t);
}

// f with the number of rows as a constant.
template <class F>
void with_rows(int rows, F&& f) {
  switch (rows) {
    case 1: return f(std::integral_constant<int, 1>());
    case 2: return f(std::integral_constant<int, 2>());
    case 3: return f(std::integral_constant<int, 3>());
    case 4: return f(std::integral_constant<int, 4>());
    default: return f(std::integral_constant<int, 5>());
  }
}

bool is_general(const BlockSystem::Block& block) { return block.is_swept(); }

template <int N, class Solver>
bool solve_block(Solver& solver, const double* W, const double* b, int rows, double* r) {
  using Vector = Eigen::Matrix<double, N, 1>;
  Vector free = Vector::Zero(), x = Vector::Zero();
  for (int k = 0; k < rows; ++k) free[k] = b[k], x[k] = r[k];
  const bool solved = [&] {
    if constexpr (requires { solver.solve(free, x); })
      return solver.solve(free, x);
    else
      return solver.solve(W, free, x);
  }();
  for (int k = 0; k < rows; ++k) r[k] = x[k];
  return solved;
}

template <int N>
Eigen::Matrix<double, N, N> padded(const double* W, int rows) {
  Eigen::Matrix<double, N, N> result = Eigen::Matrix<double, N, N>::Zero();
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows; ++i) result(i, j) = W[j * rows + i];
  return result;
}

}  // namespace

template <int Dim>
GeneralCost GeneralBlocks<Dim>::cost(const BlockSystem& system, const Elimination& elimination,
                                     Joints joints) {
  if (joints == Joints::loose) {
    const double once = 4 * static_cast<double>(elimination.entries()) + 30 * elimination.rows();
    return {static_cast<double>(system.free.size()), 2 * once, once};
  }
  std::vector<double>& dofs = dofs_;
  dofs.assign(elimination.components(), 0.0);
  part_place_.assign(system.parts.size(), -1);
  const auto each_end = [&](auto&& visit) {
    for (const BlockSystem::Block& block : system.blocks)
      if (is_general(block))
        for (const BlockSystem::End& end : system.ends_of(block))
          if (system.parts[end.part].body < 0) visit(block, end.part);
  };
  each_end([&](const BlockSystem::Block&, int part) {
    if (part_place_[part] >= 0) return;
    part_place_[part] = 0;
    dofs[elimination.component_of(part)] += system.parts[part].size;
  });
  GeneralCost cost;
  for (int c = 0; c < elimination.components(); ++c) {
    cost.numbers += dofs[c] * dofs[c];
    cost.build += dofs[c] * (4 * static_cast<double>(elimination.entries(c)) + 12 * dofs[c]);
  }
  each_end([&](const BlockSystem::Block& block, int part) {
    const double numbers = block.rows() * dofs[elimination.component_of(part)];
    cost.numbers += numbers;
    cost.build += 12 * numbers;
    cost.sweep += numbers;
  });
  return cost;
}

// Components are numbered as blocks meet them; loose, each part is one by itself.
template <int Dim>
void GeneralBlocks<Dim>::find_components(const BlockSystem& system, const Elimination& elimination) {
  component_at_.assign(elimination.components(), -1);
  part_place_.assign(system.parts.size(), -1);
  outside_of_.assign(system.parts.size(), -1);
  component_of_.assign(system.parts.size(), -1);
  components_.clear();
  outside_.clear();
  touched_.clear();
  const auto touch = [&](int part) {
    if (system.parts[part].body >= 0) {
      if (outside_of_[part] >= 0) return;
      outside_of_[part] = static_cast<int>(outside_.size());
      outside_.push_back({system.parts[part].body, part, -1, -1});
      return;
    }
    if (part_place_[part] >= 0) return;
    int alone = -1;
    int& component = joints_ == Joints::loose ? alone : component_at_[elimination.component_of(part)];
    if (component < 0) {
      component = static_cast<int>(components_.size());
      components_.push_back({0, 0});
    }
    component_of_[part] = component;
    part_place_[part] = components_[component].size;
    components_[component].size += system.parts[part].size;
    touched_.push_back(part);
  };
  for (const BlockSystem::Block& block : system.blocks)
    if (is_general(block))
      for (const BlockSystem::End& end : system.ends_of(block)) touch(end.part);
  std::sort(touched_.begin(), touched_.end(), [&](int a, int b) {
    return std::pair(component_of_[a], part_place_[a]) < std::pair(component_of_[b], part_place_[b]);
  });
  touched_begin_.assign(components_.size() + 1, 0);
  for (const int part : touched_) ++touched_begin_[component_of_[part] + 1];
  for (std::size_t c = 0; c < components_.size(); ++c) touched_begin_[c + 1] += touched_begin_[c];
}

template <int Dim>
void GeneralBlocks<Dim>::compute_mobilities(const BlockSystem& system, std::span<const double> reduced) {
  free_.clear();
  mobility_begin_.clear();
  if (joints_ == Joints::loose) {
    free_ = system.free;
    for (const int part : touched_) {
      components_[component_of_[part]].velocity = system.parts[part].velocity;
      mobility_begin_.push_back(system.parts[part].inverse);
    }
    return;
  }
  std::size_t numbers = 0;
  for (const Component& component : components_) {
    mobility_begin_.push_back(numbers);
    numbers += static_cast<std::size_t>(component.size) * component.size;
  }
  mobility_.resize(numbers);
  for (std::size_t c = 0; c < components_.size(); ++c) {
    components_[c].velocity = free_.size();
    const std::span<const int> parts(touched_.data() + touched_begin_[c],
                                     touched_.data() + touched_begin_[c + 1]);
    for (const int part : parts) {
      const double* v = reduced.data() + system.parts[part].velocity;
      free_.insert(free_.end(), v, v + system.parts[part].size);
    }
    elimination_->compute_mobility(system, parts, components_[c].size, mobility_.data() + mobility_begin_[c]);
  }
}

template <int Dim>
void GeneralBlocks<Dim>::build(const BlockSystem& system, Elimination& elimination, Joints joints,
                               std::span<const double> reduced) {
  system_ = &system;
  elimination_ = &elimination;
  joints_ = joints;
  find_components(system, elimination);
  compute_mobilities(system, reduced);
  records_.clear();
  sides_.clear();
  places_.clear();
  response_.clear();
  W_.clear();
  plane_.clear();
  locals_.clear();
  r_.clear();
  constant_.clear();
  for (std::size_t b = 0; b < system.blocks.size(); ++b)
    if (is_general(system.blocks[b])) add_record(system, static_cast<int>(b));
  last_ = r_;
}

template <int Dim>
void GeneralBlocks<Dim>::add_record(const BlockSystem& system, int b) {
  const BlockSystem::Block& block = system.blocks[b];
  Record record{
      b, block.rows(), static_cast<int>(r_.size()), static_cast<int>(sides_.size()), block.ends, W_.size(),
      0, false};
  for (const BlockSystem::End& end : system.ends_of(block)) add_side(system, end, record.rows);
  for (int k = 0; k < record.rows; ++k) {
    r_.push_back(system.r[block.first_row + k]);
    constant_.push_back(system.ground[block.first_row + k] + system.shift[block.first_row + k]);
  }
  // W: what a unit of each row does to all, over the sides that meet in one component or body.
  W_.resize(W_.size() + static_cast<std::size_t>(record.rows) * record.rows, 0.0);
  double* W = W_.data() + record.W;
  for (int s = record.first_side; s < record.first_side + record.sides; ++s)
    for (int t = record.first_side; t < record.first_side + record.sides; ++t) {
      const Side &seen = sides_[s], &pushed = sides_[t];
      if (seen.component != pushed.component || seen.outside != pushed.outside) continue;
      for (int j = 0; j < record.rows; ++j) {
        const double* response =
            response_.data() + pushed.response + static_cast<std::size_t>(j) * pushed.size;
        const double* jacobian = system.jacobian.data() + seen.jacobian;
        for (int i = 0; i < record.rows; ++i, jacobian += seen.dofs)
          for (int d = 0; d < seen.dofs; ++d)
            W[j * record.rows + i] += jacobian[d] * response[places_[seen.first_place + d]];
      }
    }
  for (int k = 0; k < record.rows; ++k) W[k * record.rows + k] += system.compliance[block.first_row + k];
  record.is_plane = block.set.kind == SetKind::coulomb && record.rows == 2;
  record.local = static_cast<int>(record.is_plane ? plane_.size() : locals_.size());
  if (record.is_plane)
    plane_.emplace_back(padded<2>(W, 2), block.mu, 0);
  else
    locals_.push_back(build_local(block, W));
  records_.push_back(record);
}

namespace {

// out += sum over d of column places[d] of the mobility times factors[d], in the order of d: four at a time, a point between two nodes of
// the plane or a facet of it.
void add_columns(const double* mobility, int size, std::span<const int> places, const double* factors,
                 double* __restrict out) {
  const auto from = [&](std::size_t d) { return mobility + static_cast<std::size_t>(places[d]) * size; };
  std::size_t d = 0;
  for (; d + 4 <= places.size(); d += 4) {
    const double *m0 = from(d), *m1 = from(d + 1), *m2 = from(d + 2), *m3 = from(d + 3);
    const double f0 = factors[d], f1 = factors[d + 1], f2 = factors[d + 2], f3 = factors[d + 3];
    for (int i = 0; i < size; ++i) out[i] = out[i] + m0[i] * f0 + m1[i] * f1 + m2[i] * f2 + m3[i] * f3;
  }
  for (; d < places.size(); ++d) {
    const double* m = from(d);
    for (int i = 0; i < size; ++i) out[i] += m[i] * factors[d];
  }
}

}  // namespace

template <int Dim>
void GeneralBlocks<Dim>::add_side(const BlockSystem& system, const BlockSystem::End& end, int rows) {
  const BlockSystem::Part& part = system.parts[end.part];
  const bool is_outside = part.body >= 0;
  const int component = component_of_[end.part];
  Side side{component,
            outside_of_[end.part],
            end.dofs,
            static_cast<int>(places_.size()),
            end.jacobian,
            response_.size(),
            is_outside ? 0 : components_[component].velocity,
            is_outside ? part.size : components_[component].size};
  const int first = is_outside ? 0 : part_place_[end.part];
  for (int d = 0; d < end.dofs; ++d) places_.push_back(first + system.dof(end, d));
  const std::vector<double>& mobilities = joints_ == Joints::loose ? system.inverse : mobility_;
  const double* mobility =
      is_outside ? system.inverse.data() + part.inverse : mobilities.data() + mobility_begin_[component];
  response_.resize(response_.size() + static_cast<std::size_t>(side.size) * rows, 0.0);
  const double* column = system.jacobian.data() + end.jacobian;
  double* out = response_.data() + side.response;
  for (int k = 0; k < rows; ++k, column += end.dofs, out += side.size)
    add_columns(mobility, side.size, std::span(places_).subspan(side.first_place, end.dofs), column, out);
  sides_.push_back(side);
}

template <int Dim>
typename GeneralBlocks<Dim>::Local GeneralBlocks<Dim>::build_local(const BlockSystem::Block& block,
                                                                   const double* W) const {
  const int rows = block.rows();
  if (block.set.kind == SetKind::half_line) return HalfLine{W[0]};
  if (block.set.kind == SetKind::ball) {
    if (rows <= 2) return LocalBall<2>(padded<2>(W, rows), rows, block.set.radius);
    if (rows == 3) return LocalBall<3>(padded<3>(W, rows), rows, block.set.radius);
    return LocalBall<5>(padded<5>(W, rows), rows, block.set.radius);
  }
  if (rows == 5) return LocalRolling3(padded<5>(W, 5), block.mu, block.mu_r);
  if (block.mu_r > 0) return LocalRolling2(padded<3>(W, 3), block.mu, block.mu_r);
  return LocalCoulomb3(padded<3>(W, 3), block.mu, 0);
}

template <int Dim>
void GeneralBlocks<Dim>::renew(const BlockSystem& system) {
  for (const Record& record : records_)
    if (system.blocks[record.block].set.kind == SetKind::ball)
      locals_[record.local] = build_local(system.blocks[record.block], W_.data() + record.W);
}

template <int Dim>
bool GeneralBlocks<Dim>::solve_local(const Record& record, const double* b, double* r) {
  const double* W = W_.data() + record.W;
  if (record.is_plane) return solve_block<2>(plane_[record.local], W, b, 2, r);
  Local& local = locals_[record.local];
  switch (local.index()) {
    case 0: {
      const double a = std::get<HalfLine>(local).a;
      r[0] = b[0] < 0 && a > 0 ? -b[0] / a : 0.0;
      return b[0] >= 0 || a > 0;
    }
    case 1: return solve_block<3>(std::get<1>(local), W, b, 3, r);
    case 2: return solve_block<3>(std::get<2>(local), W, b, 3, r);
    case 3: return solve_block<5>(std::get<3>(local), W, b, 5, r);
    case 4: return solve_block<2>(std::get<4>(local), W, b, record.rows, r);
    case 5: return solve_block<3>(std::get<5>(local), W, b, record.rows, r);
    default: return solve_block<5>(std::get<6>(local), W, b, record.rows, r);
  }
}

template <int Dim>
typename GeneralBlocks<Dim>::View GeneralBlocks<Dim>::view_of(const Side& side, const Velocities& at) const {
  if (side.component >= 0) return {at.components + side.velocity, 0};
  const Outside& out = outside_[side.outside];
  if (out.place < 0) return {at.own + out.own, 0};
  return {at.bodies.velocity + static_cast<std::size_t>(out.place) * at.bodies.stride,
          at.bodies.spin_at - Dim};
}

template <int Dim>
template <class ViewOf>
void GeneralBlocks<Dim>::add_velocity(const Record& record, const ViewOf& view_of, double* u) const {
  for (int s = record.first_side; s < record.first_side + record.sides; ++s) {
    const Side& side = sides_[s];
    with_rows(record.rows, [&](auto rows) {
      add_rows<rows()>(system_->jacobian.data() + side.jacobian, places_.data() + side.first_place, side.dofs,
                       view_of(side), u);
    });
  }
}

template <int Dim>
template <int Rows, class ViewOf>
void GeneralBlocks<Dim>::apply_side(const Side& side, const double* p, const ViewOf& view_of) const {
  const View view = view_of(side);
  const double* response = response_.data() + side.response;
  if (side.outside < 0) return apply_rows<Rows>(response, side.size, p, view.v);
  for (int k = 0; k < Rows; ++k, response += side.size)
    for (int i = 0; i < side.size; ++i) view.at(i) += response[i] * p[k];
}

template <int Dim>
template <class ViewOf>
void GeneralBlocks<Dim>::apply(const Record& record, const double* p, const ViewOf& view_of) const {
  with_rows(record.rows, [&](auto rows) {
    for (int s = record.first_side; s < record.first_side + record.sides; ++s)
      apply_side<rows()>(sides_[s], p, view_of);
  });
}

template <int Dim>
double GeneralBlocks<Dim>::residual_square(const Record& record, const double* u) const {
  const BlockSystem::Block& block = system_->blocks[record.block];
  const double* r = r_.data() + record.first;
  if (!record.is_plane) return natural_map_square(*system_, block, r, u);
  const double* unit = system_->unit.data() + block.first_row;
  return plane_map_square(block.mu, r[0] / (system_->mass * unit[0]), r[1] / (system_->mass * unit[1]),
                          u[0] * unit[0], u[1] * unit[1]);
}

template <int Dim>
void GeneralBlocks<Dim>::start(const SweepOrder& order, std::span<const SweepBody<Dim>> bodies,
                               SweptBodies now) {
  own_.clear();
  for (Outside& out : outside_) {
    const int place = order.place_of_body(out.body);
    const bool is_swept = place >= 0 && place < order.bodies() && order.body(place) == out.body;
    out.place = is_swept ? place : -1;
    if (is_swept) continue;
    out.own = static_cast<int>(own_.size());
    const SweepBody<Dim>& body = bodies[out.body];
    own_.insert(own_.end(), std::begin(body.v), std::end(body.v));
    own_.insert(own_.end(), std::begin(body.w), std::end(body.w));
  }
  now_ = free_;
  const Velocities all{now_.data(), own_.data(), now};
  for (const Record& record : records_)
    apply(record, r_.data() + record.first, [&](const Side& side) { return view_of(side, all); });
  if (joints_ == Joints::loose) {
    multiplier_.resize(system_->r.size());
    elimination_->enforce(*system_, 0, now_, multiplier_);
    last_multiplier_ = multiplier_;
  }
  frozen_ = now_;
  own_frozen_ = own_;
  last_ = r_;
}

template <int Dim>
void GeneralBlocks<Dim>::push(double extrapolation) {
  const auto push_all = [&](std::vector<double>& now, std::vector<double>& frozen) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double v = now[i];
      now[i] = v + extrapolation * (v - frozen[i]);
      frozen[i] = v;
    }
  };
  push_all(now_, frozen_);
  push_all(own_, own_frozen_);
  if (joints_ == Joints::loose) push_all(multiplier_, last_multiplier_);
}

template <int Dim>
template <int Rows>
void GeneralBlocks<Dim>::visit_record(const SweepPass& pass, const Velocities& now, const Velocities& frozen,
                                      const Record& record, SweepSums& sums) {
  double* r = r_.data() + record.first;
  double* last = last_.data() + record.first;
  const double *constant = constant_.data() + record.first,
               *compliance = system_->compliance.data() + system_->blocks[record.block].first_row;
  double u[Rows], before[Rows], y[Rows], next[Rows], change[Rows];
  for (int k = 0; k < Rows; ++k) {
    before[k] = constant[k] + compliance[k] * r[k];
    y[k] = next[k] = r[k] + pass.extrapolation * (r[k] - last[k]);
    u[k] = constant[k] + compliance[k] * y[k];
  }
  for (int s = record.first_side; s < record.first_side + record.sides; ++s) {
    const Side& side = sides_[s];
    const double* jacobian = system_->jacobian.data() + side.jacobian;
    const int* places = places_.data() + side.first_place;
    if (pass.judged && side.component >= 0) {
      add_rows_of_both<Rows>(jacobian, places, side.dofs, now.components + side.velocity,
                             frozen.components + side.velocity, u, before);
      continue;
    }
    add_rows<Rows>(jacobian, places, side.dofs, view_of(side, now), u);
    if (pass.judged) add_rows<Rows>(jacobian, places, side.dofs, view_of(side, frozen), before);
  }
  if (pass.judged) {
    const double square = residual_square(record, before);
    sums.residual += square;
    if (pass.margins) sums.outside += !(square <= pass.margins->normal * pass.margins->normal);
  }
  const double* W = W_.data() + record.W;
  for (int j = 0; j < Rows; ++j)
    for (int i = 0; i < Rows; ++i) u[i] -= W[j * Rows + i] * y[j];
  sums.unsolved += !solve_local(record, u, next);
  bool changes = false;
  for (int k = 0; k < Rows; ++k) {
    change[k] = next[k] - y[k];
    changes |= change[k] != 0;
    sums.along += W[0] * change[k] * (y[k] - r[k]);
    sums.change += change[k] * change[k];
    last[k] = r[k];
    r[k] = next[k];
  }
  if (!changes) return;
  for (int s = record.first_side; s < record.first_side + record.sides; ++s)
    apply_side<Rows>(sides_[s], change, [&](const Side& side) { return view_of(side, now); });
}

template <int Dim>
void GeneralBlocks<Dim>::visit(const SweepPass& pass, SweptBodies now, SweptBodies frozen, SweepSums& sums) {
  const Velocities all{now_.data(), own_.data(), now}, all_frozen{frozen_.data(), own_frozen_.data(), frozen};
  for (const Record& record : records_)
    with_rows(record.rows, [&](auto rows) { visit_record<rows()>(pass, all, all_frozen, record, sums); });
  if (joints_ == Joints::loose) elimination_->project(*system_, now_, multiplier_);
}

template <int Dim>
GuestResidual GeneralBlocks<Dim>::apply_and_judge(std::span<SweepBody<Dim>> bodies) {
  now_ = free_;
  const auto view_of = [&](const Side& side) {
    if (side.component >= 0) return View{now_.data() + side.velocity, 0};
    static_assert(sizeof(BodyVelocity<Dim>) == kDofs * sizeof(double));
    return View{bodies[outside_[side.outside].body].v, 0};
  };
  for (const Record& record : records_) apply(record, r_.data() + record.first, view_of);
  if (joints_ == Joints::loose) elimination_->enforce(*system_, 0, now_, multiplier_);
  GuestResidual residual;
  for (const Record& record : records_) {
    double u[kRows];
    const int row = system_->blocks[record.block].first_row;
    for (int k = 0; k < record.rows; ++k)
      u[k] = constant_[record.first + k] + system_->compliance[row + k] * r_[record.first + k];
    add_velocity(record, view_of, u);
    const double square = residual_square(record, u);
    residual.sum += square;
    if (!(square <= residual.largest)) residual.largest = square;
  }
  return residual;
}

template <int Dim>
void GeneralBlocks<Dim>::store(std::vector<double>& r) const {
  for (const Record& record : records_)
    std::copy_n(r_.begin() + record.first, record.rows, r.begin() + system_->blocks[record.block].first_row);
}

template class GeneralBlocks<2>;
template class GeneralBlocks<3>;

}  // namespace saltus
