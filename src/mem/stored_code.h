/* Detects stores into code, on machines with one memory for program and data.
 *
 * simtlab decodes code once, when it loads a program. After a store to code, hardware may fetch the old or the new
 * word, depending on its instruction cache. Silent execution of the old word would be wrong in either case. So this
 * module records stores into code, and the executing unit checks that memory still contains the instruction. */
#ifndef SL_MEM_STORED_CODE_H
#define SL_MEM_STORED_CODE_H

#include "base/error.h"
#include "base/types.h"

struct sl_stored_code {
  uint32_t base, bytes; /* range of decoded code; bytes = 0: none, or no store can reach it */
  bool any;             /* some word has been stored to */
  uint32_t *writer;     /* per word: pc of the last store, or SL_WRITER_UNKNOWN; 0: none */
};

enum { SL_WRITER_UNKNOWN = 1 };

/* Adds the decoded range from `first` to before `end`. */
enum sl_status sl_stored_code_extend(struct sl_stored_code *code, uint32_t first, uint64_t end, struct sl_error *err);
void sl_stored_code_free(struct sl_stored_code *code);

/* Records a store of `width` bytes at any address by the instruction at pc. */
void sl_stored_code_note(struct sl_stored_code *code, uint32_t address, unsigned width, uint32_t pc);

/* Records that all words may have been stored to, after memory has been replaced. */
void sl_stored_code_note_all(struct sl_stored_code *code);

/* Whether units at addresses from low to high may contain code. */
static inline bool sl_stored_code_meets(const struct sl_stored_code *code, uint32_t low, uint32_t high)
{
  return __builtin_expect(code->bytes != 0, 1) && low < code->base + code->bytes && high >= code->base;
}

/* The pc of the last store to the word at pc; 0: none. */
static inline uint32_t sl_stored_code_writer(const struct sl_stored_code *code, uint32_t pc)
{
  return __builtin_expect(code->any, 0) && pc - code->base < code->bytes ? code->writer[(pc - code->base) / 4] : 0;
}

#endif
