// Single-source shortest paths: every node offers its distance to its neighbours.

#include "r2d2.h"

SIMT_KERNEL(relax, (int, nodes), (const int *, begin), (const int *, edge), (const int *, weight),
            (const int *, distance), (int *, shorter))
{
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes)
    return;
  const int own = distance[node];
  for (int e = begin[node]; e < begin[node + 1]; e++)
    atomicMin(&shorter[edge[e]], own + weight[e]);
}
