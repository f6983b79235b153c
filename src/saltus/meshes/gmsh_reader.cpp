#include "saltus/meshes/gmsh_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>

#include "saltus/meshes/number_stream.hpp"
#include "saltus/meshes/number_table.hpp"

namespace saltus {

namespace {

constexpr std::int64_t kLargestTag = 2147483647;
constexpr int kMostCellNodes = 125;
// Of one entity: each of its elements is kept once for each of them, so that a small file could ask for much memory.
constexpr int kMostPhysicalTags = 64;

class GmshParser {
 public:
  GmshParser(std::string_view bytes, const std::string& where) : in_(bytes, where) {}

  RawMesh parse() {
    read_format();
    for (std::string_view word = in_.token(); !word.empty(); word = in_.token()) {
      if (word[0] != '$' || word.size() > 60 || word.starts_with("$End"))
        in_.fail("unexpected word between sections", std::string(word.substr(0, 20)),
                 "$Nodes, $Elements, ...");
      read_section(std::string(word.substr(1)));
    }
    if (!has_elements_) in_.fail("the file has no section $Elements");
    for (const auto& [key, place] : group_of_)
      if (mesh_.groups[place].cells.empty())
        in_.fail(fmt::format("physical group '{}' of dimension {} has no elements", mesh_.groups[place].name,
                             key.first));
    return std::move(mesh_);
  }

 private:
  using GroupKey = std::pair<int, int>;  // dimension and physical tag

  void read_format() {
    in_.expect("$MeshFormat");
    version_ = in_.real("version of the format");
    is_four_ = version_ == 4.1;
    if (!is_four_ && !(version_ >= 2 && version_ < 3))
      in_.fail("version of the format", fmt::format("{}", version_), "2.2 or 4.1 (gmsh -format msh41)");
    in_.is_binary = in_.integer("file type", 0, 1) == 1;
    in_.integer("data size", 8, 8);
    if (in_.is_binary) {
      in_.rest_of_line();
      const auto one = in_.fetch<std::uint32_t>("the integer one");
      in_.is_swapped = one == 0x01000000u;
      if (!in_.is_swapped && one != 1) in_.fail("the integer one after the format", std::to_string(one), "1");
    }
    in_.expect("$EndMeshFormat");
  }

  void read_section(const std::string& name) {
    const bool is_known = name == "Nodes" || name == "Elements" || name == "Entities";
    if (is_four_ && in_.is_binary && is_known) in_.rest_of_line();  // bytes begin behind its end
    if (name == "PhysicalNames")
      read_names();
    else if (name == "Entities" && is_four_)
      read_entities();
    else if (name == "Nodes")
      read_nodes();
    else if (name == "Elements")
      read_elements();
    else if (!in_.skip_past("$End" + name))
      in_.fail("section $" + name + " has no end", {}, "$End" + name);
    else {
      if (name != "Comments") mesh_.notes.push_back(fmt::format("section ${} is not read", name));
      return;
    }
    in_.expect("$End" + name);
  }

  // Always text, one name in a line.
  void read_names() {
    const std::int64_t count = in_.integer("number of physical names", 0, kLargestTag);
    in_.require("physical names", count);
    for (std::int64_t i = 0; i < count; ++i) {
      const int dimension = static_cast<int>(in_.integer("dimension of a physical name", 0, 3));
      const int tag = static_cast<int>(in_.integer("number of a physical name", -kLargestTag, kLargestTag));
      const std::string_view line = in_.rest_of_line();
      const std::size_t from = line.find('"'), to = line.rfind('"');
      if (from == to || to - from < 2)
        in_.fail(fmt::format("name of physical group {}", tag), std::string(line.substr(0, 40)),
                 "a name in quotes");
      const std::string_view text = line.substr(from + 1, to - from - 1);
      if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 32 || c == 127; }))
        in_.fail(fmt::format("name of physical group {} has a control character", tag));
      if (!group_of_.emplace(GroupKey(dimension, std::abs(tag)), mesh_.groups.size()).second)
        in_.fail(fmt::format("physical group {} of dimension {} has two names", tag, dimension));
      mesh_.groups.emplace_back().name = text;
    }
  }

  void read_entities() {
    std::array<std::int64_t, 4> counts{};
    for (std::int64_t& count : counts) count = in_.size("number of entities", 0);
    for (int dimension = 0; dimension < 4; ++dimension) {
      in_.count(counts[dimension], "entities", 5, 36);
      for (std::int64_t i = 0; i < counts[dimension]; ++i) {
        const int tag = static_cast<int>(in_.number("tag of an entity", -kLargestTag, kLargestTag));
        for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) in_.coordinate("bound of an entity");
        const std::int64_t physical = in_.size("number of physical tags", 0, kMostPhysicalTags);
        std::vector<int>& tags = physical_of_[{dimension, tag}];
        for (std::int64_t k = 0; k < physical; ++k)
          tags.push_back(static_cast<int>(std::abs(in_.number("physical tag", -kLargestTag, kLargestTag))));
        std::sort(tags.begin(), tags.end());
        tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
        if (dimension == 0) continue;
        const std::int64_t bounding = in_.count(in_.size("number of bounding entities", 0), "entities", 1, 4);
        for (std::int64_t k = 0; k < bounding; ++k) in_.number("bounding entity", -kLargestTag, kLargestTag);
      }
    }
  }

  void read_nodes() {
    if (!mesh_.nodes.empty()) in_.fail("a second section $Nodes");
    if (is_four_) {
      read_nodes_four();
    } else {
      const std::int64_t count = in_.count(in_.integer("number of nodes", 0, kLargestTag), "nodes", 4, 28);
      if (in_.is_binary) in_.rest_of_line();
      reserve_nodes(count);
      for (std::int64_t i = 0; i < count; ++i) {
        mesh_.node_numbers.push_back(in_.number("number of a node", 1, kLargestTag));
        add_point();
      }
    }
    if (const auto twice = table_.build(mesh_.node_numbers))
      in_.fail(fmt::format("node {} is there twice", *twice));
  }

  void reserve_nodes(std::int64_t count) {
    mesh_.nodes.reserve(count);
    mesh_.node_numbers.reserve(count);
  }

  void add_point() {
    const double x = in_.coordinate("x of a node"), y = in_.coordinate("y of a node");
    mesh_.nodes.emplace_back(x, y, in_.coordinate("z of a node"));
  }

  void read_nodes_four() {
    const std::int64_t blocks = in_.count(in_.size("number of blocks of nodes", 0), "blocks of nodes", 4, 20);
    const std::int64_t count = in_.size("number of nodes", 0, kLargestTag);
    in_.size("smallest number of a node", 0);
    in_.size("largest number of a node", 0);
    reserve_nodes(in_.count(count, "nodes", 4, 32));
    for (std::int64_t b = 0; b < blocks; ++b) {
      const auto dimension = in_.number("dimension of an entity", 0, 3);
      in_.number("tag of an entity", -kLargestTag, kLargestTag);
      const bool parametric = in_.number("parametric", 0, 1) == 1;
      const std::int64_t own =
          in_.count(in_.size("number of nodes in a block", 0, count), "nodes in a block", 4, 32);
      for (std::int64_t i = 0; i < own; ++i) mesh_.node_numbers.push_back(in_.size("number of a node", 1));
      for (std::int64_t i = 0; i < own; ++i) {
        add_point();
        for (int k = 0; parametric && k < dimension; ++k) in_.coordinate("parameter of a node");
      }
    }
    if (static_cast<std::int64_t>(mesh_.nodes.size()) != count)
      in_.fail("number of nodes in all blocks", std::to_string(mesh_.nodes.size()), std::to_string(count));
  }

  const CellType& cell_type(std::int64_t number) const {
    const CellType* type = find_gmsh_type(static_cast<long>(number));
    if (!type)
      in_.fail("type of an element", std::to_string(number), "a number of gmsh's list of element types");
    return *type;
  }

  void read_elements() {
    if (has_elements_) in_.fail("a second section $Elements");
    has_elements_ = true;
    if (is_four_)
      read_elements_four();
    else if (in_.is_binary)
      read_elements_two_binary();
    else
      read_elements_two();
  }

  void read_elements_two() {
    const std::int64_t count = in_.count(in_.integer("number of elements", 0, kLargestTag), "elements", 4, 1);
    mesh_.cells.reserve(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t number = in_.integer("number of an element", 1, kLargestTag);
      const CellType& type = cell_type(in_.integer("type of an element", 0, kLargestTag));
      read_tags_two(type, in_.integer("number of tags", 0, 1000));
      read_cell(type, number);
    }
  }

  // Blocks of elements of one type, each with its number, tags and nodes.
  void read_elements_two_binary() {
    const std::int64_t count = in_.count(in_.integer("number of elements", 0, kLargestTag), "elements", 4, 8);
    in_.rest_of_line();
    mesh_.cells.reserve(count);
    while (static_cast<std::int64_t>(mesh_.cells.size()) < count) {
      const CellType& type = cell_type(in_.number("type of elements", 0, kLargestTag));
      const std::int64_t most = count - static_cast<std::int64_t>(mesh_.cells.size());
      const std::int64_t own = in_.number("number of elements in a block", 1, most);
      const std::int64_t tags = in_.number("number of tags", 0, 1000);
      in_.count(own, "elements in a block", 1, 4 * (1 + tags + type.nodes));
      for (std::int64_t i = 0; i < own; ++i) {
        const std::int64_t number = in_.number("number of an element", 1, kLargestTag);
        read_tags_two(type, tags);
        read_cell(type, number);
      }
    }
  }

  // The first tag is the physical group, 0: none. The element comes next.
  void read_tags_two(const CellType& type, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t tag = in_.number("tag of an element", -kLargestTag, kLargestTag);
      if (k == 0 && tag != 0)
        group(type.dimension, static_cast<int>(std::abs(tag))).cells.push_back(next_cell());
    }
  }

  int next_cell() const { return static_cast<int>(mesh_.cells.size()); }

  void read_elements_four() {
    const std::int64_t blocks =
        in_.count(in_.size("number of blocks of elements", 0), "blocks of elements", 4, 20);
    const std::int64_t count = in_.size("number of elements", 0, kLargestTag);
    in_.size("smallest number of an element", 0);
    in_.size("largest number of an element", 0);
    mesh_.cells.reserve(in_.count(count, "elements", 2, 16));
    for (std::int64_t b = 0; b < blocks; ++b) {
      const int dimension = static_cast<int>(in_.number("dimension of an entity", 0, 3));
      const int entity = static_cast<int>(in_.number("tag of an entity", -kLargestTag, kLargestTag));
      const CellType& type = cell_type(in_.number("type of elements", 0, kLargestTag));
      if (type.dimension != dimension)
        in_.fail("type of the elements of an entity of dimension " + std::to_string(dimension),
                 std::string(type.name));
      const std::int64_t own = in_.count(in_.size("number of elements in a block", 0, count),
                                         "elements in a block", 1 + type.nodes, 8 * (1 + type.nodes));
      const auto physical = physical_of_.find({dimension, entity});
      if (physical != physical_of_.end())
        for (const int tag : physical->second)
          for (std::int64_t i = 0; i < own; ++i)
            group(dimension, tag).cells.push_back(next_cell() + static_cast<int>(i));
      for (std::int64_t i = 0; i < own; ++i) read_cell(type, in_.size("number of an element", 1));
    }
    if (next_cell() != count)
      in_.fail("number of elements in all blocks", std::to_string(next_cell()), std::to_string(count));
  }

  void read_cell(const CellType& type, std::int64_t number) {
    std::array<int, kMostCellNodes> own;
    for (int k = 0; k < type.nodes; ++k) {
      const std::int64_t node =
          is_four_ ? in_.size("node of an element", 1) : in_.number("node of an element", 1, kLargestTag);
      own[k] = table_.find(node);
      if (own[k] < 0)
        in_.fail(fmt::format("element {} ({}) has a node that is not there", number, type.name),
                 fmt::format("node {}", node), "nodes of the section $Nodes, which comes before $Elements");
    }
    mesh_.add_cell(type, number, own.data());
  }

  RawMesh::Group& group(int dimension, int tag) {
    const auto [place, is_new] = group_of_.emplace(GroupKey(dimension, tag), mesh_.groups.size());
    if (is_new) mesh_.groups.emplace_back().name = std::to_string(tag);
    return mesh_.groups[place->second];
  }

  NumberStream in_;
  RawMesh mesh_;
  double version_ = 0;
  bool is_four_ = false, has_elements_ = false;
  NumberTable table_;                                 // of nodes
  std::map<GroupKey, std::size_t> group_of_;          // in mesh_.groups
  std::map<GroupKey, std::vector<int>> physical_of_;  // tags of an entity (4.1)
};

}  // namespace

RawMesh parse_gmsh(std::string_view bytes, const std::string& where) {
  return GmshParser(bytes, where).parse();
}

}  // namespace saltus
