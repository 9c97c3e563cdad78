/* Events of a run for observers: commit traces, profiles and the library's callbacks. An observer selects event kinds
 * and receives only those. Without an observer a machine tests one flag per instruction.
 *
 * A machine reports an execution when it takes effect, and a memory access right after its instruction. An observer
 * that returns false stops the run: SIMTight and Simty at the end of the cycle (without timing: after the instruction),
 * a timed Vortex GPU at the end of its quantum. The machine still reports everything that it has begun by then, and a
 * kernel that ends meanwhile has ended. The next run resumes there without lost or repeated events. */
#ifndef SL_WARP_PROBE_H
#define SL_WARP_PROBE_H

#include "isa/isa.h"

/* Event kinds. They can be combined to a set. */
enum sl_probe_kind {
  SL_PROBE_LAUNCHED = 1,      /* a kernel begins at pc; events until ENDED belong to this launch */
  SL_PROBE_EXECUTED = 1 << 1, /* an instruction of a warp takes effect */
  SL_PROBE_ACCESSED = 1 << 2, /* an instruction of a warp reads or writes memory */
  SL_PROBE_ARRIVED = 1 << 3,  /* a warp waits at a barrier */
  SL_PROBE_RELEASED = 1 << 4, /* the barrier releases a warp */
  /* Timed runs only: */
  SL_PROBE_FETCHED = 1 << 5, /* the front end fetches a warp's instruction, which may turn out to belong to no path */
  SL_PROBE_ISSUED = 1 << 6,  /* an instruction enters the pipeline or unit that executes it */
  SL_PROBE_RETRIED = 1 << 7, /* an instruction failed for all or some lanes, and will be issued again */
  SL_PROBE_ABORTED = 1 << 8, /* the scalar pipeline hands an instruction to the vector pipeline */
  SL_PROBE_RETIRED = 1 << 9, /* an instruction is complete for these lanes: no instruction waits for its result */
  /* A core's issue slot spends cycles on an instruction: it issues (stall reason 0) or the slot waits for it. These
   * cycles sum to those of all launches. A cycle without an issue belongs to the last instruction of the warp that is
   * picked next: the end of the wait shows which instruction caused it. */
  SL_PROBE_WAITED = 1 << 10,
  SL_PROBE_TRANSACTED = 1 << 11, /* an access causes a transaction with memory or a cache */
  SL_PROBE_BANKED = 1 << 12,     /* the scratchpad serves an access in `count` bank cycles */
  SL_PROBE_VALUES = 1 << 13,     /* the regularity of a register that an instruction reads or writes */
  SL_PROBE_SPILLED = 1 << 14,    /* a vector register is written to memory to free a slot */
  SL_PROBE_EVICTED = 1 << 15,    /* a spilled register has left its slot of the register file */
  SL_PROBE_FILLED = 1 << 16,     /* a spilled register is read back */
  SL_PROBE_ENDED = 1 << 17,      /* a kernel has ended */
  SL_PROBE_QUEUED = 1 << 18      /* an access waits this many cycles for its unit */
};

/* Regularity of a register's value over the lanes of a warp. A compressed register file reports its encoding. A plain
 * one reports the encoding that a compressed one would use: operands by the values of all lanes; a result that not all
 * lanes write is general. Source: SIMTight paper, Figures 2 and 3. */
enum sl_regularity { SL_UNIFORM, SL_AFFINE, SL_GENERAL, SL_REGULARITY_COUNT };

/* The thread block of a warp, on a machine that assigns blocks to warps. */
struct sl_probe_block {
  const uint32_t *index; /* position in the grid */
  const uint32_t *size;
  const uint32_t *grid;
  unsigned warp;   /* number in the block */
  uint32_t launch; /* address of the launch block */
};

struct sl_probe {
  enum sl_probe_kind kind;
  uint64_t cycle; /* since the launch began, from 0; without timing: the number of the instruction */
  unsigned launch;
  uint32_t pc;
  unsigned warp;
  /* ISSUED, EXECUTED, ACCESSED and RETIRED: */
  sl_lanes active;
  unsigned lanes;
  bool scalar; /* ISSUED, EXECUTED: in the scalar pipeline */
  /* EXECUTED and ACCESSED: */
  const struct sl_insn *insn;
  const uint32_t *values;             /* rd of each lane after the instruction; NULL without a result */
  const uint32_t *address;            /* of each lane, as in memory; NULL without a memory access */
  const struct sl_probe_block *block; /* also ISSUED; NULL: the machine assigns no blocks */
  /* Other kinds: */
  unsigned cause; /* WAITED: index in the machine's stall reasons (struct sl_stall_reasons) */
  int64_t count;  /* WAITED, BANKED, QUEUED: cycles. Negative: a Vortex GPU takes back cycles reported beyond its end */
  int64_t least;  /* BANKED: cycles that as many lanes take without a conflict */
  uint32_t holder;               /* RETRIED, QUEUED: pc of the instruction that holds the unit; 0: unknown */
  unsigned reg;                  /* VALUES, SPILLED, EVICTED, FILLED */
  enum sl_regularity regularity; /* VALUES */
  bool writes;                   /* VALUES: the register is the result */
};

/* An observer. It must outlive the machine. */
struct sl_probes {
  unsigned wanted; /* set of event kinds */
  bool (*tell)(void *context, const struct sl_probe *probe);
  void *context;
  bool stopped; /* tell has returned false; the caller clears it before it resumes the machine */
};

static inline bool sl_probes_want(const struct sl_probes *probes, unsigned kinds)
{
  return probes != NULL && (probes->wanted & kinds) != 0;
}

static inline bool sl_probes_stopped(const struct sl_probes *probes)
{
  return probes != NULL && probes->stopped;
}

/* Notifies the observer if it wants this kind. */
void sl_tell(struct sl_probes *probes, const struct sl_probe *probe);

/* Reports an instruction and then its memory access. Sets the kind. */
void sl_tell_execution(struct sl_probes *probes, const struct sl_probe *probe);

/* The kind of an access: SL_KIND_LOAD, SL_KIND_STORE or SL_KIND_AMO. */
enum sl_kind sl_probe_access(const struct sl_probe *probe);

#endif
