/* What listeners are told of a run, while it runs: commit traces, profiles, the library's callbacks, whoever comes. A
 * listener says which kinds it wants and is told of those alone; while nobody listens a machine tests one flag per
 * instruction.
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
  SL_PROBE_LAUNCHED = 1,      /* a kernel begins, at pc: what is told until it has ended is the launch's */
  SL_PROBE_EXECUTED = 1 << 1, /* an instruction of a warp takes effect */
  SL_PROBE_ACCESSED = 1 << 2, /* an instruction of a warp reads or writes memory */
  SL_PROBE_ARRIVED = 1 << 3,  /* a warp waits at a barrier */
  SL_PROBE_RELEASED = 1 << 4, /* the barrier has let it go */
  /* With timing: */
  SL_PROBE_FETCHED = 1 << 5, /* the front end takes a warp's instruction; it may turn out to be of no path */
  SL_PROBE_ISSUED = 1 << 6,  /* an instruction goes to the pipeline or unit that executes it */
  SL_PROBE_RETRIED = 1 << 7, /* it could not, or only for some lanes, and will be issued again */
  SL_PROBE_ABORTED = 1 << 8, /* the scalar pipeline leaves it to the vector pipeline */
  SL_PROBE_RETIRED = 1 << 9, /* it is done for these lanes: nobody waits for its result any more */
  /* Cycles of a core's issue slot have gone to an instruction, which was issued (the first of the machine's causes) or
   * waited for. Together they are the cycles of all launches: a cycle in which nothing could be issued belongs to the
   * last instruction of the warp that is picked next, since the moment a wait ends says whose it was. */
  SL_PROBE_WAITED = 1 << 10,
  SL_PROBE_TRANSACTED = 1 << 11, /* an access has led to a transaction with memory or a cache */
  SL_PROBE_BANKED = 1 << 12,     /* the scratchpad serves an access, in `count` cycles of its banks */
  SL_PROBE_VALUES = 1 << 13,     /* how regular a register is that an instruction reads or writes */
  SL_PROBE_SPILLED = 1 << 14,    /* a vector register goes to memory before an instruction can be executed, */
  SL_PROBE_EVICTED = 1 << 15,    /* has left its slot of the register file, */
  SL_PROBE_FILLED = 1 << 16,     /* and is read back */
  SL_PROBE_ENDED = 1 << 17,      /* a kernel has ended */
  SL_PROBE_QUEUED = 1 << 18      /* cycles that an access waits behind others for the unit that performs it */
};

/* How regular a register's value is over the lanes of a warp. On a machine with a compressed register file: how the
 * file holds it. On a plain one: how a compressed one would (value of all lanes for operands; a result that not all
 * lanes write is general). SIMTight's paper, Figures 2 and 3. */
enum sl_regularity { SL_UNIFORM, SL_AFFINE, SL_GENERAL, SL_REGULARITY_COUNT };

/* The block of threads that a warp belongs to, on a machine that deals blocks. */
struct sl_probe_block {
  const uint32_t *index; /* in the grid */
  const uint32_t *size;
  const uint32_t *grid;
  unsigned warp;   /* in the block */
  uint32_t launch; /* address of the launch block */
};

struct sl_probe {
  enum sl_probe_kind kind;
  uint64_t cycle; /* of the launch, 0 = its first; without timing the number of the instruction */
  unsigned launch;
  uint32_t pc;
  unsigned warp;
  /* Of ISSUED, EXECUTED, ACCESSED and RETIRED: */
  sl_lanes active;
  unsigned lanes;
  bool scalar; /* the first two: in the scalar pipeline */
  /* Of EXECUTED and ACCESSED: */
  const struct sl_insn *insn;
  const uint32_t *values;             /* rd of each lane after the instruction, NULL when it writes none */
  const uint32_t *address;            /* of each lane, as in memory; NULL when it does not access memory */
  const struct sl_probe_block *block; /* ISSUED too; NULL: the machine does not deal blocks */
  /* Of others: */
  unsigned cause;  /* WAITED: number in the machine's list (struct sl_causes) */
  int64_t count;   /* WAITED, BANKED, QUEUED: cycles. Below 0: a Vortex GPU has told of cycles behind its end */
  int64_t least;   /* BANKED: cycles that so many lanes take without a conflict */
  uint32_t holder; /* RETRIED, QUEUED: pc of the instruction that has the unit; 0: nobody knows */
  unsigned reg;    /* VALUES, SPILLED, EVICTED, FILLED */
  enum sl_regularity regularity; /* VALUES */
  bool writes;                   /* VALUES: it is the result */
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
