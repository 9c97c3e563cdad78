#include "compiler/cc/link_wide.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cc/target_flags.h"
#include "compiler/cc/wide_code.h"
#include "compiler/isa64/link/link64.h"
#include "compiler/isa64/rv32/rv32_object.h"

/* Adds the folder of GCC's own library; GCC is asked for it. */
static enum sl_status add_gcc_library(const struct sl_compile_order *cc, struct sl_words *words, struct sl_error *err)
{
  struct sl_log answer = {0};
  struct sl_tools tools = {.log = &answer};
  struct sl_words question = {0};
  sl_words_add(&question, SL_GCC);
  sl_add_library_variant(cc, &question);
  sl_words_add(&question, "-print-libgcc-file-name");
  const enum sl_status code = sl_tools_run(&tools, &question, SL_OUTPUT_LOGGED, err);
  char *slash = answer.text != NULL ? strrchr(answer.text, '/') : NULL;
  if (code == SL_OK && slash != NULL)
    sl_words_add_text(words, "-L%.*s", (int)(slash - answer.text), answer.text);
  sl_words_free(&question);
  sl_log_free(&answer);
  return code;
}

static enum sl_status add_linking(const struct sl_compile_order *cc, struct sl_words *words, struct sl_error *err)
{
  sl_words_add(words, "--target=riscv32-unknown-elf");
  sl_words_add(words, "-fuse-ld=lld");
  sl_add_link_flags(cc, words);
  for (size_t i = 0; i < cc->input_count; i++)
    sl_words_add(words, cc->inputs[i].word);
  const enum sl_status code = add_gcc_library(cc, words, err);
  sl_add_libraries(cc, words);
  return code;
}

enum sl_status sl_add_direct_use(const struct sl_compile_order *cc, const struct sl_direct_use *use,
                                 struct sl_words *words, struct sl_error *err)
{
  enum sl_status code = sl_compile_target_check(cc, err);
  if (code == SL_OK && use->cflags) {
    sl_add_clang_flags(cc, words);
    sl_words_add_all(words, cc->flags);
  }
  if (code == SL_OK && use->runtime) {
    sl_words_add_text(words, "%s/%s", cc->runtime, sl_target_start(cc));
    sl_words_add_text(words, "%s/%s", cc->runtime, sl_target_library(cc));
    sl_words_add_text(words, "%s/" SL_CXX_LIBRARY, cc->runtime);
  }
  if (code == SL_OK && use->ldflags)
    code = add_linking(cc, words, err);
  return code == SL_OK && words->lost ? sl_no_memory(err, words->capacity) : code;
}

/* Registers that stock objects use. */
enum { REGISTERS = 32 };

struct parts {
  struct sl_object64 *objects;
  size_t object_count;
  struct sl_rv32_archive *archives;
  size_t archive_count, own_archives; /* archives of the order come first */
};

static bool is_archive(const char *file)
{
  const size_t length = strlen(file);
  return length > 2 && strcmp(file + length - 2, ".a") == 0;
}

static enum sl_status add(struct parts *parts, const char *file, struct sl_error *err)
{
  enum sl_status code;
  if (is_archive(file)) {
    code = sl_rv32_archive_read(file, &parts->archives[parts->archive_count], err);
    parts->archive_count += code == SL_OK;
  } else {
    code = sl_rv32_object_read(file, &parts->objects[parts->object_count], err);
    parts->object_count += code == SL_OK;
  }
  return code;
}

/* Linker options that only name the library that is linked anyway have no effect. */
static enum sl_status add_input(struct parts *parts, const struct sl_input *input, struct sl_error *err)
{
  static const char *const there[] = {"-lc", "-lm", "-lgcc", NULL};
  if (!input->of_linker)
    return add(parts, input->word, err);
  for (const char *const *name = there; *name != NULL; name++)
    if (strcmp(input->word, *name) == 0)
      return SL_OK;
  return sl_fail(err, SL_USAGE, "%.200s: programs of vortex64 take objects and archives by their names only",
                 input->word);
}

/* GCC's library is in the folder of the installed version. */
static enum sl_status add_libraries(struct parts *parts, struct sl_error *err)
{
  static const char *const patterns[] = {SL_PICOLIBC "/lib/rv32im/ilp32/libc.a",
                                         "/usr/lib/gcc/riscv64-unknown-elf/*/rv32im/ilp32/libgcc.a"};
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < sizeof patterns / sizeof patterns[0] && code == SL_OK; i++) {
    glob_t found;
    if (glob(patterns[i], 0, NULL, &found) != 0)
      return sl_fail(err, SL_USAGE,
                     "%s is not there; install the Debian packages gcc-riscv64-unknown-elf and "
                     "picolibc-riscv64-unknown-elf",
                     patterns[i]);
    code = add(parts, found.gl_pathv[found.gl_pathc - 1], err);
    globfree(&found);
  }
  return code;
}

static enum sl_status collect(const struct sl_compile_order *order, char *const *compiled, size_t count,
                              struct parts *parts, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < count && code == SL_OK; i++)
    code = add(parts, compiled[i], err);
  for (size_t i = 0; i < order->input_count && code == SL_OK; i++)
    if (sl_input_kind(&order->inputs[i]) == SL_INPUT_LINKED)
      code = add_input(parts, &order->inputs[i], err);
  parts->own_archives = parts->archive_count;
  return code == SL_OK && !order->no_libraries ? add_libraries(parts, err) : code;
}

static enum sl_status compile_functions(struct sl_wide_code *code, struct parts *parts, struct sl_error *err)
{
  bool jumps = false;
  for (size_t i = 0; i < parts->object_count; i++)
    jumps |= sl_wide_code_jumps(&parts->objects[i]);
  for (size_t i = 0; i < parts->own_archives; i++)
    jumps |= sl_wide_code_archive_jumps(&parts->archives[i]);
  if (jumps)
    sl_wide_code_allow_jumps(code);
  enum sl_status status = SL_OK;
  for (size_t i = 0; i < parts->object_count && status == SL_OK; i++)
    status = sl_wide_code_compile(code, &parts->objects[i], err);
  return status;
}

enum sl_status sl_link_wide(const struct sl_compile_order *order, char *const *compiled, size_t count,
                            struct sl_log *log, struct sl_error *err)
{
  static const char *const defsyms[] = {"vfprintf=__i_vfprintf"};
  const size_t most = count + order->input_count + 2;
  const bool stock = order->code.stock || order->code.registers < REGISTERS;
  struct sl_wide_code own = {.options = order->code, .notes = sl_has_flag(order, "-w") ? NULL : log};
  struct parts parts = {.objects = calloc(most, sizeof *parts.objects),
                        .archives = calloc(most, sizeof *parts.archives)};
  enum sl_status code = SL_OK;
  if (parts.objects == NULL || parts.archives == NULL)
    code = sl_no_memory(err, most * sizeof *parts.objects);
  if (code == SL_OK)
    code = collect(order, compiled, count, &parts, err);
  if (code == SL_OK)
    code = compile_functions(&own, &parts, err);
  const struct sl_link64_options options = {.registers = stock ? REGISTERS : order->code.registers,
                                            .banks = order->code.banks,
                                            .defsyms = defsyms,
                                            .defsym_count = order->no_libraries ? 0 : 1,
                                            .archives = parts.archives,
                                            .archive_count = parts.archive_count,
                                            .prepare = sl_wide_code_compile,
                                            .context = &own};
  if (code == SL_OK)
    code = sl_link64(&options, parts.objects, parts.object_count, order->output, err);
  for (size_t i = 0; i < parts.object_count; i++)
    sl_object64_free(&parts.objects[i]);
  for (size_t i = 0; i < parts.archive_count; i++)
    sl_rv32_archive_free(&parts.archives[i]);
  free(parts.objects);
  free(parts.archives);
  return code;
}
