/* Faults of PTX programs: recorded as data where they occur, and formatted as a message later. */
#ifndef SL_PTX_RUN_PTX_FAULT_H
#define SL_PTX_RUN_PTX_FAULT_H

#include "ptx/run/ptx_block.h"

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

#endif
