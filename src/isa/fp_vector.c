/* Built once per x86-64 level (SL_LEVEL names it). The loops are plain C for the compiler to vectorise. Each is one
 * operation on words from memory, so the compiler can fold nothing for one rounding mode. */
#include "isa/fp.h"
#include "isa/semantics.h"

#define JOIN3_(a, b, c) a##_##b##_##c
#define JOIN3(a, b, c) JOIN3_(a, b, c)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* Operand for inactive lanes; it raises no flag in any instruction, as a float (1) or an integer. */
#define HARMLESS UINT32_C(0x3f800000)
#define SIGN SL_F32_SIGN

/* Conversions to integers are fast below 2^31; those to unsigned integers from +0 on. */
#define LIMIT UINT32_C(0x4f000000)
#define LIMITED(magnitude) (int32_t) rintf(sl_f32((magnitude) < LIMIT ? a : HARMLESS))

static inline uint32_t bits(float f)
{
  uint32_t b;
  memcpy(&b, &f, sizeof b);
  return b;
}

/* Row, field of the third operand (if there is none, any register's), value of rd as bits, and the condition for the
 * slow path, in which r is the value. */
#define FAST_ROWS(ROW)                                                                                                 \
  ROW(FADD, rs1, bits(sl_f32(a) + sl_f32(b)), sl_f32_is_nan(r))                                                        \
  ROW(FSUB, rs1, bits(sl_f32(a) - sl_f32(b)), sl_f32_is_nan(r))                                                        \
  ROW(FMUL, rs1, bits(sl_f32(a) * sl_f32(b)), sl_f32_is_nan(r))                                                        \
  ROW(FDIV, rs1, bits(sl_f32(a) / sl_f32(b)), sl_f32_is_nan(r))                                                        \
  ROW(FSQRT, rs1, bits(sqrtf(sl_f32(a))), sl_f32_is_nan(r))                                                            \
  ROW(FMIN, rs1, sl_f32_min(a, b), sl_f32_is_nan(a) | sl_f32_is_nan(b))                                                \
  ROW(FMAX, rs1, sl_f32_max(a, b), sl_f32_is_nan(a) | sl_f32_is_nan(b))                                                \
  ROW(FEQ, rs1, sl_f32_eq(a, b), sl_f32_is_nan(a) | sl_f32_is_nan(b))                                                  \
  ROW(FLT, rs1, sl_f32_lt(a, b), sl_f32_is_nan(a) | sl_f32_is_nan(b))                                                  \
  ROW(FLE, rs1, sl_f32_le(a, b), sl_f32_is_nan(a) | sl_f32_is_nan(b))                                                  \
  ROW(FSGNJ, rs1, (a & ~SIGN) | (b & SIGN), 0)                                                                         \
  ROW(FSGNJN, rs1, (a & ~SIGN) | (~b & SIGN), 0)                                                                       \
  ROW(FSGNJX, rs1, a ^ (b & SIGN), 0)                                                                                  \
  ROW(FCVT_S_W, rs1, bits((float)(int32_t)a), 0)                                                                       \
  ROW(FCVT_S_WU, rs1, bits((float)(int64_t)a), 0)                                                                      \
  ROW(FMV_X_W, rs1, a, 0)                                                                                              \
  ROW(FMV_W_X, rs1, a, 0)

#ifdef __FMA__
#define FUSED_ROWS(ROW)                                                                                                \
  ROW(FMADD, rs3, bits(__builtin_fmaf(sl_f32(a), sl_f32(b), sl_f32(c))), sl_f32_is_nan(r))                             \
  ROW(FMSUB, rs3, bits(__builtin_fmaf(sl_f32(a), sl_f32(b), sl_f32(c ^ SIGN))), sl_f32_is_nan(r))                      \
  ROW(FNMSUB, rs3, bits(__builtin_fmaf(sl_f32(a ^ SIGN), sl_f32(b), sl_f32(c))), sl_f32_is_nan(r))                     \
  ROW(FNMADD, rs3, bits(__builtin_fmaf(sl_f32(a ^ SIGN), sl_f32(b), sl_f32(c ^ SIGN))), sl_f32_is_nan(r))
#else
#define FUSED_ROWS(ROW)
#endif

#ifdef __SSE4_1__
#define ROUNDING_ROWS(ROW)                                                                                             \
  ROW(FCVT_W_S, rs1, (uint32_t)LIMITED(a & ~SIGN), (a & ~SIGN) >= LIMIT)                                               \
  ROW(FCVT_WU_S, rs1, (uint32_t)LIMITED(a), a >= LIMIT)
#else
#define ROUNDING_ROWS(ROW)
#endif

/* All ones for an active lane, without a word wider than the operands. */
static inline uint32_t lane_mask(uint32_t low, uint32_t high, unsigned l)
{
  return 0 - (((l < 32 ? low : high) >> (l & 31)) & 1);
}

/* Forces the computation of the values, and thus their flags, even if nothing uses them. */
#define RAISED(values) __asm__ volatile("" : : "r"(values) : "memory")

/* Writes nothing until all lanes have passed the checks. Masks replace the operands of inactive lanes, which therefore
 * never need the slow path; branches would prevent vectorisation. */
#define FUNCTION(name, n, third, value, slow_way)                                                                      \
  static bool name(uint32_t *x, const struct sl_insn *in, sl_lanes active, unsigned lanes)                             \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    const uint32_t *ra = x + in->rs1 * (n), *rb = x + in->rs2 * (n), *rc = x + in->third * (n);                        \
    const uint32_t low = (uint32_t)active, high = (uint32_t)(active >> 32);                                            \
    _Alignas(SL_CACHE_LINE) uint32_t result[SL_MAX_LANES];                                                             \
    uint32_t slow = 0;                                                                                                 \
    for (unsigned l = 0; l < (n); l++) {                                                                               \
      const uint32_t on = lane_mask(low, high, l), off = HARMLESS & ~on;                                               \
      const uint32_t a = (ra[l] & on) | off, b = (rb[l] & on) | off, c = (rc[l] & on) | off;                           \
      const uint32_t r = (value);                                                                                      \
      (void)a, (void)b, (void)c;                                                                                       \
      slow |= (slow_way);                                                                                              \
      result[l] = r;                                                                                                   \
    }                                                                                                                  \
    RAISED(result);                                                                                                    \
    if (slow != 0)                                                                                                     \
      return true;                                                                                                     \
    uint32_t *d = x + in->rd * (n);                                                                                    \
    if (in->rd == 0)                                                                                                   \
      return false;                                                                                                    \
    for (unsigned l = 0; l < (n); l++) {                                                                               \
      const uint32_t on = lane_mask(low, high, l);                                                                     \
      d[l] = (result[l] & on) | (d[l] & ~on);                                                                          \
    }                                                                                                                  \
    return false;                                                                                                      \
  }

#define ALL_ROWS(ROW) FAST_ROWS(ROW) FUSED_ROWS(ROW) ROUNDING_ROWS(ROW)

/* Lane counts 16 and 32 as constants, others by the parameter. */
#define FUNCTION_16(id, third, value, slow_way) FUNCTION(exec16_##id, 16u, third, value, slow_way)
#define FUNCTION_32(id, third, value, slow_way) FUNCTION(exec32_##id, 32u, third, value, slow_way)
#define FUNCTION_N(id, third, value, slow_way) FUNCTION(execn_##id, lanes, third, value, slow_way)
ALL_ROWS(FUNCTION_16)
ALL_ROWS(FUNCTION_32)
ALL_ROWS(FUNCTION_N)

#define ENTRY_16(id, third, value, slow_way) [SL_OP_##id] = exec16_##id,
#define ENTRY_32(id, third, value, slow_way) [SL_OP_##id] = exec32_##id,
#define ENTRY_N(id, third, value, slow_way) [SL_OP_##id] = execn_##id,

const struct sl_fp_ops JOIN3(sl_fp_ops, SL_LEVEL, 16) = {.level = TEXT(SL_LEVEL), .execute = {ALL_ROWS(ENTRY_16)}};
const struct sl_fp_ops JOIN3(sl_fp_ops, SL_LEVEL, 32) = {.level = TEXT(SL_LEVEL), .execute = {ALL_ROWS(ENTRY_32)}};
const struct sl_fp_ops JOIN3(sl_fp_ops, SL_LEVEL, n) = {.level = TEXT(SL_LEVEL), .execute = {ALL_ROWS(ENTRY_N)}};
