#include "saltus/generate/generate_voronoi.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/generate/generate_bodies.hpp"
#include "saltus/geometry/line_span.hpp"
#include "saltus/geometry/mass_properties.hpp"

namespace saltus::generate_voronoi_test {
namespace {

template <int Dim>
Tessellation<Dim> tessellation(int count, int relaxations = 0) {
  Tessellation<Dim> wanted;
  wanted.low = Vec<Dim>::Constant(-0.5), wanted.high = Vec<Dim>::LinSpaced(1, 2);
  wanted.count = count, wanted.relaxations = relaxations, wanted.where = "x";
  return wanted;
}

template <int Dim>
double sum_of_volumes(const std::vector<SceneBody<Dim>>& bodies) {
  double sum = 0;
  for (const auto& body : bodies) sum += compute_volume<Dim>(body.shape);
  return sum;
}

template <int Dim>
void expect_cells_fill_the_box(int count) {
  Tessellation<Dim> wanted = tessellation<Dim>(count);
  for (const bool stretched : {false, true}) {
    if (stretched) wanted.stretch[0] = 3;
    SplitMix64 random(11);
    const auto bodies = build_cells<Dim>(build_tessellation<Dim>(wanted, random), {});
    ASSERT_EQ(bodies.size(), static_cast<std::size_t>(count));
    const double whole = (wanted.high - wanted.low).prod();
    // Every face is cut twice, with errors of round-off of the size of the box.
    EXPECT_NEAR(sum_of_volumes(bodies), whole, 1e-12 * whole);
    for (const auto& body : bodies) {
      const Bounds<Dim> bounds = compute_bounds<Dim>(body.shape, body.pose);
      EXPECT_TRUE((bounds.low.array() >= wanted.low.array() - 1e-12).all());
      EXPECT_TRUE((bounds.high.array() <= wanted.high.array() + 1e-12).all());
    }
  }
}

TEST(Voronoi, cells_fill_the_box_exactly) {
  expect_cells_fill_the_box<2>(1);
  expect_cells_fill_the_box<2>(500);
  expect_cells_fill_the_box<3>(2);
  expect_cells_fill_the_box<3>(200);
}

// Against the definition: the sites drawn again, the nearest of them to random places.
template <int Dim>
void expect_places_belong_to_the_nearest_site() {
  const Tessellation<Dim> wanted = tessellation<Dim>(60);
  SplitMix64 random(5), same(5), places(6);
  const auto cells = build_tessellation<Dim>(wanted, random);
  std::vector<Vec<Dim>> sites(60);
  for (auto& site : sites)
    for (int d = 0; d < Dim; ++d) site[d] = same.uniform(wanted.low[d], wanted.high[d]);
  const auto bodies = build_cells<Dim>(cells, {});
  for (int trial = 0; trial < 2000; ++trial) {
    Vec<Dim> x;
    for (int d = 0; d < Dim; ++d) x[d] = places.uniform(wanted.low[d], wanted.high[d]);
    std::size_t nearest = 0;
    for (std::size_t i = 0; i < sites.size(); ++i)
      if ((sites[i] - x).norm() < (sites[nearest] - x).norm()) nearest = i;
    double second = 1e300;
    for (std::size_t i = 0; i < sites.size(); ++i)
      if (i != nearest) second = std::min(second, (sites[i] - x).norm());
    if (second - (sites[nearest] - x).norm() < 1e-9) continue;  // on a side, to round-off
    for (int d = 0; d < Dim; ++d) {
      const LineSpan span =
          compute_line_span<Dim>(bodies[nearest].shape, bodies[nearest].pose, x, Vec<Dim>::Unit(d));
      EXPECT_TRUE(span.low < 0 && span.high > 0);
    }
  }
}

TEST(Voronoi, every_place_is_in_the_cell_of_the_nearest_site) {
  expect_places_belong_to_the_nearest_site<2>();
  expect_places_belong_to_the_nearest_site<3>();
}

TEST(Voronoi, relaxed_cells_are_of_like_size) {
  const auto spread = [](int relaxations) {
    SplitMix64 random(3);
    const auto cells = build_tessellation<2>(tessellation<2>(300, relaxations), random);
    double sum = 0, squares = 0;
    for (const auto& cell : cells) sum += cell.volume(), squares += cell.volume() * cell.volume();
    return std::sqrt(squares / 300 / (sum / 300 * sum / 300) - 1);
  };
  // Areas of a Poisson-Voronoi tessellation have a coefficient of variation of 0.529 (Gilbert 1962); 300
  // cells scatter by about 0.03 about it.
  EXPECT_NEAR(spread(0), 0.529, 0.1);
  EXPECT_LT(spread(20), 0.15);
}

TEST(Voronoi, a_joint_takes_half_of_itself_off_every_inner_side) {
  Tessellation<2> wanted = tessellation<2>(1);
  SplitMix64 random(1);
  wanted.joint = 0.1;
  EXPECT_NEAR(build_tessellation<2>(wanted, random)[0].volume(), 1.5 * 2.5, 1e-14);  // no inner side
  wanted.count = 2;
  const auto both = build_tessellation<2>(wanted, random);
  wanted.joint = 0;
  SplitMix64 again(1);
  for (int d = 0; d < 2; ++d) again.uniform();
  const auto whole = build_tessellation<2>(wanted, again);
  // The one common side, of length l, loses 0.05 l on either side but for its slanted ends, which are alike.
  const double lost0 = whole[0].volume() - both[0].volume(), lost1 = whole[1].volume() - both[1].volume();
  double side = 0;
  for (std::size_t i = 0; i < whole[0].corners().size(); ++i) {
    const Vec<2>&a = whole[0].corners()[i], &b = whole[0].corners()[(i + 1) % whole[0].corners().size()];
    const bool on_box = a.x() == b.x() || a.y() == b.y();
    if (!on_box) side = (a - b).norm();
  }
  EXPECT_NEAR(lost0 + lost1, 0.1 * side, 0.1 * 0.1);
  wanted.count = 500, wanted.joint = 0.2;
  EXPECT_THROW(build_tessellation<2>(wanted, random), InputError);
}

}  // namespace
}  // namespace saltus::generate_voronoi_test
