/* No allocation of memory is taken for granted: whichever one of a call fails, the call returns SIMTLAB_INTERNAL with a
 * sentence, or does without it, and everything can be freed. The linker replaces the functions below in the library;
 * that nothing is left behind the sanitized build sees. */
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

/* One fails, those after it do not. */
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

/* What a sequence of calls came to; the first that fails ends it. */
struct calls {
  struct bench b;
  simtlab_ptx *ptx;
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

static const char *checkpoint(void)
{
  static char path[512];
  snprintf(path, sizeof path, "%s/test_allocations.bin", getenv("BUILD"));
  return path;
}

static void run_and_save(struct calls *c, const char *machine, const char *program)
{
  const char *const argv[] = {"program", "small"};
  if (open_on(c, machine, program) &&
      done(c, "device_load", simtlab_device_load(c->b.device, c->b.program, 2, argv, &c->error)) &&
      done(c, "run_for", simtlab_device_run_for(c->b.device, 2000, &c->error)) &&
      done(c, "save", simtlab_device_save(c->b.device, checkpoint(), &c->error)) &&
      done(c, "restore", simtlab_device_restore(c->b.device, checkpoint(), &c->error)))
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

static void launches(struct calls *c)
{
  struct {
    int32_t n;
    uint32_t a, b, c;
  } arguments = {.n = 64};
  const struct simtlab_launch launch = {
      .kernel = "vec_add", .grid = {1}, .block = {64}, .arguments = &arguments, .argument_bytes = sizeof arguments};
  if (open_on(c, "simtight", "VecAdd") &&
      done(c, "device_add", simtlab_device_add(c->b.device, c->b.program, &c->error)) &&
      done(c, "alloc", simtlab_device_alloc(c->b.device, 256, &arguments.a, &c->error)) &&
      done(c, "alloc", simtlab_device_alloc(c->b.device, 256, &arguments.b, &c->error)) &&
      done(c, "alloc", simtlab_device_alloc(c->b.device, 256, &arguments.c, &c->error)) &&
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

static void ptx(struct calls *c)
{
  struct {
    uint64_t to;
  } arguments = {0};
  const struct simtlab_ptx_launch launch = {
      .kernel = "fill", .grid = {1}, .block = {32}, .arguments = &arguments, .argument_bytes = sizeof arguments};
  if (!open_on(c, "sm7-1", NULL))
    return;
  c->ptx = simtlab_ptx_create(c->b.config, ptx_path(), true, 0, &c->error);
  if (made(c, "ptx_create", c->ptx) && done(c, "ptx_alloc", simtlab_ptx_alloc(c->ptx, 128, &arguments.to, &c->error)))
    done(c, "ptx_run", simtlab_ptx_run(c->ptx, &launch, &c->error));
}

static void end(struct calls *c)
{
  left = -1;
  simtlab_ptx_free(c->ptx);
  close_bench(&c->b);
}

/* Of every allocation, or in brief tests of every seventh. */
static void check_each(void (*sequence)(struct calls *))
{
  const char *brief = getenv("SIMTLAB_BRIEF");
  const long step = brief != NULL && brief[0] != '\0' ? 7 : 1;
  struct calls c = {0};
  asked = 0;
  sequence(&c);
  const long all = asked;
  end(&c);
  assert_true(c.status == SIMTLAB_OK || c.status == SIMTLAB_PAUSED);
  assert_true(all > 5); /* the linker has replaced them */
  for (long n = 0; n < all; n += step) {
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
  remove(checkpoint());
}

#define EACH(sequence)                                                                                                 \
  static void sequence##_without_memory(void **state)                                                                  \
  {                                                                                                                    \
    (void)state;                                                                                                       \
    check_each(sequence);                                                                                              \
  }

EACH(on_simtight)
EACH(on_simty)
EACH(on_vortex)
EACH(launches)
EACH(ptx)

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_simtight_without_memory), cmocka_unit_test(on_simty_without_memory),
      cmocka_unit_test(on_vortex_without_memory),   cmocka_unit_test(launches_without_memory),
      cmocka_unit_test(ptx_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
