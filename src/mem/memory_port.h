/* Between a chip's memory ports and DRAM: where requests wait for room in DRAM's queues, and answers for their turn.
 *
 * Each port is an unbounded FIFO of reads and writes of lines. Its head is offered to DRAM once per cycle, after the
 * DRAM cycle; while the queue of its channel is full, the port waits, and with it all that is behind the head. Writes
 * are not answered. Timing: a request put in cycle c is offered at the end of c, if it is the head then; a read that
 * DRAM has done in cycle d is answered in d + response_delay. In order: one answer per cycle, in the order in which the
 * reads were put; else in the order in which DRAM does them.
 *
 * Sources: the memory of Vortex' RTL test bench is one port, in order, with a delay of 1: 13 cycles from a request to
 * its answer in an open row. That of SimX is a port per memory port, out of order.
 *
 * A cycle is sl_memory_port_cycle; requests are put and answers taken before it or after it, with the same result. */
#ifndef SL_MEM_MEMORY_PORT_H
#define SL_MEM_MEMORY_PORT_H

#include "mem/dram_controller.h"

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
  uint64_t cycle; /* of a request: when it was put; of an answer: its cycle, UINT64_MAX while it is not known */
  bool write;
};

/* Doubles when it is full. */
struct sl_memory_ring {
  struct sl_memory_entry *entry;
  unsigned room; /* a power of two, or 0 */
  unsigned first, count;
};

/* Plain data: with what is in the rings, the state. No pointers. */
struct sl_memory_port_state {
  unsigned reads;         /* put and not done */
  uint64_t answered;      /* reads answered so far: the number of the oldest answer, in order */
  uint64_t latest_answer; /* cycle, UINT64_MAX for none */
  struct sl_dram_controller dram;
};

struct sl_memory_port {
  unsigned ports, response_delay;
  bool in_order;
  struct sl_memory_ring queue[SL_MEMORY_MAX_PORTS];
  struct sl_memory_ring answers; /* in order: of all reads put; else of those done */
  struct sl_memory_port_state s;
};

enum sl_status sl_memory_port_check(const struct sl_memory_port_spec *spec, struct sl_error *err);

/* The spec has passed its check. A port that was freed, or whose bytes are zero, can be initialised. */
void sl_memory_port_init(struct sl_memory_port *m, const struct sl_memory_port_spec *spec);
void sl_memory_port_free(struct sl_memory_port *m);

/* A request for a line, at one of the ports. The tag comes back with the answer to a read. False: no memory. */
bool sl_memory_port_put(struct sl_memory_port *m, unsigned port, uint64_t cycle, uint64_t address, bool write,
                        uint64_t tag);

void sl_memory_port_cycle(struct sl_memory_port *m, uint64_t cycle);

/* Takes an answer whose cycle has come. */
bool sl_memory_port_answer(struct sl_memory_port *m, uint64_t cycle, uint64_t *tag);

/* The first cycle from `cycle` on in which a call of sl_memory_port_cycle or _answer can do anything, if nothing is put
 * before; UINT64_MAX when nothing is under way. With the cycle's own calls done, ask from the next one on. */
uint64_t sl_memory_port_next(const struct sl_memory_port *m, uint64_t cycle);

/* The state as bytes, for a checkpoint of the same build. Restored into an initialised port of the same spec; false
 * when there is no memory for it. Fits: so many bytes are what has been saved of such a port. */
size_t sl_memory_port_state_bytes(const struct sl_memory_port *m);
bool sl_memory_port_fits(const struct sl_memory_port *m, const uint8_t *bytes, size_t size);
void sl_memory_port_save(const struct sl_memory_port *m, uint8_t *bytes);
bool sl_memory_port_restore(struct sl_memory_port *m, const uint8_t *bytes);

#endif
