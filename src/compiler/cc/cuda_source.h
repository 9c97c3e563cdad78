/* CUDA sources before they are compiled, and their PTX afterwards. */
#ifndef SL_TOOLCHAIN_CUDA_SOURCE_H
#define SL_TOOLCHAIN_CUDA_SOURCE_H

#include <stddef.h>

#include "base/error.h"
#include "base/types.h"

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
