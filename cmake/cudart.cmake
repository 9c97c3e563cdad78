# The CUDA runtime: a shared library that contains the library and shows the interface of CUDA alone.
file(GLOB SL_CUDART CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cudart/*.c)
add_library(simtlab_cudart SHARED ${SL_CUDART})
set_target_properties(simtlab_cudart PROPERTIES OUTPUT_NAME simtlab-cudart LINK_DEPENDS
                                                                           ${CMAKE_SOURCE_DIR}/cmake/cudart.map)
target_include_directories(simtlab_cudart SYSTEM PRIVATE ${CMAKE_SOURCE_DIR}/runtime/cuda/include)
target_compile_definitions(simtlab_cudart PRIVATE _GNU_SOURCE)
target_compile_options(simtlab_cudart PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_options(simtlab_cudart PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/cudart.map)
target_link_libraries(simtlab_cudart PRIVATE simtlab_flags simtlab_lib ${SL_LIBRARIES})
