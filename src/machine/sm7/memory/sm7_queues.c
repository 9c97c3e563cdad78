#include "machine/sm7/memory/sm7_crossbar.h"

static uint16_t *next_of(const struct sl_sm7_crossbar *x, unsigned input, unsigned slot)
{
  return &x->queues->next[input * x->in[input].size + slot];
}

enum sl_status sl_sm7_queues_init(struct sl_sm7_crossbar *x, struct sl_error *err)
{
  const size_t slots = (size_t)x->inputs * x->in[0].size, queues = (size_t)x->inputs * x->outputs;
  struct sl_sm7_queues *q = calloc(1, sizeof *q);
  x->queues = q;
  if (q == NULL)
    return sl_no_memory(err, sizeof *q);
  q->queue = calloc(queues, sizeof *q->queue);
  q->next = calloc(slots, sizeof *q->next);
  if (q->queue == NULL || q->next == NULL)
    return sl_no_memory(err, queues * sizeof *q->queue + slots * sizeof *q->next);
  for (unsigned i = 0; i < x->inputs; i++)
    for (unsigned slot = 0; slot < x->in[i].size; slot++)
      *next_of(x, i, slot) = (uint16_t)(slot + 1);
  return SL_OK;
}

void sl_sm7_queues_free(struct sl_sm7_crossbar *x)
{
  if (x->queues == NULL)
    return;
  free(x->queues->queue);
  free(x->queues->next);
  free(x->queues);
}

/* Changes only what belongs to the input, and the writer's set: other threads push to other inputs. */
void sl_sm7_queues_push(struct sl_sm7_crossbar *x, unsigned writer, unsigned input, unsigned output,
                        const struct sl_sm7_packet *p)
{
  struct sl_sm7_queues *q = x->queues;
  struct sl_sm7_queue *queue = &q->queue[input * x->outputs + output];
  const uint16_t slot = q->free[input];
  q->free[input] = *next_of(x, input, slot);
  x->in[input].item[slot] = *p;
  x->in[input].count++;
  if (q->wants[input] & sl_sm7_port(output)) {
    *next_of(x, input, queue->last) = slot;
  } else {
    queue->first = slot;
    q->wants[input] |= sl_sm7_port(output);
    x->fresh[writer].inputs |= sl_sm7_port(input);
  }
  queue->last = slot;
}

static void transfer(struct sl_sm7_crossbar *x, unsigned input, unsigned output)
{
  struct sl_sm7_queues *q = x->queues;
  struct sl_sm7_queue *queue = &q->queue[input * x->outputs + output];
  const uint16_t slot = queue->first;
  sl_sm7_ring_push(&x->out[output], &x->in[input].item[slot]);
  x->in[input].count--;
  x->filled |= sl_sm7_port(output);
  if (slot == queue->last) {
    q->wants[input] &= ~sl_sm7_port(output);
    x->asking[output] &= ~sl_sm7_port(input);
    if (x->asking[output] == 0)
      x->asked &= ~sl_sm7_port(output);
  } else {
    queue->first = *next_of(x, input, slot);
  }
  *next_of(x, input, slot) = q->free[input];
  q->free[input] = slot;
}

static sl_sm7_ports without_first(sl_sm7_ports set)
{
  return set & (set - 1);
}

static void look_at_ports(struct sl_sm7_crossbar *x)
{
  for (unsigned w = 0; w < x->writers; w++) {
    for (sl_sm7_ports rest = x->fresh[w].inputs; rest; rest = without_first(rest)) {
      const unsigned i = sl_sm7_first_port(rest);
      for (sl_sm7_ports outputs = x->queues->wants[i]; outputs; outputs = without_first(outputs))
        x->asking[sl_sm7_first_port(outputs)] |= sl_sm7_port(i);
      x->asked |= x->queues->wants[i];
    }
    x->fresh[w].inputs = 0;
  }
  for (sl_sm7_ports rest = x->filled; rest; rest = without_first(rest))
    if (x->out[sl_sm7_first_port(rest)].count == 0)
      x->filled &= ~sl_sm7_port(sl_sm7_first_port(rest));
}

/* Round robin: the first port of the set that is not before `first`. */
static unsigned choose(sl_sm7_ports set, unsigned first)
{
  const sl_sm7_ports later = set >> first << first;
  return sl_sm7_first_port(later ? later : set);
}

/* The outputs that have room grant a request each; returns the inputs that have grants. */
static sl_sm7_ports grant(const struct sl_sm7_crossbar *x, sl_sm7_ports *outputs, sl_sm7_ports inputs,
                          sl_sm7_ports grants[])
{
  sl_sm7_ports granted = 0;
  for (sl_sm7_ports rest = *outputs; rest; rest = without_first(rest)) {
    const unsigned o = sl_sm7_first_port(rest);
    const sl_sm7_ports requests = x->asking[o] & inputs;
    if (requests == 0 || sl_sm7_ring_full(&x->out[o])) {
      *outputs &= ~sl_sm7_port(o);
      continue;
    }
    const unsigned i = choose(requests, x->next[o]);
    grants[i] = (granted & sl_sm7_port(i) ? grants[i] : 0) | sl_sm7_port(o);
    granted |= sl_sm7_port(i);
  }
  return granted;
}

void sl_sm7_queues_cycle(struct sl_sm7_crossbar *x)
{
  look_at_ports(x);
  sl_sm7_ports grants[SL_SM7_PORTS], granted, inputs = ~(sl_sm7_ports)0, outputs = x->asked; /* those that are free */
  for (bool first = true; (granted = grant(x, &outputs, inputs, grants)) != 0; first = false)
    for (; granted; granted = without_first(granted)) {
      const unsigned i = sl_sm7_first_port(granted), o = choose(grants[i], x->queues->accept[i]);
      if (first) {
        x->next[o] = (uint8_t)((i + 1) % x->inputs);
        x->queues->accept[i] = (uint8_t)((o + 1) % x->outputs);
      }
      inputs &= ~sl_sm7_port(i);
      outputs &= ~sl_sm7_port(o);
      transfer(x, i, o);
    }
}
