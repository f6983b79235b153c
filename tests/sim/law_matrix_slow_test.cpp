// A minute of every law in every use.
#include "sim/law_matrix.hpp"

namespace saltus::law_matrix_slow_test {
namespace {

using test::MatrixCase;
using test::Sample;
using test::Use;

constexpr double kSettle = 20, kUntil = 60;  // s

std::vector<MatrixCase> build_cases(const std::vector<double>& tolerances) {
  std::vector<MatrixCase> cases;
  for (const LawKind kind :
       {LawKind::velocity_signorini, LawKind::newton, LawKind::moreau, LawKind::fremond,
        LawKind::quasi_inelastic, LawKind::gap_signorini, LawKind::elastic, LawKind::hertz})
    for (const Use use : {Use::plain, Use::rolling, Use::viscous, Use::bonded}) {
      if (kind == LawKind::hertz && use == Use::bonded) continue;  // its force has no tension
      for (const bool damped : {false, true})
        for (const double tolerance : tolerances) cases.push_back({kind, use, damped, tolerance});
    }
  return cases;
}

std::string name_at(const testing::TestParamInfo<MatrixCase>& at) { return test::name_of(at.param); }

class LawsInThePlane : public testing::TestWithParam<MatrixCase> {};
TEST_P(LawsInThePlane, a_stack_rests) { test::expect_rest<2>(GetParam(), Sample::stack, kSettle, kUntil); }
TEST_P(LawsInThePlane, a_pile_rests) { test::expect_rest<2>(GetParam(), Sample::pile, kSettle, kUntil); }
INSTANTIATE_TEST_SUITE_P(All, LawsInThePlane, testing::ValuesIn(build_cases({1e-3, 1e-6})), name_at);

// Shorter, as sweeps in space cost more, and without a pile: balls spin about the normals of their contacts,
// which no law here resists.
class LawsInSpace : public testing::TestWithParam<MatrixCase> {};
TEST_P(LawsInSpace, a_stack_rests) { test::expect_rest<3>(GetParam(), Sample::stack, 5, 15); }
INSTANTIATE_TEST_SUITE_P(All, LawsInSpace, testing::ValuesIn(build_cases({1e-3})), name_at);

}  // namespace
}  // namespace saltus::law_matrix_slow_test
