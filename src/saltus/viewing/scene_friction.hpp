// Coefficients of friction between materials, from the text of a scene: the cone that a contact's impulse is shown in. The
// trajectory holds impulses and materials, not laws.
#pragma once

#include <string>
#include <vector>

namespace saltus {

struct MaterialFriction {
  int a = 0, b = 0;        // in the list of materials, a <= b
  double coefficient = 0;  // static, where the law has two
  bool cohesive = false;   // then Coulomb's cone does not bound the impulse by itself
};

// Pairs without a law, and texts that are no scene, give nothing.
std::vector<MaterialFriction> read_friction(const std::string& scene_text,
                                            const std::vector<std::string>& materials);

}  // namespace saltus
