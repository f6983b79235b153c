#include "saltus/solvers/sweeps/sweep_packs.hpp"

namespace saltus {

const PackKernels* pack_kernels(Instructions instructions) {
#if defined(__x86_64__)
  if (instructions == Instructions::avx2)
    return __builtin_cpu_supports("avx2") ? &detail::kAvx2Packs : nullptr;
  if (instructions == Instructions::avx512) {
    const bool has_all = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    return has_all ? &detail::kAvx512Packs : nullptr;
  }
#endif
  return instructions == Instructions::plain ? &detail::kPlainPacks : nullptr;
}

const PackKernels& best_pack_kernels() {
  static const PackKernels* const best = [] {
    const PackKernels* widest = nullptr;
    for (const Instructions instructions : kAllInstructions)
      if (const PackKernels* found = pack_kernels(instructions)) widest = found;
    return widest;
  }();
  return *best;
}

}  // namespace saltus
