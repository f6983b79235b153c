// Contacts keep their identity from step to step, in a periodic cell too.
#include "saltus/contact/contact_set.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

struct TwoBodies {
  BodySet<2> bodies;
  LawTable laws;

  TwoBodies() {
    for (int i = 0; i < 2; ++i) bodies.add(i, {}, Pose<2>(), Vec<2>::Zero(), Spin<2>::Zero());
    laws.set(laws.add_material("stone"), 0, {});
  }
};

ContactPoint<2> point(std::uint64_t feature, int image) {
  ContactPoint<2> p;
  p.a = 0, p.b = 1;
  p.feature = feature;
  p.image = {image, 0};
  p.normal = {1, 0};
  return p;
}

// Two wide bodies in a cell touch on both sides, by features of the same names: what each contact remembers
// is its own.
TEST(ContactSet, contacts_with_several_images_of_a_body_keep_their_own_memory) {
  const TwoBodies two;
  ContactSet<2> contacts;
  // In the order of the detector, where the image comes before the feature.
  const std::vector<ContactPoint<2>> first{point(1, -1), point(5, -1), point(1, 0), point(3, 0), point(5, 0)};
  contacts.match(first, two.bodies, two.laws, true);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(contacts.contacts()[i].history.impulse.isZero(0));
    contacts.contacts()[i].history.impulse.x() = 100 + first[i].feature + 10 * first[i].image.x();
  }
  // One is gone, two are new, one of them by way of an image that did not touch before.
  const std::vector<ContactPoint<2>> second{point(1, -1), point(4, -1), point(5, -1),
                                            point(1, 0),  point(5, 0),  point(1, 1)};
  contacts.match(second, two.bodies, two.laws, false);
  const double remembered[] = {91, 0, 95, 101, 105, 0};
  for (std::size_t i = 0; i < second.size(); ++i)
    EXPECT_EQ(contacts.contacts()[i].history.impulse.x(), remembered[i]) << i;
}

// Corners of faces that lie on each other change names by the last digits: the guess of the solver stays where
// the contacts are, and what laws remember goes by names.
TEST(ContactSet, a_contact_of_a_new_name_starts_from_the_nearest_impulse_that_lost_its_name) {
  const TwoBodies two;
  ContactSet<2> contacts;
  const auto at = [](std::uint64_t feature, double y, int image = 0) {
    ContactPoint<2> p = point(feature, image);
    p.point = {0, y};
    return p;
  };
  contacts.match(std::vector{at(1, 0), at(2, 1), at(3, 2), at(9, 5)}, two.bodies, two.laws, true);
  for (Contact<2>& c : contacts.contacts()) {
    c.history.impulse.x() = 10 * static_cast<double>(c.feature);
    c.history.slip.y() = 1;
    c.history.bonded = true;
  }
  // 1 and 3 are called 7 and 6 now, 2 stays, 9 is gone from there, 8 has nothing left, and another image has nothing
  // to take from this one.
  contacts.match(std::vector{at(2, 1), at(6, 2 - 1e-9), at(7, 1e-9), at(8, 5), at(9, 8), at(7, 0, 1)},
                 two.bodies, two.laws, false);
  const double impulse[] = {20, 30, 10, 0, 90, 0};
  const bool known[] = {true, false, false, false, true, false};
  for (std::size_t i = 0; i < 6; ++i) {
    const ContactHistory& history = contacts.contacts()[i].history;
    EXPECT_EQ(history.impulse.x(), impulse[i]) << i;
    EXPECT_EQ(history.bonded, known[i]) << i;
    EXPECT_EQ(history.slip.y(), known[i] ? 1 : 0) << i;
  }
}

}  // namespace
}  // namespace saltus
