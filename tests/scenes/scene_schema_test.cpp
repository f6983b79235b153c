#include "saltus/scenes/scene_schema.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "paths.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_library.hpp"
#include "saltus/scenes/scene_reader.hpp"

namespace saltus::scene_schema_test {
namespace {

const SceneSchema& schema() {
  static const SceneSchema recorded = build_scene_schema();
  return recorded;
}

std::string read_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool is_known(const std::string& key) {
  for (const auto& [path, table] : schema().tables) {
    const auto found = table.keys.find(key);
    if (found != table.keys.end() && found->second.is_given()) return true;
  }
  return false;
}

TEST(SceneSchema, every_key_that_a_reader_names_is_in_it) {
  const std::regex request(
      R"re((?:number|integer|flag|text|texts|choice|vector<\w+>|vectors<\w+>|numbers|integers|table|tables|optional_table|node|has|read_function|read_matrix|read_formula|read_group_bits)\((?:\w+, )?"([a-z0-9_]+)")re");
  int keys = 0;
  for (const auto& file : std::filesystem::directory_iterator(SALTUS_SOURCE "/src/saltus/scenes")) {
    const std::string name = file.path().filename().string();
    if (name.find("_reader.cpp") == std::string::npos) continue;
    const std::string text = read_text(file.path());
    for (std::sregex_iterator at(text.begin(), text.end(), request), end; at != end; ++at) {
      const auto from = static_cast<std::size_t>(at->position());
      if (from >= 5 && text.compare(from - 5, 5, "scan.") == 0) continue;  // numbers of a file
      ++keys;
      EXPECT_TRUE(is_known((*at)[1]))
          << name << " asks for \"" << (*at)[1] << "\", which no scene of scenes/schema has: add it to one";
    }
  }
  EXPECT_GT(keys, 300);
}

TEST(SceneSchema, every_word_of_every_kind_was_read) {
  for (const auto& [path, table] : schema().tables) {
    const auto kind = table.keys.find("kind");
    if (kind == table.keys.end()) continue;
    for (const std::string& word : kind->second.words)
      EXPECT_TRUE(table.read.count(word) || kind->second.fallback == '"' + word + '"')
          << "no scene of scenes/schema has a " << path << " of kind " << word;
  }
}

TEST(SceneSchema, every_table_that_may_be_there_was_read) {
  for (const auto& [path, table] : schema().tables)
    for (const auto& [key, entry] : table.keys) {
      const std::string own = path.empty() ? key : path + '.' + key;
      if (!entry.shared.empty()) continue;
      if (entry.types.count(RequestType::table)) {
        EXPECT_TRUE(schema().tables.count(own)) << own;
      }
      if (entry.types.count(RequestType::tables)) {
        EXPECT_TRUE(schema().tables.count(own + "[]")) << own;
      }
    }
}

TEST(SceneSchema, every_key_is_explained_and_everything_that_is_explained_is_a_key) {
  for (const auto& [path, table] : schema().tables)
    for (const auto& [key, entry] : table.keys)
      if (entry.is_given() && key != "*") {
        EXPECT_TRUE(schema().find_words(path, key))
            << "docs/scene.md has no row for `" << key << "` in a table after <!-- keys: " << path << " -->";
      }
  for (const auto& [path, rows] : schema().words)
    for (const auto& [key, words] : rows)
      EXPECT_TRUE(is_known(key)) << words.where << ": no scene has a key " << key;
}

TEST(SceneSchema, ranges_defaults_and_words_are_those_of_the_reader) {
  const auto key = [](const char* path, const char* name) { return schema().tables.at(path).keys.at(name); };
  EXPECT_EQ(key("law", "restitution").low, 0);
  EXPECT_EQ(key("law", "restitution").high, 1);
  EXPECT_EQ(key("scheme", "h").fallback, "0.001");
  EXPECT_TRUE(key("scheme", "h").above);
  EXPECT_EQ(key("solver", "name").words.size(), 6u);
  EXPECT_TRUE(key("bodies[]", "shape").required);
  EXPECT_FALSE(key("bodies[]", "density").required);
  EXPECT_FALSE(key("law", "friction_dynamic").high) << "it depends on friction";
  EXPECT_EQ(key("", "gravity").least_size, 2);
  EXPECT_EQ(key("", "gravity").most_size, 3);
}

// The reader is the judge: a value just outside of a recorded range is refused where it stands, at the file, line and column of that key.
TEST(SceneSchema, the_reader_refuses_what_lies_outside_of_a_range) {
  const std::string text = "dimension = 2\n[law]\nkind = \"newton\"\nrestitution = 1.001\n";
  EXPECT_THROW(parse_scene(text, "scene.toml"), InputError);
}

TEST(SceneSchema, scenes_of_the_library_have_no_other_keys) {
  const std::regex big("spheres-10000|spheres-100000|.*-start");
  for (const LibraryScene& scene : list_scenes()) {
    if (std::regex_match(scene.name, big)) continue;
    const toml::table tree = parse_toml(read_text(scene.path), scene.path);
    const auto look = [&](const toml::table& table, const std::string& path, const auto& self) -> void {
      const auto known = schema().tables.find(path);
      if (known == schema().tables.end()) return;  // a form of its own
      for (const auto& [name, node] : table) {
        if (path.empty() && name == "files") continue;
        const bool named = known->second.keys.count(std::string(name.str())),
                   any = known->second.keys.count("*");
        EXPECT_TRUE(named || any) << scene.path << ": " << path << '.' << name.str();
        std::string own = (path.empty() ? "" : path + '.') + (named ? std::string(name.str()) : "*");
        if (named)
          if (const auto& shared = known->second.keys.at(std::string(name.str())).shared; !shared.empty())
            own = *shared.begin();
        if (node.is_table()) self(*node.as_table(), own, self);
        if (const toml::array* list = node.as_array())
          for (const toml::node& element : *list)
            if (element.is_table()) self(*element.as_table(), own + "[]", self);
      }
    };
    look(tree, "", look);
  }
}

TEST(SceneSchema, json_and_page_hold_every_table) {
  const std::string json = format_json_schema(schema()), page = format_schema_page(schema());
  // Most keys are in scenes of one dimension only, and hold in both.
  for (const char* claim : {"Only 2D", "Only 3D"}) {
    EXPECT_EQ(json.find(claim), std::string::npos);
    EXPECT_EQ(page.find(claim), std::string::npos);
  }
  EXPECT_NE(json.find("\"restitution\""), std::string::npos);
  EXPECT_NE(json.find("json-schema.org/draft-07"), std::string::npos);
  for (const auto& [path, table] : schema().tables)
    if (!path.empty()) {
      EXPECT_NE(page.find("## `" + path + "`"), std::string::npos) << path;
    }
}

TEST(SceneSchema, a_folder_without_scenes_is_told) { EXPECT_THROW(record_schema("/nowhere"), InputError); }

}  // namespace
}  // namespace saltus::scene_schema_test
