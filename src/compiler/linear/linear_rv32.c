#include "compiler/linear/linear_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* Call graph of an RV32 kernel, from direct calls in its code. */

enum state { UNSEEN, ACTIVE, DONE };

/* A function during the traversal: the part of the worklist above `bottom` has its unvisited words. */
struct activation {
  uint32_t entry;
  size_t bottom;
};

struct walk {
  const struct sl_code *code;
  uint8_t *state; /* enum state, by the function's first word */
  uint32_t *seen; /* per word: the function that has visited it last */
  uint32_t *word; /* worklist of all active functions */
  struct activation *call;
  size_t words, calls;
  bool failed;
};

/* Each word is on the worklist of an active function at most once, or twice with its two successors. */
static void look_later(struct walk *w, uint32_t word)
{
  if (word >= w->code->count)
    return;
  if (SL_GROW(w->word, w->words))
    w->word[w->words++] = word;
  else
    w->failed = true;
}

static void begin(struct walk *w, uint32_t entry)
{
  w->state[entry] = ACTIVE;
  w->call[w->calls++] = (struct activation){.entry = entry, .bottom = w->words};
  look_later(w, entry);
}

/* Visits a word of the innermost function; true: it calls an active function. */
static bool look(struct walk *w)
{
  const uint32_t entry = w->call[w->calls - 1].entry, word = w->word[--w->words];
  if (w->seen[word] == entry + 1)
    return false;
  w->seen[word] = entry + 1;
  const struct sl_insn *in = &w->code->insn[word];
  const uint32_t target = sl_code_index(w->code, sl_code_address(w->code, word) + in->imm);
  const bool call = sl_is_call(in), jump = in->kind == SL_KIND_JAL && !call;
  if (!jump && in->kind != SL_KIND_UNKNOWN && (in->kind != SL_KIND_JALR || call))
    look_later(w, word + 1);
  if (jump || in->kind == SL_KIND_BRANCH)
    look_later(w, target);
  if (!call || in->kind != SL_KIND_JAL || target >= w->code->count)
    return false;
  if (w->state[target] == UNSEEN) {
    begin(w, target);
    return false;
  }
  return w->state[target] == ACTIVE;
}

static bool walk(struct walk *w, uint32_t entry)
{
  begin(w, entry);
  while (w->calls > 0 && !w->failed) {
    struct activation *a = &w->call[w->calls - 1];
    if (w->words == a->bottom) {
      w->state[a->entry] = DONE;
      w->calls--;
    } else if (look(w)) {
      return true;
    }
  }
  return false;
}

/* Whether a function that the kernel reaches by direct calls is recursive, directly or through others. Functions end at
 * indirect jumps. False: out of memory. */
static bool sl_linear_calls_recur(const struct sl_linear_machine_code *machine, bool *recurs)
{
  const size_t count = machine->code->count + (size_t)1;
  struct walk w = {.code = machine->code,
                   .state = calloc(count, sizeof *w.state),
                   .seen = calloc(count, sizeof *w.seen),
                   .call = malloc(count * sizeof *w.call)};
  const bool room = w.state != NULL && w.seen != NULL && w.call != NULL;
  *recurs = room && walk(&w, machine->first);
  free(w.state);
  free(w.seen);
  free(w.word);
  free(w.call);
  return room && !w.failed;
}

enum { RA = 1, SP = 2, A0 = 10, ARGUMENT_REGISTERS = 8, WORD = 4, SIZES = 6 };

/* Caller-saved registers: ra, t0 to t6, a0 to a7. */
#define CLOBBERED UINT64_C(0xf003fce2)

struct reader {
  struct sl_linear_code *code;
  const struct sl_linear_machine_code *machine;
  struct sl_linear_frame frame;
  bool failed;
};

static const struct sl_insn *insn_at(const struct reader *r, uint32_t at)
{
  return &r->machine->code->insn[r->machine->first + at];
}

static uint32_t address_of(const struct reader *r, uint32_t at)
{
  return sl_code_address(r->machine->code, r->machine->first + at);
}

static void refuse(struct reader *r, uint32_t at, const char *why)
{
  if (r->code->refusal[0] == '\0')
    snprintf(r->code->refusal, sizeof r->code->refusal, "at %08" PRIx32 " %s", address_of(r, at), why);
}

/* Register 0 is the number 0. */
static void add_source(struct sl_linear_insn *in, unsigned reg)
{
  in->src[in->srcs++] = (struct sl_linear_operand){.reg = reg == 0 ? SL_LINEAR_NO_REG : reg};
}

static void add_number(struct sl_linear_insn *in, uint32_t number)
{
  in->src[in->srcs++] = (struct sl_linear_operand){.reg = SL_LINEAR_NO_REG, .number = (int32_t)number};
}

static void make_symbol(struct reader *r, struct sl_linear_insn *in, struct sl_linear_symbol symbol)
{
  in->kind = SL_LINEAR_SYMBOL;
  in->srcs = 0;
  in->base = -1;
  in->which = sl_linear_symbol(r->code, &symbol);
  r->failed |= in->which == 0;
}

static struct sl_linear_symbol size_symbol(bool grid, unsigned dimension)
{
  struct sl_linear_symbol size = {.origin = grid ? SL_LINEAR_GRID_SIZE : SL_LINEAR_BLOCK_SIZE, .at = dimension};
  snprintf(size.name, sizeof size.name, "%s.%c", grid ? "nctaid" : "ntid", "xyz"[dimension]);
  return size;
}

static struct sl_linear_symbol register_symbol(const char *name, unsigned reg)
{
  struct sl_linear_symbol symbol = {.origin = SL_LINEAR_REGISTER, .at = reg};
  snprintf(symbol.name, sizeof symbol.name, "%s", name);
  return symbol;
}

/* Reads a word of the launch block, which kernels do not write. */
static void read_launch(struct reader *r, struct sl_linear_insn *in, uint32_t offset)
{
  const struct sl_linear_abi *abi = r->machine->abi;
  if (offset % WORD != 0)
    return;
  if (offset >= abi->arguments_at && offset < INT16_MAX) {
    struct sl_linear_symbol argument = {.origin = SL_LINEAR_ARGUMENT, .bytes = WORD, .at = offset};
    snprintf(argument.name, sizeof argument.name, "P%" PRIu32, (offset - abi->arguments_at) / WORD);
    make_symbol(r, in, argument);
  } else if (offset - abi->grid_at < 3 * WORD) {
    make_symbol(r, in, size_symbol(true, (offset - abi->grid_at) / WORD));
  } else if (offset - abi->block_at < 3 * WORD) {
    make_symbol(r, in, size_symbol(false, (offset - abi->block_at) / WORD));
  }
}

static void read_csr(struct reader *r, const struct sl_insn *from, struct sl_linear_insn *in)
{
  const unsigned place = from->csr - (unsigned)r->machine->abi->place_csr;
  if (from->op != SL_OP_CSRRS || from->rs1 != 0)
    return;
  if (place < SL_LINEAR_INDICES) {
    in->kind = SL_LINEAR_INDEX;
    in->srcs = 0;
    in->which = (uint16_t)place;
  } else if (place < SL_LINEAR_INDICES + SIZES) {
    make_symbol(r, in, size_symbol(place >= SL_LINEAR_INDICES + 3, place % 3));
  } else if (from->csr == r->machine->abi->launch_csr) {
    make_symbol(r, in, register_symbol("launch", A0));
  }
}

static void read_arithmetic(const struct reader *r, uint32_t at, struct sl_linear_insn *in)
{
  const struct sl_insn *from = insn_at(r, at);
  in->kind = SL_LINEAR_OTHER;
  switch (from->op) {
  case SL_OP_LUI:
  case SL_OP_AUIPC:
    in->kind = SL_LINEAR_NUMBER;
    in->number = (int32_t)(from->imm + (from->op == SL_OP_AUIPC ? address_of(r, at) : 0));
    break;
  case SL_OP_ADDI:
    in->kind = SL_LINEAR_ADD;
    add_number(in, from->imm);
    break;
  case SL_OP_SLLI:
    in->kind = SL_LINEAR_SHIFT_LEFT;
    add_number(in, from->imm & 31);
    break;
  case SL_OP_ADD: in->kind = SL_LINEAR_ADD; break;
  case SL_OP_SUB: in->kind = SL_LINEAR_SUBTRACT; break;
  case SL_OP_MUL: in->kind = SL_LINEAR_MULTIPLY; break;
  case SL_OP_SLL: in->kind = SL_LINEAR_SHIFT_LEFT; break;
  default: break;
  }
}

/* A stack slot is a register: the access becomes a move. */
static void read_access(struct reader *r, uint32_t at, struct sl_linear_insn *in)
{
  const struct sl_insn *from = insn_at(r, at);
  const struct sl_linear_known base = r->frame.before[at][from->rs1];
  const bool word = from->op == SL_OP_LW || from->op == SL_OP_SW;
  const uint32_t slot = word ? sl_linear_frame_slot(&r->frame, at, from) : SL_LINEAR_NO_REG;
  in->role = SL_LINEAR_ACCESSES;
  if (slot != SL_LINEAR_NO_REG) {
    in->kind = SL_LINEAR_MOVE;
    in->srcs = 0;
    if (from->op == SL_OP_LW) {
      add_source(in, slot);
    } else {
      add_source(in, from->rs2);
      in->dst[in->dsts++] = slot;
    }
    return;
  }
  in->base = from->rs1 != 0 ? 0 : -1;
  in->number = (int32_t)from->imm;
  if (from->op == SL_OP_LW && base.what == SL_LINEAR_KNOWN_LAUNCH)
    read_launch(r, in, base.more + from->imm);
}

/* Registers that a called function may read: arguments and the stack pointer. */
static void read_call(struct sl_linear_insn *in)
{
  in->role = SL_LINEAR_CONTROLS;
  in->clobbers = CLOBBERED;
  in->dsts = 0;
  in->srcs = 0;
  for (unsigned i = 0; i < ARGUMENT_REGISTERS; i++)
    add_source(in, A0 + i);
  add_source(in, SP);
}

static bool ends_thread(const struct reader *r, const struct sl_insn *in)
{
  return in->op == SL_OP_CSRRWI && in->csr == r->machine->abi->end_csr && (in->imm & 1) != 0;
}

/* Sets the successors. A jump out of the function is a tail call. */
static void connect(struct reader *r, uint32_t at)
{
  const struct sl_insn *from = insn_at(r, at);
  struct sl_linear_insn *in = &r->code->insn[at];
  const uint32_t count = r->code->count, following = at + 1 < count ? at + 1 : SL_LINEAR_NOWHERE;
  const uint32_t to = sl_code_index(r->machine->code, address_of(r, at) + from->imm) - r->machine->first;
  const uint32_t target = to < count ? to : SL_LINEAR_NOWHERE;
  const bool call = sl_is_call(from);
  in->next[0] = following;
  in->next[1] = SL_LINEAR_NOWHERE;
  if (from->kind == SL_KIND_BRANCH && target != following) {
    in->next[in->next[0] != SL_LINEAR_NOWHERE] = target;
  } else if (from->kind == SL_KIND_JAL && !call) {
    in->next[0] = target;
  } else if ((from->kind == SL_KIND_JALR && !call) || from->kind == SL_KIND_UNKNOWN || ends_thread(r, from)) {
    in->next[0] = SL_LINEAR_NOWHERE;
  }
  if (from->kind == SL_KIND_JALR && !call && (from->rd != 0 || from->rs1 != RA))
    refuse(r, at, "it has an indirect jump, whose target is unknown");
  if (call && from->rd != RA)
    refuse(r, at, "it calls a function that returns by t0, and may change the stack pointer");
  if (from->op == SL_OP_FENCE_I)
    refuse(r, at, "it has a fence.i, which only self-modifying code needs");
}

static void read_insn(struct reader *r, uint32_t at)
{
  const struct sl_insn *from = insn_at(r, at);
  struct sl_linear_insn *in = &r->code->insn[at];
  const bool reads[] = {sl_reads_rs1(from), sl_reads_rs2(from), sl_reads_rs3(from)};
  const unsigned reg[] = {from->rs1, from->rs2, from->rs3};
  for (unsigned i = 0; i < 3; i++)
    if (reads[i])
      add_source(in, reg[i]);
  if (sl_writes_rd(from) && from->rd != 0)
    in->dst[in->dsts++] = from->rd;
  if (r->frame.before[at][0].what == SL_LINEAR_UNSEEN)
    return; /* unreachable */
  switch ((enum sl_kind)from->kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL: read_arithmetic(r, at, in); break;
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO: read_access(r, at, in); break;
  case SL_KIND_CSR: read_csr(r, from, in); break;
  case SL_KIND_BRANCH:
  case SL_KIND_JAL:
  case SL_KIND_JALR: in->role = SL_LINEAR_CONTROLS; break;
  default: break;
  }
  if (sl_is_call(from) || (from->kind == SL_KIND_JAL && in->next[0] == SL_LINEAR_NOWHERE))
    read_call(in);
}

/* Sets the registers' values at entry. */
static void enter(struct reader *r)
{
  const struct sl_linear_symbol launch = register_symbol("launch", A0), stack = register_symbol("sp", SP);
  r->code->entry[A0] = sl_linear_symbol(r->code, &launch);
  r->code->entry[SP] = sl_linear_symbol(r->code, &stack);
  r->failed |= r->code->entry[A0] == 0 || r->code->entry[SP] == 0;
}

static bool read_all(struct reader *r)
{
  struct sl_linear_code *code = r->code;
  code->insn = malloc((code->count + (size_t)1) * sizeof *code->insn);
  code->entry = calloc(code->registers, sizeof *code->entry);
  if (code->insn == NULL || code->entry == NULL)
    return false;
  for (uint32_t at = 0; at < code->count; at++) {
    code->insn[at] = (struct sl_linear_insn){.base = -1};
    code->insn[at].clobbers = sl_is_call(insn_at(r, at)) ? CLOBBERED : 0;
    connect(r, at);
  }
  if (!sl_linear_frame_find(&r->frame, r->machine, code))
    return false;
  enter(r);
  for (uint32_t at = 0; at < code->count && !r->failed; at++)
    read_insn(r, at);
  return !r->failed;
}

enum sl_status sl_linear_from_rv32(struct sl_linear_code *code, const struct sl_linear_machine_code *machine,
                                   struct sl_error *err)
{
  struct reader r = {.code = code, .machine = machine};
  *code = (struct sl_linear_code){
      .bits = 32, .count = machine->end - machine->first, .registers = SL_LINEAR_PLACES, .held = SP, .symbols = 1};
  bool recurs = false;
  bool room = sl_linear_calls_recur(machine, &recurs);
  if (recurs)
    snprintf(code->refusal, sizeof code->refusal, "it calls a recursive function");
  room = room && read_all(&r);
  sl_linear_frame_free(&r.frame);
  if (room)
    return SL_OK;
  sl_linear_code_free(code);
  return sl_no_memory(err, (machine->end - machine->first) * sizeof *code->insn);
}
