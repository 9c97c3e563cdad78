#include "debug/ptx/ptx_view.h"

#include <stdio.h>
#include <string.h>

#include "debug/ptx/ptx_symbols.h"
#include "isa/lanes.h"

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
