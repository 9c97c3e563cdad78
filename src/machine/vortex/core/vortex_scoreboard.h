/* The scoreboard of a Vortex core: each warp's registers that an instruction in flight has yet to write, and the
 * subsets that come from memory and from the FPU. It holds up to 256 registers. Those below 64 are bits of one word;
 * only instructions that name higher registers look further.
 *
 * An instruction issues when none of its registers is pending. Its destination is pending from issue to commit. The
 * scoreboard itself has no timing. Source: Vortex' published RTL, commit b5f541b8. */
#ifndef SL_MACHINE_VORTEX_SCOREBOARD_H
#define SL_MACHINE_VORTEX_SCOREBOARD_H

#include "isa/isa.h"
#include "machine/vortex/vortex_spec.h"

/* Decoded properties of an instruction that the Vortex pipeline needs: its unit, its register set, and the bank
 * conflicts of its operands. Computed once, at decode. */

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

enum sl_vortex_awaited { SL_AWAITED, SL_AWAITED_LOAD, SL_AWAITED_FPU, SL_AWAITED_SETS };

enum { SL_VORTEX_REGISTERS = 256, SL_VORTEX_HIGH_WORDS = SL_VORTEX_REGISTERS / 64 - 1 };

struct sl_vortex_scoreboard {
  uint64_t busy[SL_AWAITED_SETS][SL_MAX_WARPS]; /* registers below 64 */
  uint64_t high[SL_AWAITED_SETS][SL_MAX_WARPS][SL_VORTEX_HIGH_WORDS];
};

/* The instruction's registers that are pending in the warp, lowest first; returns their number. */
unsigned sl_scoreboard_list(const struct sl_vortex_scoreboard *s, enum sl_vortex_awaited set, unsigned warp,
                            const struct sl_vortex_facts *facts, uint8_t reg[SL_VORTEX_NAMES]);

static inline bool sl_scoreboard_awaits(const struct sl_vortex_scoreboard *s, enum sl_vortex_awaited set, unsigned warp,
                                        const struct sl_vortex_facts *facts)
{
  uint8_t reg[SL_VORTEX_NAMES];
  if (__builtin_expect(facts->wide, 0))
    return sl_scoreboard_list(s, set, warp, facts, reg) > 0;
  return (s->busy[set][warp] & facts->registers) != 0;
}

/* Updates at issue, and at commit. */
void sl_scoreboard_hold_high(struct sl_vortex_scoreboard *s, unsigned warp, const struct sl_vortex_facts *facts);
void sl_scoreboard_release_high(struct sl_vortex_scoreboard *s, unsigned warp, const struct sl_vortex_facts *facts);

static inline void sl_scoreboard_hold(struct sl_vortex_scoreboard *s, unsigned warp,
                                      const struct sl_vortex_facts *facts)
{
  s->busy[SL_AWAITED][warp] |= facts->writes;
  s->busy[SL_AWAITED_LOAD][warp] |= facts->writes & -(uint64_t)(facts->unit == SL_UNIT_LSU);
  s->busy[SL_AWAITED_FPU][warp] |= facts->writes & -(uint64_t)(facts->unit == SL_UNIT_FPU);
  if (__builtin_expect(facts->wide, 0))
    sl_scoreboard_hold_high(s, warp, facts);
}

static inline void sl_scoreboard_release(struct sl_vortex_scoreboard *s, unsigned warp,
                                         const struct sl_vortex_facts *facts)
{
  for (unsigned set = 0; set < SL_AWAITED_SETS; set++)
    s->busy[set][warp] &= ~facts->writes;
  if (__builtin_expect(facts->wide, 0))
    sl_scoreboard_release_high(s, warp, facts);
}

/* Whether any register of this set is pending in the warp. */
bool sl_scoreboard_any(const struct sl_vortex_scoreboard *s, enum sl_vortex_awaited set, unsigned warp);

#endif
