#include <fmt/format.h>

#include <algorithm>

#include "saltus/apps/export_command.hpp"
#include "saltus/drawing/fields.hpp"
#include "saltus/trajectories/stored_fields.hpp"
#include "saltus/viewing/view_page.hpp"

namespace saltus {

namespace {

// choose_frames for a source whose dimension is not known here.
std::vector<std::int64_t> choose_page_frames(const ViewSource& source, const ExportCommand& command) {
  std::vector<std::int64_t> frames;
  std::int64_t between = 0;
  for (std::int64_t i = 0; i < source.frames(); ++i)
    if (source.time(i) >= command.frames.from && source.time(i) <= command.frames.to &&
        between++ % command.frames.every == 0)
      frames.push_back(i);
  if (frames.empty())
    throw InputError(command.file,
                     source.frames() == 0 ? "holds no frame" : "has no frame between --from and --to");
  return frames;
}

}  // namespace

void export_html(const ExportCommand& command, const std::string& out) {
  const std::unique_ptr<ViewSource> source = open_view(command.file);
  const TrajectoryFile file = TrajectoryFile::open(command.file, TrajectoryFile::Mode::read);
  const std::vector<std::string> there = source->fields();
  for (const std::string& name : command.fields) {
    if (std::find(there.begin(), there.end(), name) != there.end()) continue;
    const auto all = list_body_fields(file.read_header().dimension);
    if (std::find(all.begin(), all.end(), name) != all.end() && name != "material")
      require_fields(file, stored_fields_of(find_field(name, file.read_header(), {}, command.file)),
                     "--fields " + name);
  }
  const ViewPage page = build_view_page(*source, choose_page_frames(*source, command),
                                        command.fields.empty() ? page_fields(*source) : command.fields,
                                        static_cast<std::size_t>(command.most_megabytes * 1e6));
  write_output(out, page.html);
  if (out == "-") return;
  const auto held = static_cast<std::int64_t>(page.frames.size());
  fmt::print("{}: {} frames, {:.1f} MB{}\n", out, held, static_cast<double>(page.html.size()) / 1e6,
             held < page.asked ? fmt::format("; {} of {} frames left out to stay below {:g} MB (--max-size)",
                                             page.asked - held, page.asked, command.most_megabytes)
                               : "");
}

}  // namespace saltus
