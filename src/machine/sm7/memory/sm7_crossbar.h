/* One direction of the crossbar between clusters and L2 slices. Every input and output has a FIFO; a packet is one
 * flit.
 *
 * In a cycle the outputs, in ascending order, each take one packet from the inputs whose front packet goes to them,
 * round robin from the input after the last. An input whose front packet has left offers its next packet at once, to
 * outputs that have not yet been served (iSLIP with one grant). A packet pushed before the cycle crosses in it.
 *
 * Between cycles several host threads may use the crossbar. Each thread is a separate writer, pushes only into its own
 * inputs, and takes packets only from its own outputs. */
#ifndef SL_MACHINE_SM7_CROSSBAR_H
#define SL_MACHINE_SM7_CROSSBAR_H

#include "machine/sm7/memory/sm7_packet.h"

enum { SL_SM7_PORTS = 64, SL_SM7_WRITERS = 16 };

struct sl_sm7_crossbar {
  struct sl_sm7_ring in[SL_SM7_PORTS], out[SL_SM7_PORTS];
  uint8_t front[SL_SM7_PORTS];   /* destination of the front packet of an input */
  uint64_t asking[SL_SM7_PORTS]; /* inputs whose front packet goes to an output */
  uint8_t next[SL_SM7_PORTS];    /* the input at which an output begins its search */
  uint64_t asked, filled;        /* outputs that have requests; those that held packets at the end of the cycle */
  struct {
    _Alignas(SL_CACHE_LINE) uint64_t inputs;
  } fresh[SL_SM7_WRITERS]; /* inputs that were empty when a writer pushed a packet */
  unsigned inputs, outputs, writers;
};

enum sl_status sl_sm7_crossbar_init(struct sl_sm7_crossbar *x, unsigned inputs, unsigned outputs, uint32_t size,
                                    struct sl_error *err);
void sl_sm7_crossbar_free(struct sl_sm7_crossbar *x);
void sl_sm7_crossbar_push(struct sl_sm7_crossbar *x, unsigned writer, unsigned input, unsigned output,
                          const struct sl_sm7_packet *p);

/* The output of a packet. */
typedef unsigned sl_sm7_route(const void *context, const struct sl_sm7_packet *p);
void sl_sm7_crossbar_cycle(struct sl_sm7_crossbar *x, sl_sm7_route *route, const void *context);

/* The same with plain round robin: each input from `first` on sends a packet if no other has sent one to its output. */
void sl_sm7_crossbar_rotate(struct sl_sm7_crossbar *x, unsigned first, sl_sm7_route *route, const void *context);

#endif
