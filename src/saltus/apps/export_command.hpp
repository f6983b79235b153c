// `saltus export`: a trajectory for other programs. Each kind of output is an option of its own and a function
// that writes it; a call may ask for several.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "saltus/apps/frame_choice.hpp"
#include "saltus/files/output_place.hpp"

namespace saltus {

struct ExportCommand {
  std::string file;
  FrameChoice frames;        // also of the rows of series
  std::optional<double> at;  // s: the state that surfaces are of; none: the last one
  std::optional<int> sides;  // of round things
  bool force = false;
  std::string csv, vtk, stl, obj, html;
  double most_megabytes = 50;       // of a page
  std::vector<std::string> fields;  // that a page holds; none: viewing/view_page.hpp chooses
  std::vector<std::string> series;
};

// Each writes one output, to a place that has been claimed, and says so in a line.
void export_csv(const ExportCommand& command, const std::string& out);
void export_surface(const ExportCommand& command, const std::string& out, bool as_obj);
void export_html(const ExportCommand& command, const std::string& out);

// A folder of files, claimed one by one before the first is written.
void export_vtk(const ExportCommand& command, OutputClaims& claims);

}  // namespace saltus
