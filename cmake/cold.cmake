# Files that no step runs: SALTUS_COLD, regular expressions of their paths below src/saltus, without the ending.
set(SALTUS_COLD
  # whole folders
  "(drawing|exchange|fclib|files|generate|meshes|measure|running|scenes|trajectories|viewing)/.*"
  "base/(byte_order_mark|console|hash|input_error|log|progress|timer)"
  "geometry/(convex_cell|convex_polyhedron|corner_tree|hull|line_span|mass_properties|matter|mesh_file|overlap|shapes|thickness|wall_face)"
  "fem/(beam_section|block_pattern|continuum_check|contact_surface|element_kind|line_mesh|material_parameters|material_registry)"
  "fem/(mesh|mesh_.*|quadrature|side_point|tied_means)"
  "math/general_factor"
  "dynamics/(accelerogram|drive)"
  "laws/law_table"
  "systems/(mass_redistribution|slope_check)"
  "schemes/(event_driven|options|step_report)"
  # a simulation: made, checked, stored, told
  "sim/(build_.*|buried|certificate|checkpoint|event_.*|fingerprint|forecast|joint_(check|loops|places)|mesh_ends|overlaps|parts_view|rough_membrane)"
  "sim/(scene_.*|snapshot|system_check|warnings)")
