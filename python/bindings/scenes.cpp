#include "scenes.hpp"

#include <fstream>
#include <sstream>

#include "saltus/base/input_error.hpp"
#include "saltus/running/scene_report.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "saltus/scenes/scene_library.hpp"
#include "saltus/scenes/scene_overrides.hpp"
#include "saltus/scenes/scene_table.hpp"
#include "saltus/scenes/scene_tree.hpp"
#include "unlocked.hpp"
#include "values.hpp"

namespace saltus::bindings {

namespace {

std::string load_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError(path, "the scene cannot be read, or is empty");
  return text.str();
}

// The text of a scene with overrides in place, for those who want its values.
std::string override_text(const std::string& text, const std::string& path,
                          const std::vector<std::string>& overrides) {
  toml::table tree = parse_toml(text, path);
  for (const std::string& option : overrides) apply_override(option, tree);
  std::ostringstream out;
  out << tree;
  return out.str();
}

std::string format_dict(const py::dict& dict) {
  std::ostringstream out;
  out << to_table(dict);
  return out.str();
}

py::dict check(const SceneData& data) {
  const SceneReport report = [&] {
    const Unlocked others;
    return std::visit([](const auto& scene) { return build_scene_report(scene); }, data.get().scene);
  }();
  py::dict result;
  for (const auto& [subject, finding] : report.lines) result[py::str(subject)] = finding;
  result["warnings"] = report.warnings;
  return result;
}

std::vector<std::tuple<std::string, std::string, std::string>> list_library() {
  std::vector<std::tuple<std::string, std::string, std::string>> scenes;
  for (const LibraryScene& scene : list_scenes()) scenes.emplace_back(scene.name, scene.title, scene.path);
  return scenes;
}

}  // namespace

void bind_scenes(py::module_& module) {
  py::class_<SceneData>(module, "SceneData", "A scene that was read and can be run.")
      .def_property_readonly("dimension",
                             [](const SceneData& d) { return d.get().scene.index() == 0 ? 2 : 3; })
      .def_property_readonly("text", [](const SceneData& d) { return d.get().text; })
      .def_property_readonly("path", [](const SceneData& d) { return d.get().path; })
      .def_property_readonly("body_count",
                             [](const SceneData& d) {
                               return std::visit([](const auto& scene) { return scene.bodies.size(); },
                                                 d.get().scene);
                             })
      .def("check", &check);
  module.def("find_scene", &find_scene, py::arg("name"));
  module.def("load_text", &load_text, py::arg("path"));
  module.def("override_text", &override_text, py::arg("text"), py::arg("path"), py::arg("overrides"));
  module.def("format_dict", &format_dict, py::arg("values"));
  module.def(
      "parse_scene",
      [](const std::string& text, const std::string& path, const std::vector<std::string>& overrides) {
        return SceneData(parse_scene(text, path, overrides));
      },
      py::arg("text"), py::arg("path"), py::arg("overrides"));
  module.def(
      "read_dict",
      [](const py::dict& values, const std::string& path) {
        return SceneData(read_scene_tree(to_table(values), path));
      },
      py::arg("values"), py::arg("path"));
  module.def("list_library", &list_library);
  module.def("add_scene_folder", &add_scene_folder, py::arg("folder"));
}

}  // namespace saltus::bindings
