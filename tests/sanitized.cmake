# Test programs with the library under the sanitizers: the objects of the tests as they are, which spares compiling them
# again, and a library of its own. What a test takes from headers is checked where its objects are made anew: the stencils.
set(sanitized_layers base stencils collision geometry scene output sim solve terms integrate)
# Without the checks that double the time of compiling and find next to nothing that the others do not.
set(sanitized_flags -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr -fno-sanitize-recover=all)

get_target_property(library_sources bulwark SOURCES)
get_target_property(library_definitions bulwark COMPILE_DEFINITIONS)
get_target_property(library_includes bulwark INCLUDE_DIRECTORIES)
add_library(bulwark_sanitized STATIC EXCLUDE_FROM_ALL ${library_sources})
set_target_properties(bulwark_sanitized PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
if(library_definitions)
  target_compile_definitions(bulwark_sanitized PRIVATE ${library_definitions})
endif()
target_include_directories(bulwark_sanitized PRIVATE ${library_includes})
# The last -O counts.
target_compile_options(bulwark_sanitized PRIVATE -march=x86-64-v3 -ffp-contract=off -O1 ${sanitized_flags})
target_link_libraries(bulwark_sanitized PUBLIC Eigen3::Eigen fmt::fmt TBB::tbb ZLIB::ZLIB bulwark::gmp bulwark::metis
  PRIVATE bulwark_flags nlohmann_json::nlohmann_json)
if(BULWARK_CHOLMOD)
  target_link_libraries(bulwark_sanitized PUBLIC bulwark::cholmod bulwark::openblas)
endif()

foreach(layer ${sanitized_layers})
  if(layer STREQUAL stencils)
    get_target_property(test_sources test_stencils SOURCES)
    add_executable(sanitized_stencils EXCLUDE_FROM_ALL ${test_sources})
    target_include_directories(sanitized_stencils PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
    target_compile_options(sanitized_stencils PRIVATE -march=x86-64-v3 -ffp-contract=off -O1 ${sanitized_flags})
  else()
    add_executable(sanitized_${layer} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:test_${layer}> $<TARGET_OBJECTS:bulwark_random_scenes>)
    set_target_properties(sanitized_${layer} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  target_link_libraries(sanitized_${layer} PRIVATE bulwark_sanitized bulwark_flags GTest::gtest_main nlohmann_json::nlohmann_json)
  target_link_options(sanitized_${layer} PRIVATE ${sanitized_flags})
  list(APPEND sanitized_programs sanitized_${layer})
endforeach()
add_custom_target(sanitized_tests DEPENDS ${sanitized_programs})
