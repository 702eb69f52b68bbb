# `cpack` in the build folder makes a .deb: the program with the viewer's page in it, the scenes, the documentation and
# the Python module. Dependencies on libraries come from the files themselves (dpkg-shlibdeps).
# Packages are made of what is built, and build nothing: tests and benchmarks are no part of them.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bulwark)
set(CPACK_PACKAGE_CONTACT "The Bulwark project <bulwark@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "multibody simulator without intersections")
set(CPACK_PACKAGE_DESCRIPTION "Bulwark moves rigid, stiff and soft bodies in frictional contact.
None of its results contains two surfaces that pass through each other.
This package has the program, its scenes and documentation, and the
Python module.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
# One package of two components; the library with its headers (component development) is left out.
set(CPACK_COMPONENTS_ALL program python)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS tetgen)
if(NOT BULWARK_PYTHON_PROBLEM)
  # The module is for one minor version of Python.
  execute_process(COMMAND ${BULWARK_PYTHON_FOUND_EXECUTABLE} -c "import sys; v = sys.version_info
print(f'python3 (>= {v[0]}.{v[1]}), python3 (<< {v[0]}.{v[1] + 1}), python3-numpy', end='')"
    OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_DEPENDS)
endif()
include(CPack)
