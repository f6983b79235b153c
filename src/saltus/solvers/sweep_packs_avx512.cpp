#include "saltus/solvers/central_lanes.hpp"
#include "saltus/solvers/plane_lanes.hpp"
#include "saltus/solvers/space_lanes.hpp"

#if defined(__AVX512F__)
namespace saltus::detail {

const PackKernels kAvx512Packs = {CentralLanes<8>::sweep, PlaneLanes<8>::sweep, SpaceLanes<8>::sweep};

}  // namespace saltus::detail
#endif
