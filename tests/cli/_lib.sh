# Helpers for the scripts of this folder. SIMTLAB is the command, BUILD the build folder, SOURCE the source tree.
set -u
# Tests compare whole sentences, so lines are wide here; width.sh tests wrapping.
export COLUMNS=240
# ctest sets PYTHON to the interpreter itself.
python3() { command "${PYTHON:-python3}" "$@"; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
command=

complain() {
  echo "FAILED: $command: $*"
  sed 's/^/  stderr: /' "$work/err" 2>/dev/null | head -5
  failures=$((failures + 1))
}

# expect STATUS COMMAND...: runs it without input, output to $work/out and $work/err, and checks the exit status.
expect() {
  wanted=$1
  shift
  command="$*"
  "$@" >"$work/out" 2>"$work/err" </dev/null
  got=$?
  [ "$got" -eq "$wanted" ] || complain "exit status $got instead of $wanted"
}

# brief: succeeds in a slow build (sanitizers). Tests then run the same code at smaller sizes or fewer times. The
# optimised build runs everything.
brief() { [ -n "${SIMTLAB_BRIEF:-}" ]; }

# says TEXT: the last command's standard error contains TEXT. prints TEXT: its standard output does. silent: standard
# error is empty, but for the linker's warnings of a library with sanitizers.
says() { grep -qF -e "$1" "$work/err" || complain "does not say: $1"; }
prints() { grep -qF -e "$1" "$work/out" || complain "does not print: $1"; }
silent() { ! grep -qv "libasan.*: warning: the use of" "$work/err" || complain "is not silent"; }

# has FILE TEXT
has() { grep -qF -e "$2" "$1" || complain "$1 does not have: $2"; }

# same FILE OTHER: the files are equal except for their provenance.
same() {
  for file in "$1" "$2"; do
    sed '/^# made by \|"faint origin"/d' "$file" >"$file.said"
  done
  cmp -s "$1.said" "$2.said"
  unequal=$?
  rm -f "$1.said" "$2.said"
  return $unequal
}

# Programs that load a library with sanitizers need their run-time library first. Such programs may leak.
sanitized() {
  if ldd "$1" | grep -q libasan; then
    export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}" LD_PRELOAD="$(gcc -print-file-name=libasan.so)"
  fi
}

# The leak sanitizer fails with signal 11 in programs that load the OpenCL library at run time.
no_leaks() {
  export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}"
}

# unsanitized FILE WHY: the test is skipped if FILE is sanitized.
unsanitized() {
  ! ldd "$1" | grep -q libasan || { echo "skipped: $2"; exit 77; }
}

finish() {
  [ "$failures" -eq 0 ] || exit 1
  exit 0
}
