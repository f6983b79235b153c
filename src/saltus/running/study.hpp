// Studies: one scene run over many values of its keys (docs/studies.md).
//
// A study file lists parameters; their grid (or list, side by side) makes the cases. Each case is a process
// `saltus run` with its own trajectory in the folder of the study, so that a study that was stopped goes on
// where it was. Then chosen numbers of every case make one row of one CSV.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "saltus/drawing/plot.hpp"
#include "saltus/running/measure_table.hpp"

namespace saltus {

struct StudyParameter {
  std::string name;
  std::vector<double> values;             // of words: their places in the list
  std::vector<std::string> words;         // values that are texts (a solver, a law); empty: numbers
  std::vector<std::string> keys;          // of the scene that take the value
  std::vector<std::string> prepare_keys;  // of the scene that prepares the sample
  std::string formula;                    // of t, the value: what the keys get; empty: the value itself
  std::string unit;                       // of the value, for figures; empty: none
};

struct StudyResult {
  std::string name;
  std::string measure;  // column of the measures, or
  std::string summary;  // key of the summary ("cpu_seconds.total")
  std::string take;     // last, first, max, min, mean; peak: the largest mean over a twentieth of the rows
  double from, to;      // s
  std::string formula;  // of t, the number taken; empty: itself
  std::string unit;     // for figures; empty: that of the measure or key, none with a formula
};

struct StudyFigure {
  std::string file, x, title, x_label, y_label;
  std::vector<std::string> y;
  std::string by;  // one series per value of this column; empty: one series
  bool points = true;
};

struct Study {
  std::string path, title, scene, prepare_scene;
  std::vector<std::string> prepare_file_keys;  // keys of the scene that name the prepared sample
  std::vector<std::string> set, prepare_set;   // overrides for all cases
  bool grid = true;
  std::vector<StudyParameter> parameters;
  std::vector<StudyResult> results;
  std::vector<StudyFigure> figures;
};

struct StudyCase {
  std::string name;            // "angle=10,seed=1"
  std::vector<double> values;  // by parameter
  std::vector<std::string> overrides, prepare_overrides;
  std::string prepare_name;  // cases with the same one share the sample; empty: none
};

// Throws InputError with file:line:column. Names of scenes are relative to the study, or of the library;
// names of parameters and figures become names of files and may not leave the folder.
Study read_study(const std::string& path);

// Throws InputError when two cases would be the same.
std::vector<StudyCase> build_cases(const Study& study);

// InputError when a measure or a key of the summary that the study collects is none of the scene's, or a
// column of a figure none of the study's: better before the runs than after.
void check_results(const Study& study, const std::vector<std::string>& overrides);
void check_figures(const Study& study);

// The numbers of one case; nan where a number does not exist. Throws InputError when the run is not finished,
// or a column or key is not in the trajectory.
std::vector<double> collect_results(const Study& study, const std::string& trajectory);

// Units of the columns, by name: those of the study, and of what it collects as it is those that the trajectory of a case tells.
std::map<std::string, std::string> find_units(const Study& study, const std::string& trajectory);

// An axis without a label of its own tells its column and unit; one of several columns, their unit or their names.
Plot build_figure(const StudyFigure& figure, const MeasureTable& table,
                  const std::map<std::string, std::string>& units);

}  // namespace saltus
