#include "cli/paper/r2d2/paper_r2d2.h"

/* Forward and adjust with the given number of blocks. */
#define GRID(blocks)                                                                                                   \
  {"backprop_forward", NULL, blocks, 0},                                                                               \
  {                                                                                                                    \
    "backprop_adjust", NULL, blocks, 0                                                                                 \
  }

/* Programs of one-dimensional blocks of any size without shared memory. */
#define SIZED(threads)                                                                                                 \
  {"bfs", NULL, 0, threads}, {"cfd", NULL, 0, threads}, {"kmeans", NULL, 0, threads}, {"mriq", NULL, 0, threads},      \
      {"spmv", NULL, 0, threads}, {"degree", NULL, 0, threads},                                                        \
  {                                                                                                                    \
    "sssp", NULL, 0, threads                                                                                           \
  }

const struct sl_r2d2_program sl_r2d2_programs[SL_R2D2_ALL] = {
    {"backprop_forward", "Rodinia", 0, 0},
    {"backprop_adjust", "Rodinia", 0, 0},
    {"bfs", "Rodinia", 0, 0},
    {"btree", "Rodinia", 0, 0},
    {"cfd", "Rodinia", 0, 0},
    {"gaussian", "Rodinia", 0, 0},
    {"hotspot", "Rodinia", 0, 0},
    {"kmeans", "Rodinia", 0, 0},
    {"lud", "Rodinia", 0, 0},
    {"nw", "Rodinia", 0, 0},
    {"pathfinder", "Rodinia", 0, 0},
    {"srad", "Rodinia", 0, 0},
    {"mriq", "Parboil", 0, 0},
    {"spmv", "Parboil", 0, 0},
    {"stencil3d", "Parboil", 0, 0},
    {"atax", "PolyBench", 0, 0},
    {"conv2d", "PolyBench", 0, 0},
    {"conv3d", "PolyBench", 0, 0},
    {"fdtd", "PolyBench", 0, 0},
    {"gemm", "PolyBench", 0, 0},
    {"gesummv", "PolyBench", 0, 0},
    {"stencil", "PolyBench", 0, 0},
    {"syrk", "PolyBench", 0, 0},
    {"degree", "GraphBIG", 0, 0},
    {"sssp", "GraphBIG", 0, 0},
    {"fft", "others", 0, 0},
    {"fft_pt", "others", 0, 0},
    {"gemm_tiled", "others", 0, 0},
    {"lps", "ISPASS", 0, 0},
    {"transpose", "others", 0, 0},
    GRID(4),
    GRID(8),
    GRID(16),
    GRID(32),
    GRID(64),
    SIZED(64),
    SIZED(128),
    SIZED(256),
    SIZED(512),
};
