#include "warp.h"

#include <stddef.h>
#include <string.h>

#include "convergence/ipdom_stack.h"
#include "convergence/simt_stack.h"
#include "convergence/sorted_paths.h"

/* A group of lanes that executes an instruction. */
struct step {
  const struct warp_run *run;
  struct model *m;
  unsigned warp, pc;
  sl_lanes lanes, taken; /* taken: to the target of a branch */
  struct insn in;
};

static bool is_simt(const struct setting *set)
{
  return sl_scheme_warps[set->scheme] == SL_SCHEME_MASK;
}

static bool is_paths(const struct setting *set)
{
  return sl_scheme_warps[set->scheme] == SL_SCHEME_PATHS;
}

static const struct sl_convergence *scheme_of(const struct step *s)
{
  return sl_convergences[s->run->set->scheme];
}

static struct model_lane *lane_of(const struct step *s, unsigned lane)
{
  return &s->m->lane[s->warp * s->run->lanes + lane];
}

static enum outcome broken(struct model *m, const char *what)
{
  m->broken = what;
  return BROKEN;
}

/* Each lane of the group must be where its own program is. It executes the instruction for itself. */
static bool execute_lanes(struct step *s)
{
  for (sl_lanes rest = s->lanes; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    if (lane >= s->run->lanes || lane_of(s, lane)->done || lane_of(s, lane)->pc != s->pc)
      return false;
  }
  for (sl_lanes rest = s->lanes; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    struct model_lane *l = lane_of(s, lane);
    const unsigned next = program_step(s->in, s->pc, s->warp * s->run->lanes + lane, &l->r, s->m->word);
    s->taken |= s->in.op == OP_BRANCH && next == s->in.target ? sl_bit(lane) : 0;
    l->pc = (uint8_t)next;
    l->waits = s->in.op == OP_WAIT;
    l->done = s->in.op == OP_END;
    if (s->in.op == OP_END)
      l->pc = (uint8_t)s->pc;
    if (s->in.op == OP_SAVE)
      l->saved[s->in.level] = (uint8_t)s->lanes;
  }
  return true;
}

static bool all_done(const struct step *s)
{
  bool done = true;
  for (unsigned lane = 0; lane < s->run->lanes; lane++)
    done = done && lane_of(s, lane)->done;
  return done;
}

/* ---- schemes of SIMTight and Simty --------------------------------------------------------------------------------
 */

static enum outcome paths_command(struct step *s, struct sl_paths *paths, unsigned i)
{
  if (paths->count > 1) {
    if (!sl_paths_arrive(paths, i))
      return FAULT_COMMAND;
    sl_paths_advance(paths, i, s->pc);
    return RETRIED;
  }
  if (!execute_lanes(s))
    return broken(s->m, "a lane executes what its program does not");
  if (s->in.op == OP_END)
    return WARP_ENDS;
  sl_paths_advance(paths, i, s->pc + 1);
  return STEPPED;
}

static enum outcome paths_mark(struct sl_paths *paths, unsigned i, bool begins)
{
  return sl_paths_mark(paths, i, begins ? SL_MARK_PUSH : SL_MARK_POP) == SL_MARKED ? STEPPED : FAULT_MARK;
}

static enum outcome step_paths(struct step *s, bool retry)
{
  struct sl_paths *paths = &s->m->warp[s->warp].paths;
  const unsigned i = sl_paths_select(paths);
  sl_paths_count(paths, i);
  s->pc = paths->path[i].pc;
  s->lanes = paths->path[i].lanes;
  s->in = s->run->program->insn[s->pc];
  if (retry) {
    sl_paths_retry(paths, i);
    return RETRIED;
  }
  if (s->in.op == OP_END || s->in.op == OP_COMMAND)
    return paths_command(s, paths, i);
  if (!execute_lanes(s))
    return broken(s->m, "a lane executes what its program does not");
  enum outcome outcome = STEPPED;
  if (s->in.op == OP_SPLIT || s->in.op == OP_SAVE)
    outcome = paths_mark(paths, i, true);
  else if (s->in.op == OP_JOIN || s->in.op == OP_LEAVE)
    outcome = paths_mark(paths, i, false);
  if (s->in.op == OP_BRANCH)
    sl_paths_branch(paths, i, s->taken, s->in.target, s->pc + 1);
  else
    sl_paths_advance(paths, i, s->pc + 1);
  return outcome;
}

/* ---- schemes of Vortex --------------------------------------------------------------------------------------------
 */

static enum outcome vortex_mark(struct step *s, struct sl_mark mark)
{
  const struct setting *set = s->run->set;
  mark.unguarded = set->unguarded;
  mark.nests = set->nests;
  if (mark.kind == SL_MARK_SPLIT)
    mark.room = MOST_LANES - 1;
  else if (mark.kind == SL_MARK_YIELD)
    mark.room = set->room;
  switch (scheme_of(s)->mark(&s->m->warp[s->warp].ipdom, 0, &mark)) {
  case SL_MARKED_FILLED: s->m->filled = true; return STEPPED;
  case SL_MARKED:
  case SL_MARKED_JUMPED:
  case SL_MARKED_POPPED: return STEPPED;
  case SL_MARKED_ENDS: return all_done(s) ? WARP_ENDS : broken(s->m, "the warp ends, but not all its lanes");
  case SL_MARKED_PARKED: return FAULT_PARKED;
  case SL_MARKED_OPEN: return FAULT_OPEN;
  case SL_MARKED_STUCK: return FAULT_STUCK;
  default: return FAULT_MARK;
  }
}

static sl_lanes lanes_with(const struct step *s)
{
  sl_lanes holds = 0;
  for (sl_lanes rest = s->lanes; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    if (program_holds(s->in, s->warp * s->run->lanes + lane, lane_of(s, lane)->r, s->m->word))
      holds |= sl_bit(lane);
  }
  return holds;
}

static enum outcome vortex_split(struct step *s)
{
  const struct sl_ipdom_warp *p = &s->m->warp[s->warp].ipdom;
  const sl_lanes yes = lanes_with(s), no = s->lanes & ~yes;
  for (sl_lanes rest = s->lanes; rest; rest &= rest - 1)
    lane_of(s, sl_lowest(rest))->token[s->in.level] = (uint8_t)p->depth;
  if (yes == 0 || no == 0)
    return STEPPED;
  const bool yes_first = s->run->set->smaller ? sl_count(yes) <= sl_count(no) : sl_count(yes) >= sl_count(no);
  const sl_lanes first = yes_first ? yes : no;
  return vortex_mark(s, (struct sl_mark){.kind = SL_MARK_SPLIT, .lanes = first, .others = s->lanes & ~first});
}

static enum outcome vortex_join(struct step *s)
{
  const unsigned token = lane_of(s, sl_highest(s->lanes))->token[s->in.level], depth = s->m->warp[s->warp].ipdom.depth;
  if (token >= depth)
    return token == depth ? STEPPED : FAULT_MARK;
  return vortex_mark(s, (struct sl_mark){.kind = SL_MARK_JOIN, .lanes = s->lanes});
}

/* Without a function for branches the lanes must agree. */
static enum outcome vortex_branch(struct step *s)
{
  struct sl_ipdom_warp *p = &s->m->warp[s->warp].ipdom;
  if (scheme_of(s)->branch != NULL) {
    scheme_of(s)->branch(p, 0, s->taken, s->in.target, s->pc + 1);
    return STEPPED;
  }
  if (s->taken != 0 && s->taken != s->lanes)
    return FAULT_MARK;
  p->pc = s->taken != 0 ? s->in.target : s->pc + 1;
  return STEPPED;
}

static enum outcome step_vortex(struct step *s)
{
  struct sl_ipdom_warp *p = &s->m->warp[s->warp].ipdom;
  s->pc = p->pc++;
  s->lanes = p->mask;
  s->in = s->run->program->insn[s->pc];
  const sl_lanes holds = lanes_with(s), saved = lane_of(s, sl_highest(s->lanes))->saved[s->in.level];
  const unsigned barrier = s->in.arg;
  s->m->held |= s->in.op == OP_YIELD && p->depth > 0;
  if (!execute_lanes(s))
    return broken(s->m, "a lane executes what its program does not");
  switch (s->in.op) {
  case OP_BRANCH: return vortex_branch(s);
  case OP_SPLIT: return vortex_split(s);
  case OP_JOIN: return vortex_join(s);
  case OP_PRED: return vortex_mark(s, (struct sl_mark){.kind = SL_MARK_PREDICATE, .lanes = holds, .others = saved});
  case OP_YIELD: return vortex_mark(s, (struct sl_mark){.kind = SL_MARK_YIELD, .lanes = s->lanes});
  case OP_BARRIER: return vortex_mark(s, (struct sl_mark){.kind = SL_MARK_BARRIER, .number = barrier});
  case OP_WAIT: return vortex_mark(s, (struct sl_mark){.kind = SL_MARK_WAIT, .number = barrier});
  case OP_END: return vortex_mark(s, (struct sl_mark){.kind = SL_MARK_MASK});
  default: return STEPPED;
  }
}

/* ---- the stack of sm7 ---------------------------------------------------------------------------------------------
 */

static enum outcome step_stack(struct step *s, bool part)
{
  struct sl_simt_stack *stack = &s->m->warp[s->warp].stack;
  if (part) {
    (void)sl_simt_stack_split(stack, (uint32_t)sl_bit(sl_lowest(sl_simt_stack_mask(stack))));
    return RETRIED;
  }
  s->pc = sl_simt_stack_pc(stack);
  s->lanes = sl_simt_stack_mask(stack);
  s->in = s->run->program->insn[s->pc];
  if (!execute_lanes(s))
    return broken(s->m, "a lane executes what its program does not");
  const uint8_t meet = s->run->program->meet[s->pc];
  if (s->in.op == OP_END)
    sl_simt_stack_exit(stack, (uint32_t)s->lanes);
  else if (s->in.op != OP_BRANCH)
    sl_simt_stack_advance(stack, s->pc + 1);
  else if (!sl_simt_stack_branch(stack, (uint32_t)s->taken, s->in.target, meet == NOWHERE ? UINT32_MAX : meet))
    return FAULT_MARK;
  if (stack->turn.period != 0 && stack->depth > 0)
    sl_simt_groups_count(stack, s->in.op == OP_BRANCH && s->in.target <= s->pc);
  if (stack->depth > 0)
    return STEPPED;
  return all_done(s) ? WARP_ENDS : broken(s->m, "the warp ends, but not all its lanes");
}

/* ---- all ----------------------------------------------------------------------------------------------------------
 */

void model_start(const struct warp_run *run, struct model *m)
{
  memset(m, 0, sizeof *m);
  for (unsigned w = 0; w < run->warps; w++) {
    const sl_lanes lanes = sl_low_bits(run->lanes);
    if (is_paths(run->set)) {
      sl_paths_start(&m->warp[w].paths, run->set->scheme, lanes, 0);
      m->warp[w].paths.fair.period = run->set->period;
    } else if (is_simt(run->set)) {
      sl_simt_groups_use(&m->warp[w].stack, run->set->scheme, run->set->period);
      sl_simt_stack_init(&m->warp[w].stack, 0, (uint32_t)lanes);
    } else {
      m->warp[w].ipdom.mask = lanes;
      if (sl_convergences[run->set->scheme]->start != NULL)
        sl_convergences[run->set->scheme]->start(&m->warp[w].ipdom);
    }
  }
}

enum outcome model_step(const struct warp_run *run, struct model *m, unsigned warp, bool retry, unsigned *ran)
{
  struct step s = {.run = run, .m = m, .warp = warp};
  enum outcome outcome;
  if (is_paths(run->set))
    outcome = step_paths(&s, retry);
  else if (is_simt(run->set))
    outcome = step_stack(&s, retry);
  else
    outcome = step_vortex(&s);
  m->retried = (uint8_t)((m->retried & ~sl_bit(warp)) | (uint8_t)(retry << warp));
  *ran = outcome == RETRIED ? 0 : (unsigned)s.lanes << warp * run->lanes;
  return outcome;
}

bool model_can_retry(const struct warp_run *run, const struct model *m, unsigned warp)
{
  if (!run->set->retries || (m->retried >> warp & 1))
    return false;
  if (is_simt(run->set)) {
    const struct sl_simt_stack *s = &m->warp[warp].stack;
    return program_accesses(run->program->insn[sl_simt_stack_pc(s)]) && sl_count(sl_simt_stack_mask(s)) > 1;
  }
  const struct sl_paths *paths = &m->warp[warp].paths;
  return is_paths(run->set) && program_accesses(run->program->insn[paths->path[sl_paths_select(paths)].pc]);
}

unsigned model_live(const struct warp_run *run, const struct model *m)
{
  unsigned live = 0;
  for (unsigned i = 0; i < run->warps * run->lanes; i++)
    live |= m->lane[i].done ? 0 : 1u << i;
  return live;
}

unsigned model_eligible(const struct warp_run *run, const struct model *m)
{
  unsigned eligible = 0;
  for (unsigned i = 0; i < run->warps * run->lanes; i++) {
    const unsigned op = run->program->insn[m->lane[i].pc].op;
    if (!m->lane[i].done && !m->lane[i].waits && op != OP_COMMAND && !(op == OP_END && is_paths(run->set)))
      eligible |= 1u << i;
  }
  return eligible;
}

const char *model_broken(const struct warp_run *run, const struct model *m, unsigned warp)
{
  const struct sl_convergence *scheme = sl_convergences[run->set->scheme];
  const sl_lanes all = sl_low_bits(run->lanes);
  struct sl_warp_path path[SL_MAX_LANES];
  sl_lanes live = model_live(run, m) >> warp * run->lanes & all, seen = 0;
  if (is_paths(run->set)) {
    const char *wrong = sl_paths_broken(&m->warp[warp].paths, live);
    if (wrong != NULL)
      return wrong;
  } else if (scheme->broken != NULL && scheme->broken(&m->warp[warp], live) != NULL) {
    return scheme->broken(&m->warp[warp], live);
  }
  if (scheme->valid != NULL && !scheme->valid(&m->warp[warp], all))
    return "the state would not be valid in a checkpoint";
  for (unsigned i = scheme->places(&m->warp[warp], path); i-- > 0;) {
    if ((path[i].lanes & seen) != 0)
      return "a lane is at two places";
    seen |= path[i].lanes;
    for (sl_lanes rest = path[i].lanes & live; rest; rest &= rest - 1)
      if (path[i].pc != 0 && path[i].pc != m->lane[warp * run->lanes + sl_lowest(rest)].pc)
        return "a lane waits at a place to which its program has not come";
  }
  if ((seen & ~live) != 0)
    return "a lane that has ended is at a place";
  /* The IPDOM stack does not know the lanes that a loop's PRED has switched off. */
  return run->set->scheme != SL_CONVERGENCE_IPDOM && seen != live ? "a lane is at no place" : NULL;
}

static void put(uint8_t *bytes, unsigned *size, const void *from, size_t count)
{
  memcpy(bytes + *size, from, count);
  *size += (unsigned)count;
}

/* Without what is left over from earlier states. */
static void put_warp(const struct warp_run *run, const struct model *m, unsigned w, uint8_t *bytes, unsigned *size)
{
  if (is_paths(run->set)) {
    const struct sl_paths *paths = &m->warp[w].paths;
    put(bytes, size, paths->path, paths->count * sizeof paths->path[0]);
    if (paths->count > 1) {
      const void *own = paths->own;
      const unsigned cold = ((const struct sl_sorted_paths *)own)->cold_count;
      put(bytes, size, &paths->fair.turns, offsetof(struct sl_fairness, queue) - offsetof(struct sl_fairness, turns));
      for (unsigned i = 0; i < SL_MAX_LANES; i++)
        put(bytes, size, &paths->fair.queue[i], paths->fair.queue[i] < run->lanes);
      if (run->set->scheme == SL_CONVERGENCE_SORTED_PATHS)
        put(bytes, size, own, offsetof(struct sl_sorted_paths, cold) + cold * sizeof(struct sl_ordered_path));
    }
  } else if (is_simt(run->set)) {
    const struct sl_simt_stack *s = &m->warp[w].stack;
    put(bytes, size, s->entries, s->depth * sizeof s->entries[0]);
    put(bytes, size, &s->turn, sizeof s->turn);
  } else {
    const struct sl_ipdom_warp *p = &m->warp[w].ipdom;
    const unsigned stack = SL_SCS_ENTRIES * SL_IPDOM_ENTRY;
    const bool has_stack = run->set->scheme == SL_CONVERGENCE_IPDOM || run->set->scheme == SL_CONVERGENCE_SCS;
    put(bytes, size, p, offsetof(struct sl_ipdom_warp, own));
    put(bytes, size, p->own, has_stack ? p->depth * SL_IPDOM_ENTRY : stack);
    put(bytes, size, p->own + stack, run->set->scheme != SL_CONVERGENCE_IPDOM ? sizeof p->own - stack : 0);
  }
}

unsigned model_bytes(const struct warp_run *run, const struct model *m, uint8_t bytes[2 * STATE_BYTES])
{
  unsigned size = 0;
  put(bytes, &size, m, offsetof(struct model, filled));
  for (unsigned w = 0; w < run->warps; w++)
    put_warp(run, m, w, bytes, &size);
  return size;
}
