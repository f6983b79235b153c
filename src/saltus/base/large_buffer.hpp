// Buffers that only one phase of a step needs. Small ones keep their memory from step to step; large ones
// give it back, so that the phases of a step with many contacts do not add up: its pages come back for
// about 0.2 s per GiB, a few hundredths of what such a step takes.
#pragma once

#include <malloc.h>

#include <cstddef>
#include <vector>

namespace saltus {

inline constexpr std::size_t kLargeBuffer = std::size_t{8} << 20;  // bytes

// Lets what is large go back to the system as soon as it is freed: by itself malloc comes to keep blocks of
// up to 32 MiB. For programs, at their start; a library leaves its host's memory alone.
inline void return_large_buffers() {
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLargeBuffer));
  // To say one of the two stops malloc from choosing the other, and its first choice gives small blocks back
  // again and again.
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(2 * kLargeBuffer));
}

// Empties the buffer.
template <class T>
void release_if_large(std::vector<T>& buffer) {
  if (buffer.capacity() * sizeof(T) >= kLargeBuffer)
    std::vector<T>().swap(buffer);
  else
    buffer.clear();
}

// Room for `count` elements and a few more. What is there is lost when the buffer must grow: old and new
// memory are never held together.
template <class T>
void make_room(std::size_t count, std::vector<T>& buffer) {
  if (buffer.capacity() >= count) return;
  std::vector<T>().swap(buffer);
  buffer.reserve(count + count / 32);
}

}  // namespace saltus
