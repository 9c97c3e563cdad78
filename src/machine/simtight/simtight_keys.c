#include "base/keys.h"
#include "machine/simtight/simtight_sm.h"
#include "timing/memory/coalescer.h"
#include "timing/pipeline/arithmetic_units.h"

static const char *const divider_kinds[] = {"sequential", "pipelined", NULL};
static const char *const register_files[] = {"plain", "compressed", NULL};
static const char *const spill_policies[] = {"lru", "round-robin", "first", NULL};
static const char *const barrier_phases[] = {"snapshot", "test", NULL};

#define SPEC struct sl_simtight_spec
#define PAPER "SIMTight paper, section III-A"
#define RTL "published RTL"
#define RFC "SIMTight paper, section III-B"
#define PP "SIMTight paper, section III-C"

#define LATENCY(name_, class, fallback_, meaning_)                                                                     \
  NUMBER("fpu.latency." name_, fpu_latency[class], 1, SL_FPU_MAX_LATENCY, fallback_, false, "cycles", meaning_, RTL)

/* clang-format off */
static const struct sl_key keys[] = {
  NUMBER("lanes", lanes, 1, SL_MAX_LANES, 32, true, "lanes",
         "Threads of a warp, all executed in one cycle.", PAPER),
  NUMBER("warps", warps, 1, SL_MAX_WARPS, 64, true, "warps",
         "Warps resident on the SM.", PAPER),
  BOOL("fpu", fpu, false,
       "Single-precision floating point in the integer registers (Zfinx); also orders the resume merge.", RTL),
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
         "FPU operations in flight, from entering the FPU to resume.", RTL),
  CHOICE("divider", divider, divider_kinds, SL_DIVIDER_SEQUENTIAL,
         "Sequential (one instruction at a time) or pipelined (full throughput) divider.", RTL),
  NUMBER("divider.latency", divider_latency, 1, 64, 12, false, "cycles",
         "Latency of the pipelined divider; the sequential one takes 35 cycles.", RTL),
  NUMBER("divider.in_flight", divider_depth, 1, SL_DIVIDER_MAX_DEPTH, 32, false, "instructions",
         "Instructions in flight in the pipelined divider.", RTL),
  NUMBER("code.base", code_base, 0, 0x80000000u, 0x08000000u, false, "address",
         "Base address of instruction memory; data memory begins at its end.", RTL),
  NUMBER("code.words", code_words, 512, 1u << 24, 8192, true, "words",
         "Size of the tightly coupled instruction memory.", RTL),
  NUMBER("scratchpad.base", scratchpad_base, 0, 0xffff0000u, 0xbfff0000u, false, "address",
         "Base address of the scratchpad.", RTL),
  NUMBER("scratchpad.bytes", scratchpad_bytes, 1024, 1u << 24, 65536, true, "bytes",
         "Size of the scratchpad.", RTL),
  NUMBER("scratchpad.banks", scratchpad_banks, 1, SL_MAX_LANES, 16, true, "banks",
         "SRAM banks; also the number of request streams into them.", PAPER),
  NUMBER("stack.bytes", stack_bytes, 0, 1u << 26, 0, true, "bytes",
         "Stack of a thread, at the top of its address space, interleaved with all others below 4 GiB; 0: 512 KiB, or "
         "less if all stacks would exceed 1 GiB.", RTL),
  NUMBER("memory.fifo", fifo_depth, 1, SL_REQUEST_FIFO_MAX, 32, false, "requests",
         "Depth of the memory request FIFO; a full FIFO makes instructions retry.", RTL),
  NUMBER("memory.in_flight", in_flight_depth, 1, SL_IN_FLIGHT_MAX, 32, false, "transactions",
         "Memory transactions in flight in the coalescing unit.", RTL),
  NUMBER("dram.latency", dram_latency, 1, 100000, 30, false, "cycles",
         "Latency from a read on the memory's port to its first beat.", "simulation memory of the published RTL"),
  NUMBER("dram.beat_bytes", dram_beat_bytes, 4, 256, 64, true, "bytes",
         "Width of the DRAM bus.", RTL),
  NUMBER("dram.outstanding", dram_outstanding, 1, SL_DRAM_MAX_OUTSTANDING, 32, false, "beats",
         "Load beats in flight; one more transaction must fit.", RTL),
  CHOICE("barrier.phase", barrier_phase, barrier_phases, 1,
         "State of the barrier unit when a kernel starts. The hardware's unit free-runs; at the first launch after "
         "reset it was in this state.", "recorded runs of the published RTL"),
  NUMBER("barrier.turned", barrier_turned, 0, UINT32_MAX, 0, false, "launches",
         "Launches that find the barrier unit in its other state: bit n for launch n, 0 the first, modulo 32. The "
         "unit alternates with every cycle of the host CPU between launches, which simtlab does not simulate.", RTL),
  CHOICE("registers", compressed, register_files, 0,
         "Plain register file, or compressed: uniform and affine vectors are in a scalar register file.", RFC),
  BOOL("registers.affine", affine, 1,
       "The compressed register file also holds affine vectors (strides 1, 2, 4), not only uniform ones.", RFC),
  NUMBER("registers.slots", vector_slots, 0, SL_MAX_WARPS * SL_REGISTERS, 0, false, "vectors",
         "Vector slots of the compressed register file. With fewer than one per register, warps spill the rest. 0: "
         "one per register.", RFC),
  NUMBER("registers.spill_threshold", spill_threshold, 0, SL_MAX_WARPS * SL_REGISTERS, 0, false, "vectors",
         "Warps spill while fewer slots than this are free; 0: the number of warps.", RFC),
  CHOICE("registers.spill_policy", spill_policy, spill_policies, 0,
         "Vector of a warp to spill: pseudo least recently used, round robin, or the lowest-numbered.", RFC),
  NUMBER("registers.spill_base", spill_base, 0, 0xffffff80u, 0, false, "address",
         "Base address for spilled registers, one vector per register of every warp; 0: the 512 KiB below the "
         "scratchpad.", RTL),
  BOOL("registers.free_ended", free_ended, false,
       "A warp that ends frees its vector slots; in the published hardware it keeps them.", "ours"),
  BOOL("scalar", scalar_pipeline, false,
       "Parallel scalar pipeline; needs the compressed register file.", PP),
  NUMBER("scalar.warps", scalar_warps, 1, SL_MAX_WARPS, 32, false, "warps",
         "Warps that the scalar pipeline can hold.", RTL),
  NUMBER("stack_cache.entries", stack_cache_entries, 0, SL_STACK_CACHE_MAX, 0, true, "vectors",
         "Compressed vectors in the stack cache; 0: no stack cache. Needs the compressed register file.", RFC),
  NUMBER("fairness", fairness, 0, SL_FAIR_MOST, 0, false, "instructions",
         "Bound on the waiting of diverged paths: after this many instructions of a warp, at least 16, the path that has "
         "waited longest goes first for as many. 0: off, as in the published hardware.", "ours"),
  BOOL("global_atomics", global_atomics, false,
       "Atomics, LR and SC also work on global memory, as a read and a write at its port. The published hardware has "
       "atomics in the scratchpad only.", "ours"),
  BOOL("warp_functions", warp_functions, true,
       "Votes and shuffles of the lanes that are active together (Vortex 3.x encodings). The published hardware has none: "
       "there these words are illegal.", "ours"),
  CHOICE("convergence", convergence, sl_schemes_of_paths, 0,
         "Selection of the active path of a diverged warp: the highest nesting level, by the program's reconvergence "
         "annotations; the deepest call and then the lowest PC, over all threads; the same order by tables of sorted "
         "paths. Only nesting needs annotations.", PAPER "; Simty paper, section 3"),
};
/* clang-format on */

const struct sl_keys sl_simtight_keys = {keys, sizeof keys / sizeof keys[0]};

/* The published SoC gives each of its 2048 threads 512 KiB of the topmost GiB. */
static uint32_t stack_bytes(const struct sl_simtight_spec *s)
{
  const uint32_t most = 1u << 19, share = (1u << 30) / (s->lanes * s->warps);
  return s->stack_bytes ? s->stack_bytes : most < share ? most : share;
}

uint32_t sl_simtight_slots(const struct sl_simtight_spec *s)
{
  return s->vector_slots ? s->vector_slots : s->warps * SL_REGISTERS;
}

uint32_t sl_simtight_spill_threshold(const struct sl_simtight_spec *s)
{
  return s->spill_threshold ? s->spill_threshold : s->warps;
}

uint32_t sl_simtight_spill_bytes(const struct sl_simtight_spec *s)
{
  return s->warps * SL_REGISTERS * s->lanes * 4;
}

uint32_t sl_simtight_spill_base(const struct sl_simtight_spec *s)
{
  const uint32_t published = 1u << 19; /* bytes per thread in the published memory map; enough for every shape */
  return s->spill_base ? s->spill_base : s->scratchpad_base - published;
}

/* Checks the compressed register file: slots for every instruction in flight, and for the operands of one instruction
 * per warp. */
static enum sl_status check_slots(const struct sl_simtight_spec *s, struct sl_error *err)
{
  const uint32_t slots = sl_simtight_slots(s), most = s->warps * SL_REGISTERS;
  const uint32_t threshold = sl_simtight_spill_threshold(s), least = 3 * s->warps + threshold;
  const uint64_t spill_end = (uint64_t)sl_simtight_spill_base(s) + sl_simtight_spill_bytes(s);
  if (slots > most)
    return sl_fail(err, SL_USAGE, "registers.slots is %u, but %u warps of %u registers never need more than %u", slots,
                   s->warps, SL_REGISTERS, most);
  if (slots == most)
    return SL_OK;
  if (threshold < s->warps)
    return sl_fail(err, SL_USAGE,
                   "registers.spill_threshold is %u; it must be at least the number of warps (%u), because each may "
                   "have an instruction in flight that needs a slot",
                   threshold, s->warps);
  if (slots < least)
    return sl_fail(
        err, SL_USAGE,
        "registers.slots is %u; it must be at least %u, three per warp plus the spill threshold (3 x %u + %u), or 0 "
        "for one per register (%u)",
        slots, least, s->warps, threshold, most);
  if (spill_end > s->scratchpad_base || sl_simtight_spill_base(s) < s->code_base + (uint64_t)s->code_words * 4 ||
      sl_simtight_spill_base(s) % (s->lanes * 4) != 0)
    return sl_fail(
        err, SL_USAGE,
        "the %u bytes for spilled registers at 0x%08x must be between instruction memory and scratchpad, at a "
        "multiple of %u bytes; set registers.spill_base=0 to place them automatically",
        sl_simtight_spill_bytes(s), sl_simtight_spill_base(s), s->lanes * 4);
  return SL_OK;
}

/* Checks keys that need the compressed register file, or have no effect without it. */
static enum sl_status check_registers(const struct sl_simtight_spec *s, struct sl_error *err)
{
  if (s->compressed)
    return check_slots(s, err);
  const char *key = s->scalar_pipeline ? "scalar" : s->stack_cache_entries ? "stack_cache.entries" : NULL;
  if (key != NULL)
    return sl_fail(err, SL_USAGE,
                   "%s needs the compressed register file, which tracks uniform vectors; set registers=compressed too",
                   key);
  if (s->vector_slots)
    return sl_fail(err, SL_USAGE,
                   "registers.slots is %u, but the plain register file holds every register; set registers=compressed "
                   "too, or registers.slots=0",
                   s->vector_slots);
  return SL_OK;
}

enum sl_status sl_simtight_check(const void *spec, struct sl_error *err)
{
  const struct sl_simtight_spec *s = spec;
  const uint64_t stacks = (uint64_t)stack_bytes(s) * s->lanes * s->warps;
  const uint64_t scratchpad_end = (uint64_t)s->scratchpad_base + s->scratchpad_bytes;
  const uint64_t code_end = s->code_base + (uint64_t)s->code_words * 4;
  const uint32_t block_beats = s->lanes * 4 / s->dram_beat_bytes;
  if (s->code_base % (s->code_words * 4) != 0)
    return sl_fail(err, SL_USAGE, "code.base 0x%08x is not a multiple of the %u bytes of instruction memory",
                   s->code_base, s->code_words * 4);
  if (s->scratchpad_base % s->scratchpad_bytes != 0)
    return sl_fail(err, SL_USAGE, "scratchpad.base 0x%08x is not a multiple of its %u bytes", s->scratchpad_base,
                   s->scratchpad_bytes);
  if (code_end > s->scratchpad_base)
    return sl_fail(err, SL_USAGE, "instruction memory ends at 0x%08llx, above the scratchpad at 0x%08x",
                   (unsigned long long)code_end, s->scratchpad_base);
  if (stacks + scratchpad_end > UINT64_C(1) << 32)
    return sl_fail(
        err, SL_USAGE,
        "the stacks of %u threads take %llu MiB and would overlap the scratchpad, which ends at 0x%08llx; make "
        "stack.bytes smaller",
        s->lanes * s->warps, (unsigned long long)(stacks >> 20), (unsigned long long)scratchpad_end);
  if (block_beats > s->dram_outstanding)
    return sl_fail(err, SL_USAGE,
                   "a block of %u lanes takes %u beats of %u bytes, more than dram.outstanding allows (%u); it could "
                   "never be read",
                   s->lanes, block_beats, s->dram_beat_bytes, s->dram_outstanding);
  if (s->fairness > 0 && s->fairness < SL_FAIR_LEAST)
    return sl_fail(err, SL_USAGE, "fairness is %u; it must be 0, for none, or %d to %d", s->fairness, SL_FAIR_LEAST,
                   SL_FAIR_MOST);
  return check_registers(s, err);
}

struct sl_path_warps_spec sl_simtight_threads(const struct sl_simtight_spec *s)
{
  const unsigned base =
      SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_SIMT | (s->warp_functions ? (unsigned)SL_ISA_LANES : 0u);
  return (struct sl_path_warps_spec){
      .lanes = s->lanes,
      .warps = s->warps,
      .isa_sets = s->fpu ? base | SL_ISA_SIMT_FPU : base,
      .code_base = s->code_base,
      .code_words = s->code_words,
      .scratchpad_base = s->scratchpad_base,
      .scratchpad_bytes = s->scratchpad_bytes,
      .scratchpad_banks = s->scratchpad_banks,
      .stack_bytes = stack_bytes(s),
      .convergence = sl_scheme_of(SL_SCHEME_PATHS, s->convergence),
      .fairness = s->fairness,
      .global_atomics = s->global_atomics,
  };
}
