// Any text is read, or refused with an InputError. The first character chooses the options.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "saltus/base/input_error.hpp"
#include "saltus/fclib/fc_problem_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto choose = [](int choice) { return choice == 0 ? std::optional<bool>() : choice == 1; };
  const saltus::FcReadOptions options{choose(data[0] % 3), choose(data[0] / 3 % 3)};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    saltus::read_siconos_text(text, data[0] & 64 ? "gfc3d.dat" : "p.dat", options);
  } catch (const saltus::InputError&) {
  }
  return 0;
}
