// A deformable body that is not linear: large rotations or strains, plasticity, viscosity, pressures that follow.
//
//     M (v_1 - v) = h F - h C v_theta - ((h - w) f(q) + w f(q_1)) + P,    q_1 = q + position_end v_1 + position_start v
//
// f is the internal force of the elements; its weights come from those of K in Mhat, so that a linear body makes the same
// step as LinearSystem. The step is solved by Newton's method, without blocks in `predict` and with their impulse in
// `relinearise` and `correct`; where neither is found, blocks are solved anew in every turn. Blocks see v_1 = v_free + Mhat^-1 P with Mhat =
// mass M + damping C + stiffness K, K the symmetric part of the tangent at v_free (kept for the step), or about the last solution
// (NewtonMatrix::tangent, and where the kept one does not settle).
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <string>
#include <vector>

#include "saltus/math/general_factor.hpp"
#include "saltus/systems/solid_model.hpp"
#include "saltus/systems/step_operator.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

template <int Dim>
class SolidSystem : public System {
 public:
  // The continuum is shared with whoever looks at stresses; its accepted state is that of the system.
  SolidSystem(SolidModel<Dim> model, std::shared_ptr<Continuum<Dim>> continuum);
  // Of other elements than those of a mesh of solids: with M, C, forces, supports and start of their own. The model gives its
  // names and the matrix of Newton's method.
  SolidSystem(SolidModel<Dim> model, std::shared_ptr<InternalForces> elements, LinearModel linear);

  int degrees_of_freedom() const override { return static_cast<int>(q_.size()); }
  const Eigen::VectorXd& coordinates() const override { return q_; }
  const Eigen::VectorXd& velocity() const override { return v_; }
  void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& v) override { q_ = q, v_ = v; }
  std::vector<double> memory() const override;
  void set_memory(std::span<const double> values) override;

  void predict(const StepWeights& weights, double t, std::span<const double> gravity) override;
  const Eigen::VectorXd& free_velocity() const override { return free_; }
  Eigen::MatrixXd inverse_between(std::span<const int> dofs) override;
  bool is_linear() const override { return false; }
  double relinearise(const Eigen::VectorXd& impulse) override;
  const Eigen::VectorXd* linearised_at() const override { return is_relinearised_ ? &q1_ : nullptr; }
  void correct(const Eigen::VectorXd& impulse) override;
  void solve_metric(bool by_mass, Eigen::VectorXd& x) override;
  void displace(const Eigen::VectorXd& d) override;
  SystemEnergy audit() const override;
  Eigen::VectorXd support_force() const override;
  bool is_driven(int dof) const override { return is_driven_[static_cast<std::size_t>(dof)] != 0; }
  std::string trouble() const override { return trouble_; }
  // Of elements whose coordinates are displacements.
  std::unique_ptr<SmoothForm> smooth_form() const override;

  int newton_turns() const { return newton_turns_; }  // of the last step

 private:
  void drive(double t);
  void fill_loads(double t, std::span<const double> gravity);
  // Residual of the step at this end velocity, without P. False: trouble_ says why.
  bool evaluate(const Eigen::VectorXd& v1, bool with_tangent);
  // h times the pressures where the surface is at q1_; with_tangent: and what they add to the matrix of Newton's method.
  void add_pressures(double t, bool with_tangent);
  // v1 -= J^-1 right_, J = d residual_/d v1 where the tangent was last evaluated; without what pressures bring where J would not be
  // positive definite. False: it has no factor.
  bool add_newton_step(Eigen::VectorXd& v1);
  // mass M + damping C + stiffness (tangent last evaluated). False: not positive definite.
  bool factorise(double mass, double stiffness, DefiniteFactor& factor);
  bool solve(const Eigen::VectorXd& impulse, Eigen::VectorXd& v1);
  bool iterate(const Eigen::VectorXd& impulse, NewtonMatrix matrix, Eigen::VectorXd& v1);
  // Mhat and v_free about this end of the step, which blocks held with this impulse. False: trouble_ says why.
  bool linearise(const Eigen::VectorXd& v1, const Eigen::VectorXd& impulse);
  // Mhat where it is not positive definite, with springs where the impulse of blocks is (StepOperator).
  bool factorise_held(const Eigen::VectorXd& impulse, DefiniteFactor& factor);
  // A turn of Newton's method on the body and its blocks at once: what is left of the balance where the blocks left the body, relative.
  double turn_with_blocks(const Eigen::VectorXd& impulse);
  double weigh() const;  // of f(q_1), s
  std::string describe(const std::string& what) const;

  SolidModel<Dim> model_;
  std::shared_ptr<InternalForces> continuum_;
  LinearModel linear_;
  Eigen::VectorXd q_, v_;
  std::vector<char> is_driven_;
  std::string trouble_;
  double time_ = 0;
  StepWeights weights_;
  double held_ = 0;  // N s: of internal forces at the start of a step without inertia, which something holds
  double round_off_ = 0;  // N s: what Newton's method cannot get below
  bool is_relinearised_ = false;
  // v_free is not the motion without blocks, which was not found: `turn_with_blocks` goes on.
  bool is_guess_ = false;
  int newton_turns_ = 0, contact_turns_ = 0;

  std::unique_ptr<StepOperator> operator_;
  DefiniteFactor factor_, newton_factor_, mass_factor_;
  GeneralFactor pressed_factor_;  // of Newton's matrix with the slope of the pressures
  std::vector<Eigen::Triplet<double>> pressure_slope_;
  bool has_mass_factor_ = false;

  // Of the step at hand.
  Eigen::VectorXd free_, q0_, v0_, force0_, loads_, applied_, weight_, gravity_load_, pressure_, impulse_;
  Eigen::VectorXd displacement_, q1_, change_, residual_, momentum_, drag_, internal_, end_, expected_,
      correction_;
  Eigen::VectorXd work_, right_, guess_;
  Eigen::VectorXd base_;                                    // about which the last turn with blocks was
  double last_left_ = 0;                                    // relative, by that turn
  Eigen::VectorXd moved_;                                   // since `correct`
  double stored_ = 0, start_stored_ = 0, step_stored_ = 0;  // J: now, at the start and at the end of the step
  double hardening_ = 0;                                    // J, part of stored_
  double plastic_ = 0, viscous_ = 0;                        // J, dissipated by materials in the step
};

extern template class SolidSystem<2>;
extern template class SolidSystem<3>;

}  // namespace saltus
