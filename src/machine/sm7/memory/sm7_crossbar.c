#include "machine/sm7/memory/sm7_crossbar.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

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
  sl_sm7_queues_free(x);
  for (unsigned i = 0; i < SL_SM7_PORTS; i++) {
    sl_sm7_ring_free(&x->in[i]);
    sl_sm7_ring_free(&x->out[i]);
  }
}

void sl_sm7_crossbar_push(struct sl_sm7_crossbar *x, unsigned writer, unsigned input, unsigned output,
                          const struct sl_sm7_packet *p)
{
  if (x->queues != NULL) {
    sl_sm7_queues_push(x, writer, input, output, p);
    return;
  }
  if (x->in[input].count == 0) {
    x->front[input] = (uint8_t)output;
    x->fresh[writer].inputs |= sl_sm7_port(input);
  }
  sl_sm7_ring_push(&x->in[input], p);
}

/* The functions below take the number of words of their sets, which is one for most machines. */

static inline uint64_t word_of(sl_sm7_ports set, unsigned word)
{
  return (uint64_t)(set >> 64 * word);
}

ALWAYS_INLINE sl_sm7_ports port(unsigned number, const unsigned words)
{
  return words == 1 ? UINT64_C(1) << number : sl_sm7_port(number);
}

ALWAYS_INLINE void ask(struct sl_sm7_crossbar *x, unsigned input, unsigned output, const unsigned words)
{
  x->front[input] = (uint8_t)output;
  x->asking[output] |= port(input, words);
  x->asked |= port(output, words);
}

/* Updates the ports that have changed since the last cycle. */
ALWAYS_INLINE void look_at_ports(struct sl_sm7_crossbar *x, const unsigned words)
{
  for (unsigned w = 0; w < x->writers; w++)
    for (unsigned n = 0; n < words; n++) {
      for (uint64_t rest = word_of(x->fresh[w].inputs, n); rest; rest &= rest - 1) {
        const unsigned i = 64 * n + sl_lowest(rest);
        ask(x, i, x->front[i], words);
      }
      if (n + 1 == words)
        x->fresh[w].inputs = 0;
    }
  for (unsigned n = 0; n < words; n++)
    for (uint64_t rest = word_of(x->filled, n); rest; rest &= rest - 1)
      if (x->out[64 * n + sl_lowest(rest)].count == 0)
        x->filled &= ~((sl_sm7_ports)(rest & -rest) << 64 * n);
}

ALWAYS_INLINE unsigned choose(sl_sm7_ports asking, unsigned first, const unsigned words)
{
  if (words == 1) {
    const uint64_t all = (uint64_t)asking, later = first < 64 ? all >> first << first : 0;
    return sl_lowest(later ? later : all);
  }
  const sl_sm7_ports later = first < SL_SM7_PORTS ? asking >> first << first : 0;
  return sl_sm7_first_port(later ? later : asking);
}

/* The front packet of an input crosses. */
ALWAYS_INLINE void transfer(struct sl_sm7_crossbar *x, unsigned i, sl_sm7_route *route, const void *context,
                            const unsigned words)
{
  const unsigned o = x->front[i];
  sl_sm7_ring_move(&x->in[i], &x->out[o]);
  x->filled |= port(o, words);
  x->asking[o] &= ~port(i, words);
  if (x->asking[o] == 0)
    x->asked &= ~port(o, words);
  if (x->in[i].count)
    ask(x, i, route(context, sl_sm7_ring_front(&x->in[i])), words);
}

ALWAYS_INLINE void cross(struct sl_sm7_crossbar *x, sl_sm7_route *route, const void *context, const unsigned words)
{
  look_at_ports(x, words);
  for (unsigned n = 0; n < words; n++)
    for (uint64_t turn = word_of(x->asked, n); turn;) {
      const unsigned bit = sl_lowest(turn), o = 64 * n + bit;
      if (!sl_sm7_ring_full(&x->out[o])) {
        const unsigned i = choose(x->asking[o], x->next[o], words);
        x->next[o] = (uint8_t)((i + 1) % x->inputs);
        transfer(x, i, route, context, words);
      }
      turn = word_of(x->asked, n) & ~UINT64_C(1) << bit;
    }
}

static bool is_narrow(const struct sl_sm7_crossbar *x)
{
  return x->inputs <= 64 && x->outputs <= 64;
}

void sl_sm7_crossbar_cycle(struct sl_sm7_crossbar *x, sl_sm7_route *route, const void *context)
{
  if (is_narrow(x))
    cross(x, route, context, 1);
  else
    cross(x, route, context, SL_SM7_PORT_WORDS);
}

ALWAYS_INLINE void rotate(struct sl_sm7_crossbar *x, unsigned first, sl_sm7_route *route, const void *context,
                          const unsigned words)
{
  sl_sm7_ports inputs = 0, taken = 0;
  look_at_ports(x, words);
  for (unsigned n = 0; n < words; n++)
    for (uint64_t rest = word_of(x->asked, n); rest; rest &= rest - 1)
      inputs |= x->asking[64 * n + sl_lowest(rest)];
  while (inputs) {
    const unsigned i = choose(inputs, first, words);
    const sl_sm7_ports output = sl_sm7_port(x->front[i]);
    if (!(taken & output) && !sl_sm7_ring_full(&x->out[x->front[i]])) {
      taken |= output;
      transfer(x, i, route, context, words);
    }
    inputs &= ~sl_sm7_port(i);
  }
}

void sl_sm7_crossbar_rotate(struct sl_sm7_crossbar *x, unsigned first, sl_sm7_route *route, const void *context)
{
  if (is_narrow(x))
    rotate(x, first, route, context, 1);
  else
    rotate(x, first, route, context, SL_SM7_PORT_WORDS);
}
