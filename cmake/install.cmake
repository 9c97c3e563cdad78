# make install: the command with what it looks up, both libraries, the header, a pkg-config file and a CMake package.
# make deb: a Debian package of the same.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS simtlab RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(
  TARGETS simtlab_lib simtlab_shared
  EXPORT simtlabTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/simtlab DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY runtime DESTINATION ${CMAKE_INSTALL_DATADIR}/simtlab)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
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

configure_file(cmake/simtlab.pc.in simtlab.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/simtlab.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(SL_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/simtlab)
install(EXPORT simtlabTargets NAMESPACE simtlab:: DESTINATION ${SL_PACKAGE_DIR})
configure_package_config_file(cmake/simtlabConfig.cmake.in simtlabConfig.cmake INSTALL_DESTINATION ${SL_PACKAGE_DIR})
write_basic_package_version_file(simtlabConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/simtlabConfig.cmake ${CMAKE_BINARY_DIR}/simtlabConfigVersion.cmake
        DESTINATION ${SL_PACKAGE_DIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME simtlab)
set(CPACK_PACKAGE_CONTACT "the simtlab authors <simtlab@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "RISC-V SIMT GPGPU laboratory: cycle-level models of published machines")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libelf1, libdw1, libyaml-0-2, libjansson4")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "gcc-riscv64-unknown-elf, binutils-riscv64-unknown-elf, picolibc-riscv64-unknown-elf, clang-19")
set(CPACK_STRIP_FILES ON)
include(CPack)
