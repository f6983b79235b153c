#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "saltus/scenes/scene_schema.hpp"

namespace saltus {

namespace {

using Json = nlohmann::ordered_json;

Json number_schema(const SchemaKey& key, bool whole) {
  Json json = {{"type", whole ? "integer" : "number"}};
  if (key.low && std::isfinite(*key.low)) json[key.above ? "exclusiveMinimum" : "minimum"] = *key.low;
  if (key.high && std::isfinite(*key.high)) json["maximum"] = *key.high;
  return json;
}

Json array_schema(Json items, std::optional<int> least = {}, std::optional<int> most = {}) {
  Json json = {{"type", "array"}, {"items", std::move(items)}};
  if (least) json["minItems"] = *least;
  if (most) json["maxItems"] = *most;
  return json;
}

std::string below(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + '.' + key;
}

Json table_schema(const SceneSchema& schema, const std::string& path);

Json type_schema(const SceneSchema& schema, const std::string& path, const SchemaKey& key, RequestType type) {
  switch (type) {
    case RequestType::number: return number_schema(key, false);
    case RequestType::integer: return number_schema(key, true);
    case RequestType::flag: return {{"type", "boolean"}};
    case RequestType::text: return {{"type", "string"}};
    case RequestType::choice: return {{"type", "string"}, {"enum", key.words}};
    case RequestType::numbers: return array_schema(number_schema(key, false), key.least_size, key.most_size);
    case RequestType::integers: return array_schema(number_schema(key, true));
    case RequestType::texts: return array_schema({{"type", "string"}});
    case RequestType::vectors:
      return array_schema(array_schema({{"type", "number"}}, key.least_size, key.most_size));
    case RequestType::table: return table_schema(schema, path);
    case RequestType::tables: return array_schema(table_schema(schema, path + "[]"));
    case RequestType::seen: break;
  }
  return Json::object();
}

// The form of a value that is covered by a request of this type.
const char* form_name(RequestType type) {
  switch (type) {
    case RequestType::number:
    case RequestType::integer: return "number";
    case RequestType::flag: return "flag";
    case RequestType::text:
    case RequestType::choice: return "text";
    case RequestType::table: return "table";
    default: return "array";
  }
}

Json form_schema(const SceneSchema& schema, const std::string& path, const std::string& form) {
  if (form == "array" && schema.tables.count(path + "[]"))
    return array_schema({{"anyOf", Json::array({table_schema(schema, path + "[]"),
                                                {{"type", Json::array({"string", "number"})}}})}});
  if (form == "table" && schema.tables.count(path)) return table_schema(schema, path);
  const char* type = form == "flag"    ? "boolean"
                     : form == "text"  ? "string"
                     : form == "table" ? "object"
                                       : form.c_str();
  return {{"type", type}};
}

// Of dimensions nothing is said: that a scene of one of them was never asked for a key does not mean that it may not have it. The
// documentation tells where it is so.
std::string restriction(const SchemaTable& table, const SchemaKey& key) {
  std::size_t kinds = 0;
  for (const auto& [kind, count] : table.read) kinds += !kind.empty();
  if (key.kinds.empty() || key.kinds.size() >= kinds) return {};
  return fmt::format("kind: {}", fmt::join(key.kinds, ", "));
}

std::string describe_key(const SchemaTable& table, const SchemaKey& key, const SchemaWords* words) {
  std::string text = words ? words->text : "";
  const auto append = [&](const std::string& part) { text += (text.empty() ? "" : ". ") + part; };
  if (words && !words->unit.empty()) append("Unit: " + words->unit);
  if (words && !words->allowed.empty()) append("Allowed: " + words->allowed);
  if (words && !words->fallback.empty()) append("Default: " + words->fallback);
  if (const std::string where = restriction(table, key); !where.empty()) append("Only " + where);
  return text;
}

Json key_schema(const SceneSchema& schema, const std::string& path, const SchemaTable& table,
                const std::string& name, const SchemaKey& key) {
  const std::string own = below(path, name);
  std::vector<Json> forms;
  std::set<std::string> covered;
  for (const std::string& form : key.shared) {
    forms.push_back({{"$ref", "#/definitions/" + form}});
    for (const std::string& own_form : schema.shared.at(form)) covered.insert(own_form);
  }
  for (const RequestType type : key.types) {
    const bool has_own =
        type == RequestType::table && schema.tables.count(own);  // beside the shared form, or below it
    if (covered.count(form_name(type)) && !key.shared.empty() && !has_own) continue;
    if (type == RequestType::seen) continue;
    forms.push_back(type_schema(schema, own, key, type));
    covered.insert(form_name(type));
  }
  for (const std::string& form : key.forms)
    if (!covered.count(form)) forms.push_back(form_schema(schema, own, form));
  Json json = forms.size() == 1 ? forms.front() : Json{{"anyOf", forms}};
  if (const std::string text = describe_key(table, key, schema.find_words(path, name)); !text.empty())
    json["description"] = text;
  if (key.fallback && *key.fallback != "\"\"" && *key.fallback != "{}")
    json["default"] = Json::parse(*key.fallback, nullptr, false);
  return json;
}

Json table_schema(const SceneSchema& schema, const std::string& path) {
  const auto found = schema.tables.find(path);
  if (found == schema.tables.end()) return {{"type", "object"}};
  const SchemaTable& table = found->second;
  Json json = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  Json required = Json::array();
  std::map<std::string, Json> names;
  for (const auto& [name, key] : table.keys) {
    if (!key.is_given()) continue;
    Json own = key_schema(schema, path, table, name, key);
    if (name == "*") {
      json["additionalProperties"] = std::move(own);
      continue;
    }
    json["properties"][name] = std::move(own);
    if (key.required && restriction(table, key).empty()) required.push_back(name);
    for (const std::string& kind : key.kinds) names[kind].push_back(name);
  }
  if (!required.empty()) json["required"] = std::move(required);
  for (const auto& [kind, list] : names)
    json["allOf"].push_back({{"if", {{"properties", {{"kind", {{"const", kind}}}}}, {"required", {"kind"}}}},
                             {"then", {{"propertyNames", {{"enum", list}}}}}});
  return json;
}

std::string type_text(const SchemaKey& key) {
  const auto range = [&](const char* what) {
    const bool low = key.low && std::isfinite(*key.low), high = key.high && std::isfinite(*key.high);
    if (low && high)
      return fmt::format("{} {} {:g} to {:g}", what, key.above ? "above" : "from", *key.low, *key.high);
    if (low)
      return fmt::format(
          "{} {}", what,
          key.above ? fmt::format("above {:g}", *key.low) : fmt::format("{:g} or more", *key.low));
    if (high) return fmt::format("{} up to {:g}", what, *key.high);
    return std::string(what);
  };
  const std::string size = !key.most_size ? ""
                           : *key.least_size == *key.most_size
                               ? fmt::format("{} ", *key.most_size)
                               : fmt::format("{} or {} ", *key.least_size, *key.most_size);
  std::vector<std::string> parts;
  std::set<std::string> covered;
  for (const std::string& form : key.shared) {
    std::string anchor = form;
    std::replace(anchor.begin(), anchor.end(), ' ', '-');
    parts.push_back(fmt::format("[{}](#{})", form, anchor));
  }
  if (!key.shared.empty()) return fmt::format("{}", fmt::join(parts, "; or "));
  for (const RequestType type : key.types) {
    covered.insert(form_name(type));
    switch (type) {
      case RequestType::number: parts.push_back(range("number")); break;
      case RequestType::integer: parts.push_back(range("whole number")); break;
      case RequestType::flag: parts.emplace_back("true, false"); break;
      case RequestType::text: parts.emplace_back("text"); break;
      case RequestType::choice: parts.push_back(fmt::format("`{}`", fmt::join(key.words, "`, `"))); break;
      case RequestType::numbers: parts.push_back(fmt::format("list of {}{}", size, range("numbers"))); break;
      case RequestType::integers: parts.push_back("list of " + range("whole numbers")); break;
      case RequestType::texts: parts.emplace_back("list of texts"); break;
      case RequestType::vectors: parts.push_back(fmt::format("list of lists of {}numbers", size)); break;
      case RequestType::table: parts.emplace_back("table"); break;
      case RequestType::tables: parts.emplace_back("list of tables"); break;
      case RequestType::seen: covered.erase("array"); break;
    }
  }
  for (const std::string& form : key.forms)
    if (!covered.count(form))
      parts.push_back(form == "array" ? "list" : form == "flag" ? "true, false" : form);
  return fmt::format("{}", fmt::join(parts, "; or "));
}

}  // namespace

namespace {

Json shared_schema(const SceneSchema& schema, const std::string& name, const std::set<std::string>& forms) {
  std::vector<Json> list;
  for (const std::string& form : forms) list.push_back(form_schema(schema, name, form));
  return list.size() == 1 ? list.front() : Json{{"anyOf", list}};
}

}  // namespace

std::string format_json_schema(const SceneSchema& schema) {
  Json json = {{"$schema", "http://json-schema.org/draft-07/schema#"},
               {"title", "A scene of saltus"},
               {"description",
                "What the reader of scenes asks for. Which keys exclude each other, and which need each "
                "other, the reader itself tells: "
                "saltus check SCENE."}};
  json.update(table_schema(schema, ""));
  json["properties"]["files"] = {{"type", "object"},
                                 {"description", "Written by saltus: hashes of the files a scene read"}};
  for (const auto& [name, forms] : schema.shared)
    json["definitions"][name] = shared_schema(schema, name, forms);
  return json.dump(1) + "\n";
}

std::string format_schema_page(const SceneSchema& schema) {
  std::string page;
  for (const auto& [path, table] : schema.tables) {
    page += fmt::format("\n## {}\n\n| key | type, range | unit | default | |\n|---|---|---|---|---|\n",
                        path.empty() ? "The scene" : fmt::format("`{}`", path));
    for (const auto& [name, key] : table.keys) {
      if (!key.is_given()) continue;
      const SchemaWords* words = schema.find_words(path, name);
      std::string fallback = words ? words->fallback : "";
      if (fallback.empty())
        fallback = key.required ? "required"
                   : key.fallback && *key.fallback != "\"\"" && *key.fallback != "{}" && *key.fallback != "[]"
                       ? *key.fallback
                       : "";
      std::string text = words ? words->text : "";
      if (const std::string only = restriction(table, key); !only.empty())
        text += fmt::format("{}*{}*", text.empty() ? "" : " ", only);
      page += fmt::format("| `{}` | {} | {} | {} | {} |\n", name == "*" ? "NAME" : name, type_text(key),
                          words ? words->unit : "", fallback, text);
    }
  }
  return page;
}

}  // namespace saltus
