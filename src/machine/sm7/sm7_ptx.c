#include "machine/sm7/sm7_ptx.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "ptx/oracle/ptx_oracle.h"
#include "ptx/run/ptx_access.h"
#include "ptx/run/ptx_block.h"
#include "ptx/run/ptx_execute.h"

enum {
  SOURCES_WATCHED = 3, /* the reference's scoreboard checks no more, except for vectors */
  CODE_BYTES = 8       /* of an instruction */
};
/* The reference's addresses of code, and of module variables in constant memory; parameters begin at address 0. */
#define CODE_ADDRESS UINT64_C(0xf0000000)
#define CONST_ADDRESS UINT64_C(0x100)

static const uint8_t units[] = {
    [SL_PTX_INT] = SL_SM7_INT, [SL_PTX_SP] = SL_SM7_SP,         [SL_PTX_DP] = SL_SM7_DP,
    [SL_PTX_SFU] = SL_SM7_SFU, [SL_PTX_TENSOR] = SL_SM7_TENSOR, [SL_PTX_MEM] = SL_SM7_MEM,
};

static const uint8_t classes[SL_PTX_CLASSES] = {
    [SL_PTX_C_OTHER] = SL_SM7_C_OTHER,
    [SL_PTX_C_INT_ADD] = SL_SM7_C_INT_ADD,
    [SL_PTX_C_INT_MINMAX] = SL_SM7_C_INT_MINMAX,
    [SL_PTX_C_INT_MUL] = SL_SM7_C_INT_MUL,
    [SL_PTX_C_INT_MAD] = SL_SM7_C_INT_MAD,
    [SL_PTX_C_MUL24] = SL_SM7_C_MUL24,
    [SL_PTX_C_MAD24] = SL_SM7_C_MAD24,
    [SL_PTX_C_F32_ADD] = SL_SM7_C_F32_ADD,
    [SL_PTX_C_F32_MUL] = SL_SM7_C_F32_MUL,
    [SL_PTX_C_F32_MAD] = SL_SM7_C_F32_MAD,
    [SL_PTX_C_F32_MINMAX] = SL_SM7_C_F32_MINMAX,
    [SL_PTX_C_F64_ADD] = SL_SM7_C_F64_ADD,
    [SL_PTX_C_F64_MUL] = SL_SM7_C_F64_MUL,
    [SL_PTX_C_F64_MAD] = SL_SM7_C_F64_MUL,
    [SL_PTX_C_F64_MINMAX] = SL_SM7_C_F64_MINMAX,
    [SL_PTX_C_INT_DIV] = SL_SM7_C_INT_DIV,
    [SL_PTX_C_F32_DIV] = SL_SM7_C_F32_DIV,
    [SL_PTX_C_F64_DIV] = SL_SM7_C_F64_DIV,
    [SL_PTX_C_SFU] = SL_SM7_C_SFU,
    [SL_PTX_C_SINE] = SL_SM7_C_SINE,
    [SL_PTX_C_POWER] = SL_SM7_C_POWER,
    [SL_PTX_C_LOGARITHM] = SL_SM7_C_LOGARITHM,
    [SL_PTX_C_SHFL] = SL_SM7_C_SHFL,
    [SL_PTX_C_MMA] = SL_SM7_C_MMA,
    [SL_PTX_C_MEMORY] = SL_SM7_C_MEMORY,
};

static enum sl_sm7_kind kind_of(const struct sl_ptx_insn *in)
{
  switch (in->kind) {
  case SL_PTX_K_TEX:
  case SL_PTX_K_LOAD: return SL_SM7_LOAD;
  case SL_PTX_K_STORE: return SL_SM7_STORE;
  case SL_PTX_K_TILE: return in->more->store ? SL_SM7_STORE : SL_SM7_LOAD;
  case SL_PTX_K_ATOMIC: return SL_SM7_ATOMIC;
  case SL_PTX_K_BARRIER: return SL_SM7_BARRIER;
  case SL_PTX_K_MEMBAR: return SL_SM7_FENCE;
  case SL_PTX_K_ASYNC: return SL_SM7_ASYNC_LOAD;
  case SL_PTX_K_ASYNC_COMMIT: return SL_SM7_ASYNC_COMMIT;
  case SL_PTX_K_ASYNC_WAIT: return SL_SM7_ASYNC_WAIT;
  default: return SL_SM7_ALU;
  }
}

static void watch(struct sl_sm7_instruction *i, struct sl_ptx_reg r)
{
  if (r.id != SL_PTX_NO_REG)
    i->watch[i->watched++] = r.id;
}

static void read(struct sl_sm7_instruction *i, struct sl_ptx_reg r)
{
  if (r.id == SL_PTX_NO_REG)
    return;
  sl_sm7_add_source(i, r.id, r.words);
  for (unsigned n = 0; n < i->reads; n++)
    if (i->read_bank[n] == r.printed)
      return;
  i->read_bank[i->reads++] = r.printed;
}

static void add_read(struct sl_sm7_instruction *i, struct sl_ptx_reg r)
{
  i->words_read = (uint8_t)(i->words_read + r.words);
  i->values_read = (uint8_t)(i->values_read + (r.words > 0));
}

/* Registers that the reference does not check are read too. */
static void read_registers(struct sl_sm7_instruction *i, const struct sl_ptx_insn *in)
{
  bool known = false; /* the address register is a source too */
  for (unsigned n = 0; n < in->srcs; n++) {
    bool again = in->src[n].id == SL_PTX_NO_REG;
    for (unsigned earlier = 0; earlier < n; earlier++)
      again |= in->src[earlier].id == in->src[n].id;
    if (!again)
      add_read(i, in->src[n]);
    known |= in->src[n].id == in->address.id;
  }
  if (!known && in->address.id != SL_PTX_NO_REG)
    add_read(i, in->address);
}

/* Elements with the operands of an instruction on matrices. */
static unsigned parts_of(const struct sl_ptx_insn *in)
{
  const unsigned watched = in->more != NULL ? in->more->dsts + in->more->srcs : 0u;
  return (watched + SL_SM7_WRITTEN - 1) / SL_SM7_WRITTEN;
}

/* Each element watches the registers that it reads and writes. */
static void add_parts(struct sl_sm7_instruction *code, struct sl_sm7_instruction *part, const struct sl_ptx_insn *in)
{
  const struct sl_ptx_more *more = in->more;
  code->rest = (uint32_t)(part - code);
  code->share = more->share;
  for (unsigned n = 0; n < more->dsts + (unsigned)more->srcs; n += SL_SM7_WRITTEN) {
    *part = (struct sl_sm7_instruction){.rest = n + SL_SM7_WRITTEN < more->dsts + (unsigned)more->srcs};
    for (unsigned k = n; k < n + SL_SM7_WRITTEN && k < more->dsts + (unsigned)more->srcs; k++) {
      const bool writes = k < more->dsts;
      const struct sl_ptx_reg r = writes ? more->dst[k] : more->src[k - more->dsts];
      watch(part, r);
      if (!writes) {
        add_read(code, r);
        part->read_bank[part->reads++] = r.printed;
        sl_sm7_add_source(part, r.id, r.words);
        continue;
      }
      code->words_written = (uint8_t)(code->words_written + r.words);
      part->write[part->writes] = r.id;
      part->write_bank[part->writes++] = r.printed;
    }
    part++;
  }
}

/* Operands that are no registers, as the reference counts them for power: an address or a label is one. */
static uint8_t other_operands(const struct sl_ptx_insn *in)
{
  if (in->class == SL_PTX_C_MEMORY)
    return in->kind != SL_PTX_K_MEMBAR;
  const struct sl_ptx_place place[] = {in->a, in->b, in->c, in->e};
  unsigned others = in->kind == SL_PTX_K_BRANCH;
  for (size_t i = 0; i < sizeof place / sizeof *place; i++)
    others += place[i].area != SL_PTX_REGISTERS;
  return (uint8_t)others;
}

static struct sl_sm7_instruction facts_of(const struct sl_ptx_insn *in)
{
  struct sl_sm7_instruction i = {.unit = units[in->unit],
                                 .class = classes[in->class],
                                 .kind = (uint8_t)kind_of(in),
                                 .uncached = in->uncached,
                                 .branch = in->kind == SL_PTX_K_BRANCH,
                                 .others = other_operands(in)};
  i.uncached |= i.kind == SL_SM7_ATOMIC;
  if (i.kind == SL_SM7_ASYNC_WAIT)
    i.groups = (uint8_t)(in->immediate < SL_SM7_GROUPS ? in->immediate : SL_SM7_GROUPS);
  read_registers(&i, in);
  for (unsigned n = 0; n < in->srcs; n++) {
    if (n < SOURCES_WATCHED || in->elements > 1)
      watch(&i, in->src[n]);
    read(&i, in->src[n]);
  }
  if (in->kind != SL_PTX_K_ATOMIC) { /* the reference's scoreboard and collectors ignore it for atomics */
    read(&i, in->address);
    watch(&i, in->address);
  } else if (in->address.id != SL_PTX_NO_REG) {
    sl_sm7_add_source(&i, in->address.id, in->address.words);
  }
  watch(&i, in->guard);
  for (unsigned n = 0; n < in->dsts; n++) {
    if (in->dst[n].id == SL_PTX_NO_REG)
      continue;
    watch(&i, in->dst[n]);
    i.words_written = (uint8_t)(i.words_written + in->dst[n].words);
    i.write[i.writes] = in->dst[n].id;
    i.write_bank[i.writes++] = in->dst[n].printed;
  }
  return i;
}

static bool begin(void *context, unsigned sm, unsigned slot, uint64_t block)
{
  struct sl_sm7_ptx *p = context;
  struct sl_ptx_block *b = &p->block[sm * SL_SM7_MAX_BLOCKS + slot];
  const uint32_t *grid = p->launch->grid;
  const uint32_t index[] = {(uint32_t)(block % grid[0]), (uint32_t)(block / grid[0] % grid[1]),
                            (uint32_t)(block / grid[0] / grid[1])};
  if (b->launch == NULL && (sl_ptx_block_create(b, p->launch, &p->sm[sm].error) != SL_OK ||
                            sl_ptx_shadow_create(b, &p->sm[sm].error) != SL_OK))
    return false;
  p->warps[sm * SL_SM7_MAX_BLOCKS + slot] = b->warps;
  b->late = p->side_by_side ? &p->sm[sm].late : NULL;
  sl_ptx_block_start(b, index, sm, p->sms);
  sl_ptx_shadow_start(b, sm, p->sms);
  if (p->oracle != NULL)
    sl_sm7_oracle_begin(p->oracle, sm, slot, block);
  if (p->launch->linear != NULL) {
    struct sl_ptx_linear_registers *r = &p->sm[sm].linear;
    if (r->linear == NULL && sl_ptx_linear_make(r, p->launch->linear, p->launch, &p->sm[sm].error) != SL_OK)
      return false;
    b->linear = r;
    sl_ptx_linear_begin(b);
  }
  return true;
}

static uint8_t phase(void *context, unsigned sm, unsigned slot, unsigned warp)
{
  const struct sl_sm7_ptx *p = context;
  return p->block[sm * SL_SM7_MAX_BLOCKS + slot].warps[warp].phase;
}

static uint32_t lanes(void *context, unsigned sm, unsigned slot, unsigned warp, uint32_t *pc)
{
  const struct sl_sm7_ptx *p = context;
  const struct sl_ptx_block *b = &p->block[sm * SL_SM7_MAX_BLOCKS + slot];
  const struct sl_simt_stack *stack = b->warps != NULL ? &b->warps[warp].stack : NULL;
  if (stack == NULL || stack->depth == 0)
    return 0;
  *pc = sl_simt_stack_pc(stack);
  return sl_simt_stack_mask(stack);
}

static uint8_t space_of(enum sl_ptx_space space)
{
  switch (space) {
  case SL_PTX_SHARED: return SL_SM7_SHARED;
  case SL_PTX_LOCAL: return SL_SM7_LOCAL;
  case SL_PTX_CONST:
  case SL_PTX_PARAM: return SL_SM7_CONST;
  case SL_PTX_GENERIC:
  case SL_PTX_GLOBAL: break;
  }
  return SL_SM7_GLOBAL;
}

static unsigned warp_in_sm(const struct sl_sm7_ptx *p, unsigned sm, unsigned slot, unsigned warp)
{
  return slot * p->block[sm * SL_SM7_MAX_BLOCKS + slot].warp_count + warp;
}

/* Reports an instruction that issues, or with id 0 one that is eliminated: it issues and retires at once. */
static __attribute__((noinline, cold)) void tell(struct sl_sm7_ptx *p, unsigned sm, unsigned slot, uint64_t id,
                                                 const struct sl_ptx_warp *w, const struct sl_ptx_effect *e)
{
  struct sl_sm7_observation *t = p->observation;
  struct sl_ptx_event event = {.probes = t->probes,
                               .id = id != 0 ? id : ++t->ids,
                               .cycle = t->cycle,
                               .launch = t->launch,
                               .core = sm,
                               .warp = sm * t->warps + warp_in_sm(p, sm, slot, w->index),
                               .stage = SL_SM7_STAGE_ISSUE};
  sl_ptx_report_execution(&event, true, w, e);
  event.stage = SL_SM7_STAGE_DONE;
  if (id == 0)
    sl_ptx_report_retired(&event, e);
}

static void report_begun(void *context, unsigned sm, unsigned slot, uint64_t cycle)
{
  const struct sl_sm7_ptx *p = context;
  const struct sl_ptx_event event = {.probes = p->observation->probes,
                                     .cycle = cycle,
                                     .launch = p->observation->launch,
                                     .core = sm,
                                     .warp = sm * p->observation->warps + warp_in_sm(p, sm, slot, 0)};
  sl_ptx_report_begun(&event, &p->block[sm * SL_SM7_MAX_BLOCKS + slot]);
}

static void prefetch_warp(const void *context, unsigned sm, unsigned slot, unsigned warp)
{
  const struct sl_sm7_ptx *p = context;
  __builtin_prefetch(&p->warps[sm * SL_SM7_MAX_BLOCKS + slot][warp]);
  __builtin_prefetch(&p->block[sm * SL_SM7_MAX_BLOCKS + slot]);
}

/* Registers of one word per lane have two lines of the host, others four. */
static void prefetch_registers(const void *context, unsigned sm, unsigned slot, unsigned warp, uint32_t pc)
{
  enum { LINES = 4 };
  const struct sl_sm7_ptx *p = context;
  const struct sl_ptx_warp *w = &p->warps[sm * SL_SM7_MAX_BLOCKS + slot][warp];
  const struct sl_ptx_insn *in = &p->launch->module->code[pc];
  const struct sl_ptx_place place[] = {in->d, in->a, in->b, in->c, in->element[0]};
  for (unsigned i = 0; i < sizeof place / sizeof *place; i++)
    for (unsigned line = 0; line < LINES && place[i].area == SL_PTX_REGISTERS; line++)
      __builtin_prefetch(w->area[SL_PTX_REGISTERS] + place[i].offset + line * SL_CACHE_LINE);
}

static bool issue(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                  struct sl_sm7_effect *effect)
{
  struct sl_sm7_ptx *p = context;
  struct sl_ptx_warp *w = &p->warps[sm * SL_SM7_MAX_BLOCKS + slot][warp];
  struct sl_ptx_effect e;
  e.exited = 0;
  struct sl_sm7_ptx_sm *own = &p->sm[sm];
  const unsigned late = own->late.count;
  if (!sl_ptx_execute(w, cycle, &e, &own->fault)) {
    own->faulted = true;
    return false;
  }
  if (__builtin_expect(p->observation != NULL, 0))
    tell(p, sm, slot, effect->id, w, &e);
  effect->late = own->late.count != late;
  effect->live = sl_simt_stack_mask(&w->stack);
  effect->next = effect->live ? sl_simt_stack_pc(&w->stack) : 0;
  effect->counted = e.active;
  effect->active = e.active;
  effect->exited = e.exited != 0;
  effect->barrier_warps = 0;
  if (e.insn->kind == SL_PTX_K_BARRIER) {
    effect->barrier = (uint8_t)e.barrier;
    effect->barrier_warps = (e.barrier_threads + SL_SM7_LANES - 1) / SL_SM7_LANES;
    effect->arrives = e.arrives;
  } else if (e.insn->unit == SL_PTX_MEM) {
    effect->space = e.insn->kind == SL_PTX_K_MEMBAR ? SL_SM7_NO_SPACE
                    : e.insn->kind == SL_PTX_K_TEX  ? SL_SM7_TEXTURE
                                                    : space_of(e.space);
    effect->bytes = (uint8_t)e.bytes;
    if (e.insn->kind == SL_PTX_K_ASYNC)
      effect->active = e.active = e.reads;
    if (e.insn->more != NULL) {
      const bool parts = p->fragments && effect->space == SL_SM7_SHARED && e.active != 0;
      const struct sl_sm7_fragment_cost cost =
          parts ? sl_sm7_fragment_cost(e.insn, e.address) : (struct sl_sm7_fragment_cost){0};
      effect->lines = true;
      effect->accesses = (uint8_t)cost.accesses;
      effect->passes = (uint16_t)cost.cycles;
      effect->active &= (uint32_t)sl_low_bits(e.insn->more->lines);
    }
    uint64_t base = e.space == SL_PTX_CONST ? CONST_ADDRESS : 0;
    if (p->code[e.pc].vector != 0) {
      effect->bytes = p->code[e.pc].vector;
      base -= p->code[e.pc].before;
    }
    if (effect->space != SL_SM7_NO_SPACE)
      for (uint32_t rest = e.active; rest; rest &= rest - 1)
        effect->address[__builtin_ctz(rest)] = e.address[__builtin_ctz(rest)] + base;
  }
  return true;
}

static bool spins(void *context, unsigned sm, unsigned slot, unsigned warp, struct sl_trial_memory *memory)
{
  const struct sl_sm7_ptx *p = context;
  return sl_ptx_spins(&p->block[sm * SL_SM7_MAX_BLOCKS + slot].warps[warp], memory, &p->sm[0].fault);
}

static void stuck(void *context, unsigned sm, unsigned slot, unsigned warp)
{
  struct sl_sm7_ptx *p = context;
  sl_ptx_fault_barrier(&p->sm[sm].fault, &p->block[sm * SL_SM7_MAX_BLOCKS + slot].warps[warp]);
  p->sm[sm].faulted = true;
}

/* As issue, for a launch with an oracle or a scalar pipeline. */
static bool issue_marked(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                         struct sl_sm7_effect *effect)
{
  struct sl_sm7_ptx *p = context;
  const struct sl_sm7_oracle *o = p->oracle;
  const uint32_t pc = sl_simt_stack_pc(&p->block[sm * SL_SM7_MAX_BLOCKS + slot].warps[warp].stack);
  if (!issue(context, sm, slot, warp, cycle, effect))
    return false;
  effect->scalar = o->scalar != NULL && o->scalar[pc];
  if (o->place == NULL)
    return true;
  struct sl_ptx_place_of_marks *at = sl_sm7_oracle_at(o, sm, slot, warp);
  effect->scalar |= sl_ptx_marks_alike(at);
  effect->strays = !sl_ptx_marks_next(at, pc);
  return true;
}

/* An instruction that must execute is not eliminated, whatever its classification. */
static bool pass(void *context, unsigned sm, unsigned slot, unsigned warp, struct sl_sm7_passed *passed)
{
  struct sl_sm7_ptx *p = context;
  struct sl_ptx_warp *w = &p->block[sm * SL_SM7_MAX_BLOCKS + slot].warps[warp];
  struct sl_ptx_place_of_marks *at = sl_sm7_oracle_at(p->oracle, sm, slot, warp);
  struct sl_ptx_effect e;
  while (sl_ptx_marks_drop(at)) {
    const uint32_t pc = sl_simt_stack_pc(&w->stack);
    if (sl_ptx_sort_of(&p->launch->module->code[pc]) == SL_PTX_SORT_OTHER)
      break;
    if (!sl_ptx_execute(w, 0, &e, &p->sm[sm].fault)) {
      p->sm[sm].faulted = true;
      return false;
    }
    if (__builtin_expect(p->observation != NULL, 0))
      tell(p, sm, slot, 0, w, &e);
    passed->strays |= !sl_ptx_marks_next(at, pc);
    passed->instructions++;
    passed->lanes += (uint32_t)__builtin_popcount(e.active);
    passed->next = sl_simt_stack_pc(&w->stack);
    passed->straight &= passed->next == pc + 1;
  }
  return true;
}

/* Instructions without cost: those that lowering has made free; updates of uniform registers, of all warps or of all
 * but the first of a block. */
static bool pass_free(void *context, unsigned sm, unsigned slot, unsigned warp, struct sl_sm7_passed *passed)
{
  struct sl_sm7_ptx *p = context;
  struct sl_ptx_warp *w = &p->block[sm * SL_SM7_MAX_BLOCKS + slot].warps[warp];
  struct sl_ptx_effect e;
  const bool updates = p->updates == SL_SM7_UR_WARP || (p->updates == SL_SM7_UR_BLOCK && warp == 0);
  for (uint32_t pc = sl_simt_stack_pc(&w->stack); (p->code[pc].update && !updates) || p->code[pc].free;
       pc = passed->next) {
    if (!sl_ptx_execute(w, 0, &e, &p->sm[sm].fault)) {
      p->sm[sm].faulted = true;
      return false;
    }
    if (__builtin_expect(p->observation != NULL, 0))
      tell(p, sm, slot, 0, w, &e);
    passed->instructions++;
    passed->lanes += (uint32_t)__builtin_popcount(e.active);
    passed->next = sl_simt_stack_pc(&w->stack);
    passed->straight &= passed->next == pc + 1;
  }
  return true;
}

/* For an oracle; or for updates and for lowered code. */
static bool (*passing(const struct sl_sm7_ptx *p))(void *, unsigned, unsigned, unsigned, struct sl_sm7_passed *)
{
  if (p->oracle != NULL && p->oracle->place != NULL)
    return pass;
  return p->lowered || (p->updates != SL_SM7_UR_WARP && p->launch->linear != NULL) ? pass_free : NULL;
}

static void settle(void *context, unsigned sm)
{
  const struct sl_sm7_ptx *p = context;
  sl_ptx_settle(&p->sm[sm].late);
}

struct sl_sm7_instruction *sl_sm7_ptx_code(const struct sl_ptx_module *m)
{
  size_t parts = 0;
  for (uint32_t i = 0; i < m->code_count; i++)
    parts += parts_of(&m->code[i]);
  struct sl_sm7_instruction *code = malloc((m->code_count + parts) * sizeof *code);
  struct sl_sm7_instruction *part = code != NULL ? code + m->code_count : NULL;
  for (uint32_t i = 0; code != NULL && i < m->code_count; i++) {
    code[i] = facts_of(&m->code[i]);
    if (m->code[i].more != NULL)
      add_parts(&code[i], part, &m->code[i]);
    part += parts_of(&m->code[i]);
  }
  return code;
}

enum sl_status sl_sm7_ptx_open(struct sl_sm7_ptx *p, const struct sl_ptx_launch *launch, struct sl_ptx_block *kept,
                               unsigned sms, bool side_by_side, struct sl_error *err)
{
  const struct sl_ptx_module *m = launch->module;
  static_assert((int)SL_SM7_REGISTERS == (int)SL_PTX_TOLD_APART, "the parser numbers registers for the scoreboard");
  *p = (struct sl_sm7_ptx){.launch = launch, .sms = sms, .side_by_side = side_by_side};
  if (launch->kernel->registers > SL_SM7_REGISTERS)
    return sl_fail(err, SL_FAULT,
                   "kernel %s needs %u registers at once, more than the %d that the machine can distinguish; compile "
                   "it with optimisation",
                   launch->kernel->name, launch->kernel->registers, SL_SM7_REGISTERS);
  p->code = sl_sm7_ptx_code(m);
  p->block = kept;
  p->sm = sl_lines_of(sms, sizeof *p->sm);
  p->warps = sl_lines_of((size_t)sms * SL_SM7_MAX_BLOCKS, sizeof *p->warps);
  if (!p->code || !p->sm || !p->warps)
    return sl_no_memory(err, m->code_count * sizeof *p->code + sms * sizeof *p->sm);
  return SL_OK;
}

void sl_sm7_ptx_close(struct sl_sm7_ptx *p)
{
  for (size_t i = 0; i < (size_t)p->sms * SL_SM7_MAX_BLOCKS; i++) {
    sl_ptx_shadow_free(&p->block[i]);
    p->block[i].launch = NULL;
  }
  for (unsigned i = 0; p->sm && i < p->sms; i++)
    sl_ptx_linear_unmake(&p->sm[i].linear);
  free(p->sm);
  free(p->warps);
  free(p->code);
}

struct sl_sm7_front sl_sm7_ptx_front(struct sl_sm7_ptx *p)
{
  return (struct sl_sm7_front){.context = p,
                               .code = p->code,
                               .count = p->launch->module->code_count,
                               .code_address = CODE_ADDRESS + p->launch->module->options.code * CODE_BYTES,
                               .code_bytes = CODE_BYTES,
                               .begin = begin,
                               .report_begun = report_begun,
                               .lanes = lanes,
                               .issue = p->oracle != NULL ? issue_marked : issue,
                               .scalar = p->oracle != NULL,
                               .pass = passing(p),
                               .lowered = p->lowered,
                               .phase = p->launch->linear != NULL ? phase : NULL,
                               .prefetch_warp = prefetch_warp,
                               .prefetch_registers = prefetch_registers,
                               .settle = settle,
                               .stuck = stuck,
                               .spins = p->oracle == NULL ? spins : NULL};
}

bool sl_sm7_ptx_is_livelocked(struct sl_sm7_ptx *p, struct sl_sm7_gpu *gpu)
{
  for (unsigned i = 0; i < p->sms; i++)
    if (p->sm[i].late.count != 0)
      return false;
  p->sm[0].fault = (struct sl_ptx_fault){.kind = SL_PTX_FAULT_NONE};
  p->sm[0].faulted = sl_sm7_gpu_is_livelocked(gpu);
  return p->sm[0].faulted;
}

struct sl_sm7_demand sl_sm7_ptx_demand(const struct sl_ptx_launch *l, uint32_t registers)
{
  return (struct sl_sm7_demand){.blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
                                .threads = l->block[0] * l->block[1] * l->block[2],
                                .shared_bytes = l->kernel->shared_bytes + l->dynamic_shared,
                                .registers = registers};
}

static unsigned faulting_sm(const struct sl_sm7_ptx *p)
{
  unsigned i = 0;
  while (!p->sm[i].faulted && p->sm[i].error.code == SL_OK)
    i++;
  return i;
}

struct sl_ptx_fault sl_sm7_ptx_fault_of(const struct sl_sm7_ptx *p)
{
  const struct sl_sm7_ptx_sm *sm = &p->sm[faulting_sm(p)];
  return sm->faulted ? sm->fault : (struct sl_ptx_fault){.kind = SL_PTX_FAULT_NONE};
}

enum sl_status sl_sm7_ptx_fault(const struct sl_sm7_ptx *p, struct sl_error *err)
{
  const struct sl_sm7_ptx_sm *sm = &p->sm[faulting_sm(p)];
  if (sm->faulted)
    return sl_ptx_fault_text(p->launch, &sm->fault, err);
  *err = sm->error;
  return err->code;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static void linear_archive(struct sl_archive *t, struct sl_sm7_ptx *p, unsigned sm)
{
  struct sl_ptx_linear_registers *r = &p->sm[sm].linear;
  if (sl_archive_number(t, r->linear != NULL, 1) != 0 &&
      sl_archive_memory(t, !sl_archive_reads(t) ||
                               sl_ptx_linear_make(r, p->launch->linear, p->launch, &p->sm[sm].error) == SL_OK))
    sl_ptx_linear_archive(t, r);
}

/* Of a block slot: its registers keep their contents between blocks. */
static void block_archive(struct sl_archive *t, struct sl_sm7_ptx *p, unsigned number, const struct sl_ptx_reach *reach)
{
  struct sl_ptx_block *b = &p->block[number];
  const unsigned sm = number / SL_SM7_MAX_BLOCKS;
  if (sl_archive_number(t, b->launch != NULL, 1) == 0)
    return;
  if (sl_archive_reads(t)) {
    if (!sl_archive_memory(t, sl_ptx_block_create(b, p->launch, &p->sm[sm].error) == SL_OK))
      return;
    p->warps[number] = b->warps;
    b->late = p->side_by_side ? &p->sm[sm].late : NULL;
    b->linear = p->launch->linear != NULL ? &p->sm[sm].linear : NULL;
    sl_archive_expect(t, p->launch->linear == NULL || p->sm[sm].linear.linear != NULL);
  }
  if (!t->bad)
    sl_ptx_block_archive(t, b, reach);
}

void sl_sm7_ptx_archive(struct sl_archive *t, struct sl_sm7_ptx *p)
{
  struct sl_ptx_reach reach;
  if (!sl_archive_memory(t, sl_ptx_reach_find(&reach, p->launch)))
    return;
  for (unsigned sm = 0; sm < p->sms && p->launch->linear != NULL; sm++)
    linear_archive(t, p, sm);
  for (unsigned i = 0; i < p->sms * SL_SM7_MAX_BLOCKS && !t->bad; i++)
    block_archive(t, p, i, &reach);
  sl_ptx_reach_free(&reach);
}
