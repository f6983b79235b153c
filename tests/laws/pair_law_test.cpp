#include "saltus/laws/pair_law.hpp"

#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/laws/law_table.hpp"

namespace saltus {
namespace {

LawInput touching() {
  LawInput in;
  in.gap = -1e-3;
  in.h = 0.01;
  in.theta = 0.5;
  in.u << -2, 3, -1;
  in.gap_consistent = in.gap + 0.5 * in.h * in.u[0];
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
  EXPECT_DOUBLE_EQ(shift(law_of(LawKind::gap_signorini))[0], in.gap_consistent / in.h);
}

TEST(PairLaw, an_open_contact_waits_for_its_forecast) {
  LawInput in = touching();
  in.gap = 0.1;
  in.gap_consistent = in.gap + 0.5 * in.h * in.u[0];
  for (const LawKind kind : {LawKind::velocity_signorini, LawKind::newton, LawKind::moreau, LawKind::fremond})
    EXPECT_FALSE(compute_terms(law_of(kind), in, {}).active) << name(kind);
  const LawTerms terms = compute_terms(law_of(LawKind::quasi_inelastic), in, {});
  EXPECT_TRUE(terms.active);
  EXPECT_DOUBLE_EQ(terms.shift[0], in.gap_consistent / in.h);
}

TEST(PairLaw, activation_tests_differ_where_the_papers_say) {
  LawInput in = touching();
  in.gap = 0.015;  // h |u| = 0.02: closed at the end of the step, open at its middle
  in.gap_consistent = in.gap + 0.5 * in.h * in.u[0];
  in.u_free[0] = 0;
  const auto active = [&](Activation test) {
    in.activation = test;
    return compute_terms(law_of(LawKind::newton), in, {}).active;
  };
  EXPECT_FALSE(active(Activation::consistent));
  EXPECT_FALSE(active(Activation::start));
  EXPECT_TRUE(active(Activation::end));
  EXPECT_FALSE(active(Activation::free));
  in.u_free[0] = -0.02 / in.h;
  EXPECT_TRUE(active(Activation::free));
  EXPECT_FALSE(active(Activation::middle));
  in.u_free[0] = -0.031 / in.h;
  EXPECT_TRUE(active(Activation::middle));
  EXPECT_FALSE(active(Activation::implicit));
  in.forecast = true;
  EXPECT_TRUE(active(Activation::implicit));
}

TEST(PairLaw, fremond_keeps_a_resting_contact_and_drops_a_separating_one) {
  LawInput in = touching();
  in.velocity_tolerance = 1e-9;
  in.u[0] = 1e-10;
  EXPECT_TRUE(compute_terms(law_of(LawKind::fremond), in, {}).active);
  in.u[0] = 1e-3;
  EXPECT_FALSE(compute_terms(law_of(LawKind::fremond), in, {}).active);
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
}  // namespace saltus
