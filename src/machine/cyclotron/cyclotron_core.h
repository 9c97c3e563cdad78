/* Cyclotron: the emulator of R. R. Yan and S. Anand, "Redesigning the Vortex GPU ISA", as a machine. The paper uses it
 * to count the compiler's savings (section 4). It has 64-bit instruction words, one instruction per warp and cycle, and
 * the paper's counters.
 *
 * Timing contract: an instruction scheduled in a cycle executes in the next, once per warp and cycle. After a taken
 * branch, a jump, warp control or a barrier the warp skips one cycle. Memory has no latency. Warps start with all
 * lanes: warp 0 at the start of code memory, whatever the file's entry, and the others where WSPAWN says. A jump to
 * address 0, the return address of main and of kernels, ends the run for all warps at once, in the order of their
 * numbers within a cycle. (Published sources, commit 1884350e: scheduler, warp and top level.) The paper leaves SPLIT,
 * JOIN, PRED and BAR open; here they are those of the Vortex machine. */
#ifndef SL_MACHINE_CYCLOTRON_CORE_H
#define SL_MACHINE_CYCLOTRON_CORE_H

#include "func/ipdom_warps.h"
#include "isa/isa.h"
#include "isa/wide.h"
#include "machine/machine.h"
#include "machine/vortex/vortex_memory.h"

/* The configuration: one field per key of cyclotron.c. */
struct sl_cyclotron_spec {
  uint32_t lanes, warps, registers, register_banks, bank_map;
  uint32_t code_base, code_bytes, local_base, local_bytes;
  uint32_t stack_top, stack_bytes, stack_from;
  uint32_t barriers, ipdom_entries;
  uint32_t fetch_bubble; /* cycles that a warp skips after a jump */
  uint32_t first_ends;   /* the first warp that returns ends the run */
};

enum sl_cyclotron_stall_reason {
#define CAUSE(id, name, kind, meaning) SL_CYCLOTRON_##id,
#include "machine/cyclotron/cyclotron_stall_reasons.def"
#undef CAUSE
  SL_CYCLOTRON_STALL_REASONS
};

/* Register reads of a lane for one instruction, as the paper counts them. */
struct sl_cyclotron_reads {
  uint8_t registers, conflicts;
};

/* Plain data without pointers. A checkpoint holds it together with the warps' state. */
struct sl_cyclotron_state {
  bool timing;
  unsigned launches;
  uint64_t cycle, instructions, thread_instructions;
  uint64_t register_reads, bank_conflicts, stack_reads, stack_writes;
  uint64_t cause[SL_CYCLOTRON_STALL_REASONS];
  uint64_t next[SL_MAX_WARPS];      /* cycle in which a warp executes next */
  uint32_t latest[SL_MAX_WARPS];    /* pc of its last instruction */
  uint64_t latest_id[SL_MAX_WARPS]; /* with an observer: its id */
  struct sl_vortex_console console;
};

struct sl_cyclotron_core {
  struct sl_sm base;
  struct sl_cyclotron_state s;
  /* Wiring: values derived from the keys, and external objects. */
  struct sl_cyclotron_spec spec;
  struct sl_sm_environment environment;
  struct sl_ipdom_warps warps;
  struct sl_code code;              /* grows with the program */
  struct sl_cyclotron_reads *reads; /* one per instruction */
  bool code_lost;                   /* the host had no memory for the code */
  struct sl_fault fault;
  uint32_t address[SL_MAX_LANES];
};

static inline struct sl_cyclotron_core *sl_cyclotron_of(struct sl_sm *handle)
{
  return (struct sl_cyclotron_core *)handle;
}

static inline const struct sl_cyclotron_core *sl_cyclotron_of_const(const struct sl_sm *handle)
{
  return (const struct sl_cyclotron_core *)handle;
}

extern const struct sl_keys sl_cyclotron_keys;
extern const struct sl_counters sl_cyclotron_counters;
extern const struct sl_energy_source sl_cyclotron_energy[];
extern const struct sl_stall_reasons sl_cyclotron_stall_reasons;
extern const struct sl_stages sl_cyclotron_stages;

enum sl_status sl_cyclotron_check(const void *spec, struct sl_error *err);
uint64_t sl_cyclotron_counter(const struct sl_sm *sm, size_t index);
struct sl_cyclotron_reads sl_cyclotron_reads_of(const struct sl_cyclotron_spec *spec, const struct sl_insn *in);

/* Cycle loop and functional execution: cyclotron_core.c. */
void sl_cyclotron_run_cycles(struct sl_sm *sm, uint64_t cycles);
uint64_t sl_cyclotron_run_warp(struct sl_sm *sm, struct sl_time_slice *slice, uint64_t most);
int sl_cyclotron_next(struct sl_sm *sm, unsigned after);
void sl_cyclotron_none(struct sl_sm *sm);

#endif
