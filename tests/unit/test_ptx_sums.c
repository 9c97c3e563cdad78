/* dp4a, dp2a, redux, atomics of 16 bits and of halves, sizes of shared memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ptx_kernel.h"

enum { LANES = 32 };

static uint32_t in[4 * LANES], out[16 * LANES];

static void invent(void)
{
  uint64_t x = 3;
  for (unsigned i = 0; i < 4 * LANES; i++) {
    x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    in[i] = (uint32_t)(x >> 32);
  }
}

static int64_t part(uint32_t v, unsigned bits, unsigned i, bool sign)
{
  const uint32_t p = v >> (bits * i) & (bits == 8 ? 0xff : 0xffff);
  return sign && p >> (bits - 1) ? (int64_t)p - (1 << bits) : (int64_t)p;
}

static void dot_products_sum_the_products_of_parts(void **state)
{
  char text[4096] = PTX_HEAD PTX_ENTRY(48) "shl.b32 %r1, %t, 5;\ncvt.u64.u32 %n, %r1;\nsub.s64 %i, %i, %n;\n"
                                           "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%i];\n";
  size_t n = strlen(text);
  (void)state;
  invent();
  for (unsigned k = 0; k < 12; k++)
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "dp%s.%c32.%c32 %%r5, %%r1, %%r2, %%r3;\nst.global.u32 [%%o+%u], %%r5;\n",
                          k < 4   ? "4a"
                          : k < 8 ? "2a.lo"
                                  : "2a.hi",
                          "us"[k & 1], "us"[k >> 1 & 1], 4 * k);
  snprintf(text + n, sizeof text - n, "ret;\n}\n");
  ptx_kernel_run(
      &(struct ptx_kernel){.text = text, .in = in, .in_bytes = sizeof in, .out = out, .out_bytes = 48 * LANES});
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned k = 0; k < 12; k++) {
      const uint32_t *v = in + 4 * l;
      int64_t sum = v[2];
      for (unsigned i = 0; i < (k < 4 ? 4u : 2u); i++)
        sum += part(v[0], k < 4 ? 8 : 16, i, k & 1) * part(v[1], 8, i + (k >= 8 ? 2 : 0), k >> 1 & 1);
      assert_int_equal(out[12 * l + k], (uint32_t)sum);
    }
}

/* All lanes, then the even ones. */
static void redux_combines_the_members(void **state)
{
  (void)state;
  invent();
  ptx_kernel_run(&(struct ptx_kernel){
      .text =
          PTX_HEAD PTX_ENTRY(4) "ld.global.u32 %r1, [%i];\nmul.wide.u32 %n, %t, 28;\nadd.s64 %o, %o, %n;\n"
                                "redux.sync.add.s32 %r2, %r1, -1;\nst.global.u32 [%o], %r2;\n"
                                "redux.sync.min.u32 %r2, %r1, -1;\nst.global.u32 [%o+4], %r2;\n"
                                "redux.sync.max.s32 %r2, %r1, -1;\nst.global.u32 [%o+8], %r2;\n"
                                "redux.sync.xor.b32 %r2, %r1, -1;\nst.global.u32 [%o+12], %r2;\n"
                                "and.b32 %r3, %t, 1;\nsetp.eq.u32 %p1, %r3, 0;\nmov.u32 %r2, 0;\n"
                                "@%p1 redux.sync.or.b32 %r2, %r1, 0x55555555;\nst.global.u32 [%o+16], %r2;\n"
                                "@%p1 redux.sync.and.b32 %r2, %r1, 0x55555555;\nst.global.u32 [%o+20], %r2;\n"
                                "@%p1 redux.sync.min.s32 %r2, %r1, 0x55555555;\nst.global.u32 [%o+24], %r2;\nret;\n}\n",
      .in = in,
      .in_bytes = sizeof in,
      .out = out,
      .out_bytes = 32 * LANES});
  uint32_t wanted[7] = {0, UINT32_MAX, 0x80000000, 0, 0, UINT32_MAX, INT32_MAX};
  for (unsigned l = 0; l < LANES; l++) {
    wanted[0] += in[l];
    wanted[1] = in[l] < wanted[1] ? in[l] : wanted[1];
    wanted[2] = (int32_t)in[l] > (int32_t)wanted[2] ? in[l] : wanted[2];
    wanted[3] ^= in[l];
    if (l % 2 != 0)
      continue;
    wanted[4] |= in[l];
    wanted[5] &= in[l];
    wanted[6] = (int32_t)in[l] < (int32_t)wanted[6] ? in[l] : wanted[6];
  }
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned k = 0; k < 7; k++)
      assert_int_equal(out[8 * l + k], k > 3 && l % 2 != 0 ? 0 : wanted[k]);
}

/* Lanes count to 32 in f16 and bf16, and count a half-word up by compare and swap; its neighbours stay. */
static void atomics_of_halves_change_no_neighbour(void **state)
{
  (void)state;
  ptx_kernel_run(&(struct ptx_kernel){
      .text = PTX_HEAD PTX_ENTRY(
          0) "mov.b16 %h1, 0x3c00;\nmov.b16 %h2, 0x3f80;\nmov.b32 %r1, 0x40003c00;\n"
             "atom.global.add.noftz.f16 %h3, [%o+2], %h1;\nred.global.add.noftz.bf16 [%o+4], %h2;\n"
             "atom.add.noftz.f16x2 %r2, [%o+8], %r1;\n"
             "$L: ld.volatile.global.b16 %h4, [%o+14];\nadd.s16 %h5, %h4, 3;\n"
             "atom.global.cas.b16 %h6, [%o+14], %h4, %h5;\nsetp.ne.b16 %p1, %h6, %h4;\n@%p1 bra $L;\n"
             "ret;\n}\n",
      .out = out,
      .out_bytes = 16});
  assert_int_equal(out[0], 0x50000000); /* 32 in f16 */
  assert_int_equal(out[1], 0x4200);     /* 32 in bf16 */
  assert_int_equal(out[2], 0x54005000); /* 64 and 32 */
  assert_int_equal(out[3], 96u << 16);
}

static void special_registers_have_the_sizes_of_shared_memory(void **state)
{
  (void)state;
  ptx_kernel_run(&(struct ptx_kernel){.text = PTX_HEAD ".shared .align 16 .b8 own[48];\n" PTX_ENTRY(
                                          8) "st.shared.u32 [own], 1;\nmov.u32 %r1, %dynamic_smem_size;\nmov.u32 %r2, "
                                             "%total_smem_size;\nst.global.v2.u32 [%o], {%r1, %r2};\nret;\n}\n",
                                      .shared = 1008,
                                      .out = out,
                                      .out_bytes = 8 * LANES});
  assert_int_equal(out[0], 1008);
  assert_int_equal(out[1], 1008 + 48);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(dot_products_sum_the_products_of_parts),
                                     cmocka_unit_test(redux_combines_the_members),
                                     cmocka_unit_test(atomics_of_halves_change_no_neighbour),
                                     cmocka_unit_test(special_registers_have_the_sizes_of_shared_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
