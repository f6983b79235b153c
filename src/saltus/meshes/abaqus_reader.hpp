// Meshes in decks of Abaqus or CalculiX (.inp).
//
// Read: *NODE, *ELEMENT (types of meshes/cell_type.cpp), *NSET and *ELSET (GENERATE, names of other sets), *SURFACE
// TYPE=ELEMENT (S1 to S6) or TYPE=NODE, *SOLID SECTION. Materials are the ELSETs of sections; without any, those of *ELSET, then
// those of *ELEMENT. Other keywords are named in a note.
// Refused, as the mesh would not be the one meant: *INCLUDE, *SYSTEM, what generates or copies nodes and elements, a
// second *PART, an *INSTANCE that is moved.
#pragma once

#include <string>
#include <string_view>

#include "saltus/meshes/raw_mesh.hpp"

namespace saltus {

// Throws InputError at "where:line".
RawMesh parse_abaqus(std::string_view bytes, const std::string& where);

}  // namespace saltus
