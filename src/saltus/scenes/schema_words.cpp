#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_library.hpp"
#include "saltus/scenes/scene_schema.hpp"

namespace saltus {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(trimmed(part));
  return parts;
}

// | a | b | -> a, b
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells = split(line, '|');
  if (!cells.empty()) cells.erase(cells.begin());
  return cells;
}

std::vector<std::string> quoted_words(const std::string& text) {
  std::vector<std::string> words = split(text, '`'), result;
  for (std::size_t i = 1; i < words.size(); i += 2) result.push_back(words[i]);
  return result;
}

// [words](link) -> words, and no quotes.
std::string plain(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') continue;
    const std::size_t close = text[i] == '[' ? text.find("](", i) : std::string::npos;
    const std::size_t end = close == std::string::npos ? close : text.find(')', close);
    if (end != std::string::npos) {
      result += plain(text.substr(i + 1, close - i - 1));
      i = end;
    } else {
      result += text[i];
    }
  }
  return result;
}

struct WordsTable {
  std::vector<std::string> paths, heads;
};

// One key in several tables, for other kinds each: their texts one after the other.
void merge_words(const SchemaWords& words, SchemaWords& into) {
  if (into.where.empty()) {
    into = words;
  } else if (into.text.find(words.text) == std::string::npos) {
    into.text += (into.text.empty() ? "" : "; ") + words.text;
    if (into.fallback != words.fallback) into.fallback.clear();
    if (into.allowed != words.allowed) into.allowed.clear();
  }
}

void add_row(const WordsTable& table, const std::vector<std::string>& cells, const std::string& where,
             SceneSchema& schema) {
  SchemaWords words;
  words.where = where;
  for (std::size_t i = 1; i < cells.size() && i < table.heads.size(); ++i) {
    const std::string& head = table.heads[i];
    if (head == "unit")
      words.unit = plain(cells[i]);
    else if (head == "default")
      words.fallback = plain(cells[i]);
    else if (head == "allowed")
      words.allowed = plain(cells[i]);
    else if (!cells[i].empty())
      words.text += (words.text.empty() ? "" : "; ") + plain(cells[i]);
  }
  for (const std::string& key : quoted_words(cells.front()))
    for (const std::string& path : table.paths) merge_words(words, schema.words[path][key]);
}

}  // namespace

void add_words(const std::string& page, SceneSchema& schema) {
  std::ifstream stream(page);
  if (!stream) throw InputError(page, "the page that explains the keys of scenes cannot be read");
  const std::string mark = "<!-- keys:";
  WordsTable table;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.rfind(mark, 0) == 0) {
      const std::string list = line.substr(mark.size(), line.find("-->") - mark.size());
      table = {split(list, ','), {}};
      for (std::string& path : table.paths)
        if (path == "scene") path.clear();
    } else if (table.paths.empty() || (line.empty() && table.heads.empty())) {
      continue;
    } else if (line.empty() || line.front() != '|') {
      table = {};
    } else if (table.heads.empty()) {
      table.heads = cells_of(line);
    } else if (line.rfind("|---", 0) != 0) {
      add_row(table, cells_of(line), fmt::format("{}:{}", page, number), schema);
    }
  }
}

const SchemaWords* SceneSchema::find_words(const std::string& table, const std::string& key) const {
  for (const std::string& path : {table, std::string("anywhere")}) {
    const auto at = words.find(path);
    if (at == words.end()) continue;
    const auto word = at->second.find(key);
    if (word != at->second.end()) return &word->second;
  }
  return nullptr;
}

SceneSchema build_scene_schema() {
  SceneSchema schema = record_schema(find_schema_folder());
  for (const char* page : {"scene.md", "measures.md"}) add_words(find_schema_page(page), schema);
  return schema;
}

}  // namespace saltus
