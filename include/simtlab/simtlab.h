/* simtlab as a library: RISC-V SIMT GPGPU machines that run real compiled kernels, cycle for cycle.
 *
 * A configuration names a machine and its keys; a program is an ELF file; a device is one machine with one program.
 * Devices share nothing but programs, which are immutable: use as many as you like, each from one thread at a time.
 *
 * Functions that can fail take a struct simtlab_error * (which may be NULL) and return a simtlab_status, or NULL
 * instead of an object. The library never prints, exits or aborts, and has no global state. docs/how-to/library.md
 * shows a whole program.
 *
 * Pointers must not be NULL where nothing says that they may: with one that is, a function returns SIMTLAB_USAGE and
 * names it, or NULL, 0 or false, and does nothing else. Objects are the caller's, who frees them; freeing NULL does
 * nothing. Callbacks may look at their device, free it, which takes effect when the run has returned, and stop it; what
 * would change it otherwise returns SIMTLAB_USAGE.
 *
 * An error leaves objects as they were, but for runs: one that ends with SIMTLAB_FAULT or SIMTLAB_LIMIT has ended where
 * it came to. Without memory a call returns SIMTLAB_INTERNAL; a device whose run did so is only good to be freed.
 * Symbols have versions; the interface of a version is recorded, and only grows while SIMTLAB_VERSION_MAJOR stays. */
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
#define SIMTLAB_VERSION_MINOR 1
#define SIMTLAB_VERSION_PATCH 0

/* The library's version, "0.2.0". */
const char *simtlab_version(void);

enum simtlab_status {
  SIMTLAB_OK = 0,       /* done; of a run: the program has ended by itself */
  SIMTLAB_FAILED = 1,   /* of a launch: the kernel has ended and reported failure */
  SIMTLAB_USAGE = 2,    /* bad configuration, program or file */
  SIMTLAB_FAULT = 3,    /* the program did something the machine cannot do */
  SIMTLAB_LIMIT = 4,    /* the limit of cycles was reached */
  SIMTLAB_PAUSED = 5,   /* of a run: the cycles asked for have passed; no error */
  SIMTLAB_STOPPED = 6,  /* of a run: a callback has ended it by simtlab_device_stop */
  SIMTLAB_INTERNAL = 70 /* a fault of simtlab itself, or no memory */
};

struct simtlab_error {
  enum simtlab_status status;
  char text[1024]; /* a full sentence: what, where, what to try */
};

/* ---- configurations ---------------------------------------------------------------------------------------------- */

typedef struct simtlab_config simtlab_config;

/* Names of the built-in machines; NULL after the last. */
const char *simtlab_machine_name(size_t index);

/* Opens a built-in machine by name, or a YAML file when the name has a '/' or ends in .yaml. */
simtlab_config *simtlab_config_open(const char *name_or_file, struct simtlab_error *error);

/* Sets a key: "lanes=16". */
enum simtlab_status simtlab_config_set(simtlab_config *config, const char *assignment, struct simtlab_error *error);

void simtlab_config_free(simtlab_config *config);

/* ---- programs ---------------------------------------------------------------------------------------------------- */

typedef struct simtlab_program simtlab_program;

/* Reads a 32-bit RISC-V ELF executable from a file, or from memory (`name` stands for the file in messages). */
simtlab_program *simtlab_program_load(const char *path, struct simtlab_error *error);
simtlab_program *simtlab_program_parse(const char *name, const void *bytes, size_t size, struct simtlab_error *error);
void simtlab_program_free(simtlab_program *program);

/* Address of a symbol; false when there is none. */
bool simtlab_program_symbol(const simtlab_program *program, const char *name, uint32_t *address);

/* "kernel+0x1c (file.c:12)", what is known of an address, into text; its length is returned. */
size_t simtlab_program_locate(const simtlab_program *program, uint32_t address, char *text, size_t size);

/* ---- compiling --------------------------------------------------------------------------------------------------- */

/* What simtlab cc does: C, C++, assembly and object files to a program, by the stock cross-compilers. */
struct simtlab_compile {
  const char *const *files; /* NULL-terminated, as the other lists */
  const char *output;
  const char *runtime;                        /* the folder runtime/ of simtlab; NULL: that of $SIMTLAB_HOME */
  const char *const *flags;                   /* for the compiler; NULL: none */
  const char *const *link_flags;              /* for the linker; NULL: none */
  bool vortex;                                /* for Vortex, else for SIMTight and Simty */
  bool fp, rv32e, clang, no_marks, cfm, dmsl; /* as the options of simtlab cc */
  bool auto_marks;                            /* as --marks=auto, which is not the default here; else --marks=user */
  const char *marks_tool;                     /* the program simtlab-marks, for that; NULL: on the path */
  bool vortex64;                              /* for Vortex with 64-bit instruction words, with what follows */
  const char *allocation;                     /* "stock", "unaware", "first-fit" or "cost"; NULL: "cost" */
  unsigned registers, banks;                  /* 16 to 256, 1 to 8; 0: 128 and 4 */
  const char *bank_map;                       /* "modulo", "blocks" or "folded"; NULL: "modulo" */
  const char *saved_registers;                /* of those from 32 on, as "40,48-95" or "none"; NULL: "48-95" */
};

/* What the tools said is left in *log, an empty text if nothing, which the caller frees; log may be NULL. */
enum simtlab_status simtlab_compile(const struct simtlab_compile *compile, char **log, struct simtlab_error *error);

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

/* A warp instruction that was executed. Pointers are valid during the call. */
struct simtlab_commit {
  uint64_t cycle;  /* of the launch, from 0; in fast mode the number of the instruction */
  unsigned launch; /* from 0 */
  unsigned warp;
  uint64_t active; /* lanes, bit i = lane i */
  uint32_t pc, word;
  int rd;                 /* register written, -1 for none */
  const uint32_t *values; /* of rd for each lane, NULL when rd is -1; those of inactive lanes are old */
  unsigned lanes;
};

enum simtlab_access_kind { SIMTLAB_LOAD, SIMTLAB_STORE, SIMTLAB_ATOMIC };

/* A warp's access to memory. */
struct simtlab_access {
  uint64_t cycle;
  unsigned launch, warp;
  uint64_t active;
  uint32_t pc;
  enum simtlab_access_kind kind;
  unsigned width;          /* bytes per lane */
  const uint32_t *address; /* of each lane, as in memory: stacks are interleaved */
  unsigned lanes;
};

struct simtlab_callbacks {
  void *context;                                   /* passed to each */
  int (*console_get)(void *context);               /* next input byte, or -1 at its end; NULL: no input */
  int (*console_put)(void *context, uint8_t byte); /* 0, or -1 to end the run; NULL: output is dropped */
  void (*commit)(void *context, const struct simtlab_commit *commit);
  void (*access)(void *context, const struct simtlab_access *access);
};

/* ---- devices ----------------------------------------------------------------------------------------------------- */

typedef struct simtlab_device simtlab_device;

struct simtlab_options {
  struct simtlab_callbacks callbacks;
  bool fast;           /* functional: no timing */
  uint64_t max_cycles; /* limit; SM cycles and host instructions count; 0: none */
  /* Threads on which a machine of several cores is simulated at most, the caller's among them; 0: one. Results do not
   * depend on it, and callbacks come from the caller's thread. */
  unsigned threads;
  /* Launches are kernels. Where programs launch them themselves, without a host CPU: the whole program as one launch,
   * or each call of the function of this name, which must live until a program has been loaded. */
  bool whole_program;
  const char *region;
};

/* Creates a device; the configuration may be freed afterwards. options may be NULL. */
simtlab_device *simtlab_device_create(const simtlab_config *config, const struct simtlab_options *options,
                                      struct simtlab_error *error);
void simtlab_device_free(simtlab_device *device);

/* Ends the run, from one of its callbacks: it returns SIMTLAB_STOPPED with the reason (NULL: none) as the error's text,
 * and another run goes on. No more callbacks come but of the instruction under way. Without effect between runs. */
void simtlab_device_stop(simtlab_device *device, const char *reason);

/* Loads a program with its arguments, argv[0] being its name; argc may be 0, and argv NULL then. The program must
 * outlive the device. A second one begins on the machine as it was made, with nothing left of the first. */
enum simtlab_status simtlab_device_load(simtlab_device *device, const simtlab_program *program, int argc,
                                        const char *const *argv, struct simtlab_error *error);

/* Runs to the end, or for so many more cycles (SIMTLAB_PAUSED when it has not ended by then). */
enum simtlab_status simtlab_device_run(simtlab_device *device, struct simtlab_error *error);
enum simtlab_status simtlab_device_run_for(simtlab_device *device, uint64_t cycles, struct simtlab_error *error);

/* The ended program's exit status: 0 when its own check passed. */
int simtlab_device_exit_status(const simtlab_device *device);

/* What makes the results doubtful although it is no fault, as a sentence: on Vortex, lanes of a warp that disagreed on
 * a branch which one of them then decided for all. False: nothing does. */
bool simtlab_device_warning(const simtlab_device *device, char *text, size_t size);

/* Kernel launches so far, the one under way included, and the counters of each. */
size_t simtlab_device_launches(const simtlab_device *device);
size_t simtlab_device_counters(const simtlab_device *device);
const char *simtlab_counter_name(const simtlab_device *device, size_t counter);
const char *simtlab_counter_unit(const simtlab_device *device, size_t counter);
uint64_t simtlab_counter_value(const simtlab_device *device, size_t launch, size_t counter);

/* The value of a counter by name, summed over all launches, of a level such as max_vector_registers the greatest; false
 * when there is no such counter. */
bool simtlab_counter_total(const simtlab_device *device, const char *name, uint64_t *value);

/* Shape. */
unsigned simtlab_device_lanes(const simtlab_device *device);
unsigned simtlab_device_warps(const simtlab_device *device);

/* Register 0 to 31 and program counter of a thread; 0 outside the shape. */
uint32_t simtlab_device_register(const simtlab_device *device, unsigned warp, unsigned lane, unsigned reg);
uint32_t simtlab_device_pc(const simtlab_device *device, unsigned warp, unsigned lane);

/* Sets them, between two calls that run the device; a Vortex warp has one program counter for all lanes. SIMTLAB_USAGE:
 * no such thread or register, or an instruction of the thread's warp is under way, so that a later cycle has to do. */
enum simtlab_status simtlab_device_set_register(simtlab_device *device, unsigned warp, unsigned lane, unsigned reg,
                                                uint32_t value, struct simtlab_error *error);
enum simtlab_status simtlab_device_set_pc(simtlab_device *device, unsigned warp, unsigned lane, uint32_t pc,
                                          struct simtlab_error *error);

/* The same of the host CPU. */
uint32_t simtlab_device_host_register(const simtlab_device *device, unsigned reg);
uint32_t simtlab_device_host_pc(const simtlab_device *device);

/* Memory as data. */
void simtlab_device_read(const simtlab_device *device, uint32_t address, void *bytes, size_t size);
void simtlab_device_write(simtlab_device *device, uint32_t address, const void *bytes, size_t size);
uint64_t simtlab_device_memory_hash(const simtlab_device *device);

/* ---- launches without a host program ----------------------------------------------------------------------------- */

/* Loads a program without running it, for its kernels; any number. A program replaces what it overlaps in memory: those
 * at the same addresses take turns, and one whose turn comes again has its variables as in its file. The program must
 * outlive the device. */
enum simtlab_status simtlab_device_add(simtlab_device *device, const simtlab_program *program,
                                       struct simtlab_error *error);

/* A buffer of zeros in device memory, at a multiple of 256; apart from code, stacks, scratchpad and all else that the
 * machine and the programs loaded so far use. */
enum simtlab_status simtlab_device_alloc(simtlab_device *device, uint64_t size, uint32_t *address,
                                         struct simtlab_error *error);
enum simtlab_status simtlab_device_release(simtlab_device *device, uint32_t address, struct simtlab_error *error);

struct simtlab_launch {
  const simtlab_program *program; /* whose kernel; NULL: of the first program that has it */
  const char *kernel;             /* its name; NULL: what is at `entry` */
  uint32_t entry;
  uint32_t grid[3], block[3]; /* blocks, threads of a block; 0 in the second and third dimension counts as 1 */
  uint32_t shared;            /* bytes of shared memory of a block; 0: the resident blocks divide all there is */
  const void *arguments;      /* as a C struct of the kernel's parameters has them; pointers are 32-bit addresses */
  size_t argument_bytes;
};

/* Starts a kernel of runtime/simt.h as the runtime does, with the same counters. SIMTLAB_USAGE: unknown kernel, a grid
 * or block that the machine does not take, arguments of another size. */
enum simtlab_status simtlab_device_start(simtlab_device *device, const struct simtlab_launch *launch,
                                         struct simtlab_error *error);

/* Starts whatever is at an address, on all warps: the argument is what it reads as its closure. */
enum simtlab_status simtlab_device_start_entry(simtlab_device *device, uint32_t entry, uint32_t argument,
                                               unsigned warps_per_block, struct simtlab_error *error);

/* Simulates what was started to its end, or for so many more cycles. SIMTLAB_OK, SIMTLAB_FAILED: it has ended.
 * SIMTLAB_PAUSED: call again. SIMTLAB_FAULT, SIMTLAB_LIMIT: it is over. After all but SIMTLAB_PAUSED the device takes
 * the next launch, with memory as it is. */
enum simtlab_status simtlab_device_wait(simtlab_device *device, struct simtlab_error *error);
enum simtlab_status simtlab_device_wait_for(simtlab_device *device, uint64_t cycles, struct simtlab_error *error);

/* Gives up a launch that has not ended. */
void simtlab_device_abandon(simtlab_device *device);

enum simtlab_fault_kind {
  SIMTLAB_FAULT_INSTRUCTION, /* unknown, or not allowed here */
  SIMTLAB_FAULT_JUMP,        /* to where there is no program */
  SIMTLAB_FAULT_ADDRESS,     /* access where there is no data memory */
  SIMTLAB_FAULT_STACK,       /* a thread's stack has overflowed */
  SIMTLAB_FAULT_MISALIGNED,
  SIMTLAB_FAULT_ATOMIC,      /* on memory that has none */
  SIMTLAB_FAULT_CONVERGENCE, /* marks, splits, joins and branches that do not fit */
  SIMTLAB_FAULT_CSR,
  SIMTLAB_FAULT_SYSTEM,   /* ecall, ebreak */
  SIMTLAB_FAULT_DEADLOCK, /* warps wait for each other */
  SIMTLAB_FAULT_LIVELOCK, /* lanes go round for ever */
  SIMTLAB_FAULT_OTHER
};

struct simtlab_fault {
  enum simtlab_fault_kind kind;
  char kernel[128]; /* "name (file.c:12)", what is known of the launch's entry */
  unsigned warp;    /* counted over all cores */
  uint64_t lanes;
  uint32_t pc, address; /* address: of an access, or a CSR's number */
};

/* The fault that ended the latest launch; false when none did. Its sentence was the error's. */
bool simtlab_device_last_fault(const simtlab_device *device, struct simtlab_fault *fault);

/* ---- PTX ----------------------------------------------------------------------------------------------------------
 */

/* A module of PTX on a GPU that runs it, with memory of its own. */
typedef struct simtlab_ptx simtlab_ptx;

/* Loads a module on a machine "sm7" or one based on it, which must outlive it. fast: without timing. max_cycles: of a
 * launch, without timing of warp instructions; 0: no limit. */
simtlab_ptx *simtlab_ptx_create(const simtlab_config *config, const char *path, bool fast, uint64_t max_cycles,
                                struct simtlab_error *error);
void simtlab_ptx_free(simtlab_ptx *ptx);

/* A buffer of zeros in global memory, at a multiple of 256. */
enum simtlab_status simtlab_ptx_alloc(simtlab_ptx *ptx, uint64_t size, uint64_t *address, struct simtlab_error *error);

/* A variable that the module has in global memory; false when there is none of that name. */
bool simtlab_ptx_variable(const simtlab_ptx *ptx, const char *name, uint64_t *address, uint64_t *size);

/* Copies to and from global memory; what is written is in L2 when the next kernel starts. SIMTLAB_USAGE: not all of it
 * is in buffers or variables. */
enum simtlab_status simtlab_ptx_write(simtlab_ptx *ptx, uint64_t address, const void *bytes, size_t size,
                                      struct simtlab_error *error);
enum simtlab_status simtlab_ptx_read(const simtlab_ptx *ptx, uint64_t address, void *bytes, size_t size,
                                     struct simtlab_error *error);

struct simtlab_ptx_launch {
  const char *kernel;
  uint32_t grid[3], block[3]; /* blocks, threads of a block; 0 in the second and third dimension counts as 1 */
  uint32_t shared;            /* bytes of dynamic shared memory of a block */
  uint32_t registers;         /* of a thread, for occupancy; 0: an estimate */
  const void *arguments;      /* as a C struct of the kernel's parameters has them; pointers are 64-bit addresses */
  size_t argument_bytes;
};

/* A warp instruction that a kernel has executed. Pointers are valid during the call. */
struct simtlab_ptx_commit {
  uint64_t cycle; /* of the launch, from 0; in fast mode the number of the instruction */
  const char *kernel;
  uint32_t block[3];       /* its place in the grid */
  unsigned warp;           /* of the block */
  uint32_t active;         /* lanes whose guard holds, bit i = lane i */
  unsigned line;           /* of the module's text */
  unsigned width;          /* of an access to memory: bytes per lane; 0: it is none */
  const uint64_t *address; /* of each active lane, in its space; NULL: no access */
};

/* Tells of each from now on; NULL: no longer. The function must not use the module but to stop it. */
void simtlab_ptx_listen(simtlab_ptx *ptx, void (*commit)(void *context, const struct simtlab_ptx_commit *commit),
                        void *context);

/* Ends the run, from the function that listens: it returns SIMTLAB_STOPPED with the reason (NULL: none) as the error's
 * text. Nothing more is told; up to some thousand cycles of the kernel may have passed. Without effect between runs. */
void simtlab_ptx_stop(simtlab_ptx *ptx, const char *reason);

/* Runs a kernel to its end. SIMTLAB_USAGE: unknown kernel, a block or arguments of a size that is not its own. */
enum simtlab_status simtlab_ptx_run(simtlab_ptx *ptx, const struct simtlab_ptx_launch *launch,
                                    struct simtlab_error *error);

/* The value of a counter by name, summed over all launches; false when there is no such counter. */
bool simtlab_ptx_counter(const simtlab_ptx *ptx, const char *name, uint64_t *value);

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* A checkpoint between two runs, and its continuation: in a device of the same configuration with the same program
 * loaded, of the same build of the library. */
enum simtlab_status simtlab_device_save(const simtlab_device *device, const char *path, struct simtlab_error *error);
enum simtlab_status simtlab_device_restore(simtlab_device *device, const char *path, struct simtlab_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
