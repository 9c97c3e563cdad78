// SPLIT and JOIN: both sides run with their lanes, one after the other, and come together; uniform ones do nothing.
#include "control.h"
begin
  LANE(a0)
  andi a1, a0, 1
  SPLIT(s0, a1)
  beqz a1, even
  MASK(a2)
  put a2
  j both
even:
  MASK(a2)
  addi a2, a2, 1
  put a2
both:
  JOIN(s0)
  MASK(a2)
  check 1, a2, 0xffff
  check_put 2, 0, 0x5556
  check_put 3, 7, 0xaaaa
  check_put 4, 14, 0x5556
  // All lanes one way, then all the other.
  li a1, 1
  SPLIT(s0, a1)
  MASK(a2)
  check 5, a2, 0xffff
  JOIN(s0)
  MASK(a2)
  check 6, a2, 0xffff
  li a1, 0
  SPLIT(s0, a1)
  MASK(a2)
  check 7, a2, 0xffff
  JOIN(s0)
  MASK(a2)
  check 8, a2, 0xffff
end
