#include "machine/sm7/core/sm7_flight_archive.h"

#include <stdlib.h>

#include "base/validate.h"
#include "machine/sm7/memory/sm7_cache_archive.h"

enum { NO_CODE = -1, NO_LOAD = UINT32_MAX, MOST_LOADS = 1 << 17 };

static bool reads(const struct sl_sm7_archive *t)
{
  return sl_archive_reads(&t->bytes);
}

static uint8_t small(struct sl_sm7_archive *t, uint8_t value, uint32_t most)
{
  return (uint8_t)sl_archive_number(&t->bytes, value, most);
}

/* An instruction of the program, by its number; where allowed, also the no-op or NULL. */
static void code_archive(struct sl_sm7_archive *t, const struct sl_sm7_instruction **code, bool others)
{
  enum { NONE, NOTHING, FIRST };
  uint32_t number = *code == NULL || reads(t)  ? NONE
                    : *code == &sl_sm7_nothing ? NOTHING
                                               : (uint32_t)(*code - t->code) + FIRST;
  SL_ARCHIVE(&t->bytes, number);
  if (!reads(t))
    return;
  sl_archive_expect(&t->bytes, number >= FIRST ? number - FIRST < t->count : others);
  *code = number == NONE || t->bytes.bad ? NULL : number == NOTHING ? &sl_sm7_nothing : &t->code[number - FIRST];
}

/* ---- instructions up to their unit ------------------------------------------------------------------------------- */

static void list_archive(struct sl_sm7_archive *t, struct sl_sm7_access_list *list)
{
  list->count = sl_archive_number(&t->bytes, list->count, SL_SM7_ACCESSES);
  sl_archive_expect(&t->bytes, list->count > 0);
  sl_archive_bytes(&t->bytes, list->address, list->count * sizeof *list->address);
  sl_archive_bytes(&t->bytes, list->bytes, list->count * sizeof *list->bytes);
  sl_archive_bytes(&t->bytes, list->lanes, list->count * sizeof *list->lanes);
}

/* Whether such an instruction has memory accesses beyond the SM, which the present caches may serve. */
static bool may_access(const struct sl_sm7_archive *t, const struct sl_sm7_op *op)
{
  if (op->code == NULL || op->code->unit != SL_SM7_MEM)
    return false;
  return op->space == SL_SM7_GLOBAL || op->space == SL_SM7_LOCAL ||
         (op->code->kind != SL_SM7_STORE && op->code->kind != SL_SM7_ATOMIC &&
          (op->space == SL_SM7_TEXTURE || (op->space == SL_SM7_CONST && t->spec->ccache)));
}

/* An instruction, by its number, which may change when it is restored. */
static uint8_t op_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm, uint8_t number, uint8_t *unit)
{
  struct sl_sm7_op op = {.list = SL_SM7_NONE};
  if (!reads(t))
    op = sm->op[number];
  code_archive(t, &op.code, false);
  SL_ARCHIVE(&t->bytes, op.order);
  SL_ARCHIVE(&t->bytes, op.ready);
  SL_ARCHIVE(&t->bytes, op.load);
  SL_ARCHIVE(&t->bytes, op.delay);
  SL_ARCHIVE(&t->bytes, op.lanes);
  op.warp = small(t, op.warp, t->spec->warps - 1);
  op.scheduler = small(t, op.scheduler, t->spec->schedulers - 1);
  op.missing = small(t, op.missing, SL_SM7_READ);
  op.space = small(t, op.space, SL_SM7_TEXTURE);
  bool accesses = op.list != SL_SM7_NONE;
  sl_archive_bool(&t->bytes, &accesses);
  sl_archive_expect(&t->bytes, op.code != NULL && (!accesses || may_access(t, &op)));
  if (t->bytes.bad)
    return 0;
  *unit = op.code->unit;
  if (reads(t)) {
    number = sm->free_op[--sm->free_ops];
    op.list = accesses ? (uint8_t)sl_lowest(sm->free_lists) : SL_SM7_NONE;
    sm->free_lists &= accesses ? ~sl_bit(op.list) : ~UINT64_C(0);
    sm->op[number] = op;
  }
  if (accesses)
    list_archive(t, &sm->list[op.list]);
  return number;
}

/* Registers before collectors or units. */
static void registers_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm, uint8_t reg[][SL_SM7_MAX_SCHEDULERS],
                              uint8_t full[])
{
  for (unsigned u = 0; u < SL_SM7_UNITS; u++) {
    full[u] = small(t, full[u], (1u << t->spec->schedulers) - 1);
    for (unsigned rest = full[u]; rest && !t->bytes.bad; rest &= rest - 1) {
      const unsigned k = (unsigned)__builtin_ctz(rest);
      uint8_t unit = 0;
      reg[u][k] = op_archive(t, sm, reg[u][k], &unit);
      sl_archive_expect(&t->bytes, unit == u && sm->op[reg[u][k]].scheduler == k);
    }
  }
}

/* ---- collectors -------------------------------------------------------------------------------------------------- */

static void banks_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm)
{
  unsigned wanted[SL_SM7_COLLECTORS] = {0};
  if (reads(t))
    sm->queued = 0;
  for (unsigned b = 0; b < SL_SM7_BANKS; b++) {
    const unsigned head = sm->bank[b].head;
    sm->bank[b].count = small(t, sm->bank[b].count, b < t->spec->banks ? SL_SM7_BANK_QUEUE - 1 : 0);
    for (unsigned i = 0; i < sm->bank[b].count; i++) {
      uint8_t *c = &sm->bank[b].collector[(head + i) % SL_SM7_BANK_QUEUE];
      *c = small(t, *c, t->spec->collectors - 1);
      wanted[*c]++;
    }
    if (reads(t) && sm->bank[b].count > 0)
      sm->queued |= sl_bit(b);
  }
  for (unsigned c = 0; c < SL_SM7_COLLECTORS && reads(t); c++) {
    const bool collects = sm->collecting >> c & 1, done = sm->collected >> c & 1;
    const unsigned missing = collects ? sm->op[sm->collector[c]].missing : 0;
    sl_archive_expect(&t->bytes, wanted[c] == missing && (!collects || done == (missing == 0)));
  }
}

static void collectors_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm)
{
  SL_ARCHIVE(&t->bytes, sm->collecting);
  SL_ARCHIVE(&t->bytes, sm->collected);
  sl_archive_expect(&t->bytes, (sm->collecting & ~sl_low_bits(t->spec->collectors)) == 0 &&
                                   (sm->collected & ~sm->collecting) == 0);
  for (uint64_t rest = sm->collecting; rest && !t->bytes.bad; rest &= rest - 1) {
    uint8_t *c = &sm->collector[sl_lowest(rest)], unit;
    *c = op_archive(t, sm, *c, &unit);
  }
  sm->sums = small(t, sm->sums, SL_SM7_SUMS);
  for (unsigned i = 0; i < sm->sums && !t->bytes.bad; i++) {
    uint8_t unit;
    sm->summing[i] = op_archive(t, sm, sm->summing[i], &unit);
    sl_archive_expect(&t->bytes, sm->op[sm->summing[i]].missing == 0);
  }
  for (unsigned d = 0; d < t->spec->collectors; d++)
    sm->dispatcher[d] = small(t, sm->dispatcher[d], t->spec->collectors - 1);
  if (!t->bytes.bad)
    banks_archive(t, sm);
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

static void completion_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm, unsigned place,
                               struct sl_sm7_completion c)
{
  code_archive(t, &c.code, false);
  c.warp = small(t, c.warp, t->spec->warps - 1);
  c.scheduler = small(t, c.scheduler, t->spec->schedulers - 1);
  sl_archive_expect(&t->bytes, c.code != NULL && c.code->unit != SL_SM7_MEM);
  if (!reads(t) || t->bytes.bad)
    return;
  const uint16_t number = sm->fresh_completion++;
  sm->completion[number] = c;
  if (sm->completing[place].count++)
    sm->completion[sm->completing[place].last].next = number;
  else
    sm->completing[place].first = number;
  sm->completing[place].last = number;
  sm->completing_at[place / 64] |= sl_bit(place % 64);
  sm->executing++;
}

static void units_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm)
{
  SL_ARCHIVE(&t->bytes, sm->unit);
  for (unsigned place = 0; place < SL_SM7_HORIZON; place++) {
    const uint32_t count = sl_archive_number(&t->bytes, sm->completing[place].count, t->spec->result_buses);
    unsigned number = sm->completing[place].first;
    for (uint32_t n = 0; n < count && !t->bytes.bad; n++) {
      struct sl_sm7_completion c = {.code = NULL};
      if (!reads(t))
        c = sm->completion[number];
      number = c.next;
      completion_archive(t, sm, place, c);
    }
  }
}

/* ---- loads and the load/store unit ------------------------------------------------------------------------------- */

static bool has_load(const struct sl_sm7_sm *sm, uint32_t number)
{
  return number < sm->loads_room && sm->loads[number].remaining > 0;
}

static void link_free_loads(struct sl_sm7_sm *sm)
{
  sm->free_load = NO_LOAD;
  for (uint32_t i = sm->loads_room; i-- > 0;)
    if (sm->loads[i].remaining == 0) {
      sm->loads[i] = (struct sl_sm7_load){.code = &sl_sm7_nothing, .next = sm->free_load};
      sm->free_load = i;
    }
}

/* Outstanding loads keep their numbers, because packets refer to them; `under_way`: their outstanding sectors. */
static void loads_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm)
{
  uint8_t *is_free = reads(t) ? NULL : calloc(sm->loads_room + (size_t)1, 1);
  uint32_t room = sl_archive_number(&t->bytes, sm->loads_room, MOST_LOADS);
  if (reads(t) && room > 0) {
    sm->loads = calloc(room, sizeof *sm->loads);
    sm->loads_room = sl_archive_memory(&t->bytes, sm->loads) ? room : 0;
  }
  for (uint32_t i = reads(t) ? NO_LOAD : sm->free_load; i != NO_LOAD && is_free != NULL; i = sm->loads[i].next)
    is_free[i] = 1;
  for (uint32_t i = 0; i < sm->loads_room; i++) {
    struct sl_sm7_load *l = &sm->loads[i];
    uint32_t remaining = reads(t) || is_free == NULL || is_free[i] ? 0 : l->remaining;
    SL_ARCHIVE(&t->bytes, remaining);
    if (remaining == 0)
      continue;
    code_archive(t, &l->code, true);
    l->remaining = remaining;
    l->warp = small(t, l->warp, t->spec->warps - 1);
    l->scheduler = small(t, l->scheduler, t->spec->schedulers - 1);
    sl_archive_bool(&t->bytes, &l->away);
    SL_ARCHIVE(&t->bytes, l->trip);
    sl_archive_expect(&t->bytes, l->code != NULL);
  }
  free(is_free);
  if (reads(t) && sm->loads_room > 0)
    link_free_loads(sm);
}

static void result_archive(struct sl_sm7_archive *t, struct sl_sm7_result *r)
{
  code_archive(t, &r->code, true);
  if (r->code == NULL)
    return;
  SL_ARCHIVE(&t->bytes, r->ready);
  SL_ARCHIVE(&t->bytes, r->load);
  r->warp = small(t, r->warp, t->spec->warps - 1);
  r->scheduler = small(t, r->scheduler, t->spec->schedulers - 1);
  SL_ARCHIVE(&t->bytes, r->lanes);
  r->written = small(t, r->written, SL_SM7_WRITTEN);
}

static void shared_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm)
{
  enum { ROOM = sizeof sm->shared.result / sizeof sm->shared.result[0] };
  const uint32_t head = sm->shared.head;
  sm->shared.count = sl_archive_number(&t->bytes, sm->shared.count, t->spec->shared_latency);
  for (uint32_t i = 0; i < sm->shared.count && !t->bytes.bad; i++) {
    struct sl_sm7_result *r = &sm->shared.result[(head + i) % ROOM];
    result_archive(t, r);
    sl_archive_expect(&t->bytes, r->code != NULL);
  }
}

static void write_back_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm)
{
  result_archive(t, &sm->write_back);
  result_archive(t, &sm->uncached);
  sl_archive_bool(&t->bytes, &sm->shared_write_back);
  sm->write_back_turn = sl_archive_number(&t->bytes, sm->write_back_turn, SL_SM7_WRITE_BACK_CLIENTS - 1);
  sl_archive_expect(&t->bytes,
                    (sm->write_back.code == NULL || sm->shared_write_back || has_load(sm, sm->write_back.load)) &&
                        (sm->uncached.code == NULL || has_load(sm, sm->uncached.load)));
}

static void pipes_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm)
{
  if (reads(t))
    sm->piped = 0;
  for (unsigned b = 0; b < t->spec->l1_banks; b++) {
    sl_sm7_ring_archive(t, &sm->pipe[b]);
    if (reads(t) && sm->pipe[b].count > 0)
      sm->piped |= UINT32_C(1) << b;
  }
  SL_ARCHIVE(&t->bytes, sm->piped_at);
  sl_sm7_ring_archive(t, &sm->response);
}

static void dispatch_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm)
{
  bool full = sm->dispatch != SL_SM7_NONE;
  sl_archive_bool(&t->bytes, &full);
  if (!full || t->bytes.bad)
    return;
  uint8_t unit = 0;
  sm->dispatch = op_archive(t, sm, sm->dispatch, &unit);
  const struct sl_sm7_op *op = &sm->op[sm->dispatch];
  sl_archive_expect(&t->bytes, unit == SL_SM7_MEM && (op->list == SL_SM7_NONE || op->code->kind == SL_SM7_STORE
                                                          ? op->load == NO_LOAD
                                                          : has_load(sm, op->load)));
}

void sl_sm7_flight_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm)
{
  loads_archive(t, sm);
  registers_archive(t, sm, sm->issue_reg, sm->issue_full);
  registers_archive(t, sm, sm->execute_reg, sm->execute_full);
  collectors_archive(t, sm);
  units_archive(t, sm);
  dispatch_archive(t, sm);
  shared_archive(t, sm);
  write_back_archive(t, sm);
  pipes_archive(t, sm);
  sl_sm7_cache_archive(t, &sm->l1, sl_sm7_l1_ways(t->spec));
  sl_sm7_texture_cache_archive(t, &sm->textures);
  if (t->spec->icache)
    sl_sm7_line_cache_archive(t, &sm->instructions);
  if (t->spec->ccache)
    sl_sm7_line_cache_archive(t, &sm->constants);
}
