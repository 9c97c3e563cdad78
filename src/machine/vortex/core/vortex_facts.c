#include "machine/vortex/core/vortex_scoreboard.h"

#include "convergence/convergence.h"
#include "func/ipdom_execute.h"
#include "isa/isa.h"
#include "machine/vortex/vortex_gpu.h"

/* Latency classes of the published sources; the FPU's are those of its cores. */
static const uint8_t of_class[SL_CLASS_COUNT] = {
    [SL_CLASS_MUL] = SL_VORTEX_MUL,     [SL_CLASS_DIV] = SL_VORTEX_DIV,       [SL_CLASS_CSR] = SL_VORTEX_CSR,
    [SL_CLASS_WARP] = SL_VORTEX_CSR,    [SL_CLASS_FADD] = SL_VORTEX_FMA,      [SL_CLASS_FMUL] = SL_VORTEX_FMA,
    [SL_CLASS_FFUSED] = SL_VORTEX_FMA,  [SL_CLASS_FDIV] = SL_VORTEX_FDIV,     [SL_CLASS_FSQRT] = SL_VORTEX_FSQRT,
    [SL_CLASS_FTOINT] = SL_VORTEX_FCVT, [SL_CLASS_FFROMINT] = SL_VORTEX_FCVT, [SL_CLASS_FMINMAX] = SL_VORTEX_FNCP,
    [SL_CLASS_FEQUAL] = SL_VORTEX_FNCP, [SL_CLASS_FLESS] = SL_VORTEX_FNCP,    [SL_CLASS_FSIGN] = SL_VORTEX_FNCP,
    [SL_CLASS_FMOVE] = SL_VORTEX_FNCP,  [SL_CLASS_VOTE] = SL_VORTEX_VOTE,
};

static enum sl_vortex_class class_of(const struct sl_insn *in)
{
  return (enum sl_vortex_class)of_class[sl_op_info(in->op)->class];
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
  case SL_KIND_VOTE: return SL_UNIT_ALU;
  case SL_KIND_WARP: return in->op == SL_OP_CMOV_1 ? SL_UNIT_ALU : SL_UNIT_SFU;
  default: break;
  }
  if (class < SL_VORTEX_FMA || class == SL_VORTEX_CSR)
    return SL_UNIT_ALU;
  return spec->fma_in_alu && sl_reads_rs3(in) ? SL_UNIT_ALU : SL_UNIT_FPU;
}

static unsigned extension_flags(const struct sl_vortex_spec *spec, const struct sl_insn *in)
{
  const unsigned waits = sl_vortex_extension_waits(spec, in);
  return (waits & SL_VORTEX_FETCH_WAITS ? SL_FACT_STALLS_FETCH : 0u) |
         (waits & SL_VORTEX_UNIT_WAITS ? SL_FACT_EXTENSION_CSR : 0u);
}

/* With a pc per lane the RTL has no unit for splits and joins, and a JOIN lets its warp go at once. */
static bool has_stack(const struct sl_vortex_spec *spec)
{
  return sl_convergences[sl_vortex_scheme(spec)]->branch == NULL;
}

static unsigned flags_of(const struct sl_vortex_spec *spec, const struct sl_insn *in)
{
  enum { FFLAGS = 1, FCSR = 3 };
  unsigned flags = sl_stalls_fetch(in) ? SL_FACT_STALLS_FETCH : 0;
  flags |= in->rd != 0 ? SL_FACT_WRITES : 0;
  flags |= in->op == SL_OP_JOIN && has_stack(spec) ? SL_FACT_JOIN : 0;
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_LOAD:
  case SL_KIND_AMO:
  case SL_KIND_LRSC: return flags | SL_FACT_LOAD;
  case SL_KIND_STORE: return flags | SL_FACT_STORE;
  case SL_KIND_FENCE: return flags | SL_FACT_FENCE;
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV: return flags | (in->rd != 0 ? SL_FACT_COMPUTES : 0u);
  case SL_KIND_CSR:
    return flags | extension_flags(spec, in) | (in->csr >= FFLAGS && in->csr <= FCSR ? SL_FACT_FLAGS_CSR : 0);
  default: return flags;
  }
}

/* A source that is not read from the register file: x0; f0 in the simulator; the end of a stream. */
static bool is_free(const struct sl_vortex_spec *spec, unsigned reg)
{
  return reg == 0 || (spec->isa == SL_ISA_RV32 &&
                      ((spec->operands_f0_free && reg == SL_FLOAT_REGISTERS) || reg >= 2 * SL_FLOAT_REGISTERS));
}

/* Sources in the same bank of the register file, integer and floating point. */
static unsigned conflicts_of(const struct sl_vortex_spec *spec, const struct sl_insn *in)
{
  unsigned source[3], count = 0, reads[SL_BANKS_MAX] = {0}, pairs = 0, most = 1;
  if (sl_reads_rs1(in))
    source[count++] = in->rs1;
  if (sl_reads_rs2(in))
    source[count++] = in->rs2;
  if (sl_reads_rs3(in))
    source[count++] = in->rs3;
  for (unsigned i = 0; i < count; i++) {
    if (is_free(spec, source[i]))
      continue;
    const unsigned bank =
        sl_bank_of((enum sl_bank_map)spec->bank_map, spec->register_banks, sl_vortex_registers(spec), source[i]);
    pairs += reads[bank]++;
    most = reads[bank] > most ? reads[bank] : most;
  }
  return spec->operands_count_pairs ? pairs : most - 1;
}

static uint64_t bit_of(unsigned reg)
{
  return reg == 0 || reg >= 64 ? 0 : sl_bit(reg);
}

/* Adds a register to the instruction's names. */
static void name(struct sl_vortex_facts *facts, unsigned *count, unsigned reg)
{
  facts->registers |= bit_of(reg);
  if (reg < 64)
    return;
  facts->wide = true;
  for (unsigned i = 0; i < *count; i++)
    if (facts->high[i] == reg)
      return;
  facts->high[(*count)++] = (uint8_t)reg;
}

struct sl_vortex_facts sl_vortex_facts_of(const struct sl_vortex_spec *spec, const struct sl_insn *in)
{
  const enum sl_vortex_class class = class_of(in);
  unsigned high = 0;
  struct sl_vortex_facts facts = {
      .writes = bit_of(in->rd),
      .unit = (uint8_t)unit_of(spec, in, class),
      .class = (uint8_t)(spec->fma_in_alu && sl_reads_rs3(in) ? SL_VORTEX_ALU : class),
      .flags = (uint16_t)flags_of(spec, in),
      .conflicts = (uint8_t)conflicts_of(spec, in),
      .high_write = in->rd >= 64 ? in->rd : 0,
  };
  name(&facts, &high, in->rd);
  name(&facts, &high, sl_reads_rs1(in) ? in->rs1 : 0);
  name(&facts, &high, in->rs2);
  name(&facts, &high, in->rs3);
  return facts;
}
