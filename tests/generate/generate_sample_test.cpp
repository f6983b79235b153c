#include "saltus/generate/generate_sample.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/generate/generate_sizes.hpp"

namespace saltus::generate_sample_test {
namespace {

template <int Dim>
double solid_fraction(const std::vector<Grain<Dim>>& grains, double volume) {
  double sum = 0;
  for (const auto& g : grains) sum += (Dim == 2 ? M_PI : 4 * M_PI / 3) * std::pow(g.radius, Dim);
  return sum / volume;
}

// Below 0.8 of the height: the surface of a pile is loose.
template <int Dim>
double bulk_fraction(const std::vector<Grain<Dim>>& grains, double base) {
  double top = 0;
  for (const auto& g : grains) top = std::max(top, g.position[Dim - 1]);
  std::vector<Grain<Dim>> lower;
  for (const auto& g : grains)
    if (g.position[Dim - 1] < 0.8 * top) lower.push_back(g);
  return solid_fraction(lower, base * 0.8 * top);
}

std::vector<double> radii_between(double low, double high, int count, std::uint64_t seed = 5) {
  SplitMix64 random(seed);
  return draw_radii({SizeDistribution::Kind::uniform, {low, high}, {}, {}, count}, 2, random);
}

TEST(GenerateRandom, TheFirstNumbersAreThoseOfThePublishedGenerator) {
  SplitMix64 random(1234567);  // test vector of Vigna's splitmix64.c
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
}

TEST(GenerateSizes, AListGivesEveryRadiusItsCountInRandomOrder) {
  SplitMix64 random(3);
  const auto radii = draw_radii({SizeDistribution::Kind::list, {1, 2}, {30, 20}, {}, 0}, 2, random);
  EXPECT_EQ(radii.size(), 50u);
  EXPECT_EQ(std::count(radii.begin(), radii.end(), 1.0), 30);
  EXPECT_FALSE(std::is_sorted(radii.begin(), radii.end()));
}

TEST(GenerateSizes, AMassCurveIsFollowedByTheMassOfTheGrains) {
  for (const int dimension : {2, 3}) {
    SplitMix64 random(3);
    const int count = 20000;
    const auto radii = draw_radii({SizeDistribution::Kind::mass_curve, {1, 2, 4}, {}, {0, 0.3, 1}, count},
                                  dimension, random);
    double below = 0, total = 0;
    for (const double r : radii) {
      EXPECT_GE(r, 1);
      EXPECT_LE(r, 4);
      total += std::pow(r, dimension);
      if (r < 2) below += std::pow(r, dimension);
    }
    // A sum of 20000 independent masses: the ratio scatters by about 0.5 %; four times that.
    EXPECT_NEAR(below / total, 0.3, 0.02) << dimension;
  }
}

TEST(GenerateSizes, ImpossibleDistributionsAreErrors) {
  EXPECT_THROW(check(SizeDistribution{SizeDistribution::Kind::uniform, {2, 1}, {}, {}, 5}, "x"), InputError);
  EXPECT_THROW(check(SizeDistribution{SizeDistribution::Kind::list, {2, 1}, {1}, {}, 0}, "x"), InputError);
  EXPECT_THROW(check(SizeDistribution{SizeDistribution::Kind::mass_curve, {1, 2}, {}, {0, 0.5}, 5}, "x"),
               InputError);
  EXPECT_THROW(check(SizeDistribution{SizeDistribution::Kind::uniform, {0, 1}, {}, {}, 5}, "x"), InputError);
}

// A lattice of pitch 1.05 diameters whose grains move by all the room they have never overlaps.
TEST(GenerateSample, ALatticeFitsTheBaseAndGrowsUpwards) {
  const auto radii = radii_between(0.05, 0.1, 200);
  const SampleBox<3> box{Vec<3>(-1, -1, 0), Vec<3>(1, 1, 0.1), "x"};
  SplitMix64 random(1);
  const auto grains = place_on_lattice(radii, box, 1.05, 1, random);
  EXPECT_LE(compute_worst_overlap(grains, box, false), 1e-12);  // round-off
  EXPECT_GT(grains.back().position.z(), 0.1);
}

TEST(GenerateSample, RandomPlacesDoNotOverlapAndKeepTheOrder) {
  const auto radii = radii_between(0.01, 0.05, 150);
  const SampleBox<2> box{Vec<2>(0, 0), Vec<2>(1, 1.5), "x"};
  SplitMix64 random(1);
  const auto grains = place_at_random(radii, box, random);
  EXPECT_LE(compute_worst_overlap(grains, box, true), 0);
  for (std::size_t i = 0; i < radii.size(); ++i) EXPECT_EQ(grains[i].radius, radii[i]);
}

TEST(GenerateSample, TooManyGrainsForRandomPlacesAreAnError) {
  SplitMix64 random(1);
  const SampleBox<2> box{Vec<2>(0, 0), Vec<2>(1, 1), "scene.toml:3:1"};
  EXPECT_THROW(place_at_random(std::vector<double>(40, 0.1), box, random), InputError);
}

// Random close packing of nearly equal disks is about 0.82, of spheres 0.63 (bulk); the walls of a small box
// cost some of it. Below 0.76 and 0.54 a sample is not dense.
TEST(GenerateSample, GrowthIsDenseAndFreeOfOverlaps) {
  const auto radii = radii_between(0.8, 1.2, 400);
  SplitMix64 random(1);
  const SampleBox<2> square{Vec<2>(0, 0), Vec<2>(1, 1), "x"};
  const auto disks = place_by_growth(radii, square, random);
  EXPECT_LE(compute_worst_overlap(disks, square, true), 0);
  EXPECT_GT(solid_fraction(disks, 1), 0.76);

  const SampleBox<3> cube{Vec<3>(0, 0, 0), Vec<3>(1, 1, 1), "x"};
  const auto spheres = place_by_growth(radii, cube, random);
  EXPECT_LE(compute_worst_overlap(spheres, cube, true), 0);
  EXPECT_GT(solid_fraction(spheres, 1), 0.54);
}

TEST(GenerateSample, OneGrainGrowsAsWideAsItsBox) {
  SplitMix64 random(7);
  const SampleBox<2> box{Vec<2>(0, 0), Vec<2>(2, 1), "box"};
  const auto grains = place_by_growth(std::vector<double>{0.1}, box, random);
  ASSERT_EQ(grains.size(), 1u);
  // Growth ends by steps of 5e-4.
  EXPECT_GT(grains[0].radius, 0.5 * (1 - 1e-3));
  EXPECT_LE(grains[0].radius, 0.5);
}

TEST(GenerateSample, GrowthKeepsTheRatiosOfTheRadii) {
  const auto radii = radii_between(1, 20, 60);
  SplitMix64 random(1);
  const SampleBox<2> box{Vec<2>(0, 0), Vec<2>(3, 1), "x"};
  const auto grains = place_by_growth(radii, box, random);
  EXPECT_LE(compute_worst_overlap(grains, box, true), 0);
  for (std::size_t i = 0; i < radii.size(); ++i)
    EXPECT_DOUBLE_EQ(grains[i].radius / grains[0].radius, radii[i] / radii[0]);
}

TEST(GenerateSample, DepositedGrainsRestOnOthersWithoutOverlap) {
  const auto radii = radii_between(0.04, 0.06, 300);
  SplitMix64 random(1);
  const SampleBox<2> box{Vec<2>(0, 0), Vec<2>(1.5, 1), "x"};
  const auto grains = place_by_deposit(radii, box, random);
  EXPECT_LE(compute_worst_overlap(grains, box, false), 1e-12);  // round-off of the last push
  // Drop and roll packs disks to about 0.77 (Visscher and Bolsterli 1972 found 0.82 for equal ones); grains
  // that do not roll would rest on the first one they hit, about 0.5.
  EXPECT_GT(bulk_fraction(grains, 1.5), 0.74);
}

TEST(GenerateSample, DepositedSpheresFillTheBase) {
  const auto radii = radii_between(0.08, 0.12, 300);
  SplitMix64 random(1);
  const SampleBox<3> box{Vec<3>(0, 0, 0), Vec<3>(1, 1, 1), "x"};
  const auto grains = place_by_deposit(radii, box, random);
  EXPECT_LE(compute_worst_overlap(grains, box, false), 1e-12);
  // Their spheres reached 0.58 in bulk; this box is 5 diameters wide, and its walls cost 0.07 or so.
  EXPECT_GT(bulk_fraction(grains, 1), 0.48);
}

TEST(GenerateSample, TheSameSeedGivesTheSameGrains) {
  const auto radii = radii_between(0.04, 0.06, 50);
  const SampleBox<2> box{Vec<2>(0, 0), Vec<2>(1, 1), "x"};
  SplitMix64 a(7), b(7), c(8);
  const auto first = place_by_growth(radii, box, a), again = place_by_growth(radii, box, b),
             other = place_by_growth(radii, box, c);
  for (std::size_t i = 0; i < radii.size(); ++i) EXPECT_EQ(first[i].position, again[i].position);
  EXPECT_NE(first[0].position, other[0].position);
}

}  // namespace
}  // namespace saltus::generate_sample_test
