#include <fmt/format.h>

#include <filesystem>

#include "saltus/apps/export_command.hpp"
#include "saltus/base/log.hpp"
#include "saltus/base/progress.hpp"
#include "saltus/exchange/vtk_frames.hpp"

namespace saltus {

namespace {

std::string vtk_name(const std::string& part, std::int64_t frame) {
  return fmt::format("{}-{:06}.{}", part, frame, part == "meshes" ? "vtu" : "vtp");
}

template <int Dim>
void write_vtk(const ExportCommand& command, OutputClaims& claims) {
  const TrajectoryReader<Dim> reader(command.file);
  const std::vector<std::int64_t> frames = choose_frames(reader, command.frames);
  make_folder(command.vtk);
  const std::filesystem::path folder(command.vtk);
  const auto place = [&](const std::string& name) {
    return claims.claim("--vtk", (folder / name).string(), OutputKind::stream);
  };
  VtkFrames<Dim> vtk(reader, command.sides);
  const std::vector<std::string> names = vtk.names();
  std::vector<VtkEntry> entries;
  std::vector<std::string> paths;
  for (const std::int64_t frame : frames)
    for (std::size_t part = 0; part < names.size(); ++part) {
      const std::string file = vtk_name(names[part], frame);
      entries.push_back({reader.time(frame), static_cast<int>(part), names[part], file});
      paths.push_back(place(file));
    }
  const std::string name = std::filesystem::path(command.file).stem().string() + ".pvd";
  const std::string series = place(name);
  if (vtk.leaves_out_balls())
    log_info(
        "many balls: their surfaces are left out, draw them from the part `centres` (representation Point "
        "Gaussian or filter Glyph, scaled by radius); --sides 8 writes them all the same");
  if (const std::string missing = vtk.left_out(); !missing.empty())
    log_info("{}: left out, as output.fields did not store what they are made of: {}", command.file, missing);
  Progress progress("export", static_cast<double>(frames.size()));
  double bytes = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::vector<VtkPart> parts = vtk.build(frames[i]);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::string content = format_vtk(parts[part].piece);
      write_output(paths[i * names.size() + part], content);
      bytes += static_cast<double>(content.size());
    }
    progress.update(static_cast<double>(i + 1));
  }
  // Last, so that it never names a file that is not there.
  write_output(series, format_pvd(entries));
  fmt::print("{}: {} frames of {}, {:.1f} MB\n", (folder / name).string(), frames.size(),
             fmt::join(names, ", "), bytes / 1e6);
}

}  // namespace

void export_vtk(const ExportCommand& command, OutputClaims& claims) {
  if (trajectory_dimension(command.file) == 2)
    write_vtk<2>(command, claims);
  else
    write_vtk<3>(command, claims);
}

}  // namespace saltus
