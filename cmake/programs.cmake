# Programs for the simulated machines. They do not depend on the command itself but on the sources of its toolchain: a
# change of the simulator leaves them alone.
file(GLOB SL_TOOLCHAIN LIST_DIRECTORIES false CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/* ${CMAKE_SOURCE_DIR}/src/cli/cc*.[ch]
     ${CMAKE_SOURCE_DIR}/src/compiler/cc/*.[ch] ${CMAKE_SOURCE_DIR}/src/compiler/cc/*/*.[ch] ${CMAKE_SOURCE_DIR}/src/compiler/reconverge/*.[ch])
set(SL_TOOLCHAIN_SUM ${CMAKE_BINARY_DIR}/toolchain.sum)
add_custom_command(
  OUTPUT ${SL_TOOLCHAIN_SUM}
  COMMAND sh ${CMAKE_SOURCE_DIR}/tools/toolchain_sum.sh ${SL_TOOLCHAIN_SUM} ${SL_TOOLCHAIN}
  DEPENDS ${SL_TOOLCHAIN} ${CMAKE_SOURCE_DIR}/tools/toolchain_sum.sh
  COMMENT ""
  VERBATIM)
add_custom_target(toolchain_sum DEPENDS ${SL_TOOLCHAIN_SUM})

# Other programs depend on the cross compiler's version.
set(SL_CROSS_COMPILER ${CMAKE_BINARY_DIR}/cross-compiler.txt)
execute_process(COMMAND riscv64-unknown-elf-gcc --version OUTPUT_VARIABLE version ERROR_QUIET RESULT_VARIABLE failed)
file(CONFIGURE OUTPUT ${SL_CROSS_COMPILER} CONTENT "${version}" @ONLY)

# simtlab_compile(OUTPUT file [MARKS] FILES file... COMMAND command...): a command that makes a program of files, with
# `simtlab cc` or a cross compiler; MARKS: it runs simtlab-marks. `simtlab cc` takes long enough for a cache
# (tools/program_cache.sh); a cross compiler takes less time than a look into the cache.
function(simtlab_compile)
  cmake_parse_arguments(PARSE_ARGV 0 P "MARKS" "OUTPUT" "FILES;COMMAND")
  list(GET P_COMMAND 0 program)
  set(needs)
  if(program STREQUAL "simtlab")
    list(POP_FRONT P_COMMAND)
    list(PREPEND P_COMMAND $<TARGET_FILE:simtlab>)
    list(APPEND P_FILES ${SL_TOOLCHAIN_SUM})
    list(APPEND needs toolchain_sum)
    set(cached sh ${CMAKE_SOURCE_DIR}/tools/program_cache.sh ${P_OUTPUT} ${CMAKE_BINARY_DIR})
  else()
    list(APPEND P_FILES ${SL_CROSS_COMPILER})
    set(cached)
  endif()
  if(P_MARKS AND TARGET simtlab-marks)
    list(APPEND needs simtlab-marks)
  endif()
  set(files)
  foreach(file ${P_FILES})
    get_filename_component(file ${file} ABSOLUTE)
    list(APPEND files ${file})
  endforeach()
  if(cached)
    list(APPEND cached ${files} --)
  endif()
  file(RELATIVE_PATH name ${CMAKE_BINARY_DIR} ${P_OUTPUT})
  add_custom_command(
    OUTPUT ${P_OUTPUT}
    COMMAND ${cached} ${P_COMMAND}
    DEPENDS ${files} ${needs}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    COMMENT "Compiling ${name}"
    VERBATIM)
endfunction()
