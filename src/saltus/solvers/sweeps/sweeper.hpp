// The iteration around a kernel: bodies and contacts in the order of the sweep, extrapolation, threads, the end.
//
// Velocities are kept twice: `now`, which the sweep works on, and `frozen`, those of the iterate x_k that the
// sweep started from. As velocities are linear in the impulses, pushing the bodies by extrapolation (v_k -
// v_(k-1)) pushes all impulses at once; each contact makes up for it when it is visited (sweep_kernel.hpp).
// The residual of x_k is known after the sweep that leaves it, exactly and at a small cost; if it suffices,
// so does x_k, and nearly always x_(k+1), which is there by then.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "saltus/base/parallel.hpp"
#include "saltus/solvers/sweeps/extrapolation.hpp"
#include "saltus/solvers/sweeps/sweep_block.hpp"
#include "saltus/solvers/sweeps/sweep_guest.hpp"
#include "saltus/solvers/sweeps/sweep_kernel.hpp"
#include "saltus/solvers/sweeps/sweep_order.hpp"

namespace saltus {

template <class Kernel>
class Sweeper {
 public:
  static constexpr int Dim = Kernel::Dim, kLanes = Kernel::kLanes;

  // `order` is that of the problem, for kLanes. Fills r, p and moment of its contacts; bodies are left as
  // they are. `guest`: what else is swept, or nullptr.
  VelocityReport solve(const VelocitySweepOptions& options, bool has_convex, const SweepOrder& order,
                       VelocityProblem<Dim>& problem, SweepGuest<Dim>* guest) {
    order_ = &order;
    guest_ = guest;
    pack(problem);
    VelocityReport report;
    iterate(options, has_convex, problem, report);
    store(problem);
    return report;
  }

  // The iterate before the last sweep, whose residual that sweep has found.
  void store_before(VelocityProblem<Dim>& problem) {
    for (int i = 0; i < order_->places(); ++i) kernel_.restore(i, kernel_.before(i));
    if (guest_) guest_->take_before();
    store(problem);
  }

  // Large buffers are given back until the next solve.
  void release() {
    kernel_.release();
    release_if_large(now_);
    release_if_large(frozen_);
    release_if_large(best_);
  }

  // The best iterate of the second half of the sweeps allowed; infinite when none was seen.
  double best_residual() const { return best_residual_; }
  void store_best(VelocityProblem<Dim>& problem) {
    for (int i = 0; i < order_->places(); ++i) kernel_.restore(i, best_[i]);
    if (guest_) guest_->take_best();
    store(problem);
  }

 private:
  using Body = typename Kernel::Body;

  // Bodies that move, then one for each block that stands for all that do not: no two threads share it.
  void pack(const VelocityProblem<Dim>& problem) {
    const SweepOrder& order = *order_;
    const SweepBody<Dim> ground;
    make_room(order.bodies() + order.blocks(), now_);
    make_room(order.bodies() + order.blocks(), frozen_);
    now_.clear();
    for (int i = 0; i < order.bodies(); ++i) now_.push_back(Kernel::pack(problem.bodies[order.body(i)]));
    for (int i = 0; i < order.blocks(); ++i) now_.push_back(Kernel::pack(ground));
    kernel_.clear(order.places());
    for (int block = 0; block < order.blocks(); ++block)
      for (int i = order.block_begin(block); i < order.block_begin(block + 1); ++i)
        add(problem, order.contact(i), order.bodies() + block, ground);
    for (int i = 0; i < order.places(); ++i) kernel_.apply_start(i, now_.data());
    if (guest_) guest_->start(order, problem.bodies, swept(now_));
    frozen_ = now_;
    sums_.resize(order.blocks());
  }

  static SweptBodies swept(std::vector<Body>& bodies) {
    if (bodies.empty()) return {};
    double* first = reinterpret_cast<double*>(bodies.data());
    return {first, static_cast<int>(sizeof(Body) / sizeof(double)), static_cast<int>(bodies[0].w - first)};
  }

  void add(const VelocityProblem<Dim>& problem, int contact, int ground_place, const SweepBody<Dim>& ground) {
    if (contact == SweepOrder::kNone) return kernel_.add_none(ground_place);
    const SweepContact<Dim>& c = problem.contacts[contact];
    const auto place = [&](int body) {
      const int found = order_->place_of_body(body);
      return found == SweepOrder::kGround ? ground_place : found;
    };
    const int a = place(c.a), b = place(c.b);
    const SweepBody<Dim>&body_a = problem.bodies[c.a], &body_b = problem.bodies[c.b];
    const SweepBody<Dim>& still_a = a == ground_place ? body_a : ground;
    const SweepBody<Dim>& still_b = b == ground_place ? body_b : ground;
    kernel_.add({c, body_a, body_b, a, b, relative_velocity<Dim>(still_a, still_b, c),
                 relative_spin<Dim>(still_a, still_b)});
  }

  void push_bodies(double extrapolation) {
    parallel_for(static_cast<std::int64_t>(now_.size()), 4096, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        // Two arrays: the compiler may take several numbers at a time.
        double* __restrict now = reinterpret_cast<double*>(&now_[i]);
        double* __restrict frozen = reinterpret_cast<double*>(&frozen_[i]);
        for (int k = 0; k < Kernel::kVelocities; ++k) {
          const double v = now[k];
          now[k] = v + extrapolation * (v - frozen[k]);
          frozen[k] = v;
        }
      }
    });
  }

  template <bool Exact>
  SweepSums sweep(const SweepPass& pass) {
    const SweepOrder& order = *order_;
    const bool ahead = order.bodies() >= kBodiesBeyondCache;
    for (int colour = 0; colour < order.colours(); ++colour) {
      const int first = order.colour_begin(colour), last = order.colour_begin(colour + 1);
      parallel_for(last - first, kBlocksPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (int block = first + static_cast<int>(begin); block < first + end; ++block) {
          SweepSums sums;
          kernel_.template sweep<Exact>(order.block_begin(block), order.block_begin(block + 1), ahead, pass,
                                        now_.data(), frozen_.data(), sums);
          sums_[block] = sums;
        }
      });
    }
    SweepSums sums;
    for (const SweepSums& part : sums_) sums.add(part);
    if (guest_) guest_->visit(pass, swept(now_), swept(frozen_), sums);
    return sums;
  }

  void store(VelocityProblem<Dim>& problem) const {
    for (int i = 0; i < order_->places(); ++i)
      if (order_->contact(i) != SweepOrder::kNone) kernel_.store(i, problem.contacts[order_->contact(i)]);
  }

  void keep_before(double residual) {
    best_residual_ = residual;
    best_.resize(order_->places());
    for (int i = 0; i < order_->places(); ++i) best_[i] = kernel_.before(i);
    if (guest_) guest_->keep_before();
  }

  void iterate(const VelocitySweepOptions& options, bool has_convex, const VelocityProblem<Dim>& problem,
               VelocityReport& report) {
    best_residual_ = std::numeric_limits<double>::infinity();
    const int visited = order_->contacts() + (guest_ ? guest_->blocks() : 0);
    const double count = static_cast<double>(problem.contacts.size()) + (guest_ ? guest_->blocks() : 0);
    if (visited == 0) return;
    double largest_mu = 0;
    for (const SweepContact<Dim>& c : problem.contacts) largest_mu = std::max(largest_mu, c.mu);
    Extrapolation extrapolation(has_convex, Kernel::kHasNormalPart, visited, largest_mu);
    SweepPass pass;
    pass.inverse_mass = 1 / problem.mass;
    pass.length = problem.length;
    if (options.margins) pass.margins = &*options.margins;
    for (std::int64_t k = 1;; ++k) {
      pass.extrapolation = options.accelerate ? extrapolation.coefficient() : 0;
      pass.exact = !options.accelerate || extrapolation.exact();
      pass.follow = extrapolation.follow();
      pass.normal = options.accelerate ? extrapolation.normal() : 1;
      const bool may_be_best = k > options.max_sweeps / 2;
      pass.judged = k <= kAlwaysJudged || k % kJudgedEvery == 0 || may_be_best;
      push_bodies(pass.extrapolation);
      if (guest_) guest_->push(pass.extrapolation);
      const SweepSums sums = pass.exact ? sweep<true>(pass) : sweep<false>(pass);
      report.sweeps = k;
      report.contact_updates += visited;
      report.unsolved = sums.unsolved;
      const double residual =
          pass.judged ? std::sqrt(sums.residual / count) : std::numeric_limits<double>::infinity();
      const bool accepted =
          options.margins ? pass.judged && sums.outside == 0 : residual <= options.tolerance;
      if (accepted) return;
      if (may_be_best && residual < best_residual_) keep_before(residual);
      const bool stalled = (sums.change == 0 && pass.extrapolation == 0) ||
                           (pass.judged && options.give_up && options.give_up(k, residual));
      if (stalled || k >= options.max_sweeps || !std::isfinite(sums.change)) {
        report.status = stalled ? SolveStatus::stalled : SolveStatus::max_iterations;
        return;
      }
      extrapolation.update(sums.along, residual);
    }
  }

  // Short solves are not made longer, and long ones spend little on looking.
  static constexpr int kAlwaysJudged = 16, kJudgedEvery = 4;
  static constexpr std::int64_t kBlocksPerTask = 8;
  static constexpr int kBodiesBeyondCache = 20'000;

  Kernel kernel_;
  const SweepOrder* order_ = nullptr;
  SweepGuest<Dim>* guest_ = nullptr;
  std::vector<Body> now_, frozen_;
  std::vector<SweepSums> sums_;
  std::vector<typename Kernel::Iterate> best_;
  double best_residual_ = 0;
};

}  // namespace saltus
