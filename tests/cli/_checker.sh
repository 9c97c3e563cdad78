# Helpers of the tests of the checker: they compare its findings with the marks in a program's source.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/check
cd "$work" || exit 1

# found SOURCE: the last command's findings are the marked lines of the source.
found() { python3 "$programs/compare.py" "$1" err >said || complain "$(python3 "$programs/compare.py" "$1" err 2>&1)"; }

# status SOURCE STATUS: STATUS if the source has marks, else 0.
status() { grep -qi '// [a-z]' "$1" && echo "$2" || echo 0; }

# checks MACHINE TARGET NAME: a program in C has the findings of its marks.
checks() {
  expect 0 "$SIMTLAB" cc --target "$2" -g -o "$3.elf" "$programs/c/$3.c"
  expect "$(status "$programs/c/$3.c" 1)" "$SIMTLAB" check -q -m "$1" "$3.elf"
  found "$programs/c/$3.c"
}
