# The checker: values that no instruction has written, on stacks and in registers.
. "$(dirname "$0")/_checker.sh"

for name in uninitialised_stack initialised_stack_ok; do # stacks in global memory
  checks vortex vortex $name
done
# Registers: an accumulator without a first value, and values of a register that the kernel does not write.
for name in uninitialised_register_asm uninitialised_register_branch initialised_register_ok; do
  checks vortex-cfm-dmsl vortex $name
  checks simtight simt $name
done
for name in uninitialised_register_asm initialised_register_ok; do # 64-bit words
  checks vortex64 vortex64 $name
done
checks simty-plus simt uninitialised_register_sum
says "(variable sum), which no instruction has written"
checks sm7 sm7 uninitialised_register_sum
checks sm7 sm7 initialised_register_ok
expect 0 "$SIMTLAB" check -q --no-uninitialised -m sm7 uninitialised_register_sum.elf

finish
