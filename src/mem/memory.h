/* The memory image: 4 GiB of bytes that read as 0 until written. Pages are allocated at the first access.
 *
 * If the host can reserve 4 GiB of its address space, all pages lie there consecutively (`flat`). Code that knows that
 * an address is valid can then access its byte directly, without a page lookup. With a fill word other than 0, this
 * holds only after the address has been written. Otherwise each page is allocated separately.
 *
 * Data memory of a program begins at `low`. Callers check addresses against it. Values are little-endian. Each image
 * belongs to one device. */
#ifndef SL_MEM_MEMORY_H
#define SL_MEM_MEMORY_H

#include <string.h>

#include "base/error.h"
#include "base/types.h"

/* Detects stores into code, on machines with one memory for program and data.
 *
 * simtlab decodes code once, when it loads a program. After a store to code, hardware may fetch the old or the new
 * word, depending on its instruction cache. Silent execution of the old word would be wrong in either case. So this
 * module records stores into code, and the executing unit checks that memory still contains the instruction. */

struct sl_stored_code {
  uint32_t base, bytes; /* range of decoded code; bytes = 0: none, or no store can reach it */
  bool any;             /* some word has been stored to */
  uint32_t *writer;     /* per word: pc of the last store, or SL_WRITER_UNKNOWN; 0: none */
};

enum { SL_WRITER_UNKNOWN = 1 };

/* Adds the decoded range from `first` to before `end`. */
enum sl_status sl_stored_code_extend(struct sl_stored_code *code, uint32_t first, uint64_t end, struct sl_error *err);

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

enum { SL_PAGE_BITS = 16, SL_PAGE_BYTES = 1 << SL_PAGE_BITS, SL_PAGE_COUNT = 1 << (32 - SL_PAGE_BITS) };

enum { SL_LARGE_PAGES = 32, SL_LARGE_COUNT = SL_PAGE_COUNT / SL_LARGE_PAGES };

struct sl_memory {
  uint32_t low;    /* first address of data memory */
  bool exhausted;  /* a page allocation failed; accesses to the page used `spare` */
  uint8_t *flat;   /* host address of byte 0 if the pages are consecutive, else NULL */
  uint8_t **pages; /* SL_PAGE_COUNT, NULL where untouched */
  uint8_t *spare;  /* a page for accesses after a failed allocation */
  uint8_t *blank;  /* a page of fill words, for reads of unwritten memory */
  uint32_t fill;   /* value of each word until it is written */
  struct sl_stored_code code;
  struct {
    uint64_t region[SL_LARGE_COUNT / 64]; /* bit set of regions backed by large pages */
    uint32_t unused;                      /* untouched pages in them */
  } large;                                /* large host pages, of SL_LARGE_PAGES pages each */
};

enum sl_status sl_memory_init(struct sl_memory *memory, uint32_t low, struct sl_error *err);
/* Sets the value of unwritten words. Call it before the first write. */
void sl_memory_fill(struct sl_memory *memory, uint32_t word);

/* Uses separately allocated pages, as on hosts with too small an address space. Call it before the first write. */
void sl_memory_scatter(struct sl_memory *memory);

void sl_memory_free(struct sl_memory *memory);

/* Returns the page of an address and allocates it if necessary. */
uint8_t *sl_memory_touch(struct sl_memory *memory, uint32_t address);

/* Returns the host address of a byte. The rest of its page lies around it. */
static inline uint8_t *sl_memory_at(struct sl_memory *memory, uint32_t address)
{
  uint8_t *page = memory->pages[address >> SL_PAGE_BITS];
  if (__builtin_expect(page == NULL, 0))
    page = sl_memory_touch(memory, address);
  return page + (address & (SL_PAGE_BYTES - 1));
}

/* The same for reading. It allocates nothing, so several threads can read while none writes. */
static inline const uint8_t *sl_memory_peek(const struct sl_memory *memory, uint32_t address)
{
  const uint8_t *page = memory->pages[address >> SL_PAGE_BITS];
  return (page != NULL ? page : memory->blank) + (address & (SL_PAGE_BYTES - 1));
}

/* Kernels go through arrays row by row, and each warp has its own row. So the rows behind this one are accessed soon:
 * the host begins to load the one that is SL_AHEAD_BYTES away, 64 rows of 32 words. It does not wait for it, and an
 * address outside the image does no harm. */
enum { SL_AHEAD_BYTES = 8192 };

static inline void sl_memory_ahead(const uint8_t *row)
{
  __builtin_prefetch(row + SL_AHEAD_BYTES);
  __builtin_prefetch(row + SL_AHEAD_BYTES + SL_CACHE_LINE);
}

/* Reads a unit of 1, 2 or 4 bytes, zero-extended. */
static inline uint32_t sl_memory_unit(const uint8_t *p, unsigned width)
{
  uint16_t half;
  uint32_t word;
  switch (width) {
  case 1: return *p;
  case 2: memcpy(&half, p, 2); return half;
  default: memcpy(&word, p, 4); return word;
  }
}

static inline void sl_memory_put(uint8_t *p, unsigned width, uint32_t value)
{
  switch (width) {
  case 1: *p = (uint8_t)value; break;
  case 2: memcpy(p, &(uint16_t){(uint16_t)value}, 2); break;
  default: memcpy(p, &value, 4); break;
  }
}

/* Aligned accesses of 1, 2 or 4 bytes. */
static inline uint32_t sl_memory_load(struct sl_memory *memory, uint32_t address, unsigned width)
{
  return sl_memory_unit(sl_memory_at(memory, address), width);
}

static inline void sl_memory_store(struct sl_memory *memory, uint32_t address, unsigned width, uint32_t value)
{
  sl_memory_put(sl_memory_at(memory, address), width, value);
}

/* Checks whether memory still contains the instruction that was decoded at pc, a word of `bytes` bytes. Returns the pc
 * of the store that changed it, or 0. */
static inline uint32_t sl_memory_overwrote(const struct sl_memory *memory, uint32_t pc, uint64_t word, unsigned bytes)
{
  uint32_t writer = 0;
  for (uint32_t at = pc; at - pc < bytes && writer == 0; at += 4)
    writer = sl_stored_code_writer(&memory->code, at);
  return writer != 0 && memcmp(sl_memory_peek(memory, pc), &word, bytes) != 0 ? writer : 0;
}

/* Access byte ranges of any length and alignment. Reading allocates no page. */
void sl_memory_write(struct sl_memory *memory, uint32_t address, const void *bytes, size_t size);
void sl_memory_read(const struct sl_memory *memory, uint32_t address, void *bytes, size_t size);

/* Zeroes a range. Unwritten memory that reads 0 stays unallocated. */
void sl_memory_clear(struct sl_memory *memory, uint32_t address, uint64_t size);

/* Gives host memory of whole pages in a range back: they are unwritten again. Separate pages stay. */
void sl_memory_drop(struct sl_memory *memory, uint32_t address, uint64_t size);

/* A 64-bit hash of the contents (FNV-1a over 8-byte words). Unwritten words, and words with the fill value, do not
 * contribute. */
uint64_t sl_memory_hash(const struct sl_memory *memory);

/* The same for all memory except `size` bytes from `base`; both are multiples of 8. */
uint64_t sl_memory_hash_outside(const struct sl_memory *memory, uint32_t base, uint32_t size);

#endif
