// Whether the steps of a run fit between its start and its end.
#pragma once

#include <string>

#include "saltus/sim/scene.hpp"

namespace saltus {

// InputError when the end is after the start, but so near that no step of h is taken. Returns what to say when steps of h
// do not lead to the end, only near it; empty: they do.
template <int Dim>
std::string check_run_length(const Scene<Dim>& scene);

}  // namespace saltus
