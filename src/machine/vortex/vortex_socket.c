#include "machine/vortex/vortex_memory.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>

#include "machine/vortex/core/vortex_frontend.h"
#include "machine/vortex/core/vortex_issue.h"
#include "machine/vortex/core/vortex_stages.h"
#include "machine/vortex/core/vortex_units.h"

/* One cycle of a core: its stages in order, without the caches and the warp scheduler (vortex_frontend.h).
 *
 * The cycle loop contains two compiled copies: `plain` for plain cores (struct sl_vortex_pipeline), and one for all
 * cores. A core that has faulted is no longer plain and stops: nothing after the fault takes effect. */

/* Begins a cycle: adds the stages that the previous cycle requested. */
SL_VORTEX_STAGE struct sl_vortex_due *begin_cycle(struct sl_vortex_pipeline *core, const bool plain)
{
  struct sl_vortex_due *due = sl_vortex_due(core, core->s.cycle);
  due->stages |= core->known.again;
  core->known.again = 0;
  if (!plain)
    due->stages |= core->watched ? SL_STAGES : core->polled;
  return due;
}

static inline void end_cycle(struct sl_vortex_pipeline *core, struct sl_vortex_due *due)
{
  due->stages = 0;
  core->s.cycle++;
}

/* Applies the due events that change which warps can issue. */
SL_VORTEX_STAGE void take_due(struct sl_vortex_pipeline *core, struct sl_vortex_due *due, const bool plain)
{
  if (due->stages & SL_STAGE_CLEAR)
    sl_vortex_clear(core, due, plain);
  core->s.visible |= due->show;
  due->show = 0;
}

SL_VORTEX_STAGE void issue_if_due(struct sl_vortex_pipeline *core, const struct sl_vortex_due *due, const bool plain)
{
  if (due->stages & (SL_STAGE_ISSUE | SL_STAGE_CLEAR | SL_STAGE_SHOW))
    sl_vortex_issue(core, plain);
  else
    sl_vortex_no_issue(core, 1);
}

/* If a queue entry can be reused in the cycle in which it is freed, stages run before those that fill their queues. */
SL_VORTEX_STAGE void core_cycle(struct sl_vortex_pipeline *core, struct sl_vortex_due *due, const bool plain)
{
  const bool same_cycle = !plain && core->spec->queues_same_cycle;
  if (!plain && core->s.faulted)
    return;
  take_due(core, due, plain);
  if (!plain && core->asks)
    sl_vortex_ports(core);
  if (!same_cycle) {
    issue_if_due(core, due, plain);
    if (!plain && !core->ahead)
      sl_vortex_operands(core);
  }
  if (due->stages & SL_STAGE_LSU)
    sl_vortex_lsu(core);
  if (due->stages & SL_STAGE_UNITS)
    sl_vortex_units(core);
  if (due->stages & SL_STAGE_COMMIT)
    sl_vortex_commit(core, due, plain);
  if (same_cycle) {
    sl_vortex_operands(core);
    issue_if_due(core, due, plain);
  }
  if (!plain && core->watched)
    sl_vortex_account_queue(core);
  if (core->s.faulted)
    core->warps->fault.cycle = core->s.cycle;
}

enum sl_status sl_vortex_socket_init(struct sl_vortex_socket *socket, const struct sl_vortex_spec *spec,
                                     struct sl_vortex_pipeline *core, unsigned count, struct sl_error *err)
{
  const struct sl_cache_spec i = sl_vortex_cache(spec, SL_VORTEX_ICACHE), d = sl_vortex_cache(spec, SL_VORTEX_DCACHE);
  const unsigned returns = i.banks * i.mshr + d.banks * d.mshr + count * sl_vortex_coalescer_tags(spec);
  uint32_t ring = 1;
  while (ring < returns)
    ring *= 2;
  *socket = (struct sl_vortex_socket){
      .spec = spec,
      .core = core,
      .count = count,
      .return_ring = ring,
      .returns = sl_lines_of(ring, sizeof *socket->returns),
      .io = sl_lines_of(SL_VORTEX_IOS, sizeof *socket->io),
  };
  if (socket->returns == NULL || socket->io == NULL)
    return sl_no_memory(err, ring * sizeof *socket->returns);
  enum sl_status code = sl_cache_init(&socket->icache, &i, err);
  return code == SL_OK ? sl_cache_init(&socket->dcache, &d, err) : code;
}

void sl_vortex_socket_free(struct sl_vortex_socket *socket)
{
  sl_cache_free(&socket->icache);
  sl_cache_free(&socket->dcache);
  free(socket->returns);
  free(socket->io);
}

void sl_vortex_socket_start(struct sl_vortex_socket *socket)
{
  sl_cache_start(&socket->icache);
  sl_cache_start(&socket->dcache);
  socket->s.cycle = socket->s.return_from = 0;
  socket->s.fetch_turn = socket->s.line_turn = socket->s.memory_turn = 0;
  socket->s.return_first = socket->s.return_count = socket->s.io_first = socket->s.io_count = 0;
}

unsigned sl_vortex_lookahead(const struct sl_vortex_spec *spec)
{
  const unsigned io = spec->coalescer_delay + spec->io_delay;
  unsigned least = spec->icache.miss_latency;
  least = spec->dcache.miss_latency < least ? spec->dcache.miss_latency : least;
  return io < least ? io : least;
}

/* Entries ready by this cycle have reached the caches, and the caches' answers have reached the cores. Here and below
 * the caller passes `count`, the number of the socket's cores, so that the compiler removes loops and arbitration for a
 * single core. */
static inline uint64_t seen(const struct sl_vortex_socket *socket, unsigned count)
{
  const unsigned delay = count > 1 ? socket->spec->socket_delay : 0;
  return socket->s.cycle >= delay ? socket->s.cycle - delay : 0;
}

static void fill(struct sl_vortex_socket *socket, uint8_t source, uint32_t line)
{
  const bool fetch = source == SL_SOURCE_ICACHE;
  sl_cache_fill(fetch ? &socket->icache : &socket->dcache, line);
  sl_vortex_look_at(socket->core, fetch ? SL_STAGE_FETCH : SL_STAGE_DATA, socket->s.cycle);
}

static void take_returns(struct sl_vortex_socket *socket)
{
  while (socket->s.return_count > 0) {
    const struct sl_vortex_return *r = &socket->returns[socket->s.return_first];
    const uint64_t taken = r->cycle + socket->spec->fill_delay;
    if (taken > socket->s.cycle) {
      sl_vortex_look_at(socket->core, SL_STAGE_RETURN, taken);
      return;
    }
    if (r->source == SL_SOURCE_IO)
      sl_vortex_line_answered(&socket->core[r->line >> SL_CORE_SHIFT], (uint16_t)(r->line & SL_OP_MASK),
                              socket->spec->lsu_return_delay);
    else
      fill(socket, r->source, r->line);
    socket->s.return_first = (socket->s.return_first + 1) & (socket->return_ring - 1);
    socket->s.return_count--;
  }
}

/* Fetched instructions reach decode in order, one per cycle and core. True: another due instruction stays. */
static inline __attribute__((always_inline)) bool take_fetched(struct sl_vortex_socket *socket, unsigned count,
                                                               const bool plain)
{
  const uint64_t due = seen(socket, count);
  uint64_t served = 0;
  for (const struct sl_cache_answer *a; (a = sl_cache_answer(&socket->icache, due)) != NULL;) {
    const unsigned core = count > 1 ? a->tag >> SL_CORE_SHIFT : 0;
    if ((served >> core & 1) || !sl_vortex_decode(&socket->core[core], (uint16_t)(a->tag & SL_OP_MASK)))
      return true;
    served |= sl_bit(core);
    sl_cache_drop_answer(&socket->icache);
    if (plain)
      sl_vortex_take_ahead(socket->core, &socket->icache);
  }
  return false;
}

/* Delivers lines to the LSU or to the extension that requested them. */
static void take_loaded(struct sl_vortex_socket *socket, uint64_t due)
{
  for (const struct sl_cache_answer *a; (a = sl_cache_answer(&socket->dcache, due)) != NULL;) {
    struct sl_vortex_pipeline *core = &socket->core[a->tag >> SL_CORE_SHIFT & SL_CORE_MASK];
    if (a->tag & SL_PORT_TAG)
      sl_vortex_port_answered(core, a->tag & SL_OP_MASK);
    else
      sl_vortex_line_answered(core, (uint16_t)(a->tag & SL_OP_MASK), socket->spec->lsu_return_delay);
    sl_cache_drop_answer(&socket->dcache);
  }
}

/* The core a given number of places after another, cyclically. */
static inline unsigned after(unsigned count, unsigned core, unsigned steps)
{
  return core + steps < count ? core + steps : core + steps - count;
}

/* The instruction cache accepts one request per cycle, from the cores in turn. */
static inline __attribute__((always_inline)) void accept_fetch(struct sl_vortex_socket *socket, unsigned count,
                                                               const bool plain)
{
  const uint64_t due = seen(socket, count);
  for (unsigned k = 0; k < count; k++) {
    const unsigned c = count > 1 ? after(count, socket->s.fetch_turn, k) : 0;
    struct sl_vortex_pipeline *core = &socket->core[c];
    struct sl_vortex_front *front = &core->s.front;
    if (!sl_vortex_fetches(front, due))
      continue;
    const uint16_t op = sl_vortex_to_fetch(front);
    const uint32_t line = core->op[op].pc >> SL_LINE_BITS;
    if (sl_cache_accept(&socket->icache, socket->s.cycle, line, false, c << SL_CORE_SHIFT | op)) {
      sl_vortex_asked(core);
      socket->s.fetch_turn = after(count, c, 1);
      if (plain)
        sl_vortex_take_ahead(core, &socket->icache);
    }
    return;
  }
}

/* I/O leaves on a separate path that bypasses the cache. An access that has waited behind another line becomes due no
 * earlier than memory's lookahead allows. */
static void send_io(struct sl_vortex_socket *socket, unsigned core, const struct sl_vortex_line_request *line)
{
  const uint64_t due = line->ready + socket->spec->io_delay;
  const uint64_t known = socket->s.cycle + sl_vortex_lookahead(socket->spec);
  socket->io[(socket->s.io_first + socket->s.io_count++) % SL_VORTEX_IOS] = (struct sl_vortex_io){
      .cycle = due > known ? due : known,
      .line = line->line,
      .tag = core << SL_CORE_SHIFT | line->tag,
      .write = line->write,
  };
}

static bool accept_line(struct sl_vortex_socket *socket, unsigned core, const struct sl_vortex_line_request *line)
{
  const uint32_t tag = core << SL_CORE_SHIFT | line->tag;
  if (line->flush)
    return sl_cache_accept_flush(&socket->dcache, socket->s.cycle, tag);
  return sl_cache_accept(&socket->dcache, socket->s.cycle, line->line, line->write, tag);
}

/* The oldest lines of a core, at most one per channel; true if some were accepted. */
static bool accept_lines(struct sl_vortex_socket *socket, unsigned c, uint64_t due)
{
  struct sl_vortex_pipeline *core = &socket->core[c];
  struct sl_vortex_lsu *lsu = &core->s.lsu;
  bool some = false;
  for (unsigned i = 0; i < core->channels && lsu->line_count > 0; i++) {
    const struct sl_vortex_line_request *line = &lsu->line[lsu->line_first];
    if (line->io && socket->s.io_count < SL_VORTEX_IOS)
      send_io(socket, c, line);
    else if (line->ready > due || line->io || !accept_line(socket, c, line))
      return some;
    some = true;
    lsu->line_first = (lsu->line_first + 1) % SL_VORTEX_LINES;
    lsu->line_count--;
  }
  return some;
}

static inline __attribute__((always_inline)) void accept_data(struct sl_vortex_socket *socket, unsigned count)
{
  const uint64_t due = seen(socket, count);
  for (unsigned k = 0; k < count; k++) {
    const unsigned c = count > 1 ? after(count, socket->s.line_turn, k) : 0;
    if (socket->core[c].s.lsu.line_count > 0 && accept_lines(socket, c, due)) {
      socket->s.line_turn = after(count, c, 1);
      return;
    }
  }
}

/* Accepts a line at its port, when its bank is free. */
static void accept_port(struct sl_vortex_socket *socket, unsigned c, struct sl_vortex_port_line *line)
{
  struct sl_vortex_pipeline *core = &socket->core[c];
  const unsigned bank = sl_cache_bank_of(&socket->dcache, line->line);
  if (!sl_cache_can_accept(&socket->dcache, socket->s.cycle, bank))
    return;
  const int number = line->write ? 0 : sl_vortex_port_number(core, line);
  if (number >= 0)
    line->waits = !sl_cache_accept(&socket->dcache, socket->s.cycle, line->line, line->write,
                                   SL_PORT_TAG | c << SL_CORE_SHIFT | (uint32_t)number);
}

static void accept_ports(struct sl_vortex_socket *socket, unsigned c)
{
  for (unsigned p = 0; p < socket->spec->dcache_ports; p++) {
    struct sl_vortex_port_line *line = &socket->core[c].s.ports.port[p];
    if (line->waits)
      accept_port(socket, c, line);
  }
}

/* Requests the next evaluation of a private instruction cache. */
static void look_at_fetch(struct sl_vortex_socket *socket)
{
  const struct sl_vortex_front *front = &socket->core->s.front;
  const struct sl_cache_answer *a = sl_cache_answer(&socket->icache, UINT64_MAX);
  if (front->first != front->end || socket->icache.s.busy_banks != 0)
    socket->core->known.again |= SL_STAGE_FETCH;
  if (a != NULL)
    sl_vortex_look_at(socket->core, SL_STAGE_FETCH, a->cycle);
}

static void look_at_data(struct sl_vortex_socket *socket)
{
  const struct sl_cache_answer *a = sl_cache_answer(&socket->dcache, UINT64_MAX);
  if (socket->dcache.s.busy_banks != 0)
    socket->core->known.again |= SL_STAGE_DATA;
  if (a != NULL)
    sl_vortex_look_at(socket->core, SL_STAGE_DATA, a->cycle);
}

static void look_at_lines(struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_lsu *lsu = &core->s.lsu;
  const struct sl_vortex_line_request *line = &lsu->line[lsu->line_first];
  if (lsu->line_count > 0)
    sl_vortex_look_at(core, SL_STAGE_LINES, line->io ? 0 : line->ready);
}

/* Delivers the instruction cache's answers, and runs the part of its cycle before requests. True: it stalls. */
static inline __attribute__((always_inline)) bool run_icache(struct sl_vortex_socket *socket, unsigned count,
                                                             const bool plain)
{
  const uint32_t answers = socket->spec->fetch_answers;
  const bool stays = (!plain && socket->spec->queues_same_cycle) || take_fetched(socket, count, plain);
  if (stays && answers > 0 && sl_cache_hold(&socket->icache, seen(socket, count), answers))
    return true;
  sl_cache_cycle(&socket->icache, socket->s.cycle);
  return false;
}

static inline __attribute__((always_inline)) void run_dcache(struct sl_vortex_socket *socket, unsigned count,
                                                             const bool plain)
{
  sl_cache_cycle(&socket->dcache, socket->s.cycle);
  take_loaded(socket, seen(socket, count));
  if (plain)
    look_at_data(socket);
}

/* Sends lines from the cores to the caches, and sets up the next lines. */
static inline __attribute__((always_inline)) void send_lines(struct sl_vortex_socket *socket, unsigned count,
                                                             const bool plain)
{
  accept_data(socket, count);
  if (plain) {
    look_at_data(socket);
    look_at_lines(socket->core);
  }
}

static inline __attribute__((always_inline)) void coalesce(struct sl_vortex_pipeline *core)
{
  if (core->s.lsu.split.count > 0)
    sl_vortex_coalesce(core);
  if (core->s.lsu.split.count > 0)
    core->known.again |= SL_STAGE_COALESCE;
}

/* The due events of a core of the socket; those of the first core are already known. */
static inline struct sl_vortex_due *due_of(const struct sl_vortex_socket *socket, struct sl_vortex_due *first,
                                           unsigned core)
{
  return core == 0 ? first : sl_vortex_due(&socket->core[core], socket->s.cycle);
}

/* One cycle of the caches and of all cores, `plain` or any; the caller passes it, like `count`. A plain core has
 * private caches, and everything is evaluated only when something may happen. */
static inline __attribute__((always_inline)) void cycle(struct sl_vortex_socket *socket, unsigned count,
                                                        const bool plain)
{
  struct sl_vortex_due *const due = begin_cycle(socket->core, plain);
  bool held = false;
  for (unsigned c = 1; c < count; c++)
    begin_cycle(&socket->core[c], plain);
  if (!plain || (due->stages & SL_STAGE_RETURN))
    take_returns(socket);
  if (!plain || (due->stages & SL_STAGE_FETCH))
    held = run_icache(socket, count, plain);
  if (!plain || (due->stages & SL_STAGE_DATA))
    run_dcache(socket, count, plain);
  for (unsigned c = 0; c < count; c++)
    core_cycle(&socket->core[c], due_of(socket, due, c), plain);
  if (!plain && socket->spec->queues_same_cycle)
    take_fetched(socket, count, plain);
  for (unsigned c = 0; c < count; c++)
    sl_vortex_schedule(&socket->core[c], due_of(socket, due, c), &socket->icache, plain);
  if (!held && (!plain || (due->stages & SL_STAGE_FETCH)))
    accept_fetch(socket, count, plain);
  if (plain && (due->stages & SL_STAGE_FETCH))
    look_at_fetch(socket);
  if (!plain || (due->stages & SL_STAGE_LINES))
    send_lines(socket, count, plain);
  for (unsigned c = 0; c < count; c++)
    if (!plain || (due->stages & SL_STAGE_COALESCE))
      coalesce(&socket->core[c]);
  for (unsigned c = 0; c < count && !plain && socket->core->asks; c++)
    accept_ports(socket, c);
  for (unsigned c = 0; c < count; c++)
    end_cycle(&socket->core[c], due_of(socket, due, c));
  socket->s.cycle++;
}

/* A plain core in which nothing happens, up to the next cycle in which something does. */
static inline void rest(struct sl_vortex_socket *socket, uint64_t end)
{
  struct sl_vortex_pipeline *core = socket->core;
  const uint64_t begin = socket->s.cycle;
  uint64_t next = begin + 1;
  while (next < end && sl_vortex_due(core, next)->stages == 0)
    next++;
  sl_vortex_no_issue(core, next - begin);
  core->s.counts.schedule_idle += next - begin;
  core->s.cycle = socket->s.cycle = next;
}

/* Whether nothing happens in the next cycle of a plain core. */
static inline bool rests(const struct sl_vortex_socket *socket)
{
  return (socket->core->known.again | sl_vortex_due(socket->core, socket->s.cycle)->stages) == 0;
}

/* Whether the exchange between quanta has nothing to do for a single core, except that time passes. */
static inline bool undisturbed(const struct sl_vortex_socket *socket)
{
  const struct sl_vortex_pipeline *core = socket->core;
  return (socket->icache.s.miss_count | socket->dcache.s.miss_count | socket->s.io_count) == 0 &&
         core->s.total_in_flight != 0 && core->warps->s.sync.at_global == 0 && !core->s.faulted;
}

/* Simulates a plain core to cycle `end`, to a fault, or to the end of a quantum with which the exchange has something
 * to do. The current quantum ends at `boundary`; returns where the last one ends. One compiled copy serves both
 * callers: two would compete for the host's caches and branch predictors. */
static __attribute__((noinline)) uint64_t run_plain(struct sl_vortex_socket *socket, uint64_t end, uint64_t boundary,
                                                    unsigned quantum)
{
  while (socket->s.cycle < end && !socket->core->s.faulted) {
    if (rests(socket))
      rest(socket, undisturbed(socket) ? end : boundary);
    else
      cycle(socket, 1, true);
    if (socket->s.cycle < boundary)
      continue;
    if (!undisturbed(socket))
      break;
    while (boundary <= socket->s.cycle)
      boundary += quantum;
  }
  return boundary;
}

/* The loop is specialised for a single core, which usually is plain. */
void sl_vortex_socket_run(struct sl_vortex_socket *socket, uint64_t cycles)
{
  const uint64_t end = socket->s.cycle + cycles;
  if (socket->core->plain && !socket->core->watched)
    run_plain(socket, end, end, 1);
  if (socket->count == 1)
    while (socket->s.cycle < end)
      cycle(socket, 1, false);
  else
    while (socket->s.cycle < end)
      cycle(socket, socket->count, false);
}

void sl_vortex_socket_run_quanta(struct sl_vortex_socket *socket, unsigned quantum, uint64_t cycles)
{
  const uint64_t end = socket->s.cycle + cycles;
  const uint64_t boundary = run_plain(socket, end, socket->s.cycle + quantum, quantum);
  if (socket->s.cycle < end && socket->s.cycle < boundary) /* a fault: nothing happens in the rest of the quantum */
    sl_vortex_socket_run(socket, boundary - socket->s.cycle);
}
