// Storage that starts on a boundary of the vector unit. Where a sum of products is cut into vectors
// depends on the address of its first entry, and so do its last bits: with storage that
// starts anywhere, the same input would not always give the same bits.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace saltus {

using AlignedVector = std::vector<double, Eigen::aligned_allocator<double>>;

}  // namespace saltus
