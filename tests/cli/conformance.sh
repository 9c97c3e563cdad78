# tools/conformance.sh on small suites with the layout of riscv-tests and riscv-arch-test: it reports passed tests,
# skipped tests with reasons, failing tests and signatures that differ.
. "$(dirname "$0")/_lib.sh"
suites=$SOURCE/tests/conformance
tool="env BUILD=$BUILD FAST=1 $SOURCE/tools/conformance.sh"

expect 0 env MACHINES="simtight vortex" $tool "$suites/riscv-tests" add sh amoadd_w fence_i
prints "| simtight | 3 of 3 | 2 of 2 | 2 of 2 | 1 of 1 | 1 of 1 |"
prints "| vortex | 3 of 3 | 3 of 3 | 2 of 2 | 1 of 1 | 1 of 1 |"
prints "rv32ui/fence_i: code is decoded when a program is loaded"
prints "rv32ui/sh: threads share the words that are stored"
prints "rv32ua/amoadd_w: atomics are those of the scratchpad alone"
expect 0 env MACHINES="simty-plus vortex vortex-simx" $tool "$suites/riscv-tests" fadd jal ma_data
prints "| simty-plus | 1 of 1 | 0 of 0 | 1 of 1 | 1 of 1 | 1 of 1 |"
prints "| vortex | 2 of 2 | 2 of 2 | 2 of 2 | 2 of 2 | 2 of 2 |"
prints "| vortex-simx | 3 of 3 | 3 of 3 | 3 of 3 | 3 of 3 | 3 of 3 |"
prints "rv32ui/jal: calls without a return"
prints "rv32ui/ma_data: misaligned accesses are faults"
expect 0 env MACHINES="simty-plus vortex" $tool "$suites/riscv-arch-test" xor-01
prints "| simty-plus | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 |"
prints "| vortex | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 |"

# A test that expects another value, and a reference signature with another word.
cp -r "$suites/riscv-tests" "$suites/riscv-arch-test" "$work"
sed -i 's/TEST_CASE(3, x14, 0,/TEST_CASE(3, x14, 1,/' "$work/riscv-tests/isa/rv32ui/add.S"
expect 1 env MACHINES=simtight $tool "$work/riscv-tests" add
prints "| simtight | 0 of 1 | 0 of 1 | 0 of 1 | 0 of 1 | 0 of 1 |"
prints "rv32ui/add on simtight, host: thread 0: case 3 failed"
rm "$work/riscv-arch-test/riscv-test-suite/rv32i_m/I/references/xor-01.reference_output"
sed -i s/FFFFFFF9/FFFFFFF8/ "$work/riscv-arch-test/riscv-test-suite/rv32i_m/M/references/div-01.reference_output"
expect 1 env MACHINES=simtight $tool "$work/riscv-arch-test"
prints "I/xor-01: there is no reference output"
prints "M/div-01 on simtight, host: the signature differs"

expect 2 $tool "$work"
says "has neither isa (riscv-tests) nor riscv-test-suite/rv32i_m (riscv-arch-test)"
expect 2 $tool "$suites/riscv-tests" nonesuch
says "no test of $suites/riscv-tests is of these names"
finish
