#include "ptx/run/ptx_execute.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "ptx/run/ptx_access.h"
#include "ptx/run/ptx_lanes.h"
#include "ptx/run/ptx_linear.h"
#include "ptx/run/ptx_values.h"

typedef uint32_t word __attribute__((may_alias));
typedef uint64_t wide __attribute__((may_alias));

/* ---- exchange of values between lanes: shfl, vote, match --------------------------------------------------------- */

/* The lane that `lane` reads from, and whether it is in the same segment; c has clamp and mask of the segment. */
static bool partner(enum sl_ptx_shuffle mode, unsigned lane, uint32_t b, uint32_t c, unsigned *from)
{
  const unsigned by = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  const unsigned most = (lane & segment) | (clamp & ~segment), least = lane & segment;
  const int last = (int)most;
  int j = (int)lane;
  bool inside;
  switch (mode) {
  case SL_PTX_SHFL_UP: j -= (int)by, inside = j >= last; break;
  case SL_PTX_SHFL_DOWN: j += (int)by, inside = j <= last; break;
  case SL_PTX_SHFL_BFLY: j ^= (int)by, inside = j <= last; break;
  default: j = (int)(least | (by & ~segment)), inside = j <= last; break;
  }
  *from = inside ? (unsigned)j & 31 : lane;
  return inside;
}

static void shuffle(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  const word *a = sl_ptx_values_of(w, in->a), *b = sl_ptx_values_of(w, in->b), *c = sl_ptx_values_of(w, in->c);
  word *d = sl_ptx_values_of(w, in->d), old[SL_PTX_LANES];
  uint32_t inside = 0;
  memcpy(old, a, sizeof old);
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    unsigned from;
    if ((active >> l & 1) == 0)
      continue;
    inside |= (uint32_t)partner(in->mode, l, b[l], c[l], &from) << l;
    d[l] = old[from];
  }
  if (in->has_e)
    sl_ptx_predicate_set(w, in->e, inside, active);
}

static void vote(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  const word *members = sl_ptx_values_of(w, in->b);
  const uint32_t set = sl_ptx_predicate_of(w, in->c) ^ (in->negated_c ? UINT32_MAX : 0);
  word *d = sl_ptx_values_of(w, in->d);
  const uint32_t voters = active & (active ? members[sl_lowest(active)] : 0), yes = set & voters;
  bool result = false;
  switch ((enum sl_ptx_vote)in->mode) {
  case SL_PTX_VOTE_ALL: result = yes == voters; break;
  case SL_PTX_VOTE_ANY: result = yes != 0; break;
  case SL_PTX_VOTE_UNI: result = yes == voters || yes == 0; break;
  case SL_PTX_VOTE_BALLOT:
    for (unsigned l = 0; l < SL_PTX_LANES; l++)
      d[l] = active >> l & 1 ? yes : d[l];
    return;
  }
  sl_ptx_predicate_set(w, in->d, result ? UINT32_MAX : 0, active);
}

static uint64_t value_of(const void *a, unsigned lane, bool wide64)
{
  return wide64 ? ((const wide *)a)[lane] : ((const word *)a)[lane];
}

static void match(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  const void *a = sl_ptx_values_of(w, in->a);
  const word *members = sl_ptx_values_of(w, in->b);
  const bool wide64 = in->type == SL_PTX_B64;
  uint32_t same[SL_PTX_LANES] = {0}, all = 0;
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    const uint32_t group = active & members[l];
    for (unsigned other = 0; other < SL_PTX_LANES; other++)
      if (group >> other & 1 && value_of(a, l, wide64) == value_of(a, other, wide64))
        same[l] |= (uint32_t)sl_bit(other);
    all |= (uint32_t)(same[l] == group) << l;
  }
  word *d = sl_ptx_values_of(w, in->d);
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    if (active >> l & 1)
      d[l] = in->mode == SL_PTX_MATCH_ANY || all >> l & 1 ? same[l] : 0;
  if (in->has_e)
    sl_ptx_predicate_set(w, in->e, all, active);
}

/* One value of all members. */
static void redux(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  const word *a = sl_ptx_values_of(w, in->a), *members = sl_ptx_values_of(w, in->b);
  word *d = sl_ptx_values_of(w, in->d), result[SL_PTX_LANES];
  for (uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    uint32_t group = active & members[l];
    result[l] = group != 0 ? a[sl_lowest(group)] : 0;
    for (group &= group - 1; group != 0; group &= group - 1)
      result[l] = (word)sl_ptx_atomic_value(in->mode, in->type, result[l], a[sl_lowest(group)], 0);
  }
  for (uint32_t rest = active; rest != 0; rest &= rest - 1)
    d[sl_lowest(rest)] = result[sl_lowest(rest)];
}

/* ---- slow path of arithmetic --------------------------------------------------------------------------------- */

/* Slow path of arithmetic: rounding modes other than to nearest, flushing of subnormals, saturation. */

typedef float single __attribute__((may_alias));
typedef double twice __attribute__((may_alias));

struct copies {
  _Alignas(64) uint8_t bytes[4][SL_PTX_LANES * 8];
};

/* The low words of 64-bit registers. */
static const void *narrowed(const void *source, uint8_t *copy)
{
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    ((word *)copy)[l] = (word)((const wide *)source)[l];
  return copy;
}

/* Addresses in the frame of the current call level. */
static const void *in_frame(const void *source, uint8_t type, uint32_t frame, uint8_t *copy)
{
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    if (sl_ptx_type_bytes(type) == 8)
      ((wide *)copy)[l] = ((const wide *)source)[l] + frame;
    else
      ((word *)copy)[l] = ((const word *)source)[l] + frame;
  return copy;
}

/* Extends words to 64-bit registers. */
static void widen(void *d, const uint8_t *copy, bool sign, uint32_t lanes)
{
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned l = sl_lowest(lanes);
    const uint32_t value = ((const word *)copy)[l];
    ((wide *)d)[l] = (wide)(sign ? (int64_t)(int32_t)value : (int64_t)value);
  }
}

/* Flushes subnormals to zeros of the same sign; only 32-bit values. */
static void flush(single *v, uint32_t lanes)
{
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    if (lanes >> l & 1 && fpclassify(v[l]) == FP_SUBNORMAL)
      v[l] = copysignf(0, v[l]);
}

static void change_halves(word *v, uint32_t lanes, enum sl_ptx_type type, uint16_t (*change)(uint16_t, bool))
{
  const bool bf16 = type == SL_PTX_BF16 || type == SL_PTX_BF16X2;
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned l = sl_lowest(lanes);
    v[l] = SL_PTX_PAIR(change((uint16_t)v[l], bf16), change((uint16_t)(v[l] >> 16), bf16));
  }
}

/* Sources of halves; `half`: the type of the operation. */
static const void *flushed_halves(const void *source, uint8_t type, enum sl_ptx_type half, uint8_t *copy)
{
  if (sl_ptx_type_bytes(type) != sl_ptx_type_bytes(half) && !sl_ptx_is_pair(half))
    return source;
  memcpy(copy, source, SL_PTX_LANES * sizeof(word));
  change_halves((word *)copy, UINT32_MAX, half, sl_ptx_half_flushed);
  return copy;
}

static const void *flushed(const void *source, uint8_t type, uint8_t *copy)
{
  if (type != SL_PTX_F32)
    return source;
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    ((single *)copy)[l] = ((const single *)source)[l];
  flush((single *)copy, UINT32_MAX);
  return copy;
}

static void saturate(void *d, uint8_t type, uint32_t lanes)
{
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    if ((lanes >> l & 1) == 0)
      continue;
    if (type == SL_PTX_F32) {
      const float v = ((single *)d)[l];
      ((single *)d)[l] = v > 0 ? (v < 1 ? v : 1) : 0;
    } else {
      const double v = ((twice *)d)[l];
      ((twice *)d)[l] = v > 0 ? (v < 1 ? v : 1) : 0;
    }
  }
}

/* Like the function of the instruction's row. */
static uint32_t careful(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, sl_ptx_lane_function *execute,
                        const struct sl_ptx_lane_operands *operands, uint32_t active)
{
  static const int modes[] = {
      [SL_PTX_RN] = FE_TONEAREST, [SL_PTX_RZ] = FE_TOWARDZERO, [SL_PTX_RM] = FE_DOWNWARD, [SL_PTX_RP] = FE_UPWARD};
  const struct sl_ptx_row *row = sl_ptx_row(in->row);
  struct sl_ptx_lane_operands o = *operands;
  struct copies copies;
  if (in->framed)
    o.a = in_frame(o.a, row->a, w->frame, copies.bytes[3]);
  if (in->wide & SL_PTX_WIDER_A)
    o.a = narrowed(o.a, copies.bytes[3]);
  if (in->wide & SL_PTX_WIDER_D)
    o.d = copies.bytes[2]; /* a conversion has no third source */
  const bool halves = sl_ptx_is_half(in->type);
  if (in->ftz && halves && row->a != SL_PTX_F32) {
    o.a = flushed_halves(o.a, row->a, in->type, copies.bytes[0]);
    o.b = flushed_halves(o.b, row->b, in->type, copies.bytes[1]);
    o.c = flushed_halves(o.c, row->c, in->type, copies.bytes[2]);
  } else if (in->ftz) {
    o.a = flushed(o.a, row->a, copies.bytes[0]);
    o.b = flushed(o.b, row->b, copies.bytes[1]);
    o.c = flushed(o.c, row->c, copies.bytes[2]);
  }
  if (in->rounding != SL_PTX_RN)
    fesetround(modes[in->rounding]);
  const uint32_t result = execute(&o, active);
  if (in->rounding != SL_PTX_RN)
    fesetround(FE_TONEAREST);
  if (in->ftz && row->d == SL_PTX_F32)
    flush(o.d, active);
  if (in->ftz && halves && !row->condition && row->a != SL_PTX_F32)
    change_halves(o.d, active, in->type, sl_ptx_half_flushed);
  if (in->saturate && halves)
    change_halves(o.d, active, in->type, sl_ptx_half_clamped);
  else if (in->saturate)
    saturate(o.d, row->d, active);
  if (in->wide & SL_PTX_WIDER_D)
    widen(operands->d, copies.bytes[2], in->type >= SL_PTX_S8 && in->type <= SL_PTX_S32, active);
  return result;
}

static inline uint32_t row(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t p, uint32_t active)
{
  const struct sl_ptx_lane_operands o = {sl_ptx_values_of(w, in->d), sl_ptx_values_of(w, in->a),
                                         sl_ptx_values_of(w, in->b), sl_ptx_values_of(w, in->c),
                                         sl_ptx_values_of(w, in->e), p};
  sl_ptx_lane_function *execute = w->ops->execute[in->row];
  if (in->careful)
    return careful(w, in, execute, &o, active);
  return execute(&o, active);
}

static void lanes(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  if (in->mode == SL_PTX_P_CARRY)
    w->carry = row(w, in, w->carry, active);
  else
    row(w, in, in->mode == SL_PTX_P_PREDICATE ? sl_ptx_predicate_of(w, in->c) ^ (in->negated_c ? UINT32_MAX : 0) : 0,
        active);
}

static uint32_t combined(const struct sl_ptx_insn *in, uint32_t condition, uint32_t with)
{
  switch ((enum sl_ptx_combination)in->mode) {
  case SL_PTX_WITH_AND: return condition & with;
  case SL_PTX_WITH_OR: return condition | with;
  case SL_PTX_WITH_XOR: return condition ^ with;
  default: return condition;
  }
}

/* The condition of the high halves. */
static uint32_t high_row(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  struct copies high;
  const word *sources[] = {sl_ptx_values_of(w, in->a), sl_ptx_values_of(w, in->b)};
  for (unsigned i = 0; i < 2; i++)
    for (unsigned l = 0; l < SL_PTX_LANES; l++)
      ((word *)high.bytes[i])[l] = sources[i][l] >> 16;
  const struct sl_ptx_lane_operands o = {NULL, high.bytes[0], high.bytes[1], high.bytes[0], high.bytes[0], 0};
  return in->careful ? careful(w, in, w->ops->execute[in->row], &o, active) : w->ops->execute[in->row](&o, active);
}

/* setp p|q and set of pairs: a condition for each half. */
static void pair_condition(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t with, uint32_t active)
{
  const uint32_t low = combined(in, row(w, in, 0, active), with), high = combined(in, high_row(w, in, active), with);
  if (in->kind != SL_PTX_K_SET) {
    sl_ptx_predicate_set(w, in->d, low, active);
    if (in->has_e)
      sl_ptx_predicate_set(w, in->e, high, active);
    return;
  }
  word *d = sl_ptx_values_of(w, in->d);
  for (uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    d[l] = (uint32_t)in->immediate & ((low >> l & 1 ? 0xffff : 0) | (high >> l & 1 ? 0xffff0000 : 0));
  }
}

static void condition(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  const uint32_t with = in->mode == SL_PTX_ALONE ? 0 : sl_ptx_predicate_of(w, in->c) ^ (in->negated_c ? UINT32_MAX : 0);
  if (sl_ptx_is_pair(in->type)) {
    pair_condition(w, in, with, active);
    return;
  }
  const uint32_t holds = row(w, in, 0, active), value = combined(in, holds, with);
  if (in->kind == SL_PTX_K_SET) {
    word *d = sl_ptx_values_of(w, in->d);
    for (unsigned l = 0; l < SL_PTX_LANES; l++)
      if (active >> l & 1)
        d[l] = value >> l & 1 ? (uint32_t)in->immediate : 0;
    return;
  }
  sl_ptx_predicate_set(w, in->d, value, active);
  if (in->has_e)
    sl_ptx_predicate_set(w, in->e, combined(in, ~holds, with), active);
}

static void logic(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  const uint32_t a = sl_ptx_predicate_of(w, in->a), b = sl_ptx_predicate_of(w, in->b);
  uint32_t value = a;
  switch ((enum sl_ptx_logic)in->mode) {
  case SL_PTX_MOV: break;
  case SL_PTX_NOT: value = ~a; break;
  case SL_PTX_AND: value = a & b; break;
  case SL_PTX_OR: value = a | b; break;
  case SL_PTX_XOR: value = a ^ b; break;
  }
  sl_ptx_predicate_set(w, in->d, value, active);
}

/* mov between a register and a vector of registers with the same total size. */
static void pack(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  const unsigned bits = in->bytes * 8u;
  const bool packs = in->kind == SL_PTX_K_PACK, whole64 = bits * in->elements == 64;
  uint8_t *whole = sl_ptx_values_of(w, packs ? in->d : in->a);
  for (; active != 0; active &= active - 1) {
    const unsigned l = sl_lowest(active);
    uint64_t v = packs ? 0 : whole64 ? ((wide *)whole)[l] : ((word *)whole)[l];
    for (unsigned i = 0; i < in->elements; i++) {
      word *part = sl_ptx_values_of(w, in->element[i]);
      if (packs)
        v |= (part[l] & sl_low_bits(bits)) << (i * bits);
      else
        part[l] = (uint32_t)(v >> (i * bits) & sl_low_bits(bits));
    }
    if (packs && whole64)
      ((wide *)whole)[l] = v;
    else if (packs)
      ((word *)whole)[l] = (uint32_t)v;
  }
}

static void same_in_all(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint64_t value, uint32_t active)
{
  uint8_t *d = sl_ptx_values_of(w, in->d);
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    if (active >> l & 1) {
      if (in->bytes == 8)
        ((wide *)d)[l] = value;
      else
        ((word *)d)[l] = (uint32_t)value;
    }
}

static bool control(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                    struct sl_ptx_fault *fault)
{
  struct sl_simt_stack *s = &w->stack;
  bool fits = true;
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_BRANCH:
    effect->taken = effect->active;
    fits = in->release != 0 ? sl_simt_stack_branch_last(s, effect->active, in->target, in->release)
                            : sl_simt_stack_branch(s, effect->active, in->target, in->reconvergence);
    break;
  case SL_PTX_K_CALL:
    if (in->mode != SL_PTX_CALL_SHARED && !sl_ptx_call(w, in, effect, fault))
      return false;
    if (in->mode == SL_PTX_CALL_SHARED)
      fits = sl_simt_stack_call(s, in->target);
    break;
  case SL_PTX_K_TRAP:
    if (effect->active != 0) {
      fault->kind = SL_PTX_FAULT_TRAP;
      fault->lane = sl_lowest(effect->active);
      return false;
    }
    sl_simt_stack_advance(s, effect->pc + 1);
    break;
  case SL_PTX_K_RETURN:
    if (s->entries[s->depth - 1].call > 0) {
      sl_ptx_call_results(w, in, effect->active);
      sl_simt_stack_return(s, effect->active);
      break;
    } /* of the kernel: */
    /* fall through */
  default: /* EXIT */
    effect->exited = effect->active;
    sl_simt_stack_exit(s, effect->active);
    sl_ptx_barrier_end(w);
  }
  if (w->block->launch->kernel->levels > 0)
    sl_ptx_level(w);
  if (!fits)
    fault->kind = SL_PTX_FAULT_STACK, fault->lane = sl_lowest(effect->issued);
  return fits;
}

void sl_ptx_execute_lanes(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_LANES: lanes(w, in, active); break;
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET: condition(w, in, active); break;
  case SL_PTX_K_LOGIC: logic(w, in, active); break;
  case SL_PTX_K_PACK:
  case SL_PTX_K_UNPACK: pack(w, in, active); break;
  case SL_PTX_K_SHFL: shuffle(w, in, active); break;
  case SL_PTX_K_VOTE: vote(w, in, active); break;
  case SL_PTX_K_REDUX: redux(w, in, active); break;
  case SL_PTX_K_MATCH: match(w, in, active); break;
  default: break;
  }
}

static bool perform(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint64_t clock, struct sl_ptx_effect *effect,
                    struct sl_ptx_fault *fault)
{
  const uint32_t active = effect->active;
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_LANES: lanes(w, in, active); break;
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET:
  case SL_PTX_K_LOGIC:
  case SL_PTX_K_PACK:
  case SL_PTX_K_UNPACK:
  case SL_PTX_K_SHFL:
  case SL_PTX_K_VOTE:
  case SL_PTX_K_REDUX:
  case SL_PTX_K_MATCH: sl_ptx_execute_lanes(w, in, active); break;
  case SL_PTX_K_CLOCK: same_in_all(w, in, clock, active); break;
  case SL_PTX_K_ACTIVEMASK: same_in_all(w, in, active, active); break;
  case SL_PTX_K_STACK:
    if (!sl_ptx_stack(w, in, active, fault))
      return false;
    break;
  case SL_PTX_K_LOAD:
  case SL_PTX_K_STORE:
  case SL_PTX_K_ATOMIC:
  case SL_PTX_K_TEX:
  case SL_PTX_K_TILE:
  case SL_PTX_K_ASYNC:
    if (!sl_ptx_access(w, in, effect, fault))
      return false;
    break;
  case SL_PTX_K_SERVICE:
    if (!sl_ptx_service(w, in, active, fault))
      return false;
    break;
  case SL_PTX_K_TENSOR:
    if (!sl_ptx_is_whole(active, fault))
      return false;
    if (active != 0)
      sl_ptx_tensor(w, in);
    break;
  case SL_PTX_K_BARRIER: return sl_ptx_barrier(w, in, effect, fault);
  case SL_PTX_K_LINEAR:
    if (in->mode == SL_PTX_LINEAR_END && w->block->linear != NULL) {
      sl_ptx_linear_end(w);
      return true;
    }
    break;
  case SL_PTX_K_MEMBAR:
  case SL_PTX_K_ASYNC_COMMIT:
  case SL_PTX_K_ASYNC_WAIT:
  case SL_PTX_K_NOTHING: break;
  case SL_PTX_K_BRANCH:
  case SL_PTX_K_CALL:
  case SL_PTX_K_RETURN:
  case SL_PTX_K_EXIT:
  case SL_PTX_K_TRAP: return control(w, in, effect, fault);
  }
  sl_simt_stack_advance(&w->stack, effect->pc + 1);
  return true;
}

static inline bool execute(struct sl_ptx_warp *w, uint64_t clock, struct sl_ptx_effect *effect,
                           struct sl_ptx_fault *fault, const bool linear)
{
  const uint32_t pc = sl_simt_stack_pc(&w->stack), mask = sl_simt_stack_mask(&w->stack);
  const struct sl_ptx_insn *in = &w->code[pc];
  effect->insn = in;
  effect->clock = clock;
  effect->pc = pc;
  effect->issued = mask;
  effect->active = mask;
  effect->taken = effect->exited = 0;
  if (in->guard.id != SL_PTX_NO_REG) {
    const uint32_t guard = *(const word *)(w->area[SL_PTX_REGISTERS] + in->guard_offset);
    effect->active &= in->negated ? ~guard : guard;
  }
  bool goes_on = true;
  if (linear && w->block->linear != NULL) {
    sl_ptx_linear_read(w, pc);
    goes_on = w->block->follow == NULL || w->block->follow(w, effect, fault);
  }
  if (goes_on && perform(w, in, clock, effect, fault))
    return true;
  fault->pc = pc;
  fault->warp = w->index;
  memcpy(fault->block, w->block->index, sizeof fault->block);
  return false;
}

static __attribute__((noinline)) bool execute_special(struct sl_ptx_warp *w, uint64_t clock,
                                                      struct sl_ptx_effect *effect, struct sl_ptx_fault *fault)
{
  const bool turns = w->stack.turn.period != 0;
  if (turns && !sl_ptx_turns_meet(w, clock, effect))
    return true;
  if (!execute(w, clock, effect, fault, true))
    return false;
  if (turns)
    sl_ptx_turns_count(w, effect);
  return true;
}

bool sl_ptx_execute(struct sl_ptx_warp *w, uint64_t clock, struct sl_ptx_effect *effect, struct sl_ptx_fault *fault)
{
  if (__builtin_expect(w->special, 0))
    return execute_special(w, clock, effect, fault);
  return execute(w, clock, effect, fault, false);
}
