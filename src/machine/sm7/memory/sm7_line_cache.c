#include "machine/sm7/memory/sm7_line_cache.h"

#include <string.h>

/* Allocates the place after the last one; frees the first one. */
static uint32_t append(struct sl_sm7_turn *t, uint32_t room)
{
  return (t->head + t->count++) % room;
}

static uint32_t remove_first(struct sl_sm7_turn *t, uint32_t room)
{
  const uint32_t first = t->head;
  t->head = (t->head + 1) % room;
  t->count--;
  return first;
}

enum sl_status sl_sm7_texture_cache_init(struct sl_sm7_texture_cache *c, const struct sl_sm7_texture_spec *spec,
                                         struct sl_error *err)
{
  const size_t lines = (size_t)spec->sets * spec->ways;
  *c = (struct sl_sm7_texture_cache){.spec = *spec};
  c->tag = calloc(lines, sizeof *c->tag);
  c->used = calloc(lines, sizeof *c->used);
  c->fragment = calloc(spec->fragments, sizeof *c->fragment);
  c->line = calloc(spec->lines, sizeof *c->line);
  c->result = calloc(spec->results, sizeof *c->result);
  return c->tag && c->used && c->fragment && c->line && c->result ? SL_OK : sl_no_memory(err, lines * sizeof *c->tag);
}

void sl_sm7_texture_cache_free(struct sl_sm7_texture_cache *c)
{
  free(c->tag);
  free(c->used);
  free(c->fragment);
  free(c->line);
  free(c->result);
}

/* Whether the tags contain a line; if not, it replaces the least recently used one. */
static bool is_tagged(struct sl_sm7_texture_cache *c, uint64_t line, uint64_t now)
{
  const size_t set = line % c->spec.sets * c->spec.ways;
  size_t place = set;
  for (size_t way = set; way < set + c->spec.ways; way++) {
    if (c->tag[way] == line + 1) {
      c->used[way] = now;
      return true;
    }
    if (c->used[way] < c->used[place])
      place = way;
  }
  c->tag[place] = line + 1;
  c->used[place] = now;
  return false;
}

bool sl_sm7_texture_cache_read(struct sl_sm7_texture_cache *c, const struct sl_sm7_packet *p, uint32_t who,
                               uint64_t now)
{
  if (c->fragments.count == c->spec.fragments || c->unsent == c->spec.requests || c->lines.count == c->spec.lines)
    return false;
  const bool missed = !is_tagged(c, p->address / c->spec.line, now);
  c->fragment[append(&c->fragments, c->spec.fragments)] = (struct sl_sm7_fragment){.who = who, .missed = missed};
  c->accesses++;
  if (!missed)
    return true;
  struct sl_sm7_texture_line *l = &c->line[append(&c->lines, c->spec.lines)];
  *l = (struct sl_sm7_texture_line){.request = *p, .sectors = c->spec.line / SL_SM7_SECTOR};
  l->request.sectors = (uint8_t)l->sectors;
  c->unsent++;
  c->missed++;
  return true;
}

const struct sl_sm7_packet *sl_sm7_texture_cache_request(const struct sl_sm7_texture_cache *c)
{
  return c->unsent ? &c->line[(c->lines.head + c->lines.count - c->unsent) % c->spec.lines].request : NULL;
}

void sl_sm7_texture_cache_sent(struct sl_sm7_texture_cache *c)
{
  c->unsent--;
}

void sl_sm7_texture_cache_fill(struct sl_sm7_texture_cache *c, const struct sl_sm7_packet *p)
{
  for (uint32_t i = 0; i < c->lines.count; i++) {
    struct sl_sm7_texture_line *l = &c->line[(c->lines.head + i) % c->spec.lines];
    if (l->sectors && l->request.address / c->spec.line == p->address / c->spec.line) {
      l->sectors -= p->sectors;
      return;
    }
  }
}

void sl_sm7_texture_cache_cycle(struct sl_sm7_texture_cache *c)
{
  if (c->fragments.count == 0 || c->results.count == c->spec.results)
    return;
  const struct sl_sm7_fragment *f = &c->fragment[c->fragments.head];
  if (f->missed && c->line[c->lines.head].sectors)
    return;
  if (f->missed)
    remove_first(&c->lines, c->spec.lines);
  c->result[append(&c->results, c->spec.results)] = f->who;
  remove_first(&c->fragments, c->spec.fragments);
}

uint32_t sl_sm7_texture_cache_answer(struct sl_sm7_texture_cache *c)
{
  return c->result[remove_first(&c->results, c->spec.results)];
}

enum sl_status sl_sm7_line_cache_init(struct sl_sm7_line_cache *c, const struct sl_sm7_line_spec *spec,
                                      struct sl_error *err)
{
  const size_t lines = (size_t)spec->sets * spec->ways;
  *c = (struct sl_sm7_line_cache){.spec = *spec};
  c->tag = malloc(lines * sizeof *c->tag);
  c->used = calloc(lines, sizeof *c->used);
  c->wait = calloc(spec->mshrs, sizeof *c->wait);
  c->who = calloc((size_t)spec->mshrs * spec->merges, sizeof *c->who);
  c->unsent = calloc(spec->mshrs, sizeof *c->unsent);
  c->answering = calloc(spec->mshrs, sizeof *c->answering);
  if (!c->tag || !c->used || !c->wait || !c->who || !c->unsent || !c->answering)
    return sl_no_memory(err, lines * sizeof *c->tag);
  memset(c->tag, 0xff, lines * sizeof *c->tag);
  for (uint32_t i = 0; i < spec->mshrs; i++)
    c->wait[i].line = SL_SM7_NO_LINE;
  return SL_OK;
}

void sl_sm7_line_cache_free(struct sl_sm7_line_cache *c)
{
  free(c->tag);
  free(c->used);
  free(c->wait);
  free(c->who);
  free(c->unsent);
  free(c->answering);
}

static uint64_t *set_of(const struct sl_sm7_line_cache *c, uint64_t line)
{
  return c->tag + line % c->spec.sets * c->spec.ways;
}

static bool is_hit(struct sl_sm7_line_cache *c, uint64_t line, uint64_t now)
{
  const uint64_t *set = set_of(c, line);
  for (uint32_t way = 0; way < c->spec.ways; way++)
    if (set[way] == line) {
      c->used[set + way - c->tag] = now;
      return true;
    }
  return false;
}

/* The MSHR of a line, or else a free one; the number of MSHRs if there is neither. */
static uint32_t find_wait(const struct sl_sm7_line_cache *c, uint64_t line)
{
  uint32_t free_one = c->spec.mshrs;
  for (uint32_t i = 0; i < c->spec.mshrs; i++) {
    if (c->wait[i].line == line)
      return i;
    if (c->wait[i].line == SL_SM7_NO_LINE)
      free_one = i;
  }
  return free_one;
}

static void begin_wait(struct sl_sm7_line_cache *c, uint32_t i, uint64_t line, const struct sl_sm7_packet *p)
{
  const uint32_t sectors = c->spec.line / SL_SM7_SECTOR;
  c->wait[i] = (struct sl_sm7_line_wait){.line = line, .sectors = sectors, .p = *p};
  c->wait[i].p.address = line * c->spec.line;
  c->wait[i].p.sectors = (uint8_t)sectors;
  c->unsent[(c->unsent_head + c->unsent_count++) % c->spec.mshrs] = i;
}

enum sl_sm7_line_outcome sl_sm7_line_cache_read(struct sl_sm7_line_cache *c, const struct sl_sm7_packet *p,
                                                uint32_t who, uint64_t now)
{
  const uint64_t line = p->address / c->spec.line;
  if (is_hit(c, line, now)) {
    c->accesses++;
    return SL_SM7_LINE_HIT;
  }
  const uint32_t i = find_wait(c, line);
  if (c->unsent_count >= c->spec.queue || i == c->spec.mshrs || c->wait[i].count >= c->spec.merges)
    return SL_SM7_LINE_BLOCKED;
  if (c->wait[i].line == SL_SM7_NO_LINE) {
    begin_wait(c, i, line, p);
    c->missed++;
  }
  struct sl_sm7_line_wait *w = &c->wait[i];
  c->who[i * c->spec.merges + (w->first + w->count++) % c->spec.merges] = who;
  c->accesses++;
  return SL_SM7_LINE_MISS;
}

const struct sl_sm7_packet *sl_sm7_line_cache_request(const struct sl_sm7_line_cache *c)
{
  return c->unsent_count ? &c->wait[c->unsent[c->unsent_head]].p : NULL;
}

void sl_sm7_line_cache_sent(struct sl_sm7_line_cache *c)
{
  c->unsent_head = (c->unsent_head + 1) % c->spec.mshrs;
  c->unsent_count--;
}

static void take_in(struct sl_sm7_line_cache *c, uint64_t line, uint64_t now)
{
  uint64_t *set = set_of(c, line);
  uint64_t *used = c->used + (set - c->tag);
  uint32_t victim = 0;
  for (uint32_t way = 1; way < c->spec.ways; way++)
    if (used[way] < used[victim])
      victim = way;
  set[victim] = line;
  used[victim] = now;
}

void sl_sm7_line_cache_fill(struct sl_sm7_line_cache *c, const struct sl_sm7_packet *p, uint64_t now)
{
  const uint64_t line = p->address / c->spec.line;
  const uint32_t i = find_wait(c, line);
  c->wait[i].sectors -= p->sectors;
  if (c->wait[i].sectors)
    return;
  c->wait[i].p.trip = p->trip;
  take_in(c, line, now);
  c->answering[(c->answering_head + c->answering_count++) % c->spec.mshrs] = i;
}

uint32_t sl_sm7_line_cache_answer(struct sl_sm7_line_cache *c)
{
  const uint32_t i = c->answering[c->answering_head];
  struct sl_sm7_line_wait *w = &c->wait[i];
  const uint32_t who = c->who[i * c->spec.merges + w->first];
  w->first = (w->first + 1) % c->spec.merges;
  if (--w->count == 0) {
    w->line = SL_SM7_NO_LINE;
    c->answering_head = (c->answering_head + 1) % c->spec.mshrs;
    c->answering_count--;
  }
  return who;
}
