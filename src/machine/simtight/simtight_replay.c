#include "machine/simtight/simtight_replay.h"

#include "machine/simtight/simtight_image.h"

/* ---- outcomes of accesses ---------------------------------------------------------------------------------------- */

/* The passes of a request whose pass has been chosen, and what each does. */
static uint64_t passes(const struct sl_simtight_sm *sm, const struct sl_request *request)
{
  const struct sl_coalescer_spec *spec = &sm->s.path.spec;
  uint64_t outcome = request->scratchpad_passes * (uint64_t)(request->scratchpad != 0) |
                     (uint64_t)request->access << 8 | (uint64_t)sl_scratchpad_one_word(request) << 12 |
                     (uint64_t)request->responds << 13;
  if (request->pass.lanes == request->pending && request->pass.scratchpad)
    return outcome | 1 << 14;
  struct sl_request rest;
  const struct sl_request *r = request;
  for (;;) {
    const struct sl_selection *pass = &r->pass;
    const bool stack = r->address[sl_lowest(r->pending)] >= spec->stack_base;
    sl_image_mix(&outcome, pass->lanes);
    sl_image_mix(&outcome, pass->beats | (uint64_t)pass->scratchpad << 32 | (uint64_t)pass->whole_block << 33 |
                               (uint64_t)stack << 34);
    if (pass->lanes == r->pending)
      return outcome;
    if (r == request) {
      rest = *request;
      r = &rest;
    }
    rest.pending &= ~pass->lanes;
    sl_coalescer_choose(spec, sm->warps.ops, &rest, &rest.pass);
  }
}

/* Keeps what a store or an atomic will change. Returns false if it is a fault, or too much. */
static bool keep_memory(struct sl_segments *g, struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex)
{
  struct sl_path_warps *t = &sm->warps;
  struct sl_request *r = &sm->s.functional_request;
  struct sl_addresses s;
  sl_memory_addresses(t, warp, ex, r, &s);
  return !s.misaligned && !s.stray && s.low >= t->memory->low && sl_segments_keep_words(g, ex, r->address, &s);
}

/* The same for one that is usually a row of words. */
static bool keep_stored(struct sl_segments *g, struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex)
{
  struct sl_path_warps *t = &sm->warps;
  const struct sl_insn *in = ex->insn;
  const uint32_t *base = sl_path_warps_registers(t, warp) + ((size_t)in->rs1 << t->lane_bits);
  const uint32_t first = base[0] + in->imm, last = first + 4 * (t->spec.lanes - 1);
  const bool row = ex->active == t->all && in->op == SL_OP_SW && (first & 3) == 0 && first >= t->memory->low &&
                   first <= last && last < t->stack.virtual_base - t->stack.gap_bytes &&
                   first >> SL_PAGE_BITS == last >> SL_PAGE_BITS &&
                   t->ops->shape(base, in->imm, sm->s.functional_request.address, t->spec.lanes) == SL_SHAPE_ROW;
  return row ? sl_segments_keep_row(g, first) : keep_memory(g, sm, warp, ex);
}

/* An access that is refused has been refused before its addresses are known, so `refused` does not occur. */
static bool access(void *machine, struct sl_segments *g, unsigned warp, const struct sl_execution *ex, bool refused,
                   uint64_t *outcome)
{
  struct sl_simtight_sm *sm = machine;
  const struct sl_insn *in = ex->insn;
  struct sl_request *r = &sm->s.functional_request;
  (void)refused;
  if ((in->kind != SL_KIND_LOAD && !keep_stored(g, sm, warp, ex)) ||
      (in->rd != 0 && in->kind != SL_KIND_STORE && !sl_segments_keep_register(g, warp, in->rd)) ||
      !sl_memory_access(&sm->warps, warp, ex, r))
    return false;
  sl_coalescer_choose(&sm->s.path.spec, sm->warps.ops, r, &r->pass);
  *outcome = passes(sm, r);
  return true;
}

void sl_simtight_replay_record(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                               const struct sl_request *request)
{
  const struct sl_paths *paths = &sm->warps.paths[warp];
  switch (ex->insn->kind) {
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO:
    sl_replay_record(sm->replay, warp, ex, false, passes(sm, request),
                     ex->insn->kind != SL_KIND_AMO || request->scratchpad == ex->active);
    break;
  default: /* the lanes of an indirect jump may go to several places */
    sl_replay_record(sm->replay, warp, ex, false, paths->path[0].pc,
                     ex->insn->kind != SL_KIND_JALR || paths->count == 1);
  }
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static unsigned image(const void *sm, const void *windows, uint64_t *word)
{
  return sl_simtight_image(sm, windows, word);
}

static uint64_t hint(const void *sm, const void *windows)
{
  return sl_simtight_image_hint(sm, windows);
}

static void restore(void *machine, void *windows, const uint64_t *word, int64_t now)
{
  struct sl_simtight_sm *sm = machine;
  sl_simtight_image_restore(sm, windows, word, now);
  sl_replay_anchors(sm->replay)->pc = sm->warps.paths[0].path[0].pc;
}

/* Single counters that are added below. */
enum { SINGLE_COUNTERS = 7 };
SL_HOLDS(SL_SEGMENT_COUNTERS, sizeof(struct sl_simtight_counts) / sizeof(uint64_t) + SINGLE_COUNTERS, "counters");

static const struct sl_replay_machine functions = {.image = image, .hint = hint, .restore = restore, .access = access};

struct sl_replay *sl_simtight_replay_create(struct sl_simtight_sm *sm)
{
  const struct sl_simtight_spec *spec = &sm->spec;
  if (sm->observed || sm->environment.portable_lanes || spec->compressed || spec->fairness ||
      !sl_convergences[spec->convergence]->order_is_known)
    return NULL;
  struct sl_replay *p = sl_replay_create(&functions, sm, &sm->warps);
  if (p == NULL)
    return NULL;
  struct sl_segments *g = sl_replay_segments(p);
  struct sl_request_path *path = &sm->s.path;
  sl_segments_count(g, &sm->s.counts, sizeof sm->s.counts);
  sl_segments_count(g, &path->passes, sizeof path->passes);
  sl_segments_count(g, &path->stack_load_passes, sizeof path->stack_load_passes);
  sl_segments_count(g, &path->answered, sizeof path->answered);
  sl_segments_count(g, &path->scratchpad.requests, sizeof path->scratchpad.requests);
  sl_segments_count(g, &path->scratchpad.passes, sizeof path->scratchpad.passes);
  sl_segments_count(g, &path->scratchpad.words, sizeof path->scratchpad.words);
  sl_segments_count(g, &path->dram.beats, sizeof path->dram.beats);
  return p;
}
