/* Registers wider than the type of ld, st and cvt (PTX ISA, "Operand Size Exceeding Instruction-Type Size"): a source
 * gives its low bits, a result is extended to the register by the sign of its type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ptx_kernel.h"

enum { LANES = 32 };

/* Fills with bit patterns of all signs and sizes. */
static void invent(uint64_t *in, unsigned each)
{
  uint64_t x = 1;
  for (unsigned l = 0; l < LANES * each; l++) {
    x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    in[l] = x ^ x >> 29;
  }
}

static uint64_t kept(uint64_t v, unsigned bits, bool sign)
{
  v <<= 64 - bits;
  return sign ? (uint64_t)((int64_t)v >> (64 - bits)) : v >> (64 - bits);
}

static const char signs[] = "us";
static const unsigned sizes[] = {8, 16, 32, 64};

static void conversions_of_64_bit_registers_keep_the_low_bits(void **state)
{
  enum { FORMS = 64 };
  uint64_t in[LANES * FORMS], out[LANES * FORMS];
  char text[16384] = PTX_HEAD PTX_ENTRY(512) "ld.global.u64 %d1, [%i];\n";
  size_t n = strlen(text);
  (void)state;
  invent(in, FORMS);
  for (unsigned k = 0; k < FORMS; k++)
    n += (size_t)snprintf(text + n, sizeof text - n, "cvt.%c%u.%c%u %%d2, %%d1;\nst.global.u64 [%%o+%u], %%d2;\n",
                          signs[k >> 4 & 1], sizes[k & 3], signs[k >> 5 & 1], sizes[k >> 2 & 3], 8 * k);
  snprintf(text + n, sizeof text - n, "ret;\n}\n");
  ptx_kernel_run(
      &(struct ptx_kernel){.text = text, .in = in, .in_bytes = sizeof in, .out = out, .out_bytes = sizeof out});
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned k = 0; k < FORMS; k++) {
      const uint64_t from = kept(in[l * FORMS], sizes[k >> 2 & 3], k >> 5 & 1);
      assert_int_equal(out[l * FORMS + k], kept(from, sizes[k & 3], k >> 4 & 1));
    }
}

/* f32 in a register of 64 bits; words and halves from and into wider registers; stores of the low bytes. */
static void loads_and_stores_take_wider_registers(void **state)
{
  uint64_t in[LANES * 8], out[LANES * 8];
  (void)state;
  invent(in, 8);
  ptx_kernel_run(&(struct ptx_kernel){
      .text = PTX_HEAD PTX_ENTRY(64) "ld.global.f32 %d1, [%i];\nst.global.u64 [%o], %d1;\n"
                                     "ld.global.s16 %r1, [%i+2];\nst.global.u32 [%o+8], %r1;\n"
                                     "ld.global.b16 %f1, [%i+2];\nst.global.f32 [%o+16], %f1;\n"
                                     "ld.global.s8 %d2, [%i+4];\nst.global.u64 [%o+24], %d2;\n"
                                     "ld.global.u64 %d3, [%i];\nst.global.f32 [%o+32], %d3;\n"
                                     "ld.global.f64 %g1, [%i];\nst.global.b16 [%o+40], %g1;\n"
                                     "cvt.rn.f32.s32 %f2, %d3;\nst.global.f32 [%o+48], %f2;\n"
                                     "cvt.rzi.s32.f32 %d4, %f2;\nst.global.u64 [%o+56], %d4;\nret;\n}\n",
      .in = in,
      .in_bytes = sizeof in,
      .out = out,
      .out_bytes = sizeof out});
  for (unsigned l = 0; l < LANES; l++) {
    const uint64_t v = in[l * 8], *is = out + l * 8;
    const float word = (float)(int32_t)(uint32_t)v;
    uint32_t bits;
    memcpy(&bits, &word, sizeof bits);
    assert_int_equal(is[0], kept(v, 32, false));
    assert_int_equal((uint32_t)is[1], (uint32_t)kept(v >> 16, 16, true));
    assert_int_equal((uint32_t)is[2], kept(v >> 16, 16, false));
    assert_int_equal(is[3], kept(v >> 32, 8, true));
    assert_int_equal((uint32_t)is[4], (uint32_t)v);
    assert_int_equal(is[5], (uint16_t)v);
    assert_int_equal((uint32_t)is[6], bits);
    assert_int_equal(is[7], (uint64_t)(int64_t)(word >= 0x1p31f ? INT32_MAX : (int32_t)word));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(conversions_of_64_bit_registers_keep_the_low_bits),
                                     cmocka_unit_test(loads_and_stores_take_wider_registers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
