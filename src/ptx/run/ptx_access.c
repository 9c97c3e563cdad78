#include "ptx/run/ptx_access.h"

#include <math.h>
#include <string.h>

#include "ptx/ptx.h"
#include "ptx/run/ptx_execute.h"
#include "ptx/run/ptx_values.h"

typedef uint32_t word32 __attribute__((may_alias));
typedef uint64_t word64 __attribute__((may_alias));

/* The operation of an atomic instruction on a value in memory. */

static uint64_t add_halves(enum sl_ptx_type type, uint32_t old, uint32_t b)
{
  switch (type) {
  case SL_PTX_F16: return sl_ptx_f16_add((uint16_t)old, (uint16_t)b);
  case SL_PTX_BF16: return sl_ptx_bf16_add((uint16_t)old, (uint16_t)b);
  case SL_PTX_F16X2: return SL_PTX_PAIR_2(sl_ptx_f16_add, old, b);
  default: return SL_PTX_PAIR_2(sl_ptx_bf16_add, old, b);
  }
}

static uint64_t add(enum sl_ptx_type type, uint64_t old, uint64_t b)
{
  if (type == SL_PTX_F32) {
    float x, y;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = CANONICAL32(x + y);
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  if (type == SL_PTX_F64) {
    double x, y;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = CANONICAL64(x + y);
    memcpy(&b, &x, sizeof b);
    return b;
  }
  return sl_ptx_is_half(type) ? add_halves(type, (uint32_t)old, (uint32_t)b) : old + b;
}

static bool below(enum sl_ptx_type type, uint64_t a, uint64_t b)
{
  switch (type) {
  case SL_PTX_S32: return (int32_t)a < (int32_t)b;
  case SL_PTX_S64: return (int64_t)a < (int64_t)b;
  default: return a < b;
  }
}

uint64_t sl_ptx_atomic_value(unsigned operation, enum sl_ptx_type type, uint64_t old, uint64_t b, uint64_t c)
{
  switch ((enum sl_ptx_atomic)operation) {
  case SL_PTX_ATOM_ADD: return add(type, old, b);
  case SL_PTX_ATOM_MIN: return below(type, b, old) ? b : old;
  case SL_PTX_ATOM_MAX: return below(type, old, b) ? b : old;
  case SL_PTX_ATOM_AND: return old & b;
  case SL_PTX_ATOM_OR: return old | b;
  case SL_PTX_ATOM_XOR: return old ^ b;
  case SL_PTX_ATOM_EXCH: return b;
  case SL_PTX_ATOM_CAS: return old == b ? c : old;
  case SL_PTX_ATOM_INC: return old >= b ? 0 : old + 1;
  case SL_PTX_ATOM_DEC: return old == 0 || old > b ? b : old - 1;
  }
  return old;
}

/* An address range as the lanes of a warp see it: local memory has a frame per lane. */
struct view {
  uint8_t *data;
  uint64_t base, bytes, stride;
};

/* `address`: of one lane; it distinguishes module variables from allocations. */
static struct view view_of(const struct sl_ptx_warp *w, enum sl_ptx_space space, uint64_t address)
{
  const struct sl_ptx_block *b = w->block;
  const struct sl_ptx_launch *launch = b->launch;
  switch (space) {
  case SL_PTX_SHARED: return (struct view){b->shared, 0, b->shared_bytes, 0};
  case SL_PTX_LOCAL: return (struct view){w->local, 0, launch->kernel->local_bytes, launch->kernel->local_bytes};
  case SL_PTX_CONST: return (struct view){launch->memory->constants.data, 0, launch->memory->constants.bytes, 0};
  case SL_PTX_PARAM: /* whole words: LLVM loads one of a parameter of two bytes */
    return (struct view){launch->params, 0, (launch->kernel->param_bytes + UINT64_C(3)) & ~UINT64_C(3), 0};
  default: break;
  }
  const struct sl_ptx_memory *m = launch->memory;
  const struct sl_ptx_region *r = address < SL_PTX_HEAP_BASE ? &m->statics : &m->heap;
  return (struct view){r->data, r->base, r->bytes, 0};
}

/* Converts a lane's generic address into an address of its space. */
static enum sl_ptx_space resolve(uint64_t *address)
{
  const uint64_t window = *address - SL_PTX_CONST_WINDOW;
  if (window >= 3 * SL_PTX_WINDOW_BYTES)
    return SL_PTX_GLOBAL;
  *address = window % SL_PTX_WINDOW_BYTES;
  return window < SL_PTX_WINDOW_BYTES ? SL_PTX_CONST : window < 2 * SL_PTX_WINDOW_BYTES ? SL_PTX_SHARED : SL_PTX_LOCAL;
}

/* Records the faulting lane of an access that is not entirely in memory, or not a multiple of `aligned`. */
static bool refuse(const struct sl_ptx_effect *effect, uint32_t active, uint64_t aligned, const struct view *v,
                   struct sl_ptx_fault *fault)
{
  for (uint32_t lanes = active; lanes != 0; lanes &= lanes - 1) {
    const unsigned l = sl_lowest(lanes);
    const uint64_t address = effect->address[l], offset = address - v->base;
    const bool inside = offset < v->bytes && effect->bytes <= v->bytes - offset;
    if (inside && offset % aligned == 0)
      continue;
    fault->kind = inside ? SL_PTX_FAULT_ALIGNMENT : SL_PTX_FAULT_ADDRESS;
    fault->space = effect->space;
    fault->lane = l;
    fault->address = address;
    break;
  }
  return false;
}

/* A load or an atomic operation on an aligned word, by which programs update the bytes in it: they compare and swap the
 * word. */
static bool is_word(const struct sl_ptx_effect *effect)
{
  enum { WORD = 4 };
  return effect->bytes == WORD && (effect->insn->kind == SL_PTX_K_LOAD || effect->insn->kind == SL_PTX_K_ATOMIC);
}

/* Checked memory: records the first lane whose access is not in a buffer or variable. */
static bool is_stray(const struct sl_ptx_warp *w, const struct sl_ptx_effect *effect, uint32_t lanes,
                     struct sl_ptx_fault *fault)
{
  const struct sl_ptx_memory *memory = w->block->launch->memory;
  uint32_t strays = sl_ptx_memory_strays(memory, effect->address, lanes, effect->bytes);
  if (strays != 0 && is_word(effect)) /* its first byte decides: a buffer's last word has all of its bytes */
    strays = sl_ptx_memory_strays(memory, effect->address, strays, 1);
  if (strays == 0)
    return false;
  const unsigned lane = sl_lowest(strays);
  fault->kind = SL_PTX_FAULT_BUFFER;
  fault->space = SL_PTX_GLOBAL;
  fault->lane = lane;
  fault->address = effect->address[lane];
  fault->value = effect->bytes;
  return true;
}

static struct sl_ptx_addressing addressing(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active)
{
  return (struct sl_ptx_addressing){.registers = w->area[in->a.area] + in->a.offset,
                                    .narrow = in->address32,
                                    .active = active,
                                    .immediate = (uint64_t)in->immediate + (in->framed ? w->frame : 0),
                                    .bytes = (uint64_t)in->bytes * in->elements};
}

/* Of one size, which is a constant at each call. */
static inline void atomic_of(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data,
                             const uint64_t *offset, uint32_t lanes, size_t bytes)
{
  const uint8_t *b = w->area[in->b.area] + in->b.offset, *c = w->area[in->c.area] + in->c.offset;
  uint8_t *d = in->dsts > 0 ? w->area[in->d.area] + in->d.offset : NULL;
  for (; lanes != 0; lanes &= lanes - 1) {
    const size_t l = sl_lowest(lanes), at = l * (bytes < 4 ? 4 : bytes);
    uint64_t old = 0, vb = 0, vc = 0;
    memcpy(&old, data + offset[l], bytes);
    memcpy(&vb, b + at, bytes);
    memcpy(&vc, c + at, bytes);
    const uint64_t new = sl_ptx_atomic_value(in->mode, in->type, old, vb, vc);
    memcpy(data + offset[l], &new, bytes);
    if (d != NULL)
      memcpy(d + at, &old, bytes);
  }
}

/* Of 4 or 8 bytes, while other host threads access the memory. No instruction reads d (ptx/run/ptx_grid.h). */
static void atomic_together(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data,
                            const uint64_t *offset, uint32_t lanes)
{
  const uint8_t *b = w->area[in->b.area] + in->b.offset;
  for (; lanes != 0; lanes &= lanes - 1) {
    const size_t l = sl_lowest(lanes);
    uint64_t vb = 0;
    memcpy(&vb, b + l * in->bytes, in->bytes);
    if (in->bytes == 4) {
      word32 *at = (word32 *)(void *)(data + offset[l]), old = __atomic_load_n(at, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(at, &old, (word32)sl_ptx_atomic_value(in->mode, in->type, old, vb, 0), true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    } else {
      word64 *at = (word64 *)(void *)(data + offset[l]), old = __atomic_load_n(at, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(at, &old, sl_ptx_atomic_value(in->mode, in->type, old, vb, 0), true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    }
  }
}

static void atomic(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data, const uint64_t *offset,
                   uint32_t lanes)
{
  if (w->block->launch->parallel && data != w->block->shared)
    atomic_together(w, in, data, offset, lanes);
  else if (in->bytes == 4)
    atomic_of(w, in, data, offset, lanes, 4);
  else
    atomic_of(w, in, data, offset, lanes, in->bytes);
}

static void move_elements(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data,
                          const uint64_t *offset, uint32_t active, bool consecutive)
{
  const unsigned size = in->bytes == 8 ? 8 : 4;
  for (unsigned i = 0; i < in->elements; i++) {
    const bool wide = in->wide >> i & 1, load = in->kind == SL_PTX_K_LOAD;
    uint8_t *registers = w->area[in->element[i].area] + in->element[i].offset, *from = data + i * in->bytes;
    if (consecutive && in->elements == 1 && in->bytes >= 4 && wide == (in->bytes == 8))
      memcpy(load ? registers : data + offset[0], load ? data + offset[0] : registers, (size_t)SL_PTX_LANES * size);
    else
      (load ? w->ops->load : w->ops->store)[in->moved][wide](registers, from, offset, active);
  }
}

uint64_t sl_ptx_copied_to(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, unsigned lane, uint32_t *bytes)
{
  const size_t size = in->wide != 0 ? 8 : 4;
  uint64_t address = 0;
  uint32_t offset;
  memcpy(&address, w->area[in->b.area] + in->b.offset + lane * size, size);
  memcpy(&offset, w->area[in->c.area] + in->c.offset, sizeof offset);
  memcpy(bytes, w->area[in->e.area] + in->e.offset + lane * sizeof *bytes, sizeof *bytes);
  *bytes = *bytes < in->bytes ? *bytes : in->bytes;
  return in->wide != 0 ? address + (uint64_t)(int32_t)offset : (uint32_t)(address + offset);
}

/* Lanes that read nothing have no offset in the data. */
static void copy(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const uint8_t *data, const uint64_t *offset,
                 uint32_t active)
{
  for (; active != 0; active &= active - 1) {
    const unsigned lane = sl_lowest(active);
    uint32_t bytes;
    uint8_t *to = w->block->shared + sl_ptx_copied_to(w, in, lane, &bytes);
    if (bytes > 0)
      memcpy(to, data + offset[lane], bytes);
    memset(to + bytes, 0, in->bytes - bytes);
  }
}

static void move(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data, const uint64_t *offset,
                 uint32_t active, bool consecutive)
{
  if (in->kind == SL_PTX_K_ATOMIC)
    atomic(w, in, data, offset, active);
  else if (in->kind == SL_PTX_K_TILE)
    sl_ptx_tile_move(w, in, data, offset);
  else if (in->kind == SL_PTX_K_ASYNC)
    copy(w, in, data, offset, active);
  else
    move_elements(w, in, data, offset, active, consecutive);
}

void sl_ptx_settle(struct sl_ptx_late *late)
{
  for (unsigned i = 0; i < late->count; i++) {
    const struct sl_ptx_late_access *l = &late->access[i];
    if (l->insn->kind == SL_PTX_K_SERVICE)
      sl_ptx_service_perform(l->warp, l->insn, l->active);
    else if (l->texture != NULL)
      sl_ptx_texture_fetch(l->warp, l->insn, l->texture, l->data, l->active);
    else
      move(l->warp, l->insn, l->data, l->offset, l->active, l->consecutive);
  }
  late->count = 0;
}

static void put_off(struct sl_ptx_late *late, const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data,
                    const uint64_t *offset, const struct sl_ptx_addressing *a, const struct sl_ptx_texture *texture)
{
  struct sl_ptx_late_access *l = &late->access[late->count++];
  l->warp = w;
  l->insn = in;
  l->texture = texture;
  l->data = data;
  l->active = a->active;
  l->consecutive = a->consecutive;
  memcpy(l->offset, offset, sizeof l->offset);
}

bool sl_ptx_is_whole(uint32_t active, struct sl_ptx_fault *fault)
{
  if (active == 0 || active == UINT32_MAX)
    return true;
  fault->kind = SL_PTX_FAULT_PARTIAL;
  fault->lane = sl_lowest(active);
  fault->lanes = active;
  return false;
}

/* The addresses of a matrix's lines: of the lowest lanes, or of lane 0 and at a stride. */
static void find_lines(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint64_t *address)
{
  struct sl_ptx_addressing a = addressing(w, in, UINT32_MAX);
  uint64_t unused[SL_PTX_LANES];
  uint32_t stride;
  w->ops->addresses(&a, address, unused);
  if (in->mode == SL_PTX_TILE_ROWS)
    return;
  memcpy(&stride, w->area[in->b.area] + in->b.offset, sizeof stride);
  for (unsigned i = 1; i < SL_PTX_LANES; i++)
    address[i] = address[0] + i * sl_ptx_tile_bytes(in->more, stride);
}

/* The space of generic addresses; GENERIC if they are in several. */
static enum sl_ptx_space resolve_lines(uint64_t *address, unsigned lines)
{
  const enum sl_ptx_space first = resolve(&address[0]);
  bool same = true;
  for (unsigned i = 1; i < lines; i++)
    same &= resolve(&address[i]) == first;
  return same ? first : SL_PTX_GENERIC;
}

/* A matrix in memory as accesses of lines: lane i has line i. Lines begin at multiples of 16 bytes, or of their
 * size. */
static bool tile(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                 struct sl_ptx_fault *fault)
{
  enum { ALIGNED = 16 };
  const unsigned lines = in->more->lines, bytes = in->more->line_bytes;
  const uint64_t aligned = bytes < ALIGNED ? bytes : ALIGNED;
  struct sl_ptx_addressing a = {.active = (uint32_t)sl_low_bits(lines), .bytes = bytes};
  uint64_t address[SL_PTX_LANES], offset[SL_PTX_LANES];
  effect->bytes = bytes;
  if (!sl_ptx_is_whole(effect->active, fault))
    return false;
  find_lines(w, in, address);
  if (in->space == SL_PTX_GENERIC)
    effect->space = resolve_lines(address, lines);
  const struct view v = view_of(w, effect->space, address[0]);
  a.registers = address;
  a.base = v.base;
  w->ops->addresses(&a, effect->address, offset);
  for (unsigned i = lines; i < SL_PTX_LANES; i++) /* an observer sees each line */
    effect->address[i] = effect->address[i % lines];
  const bool moves = effect->space == SL_PTX_GLOBAL || effect->space == SL_PTX_SHARED;
  if (!moves || (a.bits & (aligned - 1)) != 0 || a.most >= v.bytes || bytes > v.bytes - a.most)
    return refuse(effect, a.active, aligned, moves ? &v : &(struct view){.bytes = 0}, fault);
  if (w->block->launch->memory->checked && effect->space == SL_PTX_GLOBAL && is_stray(w, effect, a.active, fault))
    return false;
  struct sl_ptx_late *late = w->block->late;
  if (late != NULL && (effect->space == SL_PTX_GLOBAL || late->all))
    put_off(late, w, in, v.data, offset, &a, NULL);
  else
    sl_ptx_tile_move(w, in, v.data, offset);
  return true;
}

/* An access of lanes whose addresses are all in one space. */
static bool in_space(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                     struct sl_ptx_addressing *a, struct sl_ptx_fault *fault)
{
  uint64_t offset[SL_PTX_LANES];
  const struct view v = view_of(w, effect->space, effect->address[sl_lowest(a->active)]);
  a->base = v.base;
  a->stride = v.stride;
  w->ops->addresses(a, effect->address, offset);
  if ((a->bits & (a->bytes - 1)) != 0 || a->most >= v.bytes || a->bytes > v.bytes - a->most)
    return refuse(effect, effect->active, effect->bytes, &v, fault);
  if (w->block->launch->memory->checked && effect->space == SL_PTX_GLOBAL && is_stray(w, effect, a->active, fault))
    return false;
  struct sl_ptx_late *late = w->block->late;
  if (late != NULL && (effect->space == SL_PTX_GLOBAL || (late->all && effect->space != SL_PTX_LOCAL)))
    put_off(late, w, in, v.data, offset, a, NULL);
  else
    move(w, in, v.data, offset, a->active, a->consecutive);
  return true;
}

static bool copy_faults(struct sl_ptx_fault *fault, enum sl_ptx_space space, unsigned lane, uint64_t address,
                        bool inside)
{
  fault->kind = inside ? SL_PTX_FAULT_ALIGNMENT : SL_PTX_FAULT_ADDRESS;
  fault->space = space;
  fault->lane = lane;
  fault->address = address;
  return false;
}

/* cp.async: checked at once, and performed at once, since the program may not rely on old contents until it waits. All
 * lanes read the heap, or all read variables of modules. */
static bool copy_later(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                       struct sl_ptx_fault *fault)
{
  struct sl_ptx_addressing a = addressing(w, in, effect->active);
  uint64_t offset[SL_PTX_LANES] = {0};
  struct view v = {.bytes = 0};
  effect->bytes = in->bytes;
  effect->reads = 0;
  w->ops->addresses(&a, effect->address, offset);
  for (uint32_t rest = effect->active; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    uint32_t bytes;
    const uint64_t to = sl_ptx_copied_to(w, in, lane, &bytes), from = effect->address[lane];
    const bool inside = to < w->block->shared_bytes && in->bytes <= w->block->shared_bytes - to;
    if (!inside || to % in->bytes != 0)
      return copy_faults(fault, SL_PTX_SHARED, lane, to, inside);
    if (bytes == 0)
      continue;
    v = effect->reads == 0 ? view_of(w, SL_PTX_GLOBAL, from) : v;
    effect->reads |= (uint32_t)sl_bit(lane);
    offset[lane] = from - v.base;
    const bool there = offset[lane] < v.bytes && bytes <= v.bytes - offset[lane];
    if (!there || from % in->bytes != 0)
      return copy_faults(fault, SL_PTX_GLOBAL, lane, from, there);
  }
  if (w->block->launch->memory->checked && effect->reads != 0 && is_stray(w, effect, effect->reads, fault))
    return false;
  for (uint32_t rest = effect->active & ~effect->reads; rest != 0 && effect->reads != 0; rest &= rest - 1)
    effect->address[sl_lowest(rest)] = effect->address[sl_lowest(effect->reads)]; /* for observers */
  if (w->block->late != NULL)
    put_off(w->block->late, w, in, v.data, offset, &a, NULL);
  else
    copy(w, in, v.data, offset, effect->active);
  return true;
}

static bool texture(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                    struct sl_ptx_fault *fault)
{
  const uint64_t offset[SL_PTX_LANES] = {0}; /* the registers still have the coordinates when it is performed */
  const struct sl_ptx_texture *t = sl_ptx_texture_of(w, in, effect->active, fault);
  if (t == NULL)
    return false;
  const struct sl_ptx_addressing a = {.active = effect->active};
  uint8_t *data = sl_ptx_memory_at(w->block->launch->memory, t->address, 0);
  sl_ptx_texture_addresses(w, in, t, effect);
  if (w->block->late != NULL)
    put_off(w->block->late, w, in, data, offset, &a, t);
  else
    sl_ptx_texture_fetch(w, in, t, data, effect->active);
  return true;
}

bool sl_ptx_service(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active, struct sl_ptx_fault *fault)
{
  static const uint64_t none[SL_PTX_LANES];
  if (!sl_ptx_service_check(w, in, active, fault))
    return false;
  if (w->block->late != NULL)
    put_off(w->block->late, w, in, NULL, none, &(struct sl_ptx_addressing){.active = active}, NULL);
  else
    sl_ptx_service_perform(w, in, active);
  return true;
}

/* Generic addresses: each space is accessed separately. The effect describes all lanes, in the space of the lowest. */
static bool generic(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                    struct sl_ptx_fault *fault)
{
  struct sl_ptx_addressing a = addressing(w, in, effect->active);
  uint64_t address[SL_PTX_LANES] = {0}, unused[SL_PTX_LANES];
  enum sl_ptx_space spaces[SL_PTX_LANES], first = SL_PTX_GENERIC;
  w->ops->addresses(&a, address, unused);
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    spaces[l] = resolve(&address[l]);
  for (uint32_t rest = effect->active; rest != 0;) {
    uint32_t group = 0;
    const unsigned lowest = sl_lowest(rest);
    const bool in_statics = address[lowest] < SL_PTX_HEAP_BASE;
    for (unsigned l = 0; l < SL_PTX_LANES; l++)
      group |= (uint32_t)(spaces[l] == spaces[lowest] && (address[l] < SL_PTX_HEAP_BASE) == in_statics) << l;
    a = (struct sl_ptx_addressing){.registers = address, .active = group & rest, .bytes = a.bytes};
    effect->space = spaces[lowest];
    effect->address[lowest] = address[lowest];
    first = first == SL_PTX_GENERIC ? effect->space : first;
    if (!in_space(w, in, effect, &a, fault))
      return false;
    rest &= ~group;
  }
  memcpy(effect->address, address, sizeof address);
  effect->space = first;
  return true;
}

bool sl_ptx_access(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                   struct sl_ptx_fault *fault)
{
  effect->space = in->space;
  effect->bytes = (uint32_t)in->bytes * in->elements;
  effect->shape = SL_SHAPE_OTHER;
  if (effect->active == 0)
    return true;
  if (in->kind == SL_PTX_K_TEX)
    return texture(w, in, effect, fault);
  if (in->kind == SL_PTX_K_TILE)
    return tile(w, in, effect, fault);
  if (in->kind == SL_PTX_K_ASYNC)
    return copy_later(w, in, effect, fault);
  if (in->space == SL_PTX_GENERIC)
    return generic(w, in, effect, fault);
  struct sl_ptx_addressing a = addressing(w, in, effect->active);
  const unsigned lowest = sl_lowest(a.active);
  uint64_t first = 0;
  memcpy(&first, (const uint8_t *)a.registers + lowest * (a.narrow ? 4 : 8), a.narrow ? 4 : 8);
  effect->address[lowest] = first + a.immediate;
  return in_space(w, in, effect, &a, fault);
}
