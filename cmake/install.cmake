# `cmake --install build/release --prefix DIR` gives the program, the library, its headers
# and what find_package(saltus) needs. Users link saltus::saltus.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/saltus)
install(TARGETS saltus_lib EXPORT saltus_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT saltus_targets NAMESPACE saltus:: DESTINATION ${package_dir})
install(DIRECTORY src/saltus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inc" PATTERN "apps" EXCLUDE)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/saltus)
install(FILES docs/scene.md docs/measures.md DESTINATION ${CMAKE_INSTALL_DATADIR}/saltus/scenes/schema)  # words of `saltus schema`
if(TARGET saltus_app)
  install(TARGETS saltus_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The program itself writes its completion and manual.
  function(saltus_install_text what folder name)
    install(CODE "file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}\")
execute_process(COMMAND \"$<TARGET_FILE:saltus_app>\" completion ${what}
                OUTPUT_FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/${name}\" COMMAND_ERROR_IS_FATAL ANY)
message(STATUS \"Installing: \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/${name}\")")
  endfunction()
  saltus_install_text(man ${CMAKE_INSTALL_MANDIR}/man1 saltus.1)
  saltus_install_text(bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions saltus)
  saltus_install_text(zsh ${CMAKE_INSTALL_DATADIR}/zsh/site-functions _saltus)
endif()

configure_package_config_file(cmake/saltus_config.cmake.in ${PROJECT_BINARY_DIR}/saltusConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/saltusConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/saltusConfig.cmake ${PROJECT_BINARY_DIR}/saltusConfigVersion.cmake
              cmake/saltus_dependencies.cmake
        DESTINATION ${package_dir})
