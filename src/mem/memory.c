#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "mem/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/arrays.h"

enum { WORD = 4, ALIGNMENT = 8 /* of the longest instruction */ };

enum sl_status sl_stored_code_extend(struct sl_stored_code *code, uint32_t first, uint64_t end, struct sl_error *err)
{
  const uint64_t before = code->bytes != 0 ? (uint64_t)code->base + code->bytes : 0;
  const uint32_t aligned = first & ~(uint32_t)(ALIGNMENT - 1);
  const uint32_t base = code->bytes != 0 && code->base < aligned ? code->base : aligned;
  const uint64_t last = before > end ? before : (end + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
  uint32_t *writer = calloc((size_t)((last - base) / WORD) + 1, sizeof *writer);
  if (writer == NULL)
    return sl_no_memory(err, (size_t)(last - base));
  free(code->writer);
  const bool any = code->any;
  *code = (struct sl_stored_code){.base = base, .bytes = (uint32_t)(last - base), .writer = writer};
  if (any)
    sl_stored_code_note_all(code);
  return SL_OK;
}

static void free_stored_code(struct sl_stored_code *code)
{
  free(code->writer);
  *code = (struct sl_stored_code){0};
}

void sl_stored_code_note(struct sl_stored_code *code, uint32_t address, unsigned width, uint32_t pc)
{
  for (uint64_t at = address & ~(uint32_t)(WORD - 1); at < (uint64_t)address + width; at += WORD)
    if (at >= code->base && at - code->base < code->bytes) {
      code->writer[(at - code->base) / WORD] = pc;
      code->any = true;
    }
}

void sl_stored_code_note_all(struct sl_stored_code *code)
{
  for (uint32_t i = 0; i < code->bytes / WORD; i++)
    code->writer[i] = SL_WRITER_UNKNOWN;
  code->any = code->bytes != 0;
}

#define FLAT_BYTES (UINT64_C(1) << 32)

/* Reserves addresses only. The host's kernel supplies zeroed memory at the first write. */
static uint8_t *reserve(void)
{
  if (SIZE_MAX <= FLAT_BYTES)
    return NULL;
  const size_t large = (size_t)SL_LARGE_PAGES << SL_PAGE_BITS, bytes = (size_t)FLAT_BYTES + large;
  uint8_t *some = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (some == MAP_FAILED)
    return NULL;
  uint8_t *const flat = some + (-(uintptr_t)some & (large - 1));
  if (flat > some)
    munmap(some, (size_t)(flat - some));
  munmap(flat + FLAT_BYTES, (size_t)(some + bytes - flat) - FLAT_BYTES);
#ifdef MADV_NOHUGEPAGE
  /* Where the host kernel gives large pages to all, scattered words would take 2 MiB each. */
  madvise(flat, (size_t)FLAT_BYTES, MADV_NOHUGEPAGE);
#endif
  return flat;
}

enum sl_status sl_memory_init(struct sl_memory *memory, uint32_t low, struct sl_error *err)
{
  *memory = (struct sl_memory){.low = low,
                               .pages = sl_sparse(SL_PAGE_COUNT, sizeof *memory->pages),
                               .spare = sl_sparse(1, SL_PAGE_BYTES),
                               .blank = sl_sparse(1, SL_PAGE_BYTES),
                               .flat = reserve()};
  if (memory->pages != NULL && memory->spare != NULL && memory->blank != NULL)
    return SL_OK;
  sl_memory_free(memory);
  return sl_no_memory(err, SL_PAGE_COUNT * sizeof *memory->pages);
}

/* A loop of stores: some hosts, above all virtual ones, copy a page many times slower. */
static void fill_page(uint8_t *page, uint32_t word)
{
  for (uint32_t offset = 0; offset < SL_PAGE_BYTES; offset += sizeof word)
    memcpy(page + offset, &word, sizeof word);
}

void sl_memory_fill(struct sl_memory *memory, uint32_t word)
{
  memory->fill = word;
  fill_page(memory->blank, word);
}

void sl_memory_scatter(struct sl_memory *memory)
{
  if (memory->flat != NULL)
    munmap(memory->flat, (size_t)FLAT_BYTES);
  memory->flat = NULL;
}

void sl_memory_free(struct sl_memory *memory)
{
  for (size_t i = 0; memory->flat == NULL && memory->pages != NULL && i < SL_PAGE_COUNT; i++)
    if (memory->pages[i] != NULL) /* nearly all are NULL: this avoids 65,536 calls */
      free(memory->pages[i]);
  sl_memory_scatter(memory);
  sl_sparse_free(memory->pages, SL_PAGE_COUNT, sizeof *memory->pages);
  sl_sparse_free(memory->spare, 1, SL_PAGE_BYTES);
  sl_sparse_free(memory->blank, 1, SL_PAGE_BYTES);
  free_stored_code(&memory->code);
  *memory = (struct sl_memory){0};
}

/* If neighbours are touched from the first page of a region of SL_LARGE_PAGES, or into its fourth page, the region
 * becomes one large host page. Rows of many warps touch more small pages than the host's TLB holds. At most
 * LARGE_UNUSED untouched pages are allocated in this way. */
enum { LARGE_UNUSED = 512, LARGE_BEGINS = 3 };

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1; the C library's headers may be older */
#endif

static bool is_large(const struct sl_memory *memory, size_t page)
{
  const size_t region = page / SL_LARGE_PAGES;
  return memory->large.region[region / 64] >> region % 64 & 1;
}

static void enlarge(struct sl_memory *memory, size_t page)
{
#ifdef MADV_HUGEPAGE
  const size_t region = page / SL_LARGE_PAGES, bytes = (size_t)SL_LARGE_PAGES << SL_PAGE_BITS;
  uint8_t *const at = memory->flat + region * bytes;
  if (memory->large.unused + SL_LARGE_PAGES > LARGE_UNUSED || madvise(at, bytes, MADV_HUGEPAGE) != 0)
    return;
  if (page % SL_LARGE_PAGES != 0 && madvise(at, bytes, MADV_COLLAPSE) != 0) { /* the small pages' contents move */
    madvise(at, bytes, MADV_NOHUGEPAGE);
    return;
  }
  memory->large.region[region / 64] |= UINT64_C(1) << region % 64;
  for (size_t i = 0; i < SL_LARGE_PAGES; i++)
    memory->large.unused += memory->pages[region * SL_LARGE_PAGES + i] == NULL;
#else
  (void)memory, (void)page;
#endif
}

/* Chooses the size of host pages where the page before this one has been touched. */
static void follow(struct sl_memory *memory, size_t page)
{
  const size_t before = page % SL_LARGE_PAGES;
  uint8_t *const *first = &memory->pages[page - before];
  if (before == 0 || (before == LARGE_BEGINS && first[0] != NULL && first[1] != NULL && !is_large(memory, page)))
    enlarge(memory, page);
}

uint8_t *sl_memory_touch(struct sl_memory *memory, uint32_t address)
{
  uint8_t **page = &memory->pages[address >> SL_PAGE_BITS];
  if (*page != NULL)
    return *page;
  if (memory->flat != NULL) {
    if (page > memory->pages && page[-1] != NULL)
      follow(memory, address >> SL_PAGE_BITS);
    memory->large.unused -= is_large(memory, address >> SL_PAGE_BITS);
    *page = memory->flat + (address & ~(uint32_t)(SL_PAGE_BYTES - 1));
    sl_populate(*page, SL_PAGE_BYTES); /* also where the host had no large page for its region */
    if (memory->fill != 0)
      fill_page(*page, memory->fill);
    return *page;
  }
  *page = aligned_alloc(SL_CACHE_LINE, SL_PAGE_BYTES);
  if (*page == NULL) {
    memory->exhausted = true;
    return memory->spare;
  }
  fill_page(*page, memory->fill);
  return *page;
}

/* Number of bytes from an address to the end of its page, at most size. */
static size_t within_page(uint32_t address, size_t size)
{
  size_t rest = SL_PAGE_BYTES - (address & (SL_PAGE_BYTES - 1));
  return size < rest ? size : rest;
}

void sl_memory_write(struct sl_memory *memory, uint32_t address, const void *bytes, size_t size)
{
  const uint8_t *from = bytes;
  if (size > 0 && sl_stored_code_meets(&memory->code, address, address + (uint32_t)(size - 1)))
    sl_stored_code_note_all(&memory->code);
  while (size > 0) {
    size_t n = within_page(address, size);
    memcpy(sl_memory_at(memory, address), from, n);
    from += n;
    address += (uint32_t)n;
    size -= n;
  }
}

/* A long range becomes large host pages, as far as it will be used. */
static void prepare_clear(struct sl_memory *memory, uint32_t address, uint64_t size)
{
#ifdef MADV_HUGEPAGE
  const uint64_t large = (uint64_t)SL_LARGE_PAGES << SL_PAGE_BITS, first = (address + large - 1) / large * large,
                 end = (address + size) / large * large;
  if (memory->fill != 0 && memory->flat != NULL && first < end)
    madvise(memory->flat + first, (size_t)(end - first), MADV_HUGEPAGE);
#else
  (void)memory, (void)address, (void)size;
#endif
}

/* Flat memory that nobody has touched is zero, because the host's kernel supplies it: it needs to count as written
 * only. */
static bool clear_untouched(struct sl_memory *memory, uint32_t address)
{
  const size_t page = address >> SL_PAGE_BITS;
  if (memory->fill == 0 || memory->flat == NULL || memory->pages[page] != NULL)
    return false;
  memory->large.unused -= is_large(memory, page);
  memory->pages[page] = memory->flat + address;
  return true;
}

void sl_memory_clear(struct sl_memory *memory, uint32_t address, uint64_t size)
{
  prepare_clear(memory, address, size);
  while (size > 0) {
    const uint32_t offset = address & (SL_PAGE_BYTES - 1), room = SL_PAGE_BYTES - offset;
    const uint32_t n = size < room ? (uint32_t)size : room;
    const bool whole = n == SL_PAGE_BYTES && clear_untouched(memory, address);
    if (!whole && (memory->fill != 0 || memory->pages[address >> SL_PAGE_BITS] != NULL))
      memset(sl_memory_at(memory, address), 0, n);
    address += n;
    size -= n;
  }
}

void sl_memory_drop(struct sl_memory *memory, uint32_t address, uint64_t size)
{
  const size_t first = ((uint64_t)address + SL_PAGE_BYTES - 1) >> SL_PAGE_BITS, end = (address + size) >> SL_PAGE_BITS;
  if (memory->flat == NULL || first >= end ||
      madvise(memory->flat + (first << SL_PAGE_BITS), (end - first) << SL_PAGE_BITS, MADV_DONTNEED) != 0)
    return;
  for (size_t page = first; page < end; page++) {
    memory->large.unused += memory->pages[page] != NULL && is_large(memory, page);
    memory->pages[page] = NULL;
  }
}

void sl_memory_read(const struct sl_memory *memory, uint32_t address, void *bytes, size_t size)
{
  uint8_t *to = bytes;
  while (size > 0) {
    size_t n = within_page(address, size);
    const uint8_t *page = memory->pages[address >> SL_PAGE_BITS];
    if (page != NULL)
      memcpy(to, page + (address & (SL_PAGE_BYTES - 1)), n);
    else
      memcpy(to, memory->blank + (address & (SL_PAGE_BYTES - 1)), n);
    to += n;
    address += (uint32_t)n;
    size -= n;
  }
}

uint64_t sl_memory_hash(const struct sl_memory *memory)
{
  return sl_memory_hash_outside(memory, 0, 0);
}

uint64_t sl_memory_hash_outside(const struct sl_memory *memory, uint32_t base, uint32_t size)
{
  const uint64_t prime = UINT64_C(0x100000001b3);
  const uint64_t blank = (uint64_t)memory->fill << 32 | memory->fill;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (uint32_t i = 0; i < SL_PAGE_COUNT; i++) {
    const uint8_t *page = memory->pages[i];
    if (page == NULL)
      continue;
    for (uint32_t offset = 0; offset < SL_PAGE_BYTES; offset += 8) {
      uint64_t word;
      memcpy(&word, page + offset, 8);
      if (word == blank || (i << SL_PAGE_BITS | offset) - base < size)
        continue;
      hash = (hash ^ ((uint64_t)i << SL_PAGE_BITS | offset)) * prime;
      hash = (hash ^ word) * prime;
    }
  }
  return hash;
}
