#include "saltus/sim/system_mesh.hpp"

#include "saltus/sim/deformable_parts.hpp"
#include "saltus/sim/simulation_engine.hpp"

namespace saltus {

namespace {

template <int Dim>
typename SystemMesh<Dim>::Surface list_sides(const SolidMesh<Dim>& mesh,
                                             const typename SolidMesh<Dim>::SideGroup& group) {
  typename SystemMesh<Dim>::Surface surface;
  surface.name = group.name;
  for (const MeshSide& side : group.sides) {
    const auto& element = mesh.elements[side.element];
    const std::span<const int> own = mesh.nodes_of(element);
    auto& nodes = surface.sides.emplace_back();
    nodes.fill(-1);
    const std::span<const int> face = face_nodes(element.kind, side.face);
    for (std::size_t k = 0; k < face.size(); ++k) nodes[k] = own[face[k]];
  }
  return surface;
}

template <int Dim>
void put_fields(const PointFields& f, std::vector<double>& stress, std::vector<double>& strain,
                std::vector<double>& plastic) {
  for (int i = 0; i < tensor_width(Dim); ++i) {
    stress.push_back(f.stress[i]);
    strain.push_back(i < 3 ? f.strain[i] : 0.5 * f.strain[i]);
  }
  plastic.push_back(f.plastic_strain);
}

}  // namespace

template <int Dim>
SystemMesh<Dim> Simulation<Dim>::system_mesh(int system) const {
  const int solid = system - static_cast<int>(scene().systems.size());
  const auto& solids = engine_->state.parts.solids;
  if (solid < 0 || solid >= static_cast<int>(solids.size())) return {};
  const SolidMesh<Dim>& mesh = solids[solid]->mesh();
  SystemMesh<Dim> result;
  result.nodes = mesh.nodes;
  result.elements = cut_into_simplices(mesh, result.element_cell);
  for (const auto& element : mesh.elements) {
    result.cells.push_back(element.kind);
    const std::span<const int> own = mesh.nodes_of(element);
    result.connectivity.insert(result.connectivity.end(), own.begin(), own.end());
  }
  result.kinematics = solids[solid]->options().kinematics;
  result.plane = solids[solid]->options().plane;
  for (const PointFields& mean : solids[solid]->element_means()) result.cell_volume.push_back(mean.volume);
  for (const auto& group : mesh.side_groups) result.surfaces.push_back(list_sides<Dim>(mesh, group));
  return result;
}

template <int Dim>
SystemFields Simulation<Dim>::system_fields(int system) const {
  const int index = system - static_cast<int>(scene().systems.size());
  const auto& solids = engine_->state.parts.solids;
  SystemFields fields;
  if (index < 0 || index >= static_cast<int>(solids.size())) return fields;
  Continuum<Dim>& solid = *solids[index];
  const System& own = *engine_->state.parts.systems[system];
  // Elements of a linear body are not asked in its steps. Others are, and remember: nothing of a run may depend on who looks.
  if (own.is_linear() && solid.is_linear() && solid.evaluate(own.coordinates(), 0, {})) solid.accept();
  for (const PointFields& f : solid.node_fields())
    put_fields<Dim>(f, fields.node_stress, fields.node_strain, fields.node_plastic_strain);
  for (const PointFields& f : solid.element_means())
    put_fields<Dim>(f, fields.cell_stress, fields.cell_strain, fields.cell_plastic_strain);
  const Eigen::VectorXd held = own.support_force();
  fields.node_reaction.assign(held.data(), held.data() + held.size());
  fields.node_reaction.resize(Dim * solid.mesh().nodes.size(), 0.0);
  return fields;
}

template <int Dim>
std::shared_ptr<const Beams<Dim>> Simulation<Dim>::system_beams(int system) const {
  const CoupledState<Dim>& parts = engine_->state.parts;
  const int beam = system - static_cast<int>(parts.systems.size() - parts.beams.size());
  return beam < 0 ? nullptr : parts.beams[static_cast<std::size_t>(beam)];
}

template <int Dim>
Eigen::VectorXd Simulation<Dim>::support_force(int system) const {
  return engine_->state.parts.systems[static_cast<std::size_t>(system)]->support_force();
}

template Eigen::VectorXd Simulation<2>::support_force(int) const;
template Eigen::VectorXd Simulation<3>::support_force(int) const;
template std::shared_ptr<const Beams<2>> Simulation<2>::system_beams(int) const;
template std::shared_ptr<const Beams<3>> Simulation<3>::system_beams(int) const;
template SystemMesh<2> Simulation<2>::system_mesh(int) const;
template SystemMesh<3> Simulation<3>::system_mesh(int) const;
template SystemFields Simulation<2>::system_fields(int) const;
template SystemFields Simulation<3>::system_fields(int) const;

}  // namespace saltus
