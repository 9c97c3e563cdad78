# Read by the scripts of this folder. SIMTLAB is the command, BUILD the build folder, SOURCE the source tree.
set -u
# Sentences are looked for whole; width.sh is about where lines end.
export COLUMNS=240
# PYTHON is the interpreter itself where ctest gives it.
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

# brief: whether the build is one that is slow (sanitizers), in which a test takes what executes the same code at smaller
# sizes or fewer times. The optimised build does all.
brief() { [ -n "${SIMTLAB_BRIEF:-}" ]; }

# says TEXT, prints TEXT: the last command's standard error, standard output has it. silent: it said nothing.
says() { grep -qF -e "$1" "$work/err" || complain "does not say: $1"; }
prints() { grep -qF -e "$1" "$work/out" || complain "does not print: $1"; }
silent() { [ ! -s "$work/err" ] || complain "is not silent"; }

# has FILE TEXT
has() { grep -qF -e "$2" "$1" || complain "$1 does not have: $2"; }

# same FILE OTHER: whether they are equal, but for where they say that they come from.
same() {
  for file in "$1" "$2"; do
    sed '/^# made by \|"faint origin"/d' "$file" >"$file.said"
  done
  cmp -s "$1.said" "$2.said"
  unequal=$?
  rm -f "$1.said" "$2.said"
  return $unequal
}

finish() {
  [ "$failures" -eq 0 ] || exit 1
  exit 0
}
