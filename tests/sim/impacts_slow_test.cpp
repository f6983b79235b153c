// Random impacts with friction: laws that claim never to gain energy do not, whatever bodies, contacts,
// rolling and viscous parts.
#include <gtest/gtest.h>

#include <random>

#include "sim/sim_scenes.hpp"

namespace saltus::impacts_slow_test {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // Not std::uniform_real_distribution: the same numbers with every library.
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  int upto(int n) { return 1 + static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  template <int Dim>
  Vec<Dim> direction() {
    for (;;) {
      Vec<Dim> v;
      for (int i = 0; i < Dim; ++i) v[i] = between(-1, 1);
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }

 private:
  std::mt19937_64 engine_;
};

template <int Dim>
PairLaw draw_law(LawKind kind, Random& random) {
  PairLaw law = test::law(kind, random.between(0, 1));
  if (kind == LawKind::fremond) law.restitution = random.between(0, 1);
  if (kind == LawKind::moreau) law.dissipation = random.between(0, 1);
  if (random.upto(3) == 1) law.rolling = random.between(0, 0.1);
  if (random.upto(3) == 1) law.viscosity = random.between(0, 1e5);
  return law;
}

// A ball, its centre of mass off its middle, and one to six others around it, all with random velocities.
// They overlap by more than they travel in the step, so that contacts that part are active too.
template <int Dim>
Scene<Dim> draw_impact(LawKind kind, Random& random) {
  const double h = 1e-4, overlap = 1e-2;
  const PairLaw law = draw_law<Dim>(kind, random);
  Scene<Dim> scene = test::scene<Dim>(law, h);
  scene.gravity.setZero();
  scene.solver.tolerance_velocity = 1e-9;
  scene.scheme.theta =
      kind == LawKind::fremond ? random.between(0.5, 1 / (1 + law.restitution)) : random.between(0.5, 1);
  const auto add = [&](const Vec<Dim>& place, double radius) {
    SceneBody<Dim> body = test::body<Dim>(Ball<Dim>{radius}, place);
    body.density = 1000 * std::pow(10.0, random.between(-1, 1));
    for (int i = 0; i < Dim; ++i) body.velocity[i] = random.between(-2, 2);
    for (int i = 0; i < kSpins<Dim>; ++i) body.spin[i] = random.between(-20, 20);
    body.centre = Vec<Dim>(random.between(0, 0.3) * radius * random.direction<Dim>());
    scene.bodies.push_back(body);
  };
  add(Vec<Dim>::Zero(), 0.1);
  for (int k = random.upto(6); k > 0; --k) {
    const double radius = random.between(0.05, 0.1);
    add((0.1 + radius - overlap) * random.direction<Dim>(), radius);
    scene.bodies.back().mask = 1u << 1;  // of the middle one only
  }
  scene.bodies[0].group = 1u << 1;
  return scene;
}

template <int Dim>
void never_gains(LawKind kind, int impacts) {
  Random random(Dim);
  int active = 0, rolling = 0, viscous = 0;
  for (int i = 0; i < impacts; ++i) {
    const Scene<Dim> scene = draw_impact<Dim>(kind, random);
    Simulation<Dim> simulation(scene);
    double before = 0;
    for (int s = 0; s < simulation.bodies().slots(); ++s) before += simulation.bodies().kinetic_energy(s);
    const StepReport report = simulation.step();
    ASSERT_EQ(report.status, StepStatus::converged) << i << ": " << report.reason;
    double impulse = 0;
    for (const ContactState<Dim>& c : simulation.contacts()) {
      active += c.status == ContactStatus::stick || c.status == ContactStatus::slide;
      impulse += c.impulse.norm();
    }
    rolling += scene.default_law->rolling > 0;
    viscous += scene.default_law->viscosity > 0;
    // A residual e makes the work of a contact uncertain by e (|r| + m |u~|) (sim/energy_gain.hpp): e below
    // sqrt(6) x 1e-9 m/s, velocities below 10 m/s with De Saxce's term, masses below 320 kg, six contacts.
    // Anisotropic inertias (3D) are balls' here: the gyroscopic moment is zero.
    const double doubt = std::sqrt(6.0) * 1e-9 * (impulse + 6 * 320 * 10.0) + 1e-12 * before;
    ASSERT_LE(report.energy.kinetic, before + doubt)
        << "impact " << i << ", theta " << scene.scheme.theta << ", e " << scene.default_law->restitution
        << ", rolling " << scene.default_law->rolling << ", viscosity " << scene.default_law->viscosity;
    ASSERT_EQ(report.energy.gain, 0) << i;
  }
  EXPECT_GT(active, impacts);
  EXPECT_GT(rolling, impacts / 4);
  EXPECT_GT(viscous, impacts / 4);
}

class RandomImpacts : public testing::TestWithParam<LawKind> {};

TEST_P(RandomImpacts, never_gain_energy_in_the_plane) { never_gains<2>(GetParam(), 10000); }
TEST_P(RandomImpacts, never_gain_energy_in_space) { never_gains<3>(GetParam(), 10000); }

INSTANTIATE_TEST_SUITE_P(Laws, RandomImpacts,
                         testing::Values(LawKind::fremond, LawKind::velocity_signorini, LawKind::moreau,
                                         LawKind::quasi_inelastic),
                         [](const auto& at) {
                           std::string text = name(at.param);
                           std::replace(text.begin(), text.end(), '-', '_');
                           return text;
                         });

}  // namespace
}  // namespace saltus::impacts_slow_test
