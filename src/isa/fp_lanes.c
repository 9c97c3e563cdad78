#include "isa/fp.h"

#include "isa/host_level.h"
#include "isa/lanes.h"

#ifdef SL_X86_LEVELS
#include <xmmintrin.h>
#endif

bool sl_fp_has(unsigned op)
{
  const struct sl_op_info *info = sl_op_info(op);
  return ((unsigned)info->set & SL_ISA_F) && info->kind != SL_KIND_LOAD && info->kind != SL_KIND_STORE;
}

static bool has_rounding_mode(const struct sl_insn *in)
{
  const enum sl_format format = sl_op_info(in->op)->format;
  return format == SL_FORMAT_RM || format == SL_FORMAT_R1M || format == SL_FORMAT_R4M;
}

/* The value of rd for one lane. */
static uint32_t value(unsigned op, uint32_t a, uint32_t b, uint32_t c, enum sl_fp_rounding mode, uint32_t *flags)
{
  switch (op) {
  case SL_OP_FADD: return sl_fp_add(a, b, mode, flags);
  case SL_OP_FSUB: return sl_fp_sub(a, b, mode, flags);
  case SL_OP_FMUL: return sl_fp_mul(a, b, mode, flags);
  case SL_OP_FDIV: return sl_fp_div(a, b, mode, flags);
  case SL_OP_FSQRT: return sl_fp_sqrt(a, mode, flags);
  case SL_OP_FMADD: return sl_fp_madd(a, b, c, mode, flags);
  case SL_OP_FMSUB: return sl_fp_msub(a, b, c, mode, flags);
  case SL_OP_FNMSUB: return sl_fp_nmsub(a, b, c, mode, flags);
  case SL_OP_FNMADD: return sl_fp_nmadd(a, b, c, mode, flags);
  case SL_OP_FMIN: return sl_fp_min(a, b, flags);
  case SL_OP_FMAX: return sl_fp_max(a, b, flags);
  case SL_OP_FSGNJ: return sl_fp_sgnj(a, b);
  case SL_OP_FSGNJN: return sl_fp_sgnjn(a, b);
  case SL_OP_FSGNJX: return sl_fp_sgnjx(a, b);
  case SL_OP_FEQ: return sl_fp_eq(a, b, flags);
  case SL_OP_FLT: return sl_fp_lt(a, b, flags);
  case SL_OP_FLE: return sl_fp_le(a, b, flags);
  case SL_OP_FCLASS: return sl_fp_classify(a);
  case SL_OP_FCVT_W_S: return sl_fp_to_i32(a, mode, flags);
  case SL_OP_FCVT_WU_S: return sl_fp_to_u32(a, mode, flags);
  case SL_OP_FCVT_S_W: return sl_fp_from_i32(a, mode, flags);
  case SL_OP_FCVT_S_WU: return sl_fp_from_u32(a, mode, flags);
  default: return a; /* fmv.x.w and fmv.w.x */
  }
}

/* Executes lane by lane; lane l adds its flags to flags[l * step]. */
static void execute_lanes(uint32_t *x, const struct sl_insn *in, sl_lanes active, unsigned lanes,
                          enum sl_fp_rounding mode, uint32_t *flags, unsigned step)
{
  const uint32_t *a = x + in->rs1 * lanes, *b = x + in->rs2 * lanes;
  const uint32_t *c = sl_reads_rs3(in) ? x + in->rs3 * lanes : a;
  uint32_t *d = x + in->rd * lanes;
  for (sl_lanes rest = active; rest; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    const uint32_t result = value(in->op, a[l], b[l], c[l], mode, &flags[l * step]);
    if (in->rd != 0)
      d[l] = result;
  }
}

/* The rounding mode of an instruction; returns false if it is reserved. */
static bool rounding_mode(const struct sl_insn *in, unsigned frm, enum sl_fp_rounding *mode)
{
  const unsigned field = sl_rounding_field(in), found = field == SL_FP_DYNAMIC ? frm : field;
  const bool matters = has_rounding_mode(in);
  *mode = matters ? (enum sl_fp_rounding)found : SL_FP_RNE;
  return !matters || found < SL_FP_ROUNDING_COUNT;
}

bool sl_fp_execute(uint32_t *x, const struct sl_insn *in, sl_lanes active, unsigned lanes, unsigned frm,
                   uint32_t *flags)
{
  enum sl_fp_rounding mode;
  if (!rounding_mode(in, frm, &mode))
    return false;
  execute_lanes(x, in, active, lanes, mode, flags, 1);
  return true;
}

#ifdef SL_X86_LEVELS

/* Fields of MXCSR (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, section 10.2.3). With the
 * remaining fields 0, subnormals are ordinary numbers. */
enum {
  HOST_INVALID = 1 << 0,
  HOST_DIVIDE_BY_ZERO = 1 << 2,
  HOST_OVERFLOW = 1 << 3,
  HOST_UNDERFLOW = 1 << 4,
  HOST_INEXACT = 1 << 5,
  HOST_FLAGS = 0x3f,
  HOST_ALL_MASKED = 0x3f << 7,
  HOST_ROUNDING = 13 /* position */
};

uint32_t sl_fp_enter(void)
{
  const uint32_t environment = _mm_getcsr();
  _mm_setcsr(HOST_ALL_MASKED);
  return environment;
}

void sl_fp_leave(uint32_t environment)
{
  _mm_setcsr(environment);
}

static uint32_t flags_of_host(uint32_t mxcsr)
{
  return (mxcsr & HOST_INVALID ? SL_FP_INVALID : 0u) | (mxcsr & HOST_DIVIDE_BY_ZERO ? SL_FP_DIVIDE_BY_ZERO : 0u) |
         (mxcsr & HOST_OVERFLOW ? SL_FP_OVERFLOW : 0u) | (mxcsr & HOST_UNDERFLOW ? SL_FP_UNDERFLOW : 0u) |
         (mxcsr & HOST_INEXACT ? SL_FP_INEXACT : 0u);
}

/* Executes on the host's FPU. A write of MXCSR can cost ten times the arithmetic. So the function writes it only if the
 * mode differs, or if it has flags that the warp has not raised before. Kernels soon need no writes.
 *
 * A pointer call executes the instruction, so that no compiler moves arithmetic across the accesses to MXCSR. */
static bool execute_on_host(const struct sl_fp_ops *ops, uint32_t *x, const struct sl_insn *in, sl_lanes active,
                            unsigned lanes, enum sl_fp_rounding mode, uint32_t *flags)
{
  static const uint32_t host_mode[] = {[SL_FP_RNE] = 0, [SL_FP_RTZ] = 3, [SL_FP_RDN] = 1, [SL_FP_RUP] = 2};
  sl_fp_function *const execute = ops->execute[in->op];
  if (execute == NULL || mode == SL_FP_RMM || active == 0)
    return false;
  const uint32_t before = _mm_getcsr(), ours = HOST_ALL_MASKED | host_mode[mode] << HOST_ROUNDING;
  if ((before & ~(uint32_t)HOST_FLAGS) != ours || (flags_of_host(before) & ~*flags) != 0)
    _mm_setcsr(ours);
  const bool slow = execute(x, in, active, lanes);
  const uint32_t raised = flags_of_host(_mm_getcsr());
  if (mode != SL_FP_RNE)
    _mm_setcsr(HOST_ALL_MASKED);
  if (!slow)
    *flags |= raised;
  return !slow;
}

#else

uint32_t sl_fp_enter(void)
{
  return 0;
}

void sl_fp_leave(uint32_t environment)
{
  (void)environment;
}

static bool execute_on_host(const struct sl_fp_ops *ops, uint32_t *x, const struct sl_insn *in, sl_lanes active,
                            unsigned lanes, enum sl_fp_rounding mode, uint32_t *flags)
{
  (void)ops, (void)x, (void)in, (void)active, (void)lanes, (void)mode, (void)flags;
  return false;
}

#endif

bool sl_fp_execute_warp(const struct sl_fp_ops *ops, uint32_t *x, const struct sl_insn *in, sl_lanes active,
                        unsigned lanes, unsigned frm, uint32_t *flags)
{
  enum sl_fp_rounding mode;
  if (!rounding_mode(in, frm, &mode))
    return false;
  if (!execute_on_host(ops, x, in, active, lanes, mode, flags))
    execute_lanes(x, in, active, lanes, mode, flags, 0);
  return true;
}

static const struct sl_fp_ops portable = {.level = "portable"};

/* One table per build of fp_vector.c and lane count; n stands for any count. */
#define DECLARE_LEVEL(level)                                                                                           \
  extern const struct sl_fp_ops sl_fp_ops_##level##_16, sl_fp_ops_##level##_32, sl_fp_ops_##level##_n;

#define FOR_LANES(level, lanes)                                                                                        \
  ((lanes) == 32 ? &sl_fp_ops_##level##_32 : (lanes) == 16 ? &sl_fp_ops_##level##_16 : &sl_fp_ops_##level##_n)

#ifdef SL_X86_LEVELS

SL_EACH_LEVEL(DECLARE_LEVEL)

const struct sl_fp_ops *sl_fp_ops(unsigned lanes)
{
  return SL_OF_LEVEL(sl_host_level(), FOR_LANES, lanes);
}

#else

const struct sl_fp_ops *sl_fp_ops(unsigned lanes)
{
  (void)lanes;
  return &portable;
}

#endif

const struct sl_fp_ops *sl_fp_ops_portable(void)
{
  return &portable;
}
