// A mesh written in the formats that saltus reads and does not write, each straight from the description of its format, so
// that readers have something to read that no reader's author (nor our tables) had a hand in.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

struct PlainCell {
  int dimension, group;    // number of the group, from 1; sides count on from the materials
  std::vector<int> nodes;  // from 0, in VTK's order
};

struct PlainMesh {
  int dimension;
  std::vector<Eigen::Vector3d> nodes;
  std::vector<PlainCell> cells;  // sides first, as gmsh has them
  std::vector<std::pair<int, std::string>> groups;  // dimension and name; group i is number i + 1
};

template <int Dim>
PlainMesh plain(const SolidMesh<Dim>& mesh) {
  PlainMesh result{Dim, {}, {}, {}};
  for (const auto& x : mesh.nodes) {
    result.nodes.emplace_back(Eigen::Vector3d::Zero());
    result.nodes.back().template head<Dim>() = x;
  }
  for (const auto& name : mesh.materials) result.groups.emplace_back(Dim, name);
  for (const auto& group : mesh.side_groups) {
    result.groups.emplace_back(Dim - 1, group.name);
    for (const MeshSide& side : group.sides) {
      const auto& element = mesh.elements[side.element];
      PlainCell cell{Dim - 1, static_cast<int>(result.groups.size()), {}};
      for (const int k : face_nodes(element.kind, side.face)) cell.nodes.push_back(mesh.nodes_of(element)[k]);
      result.cells.push_back(cell);
    }
  }
  for (const auto& element : mesh.elements)
    result.cells.push_back({Dim, element.material + 1, {mesh.nodes_of(element).begin(), mesh.nodes_of(element).end()}});
  return result;
}

inline int gmsh_type(const PlainCell& cell) {
  const int n = static_cast<int>(cell.nodes.size());
  if (cell.dimension == 1) return n == 2 ? 1 : 8;
  if (cell.dimension == 2) return n == 3 ? 2 : n == 4 ? 3 : n == 6 ? 9 : 16;
  return n == 4 ? 4 : n == 8 ? 5 : n == 10 ? 11 : 17;
}

inline int vtk_type(const PlainCell& cell) {
  const int n = static_cast<int>(cell.nodes.size());
  if (cell.dimension == 1) return n == 2 ? 3 : 21;
  if (cell.dimension == 2) return n == 3 ? 5 : n == 4 ? 9 : n == 6 ? 22 : 23;
  return n == 4 ? 10 : n == 8 ? 12 : n == 10 ? 24 : 25;
}

// Middles in the order of edges in gmsh's manual, found by the ends of the edges.
inline std::vector<int> gmsh_nodes(const PlainCell& cell) {
  using Edges = std::vector<std::pair<int, int>>;
  const bool tetra = cell.nodes.size() == 10;
  if (cell.dimension < 3 || (!tetra && cell.nodes.size() != 20)) return cell.nodes;
  const Edges ours = tetra ? Edges{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}
                           : Edges{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {4, 5}, {5, 6}, {6, 7}, {4, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const Edges theirs = tetra ? Edges{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}}
                             : Edges{{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
  const std::size_t corners = tetra ? 4 : 8;
  std::vector<int> nodes(cell.nodes.begin(), cell.nodes.begin() + corners);
  for (const auto& edge : theirs)
    nodes.push_back(cell.nodes[corners + (std::find(ours.begin(), ours.end(), edge) - ours.begin())]);
  return nodes;
}

template <typename T>
void put(std::string& bytes, T value, bool swap = false) {
  std::string raw(reinterpret_cast<const char*>(&value), sizeof value);
  if (swap) std::reverse(raw.begin(), raw.end());
  bytes += raw;
}

inline std::string gmsh_head(const PlainMesh& mesh, const char* version, bool binary, bool swap = false) {
  std::string text = fmt::format("$MeshFormat\n{} {} 8\n", version, binary ? 1 : 0);
  if (binary) put<std::int32_t>(text, 1, swap), text += "\n";
  text += fmt::format("$EndMeshFormat\n$PhysicalNames\n{}\n", mesh.groups.size());
  for (std::size_t g = 0; g < mesh.groups.size(); ++g)
    text += fmt::format("{} {} \"{}\"\n", mesh.groups[g].first, g + 1, mesh.groups[g].second);
  return text + "$EndPhysicalNames\n";
}

inline std::string gmsh_2(const PlainMesh& mesh, bool binary, bool swap = false) {
  std::string text = gmsh_head(mesh, "2.2", binary, swap) + fmt::format("$Nodes\n{}\n", mesh.nodes.size());
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const Eigen::Vector3d& x = mesh.nodes[i];
    if (!binary) {
      text += fmt::format("{} {:.17g} {:.17g} {:.17g}\n", i + 1, x.x(), x.y(), x.z());
      continue;
    }
    put<std::int32_t>(text, static_cast<int>(i) + 1, swap);
    for (int d = 0; d < 3; ++d) put<double>(text, x[d], swap);
  }
  text += fmt::format("{}$EndNodes\n$Elements\n{}\n", binary ? "\n" : "", mesh.cells.size());
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    const PlainCell& cell = mesh.cells[c];
    const int number = static_cast<int>(c) + 1, type = gmsh_type(cell);
    if (binary)
      for (const int value : {type, 1, 2, number, cell.group, 7}) put<std::int32_t>(text, value, swap);
    else
      text += fmt::format("{} {} 2 {} 7", number, type, cell.group);
    for (const int node : gmsh_nodes(cell))
      if (binary)
        put<std::int32_t>(text, node + 1, swap);
      else
        text += fmt::format(" {}", node + 1);
    if (!binary) text += "\n";
  }
  return text + (binary ? "\n$EndElements\n" : "$EndElements\n");
}

// Each group is an entity of its own.
inline std::string gmsh_4_binary(const PlainMesh& mesh) {
  std::string text = gmsh_head(mesh, "4.1", true) + "$Entities\n";
  for (int d = 0; d < 4; ++d)
    put<std::uint64_t>(text, std::count_if(mesh.groups.begin(), mesh.groups.end(), [&](const auto& g) { return g.first == d; }));
  for (int d = 0; d < 4; ++d)
    for (std::size_t g = 0; g < mesh.groups.size(); ++g) {
      if (mesh.groups[g].first != d) continue;
      put<std::int32_t>(text, static_cast<int>(g) + 1);
      for (int k = 0; k < 6; ++k) put<double>(text, 0);
      put<std::uint64_t>(text, 1);
      put<std::int32_t>(text, static_cast<int>(g) + 1);
      put<std::uint64_t>(text, 0);
    }
  text += "\n$EndEntities\n$Nodes\n";
  for (const std::uint64_t value : {std::size_t(1), mesh.nodes.size(), std::size_t(1), mesh.nodes.size()}) put(text, value);
  for (const std::int32_t value : {mesh.dimension, 1, 0}) put(text, value);
  put<std::uint64_t>(text, mesh.nodes.size());
  for (std::size_t i = 1; i <= mesh.nodes.size(); ++i) put<std::uint64_t>(text, i);
  for (const auto& x : mesh.nodes)
    for (int d = 0; d < 3; ++d) put<double>(text, x[d]);
  text += "\n$EndNodes\n$Elements\n";
  for (const std::uint64_t value : {mesh.cells.size(), mesh.cells.size(), std::size_t(1), mesh.cells.size()}) put(text, value);
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    for (const std::int32_t value : {mesh.cells[c].dimension, mesh.cells[c].group, gmsh_type(mesh.cells[c])}) put(text, value);
    for (const std::uint64_t value : {std::size_t(1), c + 1}) put(text, value);
    for (const int node : gmsh_nodes(mesh.cells[c])) put<std::uint64_t>(text, node + 1);
  }
  return text + "\n$EndElements\n";
}

inline std::string vtk_legacy(const PlainMesh& mesh, bool binary) {
  std::string text = fmt::format("# vtk DataFile Version 3.0\na title\n{}\nDATASET UNSTRUCTURED_GRID\n", binary ? "BINARY" : "ASCII");
  const auto number = [&](int value) { binary ? put<std::int32_t>(text, value, true) : void(text += fmt::format("{} ", value)); };
  text += fmt::format("POINTS {} double\n", mesh.nodes.size());
  std::size_t size = 0;
  for (const auto& x : mesh.nodes)
    for (int d = 0; d < 3; ++d) binary ? put<double>(text, x[d], true) : void(text += fmt::format("{:.17g} ", x[d]));
  for (const auto& cell : mesh.cells) size += 1 + cell.nodes.size();
  text += fmt::format("\nCELLS {} {}\n", mesh.cells.size(), size);
  for (const auto& cell : mesh.cells) {
    number(static_cast<int>(cell.nodes.size()));
    for (const int node : cell.nodes) number(node);
  }
  text += fmt::format("\nCELL_TYPES {}\n", mesh.cells.size());
  for (const auto& cell : mesh.cells) number(vtk_type(cell));
  text += fmt::format("\nCELL_DATA {}\nSCALARS gmsh%3Aphysical int 1\nLOOKUP_TABLE default\n", mesh.cells.size());
  for (const auto& cell : mesh.cells) number(cell.group);
  return text + "\n";
}

inline std::string base64(const std::string& bytes) {
  const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
  }
  return text;
}

// `format`: ascii, binary (base64), appended (raw).
inline std::string vtu(const PlainMesh& mesh, const std::string& format) {
  std::string appended, text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n";
  text += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", mesh.nodes.size(), mesh.cells.size());
  const auto add = [&](const char* name, const char* type, int components, const std::string& words, const std::string& bytes) {
    std::string own;
    put<std::uint32_t>(own, static_cast<std::uint32_t>(bytes.size()));
    own += bytes;
    text += fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"{}\"", type, name, components, format);
    if (format == "appended") text += fmt::format(" offset=\"{}\"/>\n", appended.size()), appended += own;
    else text += ">\n" + (format == "ascii" ? words : base64(own)) + "\n</DataArray>\n";
  };
  const auto add_integers = [&](const char* name, const std::vector<int>& values) {
    std::string words, bytes;
    for (const int value : values) words += fmt::format("{} ", value), put<std::int32_t>(bytes, value);
    add(name, "Int32", 1, words, bytes);
  };
  std::string words, bytes;
  for (const auto& x : mesh.nodes)
    for (int d = 0; d < 3; ++d) words += fmt::format("{:.17g} ", x[d]), put<double>(bytes, x[d]);
  std::vector<int> nodes, ends, types, groups;
  for (const auto& cell : mesh.cells) {
    nodes.insert(nodes.end(), cell.nodes.begin(), cell.nodes.end());
    ends.push_back(static_cast<int>(nodes.size()));
    types.push_back(vtk_type(cell));
    groups.push_back(cell.group);
  }
  text += "<Points>\n", add("Points", "Float64", 3, words, bytes);
  text += "</Points>\n<Cells>\n", add_integers("connectivity", nodes), add_integers("offsets", ends), add_integers("types", types);
  text += "</Cells>\n<CellData>\n", add_integers("material", groups);
  text += "</CellData>\n</Piece>\n</UnstructuredGrid>\n";
  if (format == "appended") text += "<AppendedData encoding=\"raw\">\n_" + appended + "\n</AppendedData>\n";
  return text + "</VTKFile>\n";
}

// Materials as sections, groups of sides as surfaces of faces (their numbers are ours plus one).
template <int Dim>
std::string abaqus(const SolidMesh<Dim>& mesh) {
  static const char* const kTypes[] = {"CPE3", "CPS6", "CAX4", "CPE8R", "C3D4", "C3D10", "C3D8I", "C3D20R"};
  std::string text = "*Heading\n a title\n** a comment\n*Node, nset=Nall\n";
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    text += fmt::format("{}", 10 * (i + 1));
    for (int d = 0; d < Dim; ++d) text += fmt::format(", {:.17g}", mesh.nodes[i][d]);
    text += "\n";
  }
  for (std::size_t m = 0; m < mesh.materials.size(); ++m)
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      if (mesh.elements[e].material != static_cast<int>(m)) continue;
      text += fmt::format("*ELEMENT, TYPE={}, ELSET=E{}\n{}", kTypes[static_cast<int>(mesh.elements[e].kind)], mesh.materials[m], e + 1);
      int column = 1;
      for (const int node : mesh.nodes_of(mesh.elements[e]))
        text += fmt::format(",{}{}", ++column % 9 == 0 ? "\n " : " ", 10 * (node + 1));  // long rows go on
      text += "\n";
    }
  for (const auto& name : mesh.materials) text += fmt::format("*Elset, elset={}\nE{}\n*solid section, elset={}, material=any\n1.,\n", name, name, name);
  for (const auto& group : mesh.side_groups) {
    text += fmt::format("*SURFACE, NAME={}, TYPE=ELEMENT\n", group.name);
    for (const MeshSide& side : group.sides) text += fmt::format("{}, S{}\n", side.element + 1, side.face + 1);
  }
  return text + "*STEP\n*STATIC\n*END STEP\n";
}

}  // namespace saltus
