#define _GNU_SOURCE /* syscall, dl_iterate_phdr */
#include "cli/bench/bench.h"

#include <stdlib.h>
#include <string.h>

const char *const sl_host_share_names[SL_SHARES] = {"pipeline", "memory", "values", "divergence", "host", "other"};

#ifdef __linux__

#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

/* file: of a static function; NULL: the symbol is global. */
static enum sl_host_share share_of(const char *file, const char *name)
{
#define FILE(share, start)                                                                                             \
  if (file != NULL && begins(file, start))                                                                             \
    return SL_SHARE_##share;
#define SYMBOL(share, start)                                                                                           \
  if (begins(name, start))                                                                                             \
    return SL_SHARE_##share;
#include "cli/bench/host_shares.def"
#undef FILE
#undef SYMBOL
  return SL_SHARE_OTHER;
}

static int by_address(const void *a, const void *b)
{
  const struct sl_host_symbol *left = a, *right = b;
  return (left->first > right->first) - (left->first < right->first);
}

/* Where the executable is loaded: the first object of the list. */
static int first_object(struct dl_phdr_info *info, size_t size, void *base)
{
  (void)size;
  *(uint64_t *)base = info->dlpi_addr;
  return 1;
}

/* Static functions come behind a symbol with the name of their source file. */
static void read_table(struct sl_host_symbols *symbols, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata(section, NULL);
  const size_t count = header->sh_entsize > 0 ? header->sh_size / header->sh_entsize : 0;
  uint64_t base = 0;
  const char *file = NULL;
  bool named = false; /* link-time optimisation leaves no file names */
  symbols->of = calloc(count > 0 ? count : 1, sizeof *symbols->of);
  if (data == NULL || symbols->of == NULL)
    return;
  dl_iterate_phdr(first_object, &base);
  for (size_t i = 0; i < count; i++) {
    GElf_Sym symbol;
    if (gelf_getsym(data, (int)i, &symbol) == NULL)
      continue;
    const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
    if (name != NULL && GELF_ST_TYPE(symbol.st_info) == STT_FILE)
      file = name;
    named |= file != NULL && strcmp(file, "host_shares.c") == 0;
    if (name == NULL || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0)
      continue;
    const bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL && !begins(name, "sl_");
    symbols->of[symbols->count++] = (struct sl_host_symbol){
        base + symbol.st_value, base + symbol.st_value + symbol.st_size, share_of(local ? file : NULL, name)};
  }
  symbols->count = named ? symbols->count : 0;
  qsort(symbols->of, symbols->count, sizeof *symbols->of, by_address);
}

void sl_host_symbols_open(struct sl_host_symbols *symbols)
{
  *symbols = (struct sl_host_symbols){0};
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  elf_version(EV_CURRENT);
  Elf *elf = elf_begin(file, ELF_C_READ, NULL);
  Elf_Scn *section = NULL;
  while (elf != NULL && symbols->of == NULL && (section = elf_nextscn(elf, section)) != NULL) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB)
      read_table(symbols, elf, section, &header);
  }
  elf_end(elf);
  close(file);
}

/* The share of the function that contains this address. */
static enum sl_host_share share_at(const struct sl_host_symbols *symbols, uint64_t address)
{
  size_t low = 0, high = symbols->count; /* the last symbol that begins at or below the address is before `high` */
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (symbols->of[middle].first <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && address < symbols->of[low - 1].end ? symbols->of[low - 1].share : SL_SHARE_OTHER;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

enum { PER_SECOND = 5000, RING_PAGES = 64 /* 3 seconds of a run; what a user may lock is limited */ };

static size_t page_bytes(void)
{
  return (size_t)sysconf(_SC_PAGESIZE);
}

bool sl_host_samples_open(struct sl_host_samples *samples)
{
  enum { THIS_THREAD = 0, ANY_PROCESSOR = -1, NO_GROUP = -1 };
  struct perf_event_attr event = {
      .type = PERF_TYPE_SOFTWARE,
      .size = sizeof event,
      .config = PERF_COUNT_SW_CPU_CLOCK,
      .sample_period = 1000000000 / PER_SECOND,
      .sample_type = PERF_SAMPLE_IP,
      .disabled = 1,
      .exclude_kernel = 1,
      .exclude_hv = 1,
  };
  samples->file = (int)syscall(SYS_perf_event_open, &event, THIS_THREAD, ANY_PROCESSOR, NO_GROUP, PERF_FLAG_FD_CLOEXEC);
  if (samples->file < 0)
    return false;
  samples->ring = mmap(NULL, (1 + RING_PAGES) * page_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, samples->file, 0);
  if (samples->ring != MAP_FAILED)
    return true;
  close(samples->file);
  samples->file = -1;
  return false;
}

/* Copies bytes of the ring from a position that only grows. */
static void copy(const struct sl_host_samples *samples, uint64_t from, void *to, size_t size)
{
  const uint8_t *data = (const uint8_t *)samples->ring + page_bytes();
  const uint64_t bytes = RING_PAGES * page_bytes();
  for (size_t i = 0; i < size; i++)
    ((uint8_t *)to)[i] = data[(from + i) % bytes];
}

void sl_host_samples_resume(struct sl_host_samples *samples)
{
  ioctl(samples->file, PERF_EVENT_IOC_ENABLE, 0);
}

void sl_host_samples_pause(struct sl_host_samples *samples, const struct sl_host_symbols *symbols)
{
  ioctl(samples->file, PERF_EVENT_IOC_DISABLE, 0);
  struct perf_event_mmap_page *page = samples->ring;
  const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
  struct perf_event_header header;
  for (uint64_t at = page->data_tail; at + sizeof header <= head; at += header.size) {
    uint64_t address;
    copy(samples, at, &header, sizeof header);
    if (header.size < sizeof header)
      break;
    samples->lost |= header.type == PERF_RECORD_LOST;
    if (header.type != PERF_RECORD_SAMPLE)
      continue;
    copy(samples, at + sizeof header, &address, sizeof address);
    samples->count[share_at(symbols, address)]++;
  }
  __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

void sl_host_samples_close(struct sl_host_samples *samples)
{
  munmap(samples->ring, (1 + RING_PAGES) * page_bytes());
  close(samples->file);
  samples->file = -1;
}

#else

void sl_host_symbols_open(struct sl_host_symbols *symbols)
{
  *symbols = (struct sl_host_symbols){0};
}

bool sl_host_samples_open(struct sl_host_samples *samples)
{
  (void)samples;
  return false;
}

void sl_host_samples_resume(struct sl_host_samples *samples)
{
  (void)samples;
}

void sl_host_samples_pause(struct sl_host_samples *samples, const struct sl_host_symbols *symbols)
{
  (void)samples;
  (void)symbols;
}

void sl_host_samples_close(struct sl_host_samples *samples)
{
  (void)samples;
}

#endif

void sl_host_symbols_close(struct sl_host_symbols *symbols)
{
  free(symbols->of);
  *symbols = (struct sl_host_symbols){0};
}
