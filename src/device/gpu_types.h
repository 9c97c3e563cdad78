/* Types of a GPU as its host program sees it (device/gpu.h). */
#ifndef SL_DEVICE_GPU_TYPES_H
#define SL_DEVICE_GPU_TYPES_H

#include "gpu/device.h"
#include "ptx/run/ptx_grid.h"

struct sl_gpu_module;

struct sl_gpu_options {
  bool fast;                 /* without timing */
  bool machine_code;         /* RISC-V programs instead of PTX */
  bool forgets;              /* keep the totals of launches but no records */
  unsigned threads;          /* maximum number of host threads that simulate; 0: one. Results do not depend on it */
  uint64_t limit;            /* per launch, in cycles, or in warp instructions without timing; 0: none */
  uint32_t registers;        /* PTX: per thread, for occupancy; overrides those of launches; 0: theirs */
  struct sl_console console; /* of machine code */
  /* Polled during launches with the cycles so far; false stops the launch. NULL: not polled. */
  bool (*progress)(void *context, uint64_t cycles);
  void *context;
  struct sl_device *device; /* machine code: a device that the GPU uses and the caller owns; NULL: its own */
  /* PTX: another engine that executes the launches; it must outlive the GPU. NULL: the machine's own. */
  const struct sl_ptx_engine *engine;
  /* PTX: observers and checkpoints of launches. `limit` and `goes_on` are set from the members above. */
  struct sl_ptx_bounds bounds;
};

enum sl_gpu_space { SL_GPU_GLOBAL, SL_GPU_CONSTANT };

struct sl_gpu_symbol {
  enum sl_gpu_space space;
  uint64_t address, bytes; /* bytes: 0 if unknown */
  bool texture;            /* a texture variable */
};

enum { SL_GPU_PARAMETERS = 256, SL_GPU_NAME = 256 };

struct sl_gpu_parameter {
  char name[48]; /* shortened to fit */
  uint32_t offset, bytes;
};

struct sl_gpu_kernel {
  const char *name;
  unsigned parameter_count; /* greater than SL_GPU_PARAMETERS: only that many are described */
  struct sl_gpu_parameter parameter[SL_GPU_PARAMETERS];
  uint32_t parameter_bytes; /* of a C struct of all */
  bool described;           /* false: the program does not describe the kernel's parameters */
  uint32_t shared_bytes;    /* static shared memory of a block */
  uint32_t local_bytes;     /* private memory of a thread */
  uint32_t registers;       /* of a thread, 32 bits each, for occupancy; 0: no limit follows from them */
  uint32_t max_threads;     /* of a block */
  uint32_t block[3];        /* the only block size that the kernel allows; 0: any */
};

struct sl_gpu_launch {
  const struct sl_gpu_module *module; /* NULL: the first loaded module with such a kernel */
  const char *kernel;                 /* machine code: NULL: start at `entry` */
  uint32_t entry;
  uint32_t grid[3], block[3]; /* blocks of the grid, threads of a block; a second or third dimension of 0 counts as 1 */
  uint32_t shared;            /* PTX: dynamic shared memory of a block. Machine code: all of it; 0: an equal part */
  uint32_t registers;         /* PTX: of a thread, for occupancy; 0: the kernel's */
  const void *arguments;      /* a C struct of the kernel's parameters */
  size_t argument_bytes;
};

struct sl_gpu_facts {
  bool ptx;              /* else machine code */
  unsigned address_bits; /* 32 or 64 */
  uint64_t memory_bytes; /* for buffers */
  uint32_t lanes, warps; /* of a warp; of an SM or core */
  uint32_t cores;        /* SMs or cores */
  uint32_t max_threads;  /* of a block */
  uint32_t max_block[3], max_grid[3];
  bool powers_of_two;    /* the dimensions of blocks must be powers of two */
  uint32_t shared_bytes; /* of an SM or core */
  uint32_t max_shared;   /* of a block */
  uint32_t clock_mhz;    /* 0: the machine's keys set no clock, and a cycle counts as 1 ns */
  double peak;           /* thread instructions per cycle */
};

enum sl_gpu_fault_kind {
  SL_GPU_FAULT_NONE,
  SL_GPU_FAULT_INSTRUCTION, /* unknown or illegal */
  SL_GPU_FAULT_JUMP,
  SL_GPU_FAULT_ADDRESS, /* outside memory */
  SL_GPU_FAULT_STACK,
  SL_GPU_FAULT_MISALIGNED,
  SL_GPU_FAULT_ATOMIC,
  SL_GPU_FAULT_CONVERGENCE, /* the convergence hardware cannot continue */
  SL_GPU_FAULT_CSR,
  SL_GPU_FAULT_TRAP, /* ecall, ebreak, trap */
  SL_GPU_FAULT_DEADLOCK,
  SL_GPU_FAULT_LIVELOCK,
  SL_GPU_FAULT_TEXTURE,
  SL_GPU_FAULT_OTHER
};

struct sl_gpu_fault {
  enum sl_gpu_fault_kind kind;
  char kernel[SL_GPU_NAME];
  bool in_grid; /* block and thread are known */
  uint32_t block[3], thread[3];
  uint32_t warp; /* over all cores; PTX: in its block */
  uint64_t lanes;
  uint64_t pc;            /* address of the instruction; PTX: its number */
  char file[SL_GPU_NAME]; /* source file, or the PTX; empty: unknown */
  uint32_t line;
  uint64_t address;      /* of an access, or the number of a CSR */
  uint64_t first, bytes; /* of the nearest buffer at or below the address; 0 bytes: none */
  char text[700];        /* the sentence */
};

struct sl_gpu_record {
  struct sl_launch launch; /* number, counters, outcome; of PTX: entry is the kernel's first pc */
  char kernel[SL_GPU_NAME];
  uint32_t grid[3], block[3];
  uint32_t registers, shared_bytes; /* of a thread, of a block: what occupancy depends on */
  uint64_t warp_instructions;       /* after its end */
  /* PTX: blocks of this size that fit on an SM, the limits that give this number (enum sl_sm7_limit), and the blocks of
   * this grid that an SM holds. All 0 if not even one fits, which is no error without timing. */
  uint32_t fits, limits, resident;
};

#endif
