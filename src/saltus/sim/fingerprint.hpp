// A hash of what decides how a state goes on: a state that was saved under another one is not restored.
#pragma once

#include <cstdint>

#include "saltus/sim/scene.hpp"

namespace saltus {

// Of bodies (shapes, masses, poses, drives, forces, groups, times), laws, scheme, loads, gravity and period;
// not of names, measures and output, of the solver (a better one may take over) and of the end.
template <int Dim>
std::uint64_t compute_fingerprint(const Scene<Dim>& scene);

}  // namespace saltus
