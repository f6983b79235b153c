#include "saltus/geometry/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

constexpr std::size_t kBinaryHeader = 84;    // 80 bytes of text and the number of triangles
constexpr std::size_t kBinaryTriangle = 50;  // normal, three corners, two bytes of attributes

class MeshBuilder {
 public:
  int vertex(const Vec<3>& x) {
    const auto [place, is_new] =
        number_.emplace(std::array{x.x(), x.y(), x.z()}, static_cast<int>(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back(x);
    return place->second;
  }

  void triangle(int u, int v, int w) {
    const Vec<3>& p = mesh.vertices[u];
    if ((mesh.vertices[v] - p).cross(mesh.vertices[w] - p).norm() > 0) mesh.triangles.push_back({u, v, w});
  }

  TriangleMesh mesh;

 private:
  std::map<std::array<double, 3>, int> number_;
};

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, "the mesh file cannot be opened");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::size_t count_binary_triangles(const std::string& bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  return count;
}

TriangleMesh parse_binary_stl(const std::string& path, const std::string& bytes) {
  const std::size_t count = count_binary_triangles(bytes);
  MeshBuilder builder;
  for (std::size_t t = 0; t < count; ++t) {
    int corner[3];
    for (std::size_t k = 0; k < 3; ++k) {
      float x[3];
      std::memcpy(x, bytes.data() + kBinaryHeader + kBinaryTriangle * t + 12 * (k + 1), sizeof x);
      const Vec<3> v(x[0], x[1], x[2]);
      if (!v.allFinite()) throw InputError(path, fmt::format("a corner of triangle {} is not finite", t));
      corner[k] = builder.vertex(v);
    }
    builder.triangle(corner[0], corner[1], corner[2]);
  }
  return builder.mesh;
}

Vec<3> parse_vector(std::istringstream& words, const std::string& where) {
  Vec<3> x;
  if (!(words >> x.x() >> x.y() >> x.z()) || !x.allFinite()) {
    throw InputError(where, "a vertex needs three finite numbers");
  }
  return x;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

TriangleMesh parse_text_stl(const std::string& path, const std::string& text) {
  MeshBuilder builder;
  std::vector<int> corners;
  std::istringstream lines(text);
  std::string line, word;
  bool inside = false;  // of a solid, which ends with a word of its own: a file that was cut short lacks it
  int number = 1;
  for (; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    const std::string where = fmt::format("{}:{}", path, number);
    if (!(words >> word)) continue;
    word = lower_case(word);
    if (word == "solid") inside = true;
    if (word == "endsolid") inside = false;
    if (word == "vertex") corners.push_back(builder.vertex(parse_vector(words, where)));
    if (word != "endfacet") continue;
    if (corners.size() != 3)
      throw InputError(where, "corners of a facet", fmt::format("{}", corners.size()), "3");
    builder.triangle(corners[0], corners[1], corners[2]);
    corners.clear();
  }
  if (!builder.mesh.triangles.empty() && (inside || !corners.empty()))
    throw InputError(fmt::format("{}:{}", path, number - 1),
                     fmt::format("the file ends within a solid, after {} triangles: it was cut short",
                                 builder.mesh.triangles.size()),
                     {}, "a last line \"endsolid\"");
  return builder.mesh;
}

// "7", "7/1", "7/1/2", "7//2", counted from 1 or, when negative, back from the last vertex.
int parse_obj_index(const std::string& word, int count, const std::string& where) {
  int index = 0;
  try {
    index = std::stoi(word);
  } catch (const std::exception&) {
    throw InputError(where, "corner of a face", word, "the number of a vertex");
  }
  if (index < 0) index += count + 1;
  if (index < 1 || index > count)
    throw InputError(where, "corner of a face", word, fmt::format("1 to {}", count));
  return index - 1;
}

TriangleMesh parse_obj(const std::string& path, const std::string& text, std::vector<NamedPart>& parts) {
  MeshBuilder builder;
  std::vector<int> face;
  std::istringstream lines(text);
  std::string line, word;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    const std::string where = fmt::format("{}:{}", path, number);
    if (!(words >> word)) continue;
    if (word == "v") builder.mesh.vertices.push_back(parse_vector(words, where));
    if (word == "o" || word == "g") {
      std::string name;
      if (words >> name) parts.push_back({name, builder.mesh.triangles.size()});
    }
    if (word != "f") continue;
    face.clear();
    while (words >> word) {
      face.push_back(parse_obj_index(word, static_cast<int>(builder.mesh.vertices.size()), where));
    }
    if (face.size() < 3)
      throw InputError(where, "corners of a face", fmt::format("{}", face.size()), "3 or more");
    for (std::size_t k = 1; k + 1 < face.size(); ++k) builder.triangle(face[0], face[k], face[k + 1]);
  }
  return builder.mesh;
}

std::size_t binary_stl_size(const std::string& bytes) {
  return kBinaryHeader + kBinaryTriangle * count_binary_triangles(bytes);
}

// The size alone tells: some binary files begin with "solid" like text ones.
bool is_binary_stl(const std::string& bytes) {
  return bytes.size() >= kBinaryHeader && bytes.size() == binary_stl_size(bytes);
}

// Texts have no zeros.
bool is_cut_binary_stl(const std::string& bytes) {
  return bytes.size() >= kBinaryHeader && bytes.find('\0') != std::string::npos &&
         bytes.size() < binary_stl_size(bytes);
}

TriangleMesh parse_mesh(const std::string& path, const std::string& bytes, std::vector<NamedPart>& parts) {
  if (lower_case(path).ends_with(".obj")) return parse_obj(path, bytes, parts);
  if (!lower_case(path).ends_with(".stl"))
    throw InputError(path, "kind of a mesh file", path, "a name that ends in .stl or .obj");
  return is_binary_stl(bytes) ? parse_binary_stl(path, bytes) : parse_text_stl(path, bytes);
}

}  // namespace

TriangleMesh read_mesh(const std::string& path, std::vector<NamedPart>& parts) {
  const std::string bytes = read_all(path);
  TriangleMesh mesh = parse_mesh(path, bytes, parts);
  if (mesh.triangles.empty() && lower_case(path).ends_with(".obj"))
    throw InputError(path, "a mesh file without triangles", fmt::format("{} vertices", mesh.vertices.size()),
                     "faces (lines \"f\") with an area; points alone make the convex hull of a polyhedron");
  if (mesh.triangles.empty() && is_cut_binary_stl(bytes))
    throw InputError(path, "the binary STL is shorter than the triangles it counts: it was cut short",
                     fmt::format("{} bytes", bytes.size()),
                     fmt::format("{}: 84 and 50 for each of {} triangles", binary_stl_size(bytes),
                                 count_binary_triangles(bytes)));
  if (mesh.triangles.empty())
    throw InputError(path, "a mesh file without triangles", fmt::format("{} bytes", bytes.size()),
                     "triangles with an area; a binary STL is 84 bytes and 50 for each triangle it counts");
  return mesh;
}

TriangleMesh read_mesh(const std::string& path) {
  std::vector<NamedPart> parts;
  return read_mesh(path, parts);
}

TriangleMesh read_hull_points(const std::string& path) {
  std::vector<NamedPart> parts;
  const std::string bytes = read_all(path);
  TriangleMesh mesh = parse_mesh(path, bytes, parts);
  return mesh.vertices.empty() ? read_mesh(path) : mesh;
}

int count_open_edges(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> uses;  // of an edge one way, less those the other way
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const int u = t[k], v = t[(k + 1) % 3];
      uses[std::minmax(u, v)] += u < v ? 1 : -1;
    }
  return static_cast<int>(
      std::count_if(uses.begin(), uses.end(), [](const auto& use) { return use.second != 0; }));
}

double compute_enclosed_volume(const TriangleMesh& mesh) {
  double volume = 0;
  const Vec<3> base = mesh.vertices.empty() ? Vec<3>::Zero() : mesh.vertices[0];
  for (const auto& t : mesh.triangles) {
    const Vec<3> a = mesh.vertices[t[0]] - base, b = mesh.vertices[t[1]] - base,
                 c = mesh.vertices[t[2]] - base;
    volume += a.dot(b.cross(c)) / 6;
  }
  return volume;
}

}  // namespace saltus
