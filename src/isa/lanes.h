/* Execution of one instruction on the lanes of a warp: rules 1 and 4 of the architecture, function once and lanes
 * as arrays.
 *
 * Registers of a warp are one block of 32 x lanes words, register r of lane l at x[r * lanes + l], aligned to 64
 * bytes. The functions are generated from the semantics column of rv32.def, built for several x86-64 levels and
 * specialised for common lane counts; sl_lane_ops() chooses at start. */
#ifndef SL_ISA_LANES_H
#define SL_ISA_LANES_H

#include "isa/isa.h"

/* Executes `in` at address pc on the lanes in `active` (not empty) of the register block x. ALU, MUL, DIV and FPU
 * rows write rd (never called with rd = x0) and return 0; BRANCH rows return the lanes that take the branch. */
typedef sl_lanes sl_lane_function(uint32_t *x, const struct sl_insn *in, sl_lanes active, uint32_t pc, unsigned lanes);

enum { SL_LANES_WINDOW = 32 /* words that a lane can pick from */ };

/* What the vector unit knows of the addresses of a memory instruction, over its active lanes. */
struct sl_addresses {
  uint32_t low, high; /* least and greatest */
  uint32_t first;     /* of the lowest active lane */
  bool misaligned;    /* some address is no multiple of the access width */
  bool stray;         /* some address is in the gap below the thread's stack */
  bool consecutive;   /* lane l accesses first + (l - lowest active lane) * width */
};

/* Stack interleaving: how an address of a lane's own stack maps to memory. (Paper, section III-A, coalescing unit; bit
 * positions from the published RTL.) */
struct sl_stack_map {
  uint32_t virtual_base;  /* stacks are at and above this address, to the end of the address space */
  uint32_t gap_bytes;     /* below virtual_base: memory no thread may address */
  uint32_t physical_base; /* where interleaved stacks are in memory */
  uint32_t lane0;         /* bits of this warp, lane 0: warp << (2 + log2 lanes) */
  unsigned slot_shift;    /* log2 of the bytes of one stack word slot of all warps */
};

/* The functions of one build level and lane count. */
struct sl_lane_ops {
  const char *level;             /* "baseline", "avx2", "avx512" */
  const struct sl_lane_ops *one; /* of the same level, for one value: registers that hold the same in all lanes, x[r] */
  sl_lane_function *execute[SL_OP_COUNT];
  /* Addresses rs1 + imm of all lanes, remapped, into address[]; inactive lanes get the first active lane's. */
  void (*addresses)(const uint32_t *base, const struct sl_insn *in, sl_lanes active, const struct sl_stack_map *map,
                    uint32_t *address, struct sl_addresses *summary, unsigned lanes);
  /* Lanes whose address equals `value`. */
  sl_lanes (*equal)(const uint32_t *address, uint32_t value, unsigned lanes);
  /* Lanes whose (address - low) is below size, as unsigned numbers. */
  sl_lanes (*within)(const uint32_t *address, uint32_t low, uint32_t size, unsigned lanes);
  /* Lanes l with address == base + l * stride. */
  sl_lanes (*strided)(const uint32_t *address, uint32_t base, uint32_t stride, unsigned lanes);
  /* The numbers base + imm of the active lanes, those of others being that of the lowest active one, into address[],
   * which may be base. Returns whether every lane's is offset[l] beyond the lowest active one's. */
  bool (*offsets)(const uint32_t *base, uint32_t imm, sl_lanes active, const uint32_t *offset, uint32_t *address,
                  unsigned lanes);
  /* d of lane l = the word with number index[l] of the bytes, on all lanes; of SL_LANES_WINDOW words. */
  void (*pick)(uint32_t *d, const uint8_t *bytes, const uint32_t *index, unsigned lanes);
  /* As sl_scratchpad_schedule (mem/scratchpad.h) for up to 16 banks and two lanes per bank; NULL: it is as good. */
  unsigned (*bank_passes)(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES]);
  /* d = value on the active lanes. */
  void (*broadcast)(uint32_t *d, uint32_t value, sl_lanes active, unsigned lanes);
  /* d of lane l = base + l * stride, on all lanes. */
  void (*fill)(uint32_t *d, uint32_t base, uint32_t stride, unsigned lanes);
};

/* The best functions this host can run for a lane count from 1 to 64. */
const struct sl_lane_ops *sl_lane_ops(unsigned lanes);

/* The functions of the portable build, whatever the host: a figure that repeats anywhere, and a second opinion. */
const struct sl_lane_ops *sl_lane_ops_portable(unsigned lanes);

#endif
