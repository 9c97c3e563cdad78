/* Runs the grids of a launch description (ptx/launch/ptx_play.h) with timing. L2 and DRAM keep their state from launch
 * to launch; what the host copies is in L2. */
#ifndef SL_MACHINE_SM7_ENGINE_H
#define SL_MACHINE_SM7_ENGINE_H

#include "machine/sm7/sm7_gpu.h"
#include "ptx/launch/ptx_play.h"

struct sl_sm7_engine {
  struct sl_sm7_gpu *gpu;
  unsigned threads; /* of the host */
  bool broken;      /* the last grid did not end: the GPU is in the middle of it, and the next one needs another GPU */
  struct sl_ptx_bounds bounds; /* of each launch */
  uint32_t registers;          /* of a thread, whatever the description says; 0: as it says */
  uint64_t cycles;             /* of all launches */
  /* Where slots went, by instruction, of the launches that were run while `watches`; all of one module. */
  bool watches;
  struct sl_sm7_slots *slots; /* `instructions`, and one of no instruction */
  uint32_t instructions;
  /* The launch that is under way. */
  struct sl_sm7_ptx *program;
  struct sl_ptx_block *kept;   /* by SM and block slot: storage that launches use one after another */
  struct sl_sm7_totals before; /* of the GPU when it began */
};

/* Simulated on up to so many host threads. */
enum sl_status sl_sm7_engine_open(struct sl_sm7_engine *engine, const struct sl_sm7_spec *spec, unsigned threads,
                                  struct sl_error *err);
void sl_sm7_engine_close(struct sl_sm7_engine *engine);

struct sl_ptx_engine sl_sm7_ptx_engine(struct sl_sm7_engine *engine);

#endif
