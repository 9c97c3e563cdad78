#include "ptx/step/ptx_step.h"

#include <stdlib.h>
#include <string.h>

#include "convergence/simt_stack.h"
#include "ptx/run/ptx_execute.h"

typedef uint32_t word __attribute__((may_alias));

struct sl_ptx_steps {
  uint32_t count;
  struct sl_ptx_step step[];
};

/* ---- steps of all levels ----------------------------------------------------------------------------------------- */

static const struct sl_ptx_step *none(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  (void)r, (void)s;
  return NULL;
}

/* The lanes whose guard holds; the others are counted as idle. */
static inline uint32_t active_of(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  const uint32_t active = sl_ptx_active(r, s);
  sl_ptx_count_idle(r, active);
  return active;
}

static const struct sl_ptx_step *lanes(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  const uint32_t active = active_of(r, s);
  if (active != 0)
    sl_ptx_execute_lanes(r->warp, s->insn, active);
  return s + 1;
}

static const struct sl_ptx_step *nothing(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  active_of(r, s);
  return s + 1;
}

static inline word *predicate(const struct sl_ptx_run *r, struct sl_ptx_operand o)
{
  return (word *)(void *)sl_ptx_operand(r, o);
}

static inline uint32_t execute_row(struct sl_ptx_run *r, const struct sl_ptx_step *s, uint32_t p, uint32_t active)
{
  const struct sl_ptx_lane_operands o = {sl_ptx_operand(r, s->d), sl_ptx_operand(r, s->a), sl_ptx_operand(r, s->b),
                                         sl_ptx_operand(r, s->c), sl_ptx_operand(r, s->b), p};
  return r->warp->ops->execute[s->insn->row](&o, active);
}

/* A value per lane without rounding modes etc. */
static const struct sl_ptx_step *row(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  execute_row(r, s, 0, active_of(r, s));
  return s + 1;
}

static const struct sl_ptx_step *row_with_predicate(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  execute_row(r, s, *predicate(r, s->c) ^ s->flip_c, active_of(r, s));
  return s + 1;
}

/* One predicate that is combined with no other. */
static const struct sl_ptx_step *condition(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  const uint32_t active = active_of(r, s), set = execute_row(r, s, 0, active);
  word *d = predicate(r, s->d);
  *d = (*d & ~active) | (set & active);
  return s + 1;
}

static const struct sl_ptx_step *logic(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  const uint32_t active = active_of(r, s), a = *predicate(r, s->a), b = *predicate(r, s->b);
  uint32_t value = a;
  switch ((enum sl_ptx_logic)s->insn->mode) {
  case SL_PTX_MOV: break;
  case SL_PTX_NOT: value = ~a; break;
  case SL_PTX_AND: value = a & b; break;
  case SL_PTX_OR: value = a | b; break;
  case SL_PTX_XOR: value = a ^ b; break;
  }
  word *d = predicate(r, s->d);
  *d = (*d & ~active) | (value & active);
  return s + 1;
}

static const struct sl_ptx_step *access(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  r->effect.active = active_of(r, s);
  if (sl_ptx_access(r->warp, s->insn, &r->effect, r->fault))
    return s + 1;
  r->idle -= r->lanes - sl_count(r->effect.active); /* the instruction does not count */
  r->faulted = true;
  return NULL;
}

static void describe(struct sl_ptx_run *r, const struct sl_ptx_insn *in)
{
  r->effect.insn = in;
  r->effect.pc = (uint32_t)(in - r->warp->block->launch->module->code);
  r->effect.issued = r->mask;
  r->effect.taken = r->effect.exited = 0;
}

/* An access of which an observer is told. */
static const struct sl_ptx_step *told_access(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  describe(r, s->insn);
  const struct sl_ptx_step *next = access(r, s);
  if (next != NULL)
    sl_ptx_report_access(&r->report);
  return next;
}

/* Whether an access to global memory between two addresses is in one buffer, where memory is checked. */
static bool is_in_buffer(struct sl_ptx_run *r, const uint64_t ends[2], uint64_t bytes)
{
  const struct sl_ptx_memory *m = r->warp->block->launch->memory;
  if (!m->checked)
    return true;
  if (ends[0] < r->buffer.first || ends[0] >= r->buffer.end) {
    const struct sl_range *range = sl_allocator_buffer(&m->buffers, ends[0]);
    if (range == NULL)
      return false;
    r->buffer = *range;
  }
  return ends[1] < r->buffer.end && bytes <= r->buffer.end - ends[1];
}

/* The same of all lanes: a load or store in global or shared memory. */
static const struct sl_ptx_step *told_by_all(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  const struct sl_ptx_insn *in = s->insn;
  const uint64_t bytes = (uint64_t)in->bytes * in->elements;
  uint64_t ends[2];
  const enum sl_shape shape = r->warp->ops->memory->places[in->address32](r, s, bytes, r->effect.address, ends);
  if (s->space == SL_PTX_GLOBAL && !is_in_buffer(r, ends, bytes))
    return told_access(r, s);
  const struct sl_ptx_step *next = s->direct(r, s); /* a fault leaves its place in the effect's */
  if (next == NULL)
    return NULL;
  describe(r, in);
  r->effect.active = r->mask;
  r->effect.space = s->space;
  r->effect.bytes = (uint32_t)bytes;
  r->effect.shape = shape;
  sl_ptx_report_access(&r->report);
  return next;
}

static const struct sl_ptx_step *branch(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  const uint32_t taken = active_of(r, s);
  if (taken == r->mask)
    return s->target;
  if (taken == 0)
    return s + 1;
  struct sl_simt_stack *stack = &r->warp->stack;
  const struct sl_ptx_insn *in = s->insn;
  stack->entries[stack->depth - 1].pc = (uint32_t)(in - r->warp->block->launch->module->code);
  r->changed = in->release != 0 ? sl_simt_stack_branch_last(stack, taken, in->target, in->release)
                                : sl_simt_stack_branch(stack, taken, in->target, in->reconvergence);
  if (!r->changed)
    r->idle -= r->lanes - sl_count(taken);
  return NULL;
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

static struct sl_ptx_operand operand(const struct sl_ptx_launch *l, const struct sl_ptx_warp *w, struct sl_ptx_place p)
{
  if (p.area == SL_PTX_CONSTANTS)
    return (struct sl_ptx_operand){(uintptr_t)(l->module->constants + p.offset), 0};
  return (struct sl_ptx_operand){(uintptr_t)(w->area[p.area] - w->registers) + p.offset, UINTPTR_MAX};
}

static bool is_plain(const struct sl_ptx_insn *in)
{
  return !in->careful && !in->framed;
}

static void decode_lanes(struct sl_ptx_step *s, const struct sl_ptx_lane_ops *ops)
{
  const struct sl_ptx_insn *in = s->insn;
  s->full = s->some = lanes;
  if (!is_plain(in) || in->mode == SL_PTX_P_CARRY || sl_ptx_row(in->row)->e != SL_PTX_NO_TYPE)
    return;
  s->some = in->mode == SL_PTX_P_PREDICATE ? row_with_predicate : row;
  s->full = !s->guarded && ops->direct[in->row] != NULL ? ops->direct[in->row] : s->some;
}

static void decode_condition(struct sl_ptx_step *s, const struct sl_ptx_lane_ops *ops)
{
  const struct sl_ptx_insn *in = s->insn;
  s->full = s->some = lanes;
  const bool alone = in->mode == SL_PTX_ALONE && !in->has_e && !sl_ptx_is_pair((enum sl_ptx_type)in->type);
  if (!is_plain(in) || !alone || in->kind != SL_PTX_K_CONDITION)
    return;
  s->some = condition;
  s->full = !s->guarded && ops->direct[in->row] != NULL ? ops->direct[in->row] : condition;
}

/* `value`: the register that is loaded or stored. */
static void decode_access(struct sl_ptx_step *s, const struct sl_ptx_lane_ops *ops, struct sl_ptx_operand value)
{
  const struct sl_ptx_insn *in = s->insn;
  const struct sl_ptx_direct_ops *m = ops->memory;
  s->d = value;
  s->full = s->some = s->general = access;
  if (!is_plain(in) || in->kind == SL_PTX_K_ATOMIC)
    return;
  s->full = s->some = m->some[in->address32];
  const bool load = in->kind == SL_PTX_K_LOAD;
  if (!s->guarded)
    s->full = in->elements > 1 ? m->vector[in->address32]
                               : (load ? m->load : m->store)[in->moved][in->wide & 1][in->address32];
}

/* What an observer without values must be told of. */
static void decode_told(struct sl_ptx_step *s)
{
  const struct sl_ptx_insn *in = s->insn;
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_LOAD:
  case SL_PTX_K_STORE:
  case SL_PTX_K_ATOMIC:
    if (in->space == SL_PTX_CONST || in->space == SL_PTX_PARAM)
      break;
    s->direct = s->full;
    s->full = s->some = told_access;
    if (!s->guarded && in->kind != SL_PTX_K_ATOMIC && (in->space == SL_PTX_GLOBAL || in->space == SL_PTX_SHARED))
      s->full = told_by_all;
    break;
  case SL_PTX_K_SHFL:
  case SL_PTX_K_VOTE:
  case SL_PTX_K_REDUX:
  case SL_PTX_K_MATCH:
  case SL_PTX_K_MEMBAR: s->full = s->some = none; break;
  case SL_PTX_K_NOTHING:
    if (sl_ptx_turns_together(in))
      s->full = s->some = none;
    break;
  default: break;
  }
}

static void decode(struct sl_ptx_steps *steps, uint32_t pc, const struct sl_ptx_launch *l, const struct sl_ptx_warp *w)
{
  const struct sl_ptx_insn *in = &l->module->code[pc];
  struct sl_ptx_step *s = &steps->step[pc];
  *s = (struct sl_ptx_step){.full = none,
                            .some = none,
                            .d = operand(l, w, in->d),
                            .a = operand(l, w, in->a),
                            .b = operand(l, w, in->b),
                            .c = operand(l, w, in->c),
                            .immediate = (uint64_t)in->immediate,
                            .insn = in,
                            .guard = in->guard_offset,
                            .flip = in->negated ? UINT32_MAX : 0,
                            .flip_c = in->negated_c ? UINT32_MAX : 0,
                            .guarded = in->guard.id != SL_PTX_NO_REG,
                            .space = in->space};
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_LANES: decode_lanes(s, w->ops); break;
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET: decode_condition(s, w->ops); break;
  case SL_PTX_K_LOAD:
  case SL_PTX_K_STORE:
  case SL_PTX_K_ATOMIC: decode_access(s, w->ops, operand(l, w, in->element[0])); break;
  case SL_PTX_K_LOGIC: s->full = s->some = logic; break;
  case SL_PTX_K_PACK:
  case SL_PTX_K_UNPACK:
  case SL_PTX_K_SHFL:
  case SL_PTX_K_VOTE:
  case SL_PTX_K_REDUX:
  case SL_PTX_K_MATCH: s->full = s->some = lanes; break;
  case SL_PTX_K_MEMBAR:
  case SL_PTX_K_NOTHING: s->full = s->some = nothing; break;
  case SL_PTX_K_BRANCH:
    s->full = s->some = branch;
    s->target = &steps->step[in->target];
    break;
  default: break;
  }
}

/* Whether an observer, which the first block has told that it has begun, needs no more than what steps tell. */
static bool is_enough(const struct sl_probes *probes)
{
  const unsigned more = SL_PROBE_ACCESSED | SL_PROBE_FENCED | SL_PROBE_SWITCHED;
  return probes->no_values && probes->unnumbered && probes->guards != NULL && !*probes->guards &&
         (probes->wanted & more) == 0;
}

/* Whether the launch has properties for which there are no steps. */
static bool is_special(const struct sl_ptx_launch *l, const struct sl_ptx_bounds *bounds)
{
  const bool apart = bounds->apart != NULL && bounds->apart->at != NULL;
  const bool turns = l->period != 0 && (bounds->probes == NULL || !sl_convergences[l->scheme]->counts_ahead);
  return apart || turns || (l->memory->checked && bounds->probes == NULL) || l->linear != NULL || l->shadow != NULL ||
         l->kernel->levels > 0;
}

enum sl_status sl_ptx_steps_make(struct sl_ptx_steps **steps, const struct sl_ptx_block *block,
                                 const struct sl_ptx_bounds *bounds, struct sl_error *err)
{
  const struct sl_ptx_launch *l = block->launch;
  const size_t count = l->module->code_count, bytes = sizeof **steps + count * sizeof(struct sl_ptx_step);
  *steps = NULL;
  if (is_special(l, bounds) || (bounds->probes != NULL && !is_enough(bounds->probes)))
    return SL_OK;
  *steps = malloc(bytes);
  if (*steps == NULL)
    return sl_no_memory(err, bytes);
  (*steps)->count = l->module->code_count;
  for (uint32_t pc = 0; pc < l->module->code_count; pc++) {
    decode(*steps, pc, l, &block->warps[0]);
    if (bounds->probes != NULL)
      decode_told(&(*steps)->step[pc]);
  }
  return SL_OK;
}

void sl_ptx_steps_free(struct sl_ptx_steps *steps)
{
  free(steps);
}

/* ---- execution --------------------------------------------------------------------------------------------------- */

static void set_views(struct sl_ptx_run *r, const struct sl_ptx_warp *w)
{
  const struct sl_ptx_block *b = w->block;
  const struct sl_ptx_memory *m = b->launch->memory;
  const struct sl_ptx_function *k = b->launch->kernel;
  const struct sl_ptx_view heap = {m->heap.data, m->heap.base, m->heap.bytes, 0};
  r->view[SL_PTX_GENERIC] = r->view[SL_PTX_GLOBAL] = heap;
  r->view[SL_PTX_SHARED] = (struct sl_ptx_view){b->shared, 0, b->shared_bytes, 0};
  r->view[SL_PTX_LOCAL] = (struct sl_ptx_view){w->local, 0, k->local_bytes, k->local_bytes};
  r->view[SL_PTX_CONST] = (struct sl_ptx_view){m->constants.data, 0, m->constants.bytes, 0};
  r->view[SL_PTX_PARAM] = (struct sl_ptx_view){b->launch->params, 0, (k->param_bytes + UINT64_C(3)) & ~UINT64_C(3), 0};
  r->view[SL_PTX_VIEW_STATICS] = (struct sl_ptx_view){m->statics.data, m->statics.base, m->statics.bytes, 0};
  r->view[SL_PTX_VIEW_CONST_WINDOW] = r->view[SL_PTX_CONST];
  r->view[SL_PTX_VIEW_CONST_WINDOW].base = SL_PTX_CONST_WINDOW;
  r->view[SL_PTX_VIEW_SHARED_WINDOW] = r->view[SL_PTX_SHARED];
  r->view[SL_PTX_VIEW_SHARED_WINDOW].base = SL_PTX_SHARED_WINDOW;
}

/* Steps up to the reconvergence pc of the top of the stack. Returns their number, and the last one, or the one that was
 * not executed. *next is as it was returned. */
static uint64_t run_group(struct sl_ptx_run *r, const struct sl_ptx_step **at, const struct sl_ptx_step *end,
                          uint64_t most, bool *goes_on)
{
  const struct sl_ptx_step *s = *at, *next;
  uint64_t n = 0;
  if (r->mask == UINT32_MAX)
    while ((next = s->full(r, s)) != NULL) {
      s = next;
      if (++n == most || s == end)
        break;
    }
  else
    while ((next = s->some(r, s)) != NULL) {
      s = next;
      if (++n == most || s == end)
        break;
    }
  *at = s;
  *goes_on = next != NULL;
  return n;
}

/* Where groups take turns: counts the instructions that did not change the stack, and looks at the turns after one that
 * did, or that may. `quiet`: sl_simt_groups_quiet before them. */
static void count_turns(struct sl_simt_stack *stack, uint64_t quiet, uint64_t done, bool changed)
{
  const bool looks = changed || quiet == 0;
  if (quiet != UINT64_MAX)
    stack->turn.turns += (uint32_t)(done - (looks ? 1 : 0));
  if (looks && stack->depth > 0)
    sl_simt_groups_count(stack, false); /* a scheme that counts ahead does not ask for branches */
}

uint64_t sl_ptx_steps_run(const struct sl_ptx_steps *steps, struct sl_ptx_run *r, struct sl_ptx_warp *w, uint64_t most,
                          uint64_t *threads, struct sl_ptx_fault *fault)
{
  struct sl_simt_stack *stack = &w->stack;
  const bool turns = stack->turn.period != 0;
  uint64_t n = 0, sum = 0;
  bool goes_on = true;
  set_views(r, w);
  r->registers = w->registers;
  r->warp = w;
  r->idle = 0;
  r->faulted = false;
  r->buffer = (struct sl_range){0, 0, false};
  r->fault = fault;
  while (goes_on && n < most && stack->depth > 0) {
    struct sl_simt_stack_entry *top = &stack->entries[stack->depth - 1];
    const struct sl_ptx_step *s = &steps->step[top->pc];
    const struct sl_ptx_step *end = top->reconvergence < steps->count ? &steps->step[top->reconvergence] : NULL;
    r->mask = top->mask;
    r->lanes = sl_count(r->mask);
    const uint32_t depth = stack->depth;
    const uint64_t quiet = turns ? sl_simt_groups_quiet(stack) : UINT64_MAX;
    const uint64_t budget = quiet == 0 ? 1 : quiet < most - n ? quiet : most - n;
    r->changed = false;
    const uint64_t done = run_group(r, &s, end, budget, &goes_on) + (r->changed ? 1 : 0);
    n += done;
    sum += done * r->lanes;
    if (!r->changed)
      sl_simt_stack_advance(stack, (uint32_t)(s - steps->step));
    if (turns && done > 0)
      count_turns(stack, quiet, done, r->changed || stack->depth != depth);
    goes_on |= r->changed;
  }
  *threads += sum - r->idle;
  if (r->faulted) {
    fault->pc = sl_simt_stack_pc(stack);
    fault->warp = w->index;
    memcpy(fault->block, w->block->index, sizeof fault->block);
  }
  return n;
}
