// Groups of contacts against the closure of "shares a body that moves", computed the slow way.
#include "saltus/solvers/contact_groups.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus::contact_groups_test {
namespace {

SweepBody<2> moving() {
  SweepBody<2> body;
  body.inverse_mass[0] = body.inverse_mass[1] = body.inverse_inertia[0] = 1;
  return body;
}

SweepContact<2> between(int a, int b) {
  SweepContact<2> c;
  c.a = a, c.b = b;
  return c;
}

// Body 0 and every tenth cannot move; fewer contacts than bodies, so that there are many groups.
VelocityProblem<2> random_graph(int bodies, int contacts, unsigned seed) {
  std::mt19937_64 engine(seed);
  VelocityProblem<2> problem;
  for (int i = 0; i < bodies; ++i) problem.bodies.push_back(i % 10 == 0 ? SweepBody<2>() : moving());
  for (int i = 0; i < contacts; ++i) {
    const int a = static_cast<int>(engine() % bodies);
    problem.contacts.push_back(between(a, static_cast<int>((a + 1 + engine() % (bodies - 1)) % bodies)));
  }
  return problem;
}

// Least number among the contacts that each is joined to.
std::vector<int> first_contact_of_group(const VelocityProblem<2>& problem) {
  const int n = static_cast<int>(problem.contacts.size());
  std::vector<int> first(n);
  for (int i = 0; i < n; ++i) first[i] = i;
  const auto share = [&](const SweepContact<2>& c, const SweepContact<2>& d) {
    for (const int body : {c.a, c.b})
      if ((body == d.a || body == d.b) && !is_immovable(problem.bodies[body])) return true;
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (first[j] < first[i] && share(problem.contacts[i], problem.contacts[j]))
          first[i] = first[j], changed = true;
  }
  return first;
}

TEST(ContactGroups, are_the_closure_of_sharing_a_moving_body) {
  ContactGroups<2> groups;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const VelocityProblem<2> problem = random_graph(120, 40 + static_cast<int>(seed) * 3, seed);
    groups.build(problem);
    const std::vector<int> first = first_contact_of_group(problem);
    const int n = static_cast<int>(problem.contacts.size());
    int met = 0;
    std::vector<int> number(n, -1);
    for (int i = 0; i < n; ++i) {
      if (first[i] == i) number[i] = met++;
      ASSERT_EQ(groups.group_of_contact(i), number[first[i]]) << "seed " << seed << ", contact " << i;
    }
    ASSERT_EQ(groups.count(), met);
  }
}

TEST(ContactGroups, list_their_contacts_and_moving_bodies_once_and_in_order) {
  const VelocityProblem<2> problem = random_graph(120, 70, 3);
  ContactGroups<2> groups;
  groups.build(problem);
  int contacts = 0;
  std::vector<int> listed(problem.bodies.size(), ContactGroups<2>::kNone);
  for (int g = 0; g < groups.count(); ++g) {
    int last = -1;
    for (const int i : groups.contacts(g)) {
      EXPECT_LT(last, i);
      EXPECT_EQ(groups.group_of_contact(i), g);
      last = i, ++contacts;
    }
    last = -1;
    for (const int body : groups.bodies(g)) {
      EXPECT_LT(last, body);
      EXPECT_FALSE(is_immovable(problem.bodies[body]));
      listed[body] = g, last = body;
    }
  }
  EXPECT_EQ(contacts, 70);
  for (int body = 0; body < 120; ++body) EXPECT_EQ(groups.group_of_body(body), listed[body]);
  for (int i = 0; i < 70; ++i)
    for (const int body : {problem.contacts[i].a, problem.contacts[i].b})
      if (!is_immovable(problem.bodies[body])) {
        EXPECT_EQ(listed[body], groups.group_of_contact(i));
      }
}

TEST(ContactGroups, a_floor_does_not_join_and_a_body_locked_in_part_does) {
  VelocityProblem<2> problem;
  problem.bodies = {SweepBody<2>(), moving(), moving(), moving(), moving()};
  problem.contacts = {between(0, 1), between(0, 2), between(0, 3), between(3, 4)};
  ContactGroups<2> groups;
  groups.build(problem);
  EXPECT_EQ(groups.count(), 3);
  // A body that only turns still carries an impulse from one neighbour to the other.
  problem.bodies[0].inverse_inertia[0] = 1;
  groups.build(problem);
  EXPECT_EQ(groups.count(), 1);
}

TEST(ContactGroups, a_contact_that_nothing_can_answer_is_a_group_without_bodies) {
  VelocityProblem<2> problem;
  problem.bodies = {SweepBody<2>(), SweepBody<2>(), moving()};
  problem.contacts = {between(0, 1), between(1, 2), between(0, 1)};
  ContactGroups<2> groups;
  groups.build(problem);
  ASSERT_EQ(groups.count(), 3);
  EXPECT_TRUE(groups.bodies(0).empty());
  EXPECT_EQ(groups.bodies(1).size(), 1U);
  EXPECT_TRUE(groups.bodies(2).empty());
}

TEST(ContactGroups, a_block_joins_all_its_nodes_that_move) {
  VelocityProblem<2> problem;
  for (int i = 0; i < 7; ++i) problem.bodies.push_back(i == 0 ? SweepBody<2>() : moving());
  problem.contacts = {between(1, 2), between(0, 6)};
  // Block 0 ties bodies 2, 4, 5 and the ground; block 1 the ground alone; block 2 body 3 and the only system.
  const std::vector<int> begin = {0, 4, 5, 7}, nodes = {2, 0, 4, 5, 0, 3, 7};
  ContactGroups<2> groups;
  groups.build(problem, {1, {}, begin, nodes});
  EXPECT_EQ(groups.count(), 4);
  EXPECT_EQ(groups.group_of_body(1), 0);
  for (const int body : {2, 4, 5}) EXPECT_EQ(groups.group_of_body(body), 0);
  EXPECT_EQ(groups.group_of_body(6), 1);
  EXPECT_FALSE(groups.is_coupled(1));
  EXPECT_TRUE(groups.is_coupled(0));
  EXPECT_EQ(groups.blocks(0)[0], 0);
  EXPECT_EQ(groups.blocks(2)[0], 2 - 1);
  EXPECT_TRUE(groups.bodies(2).empty());
  EXPECT_EQ(groups.group_of_body(3), 3);
  EXPECT_EQ(groups.blocks(3)[0], 2);
}

TEST(ContactGroups, of_no_contacts_are_none) {
  ContactGroups<2> groups;
  groups.build(random_graph(30, 20, 1));
  groups.build(VelocityProblem<2>());
  EXPECT_EQ(groups.count(), 0);
}

}  // namespace
}  // namespace saltus::contact_groups_test
