#include "device/fault_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mem/memory.h"

enum { CONSOLE_CSR = 0x802, CONSOLE_CSR_LAST = 0x805 }; /* of the host CPU */

/* A text that is truncated at the end of its buffer. */
struct text {
  char *at;
  size_t left;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  int n = vsnprintf(t->at, t->left, format, args);
  va_end(args);
  size_t used = n < 0 ? 0 : (size_t)n < t->left ? (size_t)n : t->left ? t->left - 1 : 0;
  t->at += used;
  t->left -= used;
}

/* Names an instruction that only other machines have. */
static void add_name(struct text *t, const struct sl_insn *insn)
{
  enum { STANDARD = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX | SL_ISA_ZICOND | SL_ISA_LANES };
  const struct sl_isa *rv32 = sl_isa(SL_ISA_RV32);
  if (sl_insn_bytes(insn) != rv32->word_bytes)
    return;
  const struct sl_insn known = rv32->decode(insn->word, STANDARD);
  if (known.op != SL_OP_UNKNOWN)
    add(t, ", which has no %s", sl_op_info(known.op)->name);
}

static void add_problem(struct text *t, const struct sl_fault *f)
{
  const uint32_t address = f->address;
  switch (f->kind) {
  case SL_FAULT_UNKNOWN_INSTRUCTION:
    add(t, "0x%0*" PRIx64 " is not an instruction of this machine", 2 * (int)sl_insn_bytes(&f->insn), f->insn.word);
    add_name(t, &f->insn);
    break;
  case SL_FAULT_FETCH:
    add(t, "there is no program at this address. Was a function pointer null or a return address overwritten?");
    break;
  case SL_FAULT_JUMP:
    add(t,
        "jumps to 0x%08" PRIx32 ", where there is no program. Was a function pointer null or a return address "
        "overwritten?",
        address);
    break;
  case SL_FAULT_ADDRESS:
    add(t, "address 0x%08" PRIx32 " is outside data memory (null pointers and instruction memory are)", address);
    break;
  case SL_FAULT_OUTSIDE: add(t, "address 0x%08" PRIx32 " is outside the machine's memory", address); break;
  case SL_FAULT_STACK:
    add(t,
        "address 0x%08" PRIx32
        " is below the thread's own stack, in that of others: the stack has overflowed (recursion, large "
        "arrays), or the pointer is wild",
        address);
    break;
  case SL_FAULT_MISALIGNED:
    add(t, "misaligned address 0x%08" PRIx32 " is not a multiple of the access's %u bytes", address, f->insn.width);
    break;
  case SL_FAULT_ATOMIC:
    add(t, "atomic on address 0x%08" PRIx32 ", which is not in the scratchpad: DRAM has no atomics. Use shared memory",
        address);
    break;
  case SL_FAULT_NEST_OVERFLOW: add(t, "nesting level above 31: a push without its pop, or too deep recursion"); break;
  case SL_FAULT_NEST_UNDERFLOW: add(t, "nesting level below 0: a pop without its push"); break;
  case SL_FAULT_DIVERGED_COMMAND:
    add(t, "a warp command (barrier or end) needs all lanes of the warp, but some have diverged. Let them reconverge "
           "before it");
    break;
  case SL_FAULT_CSR:
    add(t, "0x%03" PRIx32 " is not a CSR of this processor", address);
    if (address >= CONSOLE_CSR && address <= CONSOLE_CSR_LAST && f->warp >= 0)
      add(t,
          ": kernels have no console. Print with printf in kernels, and with simt_printf in functions that they call");
    break;
  case SL_FAULT_SYSTEM: add(t, "there is no operating system to call"); break;
  case SL_FAULT_DEADLOCK: add(t, "barrier that can never complete: other warps of the block have ended"); break;
  case SL_FAULT_LIVELOCK:
    add(t, "livelock: these lanes loop forever, as do all others that run, because nothing that they read "
           "will change");
    break;
  case SL_FAULT_IPDOM_OVERFLOW:
    add(t,
        "all %" PRIu32 " entries of the warp's IPDOM stack are in use: a split without its join, or splits nest too "
        "deep",
        address);
    break;
  case SL_FAULT_IPDOM_UNDERFLOW: add(t, "the warp's IPDOM stack is empty: a join without its split"); break;
  case SL_FAULT_JOIN_TOKEN:
    add(t, "%" PRIu32 " is not the token of an open split. Does the register still hold the result of vx_split?",
        address);
    break;
  case SL_FAULT_CONVERGENCE: add(t, "the convergence scheme does not support this"); break;
  case SL_FAULT_DIVERGENT_BRANCH: add(t, "lanes of the warp diverge at this branch"); break;
  case SL_FAULT_EXTENSION: add(t, "not allowed"); break;
  case SL_FAULT_WARPS_WAIT:
    add(t, "no warp can continue: all remaining warps wait at barriers, or for others to end. Do as many warps "
           "reach each barrier as it names?");
    break;
  case SL_FAULT_SPILL:
    add(t,
        "only %" PRIu32 " vector slots are free, and no remaining warp has a register to spill: warps that have ended "
        "keep theirs",
        address);
    break;
  case SL_FAULT_OVERWRITTEN:
    add(t,
        "the program has overwritten this instruction. Code is decoded when a program is loaded, and neither a store "
        "nor fence.i changes what would execute. Have code compiled in instead of changing it");
    break;
  case SL_FAULT_BALLOT:
    add(t, "the ballot of a warp with more than 32 lanes does not fit into a word: use simt_ballot64");
    break;
  case SL_FAULT_LANES_APART:
    add(t,
        "other lanes of the mask are elsewhere and will not come: mark the divergent statement before (SIMT_DIVERGE, "
        "--marks=auto), or name only lanes that get here");
    break;
  case SL_FAULT_NONE:
  case SL_FAULT_INTERNAL: add(t, "internal error"); break;
  }
  if (f->detail)
    add(t, ": %s", f->detail);
}

/* Adds the machine's advice for this kind of fault, unless the details contain it. */
static void add_advice(struct text *t, const struct sl_fault *f, const struct sl_fault_place *place)
{
  const struct sl_advice *advice = place->advice;
  for (; advice != NULL && advice->text != NULL && f->detail == NULL; advice++)
    if (advice->kind == f->kind && (place->isa_sets & advice->with) == advice->with &&
        !(place->isa_sets & advice->without))
      add(t, ". %s", advice->text);
}

static void add_location(struct text *t, const struct sl_program *program, uint32_t pc)
{
  char location[256];
  sl_location_format(program, pc, location, sizeof location);
  add(t, "pc 0x%08" PRIx32 " in %s", pc, location);
}

void sl_fault_format(const struct sl_fault *fault, const struct sl_fault_place *place, char *text, size_t size)
{
  struct text t = {text, size};
  if (fault->warp < 0) {
    add(&t, "%s host CPU, ", place->machine);
  } else {
    char lanes[200];
    const unsigned block = place->warps_per_block ? place->warps_per_block : place->warps;
    sl_lanes_format(fault->lanes, lanes, sizeof lanes);
    const char *plural = sl_count(fault->lanes) == 1 ? "" : "s";
    if (place->cores > 0)
      add(&t, "%s %s %u, warp %u, lane%s %s, ", place->machine, fault->in_grid ? "SM" : "core",
          (unsigned)fault->warp / place->warps, (unsigned)fault->warp % place->warps, plural, lanes);
    else
      add(&t, "%s SM, block slot %u, warp %d, lane%s %s, ", place->machine, (unsigned)fault->warp / block, fault->warp,
          plural, lanes);
  }
  if (fault->in_grid)
    add(&t, "block (%u,%u,%u), thread (%u,%u,%u), ", fault->block[0], fault->block[1], fault->block[2],
        fault->thread[0], fault->thread[1], fault->thread[2]);
  add_location(&t, place->program, fault->pc);
  if (fault->insn.op != SL_OP_UNKNOWN) {
    char insn[64];
    sl_disassemble(&fault->insn, fault->pc, insn, sizeof insn);
    for (char *tab = strchr(insn, '\t'); tab != NULL; tab = strchr(tab, '\t'))
      *tab = ' ';
    add(&t, ", `%s`", insn);
  }
  add(&t, ": ");
  add_problem(&t, fault);
  if ((fault->kind == SL_FAULT_CONVERGENCE || fault->kind == SL_FAULT_LANES_APART ||
       fault->kind == SL_FAULT_DIVERGED_COMMAND) &&
      fault->held != 0) {
    char lanes[200];
    sl_lanes_format(fault->held, lanes, sizeof lanes);
    add(&t, "; lane%s %s of this warp: ", sl_count(fault->held) == 1 ? "" : "s", lanes);
    add_location(&t, place->program, fault->held_pc);
  }
  if (fault->kind == SL_FAULT_OVERWRITTEN && fault->address != SL_WRITER_UNKNOWN) {
    add(&t, ". The last store to it was that of ");
    add_location(&t, place->program, fault->address);
  }
  add_advice(&t, fault, place);
}

static const char *const wait_words[] = {
    [SL_WARP_RUNS] = "at",
    [SL_WARP_WAITS_FOR_UNIT] = "waiting for a functional unit before",
    [SL_WARP_WAITS_FOR_MEMORY] = "waiting for memory before",
    [SL_WARP_AT_BARRIER] = "waiting at the barrier at",
    [SL_WARP_WAITS_FOR_WARPS] = "waiting for the others to end at",
    [SL_WARP_ENDED] = "ended at",
};

/* Warps that have not been started are not described. */
static sl_warps started(const struct sl_machine *machine, const struct sl_sm *sm, unsigned first, unsigned warps)
{
  sl_warps set = 0;
  for (unsigned w = 0; w < warps; w++)
    set |= machine->view.warp_status(sm, first + w).wait != SL_WARP_OFF ? sl_bit(w) : 0;
  return set;
}

/* Describes the lowest warp of `rest`, counted from `first`, and returns all warps of `rest` in the same state and
 * place. */
static sl_warps add_group(struct text *t, const struct sl_machine *machine, const struct sl_sm *sm,
                          const struct sl_fault_place *place, unsigned first, sl_warps rest)
{
  const struct sl_warp_status lowest = machine->view.warp_status(sm, first + sl_lowest(rest));
  sl_warps same = 0;
  for (sl_warps others = rest; others; others &= others - 1) {
    const struct sl_warp_status s = machine->view.warp_status(sm, first + sl_lowest(others));
    if (s.wait == lowest.wait && s.pc == lowest.pc)
      same |= sl_bit(sl_lowest(others));
  }
  char warps[200];
  sl_lanes_format(same, warps, sizeof warps);
  /* The pc is behind a warp command. For the warps that it has stopped, this describes the command, not its successor.
   */
  const bool stopped = lowest.wait >= SL_WARP_AT_BARRIER;
  add(t, "warp%s %s %s ", sl_count(same) == 1 ? "" : "s", warps, wait_words[lowest.wait]);
  add_location(t, place->program, lowest.pc - (stopped ? 4 : 0));
  return same;
}

void sl_warps_format(const struct sl_machine *machine, const struct sl_sm *sm, const struct sl_fault_place *place,
                     char *text, size_t size)
{
  enum { GROUPS = 6 };
  struct text t = {text, size};
  unsigned groups = 0, elsewhere = 0;
  if (size > 0)
    text[0] = '\0';
  for (unsigned core = 0; core < place->cores || core == 0; core++) {
    sl_warps rest = started(machine, sm, core * place->warps, place->warps);
    for (bool told = false; rest && groups < GROUPS; groups++, told = true) {
      add(&t, "%s", groups > 0 ? "; " : "");
      if (place->cores > 1 && !told)
        add(&t, "core %u: ", core);
      rest &= ~add_group(&t, machine, sm, place, core * place->warps, rest);
    }
    elsewhere += sl_count(rest);
  }
  if (elsewhere > 0)
    add(&t, "; and %u more warps elsewhere", elsewhere);
}

/* Lanes of a warp that wait at a place; pc 0: for the others, to reconverge. */
static void add_lanes(struct text *t, sl_lanes lanes, const char *warp, uint32_t pc, const char *where,
                      const struct sl_fault_place *place)
{
  char numbers[200];
  sl_lanes_format(lanes, numbers, sizeof numbers);
  const bool one = sl_count(lanes) == 1;
  add(t, "lane%s %s of %s wait%s ", one ? "" : "s", numbers, warp, one ? "s" : "");
  add(t, "%s", pc != 0 ? where : "to reconverge");
  if (pc != 0) {
    add(t, " ");
    add_location(t, place->program, pc);
  }
}

static void add_waiting(struct text *t, unsigned *told, sl_lanes lanes, uint32_t pc, const char *where,
                        const struct sl_fault_place *place)
{
  if (lanes == 0)
    return;
  add(t, "%s", (*told)++ > 0 ? "; " : "");
  add_lanes(t, lanes, "this warp", pc, where, place);
}

void sl_diverged_format(const struct sl_machine *machine, const struct sl_sm *sm, const struct sl_fault_place *place,
                        char *buffer, size_t size)
{
  enum { MOST = 3 };
  struct text t = {buffer, size};
  struct sl_warp_path path[SL_MAX_LANES];
  unsigned told = 0;
  if (size > 0)
    buffer[0] = '\0';
  for (unsigned w = 0; w < place->warps * (place->cores ? place->cores : 1) && told < MOST; w++) {
    if (machine->view.warp_paths == NULL || machine->view.warp_status(sm, w).wait >= SL_WARP_AT_BARRIER)
      continue;
    const unsigned count = machine->view.warp_paths(sm, w, path);
    char warp[60];
    snprintf(warp, sizeof warp, place->cores > 1 ? "warp %u of core %u" : "warp %u", w % place->warps,
             w / place->warps);
    sl_lanes told_lanes = count > 0 ? path[0].lanes : 0; /* those that run */
    for (unsigned i = 1; i < count && told < MOST; i++) {
      const sl_lanes lanes = path[i].lanes & ~told_lanes;
      told_lanes |= lanes;
      if (lanes == 0)
        continue;
      add(&t, "; ");
      add_lanes(&t, lanes, warp, path[i].pc, "at", place);
      told++;
    }
  }
  if (told > 0)
    add(&t, ", while others of the warp run");
}

void sl_waiting_format(const struct sl_machine *machine, const struct sl_sm *sm, const struct sl_fault *fault,
                       const struct sl_fault_place *place, char *buffer, size_t size)
{
  enum { MOST = 3 };
  struct text t = {buffer, size};
  struct sl_warp_path path[SL_MAX_LANES];
  const unsigned count =
      machine->view.warp_paths != NULL ? machine->view.warp_paths(sm, (unsigned)fault->warp, path) : 0;
  unsigned told = 0;
  if (size > 0)
    buffer[0] = '\0';
  if (fault->held != 0)
    add_waiting(&t, &told, fault->held & ~fault->lanes, fault->held_pc, "for the end of the loop at", place);
  for (unsigned i = 0; i < count && told < MOST; i++)
    add_waiting(&t, &told, path[i].lanes & ~fault->lanes & ~fault->held, path[i].pc, "at", place);
  if (told > 0)
    add(&t, fault->parked ? ", which needs the others" : ", never selected while the others run");
}
