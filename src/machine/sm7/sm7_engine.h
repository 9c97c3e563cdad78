/* Runs grids of PTX with timing, each at once or in steps. L2 and DRAM keep their state from launch to launch; data
 * copied by the host is in L2. */
#ifndef SL_MACHINE_SM7_ENGINE_H
#define SL_MACHINE_SM7_ENGINE_H

#include "machine/sm7/sm7_gpu.h"
#include "machine/sm7/sm7_ptx.h"
#include "ptx/run/ptx_engine.h"

struct sl_sm7_engine {
  struct sl_sm7_gpu *gpu;
  unsigned threads;            /* of the host */
  bool broken;                 /* the last grid did not end; the next grid needs a new GPU */
  struct sl_ptx_bounds bounds; /* of each launch */
  uint32_t registers;          /* per thread, overriding the script; 0: as in the script */
  uint64_t cycles;             /* of all launches */
  /* Slots by instruction, over the launches that ran while `watches` was set; all of one module. */
  bool watches;
  struct sl_sm7_slots *slots; /* `instructions` entries, and one for no instruction */
  uint32_t instructions;
  struct sl_ptx_block *kept; /* by SM and block slot: storage that launches reuse */
  /* The current launch. */
  bool begun;
  struct sl_ptx_launch launch;
  struct sl_ptx_linear *linear;
  struct sl_sm7_ptx program;
  struct sl_sm7_slots *watched; /* slots by SM and instruction */
  struct sl_sm7_totals before;  /* the GPU's totals at its start */
};

/* `threads`: maximum number of host threads. */
enum sl_status sl_sm7_engine_open(struct sl_sm7_engine *engine, const struct sl_sm7_spec *spec, unsigned threads,
                                  struct sl_error *err);
void sl_sm7_engine_close(struct sl_sm7_engine *engine);

/* Begins a launch, which must stay valid until its end. End it also after a failure. */
enum sl_status sl_sm7_engine_begin(struct sl_sm7_engine *engine, const struct sl_ptx_launch *launch,
                                   struct sl_error *err);

/* Simulates until the kernel ends or its cycle count is `until`. SL_PAUSED: the latter; SL_LIMIT, SL_STOPPED: by the
 * bounds. The division into calls does not change the result. */
enum sl_status sl_sm7_engine_advance(struct sl_sm7_engine *engine, uint64_t until, struct sl_error *err);

/* Ends a launch, or abandons it; adds to *counts. */
void sl_sm7_engine_end(struct sl_sm7_engine *engine, struct sl_ptx_counts *counts);

/* The host has copied data to memory. */
void sl_sm7_engine_copied(struct sl_sm7_engine *engine, uint64_t address, uint64_t bytes);

struct sl_ptx_engine sl_sm7_ptx_engine(struct sl_sm7_engine *engine);

#endif
