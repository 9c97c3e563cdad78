# Programs of 64-bit words run only on machines of that kind; the listing shows conflicts. RV32 with floating-point
# registers.
. "$(dirname "$0")/_lib.sh"

# An executable as the authors' compiler writes it: an ELF header of RISC-V, code at 0x80000000 regardless of the entry.
# Each thread stores its index and returns; an invalid word follows.
python3 - "$work/authors.elf" <<'P'
import struct, sys
words = [0x0000F14000041473,  # csrr a0, mhartid
         0x0000002000A21613,  # slli a1, a0, 2
         0x00000000A0B01833,  # add a2, a1, a0: banks 3 and 2
         0x00000000A0E01833,  # add a2, a4, a0: bank 2 twice
         0x0000000000100067]  # ret
code = b''.join(struct.pack('<Q', w) for w in words) + b'\xff' * 8
header = struct.pack('<16sHHIIIIIHHHHHH', b'\x7fELF\x01\x01\x01' + b'\0' * 9, 2, 243, 1, 0x80000008, 52, 0, 2, 52, 32, 1, 40, 0, 0)
segment = struct.pack('<8I', 1, 0x60, 0x80000000, 0x80000000, len(code), len(code), 5, 8)
open(sys.argv[1], 'wb').write((header + segment).ljust(0x60, b'\0') + code)
P
# The same with no entry named.
cp "$work/authors.elf" "$work/no_entry.elf"
printf '\000\000\000\000' | dd of="$work/no_entry.elf" bs=1 seek=24 conv=notrunc 2>/dev/null
for program in authors no_entry; do
  for mode in --quiet --fast; do
    expect 0 "$SIMTLAB" run $mode -m cyclotron --stats "$work/s.json" "$work/$program.elf"
    python3 - "$work/s.json" <<'P' || complain "the counts are not those of the program"
import json, sys
c = {k: v['value'] for k, v in json.load(open(sys.argv[1]))['launches'][0]['counters'].items()}
# From 0x80000000 on: shift 1, two additions of 2, return 1; the CSR is not counted.
assert (c['thread_instrs'], c['register_reads'], c['bank_conflicts']) == (4 * 5, 4 * 6, 4), c
P
  done
done
expect 0 "$SIMTLAB" disasm --isa wide64 "$work/authors.elf"
prints "add	a2,a4,a0  # bank 2: a4, a0"
[ "$(grep -c '# bank' "$work/out")" -eq 1 ] || complain "the marked conflicts differ"
prints ".dword	0xffffffffffffffff"
expect 0 "$SIMTLAB" disasm --isa wide64 --banks 1 "$work/authors.elf"
prints "add	a2,a1,a0  # bank 0: a1, a0"
expect 2 "$SIMTLAB" disasm --isa rv64 "$work/authors.elf"
says "--isa is rv32 or wide64, not 'rv64'"
expect 2 "$SIMTLAB" disasm --banks 9 "$work/authors.elf"
says "--banks is 1 to 8, not 9"

# Each program runs only on machines of its kind.
expect 2 "$SIMTLAB" run -m vortex64 "$BUILD/bench-vortex/saxpy-plain.elf"
says "the program's instructions are RV32, but vortex64 executes 64-bit words"
expect 2 "$SIMTLAB" run -m vortex64 "$work/authors.elf"
says "the program's instructions are RV32"
expect 2 "$SIMTLAB" run -m cyclotron "$BUILD/bench-vortex/saxpy-plain.elf"
says "compiled for vortex, not for cyclotron"
riscv64-unknown-elf-objcopy -R .note.simtlab "$BUILD/bench-vortex/saxpy-plain.elf" "$work/bare.elf"
expect 3 "$SIMTLAB" run -m cyclotron "$work/bare.elf"
says "is not an instruction of this machine: 64-bit words are those of docs/explanation/machines/vortex64.md"

# Inconsistent keys.
expect 2 "$SIMTLAB" show vortex64 -s loops.count=2
says "hardware loops and streams need isa=rv32"
expect 2 "$SIMTLAB" show vortex64 -s encoding=1.x
says "isa=wide64 needs encoding=2.x"
expect 2 "$SIMTLAB" show vortex64 -s registers.total=1000
says "one warp of 16 lanes with 128 registers needs 2048"

# RV32 registers have their ABI names.
expect 0 "$SIMTLAB" disasm "$BUILD/bench-vortex/saxpy-plain.elf"
prints "flw	fs0,56(sp)"
finish
