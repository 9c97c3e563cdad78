/* Checkpoints of GPUs for PTX that were changed together with their checksum: each is refused and changes nothing, or
 * leads to wrong launches that end within their limit, and to a GPU that can be saved, used and closed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/checkpoint.h"
#include "device/gpu.h"

enum { LIMIT = 20000, BUFFERS = 3 };

/* to[i] = to[i] * factor + i, through shared memory, and the sum in a variable. */
static const char text[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 total = 5;\n"
    ".visible .const .align 4 .u32 factor = 3;\n.visible .entry step(.param .u64 to) {\n"
    ".shared .align 4 .b8 part[256];\n.reg .b32 %r<9>;\n.reg .b64 %d<4>;\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nshl.b32 %r3, %r1, 2;\nmad.lo.u32 %r4, %r2, 64, %r1;\n"
    "ld.param.u64 %d1, [to];\nmul.wide.u32 %d2, %r4, 4;\nadd.u64 %d3, %d1, %d2;\nld.global.u32 %r5, [%d3];\n"
    "mov.u32 %r7, part;\nadd.u32 %r7, %r7, %r3;\nst.shared.u32 [%r7], %r5;\nbar.sync 0;\nld.shared.u32 %r5, [%r7];\n"
    "ld.const.u32 %r6, [factor];\nmad.lo.u32 %r5, %r5, %r6, %r4;\nst.global.u32 [%d3], %r5;\n"
    "red.global.add.u32 [total], %r5;\nret;\n}\n";

struct fixture {
  struct sl_config config;
  struct sl_gpu *gpu;
  uint64_t buffer[BUFFERS];
};

static struct sl_error err;

static void open_gpu(struct fixture *f, const char *setting, bool fast)
{
  struct sl_gpu_module *module;
  const struct sl_gpu_options options = {.fast = fast, .limit = LIMIT};
  assert_int_equal(sl_config_open(&f->config, "sm7-1", &err), SL_OK);
  assert_int_equal(sl_config_set(&f->config, "l2.sets=4", &err), SL_OK);
  assert_int_equal(sl_config_set(&f->config, setting, &err), SL_OK);
  assert_int_equal(sl_gpu_open(&f->gpu, &f->config, &options, &err), SL_OK);
  assert_int_equal(sl_gpu_load_bytes(f->gpu, "step.ptx", text, sizeof text - 1, &module, &err), SL_OK);
}

static void close_gpu(struct fixture *f)
{
  sl_gpu_close(f->gpu);
  sl_config_close(&f->config);
}

static enum sl_status run(struct fixture *f, uint64_t to)
{
  const struct sl_gpu_launch launch = {
      .kernel = "step", .grid = {8}, .block = {64}, .arguments = &to, .argument_bytes = sizeof to};
  return sl_gpu_run(f->gpu, &launch, &err);
}

static void begin(struct fixture *f)
{
  for (unsigned i = 0; i < BUFFERS; i++) {
    const uint32_t word = 7 + i;
    assert_int_equal(sl_gpu_alloc(f->gpu, 2048, &f->buffer[i], &err), SL_OK);
    assert_int_equal(sl_gpu_fill(f->gpu, f->buffer[i], &word, sizeof word, 2048, &err), SL_OK);
    assert_int_equal(run(f, f->buffer[i]), SL_OK);
  }
  assert_int_equal(run(f, 64), SL_FAULT);
  assert_int_equal(run(f, f->buffer[1]), SL_OK);
}

static uint64_t next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* Changes a few bytes of the contents, half of them near the begin, where counts and addresses are. */
static void change(const void *from, size_t size, void **to, size_t *changed, uint64_t *state)
{
  struct sl_checkpoint c;
  assert_int_equal(sl_checkpoint_unpack(&c, from, size, &err), SL_OK);
  for (uint64_t n = 1 + next_random(state) % 3; n > 0; n--) {
    const uint64_t near = c.size < 20000 ? c.size : 20000;
    uint8_t *byte = &c.bytes[next_random(state) % (next_random(state) % 2 ? near : c.size)];
    const uint64_t how = next_random(state);
    const uint64_t to_be[] = {UINT8_MAX, *byte + 1u, *byte ^ 1u << (how >> 8) % 8, how >> 8};
    *byte = (uint8_t)to_be[how % 4];
  }
  assert_int_equal(sl_checkpoint_pack(&c, to, changed, &err), SL_OK);
  sl_checkpoint_free(&c);
}

static uint64_t cycles(const struct fixture *f)
{
  return sl_gpu_elapsed(f->gpu);
}

/* Uses all that the checkpoint has restored. */
static void use(struct fixture *f)
{
  void *bytes;
  size_t size;
  const enum sl_status code = run(f, f->buffer[1]);
  assert_true(code == SL_OK || code == SL_USAGE || code == SL_FAULT || code == SL_LIMIT);
  for (size_t i = 0; i < sl_gpu_record_count(f->gpu); i++)
    assert_true(strlen(sl_gpu_record(f->gpu, i)->kernel) < sizeof sl_gpu_record(f->gpu, i)->kernel);
  const struct sl_gpu_fault fault = sl_gpu_last_fault(f->gpu);
  assert_true(strlen(fault.text) < sizeof fault.text);
  assert_int_equal(sl_gpu_save_bytes(f->gpu, &bytes, &size, &err), SL_OK);
  free(bytes);
  for (unsigned i = 0; i < BUFFERS; i++)
    sl_gpu_release(f->gpu, f->buffer[i], &err);
  if (sl_gpu_alloc(f->gpu, 3000, &f->buffer[1], &err) == SL_OK)
    run(f, f->buffer[1]);
}

static void check_changes(const char *setting, bool fast)
{
  const char *brief = getenv("SIMTLAB_BRIEF");
  const unsigned changes = brief != NULL && *brief != '\0' ? 40 : 150;
  unsigned refused = 0;
  uint64_t state = 88172645463325252u;
  struct fixture f;
  void *whole, *changed;
  size_t size, changed_size;
  open_gpu(&f, setting, fast);
  begin(&f);
  assert_int_equal(sl_gpu_save_bytes(f.gpu, &whole, &size, &err), SL_OK);
  for (unsigned i = 0; i < changes; i++) {
    struct fixture other;
    change(whole, size, &changed, &changed_size, &state);
    open_gpu(&other, setting, fast);
    memcpy(other.buffer, f.buffer, sizeof other.buffer);
    const enum sl_status code = sl_gpu_restore_bytes(other.gpu, changed, changed_size, &err);
    assert_true(code == SL_OK || code == SL_USAGE);
    if (code == SL_OK)
      use(&other);
    else
      assert_true(strstr(err.text, "it is damaged") != NULL && sl_gpu_record_count(other.gpu) == 0 &&
                  sl_gpu_allocated(other.gpu) == 0 && cycles(&other) == 0);
    refused += code != SL_OK;
    free(changed);
    close_gpu(&other);
  }
  assert_true(refused > 0 && refused < changes);
  free(whole);
  close_gpu(&f);
}

static void changed_checkpoints_stay_within_their_tables(void **state)
{
  (void)state;
  check_changes("registers.model=collectors", false);
  check_changes("registers.model=volta", false);
}

static void changed_checkpoints_without_timing(void **state)
{
  (void)state;
  check_changes("registers.model=collectors", true);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changed_checkpoints_stay_within_their_tables),
      cmocka_unit_test(changed_checkpoints_without_timing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
