/* One warp of an SM without timing: registers, memory, and single-instruction execution. */
#ifndef SL_TESTS_WARP_H
#define SL_TESTS_WARP_H

#include "func/path_execute.h"
#include "words.h"

enum { CODE_BASE = 0x08000000, CODE_WORDS = 512, LANES = 32, WARPS = 64 };

#define ALL UINT64_C(0xffffffff) /* lanes */
#define DATA UINT32_C(0x90000000)
#define SCRATCHPAD UINT32_C(0xbfff0000)

/* The published shape. Tests use one of its warps, usually not the first. */
struct warp {
  struct sl_memory memory;
  struct sl_path_warps threads;
  struct sl_request request;
  unsigned number;
  struct sl_execution ex; /* the latest instruction */
};

static inline int warp_setup(struct warp *w, unsigned number)
{
  const struct sl_path_warps_spec spec = {
      .lanes = LANES,
      .warps = WARPS,
      .isa_sets = simtight_sets() & ~(unsigned)SL_ISA_HOST,
      .code_base = CODE_BASE,
      .code_words = CODE_WORDS,
      .scratchpad_base = SCRATCHPAD,
      .scratchpad_bytes = 65536,
      .scratchpad_banks = 16,
      .stack_bytes = 1 << 19,
  };
  w->number = number;
  if (sl_memory_init(&w->memory, CODE_BASE + CODE_WORDS * 4, NULL) != SL_OK ||
      sl_path_warps_init(&w->threads, &spec, sl_lane_ops(LANES), &w->memory, NULL) != SL_OK)
    return 1;
  w->threads.s.timing = true;
  sl_path_warps_start(&w->threads, CODE_BASE, 0x91234568);
  return 0;
}

static inline void warp_teardown(struct warp *w)
{
  sl_path_warps_free(&w->threads);
  sl_memory_free(&w->memory);
}

static inline struct sl_paths *warp_paths(struct warp *w)
{
  return &w->threads.paths[w->number];
}

static inline uint32_t *warp_register(struct warp *w, unsigned reg)
{
  return sl_path_warps_registers(&w->threads, w->number) + reg * LANES;
}

/* Register `reg` of lane l = first + l * step. */
static inline void warp_set(struct warp *w, unsigned reg, uint32_t first, uint32_t step)
{
  for (unsigned l = 0; l < LANES; l++)
    warp_register(w, reg)[l] = first + l * step;
}

/* Only these lanes are at the start of the program, at a deeper level than the others, which are elsewhere. */
static inline void warp_activate(struct warp *w, sl_lanes lanes)
{
  struct sl_paths *paths = warp_paths(w);
  sl_paths_start(paths, SL_CONVERGENCE_NESTING, ALL, CODE_BASE);
  if (lanes == ALL)
    return;
  paths->path[0].lanes = lanes;
  paths->path[0].level = 1;
  paths->path[1] = (struct sl_path){.lanes = ALL & ~lanes, .pc = CODE_BASE + 0x100};
  paths->count = 2;
}

/* Executes a word at the active path's pc; the first word at the start. */
static inline enum sl_effect warp_execute(struct warp *w, uint32_t word)
{
  unsigned path = sl_paths_select(warp_paths(w));
  sl_path_warps_write_code(&w->threads, warp_paths(w)->path[path].pc, word);
  if (!sl_path_warps_fetch(&w->threads, w->number, &path, &w->ex))
    return SL_EFFECT_FAULT;
  return sl_path_execute(&w->threads, w->number, path, &w->ex, &w->request);
}

#endif
