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

saltus_batch(generate saltus_lib "generate/.*")
saltus_batch(measure saltus_lib "measure/.*")
saltus_batch(problem_files saltus_lib "(fclib/.*|files/hdf5_.*)")
saltus_batch(drawing saltus_lib "drawing/render_.*")
saltus_batch(trajectories saltus_lib "trajectories/.*")
saltus_batch(scenes_read saltus_lib "scenes/scene_(.*_reader|context|csv|function|law|names|overrides|reader|shape|table|text)")
saltus_batch(scenes_write saltus_lib "(scenes/scene_(.*_writer|difference|writer)|running/(scene_report|study|summary|measure_table)|drawing/plot)")
saltus_batch(apps_problems saltus_app "apps/fc_.*")
saltus_batch(apps_scenes saltus_app "apps/[^f].*")
