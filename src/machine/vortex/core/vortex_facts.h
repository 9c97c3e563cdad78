/* What the pipeline of a Vortex core must know of an instruction, looked up once when it is decoded: its unit, its
 * registers as a set, the conflicts of its operands in the register banks. */
#ifndef SL_MACHINE_VORTEX_FACTS_H
#define SL_MACHINE_VORTEX_FACTS_H

#include "isa/isa.h"
#include "machine/vortex/vortex_spec.h"

/* Functional units, in the order in which the commit arbiter looks at them. */
enum sl_vortex_unit { SL_UNIT_ALU, SL_UNIT_LSU, SL_UNIT_SFU, SL_UNIT_FPU, SL_UNIT_COUNT };

enum {
  SL_FACT_STALLS_FETCH = 1,
  SL_FACT_WRITES = 2, /* a register that a later instruction may wait for */
  SL_FACT_LOAD = 4,   /* and atomics: the LSU waits for lanes to answer */
  SL_FACT_STORE = 8,
  SL_FACT_FENCE = 16,
  SL_FACT_FLAGS_CSR = 32, /* fflags, frm, fcsr: waits until it is alone in its warp */
  SL_FACT_JOIN = 64,
  SL_FACT_EXTENSION_CSR = 128, /* takes effect in its unit, when its extension says so */
  SL_FACT_COMPUTES = 256       /* a function on lanes is all it does */
};

enum { SL_VORTEX_NAMES = 5 }; /* registers that an instruction can name: rd and four sources */

struct sl_vortex_facts {
  uint64_t registers; /* read or written, x0 left out: none may be awaited. Those below 64 */
  uint64_t writes;    /* rd, likewise */
  uint16_t flags;
  uint8_t unit, class;
  uint8_t conflicts;                         /* cycles that operand collection takes beyond the first */
  bool wide;                                 /* it names registers from 64 on: */
  uint8_t high_write, high[SL_VORTEX_NAMES]; /* rd, and all of them; 0: none */
};

struct sl_vortex_facts sl_vortex_facts_of(const struct sl_vortex_spec *spec, const struct sl_insn *in);

#endif
