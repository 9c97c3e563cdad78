#include "func/ipdom_execute.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "func/lane_access.h"

/* A word with stored bytes. Slots of an older round are free. */
struct overlay {
  uint32_t address, word, bytes; /* bytes: mask of the valid bytes */
  uint32_t round;
};

struct sl_store_log {
  struct sl_lane_change *entries;
  size_t count, capacity;
  struct overlay *table; /* open addressing, at most half full */
  size_t table_size, words;
  uint32_t round;
  bool lost; /* an entry was lost for lack of host memory */
};

enum { FIRST_TABLE = 256 };

struct sl_store_log *sl_store_log_create(void)
{
  struct sl_store_log *log = sl_lines_of(1, sizeof *log);
  if (log == NULL)
    return NULL;
  log->table = sl_lines_of(FIRST_TABLE, sizeof *log->table);
  log->table_size = FIRST_TABLE;
  log->round = 1;
  if (log->table != NULL)
    return log;
  free(log);
  return NULL;
}

void sl_store_log_free(struct sl_store_log *log)
{
  if (log == NULL)
    return;
  free(log->entries);
  free(log->table);
  free(log);
}

bool sl_store_log_empty(const struct sl_store_log *log)
{
  return log->count == 0 && !log->lost;
}

/* The slot of a word, or the free slot for it. */
static struct overlay *find(const struct sl_store_log *log, uint32_t address)
{
  const size_t last = log->table_size - 1;
  size_t i = (address >> 2) * UINT32_C(2654435761) >> 7 & last;
  while (log->table[i].round == log->round && log->table[i].address != address)
    i = (i + 1) & last;
  return &log->table[i];
}

static bool grow_table(struct sl_store_log *log)
{
  struct sl_store_log larger = *log;
  larger.table_size = 2 * log->table_size;
  larger.table = sl_lines_of(larger.table_size, sizeof *larger.table);
  if (larger.table == NULL)
    return false;
  for (size_t i = 0; i < log->table_size; i++)
    if (log->table[i].round == log->round)
      *find(&larger, log->table[i].address) = log->table[i];
  free(log->table);
  *log = larger;
  return true;
}

static bool grow_entries(struct sl_store_log *log)
{
  const size_t capacity = log->capacity ? 2 * log->capacity : FIRST_TABLE;
  struct sl_lane_change *larger = realloc(log->entries, capacity * sizeof *larger);
  if (larger == NULL)
    return false;
  log->entries = larger;
  log->capacity = capacity;
  return true;
}

/* Bits of the word that an access covers. */
static uint32_t covered(uint32_t address, unsigned width)
{
  return (uint32_t)(sl_low_bits(8 * width) << (8 * (address & 3)));
}

/* Appends an entry. `word` is the core's new view of the word at this address; the bytes of the entry's width are
 * valid. If the host is out of memory the entry is lost, and clear_log returns false. */
static void log_add(struct sl_store_log *log, const struct sl_lane_change *entry, uint32_t word)
{
  if ((log->count == log->capacity && !grow_entries(log)) ||
      (2 * (log->words + 1) > log->table_size && !grow_table(log))) {
    log->lost = true;
    return;
  }
  log->entries[log->count++] = *entry;
  const uint32_t bytes = covered(entry->address, entry->width), address = entry->address & ~UINT32_C(3);
  struct overlay *o = find(log, address);
  if (o->round != log->round) {
    *o = (struct overlay){.address = address, .round = log->round};
    log->words++;
  }
  o->word = (o->word & ~bytes) | (word & bytes);
  o->bytes |= bytes;
}

/* Returns the core's view of the word at an address (a multiple of 4), given the word in memory. */
static uint32_t log_forward(const struct sl_store_log *log, uint32_t address, uint32_t word)
{
  const struct overlay *o = find(log, address);
  return o->round == log->round ? (word & ~o->bytes) | (o->word & o->bytes) : word;
}

/* Returns all entries in order, and sets *count. */
static const struct sl_lane_change *log_entries(const struct sl_store_log *log, size_t *count)
{
  *count = log->count;
  return log->entries;
}

/* Empties the log. Returns false if entries were lost. */
static bool clear_log(struct sl_store_log *log)
{
  const bool complete = !log->lost;
  if (log->count == 0)
    return complete;
  log->count = log->words = 0;
  if (++log->round == 0) { /* wrapped: stale slots could look valid */
    memset(log->table, 0, log->table_size * sizeof *log->table);
    log->round = 1;
  }
  return complete;
}

static bool fault(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex, enum sl_fault_kind kind)
{
  const sl_lanes lanes = sl_lanes_wrong(kind, ex->active, ex->address, ex->insn->width, SL_IPDOM_IO_BASE);
  (void)sl_ipdom_fault_of(w, warp, ex, kind, ex->address[sl_lowest(lanes)]);
  w->fault.lanes = lanes;
  return false;
}

static bool is_local(const struct sl_ipdom_warps *w, uint32_t address)
{
  return address - w->spec.local_base < w->spec.local_bytes;
}

static uint8_t *local_at(const struct sl_ipdom_warps *w, uint32_t address)
{
  return w->local + ((address - w->spec.local_base) & (w->spec.local_storage_bytes - 1));
}

/* ---- one unit ---------------------------------------------------------------------------------------------------- */

static bool logging(const struct sl_ipdom_warps *w)
{
  return w->log != NULL && !sl_store_log_empty(w->log);
}

/* The core's view of one unit. */
static uint32_t unit(const void *memory, uint32_t address, unsigned width)
{
  const struct sl_ipdom_warps *w = memory;
  if (is_local(w, address))
    return sl_memory_unit(local_at(w, address), width);
  if (!logging(w))
    return sl_memory_unit(sl_memory_peek(w->memory, address), width);
  const uint32_t at = address & ~UINT32_C(3), word = sl_memory_unit(sl_memory_peek(w->memory, at), 4);
  return (log_forward(w->log, at, word) >> (8 * (address & 3))) & (uint32_t)sl_low_bits(8 * width);
}

/* Store to the I/O region: the console takes bytes. The exit code is a word of memory. */
static void store_io(struct sl_ipdom_warps *w, uint32_t address, unsigned width, uint32_t value)
{
  for (unsigned i = 0; i < width && address + i < SL_IPDOM_CONSOLE_END; i++)
    if (w->console != NULL)
      w->console(w->io_context, address + i - SL_IPDOM_IO_BASE, (uint8_t)(value >> (8 * i)));
  if ((address & ~3u) == SL_IPDOM_EXIT_CODE && w->exit_code != NULL)
    w->exit_code(w->io_context, sl_memory_load(w->memory, SL_IPDOM_EXIT_CODE, 4));
}

/* Notes stores to code. A logged store affects other cores when the log is applied. */
static void note_lanes(struct sl_ipdom_warps *w, const struct sl_ipdom_execution *ex)
{
  w->code_logged |= w->log != NULL;
  if (w->log == NULL)
    sl_rv_note_code(w->memory, ex->address, ex->active & ~ex->local, ex->insn->width, ex->pc);
}

/* Makes a change now. */
static void perform(struct sl_ipdom_warps *w, const struct sl_lane_change *c)
{
  const bool local = is_local(w, c->address);
  uint8_t *bytes = local ? local_at(w, c->address) : sl_memory_at(w->memory, c->address);
  sl_lane_change(c, bytes, sl_ipdom_register(w, c->warp, c->rd) + c->lane);
  if (!local && c->address < SL_IPDOM_IO_END)
    store_io(w, c->address, c->width, sl_memory_unit(bytes, c->width));
}

/* Makes a change now, or logs it with the core's new view. */
static void perform_or_log(void *memory, const struct sl_lane_change *c)
{
  struct sl_ipdom_warps *w = memory;
  if (w->log == NULL || is_local(w, c->address))
    perform(w, c);
  else if (c->kind == SL_KIND_STORE)
    log_add(w->log, c, c->value << (8 * (c->address & 3)));
  else
    log_add(w->log, c, sl_lane_left(c, unit(w, c->address, 4)));
}

/* A store to memory itself. */
SL_RV_BODY void put(void *memory, const struct sl_lane_change *c)
{
  sl_lane_change(c, sl_memory_at(((struct sl_ipdom_warps *)memory)->memory, c->address), NULL);
}

/* ---- warps ------------------------------------------------------------------------------------------------------- */

/* Address of the lanes' units if all lanes are consecutive, else NULL. `bytes` lie in one page or in local memory. */
static const uint8_t *adjacent(const struct sl_ipdom_warps *w, const struct sl_ipdom_execution *ex,
                               const struct sl_addresses *s)
{
  const uint32_t bytes = (uint32_t)ex->insn->width << w->lane_bits;
  if (!s->consecutive || ex->active != w->all)
    return NULL;
  if (ex->local == ex->active) {
    const uint32_t offset = (s->first - w->spec.local_base) & (w->spec.local_storage_bytes - 1);
    return bytes <= w->spec.local_storage_bytes - offset ? w->local + offset : NULL;
  }
  if (ex->local != 0 || ex->io != 0 || !sl_lanes_in_page(s))
    return NULL;
  return sl_memory_peek(w->memory, s->first);
}

static void load(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                 const struct sl_addresses *s)
{
  const struct sl_rv_lanes l = sl_ipdom_lanes(w, warp, ex);
  const bool plain = s->low != s->high && (!logging(w) || ex->local == ex->active);
  const bool one_page = plain && ex->local == 0 && sl_lanes_in_page(s);
  const uint8_t *page = one_page ? sl_memory_peek(w->memory, s->low & ~(uint32_t)(SL_PAGE_BYTES - 1)) : NULL;
  sl_rv_load(&l, ex->address, s, page, plain ? adjacent(w, ex, s) : NULL, unit, w);
}

/* Copies the words of all lanes if they are consecutive. */
static bool store_stretch(struct sl_ipdom_warps *w, const uint32_t *b, const struct sl_ipdom_execution *ex,
                          const struct sl_addresses *s)
{
  const uint8_t *first = ex->insn->width == 4 ? adjacent(w, ex, s) : NULL;
  if (first == NULL || (w->log != NULL && ex->local != ex->active))
    return false;
  uint8_t *to = ex->local ? local_at(w, s->first) : sl_memory_at(w->memory, s->first);
  memcpy(to, b, (size_t)4 << w->lane_bits);
  return true;
}

/* Lanes are served in order of their number. */
static void store(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                  const struct sl_addresses *s)
{
  const struct sl_rv_lanes l = sl_ipdom_lanes(w, warp, ex);
  const struct sl_lane_order order = {.rest = ex->active};
  if (store_stretch(w, sl_rv_register(&l, ex->insn->rs2), ex, s))
    return;
  if (w->log == NULL && ex->local == 0 && ex->io == 0)
    sl_lanes_change(&l, SL_KIND_STORE, warp, ex->address, order, NULL, unit, put, w);
  else
    sl_lanes_change(&l, SL_KIND_STORE, warp, ex->address, order, NULL, unit, perform_or_log, w);
}

static void atomic(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  const struct sl_rv_lanes l = sl_ipdom_lanes(w, warp, ex);
  sl_lanes_change(&l, (enum sl_kind)ex->insn->kind, warp, ex->address, (struct sl_lane_order){.rest = ex->active},
                  &w->reserved[warp << w->lane_bits], unit, perform_or_log, w);
}

/* Finds the active lanes in local memory and in the I/O region. */
static void find_regions(const struct sl_ipdom_warps *w, struct sl_ipdom_execution *ex, const struct sl_addresses *s)
{
  ex->local = sl_rv_within(w->ops, ex->address, s, ex->active, w->spec.local_base, w->spec.local_bytes, w->spec.lanes);
  ex->io = s->low < SL_IPDOM_IO_END ? sl_rv_within(w->ops, ex->address, s, ex->active, SL_IPDOM_IO_BASE,
                                                   SL_IPDOM_IO_END - SL_IPDOM_IO_BASE, w->spec.lanes)
                                    : 0;
}

/* The RTL leaves the low address bits to the byte enables, so it accesses the aligned unit. */
static void align(const struct sl_ipdom_warps *w, struct sl_ipdom_execution *ex, struct sl_addresses *s)
{
  const uint32_t kept = ~(ex->insn->width - UINT32_C(1));
  for (unsigned lane = 0; lane < w->spec.lanes; lane++)
    ex->address[lane] &= kept;
  s->low &= kept;
  s->high &= kept;
  s->first &= kept;
  s->consecutive = false;
}

/* Accesses each lane byte by byte, at any address. */
static void access_bytes(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    uint32_t value = in->kind == SL_KIND_STORE ? sl_ipdom_register(w, warp, in->rs2)[lane] : 0;
    for (unsigned i = 0; i < in->width; i++) {
      const uint32_t address = ex->address[lane] + i;
      if (in->kind == SL_KIND_STORE)
        perform_or_log(w, &(struct sl_lane_change){.pc = ex->pc,
                                                   .address = address,
                                                   .value = value >> (8 * i) & 0xff,
                                                   .op = SL_OP_SB,
                                                   .kind = SL_KIND_STORE,
                                                   .width = 1,
                                                   .warp = (uint8_t)warp,
                                                   .lane = (uint8_t)lane});
      else
        value |= unit(w, address, 1) << (8 * i);
    }
    if (in->kind == SL_KIND_LOAD && in->rd != 0)
      sl_ipdom_register(w, warp, in->rd)[lane] = sl_unit_extend(in->op, value);
  }
}

/* 64-bit words: an access to shared memory uses the offset into it, with or without the base. */
static void to_local(const struct sl_ipdom_warps *w, struct sl_ipdom_execution *ex, struct sl_addresses *s)
{
  const uint32_t mask = w->spec.local_bytes - 1;
  const bool wraps = (s->low & ~mask) != (s->high & ~mask);
  s->low = UINT32_MAX;
  s->high = 0;
  for (unsigned lane = 0; lane < w->spec.lanes; lane++) {
    const uint32_t address = w->spec.local_base + (ex->address[lane] & mask);
    ex->address[lane] = address;
    s->low = address < s->low ? address : s->low;
    s->high = address > s->high ? address : s->high;
  }
  s->first = w->spec.local_base + (s->first & mask);
  s->consecutive &= !wraps;
}

/* Sets the addresses of the active lanes. */
static inline void find_addresses(const struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                  struct sl_addresses *s)
{
  /* No interleaved stacks: the highest address maps to itself. */
  static const struct sl_stack_map nothing = {.virtual_base = UINT32_MAX, .physical_base = UINT32_MAX};
  const struct sl_insn *in = ex->insn;
  w->ops->addresses(sl_ipdom_register(w, warp, in->rs1), in, ex->active, &nothing, ex->address, s, w->spec.lanes);
  if (__builtin_expect(in->op == SL_OP_LW_SHARED || in->op == SL_OP_SW_SHARED, 0))
    to_local(w, ex, s);
}

bool sl_ipdom_try_access(const struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                         struct sl_trial_memory *memory)
{
  const bool loads = ex->insn->kind == SL_KIND_LOAD;
  const unsigned width = loads || ex->insn->kind == SL_KIND_STORE ? ex->insn->width : 4;
  struct sl_addresses s;
  find_addresses(w, warp, ex, &s);
  if (s.misaligned ||
      (!loads && (s.low < SL_IPDOM_IO_END || sl_stored_code_meets(&w->memory->code, s.low, s.high | 3))))
    return false;
  bool accepted = true;
  for (sl_lanes rest = ex->active; rest && accepted; rest &= rest - 1) {
    const uint32_t address = ex->address[sl_lowest(rest)];
    uint8_t *at = is_local(w, address) ? local_at(w, address) : sl_memory_at(w->memory, address);
    accepted = address < SL_IPDOM_IO_END || sl_trial_access(memory, at, width, !loads);
  }
  return accepted;
}

bool sl_ipdom_access(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  struct sl_addresses s;
  find_addresses(w, warp, ex, &s);
  if (s.misaligned &&
      (w->spec.misaligned == SL_MISALIGNED_FAULTS || in->kind == SL_KIND_AMO || in->kind == SL_KIND_LRSC))
    return fault(w, warp, ex, SL_FAULT_MISALIGNED);
  if (s.misaligned && w->spec.misaligned == SL_MISALIGNED_WORD)
    align(w, ex, &s);
  if (s.low < SL_IPDOM_IO_BASE)
    return fault(w, warp, ex, SL_FAULT_ADDRESS);
  find_regions(w, ex, &s);
  if (in->kind != SL_KIND_LOAD && sl_stored_code_meets(&w->memory->code, s.low, s.high | 3))
    note_lanes(w, ex);
  if (s.misaligned && w->spec.misaligned == SL_MISALIGNED_BYTES) {
    access_bytes(w, warp, ex);
  } else if (in->kind == SL_KIND_LOAD) {
    if (in->rd != 0)
      load(w, warp, ex, &s);
  } else if (in->kind == SL_KIND_STORE) {
    store(w, warp, ex, &s);
  } else {
    atomic(w, warp, ex);
  }
  return true;
}

void sl_ipdom_perform_log(struct sl_ipdom_warps *w)
{
  size_t count;
  const struct sl_lane_change *entry = log_entries(w->log, &count);
  for (size_t i = 0; i < count; i++) {
    if (sl_stored_code_meets(&w->memory->code, entry[i].address, entry[i].address))
      sl_stored_code_note(&w->memory->code, entry[i].address, entry[i].width, entry[i].pc);
    perform(w, &entry[i]);
  }
  w->code_logged = false;
  w->memory->exhausted |= !clear_log(w->log);
}

/* pc of the core's last logged store or atomic that changes the decoded word at an address. */
static uint32_t logged_writer(const struct sl_ipdom_warps *w, uint32_t at, uint32_t decoded)
{
  size_t count;
  const struct sl_lane_change *entry = log_entries(w->log, &count);
  uint32_t writer = 0;
  if (log_forward(w->log, at, sl_memory_unit(sl_memory_peek(w->memory, at), 4)) == decoded)
    return 0;
  for (size_t i = 0; i < count; i++)
    if ((entry[i].address & ~UINT32_C(3)) == at)
      writer = entry[i].pc;
  return writer;
}

uint32_t sl_ipdom_overwrote(const struct sl_ipdom_warps *w, const struct sl_ipdom_execution *ex)
{
  uint32_t writer = sl_memory_overwrote(w->memory, ex->pc, ex->insn->word, sl_insn_bytes(ex->insn));
  for (unsigned at = 0; w->code_logged && at < sl_insn_bytes(ex->insn) && writer == 0; at += 4)
    writer = logged_writer(w, ex->pc + at, (uint32_t)(ex->insn->word >> (8 * at)));
  return writer;
}
