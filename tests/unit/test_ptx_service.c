/* ptx/run/ptx_call.c: calls of vprintf, malloc, free and __assertfail, as Clang writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ptx_kernel.h"

enum { BLOCKS = 12, THREADS = 48, ROOM = 4096 };

#define DECLARED                                                                                                       \
  ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"                                             \
  ".extern .func (.param .b64 r) malloc(.param .b64 a);\n.extern .func free(.param .b64 a);\n"                         \
  ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) .noreturn;\n" \
  ".global .align 1 .b8 f[6] = {37, 100, 32, 37, 100, 0};\n.const .align 1 .b8 line[4] = {120, 62, 49, 0};\n"

/* Thread t of block b prints its numbers, allocates t + 1 bytes and frees them. */
static const char text[] = PTX_HEAD DECLARED
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.local .align 8 .b8 depot[16];\n.reg .b64 %d<12>;\n.reg "
    ".b32 "
    "%r<9>;\nmov.u64 %d1, depot;\ncvta.local.u64 %d2, %d1;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n"
    "st.local.u32 [%d1], %r1;\nst.local.u32 [%d1+4], %r2;\nmov.u64 %d3, f;\ncvta.global.u64 %d4, %d3;\n"
    "{\n.param .b64 p0; .param .b64 p1; .param .b32 q;\nst.param.b64 [p0], %d4;\nst.param.b64 [p1], %d2;\n"
    "call.uni (q), vprintf, (p0, p1);\nld.param.b32 %r3, [q];\n}\n"
    "cvt.u64.u32 %d5, %r2;\nadd.u64 %d5, %d5, 1;\n"
    "{\n.param .b64 p0; .param .b64 q;\nst.param.b64 [p0], %d5;\ncall.uni (q), malloc, (p0);\nld.param.b64 %d6, "
    "[q];\n}\n"
    "{\n.param .b64 p0;\nst.param.b64 [p0], %d6;\ncall.uni free, (p0);\n}\n"
    "ld.param.u64 %d7, [out];\nmad.lo.u32 %r4, %r1, 48, %r2;\nmul.wide.u32 %d8, %r4, 16;\nadd.u64 %d7, %d7, %d8;\n"
    "st.global.u32 [%d7], %r3;\nst.global.u64 [%d7+8], %d6;\nret;\n}\n";

struct host {
  uint32_t printed[ROOM][2];
  unsigned prints, allocations, frees;
  uint64_t bytes;
};

static void call(void *context, struct sl_ptx_service_call *c)
{
  struct host *h = context;
  for (uint32_t rest = c->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    char format[6];
    switch (c->service) {
    case SL_PTX_SERVICE_VPRINTF:
      assert_true(sl_ptx_service_read(c, l, c->argument[0][l], format, sizeof format));
      assert_string_equal(format, "%d %d");
      assert_true(sl_ptx_service_read(c, l, c->argument[1][l], h->printed[h->prints], 8));
      assert_false(sl_ptx_service_read(c, l, c->argument[1][l], format, ROOM));
      assert_int_equal(h->printed[h->prints++][1], c->warp->index * 32 + l);
      c->result[l] = 2;
      break;
    case SL_PTX_SERVICE_MALLOC:
      h->bytes += c->argument[0][l];
      c->result[l] = 0x1000 + c->argument[0][l];
      h->allocations++;
      break;
    case SL_PTX_SERVICE_FREE:
      h->bytes -= c->argument[0][l] - 0x1000;
      h->frees++;
      break;
    default: fail();
    }
  }
}

static void the_host_is_called_in_the_same_order_on_any_number_of_threads(void **state)
{
  static struct host h[3];
  static uint64_t out[BLOCKS * THREADS * 2];
  struct sl_error err;
  (void)state;
  for (unsigned way = 0; way <= 2; way++) {
    const struct sl_ptx_services services = {&h[way], call};
    const struct ptx_kernel k = {
        .text = text, .blocks = BLOCKS, .threads = THREADS, .out = out, .out_bytes = sizeof out, .services = &services};
    if (ptx_kernel_try(&k, way, out, &err) != SL_OK)
      fail_msg("%s", err.text);
    assert_int_equal(h[way].prints, BLOCKS * THREADS);
    assert_int_equal(h[way].allocations, BLOCKS * THREADS);
    assert_int_equal(h[way].frees, BLOCKS * THREADS);
    assert_int_equal(h[way].bytes, 0);
    for (unsigned i = 0; i < BLOCKS * THREADS; i++) {
      assert_int_equal((uint32_t)out[2 * i], 2);
      assert_int_equal(out[2 * i + 1], 0x1000 + i % THREADS + 1);
    }
  }
  assert_memory_equal(h[1].printed, h[2].printed, sizeof h[1].printed);
}

static void without_a_host_a_call_is_a_fault(void **state)
{
  static uint64_t out[BLOCKS * THREADS * 2];
  (void)state;
  ptx_kernel_faults(&(struct ptx_kernel){.text = text, .out = out, .out_bytes = sizeof out},
                    "the kernel calls vprintf, a function of the host program, which this run does not have");
}

static void a_failed_assertion_names_its_place(void **state)
{
  uint64_t out[32];
  (void)state;
  ptx_kernel_faults(
      &(struct ptx_kernel){
          .text = PTX_HEAD DECLARED PTX_ENTRY(
              8) "setp.ne.u32 %p1, %t, 5;\n@%p1 bra $L;\nmov.u64 %d1, line;\ncvta.const.u64 %d1, %d1;\nmov.u64 %d2, "
                 "f;\n"
                 "{\n.param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\nst.param.b64 [a], "
                 "%d1;\n"
                 "st.param.b64 [b], %d2;\nst.param.b32 [c], 17;\nst.param.b64 [d], %d1;\nst.param.b64 [e], 1;\n"
                 "call.uni __assertfail, (a, b, c, d, e);\n}\n$L:\nst.global.u64 [%o], %d1;\nret;\n}\n",
          .out = out,
          .out_bytes = sizeof out},
      "k block (0,0,0) thread (5,0,0): assertion `x>1' failed at %d %d:17 in x>1");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_host_is_called_in_the_same_order_on_any_number_of_threads),
                                     cmocka_unit_test(without_a_host_a_call_is_a_fault),
                                     cmocka_unit_test(a_failed_assertion_names_its_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
