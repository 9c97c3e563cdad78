#include "compiler/cc/compile.h"

#include <stdio.h>
#include <string.h>

#include "compiler/cc/tools.h"

enum { PATH_MOST = 4096 };

static void default_output(const char *source, char *to)
{
  const char *slash = strrchr(source, '/'), *name = slash != NULL ? slash + 1 : source, *dot = strrchr(name, '.');
  const size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
  snprintf(to, PATH_MOST, "%.*s.ptx", (int)length, name);
}

/* The compiler would name dependencies after its output, which has a temporary name. */
static void add_dependencies(const struct sl_compile_order *cc, const char *output, struct sl_words *words)
{
  const char *slash = strrchr(output, '/'), *dot = strrchr(output, '.');
  const size_t length =
      dot != NULL && dot > output && (slash == NULL || dot > slash + 1) ? (size_t)(dot - output) : strlen(output);
  if (!sl_has_flag(cc, "-MD") && !sl_has_flag(cc, "-MMD"))
    return;
  if (sl_last_flag(cc, "-MF") == NULL) {
    sl_words_add(words, "-MF");
    sl_words_add_text(words, "%.*s.d", (int)length, output);
  }
  if (sl_last_flag(cc, "-MT") == NULL && sl_last_flag(cc, "-MQ") == NULL) {
    sl_words_add(words, "-MQ");
    sl_words_add(words, output);
  }
}

enum sl_status sl_compile_ptx(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err)
{
  static const char *const always[] = {SL_CLANG,
                                       "-x",
                                       "cuda",
                                       "--cuda-device-only",
                                       "--cuda-gpu-arch=sm_70",
                                       "-nocudainc",
                                       "-nocudalib",
                                       "-Wno-unknown-cuda-version",
                                       "-fno-jump-tables",
                                       "-O2",
                                       "-S"};
  char header[PATH_MOST], output[PATH_MOST];
  struct sl_words words = {0};
  if (order->input_count != 1 || order->inputs[0].of_linker)
    return sl_fail(err, SL_USAGE, "for PTX one source is compiled at a time: simtlab cc --target ptx -o X.ptx X.cu");
  if (order->goal != SL_GOAL_PROGRAM && order->goal != SL_GOAL_ASSEMBLY)
    return sl_fail(err, SL_USAGE, "PTX is text, without objects to link: leave out -c and the like");
  default_output(order->inputs[0].word, output);
  snprintf(header, sizeof header, "%s/simt_ptx.h", order->runtime);
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    sl_words_add(&words, always[i]);
  sl_words_add(&words, "-I");
  sl_words_add(&words, order->runtime);
  sl_words_add(&words, "-include");
  sl_words_add(&words, header);
  for (size_t i = 0; order->flags != NULL && order->flags[i] != NULL; i++)
    sl_words_add(&words, order->flags[i]);
  const char *const name = order->output != NULL ? order->output : output;
  add_dependencies(order, name, &words);
  struct sl_staged_output staged;
  enum sl_status code = sl_staged_output_begin(&staged, tools, name, err);
  if (code == SL_OK) {
    sl_words_add(&words, "-o");
    sl_words_add(&words, staged.path);
    sl_words_add(&words, order->inputs[0].word);
    code = words.lost ? sl_no_memory(err, words.capacity) : sl_tools_run(tools, &words, SL_OUTPUT_LOGGED, err);
    code = sl_staged_output_end(&staged, code, err);
  }
  sl_words_free(&words);
  return code;
}
