// A scene that was read and can be run.
#pragma once

#include <memory>

#include "bindings.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "zeroed.hpp"

namespace saltus::bindings {

struct SceneData : ZeroedMemory {
  explicit SceneData(SceneFile read) : file(std::make_shared<const SceneFile>(std::move(read))) {}
  const SceneFile& get() const { return checked(file); }

  std::shared_ptr<const SceneFile> file;
};

}  // namespace saltus::bindings
