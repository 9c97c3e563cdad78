#include "func/path_execute.h"

#include "func/lane_access.h"
#include "timing/memory/scratchpad.h"

bool sl_path_fault(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, enum sl_fault_kind kind,
                   sl_lanes lanes, uint32_t address)
{
  t->fault = (struct sl_fault){.kind = kind, .warp = (int)warp, .lanes = lanes, .pc = ex->pc, .address = address};
  if (ex->insn != NULL)
    t->fault.insn = *ex->insn;
  return false;
}

/* Finds the lanes that fault, once some are known to. */
static bool address_fault(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                          const struct sl_request *r, enum sl_fault_kind kind)
{
  const struct sl_stack_map *m = &t->stack;
  const uint32_t *x = sl_path_warps_registers(t, warp) + ((size_t)ex->insn->rs1 << t->lane_bits);
  uint32_t unmapped[SL_MAX_LANES];
  sl_lanes lanes = sl_lanes_wrong(kind, ex->active, r->address, r->width, t->memory->low);
  if (kind == SL_FAULT_STACK) {
    t->ops->shape(x, ex->insn->imm, unmapped, t->spec.lanes);
    lanes = ex->active & t->ops->within(unmapped, m->virtual_base - m->gap_bytes, m->gap_bytes, t->spec.lanes);
  }
  return sl_path_fault(t, warp, ex, kind, lanes, r->address[sl_lowest(lanes)]);
}

/* The page of all accesses, or NULL if there are several. */
static uint8_t *single_page(struct sl_path_warps *t, const struct sl_addresses *s)
{
  return sl_lanes_in_page(s) ? sl_memory_at(t->memory, s->low & ~(uint32_t)(SL_PAGE_BYTES - 1)) : NULL;
}

/* Address of the first unit if all lanes are active and their units are consecutive in one page; else NULL. */
static uint8_t *whole_stream(const struct sl_path_warps *t, const struct sl_execution *ex, const struct sl_addresses *s,
                             uint8_t *page)
{
  if (!s->consecutive || page == NULL || ex->active != t->all)
    return NULL;
  return page + (s->first & (SL_PAGE_BYTES - 1));
}

/* Address of the window that contains the nearby words of all lanes; NULL if there is none. */
static const uint8_t *window_of(const struct sl_path_warps *t, const struct sl_execution *ex,
                                const struct sl_addresses *s, const struct sl_access_memo_entry *memo,
                                const uint8_t *page)
{
  const uint32_t at = s->low & (SL_PAGE_BYTES - 1);
  const bool near = memo != NULL && memo->window && page != NULL && ex->insn->width == 4 && ex->active == t->all;
  return near && at <= SL_PAGE_BYTES - 4 * SL_LANES_WINDOW ? page + at : NULL;
}

static uint32_t unit(const void *memory, uint32_t address, unsigned width)
{
  return sl_memory_unit(sl_memory_peek(memory, address), width);
}

static void load(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, const struct sl_request *r,
                 const struct sl_addresses *s, const struct sl_access_memo_entry *memo)
{
  const struct sl_rv_lanes l = sl_path_lanes(t, warp, ex);
  uint8_t *page = s->low != s->high ? single_page(t, s) : NULL;
  const uint8_t *first = whole_stream(t, ex, s, page), *window = window_of(t, ex, s, memo, page);
  if (s->low != s->high && first == NULL && window != NULL)
    t->ops->pick(sl_rv_register(&l, ex->insn->rd), window, memo->index, t->spec.lanes);
  else
    sl_rv_load(&l, r->address, s, page, first, unit, t->memory);
}

/* A store or atomic of one lane. */
struct place {
  struct sl_path_warps *t;
  uint32_t *d; /* rd of lane 0; NULL: a store */
};

SL_RV_BODY void change(void *place, const struct sl_lane_change *c)
{
  const struct place *p = place;
  sl_lane_change(c, sl_memory_at(p->t->memory, c->address), p->d != NULL ? p->d + c->lane : NULL);
}

SL_RV_BODY uint32_t unit_at(const void *place, uint32_t address, unsigned width)
{
  return unit(((const struct place *)place)->t->memory, address, width);
}

/* Stores the words of lanes to one page, in the order of a list. */
static void store_words(uint8_t *page, const uint32_t *b, const uint32_t *address, const uint8_t *list, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    memcpy(page + (address[list[i]] & (SL_PAGE_BYTES - 1)), &b[list[i]], 4);
}

/* The sums of AMOADD in one page, in the order of a list. d: rd of lane 0; NULL: no rd. A lane's operand is read before
 * its result is written, because rd may be rs2. */
static void add_words(uint8_t *page, const uint32_t *b, uint32_t *d, const uint32_t *address, const uint8_t *list,
                      unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    const unsigned lane = list[i];
    uint8_t *const word = page + (address[lane] & (SL_PAGE_BYTES - 1));
    const uint32_t before = sl_memory_unit(word, 4);
    sl_memory_put(word, 4, before + b[lane]);
    if (d != NULL)
      d[lane] = before;
  }
}

/* The scratchpad serves its lanes in the order of its banks. Of other memory, the lowest lane wins a store, and is
 * served first by atomics. */
static void store(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, const struct sl_request *r,
                  const struct sl_addresses *s, const uint8_t *list)
{
  const struct sl_rv_lanes l = sl_path_lanes(t, warp, ex);
  uint8_t *page = ex->insn->width == 4 ? single_page(t, s) : NULL, *words = whole_stream(t, ex, s, page);
  const struct sl_lane_order order = {list, sl_count(r->scratchpad), ex->active & ~r->scratchpad, true};
  const uint32_t *b = sl_rv_register(&l, ex->insn->rs2);
  struct place place = {.t = t};
  if (words != NULL)
    memcpy(words, b, (size_t)4 << t->lane_bits);
  else if (page != NULL && order.rest == 0)
    store_words(page, b, r->address, list, order.count);
  else
    sl_lanes_change(&l, SL_KIND_STORE, warp, r->address, order, NULL, unit_at, change, &place);
}

static void atomic(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, const struct sl_request *r,
                   const struct sl_addresses *s, const uint8_t *list)
{
  const struct sl_rv_lanes l = sl_path_lanes(t, warp, ex);
  const struct sl_lane_order order = {list, sl_count(r->scratchpad), ex->active & ~r->scratchpad, false};
  struct place place = {.t = t, .d = sl_rv_register(&l, ex->insn->rd)};
  uint8_t *page = ex->insn->op == SL_OP_AMOADD && order.rest == 0 ? single_page(t, s) : NULL;
  if (page != NULL) {
    add_words(page, sl_rv_register(&l, ex->insn->rs2), ex->insn->rd != 0 ? place.d : NULL, r->address, list,
              order.count);
    return;
  }
  struct sl_reservation *reserved = t->reserved != NULL ? t->reserved + (warp << t->lane_bits) : NULL;
  t->s.global_atomics += sl_count(order.rest);
  sl_lanes_change(&l, (enum sl_kind)ex->insn->kind, warp, r->address, order, reserved, unit_at, change, &place);
}

/* Returns true if all lanes that address the scratchpad use one address. */
static bool one_address(const struct sl_path_warps *t, const struct sl_execution *ex, const struct sl_addresses *s,
                        const struct sl_request *r)
{
  if (r->scratchpad == ex->active)
    return s->low == s->high;
  return (r->scratchpad & ~t->ops->equal(r->address, r->address[sl_lowest(r->scratchpad)], t->spec.lanes)) == 0;
}

static unsigned bank_passes(const struct sl_path_warps *t, const uint32_t *address, sl_lanes lanes,
                            uint8_t order[SL_MAX_LANES])
{
  const unsigned banks = t->spec.scratchpad_banks;
  const bool wide = t->ops->bank_passes != NULL && banks <= 16 && t->spec.lanes <= 2 * banks;
  return (wide ? t->ops->bank_passes : sl_scratchpad_schedule)(address, lanes, banks, order);
}

/* Returns the bank passes of the scratchpad, and for stores and atomics the order in which they serve the lanes. memo:
 * of these addresses, or NULL. */
static unsigned schedule(const struct sl_path_warps *t, const struct sl_execution *ex, const struct sl_addresses *s,
                         const struct sl_request *r, struct sl_access_memo_entry *memo, uint8_t own[SL_MAX_LANES],
                         const uint8_t **order)
{
  const struct sl_path_warps_spec *spec = &t->spec;
  const bool load = r->access == SL_ACCESS_LOAD;
  const bool any_order = load || (r->access == SL_ACCESS_ATOMIC && ex->insn->rd == 0 && ex->insn->op != SL_OP_AMOSWAP &&
                                  ex->insn->op != SL_OP_SC);
  *order = own;
  if (load && one_address(t, ex, s, r))
    return 1; /* broadcast */
  if (!t->s.timing && any_order) {
    unsigned n = 0;
    for (sl_lanes rest = load ? 0 : r->scratchpad; rest; rest &= rest - 1)
      own[n++] = (uint8_t)sl_lowest(rest);
    return 1;
  }
  if (s->consecutive && ex->insn->width == 4 && r->scratchpad == t->all) {
    /* Consecutive words use each bank once per pass. */
    for (unsigned lane = 0; !load && lane < spec->lanes; lane++)
      own[lane] = (uint8_t)lane;
    return spec->lanes > spec->scratchpad_banks ? spec->lanes / spec->scratchpad_banks : 1;
  }
  if (memo == NULL || r->scratchpad != memo->lanes)
    return bank_passes(t, r->address, r->scratchpad, own);
  if (!memo->served || memo->residue != (s->first & 3)) {
    memo->passes = (uint8_t)bank_passes(t, r->address, r->scratchpad, memo->order);
    memo->residue = s->first & 3;
    memo->served = true;
  }
  *order = memo->order;
  return memo->passes;
}

static enum sl_pattern pattern_of(const struct sl_path_warps *t, const struct sl_execution *ex,
                                  const struct sl_addresses *s)
{
  const uint32_t width = ex->insn->width, lane0 = s->first - sl_lowest(ex->active) * width;
  if (s->low == s->high)
    return SL_PATTERN_SAME;
  return s->consecutive && (lane0 & (t->spec.lanes * width - 1)) == 0 ? SL_PATTERN_BLOCK : SL_PATTERN_ANY;
}

static void fence(const struct sl_execution *ex, struct sl_request *r)
{
  /* In the published RTL a fence reads address 0 on all active lanes. */
  memset(r->address, 0, sizeof r->address);
  r->access = SL_ACCESS_FENCE;
  r->pattern = SL_PATTERN_SAME;
  r->width = 1;
  r->scratchpad = 0;
  r->responds = true;
  r->rd = 0;
  r->pending = ex->active;
}

static enum sl_access access_of(enum sl_kind kind)
{
  return kind == SL_KIND_LOAD ? SL_ACCESS_LOAD : kind == SL_KIND_STORE ? SL_ACCESS_STORE : SL_ACCESS_ATOMIC;
}

/* Fills in a request, except its addresses. */
static void describe(const struct sl_insn *in, sl_lanes active, unsigned warp, struct sl_request *r)
{
  r->warp = (uint8_t)warp;
  r->access = access_of(in->kind);
  r->width = in->width;
  r->rd = r->access == SL_ACCESS_STORE ? 0 : in->rd;
  r->responds = r->access == SL_ACCESS_LOAD || (r->access == SL_ACCESS_ATOMIC && in->rd != 0);
  r->pending = active;
}

/* Performs an access with valid addresses. memo: of these addresses, or NULL. */
static bool perform(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, struct sl_request *r,
                    const struct sl_addresses *s, struct sl_access_memo_entry *memo)
{
  const struct sl_insn *in = ex->insn;
  r->pattern = pattern_of(t, ex, s);
  r->scratchpad =
      sl_rv_within(t->ops, r->address, s, ex->active, t->spec.scratchpad_base, t->spec.scratchpad_bytes, t->spec.lanes);
  if (r->access == SL_ACCESS_ATOMIC && r->scratchpad != ex->active) {
    sl_lanes lanes = ex->active & ~r->scratchpad;
    if (!t->spec.global_atomics)
      return sl_path_fault(t, warp, ex, SL_FAULT_ATOMIC, lanes, r->address[sl_lowest(lanes)]);
    r->responds = true;
    if (sl_stored_code_meets(&t->memory->code, s->low, s->high))
      sl_rv_note_code(t->memory, r->address, lanes, r->width, ex->pc);
  }
  uint8_t own[SL_MAX_LANES];
  const uint8_t *order = own;
  if (r->scratchpad)
    r->scratchpad_passes = (uint8_t)schedule(t, ex, s, r, memo, own, &order);
  switch (r->access) {
  case SL_ACCESS_LOAD:
    if (in->rd != 0)
      load(t, warp, ex, r, s, memo);
    break;
  case SL_ACCESS_STORE:
    if (sl_stored_code_meets(&t->memory->code, s->low, s->high))
      sl_rv_note_code(t->memory, r->address, ex->active, r->width, ex->pc);
    store(t, warp, ex, r, s, order);
    break;
  default: atomic(t, warp, ex, r, s, order); break;
  }
  return true;
}

/* The memo's index of an instruction. */
static uint32_t memo_number(const struct sl_path_warps *t, const struct sl_insn *in)
{
  return sl_code_number(&t->code, in) << 3 | in->width;
}

/* Computes the addresses. Returns true if they match the memo's pattern; then the summary comes from the memo, unless
 * lanes may access their stacks. */
static bool recall(struct sl_path_warps *t, const struct sl_execution *ex, const uint32_t *base, uint32_t imm,
                   const struct sl_access_memo_entry *memo, struct sl_request *r, struct sl_addresses *s)
{
  if (memo->lanes != ex->active || memo->instruction != memo_number(t, ex->insn) ||
      !t->ops->offsets(base, imm, ex->active, memo->offset, r->address, t->spec.lanes))
    return false;
  const uint32_t first = r->address[sl_lowest(ex->active)], low = first + memo->low, high = first + memo->high;
  *s = (struct sl_addresses){.low = low,
                             .high = high,
                             .first = first,
                             .misaligned = ((first | memo->bits) & (ex->insn->width - 1u)) != 0,
                             .consecutive = memo->consecutive};
  return low <= first && first <= high && high < t->stack.virtual_base - t->stack.gap_bytes;
}

/* Records the address pattern where that pays, unless an address is on the lane's own stack. */
static struct sl_access_memo_entry *learn(struct sl_path_warps *t, const struct sl_execution *ex,
                                          const struct sl_request *r, const struct sl_addresses *s,
                                          struct sl_access_memo_entry *memo)
{
  const bool stacks = s->high >= t->stack.physical_base || s->high >= t->stack.virtual_base - t->stack.gap_bytes;
  const bool pays = t->s.timing && !stacks && s->low != s->high && !(s->consecutive && ex->active == t->all);
  return pays && sl_access_memo_learn(memo, memo_number(t, ex->insn), r->address, ex->active, s, t->spec.lanes) ? memo
                                                                                                                : NULL;
}

struct sl_access_memo_entry *sl_memory_addresses(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                                                 struct sl_request *r, struct sl_addresses *s)
{
  const struct sl_insn *in = ex->insn;
  const uint32_t *base = sl_path_warps_registers(t, warp) + ((size_t)in->rs1 << t->lane_bits);
  struct sl_access_memo_entry *memo = sl_access_memo_entry(t->memo, sl_code_number(&t->code, in));
  if (recall(t, ex, base, in->imm, memo, r, s))
    return memo;
  t->stack.lane0 = warp << (2 + t->lane_bits);
  t->ops->addresses(base, in, ex->active, &t->stack, r->address, s, t->spec.lanes);
  return learn(t, ex, r, s, memo);
}

static bool reservation_fault(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex)
{
  sl_path_fault(t, warp, ex, SL_FAULT_UNKNOWN_INSTRUCTION, ex->active, 0);
  t->fault.detail = "LR and SC need global_atomics=true";
  return false;
}

bool sl_memory_access_addressed(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                                struct sl_request *r, const struct sl_addresses *s, struct sl_access_memo_entry *memo)
{
  describe(ex->insn, ex->active, warp, r);
  if (ex->insn->kind == SL_KIND_LRSC && t->reserved == NULL)
    return reservation_fault(t, warp, ex);
  if (s->misaligned)
    return address_fault(t, warp, ex, r, SL_FAULT_MISALIGNED);
  if (s->stray)
    return address_fault(t, warp, ex, r, SL_FAULT_STACK);
  if (s->low < t->memory->low)
    return address_fault(t, warp, ex, r, SL_FAULT_ADDRESS);
  return perform(t, warp, ex, r, s, memo);
}

/* Copies a word per lane. The size is a constant for the usual number of lanes. */
static void copy_row(void *to, const void *from, unsigned lanes)
{
  if (lanes == 32)
    memcpy(to, from, 32 * sizeof(uint32_t));
  else
    memcpy(to, from, lanes * sizeof(uint32_t));
}

static uint8_t *row_at(struct sl_path_warps *t, uint32_t address, bool scratchpad)
{
  uint8_t *const row = sl_memory_at(t->memory, address);
  if (!scratchpad)
    sl_memory_ahead(row);
  return row;
}

/* Returns true if all lanes access the scratchpad, or none, given that their addresses are from s->low to s->high. */
static bool one_memory(const struct sl_path_warps_spec *spec, const struct sl_addresses *s, bool *scratchpad)
{
  const uint32_t base = spec->scratchpad_base, bytes = spec->scratchpad_bytes;
  const bool low_in = s->low - base < bytes, high_in = s->high - base < bytes;
  *scratchpad = low_in;
  return low_in ? high_in : s->high < base || s->low >= base;
}

/* The frequent accesses: all lanes load one word, or load or store consecutive words, in one page of one memory.
 * Returns false if the access is another one; then nothing has changed. */
static inline __attribute__((always_inline)) bool perform_words(struct sl_path_warps *t, unsigned warp,
                                                                const struct sl_execution *ex, struct sl_request *r,
                                                                const struct sl_addresses *s)
{
  const struct sl_insn *in = ex->insn;
  const unsigned lanes = t->spec.lanes, banks = t->spec.scratchpad_banks;
  const bool load = in->op == SL_OP_LW, same = s->low == s->high;
  bool scratchpad;
  if (ex->active != t->all || !(same ? load : s->consecutive && (load || in->op == SL_OP_SW)) ||
      (load && in->rd == 0) || s->misaligned || s->stray || s->low < t->memory->low || !sl_lanes_in_page(s) ||
      !one_memory(&t->spec, s, &scratchpad) || (!load && sl_stored_code_meets(&t->memory->code, s->low, s->high)))
    return false;
  describe(in, ex->active, warp, r);
  r->pattern = same ? SL_PATTERN_SAME : (s->low & (lanes * 4 - 1)) == 0 ? SL_PATTERN_BLOCK : SL_PATTERN_ANY;
  r->scratchpad = scratchpad ? ex->active : 0;
  if (scratchpad) /* consecutive words use each bank once per pass; functional mode does not count the passes of loads
                   */
    r->scratchpad_passes = (uint8_t)(!same && lanes > banks && (t->s.timing || !load) ? lanes / banks : 1);
  uint32_t *const x = sl_path_warps_registers(t, warp);
  if (same)
    t->ops->broadcast(x + ((size_t)in->rd << t->lane_bits), unit(t->memory, s->low, 4), ex->active, lanes);
  else if (load)
    copy_row(x + ((size_t)in->rd << t->lane_bits), row_at(t, s->low, scratchpad), lanes);
  else
    copy_row(row_at(t, s->low, scratchpad), x + ((size_t)in->rs2 << t->lane_bits), lanes);
  return true;
}

/* The same from the registers, for addresses outside the stacks: without the summary of addresses of any shape. */
static bool access_words(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, struct sl_request *r)
{
  const struct sl_insn *in = ex->insn;
  if (ex->active != t->all || (in->op != SL_OP_LW && in->op != SL_OP_SW))
    return false;
  const uint32_t *base = sl_path_warps_registers(t, warp) + ((size_t)in->rs1 << t->lane_bits);
  const enum sl_shape shape = t->ops->shape(base, in->imm, r->address, t->spec.lanes);
  if (shape == SL_SHAPE_OTHER)
    return false;
  const uint32_t first = base[0] + in->imm, last = shape == SL_SHAPE_SAME ? first : first + 4 * (t->spec.lanes - 1);
  const struct sl_addresses s = {
      .low = first, .high = last, .first = first, .misaligned = (first & 3) != 0, .consecutive = shape == SL_SHAPE_ROW};
  return first <= last && last < t->stack.virtual_base - t->stack.gap_bytes && perform_words(t, warp, ex, r, &s);
}

bool sl_memory_access(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, struct sl_request *r)
{
  if (ex->insn->kind == SL_KIND_FENCE) {
    r->warp = (uint8_t)warp;
    fence(ex, r);
    return true;
  }
  if (sl_access_memo_entry(t->memo, sl_code_number(&t->code, ex->insn))->instruction != memo_number(t, ex->insn) &&
      access_words(t, warp, ex, r))
    return true;
  struct sl_addresses s;
  struct sl_access_memo_entry *memo = sl_memory_addresses(t, warp, ex, r, &s);
  return (memo == NULL && perform_words(t, warp, ex, r, &s)) || sl_memory_access_addressed(t, warp, ex, r, &s, memo);
}

bool sl_memory_access_regular(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, uint32_t base,
                              uint32_t stride, struct sl_request *r)
{
  const struct sl_insn *in = ex->insn;
  const uint32_t width = in->width, last = t->spec.lanes - 1;
  uint32_t first = base + in->imm;
  if (stride == 0 && first >= t->stack.virtual_base) {
    /* The same word of every lane's own stack: consecutive in memory. */
    first = t->stack.physical_base | warp << (2 + t->lane_bits) |
            ((first - t->stack.virtual_base) >> 2) << t->stack.slot_shift | (first & 3);
    stride = 4;
  } else if (first >= t->stack.virtual_base - t->stack.gap_bytes - last * stride) {
    return false; /* an address is in the gap or on a stack, or addresses wrap around: lane by lane */
  }
  if (((first | stride) & (width - 1)) != 0 || first < t->memory->low)
    return false;
  const struct sl_addresses s = {
      .low = first, .high = first + last * stride, .first = first, .consecutive = stride == width};
  t->ops->fill(r->address, first, stride, t->spec.lanes);
  if (perform_words(t, warp, ex, r, &s))
    return true;
  describe(in, ex->active, warp, r);
  return perform(t, warp, ex, r, &s, NULL);
}

bool sl_memory_load_uniform(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, uint32_t base,
                            uint32_t *value, struct sl_request *r)
{
  const struct sl_insn *in = ex->insn;
  const uint32_t address = base + in->imm;
  if (address >= t->stack.virtual_base - t->stack.gap_bytes || (address & (in->width - 1u)) != 0 ||
      address < t->memory->low)
    return false; /* own stacks (different addresses) and faults: lane by lane */
  describe(in, ex->active, warp, r);
  r->address[0] = address;
  r->pattern = SL_PATTERN_SAME;
  r->scratchpad = address - t->spec.scratchpad_base < t->spec.scratchpad_bytes ? ex->active : 0;
  r->scratchpad_passes = 1;
  *value = sl_unit_extend(in->op, sl_memory_load(t->memory, address, in->width));
  return true;
}

/* ---- CSRs -------------------------------------------------------------------------------------------------------- */

static enum sl_effect csr_fault(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                                enum sl_fault_kind kind)
{
  sl_path_fault(t, warp, ex, kind, ex->active, ex->insn->csr);
  return SL_EFFECT_FAULT;
}

void sl_path_held(struct sl_path_warps *t, unsigned warp, sl_lanes lanes)
{
  struct sl_warp_path path[SL_MAX_LANES];
  const struct sl_warp_path held = sl_lanes_among(path, sl_paths_places(&t->paths[warp], path), lanes);
  t->fault.held = held.lanes;
  t->fault.held_pc = held.pc;
}

static enum sl_effect command(struct sl_path_warps *t, unsigned warp, struct sl_execution *ex)
{
  if (!sl_csr_writes(ex->insn))
    return SL_EFFECT_NONE;
  if (ex->active != t->all) {
    const enum sl_effect effect = csr_fault(t, warp, ex, SL_FAULT_DIVERGED_COMMAND);
    sl_path_held(t, warp, ~ex->active);
    return effect;
  }
  const struct sl_rv_lanes l = sl_path_lanes(t, warp, ex);
  ex->command = sl_rv_csr_written(&l, 0, 0);
  return SL_EFFECT_COMMAND;
}

bool sl_csr_commands(const struct sl_path_warps *t, unsigned warp, const struct sl_insn *in, uint32_t *value)
{
  if (in->kind != SL_KIND_CSR || in->csr != SL_CSR_COMMAND || !sl_csr_writes(in))
    return false;
  const struct sl_rv_lanes l = {.insn = in, .x = sl_path_warps_registers(t, warp), .lane_bits = t->lane_bits};
  *value = sl_rv_csr_written(&l, 0, 0);
  return true;
}

static void print_words(struct sl_path_warps *t, const struct sl_rv_lanes *l)
{
  for (sl_lanes rest = t->print_word != NULL && sl_csr_writes(l->insn) ? l->active : 0; rest; rest &= rest - 1)
    t->print_word(t->print_context, sl_rv_csr_written(l, 0, sl_lowest(rest)));
}

enum sl_effect sl_csr_access(struct sl_path_warps *t, unsigned warp, struct sl_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  const struct sl_rv_lanes l = sl_path_lanes(t, warp, ex);
  uint32_t value = 0, step = 0;
  switch (in->csr) {
  case SL_CSR_COMMAND: return command(t, warp, ex);
  case SL_CSR_PRINT_WORD: print_words(t, &l); break;
  case SL_CSR_END:
    if (t->end_program != NULL && sl_csr_writes(in))
      t->end_program(t->print_context, sl_rv_csr_written(&l, 0, sl_lowest(ex->active)));
    break;
  case SL_CSR_HART_ID:
    value = warp << t->lane_bits;
    step = 1;
    break;
  case SL_CSR_CLOSURE: value = t->s.closure; break;
  default: return csr_fault(t, warp, ex, SL_FAULT_CSR);
  }
  return sl_rv_csr_read(&l, value, step) ? SL_EFFECT_RESULT : SL_EFFECT_NONE;
}
