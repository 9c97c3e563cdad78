/* The memory image: 4 GiB of bytes that read 0 until written, in pages allocated when first touched.
 *
 * Where the host can reserve that much of its address space, the pages are neighbours there (`flat`): whoever knows
 * that an address is good finds its byte without looking for a page, once that is written if memory holds another word
 * than 0 until then. Elsewhere each page is allocated by itself.
 *
 * What a program may use as data begins at `low`; callers check addresses against it, since they know who asks. Values
 * are little-endian. One image belongs to one device. */
#ifndef SL_MEM_MEMORY_H
#define SL_MEM_MEMORY_H

#include <string.h>

#include "base/error.h"
#include "base/types.h"
#include "mem/stored_code.h"

enum { SL_PAGE_BITS = 16, SL_PAGE_BYTES = 1 << SL_PAGE_BITS, SL_PAGE_COUNT = 1 << (32 - SL_PAGE_BITS) };

enum { SL_LARGE_PAGES = 32, SL_LARGE_COUNT = SL_PAGE_COUNT / SL_LARGE_PAGES };

struct sl_memory {
  uint32_t low;    /* first address that is data memory */
  bool exhausted;  /* a page could not be allocated; its accesses went to `spare` */
  uint8_t *flat;   /* the byte of address 0, all others behind it; NULL: pages are anywhere */
  uint8_t **pages; /* SL_PAGE_COUNT, NULL where untouched */
  uint8_t *spare;  /* one page, so that an access never has nowhere to go */
  uint8_t *blank;  /* one page, for those that read what was never written */
  uint32_t fill;   /* word that memory holds until it is written */
  struct sl_stored_code code;
  struct {
    uint64_t region[SL_LARGE_COUNT / 64]; /* bit sets: that are such pages */
    uint32_t unused;                      /* pages in them that have not been touched */
  } large;                                /* pages of the host, of SL_LARGE_PAGES each */
};

enum sl_status sl_memory_init(struct sl_memory *memory, uint32_t low, struct sl_error *err);
/* What memory holds that has not been written; before anything is. */
void sl_memory_fill(struct sl_memory *memory, uint32_t word);

/* Pages anywhere, as where the address space of the host is too small; before anything is written. */
void sl_memory_scatter(struct sl_memory *memory);

void sl_memory_free(struct sl_memory *memory);

/* The page of an address, allocated if it was not yet. */
uint8_t *sl_memory_touch(struct sl_memory *memory, uint32_t address);

/* Where the byte of an address is; the rest of its page follows and precedes it. */
static inline uint8_t *sl_memory_at(struct sl_memory *memory, uint32_t address)
{
  uint8_t *page = memory->pages[address >> SL_PAGE_BITS];
  if (__builtin_expect(page == NULL, 0))
    page = sl_memory_touch(memory, address);
  return page + (address & (SL_PAGE_BYTES - 1));
}

/* The same for reading only: allocates nothing, so that several threads can read while nobody writes. */
static inline const uint8_t *sl_memory_peek(const struct sl_memory *memory, uint32_t address)
{
  const uint8_t *page = memory->pages[address >> SL_PAGE_BITS];
  return (page != NULL ? page : memory->blank) + (address & (SL_PAGE_BYTES - 1));
}

/* A unit of 1, 2 or 4 bytes, zero-extended. */
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

/* The store that has made the instruction at pc another one than the word of so many bytes that was decoded; 0: it is
 * still that. */
static inline uint32_t sl_memory_overwrote(const struct sl_memory *memory, uint32_t pc, uint64_t word, unsigned bytes)
{
  uint32_t writer = 0;
  for (uint32_t at = pc; at - pc < bytes && writer == 0; at += 4)
    writer = sl_stored_code_writer(&memory->code, at);
  return writer != 0 && memcmp(sl_memory_peek(memory, pc), &word, bytes) != 0 ? writer : 0;
}

/* Byte ranges of any length and alignment; reading touches no page. */
void sl_memory_write(struct sl_memory *memory, uint32_t address, const void *bytes, size_t size);
void sl_memory_read(const struct sl_memory *memory, uint32_t address, void *bytes, size_t size);

/* Makes a range 0; what was never written and reads 0 stays untouched. */
void sl_memory_clear(struct sl_memory *memory, uint32_t address, uint64_t size);

/* A 64-bit hash of the contents (FNV-1a over 8-byte words); what was never written, or holds the same, does
 * not count. */
uint64_t sl_memory_hash(const struct sl_memory *memory);

/* The same, of all but `size` bytes from `base`; both multiples of 8. */
uint64_t sl_memory_hash_outside(const struct sl_memory *memory, uint32_t base, uint32_t size);

#endif
