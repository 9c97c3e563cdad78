// Distribution of work over threads: thread `hart` of `harts` processes items hart, hart + harts, ... below n. Values
// that are equal for all threads are computed once, before a launch. On a Vortex machine the threads are the hardware
// threads, and this header is part of vortex.h. On a machine that distributes blocks, the threads are a grid that fills
// the machine.

#ifndef SIMT_WORK_H
#define SIMT_WORK_H

#ifdef SIMT_GRID

#include "simt.h"

#define SIMT_WORK_BLOCK 256 // threads

// Index of the thread in the grid, and of the lane in its warp.
#define vx_hart_id() (SIMT_PLACE(0xCC3) * SIMT_WORK_BLOCK + SIMT_PLACE(0xCC0))
#define vx_thread_id() SIMT_PLACE(0xCCD)
#define vx_num_threads() 32u // per warp

// One block per multiprocessor. Only the host can read the number of multiprocessors; it stores the thread count here.
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

// Argument of a function that vx_run runs.
#define vx_argument(object) (((const struct vx_object *)(object))->argument)

// Runs function(object) on all threads; vx_argument(object) is `argument`.
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

// A warp's share of the items: `rounds` rounds, and in the last one only the threads of the mask `tail` have an item. A
// share may be empty: rounds is 0.
struct vx_share {
  unsigned rounds, tail;
};

// Contains no branches, because the compiler might place their targets inside a loop.
SIMT_INLINE struct vx_share vx_deal(const struct vx_work *work)
{
  const unsigned first = vx_hart_id() - vx_thread_id(), left = work->rest - first;
  const unsigned more = work->rest > first, part = -(more & (left < 32));
  const struct vx_share share = {work->rounds + more, ((1u << (left & 31)) - 1) | ~part};
  return share;
}

#include "vortex_loops.h"

#endif
