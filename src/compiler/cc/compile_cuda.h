/* Compiles CUDA programs with Clang: kernels to PTX, host code to an object that embeds it. Both passes run at the same
 * time. Links with the runtime library. */
#ifndef SL_TOOLCHAIN_COMPILE_CUDA_H
#define SL_TOOLCHAIN_COMPILE_CUDA_H

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

#endif
