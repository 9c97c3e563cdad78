/* A relocatable unit of 64-bit instruction words in memory: what both front ends (compiled functions, translated RV32
 * objects) make, and the linker lays out. Everything is by index into the unit's own arrays. */
#ifndef SL_BACKEND_OBJECT64_H
#define SL_BACKEND_OBJECT64_H

#include "base/error.h"
#include "isa/wide.h"

/* What a symbol's address S and an addend A become in a place at address P. */
enum sl_fix64 {
  SL_FIX_NONE,
  SL_FIX_VALUE,   /* immediate: S + A, all 32 bits */
  SL_FIX_PC,      /* immediate: S + A - P, of branches, jumps and AUIPC */
  SL_FIX_HIGH,    /* immediate of LUI: the upper 20 bits of S + A, rounded for SL_FIX_LOW */
  SL_FIX_LOW,     /* immediate: the lower 12 bits of S + A, sign-extended */
  SL_FIX_TP,      /* immediate: S + A - the start of thread-local storage */
  SL_FIX_TP_HIGH, /* the same in two parts */
  SL_FIX_TP_LOW,
  SL_FIX_WORD, /* data: 32 bits, S + A */
  SL_FIX_ADD,  /* data: 32 bits, what is there + S + A; and minus */
  SL_FIX_SUB
};

/* An instruction before it is encoded. */
struct sl_code64 {
  struct sl_wide insn;
  enum sl_fix64 fix; /* of insn.imm */
  uint32_t symbol;
  int32_t addend;
  uint32_t file, line; /* of the source; file an index into the unit's files, line 0: unknown */
};

struct sl_data_fix64 {
  enum sl_fix64 fix;
  uint32_t offset, symbol;
  int32_t addend;
};

/* Code or data that stays together. Code has `code`, data `bytes`, neither what is 0 at the start. */
struct sl_section64 {
  char *name;  /* ".text.main": the part up to the second dot says where it goes */
  char *group; /* of several with this name, each in another unit, a program has one (COMDAT); NULL: of none */
  bool executable, writable, thread_local_data, keep;
  bool not_loaded;          /* for who reads the file, such as ".simt.kernels" */
  uint32_t alignment, size; /* bytes; of code 8 for each instruction */
  struct sl_code64 *code;
  size_t code_count;
  uint8_t *bytes;
  struct sl_data_fix64 *fixes;
  size_t fix_count;
};

enum { SL_UNDEFINED64 = UINT32_MAX, SL_ABSOLUTE64 = UINT32_MAX - 1, SL_COMMON64 = UINT32_MAX - 2 };

struct sl_symbol64 {
  char *name;       /* "" of labels that nobody else can name */
  uint32_t section; /* index, or one of the above */
  uint32_t value;   /* offset; of SL_COMMON64 the alignment */
  uint32_t size;
  bool global, weak, function;
  bool object; /* said to be data, also in code, where it is then no beginning of a function */
};

struct sl_object64 {
  char *name; /* of the file it is from, for messages: "libc.a(printf.o)" */
  struct sl_section64 *sections;
  size_t section_count;
  struct sl_symbol64 *symbols;
  size_t symbol_count;
  char **files; /* of the source */
  size_t file_count;
  bool translated; /* of RV32: it knows no offsets in code of other units, which are twice those of RV32 */
};

void sl_object64_free(struct sl_object64 *object);

/* Room for one item more in an array that has been allocated for `count` or more; NULL: no memory, and the old array is
 * as it was. */
void *sl_grow64(void *array, size_t count, size_t item_size, struct sl_error *err);

/* Adders, which take strings over on success; the number of what they have added is in *index. */
enum sl_status sl_object64_add_section(struct sl_object64 *object, const struct sl_section64 *section, uint32_t *index,
                                       struct sl_error *err);
enum sl_status sl_object64_add_symbol(struct sl_object64 *object, const struct sl_symbol64 *symbol, uint32_t *index,
                                      struct sl_error *err);

/* The file's number; it is added, as a copy, when the unit does not have it. */
enum sl_status sl_object64_file(struct sl_object64 *object, const char *name, uint32_t *index, struct sl_error *err);

/* The symbol of a name; false when there is none. A definition comes before a mere use. */
bool sl_object64_find(const struct sl_object64 *object, const char *name, uint32_t *index);

/* The same, and one that is not defined here is added when there is none. */
enum sl_status sl_object64_symbol(struct sl_object64 *object, const char *name, uint32_t *index, struct sl_error *err);

#endif
