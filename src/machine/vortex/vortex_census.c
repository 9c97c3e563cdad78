/* The rules of a Vortex GPU that was restored from a file. Each instruction is in one place, and in the memory system
 * once per outstanding answer; each line is in flight exactly once. Otherwise lists of instructions could contain
 * cycles, and queues sized for the maximum could overflow. The walk has given what caches and memory hold
 * (vortex_state.c); the census takes it for the queues and lists of the cores. */
#include <stdlib.h>
#include <string.h>

#include "machine/machine_state.h"
#include "machine/vortex/vortex_gpu.h"
#include "timing/memory/cache.h"
#include "timing/memory/memory_port.h"

/* A line on its way to an instruction of a socket: it has one of its core's tags. */
bool sl_vortex_give_line(struct sl_archive *t, uint64_t socket, uint64_t tag, bool is_read)
{
  sl_archive_give(t, SL_GIVEN_LINE, socket, tag, is_read);
  return sl_archive_give(t, SL_GIVEN_TAG, socket, tag >> SL_CORE_SHIFT, is_read);
}

/* Place of an instruction. */
enum place {
  NOWHERE,
  FREE,
  FRONT,    /* before decode */
  BUFFERED, /* before issue */
  ISSUED,   /* before its unit */
  IN_LSU,
  DONE,
  CLEARED /* its registers are about to be written */
};

/* What the census has found of an instruction. */
struct tally {
  uint8_t place; /* enum place */
  bool queued;   /* in the LSU */
  bool partial;  /* lanes have separate results */
};

struct core {
  const struct sl_vortex_pipeline *p;
  struct sl_archive *t;
  struct tally *op;                   /* of each instruction */
  struct sl_extension_flight *flight; /* room for all instructions */
  unsigned socket;
  uint32_t tag; /* of its first instruction */
};

static bool put(struct core *c, uint32_t op, enum place place)
{
  const bool free = op < c->p->op_count && c->op[op].place == NOWHERE;
  if (free)
    c->op[op].place = (uint8_t)place;
  return sl_archive_expect(c->t, free);
}

static void give(struct core *c, unsigned kind, uint64_t item, uint64_t times)
{
  sl_archive_give(c->t, kind, c->p->number, item, times);
}

/* ---- records of instructions ------------------------------------------------------------------------------------- */

/* A register may have become the end of a stream. */
static bool copy_valid(const struct sl_insn *copy, const struct sl_insn *insn)
{
  const uint8_t reg[] = {insn->rd, insn->rs1, insn->rs2, insn->rs3};
  struct sl_insn same = *copy;
  uint8_t *const renamed[] = {&same.rd, &same.rs1, &same.rs2, &same.rs3};
  for (unsigned i = 0; i < sizeof reg; i++)
    if (*renamed[i] >= SL_IPDOM_FIRST_STREAM && *renamed[i] < SL_IPDOM_RV32_REGISTERS)
      *renamed[i] = reg[i];
  return memcmp(&same, insn, sizeof same) == 0;
}

void sl_vortex_derive_op(const struct sl_vortex_pipeline *core, uint32_t number)
{
  struct sl_vortex_op *op = &core->op[number];
  const struct sl_extended *e = &core->extended[number];
  op->facts = e->replaced ? sl_vortex_facts_of(core->spec, &e->copy) : core->facts[op->number];
  op->threads = (uint8_t)sl_count(op->mask);
}

/* Also free records, because they keep their old contents. */
static void take_records(struct core *c)
{
  for (uint32_t i = 0; i < c->p->op_count; i++) {
    const struct sl_vortex_op *op = &c->p->op[i];
    const struct sl_extended *e = &c->p->extended[i];
    sl_archive_expect(
        c->t, op->slice == op->warp % c->p->slices && (!e->replaced || e->renamed) &&
                  (!e->renamed || (c->p->warps->renames != 0 && copy_valid(&e->copy, sl_vortex_insn(c->p, op)))) &&
                  (op->effect != SL_IPDOM_SPAWNS || op->count <= c->p->spec->warps));
    if (!c->t->bad)
      sl_vortex_derive_op(c->p, i);
  }
}

/* ---- queues and lists -------------------------------------------------------------------------------------------- */

enum { ANY = -1 };

/* The instructions of a queue, of a slice and a unit. Some lanes of a load may have a result before the whole load
 * has. */
static void take(struct core *c, const struct sl_vortex_queue *q, enum place place, int slice, int unit)
{
  for (uint32_t i = 0; i < q->count; i++) {
    const struct sl_vortex_entry *e = sl_vortex_entry(c->p, q, i);
    const struct sl_vortex_op *op = &c->p->op[e->op];
    const bool whole = place != DONE || e->last;
    c->op[e->op].partial |= !whole;
    sl_archive_expect(c->t, (slice == ANY || op->slice == slice) && (unit == ANY || op->facts.unit == unit) &&
                                (!whole || put(c, e->op, place)));
  }
}

/* The instructions of a ring, of a slice or a warp. */
static void take_ring(struct core *c, const uint16_t *ring, uint32_t room, uint32_t first, uint32_t count,
                      enum place place, int slice, int warp)
{
  sl_archive_expect(c->t, count <= room);
  for (uint32_t i = 0; i < count && !c->t->bad; i++) {
    const uint16_t op = ring[(first + i) % room];
    sl_archive_expect(c->t, put(c, op, place) && (slice == ANY || c->p->op[op].slice == slice) &&
                                (warp == ANY || c->p->op[op].warp == warp));
  }
}

/* One instruction of each slice commits in a cycle. */
static void take_list(struct core *c, uint16_t first, enum place place)
{
  sl_warps slices = 0;
  for (uint16_t op = first; op != SL_VORTEX_NONE && put(c, op, place); op = c->p->op[op].next)
    sl_archive_expect(c->t, place != CLEARED || sl_once(&slices, c->p->op[op].slice, SL_MAX_WARPS));
}

/* Dispatched instructions are before their unit; those of the ALU are complete. */
static void take_operands(struct core *c, unsigned slice)
{
  const struct sl_vortex_operands *o = &c->p->operands[slice];
  const struct sl_vortex_pipeline_state *s = &c->p->s;
  const uint32_t waiting = o->issued - o->dispatched, collected = o->collected - o->dispatched;
  sl_archive_expect(c->t,
                    collected <= waiting && (c->p->ahead ? waiting <= 2 * c->p->spec->operands_queue + 2 &&
                                                               s->collect[slice].count + s->collected[slice].count == 0
                                                         : waiting == 0));
  for (unsigned unit = 0; unit < SL_UNIT_COUNT && c->p->ahead; unit++)
    sl_archive_expect(c->t, o->sent[unit] - o->taken[unit] == s->dispatch[slice][unit].count &&
                                (unit != SL_UNIT_ALU || o->sent[unit] == o->taken[unit]));
  take_ring(c, o->op, SL_VORTEX_OPERAND_RING, o->dispatched, waiting, ISSUED, (int)slice, ANY);
}

/* Units that slices share have one input. */
static void take_slice(struct core *c, unsigned slice)
{
  const struct sl_vortex_pipeline_state *s = &c->p->s;
  const int own = (int)slice;
  unsigned results = s->stored[slice].count;
  for (int unit = 0; unit < SL_UNIT_COUNT; unit++) {
    const bool shared = unit == SL_UNIT_LSU || unit == SL_UNIT_SFU;
    take(c, &s->dispatch[slice][unit], ISSUED, own, unit);
    take(c, &s->input[slice][unit], ISSUED, shared ? ANY : own, unit);
    take(c, &s->result[slice][unit], DONE, own, unit);
    sl_archive_expect(c->t, !shared || slice == 0 || s->input[slice][unit].count == 0);
    results += unit != SL_UNIT_LSU ? s->result[slice][unit].count : 0;
  }
  take_operands(c, slice);
  take(c, &s->collect[slice], ISSUED, own, ANY);
  take(c, &s->collected[slice], ISSUED, own, ANY);
  take(c, &s->stored[slice], DONE, own, SL_UNIT_LSU);
  give(c, SL_GIVEN_RESULTS, slice, results);
  give(c, SL_GIVEN_WAITING, 0, results);
}

static void take_requests(struct core *c, const struct sl_vortex_queue *q, bool parted)
{
  for (uint32_t i = 0; i < q->count; i++) {
    const uint16_t index = sl_vortex_entry(c->p, q, i)->op;
    const struct sl_vortex_op *op = &c->p->op[index];
    const bool left = op->unsent != 0 || (op->local != 0 && !parted), fence = op->facts.flags & SL_FACT_FENCE;
    sl_archive_expect(c->t, op->facts.unit == SL_UNIT_LSU && !c->op[index].queued && left &&
                                (!fence || op->unsent != 0) && (!parted || op->local == 0));
    c->op[index].queued = true;
  }
}

static void take_lines(struct core *c)
{
  const struct sl_vortex_lsu *lsu = &c->p->s.lsu;
  for (unsigned i = 0; i < lsu->line_count; i++) {
    const struct sl_vortex_line_request *line = &lsu->line[(lsu->line_first + i) % SL_VORTEX_LINES];
    sl_vortex_give_line(c->t, c->socket, c->tag | line->tag, !line->write);
    sl_archive_expect(
        c->t, line->tag < c->p->op_count &&
                  (!line->flush || (!line->write && !line->io && (c->p->op[line->tag].facts.flags & SL_FACT_FENCE))));
  }
  for (uint32_t i = 0; i < lsu->returned.count; i++)
    sl_vortex_give_line(c->t, c->socket, c->tag | sl_vortex_entry(c->p, &lsu->returned, i)->op, true);
  for (uint32_t i = 0; i < lsu->local.count; i++)
    sl_archive_give(c->t, SL_GIVEN_LINE, c->socket, c->tag | sl_vortex_entry(c->p, &lsu->local, i)->op, 1);
  sl_archive_take(c->t, SL_GIVEN_TAG, c->socket, c->tag >> SL_CORE_SHIFT, lsu->tags);
  sl_archive_expect(c->t, lsu->tags <= c->p->coalescer_tags);
}

static void take_pipeline(struct core *c)
{
  const struct sl_vortex_pipeline_state *s = &c->p->s;
  const struct sl_vortex_front *front = &s->front;
  sl_archive_expect(c->t, front->moved - front->first <= front->end - front->first);
  take_ring(c, front->op, SL_MAX_WARPS, front->first, front->end - front->first, FRONT, ANY, ANY);
  for (unsigned w = 0; w < SL_MAX_WARPS; w++)
    take_ring(c, s->ibuffer.op[w], SL_VORTEX_IBUFFER, s->ibuffer.first[w], s->ibuffer.count[w], BUFFERED, ANY, (int)w);
  for (unsigned slice = 0; slice < c->p->slices; slice++)
    take_slice(c, slice);
  for (unsigned i = 0; i < SL_VORTEX_WHEEL; i++) {
    take_list(c, s->due[i].done, DONE);
    take_list(c, s->due[i].clear, CLEARED);
  }
  take_list(c, s->free_op, FREE);
  take_requests(c, &s->lsu.requests, false);
  take_requests(c, &s->lsu.split, true);
  take_lines(c);
}

/* ---- instructions, in their places ------------------------------------------------------------------------------- */

/* The LSU keeps a place for it until all answers have arrived; each lane asks for one at most. */
static bool in_lsu_valid(const struct sl_vortex_op *op, bool queued, unsigned lanes)
{
  const sl_lanes left = op->unsent | op->local;
  return op->holds == 1 && queued == (left != 0) && op->answers + queued > 0 && op->answers + sl_count(left) <= lanes;
}

/* A store completes while the LSU still sends its lines. */
static bool elsewhere_valid(const struct sl_vortex_op *op, enum place place, bool queued)
{
  const bool is_store = op->facts.flags & SL_FACT_STORE, done = place >= DONE || place == NOWHERE;
  return op->answers == 0 && (!queued || (is_store && done)) && (place != NOWHERE || queued) &&
         op->holds == (place != NOWHERE) + queued;
}

/* An instruction that no queue has is in the instruction cache or in the LSU. Returns whether it is valid. */
static bool find_place(struct core *c, uint32_t number)
{
  const struct sl_vortex_op *op = &c->p->op[number];
  struct tally *t = &c->op[number];
  const bool fence = op->facts.flags & SL_FACT_FENCE;
  const bool answered = (op->facts.flags & SL_FACT_LOAD) || (fence && c->p->spec->fence_flushes);
  if (t->place == FREE)
    return !t->queued && !t->partial;
  if (t->place == NOWHERE && !t->queued && op->answers == 0) {
    sl_archive_take(c->t, SL_GIVEN_FETCH, c->socket, c->tag | number, 1);
    t->place = FRONT;
  } else if (answered && t->place == NOWHERE)
    t->place = IN_LSU;
  sl_archive_take(c->t, SL_GIVEN_LINE, c->socket, c->tag | number, op->answers);
  return op->pc == sl_code_address(c->p->warps->code, op->number) && (!t->partial || answered) &&
         (op->mask != 0 || c->p->extends || t->place == NOWHERE) &&
         (t->place == IN_LSU ? in_lsu_valid(op, t->queued, c->p->spec->lanes)
                             : elsewhere_valid(op, t->place, t->queued));
}

/* The numbers of instructions that the pipeline knows. */
static void take_sums(struct core *c)
{
  const struct sl_vortex_lsu *lsu = &c->p->s.lsu;
  uint32_t loads = 0;
  bool fence = false;
  for (uint32_t i = 0; i < c->p->op_count && !c->t->bad; i++) {
    const struct sl_vortex_op *op = &c->p->op[i];
    const bool valid = sl_archive_expect(c->t, find_place(c, i));
    const enum place place = valid ? c->op[i].place : FREE;
    if (place == FREE || place == NOWHERE)
      continue;
    loads += place == IN_LSU;
    fence |= place == IN_LSU && (op->facts.flags & SL_FACT_FENCE);
    give(c, SL_GIVEN_IN_FLIGHT, op->warp, 1);
    give(c, SL_GIVEN_TOTAL, 0, place != CLEARED);
    give(c, SL_GIVEN_FPU_TAGS, op->slice, place == DONE && op->facts.unit == SL_UNIT_FPU && c->p->spec->fpu_queue > 0);
  }
  sl_archive_expect(c->t, lsu->loads <= c->p->lsu_loads && lsu->freed <= lsu->loads &&
                              loads == lsu->loads - lsu->freed && fence == lsu->fence);
}

/* ---- warps: each resumes once ------------------------------------------------------------------------------------ */

/* Whether that instruction will make its warp schedulable: fetch waits for it, and it has not ended the warp. */
static bool holds_warp(const struct core *c, uint32_t number)
{
  const struct sl_vortex_op *op = &c->p->op[number];
  const unsigned place = c->op[number].place;
  const bool waits = (op->facts.flags & SL_FACT_STALLS_FETCH) && (place == BUFFERED || place == ISSUED);
  return (place == FRONT || waits) && !(c->p->spec->execute_at_schedule && op->effect == SL_IPDOM_ENDS);
}

/* A warp resumes once: by such an instruction, in a cycle, or with other warps at a barrier or not yet ended. Those
 * with an empty mask are about to be switched off. A warp with buffered instructions is made visible to issue once. */
static void take_warps(struct core *c)
{
  const struct sl_vortex_pipeline_state *s = &c->p->s;
  const struct sl_core_sync *sync = &c->p->warps->s.sync;
  unsigned reasons[SL_MAX_WARPS] = {0};
  for (uint32_t i = 0; i < c->p->op_count; i++)
    reasons[c->p->op[i].warp] += holds_warp(c, i);
  for (unsigned class = 0; class < SL_VORTEX_EVENTS; class ++)
    for (unsigned i = 0; i < s->regroup.count[class]; i++)
      reasons[s->regroup.queue[class][(s->regroup.first[class] + i) % SL_MAX_WARPS]]++;
  for (unsigned w = 0; w < c->p->spec->warps; w++) {
    const bool active = sync->active >> w & 1, free = !(s->stalled >> w & 1);
    unsigned shown = s->visible >> w & 1;
    reasons[w] += (unsigned)((sync->at_barrier >> w & 1) + (sync->asking >> w & 1));
    for (unsigned i = 0; i < SL_VORTEX_WHEEL; i++) {
      reasons[w] += (unsigned)(s->due[i].wake >> w & 1);
      shown += (unsigned)(s->due[i].show >> w & 1);
    }
    sl_archive_expect(
        c->t, shown == (s->ibuffer.count[w] > 0) &&
                  (active ? reasons[w] + free <= 1 && (c->p->warps->warp[w].mask != 0 || (!free && reasons[w] != 0))
                          : reasons[w] == 0));
  }
}

/* ---- extensions -------------------------------------------------------------------------------------------------- */

static void find_tag(const struct core *c, uint8_t extension, uint32_t tag)
{
  const struct sl_ipdom_warps *w = c->p->warps;
  const struct sl_extension *e = extension < w->extensions ? &w->extension[extension] : NULL;
  sl_archive_expect(c->t, e != NULL && e->kind->tag_valid != NULL && e->kind->tag_valid(e->state, tag));
}

static void take_ports(struct core *c)
{
  const struct sl_vortex_ports *p = &c->p->s.ports;
  for (unsigned i = 0; i < SL_VORTEX_PORTS_MAX; i++)
    if (p->port[i].waits && !p->port[i].write)
      find_tag(c, p->port[i].extension, p->port[i].tag);
  for (unsigned i = 0; i < SL_VORTEX_PORT_LINES; i++) {
    const bool asked = !(p->free[i / 64] >> i % 64 & 1);
    sl_archive_take(c->t, SL_GIVEN_PORT, c->socket, c->tag | i, asked);
    if (asked)
      find_tag(c, p->read[i].extension, p->read[i].tag);
  }
  for (unsigned i = 0; i < p->count; i++) {
    const struct sl_vortex_port_return *r = &p->back[(p->first + i) % SL_VORTEX_PORT_RETURNS];
    find_tag(c, r->extension, r->tag);
  }
}

static void take_extension(struct core *c, unsigned number)
{
  const struct sl_extension *e = &c->p->warps->extension[number];
  unsigned count = 0;
  for (uint32_t i = 0; i < c->p->op_count; i++) {
    const unsigned place = c->op[i].place;
    if (place != FREE)
      c->flight[count++] = (struct sl_extension_flight){.note = &c->p->extended[i].note[number],
                                                        .warp = c->p->op[i].warp,
                                                        .replaced = c->p->extended[i].replaced,
                                                        .issued = place != FRONT && place != BUFFERED};
  }
  sl_archive_expect(c->t, e->kind->valid(e->state, c->flight, count));
}

/* ---- the GPU ----------------------------------------------------------------------------------------------------- */

static void take_core(struct core *c)
{
  static void (*const parts[])(struct core *) = {take_records, take_pipeline, take_sums, take_warps};
  for (unsigned i = 0; i < sizeof parts / sizeof *parts && !c->t->bad; i++)
    parts[i](c);
  for (unsigned i = 0; i < c->p->warps->extensions && !c->t->bad; i++)
    take_extension(c, i);
  if (c->p->warps->extensions > 0 && !c->t->bad)
    take_ports(c);
}

/* Memory is simulated as far ahead of the sockets as at the beginning of the quantum. */
static void expect_cycles(const struct sl_vortex_gpu *sm, struct sl_archive *t)
{
  const struct sl_vortex_timed *timed = &sm->timed;
  const struct sl_vortex_timed_state *s = &timed->s;
  const struct sl_vortex_memory *m = &timed->memory;
  sl_archive_expect(t, s->cycle <= s->end && s->end - s->cycle <= timed->quantum &&
                           (s->end == 0 || s->end >= timed->quantum) && (sm->spec.cores == 1 || s->end == s->cycle) &&
                           m->s.cycle == (s->end == 0 ? 0 : s->end - timed->quantum + timed->lead));
  for (unsigned i = 0; i < timed->sockets; i++)
    sl_archive_expect(t, timed->socket[i].s.cycle == s->cycle);
  for (unsigned i = 0; i < sm->spec.cores; i++)
    sl_archive_expect(t, timed->pipeline[i].s.cycle == s->cycle);
  if (!t->bad)
    sl_memory_port_expect(&m->dram, m->s.cycle, t);
}

static void take_all(const struct sl_vortex_gpu *sm, struct sl_archive *t)
{
  const unsigned cores = sm->timed.socket->count;
  const uint32_t ops = sm->timed.pipeline->op_count;
  struct tally *tally = calloc(ops, sizeof *tally);
  struct sl_extension_flight *flight = calloc(ops, sizeof *flight);
  expect_cycles(sm, t);
  for (unsigned i = 0; i < sm->spec.cores && sl_archive_memory(t, tally != NULL && flight != NULL); i++) {
    memset(tally, 0, ops * sizeof *tally);
    take_core(&(struct core){&sm->timed.pipeline[i], t, tally, flight, i / cores, i % cores << SL_CORE_SHIFT});
  }
  free(tally);
  free(flight);
}

/* Without timing, and before the first launch, the pipelines are unused. */
static void expect_idle(struct sl_vortex_gpu *sm, bool timing, struct sl_archive *archive)
{
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    const struct sl_ipdom_warps *w = &sm->core[c].warps;
    take_records(&(struct core){.p = &sm->timed.pipeline[c], .t = archive});
    for (unsigned i = 0; i < w->extensions && !archive->bad; i++) {
      const struct sl_extension *e = &w->extension[i];
      if (e->kind->set_timed != NULL)
        e->kind->set_timed(e->state, timing);
      sl_archive_expect(archive, e->kind->valid(e->state, NULL, 0));
    }
  }
}

/* First the state visible to programs. */
void sl_vortex_expect(struct sl_vortex_gpu *sm, struct sl_archive *archive)
{
  const struct sl_vortex_gpu_state *s = &sm->s;
  const bool timing = archive->timing;
  sl_archive_expect(archive, (!s->timing || timing) && (sm->base.state == SL_SM_IDLE) == (s->launches == 0));
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sl_archive_expect(archive, s->launches > 0 || sm->core[c].warps.s.sync.active == 0);
  if (archive->bad)
    return;
  if (timing && s->launches > 0)
    take_all(sm, archive);
  else
    expect_idle(sm, timing, archive);
}
