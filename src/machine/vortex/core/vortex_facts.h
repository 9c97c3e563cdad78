/* Decoded properties of an instruction that the Vortex pipeline needs: its unit, its register set, and the bank
 * conflicts of its operands. Computed once, at decode. */
#ifndef SL_MACHINE_VORTEX_FACTS_H
#define SL_MACHINE_VORTEX_FACTS_H

#include "isa/isa.h"
#include "machine/vortex/vortex_spec.h"

/* Functional units, in the order of the commit arbiter. */
enum sl_vortex_unit { SL_UNIT_ALU, SL_UNIT_LSU, SL_UNIT_SFU, SL_UNIT_FPU, SL_UNIT_COUNT };

enum {
  SL_FACT_STALLS_FETCH = 1,
  SL_FACT_WRITES = 2, /* a register that a later instruction may wait for */
  SL_FACT_LOAD = 4,   /* and atomics: the LSU waits for the lanes' answers */
  SL_FACT_STORE = 8,
  SL_FACT_FENCE = 16,
  SL_FACT_FLAGS_CSR = 32, /* fflags, frm, fcsr: waits until it is the warp's only instruction in flight */
  SL_FACT_JOIN = 64,
  SL_FACT_EXTENSION_CSR = 128, /* takes effect in its unit, when its extension allows it */
  SL_FACT_COMPUTES = 256       /* it only computes a function on each lane */
};

enum { SL_VORTEX_NAMES = 5 }; /* registers that an instruction can name: rd and four sources */

struct sl_vortex_facts {
  uint64_t registers; /* registers below 64 that it reads or writes, without x0; none may be pending at issue */
  uint64_t writes;    /* rd, likewise */
  uint16_t flags;
  uint8_t unit, class;
  uint8_t conflicts;                         /* cycles of operand collection beyond the first */
  bool wide;                                 /* it names registers from 64 on: */
  uint8_t high_write, high[SL_VORTEX_NAMES]; /* rd, and all of them; 0: none */
};

struct sl_vortex_facts sl_vortex_facts_of(const struct sl_vortex_spec *spec, const struct sl_insn *in);

#endif
