// Trajectories, column by column: Python code makes frames of them, when they are asked for.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "bindings.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/laws/pair_law.hpp"
#include "saltus/running/measure_table.hpp"
#include "saltus/trajectories/trajectory_file.hpp"
#include "zeroed.hpp"

namespace saltus::bindings {

namespace {

struct PyTrajectory : ZeroedMemory {
  explicit PyTrajectory(const std::string& path)
      : file(std::make_unique<TrajectoryFile>(TrajectoryFile::open(path, TrajectoryFile::Mode::read))) {}
  const TrajectoryFile& get() const { return checked(file); }

  std::unique_ptr<TrajectoryFile> file;
};

const std::map<std::string, Rows> kRows = {
    {"frame", Rows::frame},           {"body", Rows::body},
    {"contact", Rows::contact},       {"model", Rows::model},
    {"shape", Rows::shape},           {"number", Rows::number},
    {"measure", Rows::measure},       {"measure_value", Rows::measure_value},
    {"coordinate", Rows::coordinate}, {"joint", Rows::joint},
    {"system", Rows::system},         {"node", Rows::node},
    {"element", Rows::element},       {"joint_model", Rows::joint_model},
    {"cell", Rows::cell},             {"cell_node", Rows::cell_node},
    {"side", Rows::side},             {"node_value", Rows::node_value},
    {"cell_value", Rows::cell_value}};

Rows rows_of(const std::string& kind) {
  const auto at = kRows.find(kind);
  if (at == kRows.end()) throw InputError("", "rows", '"' + kind + '"', "a kind of rows");
  return at->second;
}

template <class T>
py::array column_array(const std::vector<T>& values, py::ssize_t width) {
  const auto size = static_cast<py::ssize_t>(values.size());
  if (width == 1) return to_array(values);
  return to_array(values, {size / width, width});
}

// The columns that the file has, under the last part of their path.
py::dict read_columns(const PyTrajectory& of, const std::string& kind, std::int64_t begin,
                      std::int64_t count) {
  const TrajectoryFile& file = of.get();
  const Rows rows = rows_of(kind);
  if (begin < 0 || count < 0 || begin > file.rows(rows) - count)
    throw py::index_error(
        fmt::format("rows {} to {} of {}: there are {}", begin, begin + count, kind, file.rows(rows)));
  TrajectoryData data;
  file.read(rows, begin, count, data);
  py::dict result;
  for (const TrajectoryColumn& column : trajectory_columns()) {
    if (column.rows != rows || !file.has(column)) continue;
    const std::string path = column.path;
    const py::str name(path.substr(path.rfind('/') + 1));
    const py::ssize_t width = column.width(file.dimension());
    std::visit([&](const auto member) { result[name] = column_array(data.*member, width); }, column.data);
  }
  return result;
}

py::dict header_of(const PyTrajectory& of) {
  const TrajectoryHeader header = of.get().read_header();
  py::dict result;
  result["name"] = header.name, result["title"] = header.title;
  result["scene_text"] = header.scene_text, result["program"] = header.program;
  result["h"] = header.h;
  result["gravity"] = to_array(header.gravity), result["period"] = to_array(header.period);
  result["fields"] = header.fields, result["body_names"] = header.body_names;
  result["measures"] = header.measures;
  result["system_names"] = header.system_names, result["joint_names"] = header.joint_names;
  result["surface_names"] = header.surface_names;
  return result;
}

py::tuple table_of(const MeasureTable& table) {
  const auto rows = static_cast<py::ssize_t>(table.rows()),
             width = static_cast<py::ssize_t>(table.columns.size());
  return py::make_tuple(table.columns, to_array(table.numbers, {rows, width}));
}

}  // namespace

void bind_trajectories(py::module_& module) {
  py::class_<PyTrajectory>(module, "TrajectoryFile", "Rows of a trajectory, read when asked for.")
      .def(py::init([](const std::string& path) { return PyTrajectory(path); }), py::arg("path"))
      .def_property_readonly("path", [](const PyTrajectory& t) { return t.get().path(); })
      .def_property_readonly("dimension", [](const PyTrajectory& t) { return t.get().dimension(); })
      .def_property_readonly("frames", [](const PyTrajectory& t) { return t.get().frames(); })
      .def_property_readonly("is_finished", [](const PyTrajectory& t) { return t.get().is_finished(); })
      .def(
          "rows", [](const PyTrajectory& t, const std::string& kind) { return t.get().rows(rows_of(kind)); },
          py::arg("kind"))
      .def("read", &read_columns, py::arg("kind"), py::arg("begin"), py::arg("count"))
      .def("header", &header_of)
      .def("summary", [](const PyTrajectory& t) { return t.get().read_summary(); })
      .def("failure", [](const PyTrajectory& t) { return t.get().read_failure(); });
  module.def("contact_status_names", [] {
    std::vector<std::string> names;
    for (const auto status :
         {ContactStatus::inactive, ContactStatus::open, ContactStatus::stick, ContactStatus::slide})
      names.emplace_back(name(status));
    return names;
  });
  module.def(
      "read_measures", [](const std::string& path) { return table_of(read_tables(path).measures); },
      py::arg("path"));
  module.def(
      "read_series", [](const std::string& path) { return table_of(read_tables(path).frames); },
      py::arg("path"));
  module.def(
      "compute_measures",
      [](const std::string& path, const std::vector<std::string>& measures, double from, double to) {
        return table_of(compute_measures(path, measures, from, to));
      },
      py::arg("path"), py::arg("measures"), py::arg("from_time"), py::arg("to_time"));
}

}  // namespace saltus::bindings
