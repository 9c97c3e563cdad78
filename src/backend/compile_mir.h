/* The back end for 64-bit instruction words: functions in machine IR become sections of a relocatable unit.
 *
 * The way of a function (docs/explanation/backend.md): mir/ reads it, lir/ selects instructions and folds constants,
 * allocate/ chooses registers and proves the choice right, lower/ makes words. Data are not in machine IR: symbols of
 * data, private ones as
 * ".L" and their name, stay undefined. R. R. Yan and S. Anand, "Redesigning the Vortex GPU ISA: 64-Bit Instruction
 * Words and Conflict-Aware Register Allocation". */
#ifndef SL_BACKEND_COMPILE_MIR_H
#define SL_BACKEND_COMPILE_MIR_H

#include "backend/allocate/allocate.h"
#include "backend/lower/inline_assembly.h"
#include "backend/object64.h"

struct sl_backend_options {
  unsigned registers;  /* 16 to 256 */
  unsigned banks;      /* 1 to 8 */
  const uint8_t *bank; /* of each of 256 registers; NULL: number modulo banks */
  const bool *saved;   /* which of 256 registers functions save; NULL: as in registers.h */
  enum sl_allocation allocation;
  struct sl_assembler assembler; /* for inline assembly; none: functions with it are refused */
};

/* 128 registers in 4 banks, by cost. */
struct sl_backend_options sl_backend_defaults(void);

/* What became of a function. */
struct sl_function_notes {
  char *name;
  char *refusal; /* why there is no code, or NULL; then nothing below holds */
  uint32_t instructions;
  struct sl_allocation_facts facts;
  /* Instructions with two sources in one bank: those with three registers, as the paper counts (section 4.2), and all,
   * with stores, branches and x0; and pairs of such sources weighted by executions per call. A register that is read
   * twice is in conflict with itself, as in the paper's counter. */
  uint32_t conflicts, all_conflicts;
  double weighted_conflicts;
};

struct sl_backend_notes {
  struct sl_function_notes *function;
  size_t function_count;
};

/* Compiles all functions of a text of machine IR into *object, which is to be empty. Functions that cannot be compiled
 * are refused in the notes, which may be NULL. SL_USAGE: the text is no machine IR, or the options make no sense. */
enum sl_status sl_compile_mir(const char *name, const char *text, size_t size, const struct sl_backend_options *options,
                              struct sl_object64 *object, struct sl_backend_notes *notes, struct sl_error *err);

void sl_backend_notes_free(struct sl_backend_notes *notes);

#endif
