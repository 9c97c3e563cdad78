#include "ptx/oracle/ptx_oracle.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_READS = 6 };

/* A register of all lanes that is read: bytes per lane; 0: a predicate. */
struct reading {
  struct sl_ptx_place place;
  unsigned bytes;
};

struct readings {
  struct reading item[MOST_READS];
  unsigned count;
};

static void add(struct readings *r, struct sl_ptx_place place, unsigned bytes)
{
  r->item[r->count++] = (struct reading){.place = place, .bytes = bytes};
}

static void add_typed(struct readings *r, struct sl_ptx_place place, enum sl_ptx_type type)
{
  if (type != SL_PTX_NO_TYPE && type != SL_PTX_PRED)
    add(r, place, sl_ptx_type_bytes(type));
}

static void add_row(struct readings *r, const struct sl_ptx_insn *in)
{
  const struct sl_ptx_row *row = sl_ptx_row(in->row);
  add_typed(r, in->a, in->kind == SL_PTX_K_LANES && in->wide & SL_PTX_WIDER_A ? SL_PTX_U64 : (enum sl_ptx_type)row->a);
  add_typed(r, in->b, row->b);
  if (!row->condition)
    add_typed(r, in->c, row->c), add_typed(r, in->e, row->e);
}

static struct readings readings_of(const struct sl_ptx_insn *in)
{
  struct readings r = {.count = 0};
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_LANES:
    add_row(&r, in);
    if (in->mode == SL_PTX_P_PREDICATE)
      add(&r, in->c, 0);
    break;
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET:
    add_row(&r, in);
    if (in->mode != SL_PTX_ALONE)
      add(&r, in->c, 0);
    break;
  case SL_PTX_K_LOGIC:
    add(&r, in->a, 0);
    if (in->mode != SL_PTX_MOV && in->mode != SL_PTX_NOT)
      add(&r, in->b, 0);
    break;
  case SL_PTX_K_PACK:
    for (unsigned i = 0; i < in->elements; i++)
      add(&r, in->element[i], in->bytes < 4 ? in->bytes : 4);
    break;
  case SL_PTX_K_UNPACK: add(&r, in->a, in->bytes * in->elements == 8 ? 8 : 4); break;
  case SL_PTX_K_LOAD: add(&r, in->a, in->address32 ? 4 : 8); break;
  default: break;
  }
  return r;
}

enum sl_ptx_sort sl_ptx_sort_of(const struct sl_ptx_insn *in)
{
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_LANES:
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET:
  case SL_PTX_K_LOGIC:
  case SL_PTX_K_PACK:
  case SL_PTX_K_UNPACK: return SL_PTX_SORT_VALUE;
  case SL_PTX_K_LOAD:
    if (in->space == SL_PTX_PARAM)
      return SL_PTX_SORT_VALUE;
    return in->uncached || in->space == SL_PTX_LOCAL || in->space == SL_PTX_GENERIC ? SL_PTX_SORT_OTHER
                                                                                    : SL_PTX_SORT_LOAD;
  default: return SL_PTX_SORT_OTHER;
  }
}

bool sl_ptx_is_integer(const struct sl_ptx_insn *in)
{
  if (in->kind != SL_PTX_K_LANES && in->kind != SL_PTX_K_CONDITION && in->kind != SL_PTX_K_SET)
    return sl_ptx_sort_of(in) == SL_PTX_SORT_VALUE;
  const struct sl_ptx_row *row = sl_ptx_row(in->row);
  return !sl_ptx_is_half(in->type) && !sl_ptx_is_float(row->d) && !sl_ptx_is_float(row->a) &&
         !sl_ptx_is_float(row->b) && !sl_ptx_is_float(row->c);
}

bool sl_ptx_reads_lanes(const struct sl_ptx_insn *in)
{
  const struct readings r = readings_of(in);
  for (unsigned i = 0; i < r.count; i++) {
    const struct sl_ptx_place place = r.item[i].place;
    const unsigned special = place.offset / (SL_PTX_LANES * (unsigned)sizeof(uint32_t));
    if (place.area == SL_PTX_SPECIALS &&
        (special <= SL_PTX_TID_Z || special == SL_PTX_LANEID || special >= SL_PTX_LANEMASK_EQ))
      return true;
  }
  return false;
}

static const uint8_t *at(const struct sl_ptx_warp *w, struct sl_ptx_place place)
{
  return w->area[place.area] + place.offset;
}

static uint64_t lane_of(const uint8_t *registers, unsigned lane, unsigned bytes)
{
  uint64_t value = 0;
  memcpy(&value, registers + (size_t)lane * (bytes == 8 ? 8 : 4), bytes);
  return value;
}

static uint32_t word_of(const uint8_t *predicate)
{
  uint32_t value;
  memcpy(&value, predicate, sizeof value);
  return value;
}

static void look_at_bits(struct sl_ptx_redundancy *s, uint32_t bits)
{
  bits &= s->active;
  s->sources = sl_ptx_mixed(s->sources, bits);
  s->alike &= bits == 0 || bits == s->active;
}

static void look_at_lanes(struct sl_ptx_redundancy *s, const uint8_t *registers, unsigned bytes)
{
  const uint64_t first = lane_of(registers, sl_lowest(s->active), bytes);
  for (uint32_t rest = s->active; rest != 0; rest &= rest - 1) {
    const uint64_t value = lane_of(registers, sl_lowest(rest), bytes);
    s->sources = sl_ptx_mixed(s->sources, value);
    s->alike &= value == first;
  }
}

struct sl_ptx_redundancy sl_ptx_look(const struct sl_ptx_warp *w)
{
  struct sl_ptx_redundancy s = {.insn = NULL, .alike = true};
  if (w->stack.depth == 0)
    return s;
  s.pc = sl_simt_stack_pc(&w->stack);
  s.insn = &w->block->launch->module->code[s.pc];
  s.active = sl_simt_stack_mask(&w->stack);
  if (s.insn->guard.id != SL_PTX_NO_REG) {
    const uint32_t guard = word_of(w->area[SL_PTX_REGISTERS] + s.insn->guard_offset);
    s.active &= s.insn->negated ? ~guard : guard;
  }
  s.sources = sl_ptx_mixed(0, s.active);
  if (sl_ptx_sort_of(s.insn) == SL_PTX_SORT_OTHER || s.active == 0)
    return s;
  const struct readings r = readings_of(s.insn);
  for (unsigned i = 0; i < r.count; i++)
    if (r.item[i].bytes == 0)
      look_at_bits(&s, word_of(at(w, r.item[i].place)));
    else
      look_at_lanes(&s, at(w, r.item[i].place), r.item[i].bytes);
  if (s.insn->kind == SL_PTX_K_LANES && s.insn->mode == SL_PTX_P_CARRY)
    look_at_bits(&s, w->carry);
  return s;
}

uint64_t sl_ptx_loaded(const struct sl_ptx_warp *w, const struct sl_ptx_redundancy *before, uint64_t hash)
{
  const struct sl_ptx_insn *in = before->insn;
  for (unsigned i = 0; i < in->elements; i++)
    for (uint32_t rest = before->active; rest != 0; rest &= rest - 1)
      hash = sl_ptx_mixed(hash, lane_of(at(w, in->element[i]), sl_lowest(rest), in->wide >> i & 1 ? 8 : 4));
  return hash;
}

/* Its destination; bytes 0: a predicate. */
static bool destination(const struct sl_ptx_insn *in, struct reading *d)
{
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_LANES:
    *d = (struct reading){in->d, in->wide & SL_PTX_WIDER_D ? 8 : sl_ptx_type_bytes(sl_ptx_row(in->row)->d)};
    return true;
  case SL_PTX_K_SET: *d = (struct reading){in->d, 4}; return true;
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_LOGIC: *d = (struct reading){in->d, 0}; return !in->has_e;
  case SL_PTX_K_PACK: *d = (struct reading){in->d, in->bytes * in->elements == 8 ? 8 : 4}; return true;
  case SL_PTX_K_LOAD: *d = (struct reading){in->element[0], in->wide & 1 ? 8 : 4}; return in->elements == 1;
  default: return false;
  }
}

bool sl_ptx_result(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_result *result)
{
  struct reading d;
  if (!destination(in, &d))
    return false;
  const uint8_t *registers = at(w, d.place);
  result->bytes = d.bytes;
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    result->lane[l] = d.bytes == 0 ? word_of(registers) >> l & 1 : lane_of(registers, l, d.bytes);
  return true;
}

/* A difference as a signed number of the value's size. */
static int64_t signed_difference(uint64_t a, uint64_t b, unsigned bytes)
{
  const unsigned unused = 64 - 8 * (bytes ? bytes : 8);
  return (int64_t)((a - b) << unused) >> unused;
}

/* The step from one to the next of `by` steps (negative: backwards), if it is an integer. */
static bool divided(int64_t difference, int64_t by, int64_t *step)
{
  *step = difference / by;
  return difference % by == 0;
}

/* The step between the lanes, and the value of lane 0. A single lane takes the known step. */
static bool along_lanes(const struct sl_ptx_result *r, uint32_t lanes, int64_t *step, uint64_t *first)
{
  const unsigned lowest = sl_lowest(lanes);
  const uint32_t others = lanes & (lanes - 1);
  if (others != 0) {
    const unsigned second = sl_lowest(others);
    if (!divided(signed_difference(r->lane[second], r->lane[lowest], r->bytes), second - lowest, step))
      return false;
  }
  *first = r->lane[lowest] - (uint64_t)*step * lowest;
  for (uint32_t rest = others; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    if (signed_difference(r->lane[l], *first + (uint64_t)*step * l, r->bytes) != 0)
      return false;
  }
  return true;
}

void sl_ptx_affine_take(struct sl_ptx_affine *a, unsigned warp, uint32_t lanes, const struct sl_ptx_result *r)
{
  int64_t step = a->step;
  uint64_t first = 0;
  if (lanes == 0 || a->no)
    return;
  a->no = !along_lanes(r, lanes, &step, &first) || (a->warps > 0 && step != a->step) || (r->bytes == 0 && step != 0);
  const int64_t warps = (int64_t)warp - a->warp, difference = signed_difference(first, a->first, r->bytes);
  if (a->warps == 0) {
    a->warp = warp;
    a->step = step;
    a->first = first;
  } else if (a->warps == 1) {
    a->no |= warps == 0 || !divided(difference, warps, &a->rise) || (r->bytes == 0 && a->rise != 0);
  } else {
    a->no |= signed_difference(first, a->first + (uint64_t)(a->rise * warps), r->bytes) != 0;
  }
  a->warps++;
}

enum { FIRST_ROOM = 1024 };

static size_t place_of(const struct sl_ptx_once *o, uint64_t key)
{
  size_t at = (size_t)((key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (o->room - 1);
  while (o->entry[at].age == o->age && o->entry[at].key != key)
    at = (at + 1) & (o->room - 1);
  return at;
}

static bool grow(struct sl_ptx_once *o)
{
  const struct sl_ptx_once old = *o;
  struct sl_ptx_once larger = {.room = old.room ? 2 * old.room : FIRST_ROOM, .count = old.count, .age = 1};
  larger.entry = calloc(larger.room, sizeof *larger.entry);
  if (larger.entry == NULL)
    return false;
  for (size_t i = 0; i < old.room; i++)
    if (old.entry[i].age == old.age) {
      struct sl_ptx_once_entry *e = &larger.entry[place_of(&larger, old.entry[i].key)];
      *e = old.entry[i];
      e->age = larger.age;
    }
  free(old.entry);
  *o = larger;
  return true;
}

uint64_t *sl_ptx_once_put(struct sl_ptx_once *o, uint64_t key, bool *is_new)
{
  if (2 * (o->count + 1) > o->room && !grow(o))
    return NULL;
  struct sl_ptx_once_entry *e = &o->entry[place_of(o, key)];
  *is_new = e->age != o->age;
  if (*is_new) {
    *e = (struct sl_ptx_once_entry){.key = key, .age = o->age};
    o->count++;
  }
  return &e->value;
}

const uint64_t *sl_ptx_once_find(const struct sl_ptx_once *o, uint64_t key)
{
  if (o->count == 0)
    return NULL;
  const struct sl_ptx_once_entry *e = &o->entry[place_of(o, key)];
  return e->age == o->age ? &e->value : NULL;
}

void sl_ptx_once_clear(struct sl_ptx_once *o)
{
  o->age++;
  o->count = 0;
}

void sl_ptx_once_free(struct sl_ptx_once *o)
{
  free(o->entry);
  *o = (struct sl_ptx_once){0};
}
