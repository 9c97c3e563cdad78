# The OpenCL client and its device library.
if(TARGET opencl_device)
  install(TARGETS simtlab_opencl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT opencl)
  install(FILES ${CMAKE_BINARY_DIR}/opencl/simtlab-opencl.bc DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab/opencl
          COMPONENT opencl)
  # Studies find the client beside its device library.
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/opencl)
  file(CREATE_LINK ../../../${CMAKE_INSTALL_LIBDIR}/libsimtlab-opencl.so
       ${CMAKE_BINARY_DIR}/generated/opencl/libsimtlab-opencl.so SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/generated/opencl/libsimtlab-opencl.so
          DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab/opencl COMPONENT opencl)
  # The file that names the client to the loader; a package of a system puts one into /etc/OpenCL/vendors.
  install(CODE "file(WRITE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/simtlab/opencl/simtlab.icd\"
    \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libsimtlab-opencl.so\\n\")" COMPONENT opencl)
endif()

if(TARGET simtlab-cl)
  install(TARGETS simtlab-cl RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/simtlab COMPONENT opencl)
endif()
# The same for machines with RISC-V instructions.
if(TARGET opencl_riscv)
  install(TARGETS simtlab-clc RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/simtlab COMPONENT opencl)
  install(
    DIRECTORY ${CMAKE_BINARY_DIR}/opencl/
    DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab/opencl
    COMPONENT opencl
    FILES_MATCHING
    REGEX "/(functions32|vortex|vortex64|simt|pc)\\.([a-z]+\\.|[12]\\.)?(bc|o|ld)$")
endif()
