# How tests are declared. `ctest -L check` runs the tests of `make check`; `ctest -L full` runs the others, which
# tests/full.txt lists with the reason why each takes over five seconds of CPU. tools/check_costs.sh compares costs.

add_executable(timed_test ${CMAKE_SOURCE_DIR}/tests/support/timed_test.c)
target_link_libraries(timed_test PRIVATE simtlab_flags)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/full.txt)
file(STRINGS ${CMAKE_SOURCE_DIR}/tests/full.txt SL_FULL_TESTS REGEX "^[a-z]")

# simtlab_test(NAME name [LABELS label...] COMMAND target-or-program [argument...])
function(simtlab_test)
  cmake_parse_arguments(PARSE_ARGV 0 T "" "NAME" "LABELS;COMMAND")
  set(reason ${SL_FULL_TESTS})
  list(FILTER reason INCLUDE REGEX "^${T_NAME}: ")
  string(REGEX REPLACE "^[^ ]*: " "" reason "${reason}")
  list(POP_FRONT T_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  add_test(NAME ${T_NAME} COMMAND timed_test ${CMAKE_BINARY_DIR}/test-costs.txt ${T_NAME} "${reason}" ${program} ${T_COMMAND})
  if(reason)
    list(APPEND T_LABELS full)
  else()
    list(APPEND T_LABELS check)
  endif()
  set_tests_properties(${T_NAME} PROPERTIES LABELS "${T_LABELS}")
endfunction()

# test_runner(runner [PREFIX prefix] SOURCES source... [LABELS label...]): one program of many files with a main() each, and
# a test per file, named PREFIX and the file's name. A link takes half a second, so that one is better than a hundred.
function(test_runner runner)
  cmake_parse_arguments(PARSE_ARGV 1 R "" "PREFIX" "SOURCES;LABELS")
  set(declarations)
  set(rows)
  set(tests)
  foreach(source ${R_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS main=${name}_main)
    string(APPEND declarations "int ${name}_main(void);\n")
    string(APPEND rows "  {\"${name}\", ${name}_main},\n")
    list(APPEND tests ${R_PREFIX}${name})
    simtlab_test(NAME ${R_PREFIX}${name} LABELS ${R_LABELS} COMMAND ${CMAKE_CURRENT_BINARY_DIR}/${runner} ${name})
  endforeach()
  configure_file(${CMAKE_SOURCE_DIR}/tests/support/runner.c.in ${CMAKE_CURRENT_BINARY_DIR}/${runner}.c @ONLY)
  add_executable(${runner} ${CMAKE_CURRENT_BINARY_DIR}/${runner}.c ${R_SOURCES})
  target_link_libraries(${runner} PRIVATE simtlab_lib ${SL_LIBRARIES} PkgConfig::CMOCKA)
  set(${runner} ${tests} PARENT_SCOPE) # the names of its tests
endfunction()
