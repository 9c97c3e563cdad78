/* The queues between a chip's memory ports and DRAM. Requests wait here for room in DRAM's queues, and answers for
 * their cycle.
 *
 * Each port is an unbounded FIFO of line reads and writes. After each DRAM cycle, the port offers its head to DRAM.
 * While the queue of the head's channel is full, the whole port waits. Writes are not answered. Timing: a request put
 * in cycle c is offered at the end of c if it is the head then. A read that DRAM completes in cycle d is answered in d
 * + response_delay. In-order ports answer one read per cycle, in the order of the requests. Other ports answer in
 * DRAM's order of completion.
 *
 * Sources: the memory of Vortex' RTL test bench is one in-order port with a delay of 1: 13 cycles from a request to its
 * answer in an open row. SimX's memory has one out-of-order port per memory port.
 *
 * sl_memory_port_cycle performs a cycle. Requests may be put and answers taken before or after it, with the same
 * result. */
#ifndef SL_MEM_MEMORY_PORT_H
#define SL_MEM_MEMORY_PORT_H

#include "timing/memory/dram_controller.h"

enum { SL_MEMORY_MAX_PORTS = 16 };

struct sl_memory_port_spec {
  struct sl_dram_spec dram;
  unsigned ports;
  bool in_order;
  unsigned response_delay;
};

struct sl_memory_entry {
  uint64_t address;
  uint64_t tag;
  uint64_t cycle; /* of a request: when it was put; of an answer: its cycle, UINT64_MAX while unknown */
  bool write;
};

/* A ring that doubles when it is full. */
struct sl_memory_ring {
  struct sl_memory_entry *entry;
  unsigned room; /* a power of two, or 0 */
  unsigned first, count;
};

/* The state, together with the contents of the rings. Plain data without pointers. */
struct sl_memory_port_state {
  unsigned reads;         /* reads put and not done */
  uint64_t answered;      /* reads answered so far: the number of the oldest answer if in order */
  uint64_t latest_answer; /* cycle, UINT64_MAX for none */
  struct sl_dram_controller dram;
};

struct sl_memory_port {
  unsigned ports, response_delay;
  bool in_order;
  struct sl_memory_ring queue[SL_MEMORY_MAX_PORTS];
  struct sl_memory_ring answers; /* in order: all outstanding reads; else: done reads */
  struct sl_memory_port_state s;
};

enum sl_status sl_memory_port_check(const struct sl_memory_port_spec *spec, struct sl_error *err);

/* Initialises a port. The spec must have passed its check. The port must be freed or zeroed. */
void sl_memory_port_init(struct sl_memory_port *m, const struct sl_memory_port_spec *spec);
void sl_memory_port_free(struct sl_memory_port *m);

/* Puts a request for a line at a port. The answer to a read carries its tag. Returns false if out of memory. */
bool sl_memory_port_put(struct sl_memory_port *m, unsigned port, uint64_t cycle, uint64_t address, bool write,
                        uint64_t tag);

void sl_memory_port_cycle(struct sl_memory_port *m, uint64_t cycle);

/* Takes an answer that is due; returns false if there is none. */
bool sl_memory_port_answer(struct sl_memory_port *m, uint64_t cycle, uint64_t *tag);

/* The first cycle from `cycle` on in which sl_memory_port_cycle has an effect if nothing is put before; UINT64_MAX if
 * nothing is in flight. After the calls of a cycle, pass the next cycle. */
uint64_t sl_memory_port_next(const struct sl_memory_port *m, uint64_t cycle);

/* The first cycle from `cycle` on in which the oldest answer can be taken, as far as known; UINT64_MAX: not known. */
uint64_t sl_memory_port_next_answer(const struct sl_memory_port *m, uint64_t cycle);

/* Makes room for `count` entries in a ring; its entries remain. Returns false if out of memory. */
bool sl_memory_ring_reserve(struct sl_memory_ring *ring, unsigned count);

/* Checkpoints: memory_port.c. Tells the machine of each unanswered read (sl_archive_read). The archive must
 * balance afterwards. */
void sl_memory_port_walk(struct sl_memory_port *m, struct sl_archive *archive);

/* Validates a restored state at the beginning of a cycle. */
bool sl_memory_port_expect(const struct sl_memory_port *m, uint64_t cycle, struct sl_archive *archive);

#endif
