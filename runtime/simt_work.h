// Work dealt thread by thread: thread `hart` of `harts` gets items hart, hart + harts, ... below n. What is the same
// for all threads is computed once, before a launch. On a Vortex machine the threads are those it has, and this is part
// of vortex.h; on a machine that deals blocks they are a grid that fills it.

#ifndef SIMT_WORK_H
#define SIMT_WORK_H

#ifdef SIMT_GRID

#include "simt.h"

#define SIMT_WORK_BLOCK 256 // threads

// Number of the thread in the grid, and of the lane in its warp.
#define vx_hart_id() (SIMT_PLACE(0xCC3) * SIMT_WORK_BLOCK + SIMT_PLACE(0xCC0))
#define vx_thread_id() SIMT_PLACE(0xCCD)
#define vx_num_threads() 32u // of a warp

// A block for each multiprocessor. The host, which alone can ask how many there are, leaves it for the threads.
static unsigned simt_work_harts;
SIMT_INLINE unsigned vx_harts(void)
{
  if (simt_work_harts == 0)
    simt_work_harts = simt_cores() * SIMT_WORK_BLOCK;
  return simt_work_harts;
}

typedef void (*vx_function)(const void *);
struct vx_object {
  struct simt_geometry geometry;
  const void *argument;
};

// What a function run by vx_run has been given.
#define vx_argument(object) (((const struct vx_object *)(object))->argument)

// Runs function(object) on all threads, where vx_argument(object) is `argument`.
SIMT_INLINE void vx_run(vx_function function, const void *argument)
{
  const struct simt_kernel kernel = {(void (*)(void))function, "vx_run", sizeof(struct vx_object)};
  struct vx_object object = {.argument = argument};
  const dim3 grid = {vx_harts() / SIMT_WORK_BLOCK, 1, 1}, block = {SIMT_WORK_BLOCK, 1, 1};
  simt_run(&kernel, grid, block, 0, &object.geometry);
}

#else

#define vx_argument(object) (object)

#endif

struct vx_work {
  unsigned n, harts;
  unsigned rounds, rest; // rounds of all threads, and how many threads have one more
};

SIMT_INLINE struct vx_work vx_divide(unsigned n)
{
  const unsigned harts = vx_harts();
  const struct vx_work work = {n, harts, n / harts, n % harts};
  return work;
}

// The share of a warp: `rounds` rounds, in the last of which the threads of `tail` have an item. There may be none:
// rounds is 0.
struct vx_share {
  unsigned rounds, tail;
};

// Without branches, whose targets the compiler might place inside of a loop.
SIMT_INLINE struct vx_share vx_deal(const struct vx_work *work)
{
  const unsigned first = vx_hart_id() - vx_thread_id(), left = work->rest - first;
  const unsigned more = work->rest > first, part = -(more & (left < 32));
  const struct vx_share share = {work->rounds + more, ((1u << (left & 31)) - 1) | ~part};
  return share;
}

#include "vortex_loops.h"

#endif
