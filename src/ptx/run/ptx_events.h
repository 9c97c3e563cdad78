/* Events of PTX for observers, from the executor: the same struct as those of RISC-V (isa/probe.h). */
#ifndef SL_PTX_RUN_PTX_EVENTS_H
#define SL_PTX_RUN_PTX_EVENTS_H

#include "isa/probe.h"
#include "ptx/run/ptx_access.h"

/* The instruction or block of an event, as the machine knows it. */
struct sl_ptx_event {
  struct sl_probes *probes;
  uint64_t id, cycle;
  unsigned launch, core, warp, stage;
};

/* Accesses of one warp without timing, which are reported as executions. */
struct sl_ptx_report {
  struct sl_probes *probes;
  struct sl_probe probe;
  struct sl_probe_block block;
};

void sl_ptx_report_begin(struct sl_ptx_report *report, const struct sl_ptx_event *event, const struct sl_ptx_warp *warp,
                         const struct sl_ptx_effect *effect);

/* Reports the effect's instruction. */
void sl_ptx_report_access(struct sl_ptx_report *report);

/* Reports an instruction: with `issued` its issue, then its execution, and then its access or fence. */
void sl_ptx_report_execution(const struct sl_ptx_event *event, bool issued, const struct sl_ptx_warp *warp,
                             const struct sl_ptx_effect *effect);

/* Reports that an instruction is complete. */
void sl_ptx_report_retired(const struct sl_ptx_event *event, const struct sl_ptx_effect *effect);

/* Reports an event of a warp's last instruction. */
void sl_ptx_report_warp(const struct sl_ptx_event *event, enum sl_probe_kind kind, uint32_t pc);

/* Reports that a block has begun; `warp` is the number of its first warp. */
void sl_ptx_report_begun(const struct sl_ptx_event *event, const struct sl_ptx_block *block);

/* Reports that a launch begins or has ended. */
void sl_ptx_report_launch(const struct sl_ptx_event *event, enum sl_probe_kind kind,
                          const struct sl_ptx_launch *launch);

#endif
