#include "gpu/host_cpu.h"

#include <stdlib.h>

#include "isa/semantics.h"

#define S(x) ((int32_t)(x))

enum { NO_RESERVATION = 1 };

enum sl_code sl_host_init(struct sl_host *host, struct sl_memory *memory, uint32_t code_base, uint32_t code_words,
                          unsigned isa_sets, struct sl_error *err)
{
  *host = (struct sl_host){.memory = memory,
                           .code_base = code_base,
                           .code_words = code_words,
                           .isa_sets = isa_sets,
                           .code = calloc(code_words, sizeof *host->code),
                           .reserved = NO_RESERVATION};
  if (host->code == NULL)
    return sl_no_memory(err, code_words * sizeof *host->code);
  const struct sl_insn empty = sl_decode(0, isa_sets);
  for (uint32_t i = 0; i < code_words; i++)
    host->code[i] = empty;
  return SL_OK;
}

void sl_host_free(struct sl_host *host)
{
  free(host->code);
  *host = (struct sl_host){0};
}

void sl_host_write_code(struct sl_host *host, uint32_t address, uint32_t word)
{
  struct sl_insn in = sl_decode(word, host->isa_sets);
  if (in.rd == 0)
    in.rd = SL_HOST_SINK;
  host->code[((address - host->code_base) / 4) & (host->code_words - 1)] = in;
}

const struct sl_insn *sl_host_csr(const struct sl_host *host, bool *writes, uint32_t *operand)
{
  const struct sl_insn *in = &host->code[(host->pc - host->code_base) / 4];
  const bool immediate = in->op == SL_OP_CSRRWI || in->op == SL_OP_CSRRSI || in->op == SL_OP_CSRRCI;
  const bool clear = in->op == SL_OP_CSRRC || in->op == SL_OP_CSRRCI;
  *writes = in->op == SL_OP_CSRRW || in->op == SL_OP_CSRRWI || in->rs1 != 0;
  *operand = clear ? 0 : immediate ? in->imm : host->x[in->rs1];
  return in;
}

void sl_host_finish_csr(struct sl_host *host, uint32_t value)
{
  host->x[host->code[(host->pc - host->code_base) / 4].rd] = value;
  host->instructions++;
  host->pc += 4;
}

static enum sl_host_stop fault(struct sl_host *host, uint32_t pc, enum sl_fault_kind kind, uint32_t address)
{
  host->pc = pc;
  uint32_t offset = pc - host->code_base;
  host->fault = (struct sl_fault){.kind = kind, .warp = -1, .lanes = 1, .pc = pc, .address = address};
  if (offset / 4 < host->code_words)
    host->fault.insn = host->code[offset / 4];
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
    x[in->rd] = pc + 4;                                                                                                \
    target = pc + imm;                                                                                                 \
    goto jump;
#define CASE_JALR(id, e)                                                                                               \
  case SL_OP_##id:                                                                                                     \
    target = (a + imm) & ~1u;                                                                                          \
    x[in->rd] = pc + 4;                                                                                                \
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

/* What a jump that is not to another place in the program comes to. Instruction memory begins with what has loaded the
 * program: to go back there ends it, unless the program has put an instruction of its own there. */
static enum sl_host_stop odd_jump(struct sl_host *host, uint32_t pc, uint32_t target)
{
  if (target == SL_HOST_RETURN)
    return SL_HOST_RETURNED;
  if (target == pc)
    return SL_HOST_SPINS;
  if (target != host->code_base || target % 4 != 0)
    return fault(host, pc, SL_FAULT_JUMP, target);
  return host->code[0].op == SL_OP_UNKNOWN ? SL_HOST_RETURNED : SL_HOST_BUDGET;
}

enum sl_host_stop sl_host_run(struct sl_host *host, uint64_t budget)
{
  uint32_t *const x = host->x;
  const struct sl_insn *const code = host->code;
  const uint32_t bytes = host->code_words * 4;
  uint32_t pc = host->pc, target = 0, address = 0;
  enum sl_fault_kind kind = SL_FAULT_NONE;
  enum sl_host_stop stop = SL_HOST_BUDGET;
  uint64_t left = budget;
  for (; left > 0; left--) {
    const uint32_t offset = pc - host->code_base;
    if (__builtin_expect(offset >= bytes, 0)) {
      stop = fault(host, pc, SL_FAULT_FETCH, pc);
      goto leave;
    }
    const struct sl_insn *in = &code[offset / 4];
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
    pc += 4;
    continue;

  jump:
    /* The base of the code is among what is looked at closely. */
    if (__builtin_expect(target - host->code_base - 1 >= bytes - 1 || target == pc || (target & 3), 0)) {
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
