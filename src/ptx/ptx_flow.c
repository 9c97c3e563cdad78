#include "ptx/ptx_passes.h"

#include <stdlib.h>
#include <string.h>

#include "base/dominators.h"
#include "ptx/run/ptx_block.h"

unsigned sl_ptx_successors(const struct sl_ptx_insn *code, uint32_t pc, uint32_t end, uint32_t next[2])
{
  const struct sl_ptx_insn *in = &code[pc];
  const bool guarded = in->guard.id != SL_PTX_NO_REG;
  const uint32_t following = pc + 1 < end ? pc + 1 : SL_PTX_NOWHERE;
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_BRANCH: next[0] = in->target < end ? in->target : SL_PTX_NOWHERE; break;
  case SL_PTX_K_RETURN:
  case SL_PTX_K_EXIT:
  case SL_PTX_K_TRAP: next[0] = SL_PTX_NOWHERE; break;
  default: next[0] = following; return 1;
  }
  next[1] = following;
  return guarded ? 2 : 1;
}

static bool make_room(struct sl_ptx_blocks *f)
{
  const size_t n = f->end - f->begin, nodes = n + 1;
  f->block_of = malloc(n * sizeof *f->block_of);
  f->first = malloc((nodes + 1) * sizeof *f->first);
  f->next = calloc(nodes, sizeof *f->next);
  return f->block_of && f->first && f->next;
}

void sl_ptx_blocks_free(struct sl_ptx_blocks *f)
{
  free(f->block_of);
  free(f->first);
  free(f->next);
}

/* Blocks begin at the function's start, at targets, and after instructions that do not simply continue. */
static void find_blocks(struct sl_ptx_blocks *f)
{
  const uint32_t n = f->end - f->begin;
  uint32_t next[2];
  for (uint32_t i = 0; i < n; i++)
    f->block_of[i] = 0;
  f->block_of[0] = 1;
  for (uint32_t pc = f->begin; pc < f->end; pc++) {
    const enum sl_ptx_kind kind = f->code[pc].kind;
    const unsigned count = sl_ptx_successors(f->code, pc, f->end, next);
    if (kind == SL_PTX_K_BRANCH && next[0] != SL_PTX_NOWHERE)
      f->block_of[next[0] - f->begin] = 1;
    if ((count > 1 || next[0] != pc + 1 || kind == SL_PTX_K_BRANCH) && pc + 1 < f->end)
      f->block_of[pc + 1 - f->begin] = 1;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (f->block_of[i])
      f->first[f->blocks++] = f->begin + i;
    f->block_of[i] = f->blocks - 1;
  }
  f->first[f->blocks] = f->end;
}

static void connect(struct sl_ptx_blocks *f)
{
  for (uint32_t b = 0; b < f->blocks; b++) {
    uint32_t next[2];
    const unsigned count = sl_ptx_successors(f->code, f->first[b + 1] - 1, f->end, next);
    for (unsigned i = 0; i < 2; i++) {
      const uint32_t to = next[i < count ? i : 0];
      f->next[b + 1][i] = to == SL_PTX_NOWHERE ? 0 : f->block_of[to - f->begin] + 1;
    }
  }
}

bool sl_ptx_blocks_find(struct sl_ptx_blocks *f, const struct sl_ptx_insn *code, uint32_t begin, uint32_t end)
{
  *f = (struct sl_ptx_blocks){.code = code, .begin = begin, .end = end};
  if (!make_room(f))
    return false;
  find_blocks(f);
  connect(f);
  return true;
}

static bool ends_with(const struct sl_ptx_blocks *f, uint32_t block, enum sl_ptx_kind kind)
{
  const struct sl_ptx_insn *last = &f->code[f->first[block + 1] - 1];
  return (enum sl_ptx_kind)last->kind == kind && last->guard.id == SL_PTX_NO_REG;
}

/* In a function that returns, lanes that end with exit or trap never meet others again: compilers write exit where
 * control never comes. Edges to such blocks do not count for reconvergence if their branch has another way. `ends` has
 * a byte per node, zero. */
static void drop_dead_ends(struct sl_ptx_blocks *f, uint8_t *ends)
{
  bool returns = false, changed = true;
  for (uint32_t b = 0; b < f->blocks; b++) {
    returns |= ends_with(f, b, SL_PTX_K_RETURN);
    ends[b + 1] = ends_with(f, b, SL_PTX_K_EXIT) || ends_with(f, b, SL_PTX_K_TRAP);
  }
  while (returns && changed) {
    changed = false;
    for (uint32_t n = f->blocks; n > 0; n--)
      if (!ends[n] && ends[f->next[n][0]] && ends[f->next[n][1]])
        ends[n] = changed = true;
  }
  for (uint32_t n = 1; returns && n <= f->blocks; n++)
    for (unsigned i = 0; i < 2; i++)
      if (!ends[n] && ends[f->next[n][i]])
        f->next[n][i] = f->next[n][1 - i];
}

enum sl_status sl_ptx_flow(struct sl_ptx_insn *code, uint32_t begin, uint32_t end, struct sl_error *err)
{
  struct sl_ptx_blocks f;
  if (begin == end)
    return SL_OK;
  bool room = sl_ptx_blocks_find(&f, code, begin, end);
  uint32_t *ipdom = malloc((f.blocks + 1) * sizeof *ipdom);
  uint8_t *ends = calloc(f.blocks + 1, 1);
  room = room && ends != NULL;
  if (room)
    drop_dead_ends(&f, ends);
  free(ends);
  room = room && ipdom != NULL && sl_post_dominators((const uint32_t(*)[2])f.next, f.blocks + 1, ipdom);
  for (uint32_t pc = begin; pc < end && room; pc++) {
    const uint32_t node = ipdom[f.block_of[pc - begin] + 1];
    code[pc].reconvergence = node == 0 || node == SL_NO_POST_DOMINATOR ? SL_PTX_NOWHERE : f.first[node - 1];
  }
  free(ipdom);
  sl_ptx_blocks_free(&f);
  return room ? SL_OK : sl_no_memory(err, (size_t)(end - begin) * 64);
}

/* The operation that takes the lock in a loop, which does nothing else to memory; NULL: it is none. */
static const struct sl_ptx_insn *lock_of(const struct sl_ptx_insn *code, uint32_t first, uint32_t last)
{
  const struct sl_ptx_insn *lock = NULL;
  for (uint32_t pc = first; pc < last; pc++) {
    const struct sl_ptx_insn *in = &code[pc];
    const bool takes = in->kind == SL_PTX_K_ATOMIC && (in->mode == SL_PTX_ATOM_CAS || in->mode == SL_PTX_ATOM_EXCH) &&
                       in->b.area == SL_PTX_CONSTANTS && in->c.area == SL_PTX_CONSTANTS;
    if (takes && lock == NULL)
      lock = in;
    else if (in->kind > SL_PTX_K_LOAD && in->kind != SL_PTX_K_MEMBAR && in->kind != SL_PTX_K_NOTHING)
      return NULL;
  }
  return lock;
}

static bool releases(const struct sl_ptx_insn *in, const struct sl_ptx_insn *lock)
{
  const bool stores = in->kind == SL_PTX_K_STORE || (in->kind == SL_PTX_K_ATOMIC && in->mode == SL_PTX_ATOM_EXCH);
  return stores && in->bytes == lock->bytes && in->immediate == lock->immediate && in->a.area == lock->a.area &&
         in->a.offset == lock->a.offset;
}

/* The PC after the release that all paths from `first` reach; 0: there is none. */
static uint32_t release_of(const struct sl_ptx_insn *code, uint32_t first, uint32_t end, const struct sl_ptx_insn *lock)
{
  uint32_t farthest = first;
  for (uint32_t pc = first; pc + 1 < end; pc++) {
    const struct sl_ptx_insn *in = &code[pc];
    if (releases(in, lock))
      return in->guard.id == SL_PTX_NO_REG && farthest <= pc ? pc + 1 : 0;
    if (in->kind >= SL_PTX_K_CALL && in->kind <= SL_PTX_K_BARRIER)
      return 0;
    if (in->kind == SL_PTX_K_BRANCH && in->target < first)
      return 0;
    if (in->kind == SL_PTX_K_BRANCH && in->target > farthest)
      farthest = in->target;
  }
  return 0;
}

void sl_ptx_locks(struct sl_ptx_insn *code, uint32_t begin, uint32_t end)
{
  for (uint32_t pc = begin; pc < end; pc++) {
    struct sl_ptx_insn *in = &code[pc];
    if (in->kind != SL_PTX_K_BRANCH || in->target < begin || in->target > pc || in->reconvergence != pc + 1)
      continue;
    const struct sl_ptx_insn *lock = lock_of(code, in->target, pc);
    if (lock != NULL)
      in->release = release_of(code, pc + 1, end, lock);
  }
}

struct liveness {
  const struct sl_ptx_insn *code;
  uint32_t begin, end, words;
  uint64_t *before; /* live registers before each instruction */
  uint64_t *now;
  uint8_t *scratch; /* of each register */
  uint8_t *leads;   /* branch targets */
};

static void set(uint64_t *bits, uint16_t id, bool on)
{
  if (id == SL_PTX_NO_REG)
    return;
  if (on)
    bits[id / 64] |= sl_bit(id % 64);
  else
    bits[id / 64] &= ~sl_bit(id % 64);
}

/* Only the readers of its destinations depend on the instruction. */
static bool is_pure(const struct sl_ptx_insn *in)
{
  return in->kind <= SL_PTX_K_UNPACK ? !(in->kind == SL_PTX_K_LANES && sl_ptx_row(in->row)->carries)
                                     : in->kind == SL_PTX_K_LOAD;
}

static bool is_wanted(const struct sl_ptx_insn *in, const uint64_t *after)
{
  bool wanted = !is_pure(in);
  for (unsigned i = 0; i < in->dsts; i++) /* one with more is not pure */
    wanted |= in->dst[i].id != SL_PTX_NO_REG && (after[in->dst[i].id / 64] >> in->dst[i].id % 64 & 1);
  return wanted;
}

/* Live registers after an instruction, then before it. An assembler drops instructions whose results are not needed. A
 * guarded instruction keeps the old value of some lanes. */
static bool step(struct liveness *l, uint32_t pc)
{
  const struct sl_ptx_insn *in = &l->code[pc];
  uint32_t next[2];
  const unsigned count = sl_ptx_successors(l->code, pc, l->end, next);
  memset(l->now, 0, l->words * sizeof *l->now);
  for (unsigned i = 0; i < count; i++)
    for (uint32_t w = 0; next[i] != SL_PTX_NOWHERE && w < l->words; w++)
      l->now[w] |= l->before[(size_t)(next[i] - l->begin) * l->words + w];
  const bool wanted = is_wanted(in, l->now);
  for (unsigned i = 0; i < sl_ptx_dsts(in) && in->guard.id == SL_PTX_NO_REG; i++)
    set(l->now, sl_ptx_dst(in, i).id, false);
  for (unsigned i = 0; i < sl_ptx_srcs(in) && wanted; i++)
    set(l->now, sl_ptx_src(in, i).id, true);
  set(l->now, wanted ? in->guard.id : SL_PTX_NO_REG, true);
  set(l->now, wanted ? in->address.id : SL_PTX_NO_REG, true);
  uint64_t *was = l->before + (size_t)(pc - l->begin) * l->words;
  if (memcmp(was, l->now, l->words * sizeof *was) == 0)
    return false;
  memcpy(was, l->now, l->words * sizeof *was);
  return true;
}

static bool is_move(const struct sl_ptx_insn *in)
{
  return in->kind == SL_PTX_K_LANES && in->guard.id == SL_PTX_NO_REG &&
         (in->row == SL_PTX_ROW_mov_u16 || in->row == SL_PTX_ROW_mov_u32 || in->row == SL_PTX_ROW_mov_u64);
}

/* An operand that instructions can take from the constant bank: parameters, immediates, sizes of grid and block. */
static bool is_constant(const struct sl_ptx_insn *in, const uint8_t *constant)
{
  enum { BYTES = SL_PTX_LANES * 4 };
  if (in->kind == SL_PTX_K_LOAD)
    return in->space == SL_PTX_PARAM && in->guard.id == SL_PTX_NO_REG && in->address.id == SL_PTX_NO_REG;
  if (!is_move(in))
    return false;
  if (in->srcs > 0)
    return constant[in->src[0].id];
  const unsigned special = in->a.offset / BYTES;
  const bool size = (special >= SL_PTX_NTID_X && special <= SL_PTX_NTID_Z) ||
                    (special >= SL_PTX_NCTAID_X && special <= SL_PTX_NCTAID_Z);
  return in->a.area == SL_PTX_CONSTANTS || (in->a.area == SL_PTX_SPECIALS && size);
}

/* Registers whose only value is such an operand take no space. */
static void drop_constants(const struct liveness *l, uint8_t *weight, uint8_t *constant, unsigned registers)
{
  uint8_t *definitions = l->scratch;
  memset(constant, 1, registers);
  memset(definitions, 0, registers);
  for (uint32_t pc = l->begin; pc < l->end; pc++) {
    const struct sl_ptx_insn *in = &l->code[pc];
    const bool itself = is_move(in) && in->srcs > 0 && in->src[0].id == in->dst[0].id;
    for (unsigned i = 0; i < sl_ptx_dsts(in) && !itself; i++)
      if (sl_ptx_dst(in, i).id != SL_PTX_NO_REG && definitions[sl_ptx_dst(in, i).id]++ > 0)
        constant[sl_ptx_dst(in, i).id] = 0;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t pc = l->begin; pc < l->end; pc++) {
      const struct sl_ptx_insn *in = &l->code[pc];
      for (unsigned i = 0; i < sl_ptx_dsts(in) && !is_constant(in, constant); i++)
        if (sl_ptx_dst(in, i).id != SL_PTX_NO_REG && constant[sl_ptx_dst(in, i).id]) {
          constant[sl_ptx_dst(in, i).id] = 0;
          changed = true;
        }
    }
  }
  for (unsigned i = 0; i < registers; i++)
    if (constant[i])
      weight[i] = 0;
}

/* Whether the low half of a result depends only on the low halves of the sources. */
static bool keeps_halves_apart(const struct sl_ptx_insn *in)
{
  if (in->kind != SL_PTX_K_LANES)
    return false;
  switch (in->row) {
  case SL_PTX_ROW_mov_u64:
  case SL_PTX_ROW_add_u64:
  case SL_PTX_ROW_sub_u64:
  case SL_PTX_ROW_mul_lo_u64:
  case SL_PTX_ROW_mad_lo_u64:
  case SL_PTX_ROW_and_u64:
  case SL_PTX_ROW_or_u64:
  case SL_PTX_ROW_xor_u64:
  case SL_PTX_ROW_shl_u64: return true;
  default: return false;
  }
}

/* True: it had not been marked. */
static bool mark(uint8_t *marks, uint16_t id)
{
  if (id == SL_PTX_NO_REG || marks[id])
    return false;
  return (marks[id] = true);
}

/* Addresses of shared and local memory, and the values that they are computed from, need only their low halves. */
static void drop_halves(const struct liveness *l, uint8_t *weight, unsigned registers)
{
  uint8_t *whole = l->scratch;
  memset(whole, 0, registers);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t pc = l->begin; pc < l->end; pc++) {
      const struct sl_ptx_insn *in = &l->code[pc];
      const bool half = keeps_halves_apart(in) && !whole[in->dst[0].id];
      for (unsigned i = 0; i < sl_ptx_srcs(in) && !half; i++)
        changed |= mark(whole, sl_ptx_src(in, i).id);
      if (in->space != SL_PTX_SHARED && in->space != SL_PTX_LOCAL)
        changed |= mark(whole, in->address.id);
    }
  }
  for (unsigned i = 0; i < registers; i++)
    if (!whole[i] && weight[i] > 1)
      weight[i] = 1;
}

static unsigned weigh(const struct liveness *l, uint32_t at, const uint8_t *weight)
{
  unsigned sum = 0;
  for (uint32_t w = 0; w < l->words; w++)
    for (uint64_t bits = l->before[(size_t)at * l->words + w]; bits != 0; bits &= bits - 1)
      sum += weight[w * 64 + sl_lowest(bits)];
  return sum;
}

/* Temporaries of an instruction that becomes a sequence of others: for a division, the reciprocal with its corrections,
 * quotient and remainder; for floating point also the scaling. */
static unsigned temporaries(const struct sl_ptx_insn *in)
{
  enum { INTEGER = 6, SINGLE = 8, DOUBLE = 14 };
  const bool is_long = sl_ptx_type_bytes(in->type) == 8;
  switch ((enum sl_ptx_class)in->class) {
  case SL_PTX_C_INT_DIV: return is_long ? 2 * INTEGER : INTEGER;
  case SL_PTX_C_F32_DIV: return SINGLE;
  case SL_PTX_C_F64_DIV: return DOUBLE;
  default: return 0;
  }
}

/* No instruction moves across it. */
static bool is_edge(const struct sl_ptx_insn *in)
{
  return in->kind >= SL_PTX_K_SHFL || in->kind == SL_PTX_K_ATOMIC;
}

static uint32_t later_of(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

/* The earliest position at which the value of a source register is available, if the instruction that computes it moves
 * up too. */
static uint32_t ready(const struct liveness *l, const uint32_t *earliest, const uint32_t *definition, uint16_t id,
                      uint32_t from)
{
  if (id == SL_PTX_NO_REG || definition[id] == SL_PTX_NOWHERE || definition[id] < from)
    return from;
  const uint32_t d = definition[id];
  return is_pure(&l->code[d]) && l->code[d].kind != SL_PTX_K_LOAD ? earliest[d - l->begin] : d + 1;
}

/* Additional registers for values of loads before each instruction, relative to the present order, if every load moves
 * up as far as its address and earlier stores allow. `extra` is zero initially; it holds differences to the previous
 * position. */
static void move_loads_up(const struct liveness *l, const uint8_t *weight, uint32_t *earliest, uint32_t *definition,
                          int32_t *extra)
{
  uint32_t from = l->begin, store = l->begin;
  for (uint32_t pc = l->begin; pc < l->end; pc++) {
    const struct sl_ptx_insn *in = &l->code[pc];
    uint32_t at = from;
    for (unsigned i = 0; i < sl_ptx_srcs(in); i++)
      at = later_of(at, ready(l, earliest, definition, sl_ptx_src(in, i).id, from));
    at = later_of(at, ready(l, earliest, definition, in->guard.id, from));
    at = later_of(at, ready(l, earliest, definition, in->address.id, from));
    const bool moves = in->kind == SL_PTX_K_LOAD && in->space != SL_PTX_PARAM && pc + 1 < l->end &&
                       is_wanted(in, l->before + (size_t)(pc + 1 - l->begin) * l->words);
    if (moves)
      at = later_of(at, store);
    earliest[pc - l->begin] = at;
    for (unsigned i = 0; i < sl_ptx_dsts(in); i++) {
      const uint16_t id = sl_ptx_dst(in, i).id;
      if (id == SL_PTX_NO_REG)
        continue;
      definition[id] = pc;
      if (moves && at < pc) {
        extra[at + 1 - l->begin] += weight[id];
        extra[pc + 1 - l->begin] -= weight[id];
      }
    }
    if (in->kind == SL_PTX_K_STORE)
      store = pc + 1;
    if (is_edge(in) || l->leads[pc + 1 - l->begin])
      from = store = pc + 1;
  }
}

static void find_leaders(struct liveness *l)
{
  for (uint32_t pc = l->begin; pc < l->end; pc++)
    if (l->code[pc].kind == SL_PTX_K_BRANCH && l->code[pc].target >= l->begin && l->code[pc].target < l->end)
      l->leads[l->code[pc].target - l->begin] = 1;
}

static struct sl_ptx_pressure most_at_once(struct liveness *l, const uint8_t *weight, const int32_t *extra)
{
  struct sl_ptx_pressure p = {0};
  int32_t more = 0;
  for (uint32_t i = 0; i < l->end - l->begin; i++) {
    const unsigned sum = weigh(l, i, weight) + temporaries(&l->code[l->begin + i]);
    more += extra[i];
    p.least = sum > p.least ? sum : p.least;
    p.early = sum + (unsigned)more > p.early ? sum + (unsigned)more : p.early;
  }
  return p;
}

static void solve(struct liveness *l)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t pc = l->end; pc-- > l->begin;)
      changed |= step(l, pc);
  }
}

struct sl_ptx_pressure sl_ptx_pressure(const struct sl_ptx_insn *code, uint32_t begin, uint32_t end, uint8_t *weight,
                                       unsigned registers)
{
  const size_t length = (size_t)(end - begin) + 2;
  struct liveness l = {.code = code, .begin = begin, .end = end, .words = registers / 64 + 1};
  struct sl_ptx_pressure pressure = {0};
  uint8_t *constant = malloc(registers + 1);
  uint32_t *earliest = calloc(length, sizeof *earliest), *definition = malloc((registers + 1) * sizeof *definition);
  int32_t *extra = calloc(length, sizeof *extra);
  l.before = calloc(length * l.words, sizeof *l.before);
  l.now = calloc(l.words, sizeof *l.now);
  l.scratch = malloc(registers + 1);
  l.leads = calloc(length, 1);
  if (constant && earliest && definition && extra && l.before && l.now && l.scratch && l.leads) {
    memset(definition, 0xff, (registers + 1) * sizeof *definition); /* SL_PTX_NOWHERE */
    drop_constants(&l, weight, constant, registers);
    drop_halves(&l, weight, registers);
    solve(&l);
    find_leaders(&l);
    move_loads_up(&l, weight, earliest, definition, extra);
    pressure = most_at_once(&l, weight, extra);
  }
  free(constant);
  free(earliest);
  free(definition);
  free(extra);
  free(l.before);
  free(l.now);
  free(l.scratch);
  free(l.leads);
  return pressure;
}

unsigned sl_ptx_registers_estimated(struct sl_ptx_pressure p)
{
  enum { LEAST = 10, MORE = 3, FREE = 32 };
  const unsigned early = p.early + MORE < FREE ? p.early + MORE : FREE;
  const unsigned least = p.least + MORE > LEAST ? p.least + MORE : LEAST;
  return early > least ? early : least;
}
