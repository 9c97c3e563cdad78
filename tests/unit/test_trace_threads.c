/* Traces with and without a second thread: all formats are the same to the byte, and no event is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>

#include "isa/probe.h"
#include "machine/machine.h"
#include "observe/trace/trace.h"

enum { INSTRUCTIONS = 30000, WARPS = 16, LANES = 32, CODES = 50, EVENTS_OF_EACH = 4 };

static bool refuses; /* threads */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument)
{
  return refuses ? EAGAIN : __real_pthread_create(thread, attributes, begin, argument);
}

static void tell(struct sl_probes *probes, const struct sl_probe *probe)
{
  if (sl_probes_want(probes, probe->kind))
    assert_true(probes->tell(probes->context, probe));
}

/* Writes a record in place, as machines do. */
static void record(struct sl_probes *probes, enum sl_probe_kind kind, unsigned stage, uint64_t number, uint64_t cycle)
{
  *sl_record_add(probes, 0) = (struct sl_probe_record){.kind = (uint8_t)__builtin_ctz(kind),
                                                       .stage = (uint8_t)stage,
                                                       .id = number + 1,
                                                       .cycle = cycle,
                                                       .warp = (uint32_t)number % WARPS,
                                                       .pc = 4 * (number % CODES)};
}

/* Instruction N begins in cycle N, executes in N + 3 and ends in N + 7. */
static void step(struct sl_probes *probes, uint64_t cycle)
{
  uint64_t values[LANES];
  for (unsigned i = 0; i < LANES; i++)
    values[i] = cycle % 3 != 0 ? i * cycle : (cycle ^ i) * UINT64_C(0x9e3779b97f4a7c15) >> cycle % 64;
  if (cycle < INSTRUCTIONS)
    record(probes, SL_PROBE_FETCHED, 0, cycle, cycle);
  if (cycle >= 3 && cycle - 3 < INSTRUCTIONS) {
    const uint64_t number = cycle - 3;
    record(probes, SL_PROBE_ISSUED, 1, number, cycle);
    tell(probes, &(struct sl_probe){.kind = SL_PROBE_EXECUTED,
                                    .id = number + 1,
                                    .cycle = cycle,
                                    .warp = (unsigned)number % WARPS,
                                    .pc = 4 * (number % CODES),
                                    .active = number % 5 != 0 ? UINT32_MAX : UINT32_C(0x5a5a1234),
                                    .lanes = LANES,
                                    .wide_values = values});
  }
  if (cycle >= 7 && cycle - 7 < INSTRUCTIONS)
    record(probes, SL_PROBE_RETIRED, 3, cycle - 7, cycle);
}

/* Makes a trace, and returns its contents. */
static char *trace_of(const char *format, bool threaded, size_t *size)
{
  char path[] = "/tmp/simtlab_trace_XXXXXX";
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  struct sl_trace_order order = {
      .format = sl_trace_format_of(format, NULL), .machine = &sl_simtight, .title = "events", .origin = "a test"};
  assert_int_equal(sl_commit_choose(&order.choice, NULL, NULL, NULL), SL_OK);
  struct sl_trace trace;
  refuses = !threaded;
  assert_int_equal(sl_trace_open(&trace, &order, path, NULL), SL_OK);
  refuses = false;
  struct sl_probes probes = sl_trace_probes(&trace);
  tell(&probes, &(struct sl_probe){.kind = SL_PROBE_LAUNCHED, .kernel = "kernel"});
  for (uint64_t cycle = 0; cycle < INSTRUCTIONS + 7; cycle++)
    step(&probes, cycle);
  assert_int_equal(sl_trace_close(&trace, NULL), SL_OK);
  assert_int_equal(trace.rows, INSTRUCTIONS);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*size + 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, *size, file), *size);
  text[*size] = '\0';
  fclose(file);
  unlink(path);
  return text;
}

static void a_trace_is_the_same_with_and_without_threads(void **state)
{
  (void)state;
  for (size_t i = 0; sl_trace_formats[i] != NULL; i++) {
    size_t size, other;
    char *threaded = trace_of(sl_trace_formats[i], true, &size), *alone = trace_of(sl_trace_formats[i], false, &other);
    assert_int_equal(size, other);
    assert_memory_equal(threaded, alone, size);
    free(threaded);
    free(alone);
  }
}

/* Lines of JSON: the description, the launch, the events and the end. */
static void no_event_is_lost(void **state)
{
  (void)state;
  size_t size, lines = 0;
  char *text = trace_of("json", true, &size);
  for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
    lines++;
  free(text);
  assert_int_equal(lines, 3 + EVENTS_OF_EACH * INSTRUCTIONS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_trace_is_the_same_with_and_without_threads),
      cmocka_unit_test(no_event_is_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
