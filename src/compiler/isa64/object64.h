/* Relocatable unit of 64-bit instruction words in memory: output of both front ends (compiled functions, translated
 * RV32 objects) and input of the linker. References are indices into the unit's own arrays. */
#ifndef SL_BACKEND_OBJECT64_H
#define SL_BACKEND_OBJECT64_H

#include "base/error.h"
#include "isa/wide.h"

/* Relocation types: the value for symbol address S, addend A and place address P. */
enum sl_fix64 {
  SL_FIX_NONE,
  SL_FIX_VALUE,   /* immediate: S + A, all 32 bits */
  SL_FIX_PC,      /* immediate: S + A - P, for branches, jumps and AUIPC */
  SL_FIX_HIGH,    /* immediate of LUI: the upper 20 bits of S + A, rounded for SL_FIX_LOW */
  SL_FIX_LOW,     /* immediate: the lower 12 bits of S + A, sign-extended */
  SL_FIX_TP,      /* immediate: S + A - the start of thread-local storage */
  SL_FIX_TP_HIGH, /* the same in two parts, as for LUI */
  SL_FIX_TP_LOW,
  SL_FIX_WORD, /* data: 32 bits, S + A */
  SL_FIX_ADD,  /* data: 32 bits, old value + S + A; and old value - (S + A) */
  SL_FIX_SUB
};

/* An instruction before it is encoded. */
struct sl_code64 {
  struct sl_wide insn;
  enum sl_fix64 fix; /* of insn.imm */
  uint32_t symbol;
  int32_t addend;
  uint32_t file, line, column; /* of the source; file is an index into the unit's files; 0: unknown */
};

struct sl_data_fix64 {
  enum sl_fix64 fix;
  uint32_t offset, symbol;
  int32_t addend;
};

/* A contiguous section of code or data. Code uses `code`, data uses `bytes`, zero-initialised data neither. */
struct sl_section64 {
  char *name;  /* ".text.main": the part up to the second dot selects the output section */
  char *group; /* COMDAT: a program keeps one section per name and group; NULL: no group */
  bool executable, writable, thread_local_data, keep;
  bool not_loaded;          /* metadata for readers of the file, such as ".simt.kernels" */
  uint32_t alignment, size; /* bytes; for code 8 per instruction */
  struct sl_code64 *code;
  size_t code_count;
  uint8_t *bytes;
  struct sl_data_fix64 *fixes;
  size_t fix_count;
};

enum { SL_UNDEFINED64 = UINT32_MAX, SL_ABSOLUTE64 = UINT32_MAX - 1, SL_COMMON64 = UINT32_MAX - 2 };

struct sl_symbol64 {
  char *name;       /* "" for local labels */
  uint32_t section; /* index, or one of the above */
  uint32_t value;   /* offset; of SL_COMMON64 the alignment */
  uint32_t size;
  bool global, weak, function;
  bool object; /* declared as data, also within code, where it does not start a function */
};

struct sl_object64 {
  char *name; /* name of the source file, for messages: "libc.a(printf.o)" */
  struct sl_section64 *sections;
  size_t section_count;
  struct sl_symbol64 *symbols;
  size_t symbol_count;
  char **files; /* source files */
  size_t file_count;
  bool translated; /* translated from RV32: it has no code offsets into other units, which would be twice those of RV32
                    */
};

void sl_object64_free(struct sl_object64 *object);

/* Append an element, and take over its strings on success; *index is its number. */
enum sl_status sl_object64_add_section(struct sl_object64 *object, const struct sl_section64 *section, uint32_t *index,
                                       struct sl_error *err);
enum sl_status sl_object64_add_symbol(struct sl_object64 *object, const struct sl_symbol64 *symbol, uint32_t *index,
                                      struct sl_error *err);

/* Returns the number of a source file; adds a copy of the name if it is new. */
enum sl_status sl_object64_file(struct sl_object64 *object, const char *name, uint32_t *index, struct sl_error *err);

/* Finds a symbol by name; false if there is none. A definition takes precedence over an undefined symbol. */
bool sl_object64_find(const struct sl_object64 *object, const char *name, uint32_t *index);

/* Finds a symbol by name, or adds an undefined one. */
enum sl_status sl_object64_symbol(struct sl_object64 *object, const char *name, uint32_t *index, struct sl_error *err);

/* Consistency check of a unit: symbol, section and file numbers exist, offsets lie inside their sections. */

/* SL_INTERNAL: the component that made the unit has a defect. */
enum sl_status sl_object64_check(const struct sl_object64 *object, struct sl_error *err);

/* Replaces functions of a stock object by compiled ones; data and other contents of the object remain.
 *
 * Functions match by name: a function of `compiled` replaces the object's and keeps its binding; new functions are
 * added. Other references of compiled functions resolve to the object's symbols where they exist, also to static
 * variables and labels (.L). Labels that `compiled` defines itself, such as those of its jump tables, are the
 * exception. The old code remains while data refers into it. The linker drops it when it is unreferenced, which
 * requires a section per function (-ffunction-sections). */

/* Moves everything out of `compiled`, which is empty afterwards. On failure both objects are valid only for freeing. */
enum sl_status sl_object64_replace(struct sl_object64 *object, struct sl_object64 *compiled, struct sl_error *err);

#endif
