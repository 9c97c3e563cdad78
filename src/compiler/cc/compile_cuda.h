/* Compiles CUDA programs with Clang: kernels to PTX, host code to an object that embeds it. Both passes run at the same
 * time. Links with the runtime library. */
#ifndef SL_TOOLCHAIN_COMPILE_CUDA_H
#define SL_TOOLCHAIN_COMPILE_CUDA_H

#include <stddef.h>

#include "base/error.h"
#include "base/types.h"
#include "compiler/cc/tools.h"

enum sl_cuda_language { SL_CUDA_CU, SL_CUDA_C, SL_CUDA_CXX, SL_CUDA_LINKED };

enum sl_cuda_goal {
  SL_CUDA_PROGRAM, /* or a shared library */
  SL_CUDA_OBJECT,
  SL_CUDA_PTX,
  SL_CUDA_PREPROCESSED, /* -E */
  SL_CUDA_DEPENDENCIES, /* -M, -MM */
  SL_CUDA_ARCHIVE,      /* -lib */
  SL_CUDA_DEVICE_LINK,  /* -dlink: an empty object, since modules are linked when they are loaded */
};

struct sl_cuda_input {
  const char *word; /* a file, or a linker option */
  enum sl_cuda_language language;
};

struct sl_cuda_order {
  const struct sl_cuda_input *inputs;
  size_t input_count;
  enum sl_cuda_goal goal;
  const char *output; /* NULL: from the file's name, a.out for a program */
  const char *suffix; /* of PTX; NULL: .ptx */
  const char *root;   /* the tree with include/, lib64/ and the device library */
  struct sl_words both, host, device, link;
  const char *standard; /* the -std= flag of .cu files */
  uint64_t registers;   /* most registers per thread; 0: no bound */
  bool separate;        /* -rdc: other files may define what a file declares */
  bool fast_math, plain, lines, shared;
  bool checkable; /* accesses stay where the source has them */
};

/* SL_USAGE: a tool is missing. SL_CHECK_FAILED: the sources are wrong. The log has the tools' messages. */
enum sl_status sl_compile_cuda(const struct sl_cuda_order *order, struct sl_tools *tools, struct sl_error *err);

/* CUDA sources before they are compiled, and their PTX afterwards. */

/* Joins the brackets of launches that a formatter separated, `k << <g, b>> >(a)`. Clang reads them only as <<< and
 * >>>. The text keeps its length and lines. Returns whether it changed. */
bool sl_cuda_join_launches(char *text, size_t length);

/* Doubles the percent sign before names in the templates of asm statements with operands: "mov.u32 %0, %laneid;". nvcc
 * takes such a name as it is, Clang reads it as an operand. Returns whether it has replaced the text. */
bool sl_cuda_escape_asm(char **text, size_t *length);

/* Reads a file; the text ends with a NUL byte. The caller frees it. NULL with an error: it cannot be read. */
char *sl_cuda_read(const char *path, size_t *length, struct sl_error *err);

/* The image that a host object embeds: the magic, the text's length and the flags as little-endian words of 64 bits,
 * the text, a NUL byte. Flags: bits 0 to 15 are the most registers per thread, 0 for no bound; SL_CUDA_SEPARATE: the
 * runtime links the text with the others of this kind. */
#define SL_CUDA_MAGIC "SIMTPTX1"
enum { SL_CUDA_HEADER = 24, SL_CUDA_SEPARATE = 1 << 16 };
void sl_cuda_image_header(unsigned char header[SL_CUDA_HEADER], uint64_t length, uint64_t flags);

/* Changes of LLVM's representation, before any optimisation, for kernels that the checker runs.
 *
 * Stores at the ends of two branches must not become one store behind them: then the branches join before the end of
 * the kernel, and a barrier in one of them looks like one that lanes of the other must reach. An access to an array in
 * a thread's local memory must not disappear if it is outside of the array. */

enum { SL_OUTSIDE_ARRAY = 0x1000000 /* above all local memory: where an access is that is outside of its array */ };

/* Returns a copy of the text with the changes, which the caller frees; NULL: out of memory. */
char *sl_keep_accesses(const char *ir, size_t *length);

/* Device code of a linked CUDA program. The files that are compiled separately (-rdc=true, -dc) become one module when
 * the program runs, so what none of them defines is known when it is linked. */

/* Fails with the name of the first function that the PTX calls but does not define, apart from kernel services. */
enum sl_status sl_cuda_check_defined(const char *source, const char *ptx, struct sl_error *err);

/* Fails with the name of the first device function or variable that a file of the program or shared library declares,
 * and none defines. `name`: the program's in the sentence. */
enum sl_status sl_cuda_check_linked(const char *path, const char *name, struct sl_error *err);

#endif
