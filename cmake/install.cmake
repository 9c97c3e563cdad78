# make install: the command with what it looks up, both libraries, the header, a pkg-config file and a CMake package, in
# three components, of which tools/deb.sh makes Debian packages.
# Debian's linker, pkg-config and CMake look there below /usr and /usr/local alike.
if(CMAKE_LIBRARY_ARCHITECTURE AND EXISTS /etc/debian_version)
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE} CACHE PATH "Where libraries go")
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME command)
install(TARGETS simtlab RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET simtlab-marks)
  install(TARGETS simtlab-marks RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/simtlab)
endif()
install(DIRECTORY runtime DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab PATTERN runtime/cuda EXCLUDE
        PATTERN runtime/opencl/build.sh EXCLUDE
        PATTERN runtime/opencl/riscv.sh EXCLUDE)
# Of `make charts`, with the licenses of what it holds.
install(DIRECTORY ${CMAKE_BINARY_DIR}/charts DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab OPTIONAL)
# Their programs are beside this folder, as in the build folder.
install(DIRECTORY studies DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab USE_SOURCE_PERMISSIONS)
# What `simtlab paper isa64` and `simtlab paper scs` compile.
install(DIRECTORY bench-isa64 bench-scs DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab)
install(DIRECTORY bench-vortex DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab FILES_MATCHING PATTERN *.[ch]
        PATTERN graph.c EXCLUDE)
if(SIMTLAB_DEVICE_PROGRAMS)
  install(FILES ${CMAKE_BINARY_DIR}/bench-vortex/gcn_graphs.S DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab/bench-vortex)
endif()
# For those who build programs with kernels: Meson finds cross files there by name.
configure_file(cmake/toolchain.cmake cmake/toolchain.cmake COPYONLY)
install(FILES cmake/toolchain.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab/cmake)
install(FILES cmake/simtlab-simt.ini cmake/simtlab-vortex.ini DESTINATION ${CMAKE_INSTALL_DATADIR}/meson/cross)
install(DIRECTORY ${CMAKE_BINARY_DIR}/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${CMAKE_BINARY_DIR}/completion/simtlab DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/completion/_simtlab DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${CMAKE_BINARY_DIR}/completion/simtlab.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md SECURITY.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
foreach(program ${SL_PROGRAMS})
  get_filename_component(folder ${program} DIRECTORY)
  install(FILES ${CMAKE_BINARY_DIR}/${program} DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab/${folder})
endforeach()
if(SIMTLAB_DEVICE_PROGRAMS)
  foreach(machine simtight simty vortex)
    install(FILES reference/${machine}/cycles.json DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab/reference/${machine})
  endforeach()
endif()
install(FILES reference/silicon/v100.json DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab/reference/silicon)
install(DIRECTORY reference/ptx DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab/reference
        FILES_MATCHING PATTERN "*.ptx" PATTERN "*.launch" PATTERN "cycles.json")

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(
  TARGETS simtlab_shared
  EXPORT simtlabShared
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
  INCLUDES
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  TARGETS simtlab_lib
  EXPORT simtlabStatic
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/simtlab DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Its own place tells the pkg-config file the prefix, so that it is right wherever it is installed or unpacked.
set(SL_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH SL_PKGCONFIG_PREFIX /prefix/${SL_PKGCONFIG_DIR} /prefix)
string(REGEX REPLACE "/$" "" SL_PKGCONFIG_PREFIX ${SL_PKGCONFIG_PREFIX})
list(TRANSFORM SL_STATIC_LIBRARIES PREPEND -l OUTPUT_VARIABLE SL_STATIC_FLAGS)
list(JOIN SL_STATIC_FLAGS " " SL_STATIC_FLAGS)
configure_file(cmake/simtlab.pc.in simtlab.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/simtlab.pc DESTINATION ${SL_PKGCONFIG_DIR})

set(SL_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/simtlab)
install(EXPORT simtlabShared NAMESPACE simtlab:: DESTINATION ${SL_PACKAGE_DIR})
install(EXPORT simtlabStatic NAMESPACE simtlab:: DESTINATION ${SL_PACKAGE_DIR})
configure_package_config_file(cmake/simtlabConfig.cmake.in simtlabConfig.cmake INSTALL_DESTINATION ${SL_PACKAGE_DIR})
write_basic_package_version_file(simtlabConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/simtlabPrograms.cmake simtlabPrograms.cmake COPYONLY)
install(FILES ${CMAKE_BINARY_DIR}/simtlabConfig.cmake ${CMAKE_BINARY_DIR}/simtlabConfigVersion.cmake
              cmake/simtlabPrograms.cmake DESTINATION ${SL_PACKAGE_DIR})

# The runtimes of host programs.
file(GLOB SL_RUNTIME_INSTALLS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/runtimes/install/*.cmake)
foreach(file ${SL_RUNTIME_INSTALLS})
  include(${file})
endforeach()

# The Python package, with the header that declares the library for it.
install(DIRECTORY python/simtlab DESTINATION lib/python3/dist-packages COMPONENT python FILES_MATCHING PATTERN *.py)
install(FILES include/simtlab/simtlab.h DESTINATION lib/python3/dist-packages/simtlab COMPONENT python)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME command) # of what follows this file
