// The schema of scene files, found by listening to the reader itself while it reads scenes that between them say everything a
// scene can say (scenes/schema/*.toml): keys of every table with types, ranges, defaults and words, as the reader asks for them. What a
// key means, and its unit, is taken from the tables of docs/scene.md.
//
// A table is named by its path with [] for elements of an array and * for names of the user: bodies[].shape, materials.*.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "saltus/scenes/scene_table.hpp"

namespace saltus {

struct SchemaKey {
  std::set<RequestType> types;  // how it was asked for; `seen` alone: its form is in `forms`
  std::set<std::string>
      forms;  // "number", "text", "array", "table", "flag" of values seen that were not asked for by type
  std::optional<double> low, high;           // of numbers; none where it depends on other keys
  bool above = false;                        // low itself is not allowed
  std::optional<int> least_size, most_size;  // of vectors
  std::vector<std::string> words;            // of a choice
  std::optional<std::string> fallback;       // JSON; none where it depends on other keys, or there is none
  bool required = false;                     // in every table of this kind
  std::set<std::string> shared;              // forms that many keys take: "function of time"
  std::set<std::string> kinds;               // of the table that have it; empty: the table has no kinds
  int read = 0;                              // tables that were asked for it

  bool is_given() const {
    return types.size() > types.count(RequestType::seen) || !forms.empty() || !shared.empty();
  }
};

struct SchemaTable {
  std::map<std::string, SchemaKey> keys;
  std::map<std::string, int> read;  // tables of each kind that were read; "" without
  bool is_array = false;            // elements of an array
};

struct SchemaWords {
  std::string unit, fallback, allowed, text;
  std::string where;  // file:line
};

struct SceneSchema {
  std::map<std::string, std::set<std::string>>
      shared;  // forms of values ("number", "table"...) of the forms that many keys take; their tables are below
  std::map<std::string, SchemaTable> tables;                        // "" is the scene itself
  std::map<std::string, std::map<std::string, SchemaWords>> words;  // by table and key

  const SchemaWords* find_words(const std::string& table, const std::string& key) const;
};

// Reads every *.toml of a folder. InputError where one cannot be read.
SceneSchema record_schema(const std::string& folder);

// Tables of a page of Markdown that follow a line <!-- keys: PATH, PATH... -->: first cell the keys, in backquotes; columns unit,
// default and allowed by their heads; the last cell the text. InputError for a page that cannot be read.
void add_words(const std::string& page, SceneSchema& schema);

// That of the library: folder and page where the program finds its scenes.
SceneSchema build_scene_schema();

// JSON Schema (draft 7), as editors take it.
std::string format_json_schema(const SceneSchema& schema);

// Tables of Markdown: what the reference page shows.
std::string format_schema_page(const SceneSchema& schema);

}  // namespace saltus
