/* device/host_jit.h: the state after any number of instructions is the interpreter's. Random programs, executed in
 * pieces of random length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "device/host_cpu.h"
#include "device/host_jit.h"

enum {
  WORDS = 256,
  LENGTH = 120,
  BASE = 0x10000,
  DATA = 0x80000,
  LOW = DATA - 64,
  AREA = 1 << 17,
  POINTER = 8,
  LINK = 9
};

static uint64_t seed;

static uint32_t below(uint32_t n)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)(seed >> 20) % n;
}

static const struct {
  uint32_t match;
  char format;
} rows[] = {
    {0x37, 'U'},       {0x17, 'U'},       {0x6f, 'J'},       {0x67, 'X'},       {0x63, 'B'},       {0x1063, 'B'},
    {0x4063, 'B'},     {0x5063, 'B'},     {0x6063, 'B'},     {0x7063, 'B'},     {0x03, 'L'},       {0x1003, 'L'},
    {0x2003, 'L'},     {0x4003, 'L'},     {0x5003, 'L'},     {0x23, 'S'},       {0x1023, 'S'},     {0x2023, 'S'},
    {0x13, 'I'},       {0x2013, 'I'},     {0x3013, 'I'},     {0x4013, 'I'},     {0x6013, 'I'},     {0x7013, 'I'},
    {0x1013, 'H'},     {0x5013, 'H'},     {0x40005013, 'H'}, {0x33, 'R'},       {0x40000033, 'R'}, {0x1033, 'R'},
    {0x2033, 'R'},     {0x3033, 'R'},     {0x4033, 'R'},     {0x5033, 'R'},     {0x40005033, 'R'}, {0x6033, 'R'},
    {0x7033, 'R'},     {0x0f, 'N'},       {0x73, 'E'},       {0x1073, 'C'},     {0x02000033, 'R'}, {0x02001033, 'R'},
    {0x02002033, 'R'}, {0x02003033, 'R'}, {0x02004033, 'R'}, {0x02005033, 'R'}, {0x02006033, 'R'}, {0x02007033, 'R'},
    {0x202f, 'A'},     {0x1000202f, 'Q'}, {0x1800202f, 'A'},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Offset of a jump: mostly to another instruction of the program, seldom to itself or between two. */
static uint32_t offset_at(uint32_t index)
{
  const uint32_t to = below(LENGTH + 2);
  return 4 * (to - index) + (below(60) == 0 ? 2 : 0);
}

static uint32_t random_word(uint32_t index)
{
  const uint32_t r = below(ROWS), m = rows[r].match, imm = below(4096);
  uint32_t rd = below(16) << 7, rs1 = below(16) << 15;
  const uint32_t rs2 = below(16) << 20, pointer = below(30) ? POINTER << 15 : rs1, o = offset_at(index);
  if (rd == POINTER << 7 || (rd == LINK << 7 && below(4) != 0))
    rd = 0;
  switch (rows[r].format) {
  case 'U': return m | rd | below(1 << 20) << 12;
  case 'J': return m | rd | (o >> 20 & 1) << 31 | (o >> 1 & 0x3ff) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 0xff) << 12;
  case 'X': return m | rd | LINK << 15 | (below(8) ? 0 : below(12) << 20);
  case 'B':
    return m | rs1 | rs2 | (o >> 12 & 1) << 31 | (o >> 5 & 0x3f) << 25 | (o >> 1 & 15) << 8 | (o >> 11 & 1) << 7;
  case 'L': return m | rd | pointer | (below(20) ? imm & ~3u : imm) << 20;
  case 'S': {
    const uint32_t at = below(20) ? imm & ~3u : imm;
    return m | pointer | rs2 | (at >> 5) << 25 | (at & 31) << 7;
  }
  case 'H': return m | rd | rs1 | (imm & 31) << 20;
  case 'N': return m;
  case 'E': return below(8) == 0 ? m : 0x13;
  case 'C': return m | rd | rs1 | 0x800u << 20;
  case 'A': return m | rd | POINTER << 15 | rs2;
  case 'Q': return m | rd | POINTER << 15;
  case 'I': return m | rd | rs1 | imm << 20;
  default: return m | rd | rs1 | rs2;
  }
}

struct side {
  struct sl_memory memory;
  struct sl_host host;
};

static void open_side(struct side *s, bool jit)
{
  struct sl_error err;
  assert_int_equal(sl_memory_init(&s->memory, LOW, &err), SL_OK);
  assert_int_equal(sl_host_init(&s->host, &s->memory, BASE, WORDS, SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR, &err),
                   SL_OK);
  s->host.jit.begins = jit ? 0 : UINT64_MAX;
}

static void close_side(struct side *s)
{
  sl_host_free(&s->host);
  sl_memory_free(&s->memory);
}

static enum sl_host_stop step(struct side *s, uint64_t budget)
{
  const enum sl_host_stop stop = sl_host_run(&s->host, budget);
  if (stop == SL_HOST_CSR)
    sl_host_finish_csr(&s->host, 0x1234567 * (uint32_t)s->host.instructions);
  return stop;
}

static void assert_same(const struct side *a, const struct side *b)
{
  assert_int_equal(a->host.pc, b->host.pc);
  assert_int_equal(a->host.instructions, b->host.instructions);
  assert_memory_equal(a->host.x, b->host.x, 4 * SL_HOST_SINK);
  assert_int_equal(a->host.fault.kind, b->host.fault.kind);
  assert_int_equal(a->host.fault.address, b->host.fault.address);
}

static void assert_same_memory(const struct side *a, const struct side *b)
{
  for (uint32_t at = DATA; at < DATA + AREA; at += SL_PAGE_BYTES)
    assert_memory_equal(sl_memory_peek(&a->memory, at), sl_memory_peek(&b->memory, at), SL_PAGE_BYTES);
}

/* Returns the instructions that have been executed as machine code. */
static uint64_t compare(uint64_t number)
{
  struct side a, b;
  uint64_t translated = 0;
  seed = number * UINT64_C(0x9e3779b97f4a7c15) + 1;
  open_side(&a, true);
  open_side(&b, false);
  for (uint32_t i = 0; i < LENGTH; i++) {
    const uint32_t word = random_word(i);
    sl_host_write_code(&a.host, BASE + 4 * i, word);
    sl_host_write_code(&b.host, BASE + 4 * i, word);
  }
  for (unsigned r = 1; r < 16; r++)
    a.host.x[r] = below(3) ? below(9) - 4 : below(UINT32_MAX);
  a.host.x[5] = UINT32_C(1) << 31;
  a.host.x[LINK] = BASE + 4 * below(LENGTH);
  a.host.x[POINTER] = LOW + 2030; /* accesses reach below the memory, and two pages */
  memcpy(b.host.x, a.host.x, sizeof a.host.x);
  a.host.pc = b.host.pc = BASE + 4;
  for (unsigned i = 0; i < 60; i++) {
    const uint64_t budget = 1 + below(below(3) ? 12 : 400);
    const enum sl_host_stop one = step(&a, budget), other = step(&b, budget);
    assert_int_equal(one, other);
    assert_same(&a, &b);
    translated = a.host.jit.executed;
    if (one == SL_HOST_FAULTED || one == SL_HOST_SPINS || one == SL_HOST_RETURNED)
      break;
  }
  assert_same_memory(&a, &b);
  close_side(&a);
  close_side(&b);
  return translated;
}

static void machine_code_does_what_the_interpreter_does(void **state)
{
  (void)state;
  const char *programs = getenv("PROGRAMS");
  const uint64_t count = programs != NULL ? strtoull(programs, NULL, 10) : 1500;
  uint64_t translated = 0;
  for (uint64_t i = 0; i < count; i++)
    translated += compare(i);
  assert_true(translated > 10 * count);
}

/* New code drops the translation of the old. */
static void written_code_is_executed(void **state)
{
  (void)state;
  struct side s;
  open_side(&s, true);
  const uint32_t loop[] = {0x13, 0x00150513, 0xffdff06f, 0x13}; /* nop; addi a0, a0, 1; j back; nop */
  for (uint32_t i = 0; i < 4; i++)
    sl_host_write_code(&s.host, BASE + 4 * i, loop[i]);
  s.host.pc = BASE + 4;
  assert_int_equal(sl_host_run(&s.host, 2000), SL_HOST_BUDGET);
  assert_int_equal(s.host.x[10], 1000);
  sl_host_write_code(&s.host, BASE + 4, 0x00250513);
  assert_int_equal(sl_host_run(&s.host, 2000), SL_HOST_BUDGET);
  assert_int_equal(s.host.x[10], 3000);
  close_side(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(machine_code_does_what_the_interpreter_does),
      cmocka_unit_test(written_code_is_executed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
