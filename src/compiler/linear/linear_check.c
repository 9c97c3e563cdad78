#include "compiler/linear/linear_check.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/linear/linear_ptx.h"
#include "ptx/run/ptx_lanes.h"

/* An analysed kernel. */
struct sl_linear_subject {
  struct sl_linear_subject *next;
  const struct sl_ptx_function *kernel;
  bool refused;
  struct sl_linear_code code;
  struct sl_linear_analysis analysis;
  struct sl_linear_follower follower;
};

struct run {
  struct sl_linear_check *check;
  struct sl_linear_subject *subject;
  const struct sl_ptx_launch *launch;
};

static void free_subject(struct sl_linear_subject *s)
{
  sl_linear_follow_end(&s->follower);
  sl_linear_analysis_free(&s->analysis);
  sl_linear_code_free(&s->code);
  free(s);
}

static enum sl_status make_subject(struct sl_linear_check *check, const struct sl_ptx_launch *launch,
                                   struct sl_linear_subject **made, struct sl_error *err)
{
  struct sl_error refusal;
  struct sl_linear_subject *s = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->next = check->subjects;
  check->subjects = *made = s;
  s->kernel = launch->kernel;
  s->follower.kernel = launch->kernel->name;
  enum sl_status status = sl_linear_from_ptx(&s->code, launch->module, launch->kernel, err);
  if (status != SL_OK)
    return status;
  status = sl_linear_analyse(&s->analysis, &s->code, &check->options, &refusal);
  s->refused = status == SL_USAGE;
  if (status == SL_OK)
    return sl_linear_follow(&s->follower, &s->analysis, err);
  if (!s->refused)
    *err = refusal;
  return s->refused ? SL_OK : status;
}

static enum sl_status find_subject(struct sl_linear_check *check, const struct sl_ptx_launch *launch,
                                   struct sl_linear_subject **subject, struct sl_error *err)
{
  for (*subject = check->subjects; *subject != NULL; *subject = (*subject)->next)
    if ((*subject)->kernel == launch->kernel)
      return SL_OK;
  return make_subject(check, launch, subject, err);
}

/* Sets the values of the symbols in this launch. 32-bit numbers are signed. */
static void set_symbols(struct sl_linear_subject *s, const struct sl_ptx_launch *launch)
{
  int64_t *value = s->follower.values;
  for (uint16_t i = 1; i < s->code.symbols; i++) {
    const struct sl_linear_symbol *symbol = &s->code.symbol[i];
    int32_t narrow;
    if (symbol->origin == SL_LINEAR_BLOCK_SIZE) {
      value[i] = launch->block[symbol->at];
    } else if (symbol->origin == SL_LINEAR_GRID_SIZE) {
      value[i] = launch->grid[symbol->at];
    } else if (symbol->bytes == sizeof narrow) {
      memcpy(&narrow, launch->params + symbol->at, sizeof narrow);
      value[i] = narrow;
    } else {
      memcpy(&value[i], launch->params + symbol->at, sizeof value[i]);
    }
  }
}

static void begin_block(struct run *r, const struct sl_ptx_block *block)
{
  for (unsigned w = 0; w < block->warp_count; w++)
    sl_linear_follow_begin(&r->subject->follower, w);
}

/* Returns the place of an instruction's result, and whether it has 64 bits. */
static struct sl_ptx_place result_of(const struct sl_ptx_insn *in, bool *wide)
{
  const bool load = in->kind == SL_PTX_K_LOAD;
  *wide = load ? in->wide & 1 : sl_ptx_type_bytes(sl_ptx_row(in->row)->d) == sizeof(uint64_t);
  return load ? in->element[0] : in->d;
}

static void executed(struct run *r, const struct sl_ptx_warp *w, const struct sl_ptx_effect *effect)
{
  struct sl_linear_follower *f = &r->subject->follower;
  const struct sl_ptx_function *kernel = r->launch->kernel;
  if (effect->pc < kernel->begin || effect->pc >= kernel->end)
    return; /* an instruction of a called function */
  const uint32_t insn = effect->pc - kernel->begin;
  sl_linear_follow_enter(f, w->index, effect->issued, insn);
  if (!sl_linear_follow_wants(f, insn))
    return;
  struct sl_linear_result result = {.insn = insn, .place = effect->insn->line, .active = effect->active};
  const struct sl_ptx_place place = result_of(effect->insn, &result.wide);
  const struct sl_linear_warp warp = {
      .warp = w->index, .within = w->index, .index = w->block->index, .size = r->launch->block};
  result.registers = w->area[place.area] + place.offset;
  sl_linear_follow_compare(f, &warp, &result, &r->check->tally);
}

static bool hear(void *context, const struct sl_probe *p)
{
  if (p->kind == SL_PROBE_BEGUN)
    begin_block(context, p->ptx_block);
  else
    executed(context, p->ptx_warp, p->ptx_effect);
  return true;
}

static enum sl_status run_grid(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                               struct sl_error *err)
{
  struct run r = {.check = context, .launch = launch};
  struct sl_probes probes = {.wanted = SL_PROBE_BEGUN | SL_PROBE_EXECUTED, .tell = hear, .context = &r};
  struct sl_ptx_bounds bounds = {0};
  const size_t threads = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
  enum sl_status status = find_subject(r.check, launch, &r.subject, err);
  if (status != SL_OK)
    return status;
  r.check->tally.refused += r.subject->refused;
  if (!r.subject->refused) {
    set_symbols(r.subject, launch);
    if (!sl_linear_follow_warps(&r.subject->follower, threads / SL_PTX_LANES + 1))
      return sl_no_memory(err, threads * sizeof(uint32_t));
    bounds = (struct sl_ptx_bounds){.probes = &probes, .alone = true};
  }
  return sl_ptx_grid_run(launch, &bounds, counts, err);
}

struct sl_ptx_engine sl_linear_check_engine(struct sl_linear_check *check)
{
  return (struct sl_ptx_engine){.run = run_grid, .context = check};
}

void sl_linear_check_free(struct sl_linear_check *check)
{
  while (check->subjects != NULL) {
    struct sl_linear_subject *s = check->subjects;
    check->subjects = s->next;
    free_subject(s);
  }
}
