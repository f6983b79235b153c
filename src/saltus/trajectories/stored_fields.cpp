#include "saltus/trajectories/stored_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"

namespace saltus {

bool has_field(const TrajectoryFile& file, const std::string& field) {
  const auto& all = trajectory_columns();
  return std::any_of(all.begin(), all.end(), [&](const TrajectoryColumn& column) {
    return column.field == field && file.has(column);
  });
}

std::string describe_missing(const TrajectoryFile& file, const std::vector<std::string>& fields) {
  for (const std::string& field : fields)
    if (!has_field(file, field))
      return fmt::format(
          "the field {}, which was not stored: run again with \"{}\" in output.fields (or without "
          "output.fields, "
          "which stores all)",
          field, field);
  return {};
}

void require_fields(const TrajectoryFile& file, const std::vector<std::string>& fields,
                    const std::string& what) {
  if (const std::string missing = describe_missing(file, fields); !missing.empty())
    throw InputError(file.path(), fmt::format("{} needs {}", what, missing));
}

}  // namespace saltus
