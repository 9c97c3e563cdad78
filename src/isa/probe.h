/* Events of a run for observers: commit traces, profiles, debuggers, checkers and the library's callbacks. All machines
 * report the same events, for RISC-V and PTX (docs/reference/events.md). An observer selects event kinds and receives
 * only those. Without an observer a machine tests one flag per instruction.
 *
 * A machine reports an execution when it takes effect, and a memory access right after its instruction. An observer
 * that returns false stops the run: a machine at the end of its cycle (without timing: after the instruction), a timed
 * Vortex GPU at the end of its quantum. The machine still reports everything that it has begun by then, and a kernel
 * that ends meanwhile has ended. The next run resumes there without lost or repeated events.
 *
 * Each instruction of a warp has a number, its id, that no other instruction of the launch has. A timed machine assigns
 * it at the fetch; without timing, at the execution. An instruction that a machine fetches again, because its unit was
 * busy or because lanes are left, gets a new id. An id has these events, in this order of cycles:
 *   FETCHED, ISSUED, EXECUTED, RETIRED (ISSUED and EXECUTED in either order)  an instruction that executes
 *   FETCHED, [ISSUED,] RETRIED                                                all lanes are left for a later attempt
 *   FETCHED, FLUSHED                                                          it belongs to no path, or its warp waits
 *   FETCHED, ABORTED                                                          it moves to the vector pipeline
 * or only the first of them, if the launch ends before. */
#ifndef SL_ISA_PROBE_H
#define SL_ISA_PROBE_H

#include <string.h>

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
  SL_PROBE_RETIRED = 1 << 9, /* an instruction is complete for all its lanes: no instruction waits for its result */
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
  SL_PROBE_QUEUED = 1 << 18,     /* an access waits for its unit in this cycle */
  SL_PROBE_FLUSHED = 1 << 19,    /* a fetched instruction leaves the pipeline and does not execute */
  SL_PROBE_STAGED = 1 << 20,     /* an instruction enters a stage that has no kind of its own */
  /* With and without timing: */
  SL_PROBE_FENCED = 1 << 21,    /* a warp executes a memory fence; right after its execution */
  SL_PROBE_BEGUN = 1 << 22,     /* a thread block begins, on a machine that assigns blocks to warps */
  SL_PROBE_ALLOCATED = 1 << 23, /* the device allocates a buffer */
  SL_PROBE_FREED = 1 << 24,     /* the device releases a buffer */
  SL_PROBE_WRITTEN = 1 << 25,   /* the host or a copy writes to a buffer or variable */
  SL_PROBE_SWITCHED = 1 << 26,  /* other lanes of a warp run next; right after the execution that makes them change */
  /* Timed runs only: an access has waited `count` cycles for its unit, up to the cycle before. It tells of the cycles
   * that QUEUED reports one by one, without their holders, and costs less. */
  SL_PROBE_DEQUEUED = 1 << 27
};

enum { SL_PROBE_KINDS = 28 };

/* Data that an event carries only if an observer asks for it. They can be combined to a set. */
enum sl_probe_payload {
  SL_PAYLOAD_ADDRESSES = 1, /* wide_address */
  SL_PAYLOAD_RESULTS = 2    /* wide_values */
};

/* A stage of a machine's pipeline. An instruction is in it from the event that reports it to the next event that
 * reports another stage. */
struct sl_stage {
  const char *name; /* "execute" */
  const char *meaning;
  unsigned kinds; /* set of the event kinds that report it */
};

/* The stages of a machine, in the order of an instruction's way. */
struct sl_stages {
  const struct sl_stage *stage;
  unsigned count;
};

/* Regularity of a register's value over the lanes of a warp. A compressed register file reports its encoding. A plain
 * one reports the encoding that a compressed one would use: operands by the values of all lanes; a result that not all
 * lanes write is general. Source: SIMTight paper, Figures 2 and 3. */
enum sl_regularity { SL_UNIFORM, SL_AFFINE, SL_GENERAL, SL_REGULARITY_COUNT };

/* What an access does. An atomic reads and writes. */
enum sl_probe_access { SL_PROBE_LOAD, SL_PROBE_STORE, SL_PROBE_ATOMIC };

/* Whether an issue slot waits for an instruction. If it waits for none, the pc is the kernel's first. */
enum sl_probe_idle { SL_PROBE_BUSY, SL_PROBE_NO_WARP, SL_PROBE_NO_BLOCK /* the core has none */ };

/* The thread block of a warp, on a machine that assigns blocks to warps. */
struct sl_probe_block {
  const uint32_t *index; /* position in the grid */
  const uint32_t *size;
  const uint32_t *grid;
  unsigned warp;   /* number in the block */
  uint32_t launch; /* address of the launch block; PTX: 0 */
};

/* An executed PTX instruction, and its warp. */
struct sl_ptx_warp;
struct sl_ptx_block;
struct sl_ptx_effect;
struct sl_addresses;

struct sl_probe {
  enum sl_probe_kind kind;
  unsigned stage; /* that the instruction enters, if the kind has one: index in the machine's stages */
  uint64_t id;    /* of the instruction, from 1; 0: the event belongs to no instruction, or it is unknown */
  uint64_t cycle; /* since the launch began, from 0; without timing: the number of the instruction */
  unsigned launch;
  unsigned core; /* the multiprocessor, from 0 */
  uint64_t pc;   /* PTX: index of the instruction in the module */
  unsigned warp; /* number over all cores */
  /* ISSUED, EXECUTED, ACCESSED, FENCED, RETIRED and SWITCHED: */
  sl_lanes active;
  unsigned lanes;
  bool scalar; /* ISSUED, EXECUTED: in the scalar pipeline */
  /* EXECUTED, ACCESSED and FENCED: */
  const struct sl_insn *insn;         /* NULL: a PTX instruction */
  const uint32_t *values;             /* rd of each lane after the instruction; NULL without a result. RISC-V only */
  const uint32_t *stored;             /* rs2 of each lane, of a store; NULL: no store, or unknown. RISC-V only */
  const uint32_t *address;            /* of each lane, as in memory; NULL without a memory access. RISC-V only */
  const uint64_t *wide_values;        /* with SL_PAYLOAD_RESULTS: the values, of RISC-V and of PTX */
  const uint64_t *wide_address;       /* with SL_PAYLOAD_ADDRESSES: the addresses, of RISC-V and of PTX */
  const struct sl_probe_block *block; /* also ISSUED, BEGUN; NULL: the machine assigns no blocks */
  uint32_t line;                      /* of the PTX source; 0: unknown */
  const struct sl_ptx_warp *ptx_warp; /* PTX only */
  const struct sl_ptx_effect *ptx_effect;
  const struct sl_ptx_block *ptx_block; /* BEGUN */
  /* ACCESSED: */
  enum sl_probe_access access;
  unsigned width;                   /* bytes of a lane */
  const struct sl_addresses *range; /* of `address`; NULL: unknown */
  /* Other kinds: */
  unsigned cause;          /* WAITED: index in the machine's stall reasons (struct sl_stall_reasons) */
  enum sl_probe_idle idle; /* WAITED */
  bool any_warp;           /* WAITED: the machine does not know the warp */
  int64_t count; /* WAITED, BANKED, QUEUED, DEQUEUED: cycles. Negative: cycles reported before under another stall
                    reason, or beyond the end of a Vortex GPU, are taken back */
  int64_t least; /* BANKED: cycles that as many lanes take without a conflict */
  uint64_t
      holder;   /* RETRIED, QUEUED: pc of the instruction that holds the unit; 0: unknown. SWITCHED: pc of the lanes */
  unsigned reg; /* VALUES, SPILLED, EVICTED, FILLED */
  enum sl_regularity regularity; /* VALUES */
  bool writes;                   /* VALUES: the register is the result */
  sl_warps together; /* RELEASED: warps of the core that pass the barrier with this one, itself included; 0: unknown */
  uint64_t buffer, bytes; /* ALLOCATED, FREED, WRITTEN: address and size */
  const char *kernel;     /* LAUNCHED: name of a PTX kernel; NULL: RISC-V */
};

struct sl_probe_records;

/* An observer. It must outlive the machine. */
struct sl_probes {
  unsigned wanted;    /* set of event kinds */
  unsigned payloads;  /* set of enum sl_probe_payload */
  uint64_t only;      /* EXECUTED: of these kinds, as bits 1 << enum sl_kind; 0: of all */
  bool no_values;     /* PTX without timing: no instruction that only computes, without a guard, needs to be told */
  const bool *guards; /* with no_values: false once a launch's first block has begun means that no instruction that only
                         computes or branches needs to be told, nor loads of constants and parameters; NULL: never */
  bool unnumbered;    /* without timing, events need no id and no cycle, and the run may go on for a block after a stop:
                         machines execute blocks where they can */
  bool (*tell)(void *context, const struct sl_probe *probe);
  void *context;
  struct sl_probe_records *records; /* NULL, or where machines may write events (probe.h) */
  bool stopped;                     /* tell has returned false; the caller clears it before it resumes the machine */
};

static inline bool sl_probes_want(const struct sl_probes *probes, unsigned kinds)
{
  return probes != NULL && (probes->wanted & kinds) != 0;
}

static inline bool sl_probes_stopped(const struct sl_probes *probes)
{
  return probes != NULL && probes->stopped;
}

/* Whether a machine may execute instructions in blocks that report nothing but loads and stores. */
static inline bool sl_probes_allow_blocks(const struct sl_probes *probes)
{
  return probes == NULL || (probes->unnumbered && (probes->wanted & SL_PROBE_ARRIVED) == 0 &&
                            ((probes->wanted & SL_PROBE_EXECUTED) == 0 || probes->only != 0));
}

/* The kinds of instructions that report more than loads and stores do, as bits 1 << enum sl_kind. */
uint64_t sl_probes_reporting(const struct sl_probes *probes);

/* The kinds that sl_tell_execution reports. */
enum { SL_PROBE_EXECUTION = SL_PROBE_EXECUTED | SL_PROBE_ACCESSED | SL_PROBE_FENCED };

/* Whether sl_tell_execution reports this instruction. */
static inline bool sl_probes_want_execution(const struct sl_probes *probes, const struct sl_insn *insn)
{
  const unsigned access = insn->width != 0 ? SL_PROBE_ACCESSED : 0;
  const bool whole = probes != NULL && (probes->only == 0 || (probes->only >> insn->kind & 1) != 0);
  return sl_probes_want(probes,
                        (whole ? SL_PROBE_EXECUTED : 0) | access | (insn->kind == SL_KIND_FENCE ? SL_PROBE_FENCED : 0));
}

/* Notifies the observer if it wants this kind. */
void sl_tell(struct sl_probes *probes, const struct sl_probe *probe);

/* Reports an instruction of RISC-V, and then its memory access or fence. Sets the kind, and what depends on it. */
void sl_tell_execution(struct sl_probes *probes, const struct sl_probe *probe);

/* The first stage that an event of this kind reports; 0 if there is none. */
static inline unsigned sl_stage_of(const struct sl_stages *stages, enum sl_probe_kind kind)
{
  for (unsigned i = 0; i < stages->count; i++)
    if (stages->stage[i].kinds & kind)
      return i;
  return 0;
}

/* Events as records in a buffer, for an observer that only copies them (struct sl_probes, `records`): a machine writes
 * the usual events without data in place instead of calling the observer for each.
 *
 * A record has the event's cycle, instruction and place, and one number more. Kinds with data have struct
 * sl_record_data behind it, and then the lanes' values and addresses, and a decoded instruction if no record before had
 * one of its pc. Machines that know nothing of records call the observer, which adds to the same buffer; so the events
 * stay in order. */

/* Kinds whose record has the active lanes, and kinds whose record has the count. */
enum {
  SL_RECORDS_OF_LANES = SL_PROBE_FETCHED | SL_PROBE_ISSUED | SL_PROBE_STAGED | SL_PROBE_RETIRED | SL_PROBE_RETRIED |
                        SL_PROBE_FLUSHED | SL_PROBE_ABORTED | SL_PROBE_TRANSACTED | SL_PROBE_ARRIVED |
                        SL_PROBE_RELEASED,
  SL_RECORDS_OF_COUNTS = SL_PROBE_WAITED | SL_PROBE_DEQUEUED
};

struct sl_probe_record {
  uint64_t cycle, id, pc;
  uint64_t more; /* lanes or count */
  uint32_t warp;
  uint16_t core;
  uint8_t kind;  /* number of its bit */
  uint8_t stage; /* WAITED: sl_record_wait */
};

/* The stage of a wait's record. Stall reasons fit in 5 bits. */
static inline uint8_t sl_record_wait(unsigned cause, enum sl_probe_idle idle, bool any_warp)
{
  return (uint8_t)(cause | (unsigned)idle << 5 | (any_warp ? 1u : 0u) << 7);
}

static inline void sl_record_read_wait(const struct sl_probe_record *record, struct sl_probe *probe)
{
  probe->cause = record->stage & 31;
  probe->idle = (enum sl_probe_idle)(record->stage >> 5 & 3);
  probe->any_warp = record->stage >> 7;
}

/* Behind a record of a kind that is in neither of the sets above. */
struct sl_record_data {
  int64_t count;  /* ACCESSED: the width */
  uint64_t other; /* BANKED: the least; EXECUTED: the line; else the holder */
  uint8_t lanes, access;
  uint8_t parts; /* what is behind it, as enum sl_record_part */
};

/* Parts in this order; then bytes up to the next multiple of 8. */
enum sl_record_part {
  SL_RECORD_CODE = 1,
  SL_RECORD_WIDE_VALUES = 2,
  SL_RECORD_WIDE_ADDRESSES = 4,
  SL_RECORD_VALUES = 8,
  SL_RECORD_ADDRESSES = 16
};

/* A record of its own kind, SL_RECORD_LIFE: all that an instruction does, in place of one event each. A machine may
 * write it where the observer does not need these events in the order of their cycles (struct sl_probe_records,
 * `lives`). The record's cycle is that of FETCHED, `more` the active lanes or 0, and `stage` a set of enum
 * sl_record_life_flag. Behind it is struct sl_record_life, and then the parts of an execution. */
enum { SL_RECORD_LIFE = SL_PROBE_KINDS, SL_RECORD_STAGES = 4 };

enum sl_record_life_flag {
  SL_LIFE_EXECUTED = 1, /* `parts` are those of EXECUTED, `banked` cycles more than `least` those of BANKED */
  SL_LIFE_WAITED = 2,   /* the issue slot has spent a cycle on it: WAITED */
  SL_LIFE_FETCHED = 4,  /* FETCHED has a record before */
  SL_LIFE_GOES_ON = 8   /* it stays in its stage: RETIRED has a record later */
};

struct sl_record_life {
  uint32_t spent[SL_RECORD_STAGES]; /* cycles in each of the first stages */
  uint32_t executed;                /* cycles from FETCHED to EXECUTED, ISSUED and WAITED */
  uint32_t line;                    /* of EXECUTED */
  uint16_t banked;                  /* cycles */
  uint8_t end;                      /* unless it goes on: number of the bit of the kind that ends it */
  uint8_t stage;                    /* if it goes on: in which it is */
  uint8_t cause;                    /* of WAITED */
  uint8_t lanes, parts;
};

enum {
  SL_RECORD_CODES = 1 << 12,
  /* The longest record, with what is behind it. */
  SL_RECORD_BYTES = sizeof(struct sl_probe_record) + sizeof(struct sl_record_life) + sizeof(struct sl_record_data) +
                    sizeof(struct sl_insn) + 2 * SL_MAX_LANES * (4 + 8) + 8
};

/* The place of a pc in a table of SL_RECORD_CODES. A later pc of the same place takes it over. */
static inline size_t sl_record_code(uint64_t pc)
{
  return (size_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SL_RECORD_CODES;
}

struct sl_probe_records {
  uint8_t *at;     /* of the next record */
  uint8_t *full;   /* from here on there is no room for every record */
  unsigned launch; /* of the records */
  unsigned arrays; /* kinds of which values and addresses of lanes are kept */
  bool lives;      /* SL_RECORD_LIFE is understood, and records may be late by the cycles of a pipeline */
  /* Makes room, and notes the launch of the next records. False: the run has to stop. */
  bool (*turn)(struct sl_probe_records *records, unsigned launch);
  struct sl_probe_record *wait;   /* the last WAITED in the buffer that sl_record_wait_of has added; NULL: none */
  uint64_t told[SL_RECORD_CODES]; /* pc + 1 of instructions that a record has had; 0: none */
};

/* Adds a record, which the caller fills in. */
static inline struct sl_probe_record *sl_record_add(struct sl_probes *probes, unsigned launch)
{
  struct sl_probe_records *records = probes->records;
  if (__builtin_expect(records->at >= records->full || records->launch != launch, 0))
    probes->stopped = !records->turn(records, launch) || probes->stopped;
  struct sl_probe_record *record = (void *)records->at;
  records->at += sizeof *record;
  return record;
}

/* Adds cycles of an issue slot. If they are equal to those of the last record and follow them, it becomes longer, for
 * an observer that takes records late. */
static inline void sl_record_wait_of(struct sl_probes *probes, unsigned launch, const struct sl_probe_record *wait)
{
  struct sl_probe_records *records = probes->records;
  struct sl_probe_record *last = records->lives && records->launch == launch ? records->wait : NULL;
  if (last != NULL && last->cycle + wait->more == wait->cycle && last->pc == wait->pc && last->warp == wait->warp &&
      last->core == wait->core && last->stage == wait->stage && (int64_t)wait->more > 0) {
    last->cycle = wait->cycle;
    last->more += wait->more;
    return;
  }
  last = sl_record_add(probes, launch);
  *last = *wait;
  records->wait = last;
}

/* Adds any event that has no pointers but those of an instruction's data. Whether the run has to stop is told by the
 * next record at the latest. */
void sl_record_event(struct sl_probe_records *records, const struct sl_probe *probe);

/* Adds an execution of RISC-V: a record that has all but its kind, the instruction, and its lanes' data or NULL. */
void sl_record_execution(struct sl_probes *probes, unsigned launch, const struct sl_probe_record *record,
                         const struct sl_insn *insn, unsigned lanes, const uint32_t *values, const uint32_t *address);

/* A record and its life, as they are in the buffer. */
struct sl_life_record {
  struct sl_probe_record record;
  struct sl_record_life life;
};

SL_HOLDS(sizeof(struct sl_probe_record) + sizeof(struct sl_record_life), sizeof(struct sl_life_record),
         "a life is behind its record");

/* Adds the life of an instruction, which the caller fills in. */
static inline struct sl_life_record *sl_record_add_life(struct sl_probes *probes, unsigned launch)
{
  struct sl_life_record *const added = (void *)sl_record_add(probes, launch);
  probes->records->at += sizeof added->life;
  added->record.kind = SL_RECORD_LIFE;
  return added;
}

/* A decoded instruction is needed once for each pc. */
static inline unsigned sl_record_code_part(struct sl_probe_records *records, uint64_t pc)
{
  uint64_t *const told = &records->told[sl_record_code(pc)];
  if (*told == pc + 1)
    return 0;
  *told = pc + 1;
  return SL_RECORD_CODE;
}

/* Writes a value per lane, for the usual number of lanes without a loop. Returns what is behind them. */
static inline uint8_t *sl_record_put_lanes(uint8_t *at, const uint32_t *values, unsigned lanes)
{
  enum { USUAL = 32 };
  if (lanes == USUAL)
    memcpy(at, values, USUAL * sizeof *values);
  else
    memcpy(at, values, lanes * sizeof *values);
  return at + lanes * sizeof *values;
}

/* Adds the parts of an execution of RISC-V behind the life that was added last: the instruction, and its lanes' data or
 * NULL. Sets `lanes` and `parts`. */
static inline void sl_record_parts(struct sl_probe_records *records, struct sl_life_record *added,
                                   const struct sl_insn *insn, unsigned lanes, const uint32_t *values,
                                   const uint32_t *address)
{
  unsigned parts = sl_record_code_part(records, added->record.pc);
  uint8_t *at = records->at;
  if (parts != 0) {
    memcpy(at, insn, sizeof *insn);
    at += sizeof *insn;
  }
  if (values != NULL && (records->arrays & SL_PROBE_EXECUTED) != 0) {
    parts |= SL_RECORD_VALUES;
    at = sl_record_put_lanes(at, values, lanes);
  }
  if (address != NULL && (records->arrays & SL_PROBE_EXECUTED) != 0) {
    parts |= SL_RECORD_ADDRESSES;
    at = sl_record_put_lanes(at, address, lanes);
  }
  records->at = at + (-(uintptr_t)at & 7);
  added->life.lanes = (uint8_t)lanes;
  added->life.parts = (uint8_t)parts;
}

#endif
