// Where bytes go that are too many to hold at once: called with part after part, in their order.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace saltus {

using ByteSink = std::function<void(std::span<const std::byte>)>;

}  // namespace saltus
