#include "saltus/meshes/abaqus_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "saltus/base/input_error.hpp"
#include "saltus/meshes/abaqus_lines.hpp"
#include "saltus/meshes/number_table.hpp"

namespace saltus {

namespace {

constexpr const char* kRefused[] = {"INCLUDE", "SYSTEM", "NGEN",   "NFILL", "NCOPY",
                                    "NMAP",    "ELGEN",  "ELCOPY", "MATRIX"};

class AbaqusParser {
 public:
  AbaqusParser(std::string_view text, const std::string& where)
      : text_(text), where_(where), most_members_(16 * text.size()) {}

  // Nodes first, as elements may come before them; sets may name elements that come later, so they are third.
  RawMesh parse() {
    for (const Pass pass : {Pass::nodes, Pass::elements, Pass::sets}) {
      AbaqusLines lines(text_, where_);
      pass_ = pass;
      for (bool more = lines.next(); more;) more = read_block(lines);
      if (pass == Pass::nodes) build_table(mesh_.node_numbers, "node", nodes_);
      if (pass == Pass::elements) build_table(cell_numbers_, "element", cells_);
      if (pass == Pass::nodes && mesh_.nodes.empty()) lines.fail("the file has no *NODE");
    }
    for (const std::string& name : section_sets_)
      if (const auto set = elsets_.find(name); set != elsets_.end()) mesh_.groups[set->second].rank = 2;
    if (!ignored_.empty())
      mesh_.notes.push_back("keywords that are not read: " + fmt::format("{}", fmt::join(ignored_, ", ")));
    return std::move(mesh_);
  }

 private:
  enum class Pass { nodes, elements, sets };
  using SetPlaces = std::map<std::string, std::size_t>;  // by name in capitals, in mesh_.groups

  // A keyword line and its data lines. Stands on the next keyword afterwards; false at the end.
  bool read_block(AbaqusLines& lines) {
    if (!lines.is_keyword()) lines.fail("a line of data before any keyword", quote_field(lines.fields()[0]));
    const std::string keyword = lines.keyword();
    if (keyword == "NODE") return read_nodes(lines);
    if (keyword == "ELEMENT") return read_elements(lines);
    if (keyword == "NSET" && pass_ == Pass::sets) return read_node_set(lines);
    if (keyword == "ELSET" && pass_ == Pass::sets) return read_element_set(lines);
    if (keyword == "SURFACE" && pass_ == Pass::sets) return read_surface(lines);
    if (pass_ == Pass::nodes) check_other(keyword, lines);
    if (pass_ == Pass::sets && keyword == "SOLID SECTION")
      section_sets_.insert(to_capitals(lines.required("ELSET")));
    bool more = lines.next();
    for (; more && !lines.is_keyword(); more = lines.next())
      if (keyword == "INSTANCE")
        lines.fail("an *INSTANCE that is moved is not read", quote_field(lines.fields()[0]));
    return more;
  }

  void check_other(const std::string& keyword, const AbaqusLines& lines) {
    for (const char* refused : kRefused)
      if (keyword == refused)
        lines.fail("*" + keyword + " is not read: the mesh would not be the one meant", {},
                   "*NODE, *ELEMENT, *NSET, *ELSET, *SURFACE in one file");
    if (keyword == "PART" && has_part_) lines.fail("a second *PART: a file holds one mesh");
    if (keyword == "PART") has_part_ = true;
    static const std::set<std::string> quiet = {"NSET",    "ELSET", "SURFACE", "SOLID SECTION",
                                                "HEADING", "PART",  "END PART"};
    if (!quiet.count(keyword))
      ignored_.insert("*" + quote_field(keyword).substr(1, quote_field(keyword).size() - 2));
  }

  void build_table(const std::vector<std::int64_t>& numbers, const std::string& what, NumberTable& table) {
    if (const auto twice = table.build(numbers))
      throw InputError(where_,
                       fmt::format("{} {} is there twice (several parts in one file?)", what, *twice));
  }

  template <typename Use>
  static bool for_data(AbaqusLines& lines, Use&& use) {
    bool more = lines.next();
    for (; more && !lines.is_keyword(); more = lines.next()) use(lines);
    return more;
  }

  bool read_nodes(AbaqusLines& lines) {
    if (pass_ == Pass::nodes && lines.has("SYSTEM") && to_capitals(lines.parameter("SYSTEM")) != "R")
      lines.fail("system of coordinates of *NODE", quote_field(lines.parameter("SYSTEM")), "R (rectangular)");
    const std::string set = lines.parameter("NSET");
    std::size_t group = 0;
    if (pass_ == Pass::sets && !set.empty()) group = find_or_add(set, nsets_);
    const bool more = for_data(lines, [&](AbaqusLines& line) {
      const auto& fields = line.fields();
      if (pass_ == Pass::elements || (pass_ == Pass::sets && set.empty())) return;
      const std::int64_t number = line.integer("number of a node", fields[0], 1);
      if (pass_ == Pass::sets) {
        add_member(nodes_.find(number), line, mesh_.groups[group].nodes);
        return;
      }
      Eigen::Vector3d x = Eigen::Vector3d::Zero();
      if (fields.size() < 3)
        line.fail(fmt::format("coordinates of node {}", number), fmt::format("{}", fields.size() - 1),
                  "2 or 3");
      for (std::size_t k = 1; k < std::min<std::size_t>(fields.size(), 4); ++k)
        x[static_cast<int>(k) - 1] =
            fields[k].empty() ? 0 : line.real(fmt::format("coordinate of node {}", number), fields[k]);
      mesh_.node_numbers.push_back(number);
      mesh_.nodes.push_back(x);
    });
    if (pass_ == Pass::sets && !set.empty()) tidy(mesh_.groups[group].nodes);
    return more;
  }

  bool read_elements(AbaqusLines& lines) {
    if (pass_ == Pass::nodes) return for_data(lines, [](AbaqusLines&) {});
    const std::string name = to_capitals(lines.required("TYPE"));
    const CellType* type = find_abaqus_type(name);
    if (!type)
      lines.fail("type of elements", quote_field(name),
                 "CPS3, CPE3, CAX3, their kinds with 4, 6 and 8 nodes, C3D4, C3D10, C3D8, C3D20 (R, I); "
                 "bars, beams, "
                 "shells, C3D6, C3D15 are known, but no solids here");
    const std::string set = lines.parameter("ELSET");
    std::size_t group = 0;
    if (pass_ == Pass::sets && !set.empty()) group = find_or_add(set, elsets_, 0);
    std::vector<std::int64_t> row;  // number and nodes; may go over several lines
    const bool more = for_data(lines, [&](AbaqusLines& line) {
      for (const auto field : line.fields())
        row.push_back(line.integer(row.empty() ? "number of an element" : "node of an element", field, 1));
      if (static_cast<int>(row.size()) < 1 + type->nodes) return;
      if (static_cast<int>(row.size()) > 1 + type->nodes)
        line.fail(fmt::format("nodes of element {} ({})", row[0], name), fmt::format("{}", row.size() - 1),
                  fmt::format("{}", type->nodes));
      if (pass_ == Pass::elements) add_element(*type, row, line);
      if (pass_ == Pass::sets && !set.empty())
        add_member(cells_.find(row[0]), line, mesh_.groups[group].cells);
      row.clear();
    });
    if (!row.empty())
      lines.fail(fmt::format("element {} ({}) ends before its last node", row[0], name),
                 fmt::format("{} nodes", row.size() - 1), fmt::format("{}", type->nodes));
    if (pass_ == Pass::sets && !set.empty()) tidy(mesh_.groups[group].cells);
    return more;
  }

  void add_element(const CellType& type, const std::vector<std::int64_t>& row, const AbaqusLines& line) {
    std::array<int, kMostElementNodes> own{};
    for (int k = 0; k < type.nodes; ++k) {
      own[k] = nodes_.find(row[k + 1]);
      if (own[k] < 0)
        line.fail(fmt::format("element {} ({}) has a node that is not there", row[0], type.name),
                  fmt::format("node {}", row[k + 1]), "nodes of *NODE");
    }
    cell_numbers_.push_back(row[0]);
    mesh_.add_cell(type, row[0], own.data());
  }

  std::size_t find_or_add(const std::string& name, SetPlaces& sets, int rank = 1) {
    const auto [place, is_new] = sets.emplace(to_capitals(name), mesh_.groups.size());
    if (is_new) {
      mesh_.groups.emplace_back().name = name;
      mesh_.groups.back().rank = rank;
    }
    return place->second;
  }

  // Sets may be made of sets, each line naming many members: what a file asks for is bounded by its length.
  void add_member(int member, const AbaqusLines& line, std::vector<int>& members) {
    if (++members_ > most_members_)
      line.fail("the sets of the file have too many members", {}, fmt::format("{} in all", most_members_));
    members.push_back(member);
  }

  static void tidy(std::vector<int>& members) {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
  }

  bool read_node_set(AbaqusLines& lines) {
    return read_set(lines, lines.required("NSET"), "node", nodes_, nsets_, &RawMesh::Group::nodes);
  }
  bool read_element_set(AbaqusLines& lines) {
    return read_set(lines, lines.required("ELSET"), "element", cells_, elsets_, &RawMesh::Group::cells);
  }

  bool read_set(AbaqusLines& lines, const std::string& name, const std::string& what,
                const NumberTable& table, SetPlaces& sets, std::vector<int> RawMesh::Group::*list) {
    const std::size_t group = find_or_add(name, sets);
    const bool generate = lines.has("GENERATE");
    std::vector<int> members = std::move(mesh_.groups[group].*list);
    const auto add = [&](std::int64_t number, const AbaqusLines& line) {
      const int member = table.find(number);
      if (member < 0)
        line.fail(fmt::format("set '{}' names what is not there", name), fmt::format("{} {}", what, number));
      add_member(member, line, members);
    };
    const bool more = for_data(lines, [&](AbaqusLines& line) {
      if (generate) {
        generate_numbers(line, name, add);
        return;
      }
      for (const auto field : line.fields()) {
        if (field.empty()) continue;
        if (field[0] >= '0' && field[0] <= '9') {
          add(line.integer(what + " of a set", field, 1), line);
          continue;
        }
        const auto other = sets.find(to_capitals(field));
        if (other == sets.end() || other->second == group)
          line.fail(fmt::format("set '{}' names a set that is not there before it", name),
                    quote_field(field));
        for (const int member : mesh_.groups[other->second].*list) add_member(member, line, members);
      }
    });
    if (members.empty()) lines.fail(fmt::format("set '{}' is empty", name));
    tidy(members);
    mesh_.groups[group].*list = std::move(members);
    return more;
  }

  template <typename Add>
  static void generate_numbers(const AbaqusLines& line, const std::string& name, const Add& add) {
    const auto& fields = line.fields();
    if (fields.size() < 2 || fields.size() > 3)
      line.fail(fmt::format("set '{}' with GENERATE: numbers in a line", name),
                fmt::format("{}", fields.size()), "first, last, step");
    const std::int64_t first = line.integer("first number", fields[0], 1),
                       last = line.integer("last number", fields[1], 1),
                       step = fields.size() == 3 ? line.integer("step", fields[2], 1) : 1;
    if (last < first)
      line.fail("last number of a set with GENERATE", std::string(fields[1]), "not below the first");
    for (std::int64_t number = first; number <= last; number += step) {
      add(number, line);
      if (number > last - step) return;
    }
  }

  bool read_surface(AbaqusLines& lines) {
    const std::string name = lines.required("NAME"), type = to_capitals(lines.parameter("TYPE"));
    if (!type.empty() && type != "ELEMENT" && type != "NODE")
      lines.fail(fmt::format("TYPE of surface '{}'", name), quote_field(type), "ELEMENT or NODE");
    if (!surfaces_.insert(to_capitals(name)).second)
      lines.fail(fmt::format("surface '{}' is there twice", name));
    RawMesh::Group group;
    group.name = name;
    const bool more = for_data(lines, [&](AbaqusLines& line) {
      if (type == "NODE")
        add_surface_nodes(line, group);
      else
        add_surface_sides(line, group);
    });
    if (group.sides.empty() && group.nodes.empty()) lines.fail(fmt::format("surface '{}' is empty", name));
    mesh_.groups.push_back(std::move(group));
    return more;
  }

  void add_surface_sides(const AbaqusLines& line, RawMesh::Group& group) {
    const auto& fields = line.fields();
    const std::string face = fields.size() < 2 ? "" : to_capitals(fields[1]);
    if (face.size() != 2 || face[0] != 'S' || face[1] < '1' || face[1] > '6')
      line.fail(fmt::format("face of surface '{}'", group.name), quote_field(face), "S1 to S6");
    std::vector<int> members;
    collect(line, fields[0], group.name, "element", cells_, elsets_, &RawMesh::Group::cells, members);
    for (const int cell : members) group.sides.push_back({cell, face[1] - '1'});
  }

  void add_surface_nodes(const AbaqusLines& line, RawMesh::Group& group) {
    collect(line, line.fields()[0], group.name, "node", nodes_, nsets_, &RawMesh::Group::nodes, group.nodes);
  }

  // A number, or the name of a set.
  void collect(const AbaqusLines& line, std::string_view field, const std::string& name,
               const std::string& what, const NumberTable& table, const SetPlaces& sets,
               std::vector<int> RawMesh::Group::*list, std::vector<int>& members) {
    if (const auto set = sets.find(to_capitals(field)); set != sets.end()) {
      for (const int member : mesh_.groups[set->second].*list) add_member(member, line, members);
      return;
    }
    const bool is_number = !field.empty() && field[0] >= '0' && field[0] <= '9';
    const int member = is_number ? table.find(line.integer(what + " of a surface", field, 1)) : -1;
    if (member < 0)
      line.fail(fmt::format("surface '{}' names what is not there", name), quote_field(field),
                what + "s or their sets, given before");
    add_member(member, line, members);
  }

  std::string_view text_;
  const std::string& where_;
  Pass pass_ = Pass::nodes;
  RawMesh mesh_;
  std::vector<std::int64_t> cell_numbers_;
  NumberTable nodes_, cells_;
  SetPlaces nsets_, elsets_;
  std::set<std::string> surfaces_, section_sets_, ignored_;
  bool has_part_ = false;
  std::size_t members_ = 0, most_members_;
};

}  // namespace

RawMesh parse_abaqus(std::string_view bytes, const std::string& where) {
  return AbaqusParser(bytes, where).parse();
}

}  // namespace saltus
