#include "ptx/ptx_passes.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

enum {
  LATENCY_SHARED = 19,
  LATENCY_L1 = 28,
  LATENCY_OTHER = 4,
  LATENCY_UNIT = 18, /* of SFU and double precision */
  LATENCY_MATRIX = 54,
  /* Of a product in the tensor cores of a scheduler, and of a matrix in its share of shared memory: 1,024 bytes, by a
   * quarter of 128 bytes per cycle. */
  INTERVAL_MATRIX = 32
};

/* `to` issues at least `latency` cycles behind `from`, which precedes it. */
struct edge {
  uint32_t next; /* of the same `from` */
  uint32_t to;
  uint32_t latency;
};

/* An instruction of the piece. */
struct node {
  uint32_t edge;     /* the first one */
  uint32_t waits;    /* for instructions before it that have not issued */
  uint32_t ready;    /* cycle */
  uint32_t priority; /* latencies from here to the end of the piece */
  bool issued;
};

struct name {          /* a register */
  uint32_t version;    /* definitions in the piece so far */
  uint32_t def;        /* the last one, or NONE */
  uint32_t reader;     /* of its value, the last one: index into readers, or NONE */
  uint32_t uses, left; /* in the function; in the piece and not issued */
  bool live, outside;  /* in a register now; read outside of the piece */
};

struct reader {
  uint32_t next, node;
};

struct scheduler {
  struct sl_ptx_insn *code, *copy;
  const uint8_t *weight;
  unsigned registers;
  struct name *name;
  struct node *node;
  struct edge *edge;
  struct reader *reader;
  uint32_t *base, *order; /* of memory accesses: the version of the base; the new order */
  uint32_t edges, edge_room, readers, reader_room;
  uint32_t first, count;         /* the piece */
  bool matrices;                 /* pieces with them are scheduled */
  unsigned live, budget, widest; /* widest: words of a result */
  uint32_t free_at[2];           /* tensor cores, shared memory: the cycle of the next matrix */
  bool no_memory;
};

/* ---- operands ---------------------------------------------------------------------------------------------------- */

enum { OPERANDS = 4 * SL_PTX_FRAGMENT + SL_PTX_ELEMENTS + 2 };

static void add_read(uint16_t id[OPERANDS], unsigned *count, struct sl_ptx_reg r)
{
  bool again = r.id == SL_PTX_NO_REG;
  for (unsigned k = 0; k < *count; k++)
    again |= id[k] == r.id;
  if (!again)
    id[(*count)++] = r.id;
}

/* The registers that an instruction reads, each once. A guarded definition keeps the value of other lanes. */
static unsigned reads_of(const struct sl_ptx_insn *in, uint16_t id[OPERANDS])
{
  unsigned count = 0;
  const unsigned guarded = in->guard.id != SL_PTX_NO_REG ? sl_ptx_dsts(in) : 0;
  for (unsigned n = 0; n < sl_ptx_srcs(in); n++)
    add_read(id, &count, sl_ptx_src(in, n));
  add_read(id, &count, in->address);
  add_read(id, &count, in->guard);
  for (unsigned n = 0; n < guarded; n++)
    add_read(id, &count, sl_ptx_dst(in, n));
  return count;
}

/* A product of matrices, or the load of one. */
static bool is_matrix(const struct sl_ptx_insn *in)
{
  return in->guard.id == SL_PTX_NO_REG && ((in->kind == SL_PTX_K_TENSOR && in->mode == SL_PTX_TENSOR_MMA) ||
                                           (in->kind == SL_PTX_K_TILE && !in->more->store));
}

static bool is_access(const struct sl_ptx_insn *in)
{
  return in->kind == SL_PTX_K_LOAD || in->kind == SL_PTX_K_STORE || in->kind == SL_PTX_K_TILE;
}

/* Instructions that end a piece and stay where they are. */
static bool is_fixed(const struct sl_ptx_insn *in)
{
  switch (in->kind) {
  case SL_PTX_K_LANES: return in->mode == SL_PTX_P_CARRY;
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET:
  case SL_PTX_K_LOGIC:
  case SL_PTX_K_PACK:
  case SL_PTX_K_UNPACK: return in->more != NULL || in->deep;
  case SL_PTX_K_LOAD:
  case SL_PTX_K_STORE: return in->order != 0 || in->deep;
  case SL_PTX_K_TENSOR:
  case SL_PTX_K_TILE: return !is_matrix(in) || in->deep;
  default: return true;
  }
}

static unsigned latency_of(const struct sl_ptx_insn *in)
{
  if (in->kind == SL_PTX_K_TENSOR)
    return LATENCY_MATRIX;
  if (in->kind == SL_PTX_K_LOAD || in->kind == SL_PTX_K_TILE)
    return in->space == SL_PTX_SHARED                               ? LATENCY_SHARED
           : in->space == SL_PTX_PARAM || in->space == SL_PTX_CONST ? LATENCY_OTHER
                                                                    : LATENCY_L1;
  return in->unit == SL_PTX_SFU || in->unit == SL_PTX_DP ? LATENCY_UNIT : LATENCY_OTHER;
}

/* ---- dependences ------------------------------------------------------------------------------------------------- */

static void add_edge(struct scheduler *s, uint32_t from, uint32_t to, uint32_t latency)
{
  if (s->edges == s->edge_room) {
    const uint32_t room = s->edge_room * 2 + 256;
    struct edge *grown = realloc(s->edge, room * sizeof *grown);
    s->no_memory |= grown == NULL;
    if (grown == NULL)
      return;
    s->edge = grown;
    s->edge_room = room;
  }
  s->edge[s->edges] = (struct edge){.next = s->node[from].edge, .to = to, .latency = latency};
  s->node[from].edge = s->edges++;
  s->node[to].waits++;
}

static void add_reader(struct scheduler *s, struct name *r, uint32_t node)
{
  if (s->readers == s->reader_room) {
    const uint32_t room = s->reader_room * 2 + 256;
    struct reader *grown = realloc(s->reader, room * sizeof *grown);
    s->no_memory |= grown == NULL;
    if (grown == NULL)
      return;
    s->reader = grown;
    s->reader_room = room;
  }
  s->reader[s->readers] = (struct reader){.next = r->reader, .node = node};
  r->reader = s->readers++;
}

static void depend_on_registers(struct scheduler *s, uint32_t i)
{
  const struct sl_ptx_insn *in = &s->code[s->first + i];
  uint16_t id[OPERANDS];
  const unsigned reads = reads_of(in, id);
  for (unsigned n = 0; n < reads; n++) {
    struct name *r = &s->name[id[n]];
    if (r->def != NONE)
      add_edge(s, r->def, i, latency_of(&s->code[s->first + r->def]));
    add_reader(s, r, i);
    r->left++;
  }
  for (unsigned n = 0; n < sl_ptx_dsts(in); n++) {
    const uint16_t to = sl_ptx_dst(in, n).id;
    if (to == SL_PTX_NO_REG)
      continue;
    struct name *r = &s->name[to];
    if (r->def != NONE && r->def != i)
      add_edge(s, r->def, i, 1);
    for (uint32_t k = r->reader; k != NONE; k = s->reader[k].next)
      if (s->reader[k].node != i)
        add_edge(s, s->reader[k].node, i, 0);
    r->def = i;
    r->reader = NONE;
    r->version++;
  }
}

/* Whether two accesses, one of which is a store, may meet in a byte. The lines of a matrix may be anywhere. */
static bool may_meet(const struct scheduler *s, uint32_t one, uint32_t other)
{
  const struct sl_ptx_insn *a = &s->code[s->first + one], *b = &s->code[s->first + other];
  if (a->space != b->space)
    return a->space == SL_PTX_GENERIC || b->space == SL_PTX_GENERIC;
  const bool same = a->more == NULL && b->more == NULL && a->address.id == b->address.id && a->a.area == b->a.area &&
                    a->a.offset == b->a.offset && s->base[one] == s->base[other];
  const int64_t a_end = a->immediate + a->bytes * a->elements, b_end = b->immediate + b->bytes * b->elements;
  return !same || (a->immediate < b_end && b->immediate < a_end);
}

static void depend_on_memory(struct scheduler *s, uint32_t i)
{
  const struct sl_ptx_insn *in = &s->code[s->first + i];
  if (!is_access(in))
    return;
  s->base[i] = in->address.id != SL_PTX_NO_REG ? s->name[in->address.id].version : 0;
  for (uint32_t k = 0; k < i; k++) {
    const struct sl_ptx_insn *before = &s->code[s->first + k];
    if (is_access(before) && (in->kind == SL_PTX_K_STORE || before->kind == SL_PTX_K_STORE) && may_meet(s, k, i))
      add_edge(s, k, i, 0);
  }
}

/* ---- registers --------------------------------------------------------------------------------------------------- */

static void begin_live(struct scheduler *s, struct name *r, unsigned id)
{
  s->live += r->live ? 0u : s->weight[id];
  r->live = true;
}

static void end_live(struct scheduler *s, struct name *r, unsigned id)
{
  s->live -= r->live ? s->weight[id] : 0u;
  r->live = false;
}

/* Words of registers that the instruction adds. */
static int growth(const struct scheduler *s, uint32_t i)
{
  const struct sl_ptx_insn *in = &s->code[s->first + i];
  uint16_t id[OPERANDS];
  int words = 0;
  const unsigned reads = reads_of(in, id);
  for (unsigned n = 0; n < reads; n++)
    words -= s->name[id[n]].left == 1 && !s->name[id[n]].outside ? s->weight[id[n]] : 0;
  for (unsigned n = 0; n < sl_ptx_dsts(in); n++) {
    const uint16_t to = sl_ptx_dst(in, n).id;
    words += to != SL_PTX_NO_REG && !s->name[to].live ? s->weight[to] : 0;
  }
  return words;
}

static void issue_registers(struct scheduler *s, uint32_t i)
{
  const struct sl_ptx_insn *in = &s->code[s->first + i];
  uint16_t id[OPERANDS];
  const unsigned reads = reads_of(in, id);
  for (unsigned n = 0; n < reads; n++)
    if (--s->name[id[n]].left == 0 && !s->name[id[n]].outside)
      end_live(s, &s->name[id[n]], id[n]);
  for (unsigned n = 0; n < sl_ptx_dsts(in); n++) {
    const uint16_t to = sl_ptx_dst(in, n).id;
    if (to != SL_PTX_NO_REG)
      begin_live(s, &s->name[to], to);
  }
}

/* The piece's registers at its begin, from the counts of depend_on_registers. Returns the live words. */
static void begin_registers(struct scheduler *s)
{
  s->live = 0;
  for (unsigned id = 0; id < s->registers; id++) {
    struct name *r = &s->name[id];
    r->live = false;
    r->outside = r->uses > r->left;
  }
  /* Read before it is defined: live. */
  for (uint32_t i = s->count; i-- > 0;) {
    const struct sl_ptx_insn *in = &s->code[s->first + i];
    uint16_t id[OPERANDS];
    for (unsigned n = 0; n < sl_ptx_dsts(in); n++) {
      const uint16_t to = sl_ptx_dst(in, n).id;
      if (to != SL_PTX_NO_REG)
        end_live(s, &s->name[to], to);
    }
    for (unsigned n = reads_of(in, id); n-- > 0;)
      begin_live(s, &s->name[id[n]], id[n]);
  }
}

static void count_reads(struct scheduler *s)
{
  uint16_t id[OPERANDS];
  for (uint32_t i = 0; i < s->count; i++)
    for (unsigned n = reads_of(&s->code[s->first + i], id); n-- > 0;)
      s->name[id[n]].left++;
}

/* The most live words of an order; the counts of reads are as before. */
static unsigned most_live(struct scheduler *s, const uint32_t *order)
{
  begin_registers(s);
  unsigned most = s->live;
  for (uint32_t i = 0; i < s->count; i++) {
    issue_registers(s, order != NULL ? order[i] : i);
    most = s->live > most ? s->live : most;
  }
  count_reads(s);
  begin_registers(s);
  return most;
}

/* ---- scheduling -------------------------------------------------------------------------------------------------- */

static void find_priorities(struct scheduler *s)
{
  for (uint32_t i = s->count; i-- > 0;) {
    struct node *node = &s->node[i];
    node->priority = latency_of(&s->code[s->first + i]);
    for (uint32_t e = node->edge; e != NONE; e = s->edge[e].next) {
      const uint32_t path = s->edge[e].latency + s->node[s->edge[e].to].priority;
      node->priority = path > node->priority ? path : node->priority;
    }
  }
}

/* The cycle in which an instruction can issue, from `cycle` on. */
static uint32_t ready_at(const struct scheduler *s, uint32_t i, uint32_t cycle)
{
  const struct sl_ptx_insn *in = &s->code[s->first + i];
  const uint32_t at = s->node[i].ready > cycle ? s->node[i].ready : cycle;
  const uint32_t free = in->more != NULL ? s->free_at[in->kind == SL_PTX_K_TILE] : 0;
  return free > at ? free : at;
}

/* Whether a is better than b, which precedes it in the program, at a cycle. */
static bool is_better(const struct scheduler *s, uint32_t a, uint32_t b, uint32_t cycle, bool full)
{
  const struct node *x = &s->node[a], *y = &s->node[b];
  if (full)
    return growth(s, a) < growth(s, b);
  const uint32_t x_ready = ready_at(s, a, cycle), y_ready = ready_at(s, b, cycle);
  return x_ready != y_ready ? x_ready < y_ready : x->priority > y->priority;
}

/* Registers are full if the widest result would not fit. The window limits the time that a long piece takes. */
static uint32_t choose(const struct scheduler *s, uint32_t oldest, uint32_t cycle)
{
  enum { WINDOW = 512 };
  uint32_t best = NONE;
  const bool full = s->live + s->widest > s->budget;
  for (uint32_t i = oldest; i < s->count && i < oldest + WINDOW; i++)
    if (!s->node[i].issued && s->node[i].waits == 0 && (best == NONE || is_better(s, i, best, cycle, full)))
      best = i;
  return best;
}

static void order_piece(struct scheduler *s)
{
  uint32_t oldest = 0, cycle = 0;
  s->free_at[0] = s->free_at[1] = 0;
  for (uint32_t n = 0; n < s->count; n++) {
    while (s->node[oldest].issued)
      oldest++;
    const uint32_t i = choose(s, oldest, cycle);
    struct node *node = &s->node[i];
    const uint32_t at = ready_at(s, i, cycle);
    if (s->code[s->first + i].more != NULL)
      s->free_at[s->code[s->first + i].kind == SL_PTX_K_TILE] = at + INTERVAL_MATRIX;
    node->issued = true;
    issue_registers(s, i);
    s->order[n] = i;
    for (uint32_t e = node->edge; e != NONE; e = s->edge[e].next) {
      struct node *to = &s->node[s->edge[e].to];
      to->ready = at + s->edge[e].latency > to->ready ? at + s->edge[e].latency : to->ready;
      to->waits--;
    }
    cycle = at + 1;
  }
}

static bool has_matrices(const struct scheduler *s)
{
  bool any = false;
  for (uint32_t i = 0; i < s->count; i++)
    any |= s->code[s->first + i].more != NULL;
  return any;
}

static unsigned widest_result(const struct scheduler *s)
{
  unsigned widest = 2;
  for (uint32_t i = 0; i < s->count; i++) {
    const struct sl_ptx_insn *in = &s->code[s->first + i];
    unsigned words = 0;
    for (unsigned n = 0; n < sl_ptx_dsts(in); n++)
      words += sl_ptx_dst(in, n).id != SL_PTX_NO_REG ? s->weight[sl_ptx_dst(in, n).id] : 0u;
    widest = words > widest ? words : widest;
  }
  return widest;
}

static void schedule_piece(struct scheduler *s, uint32_t first, uint32_t count, unsigned slack)
{
  s->first = first;
  s->count = count;
  s->edges = s->readers = 0;
  if (!s->matrices && has_matrices(s))
    return;
  for (unsigned id = 0; id < s->registers; id++) {
    struct name *r = &s->name[id];
    r->version = r->left = 0;
    r->def = r->reader = NONE;
  }
  for (uint32_t i = 0; i < count; i++)
    s->node[i] = (struct node){.edge = NONE};
  for (uint32_t i = 0; i < count && !s->no_memory; i++) {
    depend_on_memory(s, i);
    depend_on_registers(s, i);
  }
  if (s->no_memory)
    return;
  find_priorities(s);
  s->widest = widest_result(s);
  const unsigned before = most_live(s, NULL);
  s->budget = before + (has_matrices(s) ? 0 : slack);
  order_piece(s);
  count_reads(s);
  if (most_live(s, s->order) > s->budget)
    return;
  memcpy(s->copy, s->code + first, count * sizeof *s->copy);
  for (uint32_t i = 0; i < count; i++)
    s->code[first + i] = s->copy[s->order[i]];
}

static void schedule_pieces(struct scheduler *s, const struct sl_ptx_blocks *blocks, unsigned slack)
{
  enum { SHORT = 3 };
  for (uint32_t b = 0; b < blocks->blocks; b++)
    for (uint32_t pc = blocks->first[b], first = pc; pc <= blocks->first[b + 1]; pc++)
      if (pc == blocks->first[b + 1] || is_fixed(&s->code[pc])) {
        if (pc - first >= SHORT && !s->no_memory)
          schedule_piece(s, first, pc - first, slack);
        first = pc + 1;
      }
}

enum sl_status sl_ptx_schedule(struct sl_ptx_insn *code, uint32_t begin, uint32_t end, const uint8_t *weight,
                               unsigned registers, unsigned slack, bool matrices, struct sl_error *err)
{
  struct sl_ptx_blocks blocks = {0};
  const size_t most = end - begin;
  struct scheduler s = {.code = code,
                        .weight = weight,
                        .registers = registers,
                        .matrices = matrices,
                        .copy = malloc(most * sizeof *s.copy),
                        .name = calloc(registers + (size_t)1, sizeof *s.name),
                        .node = malloc(most * sizeof *s.node),
                        .base = calloc(most, sizeof *s.base),
                        .order = malloc(most * sizeof *s.order)};
  s.no_memory = s.copy == NULL || s.name == NULL || s.node == NULL || s.base == NULL || s.order == NULL ||
                !sl_ptx_blocks_find(&blocks, code, begin, end);
  uint16_t id[OPERANDS];
  for (uint32_t pc = begin; pc < end && !s.no_memory; pc++)
    for (unsigned n = reads_of(&code[pc], id); n-- > 0;)
      s.name[id[n]].uses++;
  if (!s.no_memory)
    schedule_pieces(&s, &blocks, slack);
  sl_ptx_blocks_free(&blocks);
  free(s.copy);
  free(s.name);
  free(s.node);
  free(s.base);
  free(s.order);
  free(s.edge);
  free(s.reader);
  return s.no_memory ? sl_no_memory(err, most * sizeof *s.copy) : SL_OK;
}
