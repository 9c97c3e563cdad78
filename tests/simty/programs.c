/* Compiled programs on Simty cores: results equal those thread by thread, on every shape or on that of a recorded run.
 */
#include "compare.h"
#include "program/program.h"

static bool load(const char *path, const struct sl_simty_spec *spec, struct image *image)
{
  struct sl_program *program;
  struct sl_error err;
  *image = (struct image){0};
  if (sl_program_load(path, &program, &err) != SL_OK) {
    fprintf(stderr, "%s\n", err.text);
    return false;
  }
  image->size = spec->memory_bytes;
  image->bytes = calloc(1, image->size);
  image->entry = sl_program_entry(program);
  for (size_t i = 0; i < sl_program_segment_count(program); i++) {
    const struct sl_segment *s = sl_program_segment(program, i);
    memcpy(image->bytes + s->address, s->bytes, s->file_size);
    if (s->executable && s->address + s->file_size > image->code_end)
      image->code_end = (s->address + s->file_size + 3) & ~3u;
  }
  sl_program_free(program);
  return true;
}

static bool run(const char *path, const struct sl_simty_spec *spec)
{
  struct image image;
  bool good = load(path, spec, &image) && agrees(&image, spec, path);
  free(image.bytes);
  return good;
}

/* "8x4": warps and lanes. */
static struct sl_simty_spec recorded(const char *shape)
{
  struct sl_simty_spec spec;
  sl_keys_defaults(&sl_simty_keys, &spec);
  sscanf(shape, "%ux%u", &spec.warps, &spec.lanes);
  return spec;
}

static unsigned every_shape(const char *path)
{
  unsigned failures = 0;
  for (unsigned i = 0; i < 25; i++) {
    struct sl_simty_spec spec;
    sl_keys_defaults(&sl_simty_keys, &spec);
    spec.warps = 4u << i % 5;
    spec.lanes = 4u << i / 5;
    spec.memory_bytes = 1u << 22;
    spec.done_base = 0x3f0000;
    spec.sorter = i & 1;
    failures += !run(path, &spec);
  }
  return failures;
}

/* SHAPE FILE... for a recorded shape, "all" FILE... for programs that any number of threads can run. */
int main(int argc, char **argv)
{
  unsigned failures = 0;
  for (int i = 2; i < argc; i++) {
    if (strcmp(argv[1], "all") == 0) {
      failures += every_shape(argv[i]);
    } else {
      const struct sl_simty_spec spec = recorded(argv[1]);
      failures += !run(argv[i], &spec);
    }
  }
  printf("%d programs, %u failures\n", argc - 2, failures);
  return failures > 0;
}
