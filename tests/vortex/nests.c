/* Random loop nests over random streams, as assembly programs for Vortex machines of 16 lanes.
 *
 *   nests SEED hardware      loops and streams by CSRs (docs/explanation/machines/cfm-dmsl.md)
 *   nests SEED software      the same instructions one after the other, with masks, loads and stores written out
 *
 * Four warps execute the nest, each lane hashes what it has in registers and memory, and lane 0 of warp 0 prints one
 * hash of all: it must be the same for both. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LANES = 16,
  WARPS = 4,
  LOOPS = 6,
  ITEMS = 4,
  UNITS = 3,
  SUMS = 6,    /* registers a0 to a5 */
  READS = 100, /* uses of a stream from memory at most */
  WRITES = 40, /* and to memory */
  SOURCE_WORDS = 4096,
  WORK_BYTES = WRITES * LANES * 4, /* of a warp */
};

enum op { OP_ADD, OP_XOR, OP_ADDI, OP_READ, OP_READ_TWICE, OP_WRITE, OP_READ_WRITE };

struct item {
  enum { ITEM_OP, ITEM_LOOP, ITEM_IF } kind;
  enum op op; /* of an ITEM_IF: the items for the lanes of the predicate */
  unsigned to, a, b, unit;
  int number;
  struct loop *loop;
};

struct loop {
  unsigned unit, bound, tail;
  struct item items[ITEMS];
  unsigned count;
};

struct stream {
  bool reads, writes, is_float, limited;
  unsigned size; /* 0: 32 bits, 1: 16, 2: 8 */
  int stride, row_stride, start, lane_step;
  unsigned row, uses_read, uses_written;
};

struct nest {
  uint32_t random;
  struct loop loops[LOOPS];
  unsigned loop_count;
  struct stream streams[UNITS];
  unsigned mask;    /* of the whole nest */
  bool empty_masks; /* tails may have no lane; then nothing diverges */
  bool software;
  unsigned labels, count[LOOPS];
  unsigned current; /* mask, of the software form */
  bool dry;         /* only counts the uses of streams */
};

/* Xorshift generator (Marsaglia 2003). */
static unsigned below(struct nest *n, unsigned limit)
{
  n->random ^= n->random << 13;
  n->random ^= n->random >> 17;
  n->random ^= n->random << 5;
  return (unsigned)((uint64_t)n->random * limit >> 32);
}

__attribute__((format(printf, 2, 3))) static void emit(const struct nest *n, const char *format, ...)
{
  va_list arguments;
  if (n->dry)
    return;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}

/* ---- making a nest ------------------------------------------------------------------------------------------------
 */

static struct item random_op(struct nest *n, bool streams)
{
  static const enum op ops[] = {OP_ADD, OP_XOR, OP_ADDI, OP_READ, OP_READ, OP_READ_TWICE, OP_WRITE, OP_READ_WRITE};
  struct item item = {.kind = ITEM_OP,
                      .op = ops[below(n, streams ? 8 : 3)],
                      .to = below(n, SUMS),
                      .a = below(n, SUMS),
                      .b = below(n, SUMS),
                      .number = (int)below(n, 4000) - 2000};
  const bool both = n->streams[1].writes;
  if (item.op == OP_READ_WRITE && !both)
    item.op = OP_READ;
  item.unit = item.op == OP_WRITE ? 2 : item.op == OP_READ_WRITE ? 1 : both ? 0 : below(n, 2);
  return item;
}

static struct loop *random_loop(struct nest *n, unsigned depth, unsigned most)
{
  struct loop *loop = &n->loops[n->loop_count];
  loop->unit = n->loop_count++;
  loop->bound = 1 + below(n, most < 6 ? most : 6);
  loop->tail = n->empty_masks && below(n, 4) == 0 ? 0 : 1 + below(n, 0xFFFF);
  loop->count = 1 + below(n, ITEMS);
  for (unsigned i = 0; i < loop->count; i++) {
    struct item *item = &loop->items[i];
    const unsigned kind = below(n, 8);
    if (kind < 3 && depth < 4 && n->loop_count < LOOPS)
      *item = (struct item){.kind = ITEM_LOOP, .loop = random_loop(n, depth + 1, most / loop->bound)};
    else {
      const bool divergent = kind == 3 && !n->empty_masks && i + 1 < loop->count;
      *item = random_op(n, !divergent);
      item->kind = divergent ? ITEM_IF : ITEM_OP;
    }
  }
  return loop;
}

static struct stream random_stream(struct nest *n, bool reads, bool writes)
{
  static const int strides[] = {4, 64, 0, 68, -4, 8}, lanes[] = {4, 0, 64, 8};
  struct stream s = {.reads = reads,
                     .writes = writes,
                     .is_float = below(n, 2),
                     .limited = below(n, 2),
                     .size = below(n, 3),
                     .stride = 4 * LANES,
                     .lane_step = 4};
  if (writes)
    return s;
  s.stride = strides[below(n, 6)];
  s.lane_step = lanes[below(n, 4)];
  s.start = s.stride < 0 ? 2048 : 0;
  s.row = below(n, 2) ? 1 + below(n, 5) : 0;
  s.row_stride = (int[]){0, 4, 64, 132}[below(n, 4)];
  return s;
}

static void random_nest(struct nest *n)
{
  n->loop_count = 0;
  n->empty_masks = below(n, 4) == 0;
  n->mask = below(n, 2) ? 0xFFFF : 1 + below(n, 0xFFFF);
  n->streams[0] = random_stream(n, true, false);
  n->streams[1] = random_stream(n, true, below(n, 2));
  n->streams[2] = random_stream(n, false, true);
  random_loop(n, 1, 40);
}

/* ---- instructions -------------------------------------------------------------------------------------------------
 */

/* Register of a unit's stream. */
static const char *stream_register(const struct nest *n, unsigned unit)
{
  static const char *const names[2][UNITS] = {{"t3", "t4", "t5"}, {"ft8", "ft9", "ft10"}};
  return names[n->streams[unit].is_float][unit];
}

static int offset_of(const struct stream *s, unsigned element)
{
  if (s->row == 0)
    return s->start + (int)element * s->stride;
  return s->start + (int)(element / s->row) * s->row_stride + (int)(element % s->row) * s->stride;
}

/* In software: moves the element into the register, or from it. The lane's base is in s4, s5 or s6. */
static void move_element(struct nest *n, unsigned unit, bool read, unsigned element)
{
  static const char *const loads[2][3] = {{"lw", "lh", "lb"}, {"lw", "lhu", "lbu"}}, *const stores[] = {"sw", "sh",
                                                                                                        "sb"};
  const struct stream *s = &n->streams[unit];
  const char *name = stream_register(n, unit), *value = s->is_float ? "t2" : name;
  if (!n->software || n->current == 0)
    return;
  emit(n, "\tli t1, %d\n\tadd t1, t1, s%u", offset_of(s, element), 4 + unit);
  if (!read && s->is_float)
    emit(n, "\tfmv.x.w t2, %s", name);
  emit(n, "\t%s %s, 0(t1)", read ? loads[s->is_float][s->size] : stores[s->size], value);
  if (read && s->is_float)
    emit(n, "\tfmv.w.x %s, t2", name);
}

static void put_stream_op(struct nest *n, const struct item *item)
{
  const char *name = stream_register(n, item->unit);
  const bool is_float = n->streams[item->unit].is_float;
  switch (item->op) {
  case OP_READ: emit(n, is_float ? "\tfmv.x.w a%u, %s" : "\txori a%u, %s, 5", item->to, name); break;
  case OP_READ_TWICE: emit(n, is_float ? "\tfeq.s a%u, %s, %s" : "\tadd a%u, %s, %s", item->to, name, name); break;
  case OP_WRITE:
    if (is_float)
      emit(n, "\tfmv.w.x %s, a%u", name, item->a);
    else
      emit(n, "\tadd %s, a%u, a%u", name, item->a, item->b);
    break;
  default:
    if (is_float)
      emit(n, "\tfsgnjn.s %s, %s, ft0", name, name);
    else
      emit(n, "\tsub %s, %s, a%u", name, name, item->a);
  }
}

/* The software form executes it if any lane does; a stream always advances. */
static void put_op(struct nest *n, const struct item *item)
{
  struct stream *s = &n->streams[item->unit];
  const bool reads = item->op == OP_READ || item->op == OP_READ_TWICE || item->op == OP_READ_WRITE;
  const bool writes = item->op == OP_WRITE || item->op == OP_READ_WRITE;
  if (reads)
    move_element(n, item->unit, true, s->uses_read++);
  if (!n->software || n->current != 0) {
    if (item->op == OP_ADDI)
      emit(n, "\taddi a%u, a%u, %d", item->to, item->a, item->number);
    else if (reads || writes)
      put_stream_op(n, item);
    else
      emit(n, "\t%s a%u, a%u, a%u", item->op == OP_ADD ? "add" : "xor", item->to, item->a, item->b);
  }
  if (writes)
    move_element(n, item->unit, false, s->uses_written++);
}

/* ---- software form ------------------------------------------------------------------------------------------------
 */

static void use_mask(struct nest *n, unsigned mask)
{
  if (mask != 0 && mask != n->current)
    emit(n, "\tli t0, %u\n\t.insn r 0x0b, 0, 0, x0, t0, x0", mask);
  n->current = mask;
}

static void walk(struct nest *n, const struct loop *loop, unsigned mask);

static void walk_item(struct nest *n, const struct item *item, unsigned mask)
{
  if (item->kind == ITEM_LOOP) {
    walk(n, item->loop, mask);
    return;
  }
  use_mask(n, item->kind == ITEM_IF ? mask & 0xAAAA : mask); /* odd lanes */
  if (item->kind == ITEM_OP || n->current != 0)
    put_op(n, item);
}

static void walk(struct nest *n, const struct loop *loop, unsigned mask)
{
  for (unsigned i = 0; i < loop->bound; i++)
    for (unsigned j = 0; j < loop->count; j++)
      walk_item(n, &loop->items[j], i + 1 == loop->bound ? mask & loop->tail : mask);
}

/* ---- hardware form ------------------------------------------------------------------------------------------------
 */

static void put_body(struct nest *n, const struct loop *loop);

static void put_if(struct nest *n, const struct item *item)
{
  const unsigned label = n->labels++;
  emit(n, "\t.insn r 0x0b, 2, 0, t0, s2, x0\n\tbeqz s2, .Lif%u", label);
  put_op(n, item);
  emit(n, ".Lif%u:\n\t.insn r 0x0b, 3, 0, x0, t0, x0", label);
}

/* The label of its end is before the last instruction; if an inner loop ends there, too, it is that loop's. */
static void put_item(struct nest *n, const struct loop *loop, const struct item *item, bool last)
{
  if (item->kind == ITEM_LOOP) {
    put_body(n, item->loop);
    if (last)
      emit(n, "\t.set .Lend%u, .Lend%u", loop->unit, item->loop->unit);
    return;
  }
  if (item->kind == ITEM_IF) {
    put_if(n, item);
    return;
  }
  if (last)
    emit(n, ".Lend%u:", loop->unit);
  put_op(n, item);
}

static void put_body(struct nest *n, const struct loop *loop)
{
  emit(n, ".Lstart%u:", loop->unit);
  for (unsigned i = 0; i < loop->count; i++)
    put_item(n, loop, &loop->items[i], i + 1 == loop->count);
}

static void put_csr(const struct nest *n, unsigned type, unsigned unit, unsigned number, const char *value)
{
  emit(n, "\tcsrw %u, %s", 0x800u | type << 7 | unit << 3 | number, value);
}

static void set_csr(const struct nest *n, unsigned type, unsigned unit, unsigned number, unsigned value)
{
  emit(n, "\tli t0, %d", (int)value);
  put_csr(n, type, unit, number, "t0");
}

static void set_loops(const struct nest *n)
{
  for (unsigned i = 0; i < n->loop_count; i++) {
    const struct loop *loop = &n->loops[i];
    emit(n, "\tla t0, .Lstart%u", i);
    put_csr(n, 0, i, 0, "t0");
    emit(n, "\tla t0, .Lend%u", i);
    put_csr(n, 0, i, 1, "t0");
    set_csr(n, 0, i, 2, loop->tail);
    set_csr(n, 0, i, 3, loop->bound | 1u << 31);
  }
}

static void set_streams(const struct nest *n)
{
  for (unsigned u = 0; u < UNITS; u++) {
    const struct stream *s = &n->streams[u];
    const unsigned uses = s->uses_read > s->uses_written ? s->uses_read : s->uses_written;
    emit(n, "\tli t0, %d\n\tadd t0, t0, s%u", s->start, 4 + u);
    put_csr(n, 1, u, 0, "t0");
    set_csr(n, 1, u, 5, (unsigned)s->stride);
    set_csr(n, 1, u, 4, (unsigned)s->row_stride);
    set_csr(n, 1, u, 6, s->row);
    set_csr(n, 1, u, 3, s->limited ? uses : 0);
    set_csr(n, 1, u, 1,
            (28 + u) | (unsigned)s->is_float << 5 | (unsigned)s->writes << 6 | s->size << 7 | (unsigned)s->reads << 10 |
                1u << 11);
  }
}

static void end_streams(const struct nest *n)
{
  for (unsigned u = 0; u < UNITS; u++)
    put_csr(n, 1, u, 1, "x0");
}

/* ---- the program --------------------------------------------------------------------------------------------------
 */

static void put_nest(struct nest *n)
{
  n->current = 0xFFFF;
  n->labels = 0;
  for (unsigned u = 0; u < UNITS; u++)
    n->streams[u].uses_read = n->streams[u].uses_written = 0;
  if (n->software || n->dry) {
    walk(n, &n->loops[0], n->mask);
    use_mask(n, 0xFFFF);
    return;
  }
  set_loops(n);
  emit(n, "\tli t0, %u\n\t.insn r 0x0b, 0, 0, x0, t0, x0", n->mask);
  put_body(n, &n->loops[0]);
  emit(n, "\tli t0, 0xffff\n\t.insn r 0x0b, 0, 0, x0, t0, x0");
}

/* Per lane: a hash of registers and written columns; stored by hart. */
static void put_hash(const struct nest *n)
{
  emit(n, "\tfence\n\tli t0, %d\n\tadd t1, s5, zero\n\tadd t2, s6, zero", WRITES);
  if (!n->streams[1].writes)
    emit(n, "\tadd t1, s6, zero");
  emit(n, "1:\tslli s8, a0, 5\n\tadd a0, a0, s8\n\tlw s8, 0(t1)\n\txor a0, a0, s8\n\tslli s8, a0, 7\n\tsub a0, s8, "
          "a0\n\tlw "
          "s8, 0(t2)\n\txor a0, a0, s8\n\taddi t1, t1, 64\n\taddi t2, t2, 64\n\taddi t0, t0, -1\n\tbnez t0, 1b");
  for (unsigned i = 1; i < SUMS; i++)
    emit(n, "\tslli s8, a0, 5\n\tsub a0, s8, a0\n\txor a0, a0, a%u", i);
  emit(n, "\tla t0, results\n\tcsrr t1, 0xf14\n\tslli t1, t1, 2\n\tadd t0, t0, t1\n\tsw a0, 0(t0)\n\tjr s1");
}

static void put_main(const struct nest *n)
{
  emit(n, "\t.globl _start\n_start:\n\tli t0, %d\n\tla t1, worker\n\t.insn r 0x0b, 1, 0, x0, t0, t1", WARPS);
  emit(n, "\tli t0, 0xffff\n\t.insn r 0x0b, 0, 0, x0, t0, x0\n\tjal s1, nest\n\tli t0, 1\n\t.insn r 0x0b, 0, 0, x0, "
          "t0, x0");
  emit(n, "\t.insn r 0x0b, 1, 0, x0, t0, x0\n\tfence\n\tla t0, results\n\tli t1, %d\n\tli a0, 0", WARPS * LANES);
  emit(n, "1:\tslli a1, a0, 5\n\tadd a0, a0, a1\n\tlw a1, 0(t0)\n\txor a0, a0, a1\n\taddi t0, t0, 4\n\taddi t1, t1, "
          "-1\n\tbnez t1, 1b");
  emit(n, "\tli t1, 8\n\tli t2, 0x40\n2:\tsrli a1, a0, 28\n\taddi a1, a1, 'a'\n\tsb a1, 0(t2)\n\tslli a0, a0, "
          "4\n\taddi t1, "
          "t1, -1\n\tbnez t1, 2b\n\tli a1, '\\n'\n\tsb a1, 0(t2)\n\t.insn r 0x0b, 0, 0, x0, x0, x0");
  emit(n,
       "worker:\n\tli t0, 0xffff\n\t.insn r 0x0b, 0, 0, x0, t0, x0\n\tjal s1, nest\n\t.insn r 0x0b, 0, 0, x0, x0, x0");
}

/* Sums, the predicate (odd lanes) and the start of the lane's streams. */
static void put_beginning(const struct nest *n)
{
  emit(n, "nest:\n\tcsrr s3, 0xcc0\n\tandi s2, s3, 1\n\tcsrr s7, 0xcc1\n\tfmv.w.x ft0, zero");
  for (unsigned i = 0; i < SUMS; i++)
    emit(n, "\taddi a%u, s3, %u\n\tslli t0, s7, %u\n\tadd a%u, a%u, t0", i, 3 * i + 1, 4 + i, i, i);
  emit(n, "\tli t0, %d\n\tmul s7, s7, t0", WORK_BYTES);
  for (unsigned u = 0; u < UNITS; u++) {
    const struct stream *s = &n->streams[u];
    emit(n, "\tla s%u, %s\n\tli t0, %d\n\tmul t0, t0, s3\n\tadd s%u, s%u, t0", 4 + u,
         !s->writes ? "source"
         : s->reads ? "both"
                    : "written",
         s->lane_step, 4 + u, 4 + u);
    if (s->writes)
      emit(n, "\tadd s%u, s%u, s7", 4 + u, 4 + u);
    emit(n, s->is_float ? "\tfmv.w.x f%u, zero" : "\tli x%u, 0", 28 + u);
  }
}

static void put_words(struct nest *n, const char *name, unsigned count)
{
  printf("\t.balign 64\n%s:", name);
  for (unsigned i = 0; i < count; i++)
    printf(i % 16 == 0 ? "\n\t.word %u" : ",%u", below(n, 1u << 24) * 251u);
  printf("\n");
}

static void put_program(struct nest *n)
{
  printf("\t.text\n");
  put_main(n);
  put_beginning(n);
  if (!n->software) {
    n->dry = true; /* number of used elements */
    put_nest(n);
    n->dry = false;
    set_streams(n);
  }
  put_nest(n);
  if (!n->software)
    end_streams(n);
  put_hash(n);
  printf("\t.data\n");
  put_words(n, "source", SOURCE_WORDS);
  put_words(n, "both", WARPS * WORK_BYTES / 4);
  printf("\t.balign 64\nwritten:\t.zero %d\nresults:\t.zero %d\n", WARPS * WORK_BYTES, 4 * WARPS * LANES);
}

static bool fits(const struct nest *n)
{
  for (unsigned u = 0; u < UNITS; u++) {
    const struct stream *s = &n->streams[u];
    if (s->uses_read > (s->writes ? WRITES : READS) || s->uses_written > WRITES)
      return false;
  }
  return true;
}

int main(int argc, char **argv)
{
  struct nest n = {0};
  if (argc != 3) {
    fprintf(stderr, "usage: nests SEED hardware|software\n");
    return EXIT_FAILURE;
  }
  n.random = 2463534242u ^ (uint32_t)strtoul(argv[1], NULL, 10) * 2654435761u;
  do {
    random_nest(&n);
    n.dry = true;
    put_nest(&n);
    n.dry = false;
  } while (!fits(&n));
  n.software = strcmp(argv[2], "software") == 0;
  put_program(&n);
  return EXIT_SUCCESS;
}
