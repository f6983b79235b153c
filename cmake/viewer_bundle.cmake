# The page of the viewer (viewer/bundle/viewer.html, made by `make viewer` and kept in the repo) as a source of the library: no
# Node is needed to build the program.
set(bundle ${PROJECT_SOURCE_DIR}/viewer/bundle/viewer.html)
set(bundle_source ${PROJECT_BINARY_DIR}/viewer_bundle.cpp)
add_custom_command(OUTPUT ${bundle_source} DEPENDS ${bundle} ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake
  COMMAND ${CMAKE_COMMAND} -D in=${bundle} -D out=${bundle_source} -D function=viewer_bundle
          -D header=saltus/viewing/viewer_bundle.hpp -P ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake)
target_sources(saltus_lib PRIVATE ${bundle_source})
set_source_files_properties(${bundle_source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
