// Equality constraints of FCLib's local form, u = W r + V l + q, V^T r + R l + s = 0,
// eliminated: W - V R^-1 V^T and q - V R^-1 s take the place of W and q.
#pragma once

#include <string>
#include <vector>

#include "saltus/fclib/fc_entries.hpp"
#include "saltus/files/hdf5_reader.hpp"

namespace saltus {

// Fails through `reader` when R is singular; says in `warnings` what was done.
void eliminate_equalities(const FcEntries& V, const FcEntries& R, const Eigen::VectorXd& s,
                          const Hdf5Reader& reader, FcEntries& W, Eigen::VectorXd& q,
                          std::vector<std::string>& warnings);

}  // namespace saltus
