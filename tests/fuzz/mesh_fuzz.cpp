// Any bytes are read as a mesh, or refused with an InputError. The first character chooses format, dimension and options.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "saltus/base/input_error.hpp"
#include "saltus/meshes/mesh_reader.hpp"

namespace {

template <int Dim>
void read(std::string_view bytes, unsigned choice) {
  saltus::MeshReadOptions options;
  options.coincident = static_cast<saltus::CoincidentNodes>(choice / 8 % 3);
  options.allow_pinches = choice / 24 % 2 == 1;
  options.is_checked = choice / 48 % 2 == 0;
  saltus::parse_mesh<Dim>(bytes, static_cast<saltus::MeshFormat>(choice % 4), "fuzzed", options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  // 'a' + choice: seeds begin with a letter.
  const unsigned choice = static_cast<unsigned char>(data[0] - 'a');
  try {
    if (choice / 4 % 2 == 0)
      read<2>(bytes, choice);
    else
      read<3>(bytes, choice);
  } catch (const saltus::InputError&) {
  }
  return 0;
}
