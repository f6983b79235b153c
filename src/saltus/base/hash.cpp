#include "saltus/base/hash.hpp"

#include <fmt/format.h>

namespace saltus {

void StateHash::add(std::string_view text) {
  add(text.size());
  for (const char c : text) add(static_cast<unsigned char>(c));
}

std::string StateHash::hex() const { return fmt::format("{:016x}", state_); }

}  // namespace saltus
