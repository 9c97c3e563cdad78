# Jumps may leave annotated statements as the language defines, on every machine. The compiler rejects the jumps for
# which C cannot remove the annotation.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
cp "$SOURCE/tests/cli/programs/leave.c" leave.c
cp leave.c leave.cc
cat >expected <<'E'
if_break 0: 0 1 2 3 0 1 2 3 0 1 2 3
if_continue 0: 5 5 5 5 5 5 5 5 5 5 5 5
return_early 0: 1 41 41 1 41 41 1 41 41 1 41 41
go_back 0: 40 41 42 43 44 45 46 47 48 49 50 51
switch_inside 0: 1 7 5 5 1 7 5 5 1 7 5 5
nested 0: 10 10 10 10 10 10 10 10 10 10 10 10
own_loop 0: 5 5 5 5 5 5 5 5 5 5 5 5
E
cp expected all
cat >>all <<'E'
loop_around 0: 3 3 3 3 3 3 3 3 3 3 3 3
turn_around 0: 4 4 4 4 4 4 4 4 4 4 4 4
switch_around 0: 7 3 7 3 7 3 7 3 7 3 1 3
E

# right MACHINE EXPECTED OPTION...: the program compiled with these options prints these lines.
right() {
  machine=$1 lines=$2
  shift 2
  expect 0 "$SIMTLAB" cc "$@" -o p.elf
  expect 0 "$SIMTLAB" run -q --fast -m "$machine" p.elf
  sed 's/^#0: //' "$work/out" >got
  cmp -s "$lines" got || complain "$machine: $(diff "$lines" got)"
}
right simtight expected leave.c
right simtight all -DAROUND leave.cc
right simtight all -DAROUND --marks=auto leave.c
right vortex all -DAROUND --target vortex leave.c
right sm7-1 all -DAROUND --target sm7 leave.c
if ! brief; then
  right simtight expected -O0 leave.c
  right simtight expected --clang leave.c
  right simty-plus all -DAROUND --no-marks leave.c
  right vortex64 all -DAROUND --target vortex64 leave.c
fi
expect 1 "$SIMTLAB" cc -DAROUND -o p.elf leave.c
says "inlined from 'loop_around_body' at leave.c:"
says "break\` inside SIMT_DIVERGE would leave only the annotation"
finish
