# On a processor without the instructions that the build needs, the command says what is missing. A build for all
# levels needs none and runs.
. "$(dirname "$0")/_lib.sh"
unsanitized "$SIMTLAB" "qemu cannot map the shadow of a sanitized program"
command="simtlab --version on a processor of 2008"
qemu-x86_64 -cpu Nehalem "$SIMTLAB" --version >"$work/out" 2>"$work/err"
case $? in
0) prints "simtlab " ;;
2) says "this build needs a processor with x86-64-v3" ;;
*) complain "neither runs nor says why" ;;
esac
command="simtlab --version on a processor of 2013"
qemu-x86_64 -cpu Haswell "$SIMTLAB" --version >"$work/out" 2>"$work/err" || complain "does not run"
prints "simtlab "
finish
