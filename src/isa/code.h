/* A code memory: instructions of one instruction set, decoded when they are written.
 *
 * Words are numbered from the base. An address outside the memory, or not a multiple of the word size, maps to a number
 * beyond the count and has no instruction. */
#ifndef SL_ISA_CODE_H
#define SL_ISA_CODE_H

#include "base/error.h"
#include "isa/isa.h"

struct sl_code {
  const struct sl_isa *isa;
  unsigned sets;      /* set of extensions, enum sl_isa_set */
  unsigned registers; /* available registers; words that name others decode as unknown; 0: all registers of the set */
  uint32_t base;      /* address of word 0 */
  uint32_t count;
  unsigned word_bytes, shift; /* log2 of word_bytes */
  uint32_t room;              /* allocated words */
  struct sl_insn *insn;
};

/* Initialises a memory of `count` zero words. */
enum sl_status sl_code_init(struct sl_code *code, const struct sl_isa *isa, unsigned sets, uint32_t base,
                            uint32_t count, struct sl_error *err);
void sl_code_free(struct sl_code *code);

/* Extends the memory to at least `count` words; new words are 0. Returns false, with no change, if out of memory. */
bool sl_code_grow(struct sl_code *code, uint32_t count);

/* Decodes the word into entry `index`, which must be less than count. */
void sl_code_write(struct sl_code *code, uint32_t index, uint64_t word);

/* Number of the word at an address. */
static inline uint32_t sl_code_index(const struct sl_code *code, uint32_t pc)
{
  const uint32_t offset = pc - code->base;
  return offset >> code->shift | offset << (32 - code->shift);
}

static inline uint32_t sl_code_address(const struct sl_code *code, uint32_t index)
{
  return code->base + (index << code->shift);
}

/* The instruction at an address, or NULL. */
static inline const struct sl_insn *sl_code_at(const struct sl_code *code, uint32_t pc)
{
  const uint32_t index = sl_code_index(code, pc);
  return index < code->count ? &code->insn[index] : NULL;
}

/* Number of an instruction of this memory. */
static inline uint32_t sl_code_number(const struct sl_code *code, const struct sl_insn *insn)
{
  return (uint32_t)(insn - code->insn);
}

/* Addresses of the words after and before the one at pc. */
static inline uint32_t sl_code_next(const struct sl_code *code, uint32_t pc)
{
  return pc + code->word_bytes;
}

static inline uint32_t sl_code_before(const struct sl_code *code, uint32_t pc)
{
  return pc - code->word_bytes;
}

#endif
