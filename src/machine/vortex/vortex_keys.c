#include "base/keys.h"
#include "convergence/convergence.h"
#include "convergence/ipdom_stack.h"
#include "func/extensions/streams.h"
#include "isa/isa.h"
#include "isa/wide.h"
#include "machine/vortex/vortex_spec.h"

#define SPEC struct sl_vortex_spec
#define RTL "published RTL (commit b5f541b8)"
#define SIMX "the authors' simulator (commit b5f541b8)"
#define BOTH "published sources (commit b5f541b8)"

#define SPLITS "published RTL with thread splits (commit fcbac91f)"
#define WIDE "Redesigning the Vortex GPU ISA, section "
#define CFM "Decoupled control flow and data access, section IV; docs/explanation/machines/cfm-dmsl.md"

#define DELAY(name_, field, fallback_, meaning_)                                                                       \
  NUMBER(name_, field, 0, SL_VORTEX_DELAY, fallback_, false, "cycles", meaning_, RTL)
#define DELAY_OF(name_, field, fallback_, meaning_, source_)                                                           \
  NUMBER(name_, field, 0, SL_VORTEX_DELAY, fallback_, false, "cycles", meaning_, source_)
#define LATENCY(name_, class, fallback_, meaning_)                                                                     \
  NUMBER("latency." name_, latency[class], 1, SL_VORTEX_DELAY, fallback_, false, "cycles",                             \
         meaning_ " From the unit's input to the commit arbiter.", RTL)
#define CACHE(name_, field, bytes_, ways_, least_banks_, banks_, mshr_, latency_, miss_, start_, what, zero_banks)     \
  NUMBER(name_ ".bytes", field.bytes, 1024, 1u << 26, bytes_, true, "bytes", "Size of the " what ".", BOTH),           \
      NUMBER(name_ ".ways", field.ways, 1, 16, ways_, true, "ways", "Lines of a set.", BOTH),                          \
      NUMBER(name_ ".banks", field.banks, least_banks_, 32, banks_, true, "banks",                                     \
             "Banks; each performs one operation per cycle." zero_banks, BOTH),                                        \
      NUMBER(name_ ".mshr", field.mshr, 1, 64, mshr_, false, "entries", "Requests of a bank that can wait for lines.", \
             BOTH),                                                                                                    \
      NUMBER(name_ ".latency", field.latency, 1, SL_VORTEX_DELAY, latency_, false, "cycles",                           \
             "Hit latency: from a request in the cache to the answer at the requester.", RTL),                         \
      NUMBER(name_ ".miss_latency", field.miss_latency, 1, SL_VORTEX_DELAY, miss_, false, "cycles",                    \
             "Delay of a miss or write: from a request in the cache to the request to memory.", RTL),                  \
      NUMBER(name_ ".start", field.start_cycles, 0, 1u << 20, start_, false, "cycles",                                 \
             "Cycles after reset in which the cache clears its tags and accepts no request.", RTL)

static const char *const encodings[] = {"2.x", "1.x", NULL};
static const char *const sets[] = {"rv32", "wide64", NULL};
static const char *const maps[] = {"modulo", "blocks", "folded", NULL};
static const char *const moments[] = {"issue", "schedule", NULL};
static const char *const arbiters[] = {"snapshot", "rotating", NULL};
static const char *const policies[] = {"lru", "rotating", NULL};
static const char *const standards[] = {"hbm2", "ddr4", NULL};
static const char *const fronts[] = {"fifo", "ports", NULL};
static const char *const misalignments[] = {"fault", "word", "bytes", NULL};
static const char *const blockings[] = {"none", "enable", "all", NULL};
static const char *const orders[] = {"alu-lsu-sfu-fpu", "alu-lsu-fpu-sfu", NULL};
static const char *const sides[] = {"larger", "smaller", NULL};
static const char *const pendings[] = {"one", "list", NULL};
static const char *const stacks[] = {"warp", "split", NULL};
static const char *const hazards[] = {"fault", "silent", NULL};
static const char *const selections[] = {"word", "byte", NULL};

/* clang-format off */
static const struct sl_key keys[] = {
  NUMBER("lanes", lanes, 1, SL_MAX_LANES, 16, true, "lanes", "Threads of a warp.", BOTH),
  NUMBER("warps", warps, 1, SL_MAX_WARPS, 8, false, "warps", "Warps of a core.", BOTH),
  NUMBER("cores", cores, 1, SL_VORTEX_CORES_MAX, 1, false, "cores", "Cores in total, over all clusters.", BOTH),
  NUMBER("socket.cores", socket_cores, 0, SL_VORTEX_CORES_MAX, 0, false, "cores",
         "Cores that share first-level caches; 0 means 4, or all cores of a cluster if there are fewer.", BOTH),
  NUMBER("clusters", clusters, 1, SL_VORTEX_CORES_MAX, 1, false, "clusters", "Clusters, each with a second-level cache.", BOTH),
  NUMBER("barriers", barriers, 0, SL_VORTEX_BARRIERS_MAX, 0, true, "barriers",
         "Barriers of a core, and global barriers of a cluster; the low log2(barriers) bits of an id select one. 0 "
         "means half as many as warps.",
         RTL ": NUM_BARRIERS, NB_WIDTH"),
  CHOICE("encoding", encoding, encodings, 0,
         "Encoding of the warp-control instructions, and the CSR map of that version.", "published sources, 2.x and 1.x"),
  BOOL("atomics", atomics, 1, "Support for the A extension.", SIMX "; the RTL has none"),
  CHOICE("isa", isa, sets, SL_ISA_RV32,
         "Instruction words: RV32 with F, or 64-bit words with 8-bit register fields and Zfinx.", WIDE "3.1"),
  NUMBER("registers", registers, 16, SL_WIDE_REGISTERS, 128, false, "registers",
         "Registers of a thread with isa=wide64. RV32 has 32, and 32 floating-point registers.", WIDE "3.2"),
  NUMBER("registers.banks", register_banks, 1, SL_BANKS_MAX, 4, false, "banks",
         "Single-ported banks of the register file. Sources of an instruction in the same bank are collected one "
         "after the other.",
         BOTH "; " WIDE "2.2"),
  CHOICE("registers.map", bank_map, maps, SL_BANK_MODULO,
         "Mapping of registers to banks: the number modulo the banks, blocks of consecutive registers, or the digits "
         "of the number folded.", WIDE "4; the other two are simtlab's"),
  NUMBER("registers.total", registers_total, 0, 1u << 24, 0, false, "registers",
         "Size of a core's register file, over all lanes. Warps that it cannot hold do not exist. 0: it holds all "
         "warps.",
         "simtlab"),
  NUMBER("code.base", code_base, 0, 0xfffff000u, 0x80000000u, false, "address", "Start address of programs.", BOTH),
  NUMBER("code.bytes", code_bytes, 4096, 1u << 28, 1u << 24, true, "bytes",
         "Size of the region from code.base in which instructions are decoded.", "simtlab"),
  NUMBER("lmem.base", local_base, 0, 0xffffff00u, 0xffff0000u, false, "address", "Start address of local memory.", BOTH),
  NUMBER("lmem.bytes", local_bytes, 1024, 1u << 16, 16384, true, "bytes", "Size of a core's local memory.", BOTH),
  NUMBER("lmem.storage", local_aliased, 0, 1u << 16, 0, false, "bytes",
         "Bytes of local memory that exist; addresses beyond wrap around. 0 means all. The simulator has a quarter.",
         SIMX),
  NUMBER("ipdom.entries", ipdom_entries, 0, SL_IPDOM_MAX, 0, false, "entries",
         "Maximum nesting depth of divergent splits of a warp; 0 means lanes - 1.", BOTH),
  BOOL("split.negate", split_negate, 1, "split_n negates its predicate; the simulator does not negate it.", RTL),
  BOOL("divergent_branch.faults", divergent_branch_faults, 0,
       "A branch on which active lanes diverge is a fault, as in the simulator; in the RTL the last active lane "
       "decides.",
       BOTH),
  CHOICE("divergence", divergence, sl_schemes_of_vortex, 0,
         "Convergence scheme: the IPDOM stack; the schedulable convergence stack, whose parked lanes take turns at "
         "vx_yield; or a pc per lane (docs/explanation/convergence.md).", BOTH "; " SPLITS),
  CHOICE("split.first", split_first, sides, 0, "Side of a split that runs first; of equal ones, the true side.",
         BOTH "; smaller: " SPLITS),
  NUMBER("scs.pool", scs_pool, 0, SL_MAX_LANES, 0, false, "groups",
         "Groups of lanes of a warp that can be parked; 0 means as many as lanes.", SPLITS),
  CHOICE("scs.pending", scs_pending, pendings, 0,
         "Lanes that have left a loop: one set of a warp, as in the RTL, or a list with a set per loop, as in the "
         "simulator.", SPLITS),
  CHOICE("scs.stack", scs_stack, stacks, 0,
         "IPDOM stack: one of a warp, as in the RTL, or one of each group of lanes, as in the simulator, so that lanes may "
         "change between split and join. Then vx_yield moves all pending groups to the pool before it takes the next one.",
         SPLITS),
  NUMBER("scs.watchdog", scs_watchdog, 0, SL_VORTEX_WATCHDOG, 0, false, "instructions",
         "Instructions of a warp after which its lanes change as by vx_yield, if it has parked lanes or has not reached "
         "a greater pc; 0 means never, as in the RTL. The simulator has 64.", SPLITS),
  NUMBER("scs.backoff", scs_backoff, 0, SL_VORTEX_WATCHDOG, 0, false, "cycles",
         "Cycles in which a warp is not scheduled if the watchdog finds no parked lanes, the first of which is the one "
         "in which it could be; 0 means none. The simulator has 256.", SPLITS),
  DELAY_OF("scs.pop_delay", scs_pop_delay, 1, "Delay of the change to a parked group, beside control.delay.", SPLITS),
  CHOICE("scs.hazard", scs_hazard, hazards, 0,
         "Effect of what the scheme does not support, such as a change of lanes between split and join: a fault, or "
         "what the hardware does.", "simtlab; " SPLITS),
  NUMBER("its.barriers", its_barriers, 1, SL_ITS_BARRIERS, 8, false, "barriers", "Convergence barriers of a warp.",
         SPLITS),
  BOOL("its.yield", its_yield, 1, "vx_yield lets other lanes of the warp run first; else it has no effect.", SPLITS),
  NUMBER("its.service", its_service, 1, SL_VORTEX_DELAY, 1, false, "cycles",
         "Delay of a branch, vx_tmc, vx_yield or convergence barrier in the unit that selects the lanes of a warp. The "
         "unit accepts one per cycle.", SPLITS),
  BOOL("queues.same_cycle", queues_same_cycle, 0,
       "A queue entry that an instruction frees can be reused in the same cycle, as in the simulator. In the RTL it "
       "is free in the next cycle, because registers hold the full flags of queues.",
       BOTH),
  /* Schedule, fetch, decode. */
  NUMBER("start", start_cycle, 0, SL_VORTEX_START, 5, false, "cycles", "Delay from reset to the first schedule.", RTL),
  CHOICE("execute", execute_at_schedule, moments, 0,
         "Time at which an instruction takes effect: when it is issued, or when it is scheduled for fetch.", RTL "; simtlab"),
  DELAY("fetch.delay", fetch_delay, 2, "Delay from schedule to the instruction cache."),
  NUMBER("fetch.queue", fetch_queue, 0, 64, 2, false, "instructions",
         "Capacity of the buffer of scheduled instructions, and of the buffer of requests to the instruction cache; "
         "0 means no limit.",
         RTL),
  NUMBER("fetch.answers", fetch_answers, 0, 64, 1, false, "instructions",
         "Instructions that can wait after the instruction cache's two stages. When another one arrives and decode "
         "takes none, the stages stall. 0 means no limit.",
         RTL ": cycles per instruction of 8 warps whose buffers are full"),
  DELAY("decode.release", decode_release, 1, "Delay from decode until the warp can be scheduled again."),
  NUMBER("ibuffer.entries", ibuffer_size, 1, SL_VORTEX_IBUFFER, 6, false, "instructions",
         "Decoded instructions of a warp: FIFO of 4, its output register and the staging register.", RTL),
  DELAY("decode.delay", decode_delay, 3, "Delay from decode until the instruction can issue."),
  /* Issue, operands, dispatch. */
  NUMBER("issue.slices", issue_slices, 0, SL_VORTEX_SLICES_MAX, 0, true, "slices",
         "Issue slices; each issues one instruction per cycle. 0 means one per 8 warps.", BOTH),
  CHOICE("issue.arbiter", issue_rotates, arbiters, 0,
         "Choice of the warp of a slice that issues: from a snapshot, lowest first, or by a search that starts one "
         "warp further in each cycle.",
         BOTH),
  BOOL("operands.overtake", operands_overtake, 0,
       "A bank conflict delays only its own instruction; in the RTL it holds the collector.", SIMX),
  BOOL("operands.count_pairs", operands_count_pairs, 0,
       "A bank conflict costs a cycle per pair of sources in the same bank, instead of the maximum number of sources "
       "in a bank minus 1.", SIMX),
  BOOL("operands.f0_free", operands_f0_free, 0, "Like x0, f0 is not read from a bank.", SIMX),
  NUMBER("operands.queue", operands_queue, 0, 64, 3, false, "instructions",
         "Capacity between issue and the collector, with room for two more after it; 0 means no limit.", RTL),
  DELAY("operands.delay", operands_delay, 2, "Delay from issue to the collector."),
  DELAY("operands.out_delay", operands_out_delay, 4, "Delay from the collector to dispatch."),
  NUMBER("dispatch.queue", dispatch_size, 1, 64, 3, false, "instructions", "Capacity of a slice's queue to each unit.", RTL),
  DELAY("dispatch.delay", dispatch_delay, 2, "Delay from entering a dispatch queue to leaving it."),
  DELAY("dispatch.unit_delay", dispatch_unit_delay, 0, "Delay from the dispatch queue to the unit."),
  BOOL("dispatch.decoupled", dispatch_decoupled, 0, "An unbounded queue is between dispatch queue and unit.", SIMX),
  DELAY("dispatch.shared_delay", shared_unit_delay, 1, "Additional delay to the units that slices share, LSU and SFU."),
  /* Units. */
  LATENCY("alu", SL_VORTEX_ALU, 2, "Latency of integer instructions, branches and jumps."),
  LATENCY("mul", SL_VORTEX_MUL, 6, "Latency of multiplications."),
  LATENCY("div", SL_VORTEX_DIV, 6, "Latency of divisions and remainders, of the simulation build."),
  LATENCY("fma", SL_VORTEX_FMA, 5, "Latency of fadd, fsub, fmul and the fused instructions."),
  LATENCY("fdiv", SL_VORTEX_FDIV, 16, "Latency of fdiv."),
  LATENCY("fsqrt", SL_VORTEX_FSQRT, 11, "Latency of fsqrt."),
  LATENCY("fcvt", SL_VORTEX_FCVT, 6, "Latency of conversions."),
  LATENCY("fncp", SL_VORTEX_FNCP, 3, "Latency of minimum, maximum, sign, comparison, class and move instructions."),
  LATENCY("csr", SL_VORTEX_CSR, 3, "Latency of CSR accesses and warp control."),
  LATENCY("vote", SL_VORTEX_VOTE, 3, "Latency of votes and shuffles, which later versions have: one cycle more than the ALU's."),
  BOOL("fma.in_alu", fma_in_alu, 0, "Fused multiply-add runs in the ALU, with its latency.", SIMX),
  NUMBER("fpu.queue", fpu_queue, 0, 64, 2, false, "instructions",
         "Instructions that the FPU holds, from its input until commit takes their results; 0 means no limit.", RTL),
  DELAY("branch.delay", branch_delay, 3, "Delay from a branch in the ALU until its warp can be scheduled."),
  DELAY("control.delay", control_delay, 2,
        "Delay from TMC, SPLIT, PRED or the end of a barrier in the SFU until the warp can be scheduled."),
  DELAY("join.delay", join_delay, 3, "Delay from JOIN in the SFU until the warp can be scheduled."),
  DELAY("csr.delay", csr_delay, 1, "Delay from an access to fflags, frm or fcsr until the warp can be scheduled."),
  DELAY("spawn.delay", spawn_delay, 3,
        "Delay from WSPAWN, and from the end of the last other warp, until the warp can be scheduled."),
  BOOL("csr.flags_wait", csr_flags_wait, 1,
       "An access to fflags, frm or fcsr waits until all earlier instructions of its warp have committed.", RTL),
  DELAY("csr.clock_delay", csr_clock_delay, 9, "Delay from execution to the cycle whose time mcycle returns."),
  NUMBER("commit.delay", commit_delay, 1, SL_VORTEX_DELAY, 2, false, "cycles",
         "Delay from a result at the commit arbiter until a dependent instruction can issue.", RTL),
  CHOICE("commit.order", commit_fpu_before_sfu, orders, 0, "Order in which the commit arbiter serves a slice's units.",
         BOTH),
  DELAY("end.delay", end_delay, 3, "Delay from the last commit to the end of the run."),
  /* LSU, coalescing unit, local memory. */
  NUMBER("lsu.loads", lsu_loads, 1, SL_VORTEX_LOADS_MAX, 2, false, "instructions", "Loads that can be outstanding in a core.", BOTH),
  DELAY("lsu.slot_delay", lsu_slot_delay, 1, "Delay from a load's last response until its slot can be reused."),
  NUMBER("lsu.queue", lsu_queue, 0, 64, 2, false, "instructions",
         "Capacity of each of the two queues between the LSU and the coalescing unit; 0 means no limit.", RTL),
  BOOL("lsu.partial_commit", lsu_partial_commit, 1, "Every response is a separate result.", RTL),
  DELAY("lsu.store_delay", lsu_store_delay, 3, "Delay from a store in the LSU to the commit arbiter."),
  DELAY("lsu.return_delay", lsu_return_delay, 3, "Delay from the data cache's answer to the LSU."),
  DELAY("lsu.response_delay", lsu_response_delay, 3, "Delay from a response in the LSU to the commit arbiter."),
  NUMBER("coalescer.delay", coalescer_delay, 1, SL_VORTEX_DELAY, 2, false, "cycles",
         "Delay from an instruction in the coalescing unit to its first line at the data cache.", RTL),
  NUMBER("coalescer.interval", coalescer_interval, 1, SL_VORTEX_DELAY, 2, false, "cycles",
         "Interval between two lines.", RTL),
  NUMBER("coalescer.tags", coalescer_tags, 0, 1024, 0, false, "requests",
         "Maximum number of outstanding line requests of loads; 0 means a quarter of coalescer.line.", BOTH),
  NUMBER("coalescer.line", coalescer_line, 0, 64, 0, true, "bytes",
         "Size of the address block that lanes share a request for; 0 means a word per lane, at most 64 bytes.", BOTH),
  DELAY("lmem.delay", lmem_delay, 1, "Delay from leaving the LSU's queue to the banks of local memory."),
  DELAY("lmem.latency", lmem_latency, 4, "Delay from the banks to the response in the LSU, up to 12 lanes."),
  DELAY("lmem.wide_latency", lmem_wide_latency, 6,
        "Delay from the banks to the response in the LSU with more than 12 lanes, whose crossbar has two levels."),
  CHOICE("lmem.bank_by", local_bank_by, selections, 0,
         "Address that selects a bank: the word address, or the byte address, with which word accesses reach only a "
         "quarter of the banks.", BOTH),
  NUMBER("lmem.banks", lmem_banks, 0, SL_VORTEX_BANKS_MAX, 0, true, "banks",
         "Banks of local memory; 0 means one per lane.", BOTH),
  BOOL("lmem.raw_stall", lmem_raw_stall, 1, "A read of the word written in the previous cycle waits a cycle.", RTL),
  BOOL("fence.flushes", fence_flushes, 1,
       "A fence flushes the data cache and then reads line 0; in the simulator it waits for loads.", RTL),
  DELAY("fence.delay", fence_delay, 0,
        "Delay of a fence that flushes nothing: from the cycle in which no load is outstanding to the commit arbiter."),
  DELAY("fence.flush_delay", fence_flush_cycles, 6, "Cycles of a flush, in addition to one per set."),
  /* Memory. */
  CACHE("icache", icache, 16384, 1, 1, 1, 16, 3, 4, 263, "instruction cache", ""),
  CACHE("dcache", dcache, 16384, 1, 0, 0, 16, 3, 6, 71, "data cache",
        " 0 means as many as lanes, at most 4, per port."),
  BOOL("l2", l2.enabled, 0, "Enables a second-level cache in every cluster.", BOTH),
  CACHE("l2", l2, 1u << 20, 2, 0, 0, 16, 5, 5, 8200, "second-level cache", " 0 means one per socket, at most 4."),
  BOOL("l3", l3.enabled, 0, "Enables a third-level cache before the DRAM.", BOTH),
  CACHE("l3", l3, 1u << 20, 4, 0, 0, 16, 5, 5, 4100, "third-level cache", " 0 means one per cluster, at most 8."),
  NUMBER("dcache.ports", dcache_ports, 1, SL_VORTEX_PORTS_MAX, 1, false, "ports",
         "Lines that the data cache accepts in a cycle.",
         "Decoupled control flow and data access, section IV-C"),
  BOOL("cache.write_merge", write_merge, 1, "A write to an outstanding line waits for it in the MSHR.", RTL),
  BOOL("cache.fill_order", fills_in_order, 1,
       "Caches take returned lines in order: a line whose bank is busy delays lines of other banks.", RTL),
  DELAY("cache.fill_bubble", fill_bubble, 1, "Cycles after a line's arrival in which no waiting request can proceed."),
  DELAY("cache.fill_delay", fill_delay, 1, "Delay from memory's answer to the line in a first-level cache."),
  CHOICE("cache.replacement", replace_rotating, policies, 1,
         "Line of a full set that is replaced: the least recently used, or the one at a pointer that advances every "
         "cycle.", BOTH),
  DELAY("socket.delay", socket_delay, 1, "Delay to the caches, and back, when several cores share them."),
  DELAY("io.delay", io_delay, 2, "Delay from the data cache's input to memory, for uncached accesses."),
  DELAY("memory.delay", memory_delay, 0, "Delay from a first-level cache's request to memory, without L2 and L3."),
  DELAY("memory.return_delay", memory_return_delay, 0,
        "Delay from memory's answer back to the socket, without L2 and L3."),
  CHOICE("dram", dram_standard, standards, 0, "Standard of the DRAM.", BOTH "; JEDEC"),
  NUMBER("dram.interleave", dram_interleave, 0, 512, 0, true, "bytes",
         "Consecutive bytes on one channel; 0: the standard's unit, which is 16 bytes for HBM2, so that lines of 64 "
         "bytes reach only two of its eight channels.", BOTH),
  CHOICE("dram.front", dram_ports, fronts, 0,
         "Queueing before the DRAM: one FIFO of all requests, answered in order, or a port per cluster.", BOTH),
  DELAY("dram.response_delay", dram_response_delay, 1, "Delay from the data of a read to memory's answer."),
  NUMBER("performance.class", performance_class, 0, 2, 0, false, "class",
         "Events that the CSRs from 0xB03 on count: 1 the core, 2 memory; 0 nothing.", BOTH "; their DCR 5"),
  NUMBER("memory.fill", memory_fill, 0, UINT32_MAX, 0, false, "word",
         "Initial memory fill pattern.", "test benches of the published sources: 0xbaadf00d"),
  CHOICE("misaligned", misaligned, misalignments, 0,
         "Effect of an access whose address is not a multiple of its width: a fault; an access to the aligned word, "
         "as in the RTL; or to the bytes, as in the simulator.", BOTH),
  /* The extension. */
  NUMBER("loops.count", loops, 0, SL_LOOPS_MAX, 0, false, "loops",
         "Hardware loops of a warp, and depth of its predication stack; 0 means none.", CFM),
  CHOICE("loops.blocking", loops_blocking, blockings, 1,
         "Writes to loop registers that fetch waits for: none, those to the bound, which may enable the loop, or all.",
         CFM),
  NUMBER("streams.count", streams, 0, SL_STREAMS_MAX, 0, false, "units", "Streaming lane units; 0 means none.", CFM),
  NUMBER("streams.credits", stream_credits, 1, SL_STREAM_CREDITS_MAX, 4, false, "elements",
         "Capacity of each stream's FIFO of a warp.", CFM),
  NUMBER("streams.lines", stream_lines, 1, SL_STREAMS_MAX, 1, false, "lines",
         "Lines of one element that a unit can request in a cycle, limited by the ports.", CFM),
  NUMBER("streams.latency", stream_latency, 1, SL_VORTEX_DELAY, 5, false, "cycles",
         "Delay from the grant of a port to the element in its FIFO, on a hit.", CFM),
};
/* clang-format on */

const struct sl_keys sl_vortex_keys = {keys, sizeof keys / sizeof keys[0]};

/* Every bank needs at least one set. */
static enum sl_status check_cache(const struct sl_vortex_spec *s, enum sl_vortex_cache which, struct sl_error *err)
{
  static const char *const names[SL_VORTEX_CACHES] = {"icache", "dcache", "l2", "l3"};
  const struct sl_cache_spec cache = sl_vortex_cache(s, which);
  const unsigned least = cache.banks * cache.ways * SL_LINE_BYTES;
  if (!sl_vortex_has(s, which) || cache.bytes >= least)
    return SL_OK;
  return sl_fail(err, SL_USAGE, "%u banks of %u ways need %u bytes; set %s.bytes to at least that, or reduce %s.banks",
                 cache.banks, cache.ways, least, names[which], names[which]);
}

/* Checks the keys that 64-bit words do not support. */
static enum sl_status check_words(const struct sl_vortex_spec *s, struct sl_error *err)
{
  if (s->isa == SL_ISA_RV32)
    return SL_OK;
  if (s->encoding != SL_ENCODING_2)
    return sl_fail(err, SL_USAGE, "isa=wide64 needs encoding=2.x");
  if (s->loops != 0 || s->streams != 0)
    return sl_fail(err, SL_USAGE, "hardware loops and streams need isa=rv32; set loops.count and streams.count to 0");
  if (s->code_base % SL_WIDE_BYTES != 0)
    return sl_fail(err, SL_USAGE, "code.base is not a multiple of %d, the word size in bytes of isa=wide64",
                   SL_WIDE_BYTES);
  return SL_OK;
}

/* Keys of SCS that need each other. */
static enum sl_status check_splits(const struct sl_vortex_spec *s, struct sl_error *err)
{
  if (s->scs_stack != 0 && s->scs_pending == 0)
    return sl_fail(err, SL_USAGE, "scs.stack=split needs scs.pending=list");
  if (s->scs_stack != 0 && s->scs_pool != 0)
    return sl_fail(err, SL_USAGE, "scs.stack=split has room for all groups of lanes; set scs.pool=0");
  if (s->scs_watchdog != 0 && s->scs_stack == 0)
    return sl_fail(err, SL_USAGE, "scs.watchdog changes lanes anywhere, so it needs scs.stack=split");
  if (s->scs_watchdog != 0 && s->loops + s->streams > 0)
    return sl_fail(err, SL_USAGE,
                   "scs.watchdog changes lanes anywhere, but hardware loops and streams belong to the warp; set "
                   "loops.count and streams.count to 0");
  if (s->scs_backoff != 0 && s->scs_watchdog == 0)
    return sl_fail(err, SL_USAGE, "scs.backoff needs scs.watchdog");
  if (s->scs_stack == 0 && s->ipdom_entries > SL_SCS_ENTRIES)
    return sl_fail(err, SL_USAGE, "ipdom.entries is %u; with divergence=scs it must be at most %d", s->ipdom_entries,
                   SL_SCS_ENTRIES);
  return SL_OK;
}

/* A key of another scheme than the selected one must have its default. */
static enum sl_status check_scheme(const struct sl_vortex_spec *s, struct sl_error *err)
{
  const struct {
    const char *key;
    unsigned value, fallback, scheme;
  } rows[] = {{"scs.pool", s->scs_pool, 0, SL_CONVERGENCE_SCS},
              {"scs.pending", s->scs_pending, 0, SL_CONVERGENCE_SCS},
              {"scs.pop_delay", s->scs_pop_delay, 1, SL_CONVERGENCE_SCS},
              {"scs.stack", s->scs_stack, 0, SL_CONVERGENCE_SCS},
              {"scs.watchdog", s->scs_watchdog, 0, SL_CONVERGENCE_SCS},
              {"scs.backoff", s->scs_backoff, 0, SL_CONVERGENCE_SCS},
              {"its.barriers", s->its_barriers, 8, SL_CONVERGENCE_ITS},
              {"its.yield", s->its_yield, 1, SL_CONVERGENCE_ITS},
              {"its.service", s->its_service, 1, SL_CONVERGENCE_ITS}};
  const enum sl_scheme scheme = sl_vortex_scheme(s);
  const bool lanes_branch = sl_convergences[scheme]->branch != NULL;
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (rows[i].scheme != scheme && rows[i].value != rows[i].fallback)
      return sl_fail(err, SL_USAGE, "%s needs divergence=%s", rows[i].key, sl_convergences[rows[i].scheme]->name);
  if (!sl_vortex_parts(s))
    return s->scs_hazard == 0 ? SL_OK : sl_fail(err, SL_USAGE, "scs.hazard needs divergence=scs or its");
  if (s->encoding != SL_ENCODING_2)
    return sl_fail(err, SL_USAGE, "divergence=%s needs encoding=2.x", sl_convergences[scheme]->name);
  if (scheme == SL_CONVERGENCE_SCS)
    return check_splits(s, err);
  if (lanes_branch && sl_vortex_slices(s) != 1)
    return sl_fail(err, SL_USAGE, "divergence=%s needs one issue slice; set issue.slices=1",
                   sl_convergences[scheme]->name);
  if (lanes_branch && s->loops + s->streams > 0)
    return sl_fail(err, SL_USAGE,
                   "divergence=%s has no hardware loops and streams; set loops.count and "
                   "streams.count to 0",
                   sl_convergences[scheme]->name);
  return SL_OK;
}

static enum sl_status check_registers(const struct sl_vortex_spec *s, struct sl_error *err)
{
  const unsigned warp = s->lanes * sl_vortex_registers(s);
  if (s->registers_total == 0 || s->registers_total >= warp)
    return SL_OK;
  return sl_fail(
      err, SL_USAGE,
      "registers.total is %u, but one warp of %u lanes with %u registers needs %u; set it to at least that, or to 0",
      s->registers_total, s->lanes, sl_vortex_registers(s), warp);
}

enum sl_status sl_vortex_check(const void *spec, struct sl_error *err)
{
  const struct sl_vortex_spec *s = spec;
  const unsigned slices = sl_vortex_slices(s);
  if (sl_vortex_warps(s) % slices != 0)
    return sl_fail(err, SL_USAGE,
                   "%u warps cannot be divided evenly among %u issue slices; set warps to a multiple, or issue.slices",
                   sl_vortex_warps(s), slices);
  if (s->cores % s->clusters != 0)
    return sl_fail(err, SL_USAGE, "%u cores cannot be divided into %u equal clusters; set cores or clusters", s->cores,
                   s->clusters);
  if (s->cores / s->clusters % sl_vortex_socket_cores(s) != 0)
    return sl_fail(err, SL_USAGE, "the %u cores of a cluster cannot be divided into sockets of %u; set socket.cores",
                   s->cores / s->clusters, sl_vortex_socket_cores(s));
  if (s->coalescer_line != 0 && s->coalescer_line < SL_WORD_BYTES)
    return sl_fail(err, SL_USAGE, "coalescer.line is %u bytes; it must be at least a word, %d bytes, or 0",
                   s->coalescer_line, SL_WORD_BYTES);
  enum sl_status code = check_words(s, err);
  if (code == SL_OK)
    code = check_scheme(s, err);
  if (code == SL_OK)
    code = check_registers(s, err);
  for (unsigned which = 0; which < SL_VORTEX_CACHES && code == SL_OK; which++)
    code = check_cache(s, (enum sl_vortex_cache)which, err);
  return code;
}

static unsigned at_most(unsigned value, unsigned most)
{
  return value < most ? value : most;
}

static unsigned at_least(unsigned value, unsigned least)
{
  return value > least ? value : least;
}

unsigned sl_vortex_registers(const struct sl_vortex_spec *spec)
{
  return spec->isa == SL_ISA_RV32 ? 2 * SL_FLOAT_REGISTERS : spec->registers;
}

unsigned sl_vortex_warps(const struct sl_vortex_spec *spec)
{
  const unsigned warp = spec->lanes * sl_vortex_registers(spec);
  return spec->registers_total > 0 ? at_most(spec->registers_total / warp, spec->warps) : spec->warps;
}

unsigned sl_vortex_barriers(const struct sl_vortex_spec *spec)
{
  const unsigned wanted = spec->barriers > 0 ? spec->barriers : sl_vortex_warps(spec) / 2;
  unsigned barriers = 1;
  while (barriers < wanted)
    barriers *= 2;
  return barriers;
}

unsigned sl_vortex_slices(const struct sl_vortex_spec *spec)
{
  if (spec->issue_slices > 0)
    return spec->issue_slices;
  return sl_vortex_warps(spec) > 8 ? sl_vortex_warps(spec) / 8 : 1;
}

unsigned sl_vortex_socket_cores(const struct sl_vortex_spec *spec)
{
  const unsigned cores = spec->cores / spec->clusters;
  if (spec->socket_cores > 0)
    return spec->socket_cores;
  return cores < 4 ? cores : 4;
}

unsigned sl_vortex_coalescer_line(const struct sl_vortex_spec *spec)
{
  const unsigned words = spec->lanes * SL_WORD_BYTES;
  return spec->coalescer_line > 0 ? spec->coalescer_line : at_most(words, SL_LINE_BYTES);
}

unsigned sl_vortex_channels(const struct sl_vortex_spec *spec)
{
  return at_least(spec->lanes * SL_WORD_BYTES / sl_vortex_coalescer_line(spec), 1);
}

unsigned sl_vortex_coalescer_tags(const struct sl_vortex_spec *spec)
{
  const unsigned tags =
      spec->coalescer_tags > 0 ? spec->coalescer_tags : sl_vortex_coalescer_line(spec) / SL_WORD_BYTES;
  return at_least(at_least(tags, spec->lsu_loads), sl_vortex_channels(spec));
}

unsigned sl_vortex_sockets(const struct sl_vortex_spec *spec)
{
  return spec->cores / spec->clusters / sl_vortex_socket_cores(spec);
}

bool sl_vortex_has(const struct sl_vortex_spec *spec, enum sl_vortex_cache which)
{
  return (which != SL_VORTEX_L2 || spec->l2.enabled) && (which != SL_VORTEX_L3 || spec->l3.enabled);
}

/* For keys with the value 0. */
static unsigned default_banks(const struct sl_vortex_spec *spec, enum sl_vortex_cache which)
{
  switch (which) {
  case SL_VORTEX_DCACHE: return at_most(spec->lanes, 4) * spec->dcache_ports;
  case SL_VORTEX_L2: return at_most(sl_vortex_sockets(spec), 4);
  case SL_VORTEX_L3: return at_most(spec->clusters, 8);
  case SL_VORTEX_ICACHE:
  case SL_VORTEX_CACHES: break;
  }
  return 1;
}

static unsigned banks_of(const struct sl_vortex_spec *spec, enum sl_vortex_cache which, unsigned banks)
{
  if (banks == 0)
    banks = default_banks(spec, which);
  while (!sl_is_pow2(banks)) /* rounds up in the first level, down in the others */
    banks += which == SL_VORTEX_DCACHE ? 1 : -1u;
  return banks;
}

struct sl_cache_spec sl_vortex_cache(const struct sl_vortex_spec *spec, enum sl_vortex_cache which)
{
  const struct sl_vortex_cache_spec *const keys_of[SL_VORTEX_CACHES] = {&spec->icache, &spec->dcache, &spec->l2,
                                                                        &spec->l3};
  const struct sl_vortex_cache_spec *cache = keys_of[which];
  return (struct sl_cache_spec){
      .banks = banks_of(spec, which, cache->banks),
      .ways = cache->ways,
      .mshr = cache->mshr,
      .bytes = cache->bytes,
      .latency = cache->latency,
      .miss_latency = cache->miss_latency,
      .fill_bubble = spec->fill_bubble,
      .start_cycles = cache->start_cycles,
      .flush_cycles = spec->fence_flush_cycles,
      .merges_writes = spec->write_merge,
      .fills_in_order = spec->fills_in_order,
      .replacement = spec->replace_rotating ? SL_REPLACE_ROTATING : SL_REPLACE_OLDEST,
  };
}
