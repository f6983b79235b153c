// A deformable body, linear or not, whose internal forces are taken where it is known to be (schemes/explicit.hpp):
//
//     M (v_1 - v) = h F - h C v - h f(q_m) + P,    q_m = q + advance v,    q_1 = q + position_end v_1 + position_start v
//
// M is a diagonal. Materials go from one q_m to the next, so that what they remember, and stresses, are those of q_m, between the
// start of the last step and its end. Energy stored at the end of a step is that of q_m and the work of f from there.
//
// With fictitious masses elements are made so heavy that h is `kSafety` of their critical step; gravity acts on the real mass.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/systems/solid_model.hpp"
#include "saltus/systems/system.hpp"

namespace saltus {

template <int Dim>
class ExplicitSolid : public System {
 public:
  static constexpr double kSafety = 0.9;
  struct Options {
    double h = 0;  // s, the longest step
    bool fictitious = false;
  };

  // M of `linear` is lumped; the model gives names, pressures and Rayleigh's damping. The continuum is shared with whoever looks at
  // stresses. Throws InputError: h above the critical step, with the number.
  ExplicitSolid(SolidModel<Dim> model, std::shared_ptr<Continuum<Dim>> elements, LinearModel linear,
                Options options);

  int degrees_of_freedom() const override { return static_cast<int>(q_.size()); }
  const Eigen::VectorXd& coordinates() const override { return q_; }
  const Eigen::VectorXd& velocity() const override { return v_; }
  void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& v) override { q_ = q, v_ = v; }
  std::vector<double> memory() const override;
  void set_memory(std::span<const double> values) override;

  void predict(const StepWeights& weights, double t, std::span<const double> gravity) override;
  const Eigen::VectorXd& free_velocity() const override { return free_; }
  Eigen::MatrixXd inverse_between(std::span<const int> dofs) override;
  void fill_inverse(std::span<const int> dofs, Eigen::MatrixXd& inverse) override;
  void correct(const Eigen::VectorXd& impulse) override;
  void solve_metric(bool by_mass, Eigen::VectorXd& x) override;
  void displace(const Eigen::VectorXd& d) override;
  SystemEnergy audit() const override;
  Eigen::VectorXd support_force() const override;
  bool is_driven(int dof) const override { return is_driven_[static_cast<std::size_t>(dof)] != 0; }
  std::string trouble() const override { return trouble_; }
  std::unique_ptr<SmoothForm> smooth_form() const override {
    return nullptr;
  }  // refused when the scene is built

  double critical_step() const override { return critical_; }  // as last looked at
  const Eigen::VectorXd& inertia() const { return inertia_; }  // kg, that accelerates
  const Eigen::VectorXd& real_mass() const { return mass_; }   // kg, that weighs

 private:
  void look_at_step(double h);
  void fill_loads(double t, std::span<const double> gravity);
  void drive(double t);
  std::string describe(const std::string& what) const;

  SolidModel<Dim> model_;
  std::shared_ptr<Continuum<Dim>> elements_;
  LinearModel linear_;
  Options options_;
  Eigen::VectorXd mass_;
  std::vector<char> is_driven_;

  // The state, with that of the elements.
  Eigen::VectorXd q_, v_, inertia_;
  double critical_ = 0;
  double behind_ = 0;      // s: how far the state of the elements is behind q
  double stored_ = 0;      // J, at q
  int looked_ = 0;         // steps since the critical one was looked at
  double scaled_for_ = 0;  // s: the step that fictitious masses allow

  // The step at hand.
  StepWeights weights_;
  double time_ = 0;
  std::string trouble_;
  Eigen::VectorXd q0_, v0_, middle_, free_, loads_, applied_, weight_, gravity_load_, drag_, internal_,
      impulse_;
  Eigen::VectorXd displacement_, moved_, work_;
  double start_stored_ = 0, step_stored_ = 0, hardening_ = 0, plastic_ = 0, viscous_ = 0;
};

extern template class ExplicitSolid<2>;
extern template class ExplicitSolid<3>;

}  // namespace saltus
