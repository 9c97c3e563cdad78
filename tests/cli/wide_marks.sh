# The 64-bit back end preserves convergence marks across its changes to blocks and branches. Divergent kernels are right
# on a machine where a divergent branch without marks is a fault, with manual and automatic marks, for few and many
# registers.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
command -v llc-19 >/dev/null || { echo "skipped: no llc-19"; exit 77; }

# compiles OPTION... FILE: compiles to p.elf without diagnostics.
compiles() {
  expect 0 "$SIMTLAB" cc --target vortex64 -o p.elf "$@"
  silent
}
# right MACHINE-OPTION...
right() {
  expect 0 "$SIMTLAB" run -q -m vortex64 --set registers=256 --set divergent_branch.faults=true "$@" p.elf
  silent
}

set -- "--registers 32 --allocation unaware" "--registers 20" "--registers 256 --banks 8 --allocation first-fit"
! brief || set -- "--registers 32 --allocation unaware"
for options; do
  for program in plain_control plain_kernels; do
    # shellcheck disable=SC2086
    compiles -w $options "$programs/$program.c"
    right --fast
    brief || right --fast --set lanes=4
  done
  prints "convolution: 0 of 960 wrong"
  for marks in user auto; do
    # shellcheck disable=SC2086
    compiles -w $options --marks=$marks "$programs/divergence.c"
    right --fast --set lanes=32 --set warps=4
    prints "0 results wrong, sum 8010 of 8010"
    # shellcheck disable=SC2086
    compiles -w $options --marks=$marks "$programs/rounds.c"
    right --fast --set cores=4 --set lanes=4 --set warps=2
    prints "barrier: status 1, then right"
  done
done
compiles "$programs/divergence.c"
right
prints "0 results wrong, sum 8010 of 8010"
compiles "$programs/templates.cc"
right --fast
prints "0 rows wrong"
finish
