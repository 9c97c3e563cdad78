#include "ptx/ptx_passes.h"

#include <stdlib.h>
#include <string.h>

#include "base/types.h"

enum { UNIT = 64 /* bytes; all places are multiples */ };

/* Points at which a register holds a value that is needed. A point lies before an instruction, and after the one before
 * it in the text. */
struct segment {
  uint32_t first, last;
  uint32_t next; /* of the same register, plus 1 */
};

/* A new number. */
struct shared {
  struct sl_ptx_home home;
  uint64_t *taken; /* points */
};

struct ranges {
  const struct sl_ptx_insn *code;
  struct sl_ptx_blocks blocks;
  uint32_t registers, words;
  uint64_t *live;  /* registers live at the start of each block */
  uint64_t *now;   /* in a walk through a block */
  uint32_t *since; /* of a live register: the point at which its segment ends */
  uint32_t *head;  /* by register: its first segment, plus 1 */
  struct segment *segment;
  uint32_t segments, room;
  uint16_t *number; /* by register: the new one */
  uint32_t *moved;  /* by UNIT of the old places: the new offset */
  struct shared *shared;
  uint32_t shares, bytes;
  bool failed; /* out of memory */
};

static bool has(const uint64_t *bits, uint32_t i)
{
  return bits[i / 64] >> i % 64 & 1;
}

/* ---- liveness ---------------------------------------------------------------------------------------------------- */

static void add_segment(struct ranges *r, uint32_t reg, uint32_t first)
{
  if (r->segments == r->room) {
    const uint32_t room = 2 * r->room + 1024;
    struct segment *grown = realloc(r->segment, room * sizeof *grown);
    r->failed |= grown == NULL;
    if (grown == NULL)
      return;
    r->segment = grown;
    r->room = room;
  }
  r->segment[r->segments++] = (struct segment){first, r->since[reg], r->head[reg]};
  r->head[reg] = r->segments;
}

/* A thread whose guard does not hold keeps the old value. `point`: after the instruction; 0 outside of the last walk,
 * which makes the segments. */
static void write(struct ranges *r, uint16_t reg, bool guarded, uint32_t point)
{
  if (reg == SL_PTX_NO_REG)
    return;
  const bool live = has(r->now, reg);
  if (!live)
    r->since[reg] = point;
  if (point > 0 && (!live || !guarded))
    add_segment(r, reg, point);
  if (!guarded)
    r->now[reg / 64] &= ~sl_bit(reg % 64);
}

static void read(struct ranges *r, uint16_t reg, uint32_t point)
{
  if (reg == SL_PTX_NO_REG || has(r->now, reg))
    return;
  r->now[reg / 64] |= sl_bit(reg % 64);
  r->since[reg] = point;
}

/* From the registers live after a block to those before it. */
static void walk(struct ranges *r, uint32_t block, bool last)
{
  for (uint32_t pc = r->blocks.first[block + 1]; pc-- > r->blocks.first[block];) {
    const struct sl_ptx_insn *in = &r->code[pc];
    const uint32_t before = pc - r->blocks.begin;
    for (unsigned i = 0; i < sl_ptx_dsts(in); i++)
      write(r, sl_ptx_dst(in, i).id, in->guard.id != SL_PTX_NO_REG, last ? before + 1 : 0);
    for (unsigned i = 0; i < sl_ptx_srcs(in); i++)
      read(r, sl_ptx_src(in, i).id, before);
    read(r, in->guard.id, before);
    read(r, in->address.id, before);
  }
}

static void live_after(struct ranges *r, uint32_t block)
{
  memset(r->now, 0, r->words * sizeof *r->now);
  for (unsigned i = 0; i < 2; i++) {
    const uint32_t node = r->blocks.next[block + 1][i];
    for (uint32_t w = 0; node != 0 && w < r->words; w++)
      r->now[w] |= r->live[(size_t)(node - 1) * r->words + w];
  }
}

static void solve(struct ranges *r)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = r->blocks.blocks; b-- > 0;) {
      uint64_t *live = r->live + (size_t)b * r->words;
      live_after(r, b);
      walk(r, b, false);
      changed |= memcmp(live, r->now, r->words * sizeof *live) != 0;
      memcpy(live, r->now, r->words * sizeof *live);
    }
  }
}

static void find_segments(struct ranges *r)
{
  for (uint32_t b = 0; b < r->blocks.blocks && !r->failed; b++) {
    live_after(r, b);
    for (uint32_t w = 0; w < r->words; w++)
      for (uint64_t rest = r->now[w]; rest != 0; rest &= rest - 1)
        r->since[w * 64 + sl_lowest(rest)] = r->blocks.first[b + 1] - r->blocks.begin;
    walk(r, b, true);
    for (uint32_t w = 0; w < r->words; w++)
      for (uint64_t rest = r->now[w]; rest != 0; rest &= rest - 1)
        add_segment(r, w * 64 + sl_lowest(rest), r->blocks.first[b] - r->blocks.begin);
  }
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* The bits of a segment in word w of a set of points. */
static uint64_t bits_of(const struct segment *s, uint32_t w)
{
  const uint32_t from = s->first > w * 64 ? s->first - w * 64 : 0;
  const uint32_t to = s->last < w * 64 + 63 ? s->last - w * 64 : 63;
  return sl_low_bits(to + 1) & ~sl_low_bits(from);
}

static bool is_free(const struct ranges *r, const struct shared *s, uint32_t reg)
{
  for (uint32_t i = r->head[reg]; i != 0; i = r->segment[i - 1].next) {
    const struct segment *segment = &r->segment[i - 1];
    for (uint32_t w = segment->first / 64; w <= segment->last / 64; w++)
      if (s->taken[w] & bits_of(segment, w))
        return false;
  }
  return true;
}

static struct shared *new_number(struct ranges *r, uint32_t bytes)
{
  struct shared *grown = realloc(r->shared, (r->shares + 1) * sizeof *grown);
  r->shared = grown != NULL ? grown : r->shared;
  uint64_t *taken = calloc((r->blocks.end - r->blocks.begin) / 64 + 1, sizeof *taken);
  r->failed |= grown == NULL || taken == NULL;
  if (r->failed) {
    free(taken);
    return NULL;
  }
  r->shared[r->shares++] = (struct shared){{r->bytes, bytes}, taken};
  r->bytes += bytes;
  return &r->shared[r->shares - 1];
}

static void give_number(struct ranges *r, const struct sl_ptx_home *home, uint32_t reg)
{
  struct shared *s = NULL;
  for (uint32_t i = 0; i < r->shares && s == NULL; i++)
    if (r->shared[i].home.bytes == home->bytes && is_free(r, &r->shared[i], reg))
      s = &r->shared[i];
  s = s != NULL ? s : new_number(r, home->bytes);
  if (s == NULL)
    return;
  r->number[reg] = (uint16_t)(s - r->shared);
  r->moved[home->offset / UNIT] = s->home.offset;
  for (uint32_t i = r->head[reg]; i != 0; i = r->segment[i - 1].next)
    for (uint32_t w = r->segment[i - 1].first / 64; w <= r->segment[i - 1].last / 64; w++)
      s->taken[w] |= bits_of(&r->segment[i - 1], w);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void renumber(const struct ranges *r, struct sl_ptx_reg *reg)
{
  if (reg->id != SL_PTX_NO_REG)
    reg->id = r->number[reg->id];
}

static void relocate(const struct ranges *r, struct sl_ptx_place *place)
{
  if (place->area == SL_PTX_REGISTERS)
    place->offset = r->moved[place->offset / UNIT] & 0x3fffffff;
}

static void rewrite_more(const struct ranges *r, struct sl_ptx_more *more)
{
  for (unsigned m = 0; m < SL_PTX_MATRICES; m++)
    for (unsigned i = 0; i < more->registers[m]; i++)
      relocate(r, &more->place[m][i]);
  for (unsigned i = 0; i < more->dsts; i++)
    renumber(r, &more->dst[i]);
  for (unsigned i = 0; i < more->srcs; i++)
    renumber(r, &more->src[i]);
}

static void rewrite(const struct ranges *r, struct sl_ptx_insn *in)
{
  struct sl_ptx_place *places[] = {&in->d, &in->a, &in->b, &in->c, &in->e};
  for (unsigned i = 0; i < 5; i++)
    relocate(r, places[i]);
  for (unsigned i = 0; i < SL_PTX_ELEMENTS; i++)
    relocate(r, &in->element[i]);
  for (unsigned i = 0; i < in->dsts; i++)
    renumber(r, &in->dst[i]);
  for (unsigned i = 0; i < in->srcs; i++)
    renumber(r, &in->src[i]);
  if (in->more != NULL)
    rewrite_more(r, in->more);
  renumber(r, &in->address);
  if (in->guard.id != SL_PTX_NO_REG)
    in->guard_offset = r->moved[in->guard_offset / UNIT];
  renumber(r, &in->guard);
}

static bool make_room(struct ranges *r, uint32_t bytes)
{
  r->live = calloc((size_t)(r->blocks.blocks + 1) * r->words, sizeof *r->live);
  r->now = calloc(r->words, sizeof *r->now);
  r->since = calloc(r->registers + (size_t)1, sizeof *r->since);
  r->head = calloc(r->registers + (size_t)1, sizeof *r->head);
  r->number = calloc(r->registers + (size_t)1, sizeof *r->number);
  r->moved = calloc(bytes / UNIT + (size_t)1, sizeof *r->moved);
  return r->live && r->now && r->since && r->head && r->number && r->moved;
}

static void release(struct ranges *r)
{
  for (uint32_t i = 0; i < r->shares; i++)
    free(r->shared[i].taken);
  free(r->shared);
  free(r->live);
  free(r->now);
  free(r->since);
  free(r->head);
  free(r->number);
  free(r->moved);
  free(r->segment);
  sl_ptx_blocks_free(&r->blocks);
}

enum sl_status sl_ptx_ranges_number(struct sl_ptx_insn *code, struct sl_ptx_function *function,
                                    const struct sl_ptx_home *home, uint32_t count, struct sl_error *err)
{
  struct ranges r = {.code = code, .registers = function->registers, .words = function->registers / 64 + 1};
  r.failed =
      !sl_ptx_blocks_find(&r.blocks, code, function->begin, function->end) || !make_room(&r, function->register_bytes);
  if (!r.failed) {
    solve(&r);
    find_segments(&r);
  }
  for (uint32_t reg = 0; reg < r.registers && !r.failed; reg++)
    give_number(&r, &home[reg], reg);
  for (uint32_t i = r.registers; i < count && !r.failed; i++) {
    r.moved[home[i].offset / UNIT] = r.bytes;
    r.bytes += home[i].bytes;
  }
  for (uint32_t pc = function->begin; pc < function->end && !r.failed; pc++)
    rewrite(&r, &code[pc]);
  if (!r.failed) {
    function->registers = r.shares;
    function->register_bytes = r.bytes;
    function->shares = true;
  }
  release(&r);
  return r.failed ? sl_no_memory(err, r.registers * sizeof *home) : SL_OK;
}

static void move(struct sl_ptx_place *place, uint32_t by)
{
  if (place->area == SL_PTX_REGISTERS)
    place->offset = (place->offset + by) & 0x3fffffff;
}

static void raise(struct sl_ptx_reg *reg, uint32_t by)
{
  reg->id = (uint16_t)(reg->id == SL_PTX_NO_REG ? SL_PTX_NO_REG : reg->id + by);
}

void sl_ptx_ranges_move(struct sl_ptx_insn *in, uint32_t offset, uint32_t id)
{
  struct sl_ptx_more *more = in->more;
  struct sl_ptx_place *places[] = {&in->d, &in->a, &in->b, &in->c, &in->e};
  for (unsigned k = 0; k < 5; k++)
    move(places[k], offset);
  for (unsigned k = 0; k < SL_PTX_ELEMENTS; k++) {
    move(&in->element[k], offset);
    in->dst[k].id = (uint16_t)(in->dst[k].id + id);
    in->src[k].id = (uint16_t)(in->src[k].id + id);
  }
  for (unsigned m = 0; m < SL_PTX_MATRICES && more != NULL; m++)
    for (unsigned k = 0; k < more->registers[m]; k++)
      move(&more->place[m][k], offset);
  for (unsigned k = 0; more != NULL && k < more->dsts; k++)
    raise(&more->dst[k], id);
  for (unsigned k = 0; more != NULL && k < more->srcs; k++)
    raise(&more->src[k], id);
  in->guard_offset += offset;
  raise(&in->guard, id);
  raise(&in->address, id);
}
