#include "device/host_cpu.h"

#include <stdlib.h>

#include "device/host_jit.h"
#include "isa/semantics.h"

#define S(x) ((int32_t)(x))

enum { NO_RESERVATION = 1 };

enum sl_status sl_host_init(struct sl_host *host, struct sl_memory *memory, uint32_t code_base, uint32_t code_words,
                            unsigned isa_sets, struct sl_error *err)
{
  *host = (struct sl_host){.memory = memory, .reserved = NO_RESERVATION, .jit.begins = SL_HOST_HOT};
  return sl_code_init(&host->code, sl_isa(SL_ISA_RV32), isa_sets, code_base, code_words, err);
}

void sl_host_free(struct sl_host *host)
{
  sl_host_jit_close(host->jit.code);
  sl_code_free(&host->code);
  *host = (struct sl_host){0};
}

void sl_host_write_code(struct sl_host *host, uint32_t address, uint32_t word)
{
  const uint32_t index = (address - host->code.base) >> host->code.shift & (host->code.count - 1);
  struct sl_insn *in = &host->code.insn[index];
  sl_code_write(&host->code, index, word);
  if (in->rd == 0)
    in->rd = SL_HOST_SINK;
  if (host->jit.code != NULL) {
    sl_host_jit_close(host->jit.code);
    host->jit.code = NULL;
    host->jit.begins = host->instructions + SL_HOST_HOT;
  }
}

const struct sl_insn *sl_host_csr(const struct sl_host *host, bool *writes, uint32_t *operand)
{
  const struct sl_insn *in = sl_code_at(&host->code, host->pc);
  const bool immediate = in->op == SL_OP_CSRRWI || in->op == SL_OP_CSRRSI || in->op == SL_OP_CSRRCI;
  const bool clear = in->op == SL_OP_CSRRC || in->op == SL_OP_CSRRCI;
  *writes = in->op == SL_OP_CSRRW || in->op == SL_OP_CSRRWI || in->rs1 != 0;
  *operand = clear ? 0 : immediate ? in->imm : host->x[in->rs1];
  return in;
}

void sl_host_finish_csr(struct sl_host *host, uint32_t value)
{
  const struct sl_insn *in = sl_code_at(&host->code, host->pc);
  host->x[in->rd] = value;
  host->instructions++;
  host->pc = sl_next(in, host->pc);
}

static enum sl_host_stop fault(struct sl_host *host, uint32_t pc, enum sl_fault_kind kind, uint32_t address)
{
  host->pc = pc;
  host->fault = (struct sl_fault){.kind = kind, .warp = -1, .lanes = 1, .pc = pc, .address = address};
  if (sl_code_at(&host->code, pc) != NULL)
    host->fault.insn = *sl_code_at(&host->code, pc);
  return SL_HOST_FAULTED;
}

/* The reason why an access faults, or SL_FAULT_NONE. */
static inline enum sl_fault_kind access_fault(const struct sl_memory *memory, uint32_t address, unsigned width)
{
  if (__builtin_expect(address & (width - 1), 0))
    return SL_FAULT_MISALIGNED;
  return __builtin_expect(address < memory->low, 0) ? SL_FAULT_ADDRESS : SL_FAULT_NONE;
}

/* Load-reserved and store-conditional. With one hart, a reservation holds until it is used. */
static uint32_t load_reserved_store_conditional(struct sl_host *host, const struct sl_insn *in, uint32_t address)
{
  if (in->op == SL_OP_LR) {
    host->reserved = address;
    return sl_memory_load(host->memory, address, 4);
  }
  const bool holds = host->reserved == address;
  host->reserved = NO_RESERVATION;
  if (holds)
    sl_memory_store(host->memory, address, 4, host->x[in->rs2]);
  return !holds;
}

enum { STEP = 4, STEP_BITS = 2 /* bytes of an instruction */ };

/* Width of an access as a compile-time constant. */
static inline unsigned width_of(enum sl_op op)
{
  switch (op) {
  case SL_OP_LB:
  case SL_OP_LBU:
  case SL_OP_SB: return 1;
  case SL_OP_LH:
  case SL_OP_LHU:
  case SL_OP_SH: return 2;
  default: return 4;
  }
}

static inline uint32_t address_of(const struct sl_insn *in, const struct sl_insn *code, uint32_t base)
{
  return base + ((uint32_t)(in - code) << STEP_BITS);
}

/* Threaded code: each handler jumps to the next one itself, so that the host predicts each jump from its own
 * history. */
#define GO goto *place[in->op]
#define NEXT                                                                                                           \
  do {                                                                                                                 \
    in++;                                                                                                              \
    if (__builtin_expect(--left == 0, 0) || __builtin_expect(in == end, 0))                                            \
      goto stopped;                                                                                                    \
    GO;                                                                                                                \
  } while (0)
/* The base of the code is excluded: jumps to it take the slow path. */
#define JUMP(to)                                                                                                       \
  do {                                                                                                                 \
    target = (to);                                                                                                     \
    if (__builtin_expect((target - base - 1 >= bytes - 1) | (target == pc) | ((target & (STEP - 1)) != 0), 0))         \
      goto odd;                                                                                                        \
    in = code + ((target - base) >> STEP_BITS);                                                                        \
    if (__builtin_expect(--left == 0, 0))                                                                              \
      goto stopped;                                                                                                    \
    GO;                                                                                                                \
  } while (0)

/* One handler per row of the instruction table. It checks the address of an access first. */
#define PLACE(id, ...)                                                                                                 \
  do_##id:                                                                                                             \
  {                                                                                                                    \
    const uint32_t pc = address_of(in, code, base);                                                                    \
    const uint32_t a = x[in->rs1], b = x[in->rs2], imm = in->imm;                                                      \
    (void)a, (void)b, (void)imm, (void)pc;                                                                             \
    __VA_ARGS__                                                                                                        \
  }
#define CHECK(to, width)                                                                                               \
  address = (to);                                                                                                      \
  if ((kind = access_fault(memory, address, width)) != SL_FAULT_NONE)                                                  \
    goto access;
#define CASE_VALUE(id, e) PLACE(id, x[in->rd] = (uint32_t)(e); NEXT;)
#define CASE_ALU CASE_VALUE
#define CASE_MUL CASE_VALUE
#define CASE_DIV CASE_VALUE
#define CASE_FPU CASE_VALUE
#define CASE_BRANCH(id, e) PLACE(id, if (e) JUMP(pc + imm); NEXT;)
#define CASE_JAL(id, e) PLACE(id, x[in->rd] = pc + STEP; JUMP(pc + imm);)
#define CASE_JALR(id, e) PLACE(id, x[in->rd] = pc + STEP; JUMP((a + imm) & ~1u);)
#define CASE_LOAD(id, e)                                                                                               \
  PLACE(id,                                                                                                            \
        CHECK(a + imm, width_of(SL_OP_##id)) const uint32_t m = sl_memory_load(memory, address, width_of(SL_OP_##id)); \
        x[in->rd] = (e); NEXT;)
#define CASE_STORE(id, e)                                                                                              \
  PLACE(id, CHECK(a + imm, width_of(SL_OP_##id)) sl_memory_store(memory, address, width_of(SL_OP_##id), b); NEXT;)
#define CASE_AMO(id, e)                                                                                                \
  PLACE(id, CHECK(a, 4) const uint32_t m = sl_memory_load(memory, address, 4);                                         \
        sl_memory_store(memory, address, 4, (e)); x[in->rd] = m; NEXT;)
#define CASE_LRSC(id, e) PLACE(id, CHECK(a, 4) x[in->rd] = load_reserved_store_conditional(host, in, address); NEXT;)
#define CASE_FENCE(id, e) PLACE(id, NEXT;)
#define CASE_FLUSH CASE_FENCE
#define CASE_CSR(id, e) PLACE(id, stop = SL_HOST_CSR; goto stopped;)
#define CASE_SYSTEM(id, e) PLACE(id, kind = SL_FAULT_SYSTEM; address = pc; goto access;)
#define CASE_PUSH CASE_FENCE
#define CASE_POP CASE_FENCE
#define CASE_FPX(id, e) PLACE(id, kind = SL_FAULT_UNKNOWN_INSTRUCTION; address = pc; goto access;)
#define CASE_WARP CASE_FPX
#define CASE_VOTE CASE_FPX
#define CASE_LINEAR CASE_FPX

/* Handles a jump that does not lead to another instruction of the program. Instruction memory starts with the boot
 * loader: a jump there ends the program, unless the program has put its own instruction there. */
static enum sl_host_stop odd_jump(struct sl_host *host, uint32_t pc, uint32_t target)
{
  if (target == SL_HOST_RETURN)
    return SL_HOST_RETURNED;
  if (target == pc)
    return SL_HOST_SPINS;
  if (target != host->code.base)
    return fault(host, pc, SL_FAULT_JUMP, target);
  return host->code.insn[0].op == SL_OP_UNKNOWN ? SL_HOST_RETURNED : SL_HOST_BUDGET;
}

static enum sl_host_stop interpret(struct sl_host *host, uint64_t budget)
{
  static const void *const place[] = {
      [SL_OP_UNKNOWN] = &&unknown,
#define ROW_ALL(row_kind, id, match, e) [SL_OP_##id] = &&do_##id,
#include "isa/rows.h"
      [SL_OP_COUNT] = &&unknown,
  };
  uint32_t *const x = host->x;
  struct sl_memory *const memory = host->memory;
  const struct sl_insn *const code = host->code.insn, *const end = code + host->code.count, *in = code;
  const uint32_t base = host->code.base, bytes = host->code.count << STEP_BITS;
  uint32_t target = host->pc, address = 0;
  enum sl_fault_kind kind = SL_FAULT_NONE;
  enum sl_host_stop stop = SL_HOST_BUDGET;
  uint64_t left = budget;
  if (left == 0)
    return stop;
  if (target - base >= bytes)
    return fault(host, target, SL_FAULT_FETCH, target);
  in = code + ((target - base) >> STEP_BITS);
  GO;

#define ROW_ALL(row_kind, id, match, e) CASE_##row_kind(id, e)
#include "isa/rows.h"

unknown:
  kind = SL_FAULT_UNKNOWN_INSTRUCTION;
  address = address_of(in, code, base);
  goto access;

odd:
  stop = odd_jump(host, address_of(in, code, base), target);
  left--;
  if (stop == SL_HOST_BUDGET && left > 0) {
    in = code + ((target - base) >> STEP_BITS);
    GO;
  }
  host->pc = stop == SL_HOST_FAULTED ? host->pc : target;
  goto leave;

access:
  stop = fault(host, address_of(in, code, base), kind, address);
  goto leave;

stopped:
  host->pc = address_of(in, code, base);
  if (left > 0 && in == end)
    stop = fault(host, host->pc, SL_FAULT_FETCH, host->pc);
leave:
  host->instructions += budget - left;
  return stop;
}

/* Stops the use of machine code that is left after a few instructions, as by arithmetic of floating point. */
static void judge(struct sl_host *host, uint64_t executed)
{
  enum { VISITS = 4096, LEAST = 16 };
  host->jit.executed += executed;
  if (++host->jit.visits < VISITS)
    return;
  if (host->jit.executed < VISITS * LEAST) {
    sl_host_jit_close(host->jit.code);
    host->jit.code = NULL;
    host->jit.begins = UINT64_MAX;
  }
  host->jit.visits = host->jit.executed = 0;
}

static bool is_translated(struct sl_host *host)
{
  if (host->jit.code == NULL && host->instructions >= host->jit.begins) {
    host->jit.code = sl_host_jit_open(host);
    host->jit.begins = host->jit.code != NULL ? host->jit.begins : UINT64_MAX;
  }
  return host->jit.code != NULL;
}

enum sl_host_stop sl_host_run(struct sl_host *host, uint64_t budget)
{
  enum { BRIEF = 64 }; /* budgets of single steps say nothing about the code */
  uint64_t left = budget;
  while (left > 0) {
    uint64_t most = 1;
    if (is_translated(host)) {
      const uint64_t done = sl_host_jit_run(host->jit.code, host, left);
      if (left >= BRIEF)
        judge(host, done);
      left -= done;
    } else {
      most = host->jit.begins - host->instructions;
    }
    const uint64_t before = host->instructions;
    const enum sl_host_stop stop = interpret(host, most < left ? most : left);
    if (stop != SL_HOST_BUDGET)
      return stop;
    left -= host->instructions - before;
  }
  return SL_HOST_BUDGET;
}
