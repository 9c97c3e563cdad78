/* Writes a C file of random programs with locks: random_locks SEED COUNT LANES FILE. Each is a kernel, for warps of
 * LANES lanes. `main FIRST LAST` runs kernels FIRST to LAST and compares memory with the oracle's: it prints the number
 * of each before its launch, and returns 1 if memory differs. */
#include <stdlib.h>
#include <string.h>

#include "lock_oracle.h"

static const char head[] =
    "#include \"simt.h\"\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "enum { TICKET = 8, SERVED = 16, MET = 24, FLAG = 32, WORDS = 64, DATA = WORDS, FLAGGED = DATA + 8, OUT = DATA + "
    "64, ALL = OUT + %u };\n"
    "#ifdef USER_MARKS\n#define D SIMT_DIVERGE\n#else\n#define D\n#endif\n"
    "#ifdef __riscv\n#define FENCE __asm__ volatile(\"fence\" ::: \"memory\")\n"
    "#else\n#define FENCE __asm__ volatile(\"membar.gl;\" ::: \"memory\")\n#endif\n"
    "#ifdef GLOBAL_LOCKS\n"
    "#define BEGIN const unsigned t = threadIdx.x, i = 0; unsigned acc = t; volatile unsigned *const s = w; (void)s, "
    "(void)i\n"
    "#else\n"
    "#define BEGIN const unsigned t = threadIdx.x, i = 0; unsigned acc = t; SIMT_SHARED(unsigned, shared, WORDS); \\\n"
    "  volatile unsigned *const s = shared; (void)i; \\\n"
    "  for (unsigned word = t; word < WORDS; word += blockDim.x) s[word] = 0; \\\n"
    "  simt_barrier()\n"
    "#endif\n";

static const char tail[] = "  for (unsigned k = first; k <= last && k < %uu; k++) {\n"
                           "    for (unsigned n = 0; n < ALL; n++) w[n] = 0;\n"
                           "    printf(\"%%u\\n\", k);\n"
                           "    fflush(stdout);\n"
                           "    if (launch(k, w) != SIMT_OK) return 1;\n"
                           "    unsigned hash = 1;\n"
                           "    for (unsigned n = DATA; n < ALL; n++) hash = 31 * hash + w[n];\n"
                           "    if (hash != expected[k]) {\n"
                           "      printf(\"kernel %%u: memory differs:\", k);\n"
                           "      for (unsigned n = DATA; n < DATA + 16; n++) printf(\" %%u\", w[n]);\n"
                           "      printf(\"\\n\");\n"
                           "      bad = 1;\n"
                           "    }\n"
                           "  }\n"
                           "  return bad;\n}\n";

static unsigned hash_of(const struct lock_memory *memory)
{
  uint32_t hash = 1, word[64] = {0};
  memcpy(word, memory->data, sizeof memory->data);
  memcpy(word + 8, memory->flag_data, sizeof memory->flag_data);
  for (unsigned n = 0; n < 64; n++)
    hash = 31 * hash + word[n];
  for (unsigned t = 0; t < LOCK_THREADS; t++)
    hash = 31 * hash + memory->out[t];
  return hash;
}

static bool write_all(uint64_t seed, unsigned count, unsigned lanes, FILE *file)
{
  struct lock_program *p = calloc(count, sizeof *p);
  struct lock_memory memory, again;
  bool right = p != NULL;
  fprintf(file, head, LOCK_THREADS);
  for (unsigned k = 0; k < count && right; k++) {
    lock_generate(&p[k], seed + k, lanes);
    lock_write(&p[k], k, file);
  }
  fprintf(file, "static const unsigned expected[] = {");
  for (unsigned k = 0; k < count && right; k++) {
    right = lock_oracle_run(&p[k], seed + k, &memory) && lock_oracle_run(&p[k], ~seed + k, &again);
    if (!right || memcmp(&memory, &again, sizeof memory) != 0) {
      fprintf(stderr, "program %llu: its result depends on the order of its threads, or it does not end\n",
              (unsigned long long)seed + k);
      right = false;
    }
    fprintf(file, "%uu, ", hash_of(&memory));
  }
  fprintf(file, "};\nstatic int launch(unsigned k, volatile unsigned *w)\n{\n  switch (k) {\n");
  for (unsigned k = 0; k < count && right; k++)
    fprintf(file, "  case %u: return simt_launch(k%u, dim3(1), dim3(%u), .w = w);\n", k, k, p[k].block);
  fprintf(file, "  default: return 1;\n  }\n}\nint main(int argc, char **argv)\n{\n"
                "  const unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 0, last = argc > 2 ? "
                "(unsigned)atoi(argv[2]) : ALL;\n"
                "  volatile unsigned *const w = simt_alloc(ALL * sizeof *w);\n  int bad = 0;\n");
  fprintf(file, tail, count);
  free(p);
  return right;
}

int main(int argc, char **argv)
{
  if (argc != 5) {
    fprintf(stderr, "usage: %s SEED COUNT LANES FILE\n", argv[0]);
    return 2;
  }
  FILE *file = fopen(argv[4], "w");
  if (file == NULL) {
    perror(argv[4]);
    return 1;
  }
  const bool right = write_all(strtoull(argv[1], NULL, 10), (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]), file);
  return fclose(file) != 0 || !right;
}
