/* Runs a harness over files: DRIVER FILE|FOLDER... */
#include <dirent.h>
#include <sys/stat.h>

#include "harness.h"

enum { LARGEST_INPUT = 1 << 20 };

static unsigned inputs;

static int run_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = malloc(LARGEST_INPUT);
  if (file == NULL || bytes == NULL) {
    fprintf(stderr, "%s: cannot be read\n", path);
    return 1;
  }
  size_t size = fread(bytes, 1, LARGEST_INPUT, file);
  fclose(file);
  printf("%s\n", path);
  fflush(stdout); /* the name is printed even if the harness aborts */
  uint8_t *exact = malloc(size > 0 ? size : 1);
  for (size_t i = 0; i < size; i++)
    exact[i] = bytes[i];
  free(bytes);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  inputs++;
  return 0;
}

static int run_folder(const char *path)
{
  struct dirent **entries;
  int count = scandir(path, &entries, NULL, alphasort), failed = count < 0;
  for (int i = 0; i < count; i++) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.')
      failed |= run_file(name);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
  return failed;
}

int main(int argc, char **argv)
{
  int failed = 0;
  for (int i = 1; i < argc; i++) {
    struct stat status;
    failed |= stat(argv[i], &status) == 0 && S_ISDIR(status.st_mode) ? run_folder(argv[i]) : run_file(argv[i]);
  }
  printf("%u inputs\n", inputs);
  return failed || inputs == 0;
}
