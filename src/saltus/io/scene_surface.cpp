#include "saltus/io/scene_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

class MeshBuilder {
 public:
  int add_vertex(const Vec<3>& x) {
    const auto [found, is_new] = index_.try_emplace({x[0], x[1], x[2]}, static_cast<int>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(x);
    return found->second;
  }
  void add_triangle(int i, int j, int k) {
    const Vec<3>&a = mesh_.vertices[i], &b = mesh_.vertices[j], &c = mesh_.vertices[k];
    if ((b - a).cross(c - a).norm() > 0) mesh_.triangles.push_back({i, j, k});
  }
  TriangleMesh take(const std::string& path) {
    if (mesh_.triangles.empty()) throw InputError(path, "the file holds no triangle");
    return std::move(mesh_);
  }

 private:
  TriangleMesh mesh_;
  std::map<std::array<double, 3>, int> index_;
};

Vec<3> read_point(std::istream& words, const std::string& where) {
  Vec<3> x;
  if (!(words >> x[0] >> x[1] >> x[2]) || !x.allFinite()) throw InputError(where, "a vertex without three numbers");
  return x;
}

constexpr std::size_t kBinaryHeader = 84, kBinaryTriangle = 50;  // bytes

// A binary file may begin with "solid" too: its length, which follows from its count, decides.
bool is_binary_stl(const std::string& content) {
  if (content.size() < kBinaryHeader) return false;
  std::uint32_t count = 0;
  std::memcpy(&count, content.data() + 80, sizeof count);
  return content.size() == kBinaryHeader + kBinaryTriangle * std::size_t(count);
}

TriangleMesh parse_binary_stl(const std::string& content, const std::string& path) {
  MeshBuilder mesh;
  for (std::size_t at = kBinaryHeader; at + kBinaryTriangle <= content.size(); at += kBinaryTriangle) {
    std::array<float, 12> numbers;  // normal, then three corners
    std::memcpy(numbers.data(), content.data() + at, sizeof numbers);
    int corner[3];
    for (int c = 0; c < 3; ++c) {
      const Vec<3> x(numbers[3 + 3 * c], numbers[4 + 3 * c], numbers[5 + 3 * c]);
      if (!x.allFinite()) throw InputError(path, fmt::format("triangle {} has a corner that is not finite", (at - kBinaryHeader) / kBinaryTriangle));
      corner[c] = mesh.add_vertex(x);
    }
    mesh.add_triangle(corner[0], corner[1], corner[2]);
  }
  return mesh.take(path);
}

TriangleMesh parse_text_stl(const std::string& content, const std::string& path) {
  MeshBuilder mesh;
  std::istringstream lines(content);
  std::string line, word;
  std::vector<int> corners;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string where = fmt::format("{}:{}", path, number);
    std::istringstream words(line);
    if (!(words >> word)) continue;
    if (word == "vertex") corners.push_back(mesh.add_vertex(read_point(words, where)));
    if (word != "endloop") continue;
    if (corners.size() != 3) throw InputError(where, "corners of a triangle", fmt::format("{}", corners.size()), "3");
    mesh.add_triangle(corners[0], corners[1], corners[2]);
    corners.clear();
  }
  return mesh.take(path);
}

// "7", "7/1" or "7/1/3"; negative numbers count from the last vertex.
int read_obj_corner(const std::string& word, int vertices, const std::string& where) {
  int number = 0;
  try {
    number = std::stoi(word);
  } catch (const std::exception&) {
    number = 0;
  }
  const int index = number < 0 ? vertices + number : number - 1;
  if (number == 0 || index < 0 || index >= vertices)
    throw InputError(where, "corner of a face", '"' + word + '"', fmt::format("1 to {}", vertices));
  return index;
}

TriangleMesh parse_obj(const std::string& content, const std::string& path) {
  MeshBuilder mesh;
  std::vector<int> vertex;  // of the file -> of the mesh
  std::istringstream lines(content);
  std::string line, word;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string where = fmt::format("{}:{}", path, number);
    std::istringstream words(line);
    if (!(words >> word)) continue;
    if (word == "v") vertex.push_back(mesh.add_vertex(read_point(words, where)));
    if (word != "f") continue;
    std::vector<int> corners;
    while (words >> word)
      corners.push_back(vertex[read_obj_corner(word, static_cast<int>(vertex.size()), where)]);
    if (corners.size() < 3) throw InputError(where, "corners of a face", fmt::format("{}", corners.size()), "3 or more");
    for (std::size_t c = 2; c < corners.size(); ++c) mesh.add_triangle(corners[0], corners[c - 1], corners[c]);
  }
  return mesh.take(path);
}

}  // namespace

TriangleMesh parse_surface(const std::string& content, const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending == ".obj") return parse_obj(content, path);
  if (ending != ".stl") throw InputError(path, "ending of a file of triangles", '"' + ending + '"', ".stl or .obj");
  return is_binary_stl(content) ? parse_binary_stl(content, path) : parse_text_stl(content, path);
}

TriangleMesh read_surface(TableReader& table, SceneContext& context) {
  const double scale = table.number("scale", 1, kPositive);
  const std::string content = context.load_file(table, "file");
  TriangleMesh mesh = parse_surface(content, context.file_path(table, "file"));
  for (Vec<3>& x : mesh.vertices) x *= scale;
  return mesh;
}

}  // namespace saltus
