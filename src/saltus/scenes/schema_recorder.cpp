#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "saltus/base/input_error.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_schema.hpp"

namespace saltus {

namespace {

// In scenes of scenes/schema a name that is the user's own choice begins with NAME.
constexpr std::string_view kAnyName = "NAME";

bool is_number(const std::string& part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
}

std::string form_of(const toml::node& node) {
  if (node.is_boolean()) return "flag";
  if (node.is_number()) return "number";
  if (node.is_string()) return "text";
  return node.is_array() ? "array" : "table";
}

class Recorder : public RequestListener {
 public:
  explicit Recorder(SceneSchema& schema) : schema_(&schema) { request_listener() = this; }
  ~Recorder() override { request_listener() = nullptr; }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void begin() { first_.clear(), shared_.clear(); }

  void form(const std::string& path, const std::string& name, const toml::node& node) override {
    const std::size_t dot = path.rfind('.');
    const std::string key = path.substr(dot == std::string::npos ? 0 : dot + 1);
    if (is_number(key)) return;  // an element of a list is described where it stands
    schema_->shared[name].insert(form_of(node));
    bool is_array = false;
    SchemaKey& entry =
        schema_->tables[general_path(path.substr(0, dot == std::string::npos ? 0 : dot), is_array)]
            .keys[general_name(key)];
    entry.shared.insert(name);
    shared_[path] = name;
  }

  void asked(const toml::table& table, const std::string& path, std::string_view key,
             const KeyRequest& request) override {
    bool is_array = false;
    SchemaTable& into = schema_->tables[general_path(path, is_array)];
    into.is_array = is_array;
    const std::string kind = table["kind"].value_or(std::string());
    const std::string name = general_name(std::string(key));
    if (first_.emplace(&table, std::string()).second) ++into.read[kind];
    const bool is_new = into.keys.find(name) == into.keys.end();
    SchemaKey& entry = into.keys[name];
    if (is_new) entry.required = true;
    if (first_.emplace(&table, std::string(key)).second) {
      ++entry.read;
      if (request.type == RequestType::seen || !request.fallback.empty()) entry.required = false;
    }
    if (!kind.empty()) entry.kinds.insert(kind);
    const toml::node* node = table.get(key);
    if (request.type == RequestType::seen && node) entry.forms.insert(form_of(*node));
    merge(request, entry);
  }

 private:
  static std::string general_name(const std::string& key) { return key.rfind(kAnyName, 0) == 0 ? "*" : key; }

  // bodies.3.shape -> bodies[].shape; what is below a form that many keys take is named by that form.
  std::string general_path(const std::string& path, bool& is_array) const {
    std::string result, so_far;
    std::istringstream parts(path);
    is_array = false;
    for (std::string part; std::getline(parts, part, '.');) {
      if (!so_far.empty()) so_far += '.';
      so_far += part;
      is_array = is_number(part);
      const auto shared = shared_.find(so_far);
      if (shared != shared_.end())
        result = shared->second;
      else if (is_array)
        result += "[]";
      else
        result.append(result.empty() ? 0 : 1, '.').append(general_name(part));
    }
    return result;
  }

  // A bound or default that differs between two scenes depends on something else: it is dropped, and stays so.
  template <class T>
  static void settle(std::optional<T>& value, const T& now, bool known) {
    if (!known) value = now;
    if (value && *value != now) value.reset();
  }

  void merge(const KeyRequest& request, SchemaKey& entry) {
    if (request.range && request.type != RequestType::seen) {
      const bool known = ranged_.count(&entry) > 0;
      ranged_.insert(&entry);
      settle(entry.low, request.range->low, known);
      settle(entry.high, request.range->high, known);
      entry.above = known ? entry.above && request.range->above : request.range->above;
    }
    if (!request.fallback.empty()) {
      const bool known = defaulted_.count(&entry) > 0;
      defaulted_.insert(&entry);
      settle(entry.fallback, request.fallback, known);
    }
    if (request.size > 0) {
      entry.least_size = std::min(entry.least_size.value_or(request.size), request.size);
      entry.most_size = std::max(entry.most_size.value_or(request.size), request.size);
    }
    if (request.words)
      for (const std::string& word : *request.words)
        if (std::find(entry.words.begin(), entry.words.end(), word) == entry.words.end())
          entry.words.push_back(word);
    entry.types.insert(request.type);
  }

  SceneSchema* schema_;
  std::map<std::string, std::string> shared_;  // places of the present scene
  std::set<std::pair<const toml::table*, std::string>> first_;
  std::set<const SchemaKey*> ranged_, defaulted_;
};

// Required is what every table of its kinds was asked for, and never with a default.
void finish_key(const SchemaTable& table, const std::string& key, SchemaKey& entry) {
  if (entry.types.size() > 1) entry.types.erase(RequestType::seen);
  int all = 0;
  for (const auto& [kind, count] : table.read)
    if (key == "kind" || entry.kinds.empty() || entry.kinds.count(kind)) all += count;
  entry.required = entry.required && entry.read == all;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError(path.string(), "cannot be read");
  return text.str();
}

}  // namespace

SceneSchema record_schema(const std::string& folder) {
  SceneSchema schema;
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  if (files.empty())
    throw InputError(folder, "no scene to learn the schema from", {},
                     "the folder scenes/schema of the library");
  std::sort(files.begin(), files.end());
  Recorder recorder(schema);
  for (const std::filesystem::path& file : files) {
    const std::string text = read_file(file);
    recorder.begin();
    parse_scene(text, file.string());
  }
  for (auto& [path, table] : schema.tables)
    for (auto& [key, entry] : table.keys) finish_key(table, key, entry);
  return schema;
}

}  // namespace saltus
