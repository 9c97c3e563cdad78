#include "gpu/host_cpu.h"

#include <stdlib.h>

#include "isa/semantics.h"

#define S(x) ((int32_t)(x))

enum { NO_RESERVATION = 1 };

enum sl_status sl_host_init(struct sl_host *host, struct sl_memory *memory, uint32_t code_base, uint32_t code_words,
                            unsigned isa_sets, struct sl_error *err)
{
  *host = (struct sl_host){.memory = memory, .reserved = NO_RESERVATION};
  return sl_code_init(&host->code, sl_isa(SL_ISA_RV32), isa_sets, code_base, code_words, err);
}

void sl_host_free(struct sl_host *host)
{
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

/* Why an access cannot be made, or SL_FAULT_NONE. */
static inline enum sl_fault_kind access_fault(const struct sl_host *host, uint32_t address, unsigned width)
{
  if (__builtin_expect(address & (width - 1), 0))
    return SL_FAULT_MISALIGNED;
  return __builtin_expect(address < host->memory->low, 0) ? SL_FAULT_ADDRESS : SL_FAULT_NONE;
}

/* Load-reserved and store-conditional: with one hart a reservation holds until it is used. */
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

/* One case per row of the instruction table. Addresses of accesses are checked first, jumps leave through `jump`. */
#define CASE_VALUE(id, e)                                                                                              \
  case SL_OP_##id:                                                                                                     \
    x[in->rd] = (uint32_t)(e);                                                                                         \
    break;
#define CASE_ALU CASE_VALUE
#define CASE_MUL CASE_VALUE
#define CASE_DIV CASE_VALUE
#define CASE_FPU CASE_VALUE
#define CASE_BRANCH(id, e)                                                                                             \
  case SL_OP_##id:                                                                                                     \
    if (e) {                                                                                                           \
      target = pc + imm;                                                                                               \
      goto jump;                                                                                                       \
    }                                                                                                                  \
    break;
#define CASE_JAL(id, e)                                                                                                \
  case SL_OP_##id:                                                                                                     \
    x[in->rd] = pc + step;                                                                                             \
    target = pc + imm;                                                                                                 \
    goto jump;
#define CASE_JALR(id, e)                                                                                               \
  case SL_OP_##id:                                                                                                     \
    target = (a + imm) & ~1u;                                                                                          \
    x[in->rd] = pc + step;                                                                                             \
    goto jump;
#define CASE_LOAD(id, e)                                                                                               \
  case SL_OP_##id: {                                                                                                   \
    address = a + imm;                                                                                                 \
    if ((kind = access_fault(host, address, in->width)) != SL_FAULT_NONE)                                              \
      goto access;                                                                                                     \
    const uint32_t m = sl_memory_load(host->memory, address, in->width);                                               \
    x[in->rd] = (e);                                                                                                   \
    break;                                                                                                             \
  }
#define CASE_STORE(id, e)                                                                                              \
  case SL_OP_##id:                                                                                                     \
    address = a + imm;                                                                                                 \
    if ((kind = access_fault(host, address, in->width)) != SL_FAULT_NONE)                                              \
      goto access;                                                                                                     \
    sl_memory_store(host->memory, address, in->width, b);                                                              \
    break;
#define CASE_AMO(id, e)                                                                                                \
  case SL_OP_##id: {                                                                                                   \
    address = a;                                                                                                       \
    if ((kind = access_fault(host, address, 4)) != SL_FAULT_NONE)                                                      \
      goto access;                                                                                                     \
    const uint32_t m = sl_memory_load(host->memory, address, 4);                                                       \
    sl_memory_store(host->memory, address, 4, (e));                                                                    \
    x[in->rd] = m;                                                                                                     \
    break;                                                                                                             \
  }
#define CASE_LRSC(id, e)                                                                                               \
  case SL_OP_##id:                                                                                                     \
    address = a;                                                                                                       \
    if ((kind = access_fault(host, address, 4)) != SL_FAULT_NONE)                                                      \
      goto access;                                                                                                     \
    x[in->rd] = load_reserved_store_conditional(host, in, address);                                                    \
    break;
#define CASE_FENCE(id, e)                                                                                              \
  case SL_OP_##id:                                                                                                     \
    break;
#define CASE_FLUSH CASE_FENCE
#define CASE_CSR(id, e)                                                                                                \
  case SL_OP_##id:                                                                                                     \
    stop = SL_HOST_CSR;                                                                                                \
    goto leave;
#define CASE_SYSTEM(id, e)                                                                                             \
  case SL_OP_##id:                                                                                                     \
    kind = SL_FAULT_SYSTEM;                                                                                            \
    address = pc;                                                                                                      \
    goto access;
#define CASE_PUSH CASE_FENCE
#define CASE_POP CASE_FENCE
#define CASE_FPX(id, e)                                                                                                \
  case SL_OP_##id:                                                                                                     \
    kind = SL_FAULT_UNKNOWN_INSTRUCTION;                                                                               \
    address = pc;                                                                                                      \
    goto access;
#define CASE_WARP CASE_FPX
#define CASE_LINEAR CASE_FPX

/* What a jump that is not to another place in the program comes to. Instruction memory begins with what has loaded the
 * program: to go back there ends it, unless the program has put an instruction of its own there. */
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

enum sl_host_stop sl_host_run(struct sl_host *host, uint64_t budget)
{
  uint32_t *const x = host->x;
  const struct sl_code code = host->code;
  const uint32_t bytes = code.count << code.shift, step = code.word_bytes, within = step - 1;
  uint32_t pc = host->pc, target = 0, address = 0;
  enum sl_fault_kind kind = SL_FAULT_NONE;
  enum sl_host_stop stop = SL_HOST_BUDGET;
  uint64_t left = budget;
  for (; left > 0; left--) {
    const uint32_t offset = pc - code.base;
    if (__builtin_expect(offset >= bytes, 0)) {
      stop = fault(host, pc, SL_FAULT_FETCH, pc);
      goto leave;
    }
    const struct sl_insn *in = &code.insn[offset >> code.shift];
    const uint32_t a = x[in->rs1], b = x[in->rs2], imm = in->imm;
    switch ((enum sl_op)in->op) {
#define ROW_ALL(row_kind, id, match, e) CASE_##row_kind(id, e)
#include "isa/rows.h"
    case SL_OP_UNKNOWN:
    case SL_OP_COUNT:
      kind = SL_FAULT_UNKNOWN_INSTRUCTION;
      address = pc;
      goto access;
    }
    pc = pc + step;
    continue;

  jump:
    /* The base of the code is among what is looked at closely. */
    if (__builtin_expect(target - code.base - 1 >= bytes - 1 || target == pc || (target & within), 0)) {
      stop = odd_jump(host, pc, target);
      if (stop != SL_HOST_BUDGET) {
        pc = stop == SL_HOST_FAULTED ? pc : target;
        left--;
        goto leave;
      }
    }
    pc = target;
    continue;

  access:
    stop = fault(host, pc, kind, address);
    goto leave;
  }
leave:
  host->pc = pc;
  host->instructions += budget - left;
  return stop;
}
