// Series of a trajectory by name, as `plot` and `export` take them: columns of the measures that the run wrote
// (stress.xx), of its frames (energy.NAME, solver.NAME), the name before a dot (energy: all of it that is not zero), a
// profile (its columns NAME@PLACE), or a measure to be computed from the frames, as `measure` takes it.
#pragma once

#include <string>
#include <vector>

#include "saltus/running/measure_table.hpp"

namespace saltus {

// Rows whose time is in [from, to], s; all of them when there is no column `time`.
MeasureTable keep_times(const MeasureTable& table, double from, double to);

// "energy" becomes all of energy.NAME that are not zero throughout, where no column has the name itself.
std::vector<std::string> expand_groups(const std::vector<std::string>& names,
                                       const std::vector<MeasureTable>& tables);

// "stress.xx, energy.kinetic, ..."; profiles without their places.
std::vector<std::string> series_names(const std::vector<MeasureTable>& tables);
std::string list_series(const std::vector<MeasureTable>& tables);

// The rows of all tables in one, in the order of their steps: columns `step` and `time`, then theirs. A cell is nan
// where a table has no row of that step. Every table has `step` and `time`.
MeasureTable join_tables(const std::vector<MeasureTable>& tables);

// InputError when `name` is of a group of series (energy, solver) whose field was not stored: which one, and how to store it.
void require_series_fields(const std::string& trajectory, const std::string& name);

// Series of a trajectory between two times, joined; no name: all that the file holds. Throws InputError with what
// there is when a name is none of it.
MeasureTable read_series(const std::string& trajectory, const std::vector<std::string>& names, double from,
                         double to);

}  // namespace saltus
