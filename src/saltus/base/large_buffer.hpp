// Buffers that only one phase of a step needs. Small ones keep their memory from step to step; large ones
// give it back, so that the phases of a step with millions of contacts do not add up: its pages come back for
// about 0.2 s per GiB, less than a hundredth of what such a step takes.
#pragma once

#include <cstddef>
#include <vector>

namespace saltus {

inline constexpr std::size_t kLargeBuffer = std::size_t{32}
                                            << 20;  // bytes; beyond what malloc keeps for itself

// Empties the buffer.
template <class T>
void release_if_large(std::vector<T>& buffer) {
  if (buffer.capacity() * sizeof(T) >= kLargeBuffer)
    std::vector<T>().swap(buffer);
  else
    buffer.clear();
}

// Room for `count` elements and an eighth more. What is there is lost when the buffer must grow: old and new
// memory are never held together.
template <class T>
void make_room(std::size_t count, std::vector<T>& buffer) {
  if (buffer.capacity() >= count) return;
  std::vector<T>().swap(buffer);
  buffer.reserve(count + count / 8);
}

}  // namespace saltus
