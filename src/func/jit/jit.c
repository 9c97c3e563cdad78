#include "func/jit/jit.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "func/blocks/time_slice.h"
#include "func/jit/emit_block.h"
#include "func/jit/x86.h"

enum {
  ROOM = 4 << 20,     /* bytes of code */
  BLOCK_ROOM = 65536, /* more than any block needs */
  EXECUTIONS = 64,    /* of a block before it is compiled */
  /* Block executions before the first compilation. By then a run has taken about as long as compiling will, which is
   * mostly the cost of host pages. Short runs never compile. */
  PATIENCE = 16384,
  NEVER = UINT8_MAX, /* compilation has been tried */
};

/* One variant; tables by instruction index. */
struct form {
  uint32_t *entry; /* offset of its block in the code; 0: not compiled */
  uint8_t *heat;   /* executions left until compilation, or NEVER */
};

struct sl_jit {
  struct sl_jit_rules rules;
  const struct sl_emit_level *level;
  struct sl_executable memory;
  struct sl_emitter *emitter;
  struct sl_jit_frame *frame;
  struct form form[2]; /* all lanes; some */
  uint8_t *leader, *waits;
  uint32_t count; /* number of instructions that the tables hold */
  bool off;       /* the system no longer allows execution of written code */
  uint8_t executions;
  uint32_t patience; /* block executions left until the first compilation */
  uint32_t coin;     /* random state: chooses JIT or steps for each block entered; 0: always JIT */
  struct sl_jit_parting parting;
};

typedef uint32_t enter_function(struct sl_jit_frame *frame, const void *entry);

/* clang's function sanitizer reads a signature before the called function. JIT code has none. */
#if defined(__clang__) && __clang_major__ >= 17
#define CALLS_JIT_CODE __attribute__((no_sanitize("function")))
#else
#define CALLS_JIT_CODE
#endif

/* The level of the host's processor; NULL: not supported. */
static const struct sl_emit_level *level_here(bool avx2)
{
#if defined(__x86_64__)
  if (!avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
    return &sl_emit_avx512;
  if (__builtin_cpu_supports("avx2"))
    return &sl_emit_avx2;
#endif
  (void)avx2;
  return NULL;
}

bool sl_jit_here(void)
{
  return level_here(false) != NULL;
}

static void set_apart(struct sl_jit_frame *f)
{
  for (unsigned w = 0; w < SL_EMIT_WIDTHS; w++)
    for (uint32_t l = 0; l < 2 * SL_EMIT_LANES_MAX; l++)
      f->apart[w][l] = (l - SL_EMIT_LANE_0) << w;
}

static void free_tables(struct sl_jit *e)
{
  for (unsigned some = 0; some < 2; some++) {
    free(e->form[some].entry);
    free(e->form[some].heat);
    e->form[some] = (struct form){0};
  }
  free(e->leader);
  free(e->waits);
  e->leader = e->waits = NULL;
  e->count = 0;
}

static void free_all(struct sl_jit *e)
{
  if (e == NULL)
    return;
  free_tables(e);
  sl_executable_close(&e->memory);
  free(e->emitter);
  free(e->frame);
  free(e);
}

static struct sl_jit *make(const struct sl_jit_rules *rules, enum sl_execution_mode mode)
{
  const struct sl_emit_level *level = level_here(mode == SL_MODE_EMITTED_AVX2 || mode == SL_MODE_EAGER_AVX2);
  const bool eager = mode == SL_MODE_EAGER || mode == SL_MODE_EAGER_AVX2 || mode == SL_MODE_SWITCHING;
  if (level == NULL || rules->lanes < 4 || rules->lanes > SL_EMIT_LANES_MAX || !sl_is_pow2(rules->lanes))
    return NULL;
  struct sl_jit *e = calloc(1, sizeof *e);
  if (e == NULL)
    return NULL;
  e->rules = *rules;
  e->level = level;
  e->executions = eager ? 1 : EXECUTIONS;
  e->patience = eager ? 0 : PATIENCE;
  e->coin = mode == SL_MODE_SWITCHING;
  e->emitter = calloc(1, sizeof *e->emitter);
  e->frame = sl_lines_of(1, sizeof *e->frame);
  if (e->emitter == NULL || e->frame == NULL) {
    free_all(e);
    return NULL;
  }
  set_apart(e->frame);
  e->frame->mask_rows = level->masks_in_frame;
  return e;
}

static bool make_tables(struct sl_jit *e, uint32_t count)
{
  bool all = true;
  for (unsigned some = 0; some < 2; some++) {
    struct form *f = &e->form[some];
    f->entry = calloc(count, sizeof *f->entry);
    f->heat = calloc(count, sizeof *f->heat);
    all = all && f->entry != NULL && f->heat != NULL;
  }
  e->leader = calloc(count, 1);
  e->waits = calloc(count, 1);
  e->count = count;
  return all && e->leader != NULL && e->waits != NULL;
}

static bool jumps(const struct sl_insn *in)
{
  return in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_JAL;
}

/* Finds leaders: targets of jumps, and instructions after a jump or reconvergence annotation. Paths wait there. */
static void find_leaders(struct sl_jit *e, const struct sl_code *code)
{
  for (uint32_t i = 0; i < code->count; i++) {
    const struct sl_insn *in = &code->insn[i];
    const uint32_t target = sl_code_index(code, sl_code_address(code, i) + in->imm);
    if (jumps(in) && target < code->count)
      e->leader[target] = 1;
    const bool ends = jumps(in) || in->kind == SL_KIND_JALR || in->kind == SL_KIND_POP;
    if (ends && i + 1 < code->count)
      e->leader[i + 1] = 1;
  }
}

void sl_jit_open(struct sl_basic_blocks *b, const struct sl_jit_rules *rules, enum sl_execution_mode mode,
                 bool portable)
{
  if (b->ops != NULL && !portable && mode != SL_MODE_BLOCKS)
    b->emitted = make(rules, mode);
  b->emitted_edition = UINT64_MAX;
}

void sl_jit_close(struct sl_basic_blocks *b)
{
  free_all(b->emitted);
  b->emitted = NULL;
}

void sl_jit_renew(struct sl_basic_blocks *b, const struct sl_code *code)
{
  struct sl_jit *e = b->emitted;
  b->emitted_edition = b->edition;
  free_tables(e);
  e->off = !sl_executable_reset(&e->memory);
  if (make_tables(e, code->count))
    find_leaders(e, code);
  else
    sl_jit_close(b);
}

bool sl_jit_wait(struct sl_jit *e, uint32_t index)
{
  if (index >= e->count || !e->leader[index])
    return false;
  e->waits[index]++;
  return true;
}

void sl_jit_go(struct sl_jit *e, uint32_t index)
{
  if (index < e->count && e->leader[index])
    e->waits[index]--;
}

/* ---- compilation ------------------------------------------------------------------------------------------------- */

static void start_emitter(struct sl_jit *e, struct sl_basic_blocks *b, const struct sl_code *code,
                          const struct sl_step_lanes *s, bool some)
{
  struct sl_emitter *m = e->emitter;
  m->code = code;
  m->steps = b;
  m->leader = e->leader;
  m->slot_shift = e->rules.slot_shift;
  m->level_max = e->rules.level_max;
  m->calls = e->rules.calls;
  m->hammocks = e->rules.hammocks;
  m->links = 0;
  m->filled = s->filled;
  m->own_stacks = s->stack.virtual_base != UINT32_MAX;
  m->c.x.code = e->memory.code;
  m->c.x.used = e->memory.sealed;
  m->c.x.room = e->memory.bytes;
  m->c.x.full = false;
  m->c.x.constants = 0;
  sl_emit_rows_init(&m->c, e->level, e->rules.lanes, some);
  if (e->memory.sealed == 0)
    sl_emit_frame(m);
}

static bool has_room(const struct sl_jit *e)
{
  const struct sl_emitter *m = e->emitter;
  return !m->c.x.full && m->c.x.room - m->c.x.used > BLOCK_ROOM && m->links + 3 <= SL_EMIT_LINKS;
}

/* Compiles the block of an instruction, if possible. */
static void write_block(struct sl_jit *e, struct form *f, uint32_t index)
{
  struct sl_x86 *x = &e->emitter->c.x;
  const size_t before = x->used;
  const unsigned links = e->emitter->links;
  size_t entry;
  f->heat[index] = NEVER;
  if (sl_emit_block(e->emitter, index, &entry) > 0 && !x->full) {
    f->entry[index] = (uint32_t)entry;
    return;
  }
  x->used = before;
  e->emitter->links = links;
}

/* Compiles a block and all its successors, including those after instructions that steps or others execute. Jumps to a
 * target without a block return its index. */
static void write_from(struct sl_jit *e, struct form *f, uint32_t index)
{
  struct sl_emitter *m = e->emitter;
  write_block(e, f, index);
  for (unsigned i = 0; i < m->links && has_room(e); i++)
    if (f->heat[m->link[i].index] != NEVER)
      write_block(e, f, m->link[i].index);
  for (unsigned i = 0; i < m->links; i++) {
    const uint32_t to = m->link[i].index;
    const size_t here = m->c.x.used;
    if (f->entry[to] == 0)
      sl_emit_stop(m, to);
    sl_x86_land(&m->c.x, m->link[i].jump, f->entry[to] != 0 ? f->entry[to] : here);
  }
}

/* Sets the fields of the frame that are the same for all warps of one code. */
static void set_memory(struct sl_jit_frame *f, const struct sl_step_lanes *s)
{
  const struct sl_step_region *r = &s->region[SL_STEP_MEMORY];
  const struct sl_stored_code *code = &s->memory->code;
  const uint32_t row = (s->lanes - 1) * 4;
  f->flat = r->bytes;
  f->pages = s->memory->pages;
  f->low = r->low;
  for (unsigned w = 0; w < SL_EMIT_WIDTHS; w++)
    f->rows[w] = r->size - (s->lanes << w);
  f->single = r->size - 4;
  f->stacks = s->stack.virtual_base;
  f->code_pages = code->base - (SL_PAGE_BYTES - 1);
  f->code_pages_bytes = code->bytes == 0 ? 0 : code->bytes + SL_PAGE_BYTES - 1;
  f->code = code->base - row;
  f->code_bytes = code->bytes == 0 ? 0 : code->bytes + row;
}

/* Compiles from an instruction. There may be no block afterwards. */
static void write_code(struct sl_jit *e, struct sl_basic_blocks *b, const struct sl_code *code,
                       const struct sl_step_lanes *s, bool some, uint32_t index)
{
  set_memory(e->frame, s);
  e->frame->waits = e->waits;
  e->off = e->memory.code == NULL && !sl_executable_open(&e->memory, ROOM);
  if (e->off)
    return;
  start_emitter(e, b, code, s, some);
  if (has_room(e))
    write_from(e, &e->form[some], index);
  e->off = !sl_executable_seal(&e->memory, e->emitter->c.x.used);
}

/* ---- execution --------------------------------------------------------------------------------------------------- */

static bool falls(struct sl_jit *e)
{
  e->coin ^= e->coin << 13; /* xorshift: Marsaglia, Journal of Statistical Software 8 (14), 2003 */
  e->coin ^= e->coin >> 17;
  e->coin ^= e->coin << 5;
  return e->coin & 1;
}

/* Counts an execution of a block without code. Returns true if it is to be compiled now. */
static bool warm(struct sl_jit *e, const struct sl_step_lanes *s, bool some, uint32_t index)
{
  uint8_t *heat = &e->form[some].heat[index];
  if (e->off || *heat == NEVER || s->region[SL_STEP_MEMORY].size < s->lanes * 4)
    return false;
  *heat = (uint8_t)(*heat + (*heat < e->executions));
  if (e->patience > 0)
    e->patience--;
  return e->patience == 0 && *heat >= e->executions;
}

/* Records where the code stopped after lanes diverged. */
static void tell_parting(struct sl_basic_blocks *b, struct sl_jit_frame *f, uint32_t next)
{
  struct sl_jit_parting *parting = &b->emitted->parting;
  parting->hammock = f->hammock;
  if (f->hammock.steps > 0) {
    parting->steps = next - f->hammock.branch - 1;
    parting->taken = f->taken;
    sl_jit_join_after(f, parting->steps);
    f->hammock.steps = 0;
  }
  parting->idle = f->idle;
  f->idle = 0;
  b->parting = parting;
}

CALLS_JIT_CODE uint64_t sl_jit_run(struct sl_basic_blocks *b, const struct sl_code *code, struct sl_step_lanes *s,
                                   bool some, int16_t *level, uint32_t *index, uint64_t *slice, uint64_t most)
{
  struct sl_jit *e = b->emitted;
  struct form *form = &e->form[some];
  if (e->coin != 0 && !falls(e))
    return 0;
  if (form->entry[*index] == 0 && !warm(e, s, some, *index))
    return 0;
  if (form->entry[*index] == 0)
    write_code(e, b, code, s, some, *index);
  if (form->entry[*index] == 0 || e->off)
    return 0;
  struct sl_jit_frame *f = e->frame;
  f->lanes = s;
  sl_jit_activate(f, s->active);
  f->x = s->x;
  f->stack_words = s->stack.physical_base | s->stack.lane0;
  f->level = level;
  f->left = (int64_t)most;
  f->stop = slice != NULL ? f->left - (int64_t)*slice : INT64_MIN;
  enter_function *enter;
  void *code_start = e->memory.code;
  memcpy(&enter, &code_start, sizeof enter);
  const uint32_t next = enter(f, e->memory.code + form->entry[*index]);
  *index = next & ~SL_EMIT_OVER;
  if (f->hammock.steps > 0 || f->idle > 0)
    tell_parting(b, f, *index);
  const uint64_t done = most - (uint64_t)f->left;
  if (slice != NULL)
    *slice = sl_time_slice_after(*slice, done, next & SL_EMIT_OVER);
  return done;
}
