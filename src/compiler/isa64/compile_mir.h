/* Back end for 64-bit instruction words: compiles functions in machine IR to sections of a relocatable unit.
 *
 * Pass pipeline (docs/explanation/backend.md): mir/ reads the function, lir/ selects instructions and folds constants,
 * allocate/ allocates registers and validates the allocation, lower/ emits words. Machine IR contains no data: symbols
 * of data remain undefined, private ones as ".L" and their name. R. R. Yan and S. Anand, "Redesigning the Vortex GPU
 * ISA: 64-Bit Instruction Words and Conflict-Aware Register Allocation". */
#ifndef SL_BACKEND_COMPILE_MIR_H
#define SL_BACKEND_COMPILE_MIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/grow.h"
#include "compiler/isa64/allocate/allocate.h"
#include "compiler/isa64/lower/emit.h"
#include "compiler/isa64/object64.h"

/* Ensures room for `wanted` elements in *array, which has *room. False: out of memory, nothing changed. */
static inline bool sl_make_room(void **array, size_t *room, size_t wanted, size_t size)
{
  if (wanted <= *room && *array != NULL)
    return true;
  const size_t more = wanted + wanted / 2 + 8;
  void *grown = more <= SIZE_MAX / 2 / size ? realloc(*array, more * size) : NULL;
  *array = grown != NULL ? grown : *array;
  *room = grown != NULL ? more : *room;
  return grown != NULL;
}

/* Returns zeroed memory; not NULL for 0 elements. */
static inline void *sl_zeroed(size_t count, size_t size)
{
  return calloc(count + 1, size);
}

struct sl_backend_options {
  unsigned registers;  /* 16 to 256 */
  unsigned banks;      /* 1 to 8 */
  const uint8_t *bank; /* per register, 256 elements; NULL: number modulo banks */
  const bool *saved;   /* which of 256 registers are callee-saved; NULL: as in registers.h */
  enum sl_allocation allocation;
  struct sl_assembler assembler; /* for inline assembly; if none, functions with inline assembly are refused */
};

/* Returns the defaults: 128 registers in 4 banks, policy `cost`. */
struct sl_backend_options sl_backend_defaults(void);

/* Result of compiling one function. */
struct sl_function_notes {
  char *name;
  char *refusal; /* reason why there is no code, or NULL; if set, the members below are undefined */
  uint32_t instructions;
  struct sl_allocation_facts facts;
  /* Instructions with two sources in one bank: those with three registers, as the paper counts (section 4.2), and all,
   * including stores, branches and x0; then source pairs weighted by executions per call. A register that is read twice
   * conflicts with itself, as in the paper's counter. */
  uint32_t conflicts, all_conflicts;
  double weighted_conflicts;
};

struct sl_backend_notes {
  struct sl_function_notes *function;
  size_t function_count;
};

/* Compiles all functions of a text of machine IR into *object, which must be empty. The notes, which may be NULL, list
 * functions that cannot be compiled, with the reason. SL_USAGE: the text is no machine IR, or the options are
 * invalid. */
enum sl_status sl_compile_mir(const char *name, const char *text, size_t size, const struct sl_backend_options *options,
                              struct sl_object64 *object, struct sl_backend_notes *notes, struct sl_error *err);

void sl_backend_notes_free(struct sl_backend_notes *notes);

#endif
