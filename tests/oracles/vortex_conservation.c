/* The oracle of test builds that machine/vortex/vortex_gpu.h declares. */
#include <stdlib.h>

#include "machine/machine_state.h"
#include "machine/vortex/core/vortex_stages.h"
#include "machine/vortex/vortex_gpu.h"

enum { DRAIN_CYCLES = 1 << 18 /* far more than a full memory path needs */ };

static bool queues_empty(const struct sl_vortex_pipeline *p)
{
  const struct sl_vortex_lsu *lsu = &p->s.lsu;
  uint32_t count = p->s.front.end - p->s.front.first + lsu->requests.count + lsu->split.count + lsu->returned.count +
                   lsu->local.count + lsu->line_count;
  for (unsigned w = 0; w < p->spec->warps; w++)
    count += p->s.ibuffer.count[w];
  for (unsigned s = 0; s < p->slices; s++) {
    count += p->operands[s].issued - p->operands[s].dispatched;
    count += p->s.collect[s].count + p->s.collected[s].count + p->s.stored[s].count;
    for (unsigned u = 0; u < SL_UNIT_COUNT; u++)
      count += p->s.dispatch[s][u].count + p->s.input[s][u].count + p->s.result[s][u].count;
  }
  return count == 0;
}

static uint32_t free_ops(const struct sl_vortex_pipeline *p)
{
  uint32_t count = 0;
  for (uint16_t op = p->s.free_op; op != SL_VORTEX_NONE && count <= p->op_count; op = p->op[op].next)
    count++;
  return count;
}

static bool cache_idle(const struct sl_cache *c)
{
  uint32_t pending = c->s.answer_count + c->s.miss_count;
  for (unsigned b = 0; b < c->spec.banks; b++)
    pending += c->bank[b].pending_count + c->bank[b].replay_count + c->bank[b].fill_count;
  return c->s.busy_banks == 0 && pending == 0;
}

static bool memory_idle(const struct sl_vortex_memory *m)
{
  bool idle = m->dram.s.reads == 0 && m->dram.answers.count == 0 && m->s.counts.reads == m->s.counts.answers;
  for (unsigned p = 0; p < m->dram.ports; p++)
    idle = idle && m->dram.queue[p].count == 0;
  for (unsigned c = 0; c < m->clusters; c++)
    idle = idle && m->l2[c].s.count == 0 && (!m->l2[c].enabled || cache_idle(&m->l2[c].cache));
  return idle && m->l3.s.count == 0 && (!m->l3.enabled || cache_idle(&m->l3.cache));
}

/* The invariant that an idle core violates. */
static const char *core_broken(const struct sl_vortex_pipeline *p)
{
  bool awaited = false;
  uint32_t in_flight = p->s.total_in_flight;
  for (unsigned w = 0; w < p->spec->warps; w++) {
    for (unsigned set = 0; set < SL_AWAITED_SETS; set++)
      awaited |= sl_scoreboard_any(&p->s.scoreboard, (enum sl_vortex_awaited)set, w);
    in_flight += p->s.in_flight[w];
  }
  return in_flight != 0                              ? "instructions are in flight after the last warp has ended"
         : awaited                                   ? "pending registers have no writer"
         : !queues_empty(p)                          ? "a queue is not empty after the last warp has ended"
         : free_ops(p) != p->op_count                ? "the record of an instruction was lost"
         : p->s.lsu.loads != 0 || p->s.lsu.tags != 0 ? "a slot or tag of a load was lost"
         : p->s.counts.load_lines != p->s.counts.lines_answered ? "not every requested line was answered"
         : p->s.counts.loads != p->s.counts.loaded              ? "not every thread that loads was answered"
         : !sl_vortex_ports_idle(p)                             ? "a line of an extension was lost"
                                                                : NULL;
}

static const char *all_broken(const struct sl_vortex_gpu *sm)
{
  const struct sl_vortex_timed *t = &sm->timed;
  const char *broken = NULL;
  for (unsigned c = 0; c < sm->spec.cores && broken == NULL; c++)
    broken = core_broken(&t->pipeline[c]);
  for (unsigned s = 0; s < t->sockets && broken == NULL; s++)
    if (!cache_idle(&t->socket[s].icache) || !cache_idle(&t->socket[s].dcache) || t->socket[s].s.return_count > 0 ||
        t->socket[s].s.io_count > 0)
      broken = "a first-level cache does not become idle";
  return broken != NULL || memory_idle(&t->memory) ? broken : "the memory path does not drain";
}

/* Stores, and lines that are no longer needed, may be in flight when a program ends. */
static const char *drain(struct sl_vortex_gpu *sm)
{
  const char *broken = "";
  for (uint64_t end = sm->timed.s.cycle + DRAIN_CYCLES; sm->timed.s.cycle < end && broken != NULL;) {
    sl_vortex_pass_quantum(sm);
    broken = all_broken(sm);
  }
  return broken;
}

const char *sl_vortex_broken(struct sl_vortex_gpu *sm)
{
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    uint64_t cycles = 0;
    for (unsigned i = 0; i < SL_VORTEX_STALL_REASONS; i++)
      cycles += sm->timed.pipeline[c].s.counts.cause[i];
    if (cycles != sm->s.cycle)
      return "the stall reasons of a core's cycles do not add up";
  }
  const size_t size = sl_state_bytes(&sm->base);
  uint8_t *bytes = malloc(size);
  if (bytes == NULL)
    return NULL;
  sl_state_save(&sm->base, bytes);
  const bool watched = sm->timed.pipeline->watched;
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sm->timed.pipeline[c].watched = false;
  const char *broken = drain(sm);
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sm->timed.pipeline[c].watched = watched;
  sl_state_restore(&sm->base, bytes, size);
  free(bytes);
  return broken;
}

enum sl_sm_state sl_vortex_conserve(struct sl_vortex_gpu *sm)
{
  const char *broken = sl_vortex_broken(sm);
  if (broken != NULL) {
    sm->fault = (struct sl_fault){.kind = SL_FAULT_INTERNAL, .detail = broken};
    sm->base.state = SL_SM_FAULTED;
  }
  return sm->base.state;
}

/* Requests that caches have made since `known` must not be due before memory continues. */
static bool misses_in_time(const struct sl_vortex_timed *t, const struct sl_cache *c, uint32_t known)
{
  for (uint32_t i = known; i < c->s.miss_count; i++)
    if (c->misses[(c->s.miss_first + i) & (c->ring - 1)].cycle < t->memory.s.cycle)
      return false;
  return true;
}

static bool in_time(const struct sl_vortex_timed *t, const struct sl_vortex_socket *s,
                    const struct sl_vortex_socket *before)
{
  for (uint32_t i = before->s.io_count; i < s->s.io_count; i++)
    if (s->io[(s->s.io_first + i) % SL_VORTEX_IOS].cycle < t->memory.s.cycle)
      return false;
  return misses_in_time(t, &s->icache, before->icache.s.miss_count) &&
         misses_in_time(t, &s->dcache, before->dcache.s.miss_count);
}

/* Memory must not have answered in cycles that the socket has passed. */
static bool answers_in_time(const struct sl_vortex_socket *s)
{
  const uint32_t i = s->s.return_first;
  return s->s.return_count == 0 || s->returns[i].cycle + s->spec->fill_delay >= s->s.cycle;
}

void sl_vortex_run_checked(const struct sl_vortex_timed *t, struct sl_vortex_socket *socket, uint64_t cycles)
{
  const struct sl_vortex_socket before = *socket;
  const bool known = answers_in_time(socket);
  sl_vortex_socket_run(socket, cycles);
  if (known && in_time(t, socket, &before))
    return;
  socket->core->warps->fault =
      (struct sl_fault){.kind = SL_FAULT_INTERNAL,
                        .cycle = t->s.cycle,
                        .detail = "a request was due in a cycle that memory had already simulated"};
  socket->core->s.faulted = true;
}
