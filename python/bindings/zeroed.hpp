// Python can make an object and never initialise it (`__new__` alone, a constructor that raised). pybind11 then gives out raw
// memory: of classes with this base it is zero, so that pointers are null and texts, lists and vectors empty.
#pragma once

#include <cstdlib>
#include <new>
#include <utility>

#include "bindings.hpp"

namespace saltus::bindings {

struct ZeroedMemory {
  static void* operator new(std::size_t size) {
    if (void* memory = std::calloc(1, size)) return memory;
    throw std::bad_alloc();
  }
  static void* operator new(std::size_t, void* place) { return place; }
  static void operator delete(void* memory) { std::free(memory); }
};

// A class of the library with it.
template <class T>
struct Zeroed : T, ZeroedMemory {
  Zeroed(T value) : T(std::move(value)) {}  // NOLINT: stands for it
};

[[noreturn]] inline void refuse_uninitialised() {
  throw py::type_error("this object was not initialised: was __init__ called?");
}

template <class Pointer>
auto& checked(const Pointer& pointer) {
  if (!pointer) refuse_uninitialised();
  return *pointer;
}

}  // namespace saltus::bindings
