#include "warp/blocks/path_blocks.h"

#include "warp/emitted/emitted.h"

void sl_path_blocks_init(struct sl_stretches *b, const struct sl_path_warps *t, enum sl_convergence scheme,
                         enum sl_tier tier, bool portable)
{
  *b = (struct sl_stretches){0};
  if (t->memory->flat == NULL)
    return;
  sl_stretches_init(b, t->spec.lanes, t->lane_bits, false, 0, portable);
  const bool nesting = scheme == SL_CONVERGENCE_NESTING;
  const struct sl_emitted_rules rules = {.lanes = t->spec.lanes,
                                         .slot_shift = t->stack.slot_shift,
                                         .level_max = nesting ? SL_NEST_MAX : 0,
                                         .calls = nesting};
  sl_emitted_open(b, &rules, tier, portable);
}

struct sl_step_lanes sl_path_step_lanes(const struct sl_path_warps *t, unsigned warp)
{
  struct sl_memory *m = t->memory;
  struct sl_step_lanes s = {
      .x = sl_path_warps_registers(t, warp),
      .lanes = t->spec.lanes,
      .filled = m->fill != 0,
      .memory = m,
      .region[SL_STEP_MEMORY] = {m->flat, m->low, t->stack.virtual_base - t->stack.gap_bytes - m->low},
      .scratchpad_base = t->spec.scratchpad_base,
      .scratchpad_bytes = t->spec.scratchpad_bytes,
      .stack = t->stack};
  s.stack.lane0 = warp << (2 + t->lane_bits);
  return s;
}

#define NOWHERE UINT32_MAX /* of code: no instruction has that number */

/* Instructions until path i comes to where another path waits in the same state, at most `count`. */
static uint32_t until_others(const struct sl_paths *paths, unsigned i, uint32_t count)
{
  const struct sl_path *path = &paths->path[i];
  for (unsigned j = 0; j < paths->count; j++) {
    const uint32_t words = (paths->path[j].pc - path->pc) / 4;
    const bool meets = (j != i) & (paths->path[j].level == path->level) & (words < count);
    count = meets ? words : count;
  }
  return count;
}

/* A path as it was when it was selected. */
struct selected {
  unsigned count; /* of paths; 0: none has been selected */
  int16_t level;
  sl_lanes lanes;
};

/* Whether path i is so still: with nesting no other comes before it while it has neither split, joined another, nor
 * left a level. */
static bool still_selected(const struct sl_paths *paths, unsigned i, struct selected was)
{
  return was.count == paths->count && paths->scheme == SL_CONVERGENCE_NESTING && i < was.count &&
         paths->path[i].lanes == was.lanes && paths->path[i].level >= was.level;
}

static bool branch(struct sl_path_warps *t, unsigned warp, unsigned i, const struct sl_insn *in)
{
  struct sl_paths *paths = &t->paths[warp];
  struct sl_path *path = &paths->path[i];
  const uint32_t target = path->pc + in->imm, next = sl_code_next(&t->code, path->pc);
  if (sl_path_warps_outside(t, target))
    return false;
  uint32_t *x = sl_path_warps_registers(t, warp);
  const sl_lanes taken = t->ops->execute[in->op](x, in, path->lanes, path->pc, t->spec.lanes);
  if (taken == path->lanes || taken == 0)
    sl_paths_advance(paths, i, taken ? target : next);
  else
    sl_paths_branch(paths, i, taken, target, next);
  return true;
}

static bool jump(struct sl_path_warps *t, unsigned warp, unsigned i, const struct sl_insn *in)
{
  struct sl_paths *paths = &t->paths[warp];
  struct sl_path *path = &paths->path[i];
  const uint32_t target = path->pc + in->imm;
  if (sl_path_warps_outside(t, target))
    return false;
  if (in->rd != 0)
    t->ops->broadcast(sl_path_warps_registers(t, warp) + ((size_t)in->rd << t->lane_bits),
                      sl_code_next(&t->code, path->pc), path->lanes, t->spec.lanes);
  sl_path_warps_count_call(t, path, in);
  sl_paths_advance(paths, i, target);
  return true;
}

/* A mark of convergence, if it is of this scheme. False: there are no more levels. */
static bool change_level(const struct sl_paths *paths, struct sl_path *path, int change)
{
  if (paths->scheme != SL_CONVERGENCE_NESTING)
    return true;
  if (path->level + change < 0 || path->level + change > SL_NEST_MAX)
    return false;
  path->level = (int16_t)(path->level + change);
  return true;
}

static bool nest(struct sl_path_warps *t, unsigned warp, unsigned i, int change)
{
  struct sl_paths *paths = &t->paths[warp];
  struct sl_path *path = &paths->path[i];
  if (!change_level(paths, path, change))
    return false;
  sl_paths_advance(paths, i, sl_code_next(&t->code, path->pc));
  return true;
}

/* The instruction behind a stretch, if it only moves the path, and is surely good. */
static bool leave(struct sl_path_warps *t, unsigned warp, unsigned i, const struct sl_insn *in)
{
  switch (in->kind) {
  case SL_KIND_BRANCH: return branch(t, warp, i, in);
  case SL_KIND_JAL: return jump(t, warp, i, in);
  case SL_KIND_PUSH: return nest(t, warp, i, 1);
  case SL_KIND_POP: return nest(t, warp, i, -1);
  default: return false;
  }
}

/* The next instruction by number, if one that only moves the warp's only path is surely good and the same for all its
 * lanes; NOWHERE if not. */
static uint32_t follow(const struct sl_path_warps *t, const struct sl_paths *paths, struct sl_path *path, uint32_t *x,
                       uint32_t index)
{
  const struct sl_insn *in = &t->code.insn[index];
  const uint32_t pc = sl_code_address(&t->code, index), there = sl_code_index(&t->code, pc + in->imm);
  switch (in->kind) {
  case SL_KIND_BRANCH: {
    const sl_lanes taken = t->ops->execute[in->op](x, in, path->lanes, pc, t->spec.lanes);
    return taken == 0 ? index + 1 : taken == path->lanes && there < t->code.count ? there : NOWHERE;
  }
  case SL_KIND_JAL: return in->rd == 0 && there < t->code.count ? there : NOWHERE;
  case SL_KIND_PUSH:
  case SL_KIND_POP: return change_level(paths, path, in->kind == SL_KIND_PUSH ? 1 : -1) ? index + 1 : NOWHERE;
  default: return NOWHERE;
  }
}

/* A warp whose lanes are together, for at most so many instructions; returns how many it has executed. */
static uint64_t run_together(struct sl_stretches *b, struct sl_path_warps *t, struct sl_paths *paths,
                             const struct sl_step_lanes *s, uint64_t instructions)
{
  struct sl_path *path = &paths->path[0];
  const bool all = path->lanes == t->all;
  uint32_t index = sl_code_index(&t->code, path->pc), next = index;
  uint64_t run = 0;
  while (run < instructions && index < t->code.count) {
    if (b->emitted != NULL) {
      run += sl_emitted_run(b, &t->code, s, false, &path->level, &index, instructions - run);
      if (run == instructions)
        break;
    }
    const uint64_t left = instructions - run;
    const uint32_t straight = sl_stretches_from(b, &t->code, index),
                   count = straight < left ? straight : (uint32_t)left;
    const uint32_t done = sl_stretches_perform(s, &b->step[index], count, all);
    run += done;
    index += done;
    if (done < count || run == instructions || index >= t->code.count)
      break;
    next = follow(t, paths, path, s->x, index);
    if (next == NOWHERE)
      break;
    index = next;
    run++;
  }
  path->pc = sl_code_address(&t->code, index);
  return run;
}

/* Whether the instruction there, where a warp has stopped whose lanes are together, is surely none for here. */
static bool is_for_others(const struct sl_stretches *b, const struct sl_path_warps *t, uint32_t pc)
{
  enum { NO_STEP = 1 };
  const uint32_t moves = 1u << SL_KIND_BRANCH | 1u << SL_KIND_JAL | 1u << SL_KIND_PUSH | 1u << SL_KIND_POP;
  const uint32_t index = sl_code_index(&t->code, pc);
  return index < t->code.count && b->straight[index] == NO_STEP && !(moves >> t->code.insn[index].kind & 1);
}

/* ---- blocks of machine code among several paths --------------------------------------------------------------------
 */

/* All paths of a warp wait, but i. False: one does where blocks do not look. */
static bool others_wait(struct sl_emitted *e, const struct sl_path_warps *t, const struct sl_paths *paths, unsigned i)
{
  bool all = true;
  for (unsigned j = 0; j < paths->count; j++)
    if (j != i)
      all &= sl_emitted_wait(e, sl_code_index(&t->code, paths->path[j].pc));
  return all;
}

/* They no longer do. */
static void others_go(struct sl_emitted *e, const struct sl_path_warps *t, const struct sl_paths *paths, unsigned i)
{
  for (unsigned j = 0; j < paths->count; j++)
    if (j != i)
      sl_emitted_go(e, sl_code_index(&t->code, paths->path[j].pc));
}

/* Path i goes on among the others as far as blocks of machine code go; `meets`: to where another one waits. */
static uint64_t run_among(struct sl_stretches *b, const struct sl_path_warps *t, struct sl_paths *paths, unsigned i,
                          const struct sl_step_lanes *s, uint64_t instructions, bool *meets)
{
  struct sl_path *path = &paths->path[i];
  uint32_t index = sl_code_index(&t->code, path->pc);
  uint64_t run = 0;
  if (others_wait(b->emitted, t, paths, i))
    run = sl_emitted_run(b, &t->code, s, true, &path->level, &index, instructions);
  *meets = sl_emitted_waits(b->emitted, index);
  others_go(b->emitted, t, paths, i);
  path->pc = sl_code_address(&t->code, index);
  return run;
}

/* Path i is where blocks of machine code have left it. Whether paths are others then, by one instruction or none. */
static bool regroup(struct sl_path_warps *t, unsigned warp, unsigned i, bool meets, uint64_t left, uint64_t *run)
{
  struct sl_paths *paths = &t->paths[warp];
  const unsigned before = paths->count;
  if (meets)
    sl_paths_settle(paths, i);
  if (paths->count != before)
    return true;
  const uint32_t index = sl_code_index(&t->code, paths->path[i].pc);
  const bool moved = left > 0 && index < t->code.count && leave(t, warp, i, &t->code.insn[index]);
  *run += moved;
  return moved;
}

/* The paths of a warp that has several, in their order, as far as blocks of machine code and what only moves a path
 * take them. */
static struct sl_path_blocks_run run_apart(struct sl_stretches *b, struct sl_path_warps *t, unsigned warp,
                                           struct sl_step_lanes *s, uint64_t instructions)
{
  struct sl_path_blocks_run run = {0};
  struct sl_paths *paths = &t->paths[warp];
  bool more = b->emitted != NULL && paths->scheme == SL_CONVERGENCE_NESTING;
  while (more && paths->count > 1 && run.instructions < instructions) {
    const unsigned i = sl_paths_select(paths);
    const struct sl_path *path = &paths->path[i];
    bool meets;
    if (path->retry || sl_path_warps_outside(t, path->pc))
      break;
    s->active = path->lanes;
    const unsigned lanes = sl_count(s->active);
    uint64_t done = run_among(b, t, paths, i, s, instructions - run.instructions, &meets);
    more = regroup(t, warp, i, meets, instructions - run.instructions - done, &done);
    run.instructions += done;
    run.thread_instructions += done * lanes;
  }
  return run;
}

struct sl_path_blocks_run sl_path_blocks_run(struct sl_stretches *b, struct sl_path_warps *t, unsigned warp,
                                             uint64_t instructions)
{
  struct sl_path_blocks_run run = {0};
  if (!sl_stretches_of(b, &t->code, t->code_edition))
    return run;
  sl_emitted_of(b, &t->code);
  struct sl_paths *paths = &t->paths[warp];
  struct sl_step_lanes s = sl_path_step_lanes(t, warp);
  struct selected now = {.count = 0};
  unsigned i = 0;
  while (run.instructions < instructions) {
    if (!still_selected(paths, i, now))
      i = sl_paths_select(paths);
    struct sl_path *path = &paths->path[i];
    now = (struct selected){paths->count, path->level, path->lanes};
    s.active = path->lanes;
    const bool all = s.active == t->all;
    if (paths->count == 1 && !path->retry) {
      const uint64_t together = run_together(b, t, paths, &s, instructions - run.instructions);
      run.instructions += together;
      run.thread_instructions += together * t->spec.lanes;
      if (run.instructions == instructions || is_for_others(b, t, path->pc))
        break;
    } else if (paths->count > 1) {
      const unsigned before = paths->count;
      const struct sl_path_blocks_run apart = run_apart(b, t, warp, &s, instructions - run.instructions);
      run.instructions += apart.instructions;
      run.thread_instructions += apart.thread_instructions;
      now.count = 0;
      if (apart.instructions > 0 || paths->count != before)
        continue;
    }
    const uint32_t index = sl_code_index(&t->code, path->pc);
    if (index >= t->code.count || path->retry || (paths->count > 1 && paths->scheme == SL_CONVERGENCE_SORTED_PATHS))
      break;
    const uint64_t left = instructions - run.instructions;
    const uint32_t straight = sl_stretches_from(b, &t->code, index);
    const uint32_t alone = paths->count > 1 && straight > 0 ? until_others(paths, i, straight + 1) : straight + 1;
    const uint32_t until = alone < straight ? alone : straight, count = until < left ? until : (uint32_t)left;
    const uint32_t done = sl_stretches_perform(&s, &b->step[index], count, all);
    path->pc += 4 * done;
    bool more = done == count;
    uint32_t executed = done;
    if (more && done < left && alone > straight) {
      more = leave(t, warp, i, &t->code.insn[index + done]);
      executed += more;
    } else if (alone <= straight && done == alone) {
      sl_paths_settle(paths, i);
    }
    run.instructions += executed;
    run.thread_instructions += (uint64_t)executed * (all ? t->spec.lanes : sl_count(s.active));
    if (!more)
      break;
  }
  return run;
}
