// What moves in a scene and is not rigid, as plain data: linear systems given by their matrices, Lagrangian systems given
// by formulas, and elastic bodies. SI units.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "saltus/base/shared_text.hpp"
#include "saltus/dynamics/drive.hpp"
#include "saltus/fem/elasticity.hpp"
#include "saltus/geometry/shapes.hpp"
#include "saltus/laws/pair_law.hpp"
#include "saltus/systems/system_names.hpp"

namespace saltus {

struct LinearModel;
class CoordinateFunction;
class LagrangianModel;

// Square, by its entries that are not zero, sorted by row, then column, no place twice.
struct SceneMatrix {
  struct Entry {
    int row = 0, column = 0;
    double value = 0;
  };
  int size = 0;  // 0: none
  std::vector<Entry> entries;
};

// g = row . q + offset >= 0, without friction. The kinds of law are velocity_signorini, newton, gap_signorini and
// quasi_inelastic.
struct SceneGap {
  std::vector<std::pair<int, double>> row;  // degree of freedom and coefficient, sorted, none twice
  double offset = 0;
  PairLaw law;
  // Laws on the velocity act where the predicted gap is not above this. A little below 0 where a gap reaches
  // 0 up to round-off.
  double active_below = 0;
  std::string where = {};
};

// M dv/dt + C v + K q = F(t): systems/linear_system.hpp.
struct SceneLinearSystem {
  std::string name;
  std::string where;                     // place in the input, opens error messages
  SceneMatrix mass, damping, stiffness;  // the last two may be none
  std::vector<double> q, v;              // at the start
  std::vector<std::pair<int, TimeFunction>> forces;
  std::vector<std::pair<int, Drive>> driven;  // locked ones among them
  std::vector<SceneGap> gaps;
};

// A formula and its place in the input, or a function of the program in its stead.
struct SceneFormula {
  std::string text, where = {};
  std::shared_ptr<const CoordinateFunction> function = {};
};

// g(q, t) >= 0, with a law as between bodies. With friction: one position along the surface in 2D, two in 3D, whose
// rates are the sliding velocity. Kinds of law: velocity_signorini, newton, moreau, fremond, quasi_inelastic and
// gap_signorini, without cohesion, viscosity, rolling and friction functions.
struct SceneSystemGap {
  std::string name = {}, where = {};
  SceneFormula gap;
  std::vector<SceneFormula> tangents = {};
  PairLaw law = {};
  double active_below = 0;  // as of SceneGap
  // A gap that was active in the last step stays so until it is above this and opens; negative: no memory.
  double release_above = -1;
};

// c(q, t) = 0, held on the velocity; what it is off at the start of a step is taken back within this time.
struct SceneConstraint {
  std::string name = {}, where = {};
  SceneFormula formula;
  double stabilisation_time = -1;  // s; negative: ten steps, 0: never
  bool may_be_off = false;         // it need not hold at the start, as at the end of another run
};

// A shape that moves as a point of the system does, so that bodies touch it.
template <int Dim>
struct SceneSystemPoint {
  std::string name = {}, where = {};
  SharedText material = SharedText("default");
  Shape<Dim> shape;
  std::array<SceneFormula, Dim> position;           // of q
  std::array<SceneFormula, kSpins<Dim>> turn = {};  // 2D: angle; 3D: rotation vector; empty texts: none
  std::uint32_t group = 1, mask = ~0u;
};

// systems/lagrangian_system.hpp.
template <int Dim>
struct SceneLagrangianSystem {
  std::string name, where;
  SystemNames names;
  std::vector<std::vector<SceneFormula>> mass;   // n x n, of q
  std::vector<SceneFormula> forces;              // n, of q, v and t
  std::shared_ptr<const LagrangianModel> model;  // of the program, in place of mass and forces
  // M(q) dv/dt = F(t, q, v), F with all terms that M(q) brings, by the trapezoidal rule (systems/trapezoidal_system.hpp).
  bool trapezoidal = false;
  double newton_tolerance = 1e-12;  // N s, of the trapezoidal rule
  SceneMatrix damping, stiffness;   // may be none
  std::vector<double> q, v;         // at the start
  std::vector<SceneSystemGap> gaps;
  std::vector<SceneConstraint> constraints;
  std::vector<SceneSystemPoint<Dim>> points;
};

// A rectangle of linear triangles, a deformable body of small displacements (sim/deformable_parts.hpp). 2D only.
struct SceneElasticBody {
  enum Side { left, right, bottom, top };  // of the rectangle before it is turned

  std::string name;
  std::string where;                            // place in the input, opens error messages
  SharedText material = SharedText("default");  // of contacts, as bodies have one
  Vec<2> centre = Vec<2>::Zero();
  Vec<2> size = Vec<2>::Ones();  // m
  int divisions[2] = {1, 1};     // each cell is two triangles
  double angle = 0;              // rad, about the centre
  Elasticity elasticity;
  double density = 1000;                           // kg/m3
  double thickness = 1;                            // m, out of the plane
  double damping_mass = 0, damping_stiffness = 0;  // C = 1/s M + s K
  Vec<2> velocity = Vec<2>::Zero();
  double spin = 0;                      // rad/s, about the centre
  std::vector<Side> clamped;            // sides whose nodes are locked in both directions
  std::uint32_t group = 1, mask = ~0u;  // collision groups (collision/detector.hpp)
};

// A new function each time: it has buffers of its own. Throws InputError.
std::shared_ptr<const CoordinateFunction> build_function(const SceneFormula& formula,
                                                         const SystemNames& names);
template <int Dim>
std::shared_ptr<const LagrangianModel> build_lagrangian(const SceneLagrangianSystem<Dim>& system);
Eigen::MatrixXd build_dense(const SceneMatrix& matrix);  // 0 x 0: none

// Not checked: systems/linear_system.hpp does it.
LinearModel build_model(const SceneLinearSystem& system);

// What a user should know of a system whose stiffness pushes away in some direction; empty: it does not.
std::string stiffness_warning(const SceneLinearSystem& system);

}  // namespace saltus
