/* Registers of RISC-V that no instruction of the thread has written.
 *
 * A program in which every read of a register follows a write on each way from the function's start has no such defect,
 * and its run is not followed: most programs. In others, the checker follows which registers each thread has written
 * since it entered the kernel. As in valgrind's memcheck, copies and arithmetic pass the defect on, and only uses that
 * matter are findings: branches, addresses, stored values and control of warps. Bitwise operations end it: compilers
 * build a word from its bits with them. A value that is saved on the stack is no finding either: functions save
 * registers that belong to their callers. Source of what is defined at the entry: RISC-V psABI, "Integer Register
 * Convention". */
#include <stdlib.h>
#include <string.h>

#include "isa/wide.h"
#include "observe/check/check_feed.h"
#include "program/kernels.h"

enum { ZERO, RA, SP, TP = 4, T0, A0 = 10, A1, A7 = 17, FLOAT = SL_FLOAT_REGISTERS };
enum { A8 = 32, A23 = 47 /* of 64-bit words, which have no registers for floats alone. Source: isa/wide.h */ };
enum { WORDS = SL_CHECK_REGISTERS / 64 };

typedef struct sl_check_registers set;

static set both(set a, set b)
{
  for (unsigned i = 0; i < WORDS; i++)
    a.word[i] &= b.word[i];
  return a;
}

static set either(set a, set b)
{
  for (unsigned i = 0; i < WORDS; i++)
    a.word[i] |= b.word[i];
  return a;
}

static set without(set a, set b)
{
  for (unsigned i = 0; i < WORDS; i++)
    a.word[i] &= ~b.word[i];
  return a;
}

static bool any(set a)
{
  uint64_t all = 0;
  for (unsigned i = 0; i < WORDS; i++)
    all |= a.word[i];
  return all != 0;
}

static set range(unsigned first, unsigned last)
{
  set s = {{0}};
  for (unsigned reg = first; reg <= last && reg < SL_CHECK_REGISTERS; reg++)
    s.word[reg / 64] |= UINT64_C(1) << reg % 64;
  return s;
}

static set bit_of(unsigned reg)
{
  return range(reg, reg);
}

/* Those that a function, or a kernel, which has at most two arguments, cannot rely on. Streams write to ft9 to ft11.
 * Source: runtime/simt.h, vortex_loops.h. */
static set undefined_at(bool kernel, bool wide)
{
  set defined = either(range(ZERO, TP), kernel ? range(A0, A1) : range(A0, A7));
  if (!wide)
    defined = either(defined, range(FLOAT + 29, FLOAT + 31));
  if (!kernel)
    defined = either(defined, wide ? range(A8, A23) : range(FLOAT + A0, FLOAT + A7));
  return without(range(0, wide ? SL_CHECK_REGISTERS - 1 : 2 * FLOAT - 1), defined);
}

static set reads(const struct sl_insn *in)
{
  set s = {{0}};
  if (sl_reads_rs1(in))
    s = bit_of(in->rs1);
  if (sl_reads_rs2(in))
    s = either(s, bit_of(in->rs2));
  return sl_reads_rs3(in) ? either(s, bit_of(in->rs3)) : s;
}

static set writes(const struct sl_insn *in)
{
  return sl_writes_rd(in) ? bit_of(in->rd) : (set){{0}};
}

static bool is_bitwise(const struct sl_insn *in)
{
  return in->op == SL_OP_AND || in->op == SL_OP_OR || in->op == SL_OP_ANDI || in->op == SL_OP_ORI;
}

/* Whose use of an undefined value is a defect. */
static set matters(const struct sl_insn *in)
{
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO:
  case SL_KIND_LRSC:
  case SL_KIND_BRANCH:
  case SL_KIND_JALR:
  case SL_KIND_WARP: return reads(in);
  default: return (set){{0}};
  }
}

/* ---- before the run ---------------------------------------------------------------------------------------------- */

struct function {
  uint32_t begin, end;
  const char *name;
  bool reached, examined; /* from a kernel */
};

struct functions {
  struct function *function; /* ascending */
  size_t count, room;
  bool pointers; /* a function calls a pointer */
};

/* A function's instructions, of `bytes` bytes each. */
struct body {
  uint32_t begin, count, bytes;
  struct sl_insn *insn;
  set *undefined; /* before the instruction, on some way */
  bool *reached;
};

static bool flow(struct body *b, uint32_t to, set undefined)
{
  const bool changes = to < b->count && (!b->reached[to] || any(without(undefined, b->undefined[to])));
  if (changes) {
    b->undefined[to] = b->reached[to] ? either(b->undefined[to], undefined) : undefined;
    b->reached[to] = true;
  }
  return changes;
}

/* The end of a thread: it stores 3 in this register, or on machines that assign blocks 1. Source: simt_exit in
 * runtime/simt_marks.h and simt_grid.h. */
static bool ends_thread(const struct body *b, uint32_t i)
{
  enum { CONTROL = 0x830, END = 3, GRID_END = 1 };
  const struct sl_insn *in = &b->insn[i], *before = i > 0 ? &b->insn[i - 1] : in;
  return in->csr == CONTROL && ((in->op == SL_OP_CSRRWI && in->rs1 == GRID_END) ||
                                (in->op == SL_OP_CSRRW && before->op == SL_OP_ADDI && before->rd == in->rs1 &&
                                 before->rs1 == ZERO && before->imm == END));
}

/* The address that an instruction and the one before it compute from the pc, or jump to; 0: another instruction. */
static uint32_t address_of(const struct body *b, uint32_t i)
{
  const struct sl_insn *in = &b->insn[i], *before = i > 0 ? &b->insn[i - 1] : in;
  const bool pair =
      before->op == SL_OP_AUIPC && before->rd == in->rs1 && (in->kind == SL_KIND_JALR || in->op == SL_OP_ADDI);
  return pair ? b->begin + b->bytes * (i - 1) + before->imm + in->imm : 0;
}

/* Where a jump goes within the function, as an instruction; UINT32_MAX: elsewhere. A barrier jumps to the address that
 * the two instructions before compute. Source: runtime/simt_marks.h. */
static uint32_t target_of(const struct body *b, uint32_t i)
{
  const struct sl_insn *in = &b->insn[i];
  uint32_t to = b->begin + b->bytes * i + in->imm;
  if (in->kind == SL_KIND_JALR)
    to = i > 0 && b->insn[i - 1].rd == in->rs1 && in->imm == 0 ? address_of(b, i - 1) : 0;
  return (to - b->begin) / b->bytes < b->count ? (to - b->begin) / b->bytes : UINT32_MAX;
}

/* Passes on what is undefined after an instruction. Calls return with the results that they may have. */
static bool pass_on(struct body *b, uint32_t i)
{
  const struct sl_insn *in = &b->insn[i];
  set after = without(b->undefined[i], writes(in));
  bool changed = false;
  if (sl_is_call(in))
    after = without(after, either(range(A0, A1), range(FLOAT + A0, FLOAT + A1)));
  if (in->kind == SL_KIND_BRANCH || ((in->kind == SL_KIND_JAL || in->kind == SL_KIND_JALR) && !sl_is_call(in)))
    changed = flow(b, target_of(b, i), after);
  if (sl_is_call(in) || (in->kind != SL_KIND_JAL && in->kind != SL_KIND_JALR && !ends_thread(b, i)))
    changed |= flow(b, i + 1, after);
  return changed;
}

/* What a function does to have its own code: it saves registers on the stack, and returns to a second link register. */
static bool is_frame(const struct sl_insn *in)
{
  return (in->kind == SL_KIND_STORE && in->rs1 == SP) || (in->kind == SL_KIND_JALR && in->rd == ZERO && in->rs1 == T0);
}

/* Whether an instruction may read a register that the function has not written. */
static bool may_read_undefined(struct body *b, set undefined)
{
  bool changed = flow(b, 0, undefined);
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i < b->count; i++)
      changed |= b->reached[i] && pass_on(b, i);
  }
  for (uint32_t i = 0; i < b->count; i++)
    if (b->reached[i] && !is_frame(&b->insn[i]) && any(both(reads(&b->insn[i]), b->undefined[i])))
      return true;
  return false;
}

/* `whole`: only the function that begins there. */
static void reach(struct functions *f, uint32_t address, bool whole)
{
  size_t low = 0, high = f->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (f->function[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < f->count && f->function[low].begin <= address && (!whole || f->function[low].begin == address))
    f->function[low].reached = true;
}

/* Marks what the function calls. */
static void reach_callees(struct functions *f, const struct body *b)
{
  for (uint32_t i = 0; i < b->count; i++) {
    const struct sl_insn *in = &b->insn[i];
    const bool returns = in->rd == ZERO && (in->rs1 == RA || in->rs1 == T0);
    if (in->kind == SL_KIND_JAL)
      reach(f, b->begin + b->bytes * i + in->imm, false);
    else if (in->kind == SL_KIND_JALR && address_of(b, i) != 0)
      reach(f, address_of(b, i), false);
    else
      f->pointers |= in->kind == SL_KIND_JALR && !returns;
  }
}

static bool is_kernel(const struct sl_program *program, const char *name)
{
  for (size_t i = 0; i < sl_program_kernel_count(program); i++) {
    const char *kernel = sl_program_kernel(program, i).name;
    const size_t size = strlen(kernel);
    if (strncmp(name, kernel, size) == 0 && (name[size] == '\0' || strcmp(name + size, "_thread") == 0))
      return true;
  }
  return false;
}

static bool read_body(struct sl_check *check, const struct sl_soc *soc, const struct function *f, struct body *b)
{
  const struct sl_isa *isa = sl_isa(soc->isa);
  *b = (struct body){.begin = f->begin, .count = (f->end - f->begin) / isa->word_bytes, .bytes = isa->word_bytes};
  b->insn = malloc((b->count + 1) * sizeof *b->insn);
  b->undefined = malloc((b->count + 1) * sizeof *b->undefined);
  b->reached = calloc(b->count + 1, sizeof *b->reached);
  if (b->insn == NULL || b->undefined == NULL || b->reached == NULL)
    check->out_of_memory = true;
  for (uint32_t i = 0; b->insn != NULL && i < b->count; i++)
    b->insn[i] = isa->decode(sl_program_instruction(check->program, b->begin + b->bytes * i), soc->isa_sets);
  return b->insn != NULL && b->undefined != NULL && b->reached != NULL;
}

static void free_body(struct body *b)
{
  free(b->insn);
  free(b->undefined);
  free(b->reached);
}

static bool examine(struct sl_check *check, const struct sl_soc *soc, struct functions *f, const struct function *of)
{
  struct body b;
  const set undefined = undefined_at(is_kernel(check->program, of->name), soc->isa == SL_ISA_WIDE64);
  bool found = false;
  if (read_body(check, soc, of, &b)) {
    reach_callees(f, &b);
    found = may_read_undefined(&b, undefined);
  }
  free_body(&b);
  return found;
}

static void add_functions(struct sl_check *check, const struct sl_segment *s, struct functions *f)
{
  for (uint32_t at = s->address; s->executable && at - s->address < s->size;) {
    const char *name = NULL;
    uint32_t end = at + 4;
    if (sl_program_function(check->program, at, &name, &end) &&
        sl_check_grow(check, &f->function, f->count, &f->room, sizeof *f->function))
      f->function[f->count++] = (struct function){at, end, name, is_kernel(check->program, name), false};
    at = end;
  }
}

/* The address that an instruction loads. 64-bit words hold all of it. */
static uint32_t constant_of(const struct body *b, uint32_t i)
{
  const struct sl_insn *in = &b->insn[i];
  return in->op == SL_OP_LUI || in->rs1 == ZERO ? in->imm : address_of(b, i);
}

/* Marks functions whose address the program takes. */
static void reach_pointers(struct sl_check *check, const struct sl_soc *soc, struct functions *f)
{
  struct body b;
  for (size_t i = 0; i < sl_program_segment_count(check->program); i++) {
    const struct sl_segment *s = sl_program_segment(check->program, i);
    uint32_t word;
    for (uint32_t at = 0; !s->executable && at + 4 <= s->file_size; at += 4) {
      memcpy(&word, s->bytes + at, sizeof word);
      reach(f, word, true);
    }
  }
  for (size_t i = 0; i < f->count; i++) {
    if (read_body(check, soc, &f->function[i], &b))
      for (uint32_t k = 0; k < b.count; k++)
        if (b.insn[k].op == SL_OP_ADDI || b.insn[k].op == SL_OP_LUI)
          reach(f, constant_of(&b, k), true);
    free_body(&b);
  }
}

bool sl_check_may_be_unwritten(struct sl_check *check, const struct sl_soc *soc)
{
  struct functions f = {.count = 0};
  bool found = false, more = true, pointers = false;
  if (check->options.no_uninitialised)
    return false;
  check->kernel_registers = undefined_at(true, soc->isa == SL_ISA_WIDE64);
  for (size_t i = 0; i < sl_program_segment_count(check->program); i++)
    add_functions(check, sl_program_segment(check->program, i), &f);
  f.pointers = sl_program_kernel_count(check->program) == 0;
  while (more && !found) {
    more = false;
    if (f.pointers && !pointers)
      reach_pointers(check, soc, &f);
    pointers |= f.pointers;
    for (size_t i = 0; i < f.count && !found; i++)
      if (f.function[i].reached && !f.function[i].examined) {
        f.function[i].examined = more = true;
        found = examine(check, soc, &f, &f.function[i]);
      }
  }
  free(f.function);
  return found;
}

/* ---- in the run -------------------------------------------------------------------------------------------------- */

static bool is_on_stack(const struct sl_check *check, const struct sl_probe *p, unsigned lane)
{
  if (p->insn->kind != SL_KIND_STORE || p->address == NULL)
    return false;
  const uint64_t address = p->address[lane];
  return p->insn->rs1 == SP || (check->stacks_apart && address >= check->scratchpad.end) ||
         (address >= check->stacks.first && address < check->stacks.end);
}

static void report(struct sl_check *check, const struct sl_probe *p, unsigned lane, unsigned reg)
{
  const uint32_t site = sl_check_site(check, check->program, p->pc);
  const bool wide = sl_program_isa(check->program) == SL_ISA_WIDE64;
  const char *variable = wide && reg >= FLOAT /* debug information names those of RISC-V */
                             ? NULL
                             : sl_program_register_variable(check->program, (uint32_t)p->pc, reg);
  char place[300], text[700];
  sl_check_name_place(check, site, place, sizeof place);
  snprintf(text, sizeof text, "%s: lane %u of warp %u uses register %s%s%.100s%s, which no instruction has written",
           place, lane, p->warp, wide ? sl_wide_register_name(reg) : sl_register_name(p->insn, reg),
           variable != NULL ? " (variable " : "", variable != NULL ? variable : "", variable != NULL ? ")" : "");
  sl_check_note(check, "uninitialised register", sl_check_place(check, site), text);
}

static unsigned lowest(set s)
{
  unsigned i = 0;
  while (s.word[i] == 0)
    i++;
  return 64 * i + sl_lowest(s.word[i]);
}

static void follow_lane(struct sl_check *check, const struct sl_probe *p, unsigned lane, set *undefined)
{
  const set used = both(reads(p->insn), *undefined), defect = both(used, matters(p->insn));
  const bool found = any(defect), address = any(both(defect, bit_of(p->insn->rs1)));
  if (found && (address || !is_on_stack(check, p, lane)))
    report(check, p, lane, address ? p->insn->rs1 : lowest(defect));
  *undefined = without(*undefined, either(writes(p->insn), defect)); /* one finding for one mistake */
  if (any(used) && !found && !is_bitwise(p->insn))
    *undefined = either(*undefined, without(writes(p->insn), bit_of(ZERO)));
}

void sl_check_unwritten(struct sl_check *check, struct sl_check_block *b, unsigned warp, const struct sl_probe *p)
{
  struct sl_check_warp *w = &b->warp[warp];
  const set touched = either(reads(p->insn), writes(p->insn));
  if (p->pc == check->entry)
    for (sl_lanes rest = p->active & ~w->entered; rest != 0; rest &= rest - 1) {
      w->unwritten[sl_lowest(rest)] = check->kernel_registers;
      w->entered |= sl_bit(sl_lowest(rest));
    }
  for (sl_lanes rest = p->active & w->entered; rest != 0; rest &= rest - 1)
    if (any(both(w->unwritten[sl_lowest(rest)], touched)))
      follow_lane(check, p, sl_lowest(rest), &w->unwritten[sl_lowest(rest)]);
}
