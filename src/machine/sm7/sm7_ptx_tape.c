#include "machine/sm7/sm7_ptx_tape.h"

#include "ptx/run/ptx_block_tape.h"

static void linear_tape(struct sl_tape *t, struct sl_sm7_ptx *p, unsigned sm)
{
  struct sl_ptx_linear_registers *r = &p->sm[sm].linear;
  bool made = r->linear != NULL;
  sl_tape_bool(t, &made);
  if (!made || t->bad)
    return;
  if (sl_tape_reads(t) && sl_ptx_linear_make(r, p->launch->linear, p->launch, &p->sm[sm].error) != SL_OK)
    sl_tape_memory(t, NULL);
  else
    sl_ptx_linear_tape(t, r);
}

/* Of a block slot: its registers keep their contents between blocks. */
static void block_tape(struct sl_tape *t, struct sl_sm7_ptx *p, unsigned number, const struct sl_ptx_reach *reach)
{
  struct sl_ptx_block *b = &p->block[number];
  const unsigned sm = number / SL_SM7_MAX_BLOCKS;
  bool made = b->launch != NULL;
  sl_tape_bool(t, &made);
  if (!made || t->bad)
    return;
  if (sl_tape_reads(t)) {
    if (sl_ptx_block_create(b, p->launch, &p->sm[sm].error) != SL_OK) {
      sl_tape_memory(t, NULL);
      return;
    }
    b->late = p->side_by_side ? &p->sm[sm].late : NULL;
    b->linear = p->launch->linear != NULL ? &p->sm[sm].linear : NULL;
    sl_tape_expect(t, p->launch->linear == NULL || p->sm[sm].linear.linear != NULL);
  }
  if (!t->bad)
    sl_ptx_block_tape(t, b, reach);
}

void sl_sm7_ptx_tape(struct sl_tape *t, struct sl_sm7_ptx *p)
{
  struct sl_ptx_reach reach;
  if (!sl_ptx_reach_find(&reach, p->launch)) {
    sl_tape_memory(t, NULL);
    return;
  }
  for (unsigned sm = 0; sm < p->sms && p->launch->linear != NULL; sm++)
    linear_tape(t, p, sm);
  for (unsigned i = 0; i < p->sms * SL_SM7_MAX_BLOCKS && !t->bad; i++)
    block_tape(t, p, i, &reach);
  sl_ptx_reach_free(&reach);
}
