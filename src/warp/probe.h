/* What listeners are told of a run, while it runs: commit traces, the library's callbacks, whoever comes. A listener
 * says which kinds it wants and is told of those alone; while nobody listens a machine tests one flag per instruction.
 *
 * An execution is told of when it takes effect, an access to memory right after the instruction it belongs to. A
 * listener that returns false stops the run: a SIMTight or Simty at the end of the cycle, or without timing after the
 * instruction, a Vortex GPU with timing at the end of the stretch of cycles that it simulates at a time. What the
 * machine has begun until then it still tells of, and a kernel that ends meanwhile has ended. The next run goes on from
 * there, and nothing is lost or repeated. */
#ifndef SL_WARP_PROBE_H
#define SL_WARP_PROBE_H

#include "isa/isa.h"

/* Kinds, to be combined to a set. */
enum sl_probe_kind {
  SL_PROBE_LAUNCHED = 1,      /* a kernel starts, at pc */
  SL_PROBE_EXECUTED = 1 << 1, /* an instruction of a warp */
  SL_PROBE_ACCESSED = 1 << 2  /* an instruction of a warp that reads or writes memory */
};

struct sl_probe {
  enum sl_probe_kind kind;
  uint64_t cycle; /* of the launch, 0 = its first; without timing the number of the instruction */
  unsigned launch;
  uint32_t pc;
  /* Of instructions: */
  const struct sl_insn *insn;
  unsigned warp;
  sl_lanes active;
  unsigned lanes;
  const uint32_t *values;  /* rd of each lane after the instruction, NULL when it writes none */
  const uint32_t *address; /* of each lane, as in memory; NULL when it does not access memory */
};

/* A listener. It must outlive the machine. */
struct sl_probes {
  unsigned wanted; /* set of kinds */
  bool (*tell)(void *context, const struct sl_probe *probe);
  void *context;
  bool stopped; /* it has returned false; whoever runs the machine sets it back before going on */
};

static inline bool sl_probes_want(const struct sl_probes *probes, unsigned kinds)
{
  return probes != NULL && (probes->wanted & kinds) != 0;
}

static inline bool sl_probes_stopped(const struct sl_probes *probes)
{
  return probes != NULL && probes->stopped;
}

/* Tells, if it is wanted. */
void sl_tell(struct sl_probes *probes, const struct sl_probe *probe);

/* Tells of an instruction, then of its access to memory. The kind is filled in. */
void sl_tell_execution(struct sl_probes *probes, const struct sl_probe *probe);

/* SL_KIND_LOAD, SL_KIND_STORE or SL_KIND_AMO, of an access. */
enum sl_kind sl_probe_access(const struct sl_probe *probe);

#endif
