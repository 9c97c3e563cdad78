# Damaged ELF headers: simtlab exits with status 2 and names the file and the problem.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs
command="compiling host_faults.S"
compile() { # OUTPUT, then flags
  output=$1
  shift
  riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -g -nostdlib -static -Wl,--build-id=none -o "$output" "$@" \
    "$programs/host_faults.S" 2>"$work/err" || complain "does not compile"
}
compile "$work/good.elf" -T "$SOURCE/reference/simtight/link.ld"
expect 0 "$SIMTLAB" run -q "$work/good.elf"
prints "after"

# le32 NUMBER, le16 NUMBER: as octal escapes for printf, lowest byte first.
le16() { printf '\\%03o\\%03o' $(($1 & 255)) $(($1 >> 8 & 255)); }
le32() { le16 $(($1 & 65535)) && le16 $(($1 >> 16 & 65535)); }

# patched OFFSET BYTES [OFFSET BYTES]...: simtlab rejects a copy of the program with these bytes replaced.
patched() {
  cp "$work/good.elf" "$work/bad.elf"
  while [ $# -gt 0 ]; do
    printf "$2" | dd of="$work/bad.elf" bs=1 seek="$1" conv=notrunc 2>/dev/null
    shift 2
  done
  for command in run disasm; do
    [ $command = run ] && set -- run -q --max-cycles 1000 || set -- disasm
    expect 2 "$SIMTLAB" "$@" "$work/bad.elf"
    says "bad.elf: "
    [ "$(wc -l <"$work/err")" -eq 1 ] || complain "says more than a sentence"
  done
}

# ELF header: offsets of its fields.
patched 4 '\002'
says "not a 32-bit ELF file"
patched 5 '\002'
says "not a little-endian ELF file"
patched 16 "$(le16 3)"
says "position-independent executable"
patched 16 "$(le16 4)"
says "not an executable (ELF type 4)"
patched 18 "$(le16 62)"
says "not for RISC-V (ELF machine 62)"
patched 24 "$(le32 0x08000402)"
says "the entry point 0x08000402 is not a multiple of 4"
patched 24 "$(le32 0x08008000)"
says "the entry point 0x08008000 lies outside the program's code"
cp "$work/good.elf" "$work/bad.elf"
printf "$(le32 0)" | dd of="$work/bad.elf" bs=1 seek=24 conv=notrunc 2>/dev/null
expect 2 "$SIMTLAB" run -q "$work/bad.elf"
says "bad.elf: the file names no entry point"
patched 36 "$(le32 1)"
says "compressed instructions"
patched 28 "$(le32 0x7fffffff)"
patched 44 "$(le16 0)"
says "no loadable segment"

# Program headers, 32 bytes each from offset 52: the first loadable segment is the text, the second the data.
text=
data=
for header in 52 84 116 148; do
  type=$(od -An -tu4 -j$header -N4 "$work/good.elf" | tr -d " ")
  [ "$type" = 1 ] || continue
  if [ -z "$text" ]; then text=$header; elif [ -z "$data" ]; then data=$header; fi
done
vaddr=8 filesz=16 memsz=20
patched $((text + 0)) "$(le32 2)"
says "needs a dynamic linker"
patched $((text + 4)) "$(le32 0x00100000)"
says "goes beyond the end of the file"
patched $((text + filesz)) "$(le32 0xffffffff)" $((text + memsz)) "$(le32 0xffffffff)"
says "goes beyond the end of the file"
patched $((text + memsz)) "$(le32 4)"
says "has more bytes in the file"
patched $((data + vaddr)) "$(le32 0x08000410)"
says "overlap"
patched $((text + memsz)) "$(le32 0x00100000)"
says "overlap"
patched $((data + vaddr)) "$(le32 0xfffffffc)"
says "goes beyond the end of the address space"
patched $((data + memsz)) "$(le32 0xffffffff)"
says "goes beyond the end of the address space"

# Code outside the machine's instruction memory, or too large for it.
cat >"$work/elsewhere.ld" <<'L'
ENTRY(_start)
SECTIONS { . = 0x10000000; .text : { *(.text.start) *(.text*) } .rodata : { *(.rodata*) } }
L
compile "$work/bad.elf" -T "$work/elsewhere.ld"
expect 2 "$SIMTLAB" run -q "$work/bad.elf"
says "the entry 0x10000000 is outside instruction memory (0x08000000 to 0x08008000)"
sed 's/0x10000000/0x00010000/' "$work/elsewhere.ld" >"$work/below.ld"
compile "$work/bad.elf" -T "$work/below.ld"
expect 2 "$SIMTLAB" run -q "$work/bad.elf"
says "the segment at 0x00010000 is below instruction memory, which begins at 0x08000000"
cat >"$work/large.ld" <<'L'
ENTRY(_start)
SECTIONS { . = 0x08000000; .text : { *(.text.start) *(.text*) . = . + 0x9000; LONG(0) } . = 0x09000000; .rodata : { *(.rodata*) } }
L
compile "$work/bad.elf" -T "$work/large.ld"
expect 2 "$SIMTLAB" run -q "$work/bad.elf"
says "after instruction memory does (0x08008000). Make it smaller, or set code.words"
expect 0 "$SIMTLAB" run -q --set code.words=16384 "$work/bad.elf"
expect 2 "$SIMTLAB" run -q --set code.base=0x09000000 "$work/good.elf"
says "is below instruction memory"

# Truncated at every length: simtlab rejects the file, or runs it if all segments are complete (debuggers use the rest).
size=$(wc -c <"$work/good.elf")
for length in $(seq 0 37 "$size"); do
  head -c "$length" "$work/good.elf" >"$work/cut.elf"
  "$SIMTLAB" run -q --max-cycles 1000 "$work/cut.elf" >"$work/out" 2>"$work/err" </dev/null
  got=$?
  command="a program cut after $length bytes"
  case $got in
  2) says "cut.elf: " ;;
  0) prints "after" ;;
  *) complain "exit status $got" ;;
  esac
done
finish
