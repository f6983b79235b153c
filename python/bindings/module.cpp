#include "bindings.hpp"
#include "unlocked.hpp"

PYBIND11_MODULE(_saltus, module) {
  using namespace saltus::bindings;
  module.doc() = "The library behind saltus: use `import saltus`.";
  module.attr("version") = SALTUS_VERSION;
  bind_closing(module);
  bind_errors(module);
  bind_scenes(module);
  bind_reports(module);
  bind_simulation(module);
  bind_problems(module);
  bind_trajectories(module);
}
