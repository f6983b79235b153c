// Contacts keep their identity from step to step, in a periodic cell too.
#include "saltus/contact/contact_set.hpp"

#include <gtest/gtest.h>

namespace saltus::contact_set_test {
namespace {

constexpr double kStep = 0.01;

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
  contacts.match(first, two.bodies, two.laws, kStep, true);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(contacts.contacts()[i].history.impulse.isZero(0));
    contacts.contacts()[i].history.impulse.x() = 100 + first[i].feature + 10 * first[i].image.x();
  }
  // One is gone, two are new, one of them by way of an image that did not touch before.
  const std::vector<ContactPoint<2>> second{point(1, -1), point(4, -1), point(5, -1),
                                            point(1, 0),  point(5, 0),  point(1, 1)};
  contacts.match(second, two.bodies, two.laws, kStep, false);
  const double remembered[] = {91, 0, 95, 101, 105, 0};
  for (std::size_t i = 0; i < second.size(); ++i)
    EXPECT_EQ(contacts.contacts()[i].history.impulse.x(), remembered[i]) << i;
}

// A contact that is not where the one was whose impulse it gets (bodies without a size: nothing is near) has that as
// the guess of the solver alone: what laws remember goes by names.
TEST(ContactSet, a_contact_of_a_new_name_starts_from_the_nearest_impulse_that_lost_its_name) {
  const TwoBodies two;
  ContactSet<2> contacts;
  const auto at = [](std::uint64_t feature, double y, int image = 0) {
    ContactPoint<2> p = point(feature, image);
    p.point = {0, y};
    return p;
  };
  contacts.match(std::vector{at(1, 0), at(2, 1), at(3, 2), at(9, 5)}, two.bodies, two.laws, kStep, true);
  for (Contact<2>& c : contacts.contacts()) {
    c.history.impulse.x() = 10 * static_cast<double>(c.feature);
    c.history.slip.y() = 1;
    c.history.bonded = true;
  }
  // 1 and 3 are called 7 and 6 now, 2 stays, 9 is gone from there, 8 has nothing left, and another image has nothing
  // to take from this one.
  contacts.match(std::vector{at(2, 1), at(6, 2 - 1e-9), at(7, 1e-9), at(8, 5), at(9, 8), at(7, 0, 1)},
                 two.bodies, two.laws, kStep, false);
  const double impulse[] = {20, 30, 10, 0, 90, 0};
  const bool known[] = {true, false, false, false, true, false};
  for (std::size_t i = 0; i < 6; ++i) {
    const ContactHistory& history = contacts.contacts()[i].history;
    EXPECT_EQ(history.impulse.x(), impulse[i]) << i;
    EXPECT_EQ(history.bonded, known[i]) << i;
    EXPECT_EQ(history.slip.y(), known[i] ? 1 : 0) << i;
  }
}

// Corners of faces that lie on each other change names by the last digits: a contact that is where one was, carried
// along by its body, is that one, with its bond and slip.
TEST(ContactSet, a_contact_of_a_new_name_in_the_old_place_keeps_its_bond_and_slip) {
  BodySet<2> bodies;
  BodyModel<2> model;
  model.size = 1;
  // Body a turns about its centre at (0, 1) and moves: its point (0, 2) goes to (-0.02, 2.03) in a step.
  const Vec<2> velocity(0, 3);
  bodies.add(0, model, Pose<2>(Vec<2>(0, 1), 0.0), velocity, Spin<2>::Constant(2));
  bodies.add(1, model, Pose<2>(), velocity, Spin<2>::Zero());
  LawTable laws;
  PairLaw bond;
  bond.cohesion = 1;
  laws.set(laws.add_material("stone"), 0, bond);

  const auto at = [](std::uint64_t feature, double x, double y) {
    ContactPoint<2> p = point(feature, 0);
    p.point = {x, y};
    return p;
  };
  ContactSet<2> contacts;
  contacts.match(std::vector{at(1, 0, 2), at(2, 0, 1)}, bodies, laws, kStep, true);
  for (Contact<2>& c : contacts.contacts()) {
    c.history.impulse.x() = static_cast<double>(c.feature);
    c.history.slip.y() = static_cast<double>(c.feature);
    c.history.damage = 0.5;
    c.history.bonded = true;
  }
  // 5 is 1 by another name; 6 is 0.02 m, two hundredths of the bodies, from where 2 would be now. It takes over the bond, for none ends
  // but by breaking, and not the slip.
  contacts.match(std::vector{at(5, -0.02, 2.03), at(6, 0, 1.05)}, bodies, laws, kStep, false);
  const ContactHistory &same = contacts.contacts()[0].history, &other = contacts.contacts()[1].history;
  EXPECT_TRUE(same.bonded);
  EXPECT_EQ(same.damage, 0.5);
  EXPECT_EQ(same.slip.y(), 1);
  EXPECT_EQ(same.impulse.x(), 1);
  EXPECT_TRUE(other.bonded);
  EXPECT_EQ(other.damage, 0.5);
  EXPECT_EQ(other.slip.y(), 0);
  EXPECT_EQ(other.impulse.x(), 2);
}

}  // namespace
}  // namespace saltus::contact_set_test
