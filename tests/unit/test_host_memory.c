/* Memory of a host program's device: random calls against a model, modules with equal names, reservations, and times
 * that do not depend on the number of host threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/host_device.h"

#define MODULE(value)                                                                                                  \
  ".version 6.0\n.target sm_70\n.address_size 64\n.global .u32 v = " value ";\n.const .u32 c = " value ";\n"           \
  ".visible .entry store(.param .u64 p) {\n.reg .b64 %d<3>;\n.reg .b32 %r<4>;\nld.param.u64 %d1, [p];\n"               \
  "ld.global.u32 %r1, [v];\nld.const.u32 %r2, [c];\nadd.u32 %r3, %r1, %r2;\nst.global.u32 [%d1], %r3;\nret;\n}\n"

static void open_device(struct sl_host_device *device, const char *mode, uint64_t threads)
{
  struct sl_host_options options = {.threads = threads};
  struct sl_error err;
  snprintf(options.mode, sizeof options.mode, "%s", mode);
  if (sl_host_open(device, &options, "sm7-4", 1 << 20, &err) != SL_OK)
    fail_msg("%s", err.text);
}

/* ---- a model ----------------------------------------------------------------------------------------------------- */

enum { BUFFERS = 24, LONGEST = 2000, CALLS = 100000 };

struct model {
  struct sl_host_device device;
  struct {
    uint64_t address, bytes; /* 0: none */
    uint8_t contents[LONGEST];
  } buffer[BUFFERS];
  uint64_t random;
  struct sl_error err;
};

static uint32_t draw(struct model *m, uint64_t below)
{
  m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((m->random >> 33) % below);
}

static void check_buffer(struct model *m, unsigned i)
{
  uint8_t back[LONGEST];
  assert_int_equal(sl_gpu_read(m->device.gpu, SL_GPU_GLOBAL, m->buffer[i].address, back, m->buffer[i].bytes, &m->err),
                   SL_OK);
  assert_memory_equal(back, m->buffer[i].contents, m->buffer[i].bytes);
}

static void exchange(struct model *m, unsigned i)
{
  uint64_t first, bytes;
  if (m->buffer[i].bytes == 0) {
    m->buffer[i].bytes = 1 + draw(m, LONGEST);
    assert_int_equal(sl_gpu_alloc(m->device.gpu, m->buffer[i].bytes, &m->buffer[i].address, &m->err), SL_OK);
    memset(m->buffer[i].contents, 0, LONGEST);
    assert_int_equal(m->buffer[i].address % 256, 0);
    check_buffer(m, i);
    return;
  }
  check_buffer(m, i);
  assert_true(sl_gpu_buffer(m->device.gpu, m->buffer[i].address + m->buffer[i].bytes - 1, &first, &bytes));
  assert_true(first == m->buffer[i].address && bytes == m->buffer[i].bytes);
  assert_int_equal(sl_gpu_release(m->device.gpu, m->buffer[i].address, &m->err), SL_OK);
  assert_int_equal(sl_gpu_release(m->device.gpu, m->buffer[i].address, &m->err), SL_USAGE);
  m->buffer[i].bytes = 0;
}

static void change(struct model *m, unsigned i, unsigned from)
{
  uint8_t bytes[LONGEST];
  struct sl_gpu *gpu = m->device.gpu;
  const uint32_t at = draw(m, m->buffer[i].bytes);
  uint32_t size = draw(m, m->buffer[i].bytes - at + 1);
  const uint64_t address = m->buffer[i].address + at;
  switch (draw(m, 4)) {
  case 0:
    for (uint32_t k = 0; k < size; k++)
      bytes[k] = (uint8_t)draw(m, 256);
    assert_int_equal(sl_gpu_write(gpu, SL_GPU_GLOBAL, address, bytes, size, &m->err), SL_OK);
    memcpy(m->buffer[i].contents + at, bytes, size);
    break;
  case 1: {
    const unsigned width = 1u << draw(m, 5);
    size -= size % width;
    for (unsigned k = 0; k < width; k++)
      bytes[k] = (uint8_t)draw(m, 256);
    assert_int_equal(sl_gpu_fill(gpu, address, bytes, width, size, &m->err), SL_OK);
    for (uint32_t k = 0; k < size; k++)
      m->buffer[i].contents[at + k] = bytes[k % width];
    break;
  }
  case 2: {
    const uint32_t start = draw(m, m->buffer[from].bytes), room = (uint32_t)m->buffer[from].bytes - start;
    size = size < room ? size : room; /* the ranges may overlap */
    assert_int_equal(sl_gpu_copy(gpu, address, m->buffer[from].address + start, size, &m->err), SL_OK);
    memmove(m->buffer[i].contents + at, m->buffer[from].contents + start, size);
    break;
  }
  default: check_buffer(m, i);
  }
}

static void random_calls_agree_with_a_model(void **state)
{
  (void)state;
  struct model *m = calloc(1, sizeof *m);
  assert_non_null(m);
  uint64_t expected = 0;
  open_device(&m->device, "fast", 0);
  for (unsigned call = 0; call < CALLS; call++) {
    const unsigned i = draw(m, BUFFERS), from = draw(m, BUFFERS);
    if (m->buffer[i].bytes == 0 || draw(m, 8) == 0)
      exchange(m, i);
    else
      change(m, i, m->buffer[from].bytes > 0 ? from : i);
  }
  for (unsigned i = 0; i < BUFFERS; i++) {
    if (m->buffer[i].bytes > 0)
      check_buffer(m, i);
    expected += m->buffer[i].bytes;
  }
  assert_true(sl_gpu_allocated(m->device.gpu) == expected);
  sl_host_close(&m->device);
  free(m);
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

static void modules_with_equal_names_are_apart(void **state)
{
  (void)state;
  static const char *const texts[] = {MODULE("5"), MODULE("70")};
  struct sl_host_device device;
  struct sl_gpu_module *module[2];
  struct sl_queue *queue;
  struct sl_error err;
  uint64_t address;
  open_device(&device, "timed", 0);
  assert_int_equal(sl_queue_open(device.timeline, &queue, &err), SL_OK);
  assert_int_equal(sl_gpu_alloc(device.gpu, 4, &address, &err), SL_OK);
  for (int i = 0; i < 2; i++)
    assert_int_equal(
        sl_host_load(&device, "m.ptx", &(struct sl_host_code){texts[i], strlen(texts[i]), NULL}, &module[i], &err),
        SL_OK);
  for (int i = 0; i < 2; i++) {
    const struct sl_gpu_launch launch = {.module = module[i],
                                         .kernel = "store",
                                         .grid = {1},
                                         .block = {1},
                                         .arguments = &address,
                                         .argument_bytes = sizeof address};
    uint32_t value = 0;
    assert_int_equal(sl_host_launch(&device, queue, &launch, NULL, 0, NULL, &err), SL_OK);
    assert_int_equal(sl_gpu_read(device.gpu, SL_GPU_GLOBAL, address, &value, sizeof value, &err), SL_OK);
    assert_int_equal(value, i == 0 ? 10 : 140);
  }
  sl_host_close(&device);
}

/* ---- reservations ------------------------------------------------------------------------------------------------ */

static long resident_bytes(void)
{
  long all = 0, pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &all, &pages) != 2)
    pages = -1;
  if (file != NULL)
    fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static void memory_is_taken_when_it_is_touched(void **state)
{
  (void)state;
  enum { PIECES = 6, TOUCHED = 10, MOST = 50000000 };
  const uint64_t piece = UINT64_C(4) << 30;
  struct sl_host_device device;
  struct sl_error err;
  uint64_t address[PIECES];
  open_device(&device, "fast", 0);
  const long before = resident_bytes();
  if (before < 0)
    skip();
  for (int i = 0; i < PIECES; i++)
    if (sl_gpu_alloc(device.gpu, piece, &address[i], &err) != SL_OK)
      fail_msg("%s", err.text);
  for (unsigned i = 0; i < TOUCHED; i++) {
    const uint8_t byte = (uint8_t)(i + 1);
    assert_int_equal(sl_gpu_write(device.gpu, SL_GPU_GLOBAL, address[i % PIECES] + i * (piece / 16), &byte, 1, &err),
                     SL_OK);
  }
  assert_true(resident_bytes() - before < MOST);
  sl_host_close(&device);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

static void times_do_not_depend_on_threads(void **state)
{
  (void)state;
  static const char text[] = MODULE("1");
  uint64_t ends[5] = {0};
  for (uint64_t threads = 1; threads <= 4; threads++) {
    struct sl_host_device device;
    struct sl_gpu_module *module;
    struct sl_queue *queue[2];
    struct sl_error err;
    uint64_t address;
    open_device(&device, "timed", threads);
    for (int i = 0; i < 2; i++)
      assert_int_equal(sl_queue_open(device.timeline, &queue[i], &err), SL_OK);
    assert_int_equal(sl_host_load(&device, "m.ptx", &(struct sl_host_code){text, sizeof text - 1, NULL}, &module, &err),
                     SL_OK);
    assert_int_equal(sl_gpu_alloc(device.gpu, 4, &address, &err), SL_OK);
    for (uint32_t i = 0; i < 6; i++) {
      const struct sl_gpu_launch launch = {.module = module,
                                           .kernel = "store",
                                           .grid = {1 + 3 * i},
                                           .block = {64},
                                           .arguments = &address,
                                           .argument_bytes = sizeof address};
      struct sl_event *event;
      assert_int_equal(sl_host_launch(&device, queue[i % 2], &launch, NULL, 0, &event, &err), SL_OK);
      ends[threads] = sl_event_times(event).end;
      sl_event_release(event);
    }
    sl_host_close(&device);
    assert_true(ends[threads] > 0 && ends[threads] == ends[1]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_calls_agree_with_a_model),
      cmocka_unit_test(modules_with_equal_names_are_apart),
      cmocka_unit_test(memory_is_taken_when_it_is_touched),
      cmocka_unit_test(times_do_not_depend_on_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
