# Compiler flags that every target of this project carries, as the interface target bulwark_flags.
add_library(bulwark_flags INTERFACE)
target_compile_options(bulwark_flags INTERFACE -Wall -Wextra -Wshadow
  # gcc 12 raises false alarms of these three inside Eigen.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-maybe-uninitialized -Wno-stringop-overread>)
if(BULWARK_WERROR)
  target_compile_options(bulwark_flags INTERFACE -Werror)
endif()
if(BULWARK_SANITIZE)
  target_compile_options(bulwark_flags INTERFACE -fsanitize=${BULWARK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(bulwark_flags INTERFACE -fsanitize=${BULWARK_SANITIZE})
endif()
