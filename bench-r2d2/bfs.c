// Breadth-first search: nodes of the frontier visit their neighbours.

#include "r2d2.h"

SIMT_KERNEL(visit, (int, nodes), (const int *, begin), (const int *, edge), (const int *, frontier), (int *, next),
            (int *, cost), (int, level))
{
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < nodes && frontier[node] % 4 == 0)
    for (int e = begin[node]; e < begin[node + 1]; e++) {
      const int to = edge[e];
      if (cost[to] == 0) {
        cost[to] = level;
        next[to] = 1;
      }
    }
}
