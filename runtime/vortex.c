// Runtime of Vortex programs: console, exit, memory, launches. Core 0 runs the program; the other cores wait for
// launches at a word in memory.

#include "simt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  CONSOLE = 0x40, // one byte per thread, by the low bits of its number
  CONSOLE_SLOTS = 64,
  EXIT_CODE = 0x88,
  STACK_TOP_SHIFT = 13, // log2 of a thread's stack size
  SHARED_ALIGNMENT = 64,
  CORES_MOST = 64,
};

// 16 KiB unless the machine is built otherwise: no register has the size.
#ifndef SIMT_LOCAL_BYTES
#define SIMT_LOCAL_BYTES 16384u
#endif

// ------------------------------------------------------------------------------------------------
// Console

static int console_put(char c, FILE *file)
{
  (void)file;
  *(volatile char *)(CONSOLE + vx_hart_id() % CONSOLE_SLOTS) = c;
  return (unsigned char)c;
}

static int console_get(FILE *file)
{
  (void)file;
  return _FDEV_EOF;
}

static FILE console = FDEV_SETUP_STREAM(console_put, console_get, NULL, _FDEV_SETUP_RW);

FILE *const stdin = &console;
FILE *const stdout = &console;
FILE *const stderr = &console;

// ------------------------------------------------------------------------------------------------
// Variables shared by all cores. They are in the image, because the other cores read them before core 0 has cleared the
// variables.

struct call {
  void (*entry)(const void *);
  const void *argument;
};

struct call vortex_call __attribute__((section(".data")));
volatile unsigned vortex_launches __attribute__((section(".data"))); // both 0 when the program begins
volatile unsigned vortex_stopped __attribute__((section(".data")));
static volatile struct {
  unsigned launches, instructions;
} vortex_done[CORES_MOST] __attribute__((section(".data")));

const struct simt_geometry *vortex_geometry;
static volatile unsigned failed;
static const char *volatile refused;  // place of the barrier that a block in rounds reached
static unsigned cycles, instructions; // of the last launch

// Frame of the thread that called vortex_warps.
__thread void *vortex_frame;

uint64_t vortex_warps(void); // cycle of the spawn; in the upper half the cycle at which all warps had ended
void vortex_warps_end(void);
void vortex_worker(void);
void vortex_zero(char *from, char *to); // a multiple of one word per lane

unsigned simt_cores(void)
{
  const unsigned n = vx_num_cores();
  return n < CORES_MOST ? n : CORES_MOST;
}

// Loop of every core other than core 0, until the program ends.
void vortex_worker(void)
{
  const unsigned core = vx_core_id();
  if (core >= CORES_MOST)
    return;
  for (unsigned seen = 0;;) {
    while (vortex_launches == seen)
      if (vortex_stopped)
        return;
    seen++;
    const unsigned before = vx_instructions();
    vortex_warps();
    vortex_done[core].instructions = vx_instructions() - before;
    vx_fence();
    vortex_done[core].launches = seen;
  }
}

// Counting starts when core 0 spawns its warps and stops when the warps of all cores have ended.
void vx_run(void (*function)(const void *), const void *argument)
{
  const unsigned n = simt_cores();
  vortex_call = (struct call){function, argument};
  vx_fence();
  vortex_launches++;
  const unsigned first_instruction = vx_instructions();
  const uint64_t span = vortex_warps();
  instructions = vx_instructions() - first_instruction;
  cycles = (unsigned)(span >> 32) - (unsigned)span;
  vx_fence();
  for (unsigned core = 1; core < n; core++)
    while (vortex_done[core].launches != vortex_launches)
      cycles = vx_cycles() - (unsigned)span;
  for (unsigned core = 1; core < n; core++)
    instructions += vortex_done[core].instructions;
}

static void explain_refusal(const char *kernel, const struct simt_geometry *g)
{
  const unsigned threads = vx_num_threads() * vx_num_warps(), most = 1u << (31 - __builtin_clz(threads));
  fprintf(stderr,
          "simt: kernel %s, %s: a barrier in a block of %u threads, of which the core runs %u at a time: launch more "
          "blocks of %u threads or less\n",
          kernel, refused, 1u << g->slot_shift, threads, most);
}

// A block with more threads than the core runs in rounds: each round runs as many threads as the core has.
void (*vortex_in_rounds)(const void *); // the kernel; simulators report its name

static void run_rounds(const void *geometry)
{
  const unsigned shift = ((const struct simt_geometry *)geometry)->slot_shift,
                 threads = vx_num_threads() * vx_num_warps();
  void (*const kernel)(const void *, unsigned) = (void (*)(const void *, unsigned))(uintptr_t)vortex_in_rounds;
  for (unsigned first = 0; first >> shift == 0; first += threads)
    kernel(geometry, first);
}

static void run(const void *kernel, const struct simt_geometry *geometry)
{
  void (*const entry)(const void *) = (void (*)(const void *))kernel;
  vortex_geometry = geometry;
  failed = 0;
  refused = NULL;
  vortex_in_rounds = geometry->block_warps == 0 ? entry : NULL;
  vx_run(vortex_in_rounds != NULL ? run_rounds : entry, geometry);
}

// Runs a launch for the loader, instead of main: the block holds 0, the kernel and its geometry.
_Noreturn void vortex_launched(const unsigned *block)
{
  for (unsigned core = 1; core < simt_cores(); core++)
    vortex_done[core].launches = 0;
  run((const void *)block[1], (const struct simt_geometry *)block[2]);
  if (refused != NULL)
    explain_refusal("launched", vortex_geometry);
  _exit(failed ? EXIT_FAILURE : EXIT_SUCCESS);
}

_Noreturn void simt_fail(void)
{
  failed = 1;
  vx_fence();
  if (vx_warp_id() != 0)
    vx_tmc(0);
  vx_tmc(1);
  vortex_warps_end();
  __builtin_unreachable();
}

// Barriers of blocks in rounds call this function (simt_vortex.h).
_Noreturn void vortex_refuse_barrier(const char *place);
_Noreturn void vortex_refuse_barrier(const char *place)
{
  refused = place;
  simt_fail();
}

// Barrier of a block that counts threads, for warps whose lanes run apart: each waits until every thread of the block
// has come as often as itself. Lanes that arrive together look at the same thread, and leave together.
static __thread volatile unsigned meetings __attribute__((section(".tbss.vortex_meet")));

__attribute__((section(".text.vortex_meet"))) void vortex_meet(void)
{
  extern char __tls_first[], __tls_second[];
  const unsigned bytes = (unsigned)(__tls_second - __tls_first), threads = 1u << vortex_geometry->slot_shift,
                 me = vx_warp_id() * vx_num_threads() + vx_thread_id();
  volatile const char *other = (volatile const char *)&meetings - (me & (threads - 1)) * bytes;
  /* In earlier launches some threads of the block may have come more often than others. */
  const unsigned first = vortex_launches << 16, lanes = vx_active_threads();
  const int before = (int)(meetings - first);
  const unsigned turn = first + (unsigned)(before & ~(before >> 31)) + 1;
  if (vortex_geometry->block_warps == 0 && threads > vx_num_threads())
    return;
  meetings = turn;
  for (unsigned i = 0; i < threads; i++, other += bytes)
    while (vx_pred((int)(*(volatile const unsigned *)other - turn) < 0, lanes))
      vx_yield();
}

unsigned simt_counter(enum simt_counter_id id)
{
  return id == SIMT_CYCLES ? cycles : id == SIMT_INSTRUCTIONS ? instructions : 0;
}

// Size of the local memory that really exists, measured once. If it is smaller than its address range, as in the
// authors' simulator, addresses repeat. The first thread measures while no kernel runs, so no data is lost.
static unsigned local_bytes(void)
{
  static unsigned bytes;
  volatile unsigned *const local = (volatile unsigned *)vx_local_memory();
  for (unsigned size = 256; bytes == 0; size *= 2) {
    local[size / sizeof *local] = 1;
    local[0] = 0;
    if (size == SIMT_LOCAL_BYTES || local[size / sizeof *local] == 0)
      bytes = size;
  }
  return bytes;
}

struct simt_shape simt_shape(void)
{
  return (struct simt_shape){
      .lanes = vx_num_threads(),
      .warps = vx_num_warps(),
      .shared_bytes = local_bytes(),
  };
}

// ------------------------------------------------------------------------------------------------
// End of the program. The console has no buffer, so there is nothing to flush.

_Noreturn void _exit(int status)
{
  vortex_stopped = 1;
  *(volatile int *)EXIT_CODE = status;
  vx_fence();
  for (;;)
    vx_tmc(0);
}

_Noreturn void abort(void)
{
  _exit(EXIT_FAILURE);
}

// ------------------------------------------------------------------------------------------------
// Memory: from the end of the threads' local storage to the lowest stack

void *sbrk(ptrdiff_t bytes)
{
  extern char __tls_first[], __tls_second[];
  static char *top;
  const size_t harts = vx_harts();
  char *const start = __tls_first + harts * (size_t)(__tls_second - __tls_first);
  char *const end = (char *)0xFFFF0000 - (harts << STACK_TOP_SHIFT);
  if (top == NULL)
    top = start;
  if (bytes > 0 ? (size_t)bytes > (size_t)(end - top) : -(size_t)bytes > (size_t)(top - start)) {
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
  const size_t padding = -(uintptr_t)sbrk(0) % ALIGNMENT, room = (bytes + ALIGNMENT - 1) & -(size_t)ALIGNMENT;
  char *const old = bytes > PTRDIFF_MAX - ALIGNMENT ? (void *)-1 : sbrk((ptrdiff_t)(padding + room));
  if (old == (void *)-1) {
    fprintf(stderr, "simt: no memory left for %u bytes\n", (unsigned)bytes);
    exit(EXIT_FAILURE);
  }
  if (room > 0)
    vortex_zero(old + padding, old + padding + room);
  return old + padding;
}

// ------------------------------------------------------------------------------------------------
// Launch

static int is_power_of_two(unsigned n)
{
  return n != 0 && (n & (n - 1)) == 0;
}

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

static int check(const struct simt_kernel *kernel, const struct simt_shape *shape, dim3 block, size_t shared)
{
  const unsigned threads = (unsigned)volume(block);
  if (!is_power_of_two(block.x) || !is_power_of_two(block.y) || !is_power_of_two(block.z))
    return invalid(kernel, "the dimensions of a block must be powers of two");
  if (volume(block) < shape->lanes)
    return invalid(kernel, "a block of %u threads is smaller than a warp of %u", threads, shape->lanes);
  if (volume(block) > UINT32_MAX / 2)
    return invalid(kernel, "a block of %u x %u x %u threads: launch more blocks of fewer threads", block.x, block.y,
                   block.z);
  if (shared > shape->shared_bytes)
    return invalid(kernel, "%u bytes of shared memory exceed the local memory of %u", (unsigned)shared,
                   shape->shared_bytes);
  return SIMT_OK;
}

// Slots per core: limited by the core's warps and local memory. A block with more threads than the core runs in rounds.
static unsigned slots_of_core(const struct simt_shape *shape, unsigned threads, unsigned slice)
{
  const unsigned slots = shape->lanes * shape->warps / threads;
  const unsigned fit = slice != 0 && slots > shape->shared_bytes / slice ? shape->shared_bytes / slice : slots;
  return at_least_one(fit);
}

int simt_run(const struct simt_kernel *kernel, dim3 grid, dim3 block, size_t shared, struct simt_geometry *geometry)
{
  const struct simt_shape shape = simt_shape();
  grid = complete(grid);
  block = complete(block);
  if (check(kernel, &shape, block, shared) != SIMT_OK)
    return SIMT_INVALID;

  const unsigned threads = (unsigned)volume(block);
  const unsigned slice = (unsigned)(shared + SHARED_ALIGNMENT - 1) & -(unsigned)SHARED_ALIGNMENT;
  const unsigned core_slots = slots_of_core(&shape, threads, slice);
  const unsigned all = core_slots * simt_cores();
  const unsigned slots = all > volume(grid) ? (unsigned)volume(grid) : all;
  *geometry = (struct simt_geometry){
      .grid = grid,
      .block = block,
      .slots = slots,
      .slot_shift = (unsigned)__builtin_ctz(threads),
      .y_shift = (unsigned)__builtin_ctz(block.x),
      .z_shift = (unsigned)__builtin_ctz(block.x * block.y),
      .step = dim3(slots % grid.x, slots / grid.x % grid.y, slots / grid.x / grid.y),
      .row_end = slots < grid.x ? grid.x : 0,
      .shared_bytes = slice ? slice : (shape.shared_bytes / core_slots) & -(unsigned)SHARED_ALIGNMENT,
      .core_slots = core_slots,
      .block_warps = threads > shape.lanes * shape.warps ? 0 : threads / shape.lanes,
  };

  run((const void *)kernel->entry, geometry);
  if (refused != NULL)
    explain_refusal(kernel->name, geometry);
  else if (failed && geometry->shared_needed != 0)
    fprintf(stderr, "simt: kernel %s needs at least %u bytes of shared memory per block, it has %u\n", kernel->name,
            geometry->shared_needed, geometry->shared_bytes);
  else if (failed)
    fprintf(stderr, "simt: kernel %s reported failure\n", kernel->name);
  return failed ? SIMT_FAILED : SIMT_OK;
}
