// Matrices of the Siconos text format: dense, sparse blocks, or a dump of CSparse.
#pragma once

#include <string_view>

#include "saltus/fclib/fc_entries.hpp"
#include "saltus/files/text_scanner.hpp"

namespace saltus {

// Reads "storage rows cols body". `name` is the letter of the matrix in messages. The sizes
// of the result are within int but not yet confirmed by anything else in the text.
FcEntries read_text_matrix(std::string_view name, TextScanner& scanner);

}  // namespace saltus
