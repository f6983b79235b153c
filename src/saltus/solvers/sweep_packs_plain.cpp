#include "saltus/solvers/central_lanes.hpp"

namespace saltus::detail {

const PackKernels kPlainPacks = {CentralLanes<2>::sweep};

}  // namespace saltus::detail
