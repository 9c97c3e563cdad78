#include "func/blocks/basic_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "isa/host_level.h"

/* One table per build of step_lanes.c: level and lane count, n: any. */
#define DECLARE_LEVEL(level)                                                                                           \
  extern const struct sl_step_ops sl_step_ops_##level##_16, sl_step_ops_##level##_32, sl_step_ops_##level##_n;

#define FOR_LANES(level, lanes)                                                                                        \
  ((lanes) == 32 ? &sl_step_ops_##level##_32 : (lanes) == 16 ? &sl_step_ops_##level##_16 : &sl_step_ops_##level##_n)

SL_EACH_LEVEL(DECLARE_LEVEL)

const struct sl_step_ops *sl_step_ops(unsigned lanes, bool portable)
{
  (void)portable; /* a build for the baseline alone does not choose */
  return SL_OF_LEVEL(portable ? SL_HOST_BASELINE : sl_host_level(), FOR_LANES, lanes);
}

static bool nothing(const struct sl_step_lanes *s, const struct sl_step *step)
{
  (void)s, (void)step;
  return true;
}

static bool computes(const struct sl_insn *in)
{
  return in->kind == SL_KIND_ALU || in->kind == SL_KIND_MUL || in->kind == SL_KIND_DIV || in->kind == SL_KIND_FPU;
}

/* Does nothing if the rounding mode is reserved. */
static bool compute_float(const struct sl_step_lanes *s, const struct sl_step *step)
{
  uint32_t raised = 0;
  if (!sl_fp_execute_warp(s->fp, s->x, &s->insn[step->imm], s->active, s->lanes, *s->fcsr >> SL_FCSR_FLAG_BITS,
                          &raised))
    return false;
  *s->fcsr |= raised;
  return true;
}

/* The step of floating-point instruction `number`, with flags and rounding modes. */
static struct sl_step float_step(uint32_t number)
{
  return (struct sl_step){.all = compute_float, .some = compute_float, .imm = number};
}

/* Makes the step of an instruction at pc. Returns false if it cannot be a step. */
static bool make_step(const struct sl_step_ops *ops, const struct sl_insn *in, uint32_t pc, unsigned lane_bits,
                      struct sl_step *step)
{
  const bool shared =
      in->op == SL_OP_LW_SHARED || in->op == SL_OP_SW_SHARED; /* steps do not know where shared memory is */
  const bool none = shared || ops->all[in->op] == NULL, unwanted = in->rd == 0;
  if (none || (unwanted && in->kind == SL_KIND_LOAD) || (!unwanted && in->kind == SL_KIND_AMO))
    return false; /* without rd the access may still fault; an atomic with rd depends on the order of lanes */
  *step = (struct sl_step){.all = ops->all[in->op],
                           .some = ops->some[in->op],
                           .d = (uint32_t)in->rd << lane_bits,
                           .a = (uint32_t)in->rs1 << lane_bits,
                           .b = (uint32_t)in->rs2 << lane_bits,
                           .imm = in->op == SL_OP_AUIPC ? pc + in->imm : in->imm};
  if (unwanted && computes(in))
    step->all = step->some = nothing;
  return true;
}

/* 32 lanes are the usual number: compilers use vector instructions for it. */
static void widen(const uint32_t *address, uint64_t *wide, unsigned lanes)
{
  enum { USUAL = 32 };
  if (lanes == USUAL)
    for (unsigned i = 0; i < USUAL; i++)
      wide[i] = address[i];
  for (unsigned i = 0; i < lanes && lanes != USUAL; i++)
    wide[i] = address[i];
}

/* Executes a load or store, and reports it. */
static bool report_access(const struct sl_step_lanes *s, const struct sl_step *step)
{
  struct sl_basic_blocks *b = s->observed;
  struct sl_step_observer *o = &b->observer;
  const uint32_t index = (uint32_t)(step - b->step);
  const struct sl_insn *in = &b->code->insn[index];
  sl_step_function *const access = s->active == sl_low_bits(s->lanes) ? b->ops->all[in->op] : b->ops->some[in->op];
  uint32_t address[SL_MAX_LANES];
  uint64_t wide[SL_MAX_LANES];
  struct sl_addresses range;
  o->lane_ops->addresses(s->x + step->a, in, s->active, &s->stack, address, &range, s->lanes);
  if (!access(s, step))
    return false;
  widen(address, wide, s->lanes);
  o->event.kind = SL_PROBE_ACCESSED;
  o->event.access = in->kind == SL_KIND_LOAD ? SL_PROBE_LOAD : SL_PROBE_STORE;
  o->event.pc = sl_code_address(b->code, index);
  o->event.insn = in;
  o->event.active = s->active;
  o->event.width = in->width;
  o->event.values = in->rd != 0 ? s->x + step->d : NULL;
  o->event.stored = in->kind == SL_KIND_STORE ? s->x + step->b : NULL;
  o->event.address = address;
  o->event.wide_address = wide;
  o->event.range = &range;
  sl_tell(o->probes, &o->event);
  return true;
}

void sl_basic_blocks_observe(struct sl_basic_blocks *s, struct sl_probes *probes, const struct sl_lane_ops *lane_ops)
{
  s->observer = (struct sl_step_observer){.probes = probes, .lane_ops = lane_ops};
  s->others |= probes != NULL ? sl_probes_reporting(probes) : 0;
}

enum { LONGEST = UINT16_MAX - 1 };

void sl_basic_blocks_init(struct sl_basic_blocks *s, unsigned lanes, unsigned lane_bits, bool floats, uint64_t others,
                          bool portable)
{
  *s = (struct sl_basic_blocks){.ops = sl_step_ops(lanes, portable),
                                .lane_bits = lane_bits,
                                .floats = floats,
                                .others = others,
                                .edition = UINT64_MAX};
}

void sl_basic_blocks_free(struct sl_basic_blocks *s)
{
  free(s->step);
  free(s->straight);
  *s = (struct sl_basic_blocks){0};
}

/* Allocates tables for all instructions of the code; none is decoded. Without host memory there are no blocks, and
 * instructions execute one by one. */
bool sl_basic_blocks_renew(struct sl_basic_blocks *s, const struct sl_code *code, uint64_t edition)
{
  if (s->count != code->count) {
    free(s->step);
    free(s->straight);
    s->count = code->count;
    s->first = s->last = 0;
    s->step = calloc(code->count, sizeof *s->step);
    s->straight = calloc(code->count, sizeof *s->straight);
    if (s->step == NULL || s->straight == NULL) {
      sl_basic_blocks_free(s);
      return false;
    }
  }
  if (s->first < s->last)
    memset(s->straight + s->first, 0, (s->last - s->first) * sizeof *s->straight);
  s->first = s->last = 0;
  s->edition = edition;
  s->code = code;
  return true;
}

static bool is_step(struct sl_basic_blocks *s, const struct sl_code *code, uint32_t index)
{
  const struct sl_insn *in = &code->insn[index];
  if (s->floats && (in->kind == SL_KIND_FPU || in->kind == SL_KIND_FPX)) {
    s->step[index] = float_step(index);
    return true;
  }
  if ((s->others >> in->kind & 1) != 0 ||
      !make_step(s->ops, in, sl_code_address(code, index), s->lane_bits, &s->step[index]))
    return false;
  if (sl_basic_blocks_reports(s, in))
    s->step[index].all = s->step[index].some = report_access;
  return true;
}

/* Decodes from an instruction to the end of its block, or to a decoded one. The last instruction of the code is never a
 * step, so an instruction follows every block. */
uint32_t sl_basic_blocks_decode(struct sl_basic_blocks *s, const struct sl_code *code, uint32_t index)
{
  uint32_t end = index;
  while (end + 1 < code->count && end - index < LONGEST && s->straight[end] == 0 && is_step(s, code, end))
    end++;
  uint32_t steps = end < code->count && s->straight[end] != 0 ? s->straight[end] - 1u : 0;
  s->first = s->first == s->last || index < s->first ? index : s->first;
  const uint32_t behind = end > index ? end : index + 1;
  s->last = behind > s->last ? behind : s->last;
  if (end == index)
    s->straight[index] = 1;
  for (uint32_t i = end; i > index; i--) {
    steps += steps < LONGEST;
    s->straight[i - 1] = (uint16_t)(steps + 1);
  }
  return s->straight[index] - 1u;
}

/* ---- hammocks ---------------------------------------------------------------------------------------------------- */

/* Finds the pop that lanes reach from `join` through computations only. */
static void find_pop(struct sl_hammock *h, struct sl_basic_blocks *s, const struct sl_code *code, uint32_t join)
{
  const uint32_t steps = sl_basic_blocks_from(s, code, join);
  while (h->tail < steps && h->tail < SL_HAMMOCK_TAIL && computes(&code->insn[join + h->tail]))
    h->tail++;
  h->pops = code->insn[join + h->tail].kind == SL_KIND_POP;
  h->tail = h->pops ? h->tail : 0;
}

struct sl_hammock sl_hammock_at(struct sl_basic_blocks *s, const struct sl_code *code, uint32_t branch, bool nesting)
{
  const struct sl_insn *in = &code->insn[branch];
  const uint32_t first = branch + 1, steps = (in->imm >> code->shift) - 1, join = first + steps;
  struct sl_hammock h = {.branch = branch, .nesting = nesting};
  if (steps - 1 >= SL_HAMMOCK_STEPS || (steps + 1) << code->shift != in->imm || in->kind != SL_KIND_BRANCH ||
      join >= code->count || sl_basic_blocks_from(s, code, first) < steps)
    return h;
  h.steps = steps;
  if (nesting)
    find_pop(&h, s, code, join);
  return h;
}

struct sl_hammock_count sl_hammock_count(const struct sl_hammock *h, sl_lanes taken, sl_lanes others, uint32_t done)
{
  const uint32_t ahead = sl_hammock_taken_first(h, taken, others) ? h->tail + 1 : 0;
  /* The caller counts the instructions that all lanes execute together after the steps. */
  const unsigned lanes_ahead = done == h->steps ? 0 : sl_count(taken);
  return (struct sl_hammock_count){done + ahead, done * sl_count(others) + ahead * lanes_ahead};
}

void sl_hammock_part(const struct sl_hammock *h, struct sl_basic_blocks *s, struct sl_step_lanes *lanes,
                     struct sl_paths *paths, const struct sl_code *code, sl_lanes taken, uint32_t done)
{
  const sl_lanes all = lanes->active;
  const uint32_t join = sl_hammock_join(h);
  paths->path[0].pc = sl_code_address(code, h->branch);
  sl_paths_branch(paths, 0, taken, sl_code_address(code, join), sl_code_address(code, h->branch + 1 + done));
  if (!sl_hammock_taken_first(h, taken, all & ~taken))
    return;
  struct sl_path *ahead = &paths->path[paths->path[0].lanes == taken ? 0 : 1];
  lanes->active = taken;
  sl_basic_blocks_perform(lanes, &s->step[join], h->tail, false);
  lanes->active = all;
  ahead->pc = sl_code_address(code, join + h->tail + 1);
  ahead->level--;
}
