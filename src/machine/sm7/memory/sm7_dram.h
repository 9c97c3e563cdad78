/* A channel of HBM with its controller. Two L2 slices share it.
 *
 * In a tick of the DRAM clock, one reply goes to its slice and one burst leaves the data pipe. New requests join the
 * queues of their banks. One idle bank gets a request: the oldest to its open row, else the oldest. One column command
 * and then one row command are sent, each to the first bank that allows it. One request enters the fixed delay before
 * the queues. Timers hold the first tick at which a command is allowed. Writes wait in a separate queue, which drains
 * from a high to a low watermark; with dram.write_queue=off they wait with the reads. A refresh closes all rows. With
 * dram.scheduler=fixed a request takes only the delay. */
#ifndef SL_MACHINE_SM7_DRAM_H
#define SL_MACHINE_SM7_DRAM_H

#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/sm7_spec.h"

enum { SL_SM7_NO_REQUEST = -1, SL_SM7_DATA_PIPE = 128, SL_SM7_DRAM_REQUESTS = 2304 /* exceeds what keys allow */ };

struct sl_sm7_dram_request {
  struct sl_sm7_packet packet;
  int32_t next; /* in its bank's queue, or free */
  uint16_t row;
  uint8_t bank, sent, arrived, bursts; /* bursts: sent, arrived after the data pipe, and total */
  bool write;
};

struct sl_sm7_bank_queue {
  int32_t first, last;
  int32_t row; /* the open row; -1: none */
};

struct sl_sm7_bank {
  struct sl_sm7_bank_queue queue[2]; /* of reads, of writes */
  int32_t current;                   /* its request */
  uint32_t row;
  bool active;
  uint64_t activate_at, read_at, write_at, precharge_at; /* ticks */
};

struct sl_sm7_dram {
  const struct sl_sm7_spec *spec;
  struct sl_sm7_dram_request *request;
  int32_t free;
  struct sl_sm7_bank bank[SL_SM7_DRAM_BANKS];
  uint64_t group_column_at[SL_SM7_DRAM_GROUPS], group_precharge_at[SL_SM7_DRAM_GROUPS];
  uint64_t group_activate_at[SL_SM7_DRAM_GROUPS], group_read_at[SL_SM7_DRAM_GROUPS];
  uint64_t refreshes; /* intervals whose refresh has begun */
  uint64_t column_at, read_at, write_at, activate_at, tick;
  unsigned first_bank, pending[2];
  bool draining, writing; /* writes are scheduled; the last data transfer was a write */
  int32_t pipe[SL_SM7_DATA_PIPE];
  uint32_t pipe_head, pipe_length, pipe_least, in_service;
  struct sl_sm7_ring delay, arrivals, replies;
  unsigned last_slice, own[SL_SM7_CHANNEL_SLICES], shared; /* credits in use */
  uint64_t reads, writes, activations;
};

/* The queues of one of the two slices. */
struct sl_sm7_dram_port {
  struct sl_sm7_ring *requests, *replies;
};

/* Requests that a channel has room for. */
uint32_t sl_sm7_dram_requests(const struct sl_sm7_spec *spec);

enum sl_status sl_sm7_dram_init(struct sl_sm7_dram *d, const struct sl_sm7_spec *spec, struct sl_error *err);
void sl_sm7_dram_free(struct sl_sm7_dram *d);

/* Without timing, a row of a bank was read: it is open, unless the bank serves a request. */
void sl_sm7_dram_visit(struct sl_sm7_dram *d, unsigned bank, uint32_t row);

/* Simulates one tick. True: there is more to do; else the next tick is needed only when a slice has a request. */
bool sl_sm7_dram_tick(struct sl_sm7_dram *d, struct sl_sm7_dram_port port[SL_SM7_CHANNEL_SLICES], uint64_t tick,
                      uint64_t cycle);

#endif
