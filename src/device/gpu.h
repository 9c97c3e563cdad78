/* A GPU as its host program sees it: memory, modules of code, launches, and what each launch counted.
 *
 * There are two kinds. A GPU for PTX executes modules of PTX text with 64-bit addresses on the machine sm7. A GPU for
 * machine code executes RISC-V programs with 32-bit addresses on any machine that launches kernels. Both do the same
 * through the functions below; their differences are facts (struct sl_gpu_facts).
 *
 * Memory is reserved when it is allocated and touched when it is used. A launch that faults, reaches its limit or is
 * stopped ends there: its fault is data, memory keeps its contents, and the GPU takes the next launch. One host thread
 * at a time uses a GPU. */
#ifndef SL_DEVICE_GPU_H
#define SL_DEVICE_GPU_H

#include "config/config.h"
#include "device/device.h"
#include "ptx/run/ptx_grid.h"

struct sl_gpu_module;
struct sl_launch_sampler;

/* A debugger of launches, which has parts of them executed again. */
struct sl_gpu_debugger {
  void (*begins)(void *context);  /* a launch begins */
  void (*started)(void *context); /* machine code: it has been started, and has executed nothing; NULL: not told */
  /* sl_gpu_run: the launch has ended, has faulted or was stopped, with this error. True: it is executed again; the
   * debugger has taken it and memory back to where it resumes (sl_gpu_ptx_rewind). */
  bool (*again)(void *context, enum sl_status code, const struct sl_error *err);
  void *context;
};

struct sl_gpu_options {
  bool fast;         /* without timing */
  bool machine_code; /* RISC-V programs instead of PTX */
  bool checked;      /* PTX: each access must be in one live buffer or variable. Machine code: buffers lie apart */
  bool forgets;      /* keep the totals of launches but no records */
  /* Maximum number of host threads that simulate; 0: one. Results do not depend on it, except for those of programs
   * with data races between blocks without timing (ptx/run/ptx_grid.h). */
  unsigned threads;
  uint64_t limit;            /* per launch, in cycles, or in warp instructions without timing; 0: none */
  uint32_t registers;        /* PTX: per thread, for occupancy; overrides those of launches; 0: theirs */
  struct sl_console console; /* of machine code */
  /* Polled during launches with the cycles so far; false stops the launch. NULL: not polled. */
  bool (*progress)(void *context, uint64_t cycles);
  void *context;
  /* Machine code: the SoC runs host programs, too (sl_gpu_device), with these options instead of those above; its
   * result keeps the launches. NULL: it only launches kernels. */
  const struct sl_device_options *hosted;
  /* PTX: another engine that executes the launches; it must outlive the GPU. NULL: the machine's own. */
  const struct sl_ptx_engine *engine;
  /* PTX: functions of the host that kernels call (ptx/run/ptx_execute.h); NULL: a call is a fault. */
  const struct sl_ptx_services *services;
  const struct sl_gpu_debugger *debugger; /* NULL: none */
  /* PTX: observers and checkpoints of launches. `limit` and `goes_on` are set from the members above. */
  struct sl_ptx_bounds bounds;
  /* PTX, with timing: samples of long launches are timed (device/engine/block_sampling.h); only the automatic plan, and
   * without observers and checkpoints. */
  struct sl_sampling_choice sampling;
  /* With timing: of many launches of a kernel some are timed (device/engine/launch_sampling.h), at first this many; 0:
   * all are. The plan of `sampling` has the seed. */
  uint64_t first_launches;
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
  uint32_t registers;    /* of an SM, 32 bits each; 0: unknown, as is what follows */
  uint32_t channels, dram_mhz;
  uint64_t l2_bytes;
  uint32_t clock_mhz; /* 0: the machine's keys set no clock, and a cycle counts as 1 ns */
  double peak;        /* thread instructions per cycle */
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
  bool global;           /* PTX: the address is in global memory */
  bool assertion;        /* TRAP: a failed assert */
  uint64_t first, bytes; /* of the nearest buffer; 0 bytes: none is known */
  char text[700];        /* the sentence */
};

struct sl_gpu_record {
  struct sl_launch launch; /* number, counters, outcome; of PTX: entry is the kernel's first pc */
  char kernel[SL_GPU_NAME];
  uint32_t grid[3], block[3];
  uint32_t registers, shared_bytes; /* of a thread, of a block: what occupancy depends on */
  uint64_t warp_instructions;       /* after its end */
  /* PTX: blocks of this size that fit on an SM, the limits that give this number (enum sl_occupancy_limit), and the
   * blocks of this grid that an SM holds. All 0 if not even one fits, which is no error without timing. */
  uint32_t fits, limits, resident;
};

struct sl_gpu;

/* Opens a GPU; the configuration must outlive it. SL_USAGE: its machine launches no kernels. Close it also after a
 * failure if *gpu is not NULL. */
enum sl_status sl_gpu_open(struct sl_gpu **gpu, const struct sl_config *config, const struct sl_gpu_options *options,
                           struct sl_error *err);
void sl_gpu_close(struct sl_gpu *gpu);

struct sl_gpu_facts sl_gpu_facts(const struct sl_gpu *gpu);

/* PTX: how many blocks with these resources an SM holds, apart from the grid. */
unsigned sl_gpu_fits(const struct sl_gpu *gpu, uint32_t threads, uint32_t registers, uint32_t shared_bytes);
const struct sl_config *sl_gpu_config(const struct sl_gpu *gpu);
bool sl_gpu_fast(const struct sl_gpu *gpu);

/* Machine code: the SoC of the GPU, on which a host program can be loaded and run (device/device.h). The GPU owns it.
 * NULL: PTX. */
struct sl_device *sl_gpu_device(const struct sl_gpu *gpu);

/* Chooses whether the next launches execute without timing, on a GPU that was opened with timing. */
void sl_gpu_choose_fast(struct sl_gpu *gpu, bool fast);

/* With first_launches: chooses whether the next launch is timed, and returns it. sl_gpu_begin chooses by itself if
 * nobody has asked before. */
bool sl_gpu_choose(struct sl_gpu *gpu, const struct sl_gpu_launch *launch);

/* ---- modules ---------------------------------------------------------------------------------------------------- */

/* Loads a module: PTX text or an ELF program, from a file or from memory. `name` is for messages. Its variables are in
 * memory from then on. The GPU owns the module. */
enum sl_status sl_gpu_load(struct sl_gpu *gpu, const char *path, struct sl_gpu_module **module, struct sl_error *err);
enum sl_status sl_gpu_load_bytes(struct sl_gpu *gpu, const char *name, const void *bytes, size_t size,
                                 struct sl_gpu_module **module, struct sl_error *err);

/* Loads an ELF program that the caller owns and keeps until the GPU is closed. SL_USAGE: a GPU for PTX. */
enum sl_status sl_gpu_load_program(struct sl_gpu *gpu, const struct sl_program *program, struct sl_gpu_module **module,
                                   struct sl_error *err);

/* The GPU of a module; the module of a program (NULL: none). */
struct sl_gpu *sl_gpu_of(const struct sl_gpu_module *module);
const struct sl_gpu_module *sl_gpu_module_with(const struct sl_gpu *gpu, const struct sl_program *program);

/* The path or name of a module. */
const char *sl_gpu_module_name(const struct sl_gpu_module *module);

/* The kernel or variable of a name. Names in the result live as long as the module. False: there is none. */
bool sl_gpu_kernel(const struct sl_gpu_module *module, const char *name, struct sl_gpu_kernel *kernel);
bool sl_gpu_symbol(const struct sl_gpu_module *module, const char *name, struct sl_gpu_symbol *symbol);

/* ---- memory ----------------------------------------------------------------------------------------------------- */

/* Allocates a zeroed buffer, aligned to 256 bytes. It takes no time and no host memory until it is touched. SL_USAGE:
 * 0 bytes, or no room. */
enum sl_status sl_gpu_alloc(struct sl_gpu *gpu, uint64_t bytes, uint64_t *address, struct sl_error *err);

/* Frees the buffer that begins at an address and gives its host memory back. */
enum sl_status sl_gpu_release(struct sl_gpu *gpu, uint64_t address, struct sl_error *err);

/* Bytes of all buffers. */
uint64_t sl_gpu_allocated(const struct sl_gpu *gpu);

/* The buffer that an address is in. False: none. */
bool sl_gpu_buffer(const struct sl_gpu *gpu, uint64_t address, uint64_t *first, uint64_t *bytes);

/* Copy to, from and within memory, and fill it with a pattern of `width` bytes (1, 2, 4, 8 or 16). SL_USAGE: the range
 * is not all in buffers or variables of that space; nothing has been copied. Ranges of a copy may overlap. */
enum sl_status sl_gpu_write(struct sl_gpu *gpu, enum sl_gpu_space space, uint64_t address, const void *bytes,
                            uint64_t size, struct sl_error *err);
enum sl_status sl_gpu_read(const struct sl_gpu *gpu, enum sl_gpu_space space, uint64_t address, void *bytes,
                           uint64_t size, struct sl_error *err);
/* Stores the host address of global memory, for reading until the next run. Reduces *size to the bytes that are
 * consecutive on the host. */
enum sl_status sl_gpu_map(struct sl_gpu *gpu, uint64_t address, const void **pointer, size_t *size,
                          struct sl_error *err);
enum sl_status sl_gpu_fill(struct sl_gpu *gpu, uint64_t address, const void *pattern, size_t width, uint64_t size,
                           struct sl_error *err);
enum sl_status sl_gpu_copy(struct sl_gpu *gpu, uint64_t to, uint64_t from, uint64_t size, struct sl_error *err);

/* Binds a texture to a texture variable of a module. SL_USAGE: there is none of that name, or machine code. */
enum sl_status sl_gpu_bind_texture(struct sl_gpu *gpu, const struct sl_gpu_module *module, const char *name,
                                   const struct sl_ptx_texture *texture, struct sl_error *err);

/* Creates a texture for kernels that get its handle; drops it. SL_USAGE: machine code. */
enum sl_status sl_gpu_texture_create(struct sl_gpu *gpu, const struct sl_ptx_texture *texture, uint64_t *handle,
                                     struct sl_error *err);
void sl_gpu_texture_drop(struct sl_gpu *gpu, uint64_t handle);

/* ---- launches --------------------------------------------------------------------------------------------------- */

/* Checks a launch: the kernel exists and takes these arguments, and the machine can execute the grid. */
enum sl_status sl_gpu_check(const struct sl_gpu *gpu, const struct sl_gpu_launch *launch, struct sl_error *err);

/* Checks and begins a launch. Names and arguments need not outlive the call. */
enum sl_status sl_gpu_begin(struct sl_gpu *gpu, const struct sl_gpu_launch *launch, struct sl_error *err);

/* Simulates the current launch for at most `cycles` more cycles (without timing: about as many warp instructions).
 * SL_PAUSED: it has not ended; call again, or abandon it. SL_CHECK_FAILED: the kernel has reported failure. SL_FAULT,
 * SL_LIMIT, SL_STOPPED: it has been aborted. The division into calls does not change the result. */
enum sl_status sl_gpu_advance(struct sl_gpu *gpu, uint64_t cycles, struct sl_error *err);
void sl_gpu_abandon(struct sl_gpu *gpu);

/* Begins a launch and simulates it to its end. */
enum sl_status sl_gpu_run(struct sl_gpu *gpu, const struct sl_gpu_launch *launch, struct sl_error *err);

bool sl_gpu_busy(const struct sl_gpu *gpu);

/* The fault that ended the latest launch; kind SL_GPU_FAULT_NONE if none did. The second one is of a device, by its
 * host program or without one. */
struct sl_gpu_fault sl_gpu_last_fault(const struct sl_gpu *gpu);
struct sl_gpu_fault sl_gpu_riscv_fault(const struct sl_device *device);

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* Save the state, and restore it into a GPU with the same configuration, mode and modules. PTX: between two launches;
 * machine code: as sl_device_save (device/device.h). A failed restore changes nothing. The caller frees *bytes.
 * SL_USAGE: a launch is under way, or launches are sampled, have another engine, services of the host, or textures; a
 * file that is not such a checkpoint, or is damaged. */
enum sl_status sl_gpu_save(struct sl_gpu *gpu, const char *path, struct sl_error *err);
enum sl_status sl_gpu_save_bytes(struct sl_gpu *gpu, void **bytes, size_t *size, struct sl_error *err);
enum sl_status sl_gpu_restore(struct sl_gpu *gpu, const char *path, struct sl_error *err);
enum sl_status sl_gpu_restore_bytes(struct sl_gpu *gpu, const void *bytes, size_t size, struct sl_error *err);

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* Records of launches, in order, the current one included. Those forgotten are not among them, but count in totals. */
size_t sl_gpu_record_count(const struct sl_gpu *gpu);
const struct sl_gpu_record *sl_gpu_record(const struct sl_gpu *gpu, size_t i);
void sl_gpu_forget(struct sl_gpu *gpu);

/* Over all launches: a counter (a sum, or the maximum of a level), and host seconds of simulation. */
uint64_t sl_gpu_total(const struct sl_gpu *gpu, size_t counter);
double sl_gpu_seconds(const struct sl_gpu *gpu);

/* The program has ended: the counters of launches without timing, their totals and the outcome of sampled timing become
 * those that the timed launches predict. Without effect on a GPU that times every launch. */
void sl_gpu_settle(struct sl_gpu *gpu);

/* The outcome of sampled timing over all launches; NULL: it was not chosen. */
const struct sl_sampled *sl_gpu_sampled(const struct sl_gpu *gpu);

/* The choice of launches; NULL: every launch is timed. */
const struct sl_launch_sampler *sl_gpu_launch_sampler(const struct sl_gpu *gpu);

/* Cycles of the latest launch that has ended, as predicted; 0: it was timed. */
double sl_gpu_predicted(const struct sl_gpu *gpu);

/* Cycles over all launches, the current one included; without timing: warp instructions. */
uint64_t sl_gpu_elapsed(const struct sl_gpu *gpu);

/* Simulated time of a launch in picoseconds: its cycles at the machine's clock; without timing its instructions at the
 * machine's peak rate. */
uint64_t sl_gpu_picoseconds(const struct sl_gpu *gpu, const struct sl_launch *launch);

/* The same of the latest launch that has ended; its record may be forgotten. */
uint64_t sl_gpu_last_picoseconds(const struct sl_gpu *gpu);

#endif
