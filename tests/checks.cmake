# Tests of the tree as a whole: layers, format, installation, and builds with other compilers and sanitizers.

# Adds a test; where one of its programs (REQUIRES) is missing, or something else is the matter (UNLESS, a text), it
# shows up as skipped.
function(add_check name)
  cmake_parse_arguments(check "" "TIMEOUT;UNLESS" "REQUIRES;COMMAND;LABELS" ${ARGN})
  set(missing "")
  foreach(program ${check_REQUIRES})
    string(MAKE_C_IDENTIFIER ${program} variable)
    find_program(BULWARK_${variable} ${program} HINTS /usr/local/cuda/bin)
    mark_as_advanced(BULWARK_${variable})
    if(NOT BULWARK_${variable})
      list(APPEND missing ${program})
    endif()
  endforeach()
  if(missing OR check_UNLESS)
    if(missing)
      set(check_UNLESS "${missing} not found")
    endif()
    message(STATUS "test ${name} is skipped: ${check_UNLESS}")
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E false)
    set_tests_properties(${name} PROPERTIES DISABLED TRUE)
  else()
    add_test(NAME ${name} COMMAND ${check_COMMAND} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${check_TIMEOUT} LABELS "check;${check_LABELS}")
endfunction()

add_check(layers TIMEOUT 60 REQUIRES python3 COMMAND python3 tests/layers_test.py)
add_check(stencils TIMEOUT 60 REQUIRES python3 COMMAND python3 tests/stencils_test.py)
add_check(format TIMEOUT 300 REQUIRES clang-format-19 COMMAND tests/format_test.sh)
add_check(install_consumer TIMEOUT 600 COMMAND tests/install_test.sh ${PROJECT_BINARY_DIR})

# Tab completion in the shells that are installed.
add_check(completion TIMEOUT 300 REQUIRES python3
  COMMAND python3 tests/completion_test.py $<TARGET_FILE:bulwark_program>)

# The documentation: the site and its links, and every command that pages tell users to type.
add_check(docs_site TIMEOUT 300 LABELS docs REQUIRES python3 pandoc COMMAND python3 tests/docs_site_test.py)
add_check(docs_commands TIMEOUT 600 LABELS docs REQUIRES python3 ffmpeg
  COMMAND python3 tests/docs_commands_test.py $<TARGET_FILE:bulwark_program>)

# The Python module, and the packages; the quick ones use what is built.
add_check(python TIMEOUT 600 LABELS python UNLESS "${BULWARK_PYTHON_PROBLEM}"
  COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_BINARY_DIR}/python BULWARK_PROGRAM=$<TARGET_FILE:bulwark_program>
          PYTHONDONTWRITEBYTECODE=1 ${BULWARK_PYTHON_FOUND_EXECUTABLE} -m pytest -q -p no:cacheprovider tests/python)
add_check(pip TIMEOUT 600 LABELS package UNLESS "${BULWARK_PYTHON_PROBLEM}"
  COMMAND tests/pip_test.sh ${BULWARK_PYTHON_FOUND_EXECUTABLE} ${PROJECT_BINARY_DIR})
add_check(pip_anew TIMEOUT 3600 LABELS package slow UNLESS "${BULWARK_PYTHON_PROBLEM}"
  COMMAND tests/pip_test.sh ${BULWARK_PYTHON_FOUND_EXECUTABLE})
add_check(deb TIMEOUT 600 LABELS package REQUIRES dpkg-shlibdeps UNLESS "${BULWARK_PYTHON_PROBLEM}"
  COMMAND tests/deb_test.sh ${PROJECT_BINARY_DIR} ${BULWARK_PYTHON_FOUND_EXECUTABLE})
add_check(deb_in_debian TIMEOUT 3600 LABELS package slow REQUIRES dpkg-shlibdeps debootstrap UNLESS "${BULWARK_PYTHON_PROBLEM}"
  COMMAND tests/deb_test.sh ${PROJECT_BINARY_DIR} ${BULWARK_PYTHON_FOUND_EXECUTABLE} chroot)

add_check(cuda_stencils TIMEOUT 900 REQUIRES nvcc
  COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target cuda_stencils)
set_tests_properties(cuda_stencils pip PROPERTIES RESOURCE_LOCK build_folder)

# The viewer, used in a browser; and its types, which the build does not check.
find_program(BULWARK_chromium chromium)
add_check(viewer TIMEOUT 300 LABELS viewer REQUIRES chromium UNLESS "${BULWARK_VIEWER_PROBLEM}"
  COMMAND ${BULWARK_NODE} tests/viewer/viewer_test.mjs $<TARGET_FILE:bulwark_program> ${BULWARK_chromium})
add_check(viewer_types TIMEOUT 120 LABELS viewer UNLESS "${BULWARK_VIEWER_PROBLEM}"
  COMMAND ${BULWARK_NODE} viewer/node_modules/typescript/bin/tsc --noEmit --project viewer)

# The whole tree takes some twenty minutes of processor time; two files that include most headers stand for it.
add_check(tidy_sample TIMEOUT 900 REQUIRES clang-tidy-19
  COMMAND tests/tidy_test.sh src/bulwark/sim/simulation.cpp src/bulwark/scene/load.cpp)
add_check(tidy TIMEOUT 3600 REQUIRES clang-tidy-19 LABELS slow COMMAND tests/tidy_test.sh)

# Tests with the library under the address and undefined-behaviour sanitizers; all of them, and themselves too, under --all.
add_check(sanitized_build TIMEOUT 3600 LABELS sanitized
  COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target sanitized_tests)
set_tests_properties(sanitized_build PROPERTIES FIXTURES_SETUP sanitized_build PROCESSORS 2 COST 1000 RESOURCE_LOCK build_folder)
# Long ones that repeat what others do.
set(sanitized_without_sim ":*ImpossibleScript*:*SlipperyScript*:*NewmarkEnergy*:*RandomDrops*:FallingBox*:RotatingBoard*:SameBits*:BouncingBall*:Chain.*")
string(APPEND sanitized_without_sim ":TwistedRod*:ClothOnSlope*:*Interruption.*:*HeadOn*:Scaling*:ThinBodies.GiveTheSame*:ThinDamping*:StrainLimit*:StiffPromises.BodiesOfAll*")
string(APPEND sanitized_without_sim ":AreaWeightedContact.AllKinds*:StartCheck.WhatIsSaidParts*:Statics.TheBits*:Statics.AColumn*:RoundPairs.Poured*:Bounce.FallsWith*")
string(APPEND sanitized_without_sim ":FlexibleBodies.APinched*:FlexibleBodies.APlate*:FlexibleBodies.HaveTheSameBits*:WorldWithEverything.IsAfterAny*")
string(APPEND sanitized_without_sim ":*FlexibleMotion*:FlexibleBodies.OfAllKinds*:AncfTheory.ThePrinceton*:AncfTheory.*RollsUp*:Hertz*")
string(APPEND sanitized_without_sim ":Hydroelastic.ABallAtRest*:*MinimisersAgree*:Residual.IsWhat*:PatchPromises.ManyPatches*")
string(APPEND sanitized_without_sim ":SoftJoints.EveryKind*:SoftJoints.MethodsAgree:SoftJoints.Reactions*:SoftJoints.HingeAcross*")
set(sanitized_without_collision ":CcdAgainstTheOracle*")
set(sanitized_without_scene ":ImportRigidIpcFixtures*:ManyBodies*")
foreach(layer ${sanitized_layers})
  add_check(sanitized_${layer} TIMEOUT 1200 LABELS sanitized
    COMMAND ${CMAKE_BINARY_DIR}/bin/sanitized_${layer} --gtest_brief=1 --gtest_filter=-*Slow*${sanitized_without_${layer}})
  set_tests_properties(sanitized_${layer} PROPERTIES FIXTURES_REQUIRED sanitized_build COST 100)
endforeach()
add_check(sanitized_anew TIMEOUT 7200 LABELS sanitized slow COMMAND tests/sanitized_anew.sh)
set_tests_properties(sanitized_anew PROPERTIES PROCESSORS 2)

# Fuzzing of everything that reads files and requests, a minute each. The build is a long one; the default run replays
# the corpora in test_fuzz instead.
add_check(fuzz_build TIMEOUT 3600 REQUIRES clang++ LABELS fuzz slow COMMAND tests/fuzz/build.sh)
set_tests_properties(fuzz_build PROPERTIES FIXTURES_SETUP fuzz_build PROCESSORS 2 COST 900)
foreach(reader mesh query scene checkpoint frame table summary urdf request system)
  add_check(fuzz_${reader} TIMEOUT 300 REQUIRES clang++ LABELS fuzz slow COMMAND tests/fuzz/run.sh ${reader} 60)
  set_tests_properties(fuzz_${reader} PROPERTIES FIXTURES_REQUIRED fuzz_build)
endforeach()
