/* DRAM controllers keep every declared constraint; cycle counts follow from the constraints.
 *
 * A read taken in cycle c by an idle DRAM completes in c + 1 + CL + BL in an open row, RCD later in a closed one, and
 * RP + RCD later if another row is open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "timing/memory/dram_controller.h"

enum { MAX_TRACE = 1 << 15, LINE = 64, BIT_CHANNEL = 1 << 6, BIT_PSEUDO = 1 << 12, BIT_GROUP = 1 << 13, ROW = 1 << 17 };

struct traced {
  struct sl_dram_issue issue;
  unsigned channel;
};

struct bench {
  struct sl_dram_controller d;
  uint64_t now;
  unsigned issues;
  struct traced trace[MAX_TRACE];
  unsigned done;
  struct sl_dram_read read[MAX_TRACE];
};

static struct bench *make_bench(const struct sl_dram_spec *spec)
{
  struct bench *b = calloc(1, sizeof(*b));
  struct sl_error err;
  assert_non_null(b);
  assert_int_equal(sl_dram_spec_check(spec, &err), SL_OK);
  sl_dram_controller_init(&b->d, spec);
  return b;
}

static struct bench *hbm2(void)
{
  const struct sl_dram_spec spec = sl_dram_default_spec(&sl_dram_hbm2);
  return make_bench(&spec);
}

static struct bench *ddr4(void)
{
  const struct sl_dram_spec spec = sl_dram_default_spec(&sl_dram_ddr4);
  return make_bench(&spec);
}

/* The DRAM's part of a cycle; requests are taken after it. */
static void step(struct bench *b)
{
  b->now++;
  sl_dram_controller_cycle(&b->d, b->now);
  for (unsigned c = 0; c < b->d.plan.channels; c++)
    if (b->d.channel[c].latest.tick == b->now && b->issues < MAX_TRACE)
      b->trace[b->issues++] = (struct traced){b->d.channel[c].latest, c};
  struct sl_dram_read read;
  while (sl_dram_take_done(&b->d, &read)) {
    assert_true(b->done < MAX_TRACE);
    b->read[b->done++] = read;
  }
}

static void take(struct bench *b, uint64_t address, bool write, uint64_t tag)
{
  assert_true(sl_dram_take(&b->d, b->now, address, write, tag));
}

static void run_to(struct bench *b, uint64_t end)
{
  while (b->now < end)
    step(b);
}

/* Steps until nothing is in flight. */
static void drain(struct bench *b)
{
  while (sl_dram_controller_next(&b->d, b->now + 1) != UINT64_MAX)
    step(b);
}

/* Cycles from taking a read to its data, on an idle DRAM. */
static uint64_t read_latency(struct bench *b, uint64_t address)
{
  run_to(b, b->now + 100);
  const uint64_t start = b->now;
  const unsigned before = b->done;
  take(b, address, false, 0);
  while (b->done == before)
    step(b);
  return b->now - start;
}

static unsigned node_of(const struct sl_dram_standard *s, unsigned level, unsigned bank)
{
  const unsigned per[SL_DRAM_LEVELS] = {sl_dram_channel_banks(s), s->bank_groups * s->banks, s->banks, 1};
  return bank / per[level];
}

/* Checks the constraint directly: each command against the window-th previous one at the same node. */
static void check_constraint(const struct bench *b, const struct sl_dram_standard *s,
                             const struct sl_dram_constraint *c, unsigned i)
{
  const struct traced *next = &b->trace[i];
  unsigned found = 0;
  for (unsigned k = i; k-- > 0 && found < c->window;) {
    const struct traced *previous = &b->trace[k];
    if (next->issue.tick - previous->issue.tick >= c->cycles)
      return;
    if (previous->channel != next->channel || (unsigned)previous->issue.command != c->previous ||
        node_of(s, c->level, previous->issue.bank) != node_of(s, c->level, next->issue.bank))
      continue;
    found++;
  }
  assert_true(found < c->window);
}

static void check_constraints(const struct bench *b, const struct sl_dram_standard *s)
{
  assert_true(b->issues > 0 && b->issues < MAX_TRACE);
  for (unsigned i = 0; i < b->issues; i++)
    for (unsigned k = 0; k < s->constraints; k++)
      if ((unsigned)b->trace[i].issue.command == s->constraint[k].next)
        check_constraint(b, s, &s->constraint[k], i);
}

/* Rows open in closed banks only, are used before they close, and refresh when all are closed. */
static void check_states(const struct bench *b)
{
  uint64_t open[SL_DRAM_MAX_CHANNELS] = {0}, used[SL_DRAM_MAX_CHANNELS] = {0};
  uint32_t row[SL_DRAM_MAX_CHANNELS][SL_DRAM_MAX_BANKS] = {{0}};
  for (unsigned i = 0; i < b->issues; i++) {
    const struct sl_dram_issue issue = b->trace[i].issue;
    const unsigned c = b->trace[i].channel;
    const bool is_open = open[c] >> issue.bank & 1;
    switch (issue.command) {
    case SL_DRAM_ACT:
      assert_false(is_open);
      open[c] |= sl_bit(issue.bank);
      used[c] &= ~sl_bit(issue.bank);
      row[c][issue.bank] = issue.row;
      break;
    case SL_DRAM_PRE:
      assert_true(is_open && (used[c] >> issue.bank & 1));
      open[c] &= ~sl_bit(issue.bank);
      break;
    case SL_DRAM_PREA:
      assert_int_equal(open[c] & ~used[c], 0);
      open[c] = 0;
      break;
    case SL_DRAM_REFAB: assert_int_equal(open[c], 0); break;
    default:
      assert_true(is_open && row[c][issue.bank] == issue.row);
      used[c] |= sl_bit(issue.bank);
      break;
    }
  }
}

/* Random requests, in phases: few rows or many, one pseudo-channel or all, reads or writes or both. */
static void random_requests(struct bench *b, uint64_t seed, unsigned cycles)
{
  uint64_t mask = 0, tag = 0;
  unsigned writes = 0, pace = 1;
  for (unsigned i = 0; i < cycles; i++) {
    if (i % 512 == 0) {
      const uint64_t masks[] = {0xffc0, 0x3ffc0, 0xfffffc0, 0xffe0fc0};
      mask = masks[random64(&seed) % 4];
      writes = (unsigned)(random64(&seed) % 5);
      pace = 1 + (unsigned)(random64(&seed) % 6);
    }
    if (i % pace == 0) {
      const bool write = random64(&seed) % 4 < writes;
      if (sl_dram_take(&b->d, b->now, random64(&seed) & mask, write, tag))
        tag++;
    }
    step(b);
  }
}

static void constraints_hold(const struct sl_dram_spec *spec)
{
  struct bench *b = make_bench(spec);
  random_requests(b, 5, 8000);
  check_constraints(b, spec->standard);
  check_states(b);
  free(b);
}

static void constraints_hold_in_hbm2(void **state)
{
  (void)state;
  struct sl_dram_spec spec = sl_dram_default_spec(&sl_dram_hbm2);
  for (unsigned order = SL_DRAM_READY_FIRST; order <= SL_DRAM_OLDEST_FIRST; order++) {
    spec.order = (enum sl_dram_order)order;
    constraints_hold(&spec);
  }
}

static void constraints_hold_in_ddr4(void **state)
{
  (void)state;
  const struct sl_dram_spec spec = sl_dram_default_spec(&sl_dram_ddr4);
  constraints_hold(&spec);
}

static void constraints_hold_with_refresh(void **state)
{
  (void)state;
  struct sl_dram_spec spec = sl_dram_default_spec(&sl_dram_hbm2);
  spec.refresh = true;
  constraints_hold(&spec);
}

/* A conflict right after a miss: the row closes as soon as RAS allows and opens again RP later. */
static void a_conflict_behind_a_miss_waits_for_ras(void **state)
{
  (void)state;
  struct bench *b = hbm2();
  take(b, 0, false, 0);
  take(b, ROW, false, 1);
  drain(b);
  assert_int_equal(b->issues, 5);
  assert_int_equal(b->trace[2].issue.command, SL_DRAM_PRE);
  assert_int_equal(b->trace[2].issue.tick - b->trace[0].issue.tick, sl_dram_parameter(&sl_dram_hbm2, "RAS"));
  assert_int_equal(b->trace[3].issue.tick - b->trace[2].issue.tick, sl_dram_parameter(&sl_dram_hbm2, "RP"));
  free(b);
}

static void latencies_of_hbm2(void **state)
{
  (void)state;
  struct bench *b = hbm2();
  assert_int_equal(read_latency(b, 0), 1 + 7 + 11);
  assert_int_equal(read_latency(b, 128), 1 + 11);
  assert_int_equal(read_latency(b, ROW), 1 + 7 + 7 + 11);
  assert_int_equal(b->d.statistics.row_misses, 1);
  assert_int_equal(b->d.statistics.row_hits, 1);
  assert_int_equal(b->d.statistics.row_conflicts, 1);
  free(b);
}

static void latencies_of_ddr4(void **state)
{
  (void)state;
  struct bench *b = ddr4();
  const struct sl_dram_standard *s = &sl_dram_ddr4;
  const unsigned hit = 1 + sl_dram_parameter(s, "CL") + sl_dram_parameter(s, "BL");
  const unsigned row = s->rows / 2;
  assert_int_equal(read_latency(b, 0), hit + sl_dram_parameter(s, "RCD"));
  assert_int_equal(read_latency(b, LINE), hit);
  assert_int_equal(read_latency(b, (uint64_t)row << b->d.plan.mapping.row.low),
                   hit + sl_dram_parameter(s, "RP") + sl_dram_parameter(s, "RCD"));
  assert_int_equal(hit, 22);
  free(b);
}

/* Cycles per request with a full queue; request i is at address_of(i). */
static double service(struct bench *b, uint64_t (*address_of)(unsigned i), unsigned write_every)
{
  enum { WARM = 200, COUNTED = 1000 };
  uint64_t start = 0;
  for (unsigned i = 0; i < WARM + COUNTED;) {
    if (i == WARM && start == 0)
      start = b->now;
    if (sl_dram_take(&b->d, b->now, address_of(i), write_every > 0 && i % write_every == 0, i))
      i++;
    else
      step(b);
  }
  return (double)(b->now - start) / COUNTED;
}

static uint64_t same_row(unsigned i)
{
  return i % 32 * 128;
}

static uint64_t two_channels(unsigned i)
{
  return i % 2 * BIT_CHANNEL;
}

static uint64_t two_pseudo_channels(unsigned i)
{
  return i % 2 * BIT_PSEUDO;
}

static uint64_t two_groups(unsigned i)
{
  return i % 2 * BIT_GROUP;
}

/* Banks in turn, a new row each: bits 16:13 are group and bank. */
static uint64_t new_rows(unsigned i)
{
  return (uint64_t)(i % 16) * BIT_GROUP + (uint64_t)(i / 16 % 1024) * ROW;
}

static double service_of(uint64_t (*address_of)(unsigned i), unsigned write_every)
{
  struct bench *b = hbm2();
  const double cycles = service(b, address_of, write_every);
  free(b);
  return cycles;
}

static void assert_near(double value, double expected, double distance)
{
  assert_true(value >= expected - distance && value <= expected + distance);
}

static void a_pseudo_channel_serves_a_request_in_four_cycles(void **state)
{
  (void)state;
  assert_near(service_of(same_row, 0), 4, 0.05);
  assert_near(service_of(same_row, 1), 4, 0.05);
  assert_near(service_of(two_groups, 0), 4, 0.05);
  assert_near(service_of(new_rows, 0), 4, 0.1);
  assert_near(service_of(new_rows, 1), 4, 0.1);
}

static void two_pseudo_channels_serve_a_request_in_two_cycles(void **state)
{
  (void)state;
  assert_near(service_of(two_pseudo_channels, 0), 2, 0.05);
  assert_near(service_of(two_channels, 1), 2, 0.05);
}

/* A drain of 20 writes costs one turnaround each way, 11 and 9 or 10 cycles instead of 4 each. */
static void mixed_requests_take_bus_turnarounds(void **state)
{
  (void)state;
  const double cycles = service_of(same_row, 2);
  assert_true(cycles > 4 && cycles < 4.4);
}

static uint64_t turn(bool write_first)
{
  struct bench *b = hbm2();
  read_latency(b, 0);
  read_latency(b, BIT_GROUP);
  drain(b);
  const unsigned before = b->issues;
  take(b, 0, write_first, 0);
  step(b);
  take(b, BIT_GROUP, !write_first, 1);
  drain(b);
  assert_int_equal(b->issues, before + 2);
  const uint64_t cycles = b->trace[before + 1].issue.tick - b->trace[before].issue.tick;
  free(b);
  return cycles;
}

static void bus_turnaround(void **state)
{
  (void)state;
  assert_int_equal(turn(false), 11);
  assert_int_equal(turn(true), 9);
}

static void a_read_of_a_queued_write_is_forwarded(void **state)
{
  (void)state;
  struct bench *b = hbm2();
  take(b, 0, true, 0);
  take(b, 0, false, 7);
  step(b);
  assert_int_equal(b->done, 1);
  assert_int_equal(b->read[0].tag, 7);
  assert_int_equal(b->d.statistics.forwarded, 1);
  take(b, LINE * 8, true, 0);
  take(b, LINE * 10, false, 8);
  step(b);
  assert_int_equal(b->done, 1);
  free(b);
}

static void a_full_queue_refuses_requests(void **state)
{
  (void)state;
  for (unsigned write = 0; write < 2; write++) {
    struct bench *b = hbm2();
    for (unsigned i = 0; i < 33; i++)
      take(b, i * 128, write, i);
    assert_false(sl_dram_can_take(&b->d, 64 * 128, write));
    assert_false(sl_dram_take(&b->d, b->now, 64 * 128, write, 99));
    assert_true(sl_dram_can_take(&b->d, BIT_CHANNEL, write));
    assert_true(sl_dram_can_take(&b->d, 64 * 128, !write));
    step(b);
    /* The ACT moved a request out of the queue. */
    assert_true(sl_dram_can_take(&b->d, 64 * 128, write));
    free(b);
  }
}

/* Below the high watermark reads have priority; from it on writes do, down to the low watermark. */
static void writes_drain_between_the_watermarks(void **state)
{
  (void)state;
  struct bench *b = hbm2();
  read_latency(b, 0);
  for (unsigned i = 0; i < 26; i++) {
    if (i < 20)
      take(b, 128 * (1 + i % 31), false, i);
    take(b, 128 * (1 + i), true, i);
  }
  const unsigned before = b->issues;
  drain(b);
  unsigned i = before;
  while (b->trace[i].issue.command == SL_DRAM_WR)
    i++;
  assert_int_equal(i - before, 26 - 6);
  unsigned reads = 0;
  for (; b->trace[i].issue.command == SL_DRAM_RD; i++)
    reads++;
  assert_int_equal(reads, b->done - 1 - b->d.statistics.forwarded);
  assert_int_equal(b->issues - i, 6);
  free(b);
}

static void the_oldest_ready_request_goes_first(void **state)
{
  (void)state;
  struct bench *b = hbm2();
  read_latency(b, 0);
  take(b, ROW, false, 1);
  take(b, 128, false, 2);
  take(b, 256, false, 3);
  step(b);
  /* The row may close at once, so the conflict comes first. */
  assert_int_equal(b->trace[b->issues - 1].issue.command, SL_DRAM_PRE);
  free(b);
}

static void hits_first(void **state)
{
  (void)state;
  struct sl_dram_spec spec = sl_dram_default_spec(&sl_dram_hbm2);
  spec.order = SL_DRAM_HIT_FIRST;
  struct bench *b = make_bench(&spec);
  read_latency(b, 0);
  take(b, ROW, false, 1);
  take(b, 128, false, 2);
  step(b);
  assert_int_equal(b->trace[b->issues - 1].issue.command, SL_DRAM_RD);
  drain(b);
  assert_int_equal(b->read[1].tag, 2);
  assert_int_equal(b->read[2].tag, 1);
  free(b);
}

static void refresh(void **state)
{
  (void)state;
  struct sl_dram_spec spec = sl_dram_default_spec(&sl_dram_hbm2);
  spec.refresh = true;
  struct bench *b = make_bench(&spec);
  read_latency(b, 0);
  run_to(b, 3900 + 10);
  /* Channel 0 had a row open. */
  assert_int_equal(b->d.channel[0].latest.command, SL_DRAM_REFAB);
  assert_int_equal(b->d.channel[0].latest.tick, 3900 + 7);
  assert_int_equal(b->d.channel[1].latest.tick, 3900);
  assert_int_equal(b->d.statistics.refreshes, 8);
  const unsigned before = b->done;
  take(b, 0, false, 0);
  while (b->done == before)
    step(b);
  assert_int_equal(b->now, 3907 + 350 + 7 + 11);
  run_to(b, 10 * 3900 + 100);
  assert_int_equal(b->d.statistics.refreshes, 80);
  free(b);
}

static void refresh_is_off_by_default(void **state)
{
  (void)state;
  struct bench *b = hbm2();
  random_requests(b, 3, 9000);
  assert_int_equal(b->d.statistics.refreshes, 0);
  free(b);
}

/* The same requests with the controller called in every cycle, and only at its events. */
static void compare_skipping(const struct sl_dram_spec *spec)
{
  struct sl_dram_controller *stepped = malloc(sizeof(*stepped)), *skipping = malloc(sizeof(*skipping));
  assert_true(stepped != NULL && skipping != NULL);
  sl_dram_controller_init(stepped, spec);
  sl_dram_controller_init(skipping, spec);
  uint64_t seed = 11, calls = 0, gap = 1;
  for (uint64_t cycle = 1; cycle < 20000; cycle++) {
    /* Called in every cycle, regardless of its next event. */
    for (uint64_t c = 0; c < stepped->plan.channels; c++) {
      stepped->channel[c].next = stepped->channel[c].next_command = sl_dram_tick(&stepped->plan, cycle - 1) + 1;
      stepped->working |= sl_bit((unsigned)c);
    }
    stepped->next = stepped->channel[0].next;
    sl_dram_controller_run(stepped, cycle);
    if (sl_dram_controller_next(skipping, cycle) == cycle) {
      sl_dram_controller_cycle(skipping, cycle);
      calls++;
    }
    struct sl_dram_read a, b;
    while (sl_dram_take_done(stepped, &a)) {
      assert_true(sl_dram_take_done(skipping, &b));
      assert_int_equal(a.tag, b.tag);
      assert_int_equal(a.ready, b.ready);
    }
    assert_false(sl_dram_take_done(skipping, &b));
    for (unsigned c = 0; c < stepped->plan.channels; c++)
      assert_memory_equal(&stepped->channel[c].latest, &skipping->channel[c].latest, sizeof(struct sl_dram_issue));
    if (cycle % 1024 == 0)
      gap = 1 + random64(&seed) % 64;
    if (cycle % gap == 0) {
      const uint64_t address = random64(&seed) & 0xff1fc0;
      const bool write = random64(&seed) % 3 == 0;
      assert_int_equal(sl_dram_take(stepped, cycle, address, write, cycle),
                       sl_dram_take(skipping, cycle, address, write, cycle));
    }
  }
  assert_true(calls < 19000);
  assert_memory_equal(&stepped->statistics, &skipping->statistics, sizeof(stepped->statistics));
  free(stepped);
  free(skipping);
}

static void skipping_equals_stepping(void **state)
{
  (void)state;
  struct sl_dram_spec spec = sl_dram_default_spec(&sl_dram_hbm2);
  compare_skipping(&spec);
  spec.refresh = true;
  compare_skipping(&spec);
  spec = sl_dram_default_spec(&sl_dram_ddr4);
  compare_skipping(&spec);
}

static void a_slower_clock(void **state)
{
  (void)state;
  struct sl_dram_spec spec = sl_dram_default_spec(&sl_dram_hbm2);
  spec.clock_denominator = 2;
  struct bench *b = make_bench(&spec);
  assert_int_equal(read_latency(b, 0), 2 * (1 + 7 + 11));
  compare_skipping(&spec);
  spec.clock_numerator = 3;
  compare_skipping(&spec);
  free(b);
}

static void a_copy_continues_identically(void **state)
{
  (void)state;
  struct bench *b = hbm2();
  random_requests(b, 21, 1000);
  struct bench *copy = malloc(sizeof(*copy));
  assert_non_null(copy);
  memcpy(copy, b, sizeof(*b));
  random_requests(b, 22, 1000);
  random_requests(copy, 22, 1000);
  assert_memory_equal(b, copy, sizeof(*b));
  free(b);
  free(copy);
}

static void address_mapping_of_the_reference(void **state)
{
  (void)state;
  const struct sl_dram_mapping m = sl_dram_mapping(&sl_dram_hbm2, sl_dram_unit_bytes(&sl_dram_hbm2));
  assert_int_equal(m.level[SL_DRAM_CHANNEL].low, 4);
  assert_int_equal(m.level[SL_DRAM_CHANNEL].bits, 3);
  assert_int_equal(m.level[SL_DRAM_PSEUDO_CHANNEL].low, 12);
  assert_int_equal(m.level[SL_DRAM_BANK_GROUP].low, 13);
  assert_int_equal(m.level[SL_DRAM_BANK].low, 15);
  assert_int_equal(m.row.low, 17);
  const struct sl_dram_mapping lines = sl_dram_mapping(&sl_dram_hbm2, LINE);
  assert_int_equal(lines.level[SL_DRAM_CHANNEL].low, 6);
  assert_int_equal(lines.row.low, 17);
}

static void impossible_specs_are_refused(void **state)
{
  (void)state;
  struct sl_error err;
  struct sl_dram_spec spec = sl_dram_default_spec(&sl_dram_hbm2);
  spec.drain_low = spec.drain_high;
  assert_int_equal(sl_dram_spec_check(&spec, &err), SL_USAGE);
  spec = sl_dram_default_spec(&sl_dram_hbm2);
  spec.read_queue = SL_DRAM_MAX_QUEUE + 1;
  assert_int_equal(sl_dram_spec_check(&spec, &err), SL_USAGE);
  spec = sl_dram_default_spec(&sl_dram_hbm2);
  spec.unit_bytes = 8;
  assert_int_equal(sl_dram_spec_check(&spec, &err), SL_USAGE);
  struct sl_dram_standard wide = sl_dram_ddr4;
  wide.pseudo_channels = 4;
  spec = sl_dram_default_spec(&wide);
  assert_int_equal(sl_dram_spec_check(&spec, &err), SL_USAGE);
  const struct sl_dram_constraint low = {SL_DRAM_BANK, SL_DRAM_RD, SL_DRAM_PREA, 1, 3};
  wide = sl_dram_ddr4;
  wide.constraint = &low;
  wide.constraints = 1;
  assert_int_equal(sl_dram_standard_check(&wide, &err), SL_USAGE);
}

/* Lines of open rows, spread over all channels, as many as the controller takes. */
static double bytes_per_cycle(struct bench *b, const unsigned *bits, unsigned count)
{
  enum { CYCLES = 4000 };
  unsigned n = 0;
  while (b->now < CYCLES) {
    for (unsigned k = 0; k < 4; k++) {
      uint64_t address = (n / 64 % 16) * 2 * BIT_CHANNEL; /* along the rows */
      for (unsigned i = 0; i < count; i++)
        address |= (uint64_t)(n >> i & 1) << bits[i];
      n += sl_dram_take(&b->d, b->now, address, false, n);
    }
    step(b);
  }
  return (double)b->done * LINE / CYCLES;
}

static void reads_approach_but_do_not_exceed_the_peak(void **state)
{
  (void)state;
  const unsigned hbm2_bits[] = {6, 12, 13, 14}, ddr4_bits[] = {13, 14};
  struct bench *b = hbm2();
  const double peak = sl_dram_peak(&sl_dram_hbm2, sl_dram_unit_bytes(&sl_dram_hbm2), LINE);
  const double most = bytes_per_cycle(b, hbm2_bits, 4);
  assert_true(most <= peak && most > 0.95 * peak);
  assert_true(peak > 63.9 && peak < 64.1); /* 2 channels x 2 pseudo-channels x 64 bytes in 4 cycles */
  free(b);
  b = ddr4();
  const double ddr4_peak = sl_dram_peak(&sl_dram_ddr4, LINE, LINE), ddr4_most = bytes_per_cycle(b, ddr4_bits, 2);
  assert_true(ddr4_most <= ddr4_peak && ddr4_most > 0.95 * ddr4_peak);
  assert_true(ddr4_peak > 15.9 && ddr4_peak < 16.1); /* 64 bytes in 4 cycles */
  free(b);
  const double spread = sl_dram_peak(&sl_dram_hbm2, LINE, LINE); /* lines reach all 8 channels */
  assert_true(spread > 255.9 && spread < 256.1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constraints_hold_in_hbm2),
      cmocka_unit_test(constraints_hold_in_ddr4),
      cmocka_unit_test(constraints_hold_with_refresh),
      cmocka_unit_test(a_conflict_behind_a_miss_waits_for_ras),
      cmocka_unit_test(latencies_of_hbm2),
      cmocka_unit_test(latencies_of_ddr4),
      cmocka_unit_test(a_pseudo_channel_serves_a_request_in_four_cycles),
      cmocka_unit_test(two_pseudo_channels_serve_a_request_in_two_cycles),
      cmocka_unit_test(mixed_requests_take_bus_turnarounds),
      cmocka_unit_test(bus_turnaround),
      cmocka_unit_test(a_read_of_a_queued_write_is_forwarded),
      cmocka_unit_test(a_full_queue_refuses_requests),
      cmocka_unit_test(writes_drain_between_the_watermarks),
      cmocka_unit_test(the_oldest_ready_request_goes_first),
      cmocka_unit_test(hits_first),
      cmocka_unit_test(refresh),
      cmocka_unit_test(refresh_is_off_by_default),
      cmocka_unit_test(skipping_equals_stepping),
      cmocka_unit_test(a_slower_clock),
      cmocka_unit_test(a_copy_continues_identically),
      cmocka_unit_test(address_mapping_of_the_reference),
      cmocka_unit_test(impossible_specs_are_refused),
      cmocka_unit_test(reads_approach_but_do_not_exceed_the_peak),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
