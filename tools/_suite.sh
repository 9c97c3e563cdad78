# Functions of cuda-suite.sh and opencl-suite.sh: builds and runs the programs of $tree and prints a table. The caller
# defines `sources`, the endings of files that can have a main(), and `compile FOLDER OUTPUT SOURCE...`; $seconds is the
# limit of a program.
#
# A folder with a Makefile is built by it, one with a CMakeLists.txt by CMake in its folder build; then each executable
# that it made is a program. Folders below one with a CMakeLists.txt belong to it. In other folders each source file
# with a main() is one, which is linked with the folder's other source files without one. A program runs in its folder
# with the arguments in run.args, or by the script run.sh, if there is one of these. It is right if it ends with status 0
# and its output has no word of failure. Logs are beside the programs, *.log.
programs=0 compiled=0 ran=0 right=0
printf '%-48s %-9s %-5s %-6s %s\n' program compiled ran right reason

row() { # NAME COMPILED RAN RIGHT REASON
  printf '%-48s %-9s %-5s %-6s %.80s\n' "$1" "$2" "$3" "$4" "$5"
  programs=$((programs + 1))
}

first_error() { # LOG
  grep -m 1 -i -e 'error' -e 'simtlab:' -e 'undefined' "$1" || tail -n 1 "$1"
}

# Lines with a word of failure; "0 errors" and "errors: 0" are none.
complaints() { # LOG
  grep -ivE '(^|[^0-9.])0 +(fail|mismatch|error|wrong)|(fail|mismatch|error|wrong|matching)[^0-9]*[:=] *0+(\.0*)?$' "$1" |
    grep -iE '(^|[^a-z])(fail(ed|ures?)?|mismatch(es)?|incorrect|wrong|error:|non-matching)([^a-z]|$)'
}

run_program() { # FOLDER EXECUTABLE NAME
  log=$2.log
  compiled=$((compiled + 1))
  if [ -f "$1/run.sh" ]; then
    (cd "$1" && timeout "$seconds" sh ./run.sh) >"$log" 2>&1 </dev/null
  else
    # shellcheck disable=SC2046
    (cd "$1" && timeout "$seconds" "$2" $(cat run.args 2>/dev/null)) >"$log" 2>&1 </dev/null
  fi
  status=$?
  if [ "$status" -eq 124 ]; then
    row "$3" yes no - "not done after $seconds s"
  elif [ "$status" -gt 128 ]; then
    row "$3" yes no - "signal $((status - 128))"
  else
    ran=$((ran + 1))
    if [ "$status" -eq 0 ] && ! complaints "$log" >/dev/null; then
      right=$((right + 1))
      row "$3" yes yes yes ""
    else
      row "$3" yes yes no "$([ "$status" -eq 0 ] || echo "status $status: ")$(complaints "$log" | head -n 1)"
    fi
  fi
}

executables() { # FOLDER
  find "$1" -maxdepth 1 -type f -perm -u+x ! -name '*.sh' ! -name '*.so' ! -name '*.py' | sort
}

has_main() {
  case $1 in
  *.py) true ;;
  *) grep -qE '(^|[^A-Za-z0-9_])main[[:space:]]*\(' "$1" ;;
  esac
}

run_executables() { # FOLDER NAME
  for executable in $(executables "$1"); do
    run_program "$1" "$executable" "$2$(basename "$executable")"
  done
}

by_cmake= # folders that CMake builds
for folder in $(find "$tree" -type d | sort); do
  name=${folder#"$tree"}
  name=${name#/}${name:+/}
  for above in $by_cmake; do
    case $folder in "$above"/*) continue 2 ;; esac
  done
  if [ ! -f "$folder/Makefile" ] && [ ! -f "$folder/makefile" ] && [ -f "$folder/CMakeLists.txt" ]; then
    by_cmake="$by_cmake $folder"
    if cmake -S "$folder" -B "$folder/build" >"$folder/make.log" 2>&1 && make -C "$folder/build" >>"$folder/make.log" 2>&1; then
      for part in $(find "$folder/build" -type d ! -path '*/CMakeFiles*' | sort); do
        run_executables "$part" "$name"
      done
    else
      row "${name:-.}" no - - "$(first_error "$folder/make.log")"
    fi
    continue
  fi
  if [ -f "$folder/Makefile" ] || [ -f "$folder/makefile" ]; then
    if ! make -C "$folder" >"$folder/make.log" 2>&1; then
      [ -n "$(executables "$folder")" ] || row "${name:-.}" no - - "$(first_error "$folder/make.log")"
    fi
    run_executables "$folder" "$name"
    continue
  fi
  others=
  for file in "$folder"/*.cu "$folder"/*.c "$folder"/*.cpp "$folder"/*.cc; do
    [ -f "$file" ] && ! has_main "$file" && others="$others $file"
  done
  for ending in $sources; do
    for file in "$folder"/*."$ending"; do
      [ -f "$file" ] && has_main "$file" || continue
      executable=${file%."$ending"}
      # shellcheck disable=SC2086
      if compile "$folder" "$executable" "$file" $others >"$executable.log" 2>&1 ||
        { [ -n "$others" ] && compile "$folder" "$executable" "$file" >"$executable.log" 2>&1; }; then
        run_program "$folder" "$executable" "$name$(basename "$executable")"
      else
        row "$name$(basename "$executable")" no - - "$(first_error "$executable.log")"
      fi
    done
  done
done
echo "$programs programs: $compiled compiled, $ran ran, $right right"
[ "$right" -eq "$programs" ]
