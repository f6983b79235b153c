// Reads the FCLib problem of an open HDF5 file.
#pragma once

#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/files/hdf5_reader.hpp"

namespace saltus {

FcProblemFile read_fclib(const Hdf5Reader& reader, const std::string& where, const FcReadOptions& options);

}  // namespace saltus
