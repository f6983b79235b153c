# Installs the build into an empty prefix, then builds and runs the examples against it
# with nothing but find_package(saltus); docs/api.md shows the very same program.
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${directory} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(directory ${build})
file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${example} -B ${work}/build -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/use_library)
message("${output}")
if(NOT output MATCHES "converged: impulse")
  message(FATAL_ERROR "the example did not report a solution")
endif()

set(directory ${work})
run(${work}/build/run_scene)
message("${output}")
# Three balls of 2500 kg/m3 and 0.1 m at rest: 308.19 N, to the tolerance 1e-3 g h of the residual.
if(NOT output MATCHES "ground carries 308\\.[12]" OR NOT output MATCHES "finished: 501 frames")
  message(FATAL_ERROR "the scenes did not end as they should")
endif()
run(${work}/prefix/bin/saltus info ${work}/stack.h5)

file(READ ${example}/run_scene.cpp program)
file(READ ${example}/../../docs/api.md page)
string(FIND "${page}" "${program}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "docs/api.md does not show examples/use_library/run_scene.cpp as it is")
endif()
