// What readers of a scene ask a table for, told to whoever listens: so the schema of scene files (scene_schema.hpp) is what the
// reader does, and not a second description of it. Nobody listens in a normal run.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

namespace saltus {

struct Range;

// How a key was asked for. `seen`: only whether it is there; its form is then that of the value.
enum class RequestType {
  seen,
  number,
  integer,
  flag,
  text,
  choice,
  numbers,
  texts,
  integers,
  vectors,
  table,
  tables
};

struct KeyRequest {
  RequestType type = RequestType::seen;
  int size = 0;                                     // of a vector, or of each of `vectors`; 0: any
  const Range* range = nullptr;                     // of numbers, whole ones too
  const std::vector<std::string>* words = nullptr;  // of a choice
  std::string fallback;                             // as JSON; empty: none given here
};

class RequestListener {
 public:
  virtual ~RequestListener() = default;
  // `path` names the table as TableReader does.
  virtual void asked(const toml::table& table, const std::string& path, std::string_view key,
                     const KeyRequest& request) = 0;
  // What stands at `path` is one of the forms that many keys take: a function of time, a matrix...
  virtual void form(const std::string& path, const std::string& name, const toml::node& node) = 0;
};

// Of this thread; null: nobody.
RequestListener*& request_listener();

}  // namespace saltus
