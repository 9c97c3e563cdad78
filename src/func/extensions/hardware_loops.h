/* Hardware loops with a predication stack, in the schedule stage: CFM, the control-flow part of the extension of
 * "Decoupled Control Flow and Data Access in RISC-V GPGPUs" (arXiv 2512.00032), section IV-B; registers: its Table I.
 *
 * A warp has up to eight loops and a stack of the running ones. When a warp is scheduled at an address
 *   1. every enabled loop that starts there and is not running is entered: the hardware pushes it with the fetch mask;
 *   2. the instruction executes with the effective mask: the fetch mask (set by TMC, SPLIT, JOIN, PRED) and the
 *      tail mask of every running loop in its last iteration;
 *   3. at the last instruction of a body the next address is the loop's start. After the last iteration the loop leaves
 *      the stack, the fetch mask returns to its value at entry, and the enclosing loop is tested in the same cycle.
 * Timing contract: a back edge costs one fetch, like any other next address. There is no other cost.
 *
 * The paper leaves these points open:
 * - decision: CSR = 0x800 | type << 7 | unit << 3 | register, type 0 loops, type 1 streams, up to 16 units of 8
 *   registers.
 * - decision: the innermost loop is the one entered last. Of several that start at one address the lowest unit is the
 *   outermost.
 * - decision: the end is the address of the body's last instruction. A taken branch, a jump, SPLIT, JOIN, TMC, PRED or
 *   WSPAWN there is illegal.
 * - decision: the body executes at least once. Bound 0 with the enable bit is illegal; software must branch around the
 *   loop.
 * - decision: only the last iteration is masked, so trip counts of lanes may differ by one. Larger differences need
 *   PRED.
 * - decision: when a loop is done the enable bit stays set and its count returns to 0, so it can be entered again.
 * - decision: registers are per warp; a write takes the value of the lowest active lane.
 * - decision: software cannot write start, end, bound and enable of a running loop; it can write tail mask and state.
 * - decision: the state is the number of completed iterations. Software can set a running loop's state below its bound
 *   (bound - 1: this iteration is the last), and another loop's state only to 0.
 * - decision: the tail mask has 32 bits; it never masks lanes from 32 on.
 * - decision: an effective mask may be empty. The instruction then takes its slot, no lane executes it, and streams
 *   advance.
 * - decision: divergence nests within the body. At its end the IPDOM stack must be as deep as at entry, and a JOIN
 *   inside must not pop a split from outside. SPLIT pushes the effective mask; leaving the loop restores all lanes.
 * - decision: a loop inside divergent code ends before JOIN; the second side enters it again.
 * - decision: TMC or PRED inside changes the fetch mask until the loop is left. WSPAWN inside is illegal; BAR is legal.
 * - decision: a loop is entered at its start only. A jump into the body executes it without looping.
 * - decision: a loop left by a jump keeps running, because a call must return. It is illegal if the end of an outer
 *   loop finds it running.
 * - decision: the stack has as many entries as there are loops, so it cannot overflow. A unit that does not exist is
 *   illegal.
 * - decision: `loops.blocking` selects the CSR writes that stall fetch until they have executed: none, those that set
 *   an enable bit, or all.
 * - decision: switching the warp off clears all of it.
 *
 * A function that finds an illegal instruction returns the rest of a sentence that begins with the instruction. The
 * warp then faults. */
#ifndef SL_WARP_HARDWARE_LOOPS_H
#define SL_WARP_HARDWARE_LOOPS_H

#include "base/error.h"
#include "base/types.h"
#include "func/extensions/extension.h"

enum { SL_LOOPS_MAX = 8 };

/* CSRs of the extension. */
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

#define SL_LOOP_ENABLE (UINT32_C(1) << 31) /* bit of SL_LOOP_BOUND */

enum sl_loops_blocking { SL_LOOPS_BLOCK_NONE, SL_LOOPS_BLOCK_ENABLE, SL_LOOPS_BLOCK_ALL };

struct sl_loop {
  uint32_t start, end; /* addresses of the first and the last instruction of the body */
  uint32_t bound;      /* iterations */
  uint32_t count;      /* completed iterations */
  sl_lanes tail;       /* lanes that take part in the last iteration */
};

/* A running loop. */
struct sl_loop_entry {
  uint8_t loop;
  uint8_t splits; /* depth of the IPDOM stack at entry */
  sl_lanes mask;  /* fetch mask at entry */
};

struct sl_warp_loops {
  uint8_t enabled, running; /* sets of loops; running loops are enabled */
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

/* Clears the loops of a warp that starts or is switched off. */
void sl_loops_clear(struct sl_loops *l, unsigned warp);

/* CSR accesses, for a CSR with sl_is_extension_csr(csr, SL_UNIT_LOOP). Return NULL or a message. */
const char *sl_loops_csr_read(const struct sl_loops *l, unsigned warp, unsigned csr, uint32_t *value);
const char *sl_loops_csr_write(struct sl_loops *l, unsigned warp, unsigned csr, uint32_t value);

/* Returns true if the warp's fetch waits until this write has executed. */
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

/* Rules 1 and 2, once per scheduled instruction: computes the effective mask from the fetch mask. `splits` is the depth
 * of the warp's IPDOM stack. Returns NULL or a message. */
static inline const char *sl_loops_enter(struct sl_loops *l, unsigned warp, uint32_t pc, unsigned splits,
                                         sl_lanes fetch, sl_lanes *effective)
{
  struct sl_warp_loops *w = &l->warp[warp];
  *effective = fetch;
  return w->enabled == 0 ? NULL : sl_loops_enter_slowly(w, pc, splits, fetch, effective);
}

/* Rule 3, right after sl_loops_enter and before execution. *next is the address after the instruction; the function
 * changes it to the next address of a warp that does not jump. *fetch changes when a loop is left. Returns NULL, or
 * what is illegal. */
static inline const char *sl_loops_next(struct sl_loops *l, unsigned warp, uint32_t pc, unsigned splits,
                                        sl_lanes *fetch, uint32_t *next)
{
  struct sl_warp_loops *w = &l->warp[warp];
  return w->depth == 0 ? NULL : sl_loops_next_slowly(w, pc, splits, fetch, next);
}

/* Returns true if a loop is running: WSPAWN is illegal. */
static inline bool sl_loops_running(const struct sl_loops *l, unsigned warp)
{
  return l->warp[warp].depth > 0;
}

/* Returns true if a running loop ends at this address, where control transfers are illegal. Call before sl_loops_next,
 * which may leave the loop. */
bool sl_loops_ends_at(const struct sl_loops *l, unsigned warp, uint32_t pc);

/* Returns true if a JOIN that pops the topmost of `splits` IPDOM entries would leave the innermost loop's body. */
static inline bool sl_loops_join_leaves(const struct sl_loops *l, unsigned warp, unsigned splits)
{
  const struct sl_warp_loops *w = &l->warp[warp];
  return w->depth > 0 && splits <= w->stack[w->depth - 1].splits;
}

/* Messages of these three faults. */
#define SL_LOOPS_TRANSFER_AT_END "transfers control at the end of a hardware loop"
#define SL_LOOPS_SPAWN_INSIDE "spawns warps inside a hardware loop"
#define SL_LOOPS_JOIN_LEAVES "joins a split from outside the hardware loop it is in; the loop must end before the join"

/* Iterations of the innermost body if all enabled loops are nested: the product of their bounds, at most UINT64_MAX.
 * UINT64_MAX if no loop is enabled. */
uint64_t sl_loops_product(const struct sl_loops *l, unsigned warp);

/* Hardware loops (func/extensions/hardware_loops.h) as a core extension. It acts at schedule and, after execution,
 * checks that the instruction has not left a loop. */

/* The state is a struct sl_loops on the heap. */
extern const struct sl_extension_kind sl_loops_extension;

#endif
