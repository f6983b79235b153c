// The scene library: NAME.toml files that work by name wherever a scene file does, and the studies that run
// them.
#pragma once

#include <string>
#include <vector>

namespace saltus {

// Path of a scene: `name` itself if it is a file, otherwise NAME.toml in the folders of the library, in
// order: the environment variable SALTUS_SCENES, folders that were added, the folder installed with the program, the source tree; in
// each also in its folder `experiments`. Studies are found too. Throws InputError with the nearest name.
std::string find_scene(const std::string& name);

// One more folder, looked at after SALTUS_SCENES and before the others: a program that brings scenes of its own.
void add_scene_folder(const std::string& folder);

struct LibraryScene {
  std::string name, title, path;
};
// Sorted by name; of two with one name, the first found.
std::vector<LibraryScene> list_scenes();   // without the studies
std::vector<LibraryScene> list_studies();  // `saltus study NAME`

// A file that scenes of the library name, like "couette-start.toml"; empty: none.
std::string find_library_file(const std::string& name);

// The folder `schema` of the library: scenes that between them say everything a scene can say (scenes/scene_schema.hpp).
// InputError where there is none.
std::string find_schema_folder();
// docs/NAME as the program finds it: installed in the folder `schema`, or in the source tree.
std::string find_schema_page(const std::string& name);

}  // namespace saltus
