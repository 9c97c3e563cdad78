#include "ptx/run/ptx_grid.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread_pool.h"

/* More ranges than threads, because blocks take different times. */
enum { RANGES_PER_THREAD = 16 };

/* ---- kernels whose blocks are independent ----------------------------------------------------------------------- */

static bool reads(const struct sl_ptx_insn *in, unsigned id)
{
  bool found = in->guard.id == id || in->address.id == id;
  for (unsigned i = 0; i < sl_ptx_srcs(in); i++)
    found |= sl_ptx_src(in, i).id == id;
  return found;
}

static bool is_read(const struct sl_ptx_module *m, unsigned id)
{
  for (uint32_t pc = 0; pc < m->code_count; pc++)
    if (reads(&m->code[pc], id))
      return true;
  return false;
}

/* An atomic instruction that may be performed in any order among others like it. */
static bool is_reduction(const struct sl_ptx_module *m, const struct sl_ptx_insn *in)
{
  const enum sl_ptx_type type = (enum sl_ptx_type)in->type;
  switch ((enum sl_ptx_atomic)in->mode) {
  case SL_PTX_ATOM_ADD:
  case SL_PTX_ATOM_MIN:
  case SL_PTX_ATOM_MAX:
  case SL_PTX_ATOM_AND:
  case SL_PTX_ATOM_OR:
  case SL_PTX_ATOM_XOR: break;
  default: return false;
  }
  return !sl_ptx_is_float(type) && in->bytes >= 4 && (in->order & (SL_PTX_ACQUIRE | SL_PTX_RELEASE)) == 0 &&
         (in->dsts == 0 || !is_read(m, in->dst[0].id));
}

static bool is_independent(const struct sl_ptx_module *m, const struct sl_ptx_insn *in)
{
  const bool own = in->space == SL_PTX_SHARED || in->space == SL_PTX_LOCAL || (in->order & SL_PTX_IN_BLOCK) != 0;
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_ATOMIC: return in->space == SL_PTX_SHARED || is_reduction(m, in);
  case SL_PTX_K_LOAD:
  case SL_PTX_K_STORE: return own || (in->order & ~(unsigned)SL_PTX_WARP_SYNC) == 0;
  case SL_PTX_K_MEMBAR: return own;
  case SL_PTX_K_SERVICE:
  case SL_PTX_K_CLOCK: return false;
  default: return true;
  }
}

/* With calls any function of the module may run. */
static bool is_kernel_independent(const struct sl_ptx_module *m, const struct sl_ptx_function *k)
{
  uint32_t begin = k->begin, end = k->end;
  for (uint32_t pc = k->begin; pc < k->end; pc++)
    if (m->code[pc].kind == SL_PTX_K_CALL)
      begin = 0, end = m->code_count;
  for (uint32_t pc = begin; pc < end; pc++)
    if (!is_independent(m, &m->code[pc]))
      return false;
  return true;
}

bool sl_ptx_parallel_allowed(const struct sl_ptx_launch *l, const struct sl_ptx_bounds *b)
{
  const bool plain = b->limit == 0 && b->reached == NULL && b->restores == NULL && b->probes == NULL && b->order == 0 &&
                     !b->alone && b->first == 0 && b->end == 0;
  return plain && l->linear == NULL && l->shadow == NULL && !l->memory->checked &&
         (uint64_t)l->grid[0] * l->grid[1] * l->grid[2] > 1 && is_kernel_independent(l->module, l->kernel);
}

/* ---- execution --------------------------------------------------------------------------------------------------- */

/* Consecutive blocks, and how their execution ended. */
struct range {
  struct sl_ptx_counts counts;
  struct sl_ptx_fault fault;
  enum sl_status code;
  struct sl_error error;
};

struct work {
  const struct sl_ptx_launch *launch;
  const struct sl_ptx_bounds *bounds;
  struct sl_ptx_counts *counts; /* of earlier launches, then with all that has been executed */
  struct range *range;
  unsigned ranges;
  uint64_t blocks;
  uint64_t before;           /* warp instructions of earlier launches */
  atomic_uint next, first;   /* the range that begins next; the first one that has failed */
  atomic_uint_fast64_t done; /* warp instructions of the ranges that have ended */
  atomic_bool stopped;
};

static bool goes_on_here(void *context)
{
  struct work *w = context;
  w->counts->warp_insns = w->before + atomic_load_explicit(&w->done, memory_order_relaxed);
  if (w->bounds->goes_on != NULL && !w->bounds->goes_on(w->bounds->context))
    atomic_store(&w->stopped, true);
  return !atomic_load(&w->stopped);
}

static bool goes_on_elsewhere(void *context)
{
  const struct work *w = context;
  return !atomic_load(&w->stopped);
}

static uint64_t start_of(const struct work *w, unsigned range)
{
  return w->blocks / w->ranges * range + w->blocks % w->ranges * range / w->ranges;
}

static void run_range(struct work *w, unsigned number, bool here)
{
  struct range *r = &w->range[number];
  const struct sl_ptx_bounds bounds = {.goes_on = here ? goes_on_here : goes_on_elsewhere,
                                       .context = w,
                                       .first = start_of(w, number),
                                       .end = start_of(w, number + 1)};
  struct sl_ptx_grid *grid;
  r->code = sl_ptx_grid_open(&grid, w->launch, &bounds, &r->counts, &r->error);
  if (r->code == SL_OK)
    r->code = sl_ptx_grid_go_on(grid, UINT64_MAX, &r->error);
  if (r->code == SL_FAULT)
    r->fault = sl_ptx_grid_fault(grid);
  sl_ptx_grid_close(grid);
  atomic_fetch_add_explicit(&w->done, r->counts.warp_insns, memory_order_relaxed);
}

/* Earlier ranges than one that has failed have begun, and run to their end. */
static void run_ranges(void *context, unsigned member)
{
  struct work *w = context;
  for (;;) {
    const unsigned number = atomic_fetch_add(&w->next, 1);
    if (number >= w->ranges || number > atomic_load(&w->first) || atomic_load(&w->stopped))
      return;
    run_range(w, number, member == 0);
    unsigned first = atomic_load(&w->first);
    while (w->range[number].code != SL_OK && number < first)
      if (atomic_compare_exchange_weak(&w->first, &first, number))
        break;
  }
}

/* The counts up to the first range that has failed, as in the order of the blocks. */
static enum sl_status join(struct work *w, struct sl_ptx_counts *counts, struct sl_ptx_fault *fault,
                           struct sl_error *err)
{
  const unsigned first = atomic_load(&w->first);
  for (unsigned i = 0; i < w->ranges && i <= first; i++) {
    counts->thread_insns += w->range[i].counts.thread_insns;
    counts->warp_insns += w->range[i].counts.warp_insns;
    counts->blocks += w->range[i].counts.blocks;
  }
  if (first >= w->ranges)
    return atomic_load(&w->stopped) ? sl_fail(err, SL_STOPPED, "kernel %s was stopped", w->launch->kernel->name)
                                    : SL_OK;
  if (w->range[first].code == SL_FAULT)
    *fault = w->range[first].fault;
  if (err != NULL)
    *err = w->range[first].error;
  return w->range[first].code;
}

enum sl_status sl_ptx_parallel_run(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                                   unsigned threads, struct sl_ptx_counts *counts, struct sl_ptx_fault *fault,
                                   struct sl_error *err)
{
  struct sl_ptx_launch own = *launch;
  own.parallel = true;
  const uint64_t blocks = (uint64_t)own.grid[0] * own.grid[1] * own.grid[2],
                 most = (uint64_t)threads * RANGES_PER_THREAD;
  struct work w = {.launch = &own,
                   .bounds = bounds,
                   .counts = counts,
                   .blocks = blocks,
                   .ranges = (unsigned)(blocks < most ? blocks : most),
                   .before = counts->warp_insns};
  w.range = calloc(w.ranges, sizeof *w.range);
  struct sl_thread_pool *pool = sl_thread_pool_create(threads < w.ranges ? threads : w.ranges, NULL, run_ranges, &w);
  if (w.range == NULL || pool == NULL) {
    free(w.range);
    sl_thread_pool_free(pool);
    return sl_no_memory(err, w.ranges * sizeof *w.range);
  }
  atomic_init(&w.next, 0);
  atomic_init(&w.first, UINT32_MAX);
  sl_thread_pool_run(pool);
  sl_thread_pool_free(pool);
  counts->warp_insns = w.before;
  const enum sl_status code = join(&w, counts, fault, err);
  free(w.range);
  return code;
}
