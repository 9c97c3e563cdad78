# The CUDA runtime: a shared library that contains the library and shows the interface of CUDA alone.
file(GLOB SL_CUDART CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/runtime/cuda/*.c)
add_library(simtlab_cudart SHARED ${SL_CUDART})
set_target_properties(simtlab_cudart PROPERTIES OUTPUT_NAME simtlab-cudart LINK_DEPENDS
                                                                           ${CMAKE_SOURCE_DIR}/cmake/runtimes/cuda.map)
target_include_directories(simtlab_cudart SYSTEM PRIVATE ${CMAKE_SOURCE_DIR}/runtime/cuda/include)
target_compile_definitions(simtlab_cudart PRIVATE _GNU_SOURCE)
target_compile_options(simtlab_cudart PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_options(simtlab_cudart PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/runtimes/cuda.map)
target_link_libraries(simtlab_cudart PRIVATE simtlab_flags simtlab_lib ${SL_LIBRARIES})

# CUDA programs: a tree that looks like an SDK (`simtlab cuda --root`), with the device library. It needs LLVM's tools
# and libclc; without them the component is left out.
find_program(SL_CLANG_19 clang-19)
find_program(SL_LLVM_LINK_19 llvm-link-19)
find_file(SL_LIBCLC nvptx64--.bc PATHS /usr/lib/clc /usr/share/clc /usr/lib64/clc NO_DEFAULT_PATH)
if(NOT SL_CLANG_19 OR NOT SL_LLVM_LINK_19 OR NOT SL_LIBCLC)
  message(STATUS "Left out: simtlab cuda, which needs clang-19, llvm-19 and libclc-19")
  return()
endif()
set(SL_CUDA ${CMAKE_SOURCE_DIR}/runtime/cuda)
set(SL_CUDA_ROOT ${CMAKE_BINARY_DIR}/cuda)
file(MAKE_DIRECTORY ${SL_CUDA_ROOT}/lib64 ${SL_CUDA_ROOT}/empty ${SL_CUDA_ROOT}/nvvm/libdevice)
file(CREATE_LINK ${SL_CUDA}/include ${SL_CUDA_ROOT}/include SYMBOLIC)
file(COPY ${SL_CUDA}/bin DESTINATION ${SL_CUDA_ROOT})
file(CREATE_LINK lib64 ${SL_CUDA_ROOT}/lib SYMBOLIC)
# Programs name the library by its SONAME, the last of these.
foreach(name cudart cuda nvrtc nvToolsExt cudart_static cudadevrt simtlab-cudart)
  file(CREATE_LINK ../../libsimtlab-cudart.so ${SL_CUDA_ROOT}/lib64/lib${name}.so SYMBOLIC)
  file(CREATE_LINK lib${name}.so ${SL_CUDA_ROOT}/lib64/lib${name}.so.1 SYMBOLIC) # the name that packages open
endforeach()

file(GLOB SL_DEVICE_LIBRARY CONFIGURE_DEPENDS ${SL_CUDA}/device/*)
add_custom_command(
  OUTPUT ${SL_CUDA_ROOT}/simtlab-device.bc
  COMMAND ${CMAKE_COMMAND} -E env LIBCLC=${SL_LIBCLC} sh ${SL_CUDA}/device/build.sh ${SL_CUDA_ROOT}/simtlab-device.bc
  DEPENDS ${SL_DEVICE_LIBRARY}
  COMMENT "Building the CUDA device library"
  VERBATIM)
add_custom_target(cuda_device ALL DEPENDS ${SL_CUDA_ROOT}/simtlab-device.bc)
list(APPEND SL_SHIPPED cuda_device simtlab_cudart)
