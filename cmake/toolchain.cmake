# CMake compiles programs with kernels as it does others, with `simtlab cc` as its compiler:
#
#   cmake -S . -B build --toolchain $(simtlab cc --toolchain) -DSIMTLAB_TARGET=vortex
#
# Executables end in .elf; tests (add_test) and what CMake runs while it configures run on SIMTLAB_MACHINE. The command
# simtlab is that beside which this file is installed, or in whose build folder it is.
set(SIMTLAB_TARGET simt CACHE STRING "What programs are compiled for: simt (SIMTight and Simty), vortex or vortex64")
set(SIMTLAB_OPTIONS "" CACHE STRING "More options of simtlab cc for compiling and linking: --fp --marks=auto ...")
set(SIMTLAB_MACHINE "" CACHE STRING "Machine that tests run on; that of the target by default")
find_program(
  SIMTLAB_COMMAND simtlab
  HINTS "${CMAKE_CURRENT_LIST_DIR}/.." "${CMAKE_CURRENT_LIST_DIR}/../../../bin"
  NO_CMAKE_FIND_ROOT_PATH
  DOC "The command simtlab, which compiles kernels")
if(NOT SIMTLAB_COMMAND)
  message(FATAL_ERROR "The command simtlab is not found; configure with -DSIMTLAB_COMMAND=PATH")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SIMTLAB_COMMAND SIMTLAB_TARGET SIMTLAB_OPTIONS SIMTLAB_MACHINE)

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
separate_arguments(simtlab_options UNIX_COMMAND "${SIMTLAB_OPTIONS}")
foreach(language C CXX ASM)
  set(CMAKE_${language}_COMPILER "${SIMTLAB_COMMAND}" cc --target "${SIMTLAB_TARGET}" ${simtlab_options})
  set(CMAKE_EXECUTABLE_SUFFIX_${language} .elf)
endforeach()
set(CMAKE_ASM_COMPILER_ID GNU) # whichever compiler takes C
foreach(tool AR RANLIB STRIP OBJCOPY OBJDUMP NM READELF)
  string(TOLOWER ${tool} name)
  find_program(CMAKE_${tool} riscv64-unknown-elf-${name} NO_CMAKE_FIND_ROOT_PATH)
endforeach()

set(simtlab_machine "${SIMTLAB_MACHINE}")
if(NOT simtlab_machine)
  set(simtlab_machine simtight)
  if(SIMTLAB_TARGET MATCHES "^vortex(64)?$")
    set(simtlab_machine "${SIMTLAB_TARGET}")
  elseif("--fp" IN_LIST simtlab_options)
    set(simtlab_machine simtight-fp)
  endif()
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR "${SIMTLAB_COMMAND}" run -q -m "${simtlab_machine}")

# Libraries and headers of this computer are none of the machine's.
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
