#include "machine/sm7/sm7_ptx_archive.h"

#include "ptx/run/ptx_block_archive.h"

static void linear_archive(struct sl_archive *t, struct sl_sm7_ptx *p, unsigned sm)
{
  struct sl_ptx_linear_registers *r = &p->sm[sm].linear;
  bool made = r->linear != NULL;
  sl_archive_bool(t, &made);
  if (!made || t->bad)
    return;
  if (sl_archive_reads(t) && sl_ptx_linear_make(r, p->launch->linear, p->launch, &p->sm[sm].error) != SL_OK)
    sl_archive_memory(t, NULL);
  else
    sl_ptx_linear_archive(t, r);
}

/* Of a block slot: its registers keep their contents between blocks. */
static void block_archive(struct sl_archive *t, struct sl_sm7_ptx *p, unsigned number, const struct sl_ptx_reach *reach)
{
  struct sl_ptx_block *b = &p->block[number];
  const unsigned sm = number / SL_SM7_MAX_BLOCKS;
  bool made = b->launch != NULL;
  sl_archive_bool(t, &made);
  if (!made || t->bad)
    return;
  if (sl_archive_reads(t)) {
    if (sl_ptx_block_create(b, p->launch, &p->sm[sm].error) != SL_OK) {
      sl_archive_memory(t, NULL);
      return;
    }
    b->late = p->side_by_side ? &p->sm[sm].late : NULL;
    b->linear = p->launch->linear != NULL ? &p->sm[sm].linear : NULL;
    sl_archive_expect(t, p->launch->linear == NULL || p->sm[sm].linear.linear != NULL);
  }
  if (!t->bad)
    sl_ptx_block_archive(t, b, reach);
}

void sl_sm7_ptx_archive(struct sl_archive *t, struct sl_sm7_ptx *p)
{
  struct sl_ptx_reach reach;
  if (!sl_ptx_reach_find(&reach, p->launch)) {
    sl_archive_memory(t, NULL);
    return;
  }
  for (unsigned sm = 0; sm < p->sms && p->launch->linear != NULL; sm++)
    linear_archive(t, p, sm);
  for (unsigned i = 0; i < p->sms * SL_SM7_MAX_BLOCKS && !t->bad; i++)
    block_archive(t, p, i, &reach);
  sl_ptx_reach_free(&reach);
}
