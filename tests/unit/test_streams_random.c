/* Timing of streaming lanes with random programs: function ahead of issue, restarts, any latency. The requested lines
 * are those of the addresses that instructions use, in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"
#include "stream_bench.h"

enum { READ = SL_STREAM_PREFETCH | SL_STREAM_REDIRECT, WRITE = SL_STREAM_WRITE | SL_STREAM_REDIRECT, CREDITS = 4 };

static struct stream_bench bench;

static int setup(void **state)
{
  *state = &bench;
  return bench_open(&bench, true, CREDITS) != SL_OK;
}

static int teardown(void **state)
{
  bench_close(*state);
  return 0;
}

enum { IN_FLIGHT = 6, MAX_LINES = 256 };

/* An instruction between function and commit, with its expected values. */
struct pending {
  struct sl_stream_use use;
  sl_lanes active;
  uint32_t lines[SL_STREAMS_MAX][BENCH_LANES]; /* of the elements read */
  unsigned line_count[SL_STREAMS_MAX];
};

struct answer {
  struct sl_extension_request request;
  unsigned due;
};

struct random_run {
  struct stream_bench *b;
  uint64_t seed;
  unsigned now;
  struct pending queue[IN_FLIGHT];
  unsigned queued;
  struct answer answers[MAX_LINES];
  unsigned answered;
  /* Requested lines per slot, and their tag. */
  struct {
    uint32_t tag, line[BENCH_LANES];
    unsigned lines;
  } slot[SL_STREAMS_MAX][CREDITS];
  uint32_t base[SL_STREAMS_MAX], step[SL_STREAMS_MAX];
  uint32_t read[SL_STREAMS_MAX], wrote; /* elements of the epoch */
  uint32_t written[1024];               /* lines in order, of the one write stream */
  unsigned writes_expected, writes_seen;
};

static unsigned lines_of(uint32_t base, uint32_t step, uint32_t index, sl_lanes lanes, uint32_t out[BENCH_LANES])
{
  unsigned n = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint32_t line = (base + sl_lowest(lanes) * step + index * step * BENCH_LANES) & ~63u;
    bool known = false;
    for (unsigned i = 0; i < n; i++)
      known |= out[i] == line;
    if (!known)
      out[n++] = line;
  }
  return n;
}

static void restart(struct random_run *r, unsigned unit)
{
  r->base[unit] = unit * 0x800 + 4 * random_below(&r->seed, 64);
  r->read[unit] = 0;
  r->wrote = unit == 2 ? 0 : r->wrote;
  assert_null(bench_csr(r->b, 0, unit, SL_STREAM_BASE, r->base[unit], r->step[unit]));
}

/* Function of an instruction: it reads x9 and x10, writes x11 and sometimes reads it. */
static void perform(struct random_run *r)
{
  static const unsigned sources[] = {0, 9, 10, 5, 11};
  const struct sl_insn insn = bench_add(random_below(&r->seed, 2) ? 11 : 5, sources[random_below(&r->seed, 5)],
                                        sources[random_below(&r->seed, 5)]);
  struct pending *p = &r->queue[r->queued++];
  *p = (struct pending){.active = random64(&r->seed) & BENCH_ALL};
  assert_null(bench_execute(r->b, 0, p->active, insn, &p->use));
  for (unsigned rest = p->use.reads; rest != 0; rest &= rest - 1) {
    const unsigned unit = sl_lowest(rest);
    p->line_count[unit] = lines_of(r->base[unit], r->step[unit], r->read[unit]++, BENCH_ALL, p->lines[unit]);
  }
  if (p->use.write >= 0) {
    uint32_t lines[BENCH_LANES];
    const unsigned n = lines_of(r->base[2], r->step[2], r->wrote++, p->active, lines);
    for (unsigned i = 0; i < n; i++)
      r->written[r->writes_expected++ % 1024] = lines[i];
  }
}

/* The oldest instruction issues if possible: it reads the elements that its FIFOs' heads have requested. */
static void issue(struct random_run *r)
{
  struct sl_streams *s = &r->b->s;
  struct pending *p = &r->queue[0];
  if (r->queued == 0 || !sl_streams_ready(s, 0, &p->use))
    return;
  for (unsigned rest = p->use.reads; rest != 0; rest &= rest - 1) {
    const unsigned unit = sl_lowest(rest), slot = sl_stream_of(s, 0, unit)->read_head;
    assert_int_equal(r->slot[unit][slot].lines, p->line_count[unit]);
    for (unsigned i = 0; i < p->line_count[unit]; i++)
      assert_int_equal(r->slot[unit][slot].line[i], p->lines[unit][i]);
  }
  sl_streams_issue(s, 0, &p->use);
  sl_streams_commit(s, 0, &p->use, p->active);
  for (unsigned i = 1; i < r->queued; i++)
    r->queue[i - 1] = r->queue[i];
  r->queued--;
}

static void request(struct random_run *r, const struct sl_extension_request *q)
{
  if (q->write) {
    assert_true(r->writes_seen < r->writes_expected);
    assert_int_equal(q->line, r->written[r->writes_seen++ % 1024]);
    return;
  }
  const unsigned slot = q->tag >> 9 & 31; /* after 3 bits of unit and 6 of warp */
  if (r->slot[q->unit][slot].tag != q->tag)
    r->slot[q->unit][slot].lines = 0;
  r->slot[q->unit][slot].tag = q->tag;
  r->slot[q->unit][slot].line[r->slot[q->unit][slot].lines++] = q->line;
  assert_true(r->answered < MAX_LINES);
  r->answers[r->answered++] = (struct answer){*q, r->now + 1 + random_below(&r->seed, 20)};
}

/* The number of valid entries, by which the arbiter decides, is stored, not counted each time. */
static void check_valid(const struct sl_streams *s)
{
  for (unsigned unit = 0; unit < BENCH_UNITS; unit++) {
    const struct sl_stream *stream = sl_stream_of(s, 0, unit);
    unsigned valid = 0;
    for (unsigned i = 0; i < stream->reads; i++) {
      const struct sl_stream_read *r = sl_stream_read_slot(s, stream, (stream->read_head + i) % CREDITS);
      valid += r->sent && r->lines == 0;
    }
    assert_int_equal(stream->valid, valid);
  }
}

static void random_cycle(struct random_run *r)
{
  struct sl_extension_request out[SL_STREAMS_MAX];
  const unsigned ports = random_below(&r->seed, 8), n = sl_streams_cycle(&r->b->s, ports, true, out);
  r->now++;
  for (unsigned i = 0; i < n; i++) {
    assert_true(ports >> out[i].port & 1);
    request(r, &out[i]);
  }
  for (unsigned i = 0; i < r->answered;) {
    if (r->answers[i].due > r->now) {
      i++;
      continue;
    }
    sl_streams_return(&r->b->s, r->answers[i].request.tag);
    r->answers[i] = r->answers[--r->answered];
  }
  issue(r);
  check_valid(&r->b->s);
}

static void random_streams_move_the_right_data(void **state)
{
  static struct random_run run;
  for (unsigned round = 0; round < 40; round++) {
    sl_streams_start(&bench.s);
    run = (struct random_run){.b = *state, .seed = round};
    memset(run.slot, 0xff, sizeof run.slot);
    const uint32_t mapping[] = {READ | 9, READ | 10, (round & 1 ? READ | WRITE : WRITE) | 11};
    for (unsigned unit = 0; unit < BENCH_UNITS; unit++) {
      run.step[unit] = 4u << random_below(&run.seed, 3);
      run.base[unit] = unit * 0x800;
      assert_null(bench_stream(run.b, 0, unit, mapping[unit], run.base[unit], run.step[unit]));
    }
    for (unsigned i = 0; i < 1500; i++) {
      if (run.queued < IN_FLIGHT && random_below(&run.seed, 2))
        perform(&run);
      for (unsigned unit = 0; unit < BENCH_UNITS; unit++)
        if (random_below(&run.seed, 24) == 0 || run.read[unit] >= 24 || (unit == 2 && run.wrote >= 24))
          restart(&run, unit);
      random_cycle(&run);
    }
    for (unsigned i = 0; i < 2000 && (run.queued > 0 || sl_streams_busy(&bench.s, 0, 2)); i++)
      random_cycle(&run);
    assert_int_equal(run.queued, 0);
    assert_int_equal(run.writes_seen, run.writes_expected);
    assert_true(run.writes_seen > 100 && bench.s.s.counters.dropped > 100 && bench.s.s.counters.elements_read > 100);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(random_streams_move_the_right_data, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
