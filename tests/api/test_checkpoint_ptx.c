/* Checkpoints of devices for PTX between two launches. */
#include "common.h"

#include <unistd.h>

enum { N = 6000, TEXT = 1 << 15 };

/* data[i] = data[i] * factor + i, and the sum of all in `total`. */
#define KERNEL(name)                                                                                                   \
  ".version 6.4\n.target sm_70\n.address_size 64\n"                                                                    \
  ".visible .global .align 4 .u32 total = 5;\n.visible .const .align 4 .u32 factor = 3;\n"                             \
  ".visible .entry " name "(.param .u64 data, .param .u32 n) {\n"                                                      \
  ".reg .pred %p;\n.reg .b32 %r<9>;\n.reg .b64 %d<4>;\n"                                                               \
  "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\n"              \
  "ld.param.u32 %r5, [n];\nsetp.ge.u32 %p, %r4, %r5;\n@%p bra DONE;\nld.param.u64 %d1, [data];\n"                      \
  "mul.wide.u32 %d2, %r4, 4;\nadd.u64 %d3, %d1, %d2;\nld.global.u32 %r6, [%d3];\nld.const.u32 %r7, [factor];\n"        \
  "mad.lo.u32 %r6, %r6, %r7, %r4;\nst.global.u32 [%d3], %r6;\nred.global.add.u32 [total], %r6;\n"                      \
  "DONE:\nret;\n}\n"

static const char text[] = KERNEL("step"), other_text[] = KERNEL("leap");

struct arguments {
  uint64_t data;
  uint32_t n;
};

/* How a device is opened; all zero: a small sm7 with timing. */
struct wish {
  const char *machine, *key, *text;
  bool fast, no_module, observed;
  uint64_t limit;
  unsigned threads;
};

struct fixture {
  simtlab_config *config;
  simtlab_device *device;
  simtlab_module *module;
  struct arguments arguments;
};

static struct simtlab_error last;

static void count_commit(void *context, const struct simtlab_commit *commit)
{
  (void)commit;
  ++*(uint64_t *)context;
}

/* Instructions that observed devices have reported. */
static uint64_t commits;

static struct fixture open_device(struct wish w)
{
  struct fixture f = {.config = simtlab_config_open(w.machine != NULL ? w.machine : "sm7-1", &last)};
  struct simtlab_options options = {.ptx = true, .fast = w.fast, .max_cycles = w.limit, .threads = w.threads};
  options.callbacks.context = &commits;
  options.callbacks.commit = w.observed ? count_commit : NULL;
  assert_non_null(f.config);
  if (w.key != NULL)
    assert_int_equal(simtlab_config_set(f.config, w.key, &last), SIMTLAB_OK);
  f.device = simtlab_device_create(f.config, &options, &last);
  assert_non_null(f.device);
  if (!w.no_module) {
    const char *chosen = w.text != NULL ? w.text : text;
    f.module = simtlab_module_parse(f.device, "step.ptx", chosen, strlen(chosen), &last);
    assert_non_null(f.module);
  }
  return f;
}

static void close_device(struct fixture *f)
{
  simtlab_device_free(f->device);
  simtlab_config_free(f->config);
}

static enum simtlab_status run(struct fixture *f, uint64_t data)
{
  struct arguments arguments = {data, N};
  const struct simtlab_launch launch = {.kernel = "step",
                                        .grid = {(N + 127) / 128},
                                        .block = {128},
                                        .arguments = &arguments,
                                        .argument_bytes = sizeof arguments};
  const enum simtlab_status status = simtlab_device_start(f->device, &launch, &last);
  return status == SIMTLAB_OK ? simtlab_device_wait(f->device, &last) : status;
}

/* Three buffers, of which the first and the last are released, a first launch, and a constant that the host writes. */
static void begin(struct fixture *f)
{
  static uint32_t data[N];
  const uint32_t factor = 7;
  uint64_t released, highest;
  for (uint32_t i = 0; i < N; i++)
    data[i] = 11 * i;
  assert_int_equal(simtlab_device_alloc(f->device, 5000, &released, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_alloc(f->device, sizeof data, &f->arguments.data, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_write(f->device, f->arguments.data, data, sizeof data, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_alloc(f->device, 9000, &highest, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_release(f->device, released, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_release(f->device, highest, &last), SIMTLAB_OK);
  assert_int_equal(run(f, f->arguments.data), SIMTLAB_OK);
  assert_int_equal(simtlab_module_write(f->module, "factor", 0, &factor, sizeof factor, &last), SIMTLAB_OK);
}

/* The values after begin and after a second launch, as C computes them. */
static void check_values(struct fixture *f, bool twice)
{
  static uint32_t data[N];
  uint32_t total = 0, expected = 5;
  assert_int_equal(simtlab_device_read(f->device, f->arguments.data, data, sizeof data, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_module_read(f->module, "total", 0, &total, sizeof total, &last), SIMTLAB_OK);
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t once = 11 * i * 3 + i, value = twice ? once * 7 + i : once;
    assert_int_equal(data[i], value);
    expected += twice ? once + value : once;
  }
  assert_int_equal(total, expected);
}

/* All that a program sees: counters by launch and in total, times, memory, the latest fault. */
static const char *describe_device(const struct fixture *f, char out[TEXT])
{
  static uint32_t data[N];
  const simtlab_device *d = f->device;
  struct simtlab_fault fault;
  uint64_t value;
  uint32_t word = 0, hash = 0;
  size_t used = 0;
#define ADD(...) used += (size_t)snprintf(out + used, TEXT - used, __VA_ARGS__)
  for (size_t i = 0; i < simtlab_device_counters(d); i++) {
    assert_true(simtlab_counter_total(d, simtlab_counter_name(d, i), &value));
    ADD("%s %llu:", simtlab_counter_name(d, i), (unsigned long long)value);
    for (size_t launch = 0; launch < simtlab_device_launches(d); launch++)
      ADD(" %llu", (unsigned long long)simtlab_counter_value(d, launch, i));
    ADD("\n");
  }
  for (size_t launch = 0; launch < simtlab_device_launches(d); launch++)
    ADD("%llu ps\n", (unsigned long long)simtlab_device_picoseconds(d, launch));
  if (simtlab_device_read(d, f->arguments.data, data, sizeof data, NULL) == SIMTLAB_OK)
    for (unsigned i = 0; i < N; i++)
      hash = hash * 31 + data[i];
  simtlab_module_read(f->module, "total", 0, &word, sizeof word, NULL);
  ADD("data %u, total %u", hash, word);
  simtlab_module_read(f->module, "factor", 0, &word, sizeof word, NULL);
  ADD(", factor %u\n", word);
  if (simtlab_device_last_fault(d, &fault))
    ADD("fault %d of %s at %llu: %llu in line %u of %s\n", fault.kind, fault.kernel, (unsigned long long)fault.pc,
        (unsigned long long)fault.address, fault.line, fault.file);
  assert_true(used < TEXT - 1);
  return out;
#undef ADD
}

/* The host reads, writes and allocates, and a launch runs: what it takes depends on the caches. */
static const char *go_on(struct fixture *f, char out[TEXT])
{
  const uint32_t word = 1;
  uint64_t buffer = 0;
  assert_int_equal(run(f, f->arguments.data), SIMTLAB_OK);
  assert_int_equal(simtlab_device_alloc(f->device, 100, &buffer, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_write(f->device, buffer, &word, sizeof word, &last), SIMTLAB_OK);
  describe_device(f, out);
  snprintf(out + strlen(out), TEXT - strlen(out), "next buffer %llx\n", (unsigned long long)buffer);
  return out;
}

struct saved {
  void *bytes;
  size_t size;
};

static struct saved save(const struct fixture *f)
{
  struct saved s = {NULL, 0};
  if (simtlab_device_save_memory(f->device, &s.bytes, &s.size, &last) != SIMTLAB_OK)
    fail_msg("%s", last.text);
  assert_non_null(s.bytes);
  return s;
}

static void restore(struct fixture *f, const struct saved *s)
{
  if (simtlab_device_restore_memory(f->device, s->bytes, s->size, &last) != SIMTLAB_OK)
    fail_msg("%s", last.text);
}

static const char *file_path(void)
{
  static char path[512];
  snprintf(path, sizeof path, "%s/checkpoint-ptx-%d.bin", getenv("BUILD"), (int)getpid());
  return path;
}

/* A device goes back as often as wanted, and another one goes on from there. */
static void check_machine(struct wish w)
{
  static char before[TEXT], after[TEXT], out[TEXT];
  struct fixture a = open_device(w);
  begin(&a);
  describe_device(&a, before);
  const struct saved s = save(&a);
  assert_int_equal(simtlab_device_save(a.device, file_path(), &last), SIMTLAB_OK);
  go_on(&a, after);
  check_values(&a, true);
  assert_string_not_equal(before, after);
  for (int i = 0; i < 2; i++) {
    restore(&a, &s);
    check_values(&a, false);
    assert_string_equal(describe_device(&a, out), before);
    assert_string_equal(go_on(&a, out), after);
    check_values(&a, true);
  }
  w.threads = 3;
  for (int file = 0; file < 2; file++) {
    struct fixture b = open_device(w);
    b.arguments = a.arguments;
    if (file)
      assert_int_equal(simtlab_device_restore(b.device, file_path(), &last), SIMTLAB_OK);
    else
      restore(&b, &s);
    assert_string_equal(describe_device(&b, out), before);
    assert_string_equal(go_on(&b, out), after);
    close_device(&b);
  }
  remove(file_path());
  free(s.bytes);
  close_device(&a);
}

static void goes_back_with_timing(void **state)
{
  (void)state;
  check_machine((struct wish){.machine = NULL});
  check_machine((struct wish){.machine = "sm7"});
  check_machine((struct wish){.machine = "v100"});
  check_machine((struct wish){.observed = true});
}

static void goes_back_without_timing(void **state)
{
  (void)state;
  check_machine((struct wish){.fast = true});
}

static uint64_t misses_of_launch(struct fixture *f)
{
  uint64_t before, after;
  assert_true(simtlab_counter_total(f->device, "l2.misses", &before));
  assert_int_equal(run(f, f->arguments.data), SIMTLAB_OK);
  assert_true(simtlab_counter_total(f->device, "l2.misses", &after));
  return after - before;
}

/* An observer gets the instructions of each launch once, also of those after a restore. */
static void observers_stay(void **state)
{
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct fixture a = open_device((struct wish){.fast = fast, .observed = true});
    uint64_t once, twice;
    begin(&a);
    const struct saved s = save(&a);
    assert_true(simtlab_counter_total(a.device, "warp_instrs", &once));
    restore(&a, &s);
    commits = 0;
    assert_int_equal(run(&a, a.arguments.data), SIMTLAB_OK);
    assert_true(simtlab_counter_total(a.device, "warp_instrs", &twice));
    assert_int_equal(commits, twice - once);
    assert_true(commits > 0);
    check_values(&a, true);
    free(s.bytes);
    close_device(&a);
  }
}

/* A launch after a restore finds in L2 what the first launch has left there. On a device whose L2 is empty it misses
 * all sectors of 32 bytes that it reads. */
static void caches_are_in_the_checkpoint(void **state)
{
  (void)state;
  const struct wish cold = {.key = "l2.warm=off"};
  struct fixture a = open_device(cold), b = open_device(cold), c = open_device(cold);
  begin(&a);
  const struct saved s = save(&a);
  b.arguments = a.arguments;
  restore(&b, &s);
  assert_true(misses_of_launch(&b) < N / 8);
  assert_int_equal(simtlab_device_alloc(c.device, 4 * N, &c.arguments.data, &last), SIMTLAB_OK);
  assert_true(misses_of_launch(&c) >= N / 8);
  free(s.bytes);
  close_device(&a);
  close_device(&b);
  close_device(&c);
}

/* The GPU that a fault leaves in the middle of a launch is replaced, too. */
static void goes_back_before_a_fault(void **state)
{
  static char after[TEXT], out[TEXT];
  (void)state;
  struct fixture a = open_device((struct wish){.key = "l2.warm=off"});
  begin(&a);
  const struct saved s = save(&a);
  go_on(&a, after);
  assert_int_equal(run(&a, 64), SIMTLAB_FAULT);
  restore(&a, &s);
  assert_false(simtlab_device_last_fault(a.device, &(struct simtlab_fault){.pc = 0}));
  assert_string_equal(go_on(&a, out), after);
  free(s.bytes);
  close_device(&a);
}

/* After a fault, and after a limit, the next launch gets a GPU with empty caches, also after a restore. */
static void goes_back_to_a_fault_and_a_limit(void **state)
{
  static char before[TEXT], after[TEXT], out[TEXT];
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct fixture a = open_device((struct wish){.fast = fast});
    begin(&a);
    assert_int_equal(run(&a, 64), SIMTLAB_FAULT);
    const struct saved s = save(&a);
    assert_non_null(strstr(describe_device(&a, before), "fault"));
    go_on(&a, after);
    assert_null(strstr(after, "fault"));
    restore(&a, &s);
    assert_string_equal(describe_device(&a, out), before);
    assert_string_equal(go_on(&a, out), after);
    free(s.bytes);
    close_device(&a);
    struct fixture b = open_device((struct wish){.fast = fast}),
                   c = open_device((struct wish){.fast = fast, .limit = 300});
    begin(&b);
    const struct saved t = save(&b);
    c.arguments = b.arguments;
    restore(&c, &t);
    assert_int_equal(run(&c, c.arguments.data), SIMTLAB_LIMIT);
    const struct saved u = save(&c);
    describe_device(&c, before);
    restore(&b, &u);
    assert_string_equal(describe_device(&b, out), before);
    go_on(&b, after);
    restore(&b, &u);
    assert_string_equal(go_on(&b, out), after);
    free(t.bytes);
    free(u.bytes);
    close_device(&b);
    close_device(&c);
  }
}

/* Buffers of later are gone, and memory that is allocated again is zero. */
static void buffers_go_back(void **state)
{
  (void)state;
  struct fixture a = open_device((struct wish){.fast = true});
  uint64_t big, small, again;
  uint32_t word = 77, zero = 1;
  begin(&a);
  const struct saved s = save(&a);
  assert_int_equal(simtlab_device_alloc(a.device, UINT64_C(1) << 28, &big, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_alloc(a.device, 64, &small, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_write(a.device, big + 8192, &word, sizeof word, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_write(a.device, small, &word, sizeof word, &last), SIMTLAB_OK);
  const struct saved later = save(&a);
  restore(&a, &s);
  assert_int_equal(simtlab_device_read(a.device, small, &zero, sizeof zero, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_release(a.device, small, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_alloc(a.device, UINT64_C(1) << 28, &again, &last), SIMTLAB_OK);
  assert_int_equal(again, big);
  assert_int_equal(simtlab_device_read(a.device, again + 8192, &zero, sizeof zero, &last), SIMTLAB_OK);
  assert_int_equal(zero, 0);
  restore(&a, &later);
  assert_int_equal(simtlab_device_read(a.device, big + 8192, &zero, sizeof zero, &last), SIMTLAB_OK);
  assert_int_equal(zero, 77);
  assert_int_equal(simtlab_device_read(a.device, small, &zero, sizeof zero, &last), SIMTLAB_OK);
  assert_int_equal(zero, 77);
  assert_int_equal(simtlab_device_release(a.device, small, &last), SIMTLAB_OK);
  assert_true(later.size < 2000000); /* untouched pages take little room */
  free(s.bytes);
  free(later.bytes);
  close_device(&a);
}

static void forgotten_launches_count(void **state)
{
  static char before[TEXT], after[TEXT], out[TEXT];
  (void)state;
  struct fixture a = open_device((struct wish){.fast = false});
  begin(&a);
  assert_int_equal(simtlab_device_forget(a.device, &last), SIMTLAB_OK);
  assert_int_equal(run(&a, a.arguments.data), SIMTLAB_OK);
  const struct saved s = save(&a);
  describe_device(&a, before);
  go_on(&a, after);
  restore(&a, &s);
  assert_int_equal(simtlab_device_launches(a.device), 1);
  assert_string_equal(describe_device(&a, out), before);
  assert_string_equal(go_on(&a, out), after);
  free(s.bytes);
  close_device(&a);
}

/* Within a launch. */
static void a_launch_under_way_is_refused(void **state)
{
  static char before[TEXT], out[TEXT];
  (void)state;
  struct fixture a = open_device((struct wish){.fast = false});
  const struct arguments arguments = {0, N};
  void *bytes = &a;
  size_t size;
  begin(&a);
  const struct saved s = save(&a);
  go_on(&a, before);
  restore(&a, &s);
  struct arguments own = arguments;
  own.data = a.arguments.data;
  const struct simtlab_launch launch = {
      .kernel = "step", .grid = {(N + 127) / 128}, .block = {128}, .arguments = &own, .argument_bytes = sizeof own};
  assert_int_equal(simtlab_device_start(a.device, &launch, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_wait_for(a.device, 50, &last), SIMTLAB_PAUSED);
  assert_int_equal(simtlab_device_save_memory(a.device, &bytes, &size, &last), SIMTLAB_USAGE);
  assert_null(bytes);
  assert_non_null(strstr(last.text, "a kernel is still running"));
  assert_int_equal(simtlab_device_save(a.device, file_path(), &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_restore_memory(a.device, s.bytes, s.size, &last), SIMTLAB_USAGE);
  assert_non_null(strstr(last.text, "a kernel is still running"));
  assert_int_equal(simtlab_device_wait(a.device, &last), SIMTLAB_OK);
  uint64_t buffer;
  const uint32_t word = 1;
  assert_int_equal(simtlab_device_alloc(a.device, 100, &buffer, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_write(a.device, buffer, &word, sizeof word, &last), SIMTLAB_OK);
  describe_device(&a, out);
  assert_true(strncmp(out, before, strlen(out)) == 0);
  free(s.bytes);
  close_device(&a);
}

static void check_refused(struct wish w, const struct saved *s, const char *why)
{
  struct fixture f = open_device(w);
  assert_int_equal(simtlab_device_restore_memory(f.device, s->bytes, s->size, &last), SIMTLAB_USAGE);
  if (strstr(last.text, why) == NULL)
    fail_msg("%s", last.text);
  close_device(&f);
}

static void other_devices_are_refused(void **state)
{
  (void)state;
  struct fixture a = open_device((struct wish){.fast = false});
  begin(&a);
  const struct saved s = save(&a);
  check_refused((struct wish){.machine = "sm7"}, &s, "on a machine with different keys");
  check_refused((struct wish){.key = "l2.ways=4"}, &s, "on a machine with different keys");
  check_refused((struct wish){.fast = true}, &s, "in the other mode");
  check_refused((struct wish){.text = other_text}, &s, "with another program");
  check_refused((struct wish){.no_module = true}, &s, "with another program");
  assert_non_null(simtlab_module_parse(a.device, "leap.ptx", other_text, strlen(other_text), &last));
  assert_int_equal(simtlab_device_restore_memory(a.device, s.bytes, s.size, &last), SIMTLAB_USAGE);
  assert_non_null(strstr(last.text, "with another program"));
  free(s.bytes);
  close_device(&a);
}

/* A device for RISC-V refuses the checkpoint of one for PTX, and the other way round. */
static void a_run_of_another_kind_is_refused(void **state)
{
  (void)state;
  struct fixture a = open_device((struct wish){.fast = false});
  struct bench b = open_bench("VecAdd", NULL);
  struct saved riscv;
  begin(&a);
  const struct saved s = save(&a);
  assert_int_equal(simtlab_device_run_for(b.device, 1000, &last), SIMTLAB_PAUSED);
  assert_int_equal(simtlab_device_restore_memory(b.device, s.bytes, s.size, &last), SIMTLAB_USAGE);
  assert_non_null(strstr(last.text, "a run of another kind"));
  assert_int_equal(simtlab_device_save_memory(b.device, &riscv.bytes, &riscv.size, &last), SIMTLAB_OK);
  assert_int_equal(simtlab_device_restore_memory(a.device, riscv.bytes, riscv.size, &last), SIMTLAB_USAGE);
  assert_non_null(strstr(last.text, "a run of another kind"));
  free(s.bytes);
  free(riscv.bytes);
  close_bench(&b);
  close_device(&a);
}

/* Truncated, and with a flipped bit at many places: the device goes on as if nothing had been tried. */
static void damage_changes_nothing(void **state)
{
  static char before[TEXT], after[TEXT], out[TEXT];
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    struct fixture a = open_device((struct wish){.fast = fast});
    begin(&a);
    const struct saved s = save(&a);
    assert_int_equal(run(&a, a.arguments.data), SIMTLAB_OK);
    const struct saved undisturbed = save(&a);
    describe_device(&a, before);
    go_on(&a, after);
    restore(&a, &undisturbed);
    uint8_t *bytes = s.bytes;
    for (size_t at = 0; at < s.size; at += at < 160 ? 1 : 1 + s.size / 100) {
      bytes[at] ^= (uint8_t)(1 << at % 8);
      assert_int_equal(simtlab_device_restore_memory(a.device, bytes, s.size, &last), SIMTLAB_USAGE);
      assert_non_null(strstr(last.text, "cannot be used"));
      bytes[at] ^= (uint8_t)(1 << at % 8);
    }
    for (size_t size = 0; size < s.size; size += size < 160 ? 1 : 1 + s.size / 40)
      assert_int_equal(simtlab_device_restore_memory(a.device, bytes, size, &last), SIMTLAB_USAGE);
    assert_string_equal(describe_device(&a, out), before);
    assert_string_equal(go_on(&a, out), after);
    restore(&a, &s); /* it is as it was */
    free(s.bytes);
    free(undisturbed.bytes);
    close_device(&a);
  }
}

static void arguments_are_checked(void **state)
{
  (void)state;
  struct fixture a = open_device((struct wish){.fast = true});
  void *bytes;
  size_t size;
  assert_int_equal(simtlab_device_save(a.device, NULL, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_restore(a.device, NULL, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_save_memory(a.device, NULL, &size, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_save_memory(a.device, &bytes, NULL, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_restore_memory(a.device, NULL, 1, &last), SIMTLAB_USAGE);
  assert_int_equal(simtlab_device_restore(a.device, "/nonexistent/checkpoint", &last), SIMTLAB_USAGE);
  close_device(&a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goes_back_with_timing),
      cmocka_unit_test(goes_back_without_timing),
      cmocka_unit_test(observers_stay),
      cmocka_unit_test(caches_are_in_the_checkpoint),
      cmocka_unit_test(goes_back_before_a_fault),
      cmocka_unit_test(goes_back_to_a_fault_and_a_limit),
      cmocka_unit_test(buffers_go_back),
      cmocka_unit_test(forgotten_launches_count),
      cmocka_unit_test(a_launch_under_way_is_refused),
      cmocka_unit_test(other_devices_are_refused),
      cmocka_unit_test(a_run_of_another_kind_is_refused),
      cmocka_unit_test(damage_changes_nothing),
      cmocka_unit_test(arguments_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
