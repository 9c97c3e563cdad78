/* The observer: translates events into accesses and order. */
#include "observe/check/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "observe/check/check_feed.h"
#include "program/program.h"
#include "ptx/run/ptx_access.h"

#define SIMT_SCRATCHPAD UINT64_C(0xbfff0000)
#define GRID_SCRATCHPAD UINT64_C(0xe0000000)
#define VORTEX_SCRATCHPAD UINT64_C(0xffff0000)
enum { MOST_SCRATCHPAD = 0x10000 };
enum { STRICT_TARGET = 70 /* sm_70: lanes make progress independently. Source: PTX ISA, "Independent Threads" */ };

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static enum sl_status read_suppressions(struct sl_check *check, struct sl_error *err)
{
  char *text;
  size_t size;
  if (check->options.suppress == NULL)
    return SL_OK;
  const enum sl_status code = sl_file_bytes_read(check->options.suppress, &text, &size, err);
  if (code != SL_OK)
    return code;
  check->suppressions = malloc(size + 1);
  if (check->suppressions == NULL) {
    free(text);
    return sl_no_memory(err, size);
  }
  memcpy(check->suppressions, text, size);
  check->suppressions[size] = '\0';
  free(text);
  return SL_OK;
}

enum sl_status sl_check_open(struct sl_check **check, const struct sl_check_options *options, struct sl_error *err)
{
  *check = calloc(1, sizeof **check);
  if (*check == NULL)
    return sl_no_memory(err, sizeof **check);
  (*check)->options = *options;
  (*check)->clock = (*check)->launched = 2;
  return read_suppressions(*check, err);
}

void sl_check_begin_schedule(struct sl_check *check, uint64_t seed)
{
  sl_check_blocks_free(check);
  sl_check_locks_clear(check);
  sl_check_shadow_free(check);
  free(check->sites.site); /* sites of modules that are gone */
  free(check->sites.slot);
  check->sites = (struct sl_check_sites){.count = 0};
  check->buffers = check->writtens = 0;
  check->flags = 0;
  sl_check_past_clear(check);
  check->module = NULL;
  check->gaps = 0;
  check->releasing = check->faulted = false;
  check->schedule = seed;
}

void sl_check_close(struct sl_check *check)
{
  if (check == NULL)
    return;
  sl_check_begin_schedule(check, 0);
  free(check->block);
  free(check->past);
  free(check->gap);
  free(check->next_gap);
  free(check->unwritten);
  free(check->buffer);
  free(check->written);
  free(check->finding);
  free(check->suppressions);
  free(check);
}

/* Flags by which the start code of several cores launches kernels, with fences. Source: runtime/vortex.c. */
static void mark_flags(struct sl_check *check)
{
  static const struct {
    const char *name;
    uint32_t bytes;
  } flags[] = {{"vortex_launches", 4}, {"vortex_stopped", 4}, {"vortex_done", 8 * SL_CHECK_MOST_CORES}};
  uint32_t address;
  check->flags = 0;
  check->flags_first = UINT64_MAX;
  check->flags_end = 0;
  for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    if (!sl_program_symbol(check->program, flags[i].name, &address))
      continue;
    check->flag[check->flags++] = (struct sl_range){address, address + flags[i].bytes, false};
    check->flags_first = address < check->flags_first ? address : check->flags_first;
    check->flags_end = address + flags[i].bytes > check->flags_end ? address + flags[i].bytes : check->flags_end;
  }
}

/* Where start code puts the threads' stacks below the scratchpad. Source: runtime/vortex_start.S. */
static struct sl_range stacks_of(const struct sl_program *program, const struct sl_soc *soc, uint64_t scratchpad)
{
  const char *target = sl_program_target(program);
  const uint64_t threads = (uint64_t)soc->warps * soc->lanes * (soc->cores > 1 ? soc->cores : 1);
  const bool any = target != NULL && strcmp(target, "vortex") == 0;
  return (struct sl_range){scratchpad - (any ? threads * SL_CHECK_STACK : 0), scratchpad, false};
}

/* Scratchpads. Source: runtime/simt_marks.h, simt_grid.h, vortex.ld. */
void sl_check_program(struct sl_check *check, const struct sl_program *program, const struct sl_soc *soc)
{
  const uint64_t base = soc->launches == SL_LAUNCH_GRID ? GRID_SCRATCHPAD
                        : soc->no_host                  ? VORTEX_SCRATCHPAD
                                                        : SIMT_SCRATCHPAD;
  check->program = program;
  mark_flags(check);
  check->scratchpad = (struct sl_range){base, base + MOST_SCRATCHPAD, false};
  check->warps_per_core = soc->cores > 1 ? soc->warps : 0;
  check->stacks_apart = !soc->no_host || soc->launches == SL_LAUNCH_GRID;
  check->stacks = stacks_of(program, soc, base);
  check->stack_warps = soc->warps;
  check->follows_registers = sl_check_may_be_unwritten(check, soc);
}

void sl_check_own_barriers(struct sl_check *check, bool own)
{
  check->unordered = own;
}

/* ---- PTX --------------------------------------------------------------------------------------------------------- */

static bool is_strict(const struct sl_check *check, const struct sl_ptx_module *m)
{
  return check->options.lanes == SL_CHECK_STRICT ||
         (check->options.lanes == SL_CHECK_BY_TARGET && m->target >= STRICT_TARGET);
}

/* Which bytes of the kernel's static shared memory belong to no variable. */
static void find_gaps(struct sl_check *check, const struct sl_ptx_launch *l)
{
  const struct sl_ptx_module *m = l->module;
  const uint32_t bytes = l->kernel->shared_gaps != 0 ? l->kernel->shared_bytes : 0;
  check->gaps = 0;
  if (bytes > check->gap_room) {
    uint8_t *grown = realloc(check->gap, bytes);
    uint32_t *next = realloc(check->next_gap, (bytes / 4 + 1) * sizeof *next);
    check->gap = grown != NULL ? grown : check->gap;
    check->next_gap = next != NULL ? next : check->next_gap;
    check->out_of_memory |= grown == NULL || next == NULL;
    if (grown == NULL || next == NULL)
      return;
    check->gap_room = bytes;
  }
  check->gaps = bytes;
  if (bytes > 0)
    memset(check->gap, 1, bytes);
  for (unsigned i = 0; i < m->shared_count; i++) {
    const struct sl_ptx_shared *v = &m->shared[i];
    const bool own =
        v->function == UINT32_MAX || !m->functions[v->function].entry || &m->functions[v->function] == l->kernel;
    if (own && v->address < bytes)
      memset(check->gap + v->address, 0, v->bytes < bytes - v->address ? v->bytes : bytes - v->address);
  }
  for (uint32_t at = bytes, next = UINT32_MAX; at-- > 0;) {
    next = check->gap[at] != 0 ? at : next;
    check->next_gap[at / 4] = next;
  }
}

static struct sl_check_block *begin_ptx(struct sl_check *check, const struct sl_ptx_block *own)
{
  const struct sl_ptx_launch *l = own->launch;
  struct sl_check_block *b = sl_check_block_of(check, own);
  if (b == NULL)
    b = sl_check_block_add(check, own, own->warp_count, own->shared_bytes);
  if (b == NULL)
    return NULL;
  if (check->module != l->module || check->kernel_function != l->kernel) {
    find_gaps(check, l);
    sl_check_registers(check, l->module, l->kernel);
  }
  check->module = l->module;
  check->kernel_function = l->kernel;
  snprintf(check->kernel, sizeof check->kernel, "%s", l->kernel->name);
  memcpy(check->grid, l->grid, sizeof check->grid);
  memcpy(check->size, l->block, sizeof check->size);
  sl_check_past_name(check);
  sl_check_block_begin(check, b);
  b->number = (uint32_t)((((uint64_t)own->index[2] * l->grid[1] + own->index[1]) * l->grid[0] + own->index[0]) %
                         SL_CHECK_BLOCKS);
  b->lanes = SL_PTX_LANES;
  b->strict = is_strict(check, l->module);
  check->independent = check->options.lanes == SL_CHECK_BY_TARGET && b->strict;
  for (unsigned i = 0; i < b->warps; i++)
    b->warp[i].live = b->warp[i].threads = own->warps[i].threads;
  return b;
}

static bool is_fenced(const struct sl_check_block *b, unsigned warp, unsigned lane)
{
  return b->warp[warp].fence[1][lane] != 0;
}

/* A volatile store to shared memory is data, unless its thread publishes with fences. */
static bool is_strong(const struct sl_check_block *b, const struct sl_ptx_insn *in, const struct sl_probe *p)
{
  if ((in->order & SL_PTX_STRONG) != 0)
    return true;
  if ((in->order & SL_PTX_VOLATILE) == 0)
    return false;
  return p->ptx_effect->space != SL_PTX_SHARED || in->kind == SL_PTX_K_LOAD ||
         is_fenced(b, p->ptx_warp->index, sl_lowest(p->active));
}

static void set_values(struct sl_check_access *a, const struct sl_ptx_warp *w, const struct sl_ptx_insn *in)
{
  a->bytes = in->bytes;
  a->wide = in->wide;
  for (unsigned i = 0; i < in->elements && i < 4; i++)
    a->element[i] = w->area[in->element[i].area] + in->element[i].offset;
}

static uint64_t register_of(const struct sl_ptx_warp *w, struct sl_ptx_place p, unsigned lane, unsigned bytes)
{
  uint64_t value = 0;
  memcpy(&value, w->area[p.area] + p.offset + (size_t)lane * (bytes < 4 ? 4 : bytes), bytes);
  return value;
}

/* Lanes whose compare-and-swap has found another value: they only read. */
static sl_lanes failed(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, sl_lanes active)
{
  sl_lanes lanes = 0;
  if (in->mode != SL_PTX_ATOM_CAS || in->dsts == 0 || w->block->late != NULL)
    return 0;
  for (; active != 0; active &= active - 1) {
    const unsigned l = sl_lowest(active);
    if (register_of(w, in->d, l, in->bytes) != register_of(w, in->b, l, in->bytes))
      lanes |= sl_bit(l);
  }
  return lanes;
}

static void access_ptx(struct sl_check *check, struct sl_check_block *b, const struct sl_probe *p)
{
  const struct sl_ptx_effect *e = p->ptx_effect;
  const struct sl_ptx_insn *in = e->insn;
  const bool store = in->kind == SL_PTX_K_STORE, atomic = in->kind == SL_PTX_K_ATOMIC;
  const bool own = e->space == SL_PTX_LOCAL;
  if ((e->space != SL_PTX_SHARED && e->space != SL_PTX_GLOBAL && !own) || in->kind == SL_PTX_K_TEX)
    return;
  struct sl_check_access a = {.block = b,
                              .warp = p->ptx_warp->index,
                              .active = e->active,
                              .shared = e->space == SL_PTX_SHARED,
                              .own = own,
                              .fixed = in->kind == SL_PTX_K_LOAD && in->address.id == SL_PTX_NO_REG,
                              .loads = !store,
                              .stores = store || atomic,
                              .returns = atomic && in->dsts > 0,
                              .relaxed = in->kind == SL_PTX_K_LOAD && (in->order & ~SL_PTX_IN_BLOCK) == SL_PTX_STRONG,
                              .releases = (in->order & SL_PTX_RELEASE) != 0,
                              .width = e->bytes,
                              .address = e->address,
                              .shape = e->shape,
                              .site = sl_check_site(check, p->ptx_warp->block->launch->module, e->pc)};
  if (own) {
    if (!in->parameter)
      sl_check_own(check, &a);
    return;
  }
  if (is_strong(b, in, p))
    a.flags |= SL_CHECK_STRONG | ((in->order & SL_PTX_IN_BLOCK) != 0 ? SL_CHECK_IN_BLOCK : 0);
  if (atomic)
    a.flags |= SL_CHECK_ATOMIC;
  if (store)
    set_values(&a, p->ptx_warp, in);
  if (store && !a.shared && (in->order & SL_PTX_VOLATILE) != 0)
    a.flags |= SL_CHECK_VOLATILE_STORE;
  if (!atomic && check->sites.count > a.site)
    a.flags |= sl_check_value_flags(check, p->ptx_warp->block->launch->module, a.site, p->pc, in);
  const sl_lanes reads = atomic ? failed(p->ptx_warp, in, a.active) : 0;
  a.active &= ~reads;
  if (a.active != 0)
    sl_check_access(check, &a);
  a.active = reads;
  a.stores = false;
  if (reads != 0)
    sl_check_access(check, &a);
}

/* A matrix that the warp moves together: lane i has line i. */
static void tile_ptx(struct sl_check *check, struct sl_check_block *b, const struct sl_probe *p)
{
  const struct sl_ptx_effect *e = p->ptx_effect;
  const unsigned warp = p->ptx_warp->index;
  const struct sl_check_access a = {.block = b,
                                    .warp = warp,
                                    .active = sl_low_bits(e->insn->more->lines),
                                    .shared = e->space == SL_PTX_SHARED,
                                    .loads = !e->insn->more->store,
                                    .stores = e->insn->more->store,
                                    .width = e->bytes,
                                    .address = e->address,
                                    .site = sl_check_site(check, p->ptx_warp->block->launch->module, e->pc)};
  sl_check_join_lanes(check, b, warp, e->active);
  sl_check_access(check, &a);
  sl_check_join_lanes(check, b, warp, e->active);
}

/* cp.async: a load of global memory and a store to shared memory. */
static void copy_ptx(struct sl_check *check, struct sl_check_block *b, const struct sl_probe *p)
{
  const struct sl_ptx_effect *e = p->ptx_effect;
  uint64_t to[SL_PTX_LANES] = {0};
  struct sl_check_access a = {.block = b,
                              .warp = p->ptx_warp->index,
                              .active = e->reads,
                              .loads = true,
                              .width = e->bytes,
                              .address = e->address,
                              .site = sl_check_site(check, p->ptx_warp->block->launch->module, e->pc)};
  for (uint32_t rest = e->active; rest != 0; rest &= rest - 1) {
    uint32_t bytes;
    to[sl_lowest(rest)] = sl_ptx_copied_to(p->ptx_warp, e->insn, sl_lowest(rest), &bytes);
  }
  if (a.active != 0)
    sl_check_access(check, &a);
  a.active = e->active;
  a.shared = a.stores = true;
  a.loads = false;
  a.address = to;
  sl_check_copy(check, &a);
}

enum { ANY_PLACE = UINT32_MAX /* bar.warp.sync: lanes may execute it at different places */ };

/* Where a lane of the warp goes on. */
static uint32_t pc_of(const struct sl_ptx_warp *w, unsigned lane)
{
  for (uint32_t i = w->stack.depth; i-- > 0;)
    if ((w->stack.entries[i].mask >> lane & 1) != 0)
      return w->stack.entries[i].pc;
  return UINT32_MAX;
}

/* Where groups take turns, lanes go on without others only if these cannot come: they wait elsewhere. */
static void find_stuck(struct sl_check *check, struct sl_check_block *b, const struct sl_probe *p, uint32_t members,
                       sl_lanes group, uint32_t site)
{
  const struct sl_ptx_warp *w = p->ptx_warp;
  const struct sl_ptx_module *m = w->block->launch->module;
  const sl_lanes stuck = w->stack.turn.period == 0 ? 0 : members & ~group & w->stack.turn.parked;
  const uint32_t pc = stuck != 0 ? pc_of(w, sl_lowest(stuck)) : UINT32_MAX;
  if (pc < m->code_count)
    sl_check_stuck(check, b, w->index, members, sl_lowest(stuck), site, sl_check_site(check, m, pc));
}

/* Lanes with the same members synchronise; or, if they exchange values, those that the machine has brought together. */
static void sync_warp(struct sl_check *check, struct sl_check_block *b, const struct sl_probe *p)
{
  uint32_t mask[SL_PTX_LANES];
  const struct sl_ptx_insn *in = p->ptx_effect->insn;
  const unsigned warp = p->ptx_warp->index;
  const struct sl_ptx_place at = in->kind == SL_PTX_K_SHFL ? in->element[0] : in->b;
  const uint32_t site = sl_check_site(check, p->ptx_warp->block->launch->module, p->ptx_effect->pc);
  memcpy(mask, p->ptx_warp->area[at.area] + at.offset, sizeof mask);
  for (sl_lanes rest = p->ptx_effect->active; rest != 0;) {
    const uint32_t members = mask[sl_lowest(rest)];
    sl_lanes group = 0;
    for (sl_lanes others = rest; others != 0; others &= others - 1)
      group |= mask[sl_lowest(others)] == members ? sl_bit(sl_lowest(others)) : 0;
    sl_check_meet(check, b, warp, in->kind == SL_PTX_K_NOTHING ? ANY_PLACE : site, members, group, site);
    find_stuck(check, b, p, members, group, site);
    if (in->kind == SL_PTX_K_NOTHING)
      sl_check_join_lanes(check, b, warp, group & members);
    rest &= ~group;
  }
}

/* Lanes that have left for the kernel's end, but have not executed the instruction there yet. */
static sl_lanes exiting(const struct sl_ptx_warp *w, uint32_t *pc)
{
  sl_lanes lanes = 0, above = 0;
  for (uint32_t i = w->stack.depth; i-- > 0;) {
    const struct sl_simt_stack_entry *entry = &w->stack.entries[i];
    const struct sl_ptx_module *m = w->block->launch->module;
    const uint8_t kind = entry->pc < m->code_count ? m->code[entry->pc].kind : SL_PTX_K_NOTHING;
    if (entry->call == 0 && (kind == SL_PTX_K_EXIT || kind == SL_PTX_K_RETURN)) {
      lanes |= entry->mask & ~above;
      *pc = entry->pc;
    }
    above |= entry->mask;
  }
  return lanes;
}

/* Lanes wait at a barrier of the block for the others of their warp. */
static void park(struct sl_check *check, struct sl_check_block *b, const struct sl_probe *p)
{
  const struct sl_ptx_effect *e = p->ptx_effect;
  const struct sl_ptx_module *m = p->ptx_warp->block->launch->module;
  const uint32_t pc = e->apart != 0 ? pc_of(p->ptx_warp, sl_lowest(e->apart)) : UINT32_MAX;
  const struct sl_check_park own = {.site = sl_check_site(check, m, e->pc),
                                    .lanes = e->issued,
                                    .away = e->apart,
                                    .away_site = pc < m->code_count ? sl_check_site(check, m, pc) : SL_CHECK_SITE};
  sl_check_parked(&b->warp[p->ptx_warp->index], &own);
}

static void arrive(struct sl_check *check, struct sl_check_block *b, const struct sl_probe *p)
{
  const struct sl_ptx_effect *e = p->ptx_effect;
  const struct sl_ptx_module *m = p->ptx_warp->block->launch->module;
  uint32_t end = UINT32_MAX;
  struct sl_check_arrival a = {.active = e->active,
                               .ending = exiting(p->ptx_warp, &end),
                               .site = sl_check_site(check, m, e->pc),
                               .away_site = SL_CHECK_SITE,
                               .barrier = (int)e->barrier,
                               .passes = e->arrives,
                               .number = p->warp};
  const sl_lanes away = b->warp[p->ptx_warp->index].live & ~(a.active | a.ending);
  const uint32_t pc = away != 0 ? pc_of(p->ptx_warp, sl_lowest(away)) : UINT32_MAX;
  a.end_site = end < m->code_count ? sl_check_site(check, m, end) : SL_CHECK_SITE;
  if (pc < m->code_count)
    a.away_site = sl_check_site(check, m, pc);
  sl_check_arrive(check, b, p->ptx_warp->index, &a);
}

/* The instruction uses a register that nothing has written. */
static void use_unwritten(struct sl_check *check, const struct sl_probe *p)
{
  const uint32_t site = sl_check_site(check, p->ptx_warp->block->launch->module, p->pc);
  char place[300], text[600];
  sl_check_name_place(check, site, place, sizeof place);
  snprintf(text, sizeof text,
           "%s: the guard, the address or the stored value is a register that no instruction has written", place);
  sl_check_note(check, "uninitialised register", sl_check_place(check, site), text);
}

static void execute_ptx(struct sl_check *check, const struct sl_probe *p)
{
  const struct sl_ptx_effect *e = p->ptx_effect;
  const struct sl_ptx_insn *in = e->insn;
  const unsigned warp = p->ptx_warp->index;
  const struct sl_ptx_function *kernel = check->kernel_function;
  if (check->any_unwritten && p->pc - kernel->begin < kernel->end - kernel->begin &&
      check->unwritten[p->pc - kernel->begin] != 0 && p->ptx_warp->block->launch->kernel == kernel)
    use_unwritten(check, p);
  const bool parks = in->kind == SL_PTX_K_BARRIER && e->parks;
  if (in->unit == SL_PTX_MEM ? e->active == 0
                             : in->kind < SL_PTX_K_SHFL || (e->active == 0 && e->exited == 0 && !parks))
    return;
  struct sl_check_block *b = sl_check_block_of(check, p->ptx_warp->block);
  if (b == NULL && (b = begin_ptx(check, p->ptx_warp->block)) == NULL)
    return;
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_LOAD:
  case SL_PTX_K_STORE:
  case SL_PTX_K_ATOMIC: access_ptx(check, b, p); break;
  case SL_PTX_K_TILE: tile_ptx(check, b, p); break;
  case SL_PTX_K_ASYNC: copy_ptx(check, b, p); break;
  case SL_PTX_K_ASYNC_COMMIT: sl_check_commit(check, b, warp, e->active); break;
  case SL_PTX_K_ASYNC_WAIT:
    sl_check_wait(check, b, warp, e->active, in->immediate == SL_PTX_ALL_GROUPS, (uint32_t)in->immediate);
    break;
  case SL_PTX_K_SHFL:
  case SL_PTX_K_VOTE:
  case SL_PTX_K_MATCH:
  case SL_PTX_K_REDUX:
    if ((in->order & SL_PTX_WARP_SYNC) != 0)
      sync_warp(check, b, p);
    sl_check_join_lanes(check, b, warp, e->active);
    break;
  case SL_PTX_K_NOTHING:
    if ((in->order & SL_PTX_WARP_SYNC) != 0)
      sync_warp(check, b, p);
    break;
  case SL_PTX_K_MEMBAR: sl_check_fence(check, b, warp, e->active, (in->order & SL_PTX_IN_BLOCK) != 0 ? 1 : 0); break;
  case SL_PTX_K_BARRIER: parks ? park(check, b, p) : arrive(check, b, p); break;
  default:
    if (e->exited != 0)
      b->warp[warp].end_site = sl_check_site(check, p->ptx_warp->block->launch->module, e->pc);
    b->warp[warp].live &= ~(sl_lanes)e->exited;
    break;
  }
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void begin_launch(struct sl_check *check, uint64_t pc)
{
  const char *name = NULL;
  uint32_t end;
  sl_check_blocks_free(check);
  sl_check_locks_clear(check);
  check->launched = sl_check_tick(check);
  sl_check_past_begin(check);
  check->entry = pc;
  memset(check->size, 0, sizeof check->size);
  if (check->program != NULL && sl_program_function(check->program, (uint32_t)pc, &name, &end))
    snprintf(check->kernel, sizeof check->kernel, "%s", name);
}

static bool hear(void *context, const struct sl_probe *p)
{
  struct sl_check *check = context;
  if (check->releasing && p->kind != SL_PROBE_RELEASED)
    sl_check_riscv_join(check);
  switch (p->kind) {
  case SL_PROBE_LAUNCHED: begin_launch(check, p->pc); break;
  case SL_PROBE_BEGUN:
    if (p->ptx_block != NULL)
      begin_ptx(check, p->ptx_block);
    else if (p->block != NULL)
      sl_check_riscv_begin(check, p);
    break;
  case SL_PROBE_EXECUTED:
    if (p->insn == NULL)
      execute_ptx(check, p);
    else
      sl_check_riscv(check, p);
    break;
  case SL_PROBE_ACCESSED:
  case SL_PROBE_FENCED:
    if (p->insn != NULL)
      sl_check_riscv(check, p);
    break;
  case SL_PROBE_RELEASED:
    if (check->program == NULL)
      sl_check_released(check, p->warp);
    else
      sl_check_riscv_released(check, p);
    break;
  case SL_PROBE_ALLOCATED: sl_check_allocated(check, p->buffer, p->bytes); break;
  case SL_PROBE_WRITTEN: sl_check_written(check, p->buffer, p->bytes); break;
  case SL_PROBE_FREED: sl_check_freed(check, p->buffer, p->bytes); break;
  case SL_PROBE_ENDED: /* a program that launches its kernels itself follows them */
    sl_check_blocks_free(check);
    check->launched = sl_check_tick(check);
    break;
  default: break;
  }
  return true;
}

struct sl_probes sl_check_probes(struct sl_check *check)
{
  const bool riscv = check->program != NULL;
  static const uint64_t ORDERS = UINT64_C(1) << SL_KIND_WARP | UINT64_C(1) << SL_KIND_VOTE;
  const unsigned accesses = SL_PROBE_ACCESSED | SL_PROBE_FENCED, instructions = SL_PROBE_EXECUTED;
  return (struct sl_probes){.wanted = SL_PROBE_LAUNCHED | SL_PROBE_BEGUN | SL_PROBE_RELEASED | SL_PROBE_ALLOCATED |
                                      SL_PROBE_FREED | SL_PROBE_WRITTEN | SL_PROBE_ENDED | (riscv ? accesses : 0) |
                                      instructions,
                            .payloads = riscv ? SL_PAYLOAD_ADDRESSES : 0,
                            .only = riscv && !check->follows_registers ? ORDERS : 0,
                            .no_values = !riscv,
                            .guards = riscv ? NULL : &check->any_unwritten,
                            .unnumbered = true,
                            .tell = hear,
                            .context = check};
}
