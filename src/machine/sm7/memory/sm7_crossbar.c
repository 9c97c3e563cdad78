#include "machine/sm7/memory/sm7_crossbar.h"

enum sl_status sl_sm7_crossbar_init(struct sl_sm7_crossbar *x, unsigned inputs, unsigned outputs, uint32_t size,
                                    struct sl_error *err)
{
  *x = (struct sl_sm7_crossbar){.inputs = inputs, .outputs = outputs, .writers = 1};
  enum sl_status status = SL_OK;
  for (unsigned i = 0; i < inputs && status == SL_OK; i++)
    status = sl_sm7_ring_init(&x->in[i], size, err);
  for (unsigned i = 0; i < outputs && status == SL_OK; i++)
    status = sl_sm7_ring_init(&x->out[i], size, err);
  return status;
}

void sl_sm7_crossbar_free(struct sl_sm7_crossbar *x)
{
  for (unsigned i = 0; i < SL_SM7_PORTS; i++) {
    sl_sm7_ring_free(&x->in[i]);
    sl_sm7_ring_free(&x->out[i]);
  }
}

static void ask(struct sl_sm7_crossbar *x, unsigned input, unsigned output)
{
  x->front[input] = (uint8_t)output;
  x->asking[output] |= sl_sm7_port(input);
  x->asked |= sl_sm7_port(output);
}

void sl_sm7_crossbar_push(struct sl_sm7_crossbar *x, unsigned writer, unsigned input, unsigned output,
                          const struct sl_sm7_packet *p)
{
  if (x->in[input].count == 0) {
    x->front[input] = (uint8_t)output;
    x->fresh[writer].inputs |= sl_sm7_port(input);
  }
  sl_sm7_ring_push(&x->in[input], p);
}

/* Updates the ports that have changed since the last cycle. */
static void look_at_ports(struct sl_sm7_crossbar *x)
{
  for (unsigned w = 0; w < x->writers; w++) {
    for (sl_sm7_ports rest = x->fresh[w].inputs; rest; rest &= rest - 1) {
      const unsigned i = sl_sm7_first_port(rest);
      ask(x, i, x->front[i]);
    }
    x->fresh[w].inputs = 0;
  }
  for (sl_sm7_ports rest = x->filled; rest; rest &= rest - 1)
    if (x->out[sl_sm7_first_port(rest)].count == 0)
      x->filled &= ~(rest & -rest);
}

static unsigned choose(sl_sm7_ports asking, unsigned first)
{
  const sl_sm7_ports later = first < SL_SM7_PORTS ? asking >> first << first : 0;
  return sl_sm7_first_port(later ? later : asking);
}

/* The front packet of an input crosses. */
static void transfer(struct sl_sm7_crossbar *x, unsigned i, sl_sm7_route *route, const void *context)
{
  const unsigned o = x->front[i];
  sl_sm7_ring_move(&x->in[i], &x->out[o]);
  x->filled |= sl_sm7_port(o);
  x->asking[o] &= ~sl_sm7_port(i);
  if (x->asking[o] == 0)
    x->asked &= ~sl_sm7_port(o);
  if (x->in[i].count)
    ask(x, i, route(context, sl_sm7_ring_front(&x->in[i])));
}

void sl_sm7_crossbar_cycle(struct sl_sm7_crossbar *x, sl_sm7_route *route, const void *context)
{
  look_at_ports(x);
  for (sl_sm7_ports turn = x->asked; turn;) {
    const unsigned o = sl_sm7_first_port(turn);
    const sl_sm7_ports above = ~(sl_sm7_ports)1 << o;
    if (!sl_sm7_ring_full(&x->out[o])) {
      const unsigned i = choose(x->asking[o], x->next[o]);
      x->next[o] = (uint8_t)((i + 1) % x->inputs);
      transfer(x, i, route, context);
    }
    turn = x->asked & above;
  }
}

void sl_sm7_crossbar_rotate(struct sl_sm7_crossbar *x, unsigned first, sl_sm7_route *route, const void *context)
{
  look_at_ports(x);
  sl_sm7_ports inputs = 0, taken = 0;
  for (sl_sm7_ports rest = x->asked; rest; rest &= rest - 1)
    inputs |= x->asking[sl_sm7_first_port(rest)];
  while (inputs) {
    const unsigned i = choose(inputs, first);
    const sl_sm7_ports output = sl_sm7_port(x->front[i]);
    if (!(taken & output) && !sl_sm7_ring_full(&x->out[x->front[i]])) {
      taken |= output;
      transfer(x, i, route, context);
    }
    inputs &= ~sl_sm7_port(i);
  }
}
