#include "base/keys.h"

#include "convergence/convergence.h"
#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/sm7_gpu.h"
#include "machine/sm7/sm7_spec.h"

/* The machine's list of counters, and its stall reasons. */

#define COUNTER(id, name, unit, role, value, meaning) ID_##id,
#define CAUSE(id, name, kind, meaning) ID_CAUSE_##id,
enum {
#include "machine/sm7/sm7_counters.def"
  COUNTER_COUNT
};
#undef COUNTER
#undef CAUSE

/* The counters that RISC-V host programs can read, by the numbers of runtime/simt.h. */
#define HOST_NUMBER(id) (ID_##id == ID_CYCLES ? 0 : ID_##id == ID_THREAD_INSTRUCTIONS ? 1 : -1)
#define COUNTER(id, name, unit, role, value, meaning)                                                                  \
  {name, unit, SL_COUNTER_##role, NULL, meaning, HOST_NUMBER(id), NULL},
#define CAUSE(id, name, kind, meaning) {"slots." name, "slots", SL_COUNTER_STALL_REASON, name, meaning, -1, NULL},
static const struct sl_counter counters[COUNTER_COUNT] = {
#include "machine/sm7/sm7_counters.def"
};
#undef COUNTER
#undef CAUSE

const struct sl_counters sl_sm7_counters = {counters, COUNTER_COUNT};

const struct sl_energy_source sl_sm7_energy[] = {
    {SL_ENERGY_FETCH, "warp_instrs", 1},
    {SL_ENERGY_ICACHE, "fetches", 1},
    {SL_ENERGY_ICACHE_MISS, "icache.misses", 1},
    {SL_ENERGY_SCHEDULE, "warp_instrs", 1},
    {SL_ENERGY_DISPATCH, "warp_instrs", 1},
    {SL_ENERGY_DISPATCH, "memory.instrs", -1},
    {SL_ENERGY_REGISTER_READ, "registers.read", 1},
    {SL_ENERGY_REGISTER_NARROW, "registers.narrow", 1},
    {SL_ENERGY_REGISTER_WRITE, "registers.written", 1},
    {SL_ENERGY_OPERAND, "operands.other", 1},
    {SL_ENERGY_LANE_INTEGER, "lanes.integer", 1},
    {SL_ENERGY_LANE_MULTIPLY, "lanes.multiply", 1},
    {SL_ENERGY_LANE_FLOAT, "lanes.float", 1},
    {SL_ENERGY_LANE_FLOAT_ADD, "lanes.float", 1},
    {SL_ENERGY_LANE_FLOAT_ADD, "lanes.float_multiply", -1},
    {SL_ENERGY_LANE_FLOAT_MULTIPLY, "lanes.float_multiply", 1},
    {SL_ENERGY_LANE_FUSED, "lanes.fused", 1},
    {SL_ENERGY_LANE_DOUBLE, "lanes.double", 1},
    {SL_ENERGY_LANE_DOUBLE_ADD, "lanes.double", 1},
    {SL_ENERGY_LANE_DOUBLE_ADD, "lanes.double_multiply", -1},
    {SL_ENERGY_LANE_DOUBLE_MULTIPLY, "lanes.double_multiply", 1},
    {SL_ENERGY_LANE_SPECIAL, "lanes.special", 1},
    {SL_ENERGY_LANE_DIVIDE, "lanes.divide", 1},
    {SL_ENERGY_LANE_FLOAT_DIVIDE, "lanes.float_divide", 1},
    {SL_ENERGY_LANE_DOUBLE_DIVIDE, "lanes.double_divide", 1},
    {SL_ENERGY_LANE_ROOT, "lanes.root", 1},
    {SL_ENERGY_LANE_SINE, "lanes.sine", 1},
    {SL_ENERGY_LANE_POWER, "lanes.power", 1},
    {SL_ENERGY_LANE_LOGARITHM, "lanes.logarithm", 1},
    {SL_ENERGY_LANE_TENSOR, "lanes.tensor", 1},
    {SL_ENERGY_LANE_MEMORY, "lanes.memory", 1},
    {SL_ENERGY_LANE_OTHER, "lanes.other", 1},
    {SL_ENERGY_LINEAR_SUM, "linear.sums", 1},
    {SL_ENERGY_CONSTANT, "constant.passes", 1},
    {SL_ENERGY_TEXTURE, "texture.accesses", 1},
    {SL_ENERGY_SHARED, "shared.cycles", 1},
    {SL_ENERGY_L1, "l1.accesses", 1},
    {SL_ENERGY_L1_READ_HIT, "l1.accesses", 1},
    {SL_ENERGY_L1_READ_HIT, "l1.writes", -1},
    {SL_ENERGY_L1_READ_HIT, "l1.misses", -1},
    {SL_ENERGY_L1_READ_HIT, "l1.write_misses", 1},
    {SL_ENERGY_L1_READ_MISS, "l1.misses", 1},
    {SL_ENERGY_L1_READ_MISS, "l1.write_misses", -1},
    {SL_ENERGY_L1_WRITE_HIT, "l1.writes", 1},
    {SL_ENERGY_L1_WRITE_HIT, "l1.write_misses", -1},
    {SL_ENERGY_L1_WRITE_MISS, "l1.write_misses", 1},
    {SL_ENERGY_L2, "l2.accesses", 1},
    {SL_ENERGY_L2_READ_HIT, "l2.accesses", 1},
    {SL_ENERGY_L2_READ_HIT, "l2.writes", -1},
    {SL_ENERGY_L2_READ_HIT, "l2.misses", -1},
    {SL_ENERGY_L2_READ_HIT, "l2.write_misses", 1},
    {SL_ENERGY_L2_READ_MISS, "l2.misses", 1},
    {SL_ENERGY_L2_READ_MISS, "l2.write_misses", -1},
    {SL_ENERGY_L2_WRITE_HIT, "l2.writes", 1},
    {SL_ENERGY_L2_WRITE_HIT, "l2.write_misses", -1},
    {SL_ENERGY_L2_WRITE_MISS, "l2.write_misses", 1},
    {SL_ENERGY_CROSSBAR, "l2.accesses", 1},
    {SL_ENERGY_DRAM_READ, "dram.reads", 1},
    {SL_ENERGY_DRAM_WRITE, "dram.writes", 1},
    {SL_ENERGY_DRAM_ROW, "dram.activations", 1},
    {0},
};

static const struct sl_stall_reason causes[SL_SM7_STALL_REASONS] = {
#define CAUSE(id, name, kind, meaning) {name, meaning, SL_STALL_REASON_##kind},
#include "machine/sm7/sm7_stall_reasons.def"
#undef CAUSE
};

SL_HOLDS(SL_MAX_COUNTERS, COUNTER_COUNT, "counters of a launch");
SL_HOLDS(SL_MAX_STALL_REASONS, SL_SM7_STALL_REASONS, "stall reasons of a row's cycles");

const struct sl_stall_reasons sl_sm7_stall_reasons = {causes, SL_SM7_STALL_REASONS};

static const struct sl_stage stages[SL_SM7_STAGES] = {
    [SL_SM7_STAGE_BUFFER] = {"buffer", "the instruction is in its warp's instruction buffer", SL_PROBE_FETCHED},
    [SL_SM7_STAGE_ISSUE] = {"issue", "it has been issued and waits for an operand collector", SL_PROBE_ISSUED},
    [SL_SM7_STAGE_COLLECT] = {"collect", "a collector reads its operands", SL_PROBE_STAGED},
    [SL_SM7_STAGE_EXECUTE] = {"execute", "its arithmetic unit executes it", SL_PROBE_STAGED},
    [SL_SM7_STAGE_MEMORY] = {"memory", "the load/store unit has accepted it", SL_PROBE_STAGED},
    [SL_SM7_STAGE_DONE] = {"done", "its results are written, or it has been flushed",
                           SL_PROBE_RETIRED | SL_PROBE_FLUSHED},
};

const struct sl_stages sl_sm7_stages = {stages, SL_SM7_STAGES};

/* clang-format off */
#define COUNTER(id, name, unit, role, value, meaning) case ID_##id: return value;
#define CAUSE(id, name, kind, meaning) case ID_CAUSE_##id: return t->sm.cause[SL_SM7_STALL_REASON_##id];
/* clang-format on */
uint64_t sl_sm7_counter(const struct sl_sm7_totals *t, uint64_t cycles, size_t index)
{
  switch (index) {
#include "machine/sm7/sm7_counters.def"
  default: return 0;
  }
}
#undef COUNTER
#undef CAUSE

#define SPEC struct sl_sm7_spec
#define SIM "GPGPU-Sim 4.2, SM7_TITANV"
#define R2D2 "R2D2 (ISCA 2023),"
#define MEASURED SIM ", measured"

static const char *const schedulers[] = {"lrr", "gto", "oldest", "two-level", "gty", NULL};
static const char *const fmas[] = {"fused", "unfused", NULL};
static const char *const membars[] = {"reads", "waits", NULL};
static const char *const crossbars[] = {"islip", "rr", NULL};
static const char *const crossbar_queues[] = {"one", "virtual", NULL};      /* as enum sl_sm7_crossbar_queues */
static const char *const register_models[] = {"collectors", "volta", NULL}; /* as enum sl_sm7_register_model */
static const char *const multiply_units[] = {"int", "sp", NULL};            /* as enum sl_sm7_multiply_unit */
static const char *const urs[] = {"warp", "block", "free", NULL};
static const char *const oracles[] = {"none", "dac", "darsie", "darsie-scalar", NULL}; /* as enum sl_ptx_oracle */
static const char *const replacements[] = {"lru", "fifo", "random", NULL};             /* as enum sl_sm7_replacement */
static const char *const prefetchers[] = {"none", "next-line", NULL};                  /* as enum sl_sm7_prefetcher */
static const char *const dram_schedulers[] = {"fr-fcfs", "fifo", "fixed", NULL};

/* Latency and initiation interval of a class, from the configuration. */
#define CLASS(name_, id, latency_, interval_, of)                                                                      \
  NUMBER("latency." name_, timing[SL_SM7_C_##id].latency, 1, 900, latency_, false, "cycles",                           \
         "Latency of " of "; a dependent instruction can issue 3 cycles and result_delay later.", SIM),                \
      NUMBER("interval." name_, timing[SL_SM7_C_##id].interval, 1, 900, interval_, false, "cycles",                    \
             "Initiation interval of " of " in a unit.", SIM)

/* A transformation of PTX into the shape of machine code. */
#define LOWER(name_, index_, what_)                                                                                    \
  BOOL("lower." name_, lower[index_], 0, "Lowering of PTX: " what_ ".", "machine code of Volta; the reference has none")

/* A read-only line cache. */
#define LINES(name_, field, sets_, ways_, line_, mshrs_, merges_, queue_, source_)                                     \
  NUMBER(name_ ".sets", field.sets, 1, 1024, sets_, true, "sets", "Sets of the cache.", source_),                      \
      NUMBER(name_ ".ways", field.ways, 1, 64, ways_, false, "ways", "Ways of a set.", source_),                       \
      NUMBER(name_ ".line", field.line, SL_SM7_SECTOR, SL_SM7_LINE, line_, true, "bytes", "Size of a line.", source_), \
      NUMBER(name_ ".mshrs", field.mshrs, 1, 64, mshrs_, false, "lines", "Outstanding lines.", source_),               \
      NUMBER(name_ ".merges", field.merges, 1, 256, merges_, false, "requests",                                        \
             "Requests that can wait for the same line.", source_),                                                    \
      NUMBER(name_ ".queue", field.queue, 1, 64, queue_, false, "lines", "Requested lines that are not yet sent.",     \
             source_)

/* clang-format off */
static const struct sl_key keys[] = {
  NUMBER("clusters", clusters, 1, SL_SM7_MAX_CLUSTERS, 40, false, "clusters", "Groups of SMs that share a port of the crossbar.", SIM),
  NUMBER("sms_per_cluster", sms_per_cluster, 1, 2, 2, false, "SMs", "SMs of a cluster.", SIM),
  NUMBER("launch.cycles", launch_cycles, 0, 1000000, 0, false, "cycles", "Delay before the first block of a kernel starts.", SIM),
  NUMBER("warps", warps, 4, SL_SM7_MAX_WARPS, 64, true, "warps", "Warps of an SM.", SIM),
  NUMBER("blocks", blocks, 1, 32, 32, false, "blocks", "Maximum number of blocks of an SM.", SIM),
  NUMBER("registers", registers, 1024, 1u << 20, 65536, false, "registers", "32-bit registers of an SM.", SIM),
  NUMBER("shared.bytes", shared_bytes, 1024, 96 * 1024, 96 * 1024, false, "bytes", "Shared memory of an SM.", SIM),
  NUMBER("storage.bytes", storage_bytes, 8192, 1u << 20, 128 * 1024, false, "bytes", "L1 and shared memory of an SM together.", SIM),
  NUMBER("schedulers", schedulers, 1, SL_SM7_MAX_SCHEDULERS, 4, true, "schedulers", "Warp schedulers of an SM, each with a unit of every kind; warp slot w belongs to scheduler w modulo their number.", SIM),
  CHOICE("scheduler", scheduler, schedulers, SL_SM7_LRR, "Order in which a scheduler examines its warps: loose round robin; greedy, then oldest; oldest; two-level, which is round robin among a few active warps that do not wait; or gty: greedy, then youngest.", SIM "; gty: Huerta et al., arXiv:2503.20481, section 5.1"),
  NUMBER("scheduler.active", active, 1, SL_SM7_MAX_WARPS, 6, false, "warps", "Active warps of a two-level scheduler. An active warp that waits for memory or at a barrier is replaced by another warp.", SIM " (two_level_active)"),
  NUMBER("issue.most", issues, 1, 2, 1, false, "instructions", "Maximum number of instructions of a warp that issue in a cycle, to different units; 2 is dual issue, which simulates on one host thread only.", SIM " (gpgpu_max_insn_issue_per_warp, gpgpu_dual_issue_diff_exec_units)"),
  NUMBER("collectors", collectors, 4, 32, 8, true, "collectors", "Operand collectors of an SM, divided among the schedulers.", SIM),
  NUMBER("collectors.steps", collector_steps, 1, 32, 2, false, "steps", "Steps of the operand collectors in a cycle.", SIM),
  NUMBER("banks", banks, 4, 64, 8, true, "banks", "Register banks of an SM, divided among the schedulers.", SIM),
  CHOICE("registers.model", register_model, register_models, SL_SM7_REGISTERS_COLLECTORS, "Reading of operands: collectors, one read per bank and step; or volta: at a fixed time after issue, two banks per scheduler with one read per cycle each, and a cache of operands that the next instruction of the warp reads again.", SIM "; Jia et al., arXiv:1804.06826, section 3.5, and Huerta et al., arXiv:2503.20481, section 5.3"),
  NUMBER("fetches", fetches, 1, 64, 4, false, "fetches", "Steps of fetch and decode in a cycle.", SIM),
  NUMBER("result_buses", result_buses, 1, 8, 8, false, "buses", "Results of units that an SM writes in a cycle.", SIM),
  CHOICE("convergence", convergence, sl_schemes_of_masks, 0, "Groups of a diverged warp: stack: the top of the post-dominator stack runs; its: every group has its turn, lanes have a pc of their own; hanoi: a work stack, whose groups yield at backward branches. With its and hanoi the barriers of a block count lanes.", SIM "; ours after US patent 10,067,768; arXiv 2407.02944"),
  NUMBER("fairness", fairness, 0, SL_FAIR_MOST, 0, false, "instructions", "With convergence=its or hanoi, instructions of a diverged warp after which the group that has waited longest goes first; 0 means 256.", "ours"),
  NUMBER("result_delay", result_delay, 0, 2, 2, false, "cycles", "Delay from the end of a unit's latency to the write of its result.", SIM ", measured"),
  CLASS("other", OTHER, 1, 1, "moves, logic, shifts, comparisons, conversions, branches, barriers"),
  CLASS("int_add", INT_ADD, 4, 2, "integer additions and subtractions"),
  CLASS("int_minmax", INT_MINMAX, 13, 2, "integer minima and maxima"),
  CLASS("int_mul", INT_MUL, 4, 2, "integer multiplications"),
  CLASS("int_mad", INT_MAD, 5, 2, "integer multiply-adds"),
  CLASS("mul24", MUL24, 5, 3, "24-bit multiplications"),
  CLASS("mad24", MAD24, 6, 3, "24-bit multiply-adds"),
  CLASS("f32_add", F32_ADD, 4, 2, "single additions and subtractions"),
  CLASS("f32_mul", F32_MUL, 4, 2, "single multiplications"),
  CLASS("f32_mad", F32_MAD, 5, 2, "single multiply-adds"),
  CLASS("f32_minmax", F32_MINMAX, 13, 2, "single minima and maxima"),
  CLASS("f64_add", F64_ADD, 8, 4, "double additions and subtractions"),
  CLASS("f64_mul", F64_MUL, 8, 4, "double multiplications and multiply-adds"),
  CLASS("f64_minmax", F64_MINMAX, 19, 4, "double minima and maxima"),
  CLASS("int_div", INT_DIV, 145, 8, "integer divisions and remainders"),
  CLASS("f32_div", F32_DIV, 39, 4, "single divisions"),
  CLASS("f64_div", F64_DIV, 330, 130, "double divisions"),
  CLASS("sfu", SFU, 100, 8, "square roots and reciprocals"),
  CLASS("sine", SINE, 100, 8, "sines and cosines"),
  CLASS("power", POWER, 100, 8, "powers of 2 and hyperbolic tangents"),
  CLASS("logarithm", LOGARITHM, 100, 8, "logarithms"),
  CLASS("shfl", SHFL, 32, 4, "exchanges between lanes"),
  CLASS("mma", MMA, 64, 64, "matrix multiplications"),
  CHOICE("multiply.unit", multiply_unit, multiply_units, SL_SM7_MULTIPLY_INT, "Unit of integer multiplications and multiply-adds.", SIM "; sp: NVIDIA Nsight Compute documentation, pipelines: FMA also performs IMUL and IMAD"),
  NUMBER("interval.branch", branch_interval, 1, 64, 1, false, "cycles", "With registers.model=volta, initiation interval of branches, which have a unit of their own.", "SM7_QV100 of Accel-Sim: 4 (specialized_unit_1, trace_opcode_latency_initiation_spec_op_1)"),
  CHOICE("fma", fma, fmas, SL_SM7_FUSED, "A multiply-add rounds once, or rounds also the product, as the reference does.", MEASURED),
  CHOICE("membar", membar, membars, SL_SM7_MEMBAR_READS, "A memory barrier waits for its warp's pending registers, as in the reference, or also for its stores.", MEASURED),
  BOOL("r2d2", r2d2, 0, "PTX kernels that have a variant with linear registers (simtlab linear -o) run as that variant, unless fewer of its blocks fit on an SM.", R2D2 " section 4"),
  NUMBER("r2d2.add", linear_add, 0, 100, 4, false, "cycles", "Delay of an instruction for the sum of a linear register.", R2D2 " section 5.4"),
  BOOL("r2d2.pipelined", linear_pipelined, 1, "Sums are computed after the operand collectors, which are free meanwhile; else instructions wait in them.", R2D2 " section 4.3"),
  BOOL("r2d2.overlap", linear_overlap, 0, "Blocks compute the block part as soon as the coefficients are complete, without waiting for the thread part.", "a variation of " R2D2 " section 4.1"),
  NUMBER("r2d2.fetch", linear_fetch, 0, 100, 0, false, "cycles", "Additional delay of each fetch of a linear instruction, for the lookup in the table of starting PCs. With 7 the paper's programs are 1 % slower.", R2D2 " section 5.4"),
  NUMBER("r2d2.id", linear_id, 0, 100, 0, false, "cycles", "Additional delay of a linear operand, for computing the index of its registers. With 5 the paper's programs are 1 % slower.", R2D2 " section 5.4"),
  BOOL("r2d2.global_wait", linear_global, 0, "No SM executes the rest of a kernel before all SMs have the linear registers of their first blocks.", R2D2 " section 5.3"),
  CHOICE("r2d2.ur", linear_ur, urs, SL_SM7_UR_WARP, "Update of linear operands that grow in loops: by every warp, with an instruction each; by the first warp of a block for all, whose instructions are eliminated; or free, all are eliminated.", R2D2 " section 3.1 leaves it open"),
  BOOL("r2d2.shadow", linear_shadow, 0, "The original kernel executes beside the variant with linear registers; the first different access, stored value or branch ends the run.", "a check; the paper has none"),
  CHOICE("oracle", oracle, oracles, 0, "Instructions of PTX kernels that are eliminated because their result is known: none, or those that optimistic models of the machines DAC and DARSIE eliminate; DARSIE also with a scalar pipeline.", R2D2 " sections 1 and 5"),
  BOOL("scalar", scalar, 0, "Instructions of PTX kernels whose operands are the same in all threads of a block, by analysis, use one lane; this saves energy but no time.", R2D2 " Table 1"),
  LOWER("parameters", 0, "parameters are operands: their loads, and conversions of their addresses, are free"),
  LOWER("moves", 1, "copies of a register that is not read again, constants, and widening of an index are free"),
  LOWER("addresses", 2, "a product or shift and an addition are one multiply-add"),
  LOWER("adds", 3, "two additions of 32 bits are one with three operands"),
  LOWER("logic", 4, "two operations on bits are one, and so are a comparison and an operation on its predicate"),
  LOWER("vectors", 5, "two or four loads of adjacent words of shared memory are one, and two of constant memory"),
  BOOL("lower.sines", lower_sines, 0, "Lowering of PTX: a multiplication by 1/(2 pi) precedes a sine or cosine; those of the same argument share it. It takes an issue slot and lanes of single precision.", "machine code FMUL.RZ and MUFU, NVIDIA developer forum 110013; the reference has none"),
  BOOL("lower.fields", lower_fields, 0, "Lowering of PTX: a shift precedes bfe and bfi of 32 bits. It takes an issue slot and the unit.", "CUDA C++ Programming Guide, throughput of native arithmetic instructions, 7.0: multiple instructions; the reference has none"),
  BOOL("lower.predicate", lower_predicate, 0, "Lowering of PTX: short branches become predicates of the instructions that they control.", "CUDA C Programming Guide 4.2, section 5.4.2; the reference has none"),
  BOOL("lower.unroll", lower_unroll, 0, "Lowering of PTX: loops of one basic block are unrolled, wholly or by four.", "PTX ISA, Pragma Strings; limits of LLVM 19; the reference has none"),
  BOOL("lower.schedule", lower_schedule, 0, "Lowering of PTX: the instructions of a basic block are ordered by their latencies, loads first.", "machine code of Volta; the reference has none"),
  NUMBER("lower.registers", lower_registers, 16, 255, 64, false, "registers", "With lower.schedule, loads move up as long as a thread needs no more registers than this. With 64, half of the threads fit on an SM.", "ours"),
  NUMBER("l1.sets", l1_sets, 1, 64, 4, true, "sets", "Sets of L1; its ways follow from the storage that shared memory leaves.", SIM),
  NUMBER("l1.banks", l1_banks, 1, 16, 4, true, "banks", "Banks of L1, selected by sector.", SIM),
  NUMBER("l1.latency", l1_latency, 1, 900, 20, false, "cycles", "Delay before an access reads its tag.", SIM),
  NUMBER("l1.mshrs", l1_mshrs, 1, 4096, 512, false, "sectors", "Outstanding sectors of L1.", SIM),
  NUMBER("l1.merges", l1_merges, 1, 64, 8, false, "requests", "Requests that can wait for the same sector.", SIM),
  NUMBER("l1.queue", l1_queue, 2, 256, 16, false, "packets", "Capacity of the queue of misses and writes; a miss needs room for two.", SIM),
  NUMBER("l1.dirty", l1_dirty, 0, 100, 25, false, "percent", "Share of dirty lines from which on dirty lines are replaced like others.", SIM),
  CHOICE("l1.replacement", l1_replacement, replacements, SL_SM7_REPLACE_LRU, "Line of a full set of L1 that is replaced: the least recently used, the first allocated, or a random one.", SIM),
  CHOICE("l1.prefetch", l1_prefetch, prefetchers, SL_SM7_NO_PREFETCH, "Prefetching of L1: none, or with each sector that a load misses the sector one line after it, while more than half of the MSHRs are free.", "a variation of " SIM),
  BOOL("icache", icache, 0, "Instructions are fetched through a cache; off: every fetch hits.", SIM " (gpgpu_perfect_inst_const_cache)"),
  LINES("icache", instructions, 64, 16, 128, 2, 48, 4, SIM " (gpgpu_cache:il1)"),
  BOOL("ccache", ccache, 0, "Parameters and constants are read through a cache; off: every read hits.", SIM " (gpgpu_perfect_inst_const_cache)"),
  LINES("ccache", constants, 128, 8, 64, 2, 64, 4, SIM " (gpgpu_const_cache:l1)"),
  BOOL("constant.passes", constant_passes, 0, "A load from constant memory takes a cycle of the load/store unit for each different word; off: one.", "CUDA C Programming Guide, device memory accesses: constant memory"),
  BOOL("constant.unit", constant_unit, 0, "Loads from constant memory have a unit of their own; off: the load/store unit.", SIM "; true: NVIDIA Nsight Compute documentation, pipelines: ADU, and units: IDC"),
  NUMBER("texture.sets", textures.sets, 1, 64, 4, true, "sets", "Sets of the texture cache.", SIM " (gpgpu_tex_cache:l1)"),
  NUMBER("texture.ways", textures.ways, 1, 1024, 256, false, "ways", "Ways of a set.", SIM " (gpgpu_tex_cache:l1)"),
  NUMBER("texture.line", textures.line, SL_SM7_SECTOR, SL_SM7_LINE, 128, true, "bytes", "Size of a line, which L2 sends as sectors.", SIM " (gpgpu_tex_cache:l1)"),
  NUMBER("texture.fifo", textures.fragments, 1, 4096, 512, false, "accesses", "Accesses in flight in the texture cache, in order.", SIM " (gpgpu_tex_cache:l1)"),
  NUMBER("texture.lines", textures.lines, 1, 4096, 128, false, "lines", "Outstanding lines of accesses in flight.", SIM " (gpgpu_tex_cache:l1)"),
  NUMBER("texture.requests", textures.requests, 1, 256, 8, false, "packets", "Capacity of the queue of line requests that are not yet sent.", SIM " (gpgpu_tex_cache:l1)"),
  NUMBER("texture.results", textures.results, 1, 256, 2, false, "accesses", "Completed accesses that wait for write-back.", SIM " (gpgpu_tex_cache:l1)"),
  NUMBER("shared.latency", shared_latency, 1, 200, 20, false, "cycles", "Latency of a load from shared memory, after its bank conflicts.", SIM),
  BOOL("shared.fragments", shared_fragments, 0, "Matrices of wmma, of 16 x 16 x 16, move between registers and shared memory as in Volta's machine code, in 1 to 8 accesses with conflicts among their lanes; off: in one access, which takes a cycle for each word in a bank.", "Raihan et al., arXiv:1811.08309; machine/sm7/sm7_operands.c"),
  NUMBER("lsu.interval", lsu_interval, 1, 16, 1, false, "cycles", "Interval between requests that the load/store unit accepts: instructions, and with constant.passes the words of a load from constant memory.", SIM "; 2: Huerta et al., arXiv:2503.20481, section 5.4"),
  NUMBER("lsu.responses", response_fifo, 1, 64, 2, false, "packets", "Answers that wait for the load/store unit.", SIM),
  BOOL("memory.perfect", perfect_memory, 0, "Everything behind L1 answers at once.", SIM),
  NUMBER("ejection", ejection_fifo, 1, 256, 32, false, "packets", "Answers that wait in a cluster.", SIM),
  NUMBER("crossbar.fifo", crossbar_fifo, 2, 4096, 512, false, "packets", "Capacity of the FIFO at each input and output of the crossbar.", SIM),
  CHOICE("crossbar", crossbar, crossbars, SL_SM7_ISLIP, "Arbitration of an output among inputs: islip: round robin from the input after the last, several packets of an input in a cycle (iSLIP with one grant); rr: all outputs begin at one input that advances every cycle, one packet per input.", SIM),
  CHOICE("crossbar.queues", crossbar_queues, crossbar_queues, SL_SM7_ONE_QUEUE, "Queues of an input of the crossbar: one, whose front packet holds up the others; or virtual: one for each output, matched by iSLIP with as many iterations as find a partner; an input sends one packet in a cycle.", SIM "; virtual: McKeown, iSLIP (1999); Jia et al., arXiv:1804.06826: 2,155 GB/s from L2"),
  NUMBER("channels", channels, 1, SL_SM7_MAX_SLICES / SL_SM7_CHANNEL_SLICES, 24, false, "channels", "DRAM channels, each with two slices of L2.", SIM),
  NUMBER("l2.sets", l2_sets, 1, 1024, 32, true, "sets", "Sets of a slice of L2; with 32 sets, the set index is hashed.", SIM),
  NUMBER("l2.ways", l2_ways, 1, 64, 24, false, "ways", "Ways of a set.", SIM),
  CHOICE("l2.replacement", l2_replacement, replacements, SL_SM7_REPLACE_LRU, "Line of a full set of L2 that is replaced, as in L1.", SIM),
  NUMBER("l2.dirty", l2_dirty, 0, 100, 100, false, "percent", "Share of dirty lines from which on L2 writes lines back before their place is needed; 100: only then.", "Quadro V100: at the end of five kernels 98,274 to 98,407 written sectors are not in DRAM, half of L2 (reference/silicon)"),
  NUMBER("l2.mshrs", l2_mshrs, 1, 4096, 192, false, "sectors", "Outstanding sectors of a slice.", SIM),
  NUMBER("l2.merges", l2_merges, 1, 64, 4, false, "requests", "Requests that can wait for the same sector.", SIM),
  NUMBER("l2.queue", l2_queue, 2, 256, 32, false, "packets", "Capacity of the miss queue; a miss needs room for two.", SIM),
  NUMBER("l2.delay", l2_delay, 1, 900, 160, false, "cycles", "Delay before a packet reaches a slice's input queue.", SIM),
  NUMBER("l2.input", l2_input, 8, 1024, 64, false, "packets", "Capacity of the input queue.", SIM),
  NUMBER("l2.output", l2_output, 1, 1024, 64, false, "packets", "Capacity of the output queue.", SIM),
  NUMBER("l2.to_dram", l2_to_dram, 1, 1024, 64, false, "packets", "Capacity of the queue to DRAM.", SIM),
  NUMBER("l2.from_dram", l2_fill, 1, 1024, 64, false, "packets", "Capacity of the queue from DRAM.", SIM),
  BOOL("l2.warm", l2_warm, 1, "Data that the host copies to or from the device is in L2 afterwards.", MEASURED),
  BOOL("l2.hash", l2_hash, 1, "The slice of an address is hashed.", SIM),
  NUMBER("core.mhz", core_mhz, 1, 100000, 1200, false, "MHz", "Clock of the SMs, the crossbar and L2.", SIM),
  NUMBER("dram.mhz", dram_mhz, 1, 100000, 850, false, "MHz", "Clock of DRAM.", SIM),
  CHOICE("dram.scheduler", dram_scheduler, dram_schedulers, SL_SM7_FR_FCFS, "Order of requests: first those to the open row, or first come first served; fixed: no banks or buses, one request per tick, each taking dram.delay.", SIM),
  NUMBER("dram.delay", dram_delay, 0, 10000, 100, false, "core cycles", "Delay before a request can be scheduled.", SIM),
  NUMBER("dram.reads", dram_reads, 1, 1024, 64, false, "requests", "Capacity of the read queue.", SIM),
  NUMBER("dram.writes", dram_writes, 1, 1024, 128, false, "requests", "Capacity of the write queue.", SIM),
  NUMBER("dram.writes.high", dram_high, 1, 1024, 108, false, "requests", "Queued writes from which on writes are served.", SIM),
  NUMBER("dram.writes.low", dram_low, 0, 1024, 32, false, "requests", "Queued writes below which reads are served again.", SIM),
  NUMBER("dram.replies", dram_replies, 1, 1024, 192, false, "packets", "Replies that L2 has not yet taken.", SIM),
  NUMBER("dram.ccd", ccd, 1, 64, 1, false, "ticks", "Interval between column commands.", SIM),
  NUMBER("dram.ccdl", ccdl, 1, 64, 2, false, "ticks", "Interval between column commands to the same bank group.", SIM),
  NUMBER("dram.rrd", rrd, 1, 64, 3, false, "ticks", "Interval between activations.", SIM),
  NUMBER("dram.rcd", rcd, 4, 64, 12, false, "ticks", "Delay from activation to a read.", SIM),
  NUMBER("dram.ras", ras, 1, 256, 28, false, "ticks", "Delay from activation to precharge.", SIM),
  NUMBER("dram.rp", rp, 1, 64, 12, false, "ticks", "Delay from precharge to activation.", SIM),
  NUMBER("dram.rc", rc, 1, 256, 40, false, "ticks", "Interval between activations of a bank.", SIM),
  NUMBER("dram.cl", cl, 2, 64, 12, false, "ticks", "Delay from a read to its data.", SIM),
  NUMBER("dram.wl", wl, 1, 2, 2, false, "ticks", "Delay from a write to its data.", SIM),
  NUMBER("dram.cdlr", cdlr, 1, 64, 3, false, "ticks", "Delay from written data to a read.", SIM),
  NUMBER("dram.wr", wr, 1, 64, 10, false, "ticks", "Delay from written data to precharge.", SIM),
  NUMBER("dram.refi", refi, 0, 1000000, 0, false, "ticks", "Interval between refreshes of all banks; 0: none.", "JEDEC JESD235: 3.9 us; the reference has none"),
  NUMBER("dram.rfc", rfc, 1, 10000, 221, false, "ticks", "Duration of a refresh.", "JEDEC JESD235: 260 ns with 4 Gbit per channel"),
  NUMBER("dram.rrdl", rrdl, 1, 64, 1, false, "ticks", "Interval between activations in the same bank group, if longer than dram.rrd.", "Ramulator 2, HBM2: 4.2 ns; the reference has none"),
  NUMBER("dram.wtrl", wtrl, 1, 64, 1, false, "ticks", "Delay from written data to a read of the same bank group, if longer than dram.cdlr.", "Ramulator 2, HBM2: 8.3 ns; the reference has none"),
  BOOL("dram.write_queue", dram_write_queue, 1, "Writes wait in a queue of their own; off: with the reads.", SIM),
  BOOL("dram.hash", dram_hash, 1, "The bank of an address is hashed with its row.", SIM),
  NUMBER("dram.rtpl", rtpl, 1, 64, 3, false, "ticks", "Delay from a read to a precharge in the same bank group.", SIM),
};
/* clang-format on */

const struct sl_keys sl_sm7_keys = {keys, sizeof keys / sizeof keys[0]};

static enum sl_status check_convergence(const struct sl_sm7_spec *s, struct sl_error *err)
{
  const char *key = s->r2d2 ? "r2d2" : s->oracle ? "oracle" : s->scalar ? "scalar" : NULL;
  if (!sl_sm7_takes_turns(s))
    return s->fairness == 0 ? SL_OK : sl_fail(err, SL_USAGE, "fairness needs convergence=its or hanoi");
  if (s->fairness > 0 && s->fairness < SL_FAIR_LEAST)
    return sl_fail(err, SL_USAGE, "fairness is %u; it must be 0, for %d, or %d to %d", s->fairness, SL_SM7_FAIRNESS,
                   SL_FAIR_LEAST, SL_FAIR_MOST);
  return key == NULL
             ? SL_OK
             : sl_fail(err, SL_USAGE, "%s needs convergence=stack, because it follows one order of the lanes", key);
}

static enum sl_status check_registers(const struct sl_sm7_spec *s, struct sl_error *err)
{
  struct sl_sm7_spec defaults;
  if (s->register_model == SL_SM7_REGISTERS_COLLECTORS)
    return s->branch_interval == 1 ? SL_OK : sl_fail(err, SL_USAGE, "interval.branch needs registers.model=volta");
  sl_keys_defaults(&sl_sm7_keys, &defaults);
  if (s->collectors != defaults.collectors || s->collector_steps != defaults.collector_steps)
    return sl_fail(err, SL_USAGE, "collectors and collectors.steps need registers.model=collectors");
  if (s->banks != s->schedulers * SL_SM7_READ_BANKS)
    return sl_fail(err, SL_USAGE, "registers.model=volta has two banks per scheduler; set banks=%u",
                   s->schedulers * SL_SM7_READ_BANKS);
  return s->issues == 1 ? SL_OK
                        : sl_fail(err, SL_USAGE, "registers.model=volta issues one instruction; set issue.most=1");
}

/* In Volta's model a unit is reserved from issue on, three cycles before its latency begins. */
static enum sl_status check_timing(const struct sl_sm7_spec *s, struct sl_error *err)
{
  const uint32_t before = s->register_model == SL_SM7_REGISTERS_VOLTA ? 3 : 0;
  for (unsigned i = 0; i < SL_SM7_C_MEMORY; i++)
    if (s->timing[i].interval > s->timing[i].latency + before)
      return sl_fail(err, SL_USAGE, "interval %u is greater than latency %u of the same class; lower it",
                     s->timing[i].interval, s->timing[i].latency);
  return SL_OK;
}

enum sl_status sl_sm7_check(const void *spec, struct sl_error *err)
{
  const struct sl_sm7_spec *s = spec;
  if (check_convergence(s, err) != SL_OK)
    return SL_USAGE;
  if (s->warps % s->schedulers || s->collectors % s->schedulers || s->banks % s->schedulers)
    return sl_fail(err, SL_USAGE, "warps, collectors and banks must be multiples of schedulers, which is %u",
                   s->schedulers);
  if (s->storage_bytes % (SL_SM7_LINE * s->l1_sets))
    return sl_fail(err, SL_USAGE, "storage.bytes is not a multiple of l1.sets lines of %d bytes", SL_SM7_LINE);
  if (check_registers(s, err) != SL_OK || check_timing(s, err) != SL_OK)
    return SL_USAGE;
  for (size_t i = 0; i < sizeof s->lower / sizeof *s->lower; i++)
    if (s->lower[i] && (s->oracle || s->scalar))
      return sl_fail(err, SL_USAGE, "lowered PTX and an oracle or scalar exclude each other; set lower.* off");
  const char *adds = s->lower_sines ? "lower.sines" : s->lower_fields ? "lower.fields" : NULL;
  if (adds != NULL && s->register_model != SL_SM7_REGISTERS_VOLTA)
    return sl_fail(err, SL_USAGE, "%s=on needs registers.model=volta; set %s off", adds, adds);
  if (adds != NULL && (s->oracle || s->scalar))
    return sl_fail(err, SL_USAGE, "%s excludes an oracle and scalar; set %s off", adds, adds);
  if ((s->lower_predicate || s->lower_unroll) && (s->oracle || s->scalar))
    return sl_fail(err, SL_USAGE,
                   "lower.predicate and lower.unroll change branches, which an oracle and scalar compare with the "
                   "original; set both off");
  if ((s->lower_predicate || s->lower_unroll || s->lower_schedule) && s->r2d2)
    return sl_fail(err, SL_USAGE,
                   "a kernel and its variant with linear registers have the same branches and the same order; set "
                   "lower.predicate, lower.unroll and lower.schedule off with r2d2=on");
  if (s->crossbar_queues == SL_SM7_VIRTUAL_QUEUES && s->crossbar == SL_SM7_ROUND_ROBIN)
    return sl_fail(err, SL_USAGE, "crossbar.queues=virtual is arbitrated by iSLIP; set crossbar=islip");
  if (s->oracle && s->r2d2)
    return sl_fail(err, SL_USAGE, "r2d2=on and an oracle exclude each other; set r2d2=off or oracle=none");
  if (s->refi > 0 && s->rfc >= s->refi)
    return sl_fail(err, SL_USAGE, "dram.rfc is not less than dram.refi; lower it");
  if (s->dram_low > s->dram_high || s->dram_high > s->dram_writes)
    return sl_fail(err, SL_USAGE, "dram.writes.low, dram.writes.high and dram.writes must not decrease");
  return SL_OK;
}

/* ---- occupancy --------------------------------------------------------------------------------------------------- */

enum { REGISTERS_ROUNDED = 4 };

static uint32_t rounded(uint32_t value, uint32_t to)
{
  return (value + to - 1) / to * to;
}

/* L1 gets the storage that remains after the smallest sufficient share of shared memory. */
static uint32_t ways_of_l1(const struct sl_sm7_spec *s, uint64_t shared_bytes)
{
  static const uint32_t kilobytes[] = {0, 8, 16, 32, 64, 96};
  uint32_t share = kilobytes[sizeof kilobytes / sizeof kilobytes[0] - 1] * 1024;
  for (unsigned i = sizeof kilobytes / sizeof kilobytes[0]; i-- > 0;)
    if (kilobytes[i] * 1024 >= shared_bytes)
      share = kilobytes[i] * 1024;
  if (share >= s->storage_bytes)
    share = s->storage_bytes - SL_SM7_LINE * s->l1_sets;
  return (s->storage_bytes - share) / SL_SM7_LINE / s->l1_sets;
}

enum sl_status sl_sm7_occupancy(const struct sl_sm7_spec *s, const struct sl_sm7_demand *d, struct sl_sm7_occupancy *o,
                                struct sl_error *err)
{
  const uint32_t threads = rounded(d->threads, SL_SM7_LANES);
  const uint32_t registers = rounded(d->registers, REGISTERS_ROUNDED) * threads + d->block_registers;
  const uint32_t all = s->registers > d->sm_registers ? s->registers - d->sm_registers : 0;
  const uint32_t limit[] = {
      /* in the order of enum sl_occupancy_limit */
      threads ? s->warps * SL_SM7_LANES / threads : 0,
      d->shared_bytes ? s->shared_bytes / d->shared_bytes : UINT32_MAX,
      registers ? all / registers : UINT32_MAX,
      s->blocks,
  };
  *o = (struct sl_sm7_occupancy){.fits = UINT32_MAX};
  for (unsigned i = 0; i < sizeof limit / sizeof *limit; i++)
    if (limit[i] < o->fits)
      o->fits = limit[i];
  for (unsigned i = 0; i < sizeof limit / sizeof *limit; i++)
    o->limited |= (unsigned)(limit[i] == o->fits) << i;
  if (o->fits == 0)
    return sl_fail(err, SL_FAULT,
                   "a block of %u threads, %u bytes of shared memory and %u registers per thread does not fit on an SM "
                   "of %u threads, %u bytes and %u registers; launch smaller blocks",
                   d->threads, d->shared_bytes, d->registers, s->warps * SL_SM7_LANES, s->shared_bytes, s->registers);
  const uint64_t sms = (uint64_t)s->clusters * s->sms_per_cluster;
  o->resident = d->blocks < o->fits * sms ? (unsigned)((d->blocks + sms - 1) / sms) : o->fits;
  o->l1_ways = ways_of_l1(s, (uint64_t)d->shared_bytes * o->resident);
  return SL_OK;
}
