/* Loads, stores and atomics of a warp: computes the lanes' addresses, finds them in the host's memory, and moves the
 * data. */
#ifndef SL_PTX_RUN_PTX_ACCESS_H
#define SL_PTX_RUN_PTX_ACCESS_H

#include "isa/lanes.h"
#include "ptx/run/ptx_block.h"

/* Faults of PTX programs: recorded as data where they occur, and formatted as a message later. */

enum sl_ptx_fault_kind {
  SL_PTX_FAULT_NONE,
  SL_PTX_FAULT_ADDRESS,   /* outside memory */
  SL_PTX_FAULT_BUFFER,    /* checked memory: not all in one buffer or variable; `value` has the bytes */
  SL_PTX_FAULT_ALIGNMENT, /* not a multiple of the access size */
  SL_PTX_FAULT_STACK,     /* the SIMT stack is full */
  SL_PTX_FAULT_DEPTH,     /* more call levels than a thread has frames */
  SL_PTX_FAULT_FUNCTION,  /* no function of these parameters is at the address */
  SL_PTX_FAULT_TRAP,
  SL_PTX_FAULT_ASSERT,   /* the kernel calls __assertfail */
  SL_PTX_FAULT_SERVICE,  /* it calls a function of the host, and there is no host */
  SL_PTX_FAULT_TEXTURE,  /* no texture is bound */
  SL_PTX_FAULT_TEXEL,    /* its texels have another type than the fetch */
  SL_PTX_FAULT_TEXTURES, /* lanes fetch from different textures */
  SL_PTX_FAULT_PARTIAL,  /* an instruction of the whole warp lacks lanes; `lanes` has those that execute it */
  SL_PTX_FAULT_BARRIER,  /* warps wait at barriers that cannot open */
  SL_PTX_FAULT_LIVELOCK, /* every running warp repeats its state */
  SL_PTX_FAULT_SHADOW    /* the kernel behaves differently from the original kernel */
};

enum sl_ptx_difference {
  SL_PTX_DIFFERS_ADDRESS,
  SL_PTX_DIFFERS_VALUE,      /* a stored value, or another operand */
  SL_PTX_DIFFERS_LANES,      /* other lanes execute the instruction or branch */
  SL_PTX_DIFFERS_INSTRUCTION /* the other kernel is at another instruction, or at its end */
};

struct sl_ptx_fault {
  enum sl_ptx_fault_kind kind;
  uint32_t pc, lane, warp;
  uint32_t block[3];
  uint64_t address;
  enum sl_ptx_space space;
  uint64_t assertion[4]; /* SL_PTX_FAULT_ASSERT: addresses of message and file, line, address of the function's name */
  /* SL_PTX_FAULT_LIVELOCK: the lanes of the warp that loop, and those that wait for them, at waiting_pc. */
  uint32_t lanes, waiting, waiting_pc;
  bool parked; /* the latter wait at an instruction for all of them */
  /* SL_PTX_FAULT_SHADOW: */
  enum sl_ptx_difference difference;
  uint32_t original_pc; /* SL_PTX_NOWHERE: the warp has ended */
  uint64_t value, original;
};

/* Records that the warp waits at a barrier that cannot open; its PC is after the instruction. */
void sl_ptx_fault_barrier(struct sl_ptx_fault *fault, const struct sl_ptx_warp *warp);

/* Formats a fault: kernel, block, thread, PTX line and source line. */
enum sl_status sl_ptx_fault_text(const struct sl_ptx_launch *launch, const struct sl_ptx_fault *fault,
                                 struct sl_error *err);

/* Effect of an executed warp instruction. */

struct sl_ptx_effect {
  const struct sl_ptx_insn *insn;
  uint64_t clock; /* the clock passed to sl_ptx_execute */
  uint32_t pc;
  uint32_t issued; /* lanes of the top of the stack */
  uint32_t active; /* those whose guard holds: counted as thread instructions */
  uint32_t taken;  /* lanes that branch */
  uint32_t exited;
  uint32_t reads;                 /* ASYNC: lanes that read global memory; the others clear shared memory */
  enum sl_ptx_space space;        /* of an access; a generic address is resolved (by the lowest active lane) */
  uint32_t bytes;                 /* per lane and access: element bytes x elements */
  uint64_t address[SL_PTX_LANES]; /* in that space, of the active lanes; local memory: in the thread's frame */
  enum sl_shape shape;      /* of the addresses of all lanes, where lane l has that of `bytes` more than lane l - 1;
                               OTHER: also of fewer lanes, or unknown */
  unsigned barrier;         /* number of a barrier */
  unsigned barrier_threads; /* threads it waits for; 0: all of the block */
  bool arrives;             /* bar.arrive: does not wait */
  bool parks;               /* a barrier where groups take turns: the lanes wait for others of their warp */
  uint32_t apart;           /* then: the others that would have met these lanes before the kernel's end */
};

/* Deferred accesses to global memory: checked at issue and performed later. They make the result independent of the
 * speed of host threads when blocks execute in parallel. Until then their warps wait. */

struct sl_ptx_late_access {
  const struct sl_ptx_warp *warp;
  const struct sl_ptx_insn *insn;
  const struct sl_ptx_texture *texture; /* of a texture fetch; NULL: none */
  uint8_t *data;
  uint32_t active;
  bool consecutive;              /* as in struct sl_ptx_addressing */
  uint64_t offset[SL_PTX_LANES]; /* in data */
};

enum { SL_PTX_LATE_MOST = 16 }; /* two per instruction with generic addresses */

struct sl_ptx_late {
  unsigned count;
  bool all; /* accesses to all memory but that of a thread are deferred */
  struct sl_ptx_late_access access[SL_PTX_LATE_MOST];
};

/* The new value of an atomic operation: `old` is in memory, b and c are the operands, bits of `type`. */
uint64_t sl_ptx_atomic_value(unsigned operation, enum sl_ptx_type type, uint64_t old, uint64_t b, uint64_t c);

/* Performs an access on the active lanes of the effect, and sets its space, bytes and addresses. If the block has a
 * list for deferred accesses, the access is deferred. */
bool sl_ptx_access(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                   struct sl_ptx_fault *fault);

/* Calls a function of the host on the active lanes, or defers the call like an access. */
bool sl_ptx_service(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active, struct sl_ptx_fault *fault);

/* Performs the deferred accesses in order. */
void sl_ptx_settle(struct sl_ptx_late *late);

/* Whether all lanes execute an instruction of the whole warp, or none; otherwise records the fault. */
bool sl_ptx_is_whole(uint32_t active, struct sl_ptx_fault *fault);

/* cp.async: the address in shared memory to which a lane copies, and the bytes that it reads; it clears the others. */
uint64_t sl_ptx_copied_to(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, unsigned lane, uint32_t *bytes);

/* Textures: fetches in one to three dimensions, of the nearest texel or of a linear combination.
 *
 * A texture is an array of texels in global memory, row by row. Coordinates of type s32 count texels; outside of the
 * texture they give 0. Coordinates of type f32 count texels or, normalised, textures. Where they leave the texture, the
 * address mode of their dimension decides. A linear filter combines the 2, 4 or 8 nearest texels with weights of 8
 * fractional bits. A texel has one, two or four channels; missing channels are 0, and the fourth is 1.
 * Source: CUDA C Programming Guide, appendix "Texture Fetching".
 *
 * Timing: a fetch accesses the first of its texels (machine/sm7, texture cache); the others are in the same or the next
 * rows, and have no cost of their own. */

struct sl_ptx_effect;

/* The texture of a fetch, the same for all active lanes. NULL: a fault. */
const struct sl_ptx_texture *sl_ptx_texture_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in,
                                               uint32_t active, struct sl_ptx_fault *fault);

/* The addresses and bytes that the fetch accesses, for timing. */
void sl_ptx_texture_addresses(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in,
                              const struct sl_ptx_texture *texture, struct sl_ptx_effect *effect);

/* Fetches the texels of the active lanes; `data`: the texture's contents. */
void sl_ptx_texture_fetch(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in,
                          const struct sl_ptx_texture *texture, const uint8_t *data, uint32_t active);

#endif
