/* Warps with one program counter, a thread mask and an IPDOM stack: the threads of a Vortex core as a program sees
 * them. No time here; what an instruction does to them is in warp_execute.h.
 *
 * Divergence is explicit: SPLIT pushes the lanes that go the other way on the warp's IPDOM stack, JOIN takes them back,
 * PRED and TMC set the mask. (Tine et al., "Vortex: Extending the RISC-V ISA for GPGPU and 3D-graphics", MICRO 2021,
 * section 4; encodings of the published sources, 2.x, and of the 1.x lineage.)
 *
 * Registers of RV32 are 0 to 31 integer, 32 to 63 floating-point, from 64 on the ends of streams (streams.h); of 64-bit
 * words as many as the key says. */
#ifndef SL_WARP_IPDOM_WARPS_H
#define SL_WARP_IPDOM_WARPS_H

#include "isa/code.h"
#include "isa/fp_lanes.h"
#include "isa/lanes.h"
#include "mem/memory.h"
#include "warp/extensions/extension.h"
#include "warp/fault.h"
#include "warp/gang.h"
#include "warp/kernel_watch.h"

enum {
  SL_IPDOM_STREAM_REGISTERS = 16,
  SL_IPDOM_FIRST_STREAM = 64,
  SL_IPDOM_RV32_REGISTERS = SL_IPDOM_FIRST_STREAM + SL_IPDOM_STREAM_REGISTERS,
  SL_IPDOM_MAX = 2 * SL_MAX_LANES /* entries of a stack: 2.x needs lanes - 1, 1.x pushes uniform splits too */
};

/* Encodings of the warp-control instructions and the CSR map that goes with them. */
enum sl_ipdom_encoding { SL_ENCODING_2, SL_ENCODING_1 };

/* What an access does whose address is no multiple of its width. */
enum sl_misaligned { SL_MISALIGNED_FAULTS, SL_MISALIGNED_WORD, SL_MISALIGNED_BYTES };

struct sl_ipdom_spec {
  unsigned lanes, warps;
  unsigned core, cores;  /* this core's number, of how many */
  unsigned isa_sets;     /* enum sl_isa_set, with the set of the encoding */
  unsigned registers;    /* of a thread; 0: those of RV32 */
  bool spawns_all_lanes; /* warps begin with all lanes, not with lane 0 */
  enum sl_ipdom_encoding encoding;
  uint32_t local_base, local_bytes; /* local memory of this core */
  uint32_t local_storage_bytes;     /* of which addresses repeat; local_bytes when all is there */
  unsigned barriers;                /* see warp/gang.h */
  unsigned ipdom_entries;           /* of a warp's stack; an entry holds a whole split */
  bool negate_ignored;              /* split_n is split */
  bool divergent_branch_faults;     /* else the last active lane decides */
  enum sl_misaligned misaligned;
};

/* A split that is under way: the lanes that ran before it, and those of the other side while they have not run. */
struct sl_ipdom_entry {
  sl_lanes restore;
  sl_lanes other; /* 0 once they run */
  uint32_t pc;    /* where the other side begins: after the split */
};

/* What LR of a hart has read; SC succeeds while the word still holds it. */
struct sl_reservation {
  uint32_t address; /* 0: none, no program can use that */
  uint32_t value;
};

struct sl_ipdom_warp {
  uint32_t pc;
  sl_lanes mask;
  uint32_t fcsr;  /* frm and fflags, one for the warp */
  unsigned depth; /* of the IPDOM stack */
  struct sl_ipdom_entry ipdom[SL_IPDOM_MAX];
};

/* Stores and atomics of one core in a stretch of cycles that several cores simulate at the same time. Nothing of it is
 * in memory until the stretch has ended; then the cores' logs are performed one after the other, so that the outcome
 * does not depend on how host threads interleave. A core reads its own stores from its log. */
struct sl_store_log;

/* What counters a program reads; filled in by the machine. */
struct sl_ipdom_clock {
  uint64_t cycle;               /* mcycle */
  uint64_t thread_instructions; /* minstret */
};

/* Plain data: with registers, warps, reservations, local memory and what extensions keep, what a checkpoint holds of a
 * core's threads. No pointers. */
struct sl_ipdom_warps_state {
  struct sl_ipdom_clock clock;
  struct sl_gang gang;        /* which warps run; when they begin and go on is the pipeline's */
  uint32_t mscratch;          /* one per core */
  unsigned performance_class; /* DCR 5 */
  struct sl_kernel_span span; /* of the kernel that this core is in */
  uint32_t disagreed_at;      /* pc of the first branch or jump that lanes disagreed on; 0: none, no program is there */
};

struct sl_ipdom_warps {
  struct sl_ipdom_warps_state s;
  /* Wiring: what follows from the keys, arrays, and what is outside. */
  struct sl_ipdom_spec spec;
  const struct sl_lane_ops *ops;
  const struct sl_fp_ops *fp;
  struct sl_memory *memory;
  uint8_t *local; /* contents of local memory */
  unsigned lane_bits;
  sl_lanes all;
  uint32_t *x; /* warps x (registers x lanes + gap) */
  size_t warp_words;
  struct sl_ipdom_warp *warp;
  struct sl_reservation *reserved; /* warps x lanes */
  const struct sl_code *code;      /* shared by all cores */
  struct sl_store_log *log;        /* NULL: stores go to memory at once */
  bool code_logged;                /* one of the log is to code */
  struct sl_extension extension[SL_EXTENSIONS_MAX];
  unsigned extensions;
  unsigned schedules, renames; /* sets of those that have such a function */
  const struct sl_kernel_watch *watch;
  uint64_t watched; /* kinds of instructions, for sl_kernel_see */
  /* Console: a byte stored by hart slot (address - 0x40). Exit code: the word stored at 0x88. */
  void (*console)(void *context, unsigned slot, uint8_t byte);
  void (*exit_code)(void *context, uint32_t code);
  void *io_context;
  /* Performance counter `index` (0 = CSR 0xB03) of the selected class; NULL: all 0. */
  uint64_t (*performance)(const void *context, unsigned class, unsigned index);
  const void *performance_context;
  struct sl_fault fault; /* with it the run has ended: no checkpoint is made any more */
};

static inline uint32_t *sl_ipdom_registers(const struct sl_ipdom_warps *w, unsigned warp)
{
  return w->x + warp * w->warp_words;
}

static inline uint32_t *sl_ipdom_register(const struct sl_ipdom_warps *w, unsigned warp, unsigned reg)
{
  return sl_ipdom_registers(w, warp) + ((size_t)reg << w->lane_bits);
}

enum sl_status sl_ipdom_init(struct sl_ipdom_warps *w, const struct sl_ipdom_spec *spec, const struct sl_lane_ops *ops,
                             struct sl_memory *memory, const struct sl_code *code, struct sl_error *err);
void sl_ipdom_free(struct sl_ipdom_warps *w);

/* Adds an extension, whose state becomes the warps'. */
void sl_ipdom_extend(struct sl_ipdom_warps *w, const struct sl_extension_kind *kind, void *state);

/* Warp 0 with lane 0 at the entry, everything else off; stacks empty, registers 0 (the hardware's are undefined). */
void sl_ipdom_start(struct sl_ipdom_warps *w, uint32_t entry, uint32_t argument);

/* A warp begins at `pc` with lane 0, or all of them. */
void sl_ipdom_spawn(struct sl_ipdom_warps *w, unsigned warp, uint32_t pc);

/* WSPAWN, if it can happen (sl_gang_spawn): the warps that begin do so with lane 0. Returns the warps that go on. */
sl_warps sl_ipdom_begin_spawned(struct sl_ipdom_warps *w);

/* A warp is switched off. */
void sl_ipdom_end(struct sl_ipdom_warps *w, unsigned warp);

/* Where warps are numbered over all cores, and threads over all warps. */
static inline unsigned sl_ipdom_global(const struct sl_ipdom_warps *w, unsigned warp)
{
  return w->spec.core * w->spec.warps + warp;
}

static inline unsigned sl_ipdom_hart(const struct sl_ipdom_warps *w, unsigned warp, unsigned lane)
{
  return (sl_ipdom_global(w, warp) << w->lane_bits) + lane;
}

/* Whether a program has stored to its code: then an instruction looks whether it is still itself. */
static inline bool sl_ipdom_code_stored(const struct sl_ipdom_warps *w)
{
  return w->memory->code.any || w->code_logged;
}

/* The instruction at an address, or NULL when there is no program. */
static inline const struct sl_insn *sl_ipdom_insn(const struct sl_ipdom_warps *w, uint32_t pc)
{
  return sl_code_at(w->code, pc);
}

#endif
