/* The semantics of a RISC-V instruction over the active lanes of a warp: one body for all machines.
 *
 * What machines do differently is in a constant struct sl_rv_rules, whose functions are static. The body is inlined
 * into each machine's execute function, and the rules into it, so that a call costs nothing. A machine's *step* is the
 * instruction that it executes, a struct of its own. Results are the machine's own enumeration. */
#ifndef SL_WARP_RV_EXECUTE_H
#define SL_WARP_RV_EXECUTE_H

#include "func/fault.h"
#include "isa/code.h"
#include "isa/fp.h"
#include "isa/isa.h"
#include "isa/lanes.h"

#define SL_RV_BODY static inline __attribute__((always_inline))

/* An instruction and the lanes that execute it. */
struct sl_rv_lanes {
  const struct sl_lane_ops *ops;
  const struct sl_insn *insn;
  uint32_t *x; /* the warp's registers */
  sl_lanes active;
  uint32_t pc;
  unsigned lanes, lane_bits; /* of a warp */
};

/* Padding in words between the register blocks of two warps. With 32 lanes a block is one page. Without padding the
 * same register of all warps would map to the same lines of the host's cache, and a load would wait for the previous
 * warp's store. */
enum { SL_REGISTER_GAP = 48 };

/* The value that a hart's LR read. SC succeeds while the word still holds it. */
struct sl_reservation {
  uint32_t address; /* 0: none; no program can use address 0 */
  uint32_t value;
};

struct sl_rv_rules {
  /* The instruction and its lanes. Each use asks anew, so that only the fields that it needs are loaded. */
  struct sl_rv_lanes (*lanes)(const void *step);
  /* Executes an instruction of an arithmetic unit. NULL: at once. */
  int (*compute)(void *step);
  /* Executes a floating-point instruction with a CSR of the warp (sl_rv_float). NULL: they are those of Zfinx, without
   * one. */
  int (*floating)(void *step);
  bool reserves; /* LR and SC exist */
  bool traps;    /* there is something to call: ECALL and EBREAK do nothing */
  /* The warp goes on behind the instruction, which has written rd or not. */
  int (*next)(void *step, bool wrote);
  int (*fault)(void *step, enum sl_fault_kind kind, sl_lanes lanes, uint32_t address);
  bool (*outside)(const void *step, uint32_t target); /* no instruction can be there */
  int (*branch)(void *step, sl_lanes taken, uint32_t target);
  int (*jump)(void *step, uint32_t target); /* the link is written */
  int (*jump_indirect)(void *step);
  int (*vote)(void *step);   /* votes and shuffles. NULL: at once */
  int (*access)(void *step); /* loads, stores, atomics */
  int (*fence)(void *step);  /* NULL: it does nothing */
  int (*csr)(void *step);
  int (*special)(void *step); /* marks and warp control. NULL: there are none */
};

SL_RV_BODY uint32_t *sl_rv_register(const struct sl_rv_lanes *l, unsigned reg)
{
  return l->x + ((size_t)reg << l->lane_bits);
}

/* Executes an instruction without control flow or memory; for a branch, returns the lanes that take it. */
SL_RV_BODY sl_lanes sl_rv_compute(const struct sl_rv_lanes *l)
{
  return l->ops->execute[l->insn->op](l->x, l->insn, l->active, l->pc, l->lanes);
}

/* Writes the return address of a jump. */
SL_RV_BODY void sl_rv_link(const struct sl_rv_lanes *l)
{
  if (l->insn->rd != 0)
    l->ops->broadcast(sl_rv_register(l, l->insn->rd), sl_next(l->insn, l->pc), l->active, l->lanes);
}

/* The target of an indirect jump in a lane. */
SL_RV_BODY uint32_t sl_rv_target(const struct sl_rv_lanes *l, unsigned lane)
{
  return (sl_rv_register(l, l->insn->rs1)[lane] + l->insn->imm) & ~1u;
}

/* The active lanes that jump to `target`. */
SL_RV_BODY sl_lanes sl_rv_lanes_to(const struct sl_rv_lanes *l, uint32_t target)
{
  sl_lanes same = 0;
  for (sl_lanes rest = l->active; rest; rest &= rest - 1)
    same |= sl_rv_target(l, sl_lowest(rest)) == target ? sl_bit(sl_lowest(rest)) : 0;
  return same;
}

/* Executes a floating-point instruction; exceptions set flags of *fcsr. False: there is no such instruction. */
static inline bool sl_rv_float(const struct sl_rv_lanes *l, const struct sl_fp_ops *fp, uint32_t *fcsr)
{
  uint32_t raised = 0;
  const bool known = sl_fp_execute_warp(fp, l->x, l->insn, l->active, l->lanes, *fcsr >> SL_FCSR_FLAG_BITS, &raised);
  *fcsr |= raised;
  return known;
}

SL_RV_BODY int sl_rv_arithmetic(const struct sl_rv_rules *m, void *step)
{
  const struct sl_rv_lanes l = m->lanes(step);
  const bool writes = l.insn->rd != 0;
  if (writes)
    sl_rv_compute(&l);
  return m->next(step, writes);
}

SL_RV_BODY int sl_rv_branch(const struct sl_rv_rules *m, void *step)
{
  const struct sl_rv_lanes l = m->lanes(step);
  return m->branch(step, sl_rv_compute(&l), l.pc + l.insn->imm);
}

SL_RV_BODY int sl_rv_jump(const struct sl_rv_rules *m, void *step)
{
  const struct sl_rv_lanes l = m->lanes(step);
  const uint32_t target = l.pc + l.insn->imm;
  if (__builtin_expect(m->outside(step, target), 0))
    return m->fault(step, SL_FAULT_JUMP, l.active, target);
  sl_rv_link(&l);
  return m->jump(step, target);
}

/* ---- votes and shuffles (rv_votes.c) ----------------------------------------------------------------------------- */

/* Votes and shuffles: instructions whose result depends on other lanes of the warp that execute them together. They are
 * Vortex's; the other machines have them as an extension of simtlab's (key warp_functions).
 *
 * A predicate is bit 0 of rs1. The votes all, any and uni (all lanes equal) are 0 or 1 in every active lane. A ballot
 * has a bit for each active lane with a true predicate. It holds 32 lanes: in a wider warp, a true predicate of a lane
 * above 31 is a fault, so that no lane is lost. There, the low and the high word are two instructions (VOTE_LOW,
 * VOTE_HIGH), which are simtlab's own.
 *
 * A shuffle reads rs1 of another lane. Registers of inactive lanes are read as they are.
 *
 * The wait for lanes (SYNC_LANES, simtlab's own) has their mask in rs1, and above 31 in rs2. It goes on if none of them
 * is elsewhere; lanes that have ended do not count. Otherwise the convergence scheme makes the group wait if it can,
 * and if it cannot, that is a fault.
 *
 * Source: published sources of Vortex's third version, kernel/include/vx_intrinsics.h and sim/simx/alu_unit.cpp. There
 * a ballot silently has the first 32 lanes. */

/* Executes an instruction of kind VOTE. Returns the lanes that the result would lose; if there are any, nothing has
 * changed. */
sl_lanes sl_rv_vote(const struct sl_rv_lanes *lanes);

/* The lanes that SYNC_LANES waits for, without the active ones: the union of the lanes' masks. */
sl_lanes sl_rv_awaited(const struct sl_rv_lanes *lanes);

/* ---- dispatch ---------------------------------------------------------------------------------------------------- */

/* Executes a vote or shuffle. */
SL_RV_BODY int sl_rv_exchange(const struct sl_rv_rules *m, void *step)
{
  const struct sl_rv_lanes l = m->lanes(step);
  const sl_lanes lost = sl_rv_vote(&l);
  return lost != 0 ? m->fault(step, SL_FAULT_BALLOT, lost, 0) : m->next(step, l.insn->rd != 0);
}

/* Executes any instruction; `kind`: its kind. */
SL_RV_BODY int sl_rv_execute(const struct sl_rv_rules *m, void *step, enum sl_kind kind)
{
  switch (kind) {
  case SL_KIND_FPX:
    if (m->floating == NULL)
      break;
    return m->floating(step);
  case SL_KIND_FPU:
    if (m->floating != NULL)
      return m->floating(step);
    /* fall through */
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV: return m->compute != NULL ? m->compute(step) : sl_rv_arithmetic(m, step);
  case SL_KIND_LRSC:
    if (!m->reserves)
      break;
    return m->access(step);
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO: return m->access(step);
  case SL_KIND_FENCE: return m->fence != NULL ? m->fence(step) : m->next(step, false);
  case SL_KIND_BRANCH: return sl_rv_branch(m, step);
  case SL_KIND_JAL: return sl_rv_jump(m, step);
  case SL_KIND_JALR: return m->jump_indirect(step);
  case SL_KIND_CSR: return m->csr(step);
  case SL_KIND_SYSTEM:
    return m->traps ? m->next(step, false) : m->fault(step, SL_FAULT_SYSTEM, m->lanes(step).active, 0);
  case SL_KIND_PUSH:
  case SL_KIND_POP:
  case SL_KIND_FLUSH:
  case SL_KIND_WARP:
    if (m->special == NULL)
      break;
    return m->special(step);
  case SL_KIND_VOTE: return m->vote != NULL ? m->vote(step) : sl_rv_exchange(m, step);
  case SL_KIND_LINEAR:
  case SL_KIND_UNKNOWN: break;
  }
  return m->fault(step, SL_FAULT_UNKNOWN_INSTRUCTION, m->lanes(step).active, 0);
}

/* ---- CSRs, the same on all machines ------------------------------------------------------------------------------ */

/* The CSRs of floating point. */
enum { SL_CSR_FFLAGS = 1, SL_CSR_FRM = 2, SL_CSR_FCSR = 3 };

static inline bool sl_csr_is_immediate(const struct sl_insn *in)
{
  return in->op == SL_OP_CSRRWI || in->op == SL_OP_CSRRSI || in->op == SL_OP_CSRRCI;
}

/* Set and clear with x0 or a zero immediate only read. */
static inline bool sl_csr_writes(const struct sl_insn *in)
{
  return in->op == SL_OP_CSRRW || in->op == SL_OP_CSRRWI || (sl_csr_is_immediate(in) ? in->imm != 0 : in->rs1 != 0);
}

/* The operand, given the value of rs1. */
static inline uint32_t sl_csr_operand(const struct sl_insn *in, uint32_t rs1)
{
  return sl_csr_is_immediate(in) ? in->imm : rs1;
}

/* The new value for an old one. */
static inline uint32_t sl_csr_written(const struct sl_insn *in, uint32_t old, uint32_t operand)
{
  switch (in->op) {
  case SL_OP_CSRRS:
  case SL_OP_CSRRSI: return old | operand;
  case SL_OP_CSRRC:
  case SL_OP_CSRRCI: return old & ~operand;
  default: return operand;
  }
}

/* The value that the instruction writes to a CSR with an old value, in a lane. */
SL_RV_BODY uint32_t sl_rv_csr_written(const struct sl_rv_lanes *l, uint32_t old, unsigned lane)
{
  return sl_csr_written(l->insn, old, sl_csr_operand(l->insn, sl_rv_register(l, l->insn->rs1)[lane]));
}

/* Gives the active lanes a CSR's value: that of lane 0, and its increment per lane. Returns whether there is an rd. */
SL_RV_BODY bool sl_rv_csr_read(const struct sl_rv_lanes *l, uint32_t value, uint32_t step)
{
  uint32_t *d = sl_rv_register(l, l->insn->rd);
  for (sl_lanes rest = l->insn->rd != 0 ? l->active : 0; rest; rest &= rest - 1)
    d[sl_lowest(rest)] = value + sl_lowest(rest) * step;
  return l->insn->rd != 0;
}

/* Reads fflags, frm or fcsr, which are parts of fcsr. False: it is another CSR; *value stays. */
static inline bool sl_csr_read_float(unsigned csr, uint32_t fcsr, uint32_t *value)
{
  switch (csr) {
  case SL_CSR_FFLAGS: *value = fcsr & ((1u << SL_FCSR_FLAG_BITS) - 1); return true;
  case SL_CSR_FRM: *value = fcsr >> SL_FCSR_FLAG_BITS & 7; return true;
  case SL_CSR_FCSR: *value = fcsr; return true;
  default: return false;
  }
}

/* Writes them; other CSRs have no effect. */
static inline void sl_csr_write_float(unsigned csr, uint32_t *fcsr, uint32_t value)
{
  const uint32_t flags = (1u << SL_FCSR_FLAG_BITS) - 1;
  switch (csr) {
  case SL_CSR_FFLAGS: *fcsr = (*fcsr & ~flags) | (value & flags); break;
  case SL_CSR_FRM: *fcsr = (*fcsr & flags) | (value & 7) << SL_FCSR_FLAG_BITS; break;
  case SL_CSR_FCSR: *fcsr = value & (flags | 7u << SL_FCSR_FLAG_BITS); break;
  default: break;
  }
}

#endif
