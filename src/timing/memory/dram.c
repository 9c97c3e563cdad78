#include "timing/memory/dram.h"

#include "base/schema.h"

void sl_dram_init(struct sl_dram *dram, unsigned latency, unsigned limit)
{
  *dram = (struct sl_dram){.latency = latency, .limit = limit, .burst = 1, .read_beat = 1, .bus_drained = -1};
}

/* Moves valid read data into the response FIFO and refills the FIFO's output register. */
static void respond(struct sl_dram *dram, int64_t now)
{
  if (!dram->beat_ready && dram->waiting > 0) {
    dram->beat_ready = true;
    dram->waiting--;
  }
  if (dram->in_flight > 0 && dram->valid[dram->next] == now) {
    dram->next = (dram->next + 1) % SL_DRAM_MAX_OUTSTANDING;
    dram->in_flight--;
    dram->waiting++;
  }
}

/* The memory takes a beat of the read on its request line. Returns whether it stalls the wrapper. */
static bool read_line(struct sl_dram *dram, int64_t now)
{
  if (dram->reading || dram->read_beat > 1) {
    unsigned slot = (dram->next + dram->in_flight) % SL_DRAM_MAX_OUTSTANDING;
    dram->valid[slot] = now + dram->latency;
    dram->in_flight++;
    dram->read_beat = dram->read_beat == dram->burst ? 1 : dram->read_beat + 1;
  }
  return dram->read_beat > 1;
}

static void wrap(struct sl_dram *dram, int64_t now, bool wait)
{
  if (wait)
    return;
  dram->reading = false;
  if (dram->bus_count == 0 || dram->limit - dram->outstanding < sl_dram_beats(dram->bus[0]))
    return;
  struct sl_dram_transaction transaction = dram->bus[0];
  dram->bus[0] = dram->bus[1];
  dram->bus_count--;
  dram->bus_drained = now;
  const unsigned beats = sl_dram_beats(transaction);
  dram->burst = beats;
  dram->reading = !sl_dram_is_store(transaction);
  dram->outstanding += dram->reading ? beats : 0;
  dram->beats += dram->reading ? beats : 1;
}

void sl_dram_cycle(struct sl_dram *dram, int64_t now, bool taken)
{
  respond(dram, now);
  wrap(dram, now, read_line(dram, now));
  dram->outstanding -= taken;
  if (dram->request_full && dram->bus_count + (dram->bus_drained == now) < 2) {
    dram->bus[dram->bus_count++] = dram->request;
    dram->request_full = false;
  }
  dram->active = dram->request_full || dram->bus_count > 0 || dram->reading || dram->read_beat > 1 ||
                 dram->waiting > 0 || dram->beat_ready;
}

static SL_SCHEMA(transaction_schema, struct sl_dram_transaction, NULL, SL_ANY(word));

/* The beats in flight arrive one by one within a bounded time. */
static bool in_flight_valid(const struct sl_dram *d, int64_t now)
{
  bool valid = true;
  int64_t last = now - 1;
  for (unsigned i = 0; i < d->in_flight && valid; i++) {
    const int64_t next = d->valid[(d->next + i) % SL_DRAM_MAX_OUTSTANDING];
    valid = next > last && next <= now + d->latency;
    last = next;
  }
  return valid;
}

SL_CHECKED_SCHEMA(sl_dram_schema, struct sl_dram,
                  in_flight_valid(self, limit[SL_LIMIT_NOW]) &&
                      ((self->latency == limit[SL_LIMIT_LATENCY] && self->limit == limit[SL_LIMIT_OUTSTANDING]) ||
                       (self->latency == 0 && self->limit == 0)),
                  SL_ANY(latency, limit, active, request_full, burst, read_beat, reading, valid, beat_ready, beats),
                  SL_STRUCTS(transaction_schema, request, bus), SL_MOST(2, bus_count), SL_CYCLES(bus_drained),
                  SL_UP_TO_LIMIT(SL_LIMIT_OUTSTANDING, outstanding),
                  SL_MOST(SL_DRAM_MAX_OUTSTANDING, in_flight, waiting), SL_BELOW(SL_DRAM_MAX_OUTSTANDING, next));
