#include "saltus/solvers/sweeps/central_lanes.hpp"
#include "saltus/solvers/sweeps/plane_lanes.hpp"
#include "saltus/solvers/sweeps/space_lanes.hpp"

#if defined(__AVX2__)
namespace saltus::detail {

const PackKernels kAvx2Packs = {CentralLanes<4>::sweep, PlaneLanes<4>::sweep, SpaceLanes<4>::sweep};

}  // namespace saltus::detail
#endif
