#include "machine/vortex/vortex_facts.h"

#include "warp/streams.h"

enum { BANKS = 4 };

static enum sl_vortex_class class_of(const struct sl_insn *in)
{
  switch ((enum sl_op)in->op) {
  case SL_OP_FADD:
  case SL_OP_FSUB:
  case SL_OP_FMUL:
  case SL_OP_FMADD:
  case SL_OP_FMSUB:
  case SL_OP_FNMADD:
  case SL_OP_FNMSUB: return SL_VORTEX_FMA;
  case SL_OP_FDIV: return SL_VORTEX_FDIV;
  case SL_OP_FSQRT: return SL_VORTEX_FSQRT;
  case SL_OP_FCVT_W_S:
  case SL_OP_FCVT_WU_S:
  case SL_OP_FCVT_S_W:
  case SL_OP_FCVT_S_WU: return SL_VORTEX_FCVT;
  case SL_OP_FSGNJ:
  case SL_OP_FSGNJN:
  case SL_OP_FSGNJX:
  case SL_OP_FMIN:
  case SL_OP_FMAX:
  case SL_OP_FEQ:
  case SL_OP_FLT:
  case SL_OP_FLE:
  case SL_OP_FCLASS:
  case SL_OP_FMV_X_W:
  case SL_OP_FMV_W_X: return SL_VORTEX_FNCP;
  case SL_OP_MUL:
  case SL_OP_MULH:
  case SL_OP_MULHSU:
  case SL_OP_MULHU: return SL_VORTEX_MUL;
  default: break;
  }
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_DIV: return SL_VORTEX_DIV;
  case SL_KIND_CSR: return SL_VORTEX_CSR;
  case SL_KIND_WARP: return in->op == SL_OP_CMOV_1 ? SL_VORTEX_ALU : SL_VORTEX_CSR;
  default: return SL_VORTEX_ALU;
  }
}

static enum sl_vortex_unit unit_of(const struct sl_vortex_spec *spec, const struct sl_insn *in,
                                   enum sl_vortex_class class)
{
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO:
  case SL_KIND_LRSC:
  case SL_KIND_FENCE: return SL_UNIT_LSU;
  case SL_KIND_CSR: return SL_UNIT_SFU;
  case SL_KIND_WARP: return in->op == SL_OP_CMOV_1 ? SL_UNIT_ALU : SL_UNIT_SFU;
  default: break;
  }
  if (class < SL_VORTEX_FMA || class == SL_VORTEX_CSR)
    return SL_UNIT_ALU;
  return spec->fma_in_alu && sl_reads_rs3(in) ? SL_UNIT_ALU : SL_UNIT_FPU;
}

/* CSR writes of the extensions that fetch waits for: the mapping of a stream, and of loops what `loops.blocking` says.
 * decision: whether a write to the bound sets the enable bit is not known at fetch, so all of them count. */
static unsigned extension_flags(const struct sl_vortex_spec *spec, const struct sl_insn *in)
{
  const unsigned reg = sl_extension_csr_register(in->csr);
  if (spec->streams > 0 && sl_is_extension_csr(in->csr, SL_UNIT_STREAM))
    return SL_FACT_STREAM_CSR | (sl_streams_csr_blocks(in->csr) ? SL_FACT_STALLS_FETCH : 0u);
  if (spec->loops == 0 || !sl_is_extension_csr(in->csr, SL_UNIT_LOOP))
    return 0;
  const bool waits = spec->loops_blocking == SL_LOOPS_BLOCK_ALL ||
                     (spec->loops_blocking == SL_LOOPS_BLOCK_ENABLE && reg == SL_LOOP_BOUND);
  return waits ? SL_FACT_STALLS_FETCH : 0;
}

static unsigned flags_of(const struct sl_vortex_spec *spec, const struct sl_insn *in)
{
  enum { FFLAGS = 1, FCSR = 3 };
  unsigned flags = sl_stalls_fetch(in) ? SL_FACT_STALLS_FETCH : 0;
  flags |= in->rd != 0 ? SL_FACT_WRITES : 0;
  flags |= in->op == SL_OP_JOIN ? SL_FACT_JOIN : 0;
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_LOAD:
  case SL_KIND_AMO:
  case SL_KIND_LRSC: return flags | SL_FACT_LOAD;
  case SL_KIND_STORE: return flags | SL_FACT_STORE;
  case SL_KIND_FENCE: return flags | SL_FACT_FENCE;
  case SL_KIND_CSR:
    return flags | extension_flags(spec, in) | (in->csr >= FFLAGS && in->csr <= FCSR ? SL_FACT_FLAGS_CSR : 0);
  default: return flags;
  }
}

/* The register banks are the numbers modulo 4, integer and floating-point alike. A source that is not read from them
 * (x0; f0 too in the simulator) conflicts with none. */
static unsigned conflicts_of(const struct sl_vortex_spec *spec, const struct sl_insn *in)
{
  unsigned source[3], count = 0, reads[BANKS] = {0}, pairs = 0, most = 1;
  if (sl_reads_rs1(in))
    source[count++] = in->rs1;
  if (sl_reads_rs2(in))
    source[count++] = in->rs2;
  if (sl_reads_rs3(in))
    source[count++] = in->imm;
  for (unsigned i = 0; i < count; i++) {
    const unsigned reg = source[i];
    if (reg == 0 || (spec->operands_f0_free && reg == SL_FLOAT_REGISTERS) || reg >= 2 * SL_FLOAT_REGISTERS)
      continue;
    pairs += reads[reg % BANKS]++;
    most = reads[reg % BANKS] > most ? reads[reg % BANKS] : most;
  }
  return spec->operands_count_pairs ? pairs : most - 1;
}

static uint64_t bit_of(unsigned reg)
{
  return reg == 0 || reg >= 64 ? 0 : sl_bit(reg);
}

struct sl_vortex_facts sl_vortex_facts_of(const struct sl_vortex_spec *spec, const struct sl_insn *in)
{
  const enum sl_vortex_class class = class_of(in);
  const uint64_t writes = bit_of(in->rd);
  const unsigned rs1 = sl_reads_rs1(in) ? in->rs1 : 0, rs3 = sl_reads_rs3(in) ? in->imm : 0;
  return (struct sl_vortex_facts){
      .registers = writes | bit_of(rs1) | bit_of(in->rs2) | bit_of(rs3),
      .writes = writes,
      .unit = (uint8_t)unit_of(spec, in, class),
      .class = (uint8_t)(spec->fma_in_alu && sl_reads_rs3(in) ? SL_VORTEX_ALU : class),
      .flags = (uint8_t)flags_of(spec, in),
      .conflicts = (uint8_t)conflicts_of(spec, in),
  };
}
