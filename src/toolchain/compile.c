#include "toolchain/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolchain/compile_file.h"
#include "toolchain/lanes/lane_branches.h"
#include "toolchain/link_wide.h"
#include "toolchain/object_symbols.h"
#include "toolchain/staged_output.h"
#include "toolchain/target_flags.h"

enum { PATH_MOST = 4096 };

struct build {
  const struct sl_compile_order *order;
  struct sl_tools *tools;
  char folder[PATH_MOST];  /* for intermediate files; empty: not created yet */
  struct sl_words objects; /* object files in the folder */
  struct sl_words link;
};

/* Returns a file's name without folder and suffix. */
static void base_name(const char *file, char name[PATH_MOST])
{
  const char *slash = strrchr(file, '/');
  snprintf(name, PATH_MOST, "%s", slash != NULL ? slash + 1 : file);
  char *dot = strrchr(name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
}

/* Replaces the suffix of a file's name, if it has one. */
static void with_suffix(const char *file, const char *suffix, char name[PATH_MOST])
{
  const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
  const size_t length =
      dot != NULL && dot > file && (slash == NULL || dot > slash + 1) ? (size_t)(dot - file) : strlen(file);
  snprintf(name, PATH_MOST, "%.*s%s", (int)length, file, suffix);
}

/* Whether the program may contain C++, as a source or in an object. */
static bool may_have_cxx(const struct sl_compile_order *cc)
{
  bool may = false;
  for (size_t i = 0; i < cc->input_count; i++) {
    const enum sl_input_kind kind = sl_input_kind(&cc->inputs[i]);
    may |= kind == SL_INPUT_CXX || (kind == SL_INPUT_LINKED && !cc->inputs[i].of_linker);
  }
  return may;
}

static size_t sources(const struct sl_compile_order *cc)
{
  size_t n = 0;
  for (size_t i = 0; i < cc->input_count; i++)
    n += sl_is_source_kind(sl_input_kind(&cc->inputs[i]));
  return n;
}

static enum sl_status need_folder(struct build *b, struct sl_error *err)
{
  if (b->folder[0] != '\0')
    return SL_OK;
  if (!b->tools->dry)
    return sl_make_folder(b->folder, sizeof b->folder, err);
  snprintf(b->folder, sizeof b->folder, "/tmp/simtlab-cc"); /* dry run: the commands are only printed */
  return SL_OK;
}

/* ---- files one by one -------------------------------------------------------------------------------------------- */

/* Compiles one source without linking. */
static enum sl_status compile_alone(struct build *b, const struct sl_input *input, struct sl_error *err)
{
  const struct sl_compile_order *cc = b->order;
  char base[PATH_MOST], output[PATH_MOST + 8], dependencies[PATH_MOST], bitcode[PATH_MOST + 8] = "";
  struct sl_compile_step step = {.input = input, .output = cc->output, .goal = cc->goal};
  base_name(input->word, base);
  snprintf(output, sizeof output, "%s.%s", base, cc->goal == SL_GOAL_ASSEMBLY ? "s" : "o");
  if (cc->output == NULL && (cc->goal == SL_GOAL_OBJECT || cc->goal == SL_GOAL_ASSEMBLY))
    step.output = output;
  with_suffix(step.output != NULL ? step.output : base, ".d", dependencies);
  step.dependencies = dependencies;
  step.target = step.output;
  if (sl_takes_bitcode(cc, &step)) {
    const enum sl_status code = need_folder(b, err);
    if (code != SL_OK)
      return code;
    snprintf(bitcode, sizeof bitcode, "%s/0.bc", b->folder);
    step.bitcode = bitcode;
  }
  struct sl_staged_output staged;
  const enum sl_status code = sl_staged_output_begin(&staged, b->tools, step.output, err);
  if (code != SL_OK)
    return code;
  step.output = staged.path;
  return sl_staged_output_end(&staged, sl_compile_file(cc, &step, b->tools, err), err);
}

static enum sl_status compile_each(struct build *b, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < b->order->input_count && code == SL_OK; i++)
    if (sl_input_kind(&b->order->inputs[i]) != SL_INPUT_LINKED)
      code = compile_alone(b, &b->order->inputs[i], err);
  return code;
}

/* ---- a program --------------------------------------------------------------------------------------------------- */

/* Compiles a source to an intermediate object and adds it to the link command. */
static enum sl_status compile_for_link(struct build *b, const struct sl_input *input, bool of_runtime,
                                       struct sl_error *err)
{
  const char *output = b->order->output;
  char base[PATH_MOST], prefix[PATH_MOST], dependencies[PATH_MOST], bitcode[PATH_MOST + 32];
  const size_t number = b->objects.count;
  base_name(input->word, base);
  with_suffix(output, "", prefix);
  if (sources(b->order) == 1)
    with_suffix(output, ".d", dependencies);
  else if (snprintf(dependencies, sizeof dependencies, "%s-%s.d", prefix, base) >= PATH_MOST)
    return sl_fail(err, SL_USAGE, "%.200s: the name is too long", input->word);
  sl_words_add_text(&b->objects, "%s/%zu.o", b->folder, number);
  snprintf(bitcode, sizeof bitcode, "%s/%zu.bc", b->folder, number);
  if (b->objects.lost)
    return sl_no_memory(err, PATH_MOST);
  const struct sl_compile_step step = {.input = input,
                                       .output = b->objects.items[number],
                                       .dependencies = dependencies,
                                       .target = output,
                                       .bitcode = bitcode,
                                       .goal = SL_GOAL_OBJECT,
                                       .of_runtime = of_runtime};
  sl_words_add(&b->link, step.output);
  return sl_compile_file(b->order, &step, b->tools, err);
}

static enum sl_status compile_runtime(struct build *b, const char *file, struct sl_error *err)
{
  char path[PATH_MOST];
  const struct sl_input input = {.word = path};
  snprintf(path, sizeof path, "%s/%s", b->order->runtime, file);
  return compile_for_link(b, &input, true, err);
}

/* Whether kernels call printf; the program then needs the runtime that buffers their text. */
static bool kernels_print(const struct build *b)
{
  static const char print[] = "simt_printf";
  bool prints = false;
  for (size_t i = 0; i < b->objects.count && !b->order->vortex; i++)
    prints |= sl_refers_to(b->objects.items[i], print);
  for (size_t i = 0; i < b->order->input_count && !b->order->vortex; i++)
    if (sl_input_kind(&b->order->inputs[i]) == SL_INPUT_LINKED && !b->order->inputs[i].of_linker)
      prints |= sl_refers_to(b->order->inputs[i].word, print);
  return prints && !b->tools->dry;
}

static enum sl_status link_objects(struct build *b, struct sl_error *err)
{
  const struct sl_compile_order *cc = b->order;
  if (cc->wide && !b->tools->dry)
    return sl_link_wide(cc, b->objects.items, b->objects.count, b->tools->log, err);
  sl_add_libraries(cc, &b->link);
  return sl_tools_run(b->tools, &b->link, SL_OUTPUT_LOGGED, err);
}

static enum sl_status make_program(struct build *b, const char *output, struct sl_error *err)
{
  const struct sl_compile_order *cc = b->order;
  sl_words_add(&b->link, SL_GCC);
  sl_add_link_flags(cc, &b->link);
  sl_words_add(&b->link, "-o");
  sl_words_add(&b->link, output);
  enum sl_status code = need_folder(b, err);
  if (code == SL_OK && !cc->no_start)
    code = compile_runtime(b, sl_target_start(cc), err);
  for (size_t i = 0; i < cc->input_count && code == SL_OK; i++)
    if (sl_input_kind(&cc->inputs[i]) == SL_INPUT_LINKED)
      sl_words_add(&b->link, cc->inputs[i].word);
    else
      code = compile_for_link(b, &cc->inputs[i], false, err);
  if (code == SL_OK && !cc->no_libraries)
    code = compile_runtime(b, sl_target_library(cc), err);
  if (code == SL_OK && !cc->no_libraries && kernels_print(b))
    code = compile_runtime(b, SL_PRINT_LIBRARY, err);
  if (code == SL_OK && !cc->no_libraries && may_have_cxx(cc))
    code = compile_runtime(b, SL_CXX_LIBRARY, err);
  if (code == SL_OK)
    code = link_objects(b, err);
  if (code == SL_OK && cc->vortex && !cc->relocatable && !b->tools->dry && !sl_has_flag(cc, "-w"))
    sl_check_branches(cc, output, b->tools->log);
  return code;
}

/* The linker of 64-bit instructions writes its output atomically itself. */
static enum sl_status make_staged(struct build *b, struct sl_error *err)
{
  struct sl_staged_output staged;
  if (b->order->wide)
    return make_program(b, b->order->output, err);
  const enum sl_status code = sl_staged_output_begin(&staged, b->tools, b->order->output, err);
  return code == SL_OK ? sl_staged_output_end(&staged, make_program(b, staged.path, err), err) : code;
}

static void clean_up(struct build *b)
{
  for (size_t i = 0; i < b->objects.count && !b->tools->dry; i++)
    unlink(b->objects.items[i]);
  if (b->folder[0] != '\0' && !b->tools->dry)
    rmdir(b->folder);
  sl_words_free(&b->objects);
  sl_words_free(&b->link);
}

enum sl_status sl_compile(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err)
{
  enum sl_status code = sl_compile_order_check(order, err);
  if (code != SL_OK)
    return code;
  struct build *b = calloc(1, sizeof *b);
  if (b == NULL)
    return sl_no_memory(err, sizeof *b);
  b->order = order;
  b->tools = tools;
  code = order->goal == SL_GOAL_PROGRAM ? make_staged(b, err) : compile_each(b, err);
  clean_up(b);
  free(b);
  return code;
}

enum sl_status sl_ask_compiler(const struct sl_compile_order *cc, struct sl_tools *tools, struct sl_error *err)
{
  struct sl_words words = {0};
  const bool clang = cc->auto_marks || cc->clang || (cc->fp && !cc->vortex);
  bool linker = false;
  for (size_t i = 0; i < cc->input_count; i++)
    linker |= cc->inputs[i].of_linker;
  sl_words_add(&words, clang && !linker ? SL_CLANG : SL_GCC);
  if (clang && !linker)
    sl_words_add(&words, "--target=riscv32-unknown-elf");
  sl_add_library_variant(cc, &words);
  sl_words_add_all(&words, cc->flags);
  for (size_t i = 0; i < cc->input_count; i++)
    sl_words_add(&words, cc->inputs[i].word);
  const enum sl_status code = sl_tools_run(tools, &words, SL_OUTPUT_PASSED, err);
  sl_words_free(&words);
  return code;
}
