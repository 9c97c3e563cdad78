# Which sources a command is of: the commit, and whether they have changed since. Written only when it is another, so that a
# commit costs one file and one link. Called at every build with SOURCE, BUILD (what kind of
# build it is) and OUTPUT.
set(commit "")
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET)
if(commit STREQUAL "")
  set(commit "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
  if(NOT changes STREQUAL "")
    string(APPEND commit "+changes")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SL_COMMIT \"${commit}\"\n#define SL_BUILD \"${BUILD}\"\n")
