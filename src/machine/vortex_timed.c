#include "machine/vortex_timed.h"

#include <stdlib.h>
#include <string.h>

#include "machine/vortex_sm.h"

/* Cycles without anything under way after which nothing will ever be. */
enum { DEADLOCK = 1024 };

enum sl_code sl_vortex_timed_init(struct sl_sm *sm, struct sl_error *err)
{
  struct sl_vortex_timed *t = &sm->timed;
  const struct sl_vortex_spec *spec = &sm->spec;
  const unsigned shared = sl_vortex_socket_cores(spec);
  t->sockets = spec->cores / shared;
  t->lookahead = sl_vortex_lookahead(spec);
  t->pipeline = calloc(spec->cores, sizeof *t->pipeline);
  t->socket = calloc(t->sockets, sizeof *t->socket);
  if (t->pipeline == NULL || t->socket == NULL)
    return sl_no_memory(err, spec->cores * sizeof *t->pipeline);
  enum sl_code code = sl_vortex_memory_init(&t->memory, spec, err);
  for (unsigned c = 0; c < spec->cores && code == SL_OK; c++)
    code = sl_vortex_pipeline_init(&t->pipeline[c], spec, &sm->core[c].warps, err);
  for (unsigned s = 0; s < t->sockets && code == SL_OK; s++)
    code = sl_vortex_socket_init(&t->socket[s], spec, &t->pipeline[s * shared], shared, err);
  return code;
}

void sl_vortex_timed_free(struct sl_sm *sm)
{
  struct sl_vortex_timed *t = &sm->timed;
  for (unsigned c = 0; t->pipeline != NULL && c < sm->spec.cores; c++)
    sl_vortex_pipeline_free(&t->pipeline[c]);
  for (unsigned s = 0; t->socket != NULL && s < t->sockets; s++)
    sl_vortex_socket_free(&t->socket[s]);
  sl_vortex_memory_free(&t->memory);
  free(t->pipeline);
  free(t->socket);
}

void sl_vortex_timed_start(struct sl_sm *sm)
{
  struct sl_vortex_timed *t = &sm->timed;
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sl_vortex_pipeline_start(&t->pipeline[c], sm->facts);
  for (unsigned s = 0; s < t->sockets; s++)
    sl_vortex_socket_start(&t->socket[s]);
  sl_vortex_memory_start(&t->memory);
  t->cycle = t->quiet = 0;
}

/* The run has ended when no core has an active warp or an instruction under way. */
static bool ended(const struct sl_sm *sm, uint64_t *cycle)
{
  *cycle = 0;
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    const struct sl_vortex_pipeline *p = &sm->timed.pipeline[c];
    if (p->warps->active != 0 || p->total_in_flight != 0)
      return false;
    *cycle = p->end_cycle > *cycle ? p->end_cycle : *cycle;
  }
  return true;
}

static bool faulted(struct sl_sm *sm)
{
  for (unsigned c = 0; c < sm->spec.cores; c++)
    if (sm->timed.pipeline[c].faulted) {
      sm->fault = sm->timed.pipeline[c].warps->fault;
      sm->state = SL_SM_FAULTED;
      return true;
    }
  return false;
}

static bool anything_under_way(const struct sl_sm *sm)
{
  for (unsigned c = 0; c < sm->spec.cores; c++)
    if (sm->timed.pipeline[c].total_in_flight != 0)
      return true;
  return false;
}

/* Cores of a cluster at a global barrier go on when enough of them are. */
static void open_global_barriers(struct sl_sm *sm)
{
  const unsigned cores = sm->spec.cores / sm->spec.clusters;
  for (unsigned first = 0; first < sm->spec.cores; first += cores) {
    struct sl_vortex_pipeline *p = &sm->timed.pipeline[first];
    unsigned waiting = 0;
    uint32_t count = 0;
    for (unsigned c = 0; c < cores; c++)
      if (p[c].global_waits) {
        waiting++;
        count = p[c].global_count;
      }
    for (unsigned c = 0; c < cores && waiting > 0 && waiting >= count; c++)
      if (p[c].global_waits)
        sl_vortex_open_global(&p[c]);
  }
}

/* What may end or change a run is looked at between stretches. */
static void look(struct sl_sm *sm, uint64_t stretch)
{
  struct sl_vortex_timed *t = &sm->timed;
  open_global_barriers(sm);
  if (faulted(sm))
    return;
  if (ended(sm, &sm->cycle)) {
    sl_vortex_console_end(&sm->console, sm->environment.print_byte, sm->environment.print_context);
    sm->state = SL_SM_DONE;
    return;
  }
  sm->cycle = t->cycle;
  t->quiet = anything_under_way(sm) ? 0 : t->quiet + stretch;
  if (t->quiet > DEADLOCK)
    sl_vortex_deadlock(sm);
}

enum sl_sm_state sl_vortex_run_timed(struct sl_sm *sm, uint64_t cycles)
{
  struct sl_vortex_timed *t = &sm->timed;
  while (cycles > 0 && sm->state == SL_SM_RUNNING) {
    if (t->memory.cycle == t->cycle)
      for (unsigned i = 0; i < t->lookahead; i++)
        sl_vortex_memory_cycle(&t->memory, t->socket);
    const uint64_t ahead = t->memory.cycle - t->cycle, stretch = cycles < ahead ? cycles : ahead;
    for (unsigned s = 0; s < t->sockets; s++)
      for (uint64_t i = 0; i < stretch; i++)
        sl_vortex_socket_cycle(&t->socket[s]);
    t->cycle += stretch;
    cycles -= stretch;
    look(sm, stretch);
  }
  return sm->state;
}
