# OpenCL on machines with RISC-V instructions: for each family the device library, the start code with its library as
# one object, and the linker script. Needs simtlab-clc and libclc for 32-bit NVPTX.
find_file(SL_LIBCLC_32 nvptx--.bc PATHS /usr/lib/clc /usr/share/clc /usr/lib64/clc NO_DEFAULT_PATH)
find_program(SL_RISCV_GCC riscv64-unknown-elf-gcc)
if(NOT SIMTLAB_DEVICE_PROGRAMS OR NOT TARGET opencl_device OR NOT TARGET simtlab-clc OR NOT SL_LIBCLC_32 OR NOT SL_RISCV_GCC)
  message(STATUS "Left out: OpenCL on RISC-V machines, which needs llvm-19-dev and gcc-riscv64-unknown-elf")
  return()
endif()
set(SL_OPENCL_RISCV)
file(GLOB SL_OPENCL_LIBRARY CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/opencl/*)
foreach(family vortex vortex64 simt pc)
  set(SL_FAMILY ${CMAKE_BINARY_DIR}/opencl/${family})
  add_custom_command(
    OUTPUT ${SL_FAMILY}.bc ${SL_FAMILY}.1.bc ${SL_FAMILY}.2.bc ${SL_FAMILY}.o ${SL_FAMILY}.ld
    COMMAND ${CMAKE_COMMAND} -E env LIBCLC=${SL_LIBCLC_32} SIMTLAB=$<TARGET_FILE:simtlab>
            CLC=$<TARGET_FILE:simtlab-clc> sh ${CMAKE_SOURCE_DIR}/runtime/opencl/riscv.sh ${family} ${SL_FAMILY}
    DEPENDS ${SL_OPENCL_LIBRARY} simtlab simtlab-marks simtlab-clc
    COMMENT "Building the OpenCL device library for ${family}"
    VERBATIM)
  list(APPEND SL_OPENCL_RISCV ${SL_FAMILY}.bc)
endforeach()
# Functions in place of libclc's.
set(SL_OPENCL_FUNCTIONS ${CMAKE_BINARY_DIR}/opencl/functions32.bc)
add_custom_command(
  OUTPUT ${SL_OPENCL_FUNCTIONS}
  COMMAND
    ${SL_CLANG_19} -x cl --target=nvptx-- -cl-std=CL1.2 -Xclang -finclude-default-header -Xclang
    -fdeclare-opencl-builtins -Xclang -cl-ext=-all -O2 -Xclang -disable-llvm-passes -emit-llvm -c
    ${CMAKE_SOURCE_DIR}/runtime/opencl/special.cl -o ${SL_OPENCL_FUNCTIONS}
  DEPENDS ${SL_OPENCL_LIBRARY}
  COMMENT "Building OpenCL functions for RISC-V machines"
  VERBATIM)
list(APPEND SL_OPENCL_RISCV ${SL_OPENCL_FUNCTIONS})
add_custom_target(opencl_riscv ALL DEPENDS ${SL_OPENCL_RISCV})
add_dependencies(opencl_riscv simtlab-clc simtlab-marks)
