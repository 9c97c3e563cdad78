/* RISC-V threads of the SM7 core in checkpoints: code, launch, and the resident warps and blocks. */
#include <stdlib.h>

#include "base/lanes_text.h"
#include "convergence/simt_stack.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"

enum { FCSR = 255 };

static void code_archive(struct sl_archive *t, struct sl_sm7_rv *rv)
{
  const uint32_t count = sl_archive_number(t, rv->code.count, SL_SM7_RV_CODE_WORDS);
  for (uint32_t i = 0; i < count && !t->bad; i++) {
    uint32_t word = sl_archive_reads(t) ? 0 : (uint32_t)rv->code.insn[i].word;
    SL_ARCHIVE(t, word);
    sl_archive_memory(t, !sl_archive_reads(t) || sl_sm7_rv_write_code(rv, i, word));
  }
}

static bool can_be(const void *context, uint32_t pc)
{
  const struct sl_sm7_rv *rv = context;
  return pc <= rv->code.count; /* after the last instruction comes a fault */
}

static SL_SCHEMA(warp_schema, struct sl_sm7_rv_warp, NULL, SL_STRUCTS(sl_simt_stack_schema, stack),
                 SL_WALKED(x, local, local_words), SL_DERIVED(rows), SL_MOST(SL_SM7_PHASE_REST, phase),
                 SL_MOST(FCSR, fcsr));

static void warp_archive(struct sl_archive *t, const struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, unsigned index)
{
  const bool linear = rv->linear.chosen != NULL;
  const unsigned rows = linear ? SL_SM7_RV_UR + rv->linear.chosen->is.urs : SL_SM7_RV_REGISTERS;
  if (sl_archive_reads(t)) {
    w->rows = (uint8_t)sl_sm7_rv_rows(rv);
    w->x = sl_lines_of((size_t)w->rows * SL_SM7_LANES, sizeof *w->x);
    if (!sl_archive_memory(t, w->x != NULL))
      return;
    sl_simt_groups_use(&w->stack, sl_sm7_scheme(&rv->spec), sl_sm7_period(&rv->spec));
  }
  void *local = w->local;
  sl_archive_structs(t, "warp", warp_schema, w, 1);
  SL_ARCHIVE_ARRAY(t, w->x, (size_t)rows * SL_SM7_LANES);
  SL_ARCHIVE_NUMBER(t, w->local_words, SL_SM7_RV_LOCAL_BYTES / sizeof *w->local);
  const bool good = sl_archive_block(t, &local, w->local_words * SL_SM7_LANES * sizeof *w->local);
  w->local = local;
  if (!sl_archive_reads(t) || !good)
    return;
  w->phase = linear ? w->phase : 0;
  const uint32_t lanes = linear ? sl_sm7_rv_phase_lanes(rv, index, w->phase) : sl_sm7_rv_lanes_of(rv, index);
  sl_archive_expect(t, sl_simt_stack_valid(&w->stack, lanes, can_be, rv) && sl_simt_groups_valid(&w->stack, lanes));
  for (unsigned l = 0; l < SL_SM7_LANES; l++)
    sl_archive_expect(t, w->x[l] == 0); /* the register that is always 0 */
}

static SL_SCHEMA(launch_schema, struct sl_sm7_rv_launch, NULL, SL_ANY(grid, block, bytes, shared_bytes, shared_needed));

static void block_archive(struct sl_archive *t, const struct sl_sm7_rv *rv, struct sl_sm7_rv_block *b)
{
  for (unsigned i = 0; i < 3; i++)
    SL_ARCHIVE_NUMBER(t, b->index[i], rv->launch.grid[i] - 1);
  if (rv->linear.chosen != NULL)
    SL_ARCHIVE(t, b->br);
  if (rv->launch.shared_bytes == 0)
    return;
  void *shared = b->shared;
  sl_archive_block(t, &shared, rv->launch.shared_bytes);
  b->shared = shared;
}

static void launch_archive(struct sl_archive *t, struct sl_sm7_rv *rv)
{
  sl_archive_structs(t, "launch", launch_schema, &rv->launch, 1);
  SL_ARCHIVE(t, rv->launches);
  SL_ARCHIVE(t, rv->entry);
  SL_ARCHIVE(t, rv->closure);
  const bool linear = sl_archive_number(t, rv->linear.chosen != NULL, 1) != 0;
  if (!sl_archive_reads(t))
    return;
  if (!sl_archive_expect(t,
                         sl_sm7_rv_can_launch(rv) && rv->launch.shared_bytes <= SL_SM7_RV_LOCAL - SL_SM7_RV_SHARED) ||
      !sl_archive_memory(t, sl_sm7_rv_find_facts(rv) && rv->fact != NULL))
    return;
  rv->warps_per_block = (sl_sm7_rv_threads(rv) + SL_SM7_LANES - 1) / SL_SM7_LANES;
  rv->shared_room = rv->launch.shared_bytes;
  rv->linear.chosen = NULL;
  sl_archive_expect(t, sl_sm7_rv_forms_choose(rv) && linear == (rv->linear.chosen != NULL));
  if (!t->bad && linear && rv->spec.linear_shadow)
    sl_archive_memory(t, sl_sm7_rv_shadow_make(rv, sl_sm7_rv_issue));
}

static void sm_archive(struct sl_archive *t, struct sl_sm7_rv *rv, unsigned sm, uint64_t *resident)
{
  SL_ARCHIVE(t, *resident);
  sl_archive_expect(t, (*resident & ~sl_low_bits(rv->warps)) == 0);
  for (unsigned slot = 0; slot < SL_SM7_MAX_BLOCKS && !t->bad; slot++) {
    const uint64_t warps = (slot + 1) * rv->warps_per_block > rv->warps
                               ? 0
                               : *resident & sl_low_bits(rv->warps_per_block) << slot * rv->warps_per_block;
    if (warps != 0)
      block_archive(t, rv, &rv->block[sm * SL_SM7_MAX_BLOCKS + slot]);
    for (uint64_t rest = warps; rest && !t->bad; rest &= rest - 1) {
      const unsigned index = sl_lowest(rest) - slot * rv->warps_per_block;
      struct sl_sm7_rv_warp *w = &rv->warp[sl_sm7_rv_number(rv, sm, slot, index)];
      warp_archive(t, rv, w, index);
      if (rv->shadow != NULL && w->phase == SL_SM7_PHASE_REST && !t->bad)
        warp_archive(t, &rv->shadow->view, &rv->shadow->view.warp[sl_sm7_rv_number(rv, sm, slot, index)], index);
    }
  }
}

void sl_sm7_rv_archive(struct sl_archive *t, struct sl_sm7_rv *rv, uint64_t *resident, bool launched)
{
  code_archive(t, rv);
  SL_ARCHIVE_NUMBER(t, rv->timed, 1);
  SL_ARCHIVE_NUMBER(t, rv->failed, 1);
  if (!launched || t->bad)
    return;
  launch_archive(t, rv);
  for (unsigned sm = 0; sm < rv->sms && !t->bad && rv->linear.chosen != NULL; sm++) {
    struct sl_sm7_rv_linear_sm *own = &rv->linear.sm[sm];
    SL_ARCHIVE_NUMBER(t, own->begun, 1);
    SL_ARCHIVE(t, own->cr);
    sl_archive_bytes(t, own->tr, sl_sm7_rv_thread_parts(rv) * sizeof *own->tr);
  }
  for (unsigned sm = 0; sm < rv->sms && !t->bad; sm++)
    sm_archive(t, rv, sm, &resident[sm]);
}
