# A program that stores to its code: a warning names the store where the model would execute the old code. Where the
# code is not writable, the store is a fault. simtlab also reports operations that SIMTight's host interface ignores
# silently.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# The word at `patch` becomes the one at `other`: another instruction, or the same one.
cat >patch.S <<'END_OF_SOURCE'
  .globl _start
_start:
  la t0, patch
  lw t1, OTHER
  STORE
  fence.i
  j patch
patch:
  li a0, 0
  END
same:
  li a0, 0
changed:
  li a0, 2
END_OF_SOURCE
build() { # RESULT BASE OPTION...
  result=$1 base=$2
  shift 2
  riscv64-unknown-elf-gcc -march=rv32ima_zicsr_zifencei -mabi=ilp32 -nostdlib -Wl,-Ttext="$base" -o "$result" "$@" patch.S ||
    complain "$result: does not compile"
}
vortex_end='-DEND=sw a0, 0x88(zero); .insn r 0x0b, 0, 0, x0, x0, x0'
simty_end='-DEND=csrwi 0x830, 3'
word='-DSTORE=sw t1, 0(t0)'
byte='-DSTORE=srli t1, t1, 16; sb t1, 2(t0)'
atomic='-DSTORE=amoswap.w t2, t1, (t0)'
build changed.elf 0x80000000 -DOTHER=changed "$word" "$vortex_end"
build byte.elf 0x80000000 -DOTHER=changed "$byte" "$vortex_end"
build atomic.elf 0x80000000 -DOTHER=changed "$atomic" "$vortex_end"
build same.elf 0x80000000 -DOTHER=same "$word" "$vortex_end"
build simty.elf 0 -DOTHER=changed "$word" "$simty_end"
build simty-same.elf 0 -DOTHER=same "$word" "$simty_end"

told() { # MACHINE PROGRAM OPTION...
  machine=$1 program=$2
  shift 2
  expect 3 "$SIMTLAB" run -q -m "$machine" "$@" "$program"
  says " in patch, \`addi a0,zero,0\`: the program has overwritten this instruction"
  says "The last store to it was that of pc 0x"
  says " in _start+0x1"
}
for way in changed.elf byte.elf "atomic.elf -s atomics=true"; do
  told vortex $way
  told vortex $way --fast
  told vortex $way -s cores=2
done
told vortex-simx changed.elf
told vortex changed.elf -s cores=8 -s socket.cores=2 --threads 2
told simty simty.elf
told simty simty.elf --fast
for machine in vortex vortex-simx; do
  expect 0 "$SIMTLAB" run -q -m $machine same.elf
  expect 0 "$SIMTLAB" run -q -m $machine -s cores=2 same.elf
done
expect 0 "$SIMTLAB" run -q -m simty simty-same.elf

# 64-bit words, of which the store changes a half.
cat >wide.c <<'END_OF_SOURCE'
#include "simt.h"
static __attribute__((noinline)) int target(void)
{
  __asm__ volatile("");
  return 3;
}
int main(void)
{
  volatile unsigned *code = (volatile unsigned *)(unsigned long)target;
  code[1] ^= 0x10000;
  return target() == 0;
}
END_OF_SOURCE
if command -v llc-19 >/dev/null; then
  expect 0 "$SIMTLAB" cc --target vortex64 -o wide.elf wide.c
  for machine in vortex64 cyclotron; do
    expect 3 "$SIMTLAB" run -q -m $machine wide.elf
    says " in target"
    says "the program has overwritten this instruction"
    says " in main"
  done
fi

# After a checkpoint the place of the store is unknown; the warning says that there was one.
cat >loop.S <<'END_OF_SOURCE'
  .globl _start
_start:
  la t0, patch
  lw t1, changed
  sw t1, 0(t0)
  li t3, 20000
again:
  addi t3, t3, -1
  bnez t3, again
patch:
  li a0, 0
  .insn r 0x0b, 0, 0, x0, x0, x0
changed:
  li a0, 2
END_OF_SOURCE
riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -nostdlib -Wl,-Ttext=0x80000000 -o loop.elf loop.S
expect 3 "$SIMTLAB" run -q -m vortex --save-at 10000 saved loop.elf
says " in _start+0x10"
expect 3 "$SIMTLAB" run -q -m vortex --restore saved loop.elf
says "in patch, \`addi a0,zero,0\`: the program has overwritten this instruction"
! grep -q "The last store" err || complain "reports a place that is unknown"

# Where code memory is not data memory, neither host nor kernels can store to it.
cat >kernel.c <<'END_OF_SOURCE'
#include "simt.h"
SIMT_KERNEL(poke, (unsigned *, p))
{
  p[0] = 0;
}
int main(int argc, char **argv)
{
  (void)argv;
  unsigned *code = (unsigned *)(unsigned long)main;
  if (argc > 1)
    *(volatile unsigned *)code = 0;
  return simt_launch(poke, dim3(1), dim3(32), .p = code) != SIMT_OK;
}
END_OF_SOURCE
for target in simt sm7; do
  machines="simtight simty-plus"
  [ $target = simt ] || machines=sm7
  expect 0 "$SIMTLAB" cc --target $target -o kernel.elf kernel.c
  for machine in $machines; do
    for argument in "" host; do
      expect 3 "$SIMTLAB" run -q -m $machine kernel.elf $argument
      says "is outside data memory (null pointers and instruction memory are)"
    done
  done
done

# SIMTight's host interface: a read without an answer, a write outside the code memory.
cat >interface.c <<'END_OF_SOURCE'
int main(int argc, char **argv)
{
  unsigned value = 0;
  (void)argv;
  if (argc == 1)
    __asm__ volatile("csrrw %0, 0x825, zero" : "=r"(value));
  if (argc == 2)
    __asm__ volatile("csrw 0x821, %0; csrw 0x822, zero" : : "r"(0x08008000));
  if (argc == 3)
    __asm__ volatile("csrw 0x821, %0; csrw 0x822, zero" : : "r"(0x08007ffe));
  if (argc == 4) /* the last word there is */
    __asm__ volatile("csrw 0x821, %0; csrw 0x822, zero" : : "r"(0x08007ffc));
  return (int)value;
}
END_OF_SOURCE
expect 0 "$SIMTLAB" cc -o interface.elf interface.c
expect 3 "$SIMTLAB" run -q interface.elf
says " in main"
says "CSR 0x825 reads an answer of the SM, but there is none. Read CSR 0x824 first"
expect 3 "$SIMTLAB" run -q interface.elf 1
says "CSR 0x822 writes a word of code to 0x08008000, outside instruction memory"
expect 3 "$SIMTLAB" run -q interface.elf 1 2
says "CSR 0x822 writes a word of code to 0x08007ffe, outside instruction memory"
expect 0 "$SIMTLAB" run -q interface.elf 1 2 3
finish
