#include "recording.hpp"

#include <cmath>
#include <filesystem>

#include "saltus/base/input_error.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/running/summary.hpp"

namespace saltus::bindings {

namespace {

std::string claim(const std::string& path, bool force) {
  const auto any = [](const std::string&) { return true; };
  std::error_code error;
  if (!force && std::filesystem::exists(path, error))
    throw InputError(path, "is there already: force=True overwrites it");
  return OutputClaims(true).claim("output", path, OutputKind::file, any);
}

constexpr const char* kProgram = "saltus " SALTUS_VERSION " (Python)";

}  // namespace

template <int Dim>
Recording<Dim>::Recording(const Simulation<Dim>& simulation, const std::string& scene_text,
                          const std::vector<std::string>& columns, const std::string& path, double every,
                          bool force)
    : path_(claim(path, force)), every_(every), lock_(path_), first_step_(simulation.steps()) {
  figures_.measures = [] { return std::vector<double>(); };
  StorePlan plan{path_, build_header(simulation, scene_text, kProgram), false, 0};
  plan.header.measures = columns;
  store_ = open_store(simulation, std::move(plan));
  store_->add_frame(simulation, {});
  store_->flush();
  last_frame_ = first_step_;
}

template <int Dim>
bool Recording<Dim>::after_step(const Simulation<Dim>& simulation, const StepReport& report,
                                const Measured<Dim>& measured) {
  figures_.since_frame.add(report);
  return simulation.finished() || measured.last_row(simulation.steps()) ||
         static_cast<double>(simulation.steps() - last_frame_) * simulation.scene().scheme.h >=
             every_ * (1 - 1e-6);
}

template <int Dim>
void Recording<Dim>::write(const Simulation<Dim>& simulation, const Measured<Dim>& measured) {
  const double h = simulation.scene().scheme.h;
  const std::int64_t step = simulation.steps();
  if (const std::vector<double>* row = measured.last_row(step); row && step != last_row_) {
    TrajectoryData data;
    data.measure_step = {step}, data.measure_time = {simulation.time()}, data.measure_values = *row;
    store_->add_measures(data);
    last_row_ = step;
  }
  // By the number of steps since the first frame, so that no error adds up.
  const auto count = [&](std::int64_t s) {
    return every_ > h ? std::floor((static_cast<double>(s - first_step_) + 1e-6) * h / every_)
                      : static_cast<double>(s - first_step_);
  };
  if (step == last_frame_ || (count(step) == count(last_frame_) && !simulation.finished())) return;
  store_->add_frame(simulation, figures_.since_frame);
  figures_.since_frame = {};
  last_frame_ = step;
  store_->keep_up(simulation, figures_, false);
}

template <int Dim>
std::int64_t Recording<Dim>::finish(const Simulation<Dim>& simulation, const Measured<Dim>& measured,
                                    const std::string& failure) {
  if (simulation.steps() != last_frame_) {
    store_->add_frame(simulation, figures_.since_frame);
    figures_.since_frame = {};
  }
  store_->flush();
  const SummaryContext context{kProgram,           path_,   failure.empty() ? "finished" : "not_finite",
                               store_->frames(),   0,       0,
                               measured.stopped(), failure, measured.rested()};
  store_->finish(simulation, figures_,
                 {failure.empty(), false, failure, format_summary(simulation, context)});
  return store_->frames();
}

template class Recording<2>;
template class Recording<3>;

}  // namespace saltus::bindings
