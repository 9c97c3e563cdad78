/* Descriptions of kernels in a program image: those defined with SIMT_KERNEL of runtime/simt.h, with their parameters
 * as in the source. The section .simt.kernels, which is not loaded, has for each kernel its address, its name, and its
 * parameters, "(int, n), (int *, a)". */
#ifndef SL_PROGRAM_KERNELS_H
#define SL_PROGRAM_KERNELS_H

#include "program/program.h"

/* A kernel description. The strings live as long as the program. */
struct sl_kernel {
  const char *name;
  const char *parameters;
};

size_t sl_program_kernel_count(const struct sl_program *program);
struct sl_kernel sl_program_kernel(const struct sl_program *program, size_t i);

/* Finds a kernel by name; returns false if the image does not describe it. */
bool sl_program_find_kernel(const struct sl_program *program, const char *name, struct sl_kernel *kernel);

enum sl_parameter_kind {
  SL_PARAMETER_INTEGER,
  SL_PARAMETER_FLOAT,
  SL_PARAMETER_POINTER,
  SL_PARAMETER_OTHER /* a type of unknown size */
};

struct sl_parameter {
  enum sl_parameter_kind kind;
  unsigned size;           /* bytes, as aligned; 0: unknown */
  char type[48], name[48]; /* truncated to fit */
};

/* Returns the number of parameters and fills in the first `most`. */
size_t sl_kernel_parameters(const struct sl_kernel *kernel, struct sl_parameter *parameter, size_t most);

#endif
