/* Writes random programs: random_generate PROFILE FIRST COUNT FOLDER, one file random_SEED.S each. */
#include <stdlib.h>
#include <string.h>

#include "program.h"

static int write_program(enum rnd_profile profile, uint64_t seed, const char *folder)
{
  struct rnd_program program;
  char path[4096];
  rnd_generate(&program, profile, seed);
  snprintf(path, sizeof path, "%s/random_%03llu.S", folder, (unsigned long long)seed);
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    perror(path);
    return 1;
  }
  if (profile == RND_TIMING)
    rnd_write_kernel(&program, file);
  else
    rnd_write_batch((const struct rnd_program *const[]){&program}, 1, NULL, file);
  if (fclose(file) != 0) {
    perror(path);
    return 1;
  }
  return 0;
}

int main(int argc, char **argv)
{
  static const char *const profiles[] = {"timing", "function", "float"};
  enum rnd_profile profile = RND_TIMING;
  while (argc == 5 && profile <= RND_FUNCTION_FLOAT && strcmp(argv[1], profiles[profile]) != 0)
    profile++;
  if (argc != 5 || profile > RND_FUNCTION_FLOAT) {
    fprintf(stderr, "usage: %s timing|function|float FIRST COUNT FOLDER\n", argv[0]);
    return 2;
  }
  const uint64_t first = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
  int failed = 0;
  for (uint64_t seed = first; seed < first + count && !failed; seed++)
    failed = write_program(profile, seed, argv[4]);
  return failed;
}
