#include "ptx/run/ptx_execute.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/run/ptx_access.h"
#include "ptx/run/ptx_linear.h"

/* Values that a warp has loaded. The shadow's registers get them before the next instruction, when they are
 * available. */
struct loaded {
  const struct sl_ptx_insn *from, *to; /* NULL: nothing */
  uint32_t active;
};

struct sl_ptx_shadow {
  struct sl_ptx_block block;
  struct sl_ptx_late late; /* the shadow's accesses to global memory; not performed */
  struct loaded *loaded;   /* by warp */
};

/* An instruction that a warp is about to execute. */
struct next {
  const struct sl_ptx_warp *warp;
  const struct sl_ptx_insn *insn;
  uint32_t pc, active;
};

static uint64_t lane_of(const struct sl_ptx_warp *w, struct sl_ptx_place p, unsigned lane, unsigned bytes)
{
  uint64_t value = 0;
  memcpy(&value, w->area[p.area] + p.offset + (size_t)lane * bytes, bytes);
  return value;
}

/* Copies registers of the warp to registers of the shadow. */
static void give(const struct sl_ptx_warp *to, struct sl_ptx_place d, const struct sl_ptx_warp *from,
                 struct sl_ptx_place s, uint32_t active, unsigned bytes)
{
  for (; active != 0; active &= active - 1) {
    const size_t at = sl_lowest(active) * (size_t)bytes;
    memcpy(to->area[d.area] + d.offset + at, from->area[s.area] + s.offset + at, bytes);
  }
}

static void give_loaded(struct sl_ptx_shadow *s, const struct sl_ptx_warp *w)
{
  struct loaded *l = &s->loaded[w->index];
  const struct sl_ptx_warp *to = &s->block.warps[w->index];
  if (l->from == NULL)
    return;
  if (l->from->kind == SL_PTX_K_ATOMIC)
    give(to, l->to->d, w, l->from->d, l->active, l->from->bytes);
  else
    for (unsigned i = 0; i < l->from->elements; i++)
      give(to, l->to->element[i], w, l->from->element[i], l->active, l->from->wide >> i & 1 ? 8 : 4);
  l->from = NULL;
}

/* Instructions with effects visible to others, which no variant of a kernel may eliminate: memory accesses, barriers,
 * clocks and branches. */
static bool is_compared(const struct sl_ptx_insn *in)
{
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_LOAD: return in->space != SL_PTX_PARAM;
  case SL_PTX_K_STORE:
  case SL_PTX_K_ATOMIC:
  case SL_PTX_K_TEX:
  case SL_PTX_K_ASYNC:
  case SL_PTX_K_CLOCK:
  case SL_PTX_K_BARRIER:
  case SL_PTX_K_BRANCH:
  case SL_PTX_K_CALL:
  case SL_PTX_K_SERVICE:
  case SL_PTX_K_RETURN:
  case SL_PTX_K_EXIT:
  case SL_PTX_K_TRAP: return true;
  default: return false;
  }
}

/* Advances the shadow's warp to the next compared instruction; every loop has one. False: there is none. */
static bool catch_up(struct sl_ptx_warp *w, uint64_t clock, struct next *next)
{
  struct sl_ptx_effect effect;
  struct sl_ptx_fault fault;
  const struct sl_ptx_insn *code = w->block->launch->module->code;
  while (w->stack.depth > 0 && !is_compared(&code[sl_simt_stack_pc(&w->stack)]))
    if (!sl_ptx_execute(w, clock, &effect, &fault))
      return false;
  if (w->stack.depth == 0)
    return false;
  *next = (struct next){.warp = w, .pc = sl_simt_stack_pc(&w->stack), .active = sl_simt_stack_mask(&w->stack)};
  next->insn = &code[next->pc];
  if (next->insn->guard.id != SL_PTX_NO_REG) {
    uint32_t guard;
    memcpy(&guard, w->area[SL_PTX_REGISTERS] + next->insn->guard_offset, sizeof guard);
    next->active &= next->insn->negated ? ~guard : guard;
  }
  return true;
}

static bool is_the_same(const struct sl_ptx_insn *a, const struct sl_ptx_insn *b)
{
  return a->kind == b->kind && a->type == b->type && a->space == b->space && a->bytes == b->bytes &&
         a->elements == b->elements && a->wide == b->wide && a->mode == b->mode && a->dsts == b->dsts;
}

static bool differs(const struct next *is, const struct next *was, uint32_t lanes, enum sl_ptx_difference what,
                    struct sl_ptx_fault *fault)
{
  fault->kind = SL_PTX_FAULT_SHADOW;
  fault->difference = what;
  fault->lane = lanes != 0 ? sl_lowest(lanes) : 0;
  fault->original_pc = was->pc;
  fault->space = (enum sl_ptx_space)is->insn->space;
  return true;
}

static uint64_t address_of(const struct next *n, unsigned lane)
{
  return lane_of(n->warp, n->insn->a, lane, n->insn->address32 ? 4 : 8) + (uint64_t)n->insn->immediate;
}

/* A register that both read, of which `used` bytes count. */
static bool values_differ(const struct next *is, struct sl_ptx_place i, const struct next *was, struct sl_ptx_place w,
                          unsigned bytes, unsigned used, struct sl_ptx_fault *fault)
{
  for (uint32_t rest = is->active; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    const uint64_t mask = sl_low_bits(8 * used);
    fault->value = lane_of(is->warp, i, lane, bytes) & mask;
    fault->original = lane_of(was->warp, w, lane, bytes) & mask;
    if (fault->value != fault->original)
      return differs(is, was, rest, SL_PTX_DIFFERS_VALUE, fault);
  }
  return false;
}

static bool addresses_differ(const struct next *is, const struct next *was, struct sl_ptx_fault *fault)
{
  for (uint32_t rest = is->active; rest != 0; rest &= rest - 1) {
    fault->value = address_of(is, sl_lowest(rest));
    fault->original = address_of(was, sl_lowest(rest));
    if (fault->value != fault->original)
      return differs(is, was, rest, SL_PTX_DIFFERS_ADDRESS, fault);
  }
  return false;
}

static bool operands_differ(const struct next *is, const struct next *was, struct sl_ptx_fault *fault)
{
  const struct sl_ptx_insn *i = is->insn, *w = was->insn;
  bool differ = false;
  switch ((enum sl_ptx_kind)i->kind) {
  case SL_PTX_K_LOAD: return addresses_differ(is, was, fault);
  case SL_PTX_K_ASYNC:
    return addresses_differ(is, was, fault) || values_differ(is, i->b, was, w->b, i->wide ? 8 : 4, 4, fault);
  case SL_PTX_K_STORE:
    differ = addresses_differ(is, was, fault);
    for (unsigned e = 0; e < i->elements && !differ; e++)
      differ = values_differ(is, i->element[e], was, w->element[e], i->wide >> e & 1 ? 8 : 4, i->bytes, fault);
    return differ;
  case SL_PTX_K_ATOMIC:
    return addresses_differ(is, was, fault) || values_differ(is, i->b, was, w->b, i->bytes, i->bytes, fault) ||
           (i->mode == SL_PTX_ATOM_CAS && values_differ(is, i->c, was, w->c, i->bytes, i->bytes, fault));
  case SL_PTX_K_TEX:
    return values_differ(is, i->a, was, w->a, 8, 8, fault) || values_differ(is, i->b, was, w->b, 4, 4, fault) ||
           (i->mode & SL_PTX_TEX_2D && values_differ(is, i->c, was, w->c, 4, 4, fault)) ||
           (i->mode & SL_PTX_TEX_3D && values_differ(is, i->e, was, w->e, 4, 4, fault));
  case SL_PTX_K_BARRIER:
    return values_differ(is, i->a, was, w->a, 4, 4, fault) || values_differ(is, i->b, was, w->b, 4, 4, fault);
  default: return false;
  }
}

static bool compare(const struct next *is, const struct next *was, struct sl_ptx_fault *fault)
{
  if (!is_the_same(is->insn, was->insn))
    return differs(is, was, is->active, SL_PTX_DIFFERS_INSTRUCTION, fault);
  fault->value = is->active;
  fault->original = was->active;
  if (is->active != was->active)
    return differs(is, was, is->active ^ was->active, SL_PTX_DIFFERS_LANES, fault);
  return operands_differ(is, was, fault);
}

static bool follow(const struct sl_ptx_warp *w, const struct sl_ptx_effect *effect, struct sl_ptx_fault *fault)
{
  struct sl_ptx_shadow *s = w->block->shadow;
  struct sl_ptx_warp *own = &s->block.warps[w->index];
  const struct next is = {.warp = w, .insn = effect->insn, .pc = effect->pc, .active = effect->active};
  struct next was = {.pc = SL_PTX_NOWHERE};
  if (w->phase != SL_PTX_PHASE_REST)
    return true;
  give_loaded(s, w);
  if (!is_compared(is.insn))
    return true;
  if (!catch_up(own, effect->clock, &was))
    return !differs(&is, &was, is.active, SL_PTX_DIFFERS_INSTRUCTION, fault);
  if (compare(&is, &was, fault))
    return false;
  struct sl_ptx_effect done;
  struct sl_ptx_fault same; /* the variant has the same fault, and reports it */
  if (sl_ptx_execute(own, effect->clock, &done, &same) &&
      (is.insn->kind == SL_PTX_K_LOAD || is.insn->kind == SL_PTX_K_TEX ||
       (is.insn->kind == SL_PTX_K_ATOMIC && is.insn->dsts > 0)))
    s->loaded[w->index] = (struct loaded){.from = is.insn, .to = was.insn, .active = is.active};
  s->late.count = 0;
  return true;
}

enum sl_status sl_ptx_shadow_create(struct sl_ptx_block *b, struct sl_error *err)
{
  if (b->launch->shadow == NULL)
    return SL_OK;
  struct sl_ptx_shadow *s = b->shadow = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  b->follow = follow;
  const enum sl_status code = sl_ptx_block_create(&s->block, b->launch->shadow, err);
  if (code != SL_OK)
    return code;
  s->block.late = &s->late;
  s->loaded = calloc(s->block.warp_count, sizeof *s->loaded);
  return s->loaded != NULL ? SL_OK : sl_no_memory(err, s->block.warp_count * sizeof *s->loaded);
}

void sl_ptx_shadow_free(struct sl_ptx_block *b)
{
  if (b->shadow == NULL)
    return;
  sl_ptx_block_free(&b->shadow->block);
  free(b->shadow->loaded);
  free(b->shadow);
  b->shadow = NULL;
}

void sl_ptx_shadow_start(struct sl_ptx_block *b, unsigned sm, unsigned sms)
{
  struct sl_ptx_shadow *s = b->shadow;
  if (s == NULL)
    return;
  sl_ptx_block_start(&s->block, b->index, sm, sms);
  memset(s->loaded, 0, s->block.warp_count * sizeof *s->loaded);
}
