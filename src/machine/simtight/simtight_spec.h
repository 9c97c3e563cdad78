/* The configuration of a SIMTight streaming multiprocessor: one field per key of simtight_keys.c. */
#ifndef SL_MACHINE_SIMTIGHT_SPEC_H
#define SL_MACHINE_SIMTIGHT_SPEC_H

#include "base/keys.h"
#include "func/path_warps.h"
#include "timing/pipeline/arithmetic_units.h"

struct sl_simtight_spec {
  uint32_t lanes, warps;
  uint32_t fpu;
  uint32_t divider, divider_latency, divider_depth;
  uint32_t code_base, code_words;
  uint32_t scratchpad_base, scratchpad_bytes, scratchpad_banks;
  uint32_t stack_bytes;
  uint32_t fifo_depth, in_flight_depth;
  uint32_t dram_latency, dram_beat_bytes, dram_outstanding;
  uint32_t fpu_limit, fpu_latency[SL_FPU_CLASS_COUNT];
  uint32_t barrier_phase, barrier_turned;
  uint32_t compressed;   /* register file: plain or compressed */
  uint32_t affine;       /* the compressed file also holds affine vectors */
  uint32_t vector_slots; /* of the compressed register file; 0: one per register */
  uint32_t spill_threshold, spill_policy, spill_base, free_ended;
  uint32_t scalar_pipeline, scalar_warps;
  uint32_t stack_cache_entries; /* 0: no stack cache */
  uint32_t convergence;         /* enum sl_scheme */
};

extern const struct sl_keys sl_simtight_keys;

/* Checks rules that involve several keys. */
enum sl_status sl_simtight_check(const void *spec, struct sl_error *err);

/* Values derived from keys that may be automatic: vector slots, the spill threshold, and the address of spilled
 * registers. */
uint32_t sl_simtight_slots(const struct sl_simtight_spec *spec);
uint32_t sl_simtight_spill_threshold(const struct sl_simtight_spec *spec);
uint32_t sl_simtight_spill_bytes(const struct sl_simtight_spec *spec);
uint32_t sl_simtight_spill_base(const struct sl_simtight_spec *spec);

/* The configuration of such an SM's threads. */
struct sl_path_warps_spec sl_simtight_threads(const struct sl_simtight_spec *spec);

#endif
