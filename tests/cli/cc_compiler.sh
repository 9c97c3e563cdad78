# simtlab cc in build systems: separate compilation and linking, mixed command lines, dependency files, response files,
# queries, exit statuses.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs
cd "$work" || exit 1
mkdir tmp include
export TMPDIR="$work/tmp"
prints_lines() { [ "$(wc -l <"$work/out")" -eq "$1" ] || complain "prints $(wc -l <"$work/out") lines instead of $1"; }

# A program of two C files, an assembly file and a library. The second C file is in a folder and includes a header.
cat >main.c <<'C'
#include <numbers.h>
#include <stdio.h>
int main(void)
{
  printf("%d %d %d\n", from_c(), from_assembly(), from_library());
  return 0;
}
C
cat >include/numbers.h <<'C'
int from_c(void), from_assembly(void), from_library(void);
C
echo 'int from_c(void) { return GIVEN; }' >c.c
printf '#define NUMBER 2\n.globl from_assembly\nfrom_assembly: li a0, NUMBER\nret\n' >assembly.S
echo 'int from_library(void) { return 3; }' >library.c
expect 0 "$SIMTLAB" cc -c -Wall -std=c99 -isystem include main.c
silent
[ -f main.o ] && [ ! -e a.out ] || complain "main.o is not the only output"
expect 0 "$SIMTLAB" cc -c library.c -o library_part.o
expect 0 riscv64-unknown-elf-ar rcs libparts.a library_part.o
expect 0 "$SIMTLAB" cc -Dunused -D GIVEN=1 main.o c.c assembly.S -L. -lparts -Wl,-Map=program.map -o program.elf -Wno-missing-prototypes
expect 0 "$SIMTLAB" run -q program.elf
prints "1 2 3"
[ -s program.map ] || complain "-Wl, does not reach the linker"
expect 0 "$SIMTLAB" cc main.o -x c c.c -DGIVEN=4 -x none assembly.S libparts.a
expect 0 "$SIMTLAB" run -q a.out
prints "4 2 3"
printf '%s\n' "-isystem include '-DGIVEN=5'" main.c '"c.c"' assembly.S >words
expect 0 "$SIMTLAB" cc @words libparts.a -o response.elf
expect 0 "$SIMTLAB" run -q response.elf
prints "5 2 3"
echo @words >words
expect 2 "$SIMTLAB" cc @words
says "name each other without an end"

# Objects contain compiler-placed marks, too: on this machine a divergent branch without marks is a fault.
if [ -x "$BUILD/simtlab-marks" ]; then
  sed 's/int main(void)/int parts_main(void)/' "$programs/plain_control.c" >parts.c
  echo 'int parts_main(void); int main(void) { return parts_main(); }' >entry.c
  for options in "-c -O1" "-S"; do
    rm -f parts.o parts.s
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" cc --target vortex -Wno-missing-prototypes $options parts.c
    made=$(ls parts.[os])
    expect 0 "$SIMTLAB" cc --target vortex entry.c "$made" -o parts.elf
    expect 0 "$SIMTLAB" run -q --fast -m vortex --set divergent_branch.faults=true parts.elf
    prints ": 0 of "
    silent
  done
  has parts.s ".insn r 11, 2, 0"
fi

# Dependency files list the inputs of the result for make.
for options in "" --clang --marks=auto "--target vortex"; do
  [ -x "$BUILD/simtlab-marks" ] || [ "${options#--[mt]a}" = "$options" ] || continue
  mkdir made
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc $options -c -MMD -MP -Iinclude main.c -o made/main.o
  grep -q '^made/main.o: *main.c' made/main.d || complain "made/main.d lacks inputs of made/main.o"
  has made/main.d include/numbers.h:
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc $options -c -MD -MF named.d -MT thing -Iinclude main.c -o made/main.o
  grep -q '^thing: *main.c' named.d || complain "named.d lacks inputs of thing"
  has named.d stdio.h
  rm -r made
done
expect 0 "$SIMTLAB" cc -MMD -o simple.elf entry.c -Dparts_main=puts_nothing -Wl,--defsym=puts_nothing=0
has simple.d "simple.elf: entry.c"
expect 0 "$SIMTLAB" cc -MM -Iinclude main.c
prints "main.o: main.c include/numbers.h"

# Options that stop at an earlier step; source from standard input.
echo 'GIVEN NUMBER' >text.c
expect 0 "$SIMTLAB" cc -E -P -DGIVEN=7 -UNUMBER text.c
prints "7 NUMBER"
silent
expect 0 "$SIMTLAB" cc -E -P -DGIVEN=8 -o text.i text.c
has text.i "8 NUMBER"
command="cc -x c -"
echo 'int from_input(void) { return 0; }' | "$SIMTLAB" cc -c -x c - -o input.o 2>"$work/err" || complain "fails"
echo | "$SIMTLAB" cc -E -dM - >macros || complain "does not preprocess the standard input"
has macros '__riscv_xlen 32'
expect 0 "$SIMTLAB" cc -fsyntax-only -DGIVEN=1 c.c
[ ! -e c.o ] || complain "-fsyntax-only makes an object"
expect 0 "$SIMTLAB" cc -S -DGIVEN=1 c.c
has c.s from_c
expect 0 "$SIMTLAB" cc -r -o joined.o main.o library_part.o
expect 0 "$SIMTLAB" cc joined.o c.c assembly.S -DGIVEN=6 -o joined.elf
expect 0 "$SIMTLAB" run -q joined.elf
prints "6 2 3"

# Options that show commands without running them, and queries.
expect 0 "$SIMTLAB" cc '-###' -o shown.elf c.c
says "riscv64-unknown-elf-gcc"
says "-o shown.elf"
[ ! -e shown.elf ] || complain "-### compiles"
expect 0 "$SIMTLAB" cc --version
prints "Free Software Foundation"
prints "called by simtlab"
expect 0 "$SIMTLAB" cc --version --clang
prints "clang version 19"
expect 0 "$SIMTLAB" cc -dumpmachine
prints "riscv64-unknown-elf"
expect 0 "$SIMTLAB" cc --clang -dumpmachine
prints "riscv32"
expect 0 "$SIMTLAB" cc -Wl,--version
prints "GNU ld"
expect 0 "$SIMTLAB" cc -v
says "gcc version"

# Exit statuses: 1 for an error in the source, 2 for an error on the command line.
echo 'int main(' >wrong.c
expect 1 "$SIMTLAB" cc -c wrong.c
says "wrong.c:1"
[ ! -e wrong.o ] || complain "leaves an object of an invalid source"
expect 1 "$SIMTLAB" cc -c -Werror -Wunused -O2 -Dfrom_c='a(void){int b;return 0;}int c' -DGIVEN=1 c.c
expect 1 "$SIMTLAB" cc -o x.elf main.o
says "undefined reference to"
expect 1 "$SIMTLAB" cc -fno-such-option -c library.c
says "-fno-such-option"
expect 2 "$SIMTLAB" cc -c -o x.o main.c c.c
says "-o x.o is one file, and 2 are compiled"
expect 2 "$SIMTLAB" cc -c - -o x.o
says "which language is the standard input in"
expect 2 "$SIMTLAB" cc -c x.f90
says "x.f90: neither C"
expect 2 "$SIMTLAB" cc -shared -o x.so main.o
says "linked statically"
expect 2 "$SIMTLAB" cc -flto -c library.c
says "leave it out"
expect 2 "$SIMTLAB" cc -c library.c -D
says "-D needs a value"

# -march: features of the machine are accepted; others are an error that names them.
march() { # STATUS TARGET MARCH SENTENCE
  # shellcheck disable=SC2086
  expect "$1" "$SIMTLAB" cc $2 -march=$3 -c library.c
  [ -z "$4" ] || says "$4"
}
march 0 "" rv32im ""
march 0 "" rv32i2p0_m_zicsr ""
march 0 --fp rv32ima_zfinx ""
march 0 "--target vortex --marks=user" rv32imaf ""
march 0 --rv32e rv32em ""
march 2 "" rv64gc "SIMTight and Simty have 32 bits"
march 2 "" rv32imac "cannot run 'c'; leave it out"
march 2 "" rv32imaf "by --fp"
march 2 "" rv32ima_zicsr_zfinx "by --fp"
march 2 "" rv32g "G stands for"
march 2 "" rv32em "--rv32e"
march 2 --rv32e rv32im "write rv32e"
march 2 "--target vortex" rv32imafd "Vortex cannot run 'd'"
march 2 "--target vortex" rv32imaf_zba "cannot run 'zba'"
expect 2 "$SIMTLAB" cc -mabi=ilp32d -c library.c
says "are compiled for ilp32"
[ -z "$(ls -A tmp)" ] || complain "leaves temporary files: $(ls tmp)"
finish
