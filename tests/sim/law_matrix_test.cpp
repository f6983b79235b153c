// Each law at its default theta, for the sanitizers; all uses are in law_matrix_slow_test.cpp.
#include "sim/law_matrix.hpp"

namespace saltus::law_matrix_test {
namespace {

using test::MatrixCase;
using test::Sample;
using test::Use;

class LawsAtRest : public testing::TestWithParam<LawKind> {};

TEST_P(LawsAtRest, a_stack_and_a_pile_come_to_rest_with_rolling_and_viscous_parts) {
  for (const Use use : {Use::rolling, Use::viscous})
    for (const Sample sample : {Sample::stack, Sample::pile})
      test::expect_rest<2>({GetParam(), use, GetParam() == LawKind::fremond, 1e-3}, sample, 4, 4.5);
}

INSTANTIATE_TEST_SUITE_P(All, LawsAtRest,
                         testing::Values(LawKind::velocity_signorini, LawKind::newton, LawKind::moreau,
                                         LawKind::fremond, LawKind::quasi_inelastic, LawKind::gap_signorini,
                                         LawKind::elastic, LawKind::hertz),
                         [](const auto& at) {
                           std::string text = name(at.param);
                           std::replace(text.begin(), text.end(), '-', '_');
                           return text;
                         });

}  // namespace
}  // namespace saltus::law_matrix_test
