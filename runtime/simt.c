// Host side of the kernel interface: launching, console, memory, end of the program.

#include "simt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define KIB 1024u

enum { SHARED_ALIGNMENT = 128 };

// ------------------------------------------------------------------------------------------------
// Console

static int console_put(char c, FILE *file)
{
  (void)file;
  while (!SIMT_CSR_READ(0x802))
    ;
  SIMT_CSR_WRITE(0x803, (unsigned char)c);
  return (unsigned char)c;
}

static int console_get(FILE *file)
{
  (void)file;
  while (!SIMT_CSR_READ(0x804))
    ;
  return (unsigned char)SIMT_CSR_READ(0x805);
}

static FILE console = FDEV_SETUP_STREAM(console_put, console_get, NULL, _FDEV_SETUP_RW);

FILE *const stdin = &console;
FILE *const stdout = &console;
FILE *const stderr = &console;

// ------------------------------------------------------------------------------------------------
// End of the program. The console has no buffer, so there is nothing to flush.

_Noreturn void _exit(int status)
{
  SIMT_CSR_WRITE(0x801, status);
  console_put(0, stdout); // ends the program on a machine without the status CSR
  for (;;)
    ;
}

_Noreturn void abort(void)
{
  _exit(EXIT_FAILURE);
}

// ------------------------------------------------------------------------------------------------
// Memory

// Also serves malloc. The library's own sbrk treats a heap of more than 2 GiB as empty.
void *sbrk(ptrdiff_t bytes)
{
  extern char __heap_start[], __heap_end[];
  static char *top = __heap_start;
  if (bytes > 0 ? (size_t)bytes > (size_t)(__heap_end - top) : -(size_t)bytes > (size_t)(top - __heap_start)) {
    errno = ENOMEM;
    return (void *)-1;
  }
  char *const old = top;
  top += bytes;
  return old;
}

void *simt_alloc(size_t bytes)
{
  enum { ALIGNMENT = 256 };
  const size_t padding = -(uintptr_t)sbrk(0) % ALIGNMENT;
  char *const old = bytes > PTRDIFF_MAX ? (void *)-1 : sbrk((ptrdiff_t)(padding + bytes));
  if (old == (void *)-1) {
    fprintf(stderr, "simt: no memory left for %u bytes\n", (unsigned)bytes);
    exit(EXIT_FAILURE);
  }
  return old + padding;
}

// ------------------------------------------------------------------------------------------------
// Commands to the multiprocessor

struct simt_shape simt_shape(void)
{
  const unsigned word = SIMT_CSR_READ(0x82F);
  if (word == 0)
    return (struct simt_shape){.lanes = 32, .warps = 64, .shared_bytes = 64 * KIB};
  return (struct simt_shape){
      .lanes = word & 0xFF,
      .warps = word >> 8 & 0xFF,
      .shared_bytes = (word >> 16) * KIB,
  };
}

static void await_command(void)
{
  while (!SIMT_CSR_READ(0x820))
    ;
}

static unsigned await_answer(void)
{
  while (!SIMT_CSR_READ(0x824))
    ;
  return SIMT_CSR_READ(0x825);
}

unsigned simt_counter(enum simt_counter_id id)
{
  await_command();
  SIMT_CSR_WRITE(0x828, id);
  return await_answer();
}

static unsigned start(void (*entry)(void), const struct simt_geometry *closure, unsigned warps)
{
  await_command();
  SIMT_CSR_WRITE(0x827, warps % 64);
  await_command();
  SIMT_CSR_WRITE(0x826, closure);

  // The multiprocessor bypasses the host's data cache.
  register const void *line __asm__("a0") = closure;
  __asm__ volatile(".word 0x00050008" : : "r"(line) : "memory");

  await_command();
  SIMT_CSR_WRITE(0x823, entry);
  return await_answer();
}

// ------------------------------------------------------------------------------------------------
// Launch

#ifndef SIMT_GRID
static int is_power_of_two(unsigned n)
{
  return n != 0 && (n & (n - 1)) == 0;
}

#endif

static unsigned at_least_one(unsigned n)
{
  return n ? n : 1;
}

static dim3 complete(dim3 size)
{
  return dim3(at_least_one(size.x), at_least_one(size.y), at_least_one(size.z));
}

static uint64_t volume(dim3 size)
{
  return (uint64_t)size.x * size.y * size.z;
}

#ifndef SIMT_GRID
// Only slots below 64 are divided by a grid's width; for a wider grid the quotient is 0.
static unsigned reciprocal(unsigned n)
{
  return n > 64 ? 0 : (0x10000 + n - 1) / n;
}
#endif

static __attribute__((format(printf, 2, 3))) int invalid(const struct simt_kernel *kernel, const char *reason, ...)
{
  va_list arguments;
  va_start(arguments, reason);
  fprintf(stderr, "simt: kernel %s not started: ", kernel->name);
  vfprintf(stderr, reason, arguments);
  fprintf(stderr, "\n");
  va_end(arguments);
  return SIMT_INVALID;
}

// simt_print.c has another simt_run, for programs whose kernels print.
int simt_run(const struct simt_kernel *kernel, dim3 grid, dim3 block, size_t shared, struct simt_geometry *geometry)
    __attribute__((weak, alias("simt_run_silent")));

int simt_run_silent(const struct simt_kernel *kernel, dim3 grid, dim3 block, size_t shared,
                    struct simt_geometry *geometry)
{
  const struct simt_shape shape = simt_shape();
  grid = complete(grid);
  block = complete(block);

#ifndef SIMT_GRID
  if (!is_power_of_two(block.x) || !is_power_of_two(block.y) || !is_power_of_two(block.z))
    return invalid(kernel, "the dimensions of a block must be powers of two");
  if (volume(block) < shape.lanes)
    return invalid(kernel, "a block of %u threads is smaller than a warp of %u", (unsigned)volume(block), shape.lanes);
#endif
  if (volume(block) > shape.lanes * shape.warps)
    return invalid(kernel, "a block of %u x %u x %u threads exceeds the multiprocessor's %u", block.x, block.y, block.z,
                   shape.lanes * shape.warps);
  if (shared > shape.shared_bytes)
    return invalid(kernel, "%u bytes of shared memory exceed the scratchpad of %u", (unsigned)shared,
                   shape.shared_bytes);

  const unsigned threads = (unsigned)volume(block);
  const unsigned slice = (unsigned)(shared + SHARED_ALIGNMENT - 1) & -(unsigned)SHARED_ALIGNMENT;
#ifdef SIMT_GRID // a block has whole warps, and its share of shared memory is not 0
  unsigned slots = at_least_one(shape.warps / ((threads + shape.lanes - 1) / shape.lanes));
  if (slots > shape.shared_bytes / SHARED_ALIGNMENT)
    slots = at_least_one(shape.shared_bytes / SHARED_ALIGNMENT);
#else
  unsigned slots = shape.lanes * shape.warps / threads;
#endif
  if (slice != 0 && slots > shape.shared_bytes / slice)
    slots = at_least_one(shape.shared_bytes / slice);
#ifdef SIMT_GRID
  *geometry = (struct simt_geometry){
      .grid = grid,
      .block = block,
      .bytes = kernel->bytes,
      .shared_bytes = slice ? slice : (shape.shared_bytes / slots) & -(unsigned)SHARED_ALIGNMENT,
  };
#else
  if (slots > volume(grid))
    slots = (unsigned)volume(grid);

  *geometry = (struct simt_geometry){
      .grid = grid,
      .block = block,
      .slots = slots,
      .slot_shift = (unsigned)__builtin_ctz(threads),
      .y_shift = (unsigned)__builtin_ctz(block.x),
      .z_shift = (unsigned)__builtin_ctz(block.x * block.y),
      .step = dim3(slots % grid.x, slots / grid.x % grid.y, slots / grid.x / grid.y),
      .row_end = slots < grid.x ? grid.x : 0,
      .x_reciprocal = reciprocal(grid.x),
      .y_reciprocal = reciprocal(grid.y),
      .shared_bytes = slice ? slice : (shape.shared_bytes / slots) & -(unsigned)SHARED_ALIGNMENT,
  };
#endif

  const unsigned status = start(kernel->entry, geometry, threads / shape.lanes);
  if (status == SIMT_EXCEPTION)
    fprintf(stderr, "simt: kernel %s stopped by an exception\n", kernel->name);
  else if (status != SIMT_OK && geometry->shared_needed != 0)
    fprintf(stderr, "simt: kernel %s needs at least %u bytes of shared memory per block, it has %u\n", kernel->name,
            geometry->shared_needed, geometry->shared_bytes);
  else if (status != SIMT_OK)
    fprintf(stderr, "simt: kernel %s reported failure\n", kernel->name);
  return (int)status;
}
