/* One direction of the crossbar between clusters and L2 slices. Every input and output has a FIFO; a packet is one
 * flit.
 *
 * A cycle: the outputs in ascending order take one packet each from the inputs whose front packet goes to them, round
 * robin from the input after the last. An input whose front has gone offers its next packet at once, to outputs that
 * have not had their turn (iSLIP with one grant). A packet pushed before the cycle crosses in it.
 *
 * Between cycles several host threads may push, each as a writer of its own and into inputs that no other uses, and
 * take packets out of outputs that no other uses. */
#ifndef SL_MACHINE_SM7_CROSSBAR_H
#define SL_MACHINE_SM7_CROSSBAR_H

#include "machine/sm7/memory/sm7_packet.h"

enum { SL_SM7_PORTS = 64, SL_SM7_WRITERS = 16 };

struct sl_sm7_crossbar {
  struct sl_sm7_ring in[SL_SM7_PORTS], out[SL_SM7_PORTS];
  uint8_t front[SL_SM7_PORTS];   /* where the front packet of an input goes */
  uint64_t asking[SL_SM7_PORTS]; /* inputs whose front goes to an output */
  uint8_t next[SL_SM7_PORTS];    /* input that an output looks at first */
  uint64_t asked, filled;        /* outputs that are; those that held packets when the cycle ended */
  struct {
    _Alignas(SL_CACHE_LINE) uint64_t inputs;
  } fresh[SL_SM7_WRITERS]; /* inputs that a writer has put a packet into while they were empty */
  unsigned inputs, outputs, writers;
};

enum sl_status sl_sm7_crossbar_init(struct sl_sm7_crossbar *x, unsigned inputs, unsigned outputs, uint32_t size,
                                    struct sl_error *err);
void sl_sm7_crossbar_free(struct sl_sm7_crossbar *x);
void sl_sm7_crossbar_push(struct sl_sm7_crossbar *x, unsigned writer, unsigned input, unsigned output,
                          const struct sl_sm7_packet *p);

/* To which output a packet goes. */
typedef unsigned sl_sm7_route(const void *context, const struct sl_sm7_packet *p);
void sl_sm7_crossbar_cycle(struct sl_sm7_crossbar *x, sl_sm7_route *route, const void *context);

/* The same in plain round robin: each input from `first` on sends a packet if no other has sent one to its output. */
void sl_sm7_crossbar_rotate(struct sl_sm7_crossbar *x, unsigned first, sl_sm7_route *route, const void *context);

#endif
