// Degree centrality of nodes (GraphBIG).

#include "r2d2.h"

SIMT_KERNEL(degree, (int, nodes), (const int *, begin), (const int *, edge), (int *, in), (int *, out))
{
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes)
    return;
  const int first = begin[node], last = begin[node + 1];
  out[node] = last - first;
  for (int e = first; e < last; e++)
    atomicAdd(&in[edge[e]], 1);
}
