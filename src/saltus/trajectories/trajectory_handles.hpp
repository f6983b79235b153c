// What a TrajectoryFile holds of the HDF5 library; for its own sources.
#pragma once

#include <string>
#include <vector>

#include "saltus/files/hdf5_handle.hpp"
#include "saltus/trajectories/trajectory_file.hpp"

namespace saltus {

struct TrajectoryFile::Handles {
  Hdf5Handle file;
  std::string opened;              // its name on the disk, and which file that was
  unsigned long long node = 0;
  std::vector<Hdf5Handle> columns;  // as trajectory_columns(); empty handle: not in this file
};

}  // namespace saltus
