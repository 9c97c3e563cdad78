/* The architectural state of an SM's threads: registers, paths and instruction memory. path_execute.h executes
 * instructions on it. */
#ifndef SL_WARP_PATH_WARPS_H
#define SL_WARP_PATH_WARPS_H

#include "convergence/convergence.h"
#include "func/fault.h"
#include "func/rv_execute.h"
#include "isa/code.h"
#include "isa/lanes.h"
#include "mem/memory.h"
#include "mem/request.h"

enum { SL_REGISTERS = 32 };

/* The registers that an instruction names, as sets (bit r: register r), and other static properties. A table holds them
 * because the register file needs them several times per instruction. */
struct sl_operands {
  uint32_t reads;  /* rs1 and rs2; x0 for an absent one */
  uint32_t writes; /* rd, unless it is x0 */
  bool scalarisable;
  bool addition; /* add, addi */
  int8_t depth;  /* change of the call depth, in schemes that count it */
};

struct sl_operands sl_operands_of(const struct sl_insn *in);

struct sl_path_warps_spec {
  unsigned lanes, warps;
  unsigned isa_sets; /* enum sl_isa_set */
  uint32_t code_base, code_words;
  uint32_t scratchpad_base, scratchpad_bytes;
  unsigned scratchpad_banks;
  uint32_t stack_bytes; /* of a thread, a power of two */
  enum sl_scheme convergence;
  uint32_t fairness;   /* period (convergence/convergence.h); 0: off */
  bool global_atomics; /* atomics outside the scratchpad; LR and SC */
};

/* Plain data. A checkpoint holds it together with registers, paths and code. */
struct sl_path_warps_state {
  uint32_t closure;        /* kernel argument address, CSR 0x831 */
  bool timing;             /* requests carry the data that only timing needs */
  uint64_t global_atomics; /* atomic operations of lanes outside the scratchpad, in this kernel */
};

struct sl_path_warps {
  struct sl_path_warps_state s;
  struct sl_path_warps_spec spec;
  const struct sl_lane_ops *ops;
  struct sl_memory *memory;
  unsigned lane_bits; /* log2 of lanes */
  sl_lanes all;
  struct sl_stack_map stack; /* lane0 is set for each warp */
  uint32_t *x;               /* warps x (32 registers x lanes + gap) */
  size_t warp_words;
  struct sl_paths *paths;          /* one set per warp */
  struct sl_reservation *reserved; /* warps x lanes; NULL: there is no LR */
  struct sl_code code;             /* instruction memory */
  uint64_t code_edition;           /* changes with every write */
  struct sl_operands *operands;    /* one per instruction */
  struct sl_access_memo *memo;     /* address patterns of the lanes */
  uint32_t *waited;                /* test builds with fairness: warps x lanes, see sl_path_warps_waited */
  void (*print_word)(void *context, uint32_t word);
  void (*end_program)(void *context, uint32_t status);
  void *print_context;
  struct sl_fault fault; /* ends the run; no checkpoint follows */
};

/* The effect of an instruction that the pipeline must know. */
enum sl_effect {
  SL_EFFECT_NONE,    /* no register result yet (memory kinds: `request` is filled in) */
  SL_EFFECT_RESULT,  /* rd of the active lanes is written */
  SL_EFFECT_COMMAND, /* warp command, see `command` */
  SL_EFFECT_FAULT    /* nothing has changed; see the fault */
};

struct sl_execution {
  const struct sl_insn *insn;
  uint32_t pc;
  sl_lanes active;
  uint32_t command;
  bool jumped; /* a jump, or a branch that at least one lane took */
};

/* Warp commands, written to CSR 0x830: bit 0 = end, bit 1 = success; 0 = barrier. */
enum { SL_COMMAND_BARRIER = 0, SL_COMMAND_END = 1, SL_COMMAND_SUCCESS = 2 };

/* Stacks end at the top of the address space. */
static inline uint32_t sl_path_warps_stack_base(const struct sl_path_warps_spec *spec)
{
  return 0u - spec->stack_bytes;
}

/* Start of the interleaved stacks in memory. */
static inline uint32_t sl_path_warps_stack_memory(const struct sl_path_warps_spec *spec)
{
  return (uint32_t)(0u - (uint64_t)spec->stack_bytes * spec->lanes * spec->warps);
}

enum sl_status sl_path_warps_init(struct sl_path_warps *t, const struct sl_path_warps_spec *spec,
                                  const struct sl_lane_ops *ops, struct sl_memory *memory, struct sl_error *err);
void sl_path_warps_free(struct sl_path_warps *t);

/* Starts all threads at `entry`, nesting level or call depth 0. Registers keep their values. */
void sl_path_warps_start(struct sl_path_warps *t, uint32_t entry, uint32_t closure);

void sl_path_warps_write_code(struct sl_path_warps *t, uint32_t address, uint32_t word);

/* Returns true if no instruction can be at this address. */
static inline bool sl_path_warps_outside(const struct sl_path_warps *t, uint32_t pc)
{
  return sl_code_index(&t->code, pc) >= t->code.count;
}

/* Returns true if the pc is 0, for none, or an instruction's. */
static inline bool sl_path_warps_maybe(const struct sl_path_warps *t, uint32_t pc)
{
  return pc == 0 || !sl_path_warps_outside(t, pc);
}

static inline const struct sl_operands *sl_path_warps_operands(const struct sl_path_warps *t,
                                                               const struct sl_insn *insn)
{
  return &t->operands[insn - t->code.insn];
}

/* Updates the call depth of a path after a jump, in schemes that order paths by call depth. */
static inline void sl_path_warps_count_call(const struct sl_path_warps *t, struct sl_path *path,
                                            const struct sl_insn *insn)
{
  if (!sl_convergences[t->spec.convergence]->levels_are_marks)
    path->level = (int16_t)(path->level + sl_path_warps_operands(t, insn)->depth);
}

static inline uint32_t *sl_path_warps_registers(const struct sl_path_warps *t, unsigned warp)
{
  return t->x + warp * t->warp_words;
}

static inline struct sl_rv_lanes sl_path_lanes(const struct sl_path_warps *t, unsigned warp,
                                               const struct sl_execution *ex)
{
  return (struct sl_rv_lanes){.ops = t->ops,
                              .insn = ex->insn,
                              .x = sl_path_warps_registers(t, warp),
                              .active = ex->active,
                              .pc = ex->pc,
                              .lanes = t->spec.lanes,
                              .lane_bits = t->lane_bits};
}

/* Test builds with fairness, after an instruction of these lanes of a warp whose paths are at these places: counts for
 * each lane the warp's instructions since its last one. A lane at a warp command waits for others. Returns NULL, or
 * that a lane has waited longer than the bound of convergence/convergence.h. */
const char *sl_path_warps_waited(struct sl_path_warps *t, unsigned warp, sl_lanes lanes,
                                 const struct sl_warp_path *path, unsigned count);

/* The same for the paths of this module. */
const char *sl_path_warps_broken(struct sl_path_warps *t, unsigned warp, sl_lanes lanes);

/* Test builds, after each instruction, which these lanes have executed: returns false if the warp's paths break an
 * invariant; see the fault. */
static inline bool sl_path_warps_check(struct sl_path_warps *t, unsigned warp, sl_lanes lanes)
{
  const char *broken = SL_CHECKS ? sl_path_warps_broken(t, warp, lanes) : NULL;
  if (broken != NULL)
    t->fault = (struct sl_fault){
        .kind = SL_FAULT_INTERNAL, .warp = (int)warp, .pc = t->paths[warp].path[0].pc, .detail = broken};
  return broken == NULL;
}

/* The byte at a stack address of a lane; NULL: not on its stack. */
static inline uint8_t *sl_path_warps_stack_byte(const struct sl_path_warps *t, unsigned warp, unsigned lane,
                                                uint32_t address)
{
  const struct sl_stack_map *m = &t->stack;
  if (address < m->virtual_base)
    return NULL;
  const uint32_t word = (address - m->virtual_base) >> 2 << m->slot_shift, lane0 = warp << (2 + t->lane_bits);
  return sl_memory_at(t->memory, m->physical_base | lane0 | word | lane << 2 | (address & 3));
}

/* Selects the active path of a warp and its instruction. Returns false if the pc is outside instruction memory; see the
 * fault. */
static inline bool sl_path_warps_fetch(struct sl_path_warps *t, unsigned warp, unsigned *path, struct sl_execution *ex)
{
  struct sl_paths *paths = &t->paths[warp];
  *path = sl_paths_select(paths);
  sl_paths_count(paths, *path);
  const struct sl_path *p = &paths->path[*path];
  ex->pc = p->pc;
  ex->active = p->lanes;
  ex->jumped = false;
  const uint32_t index = sl_code_index(&t->code, p->pc);
  if (__builtin_expect(index >= t->code.count, 0)) {
    t->fault = (struct sl_fault){.kind = SL_FAULT_FETCH, .warp = (int)warp, .lanes = p->lanes, .pc = p->pc};
    return false;
  }
  ex->insn = &t->code.insn[index];
  return true;
}

#endif
