#include "saltus/sim/beam_parts.hpp"

#include <fmt/format.h>

#include "saltus/base/input_error.hpp"
#include "saltus/fem/beams.hpp"
#include "saltus/sim/line_followers.hpp"
#include "saltus/systems/solid_system.hpp"

namespace saltus {

std::optional<std::string> needs_mass(const SchemeOptions& scheme) {
  switch (scheme.kind) {
    case SchemeKind::moreau_jean:
    case SchemeKind::quasi_static: return std::nullopt;
    case SchemeKind::moreau_jean_projected:
      if (scheme.projection.metric != ProjectionMetric::mass) return std::nullopt;
      return "corrects positions in the metric of M";
    default: return "solves with M alone";
  }
}

void refuse_massless(const SchemeOptions& scheme, const std::string& where) {
  if (const std::optional<std::string> reason = needs_mass(scheme))
    throw InputError(
        where,
        std::string("mass = \"redistributed\" leaves nodes without mass, under a scheme that ") + *reason,
        name(scheme.kind), "scheme.kind = \"moreau-jean\" with theta above 0, or a consistent mass");
}

namespace {

// M is lumped; what C does to the critical step is in its formula (systems/explicit_solid.hpp), here it is left out of it.
template <int Dim>
void make_explicit(const Beams<Dim>& beams, const SchemeOptions& scheme, LinearModel& linear) {
  if (scheme.kind == SchemeKind::dynamic_relaxation)
    throw InputError(linear.where, "bars, strings or beams under the scheme", name(scheme.kind),
                     "quasi-static, explicit or moreau-jean: fictitious masses are those of solid elements");
  linear.M = beams.mass(MassKind::lumped);
  const double critical = beams.critical_step(linear.q, 0.5 * scheme.h);
  if (scheme.h > critical)
    throw InputError(linear.where, "h above the critical step of an explicit scheme",
                     fmt::format("{:.6g} s", scheme.h),
                     fmt::format("{:.6g} s or less, or scheme.kind = \"moreau-jean\"", critical));
}

}  // namespace

template <int Dim>
void add_beam(const SceneBeam<Dim>& body, SimulationModel<Dim>& model, CoupledState<Dim>& state) {
  std::shared_ptr<Beams<Dim>> beams = build_beams(body);
  LinearModel linear = build_model(body, *beams);
  if (body.redistribute) refuse_massless(model.scene.scheme, body.where);
  const int system = static_cast<int>(state.systems.size());
  if (is_explicit(model.scene.scheme.kind)) make_explicit(*beams, model.scene.scheme, linear);
  if (beams->is_linear()) {
    state.systems.push_back(std::make_unique<LinearSystem>(std::move(linear)));
  } else {
    if (model.scene.scheme.kind != SchemeKind::moreau_jean &&
        model.scene.scheme.kind != SchemeKind::quasi_static &&
        model.scene.scheme.kind != SchemeKind::moreau_jean_projected)
      throw InputError(body.where, "bars, strings or beams with kinematics = \"large\" under the scheme",
                       name(model.scene.scheme.kind),
                       "moreau-jean, moreau-jean-projected or quasi-static; or small kinematics");
    SolidModel<Dim> names;
    names.name = body.name;
    names.where = body.where;
    names.newton = body.newton;
    state.systems.push_back(std::make_unique<SolidSystem<Dim>>(std::move(names), beams, std::move(linear)));
  }
  add_line<Dim>(body, state.systems.back()->coordinates(), system, model.scene, model.parts.followers,
                model.parts.neighbours);
  state.beams.push_back(std::move(beams));
}

template void add_beam<2>(const SceneBeam<2>&, SimulationModel<2>&, CoupledState<2>&);
template void add_beam<3>(const SceneBeam<3>&, SimulationModel<3>&, CoupledState<3>&);

}  // namespace saltus
