# `cmake --install` gives the library with its headers and CMake package, the program, and its scenes. Nothing of it
# names the build tree, so that the prefix can be moved.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bulwark)

# Components, for packages: program, python (python/CMakeLists.txt), development.
install(TARGETS bulwark EXPORT bulwarkTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(TARGETS bulwark_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
# The JSON side of the scene loader is private: its headers would ask for nlohmann-json.
install(DIRECTORY src/bulwark DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.hpp"
  REGEX "scene/(body_mesh|issues|json_text|nearest|read_.*|validate)\\.hpp$" EXCLUDE)
# The program looks for its scenes at ../share/bulwark/scenes from where it lies.
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/bulwark COMPONENT program)
install(DIRECTORY scripts/peers DESTINATION ${CMAKE_INSTALL_DATADIR}/bulwark/scripts COMPONENT program)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/bulwark COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/bulwark RENAME copyright COMPONENT program)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/bulwark COMPONENT program)

configure_package_config_file(cmake/bulwarkConfig.cmake.in ${PROJECT_BINARY_DIR}/bulwarkConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bulwarkConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT bulwarkTargets NAMESPACE bulwark:: DESTINATION ${package_dir} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/bulwarkConfig.cmake ${PROJECT_BINARY_DIR}/bulwarkConfigVersion.cmake
  cmake/bulwark_libraries.cmake DESTINATION ${package_dir} COMPONENT development)
