# Files that are not hot are compiled in batches, each as if it were one file (CMake's unity builds): a build from nothing
# spends most of its time on the same headers and templates over and over. What a step runs stays by itself, so that
# its code does not depend on its neighbours. Two files of one batch may not use one name in anonymous namespaces.
# -DSALTUS_BATCHES=OFF: every file by itself, which is quicker when one of them is being worked on.
#   saltus_batch(NAME TARGET REGEX): the files of src/saltus whose path matches.
function(saltus_batch name target regex)
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "/src/saltus/${regex}\\.cpp$")
  set_source_files_properties(${files} PROPERTIES UNITY_GROUP ${name})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SALTUS_BATCHES} UNITY_BUILD_MODE GROUP)
endfunction()

saltus_batch(sim_generate saltus_lib "sim/generate_.*")
saltus_batch(sim_measure saltus_lib "sim/measure(_.*)?")
saltus_batch(io_problems saltus_lib "io/(fc|hdf5)_.*")
saltus_batch(io_render saltus_lib "io/render_.*")
saltus_batch(io_trajectory saltus_lib "io/(trajectory|checkpoint)_.*")
saltus_batch(io_scene_read saltus_lib "io/scene_(.*_reader|context|csv|function|law|names|overrides|reader|shape|table|text)")
saltus_batch(io_scene_write saltus_lib "io/(scene_(.*_writer|difference|report|writer)|study|summary|plot|measure_table)")
saltus_batch(apps_problems saltus_app "apps/fc_.*")
saltus_batch(apps_scenes saltus_app "apps/[^f].*")
