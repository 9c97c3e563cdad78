/* Kernels, sweeps and machines of the reproduction. */
#include "cli/paper/cfm_dmsl/paper_cfm.h"

/* Table II, [start:end:step], times the number of hardware threads. With two dimensions the number is that of their
 * product. */
const struct sl_cfm_sweep sl_cfm_sweeps[SL_CFM_KERNELS] = {
    [SL_SAXPY] = {"saxpy", {"4", "24", "44", "64", "84", "104", "124", "144", "164", "184"}, 2},
    [SL_SGEMV] = {"sgemv", {"4", "24", "44", "64", "84", "104", "124", "144", "164", "184"}, 2},
    [SL_SGEMM] = {"sgemm", {"4", "8", "12", "16", "20", "24", "28", "32", "36", "40", "44", "48"}, 2},
    [SL_KNN] = {"knn", {"4", "24", "44", "64", "84", "104", "124", "144", "164", "184"}, 2},
    [SL_SFILTER] = {"sfilter", {"4", "8", "12", "16", "20", "24", "28", "32", "36", "40", "44", "48"}, 2},
    [SL_CONV2D] = {"conv2d", {"2", "4", "6", "8", "10", "12", "14", "16", "18", "20", "22", "24"}, 2},
    [SL_GCN_AGGR] = {"gcn_aggr", {"cora", "citeseer", "pubmed"}, 1},
    [SL_SGEMV_ROWS] = {"sgemv_rows", {"4", "24", "44", "64", "84", "104", "124", "144", "164", "184"}, 2},
};

#define ROWS (1u << SL_SGEMV_ROWS)
#define WITH_ROWS (SL_CFM_SEVEN | ROWS)
#define GCN (1u << SL_GCN_AGGR)
#define SUMS (1u << SL_SGEMV | 1u << SL_SGEMM | 1u << SL_SFILTER)

/* A machine without extensions and with all of them. */
#define PAIR(at, name, about, base_kernels, ...)                                                                       \
  [at] = {"predicated-" name, "no extension, " about, "vortex-simx", "predicated", {__VA_ARGS__}, base_kernels, at},   \
  [(at) + 1] = {"extended-" name,                                                                                      \
                "loops, streams, 3 ports, " about,                                                                     \
                "vortex-simx-cfm-dmsl",                                                                                \
                "cfm-dmsl",                                                                                            \
                {__VA_ARGS__},                                                                                         \
                SL_CFM_SIX,                                                                                            \
                at}

/* A shape of Figure 8. */
#define SHAPE(at, warps, lanes)                                                                                        \
  PAIR(SL_CFM_SHAPES + 2 * (at), "w" warps "t" lanes, warps " warps of " lanes " threads", SL_CFM_SIX, "warps=" warps, \
       "lanes=" lanes)

/* A core count; each core has first-level caches, and all share one memory port. */
#define CORES(at, cores)                                                                                               \
  PAIR(SL_CFM_CORES + 2 * (at), "c" cores, cores " cores", SL_CFM_SEVEN, "cores=" cores, "socket.cores=1")

/* Each core is a cluster with a second-level cache and a memory port. The data caches hold columns of a power of two,
 * and lines interleave over all DRAM channels. */
#define CLUSTERS(at, cores)                                                                                            \
  PAIR(SL_CFM_CLUSTERS + 2 * (at), "cl" cores, cores " clusters of a core, second-level caches", SL_CFM_SEVEN,         \
       "cores=" cores, "clusters=" cores, "socket.cores=1", "l2=true", "dcache.ways=8", "dram.interleave=64")

/* The clusters again without caches between data caches and DRAM, without extensions. */
#define DIRECT(at, cores)                                                                                              \
  [SL_CFM_DIRECT +                                                                                                     \
      (at)] = {"predicated-cd" cores,                                                                                  \
               "no extension, " cores " clusters of a core, no second-level caches",                                   \
               "vortex-simx",                                                                                          \
               "predicated",                                                                                           \
               {"cores=" cores, "clusters=" cores, "socket.cores=1", "dcache.ways=8", "dram.interleave=64"},           \
               SL_CFM_SEVEN,                                                                                           \
               SL_CFM_DIRECT + (at)}

/* RTL timing with an FPU queue. */
#define RTL(at, queue)                                                                                                 \
  [SL_CFM_RTL + 3 * (at)] = {"rtl-plain-q" queue,                                                                      \
                             "RTL timing, no extension, FPU queue of " queue,                                          \
                             "vortex",                                                                                 \
                             "plain",                                                                                  \
                             {"atomics=true", "fpu.queue=" queue},                                                     \
                             SL_CFM_SEVEN,                                                                             \
                             SL_CFM_RTL + 3 * (at)},                                                                   \
                    [SL_CFM_RTL + 3 * (at) + 1] = {"rtl-cfm-q" queue,    "RTL timing, loops, FPU queue of " queue,     \
                                                   "vortex-cfm",         "cfm",                                        \
                                                   {"fpu.queue=" queue}, SL_CFM_SEVEN,                                 \
                                                   SL_CFM_RTL + 3 * (at)},                                             \
                    [SL_CFM_RTL + 3 * (at) +                                                                           \
                        2] = {"rtl-extended-q" queue, "RTL timing, loops, streams, 3 ports, FPU queue of " queue,      \
                              "vortex-cfm-dmsl",      "cfm-dmsl",                                                      \
                              {"fpu.queue=" queue},   SL_CFM_SEVEN,                                                    \
                              SL_CFM_RTL + 3 * (at)}

/* gcn_aggr with other limits on loads. */
#define SLOTS(at, name, about, ...)                                                                                    \
  [SL_CFM_SLOTS +                                                                                                      \
      2 * (at)] = {"predicated-" name,     "no extension, " about, "vortex-simx", "predicated", {__VA_ARGS__}, GCN,    \
                   SL_CFM_SLOTS + 2 * (at)},                                                                           \
          [SL_CFM_SLOTS + 2 * (at) + 1] = {                                                                            \
              "cfm-" name, "loops, " about, "vortex-simx-cfm", "cfm", {__VA_ARGS__}, GCN, SL_CFM_SLOTS + 2 * (at)}

/* One core of 8 warps of 16 threads. */
#define ONE(id, name, about, preset, form, kernels, ...)                                                               \
  [id] = {name, about, preset, form, {__VA_ARGS__}, kernels, SL_CFM_PREDICATED}

/* clang-format off */
const struct sl_cfm_config sl_cfm_configs[SL_CFM_CONFIGS] = {
    ONE(SL_CFM_PREDICATED, "predicated", "no extension, every loop predicated, bounds read at run time", "vortex-simx",
        "predicated", WITH_ROWS, NULL),
    ONE(SL_CFM_PLAIN, "plain", "no extension, loops optimised by hand", "vortex-simx", "plain", WITH_ROWS, NULL),
    ONE(SL_CFM_UNROLL_4, "unroll4", "the same, loops unrolled 4 times", "vortex-simx", "unroll4", SL_CFM_SEVEN, NULL),
    ONE(SL_CFM_UNROLL_8, "unroll8", "the same, loops unrolled 8 times", "vortex-simx", "unroll8", SL_CFM_SEVEN, NULL),
    ONE(SL_CFM_LOOPS, "cfm", "loops in hardware", "vortex-simx-cfm", "cfm", WITH_ROWS, NULL),
    ONE(SL_CFM_PORTS_1, "cfm-dmsl-p1", "loops, streams, 1 port", "vortex-simx-cfm-dmsl", "cfm-dmsl", WITH_ROWS,
        "dcache.ports=1"),
    ONE(SL_CFM_PORTS_2, "cfm-dmsl-p2", "loops, streams, 2 ports", "vortex-simx-cfm-dmsl", "cfm-dmsl", WITH_ROWS,
        "dcache.ports=2"),
    ONE(SL_CFM_PORTS_3, "cfm-dmsl-p3", "loops, streams, 3 ports", "vortex-simx-cfm-dmsl", "cfm-dmsl", WITH_ROWS, NULL),
    SHAPE(0, "4", "16"),
    SHAPE(1, "16", "16"),
    SHAPE(2, "4", "32"),
    SHAPE(3, "8", "32"),
    SHAPE(4, "16", "32"),
    CORES(0, "2"),
    CORES(1, "4"),
    CORES(2, "8"),
    CLUSTERS(0, "2"),
    CLUSTERS(1, "4"),
    CLUSTERS(2, "8"),
    DIRECT(0, "2"),
    DIRECT(1, "4"),
    DIRECT(2, "8"),
    RTL(0, "2"),
    RTL(1, "4"),
    SLOTS(0, "loads4", "4 outstanding loads", "lsu.loads=4"),
    SLOTS(1, "loads16", "16 outstanding loads", "lsu.loads=16"),
    SLOTS(2, "loads16-4M", "16 outstanding loads, 4 MiB of data cache", "lsu.loads=16", "dcache.bytes=4194304"),
    ONE(SL_CFM_SUMS_2, "cfm-dmsl-sums2", "loops, streams, 3 ports, two chains of sums", "vortex-simx-cfm-dmsl",
        "cfm-dmsl-sums2", SUMS, NULL),
    ONE(SL_CFM_LINES_3, "cfm-dmsl-lines3", "loops, streams, 3 ports, 3 lines of an element per cycle",
        "vortex-simx-cfm-dmsl", "cfm-dmsl", SL_CFM_SIX | ROWS, "streams.lines=3"),
};
/* clang-format on */
