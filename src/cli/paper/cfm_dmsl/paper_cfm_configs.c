/* What is run to reproduce the evaluation: kernels, sweeps, machines. */
#include "cli/paper/cfm_dmsl/paper_cfm.h"

/* Table II, [start:end:step], times the number of hardware threads. Where there are two dimensions the number is that
 * of their product. */
const struct sl_cfm_sweep sl_cfm_sweeps[SL_CFM_KERNELS] = {
    [SL_SAXPY] = {"saxpy", {"4", "24", "44", "64", "84", "104", "124", "144", "164", "184"}, 2},
    [SL_SGEMV] = {"sgemv", {"4", "24", "44", "64", "84", "104", "124", "144", "164", "184"}, 2},
    [SL_SGEMM] = {"sgemm", {"4", "8", "12", "16", "20", "24", "28", "32", "36", "40", "44", "48"}, 2},
    [SL_KNN] = {"knn", {"4", "24", "44", "64", "84", "104", "124", "144", "164", "184"}, 2},
    [SL_SFILTER] = {"sfilter", {"4", "8", "12", "16", "20", "24", "28", "32", "36", "40", "44", "48"}, 2},
    [SL_CONV2D] = {"conv2d", {"2", "4", "6", "8", "10", "12", "14", "16", "18", "20", "22", "24"}, 2},
    [SL_GCN_AGGR] = {"gcn_aggr", {"cora", "citeseer", "pubmed"}, 1},
};

#define ALL ((1u << SL_CFM_KERNELS) - 1)
#define STREAMING (ALL & ~(1u << SL_GCN_AGGR)) /* Figure 8 is without gcn_aggr */
#define ONLY_GCN (1u << SL_GCN_AGGR)

/* A shape of Figure 8, without extensions and with all of them. */
#define SHAPE(at, warps, lanes)                                                                                        \
  [SL_CFM_SHAPES +                                                                                                     \
      2 * (at)] = {"plain-w" warps "t" lanes,                                                                          \
                   "no extension, " warps " warps of " lanes " threads",                                               \
                   "vortex-simx",                                                                                      \
                   "plain",                                                                                            \
                   {"warps=" warps, "lanes=" lanes},                                                                   \
                   STREAMING},                                                                                         \
          [SL_CFM_SHAPES + 2 * (at) +                                                                                  \
              1] = {"extended-w" warps "t" lanes,     "loops, streams, 3 ports, " warps " warps of " lanes " threads", \
                    "vortex-simx-cfm-dmsl",           "cfm-dmsl",                                                      \
                    {"warps=" warps, "lanes=" lanes}, STREAMING}

/* A core count, with first-level caches of each core's own. */
#define CORES(at, cores)                                                                                               \
  [SL_CFM_CORES + 2 * (at)] = {"plain-c" cores, "no extension, " cores " cores",    "vortex-simx",                     \
                               "plain",         {"cores=" cores, "socket.cores=1"}, ALL},                              \
                      [SL_CFM_CORES + 2 * (at) + 1] = {                                                                \
                          "extended-c" cores, "loops, streams, 3 ports, " cores " cores", "vortex-simx-cfm-dmsl",      \
                          "cfm-dmsl",         {"cores=" cores, "socket.cores=1"},         STREAMING}

/* On RTL timing, with an FPU queue. */
#define RTL(at, queue)                                                                                                 \
  [SL_CFM_RTL + 3 * (at)] = {"rtl-plain-q" queue,                                                                      \
                             "RTL timing, no extension, FPU queue of " queue,                                          \
                             "vortex",                                                                                 \
                             "plain",                                                                                  \
                             {"atomics=true", "fpu.queue=" queue},                                                     \
                             ALL},                                                                                     \
                    [SL_CFM_RTL + 3 * (at) + 1] = {"rtl-cfm-q" queue,    "RTL timing, loops, FPU queue of " queue,     \
                                                   "vortex-cfm",         "cfm",                                        \
                                                   {"fpu.queue=" queue}, ALL},                                         \
                    [SL_CFM_RTL + 3 * (at) +                                                                           \
                        2] = {"rtl-extended-q" queue, "RTL timing, loops, streams, 3 ports, FPU queue of " queue,      \
                              "vortex-cfm-dmsl",      "cfm-dmsl",                                                      \
                              {"fpu.queue=" queue},   ALL}

const struct sl_cfm_config sl_cfm_configs[SL_CFM_CONFIGS] = {
    [SL_CFM_PLAIN] = {"plain", "no extension", "vortex-simx", "plain", {NULL}, ALL},
    [SL_CFM_UNROLL_4] = {"unroll4", "no extension, loops unrolled 4 times", "vortex-simx", "unroll4", {NULL}, ALL},
    [SL_CFM_UNROLL_8] = {"unroll8", "no extension, loops unrolled 8 times", "vortex-simx", "unroll8", {NULL}, ALL},
    [SL_CFM_LOOPS] = {"cfm", "loops in hardware", "vortex-simx-cfm", "cfm", {NULL}, ALL},
    [SL_CFM_PORTS_1] =
        {"cfm-dmsl-p1", "loops, streams, 1 port", "vortex-simx-cfm-dmsl", "cfm-dmsl", {"dcache.ports=1"}, ALL},
    [SL_CFM_PORTS_2] =
        {"cfm-dmsl-p2", "loops, streams, 2 ports", "vortex-simx-cfm-dmsl", "cfm-dmsl", {"dcache.ports=2"}, ALL},
    [SL_CFM_PORTS_3] = {"cfm-dmsl-p3", "loops, streams, 3 ports", "vortex-simx-cfm-dmsl", "cfm-dmsl", {NULL}, ALL},
    SHAPE(0, "4", "16"),
    SHAPE(1, "16", "16"),
    SHAPE(2, "4", "32"),
    SHAPE(3, "8", "32"),
    SHAPE(4, "16", "32"),
    CORES(0, "2"),
    CORES(1, "4"),
    CORES(2, "8"),
    RTL(0, "2"),
    RTL(1, "4"),
    [SL_CFM_SLOTS] = {"plain-loads16",
                      "no extension, 16 outstanding loads, 4 MiB of data cache",
                      "vortex-simx",
                      "plain",
                      {"lsu.loads=16", "dcache.bytes=4194304"},
                      ONLY_GCN},
    [SL_CFM_SLOTS + 1] = {"cfm-loads16",
                          "loops, 16 outstanding loads, 4 MiB of data cache",
                          "vortex-simx-cfm",
                          "cfm",
                          {"lsu.loads=16", "dcache.bytes=4194304"},
                          ONLY_GCN},
};
