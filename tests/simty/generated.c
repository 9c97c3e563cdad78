/* Generated programs on Simty cores of many shapes: results equal those thread by thread. */
#include "compare.h"
#include "generate.h"

static bool run_seed(uint64_t seed, unsigned warps, unsigned lanes)
{
  static const uint32_t latencies[] = {1, 1, 3, 40};
  const struct layout l = layout_of(warps * lanes);
  struct generated *g = malloc(sizeof *g);
  struct sl_simty_spec spec;
  char name[64];
  sl_keys_defaults(&sl_simty_keys, &spec);
  spec.warps = warps;
  spec.lanes = lanes;
  spec.memory_bytes = l.bytes;
  spec.done_base = l.done;
  spec.sorter = seed & 1;
  spec.memory_latency = latencies[seed / 2 % 4];
  spec.dram = seed % 5 == 0;
  generate(g, seed, &l);
  struct image image = {.bytes = calloc(1, l.bytes), .size = l.bytes, .entry = GEN_ENTRY};
  image.code_end = GEN_ENTRY + 4 * g->count;
  memcpy(image.bytes + GEN_ENTRY, g->word, 4 * g->count);
  snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
  const bool good = agrees(&image, &spec, name);
  free(image.bytes);
  free(g);
  return good;
}

/* [SEED [COUNT]] */
int main(int argc, char **argv)
{
  const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 200;
  unsigned failures = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    const unsigned shape = (unsigned)(seed * 7 % 25); /* each pair of 4 to 64 warps and lanes in turn */
    failures += !run_seed(seed, 4u << shape % 5, 4u << shape / 5);
  }
  printf("%llu programs, %u failures\n", (unsigned long long)count, failures);
  return failures > 0;
}
