// The mesh of a deformable body: `mesh = { ... }`, by rule or from a file.
#pragma once

#include <string>

#include "saltus/fem/solid_mesh.hpp"
#include "saltus/scenes/scene_context.hpp"

namespace saltus {

// In its own frame. Throws InputError.
template <int Dim>
SolidMesh<Dim> read_solid_mesh(TableReader& table, SceneContext& context);

// The table as inline TOML, with the path of a file as it can be found from anywhere.
std::string format_mesh_table(TableReader& table, const SceneContext& context);

}  // namespace saltus
