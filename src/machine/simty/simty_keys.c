#include "base/keys.h"
#include "machine/simty/simty_sm.h"
#include "timing/memory/dram.h"

#define SPEC struct sl_simty_spec
#define PAPER "Simty paper (RR-8944), section "
#define RTL "published RTL"
#define SIMTIGHT "ours, from SIMTight's published RTL"

#define LATENCY(name_, class, fallback_, meaning_)                                                                     \
  NUMBER("fpu.latency." name_, fpu_latency[class], 1, SL_FPU_MAX_LATENCY, fallback_, false, "cycles", meaning_,        \
         SIMTIGHT)

static const char *const memories[] = {"fixed", "dram", NULL};

/* clang-format off */
static const struct sl_key keys[] = {
  NUMBER("lanes", lanes, 4, SL_MAX_LANES, 4, true, "lanes",
         "Threads of a warp, all executed in one cycle.", RTL),
  NUMBER("warps", warps, 4, SL_MAX_WARPS, 8, true, "warps",
         "Warps of the core.", RTL),
  BOOL("paths.sorter", sorter, 0,
       "The background sorter of the cold context table works. In the published RTL one of its pointers is undriven "
       "and it never swaps. Paths are correct without it, but may reconverge later.", PAPER "3.3; recorded runs"),
  CHOICE("memory", dram, memories, 0,
         "Memory of fixed latency, like the board's, or SIMTight's DRAM.", RTL "; ours"),
  NUMBER("memory.bytes", memory_bytes, 4096, 1u << 28, 65536, true, "bytes",
         "Size of the memory at address 0, which holds program and data.", "recorded runs of the published RTL"),
  NUMBER("memory.latency", memory_latency, 1, 1000, 1, false, "cycles",
         "Latency of the fixed-latency memory, from a request on its port to the answer; it accepts a request every "
         "cycle.", RTL),
  NUMBER("dram.latency", dram_latency, 1, 100000, 30, false, "cycles",
         "Latency of the DRAM, from a read on the memory's port to its first beat.", SIMTIGHT),
  NUMBER("dram.beat_bytes", dram_beat_bytes, 4, 256, 64, true, "bytes", "Width of the DRAM bus.", SIMTIGHT),
  NUMBER("dram.outstanding", dram_outstanding, 1, SL_DRAM_MAX_OUTSTANDING, 32, false, "beats",
         "Load beats in flight; one more request must fit.", SIMTIGHT),
  NUMBER("done.base", done_base, 0, (1u << 28) - 4, 0xf800, false, "address",
         "The run ends when every thread has stored the word 1 to this address + 4 * its hart id.",
         "recorded runs of the published RTL"),
  BOOL("host", host, 0,
       "The core replaces the SM in SIMTight's SoC: a host CPU launches kernels on it. Adds multiplication, division, "
       "atomics, barrier and warp commands, scratchpad and stacks. Only then the keys below apply; memory.bytes and "
       "done.base do not.", "ours"),
  NUMBER("fairness", fairness, 0, SL_FAIR_MOST, 0, false, "instructions",
         "Bound on the waiting of diverged paths: after this many instructions of a warp, at least 16, the path that has "
         "waited longest goes first for as many. 0: off, as in the published hardware.", "ours"),
  BOOL("global_atomics", global_atomics, false,
       "Atomics, LR and SC also work on global memory, as a read and a write at its port. Else only "
       "on the scratchpad.", "ours"),
  BOOL("warp_functions", warp_functions, true,
       "Votes and shuffles of the lanes that are active together (Vortex 3.x encodings).", "ours"),
  BOOL("fpu", fpu, 0, "Single-precision floating point in the integer registers (Zfinx).", "ours"),
  LATENCY("add", SL_FPU_ADD, 3, "fadd.s, fsub.s."),
  LATENCY("mul", SL_FPU_MUL, 3, "fmul.s."),
  LATENCY("div", SL_FPU_DIV, 32, "fdiv.s."),
  LATENCY("sqrt", SL_FPU_SQRT, 16, "fsqrt.s."),
  LATENCY("minmax", SL_FPU_MINMAX, 1, "fmin.s, fmax.s."),
  LATENCY("to_int", SL_FPU_TO_INT, 3, "fcvt.w.s, fcvt.wu.s."),
  LATENCY("from_int", SL_FPU_FROM_INT, 7, "fcvt.s.w, fcvt.s.wu."),
  LATENCY("equal", SL_FPU_EQUAL, 1, "feq.s."),
  LATENCY("less", SL_FPU_LESS, 2, "flt.s, fle.s."),
  NUMBER("fpu.in_flight", fpu_limit, 1, SL_FPU_FIFO - 2, 31, false, "instructions",
         "FPU operations in flight, from entering the FPU to the gather stage.", SIMTIGHT),
  NUMBER("code.base", code_base, 0, 0x80000000u, 0x08000000u, false, "address",
         "Base address of instruction memory; data memory begins at its end.", SIMTIGHT),
  NUMBER("code.words", code_words, 512, 1u << 24, 8192, true, "words", "Size of the instruction memory.", SIMTIGHT),
  NUMBER("scratchpad.base", scratchpad_base, 0, 0xffff0000u, 0xbfff0000u, false, "address",
         "Base address of the scratchpad.", SIMTIGHT),
  NUMBER("scratchpad.bytes", scratchpad_bytes, 1024, 1u << 24, 65536, true, "bytes",
         "Size of the scratchpad.", SIMTIGHT),
  NUMBER("scratchpad.banks", scratchpad_banks, 1, SL_MAX_LANES, 16, true, "banks",
         "SRAM banks; also the number of request streams into them.", SIMTIGHT),
  NUMBER("stack.bytes", stack_bytes, 0, 1u << 26, 0, true, "bytes",
         "Stack of a thread, interleaved with all others below 4 GiB; 0: 512 KiB, or less if all stacks would exceed "
         "1 GiB.", SIMTIGHT),
};
/* clang-format on */

const struct sl_keys sl_simty_keys = {keys, sizeof keys / sizeof keys[0]};

static enum sl_status check_alone(const struct sl_simty_spec *s, struct sl_error *err)
{
  const uint64_t end = s->done_base + UINT64_C(4) * s->lanes * s->warps;
  const char *key = s->fpu ? "fpu" : s->global_atomics ? "global_atomics" : s->fairness ? "fairness" : NULL;
  if (key != NULL)
    return sl_fail(err, SL_USAGE, "%s needs the SoC with a host CPU; set host=true too", key);
  if (s->done_base % 4 != 0)
    return sl_fail(err, SL_USAGE, "done.base 0x%08x is not a multiple of 4, as a word address must be", s->done_base);
  if (end > s->memory_bytes)
    return sl_fail(
        err, SL_USAGE,
        "the done words of %u threads end at 0x%llx, outside the memory of %u bytes; set memory.bytes higher "
        "or done.base lower",
        s->lanes * s->warps, (unsigned long long)end, s->memory_bytes);
  return SL_OK;
}

enum sl_status sl_simty_check(const void *spec, struct sl_error *err)
{
  const struct sl_simty_spec *s = spec;
  const uint32_t block_beats = s->lanes * 4 / s->dram_beat_bytes;
  if (s->dram && block_beats > s->dram_outstanding)
    return sl_fail(err, SL_USAGE,
                   "a block of %u lanes takes %u beats of %u bytes, more than dram.outstanding allows (%u); it could "
                   "never be read",
                   s->lanes, block_beats, s->dram_beat_bytes, s->dram_outstanding);
  if (!s->host)
    return check_alone(s, err);
  const struct sl_simtight_spec soc = sl_simty_soc(s);
  return sl_simtight_check(&soc, err);
}

struct sl_simtight_spec sl_simty_soc(const struct sl_simty_spec *s)
{
  struct sl_simtight_spec soc;
  sl_keys_defaults(&sl_simtight_keys, &soc);
  soc.lanes = s->lanes;
  soc.warps = s->warps;
  soc.fpu = s->fpu;
  soc.global_atomics = s->global_atomics;
  soc.fairness = s->fairness;
  soc.warp_functions = s->warp_functions;
  soc.code_base = s->code_base;
  soc.code_words = s->code_words;
  soc.scratchpad_base = s->scratchpad_base;
  soc.scratchpad_bytes = s->scratchpad_bytes;
  soc.scratchpad_banks = s->scratchpad_banks;
  soc.stack_bytes = s->stack_bytes;
  soc.dram_beat_bytes = SL_MAX_LANES * 4; /* the core checks these itself */
  return soc;
}

/* Without the SoC there are no stacks and no scratchpad. Their addresses are above any possible memory, without a gap.
 */
struct sl_path_warps_spec sl_simty_threads(const struct sl_simty_spec *s)
{
  enum { NOWHERE = 4 };
  if (s->host) {
    const struct sl_simtight_spec soc = sl_simty_soc(s);
    return sl_simtight_threads(&soc);
  }
  return (struct sl_path_warps_spec){
      .lanes = s->lanes,
      .warps = s->warps,
      .isa_sets = SL_ISA_I | SL_ISA_ZICSR,
      .code_words = s->memory_bytes / 4,
      .scratchpad_base = 0u - 2 * NOWHERE,
      .scratchpad_bytes = NOWHERE,
      .scratchpad_banks = 1,
      .stack_bytes = NOWHERE,
  };
}
