/* The result of an instruction for one lane, written from the RISC-V manual and independent of the table's semantics
 * column: integers through 64-bit arithmetic, floating point through double, where one rounding of +, -, *, / and sqrt
 * to float is exact. */
#ifndef SL_TESTS_SCALAR_H
#define SL_TESTS_SCALAR_H

#include <math.h>
#include <string.h>

#include "isa/isa.h"

static inline double scalar_float(uint32_t bits)
{
  float f;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

static inline uint32_t scalar_bits(double value)
{
  const float f = (float)value;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return isnan(value) ? 0x7fc00000u : bits;
}

/* Section 11.6: if one operand is a NaN, the other; if both are, the canonical NaN; -0 is below +0. */
static inline uint32_t scalar_min_max(uint32_t a, uint32_t b, bool max)
{
  const double x = scalar_float(a), y = scalar_float(b);
  if (isnan(x) && isnan(y))
    return 0x7fc00000u;
  if (isnan(x) || isnan(y))
    return isnan(x) ? b : a;
  if (x == y)
    return (a >> 31) == (b >> 31) ? a : (a >> 31) == (uint32_t)max ? b : a;
  return (x < y) != max ? a : b;
}

/* Section 11.7, table 11.4: truncation; out-of-range values saturate; NaN gives the greatest value. */
static inline uint32_t scalar_to_integer(uint32_t a, double least, double greatest)
{
  const double x = scalar_float(a);
  if (isnan(x) || x >= greatest)
    return (uint32_t)(int64_t)greatest;
  return x <= least ? (uint32_t)(int64_t)least : (uint32_t)(int64_t)trunc(x);
}

static inline uint32_t scalar_divide(int64_t a, int64_t b, bool remainder)
{
  if (b == 0)
    return remainder ? (uint32_t)a : UINT32_MAX;
  return (uint32_t)(remainder ? a - a / b * b : a / b);
}

static inline uint32_t scalar_shift_arithmetic(uint32_t a, unsigned n)
{
  const uint64_t wide = (a >> 31 ? UINT64_C(0xffffffff00000000) : 0) | a;
  return (uint32_t)(wide >> n);
}

static inline uint32_t scalar_float_operation(unsigned op, uint32_t a, uint32_t b)
{
  const double x = scalar_float(a), y = scalar_float(b);
  switch (op) {
  case SL_OP_FADD: return scalar_bits(x + y);
  case SL_OP_FSUB: return scalar_bits(x - y);
  case SL_OP_FMUL: return scalar_bits(x * y);
  case SL_OP_FDIV: return scalar_bits(x / y);
  case SL_OP_FSQRT: return scalar_bits(sqrt(x));
  case SL_OP_FSGNJ: return (a << 1 >> 1) | (b >> 31 << 31);
  case SL_OP_FSGNJN: return (a << 1 >> 1) | ((b >> 31 ^ 1) << 31);
  case SL_OP_FSGNJX: return (a << 1 >> 1) | ((a >> 31 ^ b >> 31) << 31);
  case SL_OP_FMIN: return scalar_min_max(a, b, false);
  case SL_OP_FMAX: return scalar_min_max(a, b, true);
  case SL_OP_FCVT_W_S: return scalar_to_integer(a, -2147483648.0, 2147483647.0);
  case SL_OP_FCVT_WU_S: return scalar_to_integer(a, 0.0, 4294967295.0);
  case SL_OP_FCVT_S_W: return scalar_bits((double)(int32_t)a);
  case SL_OP_FCVT_S_WU: return scalar_bits((double)a);
  case SL_OP_FEQ: return x == y;
  case SL_OP_FLT: return x < y;
  case SL_OP_FLE: return x <= y;
  default: return 0xdeadbeefu; /* no such instruction: the caller's comparison fails */
  }
}

/* The value of rd; of a branch, whether it is taken. */
static inline uint32_t scalar_operation(unsigned op, uint32_t a, uint32_t b, uint32_t imm, uint32_t pc)
{
  const int64_t sa = (int32_t)a, sb = (int32_t)b, si = (int32_t)imm;
  switch (op) {
  case SL_OP_LUI: return imm;
  case SL_OP_AUIPC: return (uint32_t)((uint64_t)pc + imm);
  case SL_OP_ADDI: return (uint32_t)(sa + si);
  case SL_OP_SLTI: return sa < si;
  case SL_OP_SLTIU: return (uint64_t)a < (uint64_t)imm;
  case SL_OP_XORI: return (a | imm) - (a & imm);
  case SL_OP_ORI: return a + imm - (a & imm);
  case SL_OP_ANDI: return ~(~a | ~imm);
  case SL_OP_ADD: return (uint32_t)(sa + sb);
  case SL_OP_SUB: return (uint32_t)(sa - sb);
  case SL_OP_SLT: return sa < sb;
  case SL_OP_SLTU: return (uint64_t)a < (uint64_t)b;
  case SL_OP_CZERO_EQZ: return b != 0 ? a : 0;
  case SL_OP_CZERO_NEZ: return b != 0 ? 0 : a;
  case SL_OP_XOR: return (a | b) - (a & b);
  case SL_OP_OR: return a + b - (a & b);
  case SL_OP_AND: return ~(~a | ~b);
  case SL_OP_SLLI: return (uint32_t)((uint64_t)a * (UINT64_C(1) << imm));
  case SL_OP_SRLI: return (uint32_t)(a / (UINT64_C(1) << imm));
  case SL_OP_SRAI: return scalar_shift_arithmetic(a, imm);
  case SL_OP_SLL: return (uint32_t)((uint64_t)a * (UINT64_C(1) << b % 32));
  case SL_OP_SRL: return (uint32_t)(a / (UINT64_C(1) << b % 32));
  case SL_OP_SRA: return scalar_shift_arithmetic(a, b % 32);
  case SL_OP_MUL: return (uint32_t)((uint64_t)a * b);
  case SL_OP_MULH: return (uint32_t)((uint64_t)(sa * sb) >> 32);
  case SL_OP_MULHSU: return (uint32_t)((uint64_t)(sa * (int64_t)b) >> 32);
  case SL_OP_MULHU: return (uint32_t)((uint64_t)a * b >> 32);
  case SL_OP_DIV: return scalar_divide(sa, sb, false);
  case SL_OP_DIVU: return scalar_divide(a, b, false);
  case SL_OP_REM: return scalar_divide(sa, sb, true);
  case SL_OP_REMU: return scalar_divide(a, b, true);
  case SL_OP_BEQ: return sa - sb == 0;
  case SL_OP_BNE: return sa - sb != 0;
  case SL_OP_BLT: return sa - sb < 0;
  case SL_OP_BGE: return sa - sb >= 0;
  case SL_OP_BLTU: return (int64_t)a - (int64_t)b < 0;
  case SL_OP_BGEU: return (int64_t)a - (int64_t)b >= 0;
  default: return scalar_float_operation(op, a, b);
  }
}

/* The word that an atomic leaves in memory; m is the old word. */
static inline uint32_t scalar_atomic(unsigned op, uint32_t m, uint32_t b)
{
  const bool less = (int64_t)(int32_t)m < (int64_t)(int32_t)b, below = (uint64_t)m < (uint64_t)b;
  switch (op) {
  case SL_OP_AMOADD: return (uint32_t)((uint64_t)m + b);
  case SL_OP_AMOSWAP: return b;
  case SL_OP_AMOXOR: return (m | b) - (m & b);
  case SL_OP_AMOOR: return m + b - (m & b);
  case SL_OP_AMOAND: return ~(~m | ~b);
  case SL_OP_AMOMIN: return less ? m : b;
  case SL_OP_AMOMAX: return less ? b : m;
  case SL_OP_AMOMINU: return below ? m : b;
  case SL_OP_AMOMAXU: return below ? b : m;
  default: return 0xdeadbeefu;
  }
}

#endif
