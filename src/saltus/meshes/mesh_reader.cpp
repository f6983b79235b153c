#include "saltus/meshes/mesh_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "saltus/base/byte_order_mark.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/meshes/abaqus_reader.hpp"
#include "saltus/meshes/gmsh_reader.hpp"
#include "saltus/meshes/solid_mesh_builder.hpp"
#include "saltus/meshes/vtk_reader.hpp"

namespace saltus {

namespace {

std::string read_mesh_bytes(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(path, "no such file");
  if (!std::filesystem::is_regular_file(status)) throw InputError(path, "is not a file", {}, "a mesh file");
  errno = 0;
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  std::string bytes;
  if (stream)
    if (const auto size = stream.tellg(); size > 0) bytes.resize(static_cast<std::size_t>(size));
  stream.seekg(0);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream) throw InputError(path, fmt::format("cannot be read ({})", std::strerror(errno)));
  if (bytes.empty()) throw InputError(path, "the file is empty");
  return bytes;
}

MeshFormat find_format(const std::string& path, std::string_view bytes) {
  static const std::pair<const char*, MeshFormat> kFormats[] = {{".msh", MeshFormat::msh},
                                                                {".inp", MeshFormat::inp},
                                                                {".vtk", MeshFormat::vtk},
                                                                {".vtu", MeshFormat::vtu}};
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const auto& [own, format] : kFormats)
    if (extension == own) return format;
  bytes = without_byte_order_mark(bytes, path);
  if (bytes.starts_with("$MeshFormat")) return MeshFormat::msh;
  if (bytes.starts_with("# vtk")) return MeshFormat::vtk;
  if (bytes.substr(0, 200).find("<VTKFile") != std::string_view::npos) return MeshFormat::vtu;
  if (bytes.starts_with("*")) return MeshFormat::inp;
  throw InputError(path, "kind of a mesh file", "'" + extension + "'",
                   "a name that ends in .msh (gmsh), .inp (Abaqus, CalculiX), .vtk or .vtu");
}

RawMesh parse_raw(std::string_view bytes, MeshFormat format, const std::string& where) {
  switch (format) {
    case MeshFormat::msh: return parse_gmsh(bytes, where);
    case MeshFormat::inp: return parse_abaqus(bytes, where);
    case MeshFormat::vtk: return parse_vtk(bytes, where);
    case MeshFormat::vtu: break;
  }
  return parse_vtu(bytes, where);
}

}  // namespace

template <int Dim>
ReadMesh<Dim> parse_mesh(std::string_view bytes, MeshFormat format, const std::string& where,
                         const MeshReadOptions& options) {
  RawMesh raw = parse_raw(without_byte_order_mark(bytes, where), format, where);
  for (std::string& note : raw.notes) note = where + ": " + note;
  return build_solid_mesh<Dim>(std::move(raw), where, options);
}

RawMesh read_raw_mesh(const std::string& path) {
  const std::string bytes = read_mesh_bytes(path);
  return parse_raw(without_byte_order_mark(bytes, path), find_format(path, bytes), path);
}

template <int Dim>
ReadMesh<Dim> read_mesh(const std::string& path, const MeshReadOptions& options) {
  const std::string bytes = read_mesh_bytes(path);
  return parse_mesh<Dim>(bytes, find_format(path, bytes), path, options);
}

template ReadMesh<2> parse_mesh(std::string_view, MeshFormat, const std::string&, const MeshReadOptions&);
template ReadMesh<3> parse_mesh(std::string_view, MeshFormat, const std::string&, const MeshReadOptions&);
template ReadMesh<2> read_mesh(const std::string&, const MeshReadOptions&);
template ReadMesh<3> read_mesh(const std::string&, const MeshReadOptions&);

}  // namespace saltus
