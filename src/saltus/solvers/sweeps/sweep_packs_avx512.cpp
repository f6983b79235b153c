#include "saltus/solvers/sweeps/central_lanes.hpp"
#include "saltus/solvers/sweeps/plane_lanes.hpp"
#include "saltus/solvers/sweeps/space_lanes.hpp"

#if defined(__AVX512F__)
namespace saltus::detail {

const PackKernels kAvx512Packs = {CentralLanes<8>::sweep, PlaneLanes<8>::sweep, SpaceLanes<8>::sweep};

}  // namespace saltus::detail
#endif
