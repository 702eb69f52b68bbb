# Compiles every stencil as CUDA device code where nvcc exists: physics is written once, for both machines. The
# program that comes out compares host and device; it needs a GPU to do so. Host code fuses no products and sums, as in
# the library; device code does (nvcc's default), since its bits are not the host's anyway: they differ by sin, exp and log.
find_program(NVCC nvcc HINTS /usr/local/cuda/bin)
if(NVCC)
  file(GLOB STENCIL_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/bulwark/stencils/*.hpp ${PROJECT_SOURCE_DIR}/src/bulwark/math/*.hpp
    ${PROJECT_SOURCE_DIR}/src/bulwark/collision/*.hpp)
  message(STATUS "nvcc found: stencils are also compiled as device code (target cuda_stencils)")
  add_custom_command(
    OUTPUT ${CMAKE_BINARY_DIR}/bin/cuda_stencils
    COMMAND ${NVCC} -std=c++20 -arch=sm_90 --expt-relaxed-constexpr -diag-suppress 20012 -Xcompiler -march=x86-64-v3,-ffp-contract=off
            -I ${PROJECT_SOURCE_DIR}/src -I /usr/include/eigen3 ${PROJECT_SOURCE_DIR}/tests/cuda/stencils.cu
            -o ${CMAKE_BINARY_DIR}/bin/cuda_stencils
    DEPENDS ${PROJECT_SOURCE_DIR}/tests/cuda/stencils.cu ${STENCIL_HEADERS}
    COMMENT "Compiling the stencils as device code")
  add_custom_target(cuda_stencils DEPENDS ${CMAKE_BINARY_DIR}/bin/cuda_stencils)
else()
  message(STATUS "nvcc not found: the stencils are not compiled as device code")
endif()
