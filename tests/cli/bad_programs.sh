# Invalid program files: simtlab exits with status 2 and an error message, wherever the file is truncated or damaged.
. "$(dirname "$0")/_lib.sh"
good=$BUILD/bench/VecAdd.elf

expect 2 "$SIMTLAB" run "$work/missing.elf"
says "missing.elf: cannot be opened"
expect 2 "$SIMTLAB" run "$work"
says "cannot be read"
echo "int main;" >"$work/x.txt"
expect 2 "$SIMTLAB" run "$work/x.txt"
says "not an ELF file"
expect 2 "$SIMTLAB" run "$SIMTLAB"
says "not a 32-bit ELF file"
: >"$work/empty.elf"
expect 2 "$SIMTLAB" run "$work/empty.elf"
says "not an ELF file"
expect 2 "$SIMTLAB" disasm "$work/empty.elf"

for size in 4 15 16 40 52 60 100 200 1000 4096; do
  head -c "$size" "$good" >"$work/cut.elf"
  expect 2 "$SIMTLAB" run "$work/cut.elf"
  says "cut.elf: "
done

# patch OFFSET BYTES: copies the program and replaces BYTES (octal escapes) at OFFSET.
patch() {
  cp "$good" "$work/patched.elf"
  printf "$2" | dd of="$work/patched.elf" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
patch 5 '\002'
expect 2 "$SIMTLAB" run "$work/patched.elf"
says "not a little-endian"
patch 18 '\003'
expect 2 "$SIMTLAB" run "$work/patched.elf"
says "not for RISC-V"
patch 16 '\001'
expect 2 "$SIMTLAB" run "$work/patched.elf"
says "relocatable object"
patch 24 '\003\000\000\020'
expect 2 "$SIMTLAB" run "$work/patched.elf"
says "entry point"
finish
