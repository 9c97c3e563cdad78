#include <string.h>

#include "program.h"

static const char *const register_ops[] = {"add", "sub", "xor",  "or",     "and",   "slt", "sltu", "sll", "srl",
                                           "sra", "mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"};
static const char *const immediate_ops[] = {"addi", "slti", "sltiu", "xori", "ori",
                                            "andi", "slli", "srli",  "srai", "lui"};
static const char *const float2_ops[] = {"fadd.s", "fsub.s", "fmul.s", "fdiv.s",  "fmin.s",   "fmax.s",
                                         "feq.s",  "flt.s",  "fle.s",  "fsgnj.s", "fsgnjn.s", "fsgnjx.s"};
static const char *const float1_ops[] = {"fsqrt.s", "fcvt.w.s", "fcvt.wu.s", "fcvt.s.w", "fcvt.s.wu"};
static const char *const load_ops[] = {"lw", "lh", "lhu", "lb", "lbu"};
static const char *const store_ops[] = {"sw", "sh", "sb"};
static const char *const atomic_ops[] = {"amoadd.w", "amoxor.w", "amoswap.w", "amoor.w",  "amoand.w",
                                         "amomin.w", "amomax.w", "amominu.w", "amomaxu.w"};
static const char *const conflict_ops[] = {"amoadd.w", "amoxor.w"};
static const char *const branch_ops[] = {"beq", "bne", "blt", "bge", "bltu", "bgeu"};
static const char *const init_ops[] = {"uniform", "affine", "hash", "warp"};
static const char *const csr_ops[] = {"HARTID", "CLOSURE"};
static const char *const link_ops[] = {"auipc", "jal", "jalr"};

struct names {
  const char *const *name;
  unsigned count;
};

#define NAMES(list)                                                                                                    \
  {                                                                                                                    \
    list, sizeof(list) / sizeof *(list)                                                                                \
  }

static const struct names names[RND_KINDS] = {
    [RND_INIT] = NAMES(init_ops),     [RND_REGISTER] = NAMES(register_ops), [RND_IMMEDIATE] = NAMES(immediate_ops),
    [RND_FLOAT2] = NAMES(float2_ops), [RND_FLOAT1] = NAMES(float1_ops),     [RND_LOAD] = NAMES(load_ops),
    [RND_STORE] = NAMES(store_ops),   [RND_ATOMIC] = NAMES(atomic_ops),     [RND_CONFLICT] = NAMES(conflict_ops),
    [RND_CSR] = NAMES(csr_ops),       [RND_LINK] = NAMES(link_ops),         [RND_IF] = NAMES(branch_ops),
};

unsigned rnd_op_count(enum rnd_kind kind)
{
  return names[kind].count;
}

const char *rnd_op_name(enum rnd_kind kind, unsigned op)
{
  return op < names[kind].count ? names[kind].name[op] : "";
}

unsigned rnd_op_width(enum rnd_kind kind, unsigned op)
{
  const char *name = rnd_op_name(kind, op);
  if (kind != RND_LOAD && kind != RND_STORE)
    return 4;
  return name[1] == 'w' ? 4 : name[1] == 'h' ? 2 : 1;
}

bool rnd_in_pool(enum rnd_profile profile, unsigned reg)
{
  /* In a timing program x30 and x31 take results that must not be read. */
  const unsigned last = profile == RND_TIMING ? 29 : 31;
  return reg == 1 || (reg >= RND_FIRST_POOL && reg <= last);
}

unsigned rnd_block_end(const struct rnd_program *program, unsigned i)
{
  unsigned depth = 0;
  for (; i < program->count; i++) {
    const uint8_t kind = program->statement[i].kind;
    depth += kind == RND_IF || kind == RND_LOOP;
    depth -= kind == RND_END;
    if (depth == 0)
      return i;
  }
  return program->count;
}
