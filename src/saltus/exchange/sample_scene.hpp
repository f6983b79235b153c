// Scenes of imported samples and assemblies: a text to be read and changed by hand, and tables of many balls beside it.
#pragma once

#include <string>
#include <vector>

#include "saltus/exchange/sample.hpp"
#include "saltus/exchange/stl_assembly.hpp"

namespace saltus {

struct SceneTextOptions {
  std::string name;                     // of the scene: tables are called NAME-MATERIAL.csv
  std::string source;                   // where it comes from, told in its first line
  double scale = 1;                     // m per unit of the sample
  double density = 2600;                // of balls that tell neither density nor mass
  bool walls = false;                   // floor and sides about the sample, where it is not periodic
  bool hulls = false;                   // parts that are not convex as their convex hulls
  std::vector<std::string> fixed = {};  // names of parts that do not move
};

struct SceneText {
  std::string toml;
  struct Table {
    std::string name, csv;
  };
  std::vector<Table> tables;  // files beside the scene
};

// Up to 100 balls are written one by one, more go to tables, one for each material.
SceneText format_sample_scene(const Sample& sample, const SceneTextOptions& options);

// Closed convex parts move; open ones are ground and stay. Throws InputError that names a closed part that is not convex,
// unless hulls are asked for or it is fixed, or a fixed name that there is none of.
SceneText format_assembly_scene(const std::vector<AssemblyPart>& parts, const SceneTextOptions& options);

}  // namespace saltus
