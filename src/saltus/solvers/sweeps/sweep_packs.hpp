// Packs: contacts that share no moving body, swept side by side by the vector instructions of the processor.
//
// A pack holds kLanes contacts, each of its fields one row. Whatever the width of the instructions, every
// lane goes through the same operations (no fused ones: sweep_packs_*.cpp are compiled without), and sums are
// kept by lane: the answer has the same bits with all of them. A lane without a contact has zeros and the
// ground for both bodies: it adds nothing and moves nothing.
//
// These files are compiled for processors other than the one at hand. They use nothing but builtin types, and
// no inline function of a library, of which the linker might keep the copy made here for all.
#pragma once

namespace saltus {

inline constexpr int kLanes = 8;

using PackRow = double[kLanes];

// Contacts of spheres, see sweep_central.hpp. Bodies are places in arrays of 8 doubles: v, 1/m, w, 1/J.
struct alignas(64) CentralPack {
  int a[kLanes], b[kLanes];
  int taken;                              // lanes with a contact, or more: those behind are empty
  PackRow n[3], shift[3], r[3], last[3];  // world axes; last: r of the iterate before
  PackRow da, db, mu;
  PackRow slip;                  // of De Saxce's term
  PackRow inverse_n, inverse_t;  // of w + compliance
  PackRow compliance_n, compliance_t;
};

// Contacts of the plane, see sweep_plane.hpp. Bodies are records of 8 doubles, SweepBody<2>.
struct alignas(64) PlanePack {
  int a[kLanes], b[kLanes];
  int odd[kLanes];  // 1 + place among the contacts that are visited one by one, 0: visited here
  int taken;
  PackRow n[2], lever_a[2], lever_b[2];  // arm x n, arm x t
  PackRow shift[2], r[2], last[2];
  PackRow wnn, wnt, wtt;         // of the bodies
  PackRow inverse[3];            // of W with its compliance: nn, nt, tt
  PackRow edge_up, edge_down;    // -r_n / (b_n +- mu b_t) on the edges r_t = +- mu r_n
  PackRow slide_up, slide_down;  // -r_n / b_n of sliding contacts with r_t = +- mu r_n
  PackRow mu, compliance_n, compliance_t;
  PackRow slip;  // of De Saxce's term
};

// Contacts of space, see sweep_space.hpp. Bodies are records of 16 doubles, SweepBody<3>.
struct alignas(64) SpacePack {
  int a[kLanes], b[kLanes];
  int odd[kLanes];
  int taken;
  PackRow n[3], t[3];  // s = n x t
  PackRow arm_a[3], arm_b[3];
  PackRow shift[3], r[3], last[3];  // in the frame
  PackRow W[6];                     // nn, nt, ns, tt, ts, ss, compliance included
  PackRow mu, compliance_n, compliance_t;
  PackRow slip;     // of De Saxce's term
  PackRow sliding;  // -|u_t|/|r_t| W_nn of the last exact solution that slid: where its search starts
};

// SweepPass (sweep_kernel.hpp) in builtin types.
struct PackPass {
  double extrapolation, follow, normal, inverse_mass;
  bool exact, judged, has_margins;
  double margin_normal, margin_sliding, margin_impulse;
};

// SweepSums (sweep_kernel.hpp) by lane.
struct alignas(64) PackSums {
  PackRow residual, along, change, outside;
};

// Packs of one block. `ahead`: of so many packs, these and those behind them, the bodies may be fetched
// early.
template <class Pack>
struct PackBlock {
  Pack* packs;
  int count, ahead;
};

template <class Pack>
using SweepPacks = void (*)(const PackPass&, const PackBlock<Pack>&, double* bodies, const double* frozen,
                            PackSums&);

struct PackKernels {
  SweepPacks<CentralPack> central;
  SweepPacks<PlanePack> plane;
  SweepPacks<SpacePack> space;
};

enum class Instructions { plain, avx2, avx512 };
inline constexpr Instructions kAllInstructions[] = {Instructions::plain, Instructions::avx2,
                                                    Instructions::avx512};

// None when this processor does not have the instructions.
const PackKernels* pack_kernels(Instructions instructions);

// Those of the widest instructions of this processor.
const PackKernels& best_pack_kernels();

namespace detail {
extern const PackKernels kPlainPacks, kAvx2Packs, kAvx512Packs;
}

}  // namespace saltus
