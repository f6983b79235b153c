# Everything saltus links to, found here and nowhere else: by our own build, and again by
# find_package(saltus) in a project that uses an installed saltus.
include(CMakeFindDependencyMacro)

macro(saltus_require)
  if(CMAKE_FIND_PACKAGE_NAME)
    find_dependency(${ARGV})
  else()
    find_package(${ARGV} REQUIRED)
  endif()
endmacro()

# Libraries that ship no CMake package of their own become saltus::NAME.
#   saltus_import(NAME HEADER file LIBRARIES library... [SUFFIXES include folder...] [ONE_OF])
# With ONE_OF the libraries are names of one and the same.
function(saltus_import name)
  cmake_parse_arguments(arg "ONE_OF" "HEADER" "LIBRARIES;SUFFIXES" ${ARGN})
  if(TARGET saltus::${name})
    return()
  endif()
  find_path(SALTUS_${name}_INCLUDE ${arg_HEADER} PATH_SUFFIXES ${arg_SUFFIXES} REQUIRED)
  set(found)
  if(arg_ONE_OF)
    find_library(SALTUS_${name}_LIBRARY NAMES ${arg_LIBRARIES} PATH_SUFFIXES ${arg_SUFFIXES} REQUIRED)
    set(found ${SALTUS_${name}_LIBRARY})
  else()
    foreach(library ${arg_LIBRARIES})
      find_library(SALTUS_${library}_LIBRARY ${library} REQUIRED)
      list(APPEND found ${SALTUS_${library}_LIBRARY})
    endforeach()
  endif()
  add_library(saltus::${name} INTERFACE IMPORTED GLOBAL)
  set_target_properties(saltus::${name} PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${SALTUS_${name}_INCLUDE}"
    INTERFACE_LINK_LIBRARIES "${found}")
endfunction()

saltus_require(Eigen3 3.4 NO_MODULE)
saltus_require(fmt)
saltus_require(TBB)
saltus_require(tomlplusplus)
saltus_import(hdf5 HEADER hdf5.h LIBRARIES hdf5_serial hdf5 SUFFIXES hdf5/serial ONE_OF)
saltus_import(httplib HEADER httplib.h LIBRARIES cpp-httplib)
saltus_import(suitesparse HEADER umfpack.h LIBRARIES cholmod umfpack SUFFIXES suitesparse)
saltus_import(zlib HEADER zlib.h LIBRARIES z)
saltus_import(cairo HEADER cairo.h LIBRARIES cairo SUFFIXES cairo)
