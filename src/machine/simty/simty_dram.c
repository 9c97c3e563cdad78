/* A Simty core on SIMTight's DRAM (ours; the published core has a memory of fixed latency).
 *
 * Timing contract: a request enters the request register when its instruction commits (issue + 3). It goes to the bus
 * from issue + 4 on, a load at once, a store at one beat per cycle. While the register is occupied, instructions that
 * need it replay. Reads are answered in order. The warp wakes when its last beat has arrived.
 *
 * An atomic (key global_atomics) serves one lane. It is a read of a beat, and in the next cycle a store of that beat,
 * whose word an arithmetic unit at the memory's port computes. The memory of fixed latency executes an atomic in the
 * cycle of its request, and answers as it answers a load. */
#include "machine/simty/simty_sm.h"

void sl_simty_dram_put(struct sl_simty_core *sm, unsigned warp, enum sl_access access, unsigned beats)
{
  struct sl_simty_dram *d = &sm->s.dram;
  d->full = true;
  d->store = access == SL_ACCESS_STORE;
  d->updates = access == SL_ACCESS_ATOMIC;
  d->beats = beats;
  d->sent = 0;
  if (d->store)
    return;
  const unsigned place = (d->head + d->count++) % SL_MAX_WARPS;
  d->warp[place] = (uint8_t)warp;
  d->left[place] = (uint8_t)beats;
}

/* Takes one beat of the oldest read. */
static bool take_beat(struct sl_simty_core *sm)
{
  struct sl_simty_dram *d = &sm->s.dram;
  if (!d->dram.beat_ready)
    return false;
  d->dram.beat_ready = false;
  if (--d->left[d->head] > 0)
    return true;
  sl_load_fifo_finish(&sm->s.loads, d->warp[d->head]);
  d->head = (d->head + 1) % SL_MAX_WARPS;
  d->count--;
  return true;
}

void sl_simty_dram_cycle(struct sl_simty_core *sm)
{
  struct sl_simty_dram *d = &sm->s.dram;
  const int64_t now = (int64_t)sm->s.cycle;
  const bool taken = take_beat(sm);
  if (d->dram.active || taken || sl_dram_next_event(&d->dram) <= now)
    sl_dram_cycle(&d->dram, now, taken);
  if (!d->full || !sl_dram_can_put(&d->dram))
    return;
  sl_dram_put(&d->dram, sl_dram_transaction(d->store, d->beats));
  d->full = d->updates || (d->store && ++d->sent < d->beats);
  d->store |= d->updates;
  d->updates = false;
}
