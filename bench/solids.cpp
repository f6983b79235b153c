// One deformable body by itself: how fast its elements are assembled, and what a step of a large one costs.
//
//     solids assembly CELLS            T4 by six from a cube of CELLS^3 cells: stiffness and force, on 1 and 2 threads
//     solids body CELLS [LAYERS]       H8, CELLS x CELLS x LAYERS (as many, not told), touched at all nodes of its lower face
//
// Lines "name value". Times are CPU seconds of the process, of one thread where not told.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "saltus/base/hash.hpp"
#include "saltus/base/parallel.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/fem/continuum.hpp"
#include "saltus/fem/material_registry.hpp"
#include "saltus/meshes/grid_mesh.hpp"
#include "saltus/running/summary.hpp"
#include "saltus/systems/solid_model.hpp"

namespace saltus {
namespace {

Continuum<3> build_box(ElementKind kind, int cells, int layers) {
  MeshGrid<3> grid;
  grid.kind = kind;
  grid.cells = IntVec<3>(cells, cells, layers);
  const Vec<3> size(1, 1, static_cast<double>(layers) / cells);
  auto mesh = build_grid_mesh<3>(
      grid, [&](const Vec<3>& x) { return Vec<3>(x.cwiseProduct(size)); }, box_sides<3>(), "box");
  const MaterialParameters elastic{"box", {{"young", 1e7}, {"poisson", 0.3}}};
  return {std::move(mesh), {{make_material("linear-elastic", elastic), 1000}}, {}};
}

void tell(const char* name, double value) { fmt::print("{} {:.6g}\n", name, value); }

std::string hash_of(const Continuum<3>& body) {
  StateHash hash;
  hash.add(std::span<const double>(body.force().data(), static_cast<std::size_t>(body.force().size())));
  hash.add(std::span<const double>(body.tangent().valuePtr(),
                                   static_cast<std::size_t>(body.tangent().nonZeros())));
  return hash.hex();
}

void measure_assembly(int cells) {
  constexpr int kTimes = 5;
  Continuum<3> body = build_box(ElementKind::t4, cells, cells);
  const auto elements = static_cast<double>(body.mesh().elements.size());
  const Eigen::VectorXd q = 1e-3 * Eigen::VectorXd::LinSpaced(body.degrees_of_freedom(), -1, 1);
  tell("elements", elements);
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    body.assemble(q, 0, {.tangent = true});
    const Stopwatch wall(Clock::wall), cpu(Clock::process_cpu);
    for (int i = 0; i < kTimes; ++i) body.assemble(q, 0, {.tangent = true});
    fmt::print("threads_{}_elements_per_cpu_second {:.4g}\n", threads, kTimes * elements / cpu.seconds());
    fmt::print("threads_{}_elements_per_second {:.4g}\n", threads, kTimes * elements / wall.seconds());
    fmt::print("threads_{}_hash {}\n", threads, hash_of(body));
  }
}

void measure_body(int cells, int layers) {
  Continuum<3> body = build_box(ElementKind::h8, cells, layers);
  SolidModel<3> model;
  model.mesh = std::make_shared<SolidMesh<3>>(body.mesh());
  model.mass = MassKind::lumped;
  Stopwatch assembly(Clock::process_cpu);
  LinearSystem system(build_linear_model(model, body));
  tell("degrees_of_freedom", system.degrees_of_freedom());
  tell("assembly_s", assembly.seconds());
  StepWeights weights;
  weights.h = 1e-3, weights.stiffness = 2.5e-7, weights.advance = 5e-4,
  weights.position_end = weights.position_start = 5e-4;
  const std::vector<double> gravity = {0, 0, -9.81};
  const double before = static_cast<double>(peak_memory_bytes());
  Stopwatch factor(Clock::process_cpu);
  system.predict(weights, 0, gravity);
  tell("factor_s", factor.seconds());
  tell("factor_MB", 1e-6 * (static_cast<double>(peak_memory_bytes()) - before));

  std::vector<int> touched;
  for (std::size_t i = 0; i < body.mesh().nodes.size(); ++i)
    if (body.mesh().nodes[i].z() == 0)
      for (int k = 0; k < 3; ++k) touched.push_back(3 * static_cast<int>(i) + k);
  tell("contacts", static_cast<double>(touched.size()) / 3);
  Eigen::MatrixXd inverse;
  const double held = static_cast<double>(peak_memory_bytes());
  Stopwatch first(Clock::process_cpu);
  system.fill_inverse(touched, inverse);
  tell("first_touches_s", first.seconds());
  tell("columns_MB", 1e-6 * (static_cast<double>(peak_memory_bytes()) - held));
  Stopwatch again(Clock::process_cpu);
  system.fill_inverse(touched, inverse);
  tell("later_touches_s", again.seconds());
  constexpr int kTimes = 3;
  const Eigen::VectorXd impulse = Eigen::VectorXd::Ones(system.degrees_of_freedom());
  double predicting = 0, correcting = 0;
  for (int i = 0; i < kTimes; ++i) {
    Stopwatch predict(Clock::process_cpu);
    system.predict(weights, 0, gravity);
    predicting += predict.seconds();
    Stopwatch correct(Clock::process_cpu);
    system.correct(impulse);
    correcting += correct.seconds();
  }
  tell("predict_s", predicting / kTimes);
  tell("correct_s", correcting / kTimes);
  tell("peak_MB", 1e-6 * static_cast<double>(peak_memory_bytes()));
}

}  // namespace
}  // namespace saltus

int main(int count, char** arguments) {
  const std::string what = count > 2 ? arguments[1] : "";
  const int cells = count > 2 ? std::atoi(arguments[2]) : 0;
  if (cells < 1 || (what != "assembly" && what != "body")) {
    fmt::print(stderr, "solids assembly CELLS, or solids body CELLS [LAYERS]\n");
    return 2;
  }
  if (what == "assembly")
    saltus::measure_assembly(cells);
  else
    saltus::measure_body(cells, count > 3 ? std::atoi(arguments[3]) : cells);
  return 0;
}
