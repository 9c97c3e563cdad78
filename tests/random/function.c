/* Random programs on our SM, functionally and timed with each kind of register file and pipelines, compared with
 * qemu-riscv32, lane by lane. The test shrinks and prints a program that differs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"

struct request {
  uint64_t first, count;
  unsigned fewer_than; /* with a broken instruction: the greatest size of the shrunk program, 0: do not expect one */
  struct rnd_bench bench;
};

static int usage(const char *name)
{
  fprintf(stderr,
          "usage: %s [--first SEED] [--count N] [--float] [--break MNEMONIC [--fewer-than N]]\n"
          "  --break: let the SM get this instruction wrong within loops; --fewer-than: succeed if that is found and\n"
          "  the program shrunk to fewer instructions\n",
          name);
  return 2;
}

static bool parse(int argc, char **argv, struct request *request)
{
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--float") == 0) {
      request->bench.floats = true;
      continue;
    }
    if (value == NULL)
      return false;
    if (strcmp(argv[i], "--first") == 0)
      request->first = strtoull(value, NULL, 10);
    else if (strcmp(argv[i], "--count") == 0)
      request->count = strtoull(value, NULL, 10);
    else if (strcmp(argv[i], "--break") == 0)
      request->bench.broken = value;
    else if (strcmp(argv[i], "--fewer-than") == 0)
      request->fewer_than = (unsigned)strtoul(value, NULL, 10);
    else
      return false;
    i++;
  }
  return true;
}

/* Shrinks a program that differs and prints the rest. Returns its number of instructions, 0 after an error. */
static unsigned show(struct rnd_bench *bench, const struct rnd_program *failing, const struct rnd_verdict *found)
{
  struct rnd_program program = *failing;
  struct rnd_verdict verdict = *found;
  struct sl_error err = {0};
  printf("%s\n", found->text);
  if (rnd_shrink(bench, &program, &verdict, &err) != SL_OK) {
    printf("shrinking: %s\n", err.text);
    return 0;
  }
  const unsigned instructions = rnd_instructions(&program);
  printf(
      "shrunk to %u instructions on %u warps; registers are 0 before, x10 is the hart id, x11 the lane, and x2-x4 and "
      "x13-x15 point to memory of the lane:\n",
      instructions, program.active_warps);
  rnd_write_body(&program, stdout);
  printf("%s\n", verdict.text);
  return instructions;
}

/* Runs all batches; failing and verdict describe the first program that differs. */
static enum sl_status run(struct request *request, struct rnd_program *failing, struct rnd_verdict *verdict,
                          struct sl_error *err)
{
  static struct rnd_program program[RND_BATCH];
  static struct rnd_verdict verdicts[RND_BATCH];
  const struct rnd_program *programs[RND_BATCH];
  for (uint64_t done = 0; done < request->count;) {
    unsigned count = 0;
    for (; count < RND_BATCH && done < request->count; count++, done++) {
      rnd_generate(&program[count], request->bench.floats ? RND_FUNCTION_FLOAT : RND_FUNCTION, request->first + done);
      programs[count] = &program[count];
    }
    enum sl_status code = rnd_compare(&request->bench, programs, count, verdicts, err);
    if (code != SL_OK)
      return code;
    for (unsigned i = 0; i < count; i++)
      if (verdicts[i].outcome != RND_EQUAL) {
        *failing = program[i];
        *verdict = verdicts[i];
        return SL_OK;
      }
  }
  return SL_OK;
}

static int report(struct request *request)
{
  static struct rnd_program failing;
  static struct rnd_verdict verdict;
  struct sl_error err = {0};
  if (run(request, &failing, &verdict, &err) != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    return 2;
  }
  if (verdict.outcome == RND_EQUAL) {
    printf("%" PRIu64 " programs from seed %" PRIu64 ": every lane equals qemu-riscv32\n", request->count,
           request->first);
    return request->fewer_than != 0;
  }
  const unsigned instructions = show(&request->bench, &failing, &verdict);
  return request->fewer_than == 0 || instructions == 0 || instructions >= request->fewer_than;
}

int main(int argc, char **argv)
{
  struct request request = {
      .first = 1,
      .count = 1000,
      .bench = {
          .gcc = DEVICE_GCC, .qemu = QEMU, .sources = SOURCES, .link_script = LINK_SCRIPT, .grid_script = GRID_SCRIPT}};
  struct sl_error err = {0};
  if (!parse(argc, argv, &request))
    return usage(argv[0]);
  int status = 2;
  if (rnd_bench_open(&request.bench, &err) == SL_OK)
    status = report(&request);
  else
    fprintf(stderr, "%s\n", err.text);
  rnd_bench_close(&request.bench);
  return status;
}
