// Two kernels as written for CUDA, with plain `if`s on divergent conditions: breadth-first
// search, and a convolution whose window ends at the image's edge. The host computes the same one after the other.

#include "simt.h"

#include <stdio.h>
#include <string.h>

enum { NODES = 400, EDGES = 2000, UNSEEN = -1, WIDTH = 40, HEIGHT = 24, RADIUS = 2, SIDE = 2 * RADIUS + 1 };

static unsigned mix(unsigned h)
{
  h = (h ^ h >> 16) * 0x85EBCA6Bu;
  h = (h ^ h >> 13) * 0xC2B2AE35u;
  return h ^ h >> 16;
}

// ------------------------------------------------------------------------------------------------
// Breadth-first search, a launch per level

SIMT_KERNEL(visit, (int, level), (const int *, first), (const int *, to), (int *, distance), (int *, changed))
{
  const int node = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (node >= NODES)
    return;
  if (distance[node] == level) {
    for (int e = first[node]; e < first[node + 1]; e++) {
      if (distance[to[e]] == UNSEEN) {
        distance[to[e]] = level + 1;
        *changed = 1;
      }
    }
  }
}

static void search(const int *first, const int *to, int *distance)
{
  int queue[NODES], head = 0, tail = 0;
  for (int i = 0; i < NODES; i++)
    distance[i] = UNSEEN;
  distance[0] = 0;
  for (queue[tail++] = 0; head < tail; head++)
    for (int e = first[queue[head]]; e < first[queue[head] + 1]; e++)
      if (distance[to[e]] == UNSEEN) {
        distance[to[e]] = distance[queue[head]] + 1;
        queue[tail++] = to[e];
      }
}

// A random number of edges from each node, few of them at the nodes with low numbers.
static void make_graph(int *first, int *to)
{
  int edges = 0;
  for (int i = 0; i < NODES; i++) {
    first[i] = edges;
    for (unsigned k = mix((unsigned)i) % (i < 8 ? 3 : 9); k > 0 && edges < EDGES; k--)
      to[edges] = (int)(mix((unsigned)edges * 7919) % NODES), edges++;
    if (i < 8 && edges < EDGES)
      to[edges++] = i + 1;
  }
  first[NODES] = edges;
}

static int bfs(dim3 block)
{
  int *const first = simt_alloc((NODES + 1) * sizeof *first), *const to = simt_alloc(EDGES * sizeof *to);
  int *const found = simt_alloc(NODES * sizeof *found), *const changed = simt_alloc(sizeof *changed);
  static int expected[NODES];
  make_graph(first, to);
  search(first, to, expected);
  for (int i = 0; i < NODES; i++)
    found[i] = i == 0 ? 0 : UNSEEN;
  int level = 0, reached = 0;
  do {
    *changed = 0;
    if (simt_launch(visit, dim3((NODES + block.x - 1) / block.x), block, .level = level++, .first = first, .to = to,
                    .distance = found, .changed = changed) != SIMT_OK)
      return 1;
  } while (*changed);
  for (int i = 0; i < NODES; i++)
    reached += found[i] != UNSEEN;
  const int wrong = memcmp(found, expected, sizeof expected) != 0;
  printf("bfs: %d of %d nodes in %d levels: %s\n", reached, NODES, level, wrong ? "wrong" : "right");
  return wrong;
}

// ------------------------------------------------------------------------------------------------
// Convolution

static int tap(const int *image, int x, int y)
{
  if (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT)
    return 0;
  return image[y * WIDTH + x];
}

SIMT_KERNEL(convolve, (const int *, image), (const int *, weights), (int *, out))
{
  const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < WIDTH && y < HEIGHT) {
    int sum = 0;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
      for (int dx = -RADIUS; dx <= RADIUS; dx++)
        if (y + dy >= 0 && y + dy < HEIGHT && x + dx >= 0 && x + dx < WIDTH)
          sum += image[(y + dy) * WIDTH + x + dx] * weights[(dy + RADIUS) * SIDE + dx + RADIUS];
    out[y * WIDTH + x] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
  }
}

static int convolution(dim3 block)
{
  int *const image = simt_alloc(WIDTH * HEIGHT * sizeof *image), *const out = simt_alloc(WIDTH * HEIGHT * sizeof *out);
  int *const weights = simt_alloc(SIDE * SIDE * sizeof *weights), wrong = 0;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    image[i] = (int)(mix((unsigned)i) & 15);
  for (int i = 0; i < SIDE * SIDE; i++)
    weights[i] = (int)(mix((unsigned)i + 1) % 9) - 3;
  const dim3 grid = dim3((WIDTH + block.x - 1) / block.x, (HEIGHT + block.y - 1) / block.y);
  if (simt_launch(convolve, grid, block, .image = image, .weights = weights, .out = out) != SIMT_OK)
    return 1;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      int sum = 0;
      for (int k = 0; k < SIDE * SIDE; k++)
        sum += tap(image, x + k % SIDE - RADIUS, y + k / SIDE - RADIUS) * weights[k];
      wrong += out[y * WIDTH + x] != (sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
  printf("convolution: %d of %d wrong\n", wrong, WIDTH * HEIGHT);
  return wrong != 0;
}

int main(void)
{
  const struct simt_shape shape = simt_shape();
  return bfs(dim3(shape.lanes * 2)) | convolution(dim3(8, shape.lanes / 4));
}
