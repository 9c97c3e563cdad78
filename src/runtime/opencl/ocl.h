/* OpenCL 1.2 on simulated GPUs, behind the loader of installable clients: objects, and what the functions of the
 * interface share.
 *
 * A process has one platform with a device for each machine of SIMTLAB_OPENCL_MACHINE. One lock guards all objects. A
 * thread that uses a device's GPU marks the device busy and releases the lock, so that other threads go on; callbacks
 * run without the lock, at the end of the call that has caused them. A command executes as soon as it is ready, in the
 * thread that makes it so (ocl_schedule.c).
 *
 * Source: The OpenCL Specification 1.2, revision 19; cl_khr_icd. */
#ifndef SL_OPENCL_OCL_H
#define SL_OPENCL_OCL_H

#include <stdint.h>

#include "compiler/cc/tools.h"

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include "host/host_device.h"

enum { OCL_DEVICES = 16, OCL_VENDOR = 0x53494d54, OCL_CONSTANT_BYTES = 64 * 1024, OCL_PARAMETER_BYTES = 4352 };
enum { OCL_ALIGNMENT = 128 /* bytes: of sub-buffers, and of parts of local memory */ };

enum ocl_kind { OCL_CONTEXT = 0x4f434c01, OCL_QUEUE, OCL_MEM, OCL_PROGRAM, OCL_KERNEL, OCL_EVENT, OCL_SAMPLER };

/* Each object begins with the functions that the loader calls. */
struct ocl_object {
  const cl_icd_dispatch *dispatch;
  enum ocl_kind kind;
  unsigned references;
};

struct _cl_platform_id {
  const cl_icd_dispatch *dispatch;
};

struct ocl_module;

struct _cl_device_id {
  const cl_icd_dispatch *dispatch;
  unsigned number;
  struct sl_host_device host;
  bool opened, failed; /* the GPU is opened by the first context */
  bool busy;           /* a thread uses the GPU without the lock */
  char name[SL_HOST_TEXT];
  struct ocl_module *modules; /* that the GPU has loaded */
  uint64_t print_buffer;      /* of machines with RISC-V instructions; 0: none yet */
};

struct _cl_context {
  struct ocl_object object;
  cl_device_id *devices;
  cl_uint device_count;
  cl_context_properties *properties; /* NULL: none were given */
  size_t property_count;
  void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
  void *user;
};

struct ocl_command;

struct _cl_command_queue {
  struct ocl_object object;
  cl_command_queue next; /* of all */
  cl_context context;
  cl_device_id device;
  cl_command_queue_properties properties;
  struct sl_queue *kernels, *copies; /* of simulated time; the same if commands run in order */
  struct ocl_command *first, **last; /* that have not ended */
  cl_event barrier;                  /* the last barrier of a queue without order; NULL: none */
  bool failed;                       /* a command has failed since the host has waited */
};

struct ocl_callback; /* ocl_queue.c */

struct _cl_event {
  struct ocl_object object;
  cl_context context;
  cl_command_queue queue; /* NULL: a user event */
  cl_command_type type;
  cl_int status;
  struct sl_event *time;                  /* of its last part; NULL: none */
  uint64_t queued, submitted, start, end; /* picoseconds */
  struct ocl_callback *callbacks;
};

/* A memory object's place on a device. */
struct ocl_place {
  uint64_t address;    /* 0: none */
  uint64_t descriptor; /* of an image; 0: none */
  bool valid;          /* the contents are current */
};

struct ocl_mapping {
  struct ocl_mapping *next;
  void *pointer;
  cl_map_flags flags;
  size_t origin[3], region[3]; /* in bytes, rows, slices */
};

struct ocl_destructor {
  struct ocl_destructor *next;
  void(CL_CALLBACK *function)(cl_mem, void *);
  void *user;
};

struct _cl_mem {
  struct ocl_object object;
  cl_context context;
  cl_mem_object_type type;
  cl_mem_flags flags;
  size_t size;
  void *host;       /* of the program, for CL_MEM_USE_HOST_PTR */
  cl_mem parent;    /* of a sub-buffer, and of an image in a buffer */
  size_t origin;    /* in the parent */
  void *shadow;     /* mapped memory */
  size_t map_count; /* maps that are not undone */
  struct ocl_mapping *mappings;
  struct ocl_destructor *destructors;
  struct ocl_place places[OCL_DEVICES];
  /* Images: texels and layers, 1 for dimensions that there are not. The device's rows follow each other. */
  cl_image_format format;
  cl_image_desc desc;
  size_t extent[3], texel;
  size_t host_row, host_slice; /* of mapped memory */
};

struct _cl_sampler {
  struct ocl_object object;
  cl_context context;
  cl_bool normalised;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
};

/* ---- programs ---------------------------------------------------------------------------------------------------- */

enum ocl_argument_kind { OCL_VALUE, OCL_GLOBAL, OCL_CONSTANT, OCL_LOCAL, OCL_IMAGE, OCL_SAMPLED };

struct ocl_argument_info {
  enum ocl_argument_kind kind;
  cl_kernel_arg_access_qualifier access;
  cl_kernel_arg_type_qualifier qualifiers;
  char *type, *name;
};

struct ocl_kernel_info {
  char *name;
  size_t required[3]; /* work-group size; 0: any */
  char *attributes;
  struct ocl_argument_info *arguments;
  unsigned argument_count;
  struct sl_gpu_kernel *layout; /* of machine code; NULL: the module knows it */
};

/* What a compilation has made. It is shared by programs of equal sources. */
struct ocl_code {
  unsigned references;
  cl_program_binary_type type;
  char *text;      /* PTX, or LLVM's representation of an object or library */
  char *described; /* lines of sl_ocl_metadata, from which `kernels` are read */
  size_t bytes;
  char *source; /* of the program that made it; NULL: from a binary, or linked */
  struct ocl_kernel_info *kernels;
  size_t kernel_count;
  unsigned constants; /* most __constant arguments of a kernel */
};

/* A module on a device. Its .const variable for the contents of __constant arguments has `room` bytes. */
struct ocl_module {
  struct ocl_module *next;
  struct ocl_code *code;
  uint64_t room;
  struct sl_gpu_module *loaded;
};

struct ocl_build {
  cl_build_status status;
  char *options, *log;
  struct ocl_code *code; /* NULL: none */
};

struct _cl_program {
  struct ocl_object object;
  cl_context context;
  char *source; /* NULL: none */
  cl_device_id *devices;
  cl_uint device_count;
  struct ocl_build *builds;
  unsigned kernels; /* objects of this program */
  bool building;
};

struct ocl_argument {
  bool set;
  size_t size; /* of a value; of local memory */
  uint8_t *value;
  cl_mem mem;
  cl_sampler sampler;
};

struct _cl_kernel {
  struct ocl_object object;
  cl_program program;
  struct ocl_code *code;
  const struct ocl_kernel_info *info;
  struct ocl_argument *arguments;
  struct sl_gpu_kernel *layout; /* sizes of parameters: the same on all devices */
};

/* ---- commands ---------------------------------------------------------------------------------------------------- */

struct ocl_launch; /* ocl_launch.c */

/* Bytes of a box: a first byte, and distances of rows and slices. */
struct ocl_box {
  uint64_t offset;
  size_t row, slice;
};

struct ocl_command {
  struct ocl_command *next;
  cl_command_queue queue;
  cl_event event;
  cl_event *waits;
  cl_uint wait_count;
  bool running, is_barrier;
  bool waits_for_all; /* commands before it in its queue, also without order */
  /* Performs the command, without the lock and with the device busy. Another status than SL_OK: it has failed. */
  enum sl_status (*perform)(struct ocl_command *command, struct sl_error *err);
  enum sl_command_kind timing; /* whose simulated time it takes; a marker: none */
  uint64_t bytes;              /* for that time */
  cl_mem from, to;             /* NULL: the host */
  struct ocl_box from_box, to_box;
  size_t region[3]; /* bytes, rows, slices */
  uint8_t *host;
  uint8_t pattern[128];
  size_t width; /* of the pattern */
  struct ocl_mapping *mapping;
  struct ocl_launch *launch;
  const struct ocl_module *module; /* of the launch */
  cl_mem *used;                    /* memory objects that the command uses besides */
  size_t used_count;
};

/* ---- functions that files share ---------------------------------------------------------------------------------- */

/* ocl_runtime.c: the lock, devices, messages. */
extern const cl_icd_dispatch sl_ocl_dispatch;
void sl_ocl_enter(void);
cl_int sl_ocl_leave(const char *function, cl_int error);
void sl_ocl_lock(void);
void sl_ocl_unlock(void);
void sl_ocl_wait(void);    /* until another thread has changed something */
void sl_ocl_changed(void); /* something that another thread may wait for */
cl_platform_id sl_ocl_platform(void);
cl_uint sl_ocl_devices(cl_device_id **devices);
cl_command_queue *sl_ocl_queues(void);
const struct sl_host_options *sl_ocl_options(void);
cl_int sl_ocl_open(cl_device_id device);
/* Marks a device busy, once no other thread uses it, and releases the lock; and back. */
void sl_ocl_take(cl_device_id device);
void sl_ocl_give(cl_device_id device);
void sl_ocl_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A sentence for the context's callback and the log. */
void sl_ocl_notify(cl_context context, const char *sentence);
/* Calls `function` at the end of the current call. It frees `user`. */
void sl_ocl_later(void (*function)(void *user), void *user);
bool sl_ocl_is(const void *object, enum ocl_kind kind);
void *sl_ocl_new(size_t size, enum ocl_kind kind);
/* Answers a query with `size` bytes. */
cl_int sl_ocl_answer(const void *bytes, size_t size, size_t room, void *value, size_t *needed);

#define OCL_CALL(expression)                                                                                           \
  do {                                                                                                                 \
    sl_ocl_enter();                                                                                                    \
    return sl_ocl_leave(__func__, expression);                                                                         \
  } while (0)
/* The body of a function that makes an object; the expression stores its error in `made`. */
#define OCL_MAKE(type, expression)                                                                                     \
  do {                                                                                                                 \
    cl_int made = CL_SUCCESS;                                                                                          \
    sl_ocl_enter();                                                                                                    \
    type const object_ = expression;                                                                                   \
    sl_ocl_leave(__func__, made);                                                                                      \
    if (error != NULL)                                                                                                 \
      *error = made;                                                                                                   \
    return object_;                                                                                                    \
  } while (0)
/* A query: `parameter` is answered from a variable of its type. */
#define OCL_ANSWER(type, ...)                                                                                          \
  do {                                                                                                                 \
    const type answer_ = __VA_ARGS__;                                                                                  \
    return sl_ocl_answer(&answer_, sizeof answer_, room, value, needed);                                               \
  } while (0)
#define OCL_ANSWER_TEXT(text)                                                                                          \
  do {                                                                                                                 \
    const char *const answer_ = text;                                                                                  \
    return sl_ocl_answer(answer_, strlen(answer_) + 1, room, value, needed);                                           \
  } while (0)

/* ocl_platform.c, ocl_queue.c, ocl_memory.c, ... : references. */
void sl_ocl_release_context(cl_context context);
void sl_ocl_release_queue(cl_command_queue queue);
void sl_ocl_release_mem(cl_mem mem);
void sl_ocl_release_program(cl_program program);
void sl_ocl_release_kernel(cl_kernel kernel);
void sl_ocl_release_event(cl_event event);
void sl_ocl_release_sampler(cl_sampler sampler);
bool sl_ocl_has_device(cl_context context, cl_device_id device);
bool sl_ocl_has_images(cl_context context); /* a device of it has: only those for PTX do */

/* ocl_queue.c */
cl_event sl_ocl_new_event(cl_context context, cl_command_queue queue, cl_command_type type);
void sl_ocl_set_status(cl_event event, cl_int status);

/* ocl_schedule.c: checks a command's queue and events; adds the command and executes what is ready. */
cl_int sl_ocl_check_waits(cl_context context, cl_uint count, const cl_event *waits);
struct ocl_command *sl_ocl_new_command(cl_command_queue queue, cl_command_type type, cl_uint count,
                                       const cl_event *waits);
cl_int sl_ocl_add(struct ocl_command *command, bool blocking, cl_event *event);
void sl_ocl_free_command(struct ocl_command *command);
void sl_ocl_run_ready(void);
void sl_ocl_wait_for(cl_event event);

/* ocl_memory.c */
cl_int sl_ocl_check_mem(cl_mem mem, cl_context context);
cl_mem sl_ocl_root(cl_mem mem, size_t *origin);
bool sl_ocl_overlaps_misaligned(cl_mem mem, cl_device_id device);
cl_mem sl_ocl_new_mem(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size, void *host,
                      cl_int *error);
cl_int sl_ocl_check_flags(cl_mem_flags flags, const void *host);
/* Gives a memory object current contents on a device; with the lock, and no device taken. */
enum sl_status sl_ocl_prepare(cl_mem mem, cl_device_id device, struct sl_error *err);
uint64_t sl_ocl_address(cl_mem mem, cl_device_id device);
void sl_ocl_written(cl_mem mem, cl_device_id device);
void *sl_ocl_shadow(cl_mem mem);

/* ocl_transfer.c: moves a command's box. */
enum sl_status sl_ocl_move(struct ocl_command *command, struct sl_error *err);

/* ocl_image.c */
bool sl_ocl_is_image(cl_mem mem);

void sl_ocl_describe_image(cl_mem image, cl_device_id device, void *to, size_t size);
bool sl_ocl_image_region(cl_mem image, const size_t *origin, const size_t *region, size_t to_origin[3],
                         size_t to_region[3]);

/* ocl_program.c, ocl_code.c, ocl_compile.c, ocl_cache.c */
void sl_ocl_release_code(struct ocl_code *code);
struct ocl_module *sl_ocl_load(cl_device_id device, struct ocl_code *code, uint64_t room, struct sl_error *err);
struct ocl_build *sl_ocl_build_of(cl_program program, cl_device_id device);

/* ocl_kernel.c */
unsigned sl_ocl_max_group(cl_device_id device, const struct sl_gpu_kernel *kernel, uint64_t local);
size_t sl_ocl_local_bytes(cl_kernel kernel);

/* ocl_launch.c */
void sl_ocl_free_launch(struct ocl_launch *launch);
enum sl_status sl_ocl_prepare_launch(struct ocl_command *command, struct sl_error *err);
enum sl_status sl_ocl_perform_launch(struct ocl_command *command, struct sl_event *const *waits, size_t count,
                                     struct sl_error *err);

/* ocl_code.c: descriptions of kernels, program binaries, and modules on devices. */
#define OCL_CONSTANTS "simtlab_constants" /* variable of a module for the contents of __constant arguments */
#define OCL_RANGE "simtlab_range"

/* Code from a text and the lines of sl_ocl_metadata; NULL: no memory, or the lines are wrong. */
struct ocl_code *sl_ocl_new_code(cl_program_binary_type type, const char *text, size_t bytes, const char *described);

/* A program binary, which the caller frees; NULL: no memory. Code of a binary; NULL: it is none of this version. */
void *sl_ocl_binary(const struct ocl_code *code, size_t *size);
struct ocl_code *sl_ocl_from_binary(const void *binary, size_t size);

/* ---- what the device library shares with the host (runtime/opencl/device.h) -------------------------------------- */

/* The variable of this name in constant memory of a module that needs it. */
struct simtlab_range {
  uint32_t dimensions, unused;
  uint64_t offset[3]; /* of global ids */
  uint64_t base[3];   /* first group of a part of the range */
  uint64_t groups[3]; /* of the whole range */
};

/* An image argument is the address of this in global memory. */
struct simtlab_image {
  uint64_t data; /* address of the texels */
  uint32_t width, height, depth, order, type, texel;
  uint64_t row, slice; /* bytes */
};

/* Compiles OpenCL C to PTX by Clang, with the device library (runtime/opencl), or to LLVM's representation, which is
 * linked later. Needs no lock. */

/* Build options of OpenCL C as options of Clang. */
struct ocl_options {
  struct sl_words flags; /* of Clang */
  const char *family;    /* of machines with RISC-V instructions (ocl.h); NULL: PTX */
  bool no_float;         /* these machines have no floating-point unit */
  bool optimised;
  bool library, strict; /* -create-library, -enable-link-options; warnings are errors */
};

/* Reads a text of options. `linker`: those of clLinkProgram are allowed, too. Options without effect are named in the
 * log. SL_USAGE: an option is wrong; the log says which. */
enum sl_status sl_ocl_options_read(struct ocl_options *options, const char *text, bool linker, struct sl_log *log);
void sl_ocl_options_free(struct ocl_options *options);

/* ---- compilation ------------------------------------------------------------------------------------------------- */

struct ocl_header {
  const char *name, *text;
};

/* A sentence if a tool or the device library is missing for a family of machines (NULL: PTX); NULL: all are there. */
const char *sl_ocl_compiler_missing(const char *family);

/* The path of the device library, or of another file in its folder. False: it is not there. */
bool sl_ocl_find_library(char *path, size_t size);
bool sl_ocl_find_file(const char *name, char *path, size_t size);

/* Runs a tool, whose output goes into the log. SL_CHECK_FAILED: it refused its input. SL_USAGE: it cannot be run, as a
 * sentence in the log says. */
enum sl_status sl_ocl_run_tool(struct sl_words *words, struct sl_log *log);
void sl_ocl_log(struct sl_log *log, const char *sentence);

/* The contents of a file in a folder, which the caller frees; NULL: it cannot be read. */
char *sl_ocl_read_file(const char *folder, const char *name, size_t *length);

/* Compiles a source. `object`: to be linked. The log gets the compiler's messages. SL_CHECK_FAILED: the source is
 * wrong. SL_USAGE: a tool failed. */
enum sl_status sl_ocl_compile(const char *source, const struct ocl_options *options, bool object,
                              const struct ocl_header *headers, size_t header_count, struct ocl_code **code,
                              struct sl_log *log);

/* Links objects and libraries to PTX, or to a library. */
enum sl_status sl_ocl_link(struct ocl_code *const *objects, size_t count, const struct ocl_options *options,
                           struct ocl_code **code, struct sl_log *log);

/* ---- the compile cache (ocl_cache.c) ----------------------------------------------------------------------------- */

/* A folder with a file for each compilation, named by the hash of everything that it depends on but
 * included files, whose hashes the file lists. Files appear whole. A file that is damaged or outdated counts as absent.
 *
 * The folder is $SIMTLAB_OPENCL_CACHE (0: no cache), else $XDG_CACHE_HOME/simtlab/opencl, else ~/.cache/simtlab/opencl.
 * When it exceeds 256 MiB, the files that were not used for longest are removed. */

struct ocl_cache_key {
  bool usable;
  char path[4096];
};

struct ocl_cache_key sl_ocl_cache_key(const char *source, const struct ocl_options *options, bool object,
                                      const struct ocl_header *headers, size_t header_count);

/* NULL: not there. The log gets the messages of the compilation. */
struct ocl_code *sl_ocl_cache_find(const struct ocl_cache_key *key, struct sl_log *log);

/* `depends`: included files, as Clang's -MD lists them; NULL: none. Those in `folder` are part of the key. */
void sl_ocl_cache_store(const struct ocl_cache_key *key, const struct ocl_code *code, const struct sl_log *log,
                        const char *depends, const char *folder);

/* ---- LLVM's representation (ocl_ir.c) ---------------------------------------------------------------------------- */

/* Changes k.ll in the folder, before PTX is made of it. PTX cannot call kernels, and llc-19 passes a vector of two
 * bytes as two words of 16 bits: such calls are inlined, and such parameters of kernels become one word. Calls of
 * printf become those of the simulator's service. */
enum sl_status sl_ocl_ir_edit(const char *folder, struct sl_log *log);

/* What LLVM's representation of a program says about its kernels, as lines of text:
 *
 *   K <tab> name <tab> x <tab> y <tab> z <tab> attributes
 *   A <tab> address space <tab> access <tab> qualifiers <tab> type <tab> base type <tab> name
 *
 * A kernel is followed by its arguments. Address spaces are those of SPIR: 0 private, 1 global, 2 constant, 3 local. */
void sl_ocl_metadata(const char *ir, struct sl_log *lines);

/* Devices that are machines with RISC-V instructions: their families, how programs are compiled for them by
 * simtlab-clc, and what the host writes before a kernel's arguments (runtime/opencl/riscv.h). */

enum { OCL_BARRIER_BYTES = 16 /* of local memory, for barriers of groups that do not fill their warps */ };

struct simtlab_riscv_range {
  uint32_t dimensions, count, items, warps, separate, partial;
  uint32_t offset[3], local_size[3], groups[3];
  uint32_t print;
};

/* Checks that programs can be compiled for the machine, and fits the facts to OpenCL. */
enum sl_status sl_ocl_riscv_open(cl_device_id device, struct sl_error *err);

/* Whether one program serves both devices. */
bool sl_ocl_riscv_same(cl_device_id a, cl_device_id b);

/* Adds the device's family to options of a compilation. */
void sl_ocl_riscv_options(cl_device_id device, struct ocl_options *options);

/* The path of simtlab-clc: beside this library, in a build folder or an installation; else from PATH. */
void sl_ocl_riscv_compiler(char *path, size_t size);

/* printf: gives the device a buffer; prints what a launch has put there. */
enum sl_status sl_ocl_print_open(cl_device_id device, struct sl_error *err);
void sl_ocl_print_records(cl_device_id device);

/* A sentence if a tool or file is missing; NULL: all are there. */
const char *sl_ocl_riscv_missing(void);

void sl_ocl_riscv_add_target(struct sl_words *words);
void sl_ocl_riscv_add_language(struct sl_words *words);

/* Makes an executable of bitcode in a folder. */
enum sl_status sl_ocl_riscv_finish(const char *folder, const char *bitcode, const struct ocl_options *options,
                                   struct ocl_code **code, struct sl_log *log);

#endif
