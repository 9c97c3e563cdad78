/* Random loads and stores: predecoded instructions leave the memory, counts and faults that the interpreter leaves,
 * which executes launches with an observer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "ptx/run/ptx_grid.h"

enum { THREADS = 80, ACCESSES = 12, WORDS = 6, WIDES = 4, AREA = 2048, OWN = 8 * (WORDS + WIDES), ROOM = 16384 };

static uint64_t next(uint64_t *x)
{
  *x ^= *x << 13;
  *x ^= *x >> 7;
  return *x ^= *x << 17;
}

static unsigned below(uint64_t *x, unsigned n)
{
  return (unsigned)(next(x) >> 11) % n;
}

struct type {
  const char *name;
  unsigned bytes;
  bool wide; /* needs registers of 64 bits */
};

static const struct type types[] = {{"u8", 1, false},  {"s8", 1, false},  {"u16", 2, false}, {"s16", 2, false},
                                    {"u32", 4, false}, {"s32", 4, false}, {"b32", 4, false}, {"u64", 8, true}};

/* Memories: name of the space, base register of its addresses, and whether they have 32 bits and stores are allowed. */
static const struct {
  const char *space;
  char base;
  bool narrow, stores;
  unsigned bytes;
} memories[] = {
    {".global", 'g', false, true, AREA}, {".global", 'v', false, true, AREA}, {".shared", 's', true, true, AREA},
    {".shared", 'S', false, true, AREA}, {".local", 'l', true, true, 64},     {".const", 'c', false, false, AREA},
    {"", 'g', false, true, AREA},        {"", 'v', false, true, AREA},        {"", 'x', false, true, AREA},
    {"", 'y', false, true, 64},          {"", 'z', false, false, AREA},
};
enum { MEMORIES = sizeof memories / sizeof *memories };

#define PUT(...) n += (size_t)snprintf(to + n, ROOM - n, __VA_ARGS__)

/* The registers of a vector or a single value. */
static size_t put_registers(char *to, size_t n, uint64_t *x, unsigned elements, bool wide)
{
  const unsigned of = wide ? WIDES : WORDS, first = below(x, of - elements + 1);
  PUT(elements > 1 ? "{" : "");
  for (unsigned i = 0; i < elements; i++)
    PUT("%s%%%c%u", i ? ", " : "", wide ? 'd' : 'w', first + i);
  PUT(elements > 1 ? "}" : "");
  return n;
}

/* One access; the threads' offsets are equal or consecutive, in all threads or in rows of 8 or 16, at a stride, or
 * mixed. Few have a fault. */
static size_t put_access(char *to, size_t n, uint64_t *x, unsigned number)
{
  const unsigned m = below(x, MEMORIES), elements = below(x, 4) ? 1 : 2u << below(x, 2);
  const struct type *t = &types[below(x, sizeof types / sizeof *types)];
  const bool store = memories[m].stores && below(x, 2), wide = t->wide || (elements == 1 && !below(x, 4));
  const unsigned size = t->bytes * elements <= 16 ? elements : 2, bytes = t->bytes * size;
  const unsigned strides[] = {0, bytes, 2 * bytes, 7 * bytes, 0, bytes, 4096 - bytes, 52 * bytes};
  const unsigned jump = below(x, 3), shape = below(x, 12);
  /* misaligned; beyond the memory on both sides; beyond its end in some lanes */
  const unsigned fault = below(x, 150) == 0 ? 1 + below(x, 3) : below(x, 60) == 0 ? 4 : 0;
  const unsigned end = memories[m].base == 'g' ? AREA + THREADS * OWN : memories[m].bytes;
  const int more = fault == 1   ? 1
                   : fault == 2 ? 1 << 20
                   : fault == 3 ? -(1 << 20)
                   : fault == 4 ? (int)(end - bytes * (1 + below(x, 64)))
                                : 0;
  const unsigned first = bytes * below(x, 64), row = 3 + below(x, 2);
  if (shape < 8)
    PUT("mad.lo.u32 %%o, %%t, %u, %u;\n", strides[shape], first);
  else
    PUT("and.b32 %%o, %%t, %u;\nmad.lo.u32 %%o, %%o, %u, %u;\nshr.u32 %%h, %%t, %u;\nmad.lo.u32 %%o, %%h, %u, %%o;\n",
        (1u << row) - 1, shape & 1 ? bytes : 0, first, row, bytes * below(x, 40));
  PUT("and.b32 %%o, %%o, %u;\n", memories[m].bytes - bytes);
  if (shape == 7)
    PUT("xor.b32 %%o, %%o, %u;\n", bytes);
  PUT("setp.%s.u32 %%p, %%k, %u;\n", below(x, 2) ? "lt" : "ge", below(x, 33));
  if (memories[m].narrow)
    PUT("add.u32 %%n, %%%c, %%o;\n", memories[m].base);
  else
    PUT("cvt.u64.u32 %%a, %%o;\nadd.u64 %%a, %%%c, %%a;\n", memories[m].base);
  if (jump == 1)
    PUT("@%%p bra L%u;\n", number);
  const char *vector = size == 1 ? "" : size == 2 ? ".v2" : ".v4";
  PUT("%s%s%s%s.%s ", jump == 2 ? "@!%p " : "", store ? "st" : "ld", memories[m].space, vector, t->name);
  char address[32];
  snprintf(address, sizeof address, "[%%%c%+d]", memories[m].narrow ? 'n' : 'a', more);
  if (store)
    PUT("%s, ", address);
  n = put_registers(to, n, x, size, wide);
  if (!store)
    PUT(", %s", address);
  PUT(";\nL%u:\n", number);
  return n;
}

static size_t write_text(char *to, uint64_t *x)
{
  size_t n = 0;
  PUT(".version 7.0\n.target sm_70\n.address_size 64\n.global .align 16 .b8 var[%d];\n.const .align 16 .b8 tab[%d] = "
      "{1",
      AREA, AREA);
  for (unsigned i = 1; i < 64; i++)
    PUT(", %u", below(x, 256));
  PUT("};\n.visible .entry k(.param .u64 data)\n{\n.shared .align 16 .b8 sh[%d];\n.local .align 16 .b8 loc[64];\n",
      AREA);
  PUT(".reg .pred %%p;\n.reg .b32 %%w<%d>, %%t, %%k, %%o, %%n, %%s, %%l, %%h;\n", WORDS);
  PUT(".reg .b64 %%d<%d>, %%a, %%b, %%g, %%v, %%S, %%c, %%x, %%y, %%z;\n", WIDES);
  PUT("mov.u32 %%t, %%tid.x;\nmov.u32 %%k, %%laneid;\nld.param.u64 %%g, [data];\nmov.u64 %%v, var;\nmov.u32 %%s, sh;\n"
      "mov.u64 %%S, sh;\nmov.u32 %%l, loc;\nmov.u64 %%c, tab;\ncvta.shared.u64 %%x, %%S;\nmov.u64 %%y, loc;\n"
      "cvta.local.u64 %%y, %%y;\ncvta.const.u64 %%z, %%c;\nmov.u32 %%h, %%t;\n");
  for (int i = 0; i < WORDS; i++)
    PUT("mad.lo.u32 %%h, %%h, 1664525, 1013904223;\nmov.b32 %%w%d, %%h;\n", i);
  for (int i = 0; i < WIDES; i++)
    PUT("mul.wide.u32 %%d%d, %%w%d, %%w%d;\n", i, i, i + 1);
  for (unsigned i = 0; i < 4; i++)
    PUT("st.local.v4.u32 [loc+%u], {%%w0, %%w1, %%w2, %%w3};\n", 16 * i);
  PUT("mul.lo.u32 %%o, %%t, 16;\nadd.u32 %%n, %%s, %%o;\nst.shared.v4.u32 [%%n], {%%w0, %%w1, %%w2, %%w3};\nbar.sync "
      "0;\n");
  for (unsigned i = 0; i < ACCESSES; i++)
    n = put_access(to, n, x, i);
  PUT("mul.wide.u32 %%a, %%t, %d;\nadd.u64 %%a, %%g, %%a;\n", OWN);
  for (int i = 0; i < WORDS; i++)
    PUT("st.global.u32 [%%a+%d], %%w%d;\n", AREA + 8 * i, i);
  for (int i = 0; i < WIDES; i++)
    PUT("st.global.u64 [%%a+%d], %%d%d;\n", AREA + 8 * (WORDS + i), i);
  PUT("ret;\n}\n");
  assert_true(n < ROOM);
  return n;
}

struct outcome {
  enum sl_status code;
  struct sl_error error;
  struct sl_ptx_counts counts;
  uint8_t data[AREA + THREADS * OWN], variable[AREA];
};

static void run(const char *text, size_t length, bool observed, struct outcome *o)
{
  struct sl_error err = {0};
  struct sl_ptx_module *m;
  struct sl_ptx_memory memory;
  struct sl_probes probes = {.wanted = 0};
  uint64_t address;
  uint8_t params[8];
  memset(o, 0, sizeof *o);
  if (sl_ptx_parse(&m, text, length, "random", NULL, &err) != SL_OK)
    fail_msg("%s\n%s", err.text, text);
  assert_int_equal(sl_ptx_memory_init(&memory, m, &err), SL_OK);
  assert_int_equal(sl_ptx_memory_allocate(&memory, sizeof o->data, &address, &err), SL_OK);
  for (unsigned i = 0; i < AREA; i++)
    memory.heap.data[i] = (uint8_t)(i * 37 + 5);
  memcpy(params, &address, sizeof params);
  const struct sl_ptx_launch launch = {.module = m,
                                       .kernel = sl_ptx_entry(m, "k"),
                                       .grid = {2, 1, 1},
                                       .block = {THREADS, 1, 1},
                                       .params = params,
                                       .memory = &memory};
  const struct sl_ptx_bounds bounds = {.probes = observed ? &probes : NULL};
  o->code = sl_ptx_grid_run(&launch, &bounds, &o->counts, &o->error);
  memcpy(o->data, memory.heap.data, sizeof o->data);
  memcpy(o->variable, memory.statics.data, AREA);
  sl_ptx_memory_free(&memory);
  sl_ptx_free(m);
}

static void steps_do_what_the_interpreter_does(void **state)
{
  static struct outcome steps, interpreted;
  static char text[ROOM];
  const char *programs = getenv("PROGRAMS");
  const unsigned count = programs != NULL ? (unsigned)strtoul(programs, NULL, 10) : 300;
  unsigned faults = 0;
  (void)state;
  for (unsigned seed = 1; seed <= count; seed++) {
    uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15);
    const size_t length = write_text(text, &x);
    run(text, length, false, &steps);
    run(text, length, true, &interpreted);
    faults += steps.code == SL_FAULT;
    if (steps.code != interpreted.code || strcmp(steps.error.text, interpreted.error.text) != 0)
      fail_msg("program %u: %s\nnot: %s\n%s", seed, steps.error.text, interpreted.error.text, text);
    if (memcmp(&steps.counts, &interpreted.counts, sizeof steps.counts) != 0)
      fail_msg("program %u: other counts\n%s", seed, text);
    if (memcmp(steps.data, interpreted.data, sizeof steps.data) != 0 ||
        memcmp(steps.variable, interpreted.variable, AREA) != 0)
      fail_msg("program %u: other memory\n%s", seed, text);
  }
  assert_in_range(faults, count / 20, count / 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_do_what_the_interpreter_does)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
