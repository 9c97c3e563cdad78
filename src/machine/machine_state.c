#include "machine/machine_state.h"

#include <stdlib.h>

#include "convergence/sorted_paths.h"
#include "func/blocks/time_slice.h"

static SL_CHECKED_SCHEMA(time_slice_schema, struct sl_time_slice,
                         sl_time_slice_valid(self, (unsigned)limit[SL_LIMIT_WARPS]), SL_ANY(warp, left));

SL_SCHEMA(sl_sm_schema, struct sl_sm, NULL, SL_DERIVED(machine), SL_STRUCTS(time_slice_schema, slice),
          SL_BELOW(SL_SM_FAULTED, state), SL_ANY(order));

size_t sl_state_bytes(struct sl_sm *sm)
{
  struct sl_archive archive = {.to = NULL};
  sm->machine->state.walk(sm, &archive);
  return archive.at;
}

void sl_state_save(struct sl_sm *sm, uint8_t *bytes)
{
  struct sl_archive archive = {.to = bytes};
  sm->machine->state.walk(sm, &archive);
}

void sl_state_each(struct sl_sm *sm, void (*see)(void *context, const struct sl_value *value), void *context)
{
  struct sl_archive archive = {.see = see, .context = context};
  sm->machine->state.walk(sm, &archive);
}

/* The state is restored on trial, and the SM's own state is put back afterwards. Memory suffices for that, because room
 * stays reserved. */
enum sl_status sl_state_fits(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size)
{
  if (sm->machine->state.fits != NULL)
    return sm->machine->state.fits(sm, timing, bytes, size);
  const size_t own_size = sl_state_bytes(sm);
  uint8_t *own = malloc(own_size);
  if (own == NULL)
    return SL_INTERNAL;
  sl_state_save(sm, own);
  struct sl_archive archive = {.from = bytes, .size = size, .timing = timing};
  sm->machine->state.walk(sm, &archive);
  sl_archive_expect(&archive, archive.at == size && archive.balance == 0);
  sl_state_restore(sm, own, own_size);
  free(own);
  return !archive.bad ? SL_OK : archive.no_memory ? SL_INTERNAL : SL_USAGE;
}

void sl_state_restore(struct sl_sm *sm, const uint8_t *bytes, size_t size)
{
  if (sm->machine->state.restore != NULL) {
    sm->machine->state.restore(sm, bytes, size);
    return;
  }
  sm->machine->state.walk(sm, &(struct sl_archive){.from = bytes, .size = size, .trusted = true});
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static SL_SCHEMA(ordered_schema, struct sl_ordered_path, NULL, SL_ANY(lanes, key));

/* Before the first kernel there are no paths. */
SL_CHECKED_SCHEMA(sl_sorted_paths_schema, struct sl_sorted_paths,
                  (self->running.lanes == 0 && self->next.lanes == 0 && self->cold_count == 0) ||
                      (self->running.lanes != 0 &&
                       sl_sorted_paths_broken(self, (sl_lanes)limit[SL_LIMIT_ALL_LANES]) == NULL),
                  SL_STRUCTS(ordered_schema, running, next, cold), SL_ANY(uncompared, probe),
                  SL_MOST(SL_MAX_LANES, cold_count));

static bool paths_valid(const struct sl_paths *p, sl_lanes lanes)
{
  const struct sl_convergence *scheme = sl_convergences[p->scheme];
  return p->count == 0 || (sl_scheme_warps[p->scheme] == SL_SCHEME_PATHS &&
                           (scheme->valid == NULL || scheme->valid(p, lanes)) && sl_paths_broken(p, lanes) == NULL);
}

static SL_CHECKED_SCHEMA(fairness_schema, struct sl_fairness,
                         sl_all_once(&(uint64_t){0}, self->queue, SL_MAX_LANES, SL_MAX_LANES), SL_KEYS(period),
                         SL_MOST(SL_FAIR_MOST, turns), SL_SET_OF(SL_LIMIT_ALL_LANES, favoured, parked), SL_ANY(queue));

static SL_SCHEMA(path_schema, struct sl_path, NULL, SL_ANY(lanes, pc, level, retry));

SL_CHECKED_SCHEMA(sl_paths_schema, struct sl_paths, paths_valid(self, (sl_lanes)limit[SL_LIMIT_ALL_LANES]),
                  SL_MOST(SL_MAX_LANES, count), SL_MOST(SL_CONVERGENCE_SCHEMES - 1, scheme),
                  SL_STRUCTS(path_schema, path), SL_STRUCTS(fairness_schema, fair), SL_BYTES(own));

/* ---- warps of paths ---------------------------------------------------------------------------------------------- */

static SL_SCHEMA(path_warps_schema, struct sl_path_warps_state, NULL, SL_ANY(closure, timing, global_atomics));

static SL_SCHEMA(reservation_schema, struct sl_reservation, NULL, SL_ANY(address, value));

void sl_path_warps_walk(struct sl_path_warps *t, struct sl_archive *archive)
{
  sl_archive_shape(archive, t->spec.warps, t->all);
  sl_archive_structs(archive, "warps", path_warps_schema, &t->s, 1);
  sl_archive_numbers(archive, "registers", (struct sl_state_field){.type = SL_TYPE_U32}, t->x,
                     t->spec.warps * t->warp_words);
  if (t->reserved != NULL)
    sl_archive_structs(archive, "reserved", reservation_schema, t->reserved, (size_t)t->spec.warps * t->spec.lanes);
  for (uint32_t i = 0; i < t->code.count; i++) {
    uint64_t word = t->code.insn[i].word;
    SL_ARCHIVE(archive, word);
    if (sl_archive_reads(archive))
      t->code.insn[i] = t->code.isa->decode(word, t->code.sets);
  }
}

/* ---- IPDOM warps ------------------------------------------------------------------------------------------------- */

enum { FCSR = 0xff /* flags and rounding mode */ };

static SL_SCHEMA(clock_schema, struct sl_ipdom_clock, NULL, SL_ANY(cycle, thread_instructions));

/* Each waiting warp is at one barrier. */
static bool sync_valid(const struct sl_core_sync *g)
{
  sl_warps local = 0, global = 0, twice = 0;
  for (unsigned i = 0; i < SL_CORE_SYNC_BARRIERS; i++) {
    twice |= ((local | global) & (g->local[i] | g->global[i])) | (g->local[i] & g->global[i]);
    local |= g->local[i];
    global |= g->global[i];
  }
  return twice == 0 && (local | global) == g->at_barrier && global == g->at_global &&
         ((g->at_barrier | g->asking) & ~g->active) == 0;
}

static SL_CHECKED_SCHEMA(sync_schema, struct sl_core_sync, sync_valid(self),
                         SL_ANY(barriers, cores, spawning, spawn_pc),
                         SL_SET_OF(SL_LIMIT_ALL_WARPS, active, started, at_barrier, at_global, local, global, asking),
                         SL_BELOW_LIMIT(SL_LIMIT_WARPS, spawner), SL_UP_TO_LIMIT(SL_LIMIT_WARPS, spawn_count));

static SL_SCHEMA(span_schema, struct sl_kernel_span, NULL, SL_SET_OF(SL_LIMIT_ALL_WARPS, inside),
                 SL_ANY(begun, ended, entry, back));

static SL_SCHEMA(switches_schema, struct sl_switch_counts, NULL,
                 SL_ANY(yields, switches, idle, full, parked, timeouts, backoffs));

static SL_SCHEMA(ipdom_warps_schema, struct sl_ipdom_warps_state, NULL, SL_STRUCTS(switches_schema, switches),
                 SL_STRUCTS(clock_schema, clock), SL_STRUCTS(sync_schema, sync),
                 SL_ANY(mscratch, performance_class, disagreed_at), SL_STRUCTS(span_schema, span));

static SL_SCHEMA(ipdom_warp_schema, struct sl_ipdom_warp, NULL, SL_ANY(pc), SL_SET_OF(SL_LIMIT_ALL_LANES, mask),
                 SL_MOST(FCSR, fcsr), SL_MOST(SL_IPDOM_MAX, depth), SL_ANY(furthest, watched), SL_BYTES(own));

/* The number of barriers is the key's, or 0 before the program begins. */
static bool warps_valid(const struct sl_ipdom_warps *w, bool ends_later)
{
  const struct sl_core_sync *g = &w->s.sync;
  bool valid = g->barriers == w->spec.barriers || (g->barriers == 0 && g->active == 0);
  for (unsigned i = 0; i < w->spec.warps; i++)
    valid &= w->warp[i].depth <= w->spec.ipdom_entries && w->convergence->valid(&w->warp[i], w->all) &&
             (ends_later || !(g->active >> i & 1) || w->warp[i].mask != 0);
  return valid;
}

void sl_ipdom_walk(struct sl_ipdom_warps *w, bool ends_later, struct sl_archive *archive)
{
  const struct sl_ipdom_spec *s = &w->spec;
  sl_archive_shape(archive, s->warps, w->all);
  sl_archive_structs(archive, "warps", ipdom_warps_schema, &w->s, 1);
  sl_archive_numbers(archive, "registers", (struct sl_state_field){.type = SL_TYPE_U32}, w->x,
                     s->warps * w->warp_words);
  sl_archive_structs(archive, "warp", ipdom_warp_schema, w->warp, s->warps);
  sl_archive_structs(archive, "reserved", reservation_schema, w->reserved, (size_t)s->warps * s->lanes);
  SL_ARCHIVE_ARRAY(archive, w->local, s->local_storage_bytes);
  if (sl_archive_validates(archive))
    sl_archive_expect(archive, warps_valid(w, ends_later));
}
