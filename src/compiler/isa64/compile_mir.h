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
#include "compiler/isa64/lir/lir.h"
#include "compiler/isa64/mir/mir.h"
#include "compiler/isa64/object64.h"

/* Code emission: turns an allocated function into words. It adds the prologue, expands pseudo instructions, computes
 * branch distances, and puts jump tables and constants in a data section. Its parts are the stack frame and inline
 * assembly and the unit that collects the functions (inline_assembly.c). */

/* Layout of a function's stack frame, from the top (the stack pointer at entry) downwards: register arguments of a
 * variadic function, saved registers (ra first), spilled registers, objects, outgoing arguments. (RISC-V ELF psABI,
 * ilp32: aligned to 16 bytes; a frame pointer holds the stack pointer at entry.) */
struct sl_stack_frame {
  const struct sl_lir *lir;
  uint32_t size;      /* amount by which the stack pointer is lowered */
  uint32_t alignment; /* of the stack pointer if above 16, otherwise 0 */
  uint32_t variadic;  /* bytes at the top */
  uint32_t slots, saved;
  uint32_t *object; /* per object, relative to the stack pointer after the prologue */
};

/* Computes the frame of an allocated function. SL_USAGE: it is too large. */
enum sl_status sl_stack_frame_init(struct sl_stack_frame *frame, const struct sl_lir *lir,
                                   const struct sl_allocation_facts *facts, struct sl_error *err);
void sl_stack_frame_free(struct sl_stack_frame *frame);

/* Returns the offset of an object from its base register. */
int32_t sl_object_offset(const struct sl_stack_frame *frame, enum sl_lir_place place, uint32_t object);

/* Returns the offset of a slot, by its number in the function; framed: from the frame pointer, otherwise from the stack
 * pointer. */
int32_t sl_slot_offset(const struct sl_stack_frame *frame, uint32_t slot, bool framed);

/* Inline assembly: substitutes registers and numbers into the template and passes the text to an assembler. */

/* Assembler interface. It returns an array of `count` words, which the caller frees. It looks symbols up in the unit
 * and adds missing ones. */
struct sl_assembler {
  enum sl_status (*assemble)(void *context, const char *text, struct sl_object64 *object, struct sl_code64 **code,
                             size_t *count, struct sl_error *err);
  void *context;
};

/* Returns the text of an instruction SL_LIR_ASSEMBLY, which the caller frees. `unique` is a unique number for ${:uid}.
 * SL_USAGE: the template contains something unknown. */
enum sl_status sl_inline_assembly(const struct sl_stack_frame *frame, const struct sl_lir_insn *insn, uint32_t unique,
                                  char **text, struct sl_error *err);

/* Relocatable unit that collects compiled functions. Arrays of struct sl_object64 have room for a power of two of
 * elements, so that code that appends need not store the capacity. */

struct sl_unit {
  struct sl_object64 *object;
  const struct sl_mir_module *module;
  uint32_t *symbol; /* per text of the module: 1 + number of the symbol of that name, 0: none yet */
  size_t symbols;   /* length of the array above, in texts */
};

/* Adds the names of the module's functions to its texts. False: out of memory. */
bool sl_unit_init(struct sl_unit *unit, struct sl_object64 *object, struct sl_mir_module *module);
void sl_unit_free(struct sl_unit *unit);

/* Returns the symbol of a name, undefined if it is new; UINT32_MAX if out of memory. */
uint32_t sl_unit_symbol(struct sl_unit *unit, uint32_t text);

/* Add an unnamed symbol for the beginning of a section, and a section. The unit takes over the section's contents in
 * any case. UINT32_MAX: out of memory. */
uint32_t sl_unit_label(struct sl_unit *unit, uint32_t section);
uint32_t sl_unit_section(struct sl_unit *unit, const struct sl_section64 *section);

/* Removes sections and symbols beyond these counts. */
void sl_unit_cut(struct sl_unit *unit, size_t sections, size_t symbols);

/* Adds the function's sections and symbols to the unit. On failure a part of them may have been added. */
enum sl_status sl_emit(struct sl_unit *unit, const struct sl_lir *lir, const struct sl_allocation_facts *facts,
                       const struct sl_assembler *assembler, struct sl_error *err);

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
