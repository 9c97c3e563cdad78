/* Figure 1 of D. Ha, Y. Oh and W. W. Ro, R2D2 (ISCA 2023): 4 blocks of 4 threads compute the address of arr[threadIdx.x
 * + blockDim.x * blockIdx.x], with arr at 100. As written that takes 4 computations per thread, 64, of which 52 are not
 * redundant; with the expression expanded 5 per thread, 80, of which 29 are not. A computation is redundant if the same
 * row has already been computed with the same operands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ptx/oracle/ptx_oracle.h"
#include "ptx/ptx.h"
#include "ptx/run/ptx_grid.h"

enum { THREADS = 4, BLOCKS = 4, ROWS = 5 };

/* Rows are the instructions with a comment; the instructions before them only read values. Each row has its own
 * registers, so its operands stay available. */
#define HEAD                                                                                                           \
  ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u32 arr)\n{\n.reg .b32 %r<16>;\n"          \
  "ld.param.u32 %r10, [arr];\nmov.u32 %r11, %tid.x;\nmov.u32 %r12, %ctaid.x;\nmov.u32 %r13, %ntid.x;\n"

static const char baseline[] = HEAD "mul.lo.u32 %r1, %r13, %r12;\n" /* 1: blockDim.x * blockIdx.x */
                                    "add.u32 %r2, %r11, %r1;\n"     /* 2: threadIdx.x + it */
                                    "mul.lo.u32 %r3, %r2, 4;\n"     /* 3: byteSize * it */
                                    "add.u32 %r4, %r10, %r3;\n"     /* 4: baseAddr + it */
                                    "ret;\n}\n";

static const char expanded[] = HEAD "mul.lo.u32 %r1, %r13, 4;\n"   /* 1: byteSize * blockDim.x */
                                    "mul.lo.u32 %r2, %r11, 4;\n"   /* 2: byteSize * threadIdx.x */
                                    "mul.lo.u32 %r3, %r1, %r12;\n" /* 3: row 1 * blockIdx.x */
                                    "add.u32 %r4, %r10, %r2;\n"    /* 4: baseAddr + row 2 */
                                    "add.u32 %r5, %r4, %r3;\n"     /* 5: row 4 + row 3 */
                                    "ret;\n}\n";

struct row {
  unsigned computed, unique;
  uint32_t value[BLOCKS][THREADS];
};

struct figure {
  uint32_t first_pc;
  struct row row[ROWS];
  struct sl_ptx_once done;
};

static uint32_t source(const struct sl_ptx_warp *w, struct sl_ptx_place p, unsigned lane)
{
  uint32_t value;
  memcpy(&value, w->area[p.area] + p.offset + lane * sizeof value, sizeof value);
  return value;
}

static bool executed(void *context, const struct sl_probe *p)
{
  struct figure *f = context;
  const struct sl_ptx_warp *w = p->ptx_warp;
  const struct sl_ptx_effect *e = p->ptx_effect;
  if (e->insn->kind != SL_PTX_K_LANES || e->pc < f->first_pc)
    return true;
  const uint32_t number = e->pc - f->first_pc;
  assert_true(number < ROWS);
  struct row *row = &f->row[number];
  for (uint32_t rest = e->active; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    /* Numbers below 2^24: keys are equal only for equal operands. */
    const uint64_t a = source(w, e->insn->a, lane), b = source(w, e->insn->b, lane);
    assert_true(a < 1 << 24 && b < 1 << 24);
    bool is_new;
    assert_non_null(sl_ptx_once_put(&f->done, (uint64_t)number << 48 | a << 24 | b, &is_new));
    row->computed++;
    row->unique += is_new;
    row->value[w->block->index[0]][lane] = source(w, e->insn->d, lane);
  }
  return true;
}

static struct figure run(const char *text)
{
  struct sl_error err;
  struct sl_ptx_module *m = NULL;
  struct sl_ptx_memory memory;
  struct sl_ptx_counts counts = {0};
  struct figure f = {.row = {{0}}};
  uint32_t arr = 100;
  if (sl_ptx_parse(&m, text, strlen(text), "figure", NULL, &err) != SL_OK)
    fail_msg("%s", err.text);
  assert_int_equal(sl_ptx_memory_init(&memory, m, &err), SL_OK);
  const struct sl_ptx_launch launch = {.module = m,
                                       .kernel = sl_ptx_entry(m, "k"),
                                       .grid = {BLOCKS, 1, 1},
                                       .block = {THREADS, 1, 1},
                                       .params = (uint8_t *)&arr,
                                       .memory = &memory};
  f.first_pc = launch.kernel->begin + 4;
  struct sl_probes probes = {.wanted = SL_PROBE_EXECUTED, .tell = executed, .context = &f};
  const struct sl_ptx_bounds bounds = {.probes = &probes};
  assert_int_equal(sl_ptx_grid_run(&launch, &bounds, &counts, &err), SL_OK);
  sl_ptx_once_free(&f.done);
  sl_ptx_memory_free(&memory);
  sl_ptx_free(m);
  return f;
}

/* The figure prints the values of each row: a * threadIdx.x + b * blockIdx.x + c. */
static void row_is(const struct row *row, uint32_t a, uint32_t b, uint32_t c)
{
  for (uint32_t block = 0; block < BLOCKS; block++)
    for (uint32_t thread = 0; thread < THREADS; thread++)
      assert_int_equal(row->value[block][thread], a * thread + b * block + c);
}

static void sums_are(const struct figure *f, unsigned computed, unsigned unique)
{
  unsigned all = 0, once = 0;
  for (unsigned i = 0; i < ROWS; i++)
    all += f->row[i].computed, once += f->row[i].unique;
  assert_int_equal(all, computed);
  assert_int_equal(once, unique);
}

/* Row 1 is the same in all threads of a block: 12 of 16 are grey. */
static void the_written_expression_takes_52_of_64(void **state)
{
  (void)state;
  const struct figure f = run(baseline);
  row_is(&f.row[0], 0, 4, 0);
  row_is(&f.row[1], 1, 4, 0);
  row_is(&f.row[2], 4, 16, 0);
  row_is(&f.row[3], 4, 16, 100);
  sums_are(&f, 64, 52);
}

/* One computation in total, one for each thread of a block (twice), one for each block, and the addresses themselves.
 */
static void the_expanded_expression_takes_29_of_80(void **state)
{
  (void)state;
  const struct figure f = run(expanded);
  row_is(&f.row[0], 0, 0, 16);
  row_is(&f.row[1], 4, 0, 0);
  row_is(&f.row[2], 0, 16, 0);
  row_is(&f.row[3], 4, 0, 100);
  row_is(&f.row[4], 4, 16, 100);
  const unsigned unique[ROWS] = {1, THREADS, BLOCKS, THREADS, THREADS * BLOCKS};
  for (unsigned i = 0; i < ROWS; i++)
    assert_int_equal(f.row[i].unique, unique[i]);
  sums_are(&f, 80, 29);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_written_expression_takes_52_of_64),
      cmocka_unit_test(the_expanded_expression_takes_29_of_80),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
