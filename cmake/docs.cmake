# `docs`: the documentation site, in site/ of the build folder.
add_custom_target(docs COMMAND ${PROJECT_SOURCE_DIR}/scripts/build-docs ${PROJECT_BINARY_DIR}/site USES_TERMINAL
  COMMENT "Building the documentation site")
