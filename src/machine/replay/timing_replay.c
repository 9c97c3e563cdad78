#include "machine/replay/timing_replay.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "machine/replay/replay_image.h"

enum {
  NODES = 4096,
  NONE = UINT16_MAX,
  SEEN = 4096,          /* hints of anchors, a power of two */
  INDEX = 2 * NODES,    /* a power of two */
  LEAST_DISTANCE = 256, /* cycles between anchors */
  MOST_DISTANCE = 1 << 24,
  PATIENCE = 32,      /* images without a replay until the distance doubles */
  RECORDINGS = 16,    /* of a node, also those that end early */
  COST = 2,           /* replayed cycles that pay for a recorded one */
  UNPAID = 256 << 10, /* replayed cycles that recording may owe */
  FUTILE = 16         /* replays of a node that may fail, and two for each that does not */
};

/* An image. */
struct node {
  uint64_t hash;
  uint32_t image, words;     /* of 64 bits; 0: the image has been met once, and only its hash is kept */
  uint16_t segment;          /* the latest replayed one that starts here, or SL_NO_SEGMENT */
  uint16_t recordings;       /* begun */
  uint32_t equal, different; /* replays */
  int64_t most;              /* cycles of the longest segment */
};

struct sl_replay {
  struct sl_anchors anchors;
  const struct sl_replay_machine *machine;
  uint64_t edition; /* of the code */
  unsigned nodes, misses;
  uint16_t here;     /* the node from whose anchor on the SM records; NONE: it does not */
  int64_t unpaid;    /* COST x recorded cycles - replayed ones */
  uint64_t replayed; /* cycles */
  uint32_t seen[SEEN];
  uint16_t index[INDEX]; /* 1 + node; 0: none */
  struct node node[NODES];
  uint64_t image[SL_IMAGE_WORDS];
  struct sl_segments segments;
};

/* ---- life -------------------------------------------------------------------------------------------------------- */

struct sl_replay *sl_replay_create(const struct sl_replay_machine *machine, void *sm, struct sl_path_warps *warps)
{
  struct sl_replay *p = aligned_alloc(SL_CACHE_LINE, sizeof *p);
  if (p == NULL)
    return NULL;
  memset(p, 0, offsetof(struct sl_replay, node));
  memset(&p->segments, 0, offsetof(struct sl_segments, segment));
  p->machine = machine;
  p->segments.sm = sm;
  p->segments.warps = warps;
  p->segments.access = machine->access;
  p->anchors.distance = LEAST_DISTANCE;
  sl_replay_lose(p);
  return p;
}

void sl_replay_free(struct sl_replay *p)
{
  free(p);
}

static void stop_recording(struct sl_replay *p)
{
  p->here = NONE;
  p->anchors.records = false;
}

void sl_replay_lose(struct sl_replay *p)
{
  if (p == NULL)
    return;
  stop_recording(p);
  p->anchors.next = p->anchors.latest = -1;
  p->anchors.pc = 0;
}

/* Forgets all images, because the code has changed. */
static void clear(struct sl_replay *p)
{
  p->nodes = p->misses = 0;
  p->unpaid = 0;
  p->segments.count = 0;
  p->segments.used = 0;
  p->anchors.distance = LEAST_DISTANCE;
  memset(p->seen, 0, sizeof p->seen);
  memset(p->index, 0, sizeof p->index);
  sl_replay_lose(p);
}

struct sl_anchors *sl_replay_anchors(struct sl_replay *p)
{
  return &p->anchors;
}

struct sl_segments *sl_replay_segments(struct sl_replay *p)
{
  return &p->segments;
}

uint64_t sl_replay_cycles(const struct sl_replay *p)
{
  return p->replayed;
}

/* ---- segments ---------------------------------------------------------------------------------------------------- */

void sl_replay_record(struct sl_replay *p, unsigned warp, const struct sl_execution *ex, bool refused, uint64_t outcome,
                      bool repeatable)
{
  if (p->here != NONE && !(repeatable && sl_segments_record(&p->segments, warp, ex, refused, outcome)))
    stop_recording(p);
}

static void begin_segment(struct sl_replay *p, uint16_t node, int64_t now)
{
  if (p->node[node].recordings == RECORDINGS || p->segments.count == SL_SEGMENTS || p->unpaid > UNPAID)
    return;
  p->node[node].recordings++;
  p->here = node;
  p->anchors.records = true;
  sl_segments_begin(&p->segments, now);
}

/* Adds a recorded segment to the node where it starts. */
static void add_segment(struct sl_replay *p, struct sl_segment *s, uint16_t end)
{
  struct node *n = &p->node[p->here];
  s->end = end;
  s->alternative = n->segment;
  n->segment = (uint16_t)p->segments.count++;
  n->most = sl_later(n->most, s->cycles);
  p->unpaid += COST * s->cycles;
}

/* Makes a segment the first that is tried. */
static void to_front(struct sl_replay *p, struct node *n, uint16_t segment)
{
  struct sl_segment *const all = p->segments.segment;
  uint16_t *link = &n->segment;
  while (*link != segment)
    link = &all[*link].alternative;
  *link = all[segment].alternative;
  all[segment].alternative = n->segment;
  n->segment = segment;
}

/* Replays segments from a node on. Returns the node that the machine is at then, in cycle *now. */
static uint16_t replay(struct sl_replay *p, void *beside, uint16_t at, int64_t *now, int64_t end)
{
  struct node *n = &p->node[at];
  const int64_t from = *now;
  while (n->segment != SL_NO_SEGMENT && n->different < 2 * n->equal + FUTILE && *now + n->most <= end) {
    const uint16_t segment = sl_segments_replay(&p->segments, n->segment);
    if (segment == SL_NO_SEGMENT) {
      n->different++;
      break;
    }
    n->equal++;
    to_front(p, n, segment);
    const struct sl_segment *s = &p->segments.segment[segment];
    *now += s->cycles;
    at = s->end;
    n = &p->node[at];
  }
  if (*now == from)
    return at;
  memcpy(p->image, &p->segments.store[n->image], n->words * sizeof *p->image);
  p->machine->restore(p->segments.sm, beside, p->image, *now);
  p->misses = 0;
  p->unpaid -= *now - from;
  p->replayed += (uint64_t)(*now - from);
  p->anchors.latest = *now;
  return at;
}

/* ---- anchors ----------------------------------------------------------------------------------------------------- */

/* Returns the node of the state's image; NONE: there is none, or the image has been met for the first time. Then only
 * its hash is kept, unless it is to be kept whole. */
static uint16_t find(struct sl_replay *p, const void *beside, bool keeps)
{
  const unsigned words = p->machine->image(p->segments.sm, beside, p->image);
  const size_t bytes = words * sizeof *p->image;
  const uint64_t hash = XXH3_64bits(p->image, bytes);
  unsigned place = (unsigned)hash % INDEX;
  if (words == 0)
    return NONE;
  for (; p->index[place] != 0; place = (place + 1) % INDEX) {
    const struct node *n = &p->node[p->index[place] - 1];
    if (n->hash == hash &&
        (n->words == 0 || (n->words == words && memcmp(&p->segments.store[n->image], p->image, bytes) == 0)))
      break;
  }
  if (p->index[place] == 0) {
    if (p->nodes == NODES)
      return NONE;
    p->node[p->nodes] = (struct node){.hash = hash, .segment = SL_NO_SEGMENT};
    p->index[place] = (uint16_t)++p->nodes;
    if (!keeps)
      return NONE;
  }
  struct node *n = &p->node[p->index[place] - 1];
  if (n->words == 0) {
    if (!sl_segments_room(&p->segments, 2 * words))
      return NONE;
    n->image = p->segments.used;
    n->words = words;
    memcpy(&p->segments.store[n->image], p->image, bytes);
    p->segments.used += 2 * words;
  }
  return (uint16_t)(p->index[place] - 1);
}

/* Whether an anchor with the hint of this one has been met. */
static bool seen(struct sl_replay *p, const void *beside)
{
  const uint64_t hint = p->machine->hint(p->segments.sm, beside);
  uint32_t *const latest = &p->seen[hint % SEEN];
  const uint32_t tag = (uint32_t)(hint >> 32) | 1;
  const bool equal = *latest == tag;
  *latest = tag;
  return equal;
}

void sl_replay_anchor(struct sl_replay *p, void *beside, int64_t now, int64_t end)
{
  if (p->edition != p->segments.warps->code_edition) {
    clear(p);
    p->edition = p->segments.warps->code_edition;
  }
  p->anchors.next = -1;
  p->anchors.latest = now;
  struct sl_segment *recorded = p->here != NONE ? sl_segments_end(&p->segments, now) : NULL;
  if (!seen(p, beside) && recorded == NULL) {
    stop_recording(p);
    return;
  }
  if (++p->misses == PATIENCE) {
    p->misses = 0;
    p->anchors.distance = sl_sooner(2 * p->anchors.distance, MOST_DISTANCE);
  }
  const unsigned nodes = p->nodes;
  uint16_t at = find(p, beside, recorded != NULL);
  if (recorded != NULL && at != NONE)
    add_segment(p, recorded, at);
  stop_recording(p);
  if (at == NONE || nodes != p->nodes)
    return;
  at = replay(p, beside, at, &now, end);
  begin_segment(p, at, now);
}
