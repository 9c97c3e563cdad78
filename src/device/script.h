/* Launch scripts: a text file that names the module, the buffers, the launches, and the results to check.
 * docs/how-to/ptx.md describes the statements. The parser checks everything that does not need the module; the player
 * below performs a script. */
#ifndef SL_DEVICE_SCRIPT_H
#define SL_DEVICE_SCRIPT_H

#include "base/error.h"
#include "base/schema.h"
#include "base/types.h"
#include "device/checkpoint.h"
#include "device/gpu.h"
#include "ptx/ptx.h"
#include "ptx/run/ptx_memory.h"

/* Initial contents of buffers, and their checksums. */

enum sl_script_fill_kind {
  SL_SCRIPT_FILL_ZERO,
  SL_SCRIPT_FILL_IOTA,  /* words 0, 1, 2, ... */
  SL_SCRIPT_FILL_RAMP,  /* words FIRST, FIRST + 1, ..., limited to 0 to LAST */
  SL_SCRIPT_FILL_CONST, /* a constant in each word */
  SL_SCRIPT_FILL_RANDU, /* random words below a modulus */
  SL_SCRIPT_FILL_RANDF, /* random f32 in [0, 1) in steps of 2^-16 */
  SL_SCRIPT_FILL_CSR,   /* running sums of random numbers: row offsets of a sparse matrix */
  SL_SCRIPT_FILL_FILE
};

struct sl_script_fill {
  enum sl_script_fill_kind kind;
  uint64_t value, seed; /* value: the constant, the first word, the modulus, the average; seed: or the last word */
  char path[512];
};

/* Fills `bytes` at `to`; they must be zero before. */
enum sl_status sl_script_fill(const struct sl_script_fill *fill, uint8_t *to, uint64_t bytes, struct sl_error *err);

/* Takes an option of the statement texture. False: there is no such option. */
bool sl_script_texture_option(struct sl_ptx_texture *texture, const char *word);

/* The offset in its buffer at which a texture ends. */
uint64_t sl_script_texture_end(const struct sl_ptx_texture *texture);

/* 64-bit FNV-1a with the offset basis 1469598103934665603, as for the recorded sums in reference/ptx. */
uint64_t sl_script_sum(const uint8_t *bytes, uint64_t count);

enum { SL_SCRIPT_NAME = 8192, SL_SCRIPT_PATH = 512, SL_SCRIPT_ARGUMENTS = 256 };

enum sl_script_step_kind {
  SL_SCRIPT_STEP_BUFFER,
  SL_SCRIPT_STEP_VARIABLE,
  SL_SCRIPT_STEP_MEMSET,
  SL_SCRIPT_STEP_LAUNCH,
  SL_SCRIPT_STEP_TEXTURE,
  SL_SCRIPT_STEP_SUM,
  SL_SCRIPT_STEP_EXPECT,
  SL_SCRIPT_STEP_DUMP
};

struct sl_script_argument {
  enum sl_ptx_type type; /* NO_TYPE: the address of a buffer plus `bits` */
  uint32_t buffer;       /* number of its step */
  uint64_t bits;
  uint32_t column;
  unsigned parameter; /* the parameter's index */
  bool member;        /* a member of a struct parameter */
  uint8_t *packed;    /* the whole parameter, `size` bytes; NULL: `bits` */
  uint32_t size;
};

struct sl_script_step {
  enum sl_script_step_kind kind;
  uint32_t line;
  char name[SL_SCRIPT_NAME]; /* of the buffer, the kernel, or a variable */
  uint32_t buffer;           /* number of the step that created the buffer; number of a variable's module */
  uint64_t bytes;            /* of a buffer; shared memory of a launch */
  uint64_t address;          /* of a buffer; 0: the next one */
  uint64_t value;            /* of memset, of expect */
  struct sl_script_fill fill;
  char path[SL_SCRIPT_PATH];     /* of dump */
  struct sl_ptx_texture texture; /* its address is the offset in its buffer */
  uint32_t grid[3], block[3];
  uint32_t regs; /* of a launch: registers per thread; 0: estimated */
  struct sl_script_argument *arguments;
  unsigned argument_count, parameter_count;
};

struct sl_script {
  char path[SL_SCRIPT_PATH];
  char module[SL_SCRIPT_PATH];     /* of the launches; relative to the script's folder, like all its paths */
  bool elf;                        /* a machine-code program */
  char (*modules)[SL_SCRIPT_PATH]; /* all modules, in the order of loading; modules[main] is `module` */
  unsigned module_count, main;
  struct sl_script_step *steps;
  unsigned step_count;
};

/* Whether a file name is that of a launch script. */
bool sl_is_script(const char *path);

/* On failure the message begins with path:line:column. */
enum sl_status sl_script_parse(struct sl_script *script, const char *text, size_t length, const char *path,
                               struct sl_error *err);
enum sl_status sl_script_load(struct sl_script *script, const char *path, struct sl_error *err);
void sl_script_free(struct sl_script *script);

/* Performs the statements of a launch script on a GPU: loads the module, creates and fills buffers, launches kernels,
 * and reports or compares checksums. */

struct sl_script_player;

/* Observer of a script's execution. Functions may be NULL. */
struct sl_script_observer {
  /* Called before the first step; its argument stays valid until the script ends. Not SL_OK: the script ends. */
  enum sl_status (*begun)(void *context, struct sl_script_player *player, struct sl_error *err);
  void (*summed)(void *context, const char *buffer, uint64_t sum);
  void *context;
};

/* Performs the steps in order. `module`: the script's, if it is loaded already; NULL: load it. SL_CHECK_FAILED: a
 * checksum differs from the expected one. Errors of a step begin with path:line. */
enum sl_status sl_script_perform(const struct sl_script *script, struct sl_gpu *gpu, struct sl_gpu_module *module,
                                 const struct sl_script_observer *observer, struct sl_error *err);

/* Loads a script of PTX and performs it on the machine sm7 with another engine, without timing. */
enum sl_status sl_script_analyse(const char *path, const struct sl_ptx_engine *engine, struct sl_error *err);

/* Checkpoints of scripts of PTX: the finished launches, the current step, memory, and the current launch
 * (device/checkpoint.h). All are read and validated before the launch resumes. */

/* The state of a script during a launch; `text` is stored for the caller. */
struct sl_script_moment {
  struct sl_gpu *gpu;
  struct sl_script_player *player;
  uint64_t program; /* sl_script_hash */
  char *text;
};

/* Hashes a script, its module, and a given number of registers per thread. */
enum sl_status sl_script_hash(const struct sl_script *script, uint32_t registers, uint64_t *program,
                              struct sl_error *err);

enum sl_status sl_script_save(const struct sl_script_moment *moment, const struct sl_ptx_under_way *launch,
                              const char *path, struct sl_error *err);

/* The same to memory; the caller frees *bytes. */
enum sl_status sl_script_save_bytes(const struct sl_script_moment *moment, const struct sl_ptx_under_way *launch,
                                    void **bytes, size_t *size, struct sl_error *err);

/* The restored state from which a script resumes; it must live as long as the script runs. */
struct sl_script_restored {
  struct sl_checkpoint file;
  struct sl_archive archive;
};

/* Restores before the first step. It fills in the text, which the caller frees; the rest of the archive belongs to the
 * launch. Call sl_script_restored_free in any case. */
enum sl_status sl_script_restore(struct sl_script_restored *restored, struct sl_script_moment *moment, const char *path,
                                 struct sl_error *err);
/* The same from memory that sl_script_save_bytes has filled, for the same script and configuration; the bytes must live
 * as long as the launch. */
enum sl_status sl_script_restore_bytes(struct sl_script_restored *restored, struct sl_script_moment *moment,
                                       const void *bytes, size_t size, struct sl_error *err);
void sl_script_restored_free(struct sl_script_restored *restored);

#endif
