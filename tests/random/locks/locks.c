/* Writes a C file of random programs with locks: random_locks SEED COUNT LANES FILE SCRIPT. Each is a kernel, for warps
 * of LANES lanes. `main FIRST LAST` runs kernels FIRST to LAST and compares memory with the oracle's: it prints the
 * number of each before its launch, and returns 1 if memory differs. As PTX the kernels have no main; the launch script
 * runs them and compares: a head of three lines, then five for each kernel. */
#include <stdlib.h>
#include <string.h>

#include "lock_oracle.h"

enum { WORDS = 64 }; /* for locks, and for what they protect */

static const char head[] =
    "#include \"simt.h\"\n"
    "#ifdef __CUDA__\n#define DEVICE __device__\n#define simt_barrier __syncthreads\n"
    "#else\n#define DEVICE\n#include <stdio.h>\n#include <stdlib.h>\n#endif\n"
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
                           "  return bad;\n}\n#endif\n";

/* Words from DATA to ALL. */
struct image {
  uint32_t word[WORDS + LOCK_THREADS];
};

static struct image image_of(const struct lock_memory *memory)
{
  struct image image = {{0}};
  memcpy(image.word, memory->data, sizeof memory->data);
  memcpy(image.word + 8, memory->flag_data, sizeof memory->flag_data);
  memcpy(image.word + WORDS, memory->out, sizeof memory->out);
  return image;
}

static unsigned hash_of(const struct image *image)
{
  uint32_t hash = 1;
  for (unsigned n = 0; n < WORDS + LOCK_THREADS; n++)
    hash = 31 * hash + image->word[n];
  return hash;
}

/* The checksum of launch scripts: 64-bit FNV-1a of the bytes, least significant first. */
static uint64_t sum_of(const struct image *image)
{
  uint64_t sum = 1469598103934665603;
  for (unsigned n = 0; n < 4 * (WORDS + LOCK_THREADS); n++)
    sum = (sum ^ (image->word[n / 4] >> 8 * (n % 4) & 0xff)) * 1099511628211;
  return sum;
}

/* Words for locks in global memory come directly before the others: buffers are in order, at multiples of 256 bytes. */
static void write_script_head(FILE *script)
{
  fprintf(script, "ptx programs.ptx\nbuffer locks %zu zero\nbuffer w %zu zero\n", WORDS * sizeof(uint32_t),
          sizeof(struct image));
}

static void write_script(FILE *script, unsigned kernel, unsigned block, const struct image *image)
{
  fprintf(script, "memset locks 0\nmemset w 0\nlaunch k%u 1 1 1 %u 1 1 0 buf:locks\nsum w\nexpect w %016llx\n", kernel,
          block, (unsigned long long)sum_of(image));
}

static bool write_all(uint64_t seed, unsigned count, unsigned lanes, FILE *file, FILE *script)
{
  struct lock_program *p = calloc(count, sizeof *p);
  struct lock_memory memory, again;
  bool right = p != NULL;
  fprintf(file, head, LOCK_THREADS);
  for (unsigned k = 0; k < count && right; k++) {
    lock_generate(&p[k], seed + k, lanes);
    lock_write(&p[k], k, file);
  }
  fprintf(file, "#ifndef __CUDA__\nstatic const unsigned expected[] = {");
  write_script_head(script);
  for (unsigned k = 0; k < count && right; k++) {
    right = lock_oracle_run(&p[k], seed + k, &memory) && lock_oracle_run(&p[k], ~seed + k, &again);
    if (!right || memcmp(&memory, &again, sizeof memory) != 0) {
      fprintf(stderr, "program %llu: its result depends on the order of its threads, or it does not end\n",
              (unsigned long long)seed + k);
      right = false;
    }
    const struct image image = image_of(&memory);
    fprintf(file, "%uu, ", hash_of(&image));
    write_script(script, k, p[k].block, &image);
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

static FILE *opened(const char *path)
{
  FILE *file = fopen(path, "w");
  if (file == NULL)
    perror(path);
  return file;
}

int main(int argc, char **argv)
{
  if (argc != 6) {
    fprintf(stderr, "usage: %s SEED COUNT LANES FILE SCRIPT\n", argv[0]);
    return 2;
  }
  FILE *file = opened(argv[4]), *script = opened(argv[5]);
  if (file == NULL || script == NULL)
    return 1;
  bool right = write_all(strtoull(argv[1], NULL, 10), (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]), file, script);
  right &= fclose(file) == 0;
  right &= fclose(script) == 0;
  return !right;
}
