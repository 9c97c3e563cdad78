/* Compiled code: descriptions of kernels, program binaries, and modules on devices. */
#ifndef SL_OPENCL_OCL_CODE_H
#define SL_OPENCL_OCL_CODE_H

#include "opencl/ocl.h"

#define OCL_CONSTANTS "simtlab_constants" /* variable of a module for the contents of __constant arguments */
#define OCL_RANGE "simtlab_range"

/* Code from a text and the lines of ocl_metadata.h; NULL: no memory, or the lines are wrong. */
struct ocl_code *sl_ocl_new_code(cl_program_binary_type type, const char *text, size_t bytes, const char *described);

/* A program binary, which the caller frees; NULL: no memory. Code of a binary; NULL: it is none of this version. */
void *sl_ocl_binary(const struct ocl_code *code, size_t *size);
struct ocl_code *sl_ocl_from_binary(const void *binary, size_t size);

#endif
