# Files that are not hot are compiled in batches, each as if it were one file (CMake's unity builds): a build from nothing
# spends most of its time on the same headers and templates over and over. What a step runs stays by itself, so that
# its code does not depend on its neighbours. Two files of one batch may not use one name in anonymous namespaces.
# -DSALTUS_BATCHES=OFF: every file by itself, which is quicker when one of them is being worked on.
# Parts of one class whose instantiation is explicit (template class) do not share a batch: clang refuses.
#   saltus_batch(NAME TARGET REGEX [OPTION...]): the files of src/saltus whose path matches, compiled with the options.
function(saltus_batch name target regex)
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "/src/saltus/${regex}\\.cpp$")
  set_source_files_properties(${files} PROPERTIES UNITY_GROUP ${name})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SALTUS_BATCHES} UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${PROJECT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${name}_cxx.cxx PROPERTIES
    COMPILE_OPTIONS "${ARGN}")
endfunction()

# Text and files need no vectors. (gcc takes a precompiled header of -O3 with -O1; products and sums are fused as in -O3, for
# the linker keeps one copy of an inline function, whoever compiled it.)
set(light "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-O1;-fexpensive-optimizations>")

saltus_batch(generate saltus_lib "generate/.*")
saltus_batch(measure saltus_lib "measure/.*")
saltus_batch(geometry saltus_lib
  "geometry/(convex_cell|convex_polyhedron|hull|line_span|mass_properties|matter|mesh_file|overlap|shapes|thickness|wall_face)")
saltus_batch(start saltus_lib
  "sim/(build_.*|buried|checkpoint|fingerprint|joint_loops|overlaps|parts_view|rough_membrane|scene_(measures|systems)|snapshot|system_check|warnings)")
saltus_batch(small saltus_lib
  "(base/(console|hash|input_error|log|progress|timer)|drawing/(performance_profile|plot_units)|dynamics/(accelerogram|drive)|fem/(assembly|contact_surface|elasticity|element_kind|mesh|mesh_.*|t3)|files/(output_.*|text_scanner|zlib_bytes)|laws/law_table|schemes/(options|step_report))")
saltus_batch(materials saltus_lib "fem/materials/.*")
saltus_batch(meshes saltus_lib "meshes/.*" "${light}")
saltus_batch(exchange saltus_lib "exchange/.*" "${light}")
saltus_batch(problem_files saltus_lib "(fclib/.*|files/hdf5_.*)")
saltus_batch(drawing saltus_lib "drawing/(render_.*|fields|mesh_skin|movie)" "${light}")
saltus_batch(trajectories saltus_lib "trajectories/.*" "${light}")
saltus_batch(scenes_read saltus_lib
  "scenes/scene_(.*_reader|context|csv|function|law|names|overrides|reader|shape|table|text)" "${light}")
saltus_batch(scenes_schema saltus_lib "scenes/schema_.*" "${light}")
saltus_batch(scenes_write saltus_lib
  "(scenes/scene_(.*_writer|difference|writer)|running/(scene_report|study|summary|measure_table|series)|drawing/plot)" "${light}")
saltus_batch(runs saltus_lib "running/(measure_fields|run_failure|run_store|study_check|trajectory_run)" "${light}")
saltus_batch(apps_problems saltus_app "apps/fc_.*")
saltus_batch(apps_scenes saltus_app "apps/[^f].*")
