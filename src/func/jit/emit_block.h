/* JIT compilation of one block: consecutive steps (func/blocks/basic_blocks.h) and the branch or jump after them.
 *
 * The code computes common values and addresses inline. It calls the step for everything else that a step can do. If
 * the step cannot execute an instruction, the block returns that instruction's index; all earlier instructions have
 * then executed exactly as one by one. */
#ifndef SL_WARP_JIT_EMIT_BLOCK_H
#define SL_WARP_JIT_EMIT_BLOCK_H

#include <stddef.h>

#include "func/blocks/basic_blocks.h"
#include "func/jit/x86.h"
#include "isa/isa.h"

/* Register allocation of JIT code: rows, which are copies of warp registers in host vector registers.
 *
 * A row of L lanes is one vector, or two or four where host vectors are shorter. The code stores every result to the
 * warp's register block at once, so the block is up to date wherever the code stops. Vector registers hold only copies,
 * which a call may lose.
 *
 * Blocks have two variants. In `all` all lanes are active. In `some` the lanes in r15 are active, and a copy also holds
 * the old values of the others. Two host levels implement the row operations: AVX-512 and AVX2.
 *
 * Scalar registers: rbx the frame, rbp the warp's registers, r12 the host address of byte 0, r13 the instructions
 * left, r14 the table of waiting paths, r15 the active lanes. rax, rcx, rdx, rsi and rdi are free. */

/* The frame of JIT code, at rbx: the warp, its memory and its limits. */

enum { SL_EMIT_WIDTHS = 3 /* units of 1, 2 and 4 bytes */, SL_EMIT_LANES_MAX = 32 };

enum { SL_EMIT_LANE_0 = SL_EMIT_LANES_MAX /* index of lane 0 in tables that begin with negative lanes */ };

struct sl_jit_frame {
  /* Distance of lane l's unit from lane 0's when units are consecutive, for l from 1 - lanes. apart_active points to
   * lane 0's distance from the lowest active lane. */
  uint32_t apart[SL_EMIT_WIDTHS][2 * SL_EMIT_LANES_MAX];
  const uint32_t *apart_active[SL_EMIT_WIDTHS];
  uint32_t mask[SL_EMIT_LANES_MAX]; /* all bits set in active lanes */
  uint32_t *x;
  uint8_t *flat;
  uint8_t **pages;
  struct sl_step_lanes *lanes;
  const uint8_t *waits; /* by instruction index, not 0: a path waits there */
  int16_t *level;       /* of the running path */
  int64_t left;         /* instructions that may still execute */
  int64_t stop;         /* a backward jump with this many or fewer left ends the time slice */
  uint64_t active;
  bool mask_rows;                  /* the code reads `mask` */
  uint64_t idle;                   /* inactive lanes in instructions after branches, summed */
  struct sl_hammock hammock;       /* steps that only some lanes are executing; 0 steps: none */
  sl_lanes taken;                  /* lanes that skip those steps */
  uint32_t lowest;                 /* lowest active lane x 4: its byte offset in a register */
  uint32_t before[SL_EMIT_WIDTHS]; /* bytes from lane 0's unit to the lowest active lane's */
  uint32_t low;                    /* lowest data address */
  uint32_t rows[SL_EMIT_WIDTHS];   /* greatest offset from it of lane 0's unit */
  uint32_t single;                 /* greatest offset of a word */
  uint32_t stacks, stack_words;    /* start of the interleaved stacks; memory offset of word 0 of lane 0's first slot */
  uint32_t code_pages, code_pages_bytes; /* range of page starts whose pages contain code; 0: none */
  uint32_t code, code_bytes;             /* range of lane 0's units that may overlap code; 0: none */
};

#define SL_EMIT_FRAME SL_RBX
#define SL_EMIT_REGISTERS SL_RBP
#define SL_EMIT_MEMORY SL_R12
#define SL_EMIT_LEFT SL_R13
#define SL_EMIT_WAITS SL_R14
#define SL_EMIT_ACTIVE SL_R15

#define SL_EMIT_FIELD(name) sl_x86_at(SL_EMIT_FRAME, offsetof(struct sl_jit_frame, name))

enum { SL_EMIT_SLOTS = 28 };

struct sl_emit_rows {
  struct sl_x86 x;
  const struct sl_emit_level *level;
  unsigned lanes, row_bits; /* log2 of the bytes of a row */
  unsigned bits, parts;     /* bits of a vector; vectors of a row */
  bool some;
  unsigned slots;              /* rows that vector registers can hold */
  int16_t held[SL_EMIT_SLOTS]; /* register whose copy the slot holds, or -1 */
  uint32_t locked;             /* slots in use by the current instruction */
  uint32_t unsaved;            /* slots whose copy is not stored to the register block yet */
  unsigned victim;             /* next slot to replace if none is free */
};

struct sl_emitter;
struct sl_emit_access; /* below */

enum sl_emit_relation {
  SL_EMIT_EQUAL,
  SL_EMIT_UNEQUAL,
  SL_EMIT_LESS,
  SL_EMIT_NOT_LESS,
  SL_EMIT_BELOW, /* unsigned comparison */
  SL_EMIT_NOT_BELOW
};

/* The second operand: a slot, or one word for all lanes. */
struct sl_emit_operand {
  bool word;
  unsigned slot;
  struct sl_x86_place place;
};

/* Row operations of one host level. d, a, b: slots; d may equal a or b. They work on the active lanes unless noted. */
struct sl_emit_level {
  unsigned bits;       /* of the widest host vector */
  unsigned vectors;    /* registers 0 to vectors - 1 hold copies; four more are scratch */
  bool masks_in_frame; /* the active lanes are a row of the frame */
  /* After a call: restores the registers that hold the active lanes. */
  void (*masks)(struct sl_emit_rows *c);
  /* All lanes, from or to memory. */
  void (*load)(struct sl_emit_rows *c, unsigned d, struct sl_x86_place from);
  void (*store)(struct sl_emit_rows *c, unsigned a, struct sl_x86_place to);
  void (*unary)(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a); /* d = op a */
  void (*spread)(struct sl_emit_rows *c, unsigned d, struct sl_x86_place word);
  void (*op)(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, struct sl_emit_operand b);
  void (*shift)(struct sl_emit_rows *c, unsigned member, unsigned d, unsigned a, unsigned bits); /* group 72 /member */
  /* Shift by a row; only the low five bits of a count matter. */
  void (*shift_by)(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, struct sl_emit_operand b);
  /* d = 1 where the relation holds, else 0: of integers, and of floats with a predicate of vcmpps. */
  void (*relate)(struct sl_emit_rows *c, enum sl_emit_relation relation, unsigned d, unsigned a,
                 struct sl_emit_operand b);
  void (*relate_floats)(struct sl_emit_rows *c, unsigned predicate, unsigned d, unsigned a, unsigned b);
  /* eax = the lanes where the relation holds. */
  void (*compare)(struct sl_emit_rows *c, enum sl_emit_relation relation, unsigned a, struct sl_emit_operand b);
  /* d = a where b is 0 (or is not 0), else 0. */
  void (*choose)(struct sl_emit_rows *c, unsigned d, unsigned a, unsigned b, bool where_zero);
  /* NaN results become the canonical NaN. `single`: the operation has one operand, a. */
  void (*float_op)(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, unsigned b, bool single);
  void (*float_to_int)(struct sl_emit_rows *c, unsigned d, unsigned a);
  /* Jump unless all words of a equal the word at a place; or unless each word of a equals that word plus the word of
   * `row`. */
  size_t (*unless_equal)(struct sl_emit_rows *c, unsigned a, struct sl_x86_place word);
  size_t (*unless_apart)(struct sl_emit_rows *c, unsigned a, struct sl_x86_place word, struct sl_x86_place row);
  /* Load and store consecutive units. stores_units returns false if it stores only whole words. */
  void (*load_units)(struct sl_emit_rows *c, const struct sl_insn *in, unsigned d, struct sl_x86_place from);
  bool (*stores_units)(unsigned width);
  void (*store_units)(struct sl_emit_rows *c, const struct sl_insn *in, unsigned a, struct sl_x86_place to);
  /* A load or store of words at arbitrary addresses: a gather, or a scatter to distinct addresses. It jumps to the
   * step's call if a lane's address needs a check by the step or two lanes store to one word. Without scatter
   * instructions (AVX2) every store jumps there. */
  void (*words)(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);
};

extern const struct sl_emit_level sl_emit_avx512, sl_emit_avx2;

/* Prepares code for warps of `lanes` lanes: 4, 8, 16 or 32. */
void sl_emit_rows_init(struct sl_emit_rows *c, const struct sl_emit_level *level, unsigned lanes, bool some);

/* Call begin before each instruction. forget drops all copies, which must have been saved. */
static inline void sl_emit_begin(struct sl_emit_rows *c)
{
  c->locked = 0;
}
void sl_emit_forget(struct sl_emit_rows *c);

/* Vector register number of part `part` of a slot. */
static inline unsigned sl_emit_vector(const struct sl_emit_rows *c, unsigned slot, unsigned part)
{
  return slot * c->parts + part;
}

static inline struct sl_emit_operand sl_emit_slot(unsigned slot)
{
  return (struct sl_emit_operand){.slot = slot};
}

static inline struct sl_emit_operand sl_emit_word(struct sl_x86_place place)
{
  return (struct sl_emit_operand){.word = true, .place = place};
}

/* The place `part` vectors after a place. */
static inline struct sl_x86_place sl_emit_part(const struct sl_emit_rows *c, struct sl_x86_place place, unsigned part)
{
  place.displacement += (int32_t)(part * c->bits / 8);
  return place;
}

/* The vector instruction that loads the units of a load as words. */
struct sl_x86_vector sl_emit_loader(const struct sl_insn *in);

/* The place of a register's row in memory. */
struct sl_x86_place sl_emit_place(const struct sl_emit_rows *c, unsigned reg);

/* Marks the copy in a slot as the register's new, unsaved value. */
static inline void sl_emit_defined(struct sl_emit_rows *c, unsigned slot)
{
  c->unsaved |= 1u << slot;
}

/* Store copies to the register block: those of some slots, all unsaved ones, and one register's. */
void sl_emit_save_slots(struct sl_emit_rows *c, const int16_t *held, uint32_t slots);
void sl_emit_save(struct sl_emit_rows *c);
void sl_emit_save_register(struct sl_emit_rows *c, unsigned reg);

/* Loads a copy from the register block. */
void sl_emit_reload(struct sl_emit_rows *c, unsigned slot, unsigned reg);

/* Vector instructions. */
#define SL_VECTOR(name, map, prefix, opcode)                                                                           \
  static const struct sl_x86_vector sl_x86_vector_##name __attribute__((unused)) = {map, prefix, opcode};
SL_VECTOR(load, 1, 2, 0x6f) /* vmovdqu, vmovdqu32 */
SL_VECTOR(store, 1, 2, 0x7f)
SL_VECTOR(broadcast, 2, 1, 0x58)     /* vpbroadcastd */
SL_VECTOR(from_register, 2, 1, 0x7c) /* the same from a scalar register, AVX-512 */
SL_VECTOR(add, 1, 1, 0xfe)           /* vpaddd */
SL_VECTOR(subtract, 1, 1, 0xfa)
SL_VECTOR(and, 1, 1, 0xdb)
SL_VECTOR(and_not, 1, 1, 0xdf)
SL_VECTOR(or, 1, 1, 0xeb)
SL_VECTOR(xor, 1, 1, 0xef)
SL_VECTOR(multiply, 2, 1, 0x40)
SL_VECTOR(shift_left, 2, 1, 0x47) /* vpsllvd */
SL_VECTOR(shift_right, 2, 1, 0x45)
SL_VECTOR(shift_signed, 2, 1, 0x46)
SL_VECTOR(shift_number, 1, 1, 0x72)
SL_VECTOR(float_add, 1, 0, 0x58) /* vaddps */
SL_VECTOR(float_subtract, 1, 0, 0x5c)
SL_VECTOR(float_multiply, 1, 0, 0x59)
SL_VECTOR(float_divide, 1, 0, 0x5e)
SL_VECTOR(float_root, 1, 0, 0x51)
SL_VECTOR(float_compare, 1, 0, 0xc2)  /* vcmpps */
SL_VECTOR(float_from_int, 1, 0, 0x5b) /* vcvtdq2ps */
SL_VECTOR(float_truncate, 1, 2, 0x5b) /* vcvttps2dq */
#undef SL_VECTOR

enum { SL_EMIT_STEPS_MAX = 24 };

/* Flag in the returned index of the next instruction: the time slice is over. */
#define SL_EMIT_OVER (UINT32_C(1) << 31)

/* A jump in the code whose target instruction has no code address yet. */
struct sl_emit_link {
  size_t jump;
  uint32_t index;
};

enum { SL_EMIT_LINKS = 1024 };

/* The state of the JIT compiler. */
struct sl_emitter {
  struct sl_emit_rows c;
  const struct sl_code *code;
  struct sl_basic_blocks *steps;
  const uint8_t *leader; /* by instruction index: it is a jump target or follows a jump */
  unsigned slot_shift;   /* interleaved stacks: log2 of a slot's bytes */
  int level_max;         /* annotations change levels from 0 to this; 0: no effect; -1: unsupported */
  bool calls;            /* jumps that write a link are ordinary jumps */
  bool hammocks;         /* the code may if-convert hammocks */
  bool own_stacks;       /* interleaved stacks: the same word of all lanes is a row */
  bool filled;           /* untouched memory differs from what it reads as */
  size_t leave;          /* offset of the code that returns eax */
  unsigned links;
  struct sl_emit_link link[SL_EMIT_LINKS];
};

/* Emits the prologue and `leave`. The prologue saves registers, loads the scalar registers from the frame in rdi, and
 * jumps to rsi. */
void sl_emit_frame(struct sl_emitter *e);

/* Emits the block at `index` and sets *entry to its offset. Returns its number of instructions, 0 if the JIT cannot
 * execute the first one. Adds links to other blocks. */
uint32_t sl_emit_block(struct sl_emitter *e, uint32_t index, size_t *entry);

/* Emits a stub for a target that has no block. */
void sl_emit_stop(struct sl_emitter *e, uint32_t index);

/* Address checks of loads and stores in JIT code. */

enum { SL_EMIT_ACCESS_JUMPS = 16 };

/* A load or store that is being emitted; all but its call of the step is done. */
struct sl_emit_access {
  uint32_t index;
  bool some;       /* compiled for a subset of active lanes */
  unsigned slot;   /* slot of the address */
  unsigned other;  /* slot of the value */
  size_t apart[2]; /* jumps for units that are not consecutive, or a row that is not all in memory */
  size_t found;    /* code that expects the first byte's offset in memory in eax */
  size_t result;   /* loads: code that expects the value in `other` */
  size_t done;     /* end of the access */
  unsigned jumps;  /* number of jumps to the step's call */
  size_t jump[SL_EMIT_ACCESS_JUMPS];
  int16_t held[SL_EMIT_SLOTS];
  uint32_t unsaved, unsaved_done; /* unsaved slots before the call, and at the end */
};

/* Emits: call the step if the condition holds. */
void sl_emit_ask(struct sl_emitter *e, struct sl_emit_access *a, enum sl_x86_condition condition);

/* Emits: eax = rs1 of the lowest active lane. Returns the place of that value. */
struct sl_x86_place sl_emit_lowest(struct sl_emitter *e, const struct sl_insn *in);

/* Emits a check that the pages of the units from eax to eax + `bytes` have been touched. */
void sl_emit_touched(struct sl_emitter *e, struct sl_emit_access *a, uint32_t bytes);

/* Vector words are signed. An address with its sign bit flipped is an offset from the middle of memory. */
#define SL_EMIT_SIGN (UINT32_C(1) << 31)

/* Emits: rdx = host address of the middle of memory. */
void sl_emit_base_of_signed(struct sl_x86 *x);

/* Loads and stores in JIT code. The code handles consecutive units, one unit for all lanes, each lane's word on its own
 * interleaved stack, and arbitrary words. It accepts the addresses that a step accepts (func/blocks/step_lanes.c) and
 * calls the step for all others. */

/* Returns true if the JIT has code for this load or store. */
bool sl_emit_accesses(const struct sl_emitter *e, const struct sl_insn *in);

void sl_emit_access(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

/* Emits the out-of-line code: one unit for all lanes, own stacks, and arbitrary words. All other accesses jump to the
 * call of the step; the caller sets these jumps with sl_x86_land(). */
void sl_emit_access_others(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

/* Run-time calls of JIT code at hammocks (basic_blocks.h), when the lanes disagree on the branch. The code of the steps
 * follows there, compiled for a subset of lanes. */

/* Set the active lanes of the code and the values derived from them; sl_jit_activate_others is the general case. */
void sl_jit_activate_others(struct sl_jit_frame *f, sl_lanes active);

static inline void sl_jit_activate(struct sl_jit_frame *f, sl_lanes active)
{
  if (f->active != active)
    sl_jit_activate_others(f, active);
}

/* Encodes a hammock without its branch as an integer. */
uint32_t sl_jit_shape(const struct sl_hammock *h);

/* Activates the lanes that do not take the branch. Returns false if they cannot execute the steps alone. */
bool sl_jit_part(struct sl_jit_frame *f, uint32_t taken, uint32_t branch, uint32_t shape);

/* Activates all lanes again: after all steps, or outside the code after `done` steps. */
void sl_jit_join(struct sl_jit_frame *f);
void sl_jit_join_after(struct sl_jit_frame *f, uint32_t done);

/* JIT code for computations and branch conditions, as row operations. The semantics column of
 * isa/rv32.def defines them; floating point has no flags (isa/semantics.h). */

/* Emits: rd = value, on the active lanes. */
void sl_emit_number(struct sl_emit_rows *c, unsigned rd, uint32_t value);

/* Emits an instruction that computes a value; rd is not x0. Returns false if the JIT has no code for it; then it has
 * emitted nothing. */
bool sl_emit_value(struct sl_emit_rows *c, const struct sl_insn *in, uint32_t pc);

/* Emits: eax = the active lanes that take the branch. Returns false as above. */
bool sl_emit_condition(struct sl_emit_rows *c, const struct sl_insn *in);

#endif
