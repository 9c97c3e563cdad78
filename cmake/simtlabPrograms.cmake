# simtlab_add_program(NAME SOURCES FILE... [TARGET simt|vortex] [OPTIONS OPTION...] [DEPENDS FILE...])
#
# A target NAME, part of `all`, that makes NAME.elf in the current binary folder by `simtlab cc`. FILEs are what the command
# takes, OPTIONS are options of it (--fp, -DN=4, ...), TARGET is its --target; its target property SIMTLAB_PROGRAM is the
# program's path. The program is made again when a file changes that it was made of: by GCC these are found out with all
# headers; for Clang (--fp, --clang, Vortex) the headers beside the sources and in the folders of -I count. DEPENDS names
# others.
#
# Included by find_package(simtlab), or by itself: build/simtlabPrograms.cmake of a build folder.
find_program(
  SIMTLAB_COMMAND simtlab
  HINTS "${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../../bin"
  NO_CMAKE_FIND_ROOT_PATH
  DOC "The command simtlab, which compiles kernels")

# Makes the folders of -I options absolute, for GCC names headers by them and CMake reads such names elsewhere.
function(_simtlab_options options_variable folders_variable)
  set(options)
  set(folders)
  set(is_folder FALSE)
  foreach(option ${${options_variable}})
    if(is_folder OR option MATCHES "^-I.")
      string(REGEX REPLACE "^-I" "" folder ${option})
      get_filename_component(folder ${folder} ABSOLUTE)
      list(APPEND options -I${folder})
      list(APPEND folders ${folder})
      set(is_folder FALSE)
    elseif(option STREQUAL "-I")
      set(is_folder TRUE)
    else()
      list(APPEND options ${option})
    endif()
  endforeach()
  set(${options_variable} ${options} PARENT_SCOPE)
  set(${folders_variable} ${folders} PARENT_SCOPE)
endfunction()

function(simtlab_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" TARGET "SOURCES;OPTIONS;DEPENDS")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "simtlab_add_program(${name}): write simtlab_add_program(NAME SOURCES FILE... [TARGET simt|vortex] "
                        "[OPTIONS OPTION...] [DEPENDS FILE...])")
  endif()
  if(NOT SIMTLAB_COMMAND)
    message(FATAL_ERROR "simtlab_add_program(${name}): the command simtlab is not found; install the package simtlab, or "
                        "configure with -DSIMTLAB_COMMAND=PATH")
  endif()
  set(sources)
  set(headers)
  _simtlab_options(arg_OPTIONS folders)
  foreach(source ${arg_SOURCES})
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND sources ${source})
    get_filename_component(folder ${source} DIRECTORY)
    list(APPEND folders ${folder})
  endforeach()
  if("--fp" IN_LIST arg_OPTIONS
     OR "--clang" IN_LIST arg_OPTIONS
     OR "--marks=auto" IN_LIST arg_OPTIONS
     OR arg_TARGET STREQUAL "vortex")
    list(TRANSFORM folders APPEND "/*.h")
    file(GLOB headers CONFIGURE_DEPENDS ${folders})
  endif()
  if(arg_TARGET)
    list(PREPEND arg_OPTIONS --target ${arg_TARGET})
  endif()
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${name}.elf)
  # GCC adds a rule to the file for everything it compiles.
  set(dependencies ${CMAKE_CURRENT_BINARY_DIR}/${name}.d)
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${dependencies}
    COMMAND ${CMAKE_COMMAND} -E touch ${dependencies}
    COMMAND ${CMAKE_COMMAND} -E env "DEPENDENCIES_OUTPUT=${dependencies} ${program}" ${SIMTLAB_COMMAND} cc ${arg_OPTIONS} -o
            ${program} ${sources}
    DEPENDS ${sources} ${headers} ${arg_DEPENDS} ${SIMTLAB_COMMAND}
    DEPFILE ${dependencies}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Compiling kernels: ${name}.elf"
    VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${program})
  set_target_properties(${name} PROPERTIES SIMTLAB_PROGRAM ${program})
endfunction()
