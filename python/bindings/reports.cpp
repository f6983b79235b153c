// What a step and a run know about their own truth.
#include <fmt/format.h>

#include "bindings.hpp"
#include "saltus/schemes/step_report.hpp"
#include "zeroed.hpp"

namespace saltus::bindings {

void bind_reports(py::module_& module) {
  using Reported = Zeroed<StepReport>;
  py::class_<EnergyBalance>(module, "Energy", "Energies and works, J (docs/python.md).")
      .def_readonly("kinetic", &EnergyBalance::kinetic)
      .def_readonly("potential", &EnergyBalance::potential)
      .def_readonly("elastic_stored", &EnergyBalance::elastic_stored)
      .def_readonly("gravity", &EnergyBalance::gravity)
      .def_readonly("forces", &EnergyBalance::forces)
      .def_readonly("drives", &EnergyBalance::drives)
      .def_readonly("damping", &EnergyBalance::damping)
      .def_readonly("gyroscopic", &EnergyBalance::gyroscopic)
      .def_readonly("plastic", &EnergyBalance::plastic)
      .def_readonly("viscous", &EnergyBalance::viscous)
      .def_readonly("hardening_stored", &EnergyBalance::hardening_stored)
      .def_readonly("impact", &EnergyBalance::impact)
      .def_readonly("friction", &EnergyBalance::friction)
      .def_readonly("elastic", &EnergyBalance::elastic)
      .def_readonly("cohesion", &EnergyBalance::cohesion)
      .def_readonly("joints", &EnergyBalance::joints)
      .def_readonly("scheme", &EnergyBalance::scheme)
      .def_readonly("projection", &EnergyBalance::projection)
      .def_readonly("defect", &EnergyBalance::defect)
      .def_readonly("scale", &EnergyBalance::scale)
      .def_readonly("gain", &EnergyBalance::gain)
      .def_property_readonly("relative_defect", &EnergyBalance::relative_defect)
      .def("__repr__", [](const EnergyBalance& e) {
        return fmt::format("<saltus.Energy kinetic {:.6g} J, potential {:.6g} J, defect {:.1e}>", e.kinetic,
                           e.potential, e.relative_defect());
      });

  py::class_<Reported>(module, "Step", "The certificate of a step (docs/python.md).")
      .def_property_readonly("status", [](const Reported& r) { return name(r.status); })
      .def_property_readonly("converged", [](const Reported& r) { return r.status == StepStatus::converged; })
      .def_readonly("reason", &StepReport::reason)
      .def_readonly("step", &StepReport::step)
      .def_readonly("time", &StepReport::time)
      .def_readonly("bodies", &StepReport::bodies)
      .def_readonly("contacts", &StepReport::contacts)
      .def_readonly("active", &StepReport::active)
      .def_readonly("sweeps", &StepReport::iterations)
      .def_readonly("contact_updates", &StepReport::contact_updates)
      .def_readonly("tolerance", &StepReport::tolerance)
      .def_readonly("residual", &StepReport::residual_rms)
      .def_readonly("residual_max", &StepReport::residual_max)
      .def_readonly("residual_gh", &StepReport::residual_rms_gh)
      .def_readonly("momentum", &StepReport::momentum)
      .def_readonly("penetration", &StepReport::penetration)
      .def_readonly("penetration_solver", &StepReport::penetration_solver)
      .def_readonly("penetration_relative", &StepReport::penetration_relative)
      .def_readonly("halved", &StepReport::halved)
      .def_readonly("events", &StepReport::events)
      .def_readonly("bonds", &StepReport::bonds)
      .def_readonly("energy", &StepReport::energy)
      .def_property_readonly("solvers",
                             [](const Reported& r) {
                               std::vector<std::string> names;
                               for (const SolveStage& stage : r.stages) names.push_back(stage.solver);
                               return names;
                             })
      .def("__repr__", [](const Reported& r) {
        return fmt::format("<saltus.Step {} at t = {:.6g} s: {}, {} contacts, residual {:.1e} m/s>", r.step,
                           r.time, name(r.status), r.contacts, r.residual_rms);
      });
}

}  // namespace saltus::bindings
