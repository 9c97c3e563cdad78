#include "func/blocks/sorted_blocks.h"

#include "func/jit/jit.h"

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
