// Tables of measures: rows of numbers under names, from a trajectory or a CSV file, and back to CSV.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "saltus/sim/scene_measures.hpp"
#include "saltus/trajectories/trajectory_data.hpp"

namespace saltus {

struct MeasureTable {
  std::vector<std::string> columns;
  std::vector<double> numbers;     // row by row; nan: no such number
  std::vector<std::string> texts;  // one per row, optional: a first column of words ("case")
  // Columns of words (a solver, a law): the number in such a column counts in its list.
  std::map<std::size_t, std::vector<std::string>> words;

  std::size_t rows() const { return columns.empty() ? 0 : numbers.size() / columns.size(); }
  double at(std::size_t row, std::size_t column) const { return numbers[row * columns.size() + column]; }
  int find(const std::string& column) const;  // -1: none
  std::vector<double> column(std::size_t index) const;
  std::string text_at(std::size_t row, std::size_t column) const;  // empty: no such number
  double word_value(std::size_t column, const std::string& word);  // adds the word when it is new
};

// The rows the run wrote (/measures), with step and time in front, and the columns of /energy and /solver of
// frames as energy.NAME and solver.NAME in a table of their own (`frames`).
struct TrajectoryTables {
  MeasureTable measures, frames;
};
TrajectoryTables read_tables(const std::string& trajectory);

// The rows of measures (columns measure_step, _time and _values) under their names.
MeasureTable build_table(const std::vector<std::string>& names, const TrajectoryData& rows,
                         const std::string& where);

// Computes measures from the frames of a trajectory; `measures` are as parse_measure takes them, none: those
// of the scene. Frames outside [from, to] (s) are left out, the first one still is what strains refer to.
// InputError when a measure needs a field that was not stored.
MeasureTable compute_measures(const std::string& trajectory, const std::vector<std::string>& measures,
                              double from, double to);

// One row: the mean of every column over the rows (nan left out).
MeasureTable mean_of(const MeasureTable& table);

std::string format_csv(const MeasureTable& table);
// First line names; a column that begins with a word holds words: in `texts` when it is the first, else in
// `words`.
MeasureTable read_csv_table(const std::string& path);

// PLACE and NAME of a column NAME@PLACE; false for other columns.
bool split_place(const std::string& column, std::string& name, double& place);

}  // namespace saltus
