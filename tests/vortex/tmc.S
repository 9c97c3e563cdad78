// TMC: sets of lanes, of which those that are off change nothing.
#include "control.h"
begin
  li s0, 5
  put s0
  li t0, 0x0f0f
  TMC(t0)
  MASK(a2)
  check 1, a2, 0x0f0f
  li s0, 6
  put s0
  li t0, 0x10000
  addi t0, t0, -1
  TMC(t0)
  MASK(a2)
  check 2, a2, 0xffff
  check_put 3, 0, 6
  check_put 4, 4, 5
  check_put 5, 11, 6
  check_put 6, 12, 5
end
