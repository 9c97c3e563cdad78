/* host/host_device.h: what kernels have printed and allocated, in checkpoints of a launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/schema.h"
#include "host/host_device.h"

enum { ROOM = 64, HEAP = 4096 };

#define FIRST UINT64_C(0xc0000000)

static void open_services(struct sl_host_services *s)
{
  struct sl_error err;
  sl_host_services_init(s, ROOM);
  assert_int_equal(sl_host_services_heap(s, FIRST, HEAP, &err), SL_OK);
}

/* A kernel allocates and frees a block. */
static void allocate_and_free(struct sl_host_services *s)
{
  struct sl_ptx_service_call call = {.service = SL_PTX_SERVICE_MALLOC, .lanes = 1, .argument = {{24}}};
  s->services.call(s->services.context, &call);
  assert_int_equal(call.result[0], FIRST);
  call.service = SL_PTX_SERVICE_FREE;
  call.argument[0][0] = FIRST;
  s->services.call(s->services.context, &call);
}

static size_t save(struct sl_host_services *s, uint8_t *bytes)
{
  struct sl_archive t = {.to = bytes};
  sl_host_services_archive(s, &t);
  return t.at;
}

static bool restores(struct sl_host_services *s, const uint8_t *bytes, size_t size)
{
  struct sl_archive t = {.from = bytes, .size = size};
  sl_host_services_archive(s, &t);
  return !t.bad && t.at == size;
}

static void a_block_that_was_freed_is_given_again(void **state)
{
  (void)state;
  static uint8_t bytes[1 << 16];
  struct sl_host_services a, b;
  open_services(&a);
  open_services(&b);
  allocate_and_free(&a);
  assert_true(restores(&b, bytes, save(&a, bytes)));
  assert_true(b.next > FIRST);
  struct sl_ptx_service_call call = {.service = SL_PTX_SERVICE_MALLOC, .lanes = 1, .argument = {{24}}};
  b.services.call(b.services.context, &call);
  assert_int_equal(call.result[0], FIRST);
  sl_host_services_free(&a);
  sl_host_services_free(&b);
}

/* Each number of 8 bytes in turn becomes too large. Some make a product of counts and sizes overflow. */
static void numbers_beyond_their_bounds_are_refused(void **state)
{
  (void)state;
  static uint8_t bytes[1 << 16];
  static const uint64_t wrong[] = {UINT64_MAX, (UINT64_C(1) << 61) + 1, UINT64_C(1) << 40};
  struct sl_host_services a;
  open_services(&a);
  allocate_and_free(&a);
  const size_t size = save(&a, bytes), used = 0, next = 16,
               lists = size - SL_HOST_CLASSES * 8; /* the second one has an address */
  const size_t places[] = {used, next, lists};
  for (unsigned i = 0; i < 3 * sizeof places / sizeof *places; i++) {
    uint8_t changed[1 << 12];
    struct sl_host_services b;
    assert_true(size <= sizeof changed);
    memcpy(changed, bytes, size);
    memcpy(changed + places[i / 3], &wrong[i % 3], sizeof wrong[0]);
    open_services(&b);
    assert_false(restores(&b, changed, size));
    assert_true(b.used <= ROOM && b.next >= b.first && b.next <= b.end);
    for (unsigned c = 0; c < SL_HOST_CLASSES; c++)
      assert_true(b.free[c].count <= b.free[c].room);
    sl_host_services_free(&b);
  }
  sl_host_services_free(&a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_that_was_freed_is_given_again),
      cmocka_unit_test(numbers_beyond_their_bounds_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
