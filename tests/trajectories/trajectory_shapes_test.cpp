#include "saltus/trajectories/trajectory_shapes.hpp"

#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"

namespace saltus::trajectory_shapes_test {
namespace {

template <int Dim>
void expect_round_trip(const Shape<Dim>& shape) {
  const EncodedShape encoded = encode_shape<Dim>(shape);
  const Shape<Dim> decoded = decode_shape<Dim>(encoded, "test");
  EXPECT_EQ(decoded.index(), shape.index());
  EXPECT_EQ(encode_shape<Dim>(decoded), encoded)
      << shape_kind_names()[static_cast<std::size_t>(encoded.kind)];
}

TEST(TrajectoryShapes, every_shape_of_the_plane_comes_back_with_the_same_numbers) {
  expect_round_trip<2>(Disk{0.5});
  expect_round_trip<2>(Capsule<2>{{-1, 0.1}, {1, 0.2}, 0.25});
  expect_round_trip<2>(build_rectangle(2, 1));
  expect_round_trip<2>(HalfPlane{{0, 1}, -0.5});
  expect_round_trip<2>(HollowDisk{3});
  expect_round_trip<2>(Polyline{{{0, 0}, {1, 0.5}, {2, 0}}, true});
  Compound<2> cluster;
  cluster.parts.push_back({Disk{0.5}, Pose<2>({1, 2}, 0.3)});
  cluster.parts.push_back({build_rectangle(1, 1), Pose<2>({-1, 0}, 7.0)});
  expect_round_trip<2>(cluster);
}

TEST(TrajectoryShapes, every_shape_of_space_comes_back_with_the_same_numbers) {
  expect_round_trip<3>(Sphere{0.5});
  expect_round_trip<3>(Capsule<3>{{-1, 0.1, 0}, {1, 0.2, 3}, 0.25});
  expect_round_trip<3>(build_box({1, 2, 3}));
  expect_round_trip<3>(Cylinder{0.5, 2});
  expect_round_trip<3>(Plane{{0, 0, 1}, 0.1});
  expect_round_trip<3>(HollowSphere{2});
  expect_round_trip<3>(HollowCylinder{2});
  expect_round_trip<3>(build_height_field(3, 2, 0.5, 0.5, {0, 0.1, 0, 0.2, 0, 0.1}));
  Compound<3> cluster;
  cluster.parts.push_back({Sphere{0.5}, Pose<3>({1, 2, 3})});
  cluster.parts.push_back({build_box({1, 1, 1}), Pose<3>({-1, 0, 0})});
  expect_round_trip<3>(cluster);
}

TEST(TrajectoryShapes, faces_of_a_polyhedron_keep_their_outward_normals) {
  const ConvexPolyhedron box = build_box({1, 2, 3});
  const Shape<3> shape = decode_shape<3>(encode_shape<3>(box), "test");
  const auto& decoded = std::get<ConvexPolyhedron>(shape);
  ASSERT_EQ(decoded.faces(), box.faces());
  // Round-off of one cross product of numbers of size 1.
  for (int face = 0; face < box.faces(); ++face)
    EXPECT_LT((decoded.normal[face] - box.normal[face]).norm(), 1e-14) << face;
}

TEST(TrajectoryShapes, numbers_that_are_no_shape_are_refused) {
  EXPECT_THROW(decode_shape<2>({0, {}}, "f"), InputError);      // a disk without a radius
  EXPECT_THROW(decode_shape<2>({0, {1, 2}}, "f"), InputError);  // one number too many
  EXPECT_THROW(decode_shape<2>({8, {1, 2}}, "f"), InputError);  // a cylinder in the plane
  EXPECT_THROW(decode_shape<2>({99, {1}}, "f"), InputError);
  EXPECT_THROW(decode_shape<3>({10, {1, 0, 0, 0, 0, 1, 2}}, "f"), InputError);    // corner 2 of 1
  EXPECT_THROW(decode_shape<3>({7, {1e9}}, "f"), InputError);                     // a count that cannot be
  EXPECT_THROW(decode_shape<2>({6, {6, 0, 0, 0, 0}}, "f"), InputError);           // a compound in a compound
  EXPECT_THROW(decode_shape<2>({6, {3, 3, 0, 0, 0, 0, 1, 0}}, "f"), InputError);  // a half-plane as a part
}

TEST(TrajectoryShapes, equal_shapes_share_a_row) {
  ShapeTable table;
  TrajectoryData data;
  EXPECT_EQ(table.insert(encode_shape<2>(Disk{1}), data), 0);
  EXPECT_EQ(table.insert(encode_shape<2>(Disk{2}), data), 1);
  EXPECT_EQ(table.insert(encode_shape<2>(Disk{1}), data), 0);
  EXPECT_EQ(data.shape_kind.size(), 2u);
  ShapeTable continued;
  continued.load(data, "test");
  EXPECT_EQ(continued.insert(encode_shape<2>(Disk{2}), data), 1);
  EXPECT_EQ(continued.insert(encode_shape<2>(Disk{3}), data), 2);
  EXPECT_EQ(shape_at(data, 2, "test"), encode_shape<2>(Disk{3}));
}

}  // namespace
}  // namespace saltus::trajectory_shapes_test
