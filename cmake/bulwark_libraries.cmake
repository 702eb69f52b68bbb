# Libraries without a CMake package of their own, as imported targets. The build uses this file, and so does the
# installed package: the exported targets then hold names and no paths.
function(bulwark_import_library name)
  if(TARGET bulwark::${name})
    return()
  endif()
  string(TOUPPER ${name} upper)
  find_library(BULWARK_${upper}_LIBRARY ${name} REQUIRED)
  mark_as_advanced(BULWARK_${upper}_LIBRARY)
  add_library(bulwark::${name} UNKNOWN IMPORTED)
  set_target_properties(bulwark::${name} PROPERTIES IMPORTED_LOCATION ${BULWARK_${upper}_LIBRARY})
endfunction()

bulwark_import_library(gmp)
bulwark_import_library(metis)
if(BULWARK_CHOLMOD)
  bulwark_import_library(cholmod)
  bulwark_import_library(openblas)
endif()
