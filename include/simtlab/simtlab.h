/* simtlab as a library: cycle-accurate simulator of published RISC-V and PTX GPGPUs that run compiled kernels.
 *
 * A configuration names a machine and its keys. A program is an ELF file. A device is one machine: it runs a program,
 * or launches the kernels of any number of modules (ELF programs or PTX text). Programs are immutable, and devices
 * share nothing else. Use any number of devices, each from one thread at a time.
 *
 * Functions that can fail take a struct simtlab_error *, which may be NULL. They return a simtlab_status, or NULL
 * instead of an object. The library never prints, exits or aborts, and has no writable global state.
 * docs/how-to/library.md shows a complete program.
 *
 * Pointers must not be NULL unless their description allows it. A function that gets a forbidden NULL does nothing. It
 * returns SIMTLAB_USAGE and names the argument, or returns NULL, 0 or false. The caller owns all objects and frees
 * them; freeing NULL does nothing. A callback may read its device, stop it, or free it (the library frees it after the
 * run has returned). Functions that change the device in another way return SIMTLAB_USAGE inside a callback.
 *
 * A failed call leaves objects unchanged, except for runs: a run that ends with SIMTLAB_FAULT or SIMTLAB_LIMIT keeps
 * the state it has reached. A call that runs out of memory returns SIMTLAB_INTERNAL; after a run that did so, the
 * device can only be freed. Symbols are versioned. The interface of each version is recorded and only grows while
 * SIMTLAB_VERSION_MAJOR, and before version 1.0 SIMTLAB_VERSION_MINOR, stays the same. */
#ifndef SIMTLAB_SIMTLAB_H
#define SIMTLAB_SIMTLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define SIMTLAB_VERSION_MAJOR 0
#define SIMTLAB_VERSION_MINOR 2
#define SIMTLAB_VERSION_PATCH 0

/* The version of the library, for example "0.2.0". */
const char *simtlab_version(void);

enum simtlab_status {
  SIMTLAB_OK = 0,       /* success; of a run: the program has ended by itself */
  SIMTLAB_FAILED = 1,   /* of a launch: the kernel has ended and has reported failure */
  SIMTLAB_USAGE = 2,    /* invalid argument, configuration, program or file */
  SIMTLAB_FAULT = 3,    /* the program did something that the machine cannot do */
  SIMTLAB_LIMIT = 4,    /* the run reached its cycle limit */
  SIMTLAB_PAUSED = 5,   /* of a run: the requested cycles have passed; not an error */
  SIMTLAB_STOPPED = 6,  /* of a run: a callback called simtlab_device_stop */
  SIMTLAB_INTERNAL = 70 /* internal error of simtlab, or out of memory */
};

struct simtlab_error {
  enum simtlab_status status;
  char text[1024]; /* a full sentence: what failed, where, and a remedy */
};

/* ---- configurations ---------------------------------------------------------------------------------------------- */

typedef struct simtlab_config simtlab_config;

/* Returns the name of built-in machine number `index`, or NULL after the last. */
const char *simtlab_machine_name(size_t index);

/* Opens a built-in machine by name, or a YAML file if the name contains a '/' or ends in .yaml. */
simtlab_config *simtlab_config_open(const char *name_or_file, struct simtlab_error *error);

/* Sets a key; the assignment has the form "lanes=16". */
enum simtlab_status simtlab_config_set(simtlab_config *config, const char *assignment, struct simtlab_error *error);

void simtlab_config_free(simtlab_config *config);

/* ---- programs ---------------------------------------------------------------------------------------------------- */

typedef struct simtlab_program simtlab_program;

/* Reads a 32-bit RISC-V ELF executable from a file or from memory. Messages use `name` as the file name. */
simtlab_program *simtlab_program_load(const char *path, struct simtlab_error *error);
simtlab_program *simtlab_program_parse(const char *name, const void *bytes, size_t size, struct simtlab_error *error);
void simtlab_program_free(simtlab_program *program);

/* Stores the address of a symbol; returns false if the program has no such symbol. */
bool simtlab_program_symbol(const simtlab_program *program, const char *name, uint32_t *address);

/* Writes what is known of an address into text, for example "kernel+0x1c (file.c:12)"; returns the text's length. */
size_t simtlab_program_locate(const simtlab_program *program, uint64_t address, char *text, size_t size);

/* ---- compiling --------------------------------------------------------------------------------------------------- */

/* Arguments of simtlab_compile, the library form of `simtlab cc`. It builds a program from C, C++, assembly and object
 * files with the stock cross-compilers. */
struct simtlab_compile {
  const char *const *files; /* a NULL-terminated list, as are the other lists */
  const char *output;
  const char *runtime;                        /* simtlab's folder runtime/; NULL: the folder of $SIMTLAB_HOME */
  const char *const *flags;                   /* for the compiler; NULL: none */
  const char *const *link_flags;              /* for the linker; NULL: none */
  bool vortex;                                /* compile for Vortex; false: for SIMTight and Simty */
  bool fp, rv32e, clang, no_marks, cfm, dmsl; /* as the options of simtlab cc */
  bool auto_marks;                            /* as --marks=auto; false (the default here): as --marks=user */
  const char *marks_tool;                     /* path of the program simtlab-marks; NULL: search the PATH */
  bool vortex64;               /* compile for Vortex with 64-bit instruction words; uses the fields below */
  const char *allocation;      /* "stock", "unaware", "first-fit" or "cost"; NULL: "cost" */
  unsigned registers, banks;   /* 16 to 256, 1 to 8; 0: 128 and 4 */
  const char *bank_map;        /* "modulo", "blocks" or "folded"; NULL: "modulo" */
  const char *saved_registers; /* callee-saved registers from 32 on, as "40,48-95" or "none"; NULL: "48-95" */
};

/* Compiles and links. *log receives the output of the tools (an empty text if they print nothing), and the caller frees
 * it. log may be NULL. */
enum simtlab_status simtlab_compile(const struct simtlab_compile *compile, char **log, struct simtlab_error *error);

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

/* An executed warp instruction. The pointers are valid during the call. */
struct simtlab_commit {
  uint64_t cycle;         /* since the start of the launch, from 0; in fast mode: the number of the instruction */
  unsigned launch;        /* number of the launch, from 0 */
  unsigned warp;          /* PTX: its number in the block */
  uint64_t active;        /* mask of active lanes, bit i = lane i; PTX: those whose guard predicate holds */
  uint64_t pc;            /* address of the instruction; PTX: its number in the module */
  uint32_t word;          /* of the instruction; PTX: 0 */
  int rd;                 /* destination register, or -1; PTX: -1 */
  const uint32_t *values; /* of rd, one per lane; NULL if rd is -1; inactive lanes have their old values */
  unsigned lanes;
  /* PTX only: */
  const char *kernel;
  uint32_t block[3]; /* coordinates in the grid */
  unsigned line;     /* in the module's text */
};

enum simtlab_access_kind { SIMTLAB_LOAD, SIMTLAB_STORE, SIMTLAB_ATOMIC };

/* A memory access of a warp. */
struct simtlab_access {
  uint64_t cycle;
  unsigned launch, warp;
  uint64_t active;
  uint64_t pc;
  enum simtlab_access_kind kind;
  unsigned width;          /* bytes per lane */
  const uint64_t *address; /* of each active lane, after the interleaving of stacks; PTX: in the access's space */
  unsigned lanes;
};

struct simtlab_callbacks {
  void *context;                     /* passed to each callback */
  int (*console_get)(void *context); /* returns the next input byte, or -1 at the end of input; NULL: no input */
  int (*console_put)(void *context, uint8_t byte); /* returns 0, or -1 to end the run; NULL: output is discarded */
  void (*commit)(void *context, const struct simtlab_commit *commit);
  void (*access)(void *context, const struct simtlab_access *access);
};

/* ---- devices ----------------------------------------------------------------------------------------------------- */

typedef struct simtlab_device simtlab_device;

struct simtlab_options {
  struct simtlab_callbacks callbacks;
  bool fast; /* functional execution without timing */
  /* Limit on SM cycles plus host instructions; PTX: on the cycles of a launch, in fast mode on its warp instructions.
   * 0: no limit. */
  uint64_t max_cycles;
  /* Maximum number of host threads that simulate a machine of several cores, the caller's thread included; 0: one.
   * Results do not depend on it. All callbacks run in the caller's thread. */
  unsigned threads;
  /* A launch is one kernel by default. On machines without a host CPU, programs launch kernels themselves. There, a
   * launch is the whole program (whole_program), or each call of the function named `region`. The string must stay
   * valid until a program has been loaded. */
  bool whole_program;
  const char *region;
  bool ptx; /* the device executes PTX, on the machine sm7 or one based on it; false: RISC-V code */
};

/* Creates a device. The caller may free the configuration afterwards. options may be NULL. */
simtlab_device *simtlab_device_create(const simtlab_config *config, const struct simtlab_options *options,
                                      struct simtlab_error *error);
void simtlab_device_free(simtlab_device *device);

/* Stops the run; for use in a callback of that run. The run returns SIMTLAB_STOPPED with the reason as the error's text
 * (NULL: no reason). The next run resumes. After this call callbacks still come for what the machine has begun in
 * the cycle. Between runs the function has no effect. */
void simtlab_device_stop(simtlab_device *device, const char *reason);

/* Loads a program with its arguments. argv[0] is the program's name; argc may be 0, and argv may be NULL then. The
 * program must outlive the device. Loading another program resets the machine to its initial state. */
enum simtlab_status simtlab_device_load(simtlab_device *device, const simtlab_program *program, int argc,
                                        const char *const *argv, struct simtlab_error *error);

/* Runs the program to its end, or for at most `cycles` more cycles. Returns SIMTLAB_PAUSED if it has not ended then. */
enum simtlab_status simtlab_device_run(simtlab_device *device, struct simtlab_error *error);
enum simtlab_status simtlab_device_run_for(simtlab_device *device, uint64_t cycles, struct simtlab_error *error);

/* The exit status of a program that has ended: 0 if the program's own check passed. */
int simtlab_device_exit_status(const simtlab_device *device);

/* Writes a non-fatal warning about the results as a sentence; returns false if there is none. Example: on Vortex, lanes
 * of a warp diverged at a branch, and one lane decided it for all. */
bool simtlab_device_warning(const simtlab_device *device, char *text, size_t size);

/* Number of kernel launches so far, the current one included; the counters of each launch. Forgotten launches are
 * numbered no more, and only count in totals; a program that launches millions of kernels thus needs constant memory.
 * Only launches without a host program can be forgotten. */
size_t simtlab_device_launches(const simtlab_device *device);
enum simtlab_status simtlab_device_forget(simtlab_device *device, struct simtlab_error *error);
size_t simtlab_device_counters(const simtlab_device *device);
const char *simtlab_counter_name(const simtlab_device *device, size_t counter);
const char *simtlab_counter_unit(const simtlab_device *device, size_t counter);
uint64_t simtlab_counter_value(const simtlab_device *device, size_t launch, size_t counter);

/* Stores a counter's value over all launches: the sum, or the maximum for a level such as max_vector_registers. Returns
 * false if there is no such counter. */
bool simtlab_counter_total(const simtlab_device *device, const char *name, uint64_t *value);

/* Lanes per warp, and warps. */
unsigned simtlab_device_lanes(const simtlab_device *device);
unsigned simtlab_device_warps(const simtlab_device *device);

/* Register 0 to 31, and program counter, of a thread; 0 if the device has no such thread or register. */
uint32_t simtlab_device_register(const simtlab_device *device, unsigned warp, unsigned lane, unsigned reg);
uint32_t simtlab_device_pc(const simtlab_device *device, unsigned warp, unsigned lane);

/* Stores a register of all lanes of a warp; returns false if the device has no such warp or register. */
bool simtlab_device_registers(const simtlab_device *device, unsigned warp, unsigned reg, uint32_t *values);

/* Set a register or program counter, between two calls that run the device. All lanes of a Vortex warp share one
 * program counter. SIMTLAB_USAGE: there is no such thread or register, or an instruction of the warp is in flight; in
 * the latter case retry at a later cycle. */
enum simtlab_status simtlab_device_set_register(simtlab_device *device, unsigned warp, unsigned lane, unsigned reg,
                                                uint32_t value, struct simtlab_error *error);
enum simtlab_status simtlab_device_set_pc(simtlab_device *device, unsigned warp, unsigned lane, uint32_t pc,
                                          struct simtlab_error *error);

/* Register and program counter of the host CPU. */
uint32_t simtlab_device_host_register(const simtlab_device *device, unsigned reg);
uint32_t simtlab_device_host_pc(const simtlab_device *device);

/* Hash of all memory. SIMTLAB_USAGE: a device for PTX, whose memory has no hash. */
uint64_t simtlab_device_memory_hash(const simtlab_device *device);

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Allocates a zeroed buffer in device memory, aligned to 256 bytes. Buffers do not overlap code, stacks, scratchpad, or
 * other memory that the machine and the programs loaded so far use. Host memory is used when the buffer is touched. */
enum simtlab_status simtlab_device_alloc(simtlab_device *device, uint64_t size, uint64_t *address,
                                         struct simtlab_error *error);
enum simtlab_status simtlab_device_release(simtlab_device *device, uint64_t address, struct simtlab_error *error);

/* Copy to and from memory as data. On a device for PTX, written data is in L2 when the next kernel starts.
 * SIMTLAB_USAGE: the range is not all in device memory; for PTX, not all in buffers or variables. */
enum simtlab_status simtlab_device_write(simtlab_device *device, uint64_t address, const void *bytes, size_t size,
                                         struct simtlab_error *error);
enum simtlab_status simtlab_device_read(const simtlab_device *device, uint64_t address, void *bytes, size_t size,
                                        struct simtlab_error *error);

/* Stores the host address of memory, for reading without a copy until the next run, write or release. Reduces *size to
 * the bytes that are consecutive on the host: map the rest by further calls. Errors as of simtlab_device_read. */
enum simtlab_status simtlab_device_map(simtlab_device *device, uint64_t address, size_t *size, const void **pointer,
                                       struct simtlab_error *error);

/* Fills memory with copies of a pattern of 1, 2, 4, 8 or 16 bytes; copies within memory, where ranges may overlap. */
enum simtlab_status simtlab_device_fill(simtlab_device *device, uint64_t address, const void *pattern, size_t width,
                                        uint64_t size, struct simtlab_error *error);
enum simtlab_status simtlab_device_copy(simtlab_device *device, uint64_t to, uint64_t from, uint64_t size,
                                        struct simtlab_error *error);

/* ---- launches without a host program ----------------------------------------------------------------------------- */

/* A module of code in a device's memory: an ELF program, or PTX text on a device for PTX. The device owns it. */
typedef struct simtlab_module simtlab_module;

/* Loads a module from a file or from memory, for its kernels; no host program runs. A device takes any number of
 * modules. An ELF program replaces programs that it overlaps in memory. A launch reloads a replaced program, with its
 * variables as in its file. Messages use `name` as the file name. */
simtlab_module *simtlab_module_load(simtlab_device *device, const char *path, struct simtlab_error *error);
simtlab_module *simtlab_module_parse(simtlab_device *device, const char *name, const void *bytes, size_t size,
                                     struct simtlab_error *error);

/* The same for a program that the caller owns. It must outlive the device. */
enum simtlab_status simtlab_device_add(simtlab_device *device, const simtlab_program *program,
                                       struct simtlab_error *error);

/* A parameter of a kernel, as a member of a C struct of all. */
struct simtlab_parameter {
  char name[48]; /* shortened to fit */
  uint32_t offset, size;
};

struct simtlab_kernel {
  unsigned parameters;
  size_t argument_bytes; /* of a C struct of all parameters; 0: the program does not describe them */
  uint32_t shared_bytes; /* static shared memory of a block */
  uint32_t local_bytes;  /* private memory of a thread */
  uint32_t registers;    /* of a thread, for occupancy; 0: they do not limit it */
  uint32_t max_threads;  /* of a block */
  uint32_t block[3];     /* the only block size that the kernel allows; 0: any */
};

/* Describe a kernel of a module, and its parameter number `index`. False: there is none. */
bool simtlab_module_kernel(const simtlab_module *module, const char *name, struct simtlab_kernel *kernel);
bool simtlab_module_parameter(const simtlab_module *module, const char *kernel, unsigned index,
                              struct simtlab_parameter *parameter);

struct simtlab_symbol {
  uint64_t address, size; /* size: 0 if unknown */
  bool constant;          /* in constant memory, which is accessible by name only */
};

/* Describes a variable of a module. False: there is none of that name. */
bool simtlab_module_symbol(const simtlab_module *module, const char *name, struct simtlab_symbol *symbol);

/* Copy to and from a variable of a module, from byte `offset` on. */
enum simtlab_status simtlab_module_write(simtlab_module *module, const char *symbol, uint64_t offset, const void *bytes,
                                         size_t size, struct simtlab_error *error);
enum simtlab_status simtlab_module_read(const simtlab_module *module, const char *symbol, uint64_t offset, void *bytes,
                                        size_t size, struct simtlab_error *error);

/* Facts about a device, for programs that choose grids and blocks. */
struct simtlab_facts {
  bool ptx;
  unsigned address_bits;        /* 32 or 64: the size of pointers in arguments */
  uint64_t memory_bytes;        /* for buffers */
  unsigned lanes, warps, cores; /* of a warp; of an SM or core; of the device */
  uint32_t max_threads, max_block[3], max_grid[3];
  bool powers_of_two;                /* the dimensions of blocks must be powers of two */
  uint32_t shared_bytes, max_shared; /* of an SM or core; of a block */
  uint32_t clock_mhz;                /* 0: the machine's keys set no clock */
};
enum simtlab_status simtlab_device_facts(const simtlab_device *device, struct simtlab_facts *facts,
                                         struct simtlab_error *error);

struct simtlab_launch {
  const simtlab_program *program; /* the kernel's program; NULL: the first program or module that has the kernel */
  const simtlab_module *module;   /* the kernel's module; NULL: as above */
  const char *kernel;             /* the kernel's name; NULL: start at `entry` */
  uint32_t entry;
  uint32_t grid[3], block[3]; /* blocks of the grid, threads of a block; a second or third dimension of 0 counts as 1 */
  /* Bytes of shared memory per block. RISC-V: all of it; 0: the resident blocks divide the scratchpad. PTX: dynamic
   * shared memory, in addition to the kernel's own. */
  uint32_t shared;
  uint32_t registers;    /* PTX: registers per thread, for occupancy; 0: an estimate */
  const void *arguments; /* a C struct of the kernel's parameters; pointers are addresses of address_bits */
  size_t argument_bytes;
};

/* Starts a kernel. One of runtime/simt.h starts as the runtime does, with the same counters. SIMTLAB_USAGE: unknown
 * kernel, arguments of another size, or a grid or block that the machine does not support. */
enum simtlab_status simtlab_device_start(simtlab_device *device, const struct simtlab_launch *launch,
                                         struct simtlab_error *error);

/* Starts all warps at an address. The code there receives `argument` as its closure. */
enum simtlab_status simtlab_device_start_entry(simtlab_device *device, uint32_t entry, uint32_t argument,
                                               unsigned warps_per_block, struct simtlab_error *error);

/* Simulates the started launch to its end, or for at most `cycles` more cycles (PTX in fast mode: about as many warp
 * instructions). SIMTLAB_OK, SIMTLAB_FAILED: the launch has ended. SIMTLAB_PAUSED: call again. SIMTLAB_FAULT,
 * SIMTLAB_LIMIT: the launch is aborted. After every status except SIMTLAB_PAUSED the device accepts the next launch,
 * and memory keeps its contents. */
enum simtlab_status simtlab_device_wait(simtlab_device *device, struct simtlab_error *error);
enum simtlab_status simtlab_device_wait_for(simtlab_device *device, uint64_t cycles, struct simtlab_error *error);

/* Abandons a launch that has not ended. */
void simtlab_device_abandon(simtlab_device *device);

/* Simulated time of a launch in picoseconds: its cycles at the machine's clock (1 GHz if its keys set none); in fast
 * mode its instructions at the machine's peak rate. 0: it is not, or no longer, known. */
uint64_t simtlab_device_picoseconds(const simtlab_device *device, size_t launch);

enum simtlab_fault_kind {
  SIMTLAB_FAULT_INSTRUCTION, /* unknown, or not permitted here */
  SIMTLAB_FAULT_JUMP,        /* to an address outside the program */
  SIMTLAB_FAULT_ADDRESS,     /* access outside data memory */
  SIMTLAB_FAULT_STACK,       /* stack overflow of a thread */
  SIMTLAB_FAULT_MISALIGNED,
  SIMTLAB_FAULT_ATOMIC,      /* on memory without atomics */
  SIMTLAB_FAULT_CONVERGENCE, /* reconvergence annotations, splits, joins or branches that do not match */
  SIMTLAB_FAULT_CSR,
  SIMTLAB_FAULT_SYSTEM,   /* ecall, ebreak, trap */
  SIMTLAB_FAULT_DEADLOCK, /* warps wait for each other */
  SIMTLAB_FAULT_LIVELOCK, /* lanes loop forever */
  SIMTLAB_FAULT_TEXTURE,  /* no texture, or one of another type */
  SIMTLAB_FAULT_OTHER
};

struct simtlab_fault {
  enum simtlab_fault_kind kind;
  char kernel[128]; /* the launch's entry as far as known, "name (file.c:12)" */
  unsigned warp;    /* number over all cores; PTX: in its block */
  uint64_t lanes;
  uint64_t pc, address; /* address: of an access, or the number of a CSR */
  bool in_grid;         /* block and thread are known */
  uint32_t block[3], thread[3];
  char file[256]; /* source file of the instruction, or the PTX; "": unknown */
  unsigned line;
  uint64_t buffer, buffer_bytes; /* the buffer that contains the address; 0 bytes: none does */
};

/* Stores the fault that ended the latest launch; returns false if no fault did. The error's text described it. */
bool simtlab_device_last_fault(const simtlab_device *device, struct simtlab_fault *fault);

/* ---- events in batches --------------------------------------------------------------------------------------------
 */

/* Kinds of events: a set. */
enum simtlab_event_kind {
  SIMTLAB_COMMIT_EVENT = 1, /* an instruction has executed */
  SIMTLAB_LOAD_EVENT = 2,
  SIMTLAB_STORE_EVENT = 4,
  SIMTLAB_ATOMIC_EVENT = 8,
  SIMTLAB_ALL_EVENTS = 15
};

/* An executed warp instruction or a memory access, as struct simtlab_commit and struct simtlab_access. */
struct simtlab_event {
  uint64_t cycle, active, pc;
  uint64_t address; /* of an access: of its first active lane */
  uint32_t launch, warp, word;
  int32_t rd;
  uint32_t block[3]; /* coordinates in the grid, on machines that assign blocks to warps */
  uint32_t line;     /* PTX only */
  uint32_t kind;     /* one of enum simtlab_event_kind */
  uint32_t width;    /* of an access: bytes per lane */
};

/* Which events to collect. All members 0: all. */
struct simtlab_filter {
  unsigned kinds; /* a set of enum simtlab_event_kind; 0: all */
  bool one_warp;  /* only those of `warp` */
  unsigned warp;
  uint64_t first_pc, last_pc; /* only those of these instructions; last_pc 0: no upper limit */
  uint64_t every;             /* only the first of each `every` events that the rest of the filter selects; 0: all */
};

/* Lets the device collect events, which is faster than callbacks for callers in other languages. The first call must
 * come before the device gets a program, a module or a buffer: it resets the device. Later calls change the filter and
 * discard collected events. Memory grows with the events of a run: bound it by simtlab_device_run_for or
 * simtlab_device_wait_for. */
enum simtlab_status simtlab_device_collect(simtlab_device *device, const struct simtlab_filter *filter,
                                           struct simtlab_error *error);

/* Stores the address of the events since the last call, which is valid until the next call that changes the device.
 * Returns their number. */
size_t simtlab_device_events(simtlab_device *device, const struct simtlab_event **events);

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* Save a checkpoint between two runs, and restore it. The restoring device needs the same configuration and mode, the
 * same program loaded (PTX: the same modules, in the same order), and the same build of the library. A device for PTX
 * has checkpoints between two launches: buffers, variables, caches, launches and the latest fault. A restore ends the
 * use of mapped memory. SIMTLAB_USAGE: the state cannot be saved, or the checkpoint is of another device, truncated or
 * damaged. A failed restore changes nothing. */
enum simtlab_status simtlab_device_save(const simtlab_device *device, const char *path, struct simtlab_error *error);
enum simtlab_status simtlab_device_restore(simtlab_device *device, const char *path, struct simtlab_error *error);

/* The same in memory, which is faster: nothing is compressed. The caller frees *bytes with free(). */
enum simtlab_status simtlab_device_save_memory(const simtlab_device *device, void **bytes, size_t *size,
                                               struct simtlab_error *error);
enum simtlab_status simtlab_device_restore_memory(simtlab_device *device, const void *bytes, size_t size,
                                                  struct simtlab_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
