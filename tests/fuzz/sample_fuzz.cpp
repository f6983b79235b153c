// Any bytes are read as a sample of particles, or refused with an InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "saltus/base/input_error.hpp"
#include "saltus/exchange/sample_scene.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  saltus::SampleOptions options;
  if (data[0] / 4 % 2 == 1) options.radius = 0.5;
  try {
    const auto parse = data[0] % 3 == 0   ? saltus::parse_particle_text
                       : data[0] % 3 == 1 ? saltus::parse_lammps_data
                                          : saltus::parse_lammps_dump;
    saltus::guess_sample_format(bytes);
    saltus::format_sample_scene(parse(bytes, "fuzzed", options),
                                {.name = "fuzzed", .source = "fuzzed", .walls = true});
  } catch (const saltus::InputError&) {
  }
  return 0;
}
