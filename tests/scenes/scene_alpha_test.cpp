// The parameters of the alpha schemes in a scene: what they become, what is refused, the way back to text.
#include <gtest/gtest.h>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_writer.hpp"

namespace saltus::scene_alpha_test {
namespace {

SchemeOptions scheme_of(const std::string& keys) {
  return std::get<Scene<2>>(parse_scene("dimension = 2\n[scheme]\n" + keys, "scene.toml", {}).scene).scheme;
}

std::string refusal_of(const std::string& keys) {
  try {
    scheme_of(keys);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SceneAlpha, parameters_follow_from_a_few_of_them) {
  const AlphaOptions by_radius = scheme_of("kind = \"generalized-alpha\"\nrho_inf = 0.8\n").alpha;
  EXPECT_DOUBLE_EQ(by_radius.alpha_m, 1.0 / 3);
  EXPECT_DOUBLE_EQ(by_radius.alpha_f, 4.0 / 9);
  EXPECT_DOUBLE_EQ(by_radius.gamma, 11.0 / 18);
  EXPECT_DOUBLE_EQ(by_radius.beta, 100.0 / 324);
  const AlphaOptions usual = scheme_of("kind = \"generalized-alpha\"\n").alpha;
  EXPECT_DOUBLE_EQ(usual.beta, by_radius.beta);
  const AlphaOptions newmark = scheme_of("kind = \"newmark\"\n").alpha;
  EXPECT_EQ(newmark.alpha_f, 0);
  EXPECT_EQ(newmark.gamma, 0.5);
  EXPECT_EQ(newmark.beta, 0.25);
  const AlphaOptions hht = scheme_of("kind = \"hht\"\nalpha_f = 0.1\ngamma = 1\nbeta = 0.5\n").alpha;
  EXPECT_EQ(hht.alpha_m, 0);
  EXPECT_EQ(hht.alpha_f, 0.1);
  EXPECT_EQ(hht.gamma, 1);
  EXPECT_EQ(hht.beta, 0.5);
}

TEST(SceneAlpha, keys_that_mean_nothing_are_refused_with_their_place) {
  EXPECT_EQ(refusal_of("kind = \"newmark\"\nrho_inf = 0.5\n").substr(0, 33),
            "scene.toml:4:11: scheme.rho_inf: ");
  EXPECT_EQ(refusal_of("kind = \"newmark\"\nalpha_f = 0.1\n").substr(0, 33),
            "scene.toml:4:11: scheme.alpha_f: ");
  EXPECT_EQ(refusal_of("kind = \"generalized-alpha\"\ntheta = 0.5\n").substr(0, 30),
            "scene.toml:4:9: scheme.theta: ");
  EXPECT_EQ(refusal_of("kind = \"generalized-alpha\"\nrho_inf = 1.1\n"),
            "scene.toml:4:11: scheme.rho_inf: got 1.1, allowed: a number from 0 to 1");
  EXPECT_NE(refusal_of("kind = \"generalized-alpha\"\nrho_inf = 0.5\nalpha_m = 0\n"), "no error");
  EXPECT_NE(refusal_of("kind = \"generalized-alpha\"\ngamma = 0.4\n"), "no error");
  EXPECT_NE(refusal_of("kind = \"generalized-alpha\"\nbeta = 0\n"), "no error");
  EXPECT_NE(refusal_of("kind = \"generalized-alpha\"\nnewton_tolerance = 0\n"), "no error");
  EXPECT_NE(refusal_of("rho_inf = 0.5\n"), "no error");
}

TEST(SceneAlpha, a_scene_that_is_written_is_the_same_when_read) {
  for (const char* keys :
       {"kind = \"generalized-alpha\"\nrho_inf = 0.37\n", "kind = \"hht\"\nalpha_f = 0.05\n",
        "kind = \"newmark\"\ngamma = 0.6\nnewton_iterations = 7\n", "kind = \"alpha-index3\"\n"}) {
    const Scene<2> scene = std::get<Scene<2>>(
        parse_scene(std::string("dimension = 2\n[scheme]\n") + keys, "scene.toml", {}).scene);
    const Scene<2> again = std::get<Scene<2>>(parse_scene(format_scene(scene), "again.toml", {}).scene);
    EXPECT_EQ(again.scheme.kind, scene.scheme.kind);
    EXPECT_EQ(again.scheme.alpha.alpha_m, scene.scheme.alpha.alpha_m);
    EXPECT_EQ(again.scheme.alpha.alpha_f, scene.scheme.alpha.alpha_f);
    EXPECT_EQ(again.scheme.alpha.beta, scene.scheme.alpha.beta);
    EXPECT_EQ(again.scheme.alpha.gamma, scene.scheme.alpha.gamma);
    EXPECT_EQ(again.scheme.alpha.iterations, scene.scheme.alpha.iterations);
  }
}

}  // namespace
}  // namespace saltus::scene_alpha_test
