// Replaces the allocator of a test program by one that counts, malloc (which Eigen calls) included where glibc allows it and
// no sanitizer has replaced it. Include in one file of a program.
// All forms that the library calls are replaced, or a sanitizer would see memory of one
// allocator returned to another.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace saltus::testing {

inline std::atomic<long> allocations{0};

inline void* counted(std::size_t size, std::size_t alignment) noexcept {
  ++allocations;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, whole > 0 ? whole : alignment);
}

inline void* counted_or_throw(std::size_t size, std::size_t alignment) {
  if (void* memory = counted(size, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace saltus::testing

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SALTUS_KEEP_MALLOC
#endif
#endif
#ifndef SALTUS_KEEP_MALLOC
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  ++saltus::testing::allocations;
  return __libc_malloc(size);
}
#endif
#endif

// Not inlined: the compiler would see aligned_alloc meet delete and warn.
#define SALTUS_NOINLINE __attribute__((noinline))
SALTUS_NOINLINE void* operator new(std::size_t size) {
  return saltus::testing::counted_or_throw(size, alignof(std::max_align_t));
}
SALTUS_NOINLINE void* operator new(std::size_t size, std::align_val_t alignment) {
  return saltus::testing::counted_or_throw(size, static_cast<std::size_t>(alignment));
}
SALTUS_NOINLINE void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return saltus::testing::counted(size, alignof(std::max_align_t));
}
SALTUS_NOINLINE void* operator new(std::size_t size, std::align_val_t alignment,
                                   const std::nothrow_t&) noexcept {
  return saltus::testing::counted(size, static_cast<std::size_t>(alignment));
}
SALTUS_NOINLINE void operator delete(void* memory) noexcept { std::free(memory); }
SALTUS_NOINLINE void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
SALTUS_NOINLINE void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
SALTUS_NOINLINE void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
SALTUS_NOINLINE void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
SALTUS_NOINLINE void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
