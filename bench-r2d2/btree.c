// Key lookup in a tree with 32 keys per node: one block per lookup, one thread per key of the node.

#include "r2d2.h"

SIMT_KERNEL(find, (int, height), (const int *, keys), (const int *, children), (const int *, wanted), (int *, answer),
            (int, nodes))
{
  SIMT_SHARED(int, node, 2);
  const int thread = threadIdx.x, block = blockIdx.x;
  if (thread == 0)
    node[0] = 0;
  __syncthreads();
  for (int level = 0; level < height; level++) {
    const int here = node[0];
    const int low = level * 1000 + 100 * thread, high = low + 100;
    if (low <= wanted[block] && wanted[block] < high)
      node[1] = children[here * 32 + thread] % nodes;
    else if (thread == 31 && wanted[block] >= high)
      node[1] = (here + keys[here * 32]) % nodes;
    __syncthreads();
    if (thread == 0)
      node[0] = node[1];
    __syncthreads();
  }
  if (thread == 0)
    answer[block] = node[0];
}
