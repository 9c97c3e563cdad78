// PRED: lanes leave a loop after as many turns as their number; the last one's leaving brings all back. 2.x only.
#include "control.h"
begin
  LANE(a0)
  li a1, -1
  li a4, 0
loop:
  addi a4, a4, 1
  sltu a5, a4, a0
  PRED(a5, a1)
  bnez a5, loop
  MASK(a2)
  check 1, a2, 0xffff
  put a4
  check_put 2, 0, 1
  check_put 3, 1, 1
  check_put 4, 9, 9
  check_put 5, 15, 15
  // Negated: those go on whose predicate is 0. A uniform one changes nothing.
  sltiu a5, a0, 4
  PRED_N(a5, a1)
  MASK(a2)
  check 6, a2, 0xfff0
  li a5, 1
  PRED(a5, a1)
  MASK(a2)
  check 7, a2, 0xfff0
  li a5, 0
  PRED(a5, a1)
  MASK(a2)
  check 8, a2, 0xffff
end
