#include "ptx/oracle/ptx_oracle.h"

#include <stdlib.h>
#include <string.h>

bool sl_ptx_marks_open(struct sl_ptx_marks *m, size_t warps)
{
  m->first = calloc(warps + 1, sizeof *m->first);
  m->warps = warps;
  return m->first != NULL;
}

bool sl_ptx_marks_append(struct sl_ptx_marks *m, size_t warp, const struct sl_ptx_chunk *chunk, size_t count)
{
  if (m->count + count > m->room) {
    const size_t room = 2 * (m->count + count);
    struct sl_ptx_chunk *larger = realloc(m->chunk, room * sizeof *larger);
    if (larger == NULL)
      return false;
    m->chunk = larger;
    m->room = room;
  }
  if (count > 0)
    memcpy(m->chunk + m->count, chunk, count * sizeof *chunk);
  m->count += count;
  m->first[warp + 1] = m->count;
  return true;
}

void sl_ptx_marks_free(struct sl_ptx_marks *m)
{
  free(m->chunk);
  free(m->first);
  *m = (struct sl_ptx_marks){0};
}

struct sl_ptx_place_of_marks sl_ptx_marks_begin(const struct sl_ptx_marks *m, size_t warp)
{
  const uint64_t first = m->first[warp], left = m->first[warp + 1] - first;
  return (struct sl_ptx_place_of_marks){.at = left > 0 ? m->chunk + first : NULL, .left = left};
}

uint64_t sl_ptx_way(uint64_t way, uint32_t pc)
{
  return sl_ptx_mixed(way, pc);
}

bool sl_ptx_marks_next(struct sl_ptx_place_of_marks *p, uint32_t pc)
{
  if (p->at == NULL)
    return true;
  p->way = sl_ptx_way(p->way, pc);
  if (++p->within < SL_PTX_CHUNK)
    return true;
  const bool same = p->way == p->at->way;
  p->within = 0;
  p->left--;
  p->at = same && p->left > 0 ? p->at + 1 : NULL;
  return same;
}

struct watch {
  const struct sl_ptx_tracer *watcher;
  const struct sl_ptx_bounds *bounds;
  struct sl_ptx_redundancy *next; /* by warp of the block */
  uint32_t *visits;               /* by warp and PC */
  size_t warps, pcs;
  struct sl_probes probes;
  bool failed;
};

static bool goes_on(void *context)
{
  const struct watch *w = context;
  return !w->failed && (w->bounds->goes_on == NULL || w->bounds->goes_on(w->bounds->context));
}

static void trace_begun(struct watch *w, const struct sl_ptx_block *block)
{
  memset(w->visits, 0, w->warps * w->pcs * sizeof *w->visits);
  for (unsigned i = 0; i < block->warp_count; i++)
    w->next[i] = sl_ptx_look(&block->warps[i]);
  if (!w->failed && w->watcher->begun != NULL)
    w->failed = !w->watcher->begun(w->watcher->context, block);
}

static void executed(struct watch *w, const struct sl_ptx_warp *warp, const struct sl_ptx_effect *effect)
{
  const uint32_t visit = w->visits[warp->index * w->pcs + effect->pc]++;
  const struct sl_ptx_seen seen = {.warp = warp,
                                   .effect = effect,
                                   .before = &w->next[warp->index],
                                   .occurrence = sl_ptx_mixed(sl_ptx_mixed(1, effect->pc), visit)};
  if (!w->failed)
    w->failed = !w->watcher->seen(w->watcher->context, &seen);
  w->next[warp->index] = sl_ptx_look(warp);
}

/* The observer of the bounds is notified first. */
static bool hear(void *context, const struct sl_probe *p)
{
  struct watch *w = context;
  if (w->bounds->probes != NULL)
    sl_tell(w->bounds->probes, p);
  if (p->kind == SL_PROBE_BEGUN)
    trace_begun(w, p->ptx_block);
  else if (p->kind == SL_PROBE_EXECUTED)
    executed(w, p->ptx_warp, p->ptx_effect);
  return !sl_probes_stopped(w->bounds->probes);
}

enum sl_status sl_ptx_trace(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                            const struct sl_ptx_tracer *watcher, struct sl_ptx_counts *counts, struct sl_error *err)
{
  const size_t threads = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
  struct watch w = {.watcher = watcher,
                    .bounds = bounds,
                    .warps = (threads + SL_PTX_LANES - 1) / SL_PTX_LANES,
                    .pcs = launch->module->code_count,
                    .probes = {.wanted = SL_PROBE_BEGUN | SL_PROBE_EXECUTED, .tell = hear, .context = &w}};
  const struct sl_ptx_bounds own = {.limit = bounds->limit,
                                    .goes_on = goes_on,
                                    .context = &w,
                                    .probes = &w.probes,
                                    .launch = bounds->launch,
                                    .alone = true};
  w.probes.wanted |= bounds->probes != NULL ? bounds->probes->wanted : 0;
  w.probes.payloads = bounds->probes != NULL ? bounds->probes->payloads : 0;
  w.next = calloc(w.warps, sizeof *w.next);
  w.visits = calloc(w.warps * w.pcs + 1, sizeof *w.visits);
  w.failed = w.next == NULL || w.visits == NULL;
  enum sl_status code = w.failed ? SL_INTERNAL : sl_ptx_grid_run(launch, &own, counts, err);
  if (w.failed)
    code = sl_no_memory(err, w.warps * w.pcs * sizeof *w.visits);
  free(w.next);
  free(w.visits);
  return code;
}

enum { GRANULE = 4 /* bytes for which the time of the block's last write is tracked */ };

/* Classification of a warp of the current block. */
struct said {
  struct sl_ptx_chunk *chunk;
  size_t count, room; /* chunks */
  uint64_t insns, way;
  uint32_t barriers; /* that it has passed */
};

/* An instruction of a warp that is eliminated if its group is affine. */
struct member {
  uint32_t group, warp, lanes;
  uint64_t insn;
};

/* The executions of a block's warps at the same occurrence of an instruction. */
struct group {
  struct sl_ptx_affine affine;
  bool led; /* the current instruction was seen before */
};

struct observation {
  enum sl_ptx_oracle oracle;
  struct sl_ptx_marks *marks;
  struct sl_ptx_spared *spared;
  struct said *said; /* by warp */
  size_t warps;
  uint64_t block; /* number of blocks that have begun */
  uint64_t now;   /* instructions of the block so far */
  struct sl_ptx_once done, written;
  struct group *group;
  struct member *member;
  size_t groups, group_room, members, member_room;
};

/* Makes room for one more. */
static bool reserve(void **items, size_t count, size_t *room, size_t size)
{
  if (count < *room)
    return true;
  const size_t larger = *room ? 2 * *room : 256;
  void *grown = realloc(*items, larger * size);
  if (grown == NULL)
    return false;
  *items = grown;
  *room = larger;
  return true;
}

static void drop(struct observation *t, struct said *s, uint64_t insn, uint32_t lanes)
{
  s->chunk[insn / SL_PTX_CHUNK].dropped |= sl_bit(insn % SL_PTX_CHUNK);
  t->spared->warp_insns++;
  t->spared->thread_insns += sl_count(lanes);
}

static void narrow(struct observation *t, struct said *s, uint64_t insn)
{
  s->chunk[insn / SL_PTX_CHUNK].alike |= sl_bit(insn % SL_PTX_CHUNK);
  t->spared->scalar++;
}

/* Eliminates every member but the first of each affine group. */
static void drop_members(struct observation *t)
{
  for (size_t i = 0; i < t->members; i++) {
    const struct member *m = &t->member[i];
    struct group *g = &t->group[m->group];
    if (g->led && !g->affine.no)
      drop(t, &t->said[m->warp], m->insn, m->lanes);
    g->led = true;
  }
}

/* At the end of the block, stores the classification of its warps. */
static bool end_block(struct observation *t)
{
  bool kept = true;
  drop_members(t);
  for (size_t w = 0; w < t->warps && t->block > 0; w++) {
    struct said *s = &t->said[w];
    if (t->marks != NULL)
      kept &= sl_ptx_marks_append(t->marks, (t->block - 1) * t->warps + w, s->chunk, s->count);
    *s = (struct said){.chunk = s->chunk, .room = s->room};
  }
  t->members = t->groups = 0;
  t->now = 0;
  sl_ptx_once_clear(&t->done);
  sl_ptx_once_clear(&t->written);
  return kept;
}

static bool begun(void *context, const struct sl_ptx_block *block)
{
  struct observation *t = context;
  (void)block;
  const bool kept = end_block(t);
  t->block++;
  return kept;
}

/* Appends an instruction of the warp, not yet classified. */
static bool say(struct said *s, uint32_t pc)
{
  if (s->insns++ % SL_PTX_CHUNK == 0) {
    if (!reserve((void **)&s->chunk, s->count, &s->room, sizeof *s->chunk))
      return false;
    s->chunk[s->count++] = (struct sl_ptx_chunk){0};
  }
  s->way = s->chunk[s->count - 1].way = sl_ptx_way(s->way, pc);
  return true;
}

static bool join_group(struct observation *t, const struct sl_ptx_seen *seen, uint64_t insn)
{
  struct sl_ptx_result result;
  bool is_new;
  const struct sl_ptx_insn *in = seen->before->insn;
  if (sl_ptx_sort_of(in) != SL_PTX_SORT_VALUE || !sl_ptx_is_integer(in) || !sl_ptx_result(seen->warp, in, &result))
    return true;
  uint64_t *group = sl_ptx_once_put(&t->done, seen->occurrence, &is_new);
  if (group == NULL || !reserve((void **)&t->group, t->groups, &t->group_room, sizeof *t->group) ||
      !reserve((void **)&t->member, t->members, &t->member_room, sizeof *t->member))
    return false;
  if (is_new) {
    *group = t->groups;
    t->group[t->groups++] = (struct group){.led = false};
  }
  sl_ptx_affine_take(&t->group[*group].affine, seen->warp->index, seen->before->active, &result);
  t->member[t->members++] = (struct member){
      .group = (uint32_t)*group, .warp = seen->warp->index, .lanes = seen->before->active, .insn = insn};
  return true;
}

static uint64_t granule(const struct sl_ptx_effect *e, uint64_t address)
{
  return sl_ptx_mixed(sl_ptx_mixed(2, e->space), address / GRANULE);
}

static bool write(struct observation *t, const struct sl_ptx_effect *e)
{
  for (uint32_t rest = e->active; rest != 0; rest &= rest - 1)
    for (uint64_t at = e->address[sl_lowest(rest)], end = at + e->bytes; at < end; at += GRANULE) {
      bool is_new;
      uint64_t *when = sl_ptx_once_put(&t->written, granule(e, at), &is_new);
      if (when == NULL)
        return false;
      *when = t->now;
    }
  return true;
}

static bool is_written(const struct observation *t, const struct sl_ptx_effect *e, uint64_t since)
{
  for (uint32_t rest = t->written.count > 0 ? e->active : 0; rest != 0; rest &= rest - 1)
    for (uint64_t at = e->address[sl_lowest(rest)], end = at + e->bytes; at < end; at += GRANULE) {
      const uint64_t *when = sl_ptx_once_find(&t->written, granule(e, at));
      if (when != NULL && *when > since)
        return true;
    }
  return false;
}

static bool repeat(struct observation *t, const struct sl_ptx_seen *seen, uint64_t insn)
{
  const struct sl_ptx_redundancy *before = seen->before;
  struct said *s = &t->said[seen->warp->index];
  const enum sl_ptx_sort sort = sl_ptx_sort_of(before->insn);
  bool is_new = true;
  if (sort != SL_PTX_SORT_OTHER) {
    const bool changes = sort == SL_PTX_SORT_LOAD && before->insn->space != SL_PTX_CONST;
    const uint64_t key = sl_ptx_mixed(seen->occurrence, before->sources);
    uint64_t *when = sl_ptx_once_put(&t->done, changes ? sl_ptx_mixed(key, s->barriers) : key, &is_new);
    if (when == NULL)
      return false;
    is_new |= changes && is_written(t, seen->effect, *when);
    if (is_new)
      *when = t->now;
  }
  if (!is_new)
    drop(t, s, insn, before->active);
  else if (t->oracle == SL_PTX_DARSIE_SCALAR && sort == SL_PTX_SORT_VALUE && before->alike)
    narrow(t, s, insn);
  return true;
}

static bool seen(void *context, const struct sl_ptx_seen *seen)
{
  struct observation *t = context;
  struct said *s = &t->said[seen->warp->index];
  const enum sl_ptx_kind kind = seen->effect->insn->kind;
  const uint64_t insn = s->insns;
  t->now++;
  if (!say(s, seen->effect->pc))
    return false;
  if (t->oracle == SL_PTX_DAC)
    return join_group(t, seen, insn);
  s->barriers += kind == SL_PTX_K_BARRIER;
  if (kind == SL_PTX_K_STORE || kind == SL_PTX_K_ATOMIC)
    return write(t, seen->effect);
  return repeat(t, seen, insn);
}

static void free_teller(struct observation *t)
{
  for (size_t w = 0; t->said != NULL && w < t->warps; w++)
    free(t->said[w].chunk);
  free(t->said);
  free(t->group);
  free(t->member);
  sl_ptx_once_free(&t->done);
  sl_ptx_once_free(&t->written);
}

enum sl_status sl_ptx_oracle_run(enum sl_ptx_oracle oracle, const struct sl_ptx_launch *launch,
                                 const struct sl_ptx_bounds *bounds, struct sl_ptx_marks *marks,
                                 struct sl_ptx_counts *counts, struct sl_ptx_spared *spared, struct sl_error *err)
{
  const size_t threads = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
  const size_t blocks = (size_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  struct observation t = {
      .oracle = oracle, .marks = marks, .spared = spared, .warps = (threads + SL_PTX_LANES - 1) / SL_PTX_LANES};
  const struct sl_ptx_tracer watcher = {.begun = begun, .seen = seen, .context = &t};
  *spared = (struct sl_ptx_spared){0};
  t.said = calloc(t.warps, sizeof *t.said);
  enum sl_status code = SL_OK;
  if (t.said == NULL || (marks != NULL && !sl_ptx_marks_open(marks, blocks * t.warps)))
    code = sl_no_memory(err, blocks * t.warps * sizeof *t.said);
  if (code == SL_OK)
    code = sl_ptx_trace(launch, bounds, &watcher, counts, err);
  if (!end_block(&t) && code == SL_OK)
    code = sl_no_memory(err, t.warps * sizeof *t.said);
  free_teller(&t);
  return code;
}
