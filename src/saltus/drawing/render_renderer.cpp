// What pictures of the plane and of space share: see render.hpp.
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/log.hpp"
#include "saltus/drawing/render.hpp"
#include "saltus/drawing/render_colours.hpp"
#include "saltus/drawing/render_labels.hpp"
#include "saltus/drawing/render_trails.hpp"
#include "saltus/drawing/render_units.hpp"
#include "saltus/trajectories/stored_fields.hpp"

namespace saltus {

template <int Dim>
Renderer<Dim>::Renderer(const TrajectoryReader<Dim>& reader, const RenderOptions& options,
                        const std::vector<std::int64_t>& shown)
    : reader_(reader), options_(options) {
  require_stored_fields();
  ViewChoice view;
  view.region = options.region, view.only = options.only, view.magnify = options.magnify;
  scale_ = compute_scale(reader, shown, view);
  if (options.full_force) scale_.strongest = *options.full_force;
  if (!options.colour.empty())
    colours_ = std::make_unique<FieldColours<Dim>>(reader, options.colour, options.range, shown,
                                                   options.region.empty() ? nullptr : &scale_.view);
  if (options.trails > 0) {
    trails_ = std::make_unique<Trails<Dim>>(reader, options.trails, options.trails_of);
    if (options.region.empty() && options.only.empty()) widen_view(shown);
  }
  find_outline(shown, view);
  for (std::size_t s = 0; s < reader.systems(); ++s) sides_.emplace_back(reader.mesh(s));
  if (options.stresses == StressMarks::none) return;
  const std::size_t stride = 1 + shown.size() / kScaleFrames;
  for (std::size_t i = 0; i < shown.size(); i += stride)
    full_stress_ = std::max(
        full_stress_, full_stress<Dim>(build_crosses(reader, reader.frame(shown[i]), options.stresses, 1)));
}

// Where bodies were is part of the picture, although they are not there any more.
template <int Dim>
void Renderer<Dim>::widen_view(const std::vector<std::int64_t>& shown) {
  Bounds<Dim> ways;
  const std::size_t stride = 1 + shown.size() / kScaleFrames;
  for (std::size_t i = 0; i < shown.size(); i += stride)
    for (const auto& path : trails_->paths(shown[i]))
      for (const auto& point : path) ways.add(point.place), scale_.held.push_back(point.place);
  if (!(ways.low.array() <= ways.high.array()).all()) return;
  ways.inflate(0.02 * (ways.high - ways.low).maxCoeff());
  scale_.view.add(ways);
}

// What was not stored reads as zero, which is not to be drawn. Chains that nobody asked for are left out.
template <int Dim>
void Renderer<Dim>::require_stored_fields() {
  const TrajectoryFile& file = reader_.file();
  const std::vector<std::string> chains = {"contacts", "points", "frames", "impulses"};
  if (options_.velocities) require_fields(file, {"velocities"}, "--velocities");
  if (options_.contacts) require_fields(file, {"contacts", "points"}, "--contacts");
  if (options_.chains.value_or(false)) require_fields(file, chains, "--chains");
  if (options_.chains || !shows_chains()) return;
  if (const std::string missing = describe_missing(file, chains); !missing.empty()) {
    options_.chains = false;
    log_info("{}: no force chains are drawn: they need {}", file.path(), missing);
  }
}

template <int Dim>
Renderer<Dim>::~Renderer() = default;

template <int Dim>
void Renderer<Dim>::draw(std::int64_t frame, const std::string& path) const {
  Canvas canvas(path, width(), height());
  paint(frame, canvas);
  canvas.finish();
}

template <int Dim>
void Renderer<Dim>::draw_crosses(const Canvas& canvas, const Frame<Dim>& frame, const ToPage& to_page) const {
  if (options_.stresses == StressMarks::none || !(full_stress_ > 0)) return;
  for (const StressCross<Dim>& cross : build_crosses(reader_, frame, options_.stresses, options_.magnify)) {
    if (!cross.place.allFinite() || !cross.stress.allFinite()) continue;
    for (int k = 0; k < Dim; ++k) {
      const double share = std::min(std::abs(cross.stress[k]) / full_stress_, 1.5);
      const Vec<Dim> half = 0.5 * cross.size * share * cross.axes.col(k);
      const Vec<2> from = to_page(Vec<Dim>(cross.place - half)), to = to_page(Vec<Dim>(cross.place + half));
      if (!from.allFinite() || !to.allFinite()) continue;
      canvas.set_colour(cross.stress[k] < 0 ? kCompression : kTension);
      cairo_set_line_width(canvas.context(), 1.5);
      canvas.line(from, to);
    }
  }
}

template <int Dim>
void Renderer<Dim>::draw_labels(const Canvas& canvas, double time, double chain_width,
                                double pixels_per_metre) const {
  // Bodies may be under the words.
  canvas.set_halo(Dim == 3 &&
                  (options_.eye || options_.target || options_.zoom > 1 || !options_.region.empty()));
  if (colours_) colours_->draw_bar(canvas);
  if (!options_.labels) return;
  const TrajectoryHeader& header = reader_.header();
  draw_title(canvas, header.title.empty() ? header.name : header.title, time);
  std::vector<LegendEntry> legend;
  if (shows_chains() || options_.contacts) legend = {{"stick", kStick}, {"slide", kSlide}};
  if (options_.contacts) legend.push_back({"open", kOpen});
  if (shows_chains() && scale_.strongest > 0)
    legend.push_back({format_force(scale_.strongest), kInk, chain_width});
  if (options_.velocities) legend.push_back({format_velocity_legend(scale_.fastest), kVelocity, 1.4});
  if (trails_) legend.push_back({trails_->legend(), kTrail, 1.4});
  if (full_stress_ > 0) {
    legend.push_back({"compression", kCompression});
    legend.push_back({fmt::format("tension, {} an element long", format_stress(full_stress_)), kTension});
    if (options_.stresses == StressMarks::bodies)
      legend.back().text = fmt::format("tension, {} a body high", format_stress(full_stress_));
  }
  if (options_.magnify != 1 && !reader_.header().system_names.empty())
    legend.push_back({fmt::format("displacements x {:g}", options_.magnify), kMuted, 0});
  draw_legend(canvas, legend, pixels_per_metre);
}

template class Renderer<2>;
template class Renderer<3>;

}  // namespace saltus
