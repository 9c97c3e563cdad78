#include "timing/memory/dram.h"

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
