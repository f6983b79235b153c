#include "saltus/base/library_threads.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <utility>

namespace saltus {
namespace {

using GetThreads = int (*)();
using SetThreads = void (*)(int);

TEST(LibraryThreads, openblas_and_openmp_have_one_thread_after_the_call) {
  // This program uses no factorisation itself: load one, with the libraries below it.
  ASSERT_TRUE(dlopen("libcholmod.so.3", RTLD_NOW | RTLD_GLOBAL)) << dlerror();
  const std::pair<const char*, const char*> libraries[] = {
      {"openblas_get_num_threads", "openblas_set_num_threads"},
      {"omp_get_max_threads", "omp_set_num_threads"}};
  int found = 0;
  for (const auto& [getter, setter] : libraries) {
    const auto get = reinterpret_cast<GetThreads>(dlsym(RTLD_DEFAULT, getter));
    const auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, setter));
    if (!get || !set) continue;
    ++found;
    set(2);
    use_one_library_thread();
    EXPECT_EQ(get(), 1) << getter;
  }
  if (!found) GTEST_SKIP() << "neither OpenBLAS nor OpenMP is loaded";
}

}  // namespace
}  // namespace saltus
