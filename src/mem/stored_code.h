/* Stores into code, on machines whose one memory holds program and data.
 *
 * Code is decoded once, when a program is loaded. Hardware would fetch what has been stored there since, or not, as its
 * instruction cache has it; a model that executed the old word without a word about it would be wrong in either case.
 * So stores into the code are noted, and whoever executes one of its instructions asks whether memory still has it. */
#ifndef SL_MEM_STORED_CODE_H
#define SL_MEM_STORED_CODE_H

#include "base/error.h"
#include "base/types.h"

struct sl_stored_code {
  uint32_t base, bytes; /* what has been decoded; no bytes: nothing, or it cannot be stored to */
  bool any;             /* something has been stored there */
  uint32_t *writer;     /* of each word the pc of the last store, or SL_WRITER_UNKNOWN; 0: there was none */
};

enum { SL_WRITER_UNKNOWN = 1 };

/* Code from `first` to before `end` has been decoded, beside what was before. */
enum sl_status sl_stored_code_extend(struct sl_stored_code *code, uint32_t first, uint64_t end, struct sl_error *err);
void sl_stored_code_free(struct sl_stored_code *code);

/* A store of `width` bytes at an address, wherever that is, by the instruction at pc. */
void sl_stored_code_note(struct sl_stored_code *code, uint32_t address, unsigned width, uint32_t pc);

/* Memory has become another one: any word may have been stored to. */
void sl_stored_code_note_all(struct sl_stored_code *code);

/* Whether units that begin at addresses from low to high may be code. */
static inline bool sl_stored_code_meets(const struct sl_stored_code *code, uint32_t low, uint32_t high)
{
  return __builtin_expect(code->bytes != 0, 1) && low < code->base + code->bytes && high >= code->base;
}

/* The last store to the word at pc; 0: there was none. */
static inline uint32_t sl_stored_code_writer(const struct sl_stored_code *code, uint32_t pc)
{
  return __builtin_expect(code->any, 0) && pc - code->base < code->bytes ? code->writer[(pc - code->base) / 4] : 0;
}

#endif
