#include "machine/sm7/memory/sm7_dram.h"

#include <stdlib.h>

#include "machine/sm7/memory/sm7_slice.h"

enum { READS, WRITES, OWN_CREDITS = 1, ARRIVALS = 2, NO_ROW = -1 };

uint32_t sl_sm7_dram_requests(const struct sl_sm7_spec *spec)
{
  return spec->dram_reads + spec->dram_writes + SL_SM7_DRAM_BANKS + spec->cl + 2 * ARRIVALS;
}

enum sl_status sl_sm7_dram_init(struct sl_sm7_dram *d, const struct sl_sm7_spec *spec, struct sl_error *err)
{
  const uint32_t requests = sl_sm7_dram_requests(spec);
  *d = (struct sl_sm7_dram){.spec = spec, .last_slice = 1, .pipe_least = spec->cl, .pipe_length = spec->cl};
  d->request = calloc(requests, sizeof *d->request);
  if (!d->request)
    return sl_no_memory(err, requests * sizeof *d->request);
  for (uint32_t i = 0; i < requests; i++)
    d->request[i].next = i + 1 < requests ? (int32_t)i + 1 : SL_SM7_NO_REQUEST;
  for (unsigned b = 0; b < SL_SM7_DRAM_BANKS; b++)
    d->bank[b] = (struct sl_sm7_bank){
        .queue = {{SL_SM7_NO_REQUEST, SL_SM7_NO_REQUEST, NO_ROW}, {SL_SM7_NO_REQUEST, SL_SM7_NO_REQUEST, NO_ROW}},
        .current = SL_SM7_NO_REQUEST};
  for (unsigned i = 0; i < SL_SM7_DATA_PIPE; i++)
    d->pipe[i] = SL_SM7_NO_REQUEST;
  enum sl_status status =
      sl_sm7_ring_init(&d->delay, spec->dram_reads + spec->dram_writes + spec->dram_replies + 2, err);
  if (status == SL_OK)
    status = sl_sm7_ring_init(&d->arrivals, ARRIVALS, err);
  return status == SL_OK ? sl_sm7_ring_init(&d->replies, spec->dram_replies, err) : status;
}

void sl_sm7_dram_free(struct sl_sm7_dram *d)
{
  free(d->request);
  sl_sm7_ring_free(&d->delay);
  sl_sm7_ring_free(&d->arrivals);
  sl_sm7_ring_free(&d->replies);
}

/* A slice has its own credits, and a share of the common ones. */
static bool has_credit(const struct sl_sm7_dram *d, unsigned slice)
{
  const struct sl_sm7_spec *s = d->spec;
  return d->own[slice] < OWN_CREDITS ||
         d->shared < s->dram_reads + s->dram_replies + s->dram_writes - (SL_SM7_CHANNEL_SLICES - 1);
}

static void take_credit(struct sl_sm7_dram *d, unsigned slice)
{
  if (d->own[slice] < OWN_CREDITS)
    d->own[slice]++;
  else
    d->shared++;
}

static void return_credit(struct sl_sm7_dram *d, unsigned slice)
{
  if (d->own[slice])
    d->own[slice]--;
  else
    d->shared--;
}

/* The data pipe: bursts and gaps, at least as many as the latency of the bus's current direction. */
static int32_t *pipe_tail(struct sl_sm7_dram *d)
{
  return &d->pipe[(d->pipe_head + d->pipe_length - 1) % SL_SM7_DATA_PIPE];
}

static void pipe_push(struct sl_sm7_dram *d, int32_t request)
{
  if (d->pipe_length == 0 || d->pipe_length < d->pipe_least || *pipe_tail(d) != SL_SM7_NO_REQUEST)
    d->pipe_length++;
  *pipe_tail(d) = request;
}

static int32_t pipe_pop(struct sl_sm7_dram *d)
{
  if (d->pipe_length == 0)
    return SL_SM7_NO_REQUEST;
  const int32_t request = d->pipe[d->pipe_head];
  d->pipe_head = (d->pipe_head + 1) % SL_SM7_DATA_PIPE;
  d->pipe_length--;
  if (d->pipe_length < d->pipe_least)
    pipe_push(d, SL_SM7_NO_REQUEST);
  return request;
}

static void pipe_turn(struct sl_sm7_dram *d, bool writing)
{
  d->writing = writing;
  d->pipe_least = writing ? d->spec->wl : d->spec->cl;
  while (d->pipe_length < d->pipe_least)
    pipe_push(d, SL_SM7_NO_REQUEST);
  while (d->pipe_length > d->pipe_least && *pipe_tail(d) == SL_SM7_NO_REQUEST)
    d->pipe_length--;
}

static void burst_arrives(struct sl_sm7_dram *d)
{
  if (sl_sm7_ring_full(&d->replies))
    return;
  const int32_t i = pipe_pop(d);
  if (i == SL_SM7_NO_REQUEST || ++d->request[i].arrived < d->request[i].bursts)
    return;
  if (d->request[i].write)
    return_credit(d, d->request[i].packet.slice % SL_SM7_CHANNEL_SLICES);
  else
    sl_sm7_ring_push(&d->replies, &d->request[i].packet);
  d->request[i].next = d->free;
  d->free = i;
  d->in_service--;
}

static void append(struct sl_sm7_dram *d, struct sl_sm7_bank_queue *q, int32_t i)
{
  d->request[i].next = SL_SM7_NO_REQUEST;
  if (q->first == SL_SM7_NO_REQUEST)
    q->first = i;
  else
    d->request[q->last].next = i;
  q->last = i;
}

static int32_t make_request(struct sl_sm7_dram *d)
{
  const struct sl_sm7_packet *p = sl_sm7_ring_front(&d->arrivals);
  const struct sl_sm7_place place = sl_sm7_place(d->spec, p->address);
  const bool write = p->kind == SL_SM7_WRITE_BACK;
  const int32_t i = d->free;
  d->free = d->request[i].next;
  d->request[i] = (struct sl_sm7_dram_request){
      .packet = *p, .row = place.row, .bank = place.bank, .bursts = write ? p->sectors : 1, .write = write};
  sl_sm7_ring_pop(&d->arrivals);
  return i;
}

void sl_sm7_dram_visit(struct sl_sm7_dram *d, unsigned bank, uint32_t row)
{
  struct sl_sm7_bank *b = &d->bank[bank];
  if (b->current != SL_SM7_NO_REQUEST)
    return;
  b->row = row;
  b->active = true;
}

/* Removes the oldest request to the open row from a queue. */
static int32_t next_of(struct sl_sm7_dram *d, struct sl_sm7_bank_queue *q, uint32_t open_row)
{
  int32_t chosen = SL_SM7_NO_REQUEST, before = SL_SM7_NO_REQUEST, previous = SL_SM7_NO_REQUEST;
  if (q->row == NO_ROW) {
    q->row = d->request[q->first].row;
    for (int32_t i = q->first; i != SL_SM7_NO_REQUEST; i = d->request[i].next)
      if (d->request[i].row == open_row)
        q->row = (int32_t)open_row;
  }
  bool more = false;
  for (int32_t i = q->first; i != SL_SM7_NO_REQUEST; previous = i, i = d->request[i].next) {
    if (d->request[i].row != q->row)
      continue;
    more = chosen != SL_SM7_NO_REQUEST;
    if (more)
      break;
    chosen = i;
    before = previous;
  }
  if (!more)
    q->row = NO_ROW;
  if (before == SL_SM7_NO_REQUEST)
    q->first = d->request[chosen].next;
  else
    d->request[before].next = d->request[chosen].next;
  if (q->last == chosen)
    q->last = before;
  return chosen;
}

static void serve_oldest_of_row(struct sl_sm7_dram *d)
{
  while (d->arrivals.count) {
    const int32_t i = make_request(d);
    const bool apart = d->request[i].write && d->spec->dram_write_queue;
    append(d, &d->bank[d->request[i].bank].queue[apart], i);
    d->pending[apart]++;
  }
  if (!d->pending[READS] && d->pending[WRITES] < d->spec->dram_low && !d->draining)
    return;
  for (unsigned n = 0; n < SL_SM7_DRAM_BANKS; n++) {
    struct sl_sm7_bank *b = &d->bank[(n + d->first_bank) % SL_SM7_DRAM_BANKS];
    if (b->current != SL_SM7_NO_REQUEST)
      continue;
    d->draining = d->draining ? d->pending[WRITES] >= d->spec->dram_low : d->pending[WRITES] >= d->spec->dram_high;
    struct sl_sm7_bank_queue *q = &b->queue[d->draining ? WRITES : READS];
    if (q->first == SL_SM7_NO_REQUEST)
      continue;
    b->current = next_of(d, q, b->row);
    d->pending[d->draining ? WRITES : READS]--;
    d->in_service++;
    d->first_bank = (d->first_bank + 1) % SL_SM7_DRAM_BANKS;
    return;
  }
}

static void serve_in_order(struct sl_sm7_dram *d)
{
  if (!d->arrivals.count)
    return;
  struct sl_sm7_bank *b = &d->bank[sl_sm7_place(d->spec, sl_sm7_ring_front(&d->arrivals)->address).bank];
  if (b->current != SL_SM7_NO_REQUEST)
    return;
  b->current = make_request(d);
  d->in_service++;
}

static bool column_command(struct sl_sm7_dram *d, unsigned number)
{
  const struct sl_sm7_spec *s = d->spec;
  struct sl_sm7_bank *b = &d->bank[number];
  const unsigned group = number % SL_SM7_DRAM_GROUPS;
  if (b->current == SL_SM7_NO_REQUEST || !b->active || d->tick < d->group_column_at[group])
    return false;
  struct sl_sm7_dram_request *r = &d->request[b->current];
  if (r->row != b->row || d->tick < (r->write ? b->write_at : b->read_at) ||
      d->tick < (r->write ? d->write_at : d->read_at) || (!r->write && d->tick < d->group_read_at[group]))
    return false;
  if (d->writing != r->write)
    pipe_turn(d, r->write);
  pipe_push(d, b->current);
  d->column_at = d->tick + s->ccd;
  d->group_column_at[group] = d->tick + s->ccdl;
  if (r->write) {
    d->read_at = d->tick + s->wl + 1 + s->cdlr;
    d->group_read_at[group] = d->tick + s->wl + 1 + s->wtrl;
    b->precharge_at = d->tick + s->wl + 1 + s->wr > b->precharge_at ? d->tick + s->wl + 1 + s->wr : b->precharge_at;
    d->writes++;
  } else {
    d->write_at = d->tick + s->cl + 3 - s->wl;
    b->precharge_at = d->tick + 1 > b->precharge_at ? d->tick + 1 : b->precharge_at;
    d->group_precharge_at[group] = d->tick + s->rtpl;
    d->reads++;
  }
  if (++r->sent == r->bursts)
    b->current = SL_SM7_NO_REQUEST;
  return true;
}

static bool row_command(struct sl_sm7_dram *d, unsigned number)
{
  const struct sl_sm7_spec *s = d->spec;
  struct sl_sm7_bank *b = &d->bank[number];
  if (b->current == SL_SM7_NO_REQUEST)
    return false;
  const uint32_t row = d->request[b->current].row;
  uint64_t *group_activate_at = &d->group_activate_at[number % SL_SM7_DRAM_GROUPS];
  if (!b->active && d->tick >= d->activate_at && d->tick >= b->activate_at && d->tick >= *group_activate_at) {
    b->row = row;
    b->active = true;
    d->activate_at = d->tick + s->rrd;
    *group_activate_at = d->tick + s->rrdl;
    b->read_at = d->tick + s->rcd;
    b->write_at = d->tick + s->rcd - s->wl - 1;
    b->precharge_at = d->tick + s->ras > b->precharge_at ? d->tick + s->ras : b->precharge_at;
    b->activate_at = d->tick + s->rc;
    d->activations++;
  } else if (b->active && b->row != row && d->tick >= b->precharge_at &&
             d->tick >= d->group_precharge_at[number % SL_SM7_DRAM_GROUPS]) {
    b->active = false;
    if (b->activate_at < d->tick + s->rp)
      b->activate_at = d->tick + s->rp;
  } else {
    return false;
  }
  d->first_bank = (number + 1) % SL_SM7_DRAM_BANKS;
  return true;
}

static void commands(struct sl_sm7_dram *d)
{
  if (d->tick >= d->column_at && d->pipe_length <= d->spec->cl)
    for (unsigned n = 0; n < SL_SM7_DRAM_BANKS; n++)
      if (column_command(d, (n + d->first_bank) % SL_SM7_DRAM_BANKS))
        break;
  for (unsigned n = 0; n < SL_SM7_DRAM_BANKS; n++)
    if (row_command(d, (n + d->first_bank) % SL_SM7_DRAM_BANKS))
      break;
}

/* At the begin of each interval all banks close and refresh. */
static void refresh(struct sl_sm7_dram *d)
{
  const struct sl_sm7_spec *s = d->spec;
  if (s->refi == 0 || d->tick / s->refi == d->refreshes)
    return;
  d->refreshes = d->tick / s->refi;
  const uint64_t end = d->refreshes * s->refi + s->rfc;
  for (unsigned b = 0; b < SL_SM7_DRAM_BANKS; b++) {
    d->bank[b].active = false;
    if (d->bank[b].activate_at < end)
      d->bank[b].activate_at = end;
  }
}

static bool no_room(const struct sl_sm7_dram *d, const struct sl_sm7_packet *p)
{
  if (d->spec->dram_scheduler == SL_SM7_FIXED)
    return sl_sm7_ring_full(&d->delay);
  if (d->spec->dram_scheduler == SL_SM7_FIFO)
    return sl_sm7_ring_full(&d->arrivals);
  const bool write = p->kind == SL_SM7_WRITE_BACK && d->spec->dram_write_queue;
  return d->pending[write] >= (write ? d->spec->dram_writes : d->spec->dram_reads);
}

static void take_request(struct sl_sm7_dram *d, struct sl_sm7_dram_port *port, uint64_t cycle)
{
  for (unsigned n = 0; n < SL_SM7_CHANNEL_SLICES; n++) {
    const unsigned slice = (n + d->last_slice + 1) % SL_SM7_CHANNEL_SLICES;
    struct sl_sm7_ring *from = port[slice].requests;
    if (from->count == 0 || !has_credit(d, slice) || sl_sm7_ring_full(port[slice].replies))
      continue;
    struct sl_sm7_packet *p = sl_sm7_ring_front(from);
    if (no_room(d, p))
      return;
    p->ready = cycle + d->spec->dram_delay;
    sl_sm7_ring_move(from, &d->delay);
    take_credit(d, slice);
    d->last_slice = slice;
    return;
  }
}

/* Without banks and buses: only the delay, with one request per tick in and one out. */
static bool fixed_tick(struct sl_sm7_dram *d, struct sl_sm7_dram_port *port, uint64_t cycle)
{
  if (d->delay.count && cycle >= sl_sm7_ring_front(&d->delay)->ready) {
    const struct sl_sm7_packet *p = sl_sm7_ring_front(&d->delay);
    const unsigned slice = p->slice % SL_SM7_CHANNEL_SLICES;
    if (p->kind == SL_SM7_WRITE_BACK) {
      d->writes += p->sectors;
      sl_sm7_ring_pop(&d->delay);
      return_credit(d, slice);
    } else if (!sl_sm7_ring_full(port[slice].replies)) {
      d->reads++;
      sl_sm7_ring_move(&d->delay, port[slice].replies);
      return_credit(d, slice);
    }
  }
  take_request(d, port, cycle);
  return d->delay.count;
}

bool sl_sm7_dram_tick(struct sl_sm7_dram *d, struct sl_sm7_dram_port port[SL_SM7_CHANNEL_SLICES], uint64_t tick,
                      uint64_t cycle)
{
  if (d->spec->dram_scheduler == SL_SM7_FIXED)
    return fixed_tick(d, port, cycle);
  d->tick = tick;
  if (d->replies.count) {
    const unsigned slice = sl_sm7_ring_front(&d->replies)->slice % SL_SM7_CHANNEL_SLICES;
    if (!sl_sm7_ring_full(port[slice].replies)) {
      sl_sm7_ring_move(&d->replies, port[slice].replies);
      return_credit(d, slice);
    }
  }
  burst_arrives(d);
  if (d->spec->dram_scheduler == SL_SM7_FIFO)
    serve_in_order(d);
  else
    serve_oldest_of_row(d);
  refresh(d);
  if (d->in_service)
    commands(d);
  take_request(d, port, cycle);
  if (d->delay.count) {
    const struct sl_sm7_packet *p = sl_sm7_ring_front(&d->delay);
    if (cycle >= p->ready && !no_room(d, p))
      sl_sm7_ring_move(&d->delay, &d->arrivals);
  }
  return d->replies.count || d->in_service || d->pending[READS] || d->arrivals.count || d->delay.count ||
         (d->draining && d->pending[WRITES]);
}
