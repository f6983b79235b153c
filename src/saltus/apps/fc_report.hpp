// What `saltus fc solve` says about one solve: a line of JSON, or rows of a table.
#pragma once

#include <string>

#include "saltus/apps/fc_run.hpp"

namespace saltus {

struct FcSummary {  // of the file that was solved
  std::string path;
  int dimension = 0, block_size = 0, contacts = 0, degrees_of_freedom = 0;
};
FcSummary summarise(const std::string& path, const FcProblemFile& file);

std::string format_json(const FcSummary& summary, const FcRun& run);

// The names of files take `width` characters.
std::string format_table_head(std::size_t width, ResidualKind residual);
std::string format_table_row(const FcSummary& summary, const FcRun& run, std::size_t width,
                             ResidualKind residual);

// The lines under a row: what auto did, and why it ended where it did not converge.
std::string format_details(const FcRun& run);

// Impulse and relative velocity of every contact: normal, size of the tangential part, and
// size of the rolling part where there is one.
std::string format_contacts(ConeKind kind, const Eigen::VectorXd& r, const Eigen::VectorXd& u);

}  // namespace saltus
