#include "compiler/cc/direct_use.h"

#include <string.h>

#include "compiler/cc/target_flags.h"

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
