/* Loops of one basic block, and what is known of registers before them. */
#ifndef SL_PTX_TEXT_PTX_LOOP_H
#define SL_PTX_TEXT_PTX_LOOP_H

#include "ptx/ptx_flow.h"
#include "ptx/text/ptx_edit.h"

struct sl_ptx_loop {
  uint32_t head, branch, end; /* the conditional branch; the first PC behind the loop */
  uint32_t exit;              /* where the loop leads */
  bool leaves;                /* the branch is taken to leave, not to continue */
};

/* The kernel's code: valid until it changes. */
struct sl_ptx_loops {
  const struct sl_ptx_editor *e;
  struct sl_ptx_blocks blocks;
  uint32_t *entries; /* by pc - begin: branches that lead there */
};

/* False: out of memory. Free it in either case. */
bool sl_ptx_loops_begin(struct sl_ptx_loops *loops, const struct sl_ptx_editor *e);
void sl_ptx_loops_free(struct sl_ptx_loops *loops);

/* The loop that begins at a PC and is one basic block of instructions that can be edited; false: there is none. */
bool sl_ptx_loop_at(const struct sl_ptx_loops *loops, uint32_t head, struct sl_ptx_loop *loop);

/* Whether a .pragma "nounroll" is at its head, or it was unrolled before. */
bool sl_ptx_loop_is_rolled(const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop);

/* The number that a register has whenever the loop is entered; false: it is not known. */
bool sl_ptx_loop_number(const struct sl_ptx_loops *loops, const struct sl_ptx_loop *loop, uint16_t id,
                        uint64_t *number);

/* Whether the loop writes a register. */
bool sl_ptx_loop_writes(const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop, uint16_t id);

#endif
