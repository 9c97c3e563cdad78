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
  x->asking[output] |= UINT64_C(1) << input;
  x->asked |= UINT64_C(1) << output;
}

void sl_sm7_crossbar_push(struct sl_sm7_crossbar *x, unsigned writer, unsigned input, unsigned output,
                          const struct sl_sm7_packet *p)
{
  if (x->in[input].count == 0) {
    x->front[input] = (uint8_t)output;
    x->fresh[writer].inputs |= UINT64_C(1) << input;
  }
  sl_sm7_ring_push(&x->in[input], p);
}

/* Updates the ports that have changed since the last cycle. */
static void look_at_ports(struct sl_sm7_crossbar *x)
{
  for (unsigned w = 0; w < x->writers; w++) {
    for (uint64_t rest = x->fresh[w].inputs; rest; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctzll(rest);
      ask(x, i, x->front[i]);
    }
    x->fresh[w].inputs = 0;
  }
  for (uint64_t rest = x->filled; rest; rest &= rest - 1)
    if (x->out[__builtin_ctzll(rest)].count == 0)
      x->filled &= ~(rest & -rest);
}

static unsigned choose(uint64_t asking, unsigned first)
{
  const uint64_t later = first < 64 ? asking >> first << first : 0;
  return (unsigned)__builtin_ctzll(later ? later : asking);
}

/* The front packet of an input crosses. */
static void transfer(struct sl_sm7_crossbar *x, unsigned i, sl_sm7_route *route, const void *context)
{
  const unsigned o = x->front[i];
  sl_sm7_ring_move(&x->in[i], &x->out[o]);
  x->filled |= UINT64_C(1) << o;
  x->asking[o] &= ~(UINT64_C(1) << i);
  if (x->asking[o] == 0)
    x->asked &= ~(UINT64_C(1) << o);
  if (x->in[i].count)
    ask(x, i, route(context, sl_sm7_ring_front(&x->in[i])));
}

void sl_sm7_crossbar_cycle(struct sl_sm7_crossbar *x, sl_sm7_route *route, const void *context)
{
  look_at_ports(x);
  for (uint64_t turn = x->asked; turn;) {
    const unsigned o = (unsigned)__builtin_ctzll(turn);
    const uint64_t above = ~UINT64_C(1) << o;
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
  uint64_t inputs = 0, taken = 0;
  for (uint64_t rest = x->asked; rest; rest &= rest - 1)
    inputs |= x->asking[__builtin_ctzll(rest)];
  while (inputs) {
    const unsigned i = choose(inputs, first);
    const uint64_t output = UINT64_C(1) << x->front[i];
    if (!(taken & output) && !sl_sm7_ring_full(&x->out[x->front[i]])) {
      taken |= output;
      transfer(x, i, route, context);
    }
    inputs &= ~(UINT64_C(1) << i);
  }
}
