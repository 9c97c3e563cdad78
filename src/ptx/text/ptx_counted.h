/* Counted loops: a register grows by a number in each round until it passes a bound that does not change. */
#ifndef SL_PTX_TEXT_PTX_COUNTED_H
#define SL_PTX_TEXT_PTX_COUNTED_H

#include "ptx/text/ptx_fold.h"
#include "ptx/text/ptx_loop.h"

enum { SL_PTX_COUNTED_ROUNDS = 4 /* at a time */, SL_PTX_COUNTED_GUARD = 5 /* instructions, at most */ };

struct sl_ptx_counted {
  uint16_t counter;
  bool wide, swapped; /* the bound is the comparison's first operand */
  int64_t step;       /* per round */
  unsigned relation;  /* of counter and bound, if the loop continues: enum sl_ptx_relation */
  uint32_t compare;   /* the instruction that compares, in the loop */
  struct sl_ptx_place bound;
  uint16_t limit, more; /* new registers: for how long rounds are done four at a time; whether they are */
};

/* Whether the loop is counted. `fold` gives what is known before the loop of registers that it does not write. */
bool sl_ptx_counted_find(struct sl_ptx_counted *c, struct sl_ptx_fold *fold, const struct sl_ptx_loop *loop);

/* The number of rounds if the counter begins with a number; 0: the bound is not a number, or there are too many. */
uint32_t sl_ptx_counted_rounds(const struct sl_ptx_counted *c, const struct sl_ptx_editor *e, uint64_t first);

/* Writes the instructions that compute whether four rounds are left, and the limit of the counter; the last one is a
 * branch for threads that have fewer, whose target the caller sets. Returns their number; 0: no register is left. */
unsigned sl_ptx_counted_guard(struct sl_ptx_counted *c, struct sl_ptx_editor *e, const struct sl_ptx_loop *loop,
                              struct sl_ptx_insn code[SL_PTX_COUNTED_GUARD]);
/* After four rounds: the comparison and branch for the next four, then those for the end of the loop. The caller sets
 * the targets. */
void sl_ptx_counted_end(const struct sl_ptx_counted *c, const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop,
                        struct sl_ptx_insn code[4]);

#endif
