/* Stock RV32 compilers for tests, each in its own temporary folder. Tests are skipped without them. */
#ifndef SL_TESTS_CROSS_H
#define SL_TESTS_CROSS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CROSS_GCC "riscv64-unknown-elf-gcc"
#define CROSS_CLANG "clang-19 --target=riscv32-unknown-elf"
#define CROSS_PICOLIBC "/usr/lib/picolibc/riscv64-unknown-elf"
#define CROSS_RV32IM "-march=rv32im -mabi=ilp32"
#define CROSS_ZFINX "-march=rv32ima_zicsr_zfinx -mabi=ilp32"

enum { CROSS_PATH = 128 };

struct cross {
  char folder[CROSS_PATH];
};

static inline bool cross_has(const char *tool)
{
  char command[256];
  snprintf(command, sizeof command, "%.200s --version >/dev/null 2>&1", tool);
  return system(command) == 0;
}

static inline void cross_open(struct cross *c)
{
  const char *tmp = getenv("TMPDIR");
  snprintf(c->folder, sizeof c->folder, "%s/simtlab-XXXXXX", tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
  assert_non_null(mkdtemp(c->folder));
}

static inline void cross_close(const struct cross *c)
{
  char command[CROSS_PATH + 16];
  snprintf(command, sizeof command, "rm -r %s", c->folder);
  assert_int_equal(system(command), 0);
}

static inline const char *cross_path(const struct cross *c, const char *name, char path[2 * CROSS_PATH])
{
  snprintf(path, 2 * CROSS_PATH, "%s/%.100s", c->folder, name);
  return path;
}

static inline void cross_write(const struct cross *c, const char *name, const char *text)
{
  char path[2 * CROSS_PATH];
  FILE *file = fopen(cross_path(c, name, path), "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

/* Runs a command in the folder; it must succeed. */
static inline void cross_run(const struct cross *c, const char *command)
{
  char line[2048];
  snprintf(line, sizeof line, "cd %s && %.1800s", c->folder, command);
  if (system(line) != 0)
    fail_msg("cannot run: %s", line);
}

#endif
