# OpenCL: a client for the loader, its device library, and the file that names it to the loader. It needs Khronos'
# headers, LLVM's tools and libclc; without them the component is left out.
find_path(SL_OPENCL_HEADERS CL/cl_icd.h)
find_program(SL_CLANG_19 clang-19)
find_program(SL_LLVM_LINK_19 llvm-link-19)
find_file(SL_LIBCLC nvptx64--.bc PATHS /usr/lib/clc /usr/share/clc /usr/lib64/clc NO_DEFAULT_PATH)
if(NOT SL_OPENCL_HEADERS OR NOT SL_CLANG_19 OR NOT SL_LLVM_LINK_19 OR NOT SL_LIBCLC)
  message(STATUS "Left out: OpenCL, which needs opencl-c-headers, clang-19, llvm-19 and libclc-19")
  return()
endif()
file(GLOB SL_OPENCL CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/runtime/opencl/*.c)
add_library(simtlab_opencl SHARED ${SL_OPENCL})
set_target_properties(simtlab_opencl PROPERTIES OUTPUT_NAME simtlab-opencl LINK_DEPENDS
                                                                           ${CMAKE_SOURCE_DIR}/cmake/runtimes/opencl.map)
target_include_directories(simtlab_opencl SYSTEM PRIVATE ${SL_OPENCL_HEADERS})
target_compile_definitions(simtlab_opencl PRIVATE _GNU_SOURCE SL_VERSION="${PROJECT_VERSION}")
target_compile_options(simtlab_opencl PRIVATE -fvisibility=hidden $<$<CONFIG:Release>:-O1>)
# The loader has functions of the same names; calls within this library stay in it.
target_link_options(simtlab_opencl PRIVATE -Wl,-Bsymbolic -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/runtimes/opencl.map)
target_link_libraries(simtlab_opencl PRIVATE simtlab_flags simtlab_lib ${SL_LIBRARIES})

# A host program of the client, for `simtlab cl`.
add_executable(simtlab-cl ${CMAKE_SOURCE_DIR}/src/runtime/opencl/list/kernel_list.c)
target_include_directories(simtlab-cl SYSTEM PRIVATE ${SL_OPENCL_HEADERS})
target_link_libraries(simtlab-cl PRIVATE simtlab_flags ${CMAKE_DL_LIBS})

file(WRITE ${CMAKE_BINARY_DIR}/simtlab.icd "${CMAKE_BINARY_DIR}/libsimtlab-opencl.so\n")
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/opencl)
file(CREATE_LINK ../libsimtlab-opencl.so ${CMAKE_BINARY_DIR}/opencl/libsimtlab-opencl.so SYMBOLIC)
file(GLOB SL_OPENCL_LIBRARY CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/opencl/*)
add_custom_command(
  OUTPUT ${CMAKE_BINARY_DIR}/opencl/simtlab-opencl.bc
  COMMAND ${CMAKE_COMMAND} -E env LIBCLC=${SL_LIBCLC} sh ${CMAKE_SOURCE_DIR}/runtime/opencl/build.sh
          ${CMAKE_BINARY_DIR}/opencl/simtlab-opencl.bc
  DEPENDS ${SL_OPENCL_LIBRARY}
  COMMENT "Building the OpenCL device library"
  VERBATIM)
add_custom_target(opencl_device ALL DEPENDS ${CMAKE_BINARY_DIR}/opencl/simtlab-opencl.bc)
add_dependencies(opencl_device simtlab-cl)
list(APPEND SL_SHIPPED opencl_device simtlab_opencl)

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
list(APPEND SL_SHIPPED opencl_riscv)
