# Files that are not hot are compiled in batches, each as if it were one file (CMake's unity builds): a build from nothing
# spends most of its time on the same headers and templates over and over. What a step runs stays by itself, so that
# its code does not depend on its neighbours. Two files of one batch may not use one name in anonymous namespaces.
# -DSALTUS_BATCHES=OFF: every file by itself, which is quicker when one of them is being worked on.
# Parts of one class whose instantiation is explicit (template class) do not share a batch: clang refuses.
#   saltus_batch(NAME TARGET REGEX): the files of the target whose path below src/saltus matches.
function(saltus_batch name target regex)
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "/src/saltus/${regex}\\.cpp$")
  set_source_files_properties(${files} PROPERTIES UNITY_GROUP ${name})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SALTUS_BATCHES} UNITY_BUILD_MODE GROUP)
endfunction()

# No step runs these.
saltus_batch(generate saltus_cold "generate/.*")
saltus_batch(measure saltus_cold "measure/.*")
saltus_batch(geometry saltus_cold "geometry/.*")
saltus_batch(start saltus_cold "sim/(build_.*|buried|joint_.*|mesh_ends|rough_membrane|scene_.*|system_check|forecast)")
saltus_batch(state saltus_cold "sim/(certificate|checkpoint|fingerprint|overlaps|parts_view|snapshot|warnings)")
saltus_batch(events saltus_cold "(sim/event_.*|schemes/.*)")
saltus_batch(small saltus_cold "((base|dynamics|fem|laws|systems)/[^/]*|files/(output_.*|text_scanner|zlib_bytes))")
saltus_batch(meshes saltus_cold "meshes/.*")
saltus_batch(exchange saltus_cold "exchange/.*")
saltus_batch(problem_files saltus_cold "(fclib/.*|files/hdf5_.*)")
saltus_batch(drawing saltus_cold "drawing/(render_.*|element_sides|fields|mesh_skin|movie)")
saltus_batch(trajectories saltus_cold "trajectories/.*")
saltus_batch(scenes_read saltus_cold "scenes/scene_(.*_reader|context|csv|function|law|names|overrides|reader|shape|table|text)")
saltus_batch(scenes_schema saltus_cold "scenes/schema_.*")
saltus_batch(scenes_write saltus_cold
  "(scenes/scene_(.*_writer|difference|writer)|running/(scene_report|study|summary|measure_table|series)|drawing/(plot.*|performance_profile))")
saltus_batch(runs saltus_cold "running/(measure_fields|run_failure|run_length|run_store|study_check|trajectory_run)")
saltus_batch(viewing saltus_cold "viewing/(base64|scene_friction|view_pack|view_page|view_shapes|watched_view)")
saltus_batch(apps_problems saltus_app "apps/fc_.*")
saltus_batch(apps_scenes saltus_app "apps/[^f].*")

# Steps run these. Sweeps, elements and what detects contacts stay by themselves: so does their code.
saltus_batch(materials saltus_lib "fem/materials/.*")
saltus_batch(fem saltus_lib "fem/([^e].*|extrapolation|elasticity)")
saltus_batch(beams saltus_lib "fem/beam.*")
saltus_batch(alpha saltus_lib "sim/alpha_.*")
saltus_batch(parts saltus_lib "sim/(.*_parts|controls|.*followers|joined_bodies|system_gaps|tied_gain|loads|membrane)")
saltus_batch(step saltus_lib "sim/(audit.*|energy_gain|landing|project|separate|settle_laws|step_control|swift)")
saltus_batch(schemes saltus_lib "schemes/.*")
saltus_batch(systems saltus_lib "systems/([^s].*|solid_model)")
saltus_batch(joints saltus_lib "joints/(coordinate|joint|joint_[^s].*)")
saltus_batch(solvers saltus_lib "solvers/([^ps]|scaled|solver|part)[^/]*")
saltus_batch(contact saltus_lib "contact/(coupl.*|canonical|load_limits|mixed_.*|position_problem)")
