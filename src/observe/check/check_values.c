/* What PTX says about the values of loads and stores, whatever the run: stores whose value all threads compute alike,
 * loads that a compare-and-swap validates, and volatile loads of data. The order of instructions and their branches are
 * not considered. */
#include <string.h>

#include "observe/check/check_state.h"
#include "ptx/run/ptx_block.h"

enum {
  REGISTERS = 4096, /* of a function; a larger one has no such values */
  NESTING = 4,      /* of loads whose address is a loaded value */
};

/* What a value depends on, besides constants and parameters. */
enum {
  SAME = 0,
  OF_BLOCK = 1,  /* the block's place in the grid */
  OF_THREAD = 2, /* the thread's place in the block */
  OF_LOAD = 4,   /* memory at an address of the block */
  OF_MEMORY = 8, /* other memory */
};

/* Registers on which values depend. */
struct slice {
  const struct sl_ptx_module *module;
  const struct sl_ptx_function *function;
  uint64_t needed[REGISTERS / 64], addresses[REGISTERS / 64]; /* addresses: of the loads among them */
  unsigned varies;                                            /* set of the above */
};

static bool add(uint64_t *set, struct sl_ptx_reg reg)
{
  if (reg.id == SL_PTX_NO_REG || (set[reg.id / 64] >> reg.id % 64 & 1) != 0)
    return false;
  set[reg.id / 64] |= sl_bit(reg.id % 64);
  return true;
}

/* A special register: of the thread, of the block, or of the launch. */
static unsigned variation(struct sl_ptx_place place)
{
  const unsigned special = place.offset / (SL_PTX_LANES * 4u);
  if (place.area != SL_PTX_SPECIALS)
    return SAME;
  if ((special >= SL_PTX_NTID_X && special <= SL_PTX_NTID_Z) ||
      (special >= SL_PTX_NCTAID_X && special <= SL_PTX_NCTAID_Z))
    return SAME;
  return special >= SL_PTX_CTAID_X && special <= SL_PTX_CTAID_Z ? OF_BLOCK : OF_THREAD;
}

static unsigned defined_by(const struct slice *s, const struct sl_ptx_insn *in)
{
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_LANES:
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET:
  case SL_PTX_K_LOGIC:
  case SL_PTX_K_PACK:
  case SL_PTX_K_UNPACK: return variation(in->a) | variation(in->b) | variation(in->c);
  case SL_PTX_K_LOAD:
    if (in->space == SL_PTX_PARAM)
      return s->function->entry ? SAME : OF_MEMORY;
    return in->space == SL_PTX_LOCAL || (in->order & (SL_PTX_STRONG | SL_PTX_VOLATILE)) != 0 ? OF_MEMORY : SAME;
  default: return OF_MEMORY;
  }
}

/* Adds what an instruction that defines a needed register depends on. Returns whether there is more. */
static bool extend(struct slice *s, const struct sl_ptx_insn *in)
{
  bool needed = false;
  for (unsigned i = 0; i < sl_ptx_dsts(in); i++) {
    const struct sl_ptx_reg dst = sl_ptx_dst(in, i);
    needed |= dst.id != SL_PTX_NO_REG && (s->needed[dst.id / 64] >> dst.id % 64 & 1) != 0;
  }
  if (!needed)
    return false;
  s->varies |= defined_by(s, in);
  bool more = add(s->needed, in->guard);
  for (unsigned i = 0; i < sl_ptx_srcs(in); i++)
    more |= add(s->needed, sl_ptx_src(in, i));
  if (in->kind == SL_PTX_K_LOAD)
    add(s->addresses, in->address);
  return more;
}

/* On what the needed registers depend, with the addresses of loads: a load of one address has one value. */
static unsigned follow(struct slice *s, unsigned nesting)
{
  const struct sl_ptx_function *f = s->function;
  bool more = true;
  while (more && (s->varies & OF_MEMORY) == 0) {
    more = false;
    for (uint32_t pc = f->end; pc-- > f->begin;)
      more |= extend(s, &s->module->code[pc]);
  }
  bool loads = false;
  for (unsigned i = 0; i < REGISTERS / 64; i++)
    loads |= s->addresses[i] != 0;
  if (!loads || (s->varies & OF_MEMORY) != 0)
    return s->varies;
  if (nesting == 0)
    return OF_MEMORY;
  struct slice addresses = {.module = s->module, .function = f};
  memcpy(addresses.needed, s->addresses, sizeof addresses.needed);
  const unsigned varies = follow(&addresses, nesting - 1);
  return (varies & (OF_THREAD | OF_MEMORY)) != 0 ? OF_MEMORY : s->varies | (varies != SAME ? OF_LOAD : SAME);
}

/* The flags of a store: all threads that store equal values there do so in any run, those of a block or of all blocks.
 * A value that was loaded from different addresses may be equal in this run only. */
static uint32_t stored(const struct sl_ptx_module *m, const struct sl_ptx_function *f, const struct sl_ptx_insn *in)
{
  struct slice s = {.module = m, .function = f};
  for (unsigned i = 0; i < sl_ptx_srcs(in); i++)
    add(s.needed, sl_ptx_src(in, i));
  for (unsigned i = 0; i < in->elements && i < SL_PTX_ELEMENTS; i++)
    s.varies |= variation(in->element[i]);
  const unsigned varies = follow(&s, NESTING);
  return (varies & OF_MEMORY) != 0 ? 0
         : (varies & OF_LOAD) != 0 ? SL_CHECK_BLOCK_CONSTANT
                                   : SL_CHECK_BLOCK_CONSTANT | SL_CHECK_CONSTANT;
}

/* Whether a value reaches a register by moves: `place` is the register, or a move to it has such a source. */
static bool reaches(const struct sl_ptx_module *m, const struct sl_ptx_function *f, struct sl_ptx_place from,
                    struct sl_ptx_place place, unsigned depth)
{
  if (place.area != SL_PTX_REGISTERS || (from.area == place.area && from.offset == place.offset))
    return place.area == SL_PTX_REGISTERS;
  for (uint32_t pc = f->begin; pc < f->end && depth > 0; pc++) {
    const struct sl_ptx_insn *in = &m->code[pc];
    if (in->kind == SL_PTX_K_LANES && in->srcs == 1 && in->dsts == 1 && in->d.area == SL_PTX_REGISTERS &&
        in->d.offset == place.offset && reaches(m, f, from, in->a, depth - 1))
      return true;
  }
  return false;
}

/* A load whose value a compare-and-swap expects: a stale value does no harm. Two registers may hold one address, so
 * the addresses are not compared. Source: CUDA C Programming Guide, "Atomic Functions". */
static bool is_validated(const struct sl_ptx_module *m, const struct sl_ptx_function *f, const struct sl_ptx_insn *load)
{
  enum { MOVES = 3 };
  for (uint32_t pc = f->begin; pc < f->end && load->elements == 1; pc++) {
    const struct sl_ptx_insn *in = &m->code[pc];
    if (in->kind == SL_PTX_K_ATOMIC && in->mode == SL_PTX_ATOM_CAS && in->bytes == load->bytes &&
        reaches(m, f, load->element[0], in->b, MOVES))
      return true;
  }
  return false;
}

/* ---- volatile loads ---------------------------------------------------------------------------------------------- */

/* Adds the results of instructions that compute with values of the set. Returns whether there is more. */
static bool spread(uint64_t *set, const struct sl_ptx_insn *in)
{
  bool from = false, more = false;
  for (unsigned i = 0; i < sl_ptx_srcs(in); i++) {
    const struct sl_ptx_reg src = sl_ptx_src(in, i);
    from |= src.id != SL_PTX_NO_REG && (set[src.id / 64] >> src.id % 64 & 1) != 0;
  }
  for (unsigned i = 0; from && i < sl_ptx_dsts(in); i++)
    more |= add(set, sl_ptx_dst(in, i));
  return more;
}

static bool has(const uint64_t *set, struct sl_ptx_reg reg)
{
  return reg.id != SL_PTX_NO_REG && (set[reg.id / 64] >> reg.id % 64 & 1) != 0;
}

/* Whether the loop of a backward branch has the load, and a branch on the value. */
static bool is_polled(const struct sl_ptx_module *m, const struct sl_ptx_function *f, uint64_t load,
                      const uint64_t *values)
{
  for (uint32_t back = (uint32_t)load; back < f->end; back++) {
    const struct sl_ptx_insn *in = &m->code[back];
    if (in->kind != SL_PTX_K_BRANCH || in->target > load || in->target < f->begin)
      continue;
    for (uint32_t pc = in->target; pc <= back; pc++)
      if (m->code[pc].kind == SL_PTX_K_BRANCH && has(values, m->code[pc].guard))
        return true;
  }
  return false;
}

/* Whether an instruction passes a value of the set on: to memory, as an address, to a function or to other lanes. */
static bool is_used(const uint64_t *set, const struct sl_ptx_insn *in)
{
  const bool passes = in->kind == SL_PTX_K_LOAD || in->kind == SL_PTX_K_STORE || in->kind == SL_PTX_K_ATOMIC ||
                      in->kind == SL_PTX_K_CALL || in->kind == SL_PTX_K_SERVICE || in->kind == SL_PTX_K_SHFL;
  bool used = passes && has(set, in->address);
  for (unsigned i = 0; passes && i < sl_ptx_srcs(in); i++)
    used |= has(set, sl_ptx_src(in, i));
  return used;
}

/* The registers that have what is computed from a load's value. */
static void follow_value(const struct sl_ptx_module *m, const struct sl_ptx_function *f, uint64_t load,
                         uint64_t *values)
{
  bool more = true;
  for (unsigned i = 0; i < sl_ptx_dsts(&m->code[load]); i++)
    add(values, sl_ptx_dst(&m->code[load], i));
  while (more) {
    more = false;
    for (uint32_t i = f->begin; i < f->end; i++)
      more |= spread(values, &m->code[i]);
  }
}

/* A volatile load is one of data if the thread passes the value on, and does not repeat the load until the value is as
 * it should be: a flag, a lock, or a value that comes with its flag. Volatile accesses order nothing; PTX makes them
 * relaxed. Source: CUDA C++ Programming Guide, "Volatile Qualifier"; PTX ISA, "Volatile Operation". */
static bool is_volatile_data(const struct sl_ptx_module *m, const struct sl_ptx_function *f, uint64_t pc)
{
  uint64_t values[REGISTERS / 64] = {0};
  bool used = false;
  follow_value(m, f, pc, values);
  for (uint32_t i = f->begin; i < f->end && !used; i++)
    used = is_used(values, &m->code[i]);
  return used && !is_polled(m, f, pc, values);
}

/* Whether the function waits in a loop until a volatile load has the value it wants: then volatile stores may be those
 * of a protocol of flags, such as a lock with tickets. */
static bool waits(const struct sl_ptx_module *m, const struct sl_ptx_function *f)
{
  for (uint32_t pc = f->begin; pc < f->end; pc++) {
    uint64_t values[REGISTERS / 64] = {0};
    if (m->code[pc].kind != SL_PTX_K_LOAD || (m->code[pc].order & (SL_PTX_VOLATILE | SL_PTX_STRONG)) == 0)
      continue;
    follow_value(m, f, pc, values);
    if (is_polled(m, f, pc, values))
      return true;
  }
  return false;
}

uint32_t sl_check_value_flags(struct sl_check *check, const struct sl_ptx_module *m, uint32_t number, uint64_t pc,
                              const struct sl_ptx_insn *in)
{
  struct sl_check_site *site = &check->sites.site[number];
  const struct sl_ptx_function *f = NULL;
  if (site->known)
    return site->flags;
  for (unsigned i = 0; i < m->function_count; i++)
    if (m->functions[i].begin <= pc && pc < m->functions[i].end)
      f = &m->functions[i];
  site->known = true;
  if (f == NULL || f->shares || f->registers > REGISTERS)
    return 0;
  const bool plain_volatile = (in->order & (SL_PTX_VOLATILE | SL_PTX_STRONG)) == SL_PTX_VOLATILE;
  if (in->kind == SL_PTX_K_STORE)
    site->flags = (check->options.equal_stores ? 0 : stored(m, f, in)) |
                  (plain_volatile && !waits(m, f) ? SL_CHECK_VOLATILE_OWN : 0);
  else if (in->kind == SL_PTX_K_LOAD && is_validated(m, f, in))
    site->flags = SL_CHECK_STRONG;
  else if (in->kind == SL_PTX_K_LOAD && plain_volatile && is_volatile_data(m, f, pc))
    site->flags = SL_CHECK_VOLATILE_DATA;
  return site->flags;
}
