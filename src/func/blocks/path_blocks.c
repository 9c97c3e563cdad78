#include "func/blocks/path_blocks.h"

#include "func/blocks/basic_blocks.h"
#include "func/jit/jit.h"
#include "func/path_execute.h"

/* The inputs of steps that are common to all warps; sl_path_step_lanes_of adds those of one warp, except the active
 * lanes. */
static struct sl_step_lanes common_lanes(const struct sl_path_warps *t)
{
  struct sl_memory *m = t->memory;
  return (struct sl_step_lanes){
      .lanes = t->spec.lanes,
      .filled = m->fill != 0,
      .memory = m,
      .region[SL_STEP_MEMORY] = {m->flat, m->low, t->stack.virtual_base - t->stack.gap_bytes - m->low},
      .scratchpad_base = t->spec.scratchpad_base,
      .scratchpad_bytes = t->spec.scratchpad_bytes,
      .stack = t->stack};
}

void sl_path_blocks_init(struct sl_basic_blocks *b, const struct sl_path_warps *t, enum sl_scheme scheme,
                         enum sl_execution_mode mode, bool portable, struct sl_probes *probes)
{
  *b = (struct sl_basic_blocks){0};
  if (t->memory->flat == NULL || mode == SL_MODE_INSTRUCTIONS || !sl_probes_allow_blocks(probes))
    return;
  sl_basic_blocks_init(b, t->spec.lanes, t->lane_bits, false, 0, portable);
  sl_basic_blocks_observe(b, probes, t->ops);
  b->lanes = common_lanes(t);
  b->lanes.observed = b;
  const bool nesting = sl_convergences[scheme]->levels_are_marks;
  const struct sl_jit_rules rules = {.lanes = t->spec.lanes,
                                     .slot_shift = t->stack.slot_shift,
                                     .level_max = nesting ? SL_NEST_MAX : 0,
                                     .calls = nesting,
                                     .hammocks = sl_convergences[scheme]->order_is_known};
  sl_jit_open(b, &rules, mode, portable);
}

#define NOWHERE UINT32_MAX /* not the index of any instruction */

/* The execution of one warp. */
struct walk {
  struct sl_basic_blocks *b;
  struct sl_path_warps *t;
  struct sl_paths *paths;
  struct sl_step_lanes *s;
  struct sl_time_slice *slice;
  uint64_t left;                /* remaining instructions */
  uint64_t left_behind, behind; /* limit of instructions after and including a branch; how many of them have executed */
  struct sl_path_blocks_run run;
};

static bool may_go_on(const struct walk *w)
{
  return w->left > 0 && w->slice->left > 0;
}

static void count(struct walk *w, uint64_t instructions, unsigned lanes)
{
  w->left -= instructions;
  w->run.instructions += instructions;
  w->run.thread_instructions += instructions * lanes;
  w->slice->left = sl_time_slice_after(w->slice->left, instructions, false);
}

/* Counts the instruction after a block. */
static void count_one(struct walk *w, const struct sl_insn *in, unsigned lanes)
{
  const uint64_t left = w->slice->left;
  count(w, 1, lanes);
  w->slice->left = sl_time_slice_after(left, 1, sl_time_slice_may_end(in));
}

static uint32_t address(const struct walk *w, uint32_t index)
{
  return sl_code_address(&w->t->code, index);
}

/* Executes steps from `index`, at most `most` and at most the remaining number. */
static uint32_t perform(struct walk *w, uint32_t index, uint32_t most, bool all)
{
  const uint32_t steps = most < w->left ? most : (uint32_t)w->left;
  return sl_basic_blocks_perform(w->s, &w->b->step[index], steps, all);
}

static void link(struct walk *w, const struct sl_insn *in, uint32_t next, sl_lanes lanes)
{
  if (in->rd != 0)
    w->t->ops->broadcast(w->s->x + ((size_t)in->rd << w->t->lane_bits), next, lanes, w->s->lanes);
}

static bool counts_marks(const struct walk *w)
{
  return sl_paths_scheme(w->paths)->levels_are_marks;
}

/* The change of a path's level by a jump or a reconvergence annotation. */
static int level_change(const struct walk *w, const struct sl_insn *in)
{
  const bool nesting = counts_marks(w), jump = in->kind == SL_KIND_JAL;
  if (nesting == jump)
    return 0;
  return jump ? sl_path_warps_operands(w->t, in)->depth : in->kind == SL_KIND_PUSH ? 1 : -1;
}

static bool is_level(const struct walk *w, int level)
{
  return !counts_marks(w) || (level >= 0 && level <= SL_NEST_MAX);
}

/* Handles lanes that diverged in JIT code. */
static __attribute__((noinline)) void settle_parting(struct walk *w)
{
  const struct sl_jit_parting *parting = w->b->parting;
  w->b->parting = NULL;
  w->run.thread_instructions -= parting->idle;
  if (parting->hammock.steps > 0)
    sl_hammock_part(&parting->hammock, w->b, w->s, w->paths, &w->t->code, parting->taken, parting->steps);
}

/* Executes JIT code as far as it goes. Returns false if the time slice or the limit has ended. */
static bool run_emitted(struct walk *w, unsigned lanes, bool some, int16_t *level, uint32_t *index)
{
  uint64_t slice = w->slice->left;
  const uint64_t done = sl_jit_run(w->b, &w->t->code, w->s, some, level, index, &slice, w->left);
  count(w, done, lanes);
  w->slice->left = slice;
  if (__builtin_expect(w->b->parting != NULL, 0))
    settle_parting(w);
  return may_go_on(w);
}

/* ---- converged warps --------------------------------------------------------------------------------------------- */

/* The lanes disagree on the branch. */
static __attribute__((noinline)) uint32_t part(struct walk *w, uint32_t index, sl_lanes taken, uint32_t there)
{
  const struct sl_code *code = &w->t->code;
  const sl_lanes all = w->s->active, others = all & ~taken;
  if (there >= code->count)
    return NOWHERE;
  const struct sl_hammock h = sl_hammock_at(w->b, code, index, counts_marks(w));
  if (!sl_hammock_may(&h, taken, others, w->paths->path[0].level, w->left_behind)) {
    w->paths->path[0].pc = address(w, index);
    sl_paths_branch(w->paths, 0, taken, address(w, there), address(w, index + 1));
    return index + 1;
  }
  w->s->active = others;
  const uint32_t done = sl_basic_blocks_perform(w->s, &w->b->step[index + 1], h.steps, false);
  w->s->active = all;
  const struct sl_hammock_count ran = sl_hammock_count(&h, taken, others, done);
  w->behind = ran.instructions;
  w->run.thread_instructions += ran.thread_instructions - (uint64_t)ran.instructions * w->s->lanes;
  if (done < h.steps)
    sl_hammock_part(&h, w->b, w->s, w->paths, code, taken, done);
  return there;
}

static uint32_t branch(struct walk *w, const struct sl_insn *in, uint32_t index, uint32_t there)
{
  const sl_lanes all = w->s->active,
                 taken = w->t->ops->execute[in->op](w->s->x, in, all, address(w, index), w->s->lanes);
  if (taken == 0)
    return index + 1;
  return taken == all && there < w->t->code.count ? there : part(w, index, taken, there);
}

/* Executes a jump or a reconvergence annotation. */
static uint32_t jump(struct walk *w, const struct sl_insn *in, uint32_t index, uint32_t there)
{
  struct sl_path *path = &w->paths->path[0];
  const bool marks = in->kind == SL_KIND_PUSH || in->kind == SL_KIND_POP;
  if (!marks && (in->kind != SL_KIND_JAL || there >= w->t->code.count))
    return NOWHERE;
  const int level = path->level + level_change(w, in);
  if (marks && !is_level(w, level))
    return NOWHERE;
  path->level = (int16_t)level;
  if (!marks)
    link(w, in, address(w, index + 1), w->s->active);
  return marks ? index + 1 : there;
}

/* Executes the instruction after a block if it only moves the warp's path and cannot fault. Returns the new index, or
 * NOWHERE if sl_path_execute() must execute it. */
static inline uint32_t move(struct walk *w, const struct sl_insn *in, uint32_t index)
{
  const uint32_t there = sl_code_index(&w->t->code, address(w, index) + in->imm);
  if (in->kind == SL_KIND_CSR) {
    w->run.commands = sl_csr_commands(w->t, w->slice->warp, in, &w->run.command);
    return w->run.commands ? index + 1 : NOWHERE;
  }
  return in->kind == SL_KIND_BRANCH ? branch(w, in, index, there) : jump(w, in, index, there);
}

/* Executes a converged warp until it diverges, or for one block if JIT code may follow. Returns false if
 * sl_path_execute() must execute the next instruction. */
static bool step_together(struct walk *w)
{
  const struct sl_code *code = &w->t->code;
  const uint64_t most = w->left, slice = w->slice->left;
  uint32_t index = sl_code_index(code, w->paths->path[0].pc);
  uint64_t run = 0;
  bool more = true, over = false;
  do {
    const uint32_t straight = sl_basic_blocks_from(w->b, code, index),
                   steps = straight < most - run ? straight : (uint32_t)(most - run),
                   done = sl_basic_blocks_perform(w->s, &w->b->step[index], steps, true);
    run += done;
    index += done;
    more = done == straight;
    if (!more || run == most)
      break;
    const struct sl_insn *in = &code->insn[index];
    w->left_behind = most - run - 1;
    const uint32_t next = move(w, in, index);
    more = next < code->count;
    run += (next != NOWHERE) + w->behind;
    w->behind = 0;
    index = next != NOWHERE ? next : index;
    over = next != NOWHERE && run >= slice && sl_time_slice_may_end(in);
    more &= !w->run.commands;
  } while (more && !over && w->paths->count == 1 && w->b->emitted == NULL);
  count(w, run, w->s->lanes);
  w->slice->left = sl_time_slice_after(slice, run, over);
  if (w->paths->count == 1)
    w->paths->path[0].pc = address(w, index);
  return more;
}

/* The same, with JIT code where it exists. */
static bool run_together(struct walk *w)
{
  struct sl_path *path = &w->paths->path[0];
  uint32_t index = sl_code_index(&w->t->code, path->pc);
  w->s->active = path->lanes;
  if (path->retry || index >= w->t->code.count)
    return false;
  if (w->b->emitted != NULL) {
    const bool more = run_emitted(w, w->s->lanes, false, &path->level, &index);
    if (w->paths->count > 1)
      return true;
    path->pc = address(w, index);
    if (!more || index >= w->t->code.count)
      return more;
  }
  return step_together(w);
}

/* ---- diverged warps ---------------------------------------------------------------------------------------------- */

/* Executes the instruction after a block, as for a converged warp. */
static bool move_apart(struct walk *w, struct sl_diverged *a, uint32_t index)
{
  const struct sl_insn *in = &w->t->code.insn[index];
  const uint32_t pc = address(w, index), target = pc + in->imm, next = address(w, index + 1);
  const sl_lanes lanes = sl_diverged_lanes(a);
  const bool jumps = in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_JAL;
  if (jumps && sl_path_warps_outside(w->t, target))
    return false;
  switch (in->kind) {
  case SL_KIND_BRANCH: {
    const sl_lanes taken = w->t->ops->execute[in->op](w->s->x, in, lanes, pc, w->s->lanes);
    if (taken == 0 || taken == lanes || target == next)
      sl_diverged_move(a, taken ? target : next);
    else
      sl_diverged_split(a, taken, target, next);
    return true;
  }
  case SL_KIND_JAL:
    link(w, in, next, lanes);
    sl_diverged_change_level(a, level_change(w, in), target);
    return true;
  case SL_KIND_PUSH:
  case SL_KIND_POP:
    if (!is_level(w, sl_diverged_level(a) + level_change(w, in)))
      return false;
    sl_diverged_change_level(a, level_change(w, in), next);
    return true;
  default: return false;
  }
}

/* Marks where all other paths of the warp wait. Returns false if one waits inside a block, where the code has no check.
 */
static bool others_wait(const struct walk *w, const struct sl_diverged *a)
{
  bool all = true;
  for (unsigned j = 0; j < a->count; j++)
    if (j != a->now)
      all &= sl_jit_wait(w->b->emitted, sl_code_index(&w->t->code, (uint32_t)a->place[j]));
  return all;
}

/* Removes these marks. */
static void others_go(const struct walk *w, const struct sl_diverged *a)
{
  for (unsigned j = 0; j < a->count; j++)
    if (j != a->now)
      sl_jit_go(w->b->emitted, sl_code_index(&w->t->code, (uint32_t)a->place[j]));
}

/* Executes the running path of a diverged warp in JIT code as far as it goes. */
static void run_among(struct walk *w, struct sl_diverged *a, unsigned lanes)
{
  uint32_t index = sl_code_index(&w->t->code, sl_diverged_pc(a));
  const int before = sl_diverged_level(a);
  int16_t level = (int16_t)before;
  const uint64_t left = w->left;
  if (index >= w->t->code.count)
    return;
  if (others_wait(w, a))
    run_emitted(w, lanes, true, &level, &index);
  others_go(w, a);
  if (w->left == left)
    return;
  if (level != before)
    sl_diverged_change_level(a, level - before, address(w, index));
  else
    sl_diverged_move(a, address(w, index));
}

/* Executes one block of the running path. Returns false if sl_path_execute() must execute the next instruction. */
static bool run_path(struct walk *w, struct sl_diverged *a)
{
  const unsigned paths = a->count, lanes = sl_count(sl_diverged_lanes(a));
  w->s->active = sl_diverged_lanes(a);
  if (w->b->emitted != NULL && a->nesting)
    run_among(w, a, lanes);
  const uint32_t pc = sl_diverged_pc(a), index = sl_code_index(&w->t->code, pc);
  if (a->count != paths || !may_go_on(w))
    return true;
  if (index >= w->t->code.count)
    return false;
  const uint32_t straight = sl_basic_blocks_from(w->b, &w->t->code, index),
                 alone = sl_diverged_alone(a, w->t->code.shift, straight), done = perform(w, index, alone, false);
  count(w, done, lanes);
  if (done > 0)
    sl_diverged_move(a, address(w, index + done));
  if (a->count != paths || w->left == 0)
    return true;
  if (done < alone)
    return false;
  const bool moved = move_apart(w, a, index + done);
  if (moved)
    count_one(w, &w->t->code.insn[index + done], lanes);
  return moved;
}

/* Returns false if sl_path_execute() must execute the next instruction. */
static bool run_apart(struct walk *w)
{
  struct sl_diverged a;
  if (!sl_diverged_begin(&a, w->paths))
    return false;
  bool more = true;
  while (more && a.count > 1 && may_go_on(w))
    more = run_path(w, &a);
  sl_diverged_end(&a, w->paths);
  return more;
}

struct sl_path_blocks_run sl_path_blocks_run(struct sl_basic_blocks *b, struct sl_path_warps *t,
                                             struct sl_time_slice *slice, uint64_t most)
{
  struct walk w = {.b = b, .t = t, .paths = &t->paths[slice->warp], .s = &b->lanes, .slice = slice, .left = most};
  if (!sl_basic_blocks_of(b, &t->code, t->code_edition))
    return w.run;
  sl_jit_of(b, &t->code);
  sl_path_step_lanes_of(&b->lanes, t, slice->warp);
  bool more = true;
  while (more && may_go_on(&w))
    more = w.paths->count == 1 ? run_together(&w) : run_apart(&w);
  return w.run;
}

/* ---- warps with sorted paths ------------------------------------------------------------------------------------- */

enum { LINK = 1 /* register that marks a jump as a call */ };

/* The running path continues at pc. */
static void go_on(struct sl_sorted_paths *paths, uint32_t pc, uint8_t depth, struct sl_sorted_blocks_run *run)
{
  run->stack_uses += sl_sorted_paths_update(paths, sl_ordered_path(paths->running.lanes, pc, depth), sl_no_path());
  if (paths->cold_count > 0)
    sl_sorted_paths_settle(paths);
}

/* Returns the number of instructions until the running path reaches the next one; at most `count`. */
static uint32_t until_next(const struct sl_sorted_paths *paths, unsigned word_shift, uint32_t count)
{
  const uint64_t words = (paths->next.key - paths->running.key) >> word_shift;
  return paths->next.lanes != 0 && words < count ? (uint32_t)words : count;
}

/* Executes the instruction after a block if it only moves the path, cannot fault, and is the same for all lanes. */
static bool leave(struct sl_path_warps *t, struct sl_sorted_paths *paths, unsigned warp, const struct sl_insn *in,
                  struct sl_sorted_blocks_run *run)
{
  const sl_lanes active = paths->running.lanes;
  const uint8_t depth = sl_path_depth(paths->running);
  const uint32_t pc = sl_path_pc(paths->running), target = pc + in->imm, next = sl_code_next(&t->code, pc);
  uint32_t *x = sl_path_warps_registers(t, warp);
  switch (in->kind) {
  case SL_KIND_PUSH:
  case SL_KIND_POP: go_on(paths, next, depth, run); return true; /* annotations of another scheme */
  case SL_KIND_JAL:
    if (sl_path_warps_outside(t, target))
      return false;
    if (in->rd != 0)
      t->ops->broadcast(x + ((size_t)in->rd << t->lane_bits), next, active, t->spec.lanes);
    go_on(paths, target, (uint8_t)(depth + (in->rd == LINK)), run);
    return true;
  case SL_KIND_BRANCH: {
    const sl_lanes taken = t->ops->execute[in->op](x, in, active, pc, t->spec.lanes);
    if (taken != 0 && (taken != active || sl_path_warps_outside(t, target)))
      return false;
    go_on(paths, taken ? target : next, depth, run);
    return true;
  }
  default: return false;
  }
}

static bool in_order(const struct sl_sorted_paths *paths)
{
  return !(paths->running.key & SL_PATH_PARKED) && (paths->next.lanes == 0 || paths->next.key > paths->running.key);
}

/* Executes the warp's only path in JIT code as far as it goes. Returns false if it executed no instruction. */
static bool run_alone(struct sl_basic_blocks *b, struct sl_path_warps *t, struct sl_sorted_paths *paths,
                      struct sl_step_lanes *s, uint32_t index, uint64_t instructions, struct sl_sorted_blocks_run *run)
{
  if (b->emitted == NULL || paths->next.lanes != 0 || paths->cold_count > 0)
    return false;
  s->active = paths->running.lanes;
  const bool all = s->active == t->all;
  const uint64_t done = sl_jit_run(b, &t->code, s, !all, NULL, &index, NULL, instructions);
  if (done == 0)
    return false;
  go_on(paths, sl_code_address(&t->code, index), sl_path_depth(paths->running), run);
  run->instructions += done;
  run->thread_instructions += done * sl_count(s->active);
  return true;
}

struct sl_sorted_blocks_run sl_sorted_blocks_run(struct sl_basic_blocks *b, struct sl_path_warps *t,
                                                 struct sl_sorted_paths *paths, unsigned warp, uint64_t instructions)
{
  struct sl_sorted_blocks_run run = {0};
  if (!sl_basic_blocks_of(b, &t->code, t->code_edition))
    return run;
  sl_jit_of(b, &t->code);
  uint32_t left_at = UINT32_MAX; /* index at which a block stopped; it would stop there again */
  struct sl_step_lanes *const s = &b->lanes;
  sl_path_step_lanes_of(s, t, warp);
  if (paths->cold_count > 0)
    sl_sorted_paths_settle(paths);
  while (run.instructions < instructions && in_order(paths)) {
    const uint32_t pc = sl_path_pc(paths->running), index = sl_code_index(&t->code, pc);
    if (index >= t->code.count)
      break;
    const uint64_t left = instructions - run.instructions;
    const bool again = index != left_at && run_alone(b, t, paths, s, index, left, &run);
    left_at = sl_code_index(&t->code, sl_path_pc(paths->running));
    if (again)
      continue;
    const uint32_t straight = sl_basic_blocks_from(b, &t->code, index);
    const uint32_t alone = until_next(paths, t->code.shift, straight + 1);
    const uint32_t until = alone < straight ? alone : straight, count = until < left ? until : (uint32_t)left;
    s->active = paths->running.lanes;
    const bool all = s->active == t->all;
    uint32_t done = sl_basic_blocks_perform(s, &b->step[index], count, all);
    const bool whole = done == count;
    if (done > 0)
      go_on(paths, pc + done * t->code.word_bytes, sl_path_depth(paths->running), &run);
    const bool left_it =
        whole && done < left && alone > straight && leave(t, paths, warp, &t->code.insn[index + done], &run);
    done += left_it;
    run.instructions += done;
    run.thread_instructions += (uint64_t)done * (all ? t->spec.lanes : sl_count(s->active));
    if (!whole || (!left_it && (alone > straight || done == 0)))
      break;
  }
  return run;
}
