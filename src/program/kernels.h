/* Kernels that an image tells of: those defined with SIMT_KERNEL of runtime/simt.h, with their parameters as they stand
 * in the source. The section .simt.kernels, which is not loaded, has for each its address, its name, and its
 * parameters,
 * "(int, n), (int *, a)". */
#ifndef SL_PROGRAM_KERNELS_H
#define SL_PROGRAM_KERNELS_H

#include "program/program.h"

/* Strings live as long as the program. */
struct sl_kernel {
  const char *name;
  const char *parameters;
};

size_t sl_program_kernel_count(const struct sl_program *program);
struct sl_kernel sl_program_kernel(const struct sl_program *program, size_t i);

/* The kernel of a name; false when the image does not tell of it. */
bool sl_program_find_kernel(const struct sl_program *program, const char *name, struct sl_kernel *kernel);

enum sl_parameter_kind {
  SL_PARAMETER_INTEGER,
  SL_PARAMETER_FLOAT,
  SL_PARAMETER_POINTER,
  SL_PARAMETER_OTHER /* a type of which the image does not tell the size */
};

struct sl_parameter {
  enum sl_parameter_kind kind;
  unsigned size;           /* bytes, as aligned; 0: unknown */
  char type[48], name[48]; /* as much as fits */
};

/* How many parameters there are; the first `most` are filled in. */
size_t sl_kernel_parameters(const struct sl_kernel *kernel, struct sl_parameter *parameter, size_t most);

#endif
