#include "observe/trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/trace/trace_page.h"

enum { FIRST_ROOM = 1 << 12 };

/* Events that move an instruction. */
enum {
  MOVES = SL_PROBE_FETCHED | SL_PROBE_ISSUED | SL_PROBE_STAGED,
  ENDS = SL_PROBE_RETIRED | SL_PROBE_RETRIED | SL_PROBE_FLUSHED | SL_PROBE_ABORTED
};

/* The instruction of an id; NULL: it is not in the pipeline. Ids of instructions at a time are close to each other. */
static struct sl_trace_insn *find(const struct sl_trace *trace, uint64_t id)
{
  uint32_t at = trace->chain[id & (trace->room - 1)];
  while (at != 0 && trace->insn[at - 1].id != id)
    at = trace->insn[at - 1].next;
  return at != 0 ? &trace->insn[at - 1] : NULL;
}

static void link(struct sl_trace *trace, struct sl_trace_insn *insn)
{
  uint32_t *first = &trace->chain[insn->id & (trace->room - 1)];
  insn->next = *first;
  *first = (uint32_t)(insn - trace->insn) + 1;
}

/* Puts places from `first` on into the list of free ones. */
static void vacate(struct sl_trace *trace, size_t first)
{
  for (size_t i = trace->room; i-- > first;) {
    trace->insn[i] = (struct sl_trace_insn){.next = trace->vacant};
    trace->vacant = (uint32_t)i + 1;
  }
}

/* Makes room for twice as many. Without change if out of memory. */
static bool grow(struct sl_trace *trace)
{
  const size_t old = trace->room, room = old != 0 ? 2 * old : FIRST_ROOM;
  struct sl_trace_insn *insn = realloc(trace->insn, room * sizeof *insn);
  if (insn != NULL)
    trace->insn = insn;
  uint32_t *chain = insn != NULL ? calloc(room, sizeof *chain) : NULL;
  if (chain == NULL)
    return false;
  free(trace->chain);
  trace->chain = chain;
  trace->room = room;
  for (size_t i = 0; i < old; i++)
    link(trace, &trace->insn[i]);
  vacate(trace, old);
  return true;
}

/* Numbers an instruction: by its id, since machines give ids one after another from 1, or as the next one. */
static uint64_t number(struct sl_trace *trace, uint64_t id)
{
  const uint64_t row = trace->by_id ? trace->first_row + id - 1 : trace->rows;
  trace->last_row = row >= trace->last_row ? row + 1 : trace->last_row;
  trace->rows++;
  return row;
}

/* Keeps an instruction in the pipeline. The caller sets all but `id` and `next`. NULL: out of memory. */
static struct sl_trace_insn *keep(struct sl_trace *trace, uint64_t id)
{
  if (trace->vacant == 0 && !grow(trace))
    return NULL;
  struct sl_trace_insn *insn = &trace->insn[trace->vacant - 1];
  trace->vacant = insn->next;
  insn->id = id;
  link(trace, insn);
  trace->live++;
  return insn;
}

/* Enters an instruction in its first stage. NULL: out of memory. */
static struct sl_trace_insn *enter(struct sl_trace *trace, uint64_t id, uint64_t pc, uint64_t began, unsigned core,
                                   unsigned warp)
{
  struct sl_trace_insn *insn = keep(trace, id);
  if (insn == NULL)
    return NULL;
  insn->row = number(trace, id);
  insn->pc = pc;
  insn->began = insn->entered = began;
  insn->core = core;
  insn->warp = warp;
  insn->active = 0;
  insn->stage = 0;
  insn->note = (struct sl_trace_note){0};
  memset(insn->spent, 0, sizeof insn->spent);
  return insn;
}

static void forget(struct sl_trace *trace, struct sl_trace_insn *insn)
{
  const uint32_t number = (uint32_t)(insn - trace->insn) + 1;
  uint32_t *at = &trace->chain[insn->id & (trace->room - 1)];
  while (*at != number)
    at = &trace->insn[*at - 1].next;
  *at = insn->next;
  insn->id = 0;
  insn->next = trace->vacant;
  trace->vacant = number;
  trace->live--;
}

static bool in_time(const struct sl_trace *trace, const struct sl_probe *p)
{
  const struct sl_commit_choice *c = &trace->order.choice;
  return !trace->other && p->cycle >= c->from && p->cycle <= c->to &&
         (trace->order.sample == 0 || p->cycle / SL_TRACE_WINDOW % trace->order.sample == 0);
}

static bool has_warp(const struct sl_commit_choice *c, unsigned warp)
{
  return warp >= SL_COMMIT_WARPS || (c->warp[warp / 64] >> (warp % 64) & 1) != 0;
}

const char *sl_trace_kernel(const struct sl_trace *trace, const struct sl_probe *launched)
{
  if (launched->kernel != NULL)
    return launched->kernel;
  const struct sl_location place = sl_trace_locate(&trace->modules, launched->pc, 0);
  return place.function != NULL ? place.function : "kernel";
}

static void leave_stage(struct sl_trace_insn *insn, uint64_t time)
{
  if (insn->stage < SL_TRACE_STAGES)
    insn->spent[insn->stage] += (uint32_t)(time - insn->entered);
}

/* Moves an instruction to its next stage; NULL: it is new. Returns it; NULL: out of memory. */
static struct sl_trace_insn *move(struct sl_trace *trace, const struct sl_probe *p, struct sl_trace_insn *insn,
                                  uint64_t time)
{
  const bool first = insn == NULL;
  if (!first && insn->stage >= p->stage) /* issue and execution come in either order */
    return insn;
  if (first)
    insn = enter(trace, p->id, p->pc, time, p->core, p->warp);
  else
    leave_stage(insn, time);
  if (insn == NULL)
    return NULL;
  if (trace->order.format->enter != NULL)
    trace->order.format->enter(trace, insn, first, p->stage, time);
  insn->stage = p->stage;
  insn->entered = time;
  return insn;
}

/* The time at which a format sees an event: not before that of the event before, unless events may be late. */
static uint64_t moment(const struct sl_trace *trace, uint64_t time)
{
  return trace->by_id ? time : trace->latest;
}

static void leave(struct sl_trace *trace, struct sl_trace_insn *insn, enum sl_trace_end how, uint64_t time)
{
  leave_stage(insn, time);
  if (trace->order.format->leave != NULL)
    trace->order.format->leave(trace, insn, how, time);
}

/* Instructions in the pipeline have no further events. */
static void cut(struct sl_trace *trace)
{
  for (size_t i = 0; trace->live > 0 && i < trace->room; i++)
    if (trace->insn[i].id != 0) {
      leave(trace, &trace->insn[i], SL_TRACE_CUT, trace->latest);
      forget(trace, &trace->insn[i]);
    }
}

/* Copies a line without control characters, up to a character that ends it. */
static void copy_line(char *text, size_t size, const char *from, const char *ends)
{
  size_t n = 0;
  from += strspn(from, " \t");
  for (; *from != '\0' && strchr(ends, *from) == NULL && n + 1 < size; from++)
    text[n++] = (unsigned char)*from < 0x20 ? ' ' : *from;
  text[n] = '\0';
}

static struct sl_trace_code *code_at(const struct sl_trace *trace, uint64_t pc)
{
  return &trace->code[sl_record_code(pc)];
}

static void name_place(const struct sl_trace *trace, const struct sl_trace_module *m, const struct sl_probe *p,
                       char *text, size_t size)
{
  if (m->program != NULL) {
    sl_location_format(m->program, (uint32_t)p->pc, text, size);
    return;
  }
  const struct sl_location place = sl_trace_locate(&trace->modules, p->pc, p->line);
  if (place.line != 0 && place.file != NULL)
    snprintf(text, size, "%.100s:%u", place.file, place.line);
}

/* Keeps the text and source line of an instruction. */
static void add_code(struct sl_trace *trace, const struct sl_probe *p)
{
  struct sl_trace_code *code = code_at(trace, p->pc);
  char text[160] = "", place[sizeof code->place] = "";
  const struct sl_trace_module *m = sl_trace_module_of(&trace->modules, p->pc);
  if (p->insn != NULL)
    sl_disassemble(p->insn, (uint32_t)p->pc, text, sizeof text);
  if (m != NULL && trace->order.format->places)
    name_place(trace, m, p, place, sizeof place);
  const char *source = p->insn == NULL && m != NULL ? sl_source_line(&m->text, p->line) : NULL;
  *code = (struct sl_trace_code){.pc = p->pc, .known = true};
  copy_line(code->text, sizeof code->text, source != NULL ? source : text, source != NULL ? ";" : "");
  copy_line(code->place, sizeof code->place, place, "");
}

const struct sl_trace_code *sl_trace_code(const struct sl_trace *trace, uint64_t pc)
{
  const struct sl_trace_code *code = code_at(trace, pc);
  return code->known && code->pc == pc ? code : NULL;
}

/* The first event of a kernel. Cycles start from 0, unless the kernel is a part of a program that runs on the GPU. */
static void begin_launch(struct sl_trace *trace, const struct sl_probe *p)
{
  const bool restarts = p->cycle < (trace->latest - trace->base + 1) / 2;
  trace->launched = false;
  if (!restarts)
    return;
  cut(trace);
  trace->base = trace->latest;
  trace->first_row = trace->last_row;
}

/* The first event of a launch, and what begins with it. */
static void hear_launch(struct sl_trace *trace, const struct sl_probe *p)
{
  if (p->kind != SL_PROBE_LAUNCHED) {
    begin_launch(trace, p);
    return;
  }
  if (trace->order.ptx != NULL)
    trace->modules.module[0].ptx = trace->order.ptx(trace->order.context);
  trace->launched = true;
  trace->other = trace->order.kernel != NULL && strcmp(trace->order.kernel, sl_trace_kernel(trace, p)) != 0;
  trace->traced += !trace->other;
}

/* Whether an event is to be traced. One of another time ends the instructions in the pipeline. */
static bool is_chosen(struct sl_trace *trace, const struct sl_probe *p)
{
  if ((p->kind & (SL_PROBE_LAUNCHED | SL_PROBE_ENDED | SL_PROBE_ALLOCATED | SL_PROBE_FREED)) != 0)
    return true;
  if (in_time(trace, p))
    return has_warp(&trace->order.choice, p->warp);
  cut(trace);
  return false;
}

static bool hear(void *context, const struct sl_probe *p)
{
  struct sl_trace *trace = context;
  const struct sl_trace_format *format = trace->order.format;
  if (p->kind == SL_PROBE_LAUNCHED || trace->launched)
    hear_launch(trace, p);
  const uint64_t time = trace->base + p->cycle;
  trace->late += time < trace->latest && (p->kind & (MOVES | ENDS)) != 0;
  trace->latest = time > trace->latest ? time : trace->latest;
  if (p->kind == SL_PROBE_EXECUTED && sl_trace_code(trace, p->pc) == NULL)
    add_code(trace, p); /* also of one that is left out, since its instruction comes once */
  if (!trace->whole && !is_chosen(trace, p))
    return true;
  struct sl_trace_insn *insn = p->id != 0 ? find(trace, p->id) : NULL;
  if ((p->kind & MOVES) != 0 && p->id != 0) {
    insn = move(trace, p, insn, moment(trace, time));
    if (insn == NULL) {
      trace->lost = true;
      return false;
    }
  }
  if (p->kind == SL_PROBE_EXECUTED && insn != NULL)
    insn->active = p->active;
  if ((p->kind & format->wanted) != 0)
    format->event(trace, p, insn, time);
  if ((p->kind & ENDS) != 0 && insn != NULL) {
    leave(trace, insn, sl_trace_end_of(p->kind), moment(trace, time));
    forget(trace, insn);
  }
  return true;
}

/* Hears cycles of an issue slot, which belong to no instruction in the pipeline. */
static void hear_wait(struct sl_trace *trace, const struct sl_probe_record *r, unsigned launch)
{
  const uint64_t time = trace->base + r->cycle;
  trace->latest = time > trace->latest ? time : trace->latest;
  if ((SL_PROBE_WAITED & trace->order.format->wanted) == 0)
    return;
  struct sl_probe *p = &trace->wait;
  p->cycle = r->cycle;
  p->launch = launch;
  p->pc = r->pc;
  p->warp = r->warp;
  p->core = r->core;
  p->count = (int64_t)r->more;
  sl_record_read_wait(r, p);
  trace->order.format->event(trace, p, NULL, time);
}

/* Counts of the memory system belong to no instruction. */
static bool hear_count(struct sl_trace *trace, const struct sl_probe_record *r)
{
  const uint64_t time = trace->base + r->cycle;
  trace->latest = time > trace->latest ? time : trace->latest;
  trace->order.format->counted(trace, (enum sl_probe_kind)(1u << r->kind), r->more, time);
  return true;
}

/* Moves an instruction for a format that hears only of its end. */
static bool hear_record(void *context, const struct sl_probe_record *r, unsigned launch)
{
  struct sl_trace *trace = context;
  if (SL_PROBE_WAITED >> r->kind == 1 && trace->whole && !trace->launched && r->id == 0) {
    hear_wait(trace, r, launch);
    return true;
  }
  if ((trace->counts >> r->kind & 1) != 0 && !trace->launched)
    return hear_count(trace, r);
  if ((trace->swift >> r->kind & 1) == 0 || trace->launched || r->id == 0)
    return false;
  const uint64_t time = trace->base + r->cycle;
  struct sl_trace_insn *insn = find(trace, r->id);
  if (insn == NULL && trace->vacant == 0)
    return false;
  trace->late += time < trace->latest;
  trace->latest = time > trace->latest ? time : trace->latest;
  const uint64_t now = moment(trace, time);
  if ((ENDS >> r->kind & 1) != 0) {
    if (insn != NULL) {
      leave(trace, insn, sl_trace_end_of((enum sl_probe_kind)(1u << r->kind)), now);
      forget(trace, insn);
    }
    return true;
  }
  if (insn == NULL)
    insn = enter(trace, r->id, r->pc, now, r->core, r->warp);
  else if (insn->stage >= r->stage)
    return true;
  else
    leave_stage(insn, now);
  insn->stage = r->stage;
  insn->entered = now;
  return true;
}

/* The first event of a launch and the code of an instruction are in its life. */
static void begin_life(struct sl_trace *trace, const struct sl_probe_record *r, const struct sl_relay_life *l,
                       unsigned launch)
{
  const struct sl_probe p = {.kind = SL_PROBE_EXECUTED,
                             .cycle = r->cycle,
                             .launch = launch,
                             .pc = r->pc,
                             .insn = l->insn,
                             .line = l->life->line};
  if (trace->launched)
    hear_launch(trace, &p);
  if (l->insn != NULL && sl_trace_code(trace, p.pc) == NULL)
    add_code(trace, &p);
}

/* Keeps an instruction that goes on. */
static void go_on(struct sl_trace *trace, const struct sl_probe_record *r, const struct sl_record_life *life,
                  uint64_t row, uint64_t entered, const struct sl_trace_note *note)
{
  struct sl_trace_insn *const insn = keep(trace, r->id);
  if (insn == NULL) {
    trace->lost = true;
    return;
  }
  insn->row = row;
  insn->pc = r->pc;
  insn->began = trace->base + r->cycle;
  insn->entered = entered;
  insn->stage = life->stage;
  insn->core = r->core;
  insn->warp = r->warp;
  insn->active = r->more;
  insn->note = *note;
  memset(insn->spent, 0, sizeof insn->spent);
  memcpy(insn->spent, life->spent, sizeof life->spent);
}

/* The number of an instruction. It is no longer kept, if it was. */
static uint64_t number_life(struct sl_trace *trace, const struct sl_probe_record *r)
{
  struct sl_trace_insn *const kept = (r->stage & SL_LIFE_FETCHED) != 0 ? find(trace, r->id) : NULL;
  if (kept == NULL)
    return number(trace, r->id);
  forget(trace, kept);
  return kept->row;
}

static bool hear_life(void *context, const struct sl_probe_record *r, const struct sl_relay_life *l, unsigned launch)
{
  struct sl_trace *trace = context;
  const struct sl_record_life *life = l->life;
  if (trace->launched || (l->insn != NULL && sl_trace_code(trace, r->pc) == NULL))
    begin_life(trace, r, l, launch);
  uint64_t entered = trace->base + r->cycle;
  for (unsigned i = 0; i < SL_RECORD_STAGES; i++)
    entered += life->spent[i];
  trace->latest = entered > trace->latest ? entered : trace->latest;
  const uint64_t row = number_life(trace, r);
  struct sl_trace_note note;
  trace->order.format->lived(trace, r, l, row, &note);
  if ((r->stage & SL_LIFE_GOES_ON) != 0)
    go_on(trace, r, life, row, entered, &note);
  return !trace->lost;
}

/* Whether nothing is left out. */
static bool is_whole(const struct sl_trace_order *order)
{
  uint64_t all = UINT64_MAX;
  for (size_t i = 0; i < sizeof order->choice.warp / sizeof *order->choice.warp; i++)
    all &= order->choice.warp[i];
  return order->choice.from == 0 && order->choice.to == UINT64_MAX && order->sample == 0 && order->kernel == NULL &&
         all == UINT64_MAX;
}

void sl_trace_wants(const struct sl_trace_order *order, struct sl_probes *probes)
{
  probes->wanted = SL_PROBE_LAUNCHED | SL_PROBE_ENDED | SL_PROBE_EXECUTED | MOVES | ENDS | order->format->wanted;
  probes->payloads = order->program == NULL && !order->machine_code ? order->format->payloads : 0;
}

struct sl_probes sl_trace_probes(struct sl_trace *trace)
{
  struct sl_probes probes = {.tell = sl_relay_tell, .context = trace->relay, .records = sl_relay_records(trace->relay)};
  sl_trace_wants(&trace->order, &probes);
  return probes;
}

static void free_trace(struct sl_trace *trace)
{
  sl_relay_free(trace->relay);
  sl_trace_modules_free(&trace->modules);
  free(trace->insn);
  free(trace->chain);
  free(trace->code);
  free(trace->state);
}

enum sl_status sl_trace_add(struct sl_trace *trace, const struct sl_trace_module *module, uint32_t *number,
                            struct sl_error *err)
{
  sl_relay_drain(trace->relay);
  *number = (uint32_t)trace->modules.count;
  return sl_trace_modules_add(&trace->modules, module, err);
}

void sl_trace_choose(struct sl_trace *trace, uint32_t number)
{
  sl_relay_rebase(trace->relay, (uint64_t)number << SL_TRACE_MODULE_SHIFT);
}

/* Adds the module of a program or launch script. */
static enum sl_status add_first(struct sl_trace *trace, struct sl_error *err)
{
  struct sl_trace_module module = {.program = trace->order.program};
  enum sl_status code = SL_OK;
  if (trace->order.module != NULL) {
    module.path = strdup(trace->order.module);
    code = module.path != NULL ? sl_source_read(&module.text, module.path, err) : sl_no_memory(err, 1);
  }
  if (code == SL_OK)
    code = sl_trace_modules_add(&trace->modules, &module, err);
  if (code != SL_OK)
    sl_trace_module_free(&module);
  return code;
}

enum sl_status sl_trace_open(struct sl_trace *trace, const struct sl_trace_order *order, const char *path,
                             struct sl_error *err)
{
  *trace = (struct sl_trace){.order = *order, .details = UINT64_MAX, .whole = is_whole(order)};
  trace->by_id = trace->whole && order->format->lived != NULL;
  trace->wait.kind = SL_PROBE_WAITED;
  trace->swift = trace->whole && order->format->enter == NULL ? (MOVES | ENDS) & ~order->format->wanted : 0;
  trace->counts = trace->whole && order->format->counted != NULL ? SL_PROBE_TRANSACTED | SL_PROBE_DEQUEUED : 0;
  enum sl_status code = SL_OK;
  trace->code = calloc(SL_RECORD_CODES, sizeof *trace->code);
  trace->relay = sl_relay_create((struct sl_relay_hearer){.arrays = order->format->arrays,
                                                          .hear = hear,
                                                          .hear_record = hear_record,
                                                          .hear_life = trace->by_id ? hear_life : NULL,
                                                          .context = trace});
  if (trace->code == NULL || trace->relay == NULL || !grow(trace))
    code = sl_no_memory(err, SL_RECORD_CODES * sizeof *trace->code);
  if (code == SL_OK && (order->program != NULL || order->module != NULL))
    code = add_first(trace, err);
  if (code == SL_OK)
    code = sl_trace_file_open(&trace->file, path, err);
  if (code == SL_OK && order->format->begin(trace, err) != SL_OK) {
    code = err->code;
    sl_trace_file_drop(&trace->file);
  }
  if (code != SL_OK)
    free_trace(trace);
  return code;
}

enum sl_status sl_trace_close(struct sl_trace *trace, struct sl_error *err)
{
  sl_relay_drain(trace->relay);
  cut(trace);
  trace->order.format->end(trace, trace->latest);
  enum sl_status code = sl_trace_file_close(&trace->file, err);
  if (code == SL_OK && trace->lost)
    code = sl_no_memory(err, 2 * trace->room * sizeof *trace->insn);
  free_trace(trace);
  return code;
}
