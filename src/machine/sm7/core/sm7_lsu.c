#include "machine/sm7/core/sm7_stages.h"

#include <stdlib.h>

#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_slice.h"

enum {
  FROM_SHARED = 0,
  FROM_TEXTURES = 1,
  FROM_CONSTANTS = 2,
  UNCACHED = 3,
  FROM_L1 = 4,
  CLIENTS = SL_SM7_WRITE_BACK_CLIENTS,
  NO_LOAD = UINT32_MAX
};
/* Creates a load with its number of outstanding sectors. */
static uint32_t begin_load(struct sl_sm7_sm *sm, const struct sl_sm7_op *op, uint32_t sectors)
{
  if (sm->free_load == NO_LOAD) {
    const uint32_t room = sm->loads_room ? 2 * sm->loads_room : 256;
    struct sl_sm7_load *loads = realloc(sm->loads, room * sizeof *loads);
    if (!loads) {
      sm->failed = sm->out_of_memory = true;
      return 0;
    }
    for (uint32_t i = sm->loads_room; i < room; i++)
      loads[i] = (struct sl_sm7_load){.next = i + 1 < room ? i + 1 : NO_LOAD};
    sm->free_load = sm->loads_room;
    sm->loads = loads;
    sm->loads_room = room;
  }
  const uint32_t number = sm->free_load;
  sm->free_load = sm->loads[number].next;
  sm->loads[number] = (struct sl_sm7_load){
      .code = op->code, .remaining = sectors, .warp = op->warp, .scheduler = op->scheduler, .group = op->group};
  if (SL_SM7_OBSERVED && !sl_sm7_event_load(sm->events, number, &sm->events->op[op - sm->op]))
    sm->failed = sm->out_of_memory = true;
  return number;
}

/* `away`: the sector came from outside the SM, with the load's trip. */
static void sector_arrived(struct sl_sm7_sm *sm, uint32_t number, bool away)
{
  struct sl_sm7_load *l = &sm->loads[number];
  if (--l->remaining)
    return;
  l->away = away;
  sl_sm7_waits_over(sm, l->warp, l->code, SL_SM7_STALL_REASON_L1, l);
  if (l->code->kind == SL_SM7_ASYNC_LOAD)
    sl_sm7_load_ends(sm, l->warp, l->group);
  sl_sm7_release(sm, l->warp, l->code);
  if (SL_SM7_OBSERVED && number < sm->events->loads)
    sl_sm7_event_retired(sm->events, &sm->events->load[number]);
  l->next = sm->free_load;
  sm->free_load = number;
}

static void atomic_done(struct sl_sm7_sm *sm, unsigned warp, unsigned lanes)
{
  sm->warp[warp].atomics -= lanes;
  if (sm->warp[warp].atomics == 0)
    sm->atomic &= ~sl_sm7_bit(warp);
}

/* The write-back register: its destinations take the ports of their banks that are free in this cycle. */
static bool written_back(struct sl_sm7_sm *sm)
{
  struct sl_sm7_result *r = &sm->write_back;
  unsigned number = r->written;
  for (const struct sl_sm7_instruction *code = r->code; code != NULL; code = sl_sm7_rest(code)) {
    for (; number < code->writes; number++) {
      if (!sl_sm7_writes(sm, code->write_bank[number], r->warp, r->scheduler))
        return false;
      r->written++;
    }
    number -= code->writes;
  }
  if (!sm->shared_write_back) {
    sector_arrived(sm, r->load, true);
    return true;
  }
  sl_sm7_waits_over(sm, r->warp, r->code, SL_SM7_STALL_REASON_SHARED, NULL);
  sl_sm7_release(sm, r->warp, r->code);
  if (SL_SM7_OBSERVED)
    sl_sm7_event_retired(sm->events, &sm->events->write_back);
  return true;
}

static void take_shared(struct sl_sm7_sm *sm)
{
  sm->write_back = sm->shared.result[sm->shared.head];
  if (SL_SM7_OBSERVED)
    sm->events->write_back = sm->events->shared[sm->shared.head];
  sm->shared.head = (sm->shared.head + 1) % SL_SM7_SHARED_ROOM;
  sm->shared.count--;
  sm->shared_write_back = true;
  if (sm->write_back.code->kind == SL_SM7_ATOMIC)
    atomic_done(sm, sm->write_back.warp, sm->write_back.lanes);
  sl_sm7_leave_pipe(sm, sm->write_back.warp);
}

static void take_load(struct sl_sm7_sm *sm, uint32_t load, struct sl_sm7_trip trip)
{
  struct sl_sm7_load *l = &sm->loads[load];
  l->trip = trip;
  sm->write_back = (struct sl_sm7_result){.code = l->code, .load = load, .warp = l->warp, .scheduler = l->scheduler};
  sm->shared_write_back = false;
}

static bool take_from(struct sl_sm7_sm *sm, unsigned client, uint64_t cycle)
{
  if (client == FROM_SHARED && sm->shared.count && cycle >= sm->shared.result[sm->shared.head].ready) {
    take_shared(sm);
    return true;
  }
  if (client == UNCACHED && sm->uncached.code) {
    sm->write_back = sm->uncached;
    sm->uncached.code = NULL;
    sm->shared_write_back = false;
    if (sm->write_back.code->kind == SL_SM7_ATOMIC)
      atomic_done(sm, sm->write_back.warp, sm->write_back.lanes);
    return true;
  }
  if (client == FROM_TEXTURES && sl_sm7_texture_cache_has_answer(&sm->textures)) {
    const uint32_t load = sl_sm7_texture_cache_answer(&sm->textures);
    take_load(sm, load, sm->loads[load].trip);
    return true;
  }
  if (client == FROM_CONSTANTS && sl_sm7_line_cache_has_answer(&sm->constants)) {
    const struct sl_sm7_trip trip = sl_sm7_line_cache_trip(&sm->constants);
    take_load(sm, sl_sm7_line_cache_answer(&sm->constants), trip);
    return true;
  }
  if (client == FROM_L1 && sl_sm7_cache_has_answer(&sm->l1)) {
    const struct sl_sm7_trip trip = sl_sm7_cache_trip(&sm->l1);
    const uint32_t load = sl_sm7_cache_answer(&sm->l1).load;
    if (load != SL_SM7_NO_LOAD)
      take_load(sm, load, trip);
    return true;
  }
  return false;
}

static bool has_answer(const struct sl_sm7_sm *sm)
{
  return sl_sm7_cache_has_answer(&sm->l1) || sl_sm7_line_cache_has_answer(&sm->constants) ||
         sl_sm7_texture_cache_has_answer(&sm->textures);
}

static void write_back(struct sl_sm7_sm *sm, uint64_t cycle)
{
  if (sm->write_back.code && written_back(sm))
    sm->write_back.code = NULL;
  const bool waits = sm->shared.count || sm->uncached.code || has_answer(sm);
  for (unsigned n = 0; n < CLIENTS && waits && !sm->write_back.code; n++) {
    const unsigned client = (n + sm->write_back_turn) % CLIENTS;
    if (take_from(sm, client, cycle))
      sm->write_back_turn = (client + 1) % CLIENTS;
  }
}

static void take_response(struct sl_sm7_sm *sm, uint64_t now)
{
  if (sm->response.count == 0)
    return;
  struct sl_sm7_packet *p = sl_sm7_ring_front(&sm->response);
  p->trip.arrived = (uint16_t)sl_sm7_this_cycle(sm);
  if (p->kind == SL_SM7_WRITE_SECTOR) {
    sm->warp[p->warp].stores--;
    sl_sm7_check_fence(sm, p->warp);
    sl_sm7_check_end(sm, p->warp);
  } else if (p->client == SL_SM7_TO_REGISTER) {
    if (sm->uncached.code)
      return;
    struct sl_sm7_load *l = &sm->loads[p->load];
    l->trip = p->trip;
    sm->uncached = (struct sl_sm7_result){
        .code = l->code, .load = p->load, .warp = l->warp, .scheduler = l->scheduler, .lanes = p->lanes};
  } else if (p->client == SL_SM7_TO_TEXTURES) {
    sm->loads[p->load].trip = p->trip;
    sl_sm7_texture_cache_fill(&sm->textures, p);
  } else if (p->client == SL_SM7_TO_CONSTANTS) {
    sl_sm7_line_cache_fill(&sm->constants, p, now);
  } else {
    sl_sm7_cache_fill(&sm->l1, p);
  }
  sl_sm7_ring_pop(&sm->response);
}

/* The prefetcher: requests of L1 after a load has missed a sector. */
static void prefetch(struct sl_sm7_sm *sm, const struct sl_sm7_packet *missed, uint64_t now)
{
  if (sm->wire.spec->l1_prefetch != SL_SM7_NEXT_LINE || missed->kind != SL_SM7_READ_SECTOR)
    return;
  struct sl_sm7_packet p = *missed;
  p.address += SL_SM7_LINE;
  p.slice = sl_sm7_place(sm->wire.spec, p.address).slice;
  p.load = SL_SM7_NO_LOAD;
  sl_sm7_cache_prefetch(&sm->l1, sl_sm7_l1_set(sm->wire.spec, p.address), &p, now);
}

static void look_up(struct sl_sm7_sm *sm, uint64_t cycle, uint64_t now)
{
  for (uint32_t rest = sm->piped; rest; rest &= rest - 1) {
    const unsigned bank = (unsigned)__builtin_ctz(rest);
    struct sl_sm7_ring *pipe = &sm->pipe[bank];
    if (sl_sm7_cache_blocks_again(&sm->l1, sm->blocked[bank]))
      continue;
    if (cycle < sl_sm7_ring_front(pipe)->ready)
      continue;
    const struct sl_sm7_packet *p = sl_sm7_ring_front(pipe);
    const enum sl_sm7_outcome outcome = sl_sm7_cache_access(&sm->l1, sl_sm7_l1_set(sm->wire.spec, p->address), p, now);
    sm->blocked[bank] = outcome == SL_SM7_BLOCKED ? sl_sm7_cache_blocked(&sm->l1, p) : 0;
    if (outcome == SL_SM7_BLOCKED)
      continue;
    if (outcome == SL_SM7_MISS)
      prefetch(sm, p, now);
    if (outcome == SL_SM7_HIT && p->kind == SL_SM7_READ_SECTOR)
      sector_arrived(sm, p->load, false);
    sl_sm7_ring_pop(pipe);
    if (pipe->count == 0)
      sm->piped &= ~(UINT32_C(1) << bank);
  }
}

/* The dispatch register. */
static struct sl_sm7_packet next_packet(struct sl_sm7_sm *sm, const struct sl_sm7_op *op)
{
  const struct sl_sm7_access_list *list = &sm->list[op->list];
  const uint32_t last = list->count - 1;
  const uint64_t address = list->address[last];
  return (struct sl_sm7_packet){.address = address,
                                .bytes = list->bytes[last],
                                .load = op->load,
                                .sm = (uint16_t)sm->id,
                                .slice = sl_sm7_place(sm->wire.spec, address).slice,
                                .kind = op->code->kind == SL_SM7_STORE    ? SL_SM7_WRITE_SECTOR
                                        : op->code->kind == SL_SM7_ATOMIC ? SL_SM7_ATOMIC_SECTOR
                                                                          : SL_SM7_READ_SECTOR,
                                .lanes = list->lanes[last],
                                .warp = op->warp};
}

static void sent(struct sl_sm7_sm *sm, const struct sl_sm7_op *op)
{
  sm->list[op->list].count--;
  sm->warp[op->warp].stores += op->code->kind == SL_SM7_STORE;
  sm->counts.sectors++;
}

static void send_uncached(struct sl_sm7_sm *sm, const struct sl_sm7_op *op)
{
  if (!sl_sm7_can_send(sm))
    return;
  struct sl_sm7_packet p = next_packet(sm, op);
  p.client = SL_SM7_TO_REGISTER;
  sl_sm7_send(sm, &p);
  sent(sm, op);
}

static void send_to_pipes(struct sl_sm7_sm *sm, const struct sl_sm7_op *op, uint64_t cycle)
{
  const struct sl_sm7_spec *s = sm->wire.spec;
  for (unsigned n = 0; n < s->l1_banks && sm->list[op->list].count; n++) {
    const struct sl_sm7_access_list *list = &sm->list[op->list];
    const unsigned bank = (unsigned)(list->address[list->count - 1] / SL_SM7_SECTOR % s->l1_banks);
    if (sm->piped_at[bank] == cycle || sl_sm7_ring_full(&sm->pipe[bank]))
      return;
    struct sl_sm7_packet p = next_packet(sm, op);
    p.ready = cycle + s->l1_latency;
    sl_sm7_ring_push(&sm->pipe[bank], &p);
    sm->piped |= UINT32_C(1) << bank;
    sm->piped_at[bank] = cycle;
    sent(sm, op);
  }
}

static void leave(struct sl_sm7_sm *sm, uint8_t *place)
{
  const struct sl_sm7_op *op = &sm->op[*place];
  if (op->list != SL_SM7_NONE)
    sm->free_lists |= UINT64_C(1) << op->list;
  sl_sm7_free_op(sm, *place);
  *place = SL_SM7_NONE;
}

static void shared_access(struct sl_sm7_sm *sm, struct sl_sm7_op *op, uint64_t cycle)
{
  if (op->delay)
    op->delay--;
  if (op->delay)
    return;
  if (op->code->kind == SL_SM7_STORE) {
    sl_sm7_leave_pipe(sm, op->warp);
    if (SL_SM7_OBSERVED)
      sl_sm7_event_retired(sm->events, &sm->events->op[op - sm->op]);
  } else {
    if (sm->shared.count >= sm->wire.spec->shared_latency)
      return;
    if (SL_SM7_OBSERVED)
      sm->events->shared[(sm->shared.head + sm->shared.count) % SL_SM7_SHARED_ROOM] = sm->events->op[op - sm->op];
    sm->shared.result[(sm->shared.head + sm->shared.count++) % SL_SM7_SHARED_ROOM] =
        (struct sl_sm7_result){.code = op->code,
                               .ready = cycle + sm->wire.spec->shared_latency,
                               .warp = op->warp,
                               .scheduler = op->scheduler,
                               .lanes = op->lanes};
  }
  leave(sm, &sm->dispatch);
}

/* One line per cycle. */
static void read_constant(struct sl_sm7_sm *sm, const struct sl_sm7_op *op, uint64_t now)
{
  struct sl_sm7_packet p = next_packet(sm, op);
  p.client = SL_SM7_TO_CONSTANTS;
  const enum sl_sm7_line_outcome outcome = sl_sm7_line_cache_read(&sm->constants, &p, op->load, now);
  if (outcome == SL_SM7_LINE_BLOCKED)
    return;
  sm->list[op->list].count--;
  if (outcome == SL_SM7_LINE_HIT)
    sector_arrived(sm, op->load, false);
}

static void read_texture(struct sl_sm7_sm *sm, const struct sl_sm7_op *op, uint64_t now)
{
  struct sl_sm7_packet p = next_packet(sm, op);
  p.client = SL_SM7_TO_TEXTURES;
  if (sl_sm7_texture_cache_read(&sm->textures, &p, op->load, now))
    sm->list[op->list].count--;
}

/* Sends the requests of the caches beside L1, and takes completed texture accesses. */
static void run_side_caches(struct sl_sm7_sm *sm)
{
  const struct sl_sm7_packet *p = sl_sm7_texture_cache_request(&sm->textures);
  if (p != NULL && sl_sm7_can_send(sm)) {
    sl_sm7_send(sm, p);
    sl_sm7_texture_cache_sent(&sm->textures);
  }
  if (sm->textures.fragments.count)
    sl_sm7_texture_cache_cycle(&sm->textures);
  if (sm->constants.unsent_count)
    sl_sm7_send_miss(sm, &sm->constants);
}

/* `place`: the dispatch register, or that of constants. */
static void serve(struct sl_sm7_sm *sm, uint8_t *place, uint64_t cycle, uint64_t now)
{
  struct sl_sm7_op *op = &sm->op[*place];
  if (op->space == SL_SM7_SHARED) {
    shared_access(sm, op, cycle);
    return;
  }
  if (op->space == SL_SM7_CONST && op->delay > 1) {
    op->delay--;
    return;
  }
  if (op->list != SL_SM7_NONE && sm->list[op->list].count) {
    if (op->space == SL_SM7_TEXTURE)
      read_texture(sm, op, now);
    else if (op->space == SL_SM7_CONST)
      read_constant(sm, op, now);
    else if (op->code->uncached)
      send_uncached(sm, op);
    else
      send_to_pipes(sm, op, cycle);
    if (sm->list[op->list].count)
      return;
  } else if (op->load == NO_LOAD && op->code->kind != SL_SM7_STORE) {
    sl_sm7_waits_over(sm, op->warp, op->code, SL_SM7_STALL_REASON_CONSTANT, NULL);
    if (op->code->kind == SL_SM7_ASYNC_LOAD) /* no lane reads */
      sl_sm7_load_ends(sm, op->warp, op->group);
    sl_sm7_release(sm, op->warp, op->code);
  }
  if (op->code->kind == SL_SM7_FENCE) {
    sm->fence_passed |= sm->fence & sl_sm7_bit(op->warp);
    sl_sm7_check_fence(sm, op->warp);
  }
  sl_sm7_leave_pipe(sm, op->warp);
  if (SL_SM7_OBSERVED && op->load == NO_LOAD)
    sl_sm7_event_retired(sm->events, &sm->events->op[op - sm->op]);
  leave(sm, place);
}

/* The scheduler with the oldest of the waiting memory instructions that go to a unit; SL_SM7_NONE: there is none. */
static unsigned oldest(const struct sl_sm7_sm *sm, bool constants)
{
  const bool apart = sm->wire.spec->constant_unit;
  uint64_t least = UINT64_MAX;
  unsigned scheduler = SL_SM7_NONE;
  for (unsigned rest = sm->execute_full[SL_SM7_MEM]; rest; rest &= rest - 1) {
    const unsigned k = (unsigned)__builtin_ctz(rest);
    const struct sl_sm7_op *op = &sm->op[sm->execute_reg[SL_SM7_MEM][k]];
    if (op->order < least && (!apart || (op->space == SL_SM7_CONST) == constants)) {
      least = op->order;
      scheduler = k;
    }
  }
  return scheduler;
}

/* Each word of a load from constant memory is a request. */
static void accept(struct sl_sm7_sm *sm, unsigned scheduler, uint8_t *place, uint64_t *from, uint64_t cycle)
{
  const uint32_t interval = sm->wire.spec->lsu_interval;
  *place = sm->execute_reg[SL_SM7_MEM][scheduler];
  sm->execute_full[SL_SM7_MEM] &= (uint8_t) ~(1u << scheduler);
  struct sl_sm7_op *op = &sm->op[*place];
  if (SL_SM7_OBSERVED)
    sl_sm7_event_staged(sm->events, &sm->events->op[*place], SL_SM7_STAGE_MEMORY);
  op->load = NO_LOAD;
  *from = cycle + interval;
  if (op->space == SL_SM7_CONST && op->delay > 1) {
    *from = cycle + (uint64_t)op->delay * interval;
    op->delay = (uint16_t)((op->delay - 1) * interval + 1);
  }
  if (op->code->kind != SL_SM7_STORE && op->list != SL_SM7_NONE)
    op->load = begin_load(sm, op, sm->list[op->list].count);
}

static void accept_any(struct sl_sm7_sm *sm, uint64_t cycle)
{
  if (sm->dispatch == SL_SM7_NONE && cycle >= sm->accepts_from) {
    const unsigned scheduler = oldest(sm, false);
    if (scheduler != SL_SM7_NONE)
      accept(sm, scheduler, &sm->dispatch, &sm->accepts_from, cycle);
  }
  if (sm->wire.spec->constant_unit && sm->indexed == SL_SM7_NONE && cycle >= sm->indexes_from) {
    const unsigned scheduler = oldest(sm, true);
    if (scheduler != SL_SM7_NONE)
      accept(sm, scheduler, &sm->indexed, &sm->indexes_from, cycle);
  }
}

void sl_sm7_lsu_cycle(struct sl_sm7_sm *sm, uint64_t cycle, uint64_t now)
{
  write_back(sm, cycle);
  take_response(sm, now);
  run_side_caches(sm);
  if (sm->l1.misses.count && sl_sm7_can_send(sm)) {
    sl_sm7_send(sm, sl_sm7_ring_front(&sm->l1.misses));
    sl_sm7_ring_pop(&sm->l1.misses);
  }
  look_up(sm, cycle, now);
  if (sm->dispatch != SL_SM7_NONE)
    serve(sm, &sm->dispatch, cycle, now);
  if (sm->indexed != SL_SM7_NONE)
    serve(sm, &sm->indexed, cycle, now);
  if (sm->execute_full[SL_SM7_MEM])
    accept_any(sm, cycle);
}

uint64_t sl_sm7_lsu_next(const struct sl_sm7_sm *sm, uint64_t cycle)
{
  const bool waits = sm->execute_full[SL_SM7_MEM] && (cycle < sm->accepts_from || cycle < sm->indexes_from);
  if (sm->dispatch != SL_SM7_NONE || sm->indexed != SL_SM7_NONE || waits || sm->write_back.code || sm->uncached.code ||
      sm->response.count || sm->l1.misses.count || sm->constants.unsent_count ||
      sl_sm7_texture_cache_moves(&sm->textures) || has_answer(sm))
    return cycle + 1;
  uint64_t next = sm->shared.count ? sm->shared.result[sm->shared.head].ready : SL_SM7_ASLEEP;
  for (uint32_t rest = sm->piped; rest; rest &= rest - 1) {
    const uint64_t ready = sl_sm7_ring_front(&sm->pipe[__builtin_ctz(rest)])->ready;
    next = ready < next ? ready : next;
  }
  return next <= cycle ? cycle + 1 : next;
}
