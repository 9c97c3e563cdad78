# Faults: simtlab exits with status 3. The message names machine, block, warp, lanes, pc, function, source line and
# instruction, on the SM in both modes and on the host. Output printed before the fault appears.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs

# build FILE NAME: compiles $work/NAME.elf with -DFAULT_NAME.
build() {
  command="compiling $1 with FAULT_$2"
  riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -g -nostdlib -static -DFAULT_"$2" \
    -T "$SOURCE/reference/simtight/link.ld" -o "$work/$2.elf" "$programs/$1.S" 2>"$work/err" || complain "does not compile"
}

# line FILE NAME: the line of the faulting instruction.
line() { grep -n "# FAULT_$2\\b" "$programs/$1.S" | cut -d: -f1; }

# stops STATUS OPTION... PROGRAM: runs the program; it prints its output up to the fault, and nothing after it.
stops() {
  expect "$@"
  prints "so far"
  grep -q after "$work/out" && complain "continues"
}

# sm NAME LANES INSTRUCTION PROBLEM: uses $options.
options=
sm() {
  build sm_faults "$1"
  for mode in "-q" "-qf"; do
    stops 3 "$SIMTLAB" run $mode $options --max-cycles 1000000 --stats "$work/stats.json" "$work/$1.elf"
    says "simtlab: simtight SM, block slot 2, warp 5, $2, pc 0x08000"
    says " in kernel+0x"
    says "(sm_faults.S:$(line sm_faults "$1"))"
    [ -z "$3" ] || says ", \`$3\`: "
    says "$4"
    [ "$(wc -l <"$work/err")" -eq 1 ] || complain "says more than a sentence"
    has "$work/stats.json" '"outcome": "fault"'
    has "$work/stats.json" '"message": "simtight SM, block slot 2'
  done
}

sm UNKNOWN "lanes 0-31" "" "0xffffffff is not an instruction of this machine"
sm MALFORMED "lanes 0-31" "" "0x02051513 is not an instruction of this machine"
sm FLOAT "lanes 0-31" "" "floating point needs a machine with fpu=true"
sm LRSC "lanes 0-31" "" "is not an instruction of this machine"
sm MISALIGNED "lanes 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31" "lh t2,2(t1)" \
  "address 0x10000007 is not a multiple of the access's 2 bytes"
sm MISALIGNED_STORE "lanes 0-31" "sw a0,0(t1)" "address 0x10000001 is not a multiple of the access's 4 bytes"
sm NULL "lanes 0-31" "lw t1,8(zero)" "address 0x00000008 is outside data memory"
sm CODE "lane 31" "sb a0,0(t1)" "is outside data memory"
sm ATOMIC "lanes 0-31" "amoadd.w t0,a0,(a4)" "atomic on address 0x10000000, which is not in the scratchpad"
sm NEST_OVERFLOW "lanes 0-31" "simt.push" "nesting level above 31"
sm NEST_UNDERFLOW "lanes 0-31" "simt.pop" "nesting level below 0"
sm DIVERGED "lanes 0-7" "csrrw zero,0x830,zero" "a warp command (barrier or end) needs all lanes"
sm DIVERGED_END "lanes 16-31" "csrrw zero,0x830,t2" "a warp command (barrier or end) needs all lanes"
sm CSR "lanes 0-31" "csrrs t0,0x123,zero" "0x123 is not a CSR of this processor"
sm ECALL "lanes 0-31" "ecall" "there is no operating system to call"
sm DEADLOCK "lanes 0-31" "csrrw zero,0x830,zero" "barrier that can never complete: other warps of the block have ended"
says "warps 0-4,6-63 ended at pc 0x080004"
says "warp 5 waiting at the barrier at pc 0x080004"

sm JUMP "lanes 0-31" "jalr ra,256(zero)" "jumps to 0x00000100, where there is no program"
sm JUMP_ODD "lanes 0-31" "jalr zero,0(t1)" "jumps to 0x080004"
sm BRANCH "lanes 0-31" "beq zero,zero,7fff46c" "jumps to 0x07fff"
options="--set stack.bytes=2048"
sm STACK "lanes 0-31" "sw a0,0(sp)" "is below the thread's own stack"
options=
# With enough stack there is no fault.
expect 0 "$SIMTLAB" run -q "$work/STACK.elf"
build sm_faults END_OF_CODE
stops 3 "$SIMTLAB" run -q "$work/END_OF_CODE.elf"
says "pc 0x08007ffc"
says "0x00000000 is not an instruction"

# Compressed register file: slots that ended warps still hold can be missing. 63 x 4 are in use, 64 must be free.
build spill DEADLOCK
slots="-m simtight-rfc --set registers.slots=316"
for spilling in "" "--set registers.spill_policy=first" "--set registers.spill_policy=round-robin" "--set scalar=true"; do
  stops 3 "$SIMTLAB" run -q $slots $spilling --max-cycles 1000000 "$work/DEADLOCK.elf"
  says "simtlab: simtight-rfc SM, block slot 0, warp 63, lanes 0-31, pc 0x08000"
  says "(spill.S:$(line spill DEADLOCK)), \`xor t1,s2,a1\`: only 63 vector slots are free"
  says "Set registers.free_ended=true, or registers.slots higher"
  expect 0 "$SIMTLAB" run -q $slots $spilling --set registers.free_ended=true "$work/DEADLOCK.elf"
  prints "after"
done
expect 0 "$SIMTLAB" run -q -m simtight-rfc --set registers.slots=317 "$work/DEADLOCK.elf"
expect 0 "$SIMTLAB" run -q "$work/DEADLOCK.elf"
expect 0 "$SIMTLAB" run -qf $slots "$work/DEADLOCK.elf"

# Traces contain everything up to the fault.
expect 3 "$SIMTLAB" run -q --trace-commits "$work/trace" "$work/NULL.elf"
grep " 5 ffffffff " "$work/trace" | tail -1 | grep -q " bne t0,zero," || complain "the trace does not end before the fault"

# host NAME INSTRUCTION PROBLEM
host() {
  build host_faults "$1"
  stops 3 "$SIMTLAB" run -q "$work/$1.elf"
  says "simtlab: simtight host CPU, pc 0x08000"
  says " in host+0x"
  says "(host_faults.S:$(line host_faults "$1"))"
  [ -z "$2" ] || says ", \`$2\`: "
  says "$3"
}

host UNKNOWN "" "0xffffffff is not an instruction of this machine"
host MISALIGNED "lw a1,2(a0)" "address 0x10000002 is not a multiple of the access's 4 bytes"
host NULL "sw a1,0(zero)" "address 0x00000000 is outside data memory"
host ATOMIC "amoadd.w a1,a2,(a0)" "address 0x10000002 is not a multiple of the access's 4 bytes"
host CSR "csrrs a1,0x123,zero" "0x123 is not a CSR of this processor"
host ECALL "ebreak" "there is no operating system to call"
host INPUT "" "the program waits for console input, but its input has ended"
host JUMP "jalr ra,256(zero)" "jumps to 0x00000100, where there is no program"
build host_faults LAUNCH
stops 3 "$SIMTLAB" run -q "$work/LAUNCH.elf"
says "simtight SM, block slot 0, warp 0, lanes 0-31, pc 0x12345000"

# Endless programs stop at the limit: status 4 and the current place.
build sm_faults ENDLESS
for mode in "-q" "-qf"; do
  stops 4 "$SIMTLAB" run $mode --max-cycles 20000 --stats "$work/stats.json" "$work/ENDLESS.elf"
  says "simtight: the limit of 20000 cycles was reached and the kernel still runs: "
  grep -Eq "warps? 5[^ ]* at pc 0x[0-9a-f]+ in kernel\+0x[0-9a-f]+ \(sm_faults.S:($(line sm_faults ENDLESS)|$(($(line sm_faults ENDLESS) + 1)))\)" \
    "$work/err" || complain "does not name the place of warp 5"
  has "$work/stats.json" '"outcome": "limit"'
done
build host_faults ENDLESS
stops 4 "$SIMTLAB" run -q --max-cycles 20000 "$work/ENDLESS.elf"
says "simtight: the limit of 20000 cycles was reached and the host program still runs: host+0x"
finish
