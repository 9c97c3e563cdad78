#include "machine/vortex/core/vortex_places.h"

static void give_back(struct sl_vortex_pipeline *core, uint64_t cycle, uint32_t tag, uint8_t extension)
{
  struct sl_vortex_ports *s = &core->s.ports;
  unsigned at = s->count++;
  for (; at > 0; at--) {
    const struct sl_vortex_port_return *before = &s->back[(s->first + at - 1) % SL_VORTEX_PORT_RETURNS];
    if (before->cycle <= cycle)
      break;
    s->back[(s->first + at) % SL_VORTEX_PORT_RETURNS] = *before;
  }
  s->back[(s->first + at) % SL_VORTEX_PORT_RETURNS] = (struct sl_vortex_port_return){cycle, tag, extension};
}

int sl_vortex_port_number(struct sl_vortex_pipeline *core, const struct sl_vortex_port_line *line)
{
  struct sl_vortex_ports *s = &core->s.ports;
  for (unsigned i = 0; i < SL_VORTEX_PORT_LINES / 64; i++)
    if (s->free[i] != 0) {
      const unsigned number = i * 64 + sl_lowest(s->free[i]);
      s->free[i] &= s->free[i] - 1;
      s->read[number] = *line;
      return (int)number;
    }
  return -1;
}

/* Adds the rest of the latency. */
void sl_vortex_port_answered(struct sl_vortex_pipeline *core, uint32_t number)
{
  struct sl_vortex_ports *s = &core->s.ports;
  const unsigned in_cache = core->spec->dcache.latency + 1, whole = core->spec->stream_latency;
  s->free[number / 64] |= sl_bit(number % 64);
  give_back(core, core->s.cycle + (whole > in_cache ? whole - in_cache : 0), s->read[number].tag,
            s->read[number].extension);
}

static void take_returns(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_ports *s = &core->s.ports;
  while (s->count > 0 && s->back[s->first].cycle <= core->s.cycle) {
    const struct sl_vortex_port_return *r = &s->back[s->first];
    const struct sl_extension *e = &core->warps->extension[r->extension];
    e->kind->answered(e->state, r->tag);
    s->first = (s->first + 1) % SL_VORTEX_PORT_RETURNS;
    s->count--;
  }
}

/* Ports without a waiting line. Port 0 belongs to the LSU when it has a line to send. */
static unsigned free_ports(const struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_lsu *lsu = &core->s.lsu;
  unsigned ports = 0;
  for (unsigned p = 0; p < core->spec->dcache_ports; p++)
    ports |= core->s.ports.port[p].waits ? 0 : 1u << p;
  const bool taken = lsu->line_count > 0 && lsu->line[lsu->line_first].ready <= core->s.cycle + 1;
  return taken ? ports & ~1u : ports;
}

/* Lines of local memory take a separate path; those of the cache wait at their port. */
static void grant(struct sl_vortex_pipeline *core, const struct sl_extension_request *r, uint8_t extension)
{
  if (!r->local)
    core->s.ports.port[r->port] = (struct sl_vortex_port_line){
        .waits = true, .write = r->write, .line = r->line >> SL_LINE_BITS, .tag = r->tag, .extension = extension};
  else if (!r->write)
    give_back(core, core->s.cycle + core->spec->stream_latency, r->tag, extension);
}

/* The extensions request in order; local memory serves one line. */
void sl_vortex_ports(struct sl_vortex_pipeline *core)
{
  struct sl_extension_request granted[SL_EXTENSION_REQUESTS];
  bool local_free = true;
  take_returns(core);
  for (unsigned i = 0; i < core->warps->extensions; i++) {
    const struct sl_extension *e = &core->warps->extension[i];
    if (e->kind->cycle == NULL || e->kind->idle(e->state))
      continue;
    const unsigned count = e->kind->cycle(e->state, free_ports(core), local_free, granted);
    for (unsigned k = 0; k < count; k++) {
      grant(core, &granted[k], (uint8_t)i);
      local_free = local_free && !granted[k].local;
    }
  }
}

bool sl_vortex_ports_idle(const struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_ports *s = &core->s.ports;
  bool idle = s->count == 0;
  for (unsigned i = 0; i < core->warps->extensions; i++) {
    const struct sl_extension *e = &core->warps->extension[i];
    idle = idle && (e->kind->idle == NULL || e->kind->idle(e->state));
  }
  for (unsigned port = 0; port < core->spec->dcache_ports; port++)
    idle = idle && !s->port[port].waits;
  for (unsigned i = 0; i < SL_VORTEX_PORT_LINES / 64; i++)
    idle = idle && s->free[i] == UINT64_MAX;
  return idle;
}

/* ---- objects found in the memory system -------------------------------------------------------------------------- */

static bool put(struct sl_vortex_stock *stock, uint32_t op, enum sl_vortex_place place)
{
  if (op >= stock->ops || stock->op[op].place != SL_PLACE_NONE)
    return false;
  stock->op[op].place = (uint8_t)place;
  return true;
}

bool sl_vortex_fetch_found(struct sl_vortex_stock *stock, uint32_t op)
{
  return put(stock, op, SL_PLACE_FRONT);
}

bool sl_vortex_line_found(struct sl_vortex_stock *stock, uint32_t op)
{
  if (op >= stock->ops)
    return false;
  stock->op[op].lines++;
  stock->lines++;
  return true;
}

bool sl_vortex_port_found(struct sl_vortex_stock *stock, uint32_t number)
{
  if (number >= SL_VORTEX_PORT_LINES || (stock->asked[number / 64] >> number % 64 & 1))
    return false;
  stock->asked[number / 64] |= sl_bit(number % 64);
  return true;
}

/* ---- queues and lists -------------------------------------------------------------------------------------------- */

enum { ANY = -1 };

/* The instructions that a queue may hold. */
struct rule {
  enum sl_vortex_place place; /* NONE: its instructions are also in another place */
  int warp, slice, unit;
};

static bool obeys(const struct sl_vortex_op *op, const struct rule *rule)
{
  return (rule->warp == ANY || op->warp == rule->warp) && (rule->slice == ANY || op->slice == rule->slice) &&
         (rule->unit == ANY || op->facts.unit == rule->unit);
}

static bool take(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock, const struct sl_vortex_queue *q,
                 struct rule rule)
{
  for (uint32_t i = 0; i < q->count; i++) {
    const struct sl_vortex_entry *e = sl_vortex_entry(core, q, i);
    if (!obeys(&core->op[e->op], &rule) || !put(stock, e->op, rule.place))
      return false;
  }
  return true;
}

static bool take_front(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock)
{
  const struct sl_vortex_front *front = &core->s.front;
  if (front->end - front->first > SL_MAX_WARPS || front->moved - front->first > front->end - front->first)
    return false;
  for (uint32_t i = front->first; i != front->end; i++)
    if (!put(stock, front->op[i % SL_MAX_WARPS], SL_PLACE_FRONT))
      return false;
  return true;
}

static bool take_buffer(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock, unsigned warp)
{
  const struct sl_vortex_buffers *b = &core->s.ibuffer;
  if (b->count[warp] > core->spec->ibuffer_size)
    return false;
  for (unsigned i = 0; i < b->count[warp]; i++) {
    const uint16_t op = b->op[warp][(b->first[warp] + i) % SL_VORTEX_IBUFFER];
    if (!put(stock, op, SL_PLACE_BUFFERED) || core->op[op].warp != warp)
      return false;
  }
  return true;
}

/* Some lanes of a load may have a result before the whole load has. */
static bool take_results(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock,
                         const struct sl_vortex_queue *q, struct rule rule)
{
  for (uint32_t i = 0; i < q->count; i++) {
    const struct sl_vortex_entry *e = sl_vortex_entry(core, q, i);
    stock->op[e->op].partial |= !e->last;
    if (!obeys(&core->op[e->op], &rule) || (e->last && !put(stock, e->op, rule.place)))
      return false;
  }
  return true;
}

static bool take_list(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock, uint16_t first,
                      enum sl_vortex_place place)
{
  for (uint16_t op = first; op != SL_VORTEX_NONE; op = core->op[op].next)
    if (!put(stock, op, place))
      return false;
  return true;
}

/* One instruction of each slice commits in a cycle. */
static bool clears_valid(const struct sl_vortex_pipeline *core, uint16_t first)
{
  sl_warps slices = 0;
  for (uint16_t op = first; op != SL_VORTEX_NONE; op = core->op[op].next) {
    if (slices >> core->op[op].slice & 1)
      return false;
    slices |= sl_bit(core->op[op].slice);
  }
  return true;
}

static bool take_lists(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock)
{
  for (unsigned i = 0; i < SL_VORTEX_WHEEL; i++)
    if (!take_list(core, stock, core->s.due[i].done, SL_PLACE_DONE) ||
        !take_list(core, stock, core->s.due[i].clear, SL_PLACE_CLEARED) || !clears_valid(core, core->s.due[i].clear))
      return false;
  return take_list(core, stock, core->s.free_op, SL_PLACE_FREE);
}

/* Units that slices share have one input. */
static bool take_unit(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock, unsigned slice,
                      enum sl_vortex_unit unit)
{
  const struct sl_vortex_pipeline_state *s = &core->s;
  const bool shared = unit == SL_UNIT_LSU || unit == SL_UNIT_SFU;
  const struct sl_vortex_queue *input = &s->input[slice][unit];
  const struct rule own = {SL_PLACE_ISSUED, ANY, (int)slice, (int)unit},
                    at_unit = {SL_PLACE_ISSUED, ANY, shared ? ANY : (int)slice, (int)unit};
  return take(core, stock, &s->dispatch[slice][unit], own) && (!shared || slice == 0 || input->count == 0) &&
         take(core, stock, input, at_unit) &&
         take_results(core, stock, &s->result[slice][unit], (struct rule){SL_PLACE_DONE, ANY, (int)slice, (int)unit});
}

/* Dispatched instructions are before their unit; those of the ALU are complete. */
static bool take_operands(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock, unsigned slice)
{
  const struct sl_vortex_operands *o = &core->operands[slice];
  const struct sl_vortex_pipeline_state *s = &core->s;
  const uint32_t waiting = o->issued - o->dispatched, collected = o->collected - o->dispatched;
  if (waiting > (core->ahead ? 2 * core->spec->operands_queue + 2 : 0) || collected > waiting ||
      (core->ahead && s->collect[slice].count + s->collected[slice].count > 0))
    return false;
  for (unsigned unit = 0; unit < SL_UNIT_COUNT && core->ahead; unit++)
    if (o->sent[unit] - o->taken[unit] != s->dispatch[slice][unit].count ||
        (unit == SL_UNIT_ALU && o->sent[unit] != o->taken[unit]))
      return false;
  for (uint32_t n = o->dispatched; n != o->issued; n++) {
    const uint16_t op = o->op[n % SL_VORTEX_OPERAND_RING];
    if (!put(stock, op, SL_PLACE_ISSUED) || core->op[op].slice != slice)
      return false;
  }
  return true;
}

static bool take_slice(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock, unsigned slice)
{
  const struct sl_vortex_pipeline_state *s = &core->s;
  const struct rule issued = {SL_PLACE_ISSUED, ANY, (int)slice, ANY},
                    stored = {SL_PLACE_DONE, ANY, (int)slice, SL_UNIT_LSU};
  unsigned results = s->stored[slice].count;
  for (unsigned unit = 0; unit < SL_UNIT_COUNT; unit++) {
    if (!take_unit(core, stock, slice, (enum sl_vortex_unit)unit))
      return false;
    results += unit != SL_UNIT_LSU ? s->result[slice][unit].count : 0;
  }
  return take_operands(core, stock, slice) && take(core, stock, &s->collect[slice], issued) &&
         take(core, stock, &s->collected[slice], issued) && take_results(core, stock, &s->stored[slice], stored) &&
         results == s->results[slice];
}

static bool take_pipeline(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock)
{
  const struct sl_vortex_pipeline_state *s = &core->s;
  uint32_t waiting = 0;
  if (!take_front(core, stock))
    return false;
  for (unsigned w = 0; w < SL_MAX_WARPS; w++)
    if (!take_buffer(core, stock, w))
      return false;
  for (unsigned slice = 0; slice < core->slices; slice++) {
    if (!take_slice(core, stock, slice))
      return false;
    waiting += s->results[slice];
  }
  return waiting == s->waiting && take_lists(core, stock);
}

static bool take_requests(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock,
                          const struct sl_vortex_queue *q, bool parted)
{
  for (uint32_t i = 0; i < q->count; i++) {
    const uint16_t index = sl_vortex_entry(core, q, i)->op;
    const struct sl_vortex_op *op = &core->op[index];
    const bool left = op->unsent != 0 || (op->local != 0 && !parted);
    const bool fence = op->facts.flags & SL_FACT_FENCE;
    if (op->facts.unit != SL_UNIT_LSU || stock->op[index].queued || !left || (fence && op->unsent == 0) ||
        (parted && op->local != 0))
      return false;
    stock->op[index].queued = true;
  }
  return true;
}

static bool take_lines(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock)
{
  const struct sl_vortex_lsu *lsu = &core->s.lsu;
  for (unsigned i = 0; i < lsu->line_count; i++) {
    const struct sl_vortex_line_request *line = &lsu->line[(lsu->line_first + i) % SL_VORTEX_LINES];
    if (line->tag >= stock->ops || (!line->write && !sl_vortex_line_found(stock, line->tag)) ||
        (line->flush && (line->write || line->io || !(core->op[line->tag].facts.flags & SL_FACT_FENCE))))
      return false;
  }
  for (uint32_t i = 0; i < lsu->returned.count; i++)
    if (!sl_vortex_line_found(stock, sl_vortex_entry(core, &lsu->returned, i)->op))
      return false;
  for (uint32_t i = 0; i < lsu->local.count; i++)
    stock->op[sl_vortex_entry(core, &lsu->local, i)->op].local++;
  return stock->lines == lsu->tags && lsu->tags <= core->coalescer_tags;
}

bool sl_vortex_places_valid(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock)
{
  return take_pipeline(core, stock) && take_requests(core, stock, &core->s.lsu.requests, false) &&
         take_requests(core, stock, &core->s.lsu.split, true) && take_lines(core, stock);
}
