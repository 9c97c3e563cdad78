/* The calls of an extension's hooks, recorded by a test extension. */
#include "warps.h"

#include "func/ipdom_execute.h"

enum { FIRST = 0x900, SECOND = 0x980 };

struct record {
  struct sl_ipdom_warps *w;
  unsigned scheduled, renamed, finished, ended, committed, opened;
  sl_warps reset;
  uint32_t csr[WARPS_LANES];
  const char *illegal;
};

static const char *schedule(void *state, struct sl_ipdom_warps *w, unsigned warp, uint32_t pc,
                            const struct sl_insn *insn, sl_lanes *mask, struct sl_extension_note *note)
{
  struct record *r = state;
  (void)insn;
  r->scheduled++;
  note->byte[0] = (uint8_t)r->scheduled;
  *mask &= 3;
  w->warp[warp].pc = pc + 8;
  return r->illegal;
}

/* Renames every destination to register 5. */
static const char *rename_rd(void *state, unsigned warp, uint32_t pc, sl_lanes active, struct sl_insn *copy,
                             struct sl_extension_note *note, bool *replaced)
{
  struct record *r = state;
  (void)warp;
  (void)pc;
  (void)active;
  (void)note;
  r->renamed++;
  copy->rd = 5;
  *replaced = true;
  return NULL;
}

static const char *finish(void *state, struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                          const struct sl_insn *original, unsigned splits, const struct sl_extension_note *note)
{
  struct record *r = state;
  (void)w;
  (void)warp;
  (void)ex;
  (void)splits;
  (void)original;
  r->finished = 1u + note->byte[0];
  return NULL;
}

static bool owns_first(unsigned csr)
{
  return csr == FIRST;
}

static bool owns_second(unsigned csr)
{
  return csr == SECOND;
}

static const char *read(const void *state, unsigned warp, unsigned csr, uint32_t *values)
{
  const struct record *r = state;
  (void)warp;
  (void)csr;
  memcpy(values, r->csr, sizeof r->csr);
  return r->illegal;
}

static const char *write(void *state, unsigned warp, unsigned csr, sl_lanes active, const uint32_t *values,
                         struct sl_extension_note *note)
{
  struct record *r = state;
  (void)warp;
  (void)csr;
  (void)active;
  note->byte[1] = 7;
  memcpy(r->csr, values, sizeof r->csr);
  return NULL;
}

static void reset(void *state, unsigned warp)
{
  struct record *r = state;
  r->reset |= sl_bit(warp);
}

static void release(void *state)
{
  (void)state;
}

static void commit(void *state, unsigned warp, const struct sl_extension_note *note, sl_lanes active)
{
  struct record *r = state;
  (void)warp;
  (void)active;
  r->committed = note->byte[0];
}

static bool open_when_alone(void *state, unsigned warp, unsigned csr, bool alone, const struct sl_extension_note *note)
{
  struct record *r = state;
  (void)warp;
  (void)csr;
  (void)note;
  r->opened += alone;
  return alone;
}

static const struct sl_extension_kind whole = {.name = "whole",
                                               .schedule = schedule,
                                               .rename = rename_rd,
                                               .finish = finish,
                                               .owns = owns_first,
                                               .read = read,
                                               .write = write,
                                               .reset = reset,
                                               .free = release,
                                               .commit = commit,
                                               .open = open_when_alone};
static const struct sl_extension_kind slight = {
    .name = "slight", .owns = owns_second, .read = read, .write = write, .reset = reset, .free = release};

struct bench {
  struct gpu g;
  struct record first, second;
  struct sl_extended extended;
};

static void open_bench(struct bench *b)
{
  const struct sl_ipdom_spec spec = gpu_spec();
  gpu_open(&b->g, &spec);
  b->first = b->second = (struct record){.w = &b->g.warps};
  b->extended = (struct sl_extended){0};
  sl_ipdom_extend(&b->g.warps, &whole, &b->first);
  sl_ipdom_extend(&b->g.warps, &slight, &b->second);
}

/* Schedules, renames and executes a word on warp 1. */
static enum sl_ipdom_effect pass(struct bench *b, uint32_t word)
{
  struct sl_ipdom_warps *w = &b->g.warps;
  const uint32_t pc = gpu_warp(&b->g)->pc;
  sl_lanes mask = gpu_warp(&b->g)->mask;
  b->g.insn = sl_decode(word, w->spec.isa_sets);
  b->extended = (struct sl_extended){0};
  if (!sl_ipdom_schedule(w, WARPS_WARP, &b->g.insn, &mask, &b->extended) ||
      !sl_ipdom_rename(w, WARPS_WARP, &b->g.insn, pc, mask, &b->extended))
    return SL_IPDOM_FAULTS;
  b->g.ex = (struct sl_ipdom_execution){
      .insn = &b->g.insn, .pc = pc, .active = mask, .address = b->g.address, .extended = &b->extended};
  return sl_ipdom_execute_extended(w, WARPS_WARP, &b->g.ex);
}

static void an_instruction_passes_through_its_extensions(void **state)
{
  (void)state;
  static struct bench b;
  open_bench(&b);
  gpu_set(&b.g, 6, 40);
  assert_int_equal(pass(&b, gpu_word(SL_OP_ADD, 7, 6, 6)), SL_IPDOM_NOTHING);
  assert_int_equal(b.first.scheduled, 1);
  assert_int_equal(b.first.renamed, 1);
  assert_int_equal(b.first.finished, 2); /* with its note */
  assert_int_equal(gpu_warp(&b.g)->pc, WARPS_CODE + 8);
  assert_int_equal(gpu_register(&b.g, 5)[1], 80); /* renamed, in the lanes of its mask */
  assert_int_equal(gpu_register(&b.g, 5)[2], 0);
  assert_int_equal(gpu_register(&b.g, 7)[1], 0);
  assert_ptr_equal(b.g.ex.insn, &b.g.insn);
  sl_extensions_commit(&b.g.warps, WARPS_WARP, &b.extended, 3);
  assert_int_equal(b.first.committed, 1);
  assert_true(sl_extensions_ready(&b.g.warps, WARPS_WARP, &b.extended));
  gpu_close(&b.g);
}

static void illegal_instructions_fault(void **state)
{
  (void)state;
  static struct bench b;
  open_bench(&b);
  b.first.illegal = "does what it must not";
  assert_int_equal(pass(&b, gpu_word(SL_OP_ADD, 7, 6, 6)), SL_IPDOM_FAULTS);
  assert_int_equal(b.g.warps.fault.kind, SL_FAULT_EXTENSION);
  assert_string_equal(b.g.warps.fault.detail, "does what it must not");
  assert_int_equal(b.g.warps.fault.pc, WARPS_CODE);
  assert_int_equal(b.first.renamed, 0);
  gpu_close(&b.g);
}

/* Each has its own CSRs, and lanes their own values. */
static void extensions_own_their_csrs(void **state)
{
  (void)state;
  static struct bench b;
  open_bench(&b);
  gpu_set(&b.g, 6, 9);
  b.second.csr[1] = 1;
  assert_true(sl_extension_has_csr(&b.g.warps, SECOND));
  assert_false(sl_extension_has_csr(&b.g.warps, SECOND + 1));
  assert_int_equal(pass(&b, gpu_word(SL_OP_CSRRS, 7, 6, 0) | (uint32_t)SECOND << 20), SL_IPDOM_NOTHING);
  assert_int_equal(gpu_register(&b.g, 5)[1], 1);
  assert_int_equal(b.second.csr[0], 9);
  assert_int_equal(b.first.csr[0], 0);
  assert_int_equal(b.extended.note[1].byte[1], 7);
  assert_int_equal(b.extended.note[0].byte[1], 0);
  assert_true(sl_extensions_open(&b.g.warps, WARPS_WARP, SECOND, false, &b.extended));
  assert_false(sl_extensions_open(&b.g.warps, WARPS_WARP, FIRST, false, &b.extended));
  assert_true(sl_extensions_open(&b.g.warps, WARPS_WARP, FIRST, true, &b.extended));
  assert_int_equal(b.first.opened, 1);
  gpu_close(&b.g);
}

static void warps_that_end_or_begin_are_reset(void **state)
{
  (void)state;
  static struct bench b;
  open_bench(&b);
  sl_core_sync_ask(&b.g.warps.s.sync, 0, 3, WARPS_CODE + 16);
  assert_int_equal(sl_ipdom_begin_spawned(&b.g.warps), 7);
  assert_int_equal(b.first.reset, 6);
  assert_int_equal(b.second.reset, 6);
  assert_int_equal(b.g.warps.warp[2].pc, WARPS_CODE + 16);
  sl_ipdom_end(&b.g.warps, 0);
  assert_int_equal(b.first.reset, 7);
  assert_int_equal(b.g.warps.s.sync.active, 6);
  gpu_close(&b.g);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_instruction_passes_through_its_extensions),
      cmocka_unit_test(illegal_instructions_fault),
      cmocka_unit_test(extensions_own_their_csrs),
      cmocka_unit_test(warps_that_end_or_begin_are_reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
