// Splits within splits, divergent and uniform ones, and three ways out of a bigger and a smaller side.
#include "control.h"
begin
  LANE(a0)
  sltiu a1, a0, 3
  srli a3, a0, 1
  andi a3, a3, 1
  SPLIT(s0, a1)
  beqz a1, many
  // Lanes 0 to 2: 0 and 1 part from 2.
  SPLIT(s1, a3)
  beqz a3, low
  MASK(a2)
  put a2
  j low_end
low:
  MASK(a2)
  put a2
low_end:
  JOIN(s1)
  MASK(a4)
  check 1, a4, 7
  j joined
many:
  // Lanes 3 to 15: all go one way, then they part.
  li a5, 1
  SPLIT(s1, a5)
  SPLIT(s2, a3)
  beqz a3, high
  MASK(a2)
  put a2
  j high_end
high:
  MASK(a2)
  put a2
high_end:
  JOIN(s2)
  MASK(a4)
  check 2, a4, 0xfff8
  JOIN(s1)
  MASK(a4)
  check 3, a4, 0xfff8
joined:
  JOIN(s0)
  MASK(a2)
  check 4, a2, 0xffff
  check_put 5, 0, 3
  check_put 6, 2, 4
  check_put 7, 3, 0xccc8
  check_put 8, 15, 0xccc8
  check_put 9, 4, 0x3330
end
