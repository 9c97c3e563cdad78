/* The configuration of a Simty core: one field per key of simty_keys.c. */
#ifndef SL_MACHINE_SIMTY_SPEC_H
#define SL_MACHINE_SIMTY_SPEC_H

#include "machine/simtight/simtight_sm.h"

struct sl_simty_spec {
  uint32_t lanes, warps;
  uint32_t sorter; /* the background sorter is active */
  uint32_t memory_bytes, memory_latency;
  uint32_t dram; /* memory is SIMTight's DRAM, not a memory of fixed latency */
  uint32_t dram_latency, dram_beat_bytes, dram_outstanding;
  uint32_t done_base;
  /* Only for a core in SIMTight's SoC: */
  uint32_t host;
  uint32_t global_atomics;
  uint32_t warp_functions;
  uint32_t fairness;
  uint32_t fpu, fpu_limit, fpu_latency[SL_FPU_CLASS_COUNT];
  uint32_t code_base, code_words;
  uint32_t scratchpad_base, scratchpad_bytes, scratchpad_banks;
  uint32_t stack_bytes;
};

extern const struct sl_keys sl_simty_keys;

/* Checks rules that involve several keys. */
enum sl_status sl_simty_check(const void *spec, struct sl_error *err);

/* The memory map and instructions of the SIMTight SoC in which a core with a host CPU replaces the SM. */
struct sl_simtight_spec sl_simty_soc(const struct sl_simty_spec *spec);

/* The configuration of such a core's threads. */
struct sl_path_warps_spec sl_simty_threads(const struct sl_simty_spec *spec);

#endif
