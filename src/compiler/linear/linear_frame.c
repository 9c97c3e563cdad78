#include "compiler/linear/linear_code.h"

#include <stdlib.h>
#include <string.h>

enum { SP = 2, A0 = 10, WORD = 4 };

typedef struct sl_linear_known known;

struct finder {
  struct sl_linear_frame *frame;
  const struct sl_linear_machine_code *machine;
  const struct sl_linear_code *code;
  bool escapes; /* an address of the stack is used where it cannot be tracked */
};

static const struct sl_insn *insn_at(const struct finder *f, uint32_t at)
{
  return &f->machine->code->insn[f->machine->first + at];
}

static known number(uint32_t value)
{
  return (known){.what = SL_LINEAR_KNOWN_NUMBER, .more = value};
}

static known nothing(void)
{
  return (known){.what = SL_LINEAR_UNKNOWN};
}

static bool is_stack(known k)
{
  return k.what == SL_LINEAR_KNOWN_STACK;
}

/* The sum of an address and a number is known; so is the sum of two numbers. */
static known sum(known a, known b)
{
  const known base = a.what == SL_LINEAR_KNOWN_NUMBER ? b : a, added = a.what == SL_LINEAR_KNOWN_NUMBER ? a : b;
  if (base.what == SL_LINEAR_UNKNOWN || added.what != SL_LINEAR_KNOWN_NUMBER)
    return nothing();
  return (known){.what = base.what, .more = base.more + added.more};
}

static known difference(known a, known b)
{
  return b.what == SL_LINEAR_KNOWN_NUMBER ? sum(a, number(0u - b.more)) : nothing();
}

static known result(const struct finder *f, const struct sl_insn *in, uint32_t at, const known *now)
{
  const known a = now[in->rs1], b = now[in->rs2];
  switch (in->op) {
  case SL_OP_LUI: return number(in->imm);
  case SL_OP_AUIPC: return number(sl_code_address(f->machine->code, f->machine->first + at) + in->imm);
  case SL_OP_ADDI: return sum(a, number(in->imm));
  case SL_OP_ADD: return sum(a, b);
  case SL_OP_SUB: return difference(a, b);
  case SL_OP_CSRRS:
    return in->csr == f->machine->abi->launch_csr && in->rs1 == 0 ? (known){.what = SL_LINEAR_KNOWN_LAUNCH} : nothing();
  case SL_OP_LW: {
    const uint32_t slot = sl_linear_frame_slot(f->frame, at, in);
    return slot == SL_LINEAR_NO_REG ? nothing() : now[slot];
  }
  default: return nothing();
  }
}

/* Transfer function: the facts after an instruction, in `now`. */
static void pass(const struct finder *f, uint32_t at, known *now)
{
  const struct sl_insn *in = insn_at(f, at);
  const uint64_t clobbered = f->code->insn[at].clobbers;
  const uint32_t slot = in->op == SL_OP_SW ? sl_linear_frame_slot(f->frame, at, in) : SL_LINEAR_NO_REG;
  if (slot != SL_LINEAR_NO_REG)
    now[slot] = now[in->rs2];
  if (sl_writes_rd(in) && in->rd != 0)
    now[in->rd] = result(f, in, at, now);
  for (unsigned reg = 1; reg < SL_LINEAR_FIRST_SLOT; reg++)
    if (clobbered >> reg & 1)
      now[reg] = nothing();
}

/* If only some paths have an address of the stack, the address escapes. */
static bool merge(struct finder *f, known *into, const known *from)
{
  bool changed = false;
  for (unsigned i = 0; i < SL_LINEAR_FIRST_SLOT + f->frame->slots; i++) {
    known next = into[i];
    if (into[i].what == SL_LINEAR_UNSEEN)
      next = from[i];
    else if (into[i].what != from[i].what || into[i].more != from[i].more)
      next = nothing();
    f->escapes |= next.what == SL_LINEAR_UNKNOWN && (is_stack(into[i]) || is_stack(from[i]));
    changed |= next.what != into[i].what || next.more != into[i].more;
    into[i] = next;
  }
  return changed;
}

static void begin(const struct finder *f)
{
  known *now = f->frame->before[0];
  for (unsigned i = 0; i < SL_LINEAR_PLACES; i++)
    now[i] = nothing();
  now[0] = number(0);
  now[SP] = (known){.what = SL_LINEAR_KNOWN_STACK};
  now[A0] = (known){.what = SL_LINEAR_KNOWN_LAUNCH};
}

/* Iterates to a fixed point; each place changes at most twice. */
static void spread(struct finder *f)
{
  known now[SL_LINEAR_PLACES];
  memset(f->frame->before, 0, f->code->count * sizeof *f->frame->before);
  begin(f);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t at = 0; at < f->code->count; at++) {
      if (f->frame->before[at][0].what == SL_LINEAR_UNSEEN)
        continue;
      memcpy(now, f->frame->before[at], sizeof now);
      pass(f, at, now);
      for (unsigned k = 0; k < 2; k++)
        if (f->code->insn[at].next[k] != SL_LINEAR_NOWHERE)
          changed |= merge(f, f->frame->before[f->code->insn[at].next[k]], now);
    }
  }
}

/* Whether an instruction uses an address of the stack in a way that cannot be tracked. Comparison is harmless. */
static bool lets_go(const struct finder *f, uint32_t at)
{
  const struct sl_insn *in = insn_at(f, at);
  const known *now = f->frame->before[at];
  const bool base = sl_reads_rs1(in) && is_stack(now[in->rs1]);
  const bool other = (sl_reads_rs2(in) && is_stack(now[in->rs2])) || (sl_reads_rs3(in) && is_stack(now[in->rs3]));
  if (f->code->insn[at].clobbers != 0)
    for (unsigned reg = A0; reg < A0 + 8; reg++)
      if (is_stack(now[reg]))
        return true;
  if (in->kind == SL_KIND_LOAD)
    return false;
  if (in->kind == SL_KIND_STORE || in->kind == SL_KIND_AMO)
    return other;
  if (in->kind == SL_KIND_BRANCH || !sl_writes_rd(in) || in->rd == 0)
    return false;
  return (base || other) && !is_stack(result(f, in, at, now));
}

/* An accessed word of the stack. */
struct word {
  uint32_t at;
  bool read, whole;
};

static int by_place(const void *a, const void *b)
{
  const struct word *p = a, *q = b;
  return p->at < q->at ? -1 : p->at > q->at;
}

/* Lists the accessed words; one access may touch two. */
static uint32_t list_words(struct finder *f, struct word *words)
{
  uint32_t count = 0;
  for (uint32_t at = 0; at < f->code->count; at++) {
    const struct sl_insn *in = insn_at(f, at);
    const known *now = f->frame->before[at];
    if (now[0].what == SL_LINEAR_UNSEEN)
      continue;
    f->escapes |= lets_go(f, at);
    if ((in->kind != SL_KIND_LOAD && in->kind != SL_KIND_STORE && in->kind != SL_KIND_AMO) || !is_stack(now[in->rs1]))
      continue;
    const uint32_t place = now[in->rs1].more + in->imm, last = place + in->width - 1;
    const bool whole = in->op == SL_OP_LW || in->op == SL_OP_SW;
    words[count++] =
        (struct word){.at = place & ~3u, .read = in->kind == SL_KIND_LOAD, .whole = whole && place % WORD == 0};
    if ((last & ~3u) != (place & ~3u))
      words[count++] = (struct word){.at = last & ~3u};
  }
  return count;
}

static void choose_slots(struct finder *f, struct word *words, uint32_t count)
{
  qsort(words, count, sizeof *words, by_place);
  for (uint32_t i = 0, end; i < count; i = end) {
    bool read = false, whole = true;
    for (end = i; end < count && words[end].at == words[i].at; end++) {
      read |= words[end].read;
      whole &= words[end].whole;
    }
    if (read && whole && f->frame->slots < SL_LINEAR_SLOTS)
      f->frame->slot[f->frame->slots++] = words[i].at;
  }
}

bool sl_linear_frame_find(struct sl_linear_frame *frame, const struct sl_linear_machine_code *machine,
                          const struct sl_linear_code *code)
{
  *frame = (struct sl_linear_frame){.slots = 0};
  struct finder f = {.frame = frame, .machine = machine, .code = code};
  struct word *words = malloc((2 * (size_t)code->count + 1) * sizeof *words);
  frame->before = malloc((code->count + (size_t)1) * sizeof *frame->before);
  const bool room = words != NULL && frame->before != NULL;
  if (room) {
    spread(&f);
    const uint32_t count = list_words(&f, words);
    if (!f.escapes)
      choose_slots(&f, words, count);
    if (frame->slots > 0)
      spread(&f);
  }
  free(words);
  return room;
}

void sl_linear_frame_free(struct sl_linear_frame *frame)
{
  free(frame->before);
  *frame = (struct sl_linear_frame){.slots = 0};
}

uint32_t sl_linear_frame_slot(const struct sl_linear_frame *frame, uint32_t at, const struct sl_insn *access)
{
  const known base = frame->before[at][access->rs1];
  for (unsigned i = 0; is_stack(base) && i < frame->slots; i++)
    if (frame->slot[i] == base.more + access->imm)
      return SL_LINEAR_FIRST_SLOT + i;
  return SL_LINEAR_NO_REG;
}
