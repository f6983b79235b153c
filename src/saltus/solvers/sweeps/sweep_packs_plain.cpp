#include "saltus/solvers/sweeps/central_lanes.hpp"
#include "saltus/solvers/sweeps/plane_lanes.hpp"
#include "saltus/solvers/sweeps/space_lanes.hpp"

namespace saltus::detail {

const PackKernels kPlainPacks = {CentralLanes<2>::sweep, PlaneLanes<2>::sweep, SpaceLanes<2>::sweep};

}  // namespace saltus::detail
