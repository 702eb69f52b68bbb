# The viewer's page (viewer/: TypeScript and three.js, built by Vite) becomes a source file of the program. Its npm
# packages are fetched when package-lock.json has changed, when configuring; where that fails, or npm is missing, the
# program is built without the viewer and says so.
option(BULWARK_VIEWER "Pack the viewer into the program, where npm is there to build it" ON)

set(viewer_dir ${PROJECT_SOURCE_DIR}/viewer)
set(viewer_page_source ${PROJECT_BINARY_DIR}/viewer/viewer_page.cpp)

set(oldest_node 18)  # Debian 12's, and the oldest that Vite 6 runs with

# Sets `problem` to why there can be no viewer; "" when there can.
function(bulwark_fetch_viewer_packages problem)
  set(${problem} "" PARENT_SCOPE)
  find_program(BULWARK_NODE NAMES node nodejs)
  find_program(BULWARK_NPM npm)
  mark_as_advanced(BULWARK_NODE BULWARK_NPM)
  if(NOT BULWARK_NODE OR NOT BULWARK_NPM)
    set(${problem} "npm not found" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${BULWARK_NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "v" "" version "${version}")
  if(version VERSION_LESS oldest_node)
    set(${problem} "node ${version} is too old, ${oldest_node} is needed" PARENT_SCOPE)
    return()
  endif()

  set(lock ${viewer_dir}/package-lock.json)
  set(stamp ${viewer_dir}/node_modules/.fetched)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
  file(SHA256 ${lock} wanted)
  # Several builds may configure at once.
  file(LOCK ${viewer_dir} DIRECTORY GUARD FUNCTION TIMEOUT 300 RESULT_VARIABLE locked)
  if(EXISTS ${stamp})
    file(READ ${stamp} fetched)
    if(fetched STREQUAL wanted)
      return()
    endif()
  endif()
  message(STATUS "Fetching the viewer's npm packages")
  execute_process(
    COMMAND ${BULWARK_NPM} ci --ignore-scripts --no-audit --no-fund --no-update-notifier --fetch-retries=1 --fetch-timeout=30000
    WORKING_DIRECTORY ${viewer_dir} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(NOT result EQUAL 0)
    message(WARNING "npm ci failed in ${viewer_dir} (${result}):\n${output}")
    set(${problem} "npm could not fetch its packages" PARENT_SCOPE)
    return()
  endif()
  file(WRITE ${stamp} ${wanted})
endfunction()

if(BULWARK_VIEWER)
  bulwark_fetch_viewer_packages(viewer_problem)
else()
  set(viewer_problem "BULWARK_VIEWER is off")
endif()
# The tests want to know it too.
set(BULWARK_VIEWER_PROBLEM "${viewer_problem}" CACHE INTERNAL "Why the program is built without the viewer")

set(embed ${PROJECT_SOURCE_DIR}/cmake/embed_viewer_page.cmake)
if(viewer_problem)
  message(STATUS "bulwark view is built without its page: ${viewer_problem}")
  execute_process(COMMAND ${CMAKE_COMMAND} -DSOURCE=${viewer_page_source} -P ${embed} COMMAND_ERROR_IS_FATAL ANY)
else()
  file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${viewer_dir}/src/*)
  set(viewer_page ${PROJECT_BINARY_DIR}/viewer/index.html)
  add_custom_command(
    OUTPUT ${viewer_page_source}
    COMMAND ${BULWARK_NODE} node_modules/vite/bin/vite.js build --logLevel warn --emptyOutDir --outDir ${PROJECT_BINARY_DIR}/viewer
    COMMAND ${CMAKE_COMMAND} -DPAGE=${viewer_page} -DSOURCE=${viewer_page_source} -P ${embed}
    WORKING_DIRECTORY ${viewer_dir}
    DEPENDS ${viewer_sources} ${viewer_dir}/index.html ${viewer_dir}/vite.config.ts ${viewer_dir}/package-lock.json
            ${embed} ${PROJECT_SOURCE_DIR}/cmake/viewer_page.cpp.in
    COMMENT "Building the viewer's page" VERBATIM)
endif()
