/* Breadth-first search over a graph in compressed rows: a launch per level, until no vertex is new. */
#include "check.h"

#include <queue>

__device__ int found;

__global__ void visit(const int *rows, const int *edges, int *level, int vertices, int current)
{
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || level[v] != current)
    return;
  for (int e = rows[v]; e < rows[v + 1]; e++)
    if (atomicCAS(&level[edges[e]], -1, current + 1) == -1)
      found = 1;
}

int main()
{
  const int vertices = 5000;
  random_numbers next;
  std::vector<int> rows(1, 0), edges, level(vertices, -1);
  for (int v = 0; v < vertices; v++) {
    for (int e = (int)(next() * 6); e > 0; e--)
      edges.push_back((int)(next() * vertices));
    rows.push_back((int)edges.size());
  }
  level[0] = 0;
  int *drows = to_device(rows), *dedges = to_device(edges), *dlevel = to_device(level);
  for (int current = 0, more = 1; more != 0; current++) {
    more = 0;
    CHECK(cudaMemcpyToSymbol(found, &more, sizeof more));
    visit<<<(vertices + 127) / 128, 128>>>(drows, dedges, dlevel, vertices, current);
    CHECK(cudaMemcpyFromSymbol(&more, found, sizeof more));
  }
  std::queue<int> queue;
  for (queue.push(0); !queue.empty(); queue.pop())
    for (int v = queue.front(), e = rows[v]; e < rows[v + 1]; e++)
      if (level[edges[e]] == -1) {
        level[edges[e]] = level[v] + 1;
        queue.push(edges[e]);
      }
  return report("bfs", to_host(dlevel, vertices), level, 0);
}
