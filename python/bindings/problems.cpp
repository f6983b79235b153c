#include "problems.hpp"

#include <fmt/format.h>
#include <pybind11/eigen.h>

#include <cmath>

#include "saltus/base/input_error.hpp"
#include "saltus/fclib/fc_problem_file.hpp"
#include "unlocked.hpp"

namespace saltus::bindings {

namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

std::string shape_text(const py::array& array) { return py::str(py::tuple(array.attr("shape"))); }

Reals read_array(const py::object& value, const char* what) {
  Reals array = Reals::ensure(value);
  if (!array) {
    PyErr_Clear();
    throw InputError("", what, py::str(py::type::of(value).attr("__name__")), "an array of numbers");
  }
  for (py::ssize_t i = 0; i < array.size(); ++i)
    if (!std::isfinite(array.data()[i]))
      throw InputError("", what, fmt::format("{} at place {}", array.data()[i], i), "finite numbers");
  return array;
}

Eigen::VectorXd read_vector(const py::object& value, const char* what, Eigen::Index size, bool negative) {
  const Reals array = read_array(value, what);
  if (array.ndim() != 1 && array.ndim() != 0) throw InputError("", what, shape_text(array), "a vector");
  Eigen::VectorXd v(size);
  if (array.size() == 1)
    v.setConstant(array.data()[0]);
  else if (array.size() == size)
    v = Eigen::Map<const Eigen::VectorXd>(array.data(), size);
  else
    throw InputError("", what, fmt::format("{} numbers", array.size()), fmt::format("{}", size));
  if (!negative && size > 0 && v.minCoeff() < 0)
    throw InputError("", what, fmt::format("{}", v.minCoeff()), "0 or more");
  return v;
}

// Rows, columns and values of whatever scipy.sparse has; every place is checked.
Sparse read_sparse(const py::object& value) {
  const py::object coo = value.attr("tocoo")();
  const Reals data = read_array(coo.attr("data"), "W");
  const auto rows = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(coo.attr("row"));
  const auto columns = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(coo.attr("col"));
  const auto shape = py::cast<std::pair<std::int64_t, std::int64_t>>(coo.attr("shape"));
  if (rows.size() != data.size() || columns.size() != data.size() || shape.first > (1 << 30) ||
      shape.second > (1 << 30))
    throw InputError("", "W", "a matrix of another form", "scipy.sparse, or an array");
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(static_cast<std::size_t>(data.size()));
  for (py::ssize_t i = 0; i < data.size(); ++i) {
    const std::int64_t row = rows.data()[i], column = columns.data()[i];
    if (row < 0 || row >= shape.first || column < 0 || column >= shape.second)
      throw InputError("", "W", fmt::format("an entry at ({}, {})", row, column), "places inside the matrix");
    entries.emplace_back(static_cast<int>(row), static_cast<int>(column), data.data()[i]);
  }
  Sparse matrix(static_cast<Eigen::Index>(shape.first), static_cast<Eigen::Index>(shape.second));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Sparse read_matrix(const py::object& value) {
  if (py::hasattr(value, "tocoo")) return read_sparse(value);
  const Reals array = read_array(value, "W");
  if (array.ndim() != 2) throw InputError("", "W", shape_text(array), "a square matrix");
  using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const Dense>(array.data(), array.shape(0), array.shape(1)).sparseView();
}

ConeKind cone_of(int dim, bool rolls) {
  if (dim != 2 && dim != 3) throw InputError("", "dim", fmt::format("{}", dim), "2 or 3");
  if (dim == 2) return rolls ? ConeKind::rolling_2d : ConeKind::coulomb_2d;
  return rolls ? ConeKind::rolling_3d : ConeKind::coulomb_3d;
}

// The problem, unless nobody initialised it.
const ContactProblem& of(const Problem& problem) {
  if (problem.problem.W.block == 0) refuse_uninitialised();
  return problem.problem;
}

Problem build(const py::object& W, const py::object& b, const py::object& mu, const py::object& mu_r,
              int dim) {
  Problem result;
  ContactProblem& problem = result.problem;
  problem.cone = cone_of(dim, !mu_r.is_none());
  const int block = block_size(problem.cone);
  const Sparse matrix = read_matrix(W);
  if (matrix.rows() != matrix.cols() || matrix.rows() == 0 || matrix.rows() % block != 0)
    throw InputError("", "W", fmt::format("{} x {}", matrix.rows(), matrix.cols()),
                     fmt::format("square, of blocks of {} rows per contact", block));
  const Eigen::Index contacts = matrix.rows() / block;
  problem.W = build_block_matrix(matrix, block);
  problem.b = read_vector(b, "b", matrix.rows(), true);
  if (py::cast<py::ssize_t>(py::module_::import("numpy").attr("size")(b)) != matrix.rows())
    throw InputError("", "b", "another size", fmt::format("{} numbers", matrix.rows()));
  problem.mu = read_vector(mu, "mu", contacts, false);
  if (!mu_r.is_none()) problem.mu_r = read_vector(mu_r, "mu_r", contacts, false);
  return result;
}

Problem read_file(const std::string& path) {
  FcProblemFile file = read_fc_problem(path);
  Problem result;
  result.title = file.title;
  result.warnings = file.warnings;
  if (auto* local = std::get_if<ContactProblem>(&file.problem))
    result.problem = std::move(*local);
  else
    result.problem = condense(std::get<GlobalProblem>(file.problem));
  return result;
}

void write_file(const Problem& problem, const std::string& path, const Solution* solution) {
  FcProblemFile file;
  file.problem = of(problem);
  file.title = problem.title;
  if (solution) {
    if (solution->r.size() != problem.problem.size())
      throw InputError("", "solution", fmt::format("{} impulses", solution->r.size()),
                       fmt::format("{}", problem.problem.size()));
    file.solution = FcSolution{solution->r, solution->u, {}, {}};
  }
  write_fclib(path, file);
}

Solution run(const Problem& problem, const std::string& solver, double tolerance, const std::string& residual,
             std::int64_t max_iterations, double time_limit, const py::object& start) {
  const ContactProblem& of_problem = of(problem);
  SolveOptions options;
  const auto kind = parse_residual_kind(residual);
  if (!kind) throw InputError("", "residual", '"' + residual + '"', "scaled, natural, relative_b or siconos");
  if (!(tolerance > 0) || std::isinf(tolerance))
    throw InputError("", "tolerance", fmt::format("{}", tolerance), "a number above 0");
  if (max_iterations < 0)
    throw InputError("", "max_iterations", fmt::format("{}", max_iterations), "0 (the solver's own) or more");
  if (!(time_limit >= 0))
    throw InputError("", "time_limit", fmt::format("{}", time_limit), "seconds, 0: none");
  options.tolerance = tolerance;
  options.residual = *kind;
  options.max_iterations = max_iterations;
  options.time_limit = time_limit;
  Solution solution;
  const SolverKind by = solver_of_name(solver);
  if (!start.is_none()) solution.r = read_vector(start, "start", problem.problem.size(), true);
  const Unlocked others;
  solution.report = solve(by, of_problem, options, solution.r, solution.u);
  return solution;
}

py::dict residuals_of(const Residuals& r) {
  py::dict result;
  result["natural"] = r.absolute, result["relative_b"] = r.relative_b;
  result["siconos"] = r.siconos, result["scaled"] = r.scaled;
  return result;
}

py::dict measure_residuals(const Problem& problem, const py::object& r, const py::object& u) {
  const Eigen::Index size = of(problem).size();
  return residuals_of(
      compute_residuals(problem.problem, read_vector(r, "r", size, true), read_vector(u, "u", size, true)));
}

py::list stages_of(const SolveReport& report) {
  py::list stages;
  for (const SolveStage& stage : report.stages) {
    py::dict entry;
    entry["solver"] = stage.solver, entry["iterations"] = stage.iterations;
    entry["residual"] = stage.residual, entry["seconds"] = stage.seconds;
    stages.append(entry);
  }
  return stages;
}

Reals to_numpy(const Eigen::VectorXd& v) { return to_vector(v.data(), v.size()); }

}  // namespace

void bind_problems(py::module_& module) {
  py::class_<Solution>(module, "Solution", "Impulses r, velocities u, and how well they solve the problem.")
      .def_property_readonly("r", [](const Solution& s) { return to_numpy(s.r); })
      .def_property_readonly("u", [](const Solution& s) { return to_numpy(s.u); })
      .def_property_readonly("status", [](const Solution& s) { return name(s.report.status); })
      .def_property_readonly("converged",
                             [](const Solution& s) { return s.report.status == SolveStatus::converged; })
      .def_property_readonly("reason", [](const Solution& s) { return s.report.reason; })
      .def_property_readonly("iterations", [](const Solution& s) { return s.report.iterations; })
      .def_property_readonly("residuals", [](const Solution& s) { return residuals_of(s.report.residuals); })
      .def_property_readonly("stages", [](const Solution& s) { return stages_of(s.report); })
      .def("__repr__", [](const Solution& s) {
        return fmt::format("<saltus.Solution {}, {} iterations, residual {:.1e} (scaled)>",
                           name(s.report.status), s.report.iterations, s.report.residuals.scaled);
      });
  py::class_<Problem>(module, "Problem", "The canonical problem u = W r + b.")
      .def(py::init<const Problem&>(), py::arg("other"))
      .def(py::init(&build), py::arg("W"), py::arg("b"), py::arg("mu"), py::arg("mu_r") = py::none(),
           py::arg("dim") = 3)
      .def_static("read", &read_file, py::arg("path"))
      .def("write", &write_file, py::arg("path"), py::arg("solution") = py::none())
      .def_property_readonly("W", [](const Problem& p) { return build_sparse(of(p).W); })
      .def_property_readonly("b", [](const Problem& p) { return to_numpy(p.problem.b); })
      .def_property_readonly("mu", [](const Problem& p) { return to_numpy(p.problem.mu); })
      .def_property_readonly("mu_r", [](const Problem& p) { return to_numpy(p.problem.mu_r); })
      .def_property_readonly("contacts", [](const Problem& p) { return p.problem.contacts(); })
      .def_property_readonly("size", [](const Problem& p) { return p.problem.size(); })
      .def_property_readonly("cone", [](const Problem& p) { return name(p.problem.cone); })
      .def_property_readonly("is_mixed", [](const Problem& p) { return p.problem.is_mixed(); })
      .def_readonly("title", &Problem::title)
      .def_readonly("warnings", &Problem::warnings)
      .def("residuals", &measure_residuals, py::arg("r"), py::arg("u"))
      .def("solve", &run, py::arg("solver") = "auto", py::arg("tolerance") = 1e-8,
           py::arg("residual") = "scaled", py::arg("max_iterations") = 0, py::arg("time_limit") = 0.0,
           py::arg("start") = py::none());
  module.def("solver_names", &solver_names);
}

}  // namespace saltus::bindings
