// Steps, and what a simulation tells of itself.
#include <fmt/format.h>

#include "driver_of.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/running/run_failure.hpp"
#include "saltus/running/summary.hpp"
#include "unlocked.hpp"

namespace saltus::bindings {

namespace {

constexpr double kSignalInterval = 0.05;  // s between looks for Ctrl-C

// Marks a simulation as in the middle of a step, and lets other threads of Python run.
class Stepping {
 public:
  explicit Stepping(bool& busy) : busy_(busy) { busy_ = true; }
  ~Stepping() { busy_ = false; }
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;

 private:
  bool& busy_;
};

void look_for_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

template <int Dim>
std::vector<std::string> own_names(const Scene<Dim>& scene) {
  std::vector<std::string> names;
  for (const SceneBody<Dim>& body : scene.bodies)
    if (body.follows < 0) names.push_back(body.name);
  return names;
}

}  // namespace

template <int Dim>
DriverOf<Dim>::DriverOf(Scene<Dim> scene, std::string scene_text)
    : simulation_(std::move(scene)),
      scene_text_(std::move(scene_text)),
      names_(own_names(simulation_.scene())),
      measured_(simulation_) {}

template <int Dim>
DriverOf<Dim>::DriverOf(Simulation<Dim> simulation, const DriverOf& other)
    : simulation_(std::move(simulation)),
      scene_text_(other.scene_text_),
      names_(other.names_),
      measured_(simulation_.scene().measures.empty() ? Measured<Dim>(simulation_)
                                                     : Measured<Dim>(Simulation<Dim>(simulation_.scene()))),
      report_(other.report_),
      failure_(other.failure_) {
  measured_.restore(other.measured_.save(), simulation_);
}

template <int Dim>
DriverOf<Dim>::~DriverOf() {
  if (!recording_) return;
  try {
    recording_->finish(simulation_, measured_, failure_);
  } catch (const std::exception&) {  // nobody is left to tell; what was flushed is on disk
  }
}

template <int Dim>
const Simulation<Dim>& DriverOf<Dim>::use() const {
  if (busy_)
    throw std::runtime_error(
        "this simulation is in the middle of a step on another thread: wait for it, or copy() it before");
  return simulation_;
}

template <int Dim>
Simulation<Dim>& DriverOf<Dim>::use() {
  return const_cast<Simulation<Dim>&>(std::as_const(*this).use());
}

template <int Dim>
void DriverOf<Dim>::take_steps(std::int64_t count, bool until_stopped, bool strict) {
  const Unlocked others;
  double looked = seconds(Clock::wall);
  for (std::int64_t i = 0; i < count && failure_.empty() && !is_closing(); ++i) {
    report_ = simulation_.step();
    if (report_.status == StepStatus::not_finite) failure_ = explain_failure(simulation_, report_);
    measured_.after_step(simulation_);
    const bool writes = recording_ && recording_->after_step(simulation_, report_, measured_);
    if (const double now = seconds(Clock::wall); writes || now - looked > kSignalInterval) {
      const py::gil_scoped_acquire python;
      if (writes) recording_->write(simulation_, measured_);
      look_for_signals();
      looked = now;
    }
    if (until_stopped && !measured_.stopped().empty()) return;
    if (strict && report_.status != StepStatus::converged) return;
  }
}

template <int Dim>
void DriverOf<Dim>::advance(std::int64_t count, bool until_stopped, bool strict) {
  use();
  if (count < 0) throw InputError("", "number of steps", fmt::format("{}", count), "0 or more");
  if (failure_.empty()) {
    const Stepping stepping(busy_);
    try {
      take_steps(count, until_stopped, strict);
    } catch (...) {
      arrays_.refresh(simulation_);
      throw;
    }
    arrays_.refresh(simulation_);
  }
  if (!failure_.empty()) throw RunFailed(failure_);
}

template <int Dim>
py::object DriverOf<Dim>::gravity() const {
  const Vec<Dim> g = use().gravity();
  return to_vector(g.data(), Dim);
}

template <int Dim>
EnergyBalance DriverOf<Dim>::energy() const {
  return use().steps() > 0 ? simulation_.summary().energy : simulation_.energy_at_start();
}

template <int Dim>
std::string DriverOf<Dim>::summary() const {
  SummaryContext context;
  context.program = "saltus " SALTUS_VERSION " (Python)";
  context.outcome = !failure_.empty() ? "not_finite" : use().finished() ? "finished" : "interrupted";
  context.stopped = measured_.stopped();
  context.failure = failure_;
  context.rested = measured_.rested();
  return format_summary(use(), context);
}

template <int Dim>
std::int64_t DriverOf<Dim>::checked_body(std::int64_t body) const {
  if (body < 0 || body >= body_count())
    throw py::index_error(
        fmt::format("body {}: there are {} (0 to {})", body, body_count(), body_count() - 1));
  return body;
}

template <int Dim>
py::object DriverOf<Dim>::body_model(std::int64_t body) const {
  const int slot = use().bodies().find(checked_body(body));
  const SceneBody<Dim>& scene = simulation_.scene().bodies[static_cast<std::size_t>(body)];
  if (slot < 0) return py::none();
  const BodyModel<Dim>& model = simulation_.bodies().model[slot];
  py::dict result;
  result["mass"] = model.mass;
  if constexpr (Dim == 2)
    result["inertia"] = model.inertia(0, 0);
  else
    result["inertia"] = Reals({3, 3}, Mat<3>(model.inertia.transpose()).data());
  result["fixed"] = scene.fixed;
  result["moves"] = !model.all_prescribed;
  result["material"] = scene.material.str();
  return result;
}

template <int Dim>
py::tuple DriverOf<Dim>::measures() const {
  use();
  const MeasuredState& rows = measured_.rows();
  const auto count = static_cast<py::ssize_t>(rows.steps.size());
  const auto width = static_cast<py::ssize_t>(measured_.columns().size());
  return py::make_tuple(to_array(rows.steps), to_array(rows.times), to_array(rows.values, {count, width}));
}

std::unique_ptr<Driver> make_driver(const SceneData& scene) {
  return std::visit(
      [&]<int Dim>(const Scene<Dim>& of) -> std::unique_ptr<Driver> {
        return std::make_unique<DriverOf<Dim>>(of, scene.get().text);
      },
      scene.get().scene);
}

// What the other files of the class call; the virtual ones come with make_driver.
template DriverOf<2>::DriverOf(Simulation<2>, const DriverOf&);
template DriverOf<3>::DriverOf(Simulation<3>, const DriverOf&);
template const Simulation<2>& DriverOf<2>::use() const;
template const Simulation<3>& DriverOf<3>::use() const;
template Simulation<2>& DriverOf<2>::use();
template Simulation<3>& DriverOf<3>::use();
template std::int64_t DriverOf<2>::checked_body(std::int64_t) const;
template std::int64_t DriverOf<3>::checked_body(std::int64_t) const;

}  // namespace saltus::bindings
