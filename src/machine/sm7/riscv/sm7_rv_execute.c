#include "machine/sm7/riscv/sm7_rv_warps.h"

#include <stdlib.h>

#include "convergence/simt_stack.h"
#include "func/lane_access.h"
#include "func/rv_execute.h"

enum { CSR_HART_ID = 0xf14, PLACES = 15 };

static uint32_t place_of(const struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, unsigned which, unsigned lane)
{
  const struct sl_sm7_rv_block *block = sl_sm7_rv_block_at(rv, at);
  uint32_t thread[3];
  switch (which / 3) {
  case 0: sl_sm7_rv_thread(rv, at->warp, lane, thread); return thread[which % 3];
  case 1: return block->index[which % 3];
  case 2: return rv->launch.block[which % 3];
  case 3: return rv->launch.grid[which % 3];
  default: return which % 3 == 0 ? at->sm : which % 3 == 1 ? lane : at->warp;
  }
}

/* False: there is no such CSR. The warp has one of floating point: its first lane writes it. */
static bool access_csr(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_rv_lanes *l)
{
  const unsigned number = sl_sm7_rv_number(rv, at->sm, at->slot, at->warp), csr = l->insn->csr;
  struct sl_sm7_rv_warp *w = &rv->warp[number];
  const unsigned which = csr - SL_SM7_RV_CSR_PLACE;
  const bool writes = sl_csr_writes(l->insn);
  uint32_t old = 0;
  if (which < PLACES) {
    for (sl_lanes rest = l->insn->rd != 0 ? l->active : 0; rest; rest &= rest - 1)
      sl_rv_register(l, l->insn->rd)[sl_lowest(rest)] = place_of(rv, at, which, sl_lowest(rest));
    return true;
  }
  switch (csr) {
  case CSR_HART_ID: (void)sl_rv_csr_read(l, number * SL_SM7_LANES, 1); return true;
  case SL_SM7_RV_CSR_LAUNCH: old = rv->closure; break;
  case SL_SM7_RV_CSR_PRINT_WORD:
    for (sl_lanes rest = writes ? l->active : 0; rest; rest &= rest - 1)
      rv->environment.print_word(rv->environment.print_context, sl_rv_csr_written(l, 0, sl_lowest(rest)));
    break;
  default:
    if (!sl_csr_read_float(csr, w->fcsr, &old))
      return false;
    if (writes)
      sl_csr_write_float(csr, &w->fcsr, sl_rv_csr_written(l, old, sl_lowest(l->active)));
  }
  (void)sl_rv_csr_read(l, old, 0);
  return true;
}

enum { FIRST_WORDS = 64, WORD = 4 };

/* Host location of an access, and its address in the timing model. */
struct spot {
  uint8_t *bytes; /* NULL: there are none; see `fault` */
  enum sl_fault_kind fault;
  uint8_t space;
  uint64_t address;
};

static bool reach(struct sl_sm7_rv_warp *w, uint32_t word)
{
  uint32_t room = w->local_words ? w->local_words : FIRST_WORDS;
  if (word < w->local_words)
    return true;
  while (room <= word)
    room *= 2;
  uint32_t *grown = realloc(w->local, (size_t)room * SL_SM7_LANES * sizeof *grown);
  if (grown == NULL)
    return false;
  memset(grown + (size_t)w->local_words * SL_SM7_LANES, 0,
         (size_t)(room - w->local_words) * SL_SM7_LANES * sizeof *grown);
  w->local = grown;
  w->local_words = room;
  return true;
}

/* Words count down from the top of the stack, so that those in use are contiguous. */
static struct spot local(struct sl_sm7_rv_warp *w, unsigned lane, uint32_t address)
{
  const uint32_t word = ~address / WORD, byte = address % WORD;
  if (!reach(w, word))
    return (struct spot){.fault = SL_FAULT_INTERNAL};
  return (struct spot){.bytes = (uint8_t *)&w->local[(size_t)word * SL_SM7_LANES + lane] + byte,
                       .space = SL_SM7_LOCAL,
                       .address = (uint64_t)word * WORD + byte};
}

static struct spot find(struct sl_sm7_rv *rv, struct sl_sm7_rv_warp *w, const struct sl_sm7_rv_block *block,
                        unsigned lane, uint32_t address)
{
  if (__builtin_expect(address < SL_SM7_RV_SHARED, 1))
    return address >= rv->environment.memory->low
               ? (struct spot){.bytes = sl_memory_at(rv->environment.memory, address),
                               .space = SL_SM7_GLOBAL,
                               .address = address}
               : (struct spot){.fault = SL_FAULT_ADDRESS};
  if (address >= SL_SM7_RV_LOCAL)
    return local(w, lane, address);
  const uint32_t offset = address - SL_SM7_RV_SHARED;
  if (offset < rv->launch.shared_bytes)
    return (struct spot){.bytes = block->shared + offset, .space = SL_SM7_SHARED, .address = offset};
  return (struct spot){.fault = offset < SL_SM7_RV_LOCAL_BYTES ? SL_FAULT_OUTSIDE : SL_FAULT_STACK};
}

uint8_t *sl_sm7_rv_shared_or_global(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t address)
{
  const struct sl_sm7_rv_block *block = sl_sm7_rv_block_at(rv, at);
  return address < SL_SM7_RV_LOCAL ? find(rv, NULL, block, 0, address).bytes : NULL;
}

static void access_lane(const struct sl_insn *in, uint32_t *x, unsigned lane, uint8_t *bytes)
{
  uint32_t *d = x + (size_t)in->rd * SL_SM7_LANES + lane;
  if (in->kind != SL_KIND_LOAD)
    sl_lane_change(&(struct sl_lane_change){.value = x[(size_t)in->rs2 * SL_SM7_LANES + lane],
                                            .op = in->op,
                                            .kind = in->kind,
                                            .width = in->width,
                                            .rd = in->rd},
                   bytes, d);
  else if (in->rd != 0)
    *d = sl_unit_extend(in->op, sl_memory_unit(bytes, in->width));
}

/* Only loads from the launch block count as parameter loads. */
static bool is_parameter(const struct sl_sm7_rv *rv, const struct sl_insn *in, const struct sl_sm7_effect *e)
{
  if (in->kind != SL_KIND_LOAD || e->space != SL_SM7_GLOBAL)
    return false;
  for (uint32_t rest = e->active; rest; rest &= rest - 1)
    if (e->address[__builtin_ctz(rest)] - rv->closure >= rv->launch.bytes)
      return false;
  return true;
}

/* Words in one page of global memory, or in shared memory: lane l's is at data + address[l] - first. */
struct words {
  uint8_t *data;
  uint32_t address[SL_SM7_LANES], first;
  uint8_t space;
};

/* Finds an access's words; inactive lanes get the address of an active one. False: lanes are elsewhere or at fault. */
static bool find_words(struct sl_sm7_rv *rv, const struct sl_sm7_rv_block *block, const uint32_t *base, uint32_t offset,
                       uint32_t active, struct words *f)
{
  struct sl_memory *memory = rv->environment.memory;
  const uint32_t any = base[__builtin_ctz(active)];
  uint32_t low = UINT32_MAX, high = 0, bits = 0;
  for (unsigned l = 0; l < SL_SM7_LANES; l++) {
    const uint32_t a = (active >> l & 1 ? base[l] : any) + offset;
    low = a < low ? a : low;
    high = a > high ? a : high;
    bits |= a;
    f->address[l] = a;
  }
  const bool shared = low >= SL_SM7_RV_SHARED && high - SL_SM7_RV_SHARED < rv->launch.shared_bytes;
  f->first = shared ? SL_SM7_RV_SHARED : low & ~(uint32_t)(SL_PAGE_BYTES - 1);
  f->space = shared ? SL_SM7_SHARED : SL_SM7_GLOBAL;
  if (bits % WORD != 0 ||
      (!shared && (low < memory->low || high >= SL_SM7_RV_SHARED || high - f->first >= SL_PAGE_BYTES)))
    return false;
  f->data = shared ? block->shared : sl_memory_at(memory, f->first);
  return true;
}

/* Performs a load or store of words as one. False: access_memory must go lane by lane. */
static bool access_words(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *in,
                         uint32_t active, struct sl_sm7_effect *effect)
{
  uint32_t *const x = sl_sm7_rv_warp_at(rv, at)->x;
  struct words f;
  if (in->width != WORD || (in->kind != SL_KIND_LOAD && in->kind != SL_KIND_STORE) || active == 0 ||
      !find_words(rv, sl_sm7_rv_block_at(rv, at), x + (size_t)in->rs1 * SL_SM7_LANES, in->imm, active, &f))
    return false;
  effect->space = f.space;
  for (unsigned l = 0; l < SL_SM7_LANES; l++) {
    uint8_t *word = f.data + (f.address[l] - f.first);
    effect->address[l] = f.address[l] - (f.space == SL_SM7_SHARED ? f.first : 0);
    if (in->kind == SL_KIND_STORE && active >> l & 1)
      memcpy(word, &x[(size_t)in->rs2 * SL_SM7_LANES + l], WORD);
    else if (in->rd != 0 && active >> l & 1)
      memcpy(&x[(size_t)in->rd * SL_SM7_LANES + l], word, WORD);
  }
  return true;
}

/* Performs the instruction on the lanes of `active` and describes it in *effect. An access whose lanes are in several
 * spaces counts as one in the space of its first lane. False: the access is invalid; see the fault. */
static bool access_memory(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *in,
                          uint32_t active, struct sl_sm7_effect *effect)
{
  struct sl_sm7_rv_warp *w = sl_sm7_rv_warp_at(rv, at);
  const struct sl_sm7_rv_block *block = sl_sm7_rv_block_at(rv, at);
  const uint32_t *base = w->x + (size_t)in->rs1 * SL_SM7_LANES, offset = in->kind == SL_KIND_AMO ? 0 : in->imm;
  uint32_t address[SL_SM7_LANES];
  struct spot spot[SL_SM7_LANES];
  effect->space = SL_SM7_NO_SPACE;
  effect->bytes = in->width;
  const bool whole = access_words(rv, at, in, active, effect);
  for (uint32_t rest = whole ? 0 : active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    address[lane] = base[lane] + offset;
    if (address[lane] & (in->width - 1u))
      return sl_sm7_rv_fault(rv, at, SL_FAULT_MISALIGNED, 1u << lane, address[lane]);
    spot[lane] = find(rv, w, block, lane, address[lane]);
    if (spot[lane].bytes == NULL)
      return sl_sm7_rv_fault(rv, at, spot[lane].fault, 1u << lane, address[lane]);
    effect->address[lane] = spot[lane].address;
    effect->space = effect->space == SL_SM7_NO_SPACE ? spot[lane].space : effect->space;
  }
  for (uint32_t rest = whole ? 0 : active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    if (spot[lane].space == SL_SM7_LOCAL) /* a later lane may have moved the storage */
      spot[lane] = local(w, lane, address[lane]);
    access_lane(in, w->x, lane, spot[lane].bytes);
  }
  if (is_parameter(rv, in, effect))
    effect->space = SL_SM7_CONST;
  return true;
}

enum { RA = 1, LANE_BITS = 5 };

SL_HOLDS(1 << LANE_BITS, SL_SM7_LANES, "the lanes of a warp");

/* The instruction being executed. Results of its functions: it has been executed. */
struct step {
  struct sl_rv_lanes lanes; /* registers that a linear prefix has fused */
  struct sl_sm7_rv *rv;
  struct sl_sm7_rv_place at;
  struct sl_sm7_rv_warp *w;
  uint32_t index;
  uint32_t place; /* of the instruction with its prefix, if it has one */
  struct sl_sm7_effect *effect;
};

SL_RV_BODY struct sl_rv_lanes lanes_of(const void *step)
{
  const struct step *s = step;
  return s->lanes;
}

SL_RV_BODY int fault(void *step, enum sl_fault_kind kind, sl_lanes lanes, uint32_t address)
{
  const struct step *s = step;
  return sl_sm7_rv_fault(s->rv, &s->at, kind, (uint32_t)lanes, address);
}

static bool overflows(struct step *s)
{
  return fault(s, SL_FAULT_IPDOM_OVERFLOW, s->lanes.active, SL_SIMT_STACK_DEPTH);
}

SL_RV_BODY int next(void *step, bool wrote)
{
  const struct step *s = step;
  (void)wrote;
  sl_simt_stack_advance(&s->w->stack, s->index + 1);
  return true;
}

SL_RV_BODY bool outside(const void *step, uint32_t target)
{
  const struct sl_code *code = &((const struct step *)step)->rv->code;
  return sl_code_index(code, target) >= code->count;
}

SL_RV_BODY int branch(void *step, sl_lanes taken, uint32_t to)
{
  struct step *s = step;
  const uint32_t target = sl_code_index(&s->rv->code, to);
  if (taken && target >= s->rv->code.count)
    return fault(s, SL_FAULT_JUMP, taken, to);
  if (target == s->index + 1) /* to the same place as the others */
    return next(s, false);
  return sl_simt_stack_branch(&s->w->stack, (uint32_t)taken, target, s->rv->reconvergence[s->index]) || overflows(s);
}

/* All lanes of the top go to one place, by a call or a jump; a jump to the next instruction is not a call. */
SL_RV_BODY int jump(void *step, uint32_t to)
{
  struct step *s = step;
  const uint32_t target = sl_code_index(&s->rv->code, to);
  if (sl_is_call(s->lanes.insn) && target != s->index + 1)
    return sl_simt_stack_call(&s->w->stack, target) || overflows(s);
  sl_simt_stack_advance(&s->w->stack, target);
  return true;
}

/* The return address of the current function; SL_SM7_RV_NOWHERE: it is the kernel. */
static uint32_t caller(const struct sl_simt_stack *stack)
{
  const uint32_t call = stack->entries[stack->depth - 1].call;
  for (uint32_t i = stack->depth; i-- > 0;)
    if (stack->entries[i].call < call)
      return stack->entries[i].pc;
  return SL_SM7_RV_NOWHERE;
}

/* The lanes `away` continue first; the others execute this instruction again. */
static void hold_others(const struct step *s)
{
  s->w->stack.entries[s->w->stack.depth - 1].pc = s->index - 1;
}

/* Lanes with the same target as the first lane jump together; the others execute the jump again. A jump to the return
 * address of the function is its return; a jump of the kernel to address 0 ends the thread. */
static int jump_indirect(void *step)
{
  struct step *s = step;
  const struct sl_insn *in = s->lanes.insn;
  const sl_lanes all = s->lanes.active;
  const uint32_t first = sl_rv_target(&s->lanes, sl_lowest(all)), target = sl_code_index(&s->rv->code, first);
  const uint32_t same = (uint32_t)sl_rv_lanes_to(&s->lanes, first), back = caller(&s->w->stack);
  s->lanes.active = same;
  s->effect->counted = same;
  const bool kernel = back == SL_SM7_RV_NOWHERE, ends = kernel && first == 0 && in->rs1 == RA;
  if (in->rd == 0 && (ends || (!kernel && target == back))) {
    if (same != all)
      hold_others(s);
    s->effect->exited = ends;
    sl_simt_stack_return(&s->w->stack, same);
    return true;
  }
  if (target >= s->rv->code.count)
    return fault(s, SL_FAULT_JUMP, same, first);
  if (same != all) {
    const uint32_t meet = sl_is_call(in) ? s->index + 1 : SL_SM7_RV_NOWHERE;
    hold_others(s);
    if (!sl_simt_stack_branch(&s->w->stack, same, s->index, meet))
      return overflows(s);
  }
  sl_rv_link(&s->lanes);
  return jump(s, first);
}

/* A barrier where groups take turns: the warp arrives when all its live lanes are there. */
static bool meet(struct step *s)
{
  struct sl_simt_stack *stack = &s->w->stack;
  uint32_t lanes = 0;
  if (!sl_simt_groups_park(stack)) {
    while (sl_simt_groups_unpark(stack)) {
      lanes |= sl_simt_stack_mask(stack);
      sl_simt_stack_advance(stack, sl_simt_stack_pc(stack) + 1);
    }
    sl_simt_groups_select(stack);
  }
  s->lanes.active = s->effect->counted = lanes;
  return true;
}

/* The instruction must encode a barrier, because the core must know it in advance; an end may come from a register. */
static int command(struct step *s)
{
  const struct sl_insn *in = s->lanes.insn;
  const uint32_t value = sl_csr_operand(in, sl_rv_register(&s->lanes, in->rs1)[sl_lowest(s->lanes.active)]);
  if (sl_sm7_rv_is_barrier(in))
    return s->w->stack.turn.period != 0 ? meet(s) : next(s, false);
  if (!(value & SL_SM7_RV_END))
    return fault(s, SL_FAULT_CSR, s->lanes.active, in->csr);
  s->rv->failed |= !(value & SL_SM7_RV_SUCCESS);
  s->effect->exited = true;
  sl_simt_stack_exit(&s->w->stack, (uint32_t)s->lanes.active);
  return true;
}

SL_RV_BODY int memory(void *step)
{
  struct step *s = step;
  s->effect->active = (uint32_t)s->lanes.active;
  return access_memory(s->rv, &s->at, s->lanes.insn, s->effect->active, s->effect) && next(s, false);
}

SL_RV_BODY int csr(void *step)
{
  struct step *s = step;
  const struct sl_insn *in = s->lanes.insn;
  if (in->csr == SL_SM7_RV_CSR_COMMAND)
    return command(s);
  return access_csr(s->rv, &s->at, &s->lanes) ? next(s, false) : fault(s, SL_FAULT_CSR, s->lanes.active, in->csr);
}

/* Lanes of the mask that have not exited must be here. Diverged lanes are together again at the post-dominator, so
 * others cannot come. */
static int special(void *step)
{
  struct step *s = step;
  if (s->lanes.insn->op != SL_OP_SYNC_LANES)
    return fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->lanes.active, 0);
  const struct sl_warp_path held = sl_lanes_at(sl_sm7_scheme(&s->rv->spec), &s->w->stack, sl_rv_awaited(&s->lanes));
  if (held.lanes == 0)
    return next(s, false);
  fault(s, SL_FAULT_LANES_APART, s->lanes.active, 0);
  s->rv->fault.held = held.lanes;
  s->rv->fault.held_pc = sl_code_address(&s->rv->code, held.pc);
  return false;
}

static int floating(void *step)
{
  struct step *s = step;
  return sl_rv_float(&s->lanes, s->rv->fp, &s->w->fcsr)
             ? next(s, true)
             : fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->lanes.active, s->lanes.pc);
}

static const struct sl_rv_rules rules = {
    .lanes = lanes_of,
    .floating = floating,
    .next = next,
    .fault = fault,
    .outside = outside,
    .branch = branch,
    .jump = jump,
    .jump_indirect = jump_indirect,
    .access = memory,
    .csr = csr,
    .special = special,
};

static bool perform(struct step *s)
{
  return sl_rv_execute(&rules, s, (enum sl_kind)s->lanes.insn->kind);
}

/* Executes an instruction in the rest of a linear variant, with the original kernel as its shadow. */
static bool perform_shadowed(struct step *s)
{
  const uint32_t active = (uint32_t)s->lanes.active;
  const bool beside = s->rv->shadow != NULL && s->w->phase == SL_SM7_PHASE_REST;
  if (beside && !sl_sm7_rv_shadow_before(s->rv, &s->at, s->lanes.insn, active))
    return false;
  if (!perform(s))
    return false;
  if (beside)
    sl_sm7_rv_shadow_after(s->rv, &s->at, s->lanes.insn, active);
  return true;
}

/* An instruction of linear registers, or one with a prefix. */
static bool perform_linear(struct step *s)
{
  if (!sl_linear_is_prefix(s->lanes.insn))
    return sl_sm7_rv_linear_execute(s->rv, &s->at, s->index, (uint32_t)s->lanes.active) ||
           fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->lanes.active, 0);
  s->lanes.insn = sl_sm7_rv_linear_read(s->rv, &s->at, s->index);
  if (s->lanes.insn == NULL)
    return fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->lanes.active, 0);
  s->index++;
  s->lanes.pc = sl_code_address(&s->rv->code, s->index);
  s->w->stack.entries[s->w->stack.depth - 1].pc = s->index; /* where it continues */
  if (!perform_shadowed(s))
    return false;
  sl_sm7_rv_linear_written(s->rv, &s->at, s->place);
  s->lanes.insn = &s->rv->code.insn[s->index]; /* named registers */
  return true;
}

void sl_sm7_rv_report_begun(void *context, unsigned sm, unsigned slot, uint64_t cycle)
{
  const struct sl_sm7_rv *rv = context;
  const struct sl_sm7_rv_block *b = &rv->block[sm * SL_SM7_MAX_BLOCKS + slot];
  const struct sl_probe_block block = {
      .index = b->index, .size = rv->launch.block, .grid = rv->launch.grid, .launch = rv->closure};
  sl_tell(rv->environment.probes, &(struct sl_probe){.kind = SL_PROBE_BEGUN,
                                                     .cycle = cycle,
                                                     .launch = rv->launches - 1,
                                                     .core = sm,
                                                     .pc = rv->entry,
                                                     .warp = sl_sm7_rv_number(rv, sm, slot, 0),
                                                     .lanes = SL_SM7_LANES,
                                                     .block = &block});
}

/* The program's address of a place in a space: the inverse of `find`. */
static uint32_t program_address(uint8_t space, uint64_t address)
{
  if (space == SL_SM7_SHARED)
    return SL_SM7_RV_SHARED + (uint32_t)address;
  return space == SL_SM7_LOCAL ? ~((uint32_t)address | (WORD - 1)) + (uint32_t)address % WORD : (uint32_t)address;
}

static void tell(const struct step *s, uint64_t cycle)
{
  uint32_t address[SL_SM7_LANES];
  for (uint32_t rest = s->effect->active; rest; rest &= rest - 1)
    address[__builtin_ctz(rest)] = program_address(s->effect->space, s->effect->address[__builtin_ctz(rest)]);
  struct sl_sm7_rv *rv = s->rv;
  const bool eliminated = rv->timed && s->effect->id == 0; /* outside the pipeline */
  const uint64_t id = s->effect->id != 0 ? s->effect->id : ++rv->observation.ids;
  const struct sl_probe_block block = {.index = sl_sm7_rv_block_at(rv, &s->at)->index,
                                       .size = rv->launch.block,
                                       .grid = rv->launch.grid,
                                       .warp = s->at.warp,
                                       .launch = rv->closure};
  const struct sl_probe probe = {.cycle = eliminated ? rv->observation.cycle : cycle,
                                 .id = id,
                                 .stage = SL_SM7_STAGE_ISSUE,
                                 .launch = rv->launches - 1,
                                 .core = s->at.sm,
                                 .pc = sl_code_address(&rv->code, s->place),
                                 .insn = s->lanes.insn,
                                 .warp = sl_sm7_rv_number(s->rv, s->at.sm, s->at.slot, s->at.warp),
                                 .lanes = SL_SM7_LANES,
                                 .active = s->lanes.active,
                                 .values = sl_rv_register(&s->lanes, s->lanes.insn->rd),
                                 .stored = sl_rv_register(&s->lanes, s->lanes.insn->rs2),
                                 .block = &block,
                                 .address = s->effect->active ? address : NULL};
  struct sl_probe pipeline = probe;
  pipeline.kind = SL_PROBE_ISSUED;
  if (rv->timed)
    sl_tell(rv->environment.probes, &pipeline);
  sl_tell_execution(rv->environment.probes, &probe);
  pipeline.kind = SL_PROBE_RETIRED;
  pipeline.stage = SL_SM7_STAGE_DONE;
  if (eliminated)
    sl_tell(rv->environment.probes, &pipeline);
}

static bool jumps_back(const struct sl_insn *in)
{
  return (in->kind == SL_KIND_BRANCH || (in->kind == SL_KIND_JAL && in->rd == 0)) && (int32_t)in->imm < 0;
}

/* Where groups take turns: reports that other lanes than those that were active are next. */
static void tell_switch(const struct step *s, uint32_t active, uint64_t cycle)
{
  const struct sl_sm7_rv *rv = s->rv;
  const uint32_t lanes = sl_simt_stack_mask(&s->w->stack);
  if (lanes == 0 || (lanes & active) != 0)
    return;
  const uint64_t pc = sl_code_address(&rv->code, sl_simt_stack_pc(&s->w->stack));
  sl_tell(rv->environment.probes, &(struct sl_probe){.kind = SL_PROBE_SWITCHED,
                                                     .id = s->effect->id != 0 ? s->effect->id : rv->observation.ids,
                                                     .cycle = cycle,
                                                     .launch = rv->launches - 1,
                                                     .core = s->at.sm,
                                                     .pc = pc,
                                                     .holder = pc,
                                                     .warp = sl_sm7_rv_number(rv, s->at.sm, s->at.slot, s->at.warp),
                                                     .active = lanes,
                                                     .lanes = SL_SM7_LANES});
}

/* The instruction of the lanes that were active is counted; others may be next. */
static void take_turn(const struct step *s, uint32_t active, uint64_t cycle)
{
  if (s->w->stack.depth > 0)
    sl_simt_groups_count(&s->w->stack, jumps_back(s->lanes.insn));
  if (__builtin_expect(s->rv->environment.probes != NULL, 0))
    tell_switch(s, active, cycle);
}

bool sl_sm7_rv_issue(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                     struct sl_sm7_effect *effect)
{
  struct sl_sm7_rv *rv = context;
  struct sl_sm7_rv_warp *w = &rv->warp[sl_sm7_rv_number(rv, sm, slot, warp)];
  const uint32_t index = sl_simt_stack_pc(&w->stack), active = sl_simt_stack_mask(&w->stack);
  struct step s = {.lanes = {.ops = rv->ops,
                             .x = w->x,
                             .active = active,
                             .pc = sl_code_address(&rv->code, index),
                             .lanes = SL_SM7_LANES,
                             .lane_bits = LANE_BITS},
                   .rv = rv,
                   .at = {sm, slot, warp},
                   .w = w,
                   .index = index,
                   .place = index,
                   .effect = effect};
  effect->active = 0;
  effect->exited = false;
  effect->space = SL_SM7_NO_SPACE;
  effect->barrier = 0;
  effect->barrier_warps = 0;
  effect->arrives = false;
  effect->counted = (uint32_t)s.lanes.active;
  if (index >= rv->code.count)
    return fault(&s, SL_FAULT_FETCH, s.lanes.active, 0);
  s.lanes.insn = &rv->code.insn[index];
  if (__builtin_expect(s.lanes.insn->kind == SL_KIND_LINEAR, 0) ? !perform_linear(&s)
      : rv->shadow != NULL                                      ? !perform_shadowed(&s)
                                                                : !perform(&s))
    return false;
  if (__builtin_expect(rv->environment.probes != NULL, 0))
    tell(&s, cycle);
  if (__builtin_expect(sl_sm7_takes_turns(&rv->spec), 0))
    take_turn(&s, active, cycle);
  effect->live = sl_simt_stack_mask(&w->stack);
  effect->next = effect->live ? sl_simt_stack_pc(&w->stack) : 0;
  return true;
}
