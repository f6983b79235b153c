#include "saltus/solvers/central_lanes.hpp"

#if defined(__AVX2__)
namespace saltus::detail {

const PackKernels kAvx2Packs = {CentralLanes<4>::sweep};

}  // namespace saltus::detail
#endif
