#include "saltus/solvers/block_set.hpp"

#include <fmt/format.h>

#include "saltus/base/input_error.hpp"

namespace saltus {

const char* name(SetKind kind) {
  switch (kind) {
    case SetKind::half_line: return "half line";
    case SetKind::space: return "whole space";
    case SetKind::ball: return "ball";
    case SetKind::coulomb: break;
  }
  return "Coulomb's cone";
}

namespace {

bool is_allowed(const BlockSet& set, ConeKind cone) {
  switch (set.kind) {
    case SetKind::half_line: return set.size == 1;
    case SetKind::coulomb: return set.size == block_size(cone) || set.size == space_dimension(cone);
    case SetKind::space:
    case SetKind::ball: break;
  }
  return set.size >= 1 && set.size <= block_size(cone);
}

std::string allowed_sizes(const BlockSet& set, ConeKind cone) {
  if (set.kind == SetKind::half_line) return "1";
  if (set.kind != SetKind::coulomb) return fmt::format("1 to {}", block_size(cone));
  return is_rolling(cone) ? fmt::format("{} or {}", space_dimension(cone), block_size(cone))
                          : fmt::format("{}", block_size(cone));
}

}  // namespace

void check_set(const BlockSet& set, ConeKind cone, int block) {
  const std::string where = fmt::format("block {} ({})", block, name(set.kind));
  if (!is_allowed(set, cone))
    throw InputError(where, "size", fmt::format("{}", set.size), allowed_sizes(set, cone));
  if (set.kind == SetKind::ball && !(set.radius >= 0))
    throw InputError(where, "radius", fmt::format("{}", set.radius), "0 or more");
}

}  // namespace saltus
