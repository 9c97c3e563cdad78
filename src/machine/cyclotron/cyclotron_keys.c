#include "base/key_rows.h"
#include "machine/cyclotron/cyclotron_core.h"

#define SPEC struct sl_cyclotron_spec
#define SOURCE "published sources (commit 1884350e)"
#define PAPER "Redesigning the Vortex GPU ISA, section "
#define LATER "the emulator's later version"

static const char *const maps[] = {"modulo", "blocks", "folded", NULL};

/* clang-format off */
static const struct sl_key keys[] = {
  NUMBER("lanes", lanes, 1, SL_MAX_LANES, 4, true, "lanes", "Threads of a warp.", SOURCE),
  NUMBER("warps", warps, 1, SL_MAX_WARPS, 4, false, "warps", "Warps.", SOURCE),
  NUMBER("registers", registers, 16, SL_WIDE_REGISTERS, 128, false, "registers", "Of a thread.", PAPER "3.2"),
  NUMBER("registers.banks", register_banks, 1, SL_BANKS_MAX, 4, false, "banks", "Of the register file.", PAPER "4"),
  CHOICE("registers.map", bank_map, maps, SL_BANK_MODULO, "Which bank holds a register: its number modulo the banks, "
         "blocks of neighbours, or the number's digits folded.", PAPER "4; the other two are ours"),
  NUMBER("code.base", code_base, 8, 0xfffff000u, 0x80000000u, false, "address",
         "Where code and the run begin.", SOURCE),
  NUMBER("code.bytes", code_bytes, 4096, 1u << 28, 1u << 24, true, "bytes",
         "From code.base, where instructions are looked for.", "ours"),
  NUMBER("lmem.base", local_base, 0, 0xffffff00u, 0xffff0000u, false, "address", "Where shared memory begins.", "ours"),
  NUMBER("lmem.bytes", local_bytes, 1024, 1u << 16, 16384, true, "bytes", "Its size.", "ours"),
  NUMBER("stack.top", stack_top, 0, 0xfffffff0u, 0xffff0000u, false, "address",
         "Stack pointer of thread 0 at the start; those of others are below.", SOURCE),
  NUMBER("stack.bytes", stack_bytes, 16, 1u << 24, 0x100000, true, "bytes", "Of a thread's stack.", SOURCE),
  NUMBER("stack.from", stack_from, 0, UINT32_MAX, 0xfe000000u, false, "address",
         "Accesses above it count as accesses to stacks.", PAPER "4; " SOURCE),
  NUMBER("barriers", barriers, 1, SL_GANG_BARRIERS, 4, true, "barriers",
         "An id's low bits choose one, as many as number them.", "ours"),
  NUMBER("ipdom.entries", ipdom_entries, 0, SL_IPDOM_MAX, 0, false, "entries",
         "Divergent splits of a warp that can nest; 0 means lanes - 1, and one at least.", "ours"),
  NUMBER("fetch.bubble", fetch_bubble, 0, 60, 1, false, "cycles",
         "That a warp misses behind a taken branch, a jump, warp control.", SOURCE),
  BOOL("return.ends", first_ends, 1, "The first jump to address 0 ends the run; else that warp. Without timing always that warp.",
       SOURCE),
};
/* clang-format on */

const struct sl_keys sl_cyclotron_keys = {keys, sizeof keys / sizeof keys[0]};

enum sl_status sl_cyclotron_check(const void *spec, struct sl_error *err)
{
  const struct sl_cyclotron_spec *s = spec;
  if (s->code_base % SL_WIDE_BYTES != 0)
    return sl_fail(err, SL_USAGE, "code.base is no multiple of %d, the bytes of an instruction", SL_WIDE_BYTES);
  if ((uint64_t)s->lanes * s->warps * s->stack_bytes > s->stack_top)
    return sl_fail(err, SL_USAGE, "%u stacks of %u bytes do not fit below stack.top; set stack.bytes lower",
                   s->lanes * s->warps, s->stack_bytes);
  return SL_OK;
}
