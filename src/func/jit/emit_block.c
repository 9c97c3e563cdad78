#include "func/jit/emit_block.h"

#include <string.h>

#include "func/blocks/time_slice.h"

enum { TAIL_SHIFT = 8, BYTE = 0xff, POPS = 0x10000, NESTING = 0x20000 };

static void set_masks(struct sl_jit_frame *f, uint32_t active)
{
  static const uint32_t bit[SL_EMIT_LANES_MAX] = {
      1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
      1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
      1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};
  for (unsigned l = 0; l < SL_EMIT_LANES_MAX; l++) /* this loop vectorises; shifts by l do not */
    f->mask[l] = (active & bit[l]) == bit[l] ? UINT32_MAX : 0;
}

void sl_jit_activate_others(struct sl_jit_frame *f, sl_lanes active)
{
  const unsigned lowest = sl_lowest(active);
  f->active = active;
  if (f->mask_rows)
    set_masks(f, (uint32_t)active);
  f->lowest = lowest * 4;
  for (unsigned w = 0; w < SL_EMIT_WIDTHS; w++) {
    f->before[w] = lowest << w;
    f->apart_active[w] = &f->apart[w][SL_EMIT_LANE_0 - lowest];
  }
}

uint32_t sl_jit_shape(const struct sl_hammock *h)
{
  return h->steps | h->tail << TAIL_SHIFT | (h->pops ? POPS : 0) | (h->nesting ? NESTING : 0);
}

bool sl_jit_part(struct sl_jit_frame *f, uint32_t taken, uint32_t branch, uint32_t shape)
{
  const struct sl_hammock h = {branch, shape & BYTE, shape >> TAIL_SHIFT & BYTE, shape & POPS, shape & NESTING};
  const sl_lanes others = f->active & ~(sl_lanes)taken;
  if (!sl_hammock_may(&h, taken, others, *f->level, (uint64_t)f->left))
    return false;
  f->hammock = h;
  f->taken = taken;
  sl_jit_activate(f, others);
  f->lanes->active = others;
  return true;
}

void sl_jit_join_after(struct sl_jit_frame *f, uint32_t done)
{
  const sl_lanes others = f->active, all = f->taken | others;
  const struct sl_hammock_count ran = sl_hammock_count(&f->hammock, f->taken, others, done);
  f->left -= ran.instructions;
  f->idle += (uint64_t)ran.instructions * sl_count(all) - ran.thread_instructions;
  sl_jit_activate(f, all);
  f->lanes->active = all;
}

void sl_jit_join(struct sl_jit_frame *f)
{
  sl_jit_join_after(f, f->hammock.steps);
  f->hammock.steps = 0;
}

/* Placeholder for the block's number of instructions, which the code subtracts from those left. */
enum {
  UNKNOWN_COUNT = 0x1000,
  STEPS = SL_EMIT_STEPS_MAX,
  ALL_STEPS = STEPS + SL_HAMMOCK_STEPS,
  LEAVES = 4 * ALL_STEPS
};

struct block {
  uint32_t first, next; /* indices of the first and the current instruction */
  size_t count_at;      /* offset of the 4-byte count that the code subtracts */
  size_t meets;         /* jump if a path waits at the first instruction */
  unsigned accesses, leaves;
  struct sl_emit_access access[ALL_STEPS];
  struct sl_emit_link leave[LEAVES]; /* exits before an instruction */
  unsigned overs;
  struct sl_emit_link over[2]; /* exits at the end of a time slice */
  struct sl_hammock hammock;   /* after the branch that ends the block; its steps are not counted in advance */
  size_t parts;                /* the jump to it */
};

static const struct sl_insn *instruction(const struct sl_emitter *e, uint32_t index)
{
  return &e->code->insn[index];
}

static void link(struct sl_emitter *e, size_t jump, uint32_t index)
{
  if (e->links < SL_EMIT_LINKS)
    e->link[e->links++] = (struct sl_emit_link){jump, index};
  else
    e->c.x.full = true;
}

static void leave(struct sl_emitter *e, struct block *b, enum sl_x86_condition condition, uint32_t index)
{
  b->leave[b->leaves++] = (struct sl_emit_link){sl_x86_jump(&e->c.x, condition), index};
}

/* Emits a jump to an instruction, unless the time slice ends here. */
static void go(struct sl_emitter *e, struct block *b, const struct sl_insn *in, uint32_t to)
{
  struct sl_x86 *x = &e->c.x;
  if (sl_time_slice_may_end(in)) {
    sl_x86_compare_places_wide(x, SL_EMIT_LEFT, SL_EMIT_FIELD(stop));
    b->over[b->overs++] = (struct sl_emit_link){sl_x86_jump(x, SL_X86_NOT_GREATER), to};
  }
  link(e, sl_x86_jump(x, SL_X86_ALWAYS), to);
}

/* Emits checks that the limit allows the block's instructions and, in `some`, that no path waits here. */
static void begin(struct sl_emitter *e, struct block *b)
{
  struct sl_x86 *x = &e->c.x;
  if (e->c.some) {
    sl_x86_compare_byte(x, sl_x86_at(SL_EMIT_WAITS, b->first), 0);
    b->meets = sl_x86_jump(x, SL_X86_UNEQUAL);
  }
  sl_x86_add_wide(x, SL_EMIT_LEFT, -UNKNOWN_COUNT);
  b->count_at = x->used - 4;
  leave(e, b, SL_X86_NEGATIVE, b->first);
}

/* Emits a call of the instruction's step. */
static void call(struct sl_emitter *e, struct block *b, uint32_t index)
{
  struct sl_x86 *x = &e->c.x;
  const struct sl_step *step = &e->steps->step[index];
  sl_x86_load_wide(x, SL_RDI, SL_EMIT_FIELD(lanes));
  sl_x86_move_address(x, SL_RSI, (uintptr_t)step);
  sl_x86_move_address(x, SL_RAX, (uintptr_t)(e->c.some ? step->some : step->all));
  sl_x86_call(x, SL_RAX);
  sl_x86_test_byte(x);
  leave(e, b, SL_X86_EQUAL, index);
  if (e->c.some)
    e->c.level->masks(&e->c);
}

static bool computes(const struct sl_insn *in)
{
  return in->kind == SL_KIND_ALU || in->kind == SL_KIND_MUL || in->kind == SL_KIND_DIV || in->kind == SL_KIND_FPU;
}

/* Returns true if a later step of the block is certain to write the register, so its value need not be saved. */
static bool defined_later(const struct sl_emitter *e, const struct block *b, unsigned reg)
{
  for (uint32_t i = b->next + 1; i < b->next + STEPS && i < e->code->count && !e->leader[i]; i++) {
    const struct sl_insn *in = instruction(e, i);
    if (sl_basic_blocks_from(e->steps, e->code, i) == 0)
      return false;
    if (in->rd == reg && (computes(in) || in->kind == SL_KIND_LOAD))
      return true;
  }
  return false;
}

static void write_step(struct sl_emitter *e, struct block *b)
{
  const struct sl_insn *in = instruction(e, b->next);
  const bool flags = e->steps->floats && in->kind == SL_KIND_FPU;
  sl_emit_begin(&e->c);
  if (computes(in) && in->rd == 0 && !flags)
    return;
  if (sl_emit_accesses(e, in)) {
    struct sl_emit_access *a = &b->access[b->accesses++];
    a->index = b->next;
    a->some = e->c.some;
    sl_emit_access(e, in, a);
  } else if (flags || !computes(in) || in->rd == 0 || !sl_emit_value(&e->c, in, sl_code_address(e->code, b->next))) {
    sl_emit_save(&e->c);
    call(e, b, b->next);
    sl_emit_forget(&e->c);
  }
  if (in->rd != 0 && !defined_later(e, b, in->rd))
    sl_emit_save_register(&e->c, in->rd);
}

/* Returns true if a later instruction of the block uses the register's copy. */
static bool used_later(const struct sl_emitter *e, const struct block *b, uint32_t index, int reg)
{
  for (uint32_t i = index + 1; i <= b->next && i < e->code->count; i++) {
    const struct sl_insn *in = instruction(e, i);
    if (in->rs1 == reg || in->rs2 == reg || (e->c.some && in->rd == reg))
      return true;
    if (in->rd == reg && reg != 0) /* instructions without a result have rd = x0 */
      return false;
  }
  return false;
}

/* Emits the out-of-line part of an access. */
static void write_others(struct sl_emitter *e, struct block *b, struct sl_emit_access *a)
{
  struct sl_x86 *x = &e->c.x;
  const bool some = e->c.some;
  e->c.some = a->some;
  sl_emit_access_others(e, instruction(e, a->index), a);
  for (unsigned i = 0; i < a->jumps; i++)
    sl_x86_land(x, a->jump[i], x->used);
  sl_emit_save_slots(&e->c, a->held, a->unsaved);
  call(e, b, a->index);
  for (unsigned slot = 0; slot < e->c.slots; slot++)
    if (a->held[slot] >= 0 && (a->unsaved_done >> slot & 1 || used_later(e, b, a->index, a->held[slot])))
      sl_emit_reload(&e->c, slot, (unsigned)a->held[slot]);
  sl_x86_land(x, sl_x86_jump(x, SL_X86_ALWAYS), a->done);
  e->c.some = some;
}

/* Emits a reconvergence annotation. Returns false if it ends the block. */
static bool write_mark(struct sl_emitter *e, struct block *b, const struct sl_insn *in)
{
  struct sl_x86 *x = &e->c.x;
  const struct sl_x86_place level = sl_x86_at(SL_RDX, 0);
  const bool push = in->kind == SL_KIND_PUSH;
  if (e->level_max < 0 || (e->level_max > 0 && e->c.some && !push))
    return false; /* another path may precede at a lower level */
  if (e->level_max == 0)
    return true;
  sl_emit_save(&e->c);
  sl_x86_load_wide(x, SL_RDX, SL_EMIT_FIELD(level));
  sl_x86_compare_half(x, level, (uint8_t)(push ? e->level_max : 0));
  leave(e, b, push ? SL_X86_NOT_LESS : SL_X86_NOT_GREATER, b->next);
  sl_x86_add_half(x, level, push ? 1 : -1);
  return true;
}

static uint32_t target(const struct sl_emitter *e, uint32_t index)
{
  return sl_code_index(e->code, sl_code_address(e->code, index) + instruction(e, index)->imm);
}

static void call_here(struct sl_emitter *e, uintptr_t function)
{
  struct sl_x86 *x = &e->c.x;
  sl_x86_store_wide(x, SL_EMIT_FIELD(left), SL_EMIT_LEFT);
  sl_x86_move_wide(x, SL_RDI, SL_EMIT_FRAME);
  sl_x86_move_address(x, SL_RAX, function);
  sl_x86_call(x, SL_RAX);
}

/* Emits a hammock: the lanes in eax take the branch, the others execute the steps after it. */
static void write_hammock(struct sl_emitter *e, struct block *b)
{
  const struct sl_hammock *h = &b->hammock;
  struct sl_emit_rows *c = &e->c;
  struct sl_x86 *x = &c->x;
  sl_x86_land(x, b->parts, x->used);
  sl_x86_move(x, SL_RSI, SL_RAX);
  sl_x86_move_number(x, SL_RDX, h->branch);
  sl_x86_move_number(x, SL_RCX, sl_jit_shape(h));
  call_here(e, (uintptr_t)sl_jit_part);
  sl_x86_test_byte(x);
  leave(e, b, SL_X86_EQUAL, h->branch);
  sl_x86_load_wide(x, SL_EMIT_ACTIVE, SL_EMIT_FIELD(active));
  sl_emit_forget(c);
  c->some = true;
  c->level->masks(c);
  for (b->next = h->branch + 1; b->next < sl_hammock_join(h); b->next++)
    write_step(e, b);
  sl_emit_save(c);
  c->some = false;
  call_here(e, (uintptr_t)sl_jit_join);
  sl_x86_load_wide(x, SL_EMIT_LEFT, SL_EMIT_FIELD(left));
  link(e, sl_x86_jump(x, SL_X86_ALWAYS), sl_hammock_join(h));
}

/* Emits the code for a branch that only some lanes take. */
static void part(struct sl_emitter *e, struct block *b)
{
  if (e->hammocks && !e->c.some)
    b->hammock = sl_hammock_at(e->steps, e->code, b->next, e->level_max > 0);
  if (b->hammock.steps > 0)
    b->parts = sl_x86_jump(&e->c.x, SL_X86_UNEQUAL);
  else
    leave(e, b, SL_X86_UNEQUAL, b->next);
}

/* Emits the branch or jump after the steps. Returns false if the JIT has no code for it. */
static bool write_end(struct sl_emitter *e, struct block *b, const struct sl_insn *in)
{
  struct sl_emit_rows *c = &e->c;
  const uint32_t there = target(e, b->next);
  sl_emit_begin(c);
  if (there >= e->code->count || (in->kind == SL_KIND_JAL && in->rd != 0 && !e->calls))
    return false;
  if (in->kind == SL_KIND_JAL) {
    if (in->rd != 0)
      sl_emit_number(c, in->rd, sl_code_next(e->code, sl_code_address(e->code, b->next)));
    sl_emit_save(c);
    go(e, b, in, there);
    return true;
  }
  if (in->kind != SL_KIND_BRANCH || !sl_emit_condition(c, in))
    return false;
  sl_emit_save(c);
  sl_x86_test_bits(&c->x, SL_RAX, UINT32_MAX);
  const size_t falls = sl_x86_jump(&c->x, SL_X86_EQUAL);
  if (c->some)
    sl_x86_binary(&c->x, SL_X86_CMP, SL_RAX, SL_EMIT_ACTIVE);
  else
    sl_x86_binary_number(&c->x, SL_X86_CMP, SL_RAX, (uint32_t)sl_low_bits(c->lanes));
  part(e, b);
  go(e, b, in, there);
  sl_x86_land(&c->x, falls, c->x.used);
  go(e, b, in, b->next + 1);
  return true;
}

/* Emits instructions until one ends the block; returns their number. */
static uint32_t write_all(struct sl_emitter *e, struct block *b)
{
  struct sl_x86 *x = &e->c.x;
  for (b->next = b->first; b->next + 1 < e->code->count && !x->full; b->next++) {
    const struct sl_insn *in = instruction(e, b->next);
    if (b->next - b->first == STEPS || (b->next > b->first && e->leader[b->next])) {
      sl_emit_save(&e->c);
      link(e, sl_x86_jump(x, SL_X86_ALWAYS), b->next);
      return b->next - b->first;
    }
    if (sl_basic_blocks_from(e->steps, e->code, b->next) > 0) {
      write_step(e, b);
    } else if (in->kind == SL_KIND_PUSH || in->kind == SL_KIND_POP) {
      if (!write_mark(e, b, in))
        break;
    } else if (write_end(e, b, in)) {
      return b->next - b->first + 1;
    } else {
      break;
    }
  }
  sl_emit_save(&e->c);
  leave(e, b, SL_X86_ALWAYS, b->next);
  return b->next - b->first;
}

/* Emits the return to the caller, with the index of the next instruction. */
static void write_return(struct sl_emitter *e, uint32_t index)
{
  sl_x86_move_number(&e->c.x, SL_RAX, index);
  sl_x86_land(&e->c.x, sl_x86_jump(&e->c.x, SL_X86_ALWAYS), e->leave);
}

/* Emits the exits of the block. Instructions that have not executed are not counted. */
static void write_leaves(struct sl_emitter *e, const struct block *b, uint32_t count)
{
  struct sl_x86 *x = &e->c.x;
  for (uint32_t index = b->first; index <= b->next; index++) {
    const size_t here = x->used;
    bool any = false;
    for (unsigned i = 0; i < b->leaves; i++)
      if (b->leave[i].index == index) {
        sl_x86_land(x, b->leave[i].jump, here);
        any = true;
      }
    if (!any)
      continue;
    if (index - b->first < count)
      sl_x86_add_wide(x, SL_EMIT_LEFT, (int32_t)(count - (index - b->first)));
    write_return(e, index);
  }
  for (unsigned i = 0; i < b->overs; i++) {
    sl_x86_land(x, b->over[i].jump, x->used);
    write_return(e, b->over[i].index | SL_EMIT_OVER);
  }
}

void sl_emit_stop(struct sl_emitter *e, uint32_t index)
{
  write_return(e, index);
}

uint32_t sl_emit_block(struct sl_emitter *e, uint32_t index, size_t *entry)
{
  struct sl_x86 *x = &e->c.x;
  struct block b; /* not initialised: its arrays are long and mostly unused */
  b.first = b.next = index;
  b.accesses = b.leaves = b.overs = 0;
  b.hammock.steps = 0;
  sl_emit_forget(&e->c);
  *entry = x->used;
  begin(e, &b);
  const uint32_t count = write_all(e, &b);
  if (b.hammock.steps > 0)
    write_hammock(e, &b);
  for (unsigned i = 0; i < b.accesses; i++)
    write_others(e, &b, &b.access[i]);
  write_leaves(e, &b, count);
  if (e->c.some) {
    sl_x86_land(x, b.meets, x->used);
    write_return(e, index);
  }
  sl_x86_flush(x);
  const int32_t subtracted = -(int32_t)count;
  if (!x->full)
    memcpy(x->code + b.count_at, &subtracted, sizeof subtracted);
  return count;
}

void sl_emit_frame(struct sl_emitter *e)
{
  static const enum sl_x86_register saved[] = {SL_RBX, SL_RBP, SL_R12, SL_R13, SL_R14, SL_R15};
  enum { SAVED = sizeof saved / sizeof *saved, ALIGNMENT = 8 };
  struct sl_x86 *x = &e->c.x;
  for (unsigned i = 0; i < SAVED; i++)
    sl_x86_push(x, saved[i]);
  sl_x86_add_wide(x, SL_RSP, -ALIGNMENT);
  sl_x86_move_wide(x, SL_EMIT_FRAME, SL_RDI);
  sl_x86_load_wide(x, SL_EMIT_REGISTERS, SL_EMIT_FIELD(x));
  sl_x86_load_wide(x, SL_EMIT_MEMORY, SL_EMIT_FIELD(flat));
  sl_x86_load_wide(x, SL_EMIT_LEFT, SL_EMIT_FIELD(left));
  sl_x86_load_wide(x, SL_EMIT_WAITS, SL_EMIT_FIELD(waits));
  sl_x86_load_wide(x, SL_EMIT_ACTIVE, SL_EMIT_FIELD(active));
  e->c.level->masks(&e->c);
  sl_x86_jump_register(x, SL_RSI);
  e->leave = x->used;
  sl_x86_store_wide(x, SL_EMIT_FIELD(left), SL_EMIT_LEFT);
  sl_x86_add_wide(x, SL_RSP, ALIGNMENT);
  for (unsigned i = SAVED; i-- > 0;)
    sl_x86_pop(x, saved[i]);
  sl_x86_return(x);
}
