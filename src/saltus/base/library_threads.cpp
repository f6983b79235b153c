#include "saltus/base/library_threads.hpp"

#include <dlfcn.h>

namespace saltus {

namespace {

using SetThreads = void (*)(int);

// By name: which BLAS is loaded is the system's choice, and the reference one has no threads to set.
SetThreads find_setter(const char* symbol) {
  return reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, symbol));
}

}  // namespace

void use_one_library_thread() {
  static const SetThreads set_blas = find_setter("openblas_set_num_threads");
  static const SetThreads set_openmp = find_setter("omp_set_num_threads");
  if (set_blas) set_blas(1);
  if (set_openmp) set_openmp(1);
}

}  // namespace saltus
