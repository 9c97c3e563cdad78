#include "machine/vortex/vortex_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"

#define SPECIALISED static inline __attribute__((always_inline))

static void print_line(struct sl_vortex_console *console, unsigned slot, sl_byte_function *print, void *context)
{
  struct sl_vortex_line *line = &console->line[slot];
  char number[16];
  snprintf(number, sizeof number, "#%u: ", slot);
  for (const char *c = number; *c && print != NULL; c++)
    print(context, (uint8_t)*c);
  for (unsigned i = 0; i < line->length && print != NULL; i++)
    print(context, (uint8_t)line->text[i]);
  if (print != NULL)
    print(context, '\n');
  line->length = 0;
}

void sl_vortex_console_put(struct sl_vortex_console *console, unsigned slot, uint8_t byte, sl_byte_function *print,
                           void *context)
{
  struct sl_vortex_line *line = &console->line[slot % SL_VORTEX_SLOTS];
  if (byte != '\n')
    line->text[line->length++] = (char)byte;
  if (byte == '\n' || line->length == SL_VORTEX_LINE)
    print_line(console, slot % SL_VORTEX_SLOTS, print, context);
}

void sl_vortex_console_end(struct sl_vortex_console *console, sl_byte_function *print, void *context)
{
  for (unsigned slot = 0; slot < SL_VORTEX_SLOTS; slot++)
    if (console->line[slot].length > 0)
      print_line(console, slot, print, context);
}

static SL_SCHEMA(line_schema, struct sl_vortex_line, NULL, SL_BELOW(SL_VORTEX_LINE, length), SL_ANY(text));

SL_SCHEMA(sl_vortex_console_schema, struct sl_vortex_console, NULL, SL_STRUCTS(line_schema, line));

static uint32_t tag_of(unsigned socket, unsigned source, uint32_t io)
{
  return source | socket << SL_SOURCE_BITS | io << (SL_SOURCE_BITS + SL_SOCKET_BITS);
}

static enum sl_status init_level(struct sl_vortex_level *level, const struct sl_vortex_spec *spec,
                                 enum sl_vortex_cache which, struct sl_error *err)
{
  const struct sl_cache_spec cache = sl_vortex_cache(spec, which);
  level->enabled = sl_vortex_has(spec, which);
  return level->enabled ? sl_cache_init(&level->cache, &cache, err) : SL_OK;
}

/* Without ordered answers there is a port per cluster. */
static struct sl_memory_port_spec port_spec(const struct sl_vortex_spec *spec)
{
  const struct sl_dram_standard *standard = spec->dram_standard == SL_VORTEX_DDR4 ? &sl_dram_ddr4 : &sl_dram_hbm2;
  const unsigned ports = spec->clusters < SL_MEMORY_MAX_PORTS ? spec->clusters : SL_MEMORY_MAX_PORTS;
  struct sl_dram_spec dram = sl_dram_default_spec(standard);
  if (spec->dram_interleave > dram.unit_bytes)
    dram.unit_bytes = spec->dram_interleave;
  return (struct sl_memory_port_spec){
      .dram = dram,
      .ports = spec->dram_ports ? ports : 1,
      .in_order = !spec->dram_ports,
      .response_delay = spec->dram_response_delay,
  };
}

double sl_vortex_dram_peak(const struct sl_vortex_spec *spec)
{
  const struct sl_memory_port_spec port = port_spec(spec);
  const double front = port.ports * (double)SL_LINE_BYTES;
  const double dram = sl_dram_peak(port.dram.standard, port.dram.unit_bytes, SL_LINE_BYTES) *
                      port.dram.clock_numerator / port.dram.clock_denominator;
  return front < dram ? front : dram;
}

enum sl_status sl_vortex_memory_init(struct sl_vortex_memory *m, const struct sl_vortex_spec *spec,
                                     struct sl_error *err)
{
  const unsigned sockets = sl_vortex_sockets(spec);
  *m = (struct sl_vortex_memory){
      .spec = spec,
      .clusters = spec->clusters,
      .sockets = sockets,
      .l2 = calloc(spec->clusters, sizeof *m->l2),
      .slice = calloc(spec->clusters, sizeof *m->slice),
  };
  if (m->l2 == NULL || m->slice == NULL)
    return sl_no_memory(err, spec->clusters * sizeof *m->l2);
  const struct sl_memory_port_spec port = port_spec(spec);
  enum sl_status code = sl_memory_port_check(&port, err);
  if (code == SL_OK)
    sl_memory_port_init(&m->dram, &port);
  for (unsigned c = 0; c < m->clusters && code == SL_OK; c++)
    code = init_level(&m->l2[c], spec, SL_VORTEX_L2, err);
  return code == SL_OK ? init_level(&m->l3, spec, SL_VORTEX_L3, err) : code;
}

void sl_vortex_memory_free(struct sl_vortex_memory *m)
{
  for (unsigned c = 0; m->l2 != NULL && c < m->clusters; c++)
    if (m->l2[c].enabled)
      sl_cache_free(&m->l2[c].cache);
  if (m->l3.enabled)
    sl_cache_free(&m->l3.cache);
  sl_memory_port_free(&m->dram);
  free(m->l2);
  free(m->slice);
}

static void start_level(struct sl_vortex_level *level)
{
  level->s.first = level->s.count = 0;
  if (level->enabled)
    sl_cache_start(&level->cache);
}

void sl_vortex_memory_start(struct sl_vortex_memory *m)
{
  for (unsigned c = 0; c < m->clusters; c++) {
    start_level(&m->l2[c]);
    m->slice[c] = 0;
  }
  start_level(&m->l3);
  const struct sl_memory_port_spec port = port_spec(m->spec);
  sl_memory_port_free(&m->dram);
  sl_memory_port_init(&m->dram, &port);
  m->s.cycle = m->s.asking = m->next = 0;
  m->s.counts = (struct sl_vortex_memory_counts){0};
}

static bool wait_for(struct sl_vortex_level *level, struct sl_vortex_request request)
{
  if (level->s.count == SL_VORTEX_REQUESTS)
    return false;
  level->s.waiting[(level->s.first + level->s.count++) % SL_VORTEX_REQUESTS] = request;
  return true;
}

static bool to_dram(struct sl_vortex_memory *m, unsigned cluster, struct sl_vortex_request request)
{
  const unsigned port = m->dram.ports > 1 ? cluster % m->dram.ports : 0;
  const uint64_t tag = (uint64_t)request.line << SL_LINE_SHIFT | request.tag;
  if (!sl_memory_port_put(&m->dram, port, m->s.cycle, (uint64_t)request.line << SL_LINE_BITS, request.write, tag))
    return false;
  m->s.counts.writes += request.write;
  m->s.counts.reads += !request.write;
  m->s.counts.latency -= request.write ? 0 : m->s.cycle;
  return true;
}

/* From a cluster to the third level, or to DRAM without a third level. */
static bool to_l3(struct sl_vortex_memory *m, unsigned cluster, struct sl_vortex_request request)
{
  if (m->l3.enabled)
    return wait_for(&m->l3, request);
  return to_dram(m, cluster, request);
}

/* Here and below `direct` is passed for a single socket in front of DRAM, without levels between: for it the compiler
 * removes loops and arbitration. */
SPECIALISED bool to_l2(struct sl_vortex_memory *m, unsigned cluster, struct sl_vortex_request request,
                       const bool direct)
{
  if (direct)
    return to_dram(m, 0, request);
  return m->l2[cluster].enabled ? wait_for(&m->l2[cluster], request) : to_l3(m, cluster, request);
}

/* The next due request of a socket's source, if there is one; `drop` removes it. */
static bool next_request(struct sl_vortex_socket *s, unsigned source, uint64_t due, struct sl_vortex_request *request)
{
  const struct sl_cache_miss *miss = NULL;
  if (source == SL_SOURCE_IO) {
    const struct sl_vortex_io *io = &s->io[s->s.io_first];
    if (s->s.io_count == 0 || io->cycle > due)
      return false;
    *request = (struct sl_vortex_request){.line = io->line, .tag = io->tag, .write = io->write};
    return true;
  }
  miss = sl_cache_miss(source == SL_SOURCE_ICACHE ? &s->icache : &s->dcache, due);
  if (miss == NULL)
    return false;
  *request = (struct sl_vortex_request){.line = miss->line, .write = miss->write};
  return true;
}

static void drop_request(struct sl_vortex_socket *s, unsigned source)
{
  if (source == SL_SOURCE_IO) {
    s->s.io_first = (s->s.io_first + 1) % SL_VORTEX_IOS;
    s->s.io_count--;
  } else
    sl_cache_drop_miss(source == SL_SOURCE_ICACHE ? &s->icache : &s->dcache);
}

/* Sends one request of a socket; its sources take turns. */
SPECIALISED bool send_socket(struct sl_vortex_memory *m, unsigned cluster, unsigned number, struct sl_vortex_socket *s,
                             const bool direct)
{
  if (m->s.cycle < m->spec->memory_delay)
    return false;
  for (unsigned k = 0; k < SL_SOURCE_COUNT; k++) {
    const unsigned turn = s->s.memory_turn + k, source = turn < SL_SOURCE_COUNT ? turn : turn - SL_SOURCE_COUNT;
    struct sl_vortex_request request;
    if (!next_request(s, source, m->s.cycle - m->spec->memory_delay, &request))
      continue;
    request.tag = tag_of(number, source, request.tag);
    request.cycle = m->s.cycle;
    if (!to_l2(m, cluster, request, direct))
      return false;
    drop_request(s, source);
    s->s.memory_turn = source + 1 < SL_SOURCE_COUNT ? source + 1 : 0;
    return true;
  }
  return false;
}

static void send_cluster(struct sl_vortex_memory *m, unsigned cluster, struct sl_vortex_socket *sockets)
{
  for (unsigned k = 0; k < m->sockets; k++) {
    const unsigned turn = m->slice[cluster] + k, s = turn < m->sockets ? turn : turn - m->sockets;
    const unsigned number = cluster * m->sockets + s;
    if (m->s.asking >> number & 1 && send_socket(m, cluster, number, &sockets[number], false)) {
      m->slice[cluster] = s + 1 < m->sockets ? s + 1 : 0;
      return;
    }
  }
}

/* Routes an answer to its requester: a level, or a socket. */
static void route(struct sl_vortex_memory *m, struct sl_vortex_socket *sockets, uint32_t tag, uint32_t line)
{
  const unsigned source = tag & SL_SOURCE_MASK, number = tag >> SL_SOURCE_BITS & SL_SOCKET_MASK;
  const uint32_t io = tag >> (SL_SOURCE_BITS + SL_SOCKET_BITS);
  if (source != SL_SOURCE_COUNT)
    sl_vortex_return(&sockets[number], m->s.cycle + m->spec->memory_return_delay, source == SL_SOURCE_IO ? io : line,
                     (uint8_t)source);
  else
    sl_cache_fill(io ? &m->l3.cache : &m->l2[number].cache, line);
}

/* A level accepts one waiting request per cycle; I/O bypasses it. Its misses and writes go to the level below. */
static void run_level(struct sl_vortex_memory *m, struct sl_vortex_level *level, unsigned cluster,
                      bool (*below)(struct sl_vortex_memory *, unsigned, struct sl_vortex_request))
{
  sl_cache_cycle(&level->cache, m->s.cycle);
  const struct sl_vortex_request *r = &level->s.waiting[level->s.first];
  if (level->s.count > 0) {
    const bool io = (r->tag & SL_SOURCE_MASK) == SL_SOURCE_IO;
    const bool taken =
        io ? below(m, cluster, *r) : sl_cache_accept(&level->cache, m->s.cycle, r->line, r->write, r->tag);
    if (taken) {
      level->s.first = (level->s.first + 1) % SL_VORTEX_REQUESTS;
      level->s.count--;
    }
  }
  const struct sl_cache_miss *miss = sl_cache_miss(&level->cache, m->s.cycle);
  const uint32_t tag = tag_of(cluster, SL_SOURCE_COUNT, level == &m->l3);
  if (miss != NULL && below(m, cluster, (struct sl_vortex_request){m->s.cycle, miss->line, tag, miss->write}))
    sl_cache_drop_miss(&level->cache);
}

static void take_answers(struct sl_vortex_memory *m, struct sl_vortex_level *level, struct sl_vortex_socket *sockets)
{
  for (const struct sl_cache_answer *a; (a = sl_cache_answer(&level->cache, m->s.cycle)) != NULL;) {
    route(m, sockets, a->tag, a->line);
    sl_cache_drop_answer(&level->cache);
  }
}

/* Answers of DRAM and the levels are known one cycle ahead, so that sockets can be simulated through that cycle. */
SPECIALISED void deliver(struct sl_vortex_memory *m, struct sl_vortex_socket *sockets, const bool direct)
{
  uint64_t tag;
  while (sl_memory_port_answer(&m->dram, m->s.cycle, &tag)) {
    m->s.counts.answers++;
    m->s.counts.latency += m->s.cycle;
    route(m, sockets, (uint32_t)tag, (uint32_t)(tag >> SL_LINE_SHIFT));
  }
  if (!direct && m->l3.enabled)
    take_answers(m, &m->l3, sockets);
  for (unsigned c = 0; !direct && c < m->clusters; c++)
    if (m->l2[c].enabled)
      take_answers(m, &m->l2[c], sockets);
}

static void send_clusters(struct sl_vortex_memory *m, struct sl_vortex_socket *sockets)
{
  if (m->l3.enabled)
    run_level(m, &m->l3, 0, to_dram);
  for (unsigned c = 0; c < m->clusters; c++) {
    if (m->l2[c].enabled)
      run_level(m, &m->l2[c], c, to_l3);
    if (m->s.asking != 0)
      send_cluster(m, c, sockets);
  }
}

/* asks: a request of a socket may be due. */
SPECIALISED void cycle(struct sl_vortex_memory *m, struct sl_vortex_socket *sockets, bool asks, const bool direct)
{
  if (!direct)
    send_clusters(m, sockets);
  else if (asks)
    send_socket(m, 0, 0, sockets, true);
  sl_memory_port_cycle(&m->dram, m->s.cycle);
  m->s.cycle++;
  deliver(m, sockets, direct);
}

/* The first cycle in which one of the socket's current requests is due. */
static uint64_t next_of_socket(const struct sl_vortex_socket *s)
{
  uint64_t next = s->s.io_count > 0 ? s->io[s->s.io_first].cycle : UINT64_MAX;
  if (s->icache.s.miss_count > 0)
    next = sl_earlier_cycle(next, s->icache.misses[s->icache.s.miss_first].cycle);
  if (s->dcache.s.miss_count > 0)
    next = sl_earlier_cycle(next, s->dcache.misses[s->dcache.s.miss_first].cycle);
  return next;
}

static bool level_rests(const struct sl_vortex_level *level)
{
  const struct sl_cache_state *s = &level->cache.s;
  return !level->enabled || (level->s.count == 0 && s->busy_banks == 0 && s->answer_count == 0 && s->miss_count == 0);
}

/* Whether no level has something to do. */
static bool levels_rest(const struct sl_vortex_memory *m)
{
  bool rests = level_rests(&m->l3);
  for (unsigned c = 0; c < m->clusters && rests; c++)
    rests = level_rests(&m->l2[c]);
  return rests;
}

/* The first cycle in which a request of a socket is due; UINT64_MAX for none. With several sockets it may be a later
 * one if it is before `cycle`. */
SPECIALISED uint64_t next_request_cycle(struct sl_vortex_memory *m, const struct sl_vortex_socket *sockets,
                                        uint64_t cycle)
{
  uint64_t next = UINT64_MAX;
  for (sl_warps rest = m->s.asking; rest && next > cycle; rest &= rest - 1) {
    const unsigned s = sl_lowest(rest);
    const uint64_t due = next_of_socket(&sockets[s]);
    if (due == UINT64_MAX)
      m->s.asking &= ~sl_bit(s);
    else
      next = sl_earlier_cycle(next, due + m->spec->memory_delay);
  }
  return next;
}

/* At most the next cycle in which something happens. A busy level is evaluated in every cycle. An answer of DRAM is
 * delivered in the cycle before its own. request: the first cycle in which a request is due. */
SPECIALISED uint64_t next_cycle(const struct sl_vortex_memory *m, uint64_t request, const bool direct)
{
  if (!direct && !levels_rest(m))
    return m->s.cycle;
  const uint64_t answer = sl_memory_port_next_answer(&m->dram, m->s.cycle);
  const uint64_t delivery = answer != UINT64_MAX && answer > m->s.cycle ? answer - 1 : answer;
  const uint64_t next =
      sl_earlier_cycle(sl_memory_port_next(&m->dram, m->s.cycle), sl_earlier_cycle(delivery, request));
  return next > m->s.cycle ? next : m->s.cycle;
}

SPECIALISED void run(struct sl_vortex_memory *m, struct sl_vortex_socket *sockets, uint64_t end, const bool direct)
{
  while (m->s.asking != 0 || m->next < end) {
    const uint64_t request = next_request_cycle(m, sockets, m->s.cycle);
    m->next = next_cycle(m, request, direct);
    if (m->next >= end)
      break;
    m->s.cycle = m->next;
    cycle(m, sockets, request <= m->next, direct);
  }
  m->s.cycle = end;
}

void sl_vortex_memory_run(struct sl_vortex_memory *m, struct sl_vortex_socket *sockets, uint64_t end)
{
  if (m->clusters == 1 && m->sockets == 1 && !m->l2[0].enabled && !m->l3.enabled)
    run(m, sockets, end, true);
  else
    run(m, sockets, end, false);
}
