#include "compiler/cc/machine_ir.h"

#include <unistd.h>

/* Programs are linked statically and have one kind of thread-local storage; the back end knows no other. */
const char *const sl_machine_ir_clang_flags[] = {"-ftls-model=local-exec", NULL};

/* Both calls of llc must generate the same code. The flags that keep annotations in place are those of
 * compiler/reconverge/passes.c. */
static const char *const llc_flags[] = {"llc-19",
                                        "-O2",
                                        "-relocation-model=static",
                                        "-code-model=small",
                                        "-target-abi=ilp32",
                                        "-function-sections",
                                        "-data-sections",
                                        "-disable-cgp-select2branch",
                                        "-enable-tail-merge=false",
                                        "-disable-mergeicmps",
                                        "-disable-select-optimize",
                                        NULL};
static const char *const marked_flags[] = {"-expand-div-rem-bits=32", "-expand-fp-convert-bits=32", NULL};
static const char *const object_flags[] = {"-filetype=obj", "-save-temp-labels", NULL};
static const char *const machine_ir_flags[] = {"-stop-before=greedy", NULL};

static enum sl_status run_llc(const char *bitcode, bool marked, const char *const *goal, const char *output,
                              struct sl_tools *tools, struct sl_error *err)
{
  struct sl_words words = {0};
  sl_words_add_all(&words, llc_flags);
  if (marked)
    sl_words_add_all(&words, marked_flags);
  sl_words_add_all(&words, goal);
  sl_words_add(&words, "-o");
  sl_words_add(&words, output);
  sl_words_add(&words, bitcode);
  const enum sl_status code = sl_tools_run(tools, &words, SL_OUTPUT_LOGGED, err);
  sl_words_free(&words);
  return code;
}

static enum sl_status add_section(const char *text, const char *object, struct sl_tools *tools, struct sl_error *err)
{
  struct sl_words words = {0};
  sl_words_add(&words, "llvm-objcopy-19");
  sl_words_add_text(&words, "--add-section=" SL_MACHINE_IR_SECTION "=%s", text);
  sl_words_add(&words, object);
  const enum sl_status code = sl_tools_run(tools, &words, SL_OUTPUT_LOGGED, err);
  sl_words_free(&words);
  return code;
}

enum sl_status sl_machine_ir_object(const char *bitcode, bool marked, const char *object, struct sl_tools *tools,
                                    struct sl_error *err)
{
  struct sl_words text = {0};
  sl_words_add_text(&text, "%s.mir", bitcode);
  if (text.lost)
    return sl_no_memory(err, sizeof text);
  enum sl_status code = run_llc(bitcode, marked, machine_ir_flags, text.items[0], tools, err);
  if (code == SL_OK)
    code = run_llc(bitcode, marked, object_flags, object, tools, err);
  if (code == SL_OK)
    code = add_section(text.items[0], object, tools, err);
  if (!tools->dry)
    unlink(text.items[0]);
  sl_words_free(&text);
  return code;
}
