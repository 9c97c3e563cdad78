# Invalid configurations: rules over several keys, and invalid machine files.
. "$(dirname "$0")/_lib.sh"
program=$BUILD/reference/simtight/empty_1w_r1.elf

# refused TEXT KEY=VALUE...
refused() {
  text=$1
  shift
  sets=
  for assignment; do sets="$sets --set $assignment"; done
  expect 2 "$SIMTLAB" run -q $sets "$program"
  says "$text"
}

refused "code.base 0x08001000 is not a multiple of the 32768 bytes of instruction memory" code.base=0x08001000
refused "scratchpad.base 0xbfff1000 is not a multiple of its 65536 bytes" scratchpad.base=0xbfff1000
refused "above the scratchpad at 0x00010000" scratchpad.base=0x00010000
refused "make stack.bytes smaller" stack.bytes=1048576
refused "it could never be read" lanes=64 dram.beat_bytes=4 dram.outstanding=16
refused "'lanes' does not set a key; write KEY=VALUE" lanes
refused "key 'lanes' cannot be ''" lanes=
refused "key 'divider' cannot be 'fast'; it takes sequential or pipelined" divider=fast
refused "key 'fpu' cannot be 'maybe'; it takes true or false" fpu=maybe

# The compressed register file.
refused "registers.slots is 255; it must be at least 256, three per warp plus the spill threshold (3 x 64 + 64)" \
  registers=compressed registers.slots=255
refused "registers.slots is 31; it must be at least 32, three per warp plus the spill threshold (3 x 8 + 8)" \
  registers=compressed warps=8 registers.slots=31
refused "registers.slots is 299; it must be at least 300, three per warp plus the spill threshold (3 x 64 + 108)" \
  registers=compressed registers.slots=299 registers.spill_threshold=108
refused "registers.slots is 257, but 8 warps of 32 registers never need more than 256" \
  registers=compressed warps=8 registers.slots=257
refused "key 'registers.slots' cannot be '2049'; it takes 0 to 2048" registers=compressed registers.slots=2049
refused "registers.spill_threshold is 63; it must be at least the number of warps (64)" \
  registers=compressed registers.slots=512 registers.spill_threshold=63
refused "must be between instruction memory and scratchpad" \
  registers=compressed registers.slots=512 registers.spill_base=0xbffe0000
refused "must be between instruction memory and scratchpad" \
  registers=compressed registers.slots=512 registers.spill_base=0x08000000
refused "at a multiple of 128 bytes" registers=compressed registers.slots=512 registers.spill_base=0x90000040
refused "registers.slots is 512, but the plain register file holds every register" registers.slots=512
refused "scalar needs the compressed register file" scalar=true
refused "stack_cache.entries needs the compressed register file" stack_cache.entries=2048
refused "key 'stack_cache.entries' cannot be '1000'; it takes 0 to 8192, power of two" \
  registers=compressed stack_cache.entries=1000
refused "key 'stack_cache.entries' cannot be '16384'" registers=compressed stack_cache.entries=16384
refused "key 'scalar.warps' cannot be '0'; it takes 1 to 64" registers=compressed scalar=true scalar.warps=0
refused "key 'registers' cannot be 'small'; it takes plain or compressed" registers=small
refused "key 'registers.spill_policy' cannot be 'random'; it takes lru, round-robin or first" registers.spill_policy=random

# accepted KEY=VALUE...
accepted() {
  sets=
  for assignment; do sets="$sets --set $assignment"; done
  expect 0 "$SIMTLAB" run -q $sets "$program"
}

accepted registers=compressed registers.slots=256
accepted registers=compressed registers.slots=2048
accepted registers=compressed registers.slots=512 registers.spill_threshold=320
accepted registers=compressed registers.slots=512 registers.spill_base=0x90000080
accepted registers=compressed warps=8 registers.slots=32
accepted registers=compressed stack_cache.entries=1
accepted registers=compressed scalar=true scalar.warps=64

# file TEXT CONTENTS: CONTENTS is a printf format.
file() {
  printf "$2" >"$work/machine.yaml"
  expect 2 "$SIMTLAB" run -q -m "$work/machine.yaml" "$program"
  says "machine.yaml"
  says "$1"
}

file "has neither 'machine: PIPELINE' nor 'base: MACHINE'" ''
file ":1: no machine named 'simtigth'; did you mean 'simtight'?" 'base: simtigth\n'
file ":1: " 'machine: gpu\n'
file ":2: pipeline 'other' differs from the base's, 'simtight'" 'base: simtight\nmachine: other\n'
file ":2: unknown name 'lanes'; it is a key and belongs under 'keys:'" 'base: simtight\nlanes: 4\n'
file ":2: unknown name 'author'" 'base: simtight\nauthor: me\n'
file ":3: 'keys.lanes' is given twice; the first time is line 2" 'base: simtight\nkeys: {lanes: 4,\n  lanes: 8}\n'
file "a list, where a single value or a mapping belongs" 'base: simtight\nkeys: [lanes]\n'
file "an alias" 'base: &x simtight\nsummary: *x\n'
file "a name must be a single word" 'base: simtight\n? [a]\n: b\n'
file "a second document" 'base: simtight\n---\nbase: simtight\n'
file "a configuration is a mapping" 'simtight\n'
file "not valid YAML" 'base: "simtight\n'
file "a value is too long" "base: simtight\nsummary: $(head -c 300 /dev/zero | tr '\0' x)\n"
file "a name is too long" "base: simtight\nkeys: {$(head -c 60 /dev/zero | tr '\0' x): {$(head -c 60 /dev/zero | tr '\0' x): 1}}\n"
file "a name is empty" 'base: simtight\n"": 1\n'
{
  printf 'base: simtight\nkeys:\n'
  awk 'BEGIN { for (i = 0; i < 1100; i++) printf "  k%d: 1\n", i }'
} >"$work/machine.yaml"
expect 2 "$SIMTLAB" run -q -m "$work/machine.yaml" "$program"
says "too many entries"
head -c 2000000 /dev/zero | tr '\0' '#' >"$work/machine.yaml"
expect 2 "$SIMTLAB" run -q -m "$work/machine.yaml" "$program"
says "too large for a configuration"
mkdir "$work/folder.yaml"
expect 2 "$SIMTLAB" run -q -m "$work/folder.yaml" "$program"
says "folder.yaml: cannot be read (Is a directory)"
finish
