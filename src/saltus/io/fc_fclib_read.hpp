// Reads the FCLib problem of an open HDF5 file.
#pragma once

#include "saltus/io/fc_problem_file.hpp"
#include "saltus/io/hdf5_reader.hpp"

namespace saltus {

FcProblemFile read_fclib(const Hdf5Reader& reader, const std::string& where, const FcReadOptions& options);

}  // namespace saltus
