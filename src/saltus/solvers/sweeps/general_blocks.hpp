// The general kernel of sweeps: blocks of any set that is not the whole space, over components of parts that bilateral
// blocks join (solvers/elimination.hpp) and over bodies of the sweep.
//
// Joints hold in one of two ways. Tight: the velocities of a component are those of its degrees of freedom that these
// blocks act on; an impulse changes all of them at once, by the mobility of the component, so that a contact at the end
// of a chain feels all of it. A visit costs rows x degrees of freedom. Loose: an impulse changes the part it acts on,
// and once per sweep all joints are made to hold (Elimination::project): work in proportion to the mechanism, however
// many contacts it has, at the price of more sweeps where masses differ.
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "saltus/solvers/block_system.hpp"
#include "saltus/solvers/elimination.hpp"
#include "saltus/solvers/local/local_ball.hpp"
#include "saltus/solvers/local/local_coulomb_2d.hpp"
#include "saltus/solvers/local/local_coulomb_3d.hpp"
#include "saltus/solvers/local/local_rolling.hpp"
#include "saltus/solvers/sweeps/sweep_guest.hpp"

namespace saltus {

// Operations that a way of holding joints takes, once and per sweep, and numbers to be held.
struct GeneralCost {
  double numbers = 0, build = 0, sweep = 0;
};
enum class Joints { tight, loose };

// Keeps its buffers: after warm-up nothing is allocated.
template <int Dim>
class GeneralBlocks final : public SweepGuest<Dim> {
 public:
  GeneralCost cost(const BlockSystem& system, const Elimination& elimination, Joints joints);
  // `reduced`: velocities without the blocks, bilateral ones enforced; arranged as system.free.
  void build(const BlockSystem& system, Elimination& elimination, Joints joints,
             std::span<const double> reduced);
  // After radii of balls have changed.
  void renew(const BlockSystem& system);
  void store(std::vector<double>& r) const;  // into rows of the system

  int blocks() const override { return static_cast<int>(records_.size()); }
  void start(const SweepOrder& order, std::span<const SweepBody<Dim>> bodies, SweptBodies now) override;
  void push(double extrapolation) override;
  void visit(const SweepPass& pass, SweptBodies now, SweptBodies frozen, SweepSums& sums) override;
  void keep_before() override { best_ = last_; }
  void take_before() override { r_ = last_; }
  void take_best() override { r_ = best_; }
  GuestResidual apply_and_judge(std::span<SweepBody<Dim>> bodies) override;

 private:
  static constexpr int kDofs = Dim + kSpins<Dim>, kRows = 5;
  struct HalfLine {
    double a;
  };
  using Local = std::variant<HalfLine, LocalCoulomb3, LocalRolling2, LocalRolling3, LocalBall<2>,
                             LocalBall<3>, LocalBall<5>>;
  // Of a component, or of a body, whose spins may stand apart.
  struct View {
    double* v;
    int gap;

    double& at(int dof) const { return v[dof < Dim ? dof : dof + gap]; }
  };
  struct Velocities {
    double *components, *own;
    SweptBodies bodies;
  };
  struct Side {
    int component, outside;  // one of the two; -1
    int dofs, first_place;   // where its degrees of freedom are among those of the component or body: places_
    std::size_t jacobian;    // of the system
    std::size_t response;    // all velocities of the component or body, times rows
    std::size_t velocity;    // of the component: where they begin
    int size;
  };
  struct Record {
    int block, rows, first;  // first of its rows in r_
    int first_side, sides;
    std::size_t W;  // in W_: column by column, compliance included
    int local;      // in plane_, of Coulomb's cone in the plane, or in locals_
    bool is_plane;
  };
  struct Component {
    std::size_t velocity;
    int size;
  };
  struct Outside {
    int body, part;
    int place, own;  // in the sweep; in own_: where no packed contact is left to it
  };

  void find_components(const BlockSystem& system, const Elimination& elimination);
  void compute_mobilities(const BlockSystem& system, std::span<const double> reduced);
  void add_record(const BlockSystem& system, int block);
  void add_side(const BlockSystem& system, const BlockSystem::End& end, int rows);
  Local build_local(const BlockSystem::Block& block, const double* W) const;
  View view_of(const Side& side, const Velocities& at) const;
  // Adds H^T v to u; and Mhat^-1 H p to v.
  template <class ViewOf>
  void add_velocity(const Record& record, const ViewOf& view_of, double* u) const;
  template <class ViewOf>
  void apply(const Record& record, const double* p, const ViewOf& view_of) const;
  template <int Rows, class ViewOf>
  void apply_side(const Side& side, const double* p, const ViewOf& view_of) const;
  template <int Rows>
  void visit_record(const SweepPass& pass, const Velocities& now, const Velocities& frozen,
                    const Record& record, SweepSums& sums);
  double residual_square(const Record& record, const double* u) const;
  bool solve_local(const Record& record, const double* b, double* r);

  const BlockSystem* system_ = nullptr;
  Elimination* elimination_ = nullptr;
  Joints joints_ = Joints::tight;
  std::vector<double> multiplier_, last_multiplier_;  // of loose joints: rows of the system
  std::vector<Record> records_;
  std::vector<double> W_;
  std::vector<LocalCoulomb2> plane_;
  std::vector<Local> locals_;
  std::vector<Side> sides_;
  std::vector<int> places_;
  std::vector<double> response_;
  std::vector<Component> components_;
  std::vector<int> component_at_;             // per component of the elimination; -1: no block acts on it
  std::vector<int> part_place_;               // of the first degree of freedom in its component; -1: none
  std::vector<int> touched_, touched_begin_;  // parts, by component
  std::vector<double> mobility_;
  std::vector<std::size_t> mobility_begin_;
  std::vector<Outside> outside_;
  std::vector<int> outside_of_, component_of_;  // per part; -1
  std::vector<double> dofs_;                    // per component of the elimination
  std::vector<double> free_, now_, frozen_;  // velocities of components; loose: of all parts, as system.free
  std::vector<double> own_, own_frozen_;     // of bodies without a place in the sweep
  std::vector<double> r_, last_, best_, constant_;  // per row; constant_: ground and shift
};

extern template class GeneralBlocks<2>;
extern template class GeneralBlocks<3>;

}  // namespace saltus
