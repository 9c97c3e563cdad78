/* Commands of a host program: order, events that the host completes, failures, and simulated times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "device/command_queue.h"

/* Adds n to each of 32 words. */
static const char text[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry add(.param .u64 p, .param .u32 n) {\n.reg .b32 %r<4>;\n.reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nmul.wide.u32 %d2, %r2, 4;\n"
    "add.u64 %d3, %d1, %d2;\nld.global.u32 %r3, [%d3];\nadd.u32 %r3, %r3, %r1;\nst.global.u32 [%d3], %r3;\nret;\n}\n";

enum { WORDS = 32, BYTES = 4 * WORDS };

struct bed {
  struct sl_config config;
  struct sl_gpu *gpu;
  struct sl_timeline *timeline;
  struct sl_queue *queue[2];
  struct {
    uint64_t p;
    uint32_t n;
  } arguments;
  struct sl_gpu_launch launch;
  uint32_t data[WORDS], back[WORDS];
  struct sl_error err;
};

static void open_bed(struct bed *b)
{
  const struct sl_gpu_options options = {.forgets = true};
  const struct sl_timeline_options link = {.copy_latency = 5000000, .copy_bandwidth = 1000};
  struct sl_gpu_module *module;
  *b = (struct bed){.gpu = NULL};
  assert_int_equal(sl_config_open(&b->config, "sm7-1", &b->err), SL_OK);
  assert_int_equal(sl_gpu_open(&b->gpu, &b->config, &options, &b->err), SL_OK);
  assert_int_equal(sl_gpu_load_bytes(b->gpu, "add.ptx", text, sizeof text - 1, &module, &b->err), SL_OK);
  assert_int_equal(sl_gpu_alloc(b->gpu, BYTES, &b->arguments.p, &b->err), SL_OK);
  assert_int_equal(sl_timeline_open(&b->timeline, b->gpu, &link, &b->err), SL_OK);
  for (int i = 0; i < 2; i++)
    assert_int_equal(sl_queue_open(b->timeline, &b->queue[i], &b->err), SL_OK);
  b->arguments.n = 5;
  b->launch = (struct sl_gpu_launch){
      .kernel = "add", .grid = {1}, .block = {WORDS}, .arguments = &b->arguments, .argument_bytes = 12};
  for (uint32_t i = 0; i < WORDS; i++)
    b->data[i] = i;
}

static void close_bed(struct bed *b)
{
  sl_timeline_close(b->timeline);
  sl_gpu_close(b->gpu);
  sl_config_close(&b->config);
}

static struct sl_event *add(struct bed *b, int queue, struct sl_command command)
{
  struct sl_event *event;
  if (sl_queue_add(b->queue[queue], &command, &event, &b->err) != SL_OK)
    fail_msg("%s", b->err.text);
  return event;
}

static struct sl_command writes(struct bed *b)
{
  return (struct sl_command){.kind = SL_COMMAND_WRITE, .to = b->arguments.p, .host = b->data, .size = BYTES};
}

static struct sl_command reads(struct bed *b)
{
  return (struct sl_command){.kind = SL_COMMAND_READ, .from = b->arguments.p, .host = b->back, .size = BYTES};
}

static struct sl_command launches(const struct bed *b)
{
  return (struct sl_command){.kind = SL_COMMAND_LAUNCH, .launch = &b->launch};
}

static void commands_of_a_queue_follow_each_other(void **state)
{
  (void)state;
  struct bed b;
  open_bed(&b);
  sl_timeline_pass(b.timeline, 1000);
  struct sl_event *const event[] = {add(&b, 0, writes(&b)), add(&b, 0, launches(&b)), add(&b, 0, reads(&b))};
  const struct sl_event_times w = sl_event_times(event[0]), k = sl_event_times(event[1]), r = sl_event_times(event[2]);
  for (uint32_t i = 0; i < WORDS; i++)
    assert_int_equal(b.back[i], i + 5);
  /* 5 us and 128 bytes at 1000 bytes per us */
  assert_true(w.complete && w.queued == 1000 && w.start == 1000 && w.end == 1000 + 5000000 + 128000);
  assert_true(k.start == w.end && k.end == k.start + sl_gpu_last_picoseconds(b.gpu) && k.end > k.start);
  assert_true(r.start == k.end && r.end - r.start == w.end - w.start);
  assert_int_equal(sl_timeline_now(b.timeline), 1000); /* the host has not waited */
  assert_int_equal(sl_queue_finish(b.queue[0], &b.err), SL_OK);
  assert_true(sl_timeline_now(b.timeline) == r.end);
  for (int i = 0; i < 3; i++)
    sl_event_release(event[i]);
  close_bed(&b);
}

/* A launch waits for the host, and with it all that depends on it. Copies of the other queue overlap. */
static void commands_wait_for_events(void **state)
{
  (void)state;
  struct bed b;
  open_bed(&b);
  struct sl_event *user;
  assert_int_equal(sl_event_open(b.timeline, &user, &b.err), SL_OK);
  sl_event_release(add(&b, 0, writes(&b)));
  struct sl_command command = launches(&b);
  command.waits = &user;
  command.wait_count = 1;
  struct sl_event *kernel = add(&b, 0, command);
  b.arguments.n = 77; /* arguments were copied */
  command = reads(&b);
  command.waits = &kernel;
  command.wait_count = 1;
  struct sl_event *last = add(&b, 1, command);
  assert_false(sl_event_times(kernel).complete || sl_event_times(last).complete);
  assert_int_equal(sl_queue_finish(b.queue[0], &b.err), SL_USAGE);
  assert_int_equal(sl_event_wait(last, &b.err), SL_USAGE);
  sl_timeline_pass(b.timeline, 9000000);
  sl_event_complete(user, SL_OK);
  assert_true(sl_event_times(kernel).complete && sl_event_times(kernel).start == 9000000);
  assert_int_equal(sl_event_wait(last, &b.err), SL_OK);
  assert_true(sl_event_times(last).start == sl_event_times(kernel).end);
  assert_int_equal(b.back[31], 31 + 5);
  struct sl_event *const all[] = {user, kernel, last};
  for (int i = 0; i < 3; i++)
    sl_event_release(all[i]);
  close_bed(&b);
}

static void a_failure_reaches_what_waits_for_it(void **state)
{
  (void)state;
  struct bed b;
  open_bed(&b);
  const uint64_t p = b.arguments.p;
  b.arguments.p = 64;
  struct sl_event *bad = add(&b, 0, launches(&b));
  assert_int_equal(sl_event_times(bad).status, SL_FAULT);
  b.arguments.p = p;
  struct sl_command command = launches(&b);
  command.waits = &bad;
  command.wait_count = 1;
  struct sl_event *after = add(&b, 1, command), *other = add(&b, 0, launches(&b));
  assert_int_equal(sl_event_wait(after, &b.err), SL_FAULT);
  assert_non_null(strstr(b.err.text, "outside global memory"));
  assert_int_equal(sl_event_wait(other, &b.err), SL_OK); /* the GPU takes the next launch */
  assert_int_equal(sl_queue_finish(b.queue[0], &b.err), SL_FAULT);
  assert_int_equal(sl_queue_finish(b.queue[0], &b.err), SL_OK);
  b.launch.kernel = "subtract";
  command = launches(&b);
  assert_int_equal(sl_queue_add(b.queue[0], &command, NULL, &b.err), SL_USAGE);
  struct sl_event *const all[] = {bad, after, other};
  for (int i = 0; i < 3; i++)
    sl_event_release(all[i]);
  close_bed(&b);
}

static void count_call(void *context)
{
  ++*(unsigned *)context;
}

/* Fills and copies within the GPU take DRAM's time; dropped commands end with their queue. */
static void other_commands_execute_in_order(void **state)
{
  (void)state;
  struct bed b;
  unsigned calls = 0;
  uint16_t pattern = 7;
  open_bed(&b);
  struct sl_event *user;
  assert_int_equal(sl_event_open(b.timeline, &user, &b.err), SL_OK);
  struct sl_event *fill = add(
      &b, 0,
      (struct sl_command){.kind = SL_COMMAND_FILL, .to = b.arguments.p, .size = BYTES, .host = &pattern, .width = 2});
  struct sl_event *copy = add(
      &b, 0, (struct sl_command){.kind = SL_COMMAND_COPY, .to = b.arguments.p + 64, .from = b.arguments.p, .size = 64});
  sl_event_release(add(&b, 0, (struct sl_command){.kind = SL_COMMAND_CALL, .call = count_call, .context = &calls}));
  sl_event_release(add(&b, 0, reads(&b)));
  assert_int_equal(calls, 1);
  assert_int_equal(b.back[31], 0x00070007);
  const uint64_t of_fill = sl_event_times(fill).end - sl_event_times(fill).start;
  assert_true(of_fill > 0 && sl_event_times(copy).end - sl_event_times(copy).start == of_fill);
  struct sl_event *never = add(&b, 1, (struct sl_command){.kind = SL_COMMAND_MARKER, .waits = &user, .wait_count = 1});
  sl_event_release(user);
  close_bed(&b);
  assert_true(sl_event_times(never).complete && sl_event_times(never).status == SL_STOPPED);
  struct sl_event *const all[] = {fill, copy, never};
  for (int i = 0; i < 3; i++)
    sl_event_release(all[i]);
}

/* What an observer hears of the last command. */
struct heard {
  unsigned commands, queue;
  uint32_t seen[2], host[2];
};

static void hear(void *context, const struct sl_command *command, const struct sl_command_order *order)
{
  struct heard *h = context;
  (void)command;
  h->commands++;
  h->queue = order->queue;
  memcpy(h->seen, order->seen, sizeof h->seen);
  memcpy(h->host, order->host, sizeof h->host);
}

static void add_marker(struct bed *b, unsigned queue, struct sl_event *wait, struct sl_event **event)
{
  const struct sl_command marker = {.kind = SL_COMMAND_MARKER, .waits = &wait, .wait_count = wait != NULL};
  assert_int_equal(sl_queue_add(b->queue[queue], &marker, event, &b->err), SL_OK);
}

/* Commands of another queue are before one only through its events and the host's waits. */
static void commands_know_what_is_before_them(void **state)
{
  struct bed bed, *b = &bed;
  struct heard h = {.commands = 0};
  struct sl_event *first = NULL;
  (void)state;
  open_bed(b);
  sl_timeline_observe(b->timeline, hear, &h);
  add_marker(b, 0, NULL, &first);
  add_marker(b, 0, NULL, NULL);
  assert_int_equal(h.seen[0], 1);
  add_marker(b, 1, NULL, NULL);
  assert_int_equal(h.queue, 1);
  assert_int_equal(h.seen[0], 0);
  add_marker(b, 1, first, NULL);
  assert_int_equal(h.seen[0], 1);
  assert_int_equal(h.seen[1], 1);
  assert_int_equal(h.host[0], 0);
  assert_int_equal(sl_queue_finish(b->queue[0], &b->err), SL_OK);
  add_marker(b, 1, NULL, NULL);
  assert_int_equal(h.seen[0], 2);
  assert_int_equal(h.host[0], 2);
  assert_int_equal(h.host[1], 0);
  sl_timeline_know(b->timeline, NULL);
  add_marker(b, 0, NULL, NULL);
  assert_int_equal(h.seen[1], 3);
  assert_int_equal(h.commands, 6);
  sl_event_release(first);
  close_bed(b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commands_know_what_is_before_them), cmocka_unit_test(commands_of_a_queue_follow_each_other),
      cmocka_unit_test(commands_wait_for_events),          cmocka_unit_test(a_failure_reaches_what_waits_for_it),
      cmocka_unit_test(other_commands_execute_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
