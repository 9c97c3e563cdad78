/* Executes one instruction on the lanes of a warp: rules 1 and 4 of the architecture, function once and lanes as
 * arrays.
 *
 * The registers of a warp are one block of 32 x lanes words, aligned to 64 bytes. Register r of lane l is x[r * lanes +
 * l]. The functions are generated from the semantics column of rv32.def. They are built for several x86-64 levels and
 * specialised for common lane counts; sl_lane_ops() chooses at start. */
#ifndef SL_ISA_LANES_H
#define SL_ISA_LANES_H

#include "isa/isa.h"

/* Executes `in` at address pc on the lanes in `active` (not empty) of the register block x. ALU, MUL, DIV and FPU
 * instructions write rd and return 0; rd must not be x0. BRANCH instructions return the lanes that take the branch. */
typedef sl_lanes sl_lane_function(uint32_t *x, const struct sl_insn *in, sl_lanes active, uint32_t pc, unsigned lanes);

enum { SL_LANES_WINDOW = 32 /* number of words that a lane can pick from */ };

/* Summary of the addresses of a memory instruction over its active lanes. */
struct sl_addresses {
  uint32_t low, high; /* least and greatest */
  uint32_t first;     /* of the lowest active lane */
  bool misaligned;    /* some address is not a multiple of the access width */
  bool stray;         /* some address is in the gap below the thread's stack */
  bool consecutive;   /* lane l accesses first + (l - lowest active lane) * width */
};

/* How the addresses base + imm of all lanes relate: one address, consecutive words, or otherwise. */
enum sl_shape { SL_SHAPE_OTHER, SL_SHAPE_SAME, SL_SHAPE_ROW };

/* Stack interleaving: the mapping of a lane's stack addresses to memory. Source: SIMTight paper, section III-A,
 * coalescing unit; bit positions from the published RTL. */
struct sl_stack_map {
  uint32_t virtual_base;  /* stacks extend from this address to the end of the address space */
  uint32_t gap_bytes;     /* size of the inaccessible range below virtual_base */
  uint32_t physical_base; /* memory address of the interleaved stacks */
  uint32_t lane0;         /* bits of this warp, lane 0: warp << (2 + log2 lanes) */
  unsigned slot_shift;    /* log2 of the bytes that one stack word of all warps occupies */
};

/* The functions for one host level and lane count. */
struct sl_lane_ops {
  const char *level; /* "baseline", "avx2", "avx512" */
  const struct sl_lane_ops
      *one; /* functions of the same level for one value: registers x[r] with equal values in all lanes */
  sl_lane_function *execute[SL_OP_COUNT];
  /* Computes the remapped addresses rs1 + imm of all lanes into address[]. Inactive lanes get the address of the first
   * active lane. */
  void (*addresses)(const uint32_t *base, const struct sl_insn *in, sl_lanes active, const struct sl_stack_map *map,
                    uint32_t *address, struct sl_addresses *summary, unsigned lanes);
  /* Computes rs1 + imm of all lanes into address[], without stack interleaving, and returns their shape. */
  enum sl_shape (*shape)(const uint32_t *base, uint32_t imm, uint32_t *address, unsigned lanes);
  /* Lanes whose address equals `value`. */
  sl_lanes (*equal)(const uint32_t *address, uint32_t value, unsigned lanes);
  /* Lanes whose (address - low) is below size, as unsigned numbers. */
  sl_lanes (*within)(const uint32_t *address, uint32_t low, uint32_t size, unsigned lanes);
  /* Lanes l with address == base + l * stride. */
  sl_lanes (*strided)(const uint32_t *address, uint32_t base, uint32_t stride, unsigned lanes);
  /* Computes base + imm of the active lanes into address[], which may be base. Inactive lanes get the value of the
   * lowest active one. Returns whether every lane's value is that of the lowest active one + offset[l]. */
  bool (*offsets)(const uint32_t *base, uint32_t imm, sl_lanes active, const uint32_t *offset, uint32_t *address,
                  unsigned lanes);
  /* On all lanes: d of lane l = word index[l] of bytes, which holds SL_LANES_WINDOW words. */
  void (*pick)(uint32_t *d, const uint8_t *bytes, const uint32_t *index, unsigned lanes);
  /* As sl_scratchpad_schedule (timing/memory/scratchpad.h), for up to 16 banks and two lanes per bank. NULL: the host
   * has no faster version. */
  unsigned (*bank_passes)(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES]);
  /* d = value on the active lanes. */
  void (*broadcast)(uint32_t *d, uint32_t value, sl_lanes active, unsigned lanes);
  /* d of lane l = base + l * stride, on all lanes. */
  void (*fill)(uint32_t *d, uint32_t base, uint32_t stride, unsigned lanes);
};

/* The fastest functions for this host and a lane count from 1 to 64. */
const struct sl_lane_ops *sl_lane_ops(unsigned lanes);

/* The functions of the portable build on any host, for reproducible figures and cross-checks. */
const struct sl_lane_ops *sl_lane_ops_portable(unsigned lanes);

#endif
