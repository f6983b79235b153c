// Trajectories and checkpoints, damaged in their bytes and in their structure. The first byte says how: bytes
// of the file changed or cut off, datasets dropped, resized, given other numbers, types or extents, or bytes
// of a checkpoint changed under a checksum that is right. What is read must be read or refused by InputError.
#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "files/hdf5_edit.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/running/measure_table.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/trajectories/checkpoint_file.hpp"
#include "saltus/trajectories/trajectory_reader.hpp"

namespace {

using namespace saltus;

const char* const kScene = R"(dimension = 2
gravity = [0, -10]
[scheme]
h = 1e-2
[run]
steps = 4
[law]
friction = 0.3
[[bodies]]
shape = { kind = "half-plane" }
fixed = true
[[bodies]]
shape = { kind = "disk", radius = 0.1 }
position = [0, 0.1]
[[bodies]]
shape = { kind = "polygon", points = [[-0.1, -0.1], [0.1, -0.1], [0, 0.1]] }
name = "arm"
position = [0.05, 0.3]
[[joints]]
name = "hinge"
kind = "revolute"
bodies = ["arm"]
point = [0.05, 0.5]
[[elastic]]
name = "block"
centre = [1, 0.1]
size = [0.2, 0.2]
divisions = [1, 1]
young = 1e5
[[system]]
name = "mass"
mass = [[1]]
q = [1]
[[measures]]
kind = "motion"
[[measures]]
kind = "joint"
joint = "hinge"
[[measures]]
kind = "system"
system = "block"
)";

class ByteSource {
 public:
  ByteSource(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool at_end() const { return at_ >= size_; }
  std::uint8_t next() { return at_ < size_ ? data_[at_++] : 0; }
  std::size_t place() { return std::size_t{next()} << 16 | std::size_t{next()} << 8 | next(); }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

// A whole trajectory, made once.
struct Whole {
  Whole() {
    set_log_level(LogLevel::error);
    std::string pattern = (std::filesystem::temp_directory_path() / "saltus-fuzz-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) std::abort();
    folder = pattern;
    const SceneFile file = parse_scene(kScene, "scene.toml");
    RunOptions options;
    options.output = folder + "/whole.h5", options.scene_text = file.text, options.show_progress = false;
    scene = std::get<Scene<2>>(file.scene);
    run_to_file(scene, options);
    std::ifstream stream(options.output, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
    Simulation<2> simulation(scene);
    simulation.step();
    state = simulation.save();
  }
  ~Whole() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::string folder, bytes;
  Scene<2> scene;
  std::vector<std::byte> state;
};

const Whole& whole() {
  static const Whole made;
  return made;
}

void change(ByteSource& source, char* bytes, std::size_t size) {
  while (!source.at_end() && size > 0) {
    const std::size_t at = source.place() % size;
    bytes[at] = static_cast<char>(source.next());
  }
}

void edit_structure(ByteSource& source, const std::string& path) {
  const std::vector<TrajectoryColumn>& all = trajectory_columns();
  Hdf5Edit edit(path);
  while (!source.at_end()) {
    const std::string column = all[source.next() % all.size()].path;
    switch (source.next() % 8) {
      case 0: edit.remove(column); break;
      case 1: edit.reals(column, std::vector<double>(source.next() % 32, source.next() / 8.0 - 4)); break;
      case 2:
        edit.integers(column, std::vector<int>(source.next() % 32, static_cast<std::int8_t>(source.next())));
        break;
      case 3: edit.table(column, source.next() % 32, 1 + source.next() % 9); break;
      case 4: edit.text(column, "text"); break;
      case 5: edit.compound(column); break;
      case 6: edit.announced(column, hsize_t(1) << source.next() % 62); break;
      default: edit.group(column);
    }
  }
}

void read_all_of(const std::string& path) {
  const TrajectoryReader<2> reader(path);
  for (std::int64_t i = 0; i < reader.frames(); ++i) reader.frame(i);
  read_tables(path);
  compute_measures(path, {"stress", "motion", "slip", "energy"}, -1e9, 1e9);
  const std::vector<std::byte> state = reader.file().read_state();
  if (!state.empty()) decode_checkpoint(state, path);
}

void read_trajectory(ByteSource& source, int how) {
  const std::string path = whole().folder + "/damaged.h5";
  std::string bytes = whole().bytes;
  if (how == 1) bytes.resize(source.place() % (bytes.size() + 1));
  if (how <= 1) change(source, bytes.data(), bytes.size());
  std::ofstream(path, std::ios::binary) << bytes;
  if (how == 2) edit_structure(source, path);
  read_all_of(path);
}

void read_checkpoint_bytes(ByteSource& source) {
  std::vector<std::byte> state = whole().state;
  change(source, reinterpret_cast<char*>(state.data()), state.size());
  std::vector<std::byte> encoded;
  encode_checkpoint(
      {1, 0, {}, "dimension = 2\n", {}}, [&](const ByteSink& sink) { sink(state); },
      [&](std::span<const std::byte> part) { encoded.insert(encoded.end(), part.begin(), part.end()); });
  Simulation<2> simulation(whole().scene);
  simulation.restore(decode_checkpoint(encoded, "fuzzed").state);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  ByteSource source(data, size);
  const int how = source.next() % 4;
  try {
    if (how == 3)
      read_checkpoint_bytes(source);
    else
      read_trajectory(source, how);
  } catch (const InputError&) {
  }
  if (H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) != 0) __builtin_trap();  // a handle was left open
  return 0;
}
