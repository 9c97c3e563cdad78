// printf in kernels, which have no console. Threads write text to a buffer between heap and stack; the host prints the
// buffer after the kernel. simtlab cc links this file into programs whose kernels call printf.

#include "simt.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { AREA_BYTES = 4 << 20 };

// All zero while the buffer is empty.
#ifdef SIMT_GRID
// Each call appends an entry: a word with the entry's size, then the text.
struct area {
  unsigned used, lost;
  char text[AREA_BYTES - 2 * sizeof(unsigned)];
};
#else
// Memory has no atomic operations, so each thread of the multiprocessor has its own part of the buffer.
enum { HARTS = 4096 };
struct area {
  unsigned used;
  struct {
    unsigned used, lost;
    char text[AREA_BYTES / HARTS - 3 * sizeof(unsigned)];
  } thread[HARTS];
};
#endif

static struct area *area_of_texts(void)
{
  extern char __heap_end[];
  return (struct area *)((uintptr_t)__heap_end - AREA_BYTES);
}

#ifdef SIMT_GRID
static int keep(const char *format, va_list arguments)
{
  struct area *const area = area_of_texts();
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0)
    return length;
  const unsigned size = ((unsigned)length + 2 * sizeof(unsigned)) & -sizeof(unsigned);
  const unsigned at = __atomic_fetch_add(&area->used, size, __ATOMIC_RELAXED);
  if (at > sizeof area->text || size > sizeof area->text - at) {
    __atomic_fetch_add(&area->lost, 1, __ATOMIC_RELAXED);
    return -1;
  }
  *(unsigned *)(area->text + at) = size;
  return vsnprintf(area->text + at + sizeof(unsigned), (unsigned)length + 1, format, arguments);
}
#else
static int keep(const char *format, va_list arguments)
{
  struct area *const area = area_of_texts();
  const unsigned hart = SIMT_CSR_READ(0xF14) % HARTS, used = area->thread[hart].used,
                 room = sizeof area->thread[hart].text - used;
  const int length = vsnprintf(area->thread[hart].text + used, room, format, arguments);
  area->used = 1;
  if (length < 0 || (unsigned)length >= room) {
    area->thread[hart].lost++;
    return -1;
  }
  area->thread[hart].used = used + (unsigned)length;
  return length;
}
#endif

// The threads' stacks are above the host's memory.
static int is_host(void)
{
  extern char __stack[];
  return (uintptr_t)__builtin_frame_address(0) <= (uintptr_t)__stack;
}

int simt_printf(const char *format, ...)
{
  va_list arguments;
  int length;
  va_start(arguments, format);
  if (is_host())
    length = vfprintf(stdout, format, arguments);
  else {
    simt_push();
    length = keep(format, arguments);
    simt_pop();
  }
  va_end(arguments);
  return length;
}

// Skips 0 bytes: the console would end the program at one.
static void put(const char *text, unsigned length)
{
  for (unsigned i = 0; i < length; i++)
    if (text[i] != 0)
      fputc(text[i], stdout);
}

// Prints and clears the buffer. Returns the number of calls whose text did not fit.
static unsigned print_kept(struct area *area)
{
#ifdef SIMT_GRID
  const unsigned lost = area->lost;
  for (unsigned at = 0; at < sizeof area->text && *(unsigned *)(area->text + at) != 0;) {
    const unsigned size = *(unsigned *)(area->text + at), end = at + size;
    put(area->text + at + sizeof(unsigned), size - sizeof(unsigned));
    for (; at < end; at += sizeof(unsigned))
      *(unsigned *)(area->text + at) = 0;
  }
  area->lost = 0;
#else
  unsigned lost = 0;
  for (unsigned hart = 0; hart < HARTS; hart++) {
    put(area->thread[hart].text, area->thread[hart].used);
    lost += area->thread[hart].lost;
    area->thread[hart].used = area->thread[hart].lost = 0;
  }
#endif
  area->used = 0;
  return lost;
}

// Replaces the default simt_run, which does not print.
int simt_run(const struct simt_kernel *kernel, dim3 grid, dim3 block, size_t shared, struct simt_geometry *geometry)
{
  struct area *const area = area_of_texts();
  if ((uintptr_t)sbrk(0) > (uintptr_t)area) {
    fprintf(stderr, "simt: kernel %s not started: no memory is left for its printf buffer; allocate less\n",
            kernel->name);
    return SIMT_INVALID;
  }
  const int status = simt_run_silent(kernel, grid, block, shared, geometry);
  const unsigned lost = area->used != 0 ? print_kept(area) : 0;
  if (lost > 0)
    fprintf(stderr,
            "simt: kernel %s: the printf buffer was full, the text of %u calls is lost; print less per launch\n",
            kernel->name, lost);
  return status;
}
