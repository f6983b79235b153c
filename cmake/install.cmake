# `cmake --install build/release --prefix DIR` gives the program, the library, its headers
# and what find_package(saltus) needs. Users link saltus::saltus.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/saltus)
install(TARGETS saltus_lib EXPORT saltus_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT saltus_targets NAMESPACE saltus:: DESTINATION ${package_dir})
install(DIRECTORY src/saltus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "apps" EXCLUDE)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/saltus)
if(TARGET saltus_app)
  install(TARGETS saltus_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/saltus_config.cmake.in ${PROJECT_BINARY_DIR}/saltusConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/saltusConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/saltusConfig.cmake ${PROJECT_BINARY_DIR}/saltusConfigVersion.cmake
              cmake/saltus_dependencies.cmake
        DESTINATION ${package_dir})
