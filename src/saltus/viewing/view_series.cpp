// The pack `series`: numbers of the run over time. docs/viewer-format.md lists it.
#include <nlohmann/json.hpp>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/plot_units.hpp"
#include "saltus/viewing/trajectory_view.hpp"

namespace saltus {

namespace {

// The column at these frames; 8 bytes a number, as counts of contact updates are large.
std::vector<double> rows_of(const TrajectoryData& index, const TrajectoryColumn& column,
                            const std::vector<std::int64_t>& chosen) {
  std::vector<double> numbers;
  std::visit(
      [&](auto member) {
        for (const std::int64_t frame : chosen)
          if (static_cast<std::size_t>(frame) < (index.*member).size())
            numbers.push_back(static_cast<double>((index.*member)[static_cast<std::size_t>(frame)]));
      },
      column.data);
  return numbers;
}

// "/energy/kinetic" is energy.kinetic; empty for what is no series.
std::string series_name(const TrajectoryColumn& column) {
  const std::string path = column.path;
  if (path == "/frames/time") return "time";
  if (path == "/frames/step") return "step";
  if (path == "/frames/body_count") return "count.bodies";
  if (path == "/frames/contact_count") return "count.contacts";
  for (const std::string group : {"/energy/", "/solver/"})
    if (path.compare(0, group.size(), group) == 0)
      return path.substr(1, group.size() - 2) + "." + path.substr(group.size());
  return {};
}

nlohmann::json parse_summary(const std::string& text) {
  const nlohmann::json summary = nlohmann::json::parse(text, nullptr, false);
  return summary.is_discarded() ? nlohmann::json() : summary;
}

}  // namespace

// Of the measures of the run; empty: a pure number, or not known, as of a scene that this version does not read.
template <int Dim>
const std::vector<std::string>& TrajectoryView<Dim>::measure_units() {
  const std::vector<std::string>& names = reader_.header().measures;
  if (measure_units_.size() == names.size()) return measure_units_;
  measure_units_.assign(names.size(), "");
  try {
    const ColumnUnits units = read_units(reader_.file().path());
    for (std::size_t i = 0; i < names.size(); ++i) measure_units_[i] = units.of(names[i]);
  } catch (const InputError&) {
  }
  return measure_units_;
}

template <int Dim>
std::string TrajectoryView<Dim>::series(const std::vector<std::int64_t>& chosen) {
  std::vector<ViewArray> arrays;
  for (const TrajectoryColumn& column : trajectory_columns()) {
    const std::string name = column.rows == Rows::frame ? series_name(column) : "";
    if (name.empty()) continue;
    std::vector<double> numbers = rows_of(reader_.index(), column, chosen);
    if (numbers.size() == chosen.size()) arrays.push_back({name, 1, std::move(numbers)});
  }
  const TrajectoryFile& file = reader_.file();
  const std::vector<std::string>& measures = reader_.header().measures;
  if (!measures.empty()) {
    Data data;
    file.read(Rows::measure, 0, file.rows(Rows::measure), data);
    file.read(Rows::measure_value, 0, file.rows(Rows::measure_value), data);
    if (data.measure_values.size() == measures.size() * data.measure_time.size()) {
      arrays.push_back({"measure.time", 1, std::move(data.measure_time)});
      arrays.push_back({"measure.values", static_cast<int>(measures.size()), std::move(data.measure_values)});
    }
  }
  return pack_view(nlohmann::json({{"frames", chosen.size()},
                                   {"frames_of_run", frames()},
                                   {"finished", is_finished()},
                                   {"failure", file.read_failure()},
                                   {"measures", measures},
                                   {"measure_units", measure_units()},
                                   {"summary", parse_summary(file.read_summary())}})
                       .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                   arrays);
}

template class TrajectoryView<2>;
template class TrajectoryView<3>;

}  // namespace saltus
