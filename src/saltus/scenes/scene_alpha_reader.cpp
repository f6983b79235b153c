#include "saltus/scenes/scene_alpha_reader.hpp"

#include "saltus/schemes/generalized_alpha.hpp"

namespace saltus {

void read_alpha(TableReader& t, SchemeOptions& scheme) {
  if (!is_alpha(scheme.kind)) return;
  for (const char* key : {"theta", "activation", "activation_gamma", "jacobian_at"})
    if (t.has(key))
      t.fail(key, "a key of other schemes",
             std::string("none under ") + name(scheme.kind) +
                 ": contacts act on velocities where they are closed on positions, at the end of the step");
  AlphaOptions& alpha = scheme.alpha;
  const bool by_radius =
      scheme.kind == SchemeKind::generalized_alpha || scheme.kind == SchemeKind::alpha_index3;
  if (t.has("rho_inf")) {
    if (!by_radius)
      t.fail("rho_inf", "a key of other schemes", "generalized-alpha, or alpha_f, beta and gamma");
    for (const char* key : {"alpha_m", "alpha_f"})
      if (t.has(key)) t.fail(key, "a second choice of the parameters", "rho_inf, or alpha_m and alpha_f");
    alpha = alpha_options(t.number("rho_inf", Range{0, 1}));
  } else {
    const AlphaOptions usual = by_radius ? alpha : alpha_options(0, 0);
    const auto given = [&](const char* key, bool allowed, double fallback, const Range& range) {
      if (t.has(key) && !allowed) t.fail(key, "a key of other schemes", "none: it is 0 under this scheme");
      return allowed ? t.number(key, fallback, range) : fallback;
    };
    const double alpha_m = given("alpha_m", by_radius, usual.alpha_m, Range{-1, 0.5});
    const double least = scheme.kind == SchemeKind::hht ? 0.0 : alpha_m;
    const double most = scheme.kind == SchemeKind::hht ? 1.0 / 3 : 0.5;
    const double alpha_f = given("alpha_f", scheme.kind != SchemeKind::newmark,
                                 scheme.kind == SchemeKind::hht ? 0.1 : usual.alpha_f, Range{least, most});
    alpha = alpha_options(alpha_m, alpha_f);
  }
  alpha.gamma = t.number("gamma", alpha.gamma, Range{0.5, 2});
  alpha.beta = t.number("beta", 0.25 * (alpha.gamma + 0.5) * (alpha.gamma + 0.5), Range{0, 2, true});
  alpha.tolerance = t.number("newton_tolerance", alpha.tolerance, Range{0, 1e-3, true});
  alpha.iterations = static_cast<int>(t.integer("newton_iterations", alpha.iterations, 2, 1000));
}

}  // namespace saltus
