/* What a kind of GPU implements (device/gpu_ptx.c, device/gpu_riscv.c). The functions are those of device/gpu.h,
 * without their common checks. */
#ifndef SL_DEVICE_GPU_KIND_H
#define SL_DEVICE_GPU_KIND_H

#include "base/schema.h"
#include "device/gpu.h"

struct sl_gpu_kind {
  enum sl_status (*open)(struct sl_gpu *gpu, struct sl_error *err);
  void (*close)(struct sl_gpu *gpu);
  struct sl_gpu_facts (*facts)(const struct sl_gpu *gpu);

  enum sl_status (*load)(struct sl_gpu *gpu, struct sl_gpu_module *module, const void *bytes, size_t size,
                         struct sl_error *err);
  void (*unload)(struct sl_gpu_module *module);
  bool (*kernel)(const struct sl_gpu_module *module, const char *name, struct sl_gpu_kernel *kernel);
  bool (*symbol)(const struct sl_gpu_module *module, const char *name, struct sl_gpu_symbol *symbol);

  enum sl_status (*alloc)(struct sl_gpu *gpu, uint64_t bytes, uint64_t *address, struct sl_error *err);
  enum sl_status (*place)(struct sl_gpu *gpu, uint64_t address, uint64_t bytes, struct sl_error *err);
  enum sl_status (*release)(struct sl_gpu *gpu, uint64_t address, struct sl_error *err);
  const struct sl_range *(*buffer)(const struct sl_gpu *gpu, uint64_t address); /* at the address, or near it */
  const struct sl_allocator *(*buffers)(const struct sl_gpu *gpu);
  /* Whether a range is all in memory that the host may access. */
  bool (*mapped)(const struct sl_gpu *gpu, enum sl_gpu_space space, uint64_t address, uint64_t size);
  /* `from_host`: not of a fill, nor from another address of the GPU. */
  void (*write)(struct sl_gpu *gpu, enum sl_gpu_space space, uint64_t address, const void *bytes, size_t size,
                bool from_host);
  void (*read)(const struct sl_gpu *gpu, enum sl_gpu_space space, uint64_t address, void *bytes, size_t size);
  const uint8_t *(*map)(struct sl_gpu *gpu, uint64_t address, size_t *size);
  enum sl_status (*bind_texture)(struct sl_gpu *gpu, const struct sl_gpu_module *module, const char *name,
                                 const struct sl_ptx_texture *texture, struct sl_error *err);

  enum sl_status (*check)(const struct sl_gpu *gpu, const struct sl_gpu_launch *launch, struct sl_error *err);
  /* `record` is zero except for kernel, grid and block. */
  enum sl_status (*begin)(struct sl_gpu *gpu, const struct sl_gpu_launch *launch, struct sl_gpu_record *record,
                          struct sl_error *err);
  /* Fills in the record when the launch ends. */
  enum sl_status (*advance)(struct sl_gpu *gpu, uint64_t cycles, struct sl_gpu_record *record, struct sl_error *err);
  bool (*under_way)(const struct sl_gpu *gpu); /* a launch that has stopped can resume */
  void (*abandon)(struct sl_gpu *gpu, struct sl_gpu_record *record);
  void (*fault)(const struct sl_gpu *gpu, struct sl_gpu_fault *fault); /* all but kernel, text and buffer */
  uint64_t (*elapsed)(const struct sl_gpu *gpu);                       /* of the current launch */
  const struct sl_sampled *(*sampled)(const struct sl_gpu *gpu);       /* NULL: the kind does not sample */
};

enum { SL_GPU_CHECKED_GAP = 4096 /* bytes that stay free after a buffer of a checked GPU for machine code */ };

struct sl_gpu_module {
  struct sl_gpu *gpu;
  char name[512];
  struct sl_gpu_module *next;
  struct sl_ptx_module *ptx;        /* PTX */
  uint64_t hash;                    /* of its text */
  const struct sl_program *program; /* machine code */
  struct sl_program *owned;         /* the same, if the GPU owns it */
};

struct sl_gpu {
  const struct sl_gpu_kind *kind;
  const struct sl_config *config;
  struct sl_gpu_options options;
  struct sl_gpu_module *modules, **last; /* in the order of loading */
  bool busy;
  struct sl_gpu_record *record; /* of launches that are not forgotten; the current one is the last */
  size_t count, room;
  uint64_t launches; /* number of all */
  /* Of all launches before the current one. */
  uint64_t total[SL_MAX_COUNTERS];
  uint64_t elapsed;
  double seconds;
  uint64_t picoseconds;              /* of the latest launch that has ended */
  struct sl_launch_sampler *sampler; /* NULL: every launch is timed */
  bool chosen;                       /* whether the next launch is timed has been chosen */
  bool warms;                        /* the current launch has no timing, and L2 sees its accesses */
  double predicted;                  /* cycles of the latest launch; 0: it was timed */
  struct sl_sampled sampled;         /* after it has been settled */
  struct sl_gpu_fault fault;
  void *state; /* of the kind */
};

extern const struct sl_gpu_kind sl_gpu_ptx, sl_gpu_riscv;

/* What only GPUs for PTX have: checkpoints in the middle of a launch. The next launch resumes from the archive, up to
 * its end; the cycles are of the timed engine over all finished launches. */
void sl_gpu_ptx_resume_from(struct sl_gpu *gpu, struct sl_archive *archive);
struct sl_ptx_memory *sl_gpu_ptx_memory(struct sl_gpu *gpu);
uint64_t *sl_gpu_ptx_cycles(struct sl_gpu *gpu);

/* The engine of a GPU for PTX, to take a restored state; NULL: it has no timing. */
struct sl_sm7_engine;
struct sl_sm7_engine *sl_gpu_ptx_timed(struct sl_gpu *gpu);

/* The current launch begins again, as it was when the engine had executed these cycles; call sl_gpu_ptx_resume_from. */
void sl_gpu_ptx_rewind(struct sl_gpu *gpu, uint64_t cycles);

/* The limits of grids and blocks of PTX. */
enum {
  SL_GPU_PTX_THREADS = 1024,
  SL_GPU_PTX_SHARED = 96 * 1024,
  SL_GPU_PTX_X = INT32_MAX,
  SL_GPU_PTX_YZ = 65535,
  SL_GPU_PTX_BLOCK_Z = 64
};
struct sl_gpu_facts sl_gpu_ptx_facts(const struct sl_gpu *gpu, const struct sl_allocator *buffers);

/* Whether a kernel takes blocks of this size, and needs no linear registers. */
enum sl_status sl_gpu_check_ptx_kernel(const struct sl_ptx_module *module, const struct sl_ptx_function *kernel,
                                       const uint32_t block[3], struct sl_error *err);

/* What occupancy depends on, and the blocks on an SM, of a launch of PTX. */
void sl_gpu_describe_ptx(const struct sl_gpu *gpu, const struct sl_ptx_launch *launch, struct sl_gpu_record *record);

/* For debuggers: the current launch. The functional grid (NULL: none), and, with timing, a warp by its number over all
 * SMs, a counter since the launch began, and the queues and units of that warp's SM. Returns their number. */
struct sl_gpu_ptx_warp {
  const char *wait; /* a part of a sentence: "waits at a barrier" */
  unsigned sm, warp;
  unsigned results, stores, atomics; /* outstanding */
};
const struct sl_ptx_grid *sl_gpu_ptx_grid(const struct sl_gpu *gpu);
struct sl_gpu_ptx_warp sl_gpu_ptx_warp(const struct sl_gpu *gpu, unsigned number);
uint64_t sl_gpu_ptx_counter(const struct sl_gpu *gpu, size_t counter);
unsigned sl_gpu_ptx_holdings(const struct sl_gpu *gpu, unsigned number, struct sl_holding holding[SL_HOLDINGS]);

/* The engine of a GPU for PTX with timing. */
const struct sl_sm7_engine *sl_gpu_ptx_engine(const struct sl_gpu *gpu);

/* Describes the fault of a launch of PTX. */
void sl_gpu_describe_ptx_fault(const struct sl_ptx_launch *launch, const struct sl_ptx_fault *own,
                               struct sl_gpu_fault *f);

/* Allocates a buffer at a given address. */
enum sl_status sl_gpu_place(struct sl_gpu *gpu, uint64_t address, uint64_t bytes, struct sl_error *err);

/* All buffers, and what programs reserve. */
const struct sl_allocator *sl_gpu_buffers(const struct sl_gpu *gpu);

/* Chooses whether the next launches of a GPU for machine code execute without timing. */
void sl_gpu_riscv_choose_fast(struct sl_gpu *gpu, bool fast);

/* The records of a GPU's launches, and their totals. */

/* Appends the record of a launch that begins; NULL: out of memory. */
struct sl_gpu_record *sl_gpu_record_begin(struct sl_gpu *gpu, const struct sl_gpu_launch *launch);

/* The current launch has ended, and counts in the totals from now on. */
void sl_gpu_record_end(struct sl_gpu *gpu, enum sl_status code);

/* Serialises the records of a GPU for PTX before the current launch, and the cycles of its engine. A restore needs a
 * GPU without launches. */
void sl_gpu_records_archive(struct sl_archive *archive, struct sl_gpu *gpu, uint64_t *cycles);

/* The same between two launches: all that the GPU knows of its launches. A restore replaces `record` without freeing
 * it, also if it fails: the caller frees both. */
void sl_gpu_past_archive(struct sl_archive *archive, struct sl_gpu *gpu);

#endif
