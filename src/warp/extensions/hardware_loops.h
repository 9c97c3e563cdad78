/* Zero-overhead loops with a predication stack, in the schedule stage: CFM, the control-flow part of the extension of
 * "Decoupled Control Flow and Data Access in RISC-V GPGPUs" (arXiv 2512.00032), section IV-B; registers: its Table I.
 *
 * Per warp there are up to eight loops and a stack of those that are running. When a warp is scheduled at an address
 *   1. every enabled loop that starts there and is not running is entered: it goes on the stack with the fetch mask;
 *   2. the instruction executes with the effective mask: the fetch mask (set by TMC, SPLIT, JOIN, PRED) and, of every
 *      running loop in its last iteration, the tail mask;
 *   3. if it is the last of a body, the next address is the loop's start; after the last iteration the loop leaves the
 *      stack, the fetch mask is what it was at entry, and the next loop outwards is asked in the same cycle.
 * Timing: none of its own. A back edge costs what the next address costs, one fetch.
 *
 * The paper leaves open, and here it is
 * - decision: CSR = 0x800 | type << 7 | unit << 3 | register, type 0 loops, type 1 streams, up to 16 units of 8
 *   registers.
 * - decision: the innermost loop is the one entered last; of several that start at one address the lowest unit is the
 *   outermost.
 * - decision: the end is the address of the body's last instruction. A taken branch, a jump, SPLIT, JOIN, TMC, PRED
 *   or WSPAWN there is illegal.
 * - decision: the body executes at least once. Bound 0 with the enable bit is illegal; software jumps around the
 *   loop.
 * - decision: only the last iteration is masked, so trip counts of lanes may differ by one; anything else takes PRED.
 * - decision: the enable bit stays set when a loop is done and its count returns to 0, so that it can be entered
 *   again.
 * - decision: registers are per warp; a write takes the value of the lowest active lane.
 * - decision: start, end, bound and enable of a running loop cannot be written; tail mask and state can.
 * - decision: the state is the number of iterations done. A running loop's can be set below its bound (to the bound -
 *   1: this iteration is the last); that of another only to 0.
 * - decision: the tail mask has 32 bits; lanes from 32 on are never masked by it.
 * - decision: an effective mask may be empty; the instruction then takes its slot, no lane executes it, and streams
 *   advance.
 * - decision: divergence nests within the body: at the end the IPDOM stack must be as deep as at entry, and a JOIN
 *   inside must not take a split from outside. SPLIT pushes the effective mask; leaving the loop restores all lanes.
 * - decision: a loop inside divergent code ends before JOIN; the second side enters it again.
 * - decision: a TMC or PRED inside changes the fetch mask until the loop is left; WSPAWN inside is illegal; BAR is
 *   free.
 * - decision: a loop is entered at its start only; a jump into the body executes it without looping.
 * - decision: a loop left by a jump keeps running (a call must come back); it is illegal when the end of an outer
 *   loop finds it.
 * - decision: the stack has as many places as there are loops, so it cannot overflow; a unit that is not there is
 *   illegal.
 * - decision: `loops.blocking` says which CSR writes make fetch wait until they have executed: none, those that set
 *   an enable bit, or all.
 * - decision: all of it is cleared when the warp is switched off.
 *
 * What is illegal is returned as the rest of a sentence that begins with the instruction; the warp then is at fault. */
#ifndef SL_WARP_HARDWARE_LOOPS_H
#define SL_WARP_HARDWARE_LOOPS_H

#include "base/error.h"
#include "base/types.h"

enum { SL_LOOPS_MAX = 8 };

/* The CSRs of the extension. */
enum sl_extension_unit { SL_UNIT_LOOP, SL_UNIT_STREAM };
enum { SL_EXTENSION_CSRS = 0x800, SL_EXTENSION_CSR_COUNT = 0x100 };

static inline unsigned sl_extension_csr(enum sl_extension_unit type, unsigned unit, unsigned reg)
{
  return SL_EXTENSION_CSRS | (unsigned)type << 7 | unit << 3 | reg;
}

static inline bool sl_is_extension_csr(unsigned csr, enum sl_extension_unit type)
{
  return csr >> 7 == (SL_EXTENSION_CSRS >> 7 | (unsigned)type);
}

static inline unsigned sl_extension_csr_unit(unsigned csr)
{
  return csr >> 3 & 15;
}

static inline unsigned sl_extension_csr_register(unsigned csr)
{
  return csr & 7;
}

enum sl_loop_register { SL_LOOP_START, SL_LOOP_END, SL_LOOP_TAIL, SL_LOOP_BOUND, SL_LOOP_STATE };

#define SL_LOOP_ENABLE (UINT32_C(1) << 31) /* of SL_LOOP_BOUND */

enum sl_loops_blocking { SL_LOOPS_BLOCK_NONE, SL_LOOPS_BLOCK_ENABLE, SL_LOOPS_BLOCK_ALL };

struct sl_loop {
  uint32_t start, end; /* addresses of the first and the last instruction of the body */
  uint32_t bound;      /* iterations */
  uint32_t count;      /* of them done */
  sl_lanes tail;       /* lanes that take part in the last one */
};

/* A loop that is running. */
struct sl_loop_entry {
  uint8_t loop;
  uint8_t splits; /* depth of the IPDOM stack at entry */
  sl_lanes mask;  /* fetch mask at entry */
};

struct sl_warp_loops {
  uint8_t enabled, running; /* sets of loops; those that run are enabled */
  uint8_t depth;            /* of the stack */
  struct sl_loop loop[SL_LOOPS_MAX];
  struct sl_loop_entry stack[SL_LOOPS_MAX];
};

struct sl_loops {
  unsigned count; /* loops per warp, 1 to 8 */
  unsigned warps;
  enum sl_loops_blocking blocking;
  struct sl_warp_loops *warp;
};

enum sl_status sl_loops_init(struct sl_loops *l, unsigned count, unsigned warps, enum sl_loops_blocking blocking,
                             struct sl_error *err);
void sl_loops_free(struct sl_loops *l);

/* A warp is switched off, or begins. */
void sl_loops_clear(struct sl_loops *l, unsigned warp);

/* Of a CSR for which sl_is_extension_csr(csr, SL_UNIT_LOOP). Return NULL, or what is illegal. */
const char *sl_loops_csr_read(const struct sl_loops *l, unsigned warp, unsigned csr, uint32_t *value);
const char *sl_loops_csr_write(struct sl_loops *l, unsigned warp, unsigned csr, uint32_t value);

/* Whether fetch of the warp waits until this write has executed. */
static inline bool sl_loops_csr_blocks(const struct sl_loops *l, unsigned csr, uint32_t value)
{
  return l->blocking == SL_LOOPS_BLOCK_ALL ||
         (l->blocking == SL_LOOPS_BLOCK_ENABLE && (csr & 7) == SL_LOOP_BOUND && (value & SL_LOOP_ENABLE) != 0);
}

/* The general cases of the two functions below. */
const char *sl_loops_enter_slowly(struct sl_warp_loops *w, uint32_t pc, unsigned splits, sl_lanes fetch,
                                  sl_lanes *effective);
const char *sl_loops_next_slowly(struct sl_warp_loops *w, uint32_t pc, unsigned splits, sl_lanes *fetch,
                                 uint32_t *next);

/* Rules 1 and 2, once per instruction scheduled: from the fetch mask to the mask it executes with. `splits` is the
 * depth of the warp's IPDOM stack. Returns NULL, or what is illegal. */
static inline const char *sl_loops_enter(struct sl_loops *l, unsigned warp, uint32_t pc, unsigned splits,
                                         sl_lanes fetch, sl_lanes *effective)
{
  struct sl_warp_loops *w = &l->warp[warp];
  *effective = fetch;
  return w->enabled == 0 ? NULL : sl_loops_enter_slowly(w, pc, splits, fetch, effective);
}

/* Rule 3, right after and before the instruction executes: from the address behind it in *next to where the warp goes
 * on unless it jumps, and the fetch mask there, which changes when a loop is left. Returns NULL, or what is illegal. */
static inline const char *sl_loops_next(struct sl_loops *l, unsigned warp, uint32_t pc, unsigned splits,
                                        sl_lanes *fetch, uint32_t *next)
{
  struct sl_warp_loops *w = &l->warp[warp];
  return w->depth == 0 ? NULL : sl_loops_next_slowly(w, pc, splits, fetch, next);
}

/* Whether some loop is running: WSPAWN is illegal. */
static inline bool sl_loops_running(const struct sl_loops *l, unsigned warp)
{
  return l->warp[warp].depth > 0;
}

/* Whether a running loop ends at this address, where control transfers are illegal. To be asked before sl_loops_next,
 * which may leave the loop. */
bool sl_loops_ends_at(const struct sl_loops *l, unsigned warp, uint32_t pc);

/* Whether a JOIN that takes the topmost of `splits` entries of the IPDOM stack would leave the innermost loop's body.
 */
static inline bool sl_loops_join_leaves(const struct sl_loops *l, unsigned warp, unsigned splits)
{
  const struct sl_warp_loops *w = &l->warp[warp];
  return w->depth > 0 && splits <= w->stack[w->depth - 1].splits;
}

/* What to say of these three. */
#define SL_LOOPS_TRANSFER_AT_END "transfers control at the end of a hardware loop"
#define SL_LOOPS_SPAWN_INSIDE "spawns warps inside a hardware loop"
#define SL_LOOPS_JOIN_LEAVES "joins a split from outside the hardware loop it is in; the loop must end before the join"

/* Iterations of the innermost body when all enabled loops are nested: the product of their bounds. UINT64_MAX when
 * none is enabled, or it is that large. */
uint64_t sl_loops_product(const struct sl_loops *l, unsigned warp);

#endif
