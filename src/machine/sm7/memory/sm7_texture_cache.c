#include "machine/sm7/memory/sm7_texture_cache.h"

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
  const bool missed = !is_tagged(c, p->address / SL_SM7_LINE, now);
  c->fragment[append(&c->fragments, c->spec.fragments)] = (struct sl_sm7_fragment){.who = who, .missed = missed};
  c->accesses++;
  if (!missed)
    return true;
  struct sl_sm7_texture_line *l = &c->line[append(&c->lines, c->spec.lines)];
  *l = (struct sl_sm7_texture_line){.request = *p, .sectors = SL_SM7_LINE_SECTORS};
  l->request.sectors = SL_SM7_LINE_SECTORS;
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
    if (l->sectors && l->request.address / SL_SM7_LINE == p->address / SL_SM7_LINE) {
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
