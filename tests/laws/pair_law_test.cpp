#include "saltus/laws/pair_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/laws/law_table.hpp"

namespace saltus::pair_law_test {
namespace {

LawInput touching() {
  LawInput in;
  in.gap = -1e-3;
  in.duration = 0.01;
  in.mean = 0.5;
  in.u << -2, 3, -1;
  in.gap_consistent = in.gap + 0.5 * in.duration * in.u[0];
  in.u_free = in.u;
  return in;
}

PairLaw law_of(LawKind kind) {
  PairLaw law;
  law.kind = kind;
  law.friction = 0.4;
  return law;
}

TEST(PairLaw, shifts_are_those_of_the_table) {
  const LawInput in = touching();
  const auto shift = [&](const PairLaw& law) { return compute_terms(law, in, {}).shift; };
  EXPECT_TRUE(shift(law_of(LawKind::velocity_signorini)).isZero());
  PairLaw newton = law_of(LawKind::newton);
  newton.restitution = 0.5;
  newton.restitution_tangent = 0.2;
  EXPECT_TRUE(shift(newton).isApprox(Eigen::Vector3d(-1, 0.6, -0.2)));
  PairLaw moreau = law_of(LawKind::moreau);
  moreau.dissipation = 1.0 / 3;  // c = (1 - 1/3)/(1 + 1/3) = 1/2
  EXPECT_TRUE(shift(moreau).isApprox(Eigen::Vector3d(-1, 1.5, -0.5)));
  PairLaw fremond = law_of(LawKind::fremond);
  fremond.restitution = 0.5;
  EXPECT_TRUE(shift(fremond).isApprox(Eigen::Vector3d(-1, 3, -1)));
  EXPECT_TRUE(shift(law_of(LawKind::quasi_inelastic)).isZero());
  EXPECT_DOUBLE_EQ(shift(law_of(LawKind::gap_signorini))[0], in.gap_consistent / in.duration);
}

TEST(PairLaw, an_open_contact_waits_for_its_forecast) {
  LawInput in = touching();
  in.gap = 0.1;
  in.gap_consistent = in.gap + 0.5 * in.duration * in.u[0];
  for (const LawKind kind : {LawKind::velocity_signorini, LawKind::newton, LawKind::moreau, LawKind::fremond})
    EXPECT_FALSE(compute_terms(law_of(kind), in, {}).active) << name(kind);
  const LawTerms terms = compute_terms(law_of(LawKind::quasi_inelastic), in, {});
  EXPECT_TRUE(terms.active);
  EXPECT_DOUBLE_EQ(terms.shift[0], in.gap_consistent / in.duration);
}

TEST(PairLaw, a_gap_that_the_solver_may_have_left_open_acts_and_may_close_within_the_step) {
  LawInput in = touching();
  in.left_open = 1e-6;
  for (const LawKind kind :
       {LawKind::velocity_signorini, LawKind::newton, LawKind::moreau, LawKind::fremond}) {
    PairLaw law = law_of(kind);
    law.restitution = kind == LawKind::newton ? 0.5 : 0.0;
    for (const double gap : {-1e-6, 0.0, 4e-7, 1e-6, 2e-6}) {
      in.gap = in.gap_consistent = 0;
      const double shift = compute_terms(law, in, {}).shift[0];
      in.gap = in.gap_consistent = gap;
      const LawTerms terms = compute_terms(law, in, {});
      EXPECT_EQ(terms.active, gap <= in.left_open) << name(kind) << ' ' << gap;
      if (terms.active) {
        EXPECT_DOUBLE_EQ(terms.shift[0], shift + std::max(0.0, gap) / in.duration) << name(kind);
      }
    }
  }
}

TEST(PairLaw, activation_tests_differ_where_the_papers_say) {
  LawInput in = touching();
  in.gap = 0.015;  // h |u| = 0.02: closed at the end of the step, open at its middle
  in.gap_consistent = in.gap + 0.5 * in.duration * in.u[0];
  in.u_free[0] = 0;
  const auto active = [&](Activation test) {
    in.activation = test;
    return compute_terms(law_of(LawKind::newton), in, {}).active;
  };
  EXPECT_FALSE(active(Activation::consistent));
  EXPECT_FALSE(active(Activation::start));
  EXPECT_TRUE(active(Activation::end));
  EXPECT_FALSE(active(Activation::free));
  in.u_free[0] = -0.02 / in.duration;
  EXPECT_TRUE(active(Activation::free));
  EXPECT_FALSE(active(Activation::middle));
  in.u_free[0] = -0.031 / in.duration;
  EXPECT_TRUE(active(Activation::middle));
  EXPECT_FALSE(active(Activation::implicit));
  in.forecast = true;
  EXPECT_TRUE(active(Activation::implicit));
}

TEST(PairLaw, a_predicted_gap_within_round_off_is_closed_and_one_beyond_is_not) {
  LawInput in = touching();
  in.u.setZero();
  in.u_free.setZero();
  in.round_off = gap_round_off(2.0);
  PairLaw viscous = law_of(LawKind::newton);
  viscous.viscosity = 3;
  for (const double part : {-1.0, 0.0, 1.0, 1.001}) {
    in.gap = in.gap_consistent = part * in.round_off;
    for (const Activation test :
         {Activation::consistent, Activation::start, Activation::end, Activation::free, Activation::middle}) {
      in.activation = test;
      for (const LawKind kind :
           {LawKind::velocity_signorini, LawKind::newton, LawKind::moreau, LawKind::fremond})
        EXPECT_EQ(compute_terms(law_of(kind), in, {}).active, part <= 1) << name(kind) << ' ' << name(test);
      EXPECT_EQ(compute_terms(viscous, in, {}).viscous > 0, part <= 1) << name(test);
    }
  }
  // Coordinates of 2 m are rounded by 2e-16 m each time; what falls moves a million times further in a step.
  EXPECT_GT(in.round_off, 1000 * 2.0 * 1.1e-16);
  EXPECT_LT(in.round_off, 1e-6 * 9.81 * 1e-3 * 1e-3);
}

TEST(PairLaw, fremond_has_one_convex_shift_of_the_normal_velocity_and_no_gate) {
  PairLaw law = law_of(LawKind::fremond);
  law.restitution = 0.4;
  LawInput in = touching();
  in.mean = 0.6;  // (1-theta)/theta = 2/3
  for (const double u : {-1.0, -1e-12, 0.0, 1e-12, 1.0}) {
    in.u[0] = u;
    const LawTerms terms = compute_terms(law, in, {});
    EXPECT_TRUE(terms.active) << u;
    EXPECT_NEAR(terms.shift[0], u < 0 ? 0.4 * u : u / 1.5, 1e-15 * std::abs(u)) << u;
  }
}

TEST(PairLaw, laws_of_a_mean_velocity_carry_rolling_and_viscous_parts_with_it) {
  LawInput in = touching();
  in.mean = 0.6;
  PairLaw fremond = law_of(LawKind::fremond), moreau = law_of(LawKind::moreau),
          newton = law_of(LawKind::newton);
  fremond.viscosity = moreau.viscosity = newton.viscosity = 30;
  moreau.dissipation = 1.0 / 3;
  const auto terms = [&](const PairLaw& law) { return compute_terms(law, in, {}); };
  EXPECT_DOUBLE_EQ(terms(fremond).carry, 0.4 / 0.6);
  EXPECT_DOUBLE_EQ(terms(fremond).viscous,
                   in.duration * 30 * 0.6);  // on (u_t + c u-_t)/(1+c) = u_(t,k+theta)
  EXPECT_DOUBLE_EQ(terms(moreau).carry, 0.5);
  EXPECT_DOUBLE_EQ(terms(moreau).viscous, in.duration * 30 / 1.5);
  EXPECT_EQ(terms(newton).carry, 0);
  EXPECT_DOUBLE_EQ(terms(newton).viscous, in.duration * 30);
}

TEST(PairLaw, the_viscous_part_acts_on_contacts_that_carried_an_impulse_whatever_the_last_bit_of_the_gap) {
  PairLaw law = law_of(LawKind::quasi_inelastic);
  law.viscosity = 30;
  LawInput in = touching();
  ContactHistory history;
  in.gap_consistent = 0;
  EXPECT_GT(compute_terms(law, in, history).viscous, 0);
  in.gap_consistent = 1e-7;
  EXPECT_EQ(compute_terms(law, in, history).viscous, 0);
  history.status = ContactStatus::open;
  EXPECT_EQ(compute_terms(law, in, history).viscous, 0);
  for (const ContactStatus status : {ContactStatus::stick, ContactStatus::slide}) {
    history.status = status;
    EXPECT_GT(compute_terms(law, in, history).viscous, 0);
  }
}

TEST(PairLaw, fremond_prefers_the_largest_theta_it_may_have_and_warns_of_one_half) {
  PairLaw law = law_of(LawKind::fremond);
  law.restitution = 0.4;
  EXPECT_DOUBLE_EQ(default_theta(law), 1 / 1.4);
  EXPECT_NO_THROW(check_law(law, default_theta(law), "here"));
  EXPECT_NE(law_warning(law, 0.5).find("0.714286"), std::string::npos) << law_warning(law, 0.5);
  EXPECT_EQ(law_warning(law, default_theta(law)), "");
  // A scheme without a theta: the remedy is another scheme.
  EXPECT_NE(law_warning(law, std::nullopt).find("moreau-jean"), std::string::npos);
  law.restitution = 0;
  EXPECT_EQ(default_theta(law), 0.9);
  law.friction = 0;  // nothing sticks
  EXPECT_EQ(law_warning(law, 0.5), "");
  law = law_of(LawKind::newton);
  EXPECT_EQ(default_theta(law), 0.5);
  EXPECT_EQ(law_warning(law, 0.5), "");
}

TEST(PairLaw, bonds_are_made_and_kept_within_a_millionth_of_the_smaller_body) {
  PairLaw law = law_of(LawKind::quasi_inelastic);
  law.cohesion = 100;
  const double touch = touch_gap(0.2, 0.05);
  EXPECT_DOUBLE_EQ(touch, 5e-8);
  EXPECT_DOUBLE_EQ(touch_gap(0, 0.05), 5e-8);  // the ground has no size
  EXPECT_TRUE(is_bonded_at_start(law, 1e-16, touch));
  EXPECT_TRUE(is_bonded_at_start(law, touch, touch));
  EXPECT_FALSE(is_bonded_at_start(law, 2 * touch, touch));
  LawInput in = touching();
  in.touch_gap = touch;
  LawTerms terms;
  terms.active = true;
  for (const double opening : {0.5, 2.0}) {
    ContactHistory history;
    history.bonded = true;
    LawResult result;
    result.gap_end = opening * touch;
    update_history(law, in, terms, result, history);
    EXPECT_EQ(history.bonded, opening < 1);
  }
}

TEST(PairLaw, a_bond_in_an_elastic_layer_pulls_by_its_opening_up_to_its_strength) {
  PairLaw law = law_of(LawKind::elastic);
  law.stiffness_normal = 1e6;
  law.cohesion = 100;  // at 0.1 mm
  ContactHistory history;
  history.bonded = true;
  LawInput in = touching();
  in.mean = 0.7;
  for (const double gap : {-3e-4, 0.0, 4e-5, 2e-4}) {
    // At rest, u = 0, the canonical law 0 <= r, u^ = shift + compliance r >= 0, r u^ = 0 gives r.
    in.gap = in.gap_consistent = gap;
    in.u.setZero();
    const LawTerms terms = compute_terms(law, in, history);
    const double r = std::max(0.0, -terms.shift[0] / terms.compliance_normal);
    EXPECT_NEAR((r - terms.pull) / in.duration, std::max(-1e6 * gap, -100.0), 1e-9) << gap;
  }
}

TEST(PairLaw, the_energy_in_a_bonded_layer_is_the_integral_of_its_force) {
  PairLaw law = law_of(LawKind::elastic);
  law.stiffness_normal = 1e6;
  law.cohesion = 100;
  law.rupture_gap = 4e-4;
  ContactHistory history;
  history.bonded = true;
  history.damage = 0.5;  // C is 50 N, reached at 0.05 mm
  EXPECT_NEAR(stored_energy(law, -1e-4, history), 0.5 * 1e6 * 1e-8, 1e-15);
  EXPECT_NEAR(stored_energy(law, 5e-5, history), 0.5 * 1e6 * 25e-10, 1e-15);
  EXPECT_NEAR(stored_energy(law, 1e-4, history), 0.5 * 1e6 * 25e-10 + 50 * 5e-5, 1e-15);
  history.bonded = false;
  EXPECT_EQ(stored_energy(law, 1e-4, history), 0);
}

TEST(PairLaw, friction_follows_the_last_status) {
  PairLaw law = law_of(LawKind::quasi_inelastic);
  law.friction_dynamic = 0.1;
  ContactHistory history;
  EXPECT_EQ(compute_terms(law, touching(), history).mu, 0.4);
  history.status = ContactStatus::slide;
  EXPECT_EQ(compute_terms(law, touching(), history).mu, 0.1);
}

TEST(PairLaw, impossible_parameters_are_refused) {
  PairLaw law = law_of(LawKind::fremond);
  law.restitution = 0.5;
  EXPECT_NO_THROW(check_law(law, 2.0 / 3, "here"));
  EXPECT_THROW(check_law(law, 0.7, "here"), InputError);
  law.restitution = 1.5;
  EXPECT_THROW(check_law(law, 0.5, "here"), InputError);
  law = law_of(LawKind::elastic);
  EXPECT_THROW(check_law(law, 0.5, "here"), InputError);
  law.stiffness_normal = 1e6;
  law.cohesion = 100;
  law.rupture_gap = 1e-4;  // where the largest tension is reached: nothing is left to soften
  EXPECT_THROW(check_law(law, 0.5, "here"), InputError);
  law.rupture_gap = 2e-4;
  EXPECT_NO_THROW(check_law(law, 0.5, "here"));
  law = law_of(LawKind::newton);
  law.friction = -0.1;
  EXPECT_THROW(check_law(law, 0.5, "here"), InputError);
  law.friction = 0.1;
  law.friction_dynamic = 0.2;
  EXPECT_THROW(check_law(law, 0.5, "here"), InputError);
}

TEST(LawTable, a_pair_without_a_law_names_both_materials) {
  LawTable table;
  const int steel = table.add_material("steel"), wood = table.add_material("wood");
  EXPECT_EQ(table.add_material("steel"), steel);
  table.set(wood, steel, law_of(LawKind::newton));
  EXPECT_EQ(table.require(steel, wood).kind, LawKind::newton);
  EXPECT_THROW(table.set(steel, wood, {}), InputError);
  try {
    table.require(wood, wood);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("wood"), std::string::npos);
  }
}

}  // namespace
}  // namespace saltus::pair_law_test
