/* Live segments assigned to each physical register, in order, for a fast test whether another lifetime fits. */
#ifndef SL_BACKEND_OCCUPANCY_H
#define SL_BACKEND_OCCUPANCY_H

#include "base/error.h"
#include "base/types.h"
#include "compiler/isa64/allocate/lifetimes.h"

/* The register file for allocation: size, bank of each register, and its role in the calling convention. The default is
 * the 128 registers of section 3.2 of the paper on 64-bit instruction words: RISC-V's 32, 16 temporaries (a8 to a23),
 * 48 callee-saved (s12 to s59), 32 temporaries (t7 to t38). Registers beyond 128 are temporaries. */

enum { SL_REGISTERS = 256, SL_LEAST_REGISTERS = 16, SL_MOST_BANKS = 8 };

/* Policy that selects one of the free registers:
 *   unaware    the first one in order
 *   first fit  the paper's rule (section 3.3): the first one whose bank differs from the banks of the other operands of
 *              the same instructions; else the first one. Copy hints come first, as in the paper's greedy allocator
 *   cost       the cheapest one. The cost counts executions of instructions with two sources in its bank, of copies
 *              that it does not eliminate, and of its save and restore. The paper leaves this open (section 4.3) */
enum sl_allocation { SL_UNAWARE, SL_FIRST_FIT, SL_COST, SL_ALLOCATIONS };

struct sl_registers {
  unsigned count, banks;
  uint8_t bank[SL_REGISTERS];
  bool saved[SL_REGISTERS];    /* callee-saved; excludes ra, which a function must preserve, too */
  bool reserved[SL_REGISTERS]; /* zero, sp, gp, tp, and the frame pointer if the function has one: never allocated */
  uint8_t order[SL_REGISTERS]; /* order of preference: temporaries, saved ones, ra */
  unsigned order_count;
};

/* count: 16 to 256, banks: 1 to 8. bank: per register, or NULL for its number modulo `banks`. saved: per register, or
 * NULL for the default. */
enum sl_status sl_registers_init(struct sl_registers *registers, unsigned count, unsigned banks, const uint8_t *bank,
                                 const bool *saved, struct sl_error *err);

/* Reserves x8 as the function's frame pointer. */
void sl_registers_reserve_frame_pointer(struct sl_registers *registers);

struct sl_occupied {
  uint32_t start, end, reg; /* reg: owner of the segment */
};

struct sl_assigned_segments {
  struct sl_occupied *at[SL_REGISTERS]; /* ascending, disjoint */
  size_t count[SL_REGISTERS], room[SL_REGISTERS];
};

void sl_occupancy_free(struct sl_assigned_segments *o);

/* Add and remove the segments of reg. sl_occupy returns false if out of memory. */
bool sl_occupy(struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);
void sl_vacate(struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);

/* Calls found() for each register whose lifetime overlaps that of reg, possibly more than once, until found() returns
 * false. Returns whether it never did. */
typedef bool sl_occupancy_found(void *context, uint32_t other);
bool sl_occupancy_each(const struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l,
                       uint32_t reg, sl_occupancy_found *found, void *context);

bool sl_is_free(const struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);

#endif
