// What a study asks of its cases, looked at before they run.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "saltus/base/input_error.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/running/study.hpp"
#include "saltus/running/summary.hpp"
#include "saltus/scenes/scene_names.hpp"
#include "saltus/scenes/scene_reader.hpp"

namespace saltus {

namespace {

void require_name(const std::string& where, const std::string& what, const std::string& name,
                  const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string nearest = nearest_name(name, names);
  throw InputError(where, what, nearest.empty() ? name : fmt::format("{} (did you mean {}?)", name, nearest),
                   names.empty() ? "none: the scene asks for no measure" : join_names(names));
}

void list_keys(const nlohmann::json& json, const std::string& before, std::vector<std::string>& keys) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object())
      list_keys(value, before + key + ".", keys);
    else if (!value.is_array())
      keys.push_back(before + key);
  }
}

// What a run of the scene will have: the columns of its measures, the keys of its summary.
struct Offered {
  std::vector<std::string> columns, keys;
};

template <int Dim>
Offered find_offered(const Scene<Dim>& scene) {
  const Simulation<Dim> simulation(scene);
  std::vector<std::string> names;
  // With those that move as systems do.
  for (const SceneBody<Dim>& body : simulation.scene().bodies) names.push_back(body.name);
  Snapshot<Dim> first;
  take_snapshot(simulation, first);
  Offered offered{Measurer<Dim>(scene.measures, names, first).columns(), {}};
  list_keys(nlohmann::json::parse(format_summary(simulation, {})), "", offered.keys);
  return offered;
}

}  // namespace

void check_results(const Study& study, const std::vector<std::string>& overrides) {
  const SceneFile file = read_scene(study.scene, overrides);
  const Offered offered = std::visit([](const auto& scene) { return find_offered(scene); }, file.scene);
  for (const StudyResult& result : study.results) {
    const std::string where = fmt::format("{}: collect \"{}\"", study.path, result.name);
    if (result.summary.empty())
      require_name(where, "measure that the scene does not ask for", result.measure, offered.columns);
    else
      require_name(where, "key that the summary does not have", result.summary, offered.keys);
  }
}

void check_figures(const Study& study) {
  std::vector<std::string> columns;
  for (const StudyParameter& p : study.parameters) columns.push_back(p.name);
  for (const StudyResult& r : study.results) columns.push_back(r.name);
  for (const StudyFigure& figure : study.figures) {
    const std::string where = fmt::format("{}: figure \"{}\"", study.path, figure.file);
    require_name(where, "column of the x axis", figure.x, columns);
    for (const std::string& y : figure.y) require_name(where, "column of the y axis", y, columns);
    if (!figure.by.empty()) require_name(where, "column of \"by\"", figure.by, columns);
  }
}

}  // namespace saltus
