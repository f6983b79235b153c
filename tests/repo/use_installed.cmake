# Installs the build into an empty prefix, then builds and runs the example against it
# with nothing but find_package(saltus).
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

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
