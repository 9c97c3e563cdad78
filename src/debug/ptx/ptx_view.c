#include "debug/ptx/ptx_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "debug/ptx/ptx_debug.h"
#include "debug/ptx/ptx_stub.h"
#include "debug/remote.h"
#include "isa/lanes.h"
#include "ptx/run/ptx_access.h"

enum { PC = SL_PTX_VIEW_PC, OWN = 4200, WARP = OWN, LANE, BLOCK, TID, MASK, CYCLE, OWN_END };
enum { FIRST_THREAD = 2, RETURN = 1, STACK = 2 };

/* ---- threads ----------------------------------------------------------------------------------------------------- */

const struct sl_ptx_warp *sl_ptx_view_warp(const struct sl_ptx_view *v, unsigned thread)
{
  const unsigned warp = (thread - FIRST_THREAD) / SL_PTX_LANES - v->first;
  return v->block != NULL && thread >= FIRST_THREAD && warp < v->block->warp_count ? &v->block->warps[warp] : NULL;
}

unsigned sl_ptx_view_lane(unsigned thread)
{
  return (thread - FIRST_THREAD) % SL_PTX_LANES;
}

unsigned sl_ptx_view_thread(const struct sl_ptx_view *v, const struct sl_ptx_warp *w, unsigned lane)
{
  return FIRST_THREAD + (v->first + w->index) * SL_PTX_LANES + lane;
}

/* The entry of a lane that lives: the uppermost that has it. */
const struct sl_simt_stack_entry *sl_ptx_view_entry(const struct sl_ptx_warp *w, unsigned lane)
{
  for (uint32_t i = w->stack.depth; i-- > 0;)
    if ((w->stack.entries[i].mask >> lane & 1) != 0)
      return &w->stack.entries[i];
  return NULL;
}

bool sl_ptx_view_lives(const struct sl_ptx_view *v, uint64_t thread)
{
  const struct sl_ptx_warp *w = thread <= UINT32_MAX ? sl_ptx_view_warp(v, (unsigned)thread) : NULL;
  return w != NULL && sl_ptx_view_entry(w, sl_ptx_view_lane((unsigned)thread)) != NULL;
}

uint64_t sl_ptx_view_place(const struct sl_ptx_warp *w)
{
  return sl_ptx_code_number(w->block->launch->module, sl_simt_stack_pc(&w->stack));
}

uint64_t sl_ptx_view_pc(const struct sl_ptx_view *v, unsigned thread)
{
  const struct sl_ptx_warp *w = sl_ptx_view_warp(v, thread);
  const struct sl_simt_stack_entry *entry = w != NULL ? sl_ptx_view_entry(w, sl_ptx_view_lane(thread)) : NULL;
  return entry != NULL ? sl_ptx_code_address(w->block->launch->module, entry->pc) : 0;
}

/* The address to which a lane's function of this call level returns; 0: it is the kernel. */
static uint64_t return_of(const struct sl_ptx_warp *w, unsigned lane, uint32_t level)
{
  for (uint32_t i = level > 0 ? w->stack.depth : 0; i-- > 0;)
    if ((w->stack.entries[i].mask >> lane & 1) != 0 && w->stack.entries[i].call == level - 1)
      return sl_ptx_code_address(w->block->launch->module, w->stack.entries[i].pc);
  return 0;
}

bool sl_ptx_view_stack(const struct sl_ptx_view *v, unsigned thread, uint64_t address, uint8_t *bytes, size_t size)
{
  const struct sl_ptx_warp *w = sl_ptx_view_warp(v, thread);
  const uint64_t first = SL_PTX_STACK_END - (uint64_t)SL_PTX_FRAME * SL_PTX_FRAMES;
  if (address < first || address > SL_PTX_STACK_END || size > SL_PTX_STACK_END - address)
    return false;
  for (size_t i = 0; i < size; i++) {
    const uint64_t below = SL_PTX_STACK_END - 1 - (address + i); /* frame `level` begins SL_PTX_FRAME * level below */
    const uint32_t level = (uint32_t)(below / SL_PTX_FRAME) + 1;
    const unsigned byte = (unsigned)(SL_PTX_FRAME - 1 - below % SL_PTX_FRAME);
    const uint64_t value = w != NULL ? return_of(w, sl_ptx_view_lane(thread), level) : 0;
    bytes[i] = (uint8_t)(byte >= 8 ? value >> 8 * (byte - 8) : 0);
  }
  return true;
}

uint64_t sl_ptx_view_number(const struct sl_ptx_block *b)
{
  const uint32_t *size = b->launch->grid;
  return ((uint64_t)b->index[2] * size[1] + b->index[1]) * size[0] + b->index[0];
}

/* The register of PTX with a number, in the lane's function. */
static const struct sl_ptx_function_register *register_of(const struct sl_ptx_view *v, unsigned thread, uint64_t number)
{
  const struct sl_ptx_warp *w = sl_ptx_view_warp(v, thread);
  const struct sl_simt_stack_entry *entry = w != NULL ? sl_ptx_view_entry(w, sl_ptx_view_lane(thread)) : NULL;
  const size_t name = (size_t)number - SL_PTX_VIEW_REGISTERS;
  return entry != NULL && v->registers != NULL && name < v->set->names
             ? sl_ptx_registers_find(v->registers, entry->pc, name)
             : NULL;
}

unsigned sl_ptx_view_register(const void *context, unsigned thread, uint64_t number, uint64_t *value)
{
  const struct sl_ptx_view *v = context;
  const struct sl_ptx_warp *w = sl_ptx_view_warp(v, thread);
  *value = 0;
  if (number <= PC) {
    const struct sl_simt_stack_entry *e = w != NULL ? sl_ptx_view_entry(w, sl_ptx_view_lane(thread)) : NULL;
    const uint32_t level = e != NULL ? e->call : 0;
    if (number == PC)
      *value = sl_ptx_view_pc(v, thread);
    else if (number == RETURN && level > 0)
      *value = return_of(w, sl_ptx_view_lane(thread), level);
    else if (number == STACK)
      *value = SL_PTX_STACK_END - (uint64_t)SL_PTX_FRAME * level;
    return 8;
  }
  if (number >= SL_PTX_VIEW_REGISTERS && number - SL_PTX_VIEW_REGISTERS < v->set->names) {
    const struct sl_ptx_function_register *r = register_of(v, thread, number);
    *value = r != NULL ? sl_ptx_register_value(w, r, sl_ptx_view_lane(thread)) : 0;
    return v->set->name[number - SL_PTX_VIEW_REGISTERS].bits / 8;
  }
  if (w == NULL || number < OWN || number >= OWN_END)
    return number >= OWN && number < OWN_END ? 8 : 0;
  *value = number == WARP    ? w->index
           : number == LANE  ? sl_ptx_view_lane(thread)
           : number == BLOCK ? sl_ptx_view_number(w->block)
           : number == TID   ? w->index * SL_PTX_LANES + sl_ptx_view_lane(thread)
           : number == MASK  ? sl_simt_stack_mask(&w->stack)
                             : v->cycle;
  return 8;
}

bool sl_ptx_view_set_register(const struct sl_ptx_view *v, unsigned thread, uint64_t number, uint64_t value)
{
  const struct sl_ptx_function_register *r = number >= SL_PTX_VIEW_REGISTERS ? register_of(v, thread, number) : NULL;
  if (r != NULL)
    sl_ptx_register_set(sl_ptx_view_warp(v, thread), r, sl_ptx_view_lane(thread), value);
  return r != NULL;
}

static uint8_t *inside(uint8_t *data, uint64_t size, uint64_t offset, uint64_t bytes)
{
  return offset <= size && bytes <= size - offset ? data + offset : NULL;
}

uint8_t *sl_ptx_view_memory(const struct sl_ptx_view *v, unsigned thread, uint64_t address, uint64_t bytes, bool writes)
{
  const struct sl_ptx_block *b = v->block;
  const struct sl_ptx_warp *w = sl_ptx_view_warp(v, thread);
  const uint64_t offset = address % SL_PTX_WINDOW_BYTES, window = address - offset;
  if (b == NULL)
    return NULL;
  const uint64_t local = b->launch->kernel->local_bytes;
  struct sl_ptx_region *constants = &b->launch->memory->constants;
  if (window == SL_PTX_SHARED_WINDOW)
    return inside(b->shared, b->shared_bytes, offset, bytes);
  if (window == SL_PTX_LOCAL_WINDOW)
    return w != NULL ? inside(w->local + local * sl_ptx_view_lane(thread), local, offset, bytes) : NULL;
  if (window == SL_PTX_CONST_WINDOW)
    return writes ? NULL : inside(constants->data, constants->bytes, offset, bytes);
  return sl_ptx_memory_at(b->launch->memory, address, bytes);
}

void sl_ptx_view_threads(const struct sl_ptx_view *v, struct sl_reply *to)
{
  sl_reply_print(to, "<threads>");
  for (unsigned i = 0; v->block != NULL && i < v->block->warp_count; i++) {
    const struct sl_ptx_warp *w = &v->block->warps[i];
    const uint32_t *b = v->block->index, active = w->stack.depth > 0 ? sl_simt_stack_mask(&w->stack) : 0;
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++)
      if (sl_ptx_view_entry(w, lane) != NULL)
        sl_reply_print(to, "<thread id=\"%x\" name=\"w%ul%u\">block %u,%u,%u %s</thread>",
                       sl_ptx_view_thread(v, w, lane), i, lane, b[0], b[1], b[2],
                       (active >> lane & 1) != 0 ? "active" : "masked");
  }
  sl_reply_print(to, "</threads>");
}

/* gdb's own names. The numbers of s, t, a and x are of its registers; so are those of f, which it may have. */
static bool is_taken(const char *name)
{
  static const char *const taken[] = {"zero", "ra", "sp", "gp", "tp", "fp", "pc", "ps", "priv"};
  static const char *const own[] = {"warp", "lane", "block", "tid", "mask", "cycle"};
  const size_t letters = strcspn(name, "0123456789");
  bool is = letters == 1 && strchr("satx", name[0]) != NULL && name[1] != '\0' && strspn(name + 1, "0123456789") < 3;
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    is |= strcmp(name, taken[i]) == 0;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    is |= strcmp(name, own[i]) == 0;
  return is;
}

/* Registers of PTX, without %; gdb's names have letters, digits and underscores. */
static void describe_registers(const struct sl_ptx_register_set *r, struct sl_reply *to)
{
  sl_reply_print(to, "<feature name=\"simtlab.ptx\">");
  for (size_t i = 0; i < r->names; i++) {
    char name[SL_PTX_REGISTER_NAME];
    const char *text = r->name[i].text + (r->name[i].text[0] == '%');
    snprintf(name, sizeof name, "%s", text);
    for (char *c = name; *c != '\0'; c++)
      if (strchr("%$", *c) != NULL)
        *c = '_';
    sl_reply_print(to,
                   "<reg name=\"%s%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%zu\" group=\"ptx\" "
                   "save-restore=\"no\"/>",
                   name, is_taken(name) ? "_" : "", r->name[i].bits, r->name[i].type, SL_PTX_VIEW_REGISTERS + i);
  }
  sl_reply_print(to, "</feature>");
}

void sl_ptx_view_describe(const struct sl_ptx_view *v, struct sl_reply *to)
{
  static const char *const own[] = {"warp", "lane", "block", "tid", "mask", "cycle"};
  static const char *const name[] = {"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1"};
  sl_reply_print(to, "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
                     "<architecture>riscv:rv64</architecture><osabi>none</osabi>"
                     "<feature name=\"org.gnu.gdb.riscv.cpu\">");
  for (unsigned i = 0; i < PC; i++) {
    char other[8];
    snprintf(other, sizeof other, i < 18 ? "a%u" : i < 28 ? "s%u" : "t%u", i < 18 ? i - 10 : i < 28 ? i - 16 : i - 25);
    sl_reply_print(to, "<reg name=\"%s\" bitsize=\"64\" type=\"int\" regnum=\"%u\"/>", i < 10 ? name[i] : other, i);
  }
  sl_reply_print(
      to, "<reg name=\"pc\" bitsize=\"64\" type=\"code_ptr\" regnum=\"%d\"/></feature><feature name=\"simtlab\">", PC);
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
    sl_reply_print(to,
                   "<reg name=\"%s\" bitsize=\"64\" type=\"int64\" regnum=\"%u\" group=\"simt\" save-restore=\"no\"/>",
                   own[i], OWN + i);
  sl_reply_print(to, "</feature>");
  describe_registers(v->set, to);
  sl_reply_print(to, "</target>");
}

/* Threads of a block at places in the run, and the conditions that stop the run there. */

struct sl_ptx_spot sl_ptx_spot_of(const struct sl_ptx_stub *s, unsigned thread)
{
  const struct sl_ptx_warp *w = sl_ptx_view_warp(&s->view, thread);
  return (struct sl_ptx_spot){.place = s->replay.place,
                              .launch = s->launch,
                              .block = s->view.block != NULL ? sl_ptx_view_number(s->view.block) : 0,
                              .warp = w != NULL ? w->index : 0,
                              .lane = sl_ptx_view_lane(thread),
                              .any = w == NULL};
}

bool sl_ptx_find_spot(struct sl_ptx_stub *s, const struct sl_ptx_spot *spot, struct sl_ptx_view *view)
{
  if (spot->any || (spot->launch == s->launch && view->block != NULL && sl_ptx_view_number(view->block) == spot->block))
    return true;
  for (size_t i = 0; i < SL_PTX_KNOWN; i++) {
    const struct sl_ptx_block *b = s->known[i].block;
    if (b == NULL || sl_ptx_view_number(b) != spot->block || b->warps[spot->warp].stack.depth == 0)
      continue;
    view->block = b;
    view->first = s->known[i].first;
    return true;
  }
  if (s->replay.from == 0) /* no run of the same script comes here */
    return true;
  s->replay.ask = s->replay.from; /* the block began before this run */
  s->leaving = true;
  if (s->goal == SL_PTX_FORWARD) { /* silently to the same event */
    s->goal = SL_PTX_AGAIN;
    s->spot = (struct sl_ptx_spot){.place = s->replay.place, .any = true};
  }
  return false;
}

void sl_ptx_leave(struct sl_ptx_stub *s, enum sl_ptx_goal goal, uint64_t target)
{
  s->goal = goal;
  s->replay.ask = target;
  s->replay.target = goal == SL_PTX_LAST_STOP ? SL_PTX_NEVER : target;
  s->missed_count = 0;
  s->leaving = true;
}

void sl_ptx_go(struct sl_ptx_stub *s, const struct sl_ptx_spot *spot, const struct sl_ptx_stop *stop)
{
  s->spot = *spot;
  s->stop = *stop;
  sl_ptx_leave(s, SL_PTX_GO, spot->place);
}

/* ---- conditions -------------------------------------------------------------------------------------------------- */

struct sl_ptx_stop sl_ptx_watch_stop(const struct sl_ptx_watchpoint *w)
{
  static const char *const name[] = {
      [SL_PTX_WATCH_WRITE] = "watch", [SL_PTX_WATCH_READ] = "rwatch", [SL_PTX_WATCH_ACCESS] = "awatch"};
  struct sl_ptx_stop stop = {.signal = SL_PTX_TRAP};
  snprintf(stop.reason, sizeof stop.reason, "%s:%" PRIx64 ";", name[w->type], w->address);
  return stop;
}

static unsigned read_register(const void *context, unsigned thread, uint64_t number, uint64_t *value)
{
  const struct sl_ptx_stub *s = context;
  return sl_ptx_view_register(&s->view, thread, number, value);
}

void sl_ptx_read_memory(const void *context, unsigned thread, uint64_t address, uint8_t *bytes, size_t size)
{
  static const uint8_t nop[4] = {0x13, 0, 0, 0}; /* what gdb reads as code */
  const struct sl_ptx_stub *s = context;
  const bool is_code = address >= SL_PTX_CODE && address < 2 * (uint64_t)SL_PTX_CODE;
  const uint8_t *from = is_code ? NULL : sl_ptx_view_memory(&s->view, thread, address, size, false);
  if (sl_ptx_view_stack(&s->view, thread, address, bytes, size))
    return;
  memset(bytes, 0, size);
  for (size_t i = 0; i < size && is_code; i++)
    bytes[i] = nop[(address + i) % 4];
  if (from != NULL)
    memcpy(bytes, from, size);
}

/* The lanes of a warp whose next instruction has this breakpoint, if it holds for them. */
static uint32_t broken_by(const struct sl_ptx_stub *s, const struct sl_ptx_breakpoint *b, const struct sl_ptx_warp *w)
{
  uint32_t wanted = 0;
  if (w->stack.depth == 0 || sl_ptx_view_place(w) != b->pc)
    return 0;
  for (uint32_t rest = sl_simt_stack_mask(&w->stack); rest != 0; rest &= rest - 1) {
    const struct sl_agent_thread of = {read_register, sl_ptx_read_memory, s,
                                       sl_ptx_view_thread(&s->view, w, sl_lowest(rest))};
    if (b->size == 0 || sl_agent_holds(&of, b->condition, b->size))
      wanted |= (uint32_t)sl_bit(sl_lowest(rest));
  }
  return wanted;
}

uint32_t sl_ptx_broken(const struct sl_ptx_stub *s, const struct sl_ptx_warp *w)
{
  uint32_t wanted = 0;
  for (unsigned i = 0; i < s->breakpoints; i++)
    if (!s->breakpoint[i].away)
      wanted |= broken_by(s, &s->breakpoint[i], w);
  return wanted;
}

void sl_ptx_note_missed(struct sl_ptx_stub *s, const struct sl_ptx_warp *w)
{
  const uint32_t lanes = broken_by(s, s->ghost, w);
  if (lanes == 0 || s->missed_count == SL_PTX_MISSED)
    return;
  s->missed[s->missed_count++] = (struct sl_ptx_missed){
      .spot = sl_ptx_spot_of(s, sl_ptx_view_thread(&s->view, w, sl_lowest(lanes))), .pc = s->ghost->pc, .lanes = lanes};
}

/* ---- watchpoints ------------------------------------------------------------------------------------------------- */

static bool is_shared(uint64_t address)
{
  return address - SL_PTX_SHARED_WINDOW < SL_PTX_WINDOW_BYTES;
}

static bool is_local(uint64_t address)
{
  return address - SL_PTX_LOCAL_WINDOW < SL_PTX_WINDOW_BYTES;
}

static bool is_constant(uint64_t address)
{
  return address - SL_PTX_CONST_WINDOW < SL_PTX_WINDOW_BYTES;
}

static struct sl_ptx_watchpoint *find(struct sl_ptx_watches *w, enum sl_ptx_watch_type type, uint64_t address,
                                      uint64_t size)
{
  for (unsigned i = 0; i < w->count; i++)
    if (w->item[i].type == type && w->item[i].address == address && w->item[i].size == size)
      return &w->item[i];
  return NULL;
}

static void forget_unset(struct sl_ptx_watches *w)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < w->count; i++)
    if (w->item[i].set)
      w->item[kept++] = w->item[i];
  w->count = kept;
}

bool sl_ptx_watch_set(struct sl_ptx_watches *w, const struct sl_ptx_view *view, unsigned thread,
                      enum sl_ptx_watch_type type, uint64_t address, uint64_t size)
{
  const struct sl_ptx_warp *warp = sl_ptx_view_warp(view, thread);
  struct sl_ptx_watchpoint *old = find(w, type, address, size);
  if (size == 0 || size > SL_PTX_WATCH_BYTES || is_constant(address) || view->block == NULL)
    return false;
  if (old == NULL && sl_ptx_view_memory(view, thread, address, size, true) == NULL)
    return false;
  if (old == NULL && w->count == SL_PTX_WATCHES)
    forget_unset(w);
  if (old == NULL && w->count == SL_PTX_WATCHES)
    return false;
  if (old == NULL) {
    old = &w->item[w->count++];
    *old = (struct sl_ptx_watchpoint){.type = type,
                                      .address = address,
                                      .size = (unsigned)size,
                                      .block = sl_ptx_view_number(view->block),
                                      .warp = warp != NULL ? warp->index : 0,
                                      .lane = sl_ptx_view_lane(thread)};
  }
  old->set = w->any = true;
  return true;
}

void sl_ptx_watch_remove(struct sl_ptx_watches *w, enum sl_ptx_watch_type type, uint64_t address, uint64_t size)
{
  struct sl_ptx_watchpoint *old = find(w, type, address, size);
  if (old != NULL)
    old->set = false;
  w->any = false;
  for (unsigned i = 0; i < w->count; i++)
    w->any |= w->item[i].set;
}

void sl_ptx_watch_go_on(struct sl_ptx_watches *w)
{
  forget_unset(w);
  for (unsigned i = 0; i < w->count; i++)
    w->item[i].known = false;
}

/* The watched memory; NULL: the view does not have it. */
static const uint8_t *memory_of(const struct sl_ptx_watchpoint *w, const struct sl_ptx_view *view)
{
  const bool local = is_local(w->address);
  if ((local || is_shared(w->address)) && sl_ptx_view_number(view->block) != w->block)
    return NULL;
  if (local && w->warp >= view->block->warp_count)
    return NULL;
  const unsigned thread = local ? sl_ptx_view_thread(view, &view->block->warps[w->warp], w->lane) : 0;
  return sl_ptx_view_memory(view, thread, w->address, w->size, true);
}

static bool has_changed(struct sl_ptx_watchpoint *w, const uint8_t *now)
{
  const bool changed = w->known && memcmp(w->value, now, w->size) != 0;
  memcpy(w->value, now, w->size);
  w->known = true;
  return changed;
}

void sl_ptx_watch_look(struct sl_ptx_watches *w, const struct sl_ptx_view *view)
{
  for (unsigned i = 0; i < w->count; i++) {
    const uint8_t *now = w->item[i].set ? memory_of(&w->item[i], view) : NULL;
    if (now != NULL)
      has_changed(&w->item[i], now);
  }
}

/* The lanes that access the watched memory; a copy writes shared memory, too. */
static uint32_t accessing(const struct sl_ptx_watchpoint *w, const struct sl_probe *p, bool *writes)
{
  const struct sl_ptx_effect *e = p->ptx_effect;
  const bool copies = e->insn->kind == SL_PTX_K_ASYNC, shared = is_shared(w->address), local = is_local(w->address);
  const uint64_t first = shared || local ? w->address % SL_PTX_WINDOW_BYTES : w->address;
  const enum sl_ptx_space space = shared ? SL_PTX_SHARED : local ? SL_PTX_LOCAL : SL_PTX_GLOBAL;
  uint32_t lanes = 0, reads;
  *writes = copies ? shared : p->access != SL_PROBE_LOAD;
  if (p->wide_address == NULL || (e->space != space && !(copies && shared)))
    return 0;
  for (uint32_t rest = copies && !shared ? e->reads : e->active; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    const uint64_t at = copies && shared ? sl_ptx_copied_to(p->ptx_warp, e->insn, lane, &reads) : e->address[lane];
    if (at < first + w->size && first < at + e->bytes)
      lanes |= (uint32_t)sl_bit(lane);
  }
  return local ? lanes & (uint32_t)sl_bit(w->lane) : lanes;
}

/* The lane that is told. */
static unsigned acting(uint32_t lanes, const struct sl_ptx_effect *e)
{
  const uint32_t among = lanes != 0 ? lanes : e->active != 0 ? e->active : e->issued;
  return sl_lowest(among);
}

const struct sl_ptx_watchpoint *sl_ptx_watch_check(struct sl_ptx_watches *w, const struct sl_ptx_view *view,
                                                   const struct sl_probe *p, unsigned *lane)
{
  const struct sl_ptx_watchpoint *hit = NULL;
  for (unsigned i = 0; i < w->count; i++) {
    struct sl_ptx_watchpoint *item = &w->item[i];
    const uint8_t *now = item->set ? memory_of(item, view) : NULL;
    const bool local = is_local(item->address);
    if (now == NULL || (local && p->ptx_warp->index != item->warp))
      continue;
    bool writes;
    const uint32_t lanes = accessing(item, p, &writes);
    const bool known = item->known, changed = has_changed(item, now);
    const bool reads = lanes != 0 && (!writes || p->access == SL_PROBE_ATOMIC);
    const bool stops = item->type == SL_PTX_WATCH_READ     ? reads
                       : item->type == SL_PTX_WATCH_ACCESS ? changed || lanes != 0
                                                           : changed || (!known && writes && lanes != 0);
    if (stops && hit == NULL) {
      hit = item;
      *lane = local ? item->lane : acting(lanes, p->ptx_effect);
    }
  }
  return hit;
}
