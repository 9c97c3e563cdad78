#include "debug/ptx_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/ptx_registers.h"
#include "debug/ptx_symbols.h"
#include "isa/lanes.h"

enum { PC = SL_PTX_VIEW_PC, OWN = 4200, WARP = OWN, LANE, BLOCK, TID, MASK, CYCLE, OWN_END };
enum { FIRST_THREAD = 2 };

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

uint64_t sl_ptx_view_pc(const struct sl_ptx_view *v, unsigned thread)
{
  const struct sl_ptx_warp *w = sl_ptx_view_warp(v, thread);
  const struct sl_simt_stack_entry *entry = w != NULL ? sl_ptx_view_entry(w, sl_ptx_view_lane(thread)) : NULL;
  return entry != NULL ? sl_ptx_code_address(entry->pc) : 0;
}

static uint32_t linear(const uint32_t index[3], const uint32_t size[3])
{
  return (index[2] * size[1] + index[1]) * size[0] + index[0];
}

unsigned sl_ptx_view_register(const void *context, unsigned thread, uint64_t number, uint64_t *value)
{
  const struct sl_ptx_view *v = context;
  const struct sl_ptx_warp *w = sl_ptx_view_warp(v, thread);
  *value = 0;
  if (number <= PC) {
    *value = number == PC ? sl_ptx_view_pc(v, thread) : 0;
    return 8;
  }
  if (w == NULL || number < OWN || number >= OWN_END)
    return number >= OWN && number < OWN_END ? 8 : 0;
  *value = number == WARP    ? w->index
           : number == LANE  ? sl_ptx_view_lane(thread)
           : number == BLOCK ? linear(w->block->index, w->block->launch->grid)
           : number == TID   ? w->index * SL_PTX_LANES + sl_ptx_view_lane(thread)
           : number == MASK  ? sl_simt_stack_mask(&w->stack)
                             : v->cycle;
  return 8;
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

void sl_ptx_view_describe(struct sl_reply *to)
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
  sl_reply_print(to, "</feature></target>");
}

/* ---- monitor ----------------------------------------------------------------------------------------------------- */

static void show_code(const struct sl_ptx_warp *w, uint32_t pc, const struct sl_source *source, struct sl_reply *to)
{
  enum { AROUND = 3 };
  const struct sl_ptx_module *m = w->block->launch->module;
  char text[300];
  for (uint32_t at = pc > AROUND ? pc - AROUND : 0; at <= pc + AROUND && at < m->code_count; at++) {
    sl_ptx_text(m, source, at, text, sizeof text);
    sl_reply_print(to, "%s %s:%u: %s\n", at == pc ? "=>" : "  ", m->path, m->code[at].line, text);
  }
}

static void show_warps(const struct sl_ptx_view *v, struct sl_reply *to)
{
  for (unsigned i = 0; i < v->block->warp_count; i++) {
    const struct sl_ptx_warp *w = &v->block->warps[i];
    if (w->stack.depth == 0)
      sl_reply_print(to, "warp %u has ended\n", i);
    for (uint32_t k = w->stack.depth; k-- > 0;)
      if (w->stack.entries[k].mask != 0)
        sl_reply_print(to, "warp %u lanes %08" PRIx32 " at %s:%u\n", i, w->stack.entries[k].mask,
                       v->block->launch->module->path,
                       w->stack.entries[k].pc < v->block->launch->module->code_count
                           ? v->block->launch->module->code[w->stack.entries[k].pc].line
                           : 0);
  }
}

static void show_shared(const struct sl_ptx_view *v, const char *text, struct sl_reply *to)
{
  char *end;
  const unsigned long first = strtoul(text, &end, 0), count = strtoul(end, NULL, 0);
  for (unsigned long at = first / 4 * 4, n = 0; n <= count && at + 4 <= v->block->shared_bytes; at += 4, n++) {
    uint32_t word;
    memcpy(&word, v->block->shared + at, sizeof word);
    sl_reply_print(to, "shared 0x%lx: 0x%08" PRIx32 " %" PRId32 "\n", at, word, (int32_t)word);
  }
  if (to->size == 0)
    sl_reply_print(to, "the block has %u bytes of shared memory\n", v->block->shared_bytes);
}

bool sl_ptx_view_show(const struct sl_ptx_view *v, unsigned thread, const struct sl_source *source, const char *command,
                      struct sl_reply *to)
{
  const struct sl_ptx_warp *w = sl_ptx_view_warp(v, thread);
  const struct sl_simt_stack_entry *entry = w != NULL ? sl_ptx_view_entry(w, sl_ptx_view_lane(thread)) : NULL;
  const char *argument = command + strcspn(command, " ");
  argument += strspn(argument, " ");
  if (entry == NULL)
    sl_reply_print(to, "no thread runs\n");
  else if (strncmp(command, "registers", 9) == 0)
    sl_ptx_print_registers(w, sl_ptx_view_lane(thread), entry->pc, source, argument, to);
  else if (strcmp(command, "code") == 0)
    show_code(w, entry->pc, source, to);
  else if (strcmp(command, "warps") == 0)
    show_warps(v, to);
  else if (strncmp(command, "shared", 6) == 0)
    show_shared(v, argument, to);
  else
    return false;
  return true;
}
