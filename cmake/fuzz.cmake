# One libFuzzer program per tests/fuzz/NAME_fuzz.cpp, run by ctest as fuzz.NAME for
# SALTUS_FUZZ_SECONDS. Seeds, if any, are the files of tests/fuzz/corpus/NAME.
# The flags that instrument the library come from the preset `asan`; the target `fuzzers` is all of them.
set(SALTUS_FUZZ_SECONDS 30 CACHE STRING "How long each fuzzer runs")
enable_testing()
add_custom_target(fuzzers)

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*_fuzz.cpp)
foreach(source ${fuzz_sources})
  get_filename_component(target ${source} NAME_WE)
  string(REGEX REPLACE "_fuzz$" "" name ${target})
  add_executable(${target} ${source})
  add_dependencies(fuzzers ${target})
  target_link_libraries(${target} PRIVATE saltus_lib saltus::hdf5)
  target_include_directories(${target} PRIVATE tests)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)

  set(found ${PROJECT_BINARY_DIR}/corpus/${name})
  set(crashes ${PROJECT_BINARY_DIR}/crashes)
  file(MAKE_DIRECTORY ${found} ${crashes})
  set(seeds ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
  if(NOT EXISTS ${seeds})
    set(seeds)
  endif()
  add_test(NAME fuzz.${name}
    COMMAND ${target} -max_total_time=${SALTUS_FUZZ_SECONDS} -timeout=10 -rss_limit_mb=2048
            -artifact_prefix=${crashes}/${name}- ${found} ${seeds})
  math(EXPR limit "${SALTUS_FUZZ_SECONDS} + 120")
  set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT ${limit} LABELS fuzz
    ENVIRONMENT "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/lsan_suppressions.txt:print_suppressions=0")
endforeach()
