/* Failed allocations: whichever allocation of a call fails, the call returns SIMTLAB_INTERNAL with a message or
 * succeeds without it, and every object can be freed. The linker replaces the functions below in the library; the
 * sanitized build detects leaks. */
#include "common.h"

static long left = -1;  /* allocations that succeed; negative: all */
static long asked;      /* allocations so far */
static bool has_failed; /* one has been refused */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);

/* One allocation fails, later ones succeed. */
static bool fails(void)
{
  asked++;
  const bool now = left == 0;
  left -= left >= 0;
  has_failed = has_failed || now;
  return now;
}

void *__wrap_malloc(size_t size)
{
  return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
  return fails() ? NULL : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text)
{
  return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t length)
{
  return fails() ? NULL : __real_strndup(text, length);
}

/* The result of a sequence of calls; the first failure ends it. */
struct calls {
  struct bench b;
  struct simtlab_error error;
  enum simtlab_status status;
  char call[32];
};

static bool done(struct calls *c, const char *call, enum simtlab_status status)
{
  c->status = status;
  snprintf(c->call, sizeof c->call, "%s", call);
  return status == SIMTLAB_OK || status == SIMTLAB_PAUSED;
}

/* A function that makes an object or returns NULL. */
static bool made(struct calls *c, const char *call, const void *object)
{
  return done(c, call, object != NULL ? SIMTLAB_OK : c->error.status);
}

static bool open_on(struct calls *c, const char *machine, const char *program)
{
  c->b.config = simtlab_config_open(machine, &c->error);
  if (!made(c, "config_open", c->b.config))
    return false;
  if (program != NULL) {
    c->b.program = simtlab_program_load(program_path(program), &c->error);
    if (!made(c, "program_load", c->b.program))
      return false;
    c->b.device = simtlab_device_create(c->b.config, NULL, &c->error);
    return made(c, "device_create", c->b.device);
  }
  return true;
}

enum { SAVED, BEFORE, AFTER, CHECKPOINTS };

static const char *checkpoint(unsigned which)
{
  static char path[CHECKPOINTS][512];
  snprintf(path[which], sizeof path[which], "%s/test_allocations-%u.bin", getenv("BUILD"), which);
  return path[which];
}

static void assert_same_files(const char *a, const char *b)
{
  FILE *first = fopen(a, "rb"), *second = fopen(b, "rb");
  assert_true(first != NULL && second != NULL);
  int one, other;
  do {
    one = fgetc(first);
    other = fgetc(second);
    assert_int_equal(one, other);
  } while (one != EOF);
  fclose(first);
  fclose(second);
}

/* Restores into a device that has run on: after a failure the device is unchanged. */
static bool restore(struct calls *c)
{
  const long failing = left;
  left = -1;
  assert_int_equal(simtlab_device_save(c->b.device, checkpoint(BEFORE), NULL), SIMTLAB_OK);
  left = failing;
  if (done(c, "restore", simtlab_device_restore(c->b.device, checkpoint(SAVED), &c->error)))
    return true;
  assert_int_equal(simtlab_device_save(c->b.device, checkpoint(AFTER), NULL), SIMTLAB_OK);
  assert_same_files(checkpoint(BEFORE), checkpoint(AFTER));
  return false;
}

static void run_and_save(struct calls *c, const char *machine, const char *program)
{
  const char *const argv[] = {"program", "small"};
  if (open_on(c, machine, program) &&
      done(c, "device_load", simtlab_device_load(c->b.device, c->b.program, 2, argv, &c->error)) &&
      done(c, "run_for", simtlab_device_run_for(c->b.device, 2000, &c->error)) &&
      done(c, "save", simtlab_device_save(c->b.device, checkpoint(SAVED), &c->error)) &&
      done(c, "run_for", simtlab_device_run_for(c->b.device, 700, &c->error)) && restore(c))
    done(c, "run_for", simtlab_device_run_for(c->b.device, 4000, &c->error));
}

static void on_simtight(struct calls *c)
{
  run_and_save(c, "simtight", "VecAdd");
}

static void on_simty(struct calls *c)
{
  run_and_save(c, "simty-plus", "VecAdd");
}

static void on_vortex(struct calls *c)
{
  run_and_save(c, "vortex-cfm-dmsl", "../bench-vortex/saxpy-cfm-dmsl");
}

static bool allocated(struct calls *c, uint32_t *pointer)
{
  uint64_t address = 0;
  const bool ok = done(c, "alloc", simtlab_device_alloc(c->b.device, 256, &address, &c->error));
  *pointer = (uint32_t)address;
  return ok;
}

static void launches(struct calls *c)
{
  struct {
    int32_t n;
    uint32_t a, b, c;
  } arguments = {.n = 64};
  const struct simtlab_launch launch = {
      .kernel = "vec_add", .grid = {1}, .block = {64}, .arguments = &arguments, .argument_bytes = sizeof arguments};
  if (open_on(c, "simtight", "VecAdd") &&
      done(c, "device_add", simtlab_device_add(c->b.device, c->b.program, &c->error)) && allocated(c, &arguments.a) &&
      allocated(c, &arguments.b) && allocated(c, &arguments.c) &&
      done(c, "start", simtlab_device_start(c->b.device, &launch, &c->error)))
    done(c, "wait", simtlab_device_wait(c->b.device, &c->error));
}

static const char ptx_text[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry fill(.param .u64 to)\n{\n"
    "  .reg .b32 %r<2>;\n  .reg .b64 %rd<4>;\n  ld.param.u64 %rd1, [to];\n"
    "  mov.u32 %r1, %tid.x;\n  mul.wide.u32 %rd2, %r1, 4;\n  add.s64 %rd3, %rd1, %rd2;\n"
    "  st.global.u32 [%rd3], %r1;\n  ret;\n}\n";

static const char *ptx_path(void)
{
  static char path[512];
  snprintf(path, sizeof path, "%s/test_allocations.ptx", getenv("BUILD"));
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(ptx_text, file);
  fclose(file);
  return path;
}

static bool open_ptx(struct calls *c, bool fast)
{
  const struct simtlab_options options = {.ptx = true, .fast = fast};
  if (!open_on(c, "sm7-1", NULL))
    return false;
  c->b.device = simtlab_device_create(c->b.config, &options, &c->error);
  return made(c, "device_create", c->b.device) &&
         made(c, "module_load", simtlab_module_load(c->b.device, ptx_path(), &c->error));
}

static bool filled(struct calls *c, uint64_t *to)
{
  const struct simtlab_launch launch = {
      .kernel = "fill", .grid = {1}, .block = {32}, .arguments = to, .argument_bytes = sizeof *to};
  return done(c, "start", simtlab_device_start(c->b.device, &launch, &c->error)) &&
         done(c, "wait", simtlab_device_wait(c->b.device, &c->error));
}

static void ptx(struct calls *c)
{
  uint64_t to = 0;
  if (open_ptx(c, true) && done(c, "alloc", simtlab_device_alloc(c->b.device, 128, &to, &c->error)))
    filled(c, &to);
}

/* Timed, with data copied to the device and back. */
static void ptx_timed(struct calls *c)
{
  uint64_t to = 0;
  uint32_t data[32] = {0};
  if (open_ptx(c, false) && done(c, "alloc", simtlab_device_alloc(c->b.device, sizeof data, &to, &c->error)) &&
      done(c, "write", simtlab_device_write(c->b.device, to, data, sizeof data, &c->error)) && filled(c, &to) &&
      done(c, "read", simtlab_device_read(c->b.device, to, data, sizeof data, &c->error)))
    assert_int_equal(data[31], 31);
}

/* Checkpoints between launches, in a file and in memory. */
static void save_ptx(struct calls *c, bool fast)
{
  uint64_t to = 0;
  void *bytes = NULL;
  size_t size;
  if (open_ptx(c, fast) && done(c, "alloc", simtlab_device_alloc(c->b.device, 128, &to, &c->error)) && filled(c, &to) &&
      done(c, "save", simtlab_device_save(c->b.device, checkpoint(SAVED), &c->error)) &&
      done(c, "save_memory", simtlab_device_save_memory(c->b.device, &bytes, &size, &c->error)) && filled(c, &to) &&
      restore(c) && filled(c, &to) &&
      done(c, "restore_memory", simtlab_device_restore_memory(c->b.device, bytes, size, &c->error)))
    filled(c, &to);
  free(bytes);
}

static void ptx_checkpoint(struct calls *c)
{
  save_ptx(c, true);
}

static void ptx_timed_checkpoint(struct calls *c)
{
  save_ptx(c, false);
}

/* Compilers and linkers are separate processes; their allocations succeed. */
static void compiling(struct calls *c)
{
  static const char *const flags[] = {"-DSTATUS=0", NULL};
  const char *const files[] = {"allocations.c", NULL};
  char runtime[600], *log = NULL;
  FILE *file = fopen(files[0], "w");
  assert_non_null(file);
  fputs("int main(void) { return STATUS; }\n", file);
  fclose(file);
  snprintf(runtime, sizeof runtime, "%s/runtime", getenv("SOURCE"));
  const struct simtlab_compile order = {
      .files = files, .output = "allocations.elf", .runtime = runtime, .flags = flags};
  done(c, "compile", simtlab_compile(&order, &log, &c->error));
  free(log);
  remove(files[0]);
  remove(order.output);
}

static void end(struct calls *c)
{
  left = -1;
  close_bench(&c->b);
}

/* Fails every allocation, or in brief tests every 23rd; for a long sequence about `most` of them, spread evenly. */
static void check_each(void (*sequence)(struct calls *), long most)
{
  const char *brief = getenv("SIMTLAB_BRIEF");
  const long step = brief != NULL && brief[0] != '\0' ? 23 : 1;
  struct calls c = {0};
  asked = 0;
  sequence(&c);
  const long all = asked, spread = most > 0 ? all / most + 1 : 1;
  end(&c);
  assert_true(c.status == SIMTLAB_OK || c.status == SIMTLAB_PAUSED);
  assert_true(all > 5); /* the linker has replaced them */
  for (long n = 0; n < all; n += step * spread) {
    c = (struct calls){.status = SIMTLAB_OK};
    has_failed = false;
    left = n;
    sequence(&c);
    end(&c);
    if (c.status == SIMTLAB_OK || c.status == SIMTLAB_PAUSED)
      continue;
    if (c.status != SIMTLAB_INTERNAL || c.error.text[0] == '\0')
      print_error("allocation %ld of %ld, %s: %d %s\n", n, all, c.call, (int)c.status, c.error.text);
    assert_true(has_failed);
    assert_int_equal(c.status, SIMTLAB_INTERNAL);
    assert_string_not_equal(c.error.text, "");
  }
  for (unsigned i = 0; i < CHECKPOINTS; i++)
    remove(checkpoint(i));
}

#define EACH(sequence, most)                                                                                           \
  static void sequence##_without_memory(void **state)                                                                  \
  {                                                                                                                    \
    (void)state;                                                                                                       \
    check_each(sequence, most);                                                                                        \
  }

EACH(on_simtight, 0)
EACH(on_simty, 0)
EACH(on_vortex, 0)
EACH(launches, 0)
EACH(ptx, 0)
EACH(ptx_timed, 0)
EACH(ptx_checkpoint, 30)
EACH(ptx_timed_checkpoint, 16)
EACH(compiling, 24)

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_simtight_without_memory),
      cmocka_unit_test(on_simty_without_memory),
      cmocka_unit_test(on_vortex_without_memory),
      cmocka_unit_test(launches_without_memory),
      cmocka_unit_test(ptx_without_memory),
      cmocka_unit_test(ptx_timed_without_memory),
      cmocka_unit_test(ptx_checkpoint_without_memory),
      cmocka_unit_test(ptx_timed_checkpoint_without_memory),
      cmocka_unit_test(compiling_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
